"""Cards 3 and 10: the Movement phases of both sides. Aircraft are `missions`."""

from collections.abc import Iterable, Iterator
from functools import partial

from typing_extensions import override

from core.engine.command import Command
from core.engine.decision import Decision
from core.engine.draft import Draft
from core.engine.option_by_chance import Candidates
from core.engine.question import Answer, unlisted
from core.engine.repeated_questions import Series, ask_among
from core.engine.selection import Done, one_of
from core.engine.steps import Step, StepSequence
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import ALLIES, AXIS, SIDES, enemy
from core.games.axis_allies.memory import CREATED, MOVE
from core.games.axis_allies.options import EVICT_TO_FRIENDLY_ONLY
from core.games.axis_allies.rules import missions, moves
from core.games.axis_allies.rules.commands import Evict, Move, MoveStack
from core.games.axis_allies.rules.control import lose
from core.games.axis_allies.rules.deployment import STATIC, arrivals, leaves_city, multiply
from core.games.axis_allies.rules.land_movement import Land
from core.games.axis_allies.rules.pairs import EXIT_LOSS, PairMoves
from core.games.axis_allies.rules.queries import Latest, all_like, first_like, is_friendly, like
from core.games.axis_allies.rules.queries import land as land_units
from core.games.axis_allies.rules.refusals import absent, asks, misplaced, refused
from core.games.axis_allies.rules.supply import AFTER_MOVE, show_supply
from core.refusal import Refusal
from events.ids import PieceId, PlaceId, RuleId, Side
from projections.state.table import Open, Table

MOVES = {AXIS: RuleId("order.3.move"), ALLIES: RuleId("order.10.move")}
EVICTED = RuleId("stacking.opponent-moves-excess")
DESTROYED = RuleId("stacking.owner-destroys-rest")

MOVE_UNITS = "move"
EVICT = "evict"
DESTROY = "destroy"


