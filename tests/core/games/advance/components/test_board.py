"""The packaged board says what the rulebook's text says.

Tests are numbered as the constraints that were drawn from the text (C1 to C78).
"""

import itertools
from collections import Counter
from typing import Any

import pytest

from core.components.component_file import component_digest
from core.games.advance.components.board import BOARD_FILE
from core.games.advance.components.board_model import Board
from core.games.advance.components.board_records import (
    BloodyStreetsRow,
    EventChart,
    EventRow,
    SovietSetup,
    SupplyCosts,
    Victory,
    WithdrawDivision,
)
from core.geometry.paths import distances
from events.ids import CardId, PieceId, PlaceId
from tests.support.rows import each_row

GERMAN = {"1", "2", "3", "4", "5", "6", "48", "49", "50"}
SOVIET = {str(number) for number in range(7, 48)}
VOLGA = {"8", "10", "12", "13", "14", "22", "25", "26", "37", "41", "42"}
TAKEN_BY_OCTOBER = {
    *("7", "8", "9", "10", "11", "12", "13", "15", "16", "17", "18", "19", "20", "23", "24", "27", "28", "29"),
    *("30", "31", "32", "33", "34", "45", "46", "47"),
}
HELD_IN_OCTOBER = {
    **dict.fromkeys(("14", "22", "25", "26", "41"), "heavy_urban"),
    **dict.fromkeys(("35", "36", "37", "38", "39", "40", "42"), "light_urban"),
    **dict.fromkeys(("21", "43"), "elevated"),
    "44": "clear",
}
GUNS = {"244A", "244B", "244C", "245A", "245B", "177"}
WAYS = Counter(sum(faces) for faces in itertools.product(range(1, 7), repeat=3))


@pytest.fixture(scope="module")
def board() -> Board:
    return BOARD_FILE.load()


def area(board: Board, number: int | str) -> Any:
    return board.areas[PlaceId(str(number))]


def of_division(board: Board, division: str) -> list[str]:
    return [unit.id for unit in board.units.values() if unit.division == division]


# The map


def test_c1_there_are_fifty_areas_numbered_from_1(board: Board) -> None:
    """Rule 3.1.fifty-areas."""
    assert list(board.areas) == [str(number) for number in range(1, 51)]
    assert list(board.areas) == [str(number) for number in range(1, 51)]


@each_row("number", range(1, 51))
def test_c2_eleven_areas_are_at_the_volga(board: Board, number: int) -> None:
    """Rule 3.1.volga-areas."""
    assert area(board, number).is_volga == (str(number) in VOLGA)
    assert (PlaceId(str(number)) in board.volga) == (str(number) in VOLGA)


def test_c3_nine_areas_begin_german(board: Board) -> None:
    """Rules 3.1.1.identifier and 5.3.1.german-setup."""
    assert {one.id for one in board.areas.values() if one.is_german_at_start} == GERMAN
    assert set(board.scenarios["main"].german_control) == GERMAN


def test_c4_the_other_41_areas_begin_soviet(board: Board) -> None:
    """Rules 3.1.1.identifier, 14.2.control-markers and 14.5.1.soviet-setup."""
    assert {setup.area for setup in board.scenarios["main"].soviet_setup} == SOVIET
    assert set(board.scenarios["factory"].german_control) == TAKEN_BY_OCTOBER | GERMAN
    assert {setup.area for setup in board.scenarios["factory"].soviet_setup} == SOVIET - TAKEN_BY_OCTOBER


def test_c5_only_areas_that_begin_soviet_have_terrain(board: Board) -> None:
    """Rule 3.1.2.tem."""
    assert {(one.terrain, one.tem) for one in board.areas.values() if one.is_german_at_start} == {("none", 0)}
    assert {one.tem for one in board.areas.values() if not one.is_german_at_start} <= {1, 2, 3, 4}
    assert area(board, 10).tem == 4


@each_row(
    ("number", "tem"),
    [(27, 1), (19, 2), (28, 2), (21, 4), (9, 3), (15, 4), (10, 4)],
)
def test_c6_the_tem_follows_the_terrain(board: Board, number: int, tem: int) -> None:
    """Rule 9.5.3.b-tem."""
    assert area(board, number).tem == tem


