"""A game's record, the game bound to a board, and its positions."""
