"""Position files that are written: from a moment of a match, as TOML and as one line."""
