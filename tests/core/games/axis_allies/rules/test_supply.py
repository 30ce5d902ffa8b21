"""Supply lines on both boards, over the Volga and by tokens: the examples of the rulebook."""

from core.engine.draft import Draft
from core.games.axis_allies.components.supply_lines import has_line, is_supplied, lines
from core.games.axis_allies.ids import ALLIES, AXIS, FERRY, POOL, STALINGRAD, SUPPLY, UNSUPPLIED, token
from core.games.axis_allies.rules.queries import land
from core.games.axis_allies.rules.supply import (
    CONTINUOUS,
    FERRY_LOST,
    FERRY_SUPPLIES,
    show_supply,
    spend,
    tokens_in_reach,
)
from events.ids import PlaceId, RuleId, Side
from events.vocabulary import MarkerPlaced, MarkerRemoved
from tests.support.axis_allies import BOARD, SCENE, bare, charts, control_but
from tests.support.rows import each_row

TEST = RuleId("supply.token.spend")
CITY = [zone for zone in BOARD.city if BOARD.zones[zone].sector]


def has_supply(draft: Draft, zone: str, side: Side) -> bool:
    return is_supplied(draft.table, BOARD, PlaceId(zone), side)


def in_reach(draft: Draft, zone: str, side: Side) -> list[str]:
    return [draft.table.pieces[piece].place for piece in tokens_in_reach(draft.table, BOARD, PlaceId(zone), side)]


def test_rynok_traces_through_the_city_and_pitomnik_to_krasnoarmeysk() -> None:
    """RuleId("supply.region.via-city"), RuleId("supply.region.length")."""
    south = ["pitomnik", "beketovka", "krasnoarmeysk"]

    assert has_supply(bare({AXIS: control_but("rynok", *south, *CITY)}), "rynok", ALLIES)
    assert not has_supply(bare({AXIS: control_but("rynok", *south)}), "rynok", ALLIES)


def test_forces_in_their_own_exit_are_supplied_and_others_do_not_trace_into_it() -> None:
    """RuleId("supply.region.hostile-exit-zone"), RuleId("setup.race.unsupplied"), ruling.exit-zone-must-be-friendly."""
    draft = charts("race")

    assert has_supply(draft, "abganerovo_station", AXIS)
    assert not has_supply(draft, "tinguta", AXIS)

    draft.control(PlaceId("abganerovo_station"), AXIS, TEST)

    assert has_supply(draft, "tinguta", AXIS)


def test_an_assault_may_trace_out_of_the_hostile_zone() -> None:
    """RuleId("supply.region.out-of-hostile"), RuleId("supply.continuous")."""
    draft = charts("race")
    for zone in ("buzinovka", "tinguta"):
        draft.control(PlaceId(zone), AXIS, TEST)

    assert not has_supply(draft, "tinguta", AXIS)
    assert has_supply(draft, "beketovka", AXIS)


def test_a_contested_zone_carries_a_line_and_the_don_does_not_stop_it() -> None:
    """RuleId("supply.region.trace"), RuleId("supply.region.don-ok")."""
    draft = bare({AXIS: control_but("kalach", "akimovsky", "zimovskii", "ilovinska")})

    assert has_supply(draft, "kalach", ALLIES)


def test_the_allies_of_the_north_need_no_ferry() -> None:
    """RuleId("supply.city.via-region"), RuleId("supply.region.exit-zones")."""
    draft = bare({AXIS: control_but("dubovka", "rynok", "vertyachii", *CITY)})

    assert all(has_supply(draft, zone, ALLIES) for zone in ("rynok", "vertyachii", "kuporosnoye"))


def test_a_captured_landing_zone_supplies_only_those_who_are_in_it() -> None:
    """RuleId("supply.city.hostile-landing-zone"), RuleId("ferry.landing-zone-any-control")."""
    gray = ["spartanovka", "tractor_factory"]
    draft = bare({AXIS: control_but("krasnaya_sloboda", *gray)}, ferries=["crossing_gray"])

    assert not has_supply(draft, "tractor_factory", ALLIES)
    assert has_supply(draft, "barrikady_factory", ALLIES)


