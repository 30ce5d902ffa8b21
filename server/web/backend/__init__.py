"""Access to the broker on behalf of visitors: stories, sessions, audits, bots, actions, forks."""
