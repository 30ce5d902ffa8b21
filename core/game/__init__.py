"""A game's record, and the game bound to a board."""
