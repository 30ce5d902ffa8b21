"""Cards 3 and 10: the Movement phases of both sides. Aircraft are `missions`, whose answers to the question are handed in."""

from collections.abc import Callable, Iterable, Iterator

from core.command import Command
from core.decision import Decision
from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import ALLIES, AXIS, SIDES, enemy
from core.games.axis_allies.memory import CREATED, MOVE
from core.games.axis_allies.options import EVICT_TO_FRIENDLY_ONLY
from core.games.axis_allies.rules.commands import Blitz, Evict, ExitPair, Move, MoveStack
from core.games.axis_allies.rules.control import lose
from core.games.axis_allies.rules.force_multiplier import STATIC, arrivals, leaves_city, multiply
from core.games.axis_allies.rules.land_movement import Land
from core.games.axis_allies.rules.moves import (
    Moves,
    enter,
    must_offload,
    named,
    refuse_border,
    refuse_land_unit,
    single_moves,
)
from core.games.axis_allies.rules.pairs import EXIT_LOSS, Blitzes, ExitPairs
from core.games.axis_allies.rules.queries import first_like, is_friendly, like
from core.games.axis_allies.rules.queries import land as land_units
from core.games.axis_allies.rules.refusals import misplaced, refused
from core.games.axis_allies.rules.supply import AFTER_MOVE, Supply
from core.question import Answer, Question
from core.refusal import Refusal
from core.selection import Done, Selection
from core.sequence import Step, StepSequence
from events.ids import PieceId, PlaceId, RuleId, Side
from projections.table import Open, Table

EVICTED = RuleId("stacking.opponent-moves-excess")
DESTROYED = RuleId("stacking.owner-destroys-rest")

EVICT = "evict"
DESTROY = "destroy"


