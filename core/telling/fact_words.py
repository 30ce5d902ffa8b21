"""Words of single facts of a table, and conditions about them as people type them, such as `morale <= 10 and control of kalach = german`."""

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from core.suggestions import unknown
from core.telling.names import Names
from core.telling.phrases import plain_words
from core.wording import joined
from events.codec import Struct
from events.ids import PlaceId
from events.vocabulary import Value
from projections.facts import NUMBERS, Fact, fact_value
from projections.state.table import Table

FORMS = (
    "round",
    "phase",
    "turn",
    "result",
    "TRACK",
    "control of PLACE",
    "place of PIECE",
    "side of PIECE",
    "face of PIECE",
    "steps of PIECE",
    "pieces in PLACE",
    "SIDE pieces in PLACE",
    "cards in PILE",
    "pile of CARD",
    "MARKER on PLACE",
)
"""The left sides of conditions."""

COMPARED: Mapping[str, Callable[[int, int], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "!=": operator.ne,
    "=": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
}

NOTHING = "none"
"""The word for no place, no side, no phase or no result."""

_PARTS = re.compile(r"(.+?)\s*(<=|>=|!=|=|<|>)\s*(.+)")
_OF = re.compile(r"(control|place|side|face|steps|pile) of (.+)")
_IN = re.compile(r"(?:(.+) )?(pieces|cards) in (.+)")
_ON = re.compile(r"(.+) on (.+)")


class Comparison(Struct, frozen=True):
    """A fact, how it is compared, and with what."""

    fact: Fact
    sign: str
    value: Value

    def holds(self, table: Table) -> bool:
        """Return whether it holds on a table."""
        found = fact_value(table, self.fact)
        if isinstance(self.value, int):
            return isinstance(found, int) and COMPARED[self.sign](found, self.value)
        return (found == self.value) == (self.sign == "=")


class Lookup:
    """Finds the ids that people mean.

    Args:
        names: The names of the match.
        ids: All ids that can be meant.
    """

    def __init__(self, names: Names, ids: Iterable[str]) -> None:
        self._names = names
        self._ids = dict.fromkeys(ids)

    def id_of(self, text: str) -> str:
        """Return the id that a text is, or is the name of.

        Raises:
            ValueError: None is, or several are; the message names them.
        """
        if text in self._ids:
            return text
        wanted = plain_words(text)
        found = [id_ for id_ in self._ids if wanted in self._words(id_)]
        if not found:
            known = [name for id_ in self._ids for name in dict.fromkeys((id_, self._names.anything(id_)))]
            raise ValueError(unknown("piece, place, track, pile or card", text, known, listed_by="`wardiary show -v`"))
        if len(found) > 1:
            raise ValueError(f"{text!r} may be {joined(found, 'or')}: name one of them")
        return found[0]

    def _words(self, id_: str) -> set[str]:
        """Return what people call an id; a place with its label, or without."""
        place = self._names.places.get(PlaceId(id_))
        said = {id_, self._names.anything(id_)} | ({place.name} if place is not None else set())
        return {plain_words(one) for one in said}


def condition(text: str, lookup: Lookup) -> tuple[Comparison, ...]:
    """Read a condition: comparisons, joined by `and`.

    Raises:
        ValueError: It is not one; the message says what would be.
    """
    return tuple(
        [_comparison(part.strip(), lookup) for part in re.split(r"\s+and\s+", text.strip(), flags=re.IGNORECASE)]
    )


def _comparison(text: str, lookup: Lookup) -> Comparison:
    parts = _PARTS.fullmatch(text)
    if parts is None:
        raise ValueError(f"{text!r} compares nothing: write {joined(FORMS[:5], 'or')} and so on, a sign and a value")
    left, sign, right = parts.groups()
    fact = _fact(left, lookup)
    if fact.what in NUMBERS:
        if not re.fullmatch(r"-?\d{1,9}", right):
            raise ValueError(f"{left} is a number, and is not compared with {right!r}")
        return Comparison(fact, sign, int(right))
    if sign not in ("=", "!="):
        raise ValueError(f"{left} is no number: it is compared with = or !=, not with {sign}")
    if right == NOTHING:
        return Comparison(fact, sign, "")
    return Comparison(fact, sign, right if fact.what == "result" else lookup.id_of(right))


def _fact(text: str, lookup: Lookup) -> Fact:
    """Return the fact that the left side of a comparison is about."""
    if text in ("round", "phase", "turn", "result"):
        return Fact(text)
    if parts := _OF.fullmatch(text):
        return Fact(parts[1], lookup.id_of(parts[2]))
    if parts := _IN.fullmatch(text):
        side, what, there = parts.groups()
        if what == "cards" and side:
            raise ValueError(f"cards have no side: write cards in {there}")
        return Fact(what, lookup.id_of(there), lookup.id_of(side) if side else "")
    if parts := _ON.fullmatch(text):
        return Fact("marker", lookup.id_of(parts[2]), lookup.id_of(parts[1]))
    return Fact("track", lookup.id_of(text))


def fact_words(names: Names, fact: Fact) -> str:
    """Return what a fact is, in words."""
    said = names.anything(fact.of)
    match fact.what:
        case "track":
            return said
        case "marker" | "attribute":
            return f"{said}: {names.of(fact.key)}"
        case "pieces":
            return f"{said}: {f'{names.of(fact.key)} ' if fact.key else ''}pieces"
        case _:
            return f"{said}: {fact.what}" if fact.of else fact.what


def value_words(names: Names, fact: Fact, value: Value | None) -> str:
    """Return the value of a fact in words."""
    return NOTHING if value in ("", None) else names.value(value) if fact.what not in NUMBERS else str(value)


def known_ids(names: Names, table: Table) -> Iterator[str]:
    """Yield all ids that are on a table, and the places of the map."""
    yield from names.places
    for known in (
        table.pieces,
        table.at,
        table.control,
        table.tracks,
        table.piles,
        table.sides,
        (table.phase, table.turn),
    ):
        yield from filter(None, known)
    for pile in table.piles.values():
        yield from pile.cards
    yield from table.markers
    for there in table.markers.values():
        yield from there
    for piece in table.pieces.values():
        if piece.face:
            yield piece.face
