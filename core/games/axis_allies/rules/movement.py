"""Cards 3 and 10: the Movement phases of both sides. Aircraft are `missions`, whose answers to the question are handed in."""

from collections.abc import Callable, Iterable

from core.command import Command
from core.decision import Decision
from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import ALLIES, AXIS, SIDES
from core.games.axis_allies.rules.blitz import Blitzes
from core.games.axis_allies.rules.commands import Blitz, ExitPair, Move, MoveStack
from core.games.axis_allies.rules.exit_pairs import EXIT_LOSS, ExitPairs
from core.games.axis_allies.rules.moves import Moves, single_moves
from core.games.axis_allies.rules.refusals import misplaced, refused
from core.games.axis_allies.rules.stacking import DESTROY, DESTROYED, EVICT, EVICTED, Stacking
from core.games.axis_allies.rules.supply import AFTER_MOVE, Supply
from core.games.axis_allies.rules.volga import must_offload
from core.question import Answer, Question
from core.refusal import Refusal
from core.selection import Done
from core.sequence import Step, StepSequence
from events.ids import RuleId, Side
from projections.table import Open, Table

MOVES = {AXIS: RuleId("order.3.move"), ALLIES: RuleId("order.10.move")}

MOVE_UNITS = "move"

Judge = Callable[[Table, Open], Refusal | None]


class Orders(Question):
    """The question what to move, open until the side is done or nothing can move any more.

    Args:
        board: The board.
        supply: Shows who is supplied once all have moved.
        pairs: The pairs that leave the city, with the single moves.
        answers: The orders to aircraft.
        refuse_done: Returns why a side cannot be done because of its aircraft.
    """

    def __init__(
        self,
        board: Board,
        supply: Supply,
        pairs: ExitPairs,
        answers: Iterable[Answer] = (),
        refuse_done: Judge | None = None,
    ) -> None:
        blitzes, moves = Blitzes(board, supply, pairs), pairs.moves
        self.board = board
        self.supply = supply
        self.orders = (
            Answer(Move, moves.legal, moves.refuse, moves.take, are_legal=True),
            Answer(Blitz, blitzes.legal, blitzes.refuse, blitzes.take, are_legal=True),
            Answer(ExitPair, pairs.legal, pairs.refuse, pairs.take, are_legal=True),
            *answers,
        )
        stacks = Answer(MoveStack, lambda *_: (), moves.refuse_stack, moves.take_stack)
        done = Answer(Done, lambda *_: (Done(),), self._refuse_done, self._end)
        super().__init__((*self.orders, stacks, done), misplaced)
        self._judge_done = refuse_done

    def _refuse_done(self, table: Table, asked: Open, command: Done) -> Refusal | None:
        """Return why a side cannot be done. Source: RuleId("movement.volga.must-offload")."""
        if must_offload(table, self.board) is not None and table.side_of(asked.seat) == ALLIES:
            return refused("crossing_must_be_offloaded")
        return None if self._judge_done is None else self._judge_done(table, asked)

    def go_on(self, draft: Draft, asked: Open) -> None:
        """End the question if nothing can move any more."""
        if not any(True for order in self.orders for _ in order.options(draft.table, asked)):
            self._end(draft, asked, Done())

    def expand(self, table: Table, asked: Open, command: Command) -> tuple[Command, ...]:
        """Return the single moves of a stack; see `core.decision.Expanding`."""
        return single_moves(command) if isinstance(command, MoveStack) else (command,)

    def _end(self, draft: Draft, asked: Open, command: Done) -> None:
        draft.answered(MOVES[draft.table.side_of(asked.seat)])
        self.supply.show(draft, AFTER_MOVE)


class Movement:
    """The Movement phases. Source: RuleId("order.3.move"), RuleId("order.10.move").

    Args:
        board: The board.
        supply: The supply on it.
        answers: The orders to aircraft.
        refuse_done: Returns why a side cannot be done because of its aircraft.
        after: The steps of the phase after the check of stacking limits.
    """

    def __init__(
        self,
        board: Board,
        supply: Supply,
        answers: Iterable[Answer] = (),
        refuse_done: Judge | None = None,
        after: Iterable[Step] = (),
    ) -> None:
        self.pairs = ExitPairs(board, Moves(board))
        self.orders = Orders(board, supply, self.pairs, answers, refuse_done)
        self.stacking = Stacking(board, supply)
        self.after = tuple(after)
        self.by_side = {side: self._sequence(side) for side in SIDES}

    @property
    def sequences(self) -> tuple[StepSequence, ...]:
        """The sequences of the chapter."""
        return tuple(self.by_side.values())

    @property
    def decisions(self) -> dict[str, Decision]:
        """The questions of the chapter."""
        return {
            MOVE_UNITS: self.orders,
            EXIT_LOSS: self.pairs.loss,
            EVICT: self.stacking.eviction,
            DESTROY: self.stacking.destruction,
        }

    def begin(self, draft: Draft, side: Side) -> None:
        """Begin the phase of a side."""
        self.by_side[side].begin(draft)

    def _sequence(self, side: Side) -> StepSequence:
        """Return the steps of a side's phase. Source: RuleId("stacking.check-time")."""
        stacking = self.stacking
        steps = [
            Step("move", MOVES[side], lambda draft, _: draft.ask(MOVE_UNITS, draft.table.seat_of(side), MOVES[side])),
            Step(
                "evict",
                EVICTED,
                lambda draft, _: stacking.evict_next(draft, side),
                when=lambda table, _: next(stacking.legal(table, side), None) is not None,
                repeats=True,
            ),
            Step(
                "destroy",
                DESTROYED,
                lambda draft, _: stacking.destroy_next(draft, side),
                when=lambda table, _: bool(stacking.overstacked(table, side)),
                repeats=True,
            ),
            *self.after,
        ]
        return StepSequence(f"{side}_movement", MOVES[side], steps)
