"""Decisions and the rules that pose them.

A game is a stack of open decisions. Each kind of decision is one class: which options there are, why a wish is refused,
what happens when one is taken. Legal commands are the options of the topmost decision; nothing else is legal. A
procedure is a part of the rules that waits below a decision and goes on once it lies on top again.
"""

from collections.abc import Callable, Mapping
from typing import Protocol

from core.command import Command
from core.draft import Draft
from core.refusal import Refusal
from events.ids import PileId, Seat
from projections.table import Open, Table

Procedure = Callable[[Draft, Open], None]
"""Goes on with what was laid aside. It lies on top of the stack and takes itself up (`Draft.take_up`)."""


class Decision(Protocol):
    """One kind of question. Implementations are bound to their game's board."""

    def options(self, table: Table, asked: Open) -> list[Command]:
        """List every legal command, at least one, in a stable order."""

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Say why a command is not legal, by the documented precedence; nothing if it is.

        Accepts exactly the options.
        """

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Carry out a legal command. It closes the question itself when the question is answered."""


class Rules(Protocol):
    """A game's rules, bound to one board."""

    def set_up(self, draft: Draft) -> None:
        """Set the table up and go on to the first decision. The match's options lie on the table."""

    def decode(self, data: bytes) -> Command:
        """Decode a command of this game.

        Raises:
            DecodeError: The bytes are no such command.
        """

    def options(self, table: Table) -> list[Command]:
        """List the legal commands of the topmost decision; empty when the match is over."""

    def refuse(self, table: Table, seat: Seat, command: Command) -> Refusal | None:
        """Say why a command of this seat is not legal; nothing if it is."""

    def take(self, draft: Draft, command: Command) -> None:
        """Carry out a legal command, and whatever the rules do by themselves after it."""

    def settle(self, draft: Draft) -> None:
        """Go on with procedures until a decision lies on top or the match is over."""

    @property
    def standing_decisions(self) -> tuple[str, ...]:
        """The kinds of decision that a seat may answer beforehand."""

    def family(self, pile: PileId) -> str:
        """Name the piles that exchange cards with this one: piles of one name, and only they, can hold each other's."""


class DecisionRules:
    """The common part of a game's rules: the stack is worked off, the rest is the game's.

    Args:
        kinds: The game's decisions by kind.
        procedures: The game's procedures by kind.
        standing_decisions: The kinds of decision that may be answered beforehand.
        families: For piles that exchange cards with others, a name that they have in common.
    """

    def __init__(
        self,
        kinds: Mapping[str, Decision],
        procedures: Mapping[str, Procedure],
        standing_decisions: tuple[str, ...] = (),
        families: Mapping[PileId, str] | None = None,
    ) -> None:
        """Keep the decisions and procedures."""
        self._families = dict(families or {})
        self.kinds = dict(kinds)
        self.procedures = dict(procedures)
        self._standing_decisions = standing_decisions

    @property
    def standing_decisions(self) -> tuple[str, ...]:
        """The kinds of decision that may be answered beforehand."""
        return self._standing_decisions

    def family(self, pile: PileId) -> str:
        """Return the declared family of a pile, or one of its own; see `Rules.family`."""
        return self._families.get(pile, pile)

    def options(self, table: Table) -> list[Command]:
        """List the legal commands; see `Rules.options`."""
        top = table.top
        return [] if top is None or not top.seat else self.kinds[top.kind].options(table, top)

    def take(self, draft: Draft, command: Command) -> None:
        """Carry out a legal command and all procedures that come on top after it."""
        top = draft.table.top
        assert top is not None and top.seat
        self.kinds[top.kind].take(draft, top, command)
        self.settle(draft)

    def settle(self, draft: Draft) -> None:
        """Go on with procedures until a decision lies on top or the match is over."""
        top = draft.table.top
        while top is not None and not top.seat:
            self.procedures[top.kind](draft, top)
            top = draft.table.top
