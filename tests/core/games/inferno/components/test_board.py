"""The shipped board: every statement of the rulebook's text about map, blocks and cards holds on it.

Numbers such as C24 are those of the statements, P4 those of what the reconstruction promises besides.
"""

from collections import Counter
from itertools import combinations, product

from core.file_checks.checked_file import checked_file
from core.games.inferno.components.board import BOARD_FILE
from core.games.inferno.ids import EDGES, GERMAN, SOVIET
from core.geometry.hexes import distance
from events.ids import CardId, PlaceId
from tests.support.rows import each_row

BOARD = BOARD_FILE.load()
HEXES = BOARD.hexes
GERMANS = BOARD.blocks_of(GERMAN, has_axe=True)
BASE = BOARD.blocks_of(GERMAN)
SOVIETS = BOARD.blocks_of(SOVIET)
NUMBERED = [str(number) for number in range(1, 106)]
SOVIET_SPAWN = ["3", "7", "9", "13", "15", "19"]


def near(place: str) -> set[str]:
    return set(HEXES[PlaceId(place)].near)


def terrain(place: str) -> str:
    return HEXES[PlaceId(place)].terrain


def test_the_shipped_file_has_no_defects() -> None:
    checked = checked_file(BOARD_FILE, BOARD_FILE.shipped_bytes)

    assert (checked.differences, checked.contradictions) == ((), ())


# The map


def test_109_hexes_105_with_a_number_and_four_with_a_letter() -> None:
    """C1, C2; RuleId("components.playing-area")."""
    assert sorted(HEXES) == sorted([*NUMBERED, "W", "X", "Y", "Z"])


def test_the_germans_begin_with_the_lettered_hexes() -> None:
    """C3; RuleId("control.initial")."""
    assert BOARD.setup.german_control == ("W", "X", "Y", "Z")


def test_the_hexes_form_one_grid() -> None:
    """C6."""
    assert len({hex_.position for hex_ in HEXES.values()}) == 109
    assert all(one in near(other) for one in HEXES for other in near(one))


def test_27_hexes_are_urban_and_23_are_setup_hexes_with_a_number() -> None:
    """C8, C29; RuleId("components.urban-hexes"), RuleId("components.setup-hexes")."""
    setup = [hex_.id for hex_ in HEXES.values() if hex_.is_setup]

    assert Counter(hex_.terrain for hex_ in HEXES.values())["urban"] == 27
    assert len(setup) == 23
    assert set(setup) <= set(NUMBERED)


def test_what_each_terrain_allows() -> None:
    """C9; RuleId("terrain.clear"), RuleId("terrain.rough"), RuleId("terrain.urban")."""
    said = {
        name: (row.long_move, row.rubble_roll, row.defender_first, row.combined_force, row.blitz)
        for name, row in BOARD.terrain.items()
    }

    assert said == {
        "clear": (True, False, False, True, True),
        "rough": (False, False, False, False, False),
        "urban": (False, True, True, False, False),
    }
    assert BOARD.terrain_of(PlaceId("7")) == BOARD.terrain["urban"]


def test_nine_spawn_hexes_and_who_enters_where() -> None:
    """C10, C11, C68; RuleId("components.spawn-hexes"), RuleId("components.spawn-hex-colours")."""
    assert sorted(hex_.id for hex_ in HEXES.values() if hex_.spawn == "soviet") == sorted(SOVIET_SPAWN)
    assert BOARD.german_spawn == ("X", "Y", "Z")
    assert BOARD.entry == {"white": ("X", "Y", "Z"), "yellow": ("X", "Y"), "blue": ("Z",)}
    assert BOARD.soviet_spawn == ("3", "19", "9", "15", "13", "7")


