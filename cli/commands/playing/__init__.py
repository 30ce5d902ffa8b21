"""Verbs of players and arbiters: seats, options, choices, consent."""
