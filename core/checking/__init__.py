"""Checks of any game, and matches that are played under them; a game's tests use them without the command line."""
