"""Texts of the cards in words, for sentences and for the view of the cards; no outcome depends on them."""