def test_the_coast_is_hexes_3_to_19_and_any_three_dice_name_one_of_them() -> None:
    """C12, C13, C14; RuleId("components.coastal-hexes"), RuleId("victory.okh.nineteen-hexes")."""
    coast = [hex_.id for hex_ in HEXES.values() if hex_.is_coastal]

    assert coast == [str(number) for number in range(3, 20)]
    assert {str(sum(dice)) for dice in product(range(1, 7), repeat=3)} <= set(coast)
    assert BOARD.victory.okh_hexes == tuple(str(number) for number in range(1, 20))


def test_the_compass_has_each_direction_in_rotation_and_leads_to_the_hexes_of_the_examples() -> None:
    """C15, C16, C17, C21, C22, P7; RuleId("ai.compass")."""
    middle = HEXES[PlaceId("58")]

    assert middle.toward == ("43", "44", "59", "73", "72", "57")
    assert HEXES[PlaceId("7")].next_hex(6) == "6"
    assert HEXES[PlaceId("25")].next_hex(5) == "24"
    assert HEXES[PlaceId("25")].next_hex(1) == "9"
    assert (HEXES[PlaceId("9")].next_hex(2), HEXES[PlaceId("9")].next_hex(1)) == ("10", None)
    assert [HEXES[PlaceId("3")].next_hex(die) for die in (5, 6)] == ["2", None]
    assert HEXES[PlaceId("19")].next_hex(3) is None
    assert all(any(hex_.next_hex(die) is None for hex_ in HEXES.values()) for die in range(1, 7))
    assert all(HEXES[PlaceId(str(number))].next_hex(1) is None for number in range(3, 20))


def test_my_west_is_the_northwest_of_my_southwestern_neighbour() -> None:
    """C23."""
    found = [
        HEXES[right].next_hex(5) == hex_.next_hex(4)
        for hex_ in HEXES.values()
        if (right := hex_.next_hex(3)) is not None and hex_.next_hex(4) is not None
    ]

    assert len(found) > 50
    assert all(found)


def test_the_places_of_the_chuikov_example() -> None:
    """C18, C19, C75."""
    assert {"7", "8", "25"} <= near("24")
    assert "9" not in near("24")


def test_farthest_north_comes_first_then_nearest_the_volga() -> None:
    """C20, C73, T14; RuleId("components.orientation")."""
    stacks = [HEXES[PlaceId(place)] for place in ("25", "9", "7")]

    assert [hex_.id for hex_ in sorted(stacks, key=lambda hex_: hex_.northness)] == ["7", "9", "25"]


def test_the_dock_is_urban_and_touches_four_hexes() -> None:
    """C24, T9."""
    assert terrain("9") == "urban"
    assert near("9") == {"8", "10", "25", "26"}


def test_terrains_that_the_text_names() -> None:
    """C25, C26, C27."""
    assert [terrain(place) for place in ("7", "26", "32")] == ["urban"] * 3
    assert "urban" not in [terrain(place) for place in ("4", "21", "28")]


def test_five_fortifications() -> None:
    """C28; RuleId("designer.fortification.place")."""
    assert {(hex_.id, hex_.fortification, hex_.name) for hex_ in HEXES.values() if hex_.fortification} == {
        ("4", "brown", "Big Mushroom"),
        ("21", "brown", "Little Mushroom"),
        ("28", "brown", "Mamayev Kurgan"),
        ("26", "red", "Martin Furnace"),
        ("32", "red", "Grain Elevator"),
    }


def test_a_long_move_can_go_from_1_to_3() -> None:
    """C30, T4."""
    assert near("1") & near("3") == {"2"}
    assert [terrain(place) for place in "123"] == ["clear"] * 3


def test_the_lettered_hexes_are_clear_on_the_western_rim_and_away_from_soviet_spawn_hexes() -> None:
    """P3, P4: no Spawn Hex is captured on the first turn."""
    for place in "WXYZ":
        assert terrain(place) == "clear"
        assert HEXES[PlaceId(place)].next_hex(4) is None
        assert min(distance(HEXES[PlaceId(place)].position, HEXES[PlaceId(one)].position) for one in SOVIET_SPAWN) >= 2
    assert [one for place in "XYZ" for one in near(place) if HEXES[PlaceId(one)].is_setup] == []


