"""Chapter 6.3, 10.2, 12.8 and 14.6.2: the supply roll and what it buys."""

from collections.abc import Mapping

from core.games.advance.rules.supply import purchase_cost, return_cost
from events.ids import PieceId
from events.vocabulary import PieceMoved, RuleApplied, TrackMoved, Value
from tests.support.advance import BOARD, DONE, Scene, of_type, order, rolls, rules_of, scene
from tests.support.rows import each_row


def buying(
    *,
    scenario: str = "main",
    units: Mapping[str, str] | None = None,
    out: str = "",
    supply: int = 3,
    morale: int = 12,
    available: Mapping[str, int] | None = None,
    event: Mapping[str, Value] | None = None,
    options: Mapping[str, Value] | None = None,
) -> Scene:
    """Let purchases be open, with these points."""
    return scene(
        scenario=scenario,
        turn=12 if scenario == "factory" else 3,
        phase="supply",
        decision="supply",
        units={"24/26": "2"} if units is None else units,
        soviets={"10": "H1"} if scenario == "main" else {"14": "H3"},
        out=out,
        supply=supply,
        morale=morale,
        available=available,
        event=event,
        options=options,
    )


def rolling(
    dice: tuple[int, ...],
    *,
    scenario: str = "main",
    turn: int = 2,
    supply: int = 0,
    available: Mapping[str, int] | None = None,
    event: Mapping[str, Value] | None = None,
    options: Mapping[str, Value] | None = None,
) -> Scene:
    """Begin the Supply Phase with this roll."""
    return scene(
        scenario=scenario,
        turn=turn,
        phase="supply",
        units={"24/26": "24"},
        soviets={"22": "?"},
        supply=supply,
        available=available,
        event=event,
        options=options,
        dice=dice,
    )


# The roll


def test_a_turns_supply_is_four_dice() -> None:
    """6.3.roll, 2.1.dice-notation: faces 1, 3, 4, 6 are 14."""
    table = rolling((1, 3, 4, 6))

    assert (table.supply, rolls(table.events)) == (14, [("supply", "", (1, 3, 4, 6))])


def test_points_kept_are_added_to() -> None:
    """6.3.1.banking, 6.3.roll, 3.4.record-supply (W3): 4 kept and 9 rolled are 13, x1 on 3 and x10 on 1."""
    table = rolling((1, 2, 3, 3), supply=4)

    assert table.supply == 13


def test_points_have_no_bound() -> None:
    """3.4.record-supply, 6.3.1.banking: ruling.supply-unbounded."""
    table = rolling((6, 6, 6, 6), supply=990)

    assert table.supply == 1014


def test_points_are_spent_in_the_supply_phase_only() -> None:
    """6.3.1.banking, 6.0.five-phases: in the Combat Phase nothing is sold."""
    table = buying(supply=10)
    table.do(DONE)

    assert (table.refused(order("buy", what="artillery")), table.supply) == ("decision_must_be_open", 10)


@each_row(
    ("turn", "faces", "points", "rule"),
    [
        (1, (2, 2, 2, 3), 16, "10.2.minimum-sixteen"),
        (1, (5, 5, 5, 5), 20, "6.3.roll"),
        (1, (4, 4, 4, 4), 16, "6.3.roll"),
        (2, (2, 2, 2, 3), 9, "6.3.roll"),
    ],
)
def test_turn_1_brings_at_least_16_points(turn: int, faces: tuple[int, ...], points: int, rule: str) -> None:
    """10.2.minimum-sixteen (V1)."""
    table = rolling(faces, turn=turn)
    moved = [event for event in of_type(table.events, TrackMoved) if event.track == "supply"][-1]

    assert (moved.to, moved.rule) == (points, rule)


@each_row(("turn", "points"), [(10, 16), (11, 11)])
def test_turn_10_brings_at_least_16_points(turn: int, points: int) -> None:
    """14.6.2.minimum-sixteen: and turn 11 what is rolled."""
    table = rolling((2, 3, 3, 3), scenario="factory", turn=turn)

    assert table.supply == points
    assert ("14.6.2.minimum-sixteen" in rules_of(table.events)) == (turn == 10)


