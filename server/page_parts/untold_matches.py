"""Errors of telling a match."""

UNTOLD = (LookupError, ValueError, TypeError, AttributeError, AssertionError, ArithmeticError)
"""The errors of sentences and pictures about what the rules do not allow, which these do not expect: the match is at fault then, and no other one."""
