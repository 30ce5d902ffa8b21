"""Verbs that search the events of matches, compare them, and fork."""
