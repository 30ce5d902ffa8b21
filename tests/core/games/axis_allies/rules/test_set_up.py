"""Both set-up charts, as they lie before the first decision."""

from collections import Counter

from core.games.axis_allies.ids import (
    ALLIES,
    AXIS,
    BATTLE,
    CAPTURED_FACTORY,
    DON,
    FACTORY,
    FERRY,
    FROZEN,
    GROUND,
    ORDER_BOX,
    ORDER_DECK,
    ORDER_DISCARDS,
    POOL,
    RACE,
    RPC,
    SIDES,
    SUPPLY,
    UNSUPPLIED,
    URANUS,
    URANUS_DECK,
    URANUS_FRONT,
    WINTER_STORM,
    order_card,
    round_space,
)
from core.games.axis_allies.memory import in_play
from core.games.axis_allies.rules.queries import bad_rounds, contested, is_don_frozen, is_volga_frozen, storm_round
from core.positions.inventory_checks import table_defects
from events.ids import MarkerId, PlaceId, Side
from projections.state.table import Table
from tests.support.axis_allies import BOARD, charts
from tests.support.rows import each_row

TABLES = {scenario: charts(scenario).table for scenario in (RACE, URANUS)}


def totals(table: Table, side: Side, *, is_city: bool) -> Counter[str]:
    """Count a side's units on a board by type, those of crossings and Ambush Sites with the city."""
    found: Counter[str] = Counter()
    for piece in table.pieces.values():
        zone = BOARD.zones.get(piece.place)
        if piece.side == side and piece.kind != SUPPLY and (zone is None or zone.is_city) == is_city:
            found[piece.kind] += 1
    return found


def marked(table: Table, marker: MarkerId) -> list[str]:
    return sorted(place for place, there in table.markers.items() if marker in there)


@each_row("scenario", [RACE, URANUS])
def test_everything_lies_where_it_may(scenario: str) -> None:
    table = TABLES[scenario]

    assert list(table_defects(in_play(BOARD, scenario, {}), table)) == []
    assert table.control.keys() == BOARD.zones.keys()
    assert all(piece.face == GROUND for piece in table.pieces.values() if piece.kind.endswith(("fighter", "bomber")))


def test_the_forces_of_the_race() -> None:
    """RuleId("setup.race.axis-units"), RuleId("setup.race.allies-region"), RuleId("setup.race.allies-city")."""
    table = TABLES[RACE]

    assert totals(table, AXIS, is_city=True) == {}
    assert totals(table, AXIS, is_city=False) == {
        "min_infantry": 10,
        "min_artillery": 1,
        "ger_infantry": 25,
        "ger_mech_infantry": 9,
        "ger_artillery": 9,
        "ger_tank": 7,
        "ger_assault_gun": 7,
        "ger_fighter": 2,
        "ger_bomber": 4,
    }
    assert totals(table, ALLIES, is_city=False) == {
        "sov_infantry": 29,
        "sov_mech_infantry": 3,
        "sov_artillery": 6,
        "sov_tank": 6,
        "sov_rocket_launcher": 2,
        "sov_fighter": 1,
        "sov_bomber": 1,
    }
    assert totals(table, ALLIES, is_city=True) == {"sov_infantry": 20, "sov_artillery": 2}


def test_the_forces_of_operation_uranus() -> None:
    """RuleId("setup.uranus.axis-region"), RuleId("setup.uranus.axis-city"), RuleId("setup.uranus.allies-region"),
    RuleId("setup.uranus.allies-city")."""
    table = TABLES[URANUS]

    assert totals(table, AXIS, is_city=False) == {
        "min_infantry": 14,
        "min_artillery": 2,
        "ger_infantry": 13,
        "ger_mech_infantry": 4,
        "ger_artillery": 4,
        "ger_tank": 1,
        "ger_assault_gun": 3,
        "ger_fighter": 1,
        "ger_bomber": 2,
    }
    assert totals(table, AXIS, is_city=True) == {
        "ger_infantry": 19,
        "ger_mech_infantry": 2,
        "ger_artillery": 2,
        "ger_tank": 1,
    }
    assert totals(table, ALLIES, is_city=False) == {
        "sov_infantry": 10,
        "sov_artillery": 4,
        "sov_tank": 2,
    }
    assert totals(table, ALLIES, is_city=True) == {
        "sov_infantry": 14 + 4 + 1,
        "sov_artillery": 3,
        "sov_rocket_launcher": 2,
    }


@each_row(("scenario", "number"), [(RACE, 15), (URANUS, 41)])
def test_control_markers_and_the_axis_base(scenario: str, number: int) -> None:
    """RuleId("setup.common.control"), RuleId("zone.base.definition"), ruling.base-zone-control."""
    control = TABLES[scenario].control

    assert sum(side == AXIS for side in control.values()) == number
    assert control[PlaceId("tatsinskaya")] == AXIS
    assert control[PlaceId("srednyaya_akhtuba")] == ALLIES


