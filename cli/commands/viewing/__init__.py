"""Verbs that show matches and follow them."""