def test_c6_but_for_three_areas_the_tem_is_that_of_the_terrain(board: Board) -> None:
    """Rule 9.5.3.b-tem."""
    usual = {"none": 0, "clear": 1, "elevated": 2, "light_urban": 3, "heavy_urban": 4}
    unusual = {one.name for one in board.areas.values() if one.tem != usual[one.terrain]}

    assert unusual == {"Stalingradski Airfield", "Mamayev Kurgan", "Central Rail Station"}


def test_c7_three_areas_have_a_tem_of_their_own(board: Board) -> None:
    """Rule 9.5.3.b-tem."""
    names = {"Stalingradski Airfield", "Mamayev Kurgan", "Central Rail Station"}
    found = sorted((one.name, one.terrain, one.tem) for one in board.areas.values() if one.name in names)

    assert found == [
        ("Central Rail Station", "light_urban", 4),
        ("Mamayev Kurgan", "elevated", 4),
        ("Stalingradski Airfield", "clear", 2),
    ]


@each_row(
    ("number", "name"),
    [
        (1, "Hill 126.3"),
        (2, "Hill 144.5"),
        (3, "Dubovaya Woods"),
        (4, "Tsaritsa Woods"),
        (5, "Leather Factory"),
        (6, "Hill 120.0"),
        (8, "Sawmill"),
        (10, "Grain Elevator"),
        (14, "9 January Square"),
        (21, "Mamayev Kurgan"),
        (23, "Banny Gully"),
        (24, "Red October Worker's Settlement"),
        (28, "Hill 107.5"),
        (29, "Hill 98.9"),
        (34, "Mechetka Ravine"),
        (45, "Hill 135.4"),
        (48, "Yerzovka"),
        (49, "Vinnovka"),
        (50, "Latashanka"),
    ],
)
def test_c8_names_given_with_their_number(board: Board, number: int, name: str) -> None:
    assert area(board, number).name == name


@each_row(("number", "terrain"), HELD_IN_OCTOBER.items())
def test_c9_terrain_of_the_areas_held_in_october(board: Board, number: str, terrain: str) -> None:
    """Rule 14.5.1.soviet-setup."""
    assert area(board, number).terrain == terrain


def test_c10_the_grain_elevator_is_heavy_urban(board: Board) -> None:
    """Rule 3.1.1.shape: it takes a Heavy Urban counter, the Kurgan an Elevated one."""
    setup = {row.area: row.terrain for row in board.scenarios["main"].soviet_setup}

    assert (area(board, 10).terrain, area(board, 10).tem) == ("heavy_urban", 4)
    assert (setup[PlaceId("10")], setup[PlaceId("21")]) == ("heavy_urban", "elevated")


def test_c11_there_are_more_counters_than_areas_of_each_terrain(board: Board) -> None:
    """Rules 5.4.one-counter-per-area and 5.4.excess-unseen."""
    have = Counter(counter.terrain for counter in board.counters.values())
    need = Counter(row.terrain for row in board.scenarios["main"].soviet_setup)

    assert all(0 < need[terrain] <= have[terrain] for terrain in have)
    assert (have.total(), need.total()) == (55, 41)


def test_c12_urban_terrain_is_light_or_heavy_urban(board: Board) -> None:
    """Rule 3.1.1.shape."""
    urban = {one.terrain for one in board.areas.values() if one.is_urban}
    other = {one.terrain for one in board.areas.values() if not one.is_urban}

    assert (urban, other) == ({"light_urban", "heavy_urban"}, {"none", "clear", "elevated"})


def test_c13_adjacency_works_both_ways_between_different_areas(board: Board) -> None:
    """Rule 3.1.adjacency."""
    for one, near in board.adjacency.neighbours.items():
        assert one not in near
        assert list(near) == sorted(near, key=int)
        assert all(one in board.adjacency.near(other) for other in near)


def test_c13_areas_are_adjacent_where_they_share_a_boundary(board: Board) -> None:
    """Rule 3.1.adjacency."""
    asked = [("6", "8"), ("8", "6"), ("6", "10"), ("6", "6"), ("6", "51"), ("51", "6")]

    assert [board.adjacency.are_adjacent(PlaceId(one), PlaceId(other)) for one, other in asked] == [
        True,
        True,
        *[False] * 4,
    ]


