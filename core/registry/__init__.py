"""Installed games, and the parts that each of them lists."""
