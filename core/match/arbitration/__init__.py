"""Consultations between seats and the arbiter, as events of the match: views of a seat, and what is taken back with consent."""
