"""Verbs that start a server, its pages, or a match with both."""
