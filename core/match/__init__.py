"""A match: its creation, the commands of every game, undo, and forks."""
