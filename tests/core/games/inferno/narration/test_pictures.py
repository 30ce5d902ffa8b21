"""What players see: the hex map, every Stack with what the viewer knows, the track, the Death Pool, cards, what the Soviets do next."""

from collections.abc import Iterator
from xml.etree import ElementTree

from core.drawing.drawing import spread_of
from core.drawing.picture_svg import draw_maps
from core.games.inferno.ids import DEATH_POOL, GERMAN_SEAT, ONE_VS_ONE, SOVIET_SEAT, hand
from core.games.inferno.narration.pictures import InfernoPictures
from core.games.inferno.options import SPAWN_TABLE
from core.narration.strips import BACK, Cell
from events.ids import PUBLIC, PlaceId, Seat
from projections.state.table import Table
from tests.support.inferno import NARRATION, order, scene
from tests.support.playouts import Playout
from tests.support.rows import each_row

PANZER, GRENADIER, TANKS = "2-panzer", "64-panzer-grenadier", "6-tank"


SHOWN_WIDE = 940
"""How wide the map is on a page in a window of 1400 by 900 pixels."""
SVG = "{http://www.w3.org/2000/svg}"


def text(table: Table) -> str:
    """Return all that is drawn, line by line."""
    picture = NARRATION.picture(table)
    assert picture is not None
    panels = (*picture.above, *picture.below)
    lines = [line for panel in panels for line in (panel.title, *panel.lines, *("  ".join(row) for row in panel.rows))]
    return "\n".join(lines)


def test_a_table_before_the_set_up_is_not_drawn() -> None:
    assert NARRATION.picture(Table()) is None


def test_a_block_shows_its_colour_and_r_beside_its_name_and_only_once() -> None:
    drawing = NARRATION.drawing(scene(german={"44": [GRENADIER]}).table)

    assert drawing is not None
    (counter,) = drawing.counters.values()
    assert (counter.top, counter.signs) == ("64th", "YR")


@each_row(
    ("unit", "meaning"), [(GRENADIER, "4 dice, each hits on 5 or more"), (PANZER, "4 dice, each hits on 4 or more")]
)
def test_a_block_says_how_it_fights(unit: str, meaning: str) -> None:
    drawing = NARRATION.drawing(scene(german={"44": [unit]}).table)

    assert drawing is not None
    assert [one.meaning for one in drawing.counters.values()] == [meaning]


def test_blocks_without_a_number_are_told_apart() -> None:
    """Two battalions of Workers in one hex both read `Workers 0`."""
    drawing = NARRATION.drawing(scene(soviet={"9": ["workers-barrikady", "workers-tractor-factory"]}).table)
    assert drawing is not None

    assert sorted([one.top for one in drawing.counters.values()]) == ["Barrikady", "Tractor"]


def test_before_the_set_up_the_printed_map_is_drawn() -> None:
    table = Table(options={SPAWN_TABLE.key: "B"})
    drawing = NARRATION.drawing(table)

    assert NARRATION.drawing(Table()) is None
    assert drawing is not None
    assert [badge.shape for badge in drawing.sheet.land[PlaceId("13")].badges] == ["setup", "infantry", "armour"]
    assert not drawing.counters


def test_the_map_has_number_terrain_control_and_units_of_each_hex() -> None:
    table = scene(
        german={"W": [PANZER, GRENADIER]},
        soviet={"7": [TANKS]},
        control={"german": ["37"]},
        markers={"26": "rubble", "28": "fortification/brown"},
    ).table
    pictures = InfernoPictures(NARRATION)
    drawn = pictures.map_lines(table)
    cells = {pictures._cell(table, here) for here in NARRATION.board.hexes.values()}

    assert {("W", " G2"), ("7*", "#S1"), ("37", "^g "), ("26", "%s "), ("28", "+s "), ("3*", " s ")} <= cells
    assert max(map(len, drawn)) <= 80
    assert sum("~~~" in line for line in drawn) > 3


