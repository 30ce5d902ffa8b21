"""Strips beside the map: the tracks, the support markers, and the boxes with the units in them."""

from collections.abc import Iterator, Mapping

from core.games.advance import memory
from core.games.advance.components.board_model import Board
from core.games.advance.ids import (
    AVAILABLE,
    CONTROL_COUNT,
    ELIMINATED,
    GERMAN,
    OUT_OF_ACTION,
    SOVIET,
    SUPPLY,
    SUPPORT,
    USED,
)
from core.games.advance.narration.sentences import EVENT_EFFECTS, value_words
from core.games.advance.narration.stakes import able_to_enter
from core.games.advance.rules import queries
from core.games.advance.rules.dawn import Arrival, arrivals, entry_turn
from core.games.advance.rules.random_event import event_in_force
from core.narration.strips import EMPTY, FACE, Cell, Strip, numbered, row_of
from events.codec import replace
from events.ids import PlaceId, Side
from projections.state.table import Open, Table


def strips(board: Board, names: Mapping[str, str], table: Table) -> tuple[Strip, ...]:
    """Return the tracks and boxes, with the units in them; the boxes that the open question is about are beside the map."""
    scenario = board.scenarios[table.scenario]
    limit = board.morale.strong_at_least
    morale = [
        replace(cell, limit="Strong") if number == limit else cell
        for number, cell in enumerate(numbered(board.morale.max, queries.morale(table), first=0))
    ]
    boxes = dict(_boxes(board, names, table))
    asked = [box for box in _asked(board, table) if table.pieces_at(box)]
    found = (
        Strip(
            "Turn Track",
            (numbered(scenario.last_turn, table.round, scenario.first_turn),),
            scenario.turn_label(table.round),
            is_vital=True,
            is_phase=True,
        ),
        Strip("German Morale", (tuple(morale),), f"{queries.morale(table)}, {_state(board, table)}", is_vital=True),
        Strip("Random Event", row_of(list(_event(board, names, table))), is_vital=True, is_line=True),
        *_standing(board, table),
        Strip("Support", row_of(list(_support(board, names, table))), is_above=True),
        Strip("To choose from", row_of([boxes[box] for box in asked]), is_above=True),
        Strip("Boxes", row_of([cell for box, cell in boxes.items() if box not in asked]), is_narrow=True),
    )
    return tuple(strip for strip in found if strip.rows)


def _state(board: Board, table: Table) -> str:
    """Return whether German Morale is Strong or Shaken, what that changes, and until when."""
    morale = board.morale
    if queries.is_strong(table, board):
        return f"Strong: Attack Values +{morale.strong_attack_bonus} until it falls below {morale.strong_at_least}"
    return f"Shaken: Defense Values +{morale.shaken_defence_bonus} until it is {morale.strong_at_least}"


def _asked(board: Board, table: Table) -> tuple[PlaceId, ...]:
    """Return the boxes from which the open question lets units come."""
    match table.top:
        case Open(kind="place_group"):
            return tuple([arrival.box for arrival in able_to_enter(table, board)])
        case Open(kind="place_part") as asked:
            return (PlaceId(asked.text("box")),)
        case Open(kind="supply"):
            return (OUT_OF_ACTION,)
        case _:
            return ()


def goal(board: Board, table: Table) -> str:
    """Return how many Areas the Germans need; empty if they need none."""
    needed = board.scenarios[table.scenario].victory
    heavy = f", {needed.heavy_urban} of them Heavy Urban," if needed and needed.heavy_urban else ""
    return f"{needed.areas}{heavy} win at the end" if needed else ""


def entry(arrival: Arrival) -> str:
    """Return where a group may enter."""
    if arrival.is_anywhere:
        return "may enter any German Area"
    first = " or ".join(arrival.areas)
    others = " or ".join(arrival.areas_if_german)
    return f"may enter {first}{f' (or {others} once German)' if others else ''}"


def waits(table: Table, board: Board, arrival: Arrival) -> str:
    """Return where a group may enter, and from which turn on."""
    turn = entry_turn(table, board, arrival.box, memory.DUE.of(table, arrival.box))
    return "does not return" if turn is None else f"{entry(arrival)} from turn {turn}"


def _standing(board: Board, table: Table) -> Iterator[Strip]:
    """Yield how many Areas the Germans control, if it matters, and their Supply Points."""
    scenario = board.scenarios[table.scenario]
    if scenario.counts_control:
        needed = scenario.victory
        heavy = f", {needed.heavy_urban} Heavy Urban" if needed and needed.heavy_urban else ""
        notes = (f"of {needed.areas}{heavy}",) if needed else ()
        yield Strip("German Areas", row_of([Cell(str(table.track(CONTROL_COUNT)), notes)]), is_vital=True)
    yield Strip("Supply", row_of([Cell(str(table.track(SUPPLY)))]), is_vital=True)


def effects_in_force(names: Mapping[str, str], table: Table) -> list[str]:
    """Return what the Random Event does this turn, one after the other; Divisions by their numbers, as there is one line for all of it."""
    there = table.attributes.get(memory.EVENT, {})
    return [
        said.format(value=value_words(there[key], lambda id_: names[id_].split()[0]))
        for key, said in EVENT_EFFECTS.items()
        if key in there
    ]


def _event(board: Board, names: Mapping[str, str], table: Table) -> Iterator[Cell]:
    """Yield the Random Event if it does something this turn."""
    effects = effects_in_force(names, table)
    if effects:
        yield Cell(event_in_force(table, board), ("; ".join(effects),))


def _support(board: Board, names: Mapping[str, str], table: Table) -> Iterator[Cell]:
    """Yield the markers of each kind: a square for each, filled while it is available."""
    for marker in SUPPORT:
        there, used = table.marker(AVAILABLE, marker), table.marker(USED, marker)
        placed = [f"{count} at {area}" for area in board.areas if (count := table.marker(area, marker))]
        notes = [f"{there} available, {used} used", *([f"placed: {', '.join(placed)}"] if placed else [])]
        yield Cell(names[marker], tuple(notes), meter=(there, board.markers.of(marker)), id=marker)


def _boxes(board: Board, names: Mapping[str, str], table: Table) -> Iterator[tuple[PlaceId, Cell]]:
    """Yield Out of Action, the groups that will arrive, and the Soviet units that are Eliminated."""
    yield OUT_OF_ACTION, _box(names, table, OUT_OF_ACTION, GERMAN)
    for arrival in arrivals(board, table.scenario):
        if table.pieces_at(arrival.box):
            yield arrival.box, _box(names, table, arrival.box, GERMAN, waits(table, board, arrival))
    if table.pieces_at(ELIMINATED):
        yield ELIMINATED, _box(names, table, ELIMINATED, SOVIET)


def _box(names: Mapping[str, str], table: Table, place: PlaceId, side: Side, *notes: str) -> Cell:
    there = table.pieces_at(place)
    return Cell("", notes, names[place], str(len(there)), side, tuple(there), look=FACE if there else EMPTY)