def test_c14_the_sawmill_and_the_grain_elevator_are_adjacent(board: Board) -> None:
    assert board.adjacency.are_adjacent(PlaceId("8"), PlaceId("10"))


def test_c15_the_northern_areas_touch_42_to_47(board: Board) -> None:
    """Rule 12.2.northern-shoulder."""
    north = {PlaceId("48"), PlaceId("49"), PlaceId("50")}
    touched = set().union(*(board.adjacency.near(one) for one in north)) - north

    assert touched == {"42", "43", "44", "45", "46", "47"}
    assert board.northern_setup_areas == north
    assert board.northern_areas == north | touched
    assert all(set(board.adjacency.near(one)) - north for one in north)


def test_c16_the_29th_can_reach_the_sawmill_on_turn_1(board: Board) -> None:
    assert board.adjacency.are_adjacent(PlaceId("6"), PlaceId("8"))


# German units


def test_c17_armor_moves_6_and_infantry_4(board: Board) -> None:
    """Rules 4.2.1.armor and 4.2.2.infantry."""
    assert {(unit.kind, unit.movement_factor) for unit in board.units.values()} == {("armor", 6), ("infantry", 4)}
    assert (board.supply.costs.return_armor, board.supply.costs.return_infantry) == (2, 1)


@each_row(("unit", "kind"), [("24/26", "armor"), ("94/267", "infantry"), ("244A", "armor")])
def test_c17_vehicles_are_armor(board: Board, unit: str, kind: str) -> None:
    """Rule 4.2.types."""
    assert board.units[PieceId(unit)].kind == kind


def test_c18_six_assault_guns_belong_to_no_division(board: Board) -> None:
    """Rule 4.3.2.parent-organization."""
    assert {unit.id for unit in board.units.values() if unit.division is None} == GUNS
    assert board.units[PieceId("29/RCN")].division == "29"


def test_c19_units_begin_in_the_nine_german_areas(board: Board) -> None:
    """Rules 5.3.1.german-setup and 5.3.2.reinforcement-marks."""
    main = board.scenarios["main"]

    assert set(main.german_setup.values()) == GERMAN
    assert [(group.turn, group.tag) for group in main.groups] == [(2, "T2"), (7, "T7")]
    assert not main.german_setup.keys() & {unit for group in main.groups for unit in group.units}


@each_row("scenario", ["main", "factory"])
def test_c20_no_area_and_no_group_holds_more_than_four_units(board: Board, scenario: str) -> None:
    played = board.scenarios[scenario]
    stacks = Counter(played.german_setup.values())

    assert max(stacks.values()) <= 4
    assert max(len(group.units) for group in played.groups) <= 4


def test_c21_the_29th_has_four_units_on_the_map(board: Board) -> None:
    main = board.scenarios["main"]
    places = [main.german_setup[unit.id] for unit in board.units.values() if unit.division == "29"]

    assert places == ["6", "6", "6", "6"]


def test_c22_the_reconnaissance_of_the_29th_attacks_with_6(board: Board) -> None:
    """Rule 4.3.1.factors."""
    unit = board.units[PieceId("29/RCN")]

    assert (unit.attack_factor, unit.movement_factor) == (6, 6)


def test_c23_turn_2_brings_three_units_of_the_389th_and_a_gun(board: Board) -> None:
    """Rules 6.1.1.turn-2-group and 5.3.2.reinforcement-marks."""
    group = board.scenarios["main"].groups[0]

    assert group.units == ("389/544", "389/545", "389/546", "245A")
    assert {board.units[unit].kind for unit in group.units[:3]} == {"infantry"}


def test_c24_turn_7_brings_the_100th_and_a_gun(board: Board) -> None:
    """Rules 6.1.1.turn-7-group and 5.3.2.reinforcement-marks."""
    group = board.scenarios["main"].groups[1]

    assert group.units == ("100/54", "100/227", "100/369", "245B")


def test_c25_turn_12_brings_the_79th_and_a_gun(board: Board) -> None:
    """Rules 14.4.turn-12-group and 4.3.factory-only-units."""
    group = board.scenarios["factory"].groups[0]

    assert (group.turn, group.units) == (12, ("79/208", "79/212", "79/226", "244C"))
    assert not set(group.units) & set(board.scenarios["main"].units())