def test_the_stand_of_the_game_can_be_read() -> None:
    said = text(
        scene(
            german={"19": [PANZER]},
            soviet={"7": [TANKS], "9": ["27-tank"]},
            dead=[GRENADIER, "576-infantry"],
            in_play=["german/hoth", "soviet/chuikov"],
            track={2: ["71-motorized"]},
            hands={"german": ["german/pak-1"]},
        ).table
    )

    assert "Soviet Spawn Hexes under control: German 1 (19); Soviet 5 (3, 9, 15, 13, 7)" in said
    assert "Death Pool: 3 of 10 points, with which the Soviets win" in said
    assert "German Leaders in play: Hoth" in said
    assert "Soviet Leaders in play: Chuikov" in said
    assert "Movement Action, with 5 Spawn Hexes and 2 Top Stacked Hexes (7 and 9; 1 unit each)" in said
    assert (
        "A Spawn Action as things are: hex 3: Infantry and Tank; hex 9: Infantry; hex 15: Infantry; hex 13: 2 Infantry; hex 7: Tank"
        in said
    )
    assert "Soviet Compass: 1 up, 2 up right, 3 down right, 4 down, 5 down left, 6 up left" in said
    assert "if empty, Removes 120th Motorized Regiment" in said
    assert "Pak  the strongest enemy Tank unit loses 1 Step" in said


def test_a_forecast_counts_one_hex_as_one() -> None:
    said = text(scene(german={"19": [PANZER]}, soviet={"7": [TANKS]}).table)

    assert "with 5 Spawn Hexes and 1 Top Stacked Hex (7; 1 unit)" in said


def test_a_combat_under_way_is_drawn_with_its_step() -> None:
    """The German seat is asked for a card in step 2."""
    table = scene(german={"57": [PANZER]}, soviet={"42": [TANKS]}, hands={"german": ["german/stuka-1"]})
    table.do(GERMAN_SEAT, order("deliberate-attack", targets=["42"], hexes=["57"]))

    drawing = NARRATION.drawing(table.table)

    assert "Under way: the German Deliberate Attack on hex 42 from hex 57; the German card" in text(table.table)
    assert drawing is not None
    assert drawing.at_stake == {"42"}
    assert drawing.attacks == ((PlaceId("57"), PlaceId("42")),)


def played(mode: str, commands: int, seed: int = 5) -> Playout:
    playout = Playout("inferno", "standard", seed, mode=mode)
    for number, _ in enumerate(playout.steps(), start=1):
        if number == commands:
            break
    return playout


@each_row("seat", [GERMAN_SEAT, SOVIET_SEAT, PUBLIC])
def test_a_viewer_reads_the_units_of_its_own_side_only(seat: Seat) -> None:
    """fog.blocks-upright, fog.1v1-soviet-sees-own"""
    playout = played(ONE_VS_ONE, 8)
    table, said = playout.desk.table, text(playout.seen_by(seat))
    on_map = [piece for piece in table.pieces.values() if piece.place in NARRATION.board.hexes and piece.kind]
    hidden = [piece for piece in on_map if seat not in table.known_to.get(piece.id, (seat,))]
    own = [piece for piece in on_map if piece.side == table.plays.get(seat)]
    stacks = said[said.index("German Stacks:") : said.index("Reinforcement Track:")]

    assert table.ended is None
    assert hidden
    for piece in hidden:
        assert NARRATION.block(table, piece.id) in stacks
        assert f"{NARRATION.name(piece.kind)} (" not in stacks
    for piece in own:
        assert NARRATION.enlisted(table, piece.id) in stacks


def strip(table: Table, title: str) -> list[tuple[Cell, ...]]:
    """Return the rows of a drawn strip; none if it is not drawn."""
    drawing = NARRATION.drawing(table)
    assert drawing is not None
    return [row for one in drawing.strips if one.title == title for row in one.rows]


