"""The boards as a reader sees them before a match."""
