"""Whole pages: the list of matches, a match, a comparison, the seats."""