def test_c26_the_14th_has_three_units_in_october(board: Board) -> None:
    """Rules 14.6.1.breakthrough-64 and 4.3.factory-only-units."""
    units = of_division(board, "14")

    assert [unit for unit in units if unit in board.scenarios["factory"].german_setup] == units
    assert len(units) == 3
    assert not set(units) & set(board.scenarios["main"].units())


@each_row(
    ("unit", "place"),
    [
        ("295/516", "1"),
        ("295/517", "1"),
        ("24/26", "3"),
        ("24/PZ", "3"),
        ("24/21", "4"),
        ("24/RCN", "4"),
        ("29/15", "6"),
        ("29/71", "6"),
        ("60/120", "48"),
        ("16/64", "49"),
        ("16/79", "50"),
    ],
)
def test_c27_legible_counters_stand_where_they_were_read(board: Board, unit: str, place: str) -> None:
    assert board.scenarios["main"].german_setup[PieceId(unit)] == place


def test_c28_legible_counters_of_october_stand_where_they_were_read(board: Board) -> None:
    """Rules 14.3.1.german-setup and 14.3.1.out-of-action."""
    factory = board.scenarios["factory"]
    in_45 = [board.units[unit] for unit, place in factory.german_setup.items() if place == "45"]

    assert [factory.german_setup[PieceId(unit)] for unit in ("71/194", "16/64", "16/79")] == ["14", "50", "50"]
    assert any((unit.attack_factor, unit.movement_factor) == (3, 4) for unit in in_45)
    assert [board.units[unit].attack_factor for unit in factory.out_of_action] == [5, 7]
    assert board.scenarios["main"].german_setup[factory.out_of_action[1]] == "50"


def test_c29_the_places_of_october(board: Board) -> None:
    """Rule 14.3.1.german-setup."""
    factory = board.scenarios["factory"]

    assert set(factory.german_setup.values()) == {"14", "21", "23", "24", "28", "29", "34", "45", "50"}
    assert factory.out_of_action


def test_c30_in_october_units_stand_in_german_areas_but_for_two(board: Board) -> None:
    """Rule 14.3.1.contested-at-start."""
    factory = board.scenarios["factory"]

    assert set(factory.german_setup.values()) - set(factory.german_control) == {"14", "21"}


def test_c31_every_unit_is_in_one_of_the_scenarios(board: Board) -> None:
    assert board.units.keys() == {*board.scenarios["main"].units(), *board.scenarios["factory"].units()}


def test_c31_the_main_game_begins_with_25_units_on_the_map(board: Board) -> None:
    """Rule 5.3.all-fresh counts them."""
    assert len(board.scenarios["main"].german_setup) == 25
    assert len(board.scenarios["main"].units()) == 33


def test_c32_the_example_of_play_follows_from_the_board(board: Board) -> None:
    combat, elevator = board.combat, area(board, 10)
    shortage = board.scenarios["main"].events.row(15).artillery_bonus
    soviet = next(
        counter
        for counter in board.counters.values()
        if (counter.terrain, counter.strategy, counter.defence_factor) == (elevator.terrain, "fanatic", 8)
    )

    assert shortage is not None

    attack = board.units[PieceId("29/RCN")].attack_factor + 3 * combat.extra_unit_bonus + shortage
    attack += combat.engineer_bonus + combat.divisional_integrity_bonus + board.morale.strong_attack_bonus
    defence = soviet.defence_factor + elevator.tem - 3

    assert (attack, defence, attack + 6, defence + 7) == (14, 9, 20, 16)
    assert 0 < (attack + 6) - (defence + 7) <= soviet.defence_factor


# Soviet units


def test_c33_the_counter_mix(board: Board) -> None:
    """Rule 4.4.soviet-unit."""
    mix = Counter(counter.terrain for counter in board.counters.values())

    assert mix == {"clear": 6, "elevated": 8, "light_urban": 32, "heavy_urban": 9}
    assert len(board.counters) == 55
    assert set(board.scenarios["main"].pool) == board.counters.keys()


