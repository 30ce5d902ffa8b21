"""Dealing again what a seat that forks does not know: what it does know, what is proposed, and what a game has to say of it.

The kernel deals by chance what lies hidden in piles and pieces, the game completes that and may refuse it, and the kernel
checks that the seat which forks could not tell the difference (`core.resample`).
"""

from collections.abc import Callable, Mapping, Sequence

from events.codec import Struct
from events.ids import AttributeKey, CardId, PieceId, PileId
from events.vocabulary import Value
from projections.table import Table

Pick = Callable[[Sequence[str], str], str]
"""Lets chance choose one of several candidates, at least one, for a purpose; each purpose gives one choice."""


class Identity(Struct, frozen=True, order=True):
    """What a hidden piece is, which face it shows and how many steps it has left."""

    kind: str
    face: str = ""
    steps: int = 0


class Unknown(Struct, frozen=True):
    """What a seat that forks does not know, and what it does know of that.

    `known` is the table as it knows it. `pieces` are hidden ones of which it has never seen what they are, `turned` those that it has
    seen and that were turned unseen since, with their kinds. `piles` counts the hidden cards of each pile. `attributes` names
    what the rules remember and it does not know. `looks` lists what the hidden pieces of each kind show, but not which shows what.
    """

    known: Table
    pieces: tuple[PieceId, ...]
    turned: dict[PieceId, str]
    piles: dict[PileId, int]
    attributes: tuple[tuple[str, AttributeKey], ...]
    looks: dict[str, tuple[Identity, ...]]


class Deal(Struct, frozen=True):
    """What is dealt again: the hidden cards of each pile, what the hidden pieces are, and attributes."""

    piles: dict[PileId, tuple[CardId, ...]]
    pieces: dict[PieceId, Identity]
    attributes: dict[str, dict[AttributeKey, Value]] = {}


class Dealing:
    """How a game deals again what a seat that forks does not know.

    This one does for games with cards, and for games whose hidden pieces exchange all that they are among themselves: a piece shows
    what one of its kind showed before.

    Args:
        families: For piles that exchange cards with others, a name that they have in common.
    """

    def __init__(self, families: Mapping[PileId, str] | None = None) -> None:
        self._families = dict(families or {})

    def family(self, name: str, known: Table) -> str:
        """Name the piles and hidden pieces that exchange what they hold: those of one name, and only they, can hold each other's.

        Args:
            name: A pile, or a piece of which the seat that forks has never seen what it is.
            known: The table as that seat knows it: the name must not depend on anything else.
        """
        piece = known.pieces.get(PieceId(name))
        return self._families.get(PileId(name), name) if piece is None else f"pieces of {piece.side}"

    def complete(self, unknown: Unknown, deal: Deal, pick: Pick) -> Deal | None:
        """Return a deal with what the rules say of it, or None if it cannot be and another is to be tried.

        A game whose pieces show more than what they are sets faces and steps here, one with secret attributes their values. It may
        exchange what the kernel dealt as well.

        Args:
            unknown: What the seat that forks does not know.
            deal: As the kernel deals it: what the pieces are, but not which face they show and how many steps they have, and no
                attributes.
            pick: Chance, for whatever is to be chosen.
        """
        left = {kind: list(looks) for kind, looks in unknown.looks.items()}
        pieces: dict[PieceId, Identity] = {}
        for piece, dealt in sorted(deal.pieces.items()):
            looks = left.get(dealt.kind)
            if not looks:
                return None
            numbers = [str(number) for number in range(len(looks))]
            pieces[piece] = looks.pop(int(pick(numbers, f"the look of {piece}")))
        return Deal(deal.piles, pieces, deal.attributes)

    def problem(self, table: Table) -> str:
        """Return why a table on which was dealt again cannot have come about by the rules; empty if it can."""
        return ""
