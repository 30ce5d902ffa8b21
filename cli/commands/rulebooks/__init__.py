"""Verbs about the installed games: their rules, boards, options and lessons."""
