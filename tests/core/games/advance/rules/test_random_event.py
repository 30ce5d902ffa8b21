"""Chapter 6.2, 10.1 and 14.6.1: one event a turn, and what it does while the turn lasts."""

from collections.abc import Mapping
from itertools import product

from core.games.advance.memory import COMMISSARS, EVENT
from core.games.advance.rules.queries import artillery_bonus, is_paused, movement_factor
from core.games.advance.rules.random_event import event_in_force
from events.ids import PieceId
from events.vocabulary import DiceRolled, PieceMoved, RuleApplied, TrackMoved, Value
from tests.support.advance import BOARD, DONE, Scene, of_type, order, rolls, rules_of, scene
from tests.support.rows import each_row

FACES = {sum(faces): faces for faces in product(range(1, 7), repeat=3)}
"""Three dice for each roll from 3 to 18."""

SUPPLY_DICE = (4, 4, 4, 4)
DIVISION_29 = {"29/15": "8", "29/PZ": "8", "29/71": "6", "29/RCN": "6"}


def event_phase(
    roll: int,
    *,
    scenario: str = "main",
    turn: int = 3,
    supply: tuple[int, ...] = SUPPLY_DICE,
    units: Mapping[str, str] | None = None,
    soviets: Mapping[str, str] | None = None,
    out: str = "",
    morale: int = 12,
    options: Mapping[str, Value] | None = None,
) -> Scene:
    """Begin the Random Event Phase with this roll, and the Supply Phase after it."""
    return scene(
        scenario=scenario,
        phase="random_event",
        turn=turn,
        units={"24/26": "3"} if units is None else units,
        soviets={"22": "?"} if soviets is None else soviets,
        out=out,
        morale=morale,
        options=options,
        dice=(*FACES[roll], *supply),
    )


def factory_phase(roll: int, turn: int = 12, supply: tuple[int, ...] = SUPPLY_DICE) -> Scene:
    return event_phase(roll, scenario="factory", turn=turn, supply=supply)


def test_one_roll_of_three_dice_gives_one_event() -> None:
    """6.2.roll, 2.1.dice-notation (W2): 4, 5 and 6 are 15, Artillery Shell Shortages."""
    table = scene(phase="random_event", turn=2, units={"24/26": "3"}, soviets={"10": "?"}, dice=(4, 5, 6, 4, 4, 4, 4))

    assert rolls(table.events)[0] == ("Random Event", "", (4, 5, 6))
    assert event_in_force(table.table, BOARD) == "Artillery Shell Shortages"


@each_row(
    ("roll", "rule", "effects"),
    [
        (4, "6.2.chart.4", {"air_ban": True}),
        (5, "6.2.chart.5-6", {"shell_shortages": 1}),
        (6, "6.2.chart.5-6", {"shell_shortages": 1}),
        (7, "6.2.chart.7-8", {"paused": ("division/100", "division/295", "division/389", "division/71")}),
        (8, "6.2.chart.7-8", {"paused": ("division/100", "division/295", "division/389", "division/71")}),
        (9, "6.2.chart.9-12", {"commissars": 1}),
        (12, "6.2.chart.9-12", {"commissars": 1}),
        (13, "6.2.chart.13-14", {"paused": ("division/24", "division/29", "division/94")}),
        (14, "6.2.chart.13-14", {"paused": ("division/24", "division/29", "division/94")}),
        (15, "6.2.chart.15-16", {"shell_shortages": 1}),
        (16, "6.2.chart.15-16", {"shell_shortages": 1}),
        (17, "6.2.chart.17", {"air_ban": True}),
    ],
)
def test_each_row_of_the_main_chart(roll: int, rule: str, effects: dict[str, Value]) -> None:
    """6.2.chart.4, 6.2.chart.5-6, 6.2.chart.7-8, 6.2.chart.9-12, 6.2.chart.13-14, 6.2.chart.15-16, 6.2.chart.17."""
    table = event_phase(roll)

    assert table.table.attributes["event"] == {"event_roll": roll, **effects}
    assert rule in rules_of(table.events)


