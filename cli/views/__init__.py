"""Matches as a verb sees them, in the store or on a server, and the options that it is told."""
