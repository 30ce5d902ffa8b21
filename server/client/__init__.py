"""Clients: blocking, asynchronous, in the same process, and the bots that use them."""