@each_row(
    ("terrain", "strategies"),
    [
        ("clear", "HABFHA"),
        ("elevated", "HABFHABF"),
        ("light_urban", "HABFGHABFGHABFGHABFGHABFGHABFGHA"),
        ("heavy_urban", "ABFGABFGA"),
    ],
)
def test_c34_the_strategies_of_each_terrain_in_the_checklists_order(
    board: Board, terrain: str, strategies: str
) -> None:
    found = [counter.strategy[0].upper() for counter in board.counters.values() if counter.terrain == terrain]

    assert "".join(found) == strategies


def test_c35_the_purchases_of_the_example_use_up_13_points(board: Board) -> None:
    costs = board.supply.costs

    assert 2 * costs.engineer + 6 * costs.artillery + costs.morale == 4 + 9


def test_c36_the_pool_of_october(board: Board) -> None:
    """Rule 14.5.1.pool."""
    pool = [board.counters[counter] for counter in board.scenarios["factory"].pool]
    faces: dict[str, list[str]] = {}
    for counter in pool:
        faces.setdefault(counter.terrain, []).append(f"{counter.defence_factor}{counter.strategy[0].upper()}")

    assert {terrain: " ".join(sorted(found)) for terrain, found in faces.items()} == {
        "elevated": "6A 6B 7F 7H 8A 8B",
        "light_urban": "7B 7F 7G 8A 8A 8B 8G 8H 9A 9B 9G 9H",
        "heavy_urban": "10A 10F 10G 7A 7B 8G 9A 9B",
    }


def test_c37_three_units_begin_revealed_in_october(board: Board) -> None:
    """Rules 14.5.1.revealed-units and 14.5.1.soviet-setup."""
    setup = board.scenarios["factory"].soviet_setup
    revealed = {row.area: board.counter(row.counter) for row in setup if row.counter is not None}

    assert {place: (one.terrain, one.strategy, one.defence_factor) for place, one in revealed.items()} == {
        "14": ("heavy_urban", "fanatic", 8),
        "21": ("elevated", "fanatic", 9),
        "44": ("clear", "barrage", 5),
    }
    assert {row.area: row.terrain for row in setup} == HELD_IN_OCTOBER
    assert SovietSetup(PlaceId("22"), "heavy_urban", None) in setup


def test_c38_the_pool_of_october_covers_the_unrevealed_units(board: Board) -> None:
    factory = board.scenarios["factory"]
    pool = Counter(board.counters[counter].terrain for counter in factory.pool)
    need = Counter(row.terrain for row in factory.soviet_setup if row.counter is None)

    assert need == {"light_urban": 7, "heavy_urban": 4, "elevated": 1}
    assert need <= pool


def test_c39_a_heavy_urban_fanatic_8_exists(board: Board) -> None:
    faces = [(one.terrain, one.strategy, one.defence_factor) for one in board.counters.values()]

    assert ("heavy_urban", "fanatic", 8) in faces


def test_c40_guards_are_urban(board: Board) -> None:
    """Rule 4.4.soviet-unit."""
    guards = {counter.terrain for counter in board.counters.values() if counter.strategy == "guards"}

    assert guards == {"light_urban", "heavy_urban"}


def test_c41_pavlovs_house_stands_apart(board: Board) -> None:
    """Rules 4.5.8.pavlov-only-optional and 12.6.guards-every-time."""
    house = board.pavlovs_house

    assert (house.terrain, house.strategy, house.is_always_guards) == ("heavy_urban", "guards", True)
    assert house.id not in board.counters
    assert board.counter(house.id) is house
    assert not any(counter.is_always_guards for counter in board.counters.values())
    assert board.counter(CardId("H3")).defence_factor == 8


# Markers, supply, set-up


def test_c42_to_c44_markers_are_finite(board: Board) -> None:
    """Rule 4.5.marker-totals."""
    assert (board.markers.air, board.markers.isolation) == (3, 14)
    assert board.markers.artillery >= 6
    assert board.markers.engineer >= 2


def test_c45_the_supply_costs(board: Board) -> None:
    assert board.supply.costs == SupplyCosts(
        artillery=1, engineer=2, air=3, return_infantry=1, return_armor=2, morale=3
    )


