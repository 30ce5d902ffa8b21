"""Formats lists, signed numbers, and ids without a printed name."""

from collections.abc import Iterable


def listed(words: Iterable[str]) -> str:
    """Join words as in a sentence: `a`, `a and b`, `a, b and c`."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def signed(number: int) -> str:
    """Return a number with its sign."""
    return f"{number:+d}"


def spoken(word: str) -> str:
    """Return an id without a printed name as words: `random_event` becomes `random event`."""
    return word.replace("_", " ").replace("-", " ")
