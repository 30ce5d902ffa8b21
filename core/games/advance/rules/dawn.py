"""The Dawn Phase: groups enter, a division leaves for good, Soviet units are checked for isolation.

Source: 6.1, 12.3, 14.4; RuleId("6.1.dawn-order"), ruling.dawn-order.
"""

from collections.abc import Sequence

from core.engine.command import Command
from core.engine.derived_markers import update_markers
from core.engine.draft import Draft
from core.engine.selection import Choose, Done, Pick, Picks, Selection, refuse_unsorted
from core.games.advance.components.board_model import Board
from core.games.advance.components.board_records import FACTORY, MAIN, Withdrawal
from core.games.advance.components.inventory import isolation_markers
from core.games.advance.ids import (
    FRESH,
    GERMAN_SEAT,
    ISOLATED,
    OUT_OF_ACTION,
    reinforcement_box,
    soviet_unit,
    withdrawn_box,
)
from core.games.advance.memory import DUE, WAS_WITHDRAWN
from core.games.advance.options import REINFORCEMENT_DELAY, REINFORCEMENT_WITHOUT_ROOM
from core.games.advance.rules.changes import change_morale
from core.games.advance.rules.commands import PlaceGroup
from core.games.advance.rules.queries import (
    is_isolated,
    is_vacant,
    room,
    soviet_areas,
    units_of,
)
from core.games.advance.rules.refusals import not_asked, refused
from core.geometry.paths import distances
from core.refusal import Refusal
from events.codec import Struct
from events.ids import PieceId, PlaceId, RuleId
from projections.state.table import Open, Table

DAWN_ORDER = RuleId("6.1.dawn-order")
ONE_AREA = RuleId("6.1.1.one-area")
WAIT_FOR_ROOM = RuleId("6.1.1.wait-for-room")
WITHDRAWAL_TURN_9 = RuleId("6.1.2.withdrawal-turn-9")
MORALE_PER_MISSING_UNIT = RuleId("6.2.1.morale-per-missing-unit")
CHECK_EACH_DAWN = RuleId("12.3.check-each-dawn")
SUPPLY_LINE = RuleId("12.3.supply-line")
FOURTEEN_MARKERS = RuleId("12.3.fourteen-markers")

ARRIVALS = {
    "T2": RuleId("6.1.1.turn-2-group"),
    "T7": RuleId("6.1.1.turn-7-group"),
    "T12": RuleId("14.4.turn-12-group"),
}
"""The rule that brings each group of reinforcements."""

RETURNS = {MAIN: RuleId("6.2.1.return-next-turn"), FACTORY: RuleId("14.6.1.breakthrough-64-return")}
"""The rule that brings a withdrawn division back, by the scenario."""


class Arrival(Struct, frozen=True):
    """A group that may wait off the map, and where it may enter.

    `areas_if_german` are open only while German-controlled; with `is_anywhere` every German-controlled Area is. With `is_return`
    it is a division that was withdrawn.
    """

    box: PlaceId
    rule: RuleId
    areas: tuple[PlaceId, ...]
    areas_if_german: tuple[PlaceId, ...] = ()
    is_anywhere: bool = False
    is_return: bool = False


def arrivals(board: Board, scenario_key: str) -> tuple[Arrival, ...]:
    """List the groups that can ever enter: reinforcements in order of their turn, then divisions that can come back.

    A division comes back to one Area, whole, in both scenarios.

    Source: 6.1.1, 6.2.1, 14.4, 14.6.1, ruling.factory-return-together.
    """
    scenario = board.scenarios[scenario_key]
    listed = [
        Arrival(
            reinforcement_box(group.tag),
            ARRIVALS[group.tag],
            group.areas,
            group.areas_if_german_controlled,
            group.is_anywhere,
        )
        for group in scenario.groups
    ]
    withdrawn: dict[PlaceId, Arrival] = {}
    for row in scenario.events.rows:
        if row.withdraws is not None:
            box, areas = withdrawn_box(row.withdraws.division), row.withdraws.return_areas
            withdrawn[box] = Arrival(box, RETURNS[scenario_key], areas, is_anywhere=not areas, is_return=True)
    return (*listed, *withdrawn.values())


def group_of(table: Table, box: PlaceId) -> tuple[PieceId, ...]:
    """Return the units that wait in a box, sorted by name."""
    return tuple(sorted(table.pieces_at(box)))