def test_c46_the_supply_roll(board: Board) -> None:
    assert (board.supply.dice, board.supply.opening_turn_minimum) == (4, 16)


def test_c47_free_air_markers(board: Board) -> None:
    assert {key: scenario.free_air for key, scenario in board.scenarios.items()} == {"main": 1, "factory": 2}


def test_c48_where_units_return(board: Board) -> None:
    assert board.supply.return_areas == ("1", "2", "3", "4", "5")
    assert board.northern_setup_areas == {"48", "49", "50"}


def test_c49_the_main_game_begins(board: Board) -> None:
    main = board.scenarios["main"]

    assert (main.first_turn, main.morale, main.supply, len(main.german_control)) == (1, 19, 0, 9)
    assert main.counts_control


def test_c50_the_factory_scenario_begins(board: Board) -> None:
    factory = board.scenarios["factory"]

    assert (factory.first_turn, factory.morale, factory.supply, len(factory.german_control)) == (10, 15, 0, 35)
    assert not factory.counts_control


def test_c51_the_turns_and_their_dates(board: Board) -> None:
    main, factory = board.scenarios["main"], board.scenarios["factory"]

    assert (main.last_turn, factory.last_turn) == (9, 14)
    assert (main.turn_label(1), main.turn_label(9)) == ("September 13-14", "September 29-30")
    assert (main.turn_label(0), main.turn_label(10)) == ("", "")
    assert factory.turn_label(10) == "October 14-15"
    assert factory.turn_label(14).endswith("31")


# Figures of the rules


def test_c53_what_movement_costs(board: Board) -> None:
    figures = board.movement

    assert (figures.cost_vacant, figures.cost_vacant_adjacent_to_soviet) == (1, 2)
    assert (figures.cost_revealed_soviet, figures.cost_unrevealed_soviet) == (3, 4)


def test_c54_stacking(board: Board) -> None:
    assert board.movement.stacking_german == 4


def test_c55_attack_modifiers(board: Board) -> None:
    combat = board.combat

    assert (combat.extra_unit_bonus, combat.artillery_bonus, combat.engineer_bonus) == (1, 2, 2)
    assert (combat.divisional_integrity_bonus, combat.divisional_integrity_min_units) == (1, 3)


def test_c56_dice_and_air(board: Board) -> None:
    combat = board.combat

    assert (combat.german_dice, combat.soviet_dice) == (2, 2)
    assert (combat.air_max_per_combat, combat.defence_value_min) == (1, 0)


def test_c57_morale_and_its_states(board: Board) -> None:
    morale = board.morale

    assert (morale.min, morale.max, morale.strong_at_least) == (0, 19, 10)
    assert (morale.strong_attack_bonus, morale.shaken_defence_bonus) == (1, 1)


def test_c58_morale_changes(board: Board) -> None:
    morale = board.morale

    assert (morale.end_phase_change, morale.repulse_change, morale.heroes_change) == (-1, -1, -1)
    assert morale.capture_tem4_change == 1


def test_c59_bloody_streets(board: Board) -> None:
    assert board.bloody_streets == (
        BloodyStreetsRow(low=1, high=4, morale=0, flip_spent=False),
        BloodyStreetsRow(low=5, high=5, morale=-1, flip_spent=False),
        BloodyStreetsRow(low=6, high=6, morale=-1, flip_spent=True),
    )


def test_c60_isolation(board: Board) -> None:
    assert board.isolation == {1: 1, 2: 0, 3: 0, 4: -1, 5: -1, 6: -2}


# Random events


def weights(chart: EventChart) -> Counter[str]:
    """Count the throws of three dice that give each event."""
    found: Counter[str] = Counter()
    for roll, ways in WAYS.items():
        found[chart.row(roll).name] += ways
    return found


@each_row("scenario", ["main", "factory"])
def test_c63_charts_cover_every_roll_of_three_dice(board: Board, scenario: str) -> None:
    chart = board.scenarios[scenario].events

    assert sorted(roll for row in chart.rows for roll in range(row.low, row.high + 1)) == list(range(3, 19))


def test_c64_a_roll_of_3_withdraws_the_29th_once(board: Board) -> None:
    three, four = (board.scenarios["main"].events.row(roll) for roll in (3, 4))

    assert (three.name, three.repeat_as) == ("64th Army Breakthrough", 4)
    assert three.withdraws == WithdrawDivision("29", 1, -1, (PlaceId("5"), PlaceId("6")))
    assert four.name != three.name