def test_ones_are_rolled_again_on_the_turns_agreed() -> None:
    """12.8.reroll-ones (W20): on turns 2 and 3, not on turn 4."""
    options: dict[str, Value] = {"increased_german_supply": True, "supply_reroll_turns": ("2", "3")}
    second = rolling((1, 3, 4, 5, 6), turn=2, options=options)
    fourth = rolling((1, 3, 4, 5), turn=4, options=options)

    assert (second.supply, fourth.supply) == (18, 13)


def test_ones_are_rolled_until_none_is_left() -> None:
    """12.8.reroll-ones: ruling.reroll-ones, on every turn by default."""
    table = rolling((1, 1, 4, 5, 1, 6, 1, 2), options={"increased_german_supply": True})

    assert table.supply == 17
    assert [faces for _, _, faces in rolls(table.events)] == [(1, 1, 4, 5), (1, 6), (1,), (2,)]


def test_ones_are_rolled_once_where_that_was_agreed() -> None:
    """12.8.reroll-ones with the other reading."""
    table = rolling((1, 1, 4, 5, 1, 6), options={"increased_german_supply": True, "supply_reroll": "once"})

    assert table.supply == 16


def test_rerolls_cover_the_smaller_roll_and_come_before_the_minimum() -> None:
    """12.8.reroll-ones, 6.2.chart.18, 10.2.minimum-sixteen."""
    reduced = rolling((1, 3, 2), event={"reduced_supply": 2}, options={"increased_german_supply": True})
    first = rolling((1, 5, 5, 5, 3), turn=1, options={"increased_german_supply": True})

    assert (reduced.supply, first.supply) == (5, 18)


# Free Air Support


def test_the_free_air_marker_comes_first() -> None:
    """6.3.order: with 2 Available the free one takes the last, and a purchase is refused afterwards."""
    table = rolling((4, 4, 4, 4), available={"air": 2})

    assert rules_of(table.events)[-4:] == ["6.3.order", "6.0.five-phases", "6.3.free-air", "6.3.roll"]
    assert table.refused(order("buy", what="air")) == "marker_must_be_in_used_box"


@each_row(("reading", "after"), [("two", 2), ("three", 3)])
def test_the_usual_marker_may_be_free_besides_in_october(reading: str, after: int) -> None:
    """14.6.2.two-free-air, ruling.factory-free-air: two in all, or two besides the one of 6.3."""
    table = rolling((4, 4, 4, 4), scenario="factory", turn=11, options={"factory_free_air": reading})

    assert (table.marker("available", "air"), table.marker("used", "air")) == (after, 3 - after)


def test_the_free_air_marker_lapses_where_none_is_used() -> None:
    """6.3.free-air, 4.5.marker-totals: all three Available."""
    table = rolling((4, 4, 4, 4), available={"air": 3})

    assert (table.marker("available", "air"), table.marker("used", "air")) == (3, 0)
    assert [
        event.outcome for event in table.events if event.rule == "6.3.free-air" and isinstance(event, RuleApplied)
    ] == ["1 free Air Support marker lapses, since no other is Used"]


@each_row(("before", "after"), [(0, 2), (1, 3), (2, 3), (3, 3)])
def test_two_air_markers_are_free_in_october(before: int, after: int) -> None:
    """14.6.2.two-free-air: as far as the Used box holds any."""
    table = rolling((4, 4, 4, 4), scenario="factory", turn=11, available={"air": before} if before else {})

    assert (table.marker("available", "air"), table.marker("used", "air")) == (after, 3 - after)


# Purchases


def test_the_purchases_of_the_example() -> None:
    """6.3.support-costs (W4): 13 points buy 2 Engineer, 6 Artillery and 1 Morale."""
    table = buying(supply=13, morale=17, available={"air": 1})
    for what in ["engineer"] * 2 + ["artillery"] * 6 + ["morale"]:
        table.do(order("buy", what=what))

    assert (table.supply, table.morale) == (0, 18)
    assert table.table.markers["available"] == {"air": 1, "engineer": 2, "artillery": 6}


def test_what_is_bought_is_available() -> None:
    """3.5.available-box, 3.6.used-box: 2 Artillery, Available +2 and Used -2; the sum stays."""
    table = buying(supply=3)
    table.do(order("buy", what="artillery"))
    table.do(order("buy", what="artillery"))

    assert (table.marker("available", "artillery"), table.marker("used", "artillery")) == (2, 6)


def test_points_must_suffice() -> None:
    """6.3.spend: 2 points do not buy Air."""
    refusal = buying(supply=2).refusal(order("buy", what="air"))

    assert (refusal.code, refusal.rule) == ("supply_must_suffice", "6.3.spend")


