"""Templates of files that verbs write."""
