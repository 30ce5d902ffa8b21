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
    return f"{thing}{'es' if thing.endswith(('x', 's', 'sh', 'ch')) else 's'}"


IRREGULAR = {"be": "is", "have": "has", "go": "goes"}
"""Verbs whose third person is not regular."""
PLURAL_BE = {"be": "are"}
SINGULAR_ENDINGS = ("is", "ss", "us")
"""Endings in s of names that are not plural, such as `Axis`."""


def is_plural(name: str) -> bool:
    """Return whether a name of a side, a seat or a track is plural, as `Allies` is, and `RPCs of the Axis`; `Axis` is not."""
    noun = name.partition(" (")[0].partition(" of ")[0]
    return noun.endswith("s") and not noun.endswith(SINGULAR_ENDINGS)


def does(name: str, verb: str) -> str:
    """Return a name with what it does, in its number: `German takes`, `Allies take`; `verb` is the infinitive."""
    said = PLURAL_BE.get(verb, verb) if is_plural(name) else IRREGULAR.get(verb) or plural(verb)
    return f"{name} {said}"


def joined(words: Sequence[str], last: str = "and") -> str:
    """Join words as in a sentence: `a, b and c`; empty without any."""
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)


def in_common(names: Sequence[str]) -> str:
    """Return the whole words with which all names begin, such as `Big Push` of `Big Push (+1)` and `Big Push (-1)`; the name itself if they are the same."""
    shared = takewhile(lambda words: len({*words}) == 1, zip(*map(str.split, names), strict=False))
    return " ".join([words[0] for words in shared])
