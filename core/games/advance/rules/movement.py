"""Chapter 8.2 and 8.3: what a step costs, which steps there are, and what a move leaves behind."""

from collections.abc import Iterator

from core.engine.draft import Draft
from core.games.advance import memory
from core.games.advance.components.board_model import Board
from core.games.advance.ids import FRESH, GERMAN, OUT_OF_ACTION, SOVIET, SPENT
from core.games.advance.memory import ActionRound
from core.games.advance.options import NORTHERN_SHOULDER, NORTHERN_SHOULDER_AREAS
from core.games.advance.rules.commands import Move
from core.games.advance.rules.queries import is_northern, is_paused, is_revealed, is_vacant, movement_factor, room
from core.games.advance.rules.random_event import event_rule
from core.games.advance.rules.refusals import refused
from core.refusal import Refusal
from events.ids import PieceId, PlaceId, RuleId
from projections.state.table import Table

COST_REVEALED = RuleId("8.2.cost-revealed")
COST_UNREVEALED = RuleId("8.2.cost-unrevealed")
COST_NEAR_SOVIET = RuleId("8.2.cost-vacant-near-soviet")
COST_VACANT = RuleId("8.2.cost-vacant")


class Movement:
    """The rules of movement, bound to a board whose look-ups are prepared once."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.neighbours: dict[PlaceId, tuple[PlaceId, ...]] = board.adjacency.neighbours
        self.north: frozenset[PlaceId] = board.northern_setup_areas | board.northern_areas
        self.north_of_others: frozenset[PlaceId] = self.north - board.northern_setup_areas

    def cost(self, table: Table, area: PlaceId) -> tuple[int, RuleId]:
        """Return the MF that entering an Area costs, and the rule: the one cost that fits best, and that alone.

        A Contested Area that is left makes nothing dearer; terrain does not count.

        Source: RuleId("8.2.costs"), RuleId("8.2.highest"), RuleId("8.2.contested-exit-cost").
        """
        return self._cost(table, area, is_open=is_vacant(table, area))

    def _cost(self, table: Table, area: PlaceId, *, is_open: bool) -> tuple[int, RuleId]:
        """Return the MF that entering an Area costs; it is open if it is Vacant."""
        figures = self.board.movement
        if not is_open:
            if is_revealed(table, area):
                return figures.cost_revealed_soviet, COST_REVEALED
            return figures.cost_unrevealed_soviet, COST_UNREVEALED
        for near in self.neighbours[area]:
            if not is_vacant(table, near):
                return figures.cost_vacant_adjacent_to_soviet, COST_NEAR_SOVIET
        return figures.cost_vacant, COST_VACANT

    # Which steps there are

    def steps(self, table: Table, area: PlaceId) -> Iterator[tuple[PlaceId, int]]:
        """Yield the Areas that a unit in this one may step into, with the cost of each, in the order of their numbers.

        Left open are only the unit's own limits: its MF, and 12.2. An Area that was Contested binds no unit any more once
        its Soviet unit is eliminated.

        Source: ruling.contested-exit-moment, RuleId("8.3.2.first-vacant"), RuleId("9.3.stays-after-success").
        """
        is_held = not is_vacant(table, area)
        for to in self.neighbours[area]:
            is_open = is_vacant(table, to)
            if (is_open or not is_held) and room(table, self.board, to) and not memory.was_attacked(table, to):
                yield to, self._cost(table, to, is_open=is_open)[0]

    def can_step(self, table: Table, unit: PieceId, area: PlaceId, left: int) -> bool:
        """Return whether a unit with `left` MF has a legal step out of an Area."""
        bounds = self.bounds(table, unit)
        return any(cost <= left and (bounds is None or to in bounds) for to, cost in self.steps(table, area))

    def bounds(self, table: Table, unit: PieceId) -> frozenset[PlaceId] | None:
        """Return the only Areas that 12.2 lets a unit enter or attack, or None if it does not limit the unit.

        Source: RuleId("12.2.northern-shoulder"), ruling.northern-area-set.
        """
        if not NORTHERN_SHOULDER.is_on(table) or not is_northern(self.board, unit):
            return None
        return self.north if NORTHERN_SHOULDER_AREAS.chosen(table) == "42-to-50" else self.north_of_others

    def is_barred(self, table: Table, unit: PieceId, area: PlaceId) -> bool:
        """Return whether 12.2 keeps a unit out of an Area, to enter or to attack there."""
        bounds = self.bounds(table, unit)
        return bounds is not None and area not in bounds

    def is_outside_north(self, table: Table, unit: PieceId, area: PlaceId) -> bool:
        """Return whether 12.2 keeps a unit out of an Area even in retreat, which may always end in Areas 48 to 50.

        Source: 12.2, 9.5.8, ruling.northern-area-set.
        """
        return area not in self.north and NORTHERN_SHOULDER.is_on(table) and is_northern(self.board, unit)

    def refuse_north(self, table: Table) -> Refusal:
        """Refuse a unit of the north an Area, by the reading of 12.2 that the match follows."""
        if NORTHERN_SHOULDER_AREAS.chosen(table) == "42-to-47":
            return refused("northern_units_must_stay_north", "Units of 48-50 may enter 42-47 only.")
        return refused("northern_units_must_stay_north")

    def can_leave(self, table: Table, unit: PieceId, area: PlaceId) -> bool:
        """Return whether a unit has a legal first step out of its Area, between two Action Rounds."""
        return self.can_step(table, unit, area, movement_factor(table, self.board, unit))

    def may_act(self, table: Table, unit: PieceId) -> bool:
        """Return whether nothing keeps a unit from acting at all: it is Fresh, and its division is not paused.

        Source: RuleId("8.2.fresh-only").
        """
        return table.pieces[unit].face == FRESH and not is_paused(table, self.board, unit)

    def moves(self, table: Table, now: ActionRound) -> Iterator[Move]:
        """Yield the first steps of the units that have not moved and the next ones of the unit that is moving.

        Source: RuleId("8.1.any-number"), RuleId("8.1.step-adjacent"), RuleId("8.2.1.different-destinations"),
        RuleId("9.0.others-may-move"), ruling.interleaved-attacks.
        """
        steps: dict[PlaceId, list[tuple[PlaceId, int]]] = {}
        for unit, area, left in self._movers(table, now):
            if area not in steps:
                steps[area] = list(self.steps(table, area))
            for to, cost in steps[area]:
                if cost <= left and not self.is_barred(table, unit, to):
                    yield Move(unit, to)

    def can_go_on(self, table: Table, now: ActionRound) -> bool:
        """Return whether there are any such steps."""
        return any(self.can_step(table, unit, area, left) for unit, area, left in self._movers(table, now))

    def _movers(self, table: Table, now: ActionRound) -> Iterator[tuple[PieceId, PlaceId, int]]:
        """Yield the units that have not moved and the unit that is moving, each with its Area and the MF that it has left."""
        for unit in now.units:
            if unit == now.moving:
                yield unit, table.pieces[unit].place, now.left
            elif not memory.has_moved(table, unit) and self.may_act(table, unit):
                yield unit, now.area, movement_factor(table, self.board, unit)

    # Why a step is refused

    def refuse_move(self, table: Table, now: ActionRound, command: Move) -> Refusal | None:
        """Return why a step is not legal, by the precedence of the refusals."""
        unit, to = command.unit, command.to
        if to not in self.neighbours:
            return refused("area_must_exist", f"There is no Area {to!r}.")
        no = self.refuse_unit(table, now, unit, RuleId("8.1.activate"))
        if no is not None:
            return no
        if memory.has_moved(table, unit) and unit != now.moving:
            if memory.entry_area(table, unit) and table.pieces[unit].face != FRESH:
                return refused("unit_must_be_fresh", f"{unit} is Spent.")
            if memory.entry_area(table, unit):
                return refused("unit_must_stop", f"{unit} entered a Soviet-occupied Area and must stop there.")
            return refused("unit_must_still_be_moving", f"The move of {unit} is finished.")
        left = now.left if unit == now.moving else movement_factor(table, self.board, unit)
        return self._refuse_step(table, unit, to, left)

    def refuse_unit(self, table: Table, now: ActionRound, unit: PieceId, active_only: RuleId) -> Refusal | None:
        """Return why a unit can be given no orders at all in this Action Round.

        A unit that has moved in this round is judged by its move, whichever side it shows. `active_only` is the rule that lets
        the units of the Active Area alone do what is ordered.

        Source: 8.1, RuleId("4.3.1.spent-inert"), RuleId("8.1.2.soviets-never-move").
        """
        piece = table.pieces.get(unit)
        if piece is not None and piece.side == SOVIET:
            return refused("unit_must_be_german")
        if piece is not None and piece.side == GERMAN and piece.place in self.neighbours:
            if piece.face != FRESH and not memory.has_moved(table, unit):
                return refused("unit_must_be_fresh", f"{unit} is Spent.")
            if is_paused(table, self.board, unit):
                row = event_rule(table, RuleId("6.2.chart.7-8"))
                return refused("unit_must_not_be_paused", f"The division of {unit} is paused this turn.", row)
            if unit in now.units:
                return None
        return self._refuse_elsewhere(table, unit, active_only)

    def _refuse_elsewhere(self, table: Table, unit: PieceId, active_only: RuleId) -> Refusal:
        """Refuse a unit that did not start in the Active Area, by where it is instead. Source: 3.7, 4.3, 6.1.1."""
        piece = table.pieces.get(unit)
        sentence, rule = f"{unit!r} did not start this Action Round in the Active Area.", active_only
        if piece is None and unit in self.board.units:
            sentence, rule = f"{unit} is not in play in this scenario.", RuleId("4.3.factory-only-units")
        elif piece is not None and piece.place == OUT_OF_ACTION:
            sentence, rule = f"{unit} is Out of Action.", RuleId("3.7.out-of-action-box")
        elif piece is not None and piece.place not in self.neighbours:
            sentence, rule = f"{unit} is off the map and has not entered yet.", RuleId("6.1.1.one-area")
        return refused("unit_must_be_in_active_area", sentence, rule)

    def _refuse_step(self, table: Table, unit: PieceId, to: PlaceId, left: int) -> Refusal | None:
        """Return why a unit that can still move may not step into an existing Area. Source: 8.2, 8.3."""
        place = table.pieces[unit].place
        if to not in self.neighbours[place]:
            return refused("areas_must_be_adjacent", f"Areas {place} and {to} share no boundary.")
        if self.is_barred(table, unit, to):
            return self.refuse_north(table)
        if memory.was_attacked(table, to):
            return refused("area_must_not_have_been_attacked", f"Area {to} was attacked in this Action Round.")
        if not (is_vacant(table, place) or is_vacant(table, to)):
            return refused("contested_exit_must_be_to_vacant")
        if not room(table, self.board, to):
            return refused(
                "stacking_limit_must_hold", f"Area {to} holds {self.board.movement.stacking_german} German units."
            )
        cost = self.cost(table, to)[0]
        if cost > left:
            # Rain decides if the unit could enter with all the MF that are printed on it.
            lost = self.board.units[unit].movement_factor - movement_factor(table, self.board, unit)
            rule = event_rule(table, RuleId("14.6.1.rain")) if cost <= left + lost else None
            sentence = f"Area {to} costs {cost} MF and {unit} has {left} left{' in the Rain' if rule else ''}."
            return refused("movement_must_suffice", sentence, rule)
        return None

    # What a step does

    def step(self, draft: Draft, now: ActionRound, command: Move) -> None:
        """Carry out a legal step; the move ends by itself where no other step could follow.

        Source: 8.1, RuleId("8.2.may-stop"), RuleId("8.3.2.then-onward"), RuleId("9.1.entered-by-different-ways").
        """
        unit, to = command.unit, command.to
        table = draft.table
        left = now.left
        if unit != now.moving:
            self.finish(draft, now.moving)
            left = movement_factor(table, self.board, unit)
        cost, rule = self.cost(table, to)
        source = table.pieces[unit].place
        draft.move(unit, to, rule)
        if not is_vacant(table, to):
            memory.ENTERED_FROM.set(draft, unit, source, RuleId("9.5.8.entry-area"))
            if not memory.was_contested(table, to):
                memory.MANDATORY.set(draft, to, value=True, rule=RuleId("9.1.mandatory"))
            return
        memory.MOVEMENT_LEFT.set(draft, unit, left - cost, RuleId("8.2.enough-mf"))
        if not self.can_step(table, unit, to, left - cost):
            self.finish(draft, unit)

    def finish(self, draft: Draft, unit: PieceId) -> None:
        """End the move of a unit that is in a Vacant Area; do nothing if no unit is named.

        Source: 8.1, ruling.flip-timing.
        """
        if unit:
            draft.turn(unit, SPENT, RuleId("8.1.spent-after-move"))
