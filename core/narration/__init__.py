"""Contract of a game's narration, and the pictures that it describes as data."""
