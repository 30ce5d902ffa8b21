"""Decisions and the rules that pose them.

A game is a stack of open decisions. Each kind of decision is one class: which options there are, why a wish is refused,
what happens when one is taken. Legal commands are the options of the topmost decision; nothing else is legal. Between
questions the rules go on by themselves: with the steps of sequences (`core.sequence`).
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Protocol, runtime_checkable

from core.command import Command
from core.dealing import Dealing
from core.draft import Draft
from core.refusal import Refusal
from core.selection import Selection
from core.sequence import StepSequence
from events.ids import PieceId, Seat
from projections.table import Open, Table

Procedure = Callable[[Draft, Open], None]
"""Goes on with what was laid aside. It lies on top of the stack and takes itself up (`Draft.take_up`)."""


class Answered(Protocol):
    """What all questions share. Implementations are bound to their game's board."""

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Return why a command is not legal, by the documented precedence, or None if it is.

        Accepts exactly the options and the whole choices that they can make (`Expanding`).
        """

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Carry out a legal command, and say when the question is answered by it (`Draft.answered`).

        A question that is not answered stays open for the next command, below whatever the command has laid on it.
        """


@runtime_checkable
class Continuing(Protocol):
    """A decision whose question may be settled by the rules when it lies on top after a command."""

    def go_on(self, draft: Draft, asked: Open) -> None:
        """Answer the question (`Draft.answered`) where it leaves nothing to decide any more; else do nothing."""


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
class Expanding(Protocol):
    """A question that accepts whole choices as well as the small commands that make them."""

    def expand(self, table: Table, asked: Open, command: Command) -> tuple[Command, ...]:
        """Return smaller commands that lead, one after the other, to the same table as a legal command that is not listed.

        They may answer further questions in turn, and stand for others themselves. A listed command stands for itself.
        """


Decision = Listed | Judged
"""One kind of question; one that several items answer is a `core.selection.Selection`."""


def _lister(decision: Decision) -> Callable[[Table, Open], list[Command]]:
    return decision.options if isinstance(decision, Listed) else partial(_not_refused, decision)


def _not_refused(decision: Judged, table: Table, asked: Open) -> list[Command]:
    """List the candidates of a question that it does not refuse."""
    return [command for command in decision.candidates(table, asked) if decision.refuse(table, asked, command) is None]


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
        """Return why a command of this seat is not legal; nothing if it is."""

    def expand(self, table: Table, command: Command) -> tuple[Command, ...]:
        """Return the smaller commands that a whole choice stands for; see `Expanding`."""

    def bounds(self, table: Table) -> tuple[int, int] | None:
        """Return how many items the topmost decision is answered by; None if there is none, or one command answers it."""

    def equal_class(self, table: Table, piece: PieceId) -> str:
        """Return what a piece has in common with those that are interchangeable with it; its id if there are none."""

    def take(self, draft: Draft, command: Command) -> None:
        """Carry out a legal command, and whatever the rules do by themselves after it."""

    def settle(self, draft: Draft) -> None:
        """Go on with procedures until a decision lies on top or the match is over."""

    @property
    def standing_decisions(self) -> tuple[str, ...]:
        """The kinds of decision that a seat may answer beforehand."""

    @property
    def dealing(self) -> Dealing:
        """How a fork deals again what the seat that forks does not know."""


class DecisionRules:
    """The common part of a game's rules: the stack is worked off, the rest is the game's.

    Args:
        kinds: The game's decisions by kind.
        procedures: The game's procedures by kind, if it has any.
        standing_decisions: The kinds of decision that may be answered beforehand.
        dealing: How a fork deals again what is hidden.
        sequences: The game's sequences.
    """

    def __init__(
        self,
        kinds: Mapping[str, Decision],
        procedures: Mapping[str, Procedure] | None = None,
        standing_decisions: tuple[str, ...] = (),
        dealing: Dealing | None = None,
        sequences: Iterable[StepSequence] = (),
    ) -> None:
        self._dealing = Dealing() if dealing is None else dealing
        self.kinds = dict(kinds)
        # Looked up once: to ask a decision which kind it is takes longer than some lists.
        self._options = {name: _lister(decision) for name, decision in kinds.items()}
        self.procedures = dict(procedures or {})
        self.sequences = {sequence.kind: sequence for sequence in sequences}
        shared = sorted(self.sequences.keys() & (self.kinds.keys() | self.procedures.keys()))
        assert not shared, f"a sequence has the kind of a question or a procedure: {', '.join(shared)}"
        self._continuing = {
            kind: decision.go_on for kind, decision in kinds.items() if isinstance(decision, Continuing)
        }
        self._standing_decisions = standing_decisions

    @property
    def standing_decisions(self) -> tuple[str, ...]:
        """The kinds of decision that may be answered beforehand."""
        return self._standing_decisions

    @property
    def dealing(self) -> Dealing:
        """How a fork deals again what the seat that forks does not know."""
        return self._dealing

    def options(self, table: Table) -> list[Command]:
        """List the legal commands; see `Rules.options`."""
        top = table.top
        return [] if top is None or not top.seat else self._options[top.kind](table, top)

    def expand(self, table: Table, command: Command) -> tuple[Command, ...]:
        """Return the smaller commands that a whole choice stands for; see `Expanding`."""
        top = table.top
        assert top is not None and top.seat
        kind = self.kinds[top.kind]
        return kind.expand(table, top, command) if isinstance(kind, Expanding) else (command,)

    def bounds(self, table: Table) -> tuple[int, int] | None:
        """Return how many items the topmost decision is answered by; see `Rules.bounds`."""
        top = table.top
        kind = None if top is None or not top.seat else self.kinds[top.kind]
        return kind.bounds(table, top) if isinstance(kind, Selection) and top is not None else None

    def equal_class(self, table: Table, piece: PieceId) -> str:
        """Return the piece itself; a game with interchangeable pieces says more."""
        return piece

    def take(self, draft: Draft, command: Command) -> None:
        """Carry out a legal command and all procedures that come on top after it."""
        top = draft.table.top
        assert top is not None and top.seat
        self.kinds[top.kind].take(draft, top, command)
        self.settle(draft)

    def settle(self, draft: Draft) -> None:
        """Go on with sequences until a decision lies on top or the match is over."""
        while True:
            stack = draft.table.stack
            height = len(stack) if draft.answer is None else len(stack) - 1
            if not height:
                draft.close()
                return
            top = stack[height - 1]
            if not top.seat and top.step:
                self.sequences[top.kind].go_on(draft, top)
            elif not top.seat:
                draft.close()
                self.procedures[top.kind](draft, top)
            elif draft.answer is not None:
                draft.close()
            else:
                go_on = self._continuing.get(top.kind)
                if go_on is not None:
                    go_on(draft, top)
                if draft.table.top is top and draft.answer is None:
                    return
