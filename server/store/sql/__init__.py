"""Stores in tables: their rows and how they are read, whatever engine keeps them."""
