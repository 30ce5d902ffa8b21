"""The report of a match: its figures, and one page that tells and proves it, for reading and printing."""
