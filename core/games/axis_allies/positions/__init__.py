"""Position files: their checks, and setting the table up."""
