"""Notation: a match as readable text, written, read, and played again by the rules."""
