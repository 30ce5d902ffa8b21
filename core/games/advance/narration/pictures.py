"""The rendering of a table: the state of the turn, the map, every Area with its units, the boxes."""

from collections import Counter as Multiset
from collections.abc import Mapping, Sequence
from functools import cached_property

from core.drawing.at_stake import named_on
from core.drawing.drawing import counters_of
from core.games.advance import memory
from core.games.advance.components.board_model import Area, Board
from core.games.advance.components.board_records import (
    CLEAR,
    ELEVATED,
    HEAVY_URBAN,
    LIGHT_URBAN,
    NO_TERRAIN,
    TERRAINS,
    SovietCounter,
)
from core.games.advance.components.inventory import TERRAIN_NAMES
from core.games.advance.components.view.map import map_places, sheet
from core.games.advance.ids import (
    AVAILABLE,
    CONTROL_COUNT,
    ELIMINATED,
    FRESH,
    ISOLATED,
    OUT_OF_ACTION,
    SUPPLY,
    SUPPORT,
    USED,
    mix,
)
from core.games.advance.narration.sentences import in_order
from core.games.advance.narration.stakes import able_to_enter
from core.games.advance.narration.strips import effects_in_force, goal, strips, waits
from core.games.advance.options import REINFORCEMENT_DELAY
from core.games.advance.rules import queries
from core.games.advance.rules.dawn import arrivals
from core.games.advance.rules.random_event import event_in_force
from core.narration.place_name import PlaceName
from core.narration.render_model import MapPlace, Panel, Picture
from core.narration.sheet import Counter, Drawing, Sheet
from events.codec import replace
from events.ids import CardId, PieceId, PlaceId
from projections.state.table import Table

AT_STAKE = {
    memory.ATTACK: ("area",),
    "attackers": ("area",),
    "place_part": ("area",),
    "retreat_to": ("unit",),
}
"""What sequences and questions are about, by their kinds."""

PAUSED = "may not move or attack this turn"

SIGNS = {CLEAR: "C", ELEVATED: "E", LIGHT_URBAN: "LU", HEAVY_URBAN: "HU", NO_TERRAIN: "-"}
"""Terrain in a narrow column."""

KEY = (
    "Each Area: its number; G held by the Germans, then how many of their units are there; S held by the Soviets, then the "
    "Defense Factor of their unit (? Unrevealed), then + and how many German units are there too; * the Active Area."
)
TERRAIN_KEY = (
    "Terrain: C Clear, E Elevated, LU Light Urban, HU Heavy Urban, with the TEM; V Adjacent to the Volga. German units: "
    "Attack Factor-MF, Fresh unless it says Spent; Soviet units: strategy and Defense Factor."
)