def test_the_white_ferry_restores_grain_elevator_and_army_camp_once_it_is_taken() -> None:
    """RuleId("supply.city.volga-crossing"), ruling.city-sector-trace."""
    draft = bare({AXIS: control_but("krasnaya_sloboda", "pavlovs_house")}, ferries=["crossing_white"])

    assert has_supply(draft, "grain_elevator", ALLIES)
    assert not has_supply(draft, "army_camp", ALLIES)
    assert not has_supply(draft, "pavlovs_house", ALLIES)

    draft.control(PlaceId("grain_elevator"), ALLIES, TEST)

    assert has_supply(draft, "army_camp", ALLIES)
    assert not has_supply(draft, "pavlovs_house", ALLIES)


def test_gray_forces_that_assault_the_brown_sector_use_the_brown_ferry() -> None:
    """RuleId("supply.city.entering-sector"), RuleId("supply.city.ferry-lost"), RuleId("supply.city.crossing-path-may-wander")."""
    gray = ["spartanovka", "tractor_factory", "barrikady_factory"]
    allied = ["krasnaya_sloboda", "chemical_factory", "pavlovs_house", *gray]
    draft = bare({AXIS: control_but(*allied)}, ferries=["crossing_brown"])

    assert not has_supply(draft, "barrikady_factory", ALLIES)
    assert has_supply(draft, "red_october_steel_works", ALLIES)

    draft.mark("crossing_gray", FERRY, TEST)

    assert has_supply(draft, "spartanovka", ALLIES)


def test_no_crossing_supplies_a_zone_outside_its_sector() -> None:
    """RuleId("supply.city.capacity-sector-only"), RuleId("supply.region.volga-never")."""
    draft = bare({AXIS: control_but("krasnaya_sloboda", "pitomnik", *CITY)}, ferries=["crossing_white"])

    assert has_supply(draft, "kuporosnoye", ALLIES)
    assert not has_supply(draft, "pitomnik", ALLIES)
    assert not has_supply(draft, "orlovka", ALLIES)


def test_krasnaya_sloboda_is_always_supplied() -> None:
    """RuleId("supply.city.krasnaya-sloboda"), ruling.krasnaya-sloboda-supply."""
    assert has_supply(bare({AXIS: control_but("krasnaya_sloboda")}), "krasnaya_sloboda", ALLIES)


def test_pavlovs_house_is_the_supply_of_the_brown_sector() -> None:
    """RuleId("setup.uranus.unsupplied")."""
    draft = charts("uranus")

    assert has_supply(draft, "chemical_factory", ALLIES)

    draft.control(PlaceId("pavlovs_house"), AXIS, TEST)

    assert not has_supply(draft, "chemical_factory", ALLIES)
    assert not has_supply(draft, "red_october_steel_works", ALLIES)


def test_neither_red_lines_of_the_city_nor_the_volga_supply_the_axis() -> None:
    """RuleId("supply.city.red-lines-not-exits"), RuleId("supply.city.axis-exits"), RuleId("supply.ambush-sites-block")."""
    draft = bare({AXIS: CITY}, ferries=list(BOARD.crossings))

    assert not any(has_supply(draft, zone, AXIS) for zone in CITY)
    assert not any(site in zone.near for zone in BOARD.zones.values() for site in BOARD.sites)

    for zone in ("pitomnik", "buzinovka", "abganerovo_station"):
        draft.control(PlaceId(zone), AXIS, TEST)

    assert all(has_supply(draft, zone, AXIS) for zone in CITY)