def due(table: Table, board: Board) -> list[Arrival]:
    """List the groups that should enter this turn or have waited since an earlier one.

    A division that is withdrawn for good this turn does not come back first.

    Source: 6.2.1, RuleId("6.1.1.wait-for-room"), ruling.turn-8-breakthrough.
    """
    gone = [withdrawn_box(withdrawal.division) for withdrawal in leaving(table, board)]
    return [
        arrival
        for arrival in arrivals(board, table.scenario)
        if arrival.box not in gone and table.pieces_at(arrival.box) and 0 < DUE.of(table, arrival.box) <= table.round
    ]


def listed_areas(board: Board, arrival: Arrival) -> tuple[PlaceId, ...]:
    """List the Areas that a group's rule names, by number, under the control of either side."""
    if arrival.is_anywhere:
        return tuple(board.areas)
    named = {*arrival.areas, *arrival.areas_if_german}
    return tuple([area for area in board.areas if area in named])


def entries(table: Table, board: Board, arrival: Arrival) -> list[PlaceId]:
    """List the Areas in which a group can enter now: whole, in one Area with room for all of it.

    Where it was agreed so, as many as fit enter when no Area has room for all.

    Source: 7.1, RuleId("6.1.1.one-area"), ruling.reinforcement-room.
    """
    size = len(table.pieces_at(arrival.box))
    rooms = {area: room(table, board, area) for area in listed_areas(board, arrival) if is_vacant(table, area)}
    whole = [area for area, free in rooms.items() if free >= size]
    if whole or REINFORCEMENT_WITHOUT_ROOM.chosen(table) == "wait-whole":
        return whole
    return [area for area, free in rooms.items() if free]


def ask_for_groups(draft: Draft, board: Board) -> None:
    """Ask where groups enter. One that finds room must enter. Source: 6.0, 6.1, 6.1.1, ruling.reinforcement-may."""
    able = [arrival for arrival in due(draft.table, board) if entries(draft.table, board, arrival)]
    if able:
        draft.ask("place_group", GERMAN_SEAT, able[0].rule)


def let_wait(draft: Draft, board: Board) -> None:
    """Let groups wait that have found no room, or are held back where that was agreed. Source: 6.1.1, ruling.reinforcement-may."""
    for arrival in due(draft.table, board):
        if entries(draft.table, board, arrival):
            draft.apply(REINFORCEMENT_DELAY.rule, "the group is held back", arrival.box)
        else:
            draft.apply(WAIT_FOR_ROOM, "no listed Area has room, so the group waits", arrival.box)


