"""Names on the map in words, for sentences and for the view of the map; no outcome depends on them."""
