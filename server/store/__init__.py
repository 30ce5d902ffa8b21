"""Stores on disk: SQLite, archive files, private files."""
