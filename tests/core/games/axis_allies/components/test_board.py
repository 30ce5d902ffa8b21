"""The shipped boards: every statement of the rulebook's text about maps, units and cards holds on them."""

from collections import Counter

from core.file_checks.checked_file import checked_file
from core.games.axis_allies.components.board_file import BOARD_FILE
from core.games.axis_allies.ids import ALLIES, AXIS, RACE, URANUS
from core.geometry.paths import distances
from events.ids import PlaceId, Side
from tests.support.rows import each_row

BOARD = BOARD_FILE.load()


def near(zone: str) -> set[str]:
    return set(BOARD.zones[PlaceId(zone)].near)


def test_the_shipped_file_has_no_defect_and_contradicts_nothing() -> None:
    checked = checked_file(BOARD_FILE, BOARD_FILE.shipped_bytes)

    assert checked.differences == ()
    assert checked.contradictions == ()


def test_there_are_35_region_zones_and_23_city_zones() -> None:
    """RuleId("components.boards")."""
    assert Counter(zone.board for zone in BOARD.zones.values()) == {"region": 35, "city": 23}


def test_a_zone_with_two_spellings_is_one_zone() -> None:
    """ruling.zone-spellings"""
    names = [zone.name for zone in BOARD.zones.values()]

    assert [name for name in names if name.startswith(("Gromosl", "Verkhne", "Verkne", "Barrik"))] == [
        "Gromoslavka",
        "Verkhne Kumskii",
        "Barrikady Factory",
        "Barrikady Workers Settlement",
    ]


def test_every_zone_but_bases_and_krasnaya_sloboda_has_a_control_marker() -> None:
    """RuleId("components.control-markers")."""
    assert len(BOARD.zones) - len(BOARD.bases) - 1 == 55


@each_row(
    ("side", "exits"),
    [
        (AXIS, {"tatsinskaya", "verkhne_kumskii", "abganerovo_station", "perelazovskii", "petrovka", "tormosin"}),
        (ALLIES, {"dubovka", "ilovinska", "krasnoarmeysk", "srednyaya_akhtuba", "veshenskaya"}),
    ],
)
def test_supply_lines_leave_the_board_in_six_and_five_zones(side: Side, exits: set[str]) -> None:
    """RuleId("supply.region.exit-zones")."""
    assert BOARD.exits[side] == exits


def test_the_city_is_entered_from_three_zones() -> None:
    """RuleId("zone.city-access"), RuleId("movement.not-one-step-back.cross-board-adjacency")."""
    gates = {other for place in BOARD.city for other in near(place) if not BOARD.zones[PlaceId(other)].is_city}

    assert gates == {"vertyachii", "rynok", "pitomnik"}
    assert "vertyachii" in near("orlovka")


@each_row(
    ("one", "other"),
    [("barrikady_workers_settlement", "red_october_steel_works"), ("lake_sarpa", "beketovka")],
)
def test_two_pairs_do_not_touch(one: str, other: str) -> None:
    """RuleId("zone.not-adjacent.barrikady-red-october"), RuleId("zone.not-adjacent.lakes")."""
    assert other not in near(one)


def test_no_link_crosses_the_volga() -> None:
    """RuleId("zone.volga.not-adjacent"), RuleId("zone.krasnaya-sloboda")."""
    assert near("krasnaya_sloboda") == near("srednyaya_akhtuba") == set()


def test_the_don_parts_surovikino_from_gromoslavka() -> None:
    """RuleId("combat.mod.throw-them-back")."""
    place = PlaceId("gromoslavka")

    assert BOARD.are_divided_by_don(PlaceId("surovikino"), place)
    assert not BOARD.are_divided_by_don(PlaceId("verkhne_kumskii"), place)


def test_the_sectors_land_where_their_crossings_do() -> None:
    """RuleId("zone.sectors")."""
    landings = {row.sector: row.landing for row in BOARD.crossings.values()}

    assert landings == {"gray": "barrikady_factory", "brown": "pavlovs_house", "white": "grain_elevator"}
    crossing = BOARD.crossing_of(PlaceId("army_camp"))
    assert crossing is not None
    assert crossing.landing == "grain_elevator"
    assert BOARD.crossing_of(PlaceId("krasnaya_sloboda")) is BOARD.crossing_of(PlaceId("pitomnik")) is None


def test_six_zones_of_the_city_are_fortified() -> None:
    """RuleId("zone.fortified")."""
    assert len(BOARD.fortified_city_zones) == 6


def test_the_tan_area_counts_without_the_base() -> None:
    """RuleId("victory.allies-total"), ruling.allies-total-base."""
    assert "tatsinskaya" not in BOARD.zones_west_of_don
    assert {"kalach", "pitomnik"}.isdisjoint(BOARD.zones_west_of_don)


def test_reinforcement_points_lie_in_the_city_and_in_the_north() -> None:
    """RuleId("zone.rp-value")."""
    north = {place for place, zone in BOARD.zones.items() if zone.rp and not zone.is_city}

    assert sum(BOARD.zones[place].rp for place in BOARD.city_rp_zones) == 14
    assert north == {"serafimovich", "kletskaya", "kremenskaya", "ilovinska"}


