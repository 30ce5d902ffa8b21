"""Legal commands of a question."""
