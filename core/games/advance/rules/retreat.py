"""Chapter 9.5.8: retreats, one unit after the other.

The order is asked for only if an entry Area cannot take all of its units, and the destination only if there are several.
"""

from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.question import Answer, Question
from core.games.advance.components.board_model import Board
from core.games.advance.ids import GERMAN_SEAT
from core.games.advance.memory import ENTERED_FROM, MOVEMENT_LEFT, attack_area, entry_area, has_moved, retreating
from core.games.advance.rules.changes import put_out_of_action
from core.games.advance.rules.commands import RetreatNext, RetreatTo
from core.games.advance.rules.movement import Movement
from core.games.advance.rules.queries import is_vacant, room
from core.games.advance.rules.refusals import not_asked, refused
from core.geometry.paths import rings
from core.refusal import Refusal
from events.ids import PieceId, PlaceId, RuleId
from projections.state.table import Open, Table

ONE_BY_ONE = RuleId("9.5.8.one-by-one")
FULL_AREA = RuleId("9.5.8.full-area")


class Retreats:
    """The retreat of the attackers, bound to a board."""

    def __init__(self, board: Board, movement: Movement) -> None:
        self.board = board
        self.movement = movement

    def go_on(self, draft: Draft) -> None:
        """Let the next unit retreat, or ask which one it is. Source: 9.5.8."""
        units = retreating(draft.table)
        if len(units) > 1 and self._is_crowded(draft.table, units):
            draft.ask("retreat_order", GERMAN_SEAT, ONE_BY_ONE, {"area": attack_area(draft.table)})
        else:
            self.retreat(draft, units[0])

    def _is_crowded(self, table: Table, units: list[PieceId]) -> bool:
        """Return whether some entry Area cannot take all the units that came from it."""
        entries = [entry_area(table, unit) for unit in units]
        return any(entries.count(entry) > room(table, self.board, entry) for entry in entries)

    def retreat(self, draft: Draft, unit: PieceId) -> None:
        """Let a unit retreat into its entry Area, or on through it where it is full; ask where to if there is a choice.

        Source: 9.5.8.
        """
        entry = entry_area(draft.table, unit)
        if room(draft.table, self.board, entry):
            self.retreat_to(draft, unit, entry, RuleId("9.5.8.entry-area"))
            return
        places = self.destinations(draft.table, unit, entry)
        if len(places) > 1:
            draft.ask("retreat_to", GERMAN_SEAT, FULL_AREA, {"unit": unit})
        elif places:
            self.retreat_to(draft, unit, places[0], FULL_AREA)
        else:
            put_out_of_action(draft, unit, FULL_AREA)

    def retreat_to(self, draft: Draft, unit: PieceId, area: PlaceId, rule: RuleId) -> None:
        """End a unit's retreat in an Area."""
        ENTERED_FROM.forget(draft, unit, rule)
        if not has_moved(draft.table, unit):
            MOVEMENT_LEFT.set(draft, unit, 0, rule)
        draft.move(unit, area, rule)

    def destinations(self, table: Table, unit: PieceId, entry: PlaceId) -> tuple[PlaceId, ...]:
        """List where a unit can end its retreat if its entry Area is full, by number; empty if nowhere.

        They are the nearest Vacant Areas with room that are reached through full Vacant Areas alone. 12.2 binds
        northern units in retreat as well.

        Source: ruling.retreat-overflow, RuleId("7.1.retreat-through"), RuleId("9.5.8.full-area").
        """

        def open_areas(area: PlaceId) -> list[PlaceId]:
            return [
                near
                for near in self.movement.neighbours[area]
                if is_vacant(table, near) and not self.movement.is_outside_north(table, unit, near)
            ]

        for ring in rings((entry,), open_areas):
            places = [area for area in ring if area != entry and room(table, self.board, area)]
            if places:
                return tuple(sorted(places, key=int))
        return ()

    def _why_not_in(self, table: Table, area: PlaceId, places: tuple[PlaceId, ...]) -> str:
        """Return why a retreat cannot end in an Area."""
        why = "it is not among the nearest with room"
        if not is_vacant(table, area):
            why = "a Soviet unit is there"
        elif not room(table, self.board, area):
            why = "it is full"
        return f"The retreat cannot end in Area {area}, since {why}; it ends in Area {' or '.join(places)}."

    def order(self) -> Question:
        """Return the question which unit retreats next. Where to is not asked as long as its entry Area has room.

        Source: 9.5.8.
        """

        def refuse(table: Table, asked: Open, command: RetreatNext) -> Refusal | None:
            if command.unit in retreating(table):
                return None
            return refused("retreat_must_reach_entry_area", f"{command.unit!r} does not have to retreat.", ONE_BY_ONE)

        def take(draft: Draft, asked: Open, command: RetreatNext) -> None:
            draft.answered(ONE_BY_ONE)
            self.retreat(draft, command.unit)

        def otherwise(table: Table, asked: Open, command: Command) -> Refusal:
            is_early = isinstance(command, RetreatTo)
            return refused("retreat_must_reach_entry_area") if is_early else not_asked(table, asked, command)

        return Question(
            [Answer(RetreatNext, lambda table, _: map(RetreatNext, retreating(table)), refuse, take)], otherwise
        )

    def destination(self) -> Question:
        """Return the question where a unit ends its retreat whose entry Area is full. Source: 9.5.8."""

        def places(table: Table, asked: Open) -> tuple[PlaceId, ...]:
            unit = PieceId(asked.text("unit"))
            return self.destinations(table, unit, entry_area(table, unit))

        def refuse(table: Table, asked: Open, command: RetreatTo) -> Refusal | None:
            if command.area not in self.board.areas:
                return refused("area_must_exist", f"There is no Area {command.area!r}.")
            if command.area not in places(table, asked):
                return refused("retreat_must_end_in_room", self._why_not_in(table, command.area, places(table, asked)))
            return None

        def take(draft: Draft, asked: Open, command: RetreatTo) -> None:
            draft.answered(FULL_AREA)
            self.retreat_to(draft, PieceId(asked.text("unit")), command.area, FULL_AREA)

        return Question(
            [Answer(RetreatTo, lambda table, asked: map(RetreatTo, places(table, asked)), refuse, take)], not_asked
        )
