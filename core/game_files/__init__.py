"""Files of a game's package: its rules index, its printed names and its digest."""
