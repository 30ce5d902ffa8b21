"""The common part of the rules of all games: it processes the stack of open decisions, and asks those of the game."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import ClassVar

from core.engine.command import Command
from core.engine.dealing import Dealing
from core.engine.decision import Continuing, Decision, Expanding, Judged, Listed, Sampled
from core.engine.draft import Draft
from core.engine.option_by_chance import Below, Candidates, legal_by_chance
from core.engine.selection import Selection, onward
from core.engine.steps import StepSequence
from events.codec import Decoder, Struct
from events.ids import PieceId
from projections.state.table import Open, Table


def _lister(decision: Decision) -> Callable[[Table, Open], list[Command]]:
    return decision.options if isinstance(decision, Listed) else partial(_not_refused, decision)


def _not_refused(decision: Judged, table: Table, asked: Open) -> list[Command]:
    """List the candidates of a question that it does not refuse."""
    return [command for command in decision.candidates(table, asked) if decision.refuse(table, asked, command) is None]


def _sampler(decision: Decision) -> Callable[[Table, Open], Candidates]:
    """Return what tells the candidates of a question without those that take a pick back: all its options where it cannot say more."""
    if isinstance(decision, Sampled):
        return decision.sampled
    if isinstance(decision, Listed):
        return lambda table, asked: [(onward(decision.options(table, asked)), None)]
    return partial(_judged_candidates, decision)


def _judged_candidates(decision: Judged, table: Table, asked: Open) -> Candidates:
    return [(decision.candidates(table, asked), lambda one: decision.refuse(table, asked, one) is None)]


def _check_known(top: Open, kinds: Mapping[str, object]) -> None:
    """Check that a question is of a kind that the game has.

    Raises:
        LookupError: It is not, by a mistake in the game's rules.
    """
    if top.kind not in kinds:
        raise LookupError(
            f"the rules ask a question {top.kind!r}; the questions of this game are {', '.join(sorted(kinds))}"
        )


class DecisionRules:
    """The common part of a game's rules: processes the stack; the rest is the game's.

    A game's `decoder` decodes all of its commands (`core.engine.game_commands.command_decoder`).

    Args:
        kinds: The game's decisions by kind.
        standing_decisions: The kinds of decision that allow standing answers.
        dealing: How a fork deals hidden information again.
        sequences: The game's sequences.
    """

    decoder: ClassVar[Decoder[Command]]

    def __init__(
        self,
        kinds: Mapping[str, Decision],
        standing_decisions: tuple[str, ...] = (),
        dealing: Dealing | None = None,
        sequences: Iterable[StepSequence] = (),
    ) -> None:
        self._dealing = Dealing() if dealing is None else dealing
        self.kinds = dict(kinds)
        # Looked up once: asking a decision for its kind takes longer than listing some options.
        self._options = {name: _lister(decision) for name, decision in kinds.items()}
        self._sampled = {name: _sampler(decision) for name, decision in kinds.items()}
        self.sequences = {sequence.kind: sequence for sequence in sequences}
        shared = sorted(self.sequences.keys() & self.kinds.keys())
        assert not shared, f"a sequence has the kind of a question: {', '.join(shared)}"
        self._continuing = {
            kind: decision.go_on for kind, decision in kinds.items() if isinstance(decision, Continuing)
        }
        self._standing_decisions = standing_decisions

    def decode(self, data: bytes) -> Command:
        """Decode a command; see `Rules.decode`."""
        return self.decoder.decode(data)

    @property
    def commands(self) -> Mapping[str, type[Struct]]:
        """The commands of this game by tag."""
        return self.decoder.kinds

    @property
    def standing_decisions(self) -> tuple[str, ...]:
        """The kinds of decision that allow standing answers."""
        return self._standing_decisions

    @property
    def dealing(self) -> Dealing:
        """How a fork deals hidden information again."""
        return self._dealing

    def knows(self, element: Open) -> bool:
        """Return whether an element of a stack is one of this game; see `Rules.knows`."""
        if element.seat:
            return element.kind in self.kinds
        sequence = self.sequences.get(element.kind)
        return sequence is not None and any(step.name == element.step for step in sequence.steps)

    def options(self, table: Table) -> list[Command]:
        """List the legal commands; see `Rules.options`."""
        top = table.top
        if top is None or not top.seat:
            return []
        _check_known(top, self.kinds)
        return self._options[top.kind](table, top)

    def any_option(self, table: Table, below: Below) -> Command | None:
        """Return one of the options by chance; see `Rules.any_option`."""
        top = table.top
        if top is None or not top.seat:
            return None
        _check_known(top, self.kinds)
        return legal_by_chance(self._sampled[top.kind](table, top), below)

    def expand(self, table: Table, command: Command) -> tuple[Command, ...]:
        """Return the smaller commands that a whole choice stands for; see `Expanding`."""
        top = table.top
        assert top is not None and top.seat
        kind = self.kinds[top.kind]
        return kind.expand(table, top, command) if isinstance(kind, Expanding) else (command,)

    def bounds(self, table: Table) -> tuple[int, int] | None:
        """Return how many items answer the topmost decision; see `Rules.bounds`."""
        top = table.top
        kind = None if top is None or not top.seat else self.kinds[top.kind]
        return kind.bounds(table, top) if isinstance(kind, Selection) and top is not None else None

    def may_repeat(self, table: Table) -> bool:
        """Return whether one item may be picked more than once; see `Rules.may_repeat`."""
        top = table.top
        kind = None if top is None or not top.seat else self.kinds[top.kind]
        return isinstance(kind, Selection) and kind.may_repeat

    def equal_class(self, table: Table, piece: PieceId) -> str:
        """Return the piece itself; a game with interchangeable pieces overrides this."""
        return piece

    def take(self, draft: Draft, command: Command) -> None:
        """Execute a legal command, and continue the sequences that are on top after it."""
        top = draft.table.top
        assert top is not None and top.seat
        self.kinds[top.kind].take(draft, top, command)
        self.settle(draft)

    def settle(self, draft: Draft) -> None:
        """Run sequences until a decision is on top of the stack or the match is over."""
        while True:
            stack = draft.table.stack
            height = len(stack) if draft.answer is None else len(stack) - 1
            if not height:
                draft.close()
                return
            top = stack[height - 1]
            if not top.seat:
                self.sequences[top.kind].go_on(draft, top)
            elif draft.answer is not None:
                draft.close()
            elif self._waits(draft, top):
                return

    def _waits(self, draft: Draft, top: Open) -> bool:
        """Return whether a question on top of the stack waits for a command, after the rules may have settled it."""
        go_on = self._continuing.get(top.kind)
        if go_on is not None:
            go_on(draft, top)
        if draft.table.top is not top or draft.answer is not None:
            return False
        # Here, so that a mistake is shown with the command that asked.
        _check_known(top, self.kinds)
        return True