def test_c65_a_roll_of_15_is_a_shortage_of_shells(board: Board) -> None:
    row = board.scenarios["main"].events.row(15)

    assert (row.name, row.artillery_bonus) == ("Artillery Shell Shortages", 1)


def test_c66_three_events_have_no_result_on_turn_1(board: Board) -> None:
    chart = board.scenarios["main"].events

    assert set(chart.no_result_on_turn_1) == {"64th Army Breakthrough", "66th Army Breakthrough", "Logistical Pause"}
    assert set(chart.no_result_on_turn_1) <= {row.name for row in chart.rows}
    assert board.scenarios["factory"].events.no_result_on_turn_1 == ()


def test_c67_commissars_and_logistics_are_most_common(board: Board) -> None:
    common = weights(board.scenarios["main"].events).most_common()

    assert common[0][0] == "Commissars"
    assert {name for name, _ in common[:3]} == {"Commissars", "Artillery Shell Shortages", "Logistical Pause"}
    assert common[2][1] > common[3][1]


def test_c68_a_pause_stops_a_part_of_the_force(board: Board) -> None:
    divisions = {board.units[unit].division for unit in board.scenarios["main"].units()} - {None}
    pauses = [set(row.paused_divisions) for row in board.scenarios["main"].events.rows if row.paused_divisions]

    assert len(pauses) == 2
    assert all(paused < divisions for paused in pauses)


@each_row(
    ("rolls", "name", "effects"),
    [
        ((3,), "64th Army Breakthrough", {"withdraws": WithdrawDivision("14", 1, -1)}),
        ((4,), "64th Army Offensive", {"no_air_placement": True}),
        ((5, 6, 15, 16), "Artillery Shell Shortages", {"artillery_bonus": 1}),
        ((7, 8, 13, 14), "Rain", {"no_air_placement": True, "movement_cap": 4}),
        ((9, 10, 11, 12), "Commissars", {"soviet_defence": 1}),
        ((17,), "66th Army Offensive", {"no_air_placement": True}),
        ((18,), "66th Army Breakthrough", {"supply_dice": 2, "no_air_placement": True}),
    ],
)
def test_c69_the_chart_of_october(board: Board, rolls: tuple[int, ...], name: str, effects: dict[str, Any]) -> None:
    found = [board.scenarios["factory"].events.row(roll) for roll in rolls]

    assert found == [EventRow(low=row.low, high=row.high, name=name, **effects) for row in found]


def test_c70_when_events_are_rolled(board: Board) -> None:
    charts = [board.scenarios[key].events for key in ("main", "factory")]

    assert [(chart.first_turn, chart.last_turn) for chart in charts] == [(1, 9), (11, 14)]


def test_c71_no_effect_touches_the_free_air_marker(board: Board) -> None:
    """Rule 6.2.event-and-air: what events can do is a closed list, and buying or receiving markers is not on it."""
    effects = set(EventRow.__struct_fields__) - {"low", "high", "name", "repeat_as"}

    assert len(effects) == 7
    assert {effect for effect in effects if "air" in effect} == {"no_air_placement"}


# Victory, schedule, options


def test_c72_the_final_check(board: Board) -> None:
    main, factory = board.scenarios["main"], board.scenarios["factory"]

    assert (main.victory, factory.victory) == (Victory(areas=40, heavy_urban=1), None)


def test_c74_when_and_where_reinforcements_arrive(board: Board) -> None:
    groups = [
        (group.turn, group.areas, group.areas_if_german_controlled, group.is_anywhere)
        for key in ("main", "factory")
        for group in board.scenarios[key].groups
    ]

    assert groups == [(2, ("1", "2"), (), False), (7, ("1", "2"), ("31", "32"), False), (12, (), (), True)]


def test_c75_two_areas_of_reinforcement_begin_soviet(board: Board) -> None:
    assert [area(board, number).is_german_at_start for number in (31, 32)] == [False, False]


