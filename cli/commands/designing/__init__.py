"""Verbs for designers and authors of games: trials, simulations, comparisons of rules, checks."""