def test_the_uranus_axis_does_not_control_the_zones_of_three_battles() -> None:
    """RuleId("setup.uranus.axis-control"), RuleId("setup.uranus.contested")."""
    table = TABLES[URANUS]

    assert contested(table, BOARD) == ["bolshoy", "beketovka", "spartanovka", "pavlovs_house"]
    assert marked(table, BATTLE) == sorted(contested(table, BOARD))
    assert [table.control[zone] for zone in contested(table, BOARD)] == [AXIS, ALLIES, ALLIES, ALLIES]


def test_the_race_begins_with_two_battles() -> None:
    """RuleId("setup.race.contested")."""
    assert contested(TABLES[RACE], BOARD) == ["abganerovo_station", "tinguta"]


@each_row(
    ("scenario", "unsupplied"),
    [(RACE, {AXIS: ["tinguta"], ALLIES: []}), (URANUS, {AXIS: [], ALLIES: ["spartanovka"]})],
)
def test_who_begins_unsupplied(scenario: str, unsupplied: dict[Side, list[str]]) -> None:
    """RuleId("setup.race.unsupplied"), RuleId("setup.uranus.unsupplied")."""
    assert {side: marked(TABLES[scenario], UNSUPPLIED[side]) for side in SIDES} == unsupplied


def test_markers_of_the_race() -> None:
    """RuleId("setup.race.ferries"), RuleId("setup.race.factories"), RuleId("setup.race.marker-round-1")."""
    table = TABLES[RACE]

    assert marked(table, FERRY) == sorted(BOARD.crossings)
    assert [marked(table, FACTORY[name]) for name in FACTORY] == [["tractor_factory"], ["barrikady_factory"]]
    assert [marked(table, CAPTURED_FACTORY[name]) for name in FACTORY] == [[], []]
    assert storm_round(table, BOARD) == bad_rounds(table, BOARD) == 0
    assert not is_don_frozen(table)


def test_markers_of_operation_uranus() -> None:
    """RuleId("setup.uranus.ferries"), RuleId("setup.uranus.no-factories"), RuleId("setup.uranus.don-frozen"),
    RuleId("setup.uranus.marker-round-7"), RuleId("setup.uranus.ambushers")."""
    table = TABLES[URANUS]

    assert marked(table, FERRY) == ["crossing_brown"]
    assert len(table.pieces_at(PlaceId("crossing_brown"))) == 1
    assert [marked(table, marker) for marker in FACTORY.values()] == [[], []]
    assert marked(table, FROZEN) == sorted([round_space(6), DON])
    assert marked(table, WINTER_STORM) == [round_space(10)]
    assert (storm_round(table, BOARD), is_don_frozen(table), is_volga_frozen(table, BOARD)) == (10, True, False)
    assert [len(table.pieces_at(site)) for site in BOARD.sites] == [0, 1, 1, 1, 1]


@each_row(("scenario", "rpcs", "pool", "placed"), [(RACE, 0, 7, 0), (URANUS, 40, 4, 3)])
def test_money_and_supply_tokens(scenario: str, rpcs: int, pool: int, placed: int) -> None:
    """RuleId("setup.uranus.axis-rpc"), RuleId("setup.race.no-income"), RuleId("setup.uranus.allies-rpc"),
    RuleId("setup.uranus.supply-tokens"), RuleId("components.supply-tokens"), ruling.uranus-tokens-source."""
    table = TABLES[scenario]

    assert (table.track(RPC[AXIS]), table.track(RPC[ALLIES])) == (rpcs, 0)
    assert (len(table.pieces_at(POOL[AXIS])), len(table.pieces_at(POOL[ALLIES]))) == (pool, 11)
    assert (
        sum(piece.kind == SUPPLY for piece in map(table.pieces.__getitem__, table.pieces_at(PlaceId("tatsinskaya"))))
        == placed
    )


def test_the_decks() -> None:
    """RuleId("setup.common.order-deck"), RuleId("setup.uranus.deck"), RuleId("setup.common.uranus-deck")."""
    race, uranus = TABLES[RACE], TABLES[URANUS]

    assert race.pile(ORDER_DECK).cards == tuple(map(order_card, range(1, 15)))
    assert race.pile(ORDER_DISCARDS).count == race.pile(ORDER_BOX).count == 0
    assert uranus.pile(ORDER_DECK).cards == tuple(map(order_card, range(9, 15)))
    assert uranus.pile(ORDER_DISCARDS).cards == tuple(map(order_card, range(1, 7)))
    assert uranus.pile(ORDER_BOX).cards == (order_card(7), order_card(8))
    for table in (race, uranus):
        assert (table.pile(URANUS_DECK).count, table.pile(URANUS_DECK).seen_by) == (14, ())
        assert [table.pile(pile).count for pile in URANUS_FRONT.values()] == [0, 0]
