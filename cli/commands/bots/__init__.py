"""Verbs of bots: arena, tuning, workers, tools of a language model."""
