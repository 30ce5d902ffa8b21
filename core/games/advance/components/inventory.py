"""Inventory of this game on a board: the one declaration of what can be on the table, and where."""

from collections.abc import Mapping

from core.components.inventory import Cards, Counters, Inventory, Memory, Pieces, Piles, Places, Track
from core.game_files.printed_names import printed_words
from core.games.advance import ids
from core.games.advance.components.board_model import Board, Scenario
from core.games.advance.components.board_records import (
    CLEAR,
    ELEVATED,
    HEAVY_URBAN,
    LIGHT_URBAN,
    TERRAINS,
    SovietCounter,
)
from events.ids import CardId, PlaceId

TERRAIN_NAMES = {CLEAR: "Clear", ELEVATED: "Elevated", LIGHT_URBAN: "Light Urban", HEAVY_URBAN: "Heavy Urban"}
"""The terrain types as they are printed."""

WORDS = printed_words(ids.PACKAGE)


def inventory(board: Board, memory: Memory, scenario: Scenario | None = None, *, has_pavlov: bool = True) -> Inventory:
    """Declare what is in the box or, with a scenario, what of it is in play.

    Args:
        board: Has the Areas, units, counters and figures.
        memory: What the rules remember.
        scenario: The scenario that is played.
        has_pavlov: Whether Pavlov's House is in play (12.6).

    Source: 3.3, 3.4, 3.5, 3.6, 3.7, 4.2, 4.3, 4.4, 5.4, 7.1, 12.3, 14.5.1, RuleId("4.5.marker-totals").
    """
    played = list(board.scenarios.values()) if scenario is None else [scenario]
    counters = _counters(board, scenario, has_pavlov=has_pavlov)
    of_terrain = {
        terrain: {counter.id: counter_name(board, counter) for counter in counters if counter.terrain == terrain}
        for terrain in TERRAINS
    }
    return Inventory(
        sides={side: WORDS[side] for side in (ids.GERMAN, ids.SOVIET)},
        places=_places(board, played),
        pieces=(_germans(board, scenario), _soviets(board, scenario, of_terrain)),
        counters=(*_support(board), isolation_markers(board)),
        tracks=_tracks(board, played),
        cards=[
            Cards(what=f"{TERRAIN_NAMES[terrain]} counter", names=names, are_all_out=True)
            for terrain, names in of_terrain.items()
        ],
        piles=[
            Piles(names={ids.mix(terrain): f"{name} counters not Revealed yet"}, holds=f"{name} counter")
            for terrain, name in TERRAIN_NAMES.items()
        ],
        memory=memory,
        phases=(ids.DAWN, ids.RANDOM_EVENT, ids.SUPPLY_PHASE, ids.COMBAT, ids.END),
        rounds_max=max([one.last_turn for one in played]),
    )


def _places(board: Board, played: list[Scenario]) -> tuple[Places, ...]:
    support = {PlaceId(ids.AVAILABLE): "Available Support Units Box", PlaceId(ids.USED): "Used Support Units Box"}
    divisions = {PlaceId(ids.division_id(division)): name for division, name in board.divisions.items()}
    return (
        Places(
            what="Area", names={area.id: area.name for area in board.areas.values()}, control=(ids.GERMAN, ids.SOVIET)
        ),
        Places(what="Out of Action Box", names={ids.OUT_OF_ACTION: "Out of Action Box"}),
        Places(what="support box", names=support),
        Places(what="box of eliminated units", names={ids.ELIMINATED: "Eliminated Soviet Units"}),
        Places(what="box of a group", names=_boxes(board, played)),
        Places(what="division", names=divisions),
    )


def _germans(board: Board, scenario: Scenario | None) -> Pieces:
    """Declare the German units. Source: 4.2, 4.3, RuleId("7.1.german-four")."""
    units = board.units if scenario is None else scenario.units()
    return Pieces(
        what="German unit",
        names=dict.fromkeys(units, ""),
        where={"Area": board.movement.stacking_german, "Out of Action Box": None, "box of a group": None},
        sides=(ids.GERMAN,),
        kinds={unit: (board.units[unit].kind,) for unit in units},
        faces={ids.FRESH: "Fresh", ids.SPENT: "Spent"},
    )


