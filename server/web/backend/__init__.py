"""Access to the broker on behalf of visitors: stories, audits, bots, actions, forks."""
