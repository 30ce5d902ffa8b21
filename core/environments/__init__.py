"""Learning environments: episodes of a game for programs that learn, what a seat sees as numbers, and the numbers of its options."""