class PlaceGroupDecision:
    """Entry Area of a group of reinforcements, or of a division coming back. Source: 6.1.1, 6.2.1, 14.4, 14.6.1."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def candidates(self, table: Table, asked: Open) -> list[Command]:
        """List each group with each Area in which it might enter, and that groups wait if they may."""
        wait: list[Command] = [Done()] if REINFORCEMENT_DELAY.chosen(table) == "at-will" else []
        return wait + [
            PlaceGroup(group_of(table, arrival.box), area)
            for arrival in due(table, self.board)
            for area in listed_areas(self.board, arrival)
        ]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Return why a group cannot enter like this."""
        if not isinstance(command, PlaceGroup):
            may_wait = isinstance(command, Done) and REINFORCEMENT_DELAY.chosen(table) == "at-will"
            return None if may_wait else not_asked(table, asked, command)
        if command.area not in self.board.areas:
            return refused("area_must_exist", f"There is no Area {command.area!r}.")
        for unit in command.units:
            if unit not in self.board.units:
                return refused("unit_must_be_german", f"{unit!r} is not a German unit.")
        refusal = refuse_unsorted(command.units)
        if refusal is not None:
            return refusal
        arrival = self._group(table, command)
        if arrival is None:
            waiting = due(table, self.board)
            groups = " or ".join(", ".join(group_of(table, one.box)) for one in waiting)
            back = [one.rule for one in waiting if one.is_return and set(command.units) & set(group_of(table, one.box))]
            sentence = f"The group enters one Area, whole: {groups}."
            return refused("group_must_stay_together", sentence, back[0] if back else None)
        if command.area not in listed_areas(self.board, arrival):
            areas = " or ".join(listed_areas(self.board, arrival))
            return refused("area_must_be_listed", f"The group enters Area {areas}.", arrival.rule)
        if not is_vacant(table, command.area):
            return refused("area_must_be_german_controlled", f"Area {command.area} is Soviet-controlled.", arrival.rule)
        if room(table, self.board, command.area) < len(table.pieces_at(arrival.box)) and command.area not in entries(
            table, self.board, arrival
        ):
            return refused("stacking_limit_must_hold", f"Area {command.area} has no room for the group.", ONE_AREA)
        return None

    def _group(self, table: Table, command: PlaceGroup) -> Arrival | None:
        """Return the group that a command names, all of it or as many of it as enter together."""
        for arrival in due(table, self.board):
            group = group_of(table, arrival.box)
            is_part = set(command.units) < set(group) and command.area in entries(table, self.board, arrival)
            if command.units == group or (is_part and len(command.units) == room(table, self.board, command.area)):
                return arrival
        return None

    def expand(self, table: Table, asked: Open, command: Command) -> tuple[Command, ...]:
        """Return for a part of a group where it enters, and then which units; see `core.engine.decision.Expanding`."""
        arrival = self._group(table, command) if isinstance(command, PlaceGroup) else None
        if arrival is None or not isinstance(command, PlaceGroup) or command.units == group_of(table, arrival.box):
            return (command,)
        return (PlaceGroup(group_of(table, arrival.box), command.area), Choose(command.units))

    def part(self) -> Selection:
        """Return the question which units of a group enter an Area that has no room for all."""
        return Selection(
            lambda _: ONE_AREA,
            lambda table, asked: group_of(table, PlaceId(asked.text("box"))),
            lambda table, asked: (room(table, self.board, PlaceId(asked.text("area"))),) * 2,
            self._enter_part,
            refuse_count=lambda *_: refused("stacking_limit_must_hold", "As many units enter as there is room for."),
            refuse_other=not_asked,
        )

    def _enter_part(self, draft: Draft, asked: Open, picks: Picks) -> None:
        arrival = next(one for one in due(draft.table, self.board) if one.box == asked.text("box"))
        self._enter(draft, arrival, [PieceId(unit) for unit, _ in picks], PlaceId(asked.text("area")))

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Let the group enter, or ask which units do if there is no room for all; or let what is left wait."""
        if not isinstance(command, PlaceGroup):
            draft.answered(REINFORCEMENT_DELAY.rule)
            return
        arrival = self._group(draft.table, command)
        assert arrival is not None
        if len(command.units) > room(draft.table, self.board, command.area):
            draft.ask("place_part", GERMAN_SEAT, ONE_AREA, {"area": command.area, "box": arrival.box})
        else:
            self._enter(draft, arrival, command.units, command.area)

    def _enter(self, draft: Draft, arrival: Arrival, units: Sequence[PieceId], area: PlaceId) -> None:
        """Let units enter, Fresh."""
        table = draft.table
        for unit in units:
            draft.move(unit, area, arrival.rule)
            draft.turn(unit, FRESH, RuleId("6.1.1.enter-fresh"))
        if table.pieces_at(arrival.box):
            DUE.set(draft, arrival.box, table.round + 1, arrival.rule)
        else:
            DUE.forget(draft, arrival.box, arrival.rule)

    def go_on(self, draft: Draft, asked: Open) -> None:
        """Close the question if no group can enter any more. Source: 6.1.1."""
        if not any(entries(draft.table, self.board, arrival) for arrival in due(draft.table, self.board)):
            draft.answered(WAIT_FOR_ROOM)


def leaving(table: Table, board: Board) -> list[Withdrawal]:
    """List the divisions that leave for good this turn. Source: RuleId("6.1.2.withdrawal-turn-9")."""
    return [one for one in board.scenarios[table.scenario].withdrawals if one.turn == table.round]


def entry_turn(table: Table, board: Board, box: PlaceId, turn: int) -> int | None:
    """Return from which turn on a group that waits may enter; None for a division that does not return.

    It leaves the game for good first, or the match ends before.

    Args:
        table: The table.
        board: The board.
        box: Where the group waits.
        turn: The turn for which it is due.

    Source: RuleId("6.1.2.withdrawal-turn-9"), ruling.turn-8-breakthrough.
    """
    scenario, turn = board.scenarios[table.scenario], max(turn, table.round)
    leaves = [one.turn for one in scenario.withdrawals if withdrawn_box(one.division) == box]
    return None if turn > scenario.last_turn or any(turn >= last for last in leaves) else turn


def withdraw_for_good(draft: Draft, board: Board) -> None:
    """Take a division off the game on its last turn, wherever its units are; control changes nowhere.

    Source: RuleId("6.1.2.leaves-area").
    """
    table = draft.table
    for withdrawal in leaving(table, board):
        units = [unit for unit in units_of(board, withdrawal.division) if unit in table.pieces]
        missing = [unit for unit in units if unit in table.pieces_at(OUT_OF_ACTION)]
        for unit in units:
            draft.remove(unit, WITHDRAWAL_TURN_9)
        change_morale(draft, board, withdrawal.morale_per_unavailable_unit * len(missing), MORALE_PER_MISSING_UNIT)
        box = withdrawn_box(withdrawal.division)
        DUE.forget(draft, box, WITHDRAWAL_TURN_9)
        WAS_WITHDRAWN.set(draft, box, value=True, rule=WITHDRAWAL_TURN_9)


# Isolation


def supplied_areas(table: Table, board: Board) -> set[PlaceId]:
    """Find the Soviet units that are in supply: those at the Volga, and those in a chain of Soviet-controlled Areas to them.

    Contested Areas are Soviet-controlled and carry the chain.

    Source: RuleId("12.3.supply-line"), RuleId("12.3.volga-never"), ruling.isolation-trace.
    """
    soviet = set(soviet_areas(table, board))
    near = board.adjacency.neighbours
    return set(distances(soviet & board.volga, lambda area: [other for other in near[area] if other in soviet]))


def newly_isolated(table: Table, board: Board) -> list[PlaceId]:
    """List the Areas, by number, whose Soviet unit is out of supply and has no Isolation marker yet. Source: 12.3."""
    supplied = supplied_areas(table, board)
    return [area for area in soviet_areas(table, board) if area not in supplied and not is_isolated(table, area)]


def check_isolation(draft: Draft, board: Board) -> None:
    """Mark every Soviet unit that is out of supply, or ask which ones if the markers do not suffice.

    Source: 12.3, ruling.isolation-permanent.
    """
    supplied = supplied_areas(draft.table, board)
    marked = [area for area in soviet_areas(draft.table, board) if is_isolated(draft.table, area)]
    kept = [area for area in marked if area not in supplied]
    candidates = newly_isolated(draft.table, board)
    free = board.markers.isolation - len(kept)
    must_choose = 0 < free < len(candidates)
    wanted = kept if must_choose else [*kept, *candidates[:free]]
    update_markers(draft, ISOLATED, [soviet_unit(area) for area in wanted], CHECK_EACH_DAWN)
    if must_choose:
        draft.ask("choose_isolated", GERMAN_SEAT, FOURTEEN_MARKERS)


def choose_isolated(board: Board) -> Selection:
    """Return the question which of the newly cut-off units get the last Isolation markers.

    Source: 12.3, ruling.isolation-markers.
    """

    def mark(draft: Draft, asked: Open, picks: Picks) -> None:
        for unit, _ in picks:
            draft.mark(unit, ISOLATED, FOURTEEN_MARKERS)

    def candidates(table: Table, asked: Open) -> list[PieceId]:
        return [soviet_unit(area) for area in newly_isolated(table, board)]

    def refuse_pick(table: Table, asked: Open, pick: Pick) -> Refusal | None:
        if pick.item in candidates(table, asked):
            return None
        return refused("area_must_be_listed", f"{pick.item!r} is in supply, or marked already.", SUPPLY_LINE)

    def bounds(table: Table, asked: Open) -> tuple[int, int]:
        free = isolation_markers(board).left(table) or 0
        return free, free

    def refuse_count(table: Table, asked: Open) -> Refusal:
        missing = bounds(table, asked)[0] - len(asked.picked)
        return refused("isolation_must_fill_markers", f"{missing} more Isolation markers must be placed.")

    return Selection(
        lambda _: FOURTEEN_MARKERS,
        candidates,
        bounds,
        mark,
        refuse_pick=refuse_pick,
        refuse_count=refuse_count,
        refuse_other=not_asked,
    )
