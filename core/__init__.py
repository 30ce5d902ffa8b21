"""The rules kernel: decisions, refusals, chance, the match, geometry, and one folder per game.

Pure: no clock, no randomness, no input or output. The caller supplies time, seeds and ids.
"""
