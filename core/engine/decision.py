"""Decisions and the rules that pose them, as ports; `core.engine.decision_rules` is the common part of the rules of all games.

A game is a stack of open decisions. Each kind of decision is one class: its options, why a command is refused, what happens when
one is played. Legal commands are the options of the topmost decision; nothing else is legal. Between questions the rules continue
by themselves, with the steps of sequences (`core.engine.steps`).
"""

from collections.abc import Iterable, Mapping
from typing import Protocol, runtime_checkable

from core.engine.command import Command
from core.engine.dealing import Dealing
from core.engine.draft import Draft
from core.engine.option_by_chance import Below, Candidates
from core.refusal import Refusal
from events.codec import Struct
from events.ids import PieceId, Seat
from projections.state.table import Open, Table


class Answered(Protocol):
    """The base of all questions. Implementations are bound to their game's board."""

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Return why a command is not legal, by the documented precedence, or None if it is.

        Accepts exactly the options and the whole choices that they can make (`Expanding`).
        """

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Execute a legal command, and mark the question as answered if it answers it (`Draft.answered`).

        A question that is not answered stays open for the next command, below the elements that the command pushed.
        """


@runtime_checkable
class Continuing(Protocol):
    """A decision that the rules may settle when it is on top of the stack after a command."""

    def go_on(self, draft: Draft, asked: Open) -> None:
        """Answer the question (`Draft.answered`) if nothing is left to decide; else do nothing."""


@runtime_checkable
class Listed(Answered, Protocol):
    """A question that lists its options itself."""

    def options(self, table: Table, asked: Open) -> list[Command]:
        """List every legal command, at least one, in a stable order; whole choices need not be listed."""


@runtime_checkable
class Judged(Answered, Protocol):
    """A question whose options are those of its candidates that are not refused."""

    def candidates(self, table: Table, asked: Open) -> Iterable[Command]:
        """Return in a stable order all commands that might be legal."""


@runtime_checkable
class Sampled(Protocol):
    """A question that tells its candidates without judging them."""

    def sampled(self, table: Table, asked: Open) -> Candidates:
        """Return the candidates of its options, without those that take a pick back."""


@runtime_checkable
class Expanding(Protocol):
    """A question that accepts whole choices as well as the small commands that make them."""

    def expand(self, table: Table, asked: Open, command: Command) -> tuple[Command, ...]:
        """Return smaller commands that lead, one after the other, to the same table as a legal command that is not listed.

        They may answer further questions, and be whole choices themselves. A listed command is returned alone.
        """


Decision = Listed | Judged
"""One kind of question; one that takes several items is a `core.engine.selection.Selection`."""


class Rules(Protocol):
    """A game's rules, bound to one board."""

    def set_up(self, draft: Draft) -> None:
        """Set the table up and continue to the first decision. The match's options are on the table."""

    def decode(self, data: bytes) -> Command:
        """Decode a command of this game.

        Raises:
            DecodeError: The bytes are not a command of this game.
        """

    @property
    def commands(self) -> Mapping[str, type[Struct]]:
        """The commands of this game by tag."""

    def options(self, table: Table) -> list[Command]:
        """List the legal commands of the topmost decision; empty when the match is over."""

    def any_option(self, table: Table, below: Below) -> Command | None:
        """Return one of the options that take no pick back, each equally likely, or None when the match is over.

        It takes less time than to list them.
        """

    def refuse(self, table: Table, seat: Seat, command: Command) -> Refusal | None:
        """Return why a command of this seat is not legal, or None if it is."""

    def expand(self, table: Table, command: Command) -> tuple[Command, ...]:
        """Return the smaller commands that a whole choice stands for; see `Expanding`."""

    def bounds(self, table: Table) -> tuple[int, int] | None:
        """Return how many items answer the topmost decision; None if there is no decision, or one command answers it."""

    def may_repeat(self, table: Table) -> bool:
        """Return whether items answer the topmost decision of which one may be picked more than once."""

    def equal_class(self, table: Table, piece: PieceId) -> str:
        """Return a key shared by interchangeable pieces; the piece's id if there are none."""

    def take(self, draft: Draft, command: Command) -> None:
        """Execute a legal command, and the automatic steps of the rules after it."""

    def settle(self, draft: Draft) -> None:
        """Continue sequences until a decision is on top of the stack or the match is over."""

    def knows(self, element: Open) -> bool:
        """Return whether an element of a stack is a question of this game, or a sequence at one of its steps."""

    @property
    def standing_decisions(self) -> tuple[str, ...]:
        """The kinds of decision that allow standing answers."""

    @property
    def dealing(self) -> Dealing:
        """How a fork deals hidden information again."""
