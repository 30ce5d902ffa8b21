"""Pages for the browser. They are one more client of the broker: they write nothing themselves and have no rules."""
