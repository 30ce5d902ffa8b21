"""Pages for the browser. They are one more client of the broker: they keep no matches and have no rules of their own."""