def test_the_numbers_run_along_the_river() -> None:
    """P2: the coast is one hex a column, and 20 to 35 lie directly west of 4 to 19."""
    assert [HEXES[PlaceId(str(number))].q for number in range(1, 20)] == list(range(1, 20))
    assert [HEXES[PlaceId(str(number))].next_hex(4) for number in range(4, 20)] == [
        str(number + 16) for number in range(4, 20)
    ]


# Blocks


def test_40_german_and_53_soviet_blocks() -> None:
    """C33, C34, C38, C39, C41, C42; RuleId("components.german-blocks"), RuleId("components.soviet-blocks")."""
    kinds = Counter(block.kind for block in BASE)

    assert (len(GERMANS), len(SOVIETS)) == (40, 53)
    assert (kinds["panzer"], kinds["panzer_grenadier"], kinds["motorized"]) == (4, 6, 3)
    assert {(block.formation, block.colour) for block in GERMANS if block.is_axe} == {("6th Panzer Division", "white")}
    assert (len(GERMANS) - len(BASE), sum(block.is_r_unit for block in GERMANS)) == (3, 5)
    assert Counter(block.pool for block in SOVIETS) == {"infantry": 38, "tank": 13, "marine": 2}
    assert sum(block.kind == "guards" for block in SOVIETS) == 4


def test_where_units_begin() -> None:
    """C35, C36, C37; RuleId("setup.step-8"), RuleId("setup.step-9"), RuleId("components.unit-colours")."""
    infantry = Counter(block.colour for block in BASE if block.kind == "infantry")

    assert {block.id: block.start for block in GERMANS if block.start} == {
        "2-panzer": "W",
        "64-panzer-grenadier": "W",
        "79-panzer-grenadier": "W",
        "120-motorized": "X",
    }
    assert [(row.hex, row.colour, row.number) for row in BOARD.setup.random_infantry] == [
        ("X", "yellow", 1),
        ("Y", "yellow", 2),
    ]
    assert len(BASE) - 4 - 3 == BOARD.track.rows * BOARD.track.boxes == 30
    assert infantry["white"] >= 6
    assert infantry["yellow"] >= 3
    assert {block.colour for block in BASE} == {"white", "yellow", "blue"}


def test_each_r_unit_has_a_row_and_the_sixth_is_of_raus() -> None:
    """C40; RuleId("components.r-units")."""
    assert BOARD.removed_units[1] == "64-panzer-grenadier"
    assert sorted(BOARD.removed_units) == [1, 2, 3, 4, 5]
    assert {CardId(block.id) for block in GERMANS if block.is_r_unit} == set(BOARD.removed_units.values())
    assert BOARD.track.raus_row == 6


def test_special_soviet_units_are_infantry() -> None:
    """C43, C44, C45; RuleId("units.designer-specials"), RuleId("units.soviet-plain")."""
    named = {block.kind: block.name for block in SOVIETS if block.kind in ("aa", "destroyer")}

    assert named == {"aa": "1077th AA Regiment", "destroyer": "20th Destroyer Brigade"}
    assert {block.pool for block in SOVIETS if block.kind in ("aa", "destroyer", "workers", "motorized")} == {
        "infantry"
    }
    assert sum(block.kind == "division" and block.edges[0].strength == 4 for block in SOVIETS) >= 18


def test_what_is_left_over_from_the_pools_fills_the_setup_hexes() -> None:
    """C46; RuleId("setup.step-4"), RuleId("setup.step-5"), RuleId("setup.step-6")."""
    assert (BOARD.setup.tank_pool, BOARD.setup.infantry_pool) == (6, 22)
    assert 13 - BOARD.setup.tank_pool + 38 - BOARD.setup.infantry_pool == 23


