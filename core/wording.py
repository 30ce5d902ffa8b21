"""Words that rules, narrations and pictures share."""

from collections.abc import Sequence
from itertools import takewhile


def capital(text: str) -> str:
    """Return a text with a capital first letter."""
    return f"{text[:1].upper()}{text[1:]}"


def counted(count: int, thing: str, things: str = "") -> str:
    """Return how many of a thing there are, as in `2 Rations`; `things` is an irregular plural."""
    return f"{count} {thing if count == 1 else things or plural(thing)}"


def plural(thing: str) -> str:
    """Return the regular plural of a thing, and that of a die; of infantry and artillery there is none."""
    if thing == "die":
        return "dice"
    if thing.casefold().endswith(("infantry", "artillery")):
        return thing
    if thing[-1:] == "y" and thing[-2:-1] not in "aeiou":
        return f"{thing[:-1]}ies"
    return f"{thing}{'es' if thing.endswith(('x', 's')) else 's'}"


def joined(words: Sequence[str], last: str = "and") -> str:
    """Join words as in a sentence: `a, b and c`; empty without any."""
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)


def in_common(names: Sequence[str]) -> str:
    """Return the whole words with which all names begin, such as `Big Push` of `Big Push (+1)` and `Big Push (-1)`; the name itself if they are the same."""
    shared = takewhile(lambda words: len({*words}) == 1, zip(*map(str.split, names), strict=False))
    return " ".join([words[0] for words in shared])