class Stacking:
    """The check of a side's stacking limits. Source: stacking.check-time."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.eviction = asks(Answer(Evict, self._evictions, self._refuse, self._move, ends=EVICTED))
        self.destruction = one_of(DESTROYED, self._to_destroy, self._destroy, refuse_other=misplaced)

    def overstacked(self, table: Table, side: Side) -> list[PlaceId]:
        """Return the zones with too many land units of a side.

        Source: stacking.limit, stacking.air-unlimited-in-flight, unit.class.land.
        """
        most = self.board.file.limits.land_units
        return [zone for zone in self.board.zones if len(land_units(table, self.board, zone, side)) > most]

    def _classes(self, table: Table, zone: PlaceId, side: Side) -> list[str]:
        return list(dict.fromkeys([like(table, piece) for piece in land_units(table, self.board, zone, side)]))

    def steps(self, side: Side) -> tuple[Step, Step]:
        """Return the steps for the units of a side: the enemy moves them out, and the owner destroys the rest."""

        def excess(table: Table) -> tuple[Open, list[Evict]]:
            asked = Open(EVICT, table.seat_of(enemy(side)))
            return asked, list(self._evictions(table, asked))

        def evict(draft: Draft, at: Open) -> None:
            asked, evictions = excess(draft.table)
            ask_among(draft, asked, EVICTED, evictions, self._move)

        def is_over(table: Table, at: Open) -> bool:
            return bool(self.overstacked(table, side))

        return (
            Step("evict", EVICTED, evict, when=lambda table, _: bool(excess(table)[1]), repeats=True),
            Step("destroy", DESTROYED, lambda draft, _: self._destroy_next(draft, side), is_over, repeats=True),
        )

    # The enemy moves

    def _land(self, table: Table, asked: Open) -> Land:
        return Land(table, self.board, enemy(table.side_of(asked.seat)))

    def _evictions(self, table: Table, asked: Open) -> Iterator[Evict]:
        """Yield how excess units can be moved."""
        land = self._land(table, asked)
        for origin in self.overstacked(table, land.side):
            for unit in self._classes(table, origin, land.side):
                evictions = [Evict(unit, origin, to) for to in self.board.zones[origin].near]
                yield from [one for one in evictions if self._refuse(table, asked, one) is None]

    def _refuse(self, table: Table, asked: Open, evict: Evict) -> Refusal | None:
        """Return why a unit cannot be moved out of a zone, or None if it can; movement points already spent do not matter.

        Source: stacking.opponent-moves-excess, stacking.no-full-target, ruling.stacking-eviction.
        """
        land, board, origin, to = self._land(table, asked), self.board, evict.origin, evict.to
        piece = first_like(table, land.side, origin, evict.unit)
        if piece is None:
            return absent(table, land.side, origin, evict.unit)
        refusal = moves.refuse_land_unit(table, board, piece)
        if refusal is not None:
            return refusal
        if origin not in self.overstacked(table, land.side):
            return refused("unit_must_be_eligible", rule=RuleId("stacking.limit"))
        is_hostile = to in board.zones and not is_friendly(table, to, land.side)
        if is_hostile and EVICT_TO_FRIENDLY_ONLY.is_on(table):
            return refused("zone_must_be_friendly", rule=EVICTED)
        refusal = moves.refuse_border(board, land.side, origin, to)
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
        if after > board.file.limits.land_units:
            return refused("stacking_limit_must_hold", rule=RuleId("stacking.no-full-target"))
        return land.refuse_assault(to)

    def _move(self, draft: Draft, asked: Open, evict: Evict) -> None:
        board, land = self.board, self._land(draft.table, asked)
        for piece in all_like(draft.table, land.side, ((evict.origin, evict.unit),)):
            moves.enter(draft, piece, evict.to, EVICTED, is_over_river=land.is_wet(evict.origin, evict.to))
            multiply(draft, board, piece, evict.origin, evict.to)
        show_supply(draft, self.board)

    # The owner destroys

    def _to_destroy(self, table: Table, asked: Open) -> list[str]:
        return self._classes(table, PlaceId(asked.text("zone")), table.side_of(asked.seat))

    def _destroy_next(self, draft: Draft, side: Side) -> None:
        """Ask the owner which excess unit is destroyed, unless all are alike. Source: stacking.owner-destroys-rest."""
        asked = Open(DESTROY, draft.table.seat_of(side), {"zone": self.overstacked(draft.table, side)[0]})
        ask_among(draft, asked, DESTROYED, self._to_destroy(draft.table, asked), self._destroy)

    def _destroy(self, draft: Draft, asked: Open, unit: str, to: str = "") -> None:
        place = PlaceId(asked.text("zone"))
        lose(draft, all_like(draft.table, draft.table.side_of(asked.seat), ((place, unit),)), DESTROYED)


class Orders(Series):
    """The question what to move, open until the side is done or nothing can move any more."""

    def __init__(self, board: Board, pairs: PairMoves) -> None:
        single = pairs.moves
        self.board = board
        self.pairs = pairs
        self.lands = {side: Latest(partial(self._land, side)) for side in SIDES}
        move = Answer(Move, unlisted, single.refuse, single.take)
        stack = Answer(MoveStack, unlisted, single.refuse_stack, single.take_stack)
        answers = (move, *pairs.answers, missions.answer(board), stack)
        super().__init__(MOVE_UNITS, MOVES.__getitem__, answers, misplaced, self._refuse_done)

    @override
    def choices(self, table: Table, asked: Open) -> Candidates:
        # Listed together, as they are found on the same land. It is asked for after a move, and again for the list.
        land = self.lands[table.side_of(asked.seat)].of(table)
        for found in self.pairs.moves.legal(land):
            yield found, None
        yield from self.pairs.choices(land)
        yield missions.flights(land), None

    def _land(self, side: Side, table: Table) -> Land:
        return Land(table, self.board, side)

    def _refuse_done(self, table: Table, asked: Open, command: Done) -> Refusal | None:
        """Return why a side cannot be done. Source: movement.volga.must-offload."""
        side = table.side_of(asked.seat)
        if side == ALLIES and moves.must_offload(table, self.board) is not None:
            return refused("crossing_must_be_offloaded")
        must_move = missions.must_move(self.lands[side].of(table))
        return refused("airborne_reinforcements_must_move") if must_move else None

    def expand(self, table: Table, asked: Open, command: Command) -> tuple[Command, ...]:
        """Return the single moves of a stack; see `core.engine.decision.Expanding`."""
        return moves.single_moves(command) if isinstance(command, MoveStack) else (command,)

    @override
    def end(self, draft: Draft, asked: Open, command: Done) -> None:
        super().end(draft, asked, command)
        show_supply(draft, self.board, AFTER_MOVE)


class Movement:
    """The Movement phases, with the steps that come `after` the check of stacking limits.

    Source: order.3.move, order.10.move, stacking.check-time.
    """

    def __init__(self, board: Board, after: Iterable[Step] = ()) -> None:
        pairs = PairMoves(board, moves.Moves(board))
        orders, stacking = Orders(board, pairs), Stacking(board)
        excess: dict[str, Decision] = {EVICT: stacking.eviction, DESTROY: stacking.destruction}
        self.decisions: dict[str, Decision] = {MOVE_UNITS: orders, EXIT_LOSS: pairs.loss, **excess}
        self.by_side: dict[Side, StepSequence] = {}
        for side, rule in MOVES.items():
            move = Step("move", rule, partial(lambda one, draft, _: orders.ask(draft, one), side))
            self.by_side[side] = StepSequence(f"{side}_movement", rule, (move, *stacking.steps(side), *after))
        self.sequences = tuple(self.by_side.values())