class AdvancePictures:
    """Draws tables of one board.

    Args:
        board: Has everything printed.
        names: What ids are called.
        boxes: The names of the boxes beside the map.
    """

    def __init__(self, board: Board, names: Mapping[str, str], boxes: Sequence[PlaceName] = ()) -> None:
        self.board = board
        self.names = names
        self.boxes = boxes

    def places(self) -> tuple[MapPlace, ...]:
        """List the Areas by number, then the boxes, in a column of their own right of the map."""
        boxes = [MapPlace(box.id, box.name, "", 1000, 60 + 60 * row, is_box=True) for row, box in enumerate(self.boxes)]
        return (*map_places(self.board), *boxes)

    def picture(self, table: Table) -> Picture | None:
        """Return the rendering of a table, or None before it is set up."""
        if not table.round:
            return None
        return Picture(
            above=(self._turn(table), Panel(lines=(f"Random Event: {self._event(table)}",)), self._support(table)),
            spots={area.id: self._spot(table, area) for area in self.board.areas.values()},
            key=KEY,
            below=(replace(self._areas(table), is_map=True), *self._boxes(table), self._hidden(table)),
        )

    @cached_property
    def _sheet(self) -> Sheet:
        """The printed map."""
        return sheet(self.board)

    def drawing(self, table: Table) -> Drawing | None:
        """Return the map with its counters, or None before it is set up."""
        if not table.round:
            return None
        counters = counters_of(table, lambda piece: self._counter(table, piece))
        beside = strips(self.board, self.names, table)
        at_stake = named_on(table, AT_STAKE) | self._entering(table)
        return Drawing(self._sheet, counters, strips=beside, at_stake=at_stake)

    def _entering(self, table: Table) -> frozenset[PieceId]:
        """Return the units that are about to enter if there is only one group of them, so that the question is only where."""
        may_wait = REINFORCEMENT_DELAY.chosen(table) == "at-will"
        if table.top is None or table.top.kind != "place_group" or may_wait:
            return frozenset()
        groups = able_to_enter(table, self.board)
        return frozenset(table.pieces_at(groups[0].box) if len(groups) == 1 else ())

    def _counter(self, table: Table, piece: PieceId) -> Counter:
        """Return what a unit shows: its name and its factors, or the strategy and the Defense Factor."""
        there, unit = table.pieces[piece], self.board.units.get(piece)
        name = self.names.get(piece, piece)
        if unit is not None:
            division = unit.division or ""
            figures, is_spent = f"{unit.attack_factor}-{unit.movement_factor}", there.face != FRESH
            is_paused = queries.is_paused(table, self.board, piece)
            said = f"{name}, Spent ({figures} when Fresh)" if is_spent else name
            # The Spent side is white and has no factors. Source: 4.2.
            return Counter(
                f"{said}, {PAUSED}" if is_paused else said,
                there.side,
                "armour" if unit.kind == "armor" else "infantry",
                top=(regiment := name.removeprefix(f"{division}/")),
                corner=division,
                # Each division has a regiment of these names.
                short="" if regiment[:1].isdigit() else f"{division}{regiment}",
                figures="" if is_spent else figures,
                meaning="" if is_spent else f"attack {unit.attack_factor}, movement {unit.movement_factor}",
                is_turned=is_spent or is_paused,
                is_pale=is_spent,
            )
        if not there.kind:
            return Counter(f"{name}, not Revealed", there.side, is_closed=True)
        counter = self.board.counter(CardId(there.kind))
        said = f"{counter.strategy.capitalize()} {counter.defence_factor}"
        return Counter(said, there.side, top=counter.strategy.capitalize(), figures=str(counter.defence_factor))

    # The turn

    def _turn(self, table: Table) -> Panel:
        scenario = self.board.scenarios[table.scenario]
        label = scenario.turn_label(table.round)
        state = "Strong" if queries.is_strong(table, self.board) else "Shaken"
        lines = [
            f"Turn {table.round}{f' ({label})' if label else ''}; the last one is {scenario.last_turn}",
            f"German Morale {queries.morale(table)} ({state})   Supply Points {table.track(SUPPLY)}",
        ]
        if scenario.counts_control:
            needed = goal(self.board, table)
            lines.append(f"German-controlled Areas {table.track(CONTROL_COUNT)}{f' ({needed})' if needed else ''}")
        return Panel(lines=tuple(lines), is_map=True)

    def _event(self, table: Table) -> str:
        """Return which event is in force and what it does."""
        name = event_in_force(table, self.board)
        effects = effects_in_force(self.names, table)
        said = f"{name} (roll {memory.ROLL.of(table, memory.EVENT)})" if name else "none"
        return f"{said}: {'; '.join(effects)}" if effects else said

    def _support(self, table: Table) -> Panel:
        rows = []
        for marker in SUPPORT:
            committed = [f"{count} at {area}" for area in self.board.areas if (count := table.marker(area, marker))]
            rows.append(
                (
                    self.names[marker],
                    str(table.marker(AVAILABLE, marker)),
                    str(table.marker(USED, marker)),
                    str(self.board.markers.of(marker)),
                    ", ".join(committed),
                )
            )
        header = ("Support", "Available", "Used", "In all", "Placed")
        return Panel(header=header, rows=tuple(rows), right=(1, 2, 3), is_map=True)

    # The map

    def _spot(self, table: Table, area: Area) -> str:
        germans = len(queries.germans_at(table, area.id))
        star = "*" if area.id == memory.active_area(table) else ""
        if queries.is_vacant(table, area.id):
            return f"{area.id}G{germans or ''}{star}"
        counter = queries.counter_at(table, self.board, area.id)
        value = "?" if counter is None else counter.defence_factor
        return f"{area.id}S{value}{f'+{germans}' if germans else ''}{star}"

    def _areas(self, table: Table) -> Panel:
        rows = [
            (
                area.id,
                area.name,
                f"{SIGNS[area.terrain]}{f' +{area.tem}' if area.tem else ''}{' V' if area.is_volga else ''}",
                "German" if queries.is_vacant(table, area.id) else "Soviet",
                "; ".join(self._there(table, area.id)),
                " ".join(self.board.adjacency.near(area.id)),
            )
            for area in self.board.areas.values()
        ]
        return Panel(
            lines=(TERRAIN_KEY,),
            header=("", "Area", "Terrain", "Held by", "There", "Next to"),
            rows=tuple(rows),
            right=(0,),
        )

    def _there(self, table: Table, area: PlaceId) -> list[str]:
        """List the units in an Area, and its state."""
        said = [self._soviet(table, area)] if queries.soviet_at(table, area) is not None else []
        said += self._units(table, queries.germans_at(table, area))
        said += ["Active Area"] if area == memory.active_area(table) else []
        said += ["Mandatory Attack"] if memory.is_mandatory(table, area) else []
        said += ["attacked in this Action Round"] if memory.was_attacked(table, area) else []
        return said

    def _soviet(self, table: Table, area: PlaceId) -> str:
        counter = queries.counter_at(table, self.board, area)
        said = "Unrevealed" if counter is None else counter_words(counter)
        if counter is not None and not queries.is_revealed(table, area):
            said += ", Unrevealed"
        return f"{said}, {self.names[ISOLATED]}" if queries.is_isolated(table, area) else said

    def _units(self, table: Table, units: Sequence[PieceId]) -> list[str]:
        """List German units, those in the same state together."""
        alike: dict[str, list[str]] = {}
        for unit in map(PieceId, in_order(units)):
            alike.setdefault(self._state(table, unit), []).append(self._unit(unit))
        return [f"{', '.join(said)}{state}" for state, said in alike.items()]

    def _unit(self, unit: PieceId) -> str:
        printed = self.board.units.get(unit)
        return unit if printed is None else f"{unit} {printed.attack_factor}-{printed.movement_factor}"

    def _state(self, table: Table, unit: PieceId) -> str:
        """Return the state of a unit in brackets; empty for a Fresh one that waits."""
        said = [] if table.pieces[unit].face == FRESH else ["Spent"]
        said.append(_doing(table, unit))
        words = ", ".join(word for word in said if word)
        return f" ({words})" if words else ""

    # Beside the map

    def _boxes(self, table: Table) -> list[Panel]:
        rows = [(self.names[OUT_OF_ACTION], "; ".join(self._units(table, table.pieces_at(OUT_OF_ACTION))) or "empty")]
        for arrival in arrivals(self.board, table.scenario):
            units = self._units(table, table.pieces_at(arrival.box))
            if units:
                rows.append((self.names[arrival.box], "; ".join([*units, waits(table, self.board, arrival)])))
        gone = table.pieces_at(ELIMINATED)
        if gone:
            rows.append(
                (f"{self.names[ELIMINATED]}, {len(gone)}", self._counters([table.pieces[one].kind for one in gone]))
            )
        return [Panel(title="Boxes", header=("", ""), rows=tuple(rows), is_map=True)]

    def _counters(self, kinds: Sequence[str]) -> str:
        """Return counters in words by strategy and Defense Factor; a kind is empty where nobody knows the counter."""
        known = [self.board.counter(CardId(kind)) for kind in kinds if kind]
        known.sort(key=lambda counter: (counter.strategy, counter.defence_factor))
        words = Multiset([counter_words(counter) for counter in known] + ["Unrevealed" for kind in kinds if not kind])
        return ", ".join(f"{count} {thing}" if count > 1 else thing for thing, count in words.items())

    def _hidden(self, table: Table) -> Panel:
        rows = []
        for terrain in TERRAINS:
            pile = table.pile(mix(terrain))
            if pile.count:
                rows.append((f"{TERRAIN_NAMES[terrain]}, {pile.count}", self._counters(pile.cards)))
        return Panel(title="Soviet counters not Revealed yet", header=("", ""), rows=tuple(rows))


def _doing(table: Table, unit: PieceId) -> str:
    """Return what a unit is doing in an Action Round; empty if it does nothing."""
    if memory.has_moved(table, unit):
        return "moving" if memory.movement_left(table, unit) else "has moved"
    if unit in memory.attackers(table):
        return "leads the attack" if unit == memory.lead_of(table) else "attacks"
    return "has to retreat" if unit in memory.retreating(table) else ""


def counter_words(counter: SovietCounter) -> str:
    """Return a Soviet counter's strategy and Defense Factor."""
    said = f"{counter.strategy.title()} {counter.defence_factor}"
    return f"Pavlov's House ({said})" if counter.is_always_guards else said
