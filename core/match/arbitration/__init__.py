"""The arbiter's views of seats, as events of the match."""
