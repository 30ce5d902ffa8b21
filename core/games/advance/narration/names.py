"""Names and sentences for people: what an id is called, and what a command would do."""

from collections import Counter

from core.components.inventory import Memory
from core.games.advance.components.board_model import Board
from core.games.advance.components.inventory import TERRAIN_NAMES, inventory
from core.games.advance.components.view.map import map_places
from core.games.advance.ids import PACKAGE
from core.games.advance.memory import DUE, EVENT
from core.games.advance.rules.commands import (
    Activate,
    AdvanceCommand,
    BreakOff,
    Buy,
    DeclareAttack,
    Move,
    NameLead,
    PlaceGroup,
    PutOutOfAction,
    RetreatNext,
    RetreatTo,
    ReturnUnit,
    Stop,
)
from core.games.advance.rules.dawn import arrivals, group_of, listed_areas
from core.games.advance.rules.movement import Movement
from core.games.advance.rules.queries import fresh_at, is_vacant, room, soviet_at
from core.games.advance.rules.supply import purchase_cost, return_cost
from core.ports import MapPlace
from core.printed_names import printed_words
from core.selection import Choose, Done, Pick, Unpick
from events.ids import PlaceId
from projections.table import Table


class Names:
    """The names of one board.

    Args:
        board: Has the printed names of Areas and divisions.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.movement = Movement(board)
        self.inventory = inventory(board, Memory())
        self.names = {
            **printed_words(PACKAGE),
            **TERRAIN_NAMES,
            **{scenario.key: scenario.name for scenario in board.scenarios.values()},
            **self.inventory.names,
            EVENT: "Random Event in force",
        }

    def name(self, id_: str) -> str:
        """Return what an id is called; the id itself if it has no other name, as German units have none."""
        return self.names.get(id_, id_)

    def with_number(self, id_: str) -> str:
        """Return what an id is called; an Area with its number before its name."""
        return f"{id_} {self.name(id_)}" if PlaceId(id_) in self.board.areas else self.name(id_)

    def area(self, area: PlaceId) -> str:
        """Name an Area with its number."""
        return f"{area} ({self.name(area)})" if area in self.board.areas else area

    def places(self) -> tuple[MapPlace, ...]:
        """List the Areas as they are drawn, then the boxes, in a column of their own right of the map."""
        groups = [group for group in self.inventory.places if group.what not in ("Area", "division")]
        drawn = [
            MapPlace(box, name, "", 1000, 60 + 60 * row, is_box=True)
            for row, (box, name) in enumerate([item for group in groups for item in group.names.items()])
        ]
        return (*map_places(self.board), *drawn)

    # One case per command, each a line or two: splitting it would only hide that it is complete.
    def describe(self, table: Table, command: AdvanceCommand) -> str:  # noqa: C901, PLR0912
        """Return a sentence about what a command would do."""
        verb = "Place" if table.top is not None and table.top.kind == "support" else "Choose"
        match command:
            case PlaceGroup():
                return f"Place {', '.join(command.units)} in {self.area(command.area)}"
            case Buy():
                return self._describe_purchase(command)
            case ReturnUnit():
                price = _points(return_cost(self.board, command.unit)) if command.unit in self.board.units else "?"
                return f"Return {command.unit} to {self.area(command.area)} for {price}"
            case Activate():
                units = ", ".join(sorted(fresh_at(table, command.area)))
                return f"Activate {self.area(command.area)}: {units}"
            case Move():
                return self._describe_move(table, command)
            case Stop():
                return "Stop here"
            case DeclareAttack():
                units = f" with {', '.join(command.units)}" if command.units else ""
                return f"Attack {self.area(command.area)}{units}"
            case Pick():
                return f"{verb} {self.name(command.item)}"
            case Unpick():
                return f"Take back: {self.name(command.item)}"
            case Choose():
                counts = Counter(map(self.name, command.items))
                items = [f"{count} {name}" if count > 1 else name for name, count in counts.items()]
                return f"{verb} {', '.join(items) or 'no support'}"
            case PutOutOfAction():
                return f"Put {command.unit} Out of Action and fight on"
            case BreakOff():
                return "Break the attack off: all attackers retreat, Spent"
            case NameLead():
                return f"Name {command.unit} as Lead Attacking Unit"
            case RetreatNext():
                return f"Let {command.unit} retreat next"
            case RetreatTo():
                return f"Retreat to {self.area(command.area)}"
            case Done():
                return self._describe_done(table)

    def _describe_purchase(self, command: Buy) -> str:
        price = _points(purchase_cost(self.board, command.what))
        if command.what == "morale":
            return f"Raise Morale by 1 for {price}"
        return f"Buy {self.name(command.what)} for {price}"

    def _describe_move(self, table: Table, command: Move) -> str:
        if command.to not in self.board.areas:
            return f"Move {command.unit} to {command.to}"
        cost, _ = self.movement.cost(table, command.to)
        there = "" if soviet_at(table, command.to) is None else ", where a Soviet unit is"
        return f"Move {command.unit} to {self.area(command.to)} for {cost} MF{there}"

    def _describe_done(self, table: Table) -> str:
        asked = "" if table.top is None else table.top.kind
        if asked == "attackers":
            return "Begin the attack"
        if asked == "support":
            return "Fight with the support placed"
        if asked == "place_part":
            return "Let them enter"
        if asked == "supply":
            return "End the purchases"
        if asked == "act":
            return "End the Action Round"
        return f"End the Combat Phase{self._warning(table)}"

    def _warning(self, table: Table) -> str:
        """Warn, one turn before a group arrives, that no Area has room for it.

        Source: 6.1.1, ruling.reinforcement-room.
        """
        scenario = self.board.scenarios[table.scenario]
        for arrival in arrivals(self.board, table.scenario):
            group = group_of(table, arrival.box)
            if not group or (DUE.of(table, arrival.box) or 0) > table.round + 1:
                continue
            areas = listed_areas(self.board, arrival)
            fitting = [area for area in areas if is_vacant(table, area) and room(table, self.board, area) >= len(group)]
            if not fitting and table.round < scenario.last_turn:
                return f" (no Area has room next turn for {', '.join(group)})"
        return ""


def _points(count: int) -> str:
    return f"{count} Supply Point{'' if count == 1 else 's'}"