def test_a_road_leads_on_from_surovikino_to_two_zones_and_not_to_tormosin() -> None:
    """RuleId("movement.road.contiguous")."""
    (start,) = BOARD.zones[PlaceId("frolovo")].strands
    steps = distances((start,), BOARD.road_steps.__getitem__)
    there = {place: number for (place, _), number in steps.items()}
    through = next(strand for strand in steps if strand[0] == "surovikino")

    assert there[PlaceId("surovikino")] == 3
    assert {place for place, _ in BOARD.road_steps[through]} == {"oblivskaya", "novomoskovsk", "manoilin", "kopania"}
    assert len(BOARD.zones[PlaceId("surovikino")].strands) == 2


def test_two_roads_pass_pitomnik_without_meeting() -> None:
    """RuleId("movement.road.contiguous")."""
    strands = BOARD.zones[PlaceId("pitomnik")].strands

    assert [{place for place, _ in BOARD.road_steps[strand]} for strand in strands] == [
        {"kalach", "gumrak"},
        {"kuporosnoye", "beketovka"},
    ]


def test_the_rounds_of_weather_rolls() -> None:
    """RuleId("order.1.rounds-1-5"), RuleId("order.1.roll")."""
    assert sorted(BOARD.bad_faces) == list(range(6, 14))


def test_units_cost_and_fight_as_on_the_reference_charts() -> None:
    """RuleId("unit.infantry.stats"), RuleId("unit.mech.stats"), RuleId("unit.artillery.stats"), RuleId("unit.tank.stats"),
    RuleId("unit.assault-gun.stats"), RuleId("unit.rocket.stats"), RuleId("unit.fighter.stats"), RuleId("unit.bomber.stats")."""
    found = {unit.type: (unit.cost, unit.attack, unit.defence, unit.move) for unit in BOARD.units.values()}

    assert found == {
        "infantry": (3, 1, 2, 1),
        "minor_infantry": (3, 1, 2, 1),
        "mech_infantry": (4, 1, 2, 2),
        "artillery": (4, 2, 2, 1),
        "tank": (6, 3, 3, 2),
        "assault_gun": (5, 2, 3, 2),
        "rocket_launcher": (2, 0, 0, 2),
        "fighter": (0, 3, 4, 0),
        "bomber": (0, 3, 1, 0),
    }
    assert {unit.id for unit in BOARD.units.values() if unit.has_force_multiplier} == {
        "ger_infantry",
        "ger_mech_infantry",
    }


def test_the_pieces_of_each_nation() -> None:
    """RuleId("components.pool.german"), RuleId("components.pool.minor-axis"), RuleId("components.pool.soviet")."""
    found: dict[str, list[int]] = {}
    for unit in BOARD.units.values():
        found.setdefault(unit.nation, []).append(unit.figures)

    assert found == {
        "german": [24, 6, 10, 10, 8, 4, 6],
        "minor_axis": [8, 3],
        "soviet": [28, 6, 10, 10, 8, 5, 5],
    }


def test_the_uranus_card_of_the_rulebook() -> None:
    """RuleId("components.uranus-cards")."""
    (card,) = [card for card in BOARD.uranus_cards.values() if card.number == 2]

    assert card.units == {"sov_infantry": 2, "sov_tank": 1, "sov_rocket_launcher": 1}
    assert len(BOARD.uranus_cards) == 14


def test_the_scenarios_begin_where_the_rulebook_says() -> None:
    """RuleId("setup.race.marker-round-1"), RuleId("setup.uranus.marker-round-7"), RuleId("setup.uranus.starts-at-9"),
    RuleId("setup.uranus.axis-rpc"), RuleId("setup.uranus.deck"), RuleId("setup.race.no-income")."""
    race, uranus = BOARD.scenarios[RACE], BOARD.scenarios[URANUS]

    assert (race.first_round, race.first_card, race.storm_round, race.axis_rpcs) == (1, 1, 0, 0)
    assert (uranus.first_round, uranus.first_card, uranus.storm_round, uranus.axis_rpcs) == (7, 9, 10, 40)
    assert (race.removed_cards, uranus.removed_cards) == ((), (7, 8))


def test_interceptors_have_a_reach_of_their_own() -> None:
    """RuleId("optional.interceptors.adjacency")."""
    reach = {place: set(found) for place, found in BOARD.interceptors_reach.items()}
    city = {*BOARD.city, *BOARD.crossings}

    assert reach[PlaceId("srednyaya_akhtuba")] == city | {
        "dubovka",
        "rynok",
        "pitomnik",
        "beketovka",
        "krasnoarmeysk",
    }
    assert reach[PlaceId("pitomnik")] == city | near("pitomnik")
    assert reach[PlaceId("gumrak")] == (city | {"rynok", "vertyachii", "pitomnik"}) - {"gumrak"}
    assert "tatsinskaya" not in reach[PlaceId("oblivskaya")]