def test_a_marker_must_be_used_to_be_bought() -> None:
    """6.3.marker-in-used-box, 4.5.marker-totals: all Engineers Available, 10 points."""
    table = buying(supply=10, available={"engineer": 4})
    refusal = table.refusal(order("buy", what="engineer"))

    assert (refusal.code, refusal.rule, table.supply) == (
        "marker_must_be_in_used_box",
        "6.3.marker-in-used-box",
        10,
    )


def test_morale_is_bought_up_to_19() -> None:
    """6.3.buy-morale: twice from 17, and refused at 19."""
    table = buying(supply=9, morale=17)
    table.do(order("buy", what="morale"))
    table.do(order("buy", what="morale"))

    assert (table.morale, table.supply, table.refused(order("buy", what="morale"))) == (
        19,
        3,
        "morale_must_be_below_maximum",
    )


def test_morale_is_bought_at_0() -> None:
    """6.3.buy-morale, 6.5.morale-loss: at 0 too."""
    table = buying(supply=3, morale=0)
    table.do(order("buy", what="morale"))

    assert table.morale == 1


@each_row(("unit", "cost"), [("29/71", 1), ("29/RCN", 2), ("244A", 2), ("24/26", 2), ("94/267", 1)])
def test_the_price_of_a_return(unit: str, cost: int) -> None:
    """6.3.return-cost, 4.2.1.armor, 4.2.2.infantry, 4.2.types: 1 for Infantry, 2 for Armor."""
    assert return_cost(BOARD, PieceId(unit)) == cost


@each_row(("what", "cost"), [("artillery", 1), ("engineer", 2), ("air", 3), ("morale", 3)])
def test_the_price_of_support(what: str, cost: int) -> None:
    """6.3.support-costs, 6.3.buy-morale."""
    assert purchase_cost(BOARD, what) == cost


def test_any_number_of_units_returns() -> None:
    """6.3.return-cost: 29/71 and 29/RCN for 3 points."""
    table = buying(out="29/71 29/RCN", supply=3)
    table.do(order("return-unit", unit="29/71", area="5"))
    table.do(order("return-unit", unit="29/RCN", area="5"))

    assert (table.supply, table.at("5")) == (0, "29/71 29/RCN")


def test_a_return_must_be_paid() -> None:
    """6.3.return-cost: one point does not bring Armor back."""
    table = buying(units={"29/15": "6"}, out="29/RCN", supply=1)

    assert table.refused(order("return-unit", unit="29/RCN", area="5")) == "supply_must_suffice"
    assert table.refused(order("return-unit", unit="29/15", area="5")) == "unit_must_be_out_of_action"


@each_row(
    ("area", "code"),
    [
        ("3", ""),
        ("6", "area_must_suit_return"),
        ("10", "area_must_be_german_controlled"),
        ("9", "area_must_suit_return"),
        ("12", ""),
        ("51", "area_must_exist"),
    ],
)
def test_where_units_return(area: str, code: str) -> None:
    """6.3.return-area: 1 to 5, or beside another German unit; Contested 10 never, empty 6 and 9 not."""
    table = buying(units={"29/15": "12", "29/71": "10"}, out="24/21")
    command = order("return-unit", unit="24/21", area=area)

    assert (command in table.options) == (code == "")
    if code:
        assert table.refused(command) == code


def test_area_6_needs_another_unit() -> None:
    """6.3.return-area: with 29/15 in it 6 is accepted; or empty, where that was agreed (ruling.return-area-6)."""
    command = order("return-unit", unit="24/21", area="6")
    beside = buying(units={"29/15": "6"}, out="24/21")
    always = buying(out="24/21", options={"return_to_area_6": "always"})

    assert (command in beside.options, command in always.options) == (True, True)


@each_row(("area", "legal"), [("49", True), ("50", False), ("1", False)])
def test_northern_units_return_to_their_own_area(area: str, legal: bool) -> None:
    """6.3.return-northern: 16/PZ to 49, empty or not, and nowhere else."""
    table = buying(units={"16/79": "50"}, out="16/PZ")
    command = order("return-unit", unit="16/PZ", area=area)

    assert (command in table.options) == legal
    if not legal:
        refusal = table.refusal(command)
        assert (refusal.code, refusal.rule) == ("area_must_suit_return", "6.3.return-northern")


