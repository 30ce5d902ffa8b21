"""Limits on the size of a table: many times what any game needs, so that no foreign log can make every further event slow.

Folding an event may copy the list that it changes, so a growing list costs quadratic time.
"""

from collections.abc import Iterator

from projections.state.table import Table

THINGS_MAX = 2_000
"""Entries of any list or dictionary of a table: pieces, cards, markers, tracks, places."""

TOGETHER_MAX = 1_000
"""Pieces in one place, and cards in one pile: each move searches them."""

FEW_MAX = 200
"""Open decisions, seats and their values, kinds of markers in one place: copied with every change."""

PRIVATE_EVENTS_MAX = 20_000
"""Events of a match, with the shared ones of its ancestors, that only some seats know of. Match commands beyond it are refused."""

PRIVATE_EVENTS_OF_SEAT_MAX = 4_000
"""The most of these that one seat may cause."""

_FEW = frozenset(
    (
        "seats",
        "players",
        "former",
        "credentials",
        "reserved",
        "arbiters",
        "standing",
        "private_notes",
        "limits",
        "stack",
        "private_events_of",
    )
)
_PRIVATE = frozenset(("private_events", "undisclosed_answers"))


def excess(table: Table) -> str:
    """Return which limit a table exceeds, in words; empty if none.

    It takes time in proportion to what the table holds.
    """
    for what, count, most in _counted(table):
        if count > most:
            return f"the table cannot hold {count} {what}; {most} at most"
    return ""


def _counted(table: Table) -> Iterator[tuple[str, int, int]]:
    for name in table.__struct_fields__:
        held = getattr(table, name)
        if isinstance(held, tuple | dict):
            most = FEW_MAX if name in _FEW else PRIVATE_EVENTS_MAX if name in _PRIVATE else THINGS_MAX
            yield _WORDS.get(name, f"entries of {name}"), len(held), most
    yield "items picked for an answer", max((len(element.picked) for element in table.stack), default=0), FEW_MAX
    yield "private events of seats", sum(map(len, table.private_events_of.values())), PRIVATE_EVENTS_MAX
    yield "pieces in one place", max(map(len, table.at.values()), default=0), TOGETHER_MAX
    cards = [len(pile.cards) for pile in table.piles.values()]
    yield "cards in one pile", max(cards, default=0), TOGETHER_MAX
    yield "cards", sum(cards), THINGS_MAX
    yield "kinds of markers in one place", max(map(len, table.markers.values()), default=0), FEW_MAX


_WORDS = {
    "stack": "open decisions",
    "standing": "standing answers",
    "undisclosed_answers": "standing answers to disclose at the end",
    "private_events": "events that only some seats know of",
    "players": "taken seats",
    "reserved": "reserved seats",
    "arbiters": "arbiters",
    "private_notes": "seats with private notes",
    "at": "places that held pieces",
    "control": "places under control",
    "markers": "places with markers",
}
