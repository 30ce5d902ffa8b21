"""Clients: blocking, asynchronous, in the same process, and bots."""
