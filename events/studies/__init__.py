"""Studies of matches: what was said of a match beside it, as a stream of entries of its own."""
