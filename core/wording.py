"""Words that rules, narrations and pictures share."""

from collections.abc import Sequence


def capital(text: str) -> str:
    """Return a text with a capital first letter."""
    return f"{text[:1].upper()}{text[1:]}"


def counted(count: int, thing: str, things: str = "") -> str:
    """Return how many of a thing there are, as in `2 Rations`; `things` is an irregular plural."""
    return f"{count} {thing if count == 1 else things or plural(thing)}"


def plural(thing: str) -> str:
    """Return the regular plural of a thing, and that of a die."""
    if thing == "die":
        return "dice"
    return f"{thing}{'es' if thing.endswith(('x', 's')) else 's'}"


def joined(words: Sequence[str], last: str = "and") -> str:
    """Join words as in a sentence: `a, b and c`; empty without any."""
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)
