"""State of a match: the table, the fold of events into it, and the view of each seat."""