class Stacking:
    """The check of a side's stacking limits. Source: RuleId("stacking.check-time")."""

    def __init__(self, board: Board, supply: Supply) -> None:
        self.board = board
        self.supply = supply
        self.eviction = Question((Answer(Evict, self._evictions, self._refuse, self._evict),), misplaced)
        self.destruction = Selection(
            lambda _: DESTROYED,
            lambda table, asked: self._classes(table, PlaceId(asked.text("zone")), table.side_of(asked.seat)),
            lambda *_: (1, 1),
            lambda draft, asked, picks: self._destroy(draft, PlaceId(asked.text("zone")), picks[0][0]),
            refuse_other=misplaced,
        )

    def overstacked(self, table: Table, side: Side) -> list[PlaceId]:
        """Return the zones with too many land units of a side.

        Source: RuleId("stacking.limit"), RuleId("stacking.air-unlimited-in-flight"), RuleId("unit.class.land").
        """
        most = self.board.limits.land_units
        return [zone for zone in self.board.zones if len(land_units(table, self.board, zone, side)) > most]

    def _classes(self, table: Table, zone: PlaceId, side: Side) -> list[str]:
        return list(dict.fromkeys([like(table, piece) for piece in land_units(table, self.board, zone, side)]))

    # The enemy moves

    def legal(self, table: Table, side: Side) -> Iterator[Evict]:
        """Yield how excess units of a side can be moved."""
        land = Land(table, self.board, side)
        for origin in self.overstacked(table, side):
            for unit in self._classes(table, origin, side):
                for to in self.board.zones[origin].near:
                    evict = Evict(unit, origin, to)
                    if self._refuse_eviction(land, evict) is None:
                        yield evict

    def _evictions(self, table: Table, asked: Open) -> list[Evict]:
        return list(self.legal(table, enemy(table.side_of(asked.seat))))

    def _refuse(self, table: Table, asked: Open, evict: Evict) -> Refusal | None:
        return self._refuse_eviction(Land(table, self.board, enemy(table.side_of(asked.seat))), evict)

    def _refuse_eviction(self, land: Land, evict: Evict) -> Refusal | None:
        """Return why a unit cannot be moved out of a zone, or None if it can; movement points already spent do not matter.

        Source: RuleId("stacking.opponent-moves-excess"), RuleId("stacking.no-full-target"), ruling.stacking-eviction.
        """
        table, board, origin, to = land.table, self.board, evict.origin, evict.to
        piece = named(table, land.side, origin, evict.unit)
        refusal = refuse_land_unit(table, board, piece)
        if refusal is not None or piece is None:
            return refusal
        if origin not in self.overstacked(table, land.side):
            return refused("unit_must_be_eligible", rule=RuleId("stacking.limit"))
        is_hostile = to in board.zones and not is_friendly(table, to, land.side)
        if is_hostile and EVICT_TO_FRIENDLY_ONLY.is_on(table):
            return refused("zone_must_be_friendly", rule=EVICTED)
        refusal = refuse_border(board, land.side, origin, to)
        if refusal is None and to not in land.near(origin):
            refusal = refused("zones_must_be_adjacent", rule=EVICTED)
        return refusal or self._refuse_step(land, piece, origin, to)

    def _refuse_step(self, land: Land, piece: PieceId, origin: PlaceId, to: PlaceId) -> Refusal | None:
        table, board = land.table, self.board
        unit = board.units[table.pieces[piece].kind]
        if origin in land.contested:
            return refused("unit_must_not_be_locked_in_combat")
        refusal = land.refuse_retreat(origin, to)
        if refusal is None and MOVE.of(table, piece) == CREATED:
            refusal = refused("movement_must_suffice", rule=STATIC)
        refusal = refusal or land.refuse_launcher(unit, origin, to)
        if refusal is not None:
            return refusal
        if unit.has_force_multiplier and leaves_city(board, origin, to):
            return refused("exit_must_be_paired")
        after = len(land_units(table, board, to, land.side)) + arrivals(table, board, unit, origin, to)
        if after > board.limits.land_units:
            return refused("stacking_limit_must_hold", rule=RuleId("stacking.no-full-target"))
        return land.refuse_assault(to)

    def evict_next(self, draft: Draft, side: Side) -> None:
        """Ask the enemy which excess unit moves where, unless there is one choice only."""
        evictions = list(self.legal(draft.table, side))
        if len(evictions) == 1:
            self._move(draft, side, evictions[0])
        else:
            draft.ask(EVICT, draft.table.seat_of(enemy(side)), EVICTED)

    def _evict(self, draft: Draft, asked: Open, evict: Evict) -> None:
        draft.answered(EVICTED)
        self._move(draft, enemy(draft.table.side_of(asked.seat)), evict)

    def _move(self, draft: Draft, side: Side, evict: Evict) -> None:
        table, board = draft.table, self.board
        piece = named(table, side, evict.origin, evict.unit)
        assert piece is not None
        is_over_river = Land(table, board, side).is_wet(evict.origin, evict.to)
        enter(draft, piece, evict.to, EVICTED, is_over_river=is_over_river)
        multiply(draft, board, piece, evict.origin, evict.to)
        self.supply.show(draft)

    # The owner destroys

    def destroy_next(self, draft: Draft, side: Side) -> None:
        """Ask the owner which excess unit is destroyed, unless all are alike. Source: RuleId("stacking.owner-destroys-rest")."""
        zone = self.overstacked(draft.table, side)[0]
        kinds = self._classes(draft.table, zone, side)
        if len(kinds) == 1:
            self._destroy(draft, zone, kinds[0])
        else:
            draft.ask(DESTROY, draft.table.seat_of(side), DESTROYED, {"zone": zone})

    def _destroy(self, draft: Draft, zone: PlaceId, unit: str) -> None:
        piece = first_like(draft.table, zone, unit)
        assert piece is not None
        lose(draft, [piece], DESTROYED)


MOVES = {AXIS: RuleId("order.3.move"), ALLIES: RuleId("order.10.move")}

MOVE_UNITS = "move"

Judge = Callable[[Table, Open], Refusal | None]


class Orders(Question):
    """The question what to move, open until the side is done or nothing can move any more."""

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
    """The Movement phases. Source: RuleId("order.3.move"), RuleId("order.10.move")."""

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
