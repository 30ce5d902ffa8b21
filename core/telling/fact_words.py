"""Words of single facts of a table, and conditions about them as people type them, such as `morale <= 10 and control of kalach = german`."""

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from core.suggestions import LISTED_MAX, unknown
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

VALUES: Mapping[str, tuple[str, ...]] = {
    "phase": ("phase",),
    "turn": ("turn",),
    "control": ("side",),
    "side": ("side",),
    "place": ("place",),
    "face": ("face",),
    "pile": ("pile",),
}
"""What the value of a fact names, if it is no number."""

OWNERS: Mapping[str, str] = {"control": "place", "pile": "card"}
"""What a fact `of` something is of, if not of a piece."""

FOLLOWED = ("piece", "place", "track", "pile", "card", "marker")
"""What has events that gave it its state."""

_PARTS = re.compile(r"(.+?)\s*(<=|>=|!=|=|<|>)\s*(.+)")
_ASKED = ("control", "place", "side", "face", "steps", "pile")
_OF = re.compile(rf"({'|'.join(_ASKED)}) of (.+)")
_OTHER = re.compile(r"(\w+) of (.+)")
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
        ids: All ids that can be meant, by what they are, such as `piece` or `place`.
    """

    def __init__(self, names: Names, ids: Mapping[str, Iterable[str]]) -> None:
        self._names = names
        self._ids = {kind: tuple(there) for kind, there in ids.items()}

    def id_of(self, text: str, *kinds: str) -> str:
        """Return the id that a text is, or is the name of.

        Args:
            text: What people call it.
            kinds: What it may be.

        Raises:
            ValueError: None is, or several are; the message names them.
        """
        ids = dict.fromkeys(id_ for kind in kinds for id_ in self._ids.get(kind, ()))
        if text in ids:
            return text
        wanted = plain_words(text)
        found = [id_ for id_ in ids if wanted in self._words(id_)]
        if not found:
            known = [name for id_ in ids for name in self._offered(id_)]
            listed_by = "`wardiary show -v`" if len(known) > LISTED_MAX else ""
            raise ValueError(unknown(joined(kinds, "or"), text, known, listed_by=listed_by))
        if len(found) > 1:
            raise ValueError(f"{text!r} may be {joined(found, 'or')}: name one of them")
        return found[0]

    def _offered(self, id_: str) -> list[str]:
        """Return an id and its name, or one of them if they are the same to people."""
        name = self._names.anything(id_)
        return [id_] if plain_words(name) == plain_words(id_) else [id_, name]

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
        raise ValueError(f"{text!r} compares nothing: write {joined(FORMS, 'or')}, a sign and a value")
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
    return Comparison(fact, sign, right if fact.what == "result" else lookup.id_of(right, *VALUES[fact.what]))


def _fact(text: str, lookup: Lookup) -> Fact:
    """Return the fact that the left side of a comparison is about."""
    if text in ("round", "phase", "turn", "result"):
        return Fact(text)
    if parts := _OF.fullmatch(text):
        return Fact(parts[1], lookup.id_of(parts[2], OWNERS.get(parts[1], "piece")))
    if parts := _IN.fullmatch(text):
        side, what, there = parts.groups()
        if what == "cards" and side:
            raise ValueError(f"cards have no side: write cards in {there}")
        where = lookup.id_of(there, "pile" if what == "cards" else "place")
        return Fact(what, where, lookup.id_of(side, "side") if side else "")
    if parts := _ON.fullmatch(text):
        return Fact("marker", lookup.id_of(parts[2], "place", "piece"), lookup.id_of(parts[1], "marker"))
    return _track(text, lookup)


def _track(text: str, lookup: Lookup) -> Fact:
    """Return the fact of the track of a name; if there is none, say what else could have been meant."""
    try:
        return Fact("track", lookup.id_of(text, "track"))
    except ValueError as error:
        if parts := _OTHER.fullmatch(text):
            meant = f"{joined(_ASKED, 'or')} of something; a marker is told by {parts[1]} on {parts[2]}"
            raise ValueError(f"nothing has a {parts[1]!r} here: write {meant}") from None
        raise ValueError(f"{error}; besides tracks there are {joined([*FORMS[:4], *FORMS[5:]], 'and')}") from None


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


def known_ids(names: Names, table: Table) -> Iterator[tuple[str, str]]:
    """Yield all ids that are on a table, and the places of the map, each with what it is."""
    faces = [piece.face for piece in table.pieces.values()]
    owners = [there for there in table.markers if there not in table.pieces]
    found: tuple[tuple[str, Iterable[str]], ...] = (
        ("place", (*names.places, *table.at, *table.control, *owners)),
        ("piece", table.pieces),
        ("track", table.tracks),
        ("pile", table.piles),
        ("side", table.sides),
        ("phase", (table.phase,)),
        ("turn", (table.turn, *table.sides)),
        ("card", (card for pile in table.piles.values() for card in pile.cards)),
        ("marker", (marker for there in table.markers.values() for marker in there)),
        ("face", faces),
    )
    for kind, ids in found:
        yield from ((kind, id_) for id_ in ids if id_)