def test_strength_falls_by_single_steps_and_firepower_is_of_three_colours() -> None:
    """C47, C48, C49; RuleId("strength.dots"), RuleId("firepower.single")."""
    for block in BOARD.blocks.values():
        top = block.edges[0].strength
        assert [edge.strength for edge in block.edges] == [max(top - turned, 0) for turned in range(4)]
        assert {edge.firepower for edge in block.edges if edge.strength} <= set(BOARD.hits_from)
    assert BOARD.hits_from == {"SF": 6, "DF": 5, "TF": 4}
    assert any([edge.strength for edge in block.edges].count(0) == 1 for block in SOVIETS if block.pool == "infantry")
    assert {edge.firepower for block in BOARD.blocks.values() for edge in block.edges if edge.strength == 3} == set(
        BOARD.hits_from
    )


def test_four_soviet_units_can_show_the_dice_of_the_urban_combat() -> None:
    """C50."""
    shown = {edge for block in SOVIETS for edge in block.edges if edge.firepower in ("SF", "DF")}
    sums = {
        tuple(sum(edge.strength for edge in four if edge.firepower == fire) for fire in ("SF", "DF"))
        for four in combinations([*shown, *shown], 4)
    }

    assert (5, 3) in sums


def test_sixteen_german_units_can_show_32_dots() -> None:
    """C51."""
    assert sum(sorted([block.edges[0].strength for block in BASE], reverse=True)[:16]) >= 32


def test_types_of_units() -> None:
    """C52, C53; RuleId("units.two-types"), RuleId("units.blitz-kinds")."""
    types = {
        (block.side, block.kind): (block.is_infantry, block.is_tank, block.has_blitz) for block in BOARD.blocks.values()
    }

    assert types[GERMAN, "panzer"] == (False, True, True)
    assert types[GERMAN, "panzer_grenadier"] == (True, True, True)
    assert types[GERMAN, "motorized"] == (True, False, True)
    assert types[GERMAN, "infantry"] == (True, False, False)
    assert types[SOVIET, "tank"] == (False, True, False)
    assert {said for (side, kind), said in types.items() if side == SOVIET and kind != "tank"} == {(True, False, False)}


def test_a_block_without_dots_on_top_is_set_to_its_lowest_edge() -> None:
    """T1; RuleId("ai.adjust-no-dot")."""
    block = BOARD.blocks[CardId("20-destroyer")]

    assert [block.edge(face).strength for face in EDGES] == [3, 2, 1, 0]
    assert block.lowest_face == "edge-3"


# Cards


def test_the_german_deck() -> None:
    """C56, C57, C58, C59, C61, C66; RuleId("components.german-deck")."""
    titles = BOARD.titles[GERMAN]

    assert {title.id for title in titles.values() if title.op == "leader"} == {
        "paulus",
        "hoth",
        "von_richthofen",
        "linden",
        "okh",
    }
    assert {
        title.id: (title.count, title.dice, title.firepower, title.rubble, title.is_airstrike)
        for title in titles.values()
        if title.op == "fire"
    } == {
        "heinkel_111": (4, 6, "TF", 3, True),
        "stuka": (4, 5, "TF", 2, True),
        "howitzer": (4, 6, "TF", 2, False),
        "pioneer": (4, 5, "TF", 1, False),
    }
    assert {
        title.id: (title.count, title.target, title.steps) for title in titles.values() if title.op == "lose_steps"
    } == {"sniper": (3, "infantry", 1), "pak": (2, "tank", 1)}
    assert len(BOARD.deck(GERMAN)) == 26
    assert BOARD.leaders.von_richthofen_factor == 2


def test_the_672nd_pioneer_needs_linden_and_may_be_a_fifth_card() -> None:
    """C60; RuleId("leader.linden.672nd"), ruling.pioneer-672nd."""
    pioneers = [card for card in BOARD.cards.values() if card.title.id == "pioneer"]

    assert [card.name for card in pioneers if card.needs_linden] == ["672nd Pioneer"]
    assert sum(not card.is_extra for card in pioneers) == 4
    assert len(BOARD.deck(GERMAN, has_extra=True)) == 27


