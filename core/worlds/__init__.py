"""Positions to try commands on, in which what a seat cannot know is dealt from its view alone."""
