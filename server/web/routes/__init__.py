"""Addresses with their handlers, and the context of a request."""
