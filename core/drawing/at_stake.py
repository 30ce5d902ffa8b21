"""Stakes of a moment: the place of a combat, the target of an attack, the places and pieces that a card names."""

from collections.abc import Mapping, Sequence

from events.ids import PieceId, PlaceId
from projections.state.table import Table


def named_on(table: Table, arguments: Mapping[str, Sequence[str]]) -> frozenset[str]:
    """Return the places and pieces that the open questions and the sequences around them name, and where these pieces are.

    Args:
        table: The table.
        arguments: The arguments that name what it is about, by the kind of the question or sequence; other kinds name nothing.
    """
    values = [opened.arguments.get(one) for opened in table.stack for one in arguments.get(opened.kind, ())]
    named = [one for one in values if isinstance(one, str) and one]
    there = [table.ground(piece.place) for one in named if (piece := table.pieces.get(PieceId(one))) is not None]
    return frozenset([*named, *there])


def attacks_on(table: Table, kind: str, start: str, end: str) -> tuple[tuple[PlaceId, PlaceId], ...]:
    """Return from where to where the attacks of the sequences of a kind lead that have begun.

    Args:
        table: The table.
        kind: The kind of the sequences.
        start: The argument that names the places of those who attack.
        end: The argument that names the place that is attacked.
    """
    begun = [opened for opened in table.stack if opened.kind == kind]
    return tuple([(PlaceId(place), PlaceId(one.text(end))) for one in begun for place in one.texts(start)])