def test_the_66th_army_breakthrough_cuts_supply_and_air() -> None:
    """6.2.chart.18: supply is rolled with two dice, and Air Support may not be placed."""
    table = event_phase(18, turn=5, supply=(3, 4))

    assert (table.supply, table.attribute("event", "air_ban")) == (7, True)
    (roll,) = [event for event in of_type(table.events, DiceRolled) if event.purpose == "supply"]
    assert roll.rule == "6.2.chart.18"


@each_row("roll", [3, 7, 8, 13, 14, 18])
def test_some_events_have_no_result_on_turn_1(roll: int) -> None:
    """10.1.no-result (V2): no effect, no other event, no second roll."""
    table = event_phase(roll, turn=1)

    (applied,) = [event for event in table.events if isinstance(event, RuleApplied)]

    assert (applied.rule, applied.outcome.endswith("has no result on turn 1")) == ("10.1.no-result", True)
    assert "event" not in table.table.attributes
    assert [purpose for purpose, _, _ in rolls(table.events)] == ["Random Event", "supply"]
    assert event_in_force(table.table, BOARD) == ""


@each_row(("roll", "name"), [(10, "Commissars"), (17, "66th Army Offensive"), (15, "Artillery Shell Shortages")])
def test_other_events_apply_on_turn_1(roll: int, name: str) -> None:
    """10.1.no-result, 6.2.chart.17: 10.1 does not cancel an Offensive."""
    assert event_in_force(event_phase(roll, turn=1).table, BOARD) == name


def test_a_pause_names_divisions_and_spares_guns() -> None:
    """6.2.chart.7-8: 71st paused, assault guns never, and other divisions not."""
    table = event_phase(7).table

    assert [is_paused(table, BOARD, PieceId(unit)) for unit in ("71/191", "244B", "24/26")] == [True, False, False]


def test_the_figures_of_an_event_are_those_of_its_row() -> None:
    """6.2.chart.5-6, 6.2.chart.9-12: an Artillery marker adds 1 instead of 2, Commissars add 1."""
    calm, shortage, harsh = event_phase(17).table, event_phase(5).table, event_phase(9).table

    assert [artillery_bonus(table, BOARD) for table in (calm, shortage)] == [2, 1]
    assert [COMMISSARS.of(table, EVENT) for table in (calm, harsh)] == [0, 1]


def test_an_event_ends_with_its_turn() -> None:
    """6.2.lasts-this-turn: turn 3 rolls another one, and an Artillery marker adds 2 again."""
    table = event_phase(5, turn=2)
    table.do(DONE)
    table.do(DONE, dice=(*FACES[10], *SUPPLY_DICE))

    assert artillery_bonus(table.table, BOARD) == 2
    assert set(table.table.attributes["event"]) == {"event_roll", "commissars"}


def test_an_air_ban_stops_neither_the_free_marker_nor_purchases() -> None:
    """6.2.event-and-air, 6.3.free-air (W15): with event 17 in force."""
    table = event_phase(17)
    table.do(order("buy", what="air"))

    assert (table.marker("available", "air"), table.supply) == (2, 13)


# 64th Army Breakthrough


def test_the_29th_leaves_the_map() -> None:
    """6.2.chart.3, 6.2.1.withdraw-29th: all four units on the map, Morale unchanged."""
    table = event_phase(3, units=DIVISION_29, morale=15)

    assert (table.at("withdrawn/29"), table.at("8"), table.morale) == ("29/15 29/71 29/PZ 29/RCN", "", 15)
    assert "6.2.chart.3" in rules_of(table.events)