def test_a_full_area_takes_no_unit() -> None:
    """6.3.return-stacking, 7.1.german-four: four units in 49."""
    units = dict.fromkeys(["60/120", "60/PZ", "16/79", "16/RCN"], "49")
    refusal = buying(units=units, out="16/PZ").refusal(order("return-unit", unit="16/PZ", area="49"))

    assert (refusal.code, refusal.rule) == ("stacking_limit_must_hold", "6.3.return-stacking")


def test_units_return_one_by_one() -> None:
    """6.3.return-one-by-one: the first fills the Area for the second."""
    units = dict.fromkeys(["60/120", "60/PZ", "16/79"], "49")
    table = buying(units=units, out="16/64 16/PZ", supply=9)
    table.do(order("return-unit", unit="16/64", area="49"))

    assert table.refused(order("return-unit", unit="16/PZ", area="49")) == "stacking_limit_must_hold"


def test_a_returned_unit_is_another_unit_for_the_next() -> None:
    """6.3.return-one-by-one: 4.3.1 counts nothing else."""
    table = buying(units={"29/15": "12"}, out="24/21 24/RCN", supply=9)
    table.do(order("return-unit", unit="24/21", area="12"))

    assert order("return-unit", unit="24/RCN", area="12") in table.options


def test_a_returning_unit_is_fresh_and_can_act() -> None:
    """6.3.return-fresh: in the Combat Phase of the same turn, with all its MF."""
    table = scene(
        phase="supply",
        decision="supply",
        units={"24/26": "2", "24/21": "out_of_action"},
        spent="24/21",
        soviets={"42": "?"},
        supply=3,
    )
    events = table.do(order("return-unit", unit="24/21", area="3"))
    table.do(DONE)
    table.do(order("activate", area="3"))

    assert (table.face("24/21"), [event.rule for event in of_type(events, PieceMoved)]) == (
        "fresh",
        ["6.3.return-area"],
    )
    assert order("move", unit="24/21", to="4") in table.options
    assert "6.3.return-fresh" in rules_of(events)


@each_row(("reading", "legal"), [("with-another-unit", False), ("with-another-unit-or-1-to-5", True)])
def test_where_units_return_in_october(reading: str, legal: bool) -> None:
    """6.3.return-area, ruling.return-factory: Areas 1 to 5 are open only where that was agreed."""
    table = buying(scenario="factory", units={"24/26": "24"}, out="71/191", options={"factory_return_areas": reading})

    assert (order("return-unit", unit="71/191", area="3") in table.options) == legal
    assert order("return-unit", unit="71/191", area="24") in table.options


@each_row(("reading", "areas"), [("printed-area", ["49", "49", "50"]), ("scenario-area", ["50", "50", "50"])])
def test_units_of_the_16th_return_to_their_own_area_in_october(reading: str, areas: list[str]) -> None:
    """6.3.return-northern: ruling.return-factory-north, or where the 16th begins the scenario if that was agreed."""
    options = {"factory_northern_return": reading}
    table = buying(scenario="factory", units={"16/79": "50"}, out="16/64 16/PZ 16/RCN", options=options)

    assert [getattr(option, "area", "") for option in table.options if "16/" in getattr(option, "unit", "")] == areas
    refusal = table.refusal(order("return-unit", unit="16/PZ", area="48"))
    assert (refusal.code, refusal.sentence) == ("area_must_suit_return", f"16/PZ returns to Area {areas[1]} only.")


def test_lost_units_are_not_gone() -> None:
    """3.7.out-of-action-box: each one can be brought back."""
    table = buying(out="24/21", supply=2)
    table.do(order("return-unit", unit="24/21", area="3"))

    assert (table.at("out_of_action"), table.supply) == ("", 0)


def test_soviet_units_are_not_bought() -> None:
    """8.1.2.soviets-never-move, 5.4.no-further-soviets: there is no such purchase."""
    table = buying()

    assert table.refused(order("return-unit", unit="soviet/10", area="3")) == "unit_must_be_german"


def test_the_player_ends_the_phase() -> None:
    """6.3.order, 6.4.order: and the Combat Phase begins."""
    table = buying(supply=0)
    events = table.do(DONE)

    assert (table.table.phase, table.asked) == ("combat", "activate")
    assert rules_of(events)[:2] == ["6.4.order", "6.0.five-phases"]