def test_a_destroyed_ferry_supplies_no_longer_and_a_new_one_at_once() -> None:
    """RuleId("supply.city.ferry-lost"), RuleId("ferry.supply-role"): the markers name why."""
    draft = bare(
        {AXIS: control_but("krasnaya_sloboda", "pavlovs_house")},
        units={
            "pavlovs_house": {"sov_infantry": 1},
            "chemical_factory": {"sov_infantry": 1},
            "kalach": {"sov_tank": 1},
        },
        ferries=["crossing_brown"],
    )
    show_supply(draft, BOARD)

    assert set(draft.table.markers) == {"crossing_brown", "kalach"}

    draft.unmark("crossing_brown", FERRY, TEST)
    show_supply(draft, BOARD, FERRY_LOST)

    assert set(draft.table.markers) == {STALINGRAD, "kalach"}
    assert draft.events[-1].rule == FERRY_LOST

    draft.mark("crossing_brown", FERRY, TEST)
    show_supply(draft, BOARD, FERRY_SUPPLIES)

    assert set(draft.table.markers) == {"crossing_brown", "kalach"}
    assert draft.events[-1].rule == FERRY_SUPPLIES


def test_a_token_in_a_hostile_zone_is_reached_from_a_hostile_zone() -> None:
    """RuleId("supply.token.path"), RuleId("supply.token.path-limits"), ruling.token-path-boards."""
    draft = bare({AXIS: ["orlovka", "gorodishche", "gumrak"]}, held={AXIS: {"vertyachii": 1, "tatsinskaya": 2}})

    assert in_reach(draft, "vertyachii", AXIS) == ["vertyachii"]
    assert in_reach(draft, "pitomnik", AXIS) == ["vertyachii"]
    assert in_reach(draft, "kalach", AXIS) == ["vertyachii"]
    assert in_reach(draft, "surovikino", AXIS) == []
    assert in_reach(draft, "vertyachii", ALLIES) == []


def test_a_spent_token_goes_to_the_allies_pool_soviet_side_up() -> None:
    """RuleId("components.supply-tokens.axis-shrinks"), RuleId("supply.token.one-zone")."""
    draft = bare(held={AXIS: {"vertyachii": 1}})
    spend(draft, token(1), TEST)
    there = draft.table.pieces[token(1)]

    assert (there.place, there.side, there.kind) == (POOL[ALLIES], ALLIES, SUPPLY)


def test_markers_show_what_changes_and_one_stands_for_a_city_that_is_cut_off() -> None:
    """RuleId("supply.marker-check-after-move"), RuleId("components.unsupplied-markers"), ruling.status-counters-derived."""
    draft = charts("uranus")
    taken = PlaceId("pavlovs_house")
    for piece in land(draft.table, BOARD, taken, ALLIES):
        draft.remove(piece, TEST)
    draft.control(taken, AXIS, TEST)
    before = len(draft.events)
    show_supply(draft, BOARD)
    marks = [
        (type(event), event.on, event.marker, event.rule)
        for event in draft.events[before:]
        if isinstance(event, MarkerPlaced | MarkerRemoved)
    ]

    assert marks == [
        (MarkerRemoved, "spartanovka", UNSUPPLIED[ALLIES], CONTINUOUS),
        (MarkerPlaced, STALINGRAD, UNSUPPLIED[ALLIES], CONTINUOUS),
    ]


def test_lines_are_computed_once_for_one_control() -> None:
    draft = charts("race")
    before = lines(draft.table, BOARD, AXIS)
    draft.move(next(iter(draft.table.pieces)), PlaceId("kalach"), SCENE)

    assert lines(draft.table.clone(), BOARD, AXIS) is before

    draft.control(PlaceId("kalach"), AXIS, SCENE)

    assert lines(draft.table, BOARD, AXIS) is not before


@each_row("scenario", ["race", "uranus"])
def test_lines_agree_with_a_search_from_every_zone(scenario: str) -> None:
    draft = charts(scenario)
    for side in (AXIS, ALLIES):
        for start in BOARD.zones:
            reach = {start}
            todo = [start]
            while todo:
                for near in BOARD.zones[todo.pop()].near:
                    if near not in reach and draft.table.control[near] == side:
                        reach.add(near)
                        todo.append(near)

            assert has_line(draft.table, BOARD, start, side) == bool(reach & BOARD.exits[side])
