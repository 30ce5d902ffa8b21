"""Bots. Nothing but their names is known outside."""
