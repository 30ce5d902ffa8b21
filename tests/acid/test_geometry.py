"""Two maps, places that are not zones, rivers that freeze, and supply derived from the table."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, cast
from xml.etree import ElementTree

import pytest

from cli.output.table_text import Drawing
from core.chance.chance_sources import ManualChance
from core.engine.command import Command
from core.engine.derived_markers import update_markers
from core.engine.draft import Draft
from core.registry.games import GAMES, load_game
from core.shapes.outlines import contains, touching
from core.telling.names import Names
from events.ids import GameKey, PieceId, PlaceId
from events.vocabulary import ControlChanged, Event, MarkerPlaced, MarkerRemoved, PieceMoved, PieceRemoved
from projections.state.fold import fold
from tests.acid.geometry_game import (
    BANK,
    BOAT,
    CITY,
    CROSSING,
    DOCKS,
    FERRY,
    H0101,
    H0102,
    H0201,
    H0202,
    ICE,
    INTERCEPTION,
    LAND,
    MARCH,
    MILL,
    REGION,
    RUINS,
    SUPPLY,
    UNSUPPLIED,
    ZONES,
    March,
    Sink,
    Storm,
    map_places,
    onward,
    unsupplied,
)
from tests.cli.running import Terminal
from tests.support.desk import Desk
from tests.support.rows import each_row

GUARDS, MILITIA, PANZER = (PieceId(name) for name in ("guards", "militia", "panzer"))
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def listed() -> Iterator[None]:
    """List the made-up game during each test."""
    GAMES[GameKey("fords")] = "tests.acid.geometry_game"
    yield
    del GAMES[GameKey("fords")]


def marked(desk: Desk) -> set[str]:
    return {on for on, there in desk.table.markers.items() if UNSUPPLIED in there}


def played(desk: Desk, command: Command) -> list[Event]:
    """Play a command and return its events."""
    before = len(desk.events)
    desk.accept(command)
    return desk.events[before:]


def test_places_of_two_maps_form_one_graph_with_printed_adjacency() -> None:
    """ACID 34: one graph covers both maps; neighbours are the printed ones, not the nearest ones."""
    maps = {place.id: place.map for place in map_places()}

    assert (maps[H0202], maps[MILL]) == (REGION, CITY)
    assert LAND.are_adjacent(H0202, MILL)
    assert not LAND.are_adjacent(DOCKS, BANK)
    assert LAND.near(H0202) == (H0101, H0201, H0102, MILL)
    assert LAND.has(H0101, H0102, "river")
    assert not LAND.has(H0101, H0201, "river")


def test_adjacency_for_interception_is_a_separate_relation() -> None:
    """ACID 34: each purpose has its own relation: adjacency for interception differs from adjacency for movement."""
    assert INTERCEPTION.near(BANK) == (DOCKS, H0202)
    assert LAND.near(BANK) == ()
    assert CROSSING.near(BANK) == (FERRY,)


def test_a_unit_at_a_site_or_on_a_ferry_is_outside_all_zones() -> None:
    """ACID 34: crossings, ambush sites and boxes are places with a kind and a map, but they are not zones."""
    kinds = {place.id: (place.kind, place.map, place.is_box) for place in map_places()}
    desk = Desk.open("fords")
    desk.accept(March(GUARDS, RUINS))

    assert kinds[RUINS] == ("site", CITY, False)
    assert kinds[FERRY] == ("crossing", CITY, False)
    assert desk.table.pieces_at(DOCKS) == ()
    assert RUINS not in desk.table.control
    assert {RUINS, FERRY, PlaceId("pool")} & ZONES == set()


def test_place_ids_are_unique() -> None:
    """ACID 34: place ids are unique across maps."""
    places = map_places()

    assert len({place.id for place in places}) == len(places)


def test_supply_is_derived_after_each_move_and_only_changed_markers_are_recorded() -> None:
    """ACID 33: control changes first; then only those markers change that must; losing the boat takes effect immediately."""
    desk = Desk.open("fords")
    first = played(desk, March(PANZER, H0202))
    second = played(desk, Sink())
    third = played(desk, March(PANZER, MILL))

    assert [type(event) for event in first] == [PieceMoved, ControlChanged]
    assert [type(event) for event in second] == [PieceRemoved, MarkerPlaced, MarkerPlaced]
    assert [type(event) for event in third] == [PieceMoved, ControlChanged]
    assert marked(desk) == {GUARDS, MILITIA} == set(unsupplied(desk.table))


def test_supply_does_not_depend_on_markers() -> None:
    """ACID 33: a wrong marker does not affect what is derived from the table, and is corrected."""
    draft = Draft(Desk.open("fords").table, ManualChance())
    draft.mark(MILITIA, UNSUPPLIED, SUPPLY)
    draft.remove(BOAT, MARCH)

    assert unsupplied(draft.table) == [GUARDS, MILITIA]

    draft.events.clear()
    update_markers(draft, UNSUPPLIED, [GUARDS], SUPPLY)

    assert [(type(event), event.on) for event in draft.events if isinstance(event, MarkerPlaced | MarkerRemoved)] == [
        (MarkerRemoved, MILITIA),
        (MarkerPlaced, GUARDS),
    ]

    update_markers(draft, UNSUPPLIED, [GUARDS, GUARDS], SUPPLY)

    assert len(draft.events) == 2


def test_a_frozen_river_can_be_crossed_only_in_its_own_match() -> None:
    """ACID 35: crossings are derived from each table; two matches on one board do not share a frozen river."""
    here, there = Desk.open("fords", name="m1"), Desk.open("fords", name="m2")
    for desk in (here, there):
        desk.accept(Sink())
    here.accept(Storm())

    assert marked(here) == marked(there) == {GUARDS, MILITIA}

    events = played(here, Storm())

    assert [type(event) for event in events[1:]] == [MarkerPlaced, MarkerRemoved, MarkerRemoved]
    assert here.table.marker(FERRY, ICE) == 1
    assert (marked(here), marked(there)) == (set(), {GUARDS, MILITIA})
    assert (FERRY in onward(here.table, BANK), FERRY in onward(there.table, BANK)) == (True, False)


def test_a_passenger_lands_after_the_ferry_has_sunk() -> None:
    """ACID 35: a unit on the ferry can still land after the boat has sunk."""
    desk = Desk.open("fords")
    desk.accept(March(GUARDS, RUINS))
    desk.accept(Sink())

    assert BOAT not in desk.table.pieces
    assert onward(desk.table, FERRY) == (DOCKS,)


@each_row("seed", range(3))
def test_the_fold_is_the_live_table_and_the_audit_agrees(seed: int) -> None:
    """ACID 33 to 35: the log alone reproduces the table, its markers and its events; a fork at any event works."""
    desk = Desk.open("fords").play(25, Random(seed), _is_sound)
    fork = desk.fork(len(desk.events) // 2, name=f"fork-{seed}")

    assert fold(desk.events) == desk.table
    assert desk.audit().findings == fork.audit().findings == ()
    assert marked(fork) == set(unsupplied(fork.table))


def _is_sound(desk: Desk) -> None:
    assert marked(desk) == set(unsupplied(desk.table))


# Pictures


def drawing() -> ElementTree.Element:
    report = load_game("fords").make_report
    assert report is not None
    return ElementTree.fromstring(report(None, "").svg)


def test_a_drawing_shows_both_maps_with_headings_hexes_areas_and_spots() -> None:
    found = drawing()
    texts = [text.text for text in found.iter(f"{SVG}text")]

    assert len(lands(found)) == 7
    assert len(list(found.iter(f"{SVG}circle"))) == 2
    assert texts.count("The Region") == texts.count("The City") == 2, "a heading, and an entry of the legend"
    assert [group.attrib["id"] for group in found.iter(f"{SVG}g") if "id" in group.attrib] == [
        f"place-{place.id}" for place in map_places() if not place.is_box
    ]


def test_a_drawing_shows_rivers_along_borders_and_links_between_places() -> None:
    found = drawing()
    paths = [path.attrib["class"] for path in found.iter(f"{SVG}path")]
    texts = [text.text or "" for text in found.iter(f"{SVG}text")]

    assert sum("s-road" in class_ for class_ in paths) == 1, "in the legend: the road leads to the other map"
    assert sum("s-bank" in class_ for class_ in paths) == 4, (
        "on the map, in the legend, and the strokes of two patterns"
    )
    assert sum(text.startswith("to ") for text in texts) == 2


def lands(found: ElementTree.Element) -> list[str]:
    """Return the outlines of places, of which one shape holds those of a kind; not what is drawn above them."""
    shapes = [one.attrib["d"] for one in found.iter(f"{SVG}path") if one.attrib.get("class", "").startswith("f-")]
    return [outline for shape in shapes for outline in shape.split("z")[:-1]]


def test_outlines_touch_where_places_are_adjacent_and_contain_their_centres() -> None:
    places = {place.id: place for place in map_places() if place.outline}
    for map_ in (REGION, CITY):
        here = {id_: place.outline for id_, place in places.items() if place.map == map_}

        assert {frozenset(pair) for pair in touching(here)} == {
            frozenset((one, other)) for one in here for other in LAND.near(one) if other in here
        }
    assert all(contains(place.outline, (place.x, place.y)) for place in places.values())


def test_the_terminal_sketches_each_map_under_its_name() -> None:
    desk = Desk.open("fords")
    names = Names(desk.match.ruleset.game.narration)
    sketch = Drawing(names, desk.table, 80, lambda text, _: text, is_full=False).sketch()

    assert [line for line in sketch if line in ("Region", "City")] == ["Region", "City"]
    assert any("0201R1" in line for line in sketch[: sketch.index("City")])
    assert any("MB1" in line for line in sketch[sketch.index("City") :])


def test_the_board_lists_places_with_map_kind_outline_and_borders(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    (shape,) = terminal.done("board", "fords", "--json").objects
    places = {place["id"]: place for place in cast("list[dict[str, Any]]", shape["places"])}

    assert {place["map"] for place in places.values()} == {REGION, CITY}
    assert (places[RUINS]["kind"], places[RUINS]["outline"]) == ("site", [])
    assert len(places[H0101]["outline"]) == 6
    assert places[H0101]["borders"] == [{"to": H0102, "features": ["river"]}]
    assert "The Region" in terminal.done("board", "fords", "--svg", "-").out