def test_units_out_of_action_stay_there_and_cost_morale() -> None:
    """6.2.1.withdraw-29th, 6.2.1.morale-per-missing-unit: two of four, Morale 15 to 13."""
    table = event_phase(3, turn=4, units={"29/15": "8", "29/PZ": "8"}, out="29/71 29/RCN", morale=15)

    assert (table.at("8"), table.at("withdrawn/29"), table.at("out_of_action"), table.morale) == (
        "",
        "29/15 29/PZ",
        "29/71 29/RCN",
        13,
    )


def test_units_left_behind_can_still_be_bought_back() -> None:
    """6.2.1.withdraw-29th: by supply, in the same turn."""
    table = event_phase(3, turn=4, units={"29/15": "8"}, out="29/71", morale=15)
    table.do(order("return-unit", unit="29/71", area="5"))

    assert table.at("5") == "29/71"


def dawn_after() -> Scene:
    """Go from turn 4, on which the 29th is withdrawn, to the Dawn of turn 5."""
    table = event_phase(3, turn=4, units={"29/15": "8", "29/PZ": "8", "24/26": "3"})
    table.do(DONE)
    table.do(DONE)
    return table


def test_the_29th_comes_back_next_turn() -> None:
    """6.2.1.return-next-turn: Fresh and together, in 5 or 6."""
    table = dawn_after()

    assert table.options == [
        order("place-group", units=["29/15", "29/PZ"], area="5"),
        order("place-group", units=["29/15", "29/PZ"], area="6"),
    ]
    assert table.refused(order("place-group", units=["29/15", "29/PZ"], area="4")) == "area_must_be_listed"
    assert table.refused(order("place-group", units=["29/15"], area="5")) == "group_must_stay_together"
    events = table.do(order("place-group", units=["29/15", "29/PZ"], area="6"), dice=(*FACES[10], *SUPPLY_DICE))
    assert (table.at("6"), table.face("29/15")) == ("29/15 29/PZ", "fresh")
    assert {event.rule for event in of_type(events, PieceMoved)} == {"6.2.1.return-next-turn"}


def test_a_second_roll_of_3_counts_as_a_4() -> None:
    """6.2.1.second-three (W14): the 29th has come back by then."""
    table = dawn_after()
    table.do(order("place-group", units=["29/15", "29/PZ"], area="6"), dice=(1, 1, 1, *SUPPLY_DICE))

    assert (event_in_force(table.table, BOARD), table.at("6")) == ("64th Army Offensive", "29/15 29/PZ")
    assert table.attribute("event", "air_ban") is True


def test_a_roll_of_3_without_result_does_not_count_as_a_withdrawal() -> None:
    """6.2.1.second-three: a 3 on turn 1, then a 3 on turn 2 withdraws."""
    table = event_phase(3, turn=1, units=DIVISION_29)
    table.do(DONE)
    table.do(DONE, dice=(1, 1, 1, *SUPPLY_DICE))

    assert table.at("withdrawn/29") == "29/15 29/71 29/PZ 29/RCN"


def test_a_roll_of_3_on_turn_9_counts_as_a_4() -> None:
    """6.2.1.second-three, 6.1.2.withdrawal-turn-9: the division has left that very Dawn."""
    table = scene(
        phase="dawn", turn=9, units={"29/15": "6", "24/26": "3"}, soviets={"10": "?"}, dice=(1, 1, 1, *SUPPLY_DICE)
    )

    assert event_in_force(table.table, BOARD) == "64th Army Offensive"


# The Factory District Scenario


@each_row(
    ("roll", "rule", "effects"),
    [
        (4, "14.6.1.offensive", {"air_ban": True}),
        (17, "14.6.1.offensive", {"air_ban": True}),
        (5, "14.6.1.shell-shortage", {"shell_shortages": 1}),
        (16, "14.6.1.shell-shortage", {"shell_shortages": 1}),
        (7, "14.6.1.rain", {"air_ban": True, "rain": 4}),
        (14, "14.6.1.rain", {"air_ban": True, "rain": 4}),
        (9, "14.6.1.commissars", {"commissars": 1}),
        (12, "14.6.1.commissars", {"commissars": 1}),
    ],
)
def test_each_row_of_the_factory_chart(roll: int, rule: str, effects: dict[str, Value]) -> None:
    """14.6.1.offensive, 14.6.1.shell-shortage, 14.6.1.rain, 14.6.1.commissars."""
    table = factory_phase(roll)

    assert table.table.attributes["event"] == {"event_roll": roll, **effects}
    assert rule in rules_of(table.events)