def test_the_reinforcement_track_is_drawn_with_units_face_down_and_what_a_row_removes() -> None:
    table = scene(german={"19": [PANZER]}, track={2: ["71-motorized", "36-panzer"]}).table
    rows = strip(table, "Reinforcement Track")
    boxes = NARRATION.board.track.boxes
    looks = [[cell.look for cell in row[1:] if not cell.notes and not cell.title] for row in rows]

    assert [row[0].label for row in rows] == ["1", "2", "3", "4", "5", "6"]
    assert {len(row) for row in looks} == {boxes}
    assert [row.count(BACK) for row in looks] == [0, 2, 0, 0, 0, 0]
    assert not any(cell.pieces for row in rows for cell in row)
    assert rows[1][-1].notes == ("Removes 120th Motorized Regiment",)
    assert {tuple(cell.label for cell in row[1 : boxes + 1]) for row in rows} == {("", "", "", "", "W")}, "setup.step-9"
    assert rows[5][-1].notes == ("Removes no unit",), "german.reinforce.row-six-basic"


def test_the_death_pool_is_a_track_and_the_units_lost_lie_below_the_map() -> None:
    table = scene(german={"19": [PANZER]}, dead=[GRENADIER, "576-infantry"]).table
    (pool,), (lost,) = strip(table, "Death Pool"), strip(table, "Units in the Death Pool")

    assert [cell.label for cell in pool if cell.is_current] == ["3"]
    assert lost[0].pieces == tuple(table.pieces_at(DEATH_POOL))


@each_row("seat", [GERMAN_SEAT, SOVIET_SEAT, PUBLIC])
def test_a_hand_is_drawn_open_to_its_owner_and_as_backs_to_all_others(seat: Seat) -> None:
    playout = played(ONE_VS_ONE, 8)
    seen = playout.seen_by(seat)
    for owner, side in ((GERMAN_SEAT, "German"), (SOVIET_SEAT, "Soviet")):
        cards = playout.desk.table.pile(hand(owner)).cards
        name = NARRATION.name(hand(owner))
        own = [cell.title for row in strip(seen, name) for cell in row]
        backs = [cell.number for row in strip(seen, f"{side} cards") for cell in row if cell.title == name]

        assert own == ([NARRATION.name(card) for card in cards] if seat == owner else [])
        assert backs == ([len(cards)] if cards and seat != owner else [])


def sizes(table: Table) -> Iterator[tuple[bool, str, float]]:
    """Yield whether each text of the drawn map is on a counter, the text, and how high it is on the page of a window of usual size, in pixels."""
    drawing = NARRATION.drawing(table)
    assert drawing is not None
    ((_, drawn),) = draw_maps(drawing.sheet, spread_of(drawing, NARRATION, table, None))
    root = ElementTree.fromstring(drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))
    scale = SHOWN_WIDE / float(root.attrib["viewBox"].split()[2])

    def found(group: ElementTree.Element, size: float, *, is_counter: bool) -> Iterator[tuple[bool, str, float]]:
        factor = float(group.get("transform", "").partition("scale(")[2].rstrip(")") or 1)
        is_counter = is_counter or group.get("class") == "counter"
        for inside in group:
            if inside.tag == f"{SVG}text":
                yield is_counter, inside.text or "", float(inside.attrib["font-size"]) * size * factor
            yield from found(inside, size * factor, is_counter=is_counter)

    yield from found(root, scale, is_counter=False)


def test_numbers_of_blocks_and_hexes_are_large_enough_to_be_read_without_enlarging_the_map() -> None:
    full = [PANZER, GRENADIER, "577-infantry", "211-infantry"]
    table = scene(german={"21": full, "W": ["576-infantry"]}, soviet={"9": [TANKS]}).table
    shown = list(sizes(table))
    blocks = {said: size for is_counter, said, size in shown if is_counter and said in {"2", "64", "577", "211", "576"}}
    hexes = {said: size for is_counter, said, size in shown if not is_counter and said in NARRATION.board.hexes}

    assert set(blocks) == {"2", "64", "577", "211", "576"}
    assert min(blocks.values()) >= 9
    assert hexes.keys() == NARRATION.board.hexes.keys()
    assert min(hexes.values()) >= 8
    assert {size >= 8 for is_counter, said, size in shown if said in {"Gnusina", "Alexandrovka"}} == {True}
