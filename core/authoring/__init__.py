"""The short way to write a game: commands that carry everything about themselves, and defaults for the rest."""
