"""What an owner's board must have in common with the printed game."""
