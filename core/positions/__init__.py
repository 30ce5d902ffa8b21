"""Position files, and what they are checked against."""