def test_the_soviet_deck() -> None:
    """C62, C63, C64, C66; RuleId("components.soviet-deck")."""
    titles = BOARD.titles[SOVIET]

    assert {title.id: title.count for title in titles.values()} == {
        "chuikov": 1,
        "zaytsev": 1,
        "khrushchev": 1,
        "tommy_gunner": 2,
        "volga_river_flotilla": 5,
        "aa": 4,
        "sniper": 5,
        "anti_tank": 2,
        "infiltration": 4,
        "t34_dug_in": 3,
    }
    assert {title.id: (title.dice, title.firepower) for title in titles.values() if title.dice} == {
        "tommy_gunner": (2, "DF"),
        "volga_river_flotilla": (3, "DF"),
    }
    assert {title.id: title.deploys for title in titles.values() if title.op == "deploy"} == {
        "infiltration": "infantry",
        "t34_dug_in": "tank",
    }
    assert len(BOARD.deck(SOVIET)) == 28


def test_each_aa_card_names_an_urban_hex() -> None:
    """C65; RuleId("soviet.card.aa-rubble")."""
    hexes = [card.hex for card in BOARD.cards.values() if card.title.id == "aa"]

    assert len(set(hexes)) == 4
    assert PlaceId("7") in hexes
    assert {terrain(hex_) for hex_ in hexes if hex_} == {"urban"}


# Figures


@each_row("table", ["A", "B", "C"])
def test_every_reading_of_the_spawn_icons_has_six_infantry_and_three_tanks(table: str) -> None:
    """C68, C69, C70, C71, P8, T12, T20; RuleId("soviet.spawn.order"), RuleId("soviet.spawn.table")."""
    rows = BOARD.spawn_tables[table]
    due = {row.hex: (row.infantry, row.tanks) for row in rows}

    assert tuple(due) == BOARD.soviet_spawn
    assert [sum(column) for column in zip(*due.values(), strict=True)] == [6, 3]
    assert due[PlaceId("3")] == due[PlaceId("19")] == (1, 1)
    assert [row.hex for row in rows if row.number == 2] == ["3", "19", "7" if table == "C" else "13"]
    assert (BOARD.spawn.full_hex_cards, BOARD.spawn.empty_pool_cards) == (1, 1)


def test_the_figures_of_the_rules() -> None:
    """C31, C32, C54, C67, C76, C78, C79, C80."""
    rubble, victory, way = BOARD.rubble, BOARD.victory, BOARD.designers_way

    assert (BOARD.limits.stack, BOARD.limits.rubble_markers) == (4, 15)
    assert (BOARD.track.rows, BOARD.track.boxes, BOARD.track.white_boxes, BOARD.track.dice) == (6, 5, 1, 6)
    assert (BOARD.track.cards, BOARD.setup.german_hand) == (1, 3)
    assert (rubble.dice, rubble.must_exceed, rubble.per_hex, rubble.per_tank, rubble.hits_per_step) == (3, 18, 1, 1, 2)
    assert (victory.german_losses, victory.r_unit_points, victory.okh_extra_turns) == (10, 2, 5)
    assert way.german_advantages == ("paulus", "hoth", "von_richthofen", "linden", "okh", "sixth_panzer")
    assert way.soviet_advantages[:3] == ("chuikov", "khrushchev", "zaytsev")
    assert (way.late_divisions, way.headquarters_dice, way.fortification_bonus) == (18, 3, 1)


def test_the_rubble_roll_of_the_example_succeeds_on_eight() -> None:
    """C77, T10: four hexes, two Panzers, two Panzer Grenadiers and a Heinkel."""
    rubble = BOARD.rubble
    modifier = 4 * rubble.per_hex + 4 * rubble.per_tank + BOARD.titles[GERMAN]["heinkel_111"].rubble

    assert modifier == 11
    assert 8 + modifier > rubble.must_exceed >= 7 + modifier
