"""Words put together: lists, signed numbers, ids that have no printed name."""

from collections.abc import Iterable


def listed(words: Iterable[str]) -> str:
    """Join words as a sentence does: `a`, `a and b`, `a, b and c`."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def signed(number: int) -> str:
    """Write a number with its sign."""
    return f"{number:+d}"


def spoken(word: str) -> str:
    """Turn a word of the table that has no printed name into one for people: `random_event` becomes `random event`."""
    return word.replace("_", " ").replace("-", " ")
