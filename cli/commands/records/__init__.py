"""Verbs that write and read what is kept beside a store: archives, notations, positions, studies, copies."""
