"""Text, pictures and films of what a verb shows."""
