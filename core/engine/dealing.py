"""Dealing hidden information again for a fork: what the forking seat knows, the proposed deal, and a game's part in it.

The kernel deals the hidden contents of piles and pieces at random within the limits that the game derives from what the seat knows. The
game completes the deal or refuses it. Then the kernel checks that the forking seat cannot notice the difference (`core.secrets.resample`).
"""

from collections.abc import Callable, Mapping, Sequence

from events.codec import Struct
from events.ids import AttributeKey, CardId, PieceId, PileId
from events.vocabulary import Event, HiddenDiceRolled, Value
from projections.state.attributes import shown
from projections.state.table import Table

Pick = Callable[[Sequence[str], str], str]
"""Chooses one of several candidates, at least one, at random for a purpose; each purpose gives one choice."""


class Identity(Struct, frozen=True, order=True):
    """The identity of a hidden piece: its kind, face and steps."""

    kind: str
    face: str = ""
    steps: int = 0


class Unknown(Struct, frozen=True):
    """The information hidden from the forking seat, and what the seat knows about it.

    `known` is the table as the seat knows it, and `history` what it saw, without what was taken back. `pieces` are hidden pieces
    whose identity it has never seen; `followed` are those that it has seen before they were concealed, with their kinds, and `turned`
    those of them that were turned unseen since. `piles` counts the hidden cards of each pile. `attributes` names the attributes that
    it does not know. `looks` lists the faces and steps of the hidden pieces of each kind, but not of which.
    """

    known: Table
    history: tuple[Event, ...]
    pieces: tuple[PieceId, ...]
    followed: dict[PieceId, str]
    turned: dict[PieceId, str]
    piles: dict[PileId, int]
    attributes: tuple[tuple[str, AttributeKey], ...]
    looks: dict[str, tuple[Identity, ...]]


class Deal(Struct, frozen=True):
    """A deal: the hidden cards of each pile, the identities of the hidden pieces, and attributes."""

    piles: dict[PileId, tuple[CardId, ...]]
    pieces: dict[PieceId, Identity]
    attributes: dict[str, dict[AttributeKey, Value]] = {}


class Limits:
    """Cards that each hidden pile and piece can hold, by the knowledge of the forking seat; by default any of its family."""

    def able(self, name: str, number: int) -> frozenset[CardId] | None:
        """Return the cards that a pile or a piece can hold, or what the piece can be; None for any.

        Args:
            name: The pile or the piece.
            number: The place among the hidden cards of the pile, from 0; 0 for a piece.
        """
        return None

    def narrowed(self, pick: Pick) -> "Limits | None":
        """Return stricter limits for one attempt, or None if this attempt fails.

        A game of which the rules limit what several pieces are together chooses here, by chance, what each of them can be.
        """
        return self


class Dealing:
    """A game's part in dealing hidden information again.

    The default rolls hidden dice again, and suits games with cards, and games whose hidden pieces exchange their whole identities: a piece gets the face and
    steps of a piece of its kind.

    Args:
        families: A common name for piles that exchange cards.
        secrets: The values that an attribute which only some seats know can have, and what is chosen with them. Each thing that has
            such an attribute gets a value of its own.
    """

    def __init__(
        self,
        families: Mapping[PileId, str] | None = None,
        secrets: Mapping[AttributeKey, tuple[Sequence[str], str]] | None = None,
    ) -> None:
        self._families = dict(families or {})
        self._secrets = dict(secrets or {})

    def family(self, name: str, known: Table) -> str:
        """Return the family of a pile or hidden piece: only members of one family exchange their contents.

        Args:
            name: A pile, or a piece whose identity the forking seat has never seen.
            known: The table as that seat knows it; the family must not depend on anything else.
        """
        piece = known.pieces.get(PieceId(name))
        return self._families.get(PileId(name), name) if piece is None else f"pieces of {piece.side}"

    def limits(self, unknown: Unknown) -> Limits:
        """Return which cards each pile and piece can hold by what the seat knows."""
        return Limits()

    def complete(self, unknown: Unknown, deal: Deal, pick: Pick) -> Deal | None:
        """Return the completed deal, or None if the rules do not allow it and another is to be tried.

        A game whose hidden pieces differ in face or steps sets these here; one whose secret attributes depend on each other sets their values. It may
        also change what the kernel dealt.

        Args:
            unknown: The information hidden from the forking seat.
            deal: The kernel's deal: the kinds of pieces, without faces, steps and attributes.
            pick: Makes random choices.
        """
        left = {kind: list(looks) for kind, looks in unknown.looks.items()}
        pieces: dict[PieceId, Identity] = {}
        for piece, dealt in sorted(deal.pieces.items()):
            looks = left.get(dealt.kind)
            if not looks:
                return None
            numbers = [str(number) for number in range(len(looks))]
            pieces[piece] = looks.pop(int(pick(numbers, f"the look of {piece}")))
        attributes = {on: dict(there) for on, there in deal.attributes.items()}
        rolled = {(roll.on, roll.key): roll for roll in unknown.history if isinstance(roll, HiddenDiceRolled)}
        for on, key in unknown.attributes:
            roll = rolled.get((on, key))
            if roll is not None:
                faces = [pick([*map(str, range(1, roll.sides + 1))], f"die {die} of {on}") for die in range(roll.count)]
                attributes.setdefault(on, {})[key] = shown(map(int, faces))
            elif key in self._secrets:
                values, what = self._secrets[key]
                attributes.setdefault(on, {})[key] = pick(values, f"{what} of {on}")
        return Deal(deal.piles, pieces, attributes)

    def problem(self, table: Table) -> str:
        """Return why a table after a new deal is not possible by the rules; empty if it is."""
        return ""