def test_c76_the_29th_leaves_on_turn_9(board: Board) -> None:
    withdrawals = board.scenarios["main"].withdrawals

    assert [(row.turn, row.division, row.morale_per_unavailable_unit) for row in withdrawals] == [(9, "29", -1)]
    assert board.scenarios["factory"].withdrawals == ()
    assert not set(of_division(board, "29")) & set(board.scenarios["factory"].units())


# What we ask of our own reconstruction


def test_p1_the_map_is_connected_and_every_area_has_two_neighbours(board: Board) -> None:
    assert distances((PlaceId("1"),), board.adjacency.near).keys() == board.areas.keys()
    assert min(len(near) for near in board.adjacency.neighbours.values()) >= 2


def test_p2_the_bank_is_a_chain_that_runs_north(board: Board) -> None:
    bank = [area(board, number) for number in (8, 10, 12, 13, 14, 22, 25, 26, 37, 41, 42)]

    assert all(board.adjacency.are_adjacent(one.id, other.id) for one, other in itertools.pairwise(bank))
    assert all(other.y < one.y for one, other in itertools.pairwise(bank))


def test_p3_every_german_area_touches_a_soviet_one(board: Board) -> None:
    assert [one for one in GERMAN if not SOVIET.intersection(board.adjacency.near(PlaceId(one)))] == []


def test_p4_every_group_of_october_can_fight_at_once(board: Board) -> None:
    factory = board.scenarios["factory"]
    held = {row.area for row in factory.soviet_setup}
    idle = {
        place
        for place in factory.german_setup.values()
        if place not in held and not held.intersection(board.adjacency.near(place))
    }

    assert idle == set()


def test_p5_the_map_can_be_drawn(board: Board) -> None:
    spots = {one.id: (one.x, one.y) for one in board.areas.values()}
    pairs = [
        (one, other) for one, near in board.adjacency.neighbours.items() for other in near if int(one) < int(other)
    ]

    def side(p: tuple[int, int], q: tuple[int, int], r: tuple[int, int]) -> int:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    crossing = []
    for (a, b), (c, d) in itertools.combinations(pairs, 2):
        if len({a, b, c, d}) == 4:
            p, q, r, s = spots[a], spots[b], spots[c], spots[d]
            if side(p, q, r) * side(p, q, s) < 0 and side(r, s, p) * side(r, s, q) < 0:
                crossing.append((a, b, c, d))

    assert crossing == []
    assert all(0 <= x <= 1000 and 0 <= y <= 1000 for x, y in spots.values())
    assert all((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 >= 50**2 for p, q in itertools.combinations(spots.values(), 2))


def test_p6_victory_is_possible_with_one_heavy_urban_area(board: Board) -> None:
    heavy = sum(one.terrain == "heavy_urban" for one in board.areas.values())

    assert 50 - heavy + 1 >= 40


def test_p7_every_division_is_described(board: Board) -> None:
    assert board.divisions.keys() == {unit.division for unit in board.units.values()} - {None}
    assert board.divisions["29"] == "29th Motorized Division"


def test_p10_defence_factors_ascend_within_each_terrain(board: Board) -> None:
    for terrain in ("clear", "elevated", "light_urban", "heavy_urban"):
        factors = [one.defence_factor for one in board.counters.values() if one.terrain == terrain]

        assert factors == sorted(factors)


@each_row("division", ["71", "79", "94", "100", "295", "305", "389"])
def test_p11_infantry_divisions_have_three_regiments(board: Board, division: str) -> None:
    assert len(of_division(board, division)) == 3


# The file


def test_the_packaged_board_is_named_by_its_exact_bytes(board: Board) -> None:
    """Another blank is another file."""
    assert board.source.digest == component_digest(BOARD_FILE.shipped_bytes)
    assert board.source.digest != component_digest(BOARD_FILE.shipped_bytes + b" ")
    assert board.source.is_shipped


def test_the_packaged_board_is_read_once(board: Board) -> None:
    assert BOARD_FILE.load() is board


def test_sizes_play_no_part(board: Board) -> None:
    """Rule 4.3.3.unit-size: the board file does not say which units are regiments and which battalions."""
    names = set(type(board.units[PieceId("29/15")]).__struct_fields__)

    assert names == {"id", "division", "kind", "attack_factor", "movement_factor", "main_place", "factory_place"}
