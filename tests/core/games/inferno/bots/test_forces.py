"""What a bot expects of units and of combats between them."""

import pytest

from core.games.inferno.bots.forces import Clash, Forces, Unit
from core.games.inferno.ids import GERMAN_SEAT, ONE_VS_ONE, SOVIET_SEAT
from events.ids import CardId, PlaceId, Seat
from projections.state.fold import fold
from projections.state.view import seen_events
from tests.support.inferno import BOARD, Scene, scene
from tests.support.rows import each_row

PANZERS = ["2-panzer", "64-panzer-grenadier", "79-panzer-grenadier"]


def seen(table: Scene, seat: Seat = GERMAN_SEAT) -> Forces:
    """Return the forces as a seat sees them."""
    return Forces(BOARD, fold(seen_events(table.past, seat)))


def clash(table: Scene, place: str, *hexes: str, card_hits: float = 0.0) -> Clash:
    """Return what the German seat expects of an attack."""
    return seen(table).clash([unit for at in hexes for unit in table.at(at)], PlaceId(place), card_hits)


def test_a_known_unit_is_what_its_edge_says() -> None:
    """strength.dice: an R unit counts two points."""
    table = scene(german={"20": ["64-panzer-grenadier"]}, edges={"64-panzer-grenadier": 2})

    assert seen(table).unit(table.piece("64-panzer-grenadier")) == Unit(3.0, 2 / 6, 2.0)


def test_a_hidden_unit_is_an_average_one_of_its_arm() -> None:
    """fog.spawn-kind-public: of all Soviet Tanks, on any edge, whichever it is."""
    tanks = [block for block in BOARD.blocks.values() if block.pool == "tank"]
    steps = [max(1, edge.strength) for block in tanks for edge in block.edges]
    table = scene(soviet={"3": ["6-tank"], "4": ["254-tank"]})

    found = [seen(table).unit(table.piece(kind)) for kind in ("6-tank", "254-tank")]

    assert found[0] == found[1]
    assert found[0].steps == pytest.approx(sum(steps) / len(steps))


def test_a_soviet_seat_knows_its_units() -> None:
    table = scene(mode=ONE_VS_ONE, soviet={"3": ["6-tank"]}, edges={"6-tank": 4})

    assert seen(table, SOVIET_SEAT).unit(table.piece("6-tank")).steps == 1.0


def test_more_attackers_and_cards_raise_the_chance() -> None:
    table = scene(german={"20": PANZERS, "4": ["36-panzer"]}, soviet={"3": ["6-tank", "13-guards"]})

    chances = [clash(table, "3", "20").chance, clash(table, "3", "20", "4").chance]

    assert chances[0] < chances[1] < clash(table, "3", "20", "4", card_hits=3.0).chance


def test_rubble_halves_what_the_germans_deal() -> None:
    """rubble.double-defense: only when they attack into it."""
    soviet = {"7": ["13-guards", "6-tank", "45-rifle"]}
    plain, rubble = (scene(german={"24": PANZERS}, soviet=soviet, markers=m) for m in ({}, {"7": "rubble"}))

    assert clash(rubble, "7", "24").dealt == pytest.approx(clash(plain, "7", "24").dealt / 2)


def test_defenders_in_a_city_fire_first() -> None:
    """combat.urban-defender-first: what they hit does not fire back."""
    clear, city = (scene(german={"24": PANZERS}, soviet={place: ["13-guards"] * 1}) for place in ("39", "25"))

    assert clash(city, "25", "24").chance < clash(clear, "39", "24").chance


@each_row("leader", ["soviet/chuikov", "soviet/khrushchev"])
def test_soviet_leaders_cost_the_attacker_more(leader: str) -> None:
    """leader.chuikov.opportunity-fire, leader.khrushchev.bonus."""
    found = [
        clash(scene(german={"24": PANZERS}, soviet={"25": ["13-guards"]}, in_play=leaders), "25", "24").suffered
        for leaders in ((), (leader,))
    ]

    assert found[0] < found[1]


def test_hits_on_worn_units_cost_points() -> None:
    worn = dict.fromkeys(PANZERS, 4)
    fresh, weak = (scene(german={"20": PANZERS}, edges=edges) for edges in ({}, worn))

    lost = [seen(table).points_lost(table.at("20"), 3.0) for table in (fresh, weak)]

    assert lost[0] < 1.0
    assert lost[1] == pytest.approx(4.0)


def test_an_airstrike_counts_double_with_von_richthofen() -> None:
    """leader.richthofen.dice."""
    stuka = CardId("german/stuka-1")
    found = [seen(scene(in_play=leaders)).card_hits(stuka) for leaders in ((), ("german/von_richthofen",))]

    assert found == [pytest.approx(2.5), pytest.approx(5.0)]


def test_what_is_looked_up_is_kept_for_all_tables_of_a_board() -> None:
    tables = [seen(scene(german={"20": ["2-panzer"]})) for _ in range(2)]

    assert tables[0].lookups is tables[1].lookups
    assert tables[0].lookups.away(frozenset([PlaceId("20")]))[PlaceId("20")] == 0