def _soviets(board: Board, scenario: Scenario | None, of_terrain: Mapping[str, Mapping[CardId, str]]) -> Pieces:
    """Declare the Soviet units: the kind of a Revealed one is its counter. Source: 4.4, 5.4; RuleId("7.1.soviet-one")."""
    starts = list(board.areas) if scenario is None else [row.area for row in scenario.soviet_setup]
    return Pieces(
        what="Soviet unit",
        names={
            ids.soviet_unit(area): f"Soviet unit of {ids.AREA} {area} ({board.areas[area].name})" for area in starts
        },
        where={"Area": 1, "box of eliminated units": None},
        sides=(ids.SOVIET,),
        kinds={ids.soviet_unit(area): ("", *of_terrain.get(board.areas[area].terrain, ())) for area in starts},
        faces={ids.UNREVEALED: "Unrevealed", ids.REVEALED: "Revealed"},
    )


def _support(board: Board) -> list[Counters]:
    """Declare the support markers, all of which are always on the table. Source: 3.5, 3.6, RuleId("4.5.marker-totals")."""
    names = {ids.ARTILLERY: "Artillery Support", ids.ENGINEER: "Engineer Support", ids.AIR: "Air Support"}
    on = {"Area": None, "support box": None}
    return [
        Counters(faces={marker: name}, on=on, stock=board.markers.of(marker), are_all_out=True)
        for marker, name in names.items()
    ]


def _tracks(board: Board, played: list[Scenario]) -> list[Track]:
    """Declare the tracks; control is counted in the main game only. Source: 3.3, 3.4, 5.2, 14.2."""
    tracks = [
        Track(id=ids.MORALE, name=WORDS[ids.MORALE], least=board.morale.min, most=board.morale.max),
        Track(id=ids.SUPPLY, name=WORDS[ids.SUPPLY]),
    ]
    if any(one.counts_control for one in played):
        tracks.append(Track(id=ids.CONTROL_COUNT, name=WORDS[ids.CONTROL_COUNT], most=len(board.areas)))
    return tracks


def isolation_markers(board: Board) -> Counters:
    """Declare the Isolation markers, of which there may be too few. Source: RuleId("12.3.fourteen-markers")."""
    return Counters(faces={ids.ISOLATED: "Isolated"}, on={"Soviet unit": 1}, stock=board.markers.isolation)


def counter_name(board: Board, counter: SovietCounter) -> str:
    """Return what is printed on the back of a Soviet counter."""
    if counter.id == board.pavlovs_house.id:
        return f"Pavlov's House (Guards {counter.defence_factor})"
    return f"{counter.strategy.title()} {counter.defence_factor} ({TERRAIN_NAMES[counter.terrain]})"


def _counters(board: Board, scenario: Scenario | None, *, has_pavlov: bool) -> list[SovietCounter]:
    """List the Soviet counters in play. Pavlov's House replaces the counter of its Area. Source: 12.6, 14.5.1, 14.5.2."""
    listed: list[CardId] = list(board.counters)
    if scenario is not None:
        set_up = [row.counter for row in scenario.soviet_setup if not (has_pavlov and row.area == ids.PAVLOV_AREA)]
        listed = [*scenario.pool, *[counter for counter in set_up if counter is not None]]
    return [*[board.counters[id_] for id_ in listed], *([board.pavlovs_house] if has_pavlov else [])]


def _boxes(board: Board, played: list[Scenario]) -> dict[PlaceId, str]:
    """Return the names of the boxes of groups that can enter: reinforcements, and divisions that can be withdrawn and come back."""
    names = {
        ids.reinforcement_box(group.tag): f"Reinforcements of turn {group.turn}"
        for scenario in played
        for group in scenario.groups
    }
    rows = [row for scenario in played for row in scenario.events.rows]
    leaving = {row.withdraws.division for row in rows if row.withdraws is not None}
    back = {ids.withdrawn_box(one): f"{name}, withdrawn" for one, name in board.divisions.items() if one in leaving}
    return {**names, **back}
