"""Readers of recorded matches: tables at any event, folded within bounds, and waiting times."""
