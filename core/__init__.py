"""RULES: decisions, refusals, chance, the match, geometry, and one folder per game.

Pure: no clock, no randomness, no input or output. Time, seeds and ids are handed in.
"""
