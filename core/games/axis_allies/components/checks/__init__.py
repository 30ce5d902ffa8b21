"""Agreement of an owner's board with the printed game."""
