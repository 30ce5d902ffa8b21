"""Search in a rules index by words: bounded, and without patterns of its users."""

import re
from collections.abc import Iterable, Sequence

from core.game_files.rulebook import Rule, Rulebook, Ruling

QUERY_CHARACTERS_MAX = 100
"""The rest of a longer query is not looked at."""
WORDS_MAX = 8
"""So many different words of a query are looked for."""
FOUND_MAX = 20
"""So many rules are returned."""
_WORD = re.compile(r"\w+")
_ENDING = re.compile(r"(?<=\w{3})(?:ies|ied|ing|ed|es|e|y|(?<!s)s)$")
"""What may follow the stem of a word: the units, the unit; stacking, a stack; supplied, supply."""


def search_rules(book: Rulebook, query: str) -> Sequence[Rule | Ruling]:
    """Return the rules and rulings that have words of a query, those with most of them first and the best of these before the others, at most `FOUND_MAX`.

    A word is found in any of its forms, or as the beginning of one, upper or lower case; in an id it counts most. None is returned for a
    query without words.

    Args:
        book: The rules.
        query: Typed by anybody.
    """
    wanted = [*dict.fromkeys(_words(query[:QUERY_CHARACTERS_MAX]))][:WORDS_MAX]
    entries: list[Rule | Ruling] = [*book.rules.values(), *book.rulings.values()]
    scored = [(_score(wanted, entry), entry) for entry in entries]
    found = [one for one in scored if one[0] > (0, 0)]
    # Sorting keeps the order of the rulebook among equals.
    return [entry for _, entry in sorted(found, key=lambda one: one[0], reverse=True)[:FOUND_MAX]]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _stem(word: str) -> str:
    return _ENDING.sub("", word)


def _score(wanted: Iterable[str], entry: Rule | Ruling) -> tuple[int, int]:
    """Return how many of the words an entry has, and how well."""
    named, said = set(_words(entry.id.replace("_", " "))), set(_words(_text(entry)))
    stems = set(map(_stem, named)), set(map(_stem, said))
    points = [_points(word, *stems, named | said) for word in wanted]
    return sum(map(bool, points)), sum(points)


def _points(word: str, named: set[str], said: set[str], whole: set[str]) -> int:
    """Return how well a word is found among the stems of an id and of a text, and among the words of both."""
    if _stem(word) in named:
        return 4
    if _stem(word) in said:
        return 2
    return int(any(one.startswith(word) for one in whole))


def _text(entry: Rule | Ruling) -> str:
    return f"{entry.page} {entry.text}" if isinstance(entry, Rule) else f"{entry.question} {entry.ruling}"