def test_rain_slows_armor() -> None:
    """14.6.1.rain (V23): armor has 4 MF, infantry has 4 anyway; two free Air markers still arrive."""
    table = factory_phase(7)

    assert [movement_factor(table.table, BOARD, PieceId(unit)) for unit in ("24/26", "71/191")] == [4, 4]
    assert table.marker("available", "air") == 2


def test_the_66th_army_breakthrough_in_october() -> None:
    """14.6.1.breakthrough-66: two supply dice; both free Air markers arrive and cannot be placed."""
    table = factory_phase(18, turn=13, supply=(2, 3))

    assert (table.supply, table.marker("available", "air"), table.attribute("event", "air_ban")) == (5, 2, True)


def test_no_event_is_rolled_on_turn_10() -> None:
    """14.6.1.no-event-on-10: the phase is skipped; on turn 11 there is a roll."""
    tenth = scene(
        scenario="factory", phase="random_event", turn=10, units={"24/26": "24"}, soviets={"22": "?"}, dice=(4, 4, 4, 4)
    )
    eleventh = factory_phase(10, turn=11)

    assert [purpose for purpose, _, _ in rolls(tenth.events)] == ["supply"]
    assert [purpose for purpose, _, _ in rolls(eleventh.events)] == ["Random Event", "supply"]


def breakthrough(reading: str = "again") -> Scene:
    return event_phase(
        3,
        scenario="factory",
        turn=12,
        units={"14/103": "28", "14/PZ": "28", "24/26": "24"},
        soviets={"21": "E8", "22": "?"},
        out="14/108",
        options={"factory_second_three": reading},
    )


def test_the_14th_panzer_leaves_the_map() -> None:
    """14.6.1.breakthrough-64: two units leave, the one Out of Action stays and costs Morale 1."""
    table = breakthrough()

    assert (table.at("28"), table.at("withdrawn/14"), table.at("out_of_action"), table.morale) == (
        "",
        "14/103 14/PZ",
        "14/108",
        11,
    )
    assert [event.rule for event in of_type(table.events, TrackMoved) if event.track == "morale"][-1] == (
        "14.6.1.breakthrough-64"
    )


def test_the_14th_panzer_comes_back_anywhere_vacant() -> None:
    """14.6.1.breakthrough-64-return (W21): together, in any Vacant Area with room."""
    table = breakthrough()
    table.do(DONE)
    table.do(DONE)
    group = ["14/103", "14/PZ"]

    assert len(table.options) == 48
    assert table.refused(order("place-group", units=group, area="21")) == "area_must_be_german_controlled"
    assert table.refused(order("place-group", units=group[:1], area="24")) == "group_must_stay_together"
    table.do(order("place-group", units=group, area="24"), dice=(*FACES[10], *SUPPLY_DICE))
    assert table.at("24") == "14/103 14/PZ 24/26"


@each_row(("reading", "withdrawn"), [("again", "14/103 14/PZ"), ("as-four", "")])
def test_a_second_roll_of_3_in_october(reading: str, withdrawn: str) -> None:
    """14.6.1.breakthrough-64: it happens again, or counts as a 4 where that was agreed (ruling.factory-repeat-three)."""
    table = breakthrough(reading)
    table.do(DONE)
    table.do(DONE)
    table.do(order("place-group", units=["14/103", "14/PZ"], area="24"), dice=(1, 1, 1, *SUPPLY_DICE))

    assert table.at("withdrawn/14") == withdrawn
    assert table.attribute("event", "air_ban") == (True if reading == "as-four" else None)
