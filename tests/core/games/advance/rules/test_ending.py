"""Chapter 6.4.3, 6.5, 11 and 14.7: the end of a turn and of the game."""

from collections.abc import Mapping

from core.games.advance.rules.ending import heavy_urban_count
from core.games.advance.rules.queries import german_control_count
from events.vocabulary import Event, MatchEnded, PhaseBegan, PieceTurned, TrackMoved, Value
from tests.support.advance import BOARD, DONE, Scene, of_type, order, rules_of, scene
from tests.support.rows import each_row

HEAVY = ["10", "14", "22", "25", "26", "41"]
LIGHT = ["7", "8", "9", "11", "12", "13", "16", "17", "18", "20", "24", "30", "31", "32", "35", "36", "37", "38", "39"]


def phase(
    soviets: Mapping[str, str] | list[str],
    *,
    scenario: str = "main",
    turn: int = 6,
    morale: int = 12,
    units: Mapping[str, str] | None = None,
    spent: str = "",
    available: Mapping[str, int] | None = None,
    event: Mapping[str, Value] | None = None,
    options: Mapping[str, Value] | None = None,
) -> Scene:
    """Stand between two Action Rounds."""
    held = soviets if isinstance(soviets, Mapping) else dict.fromkeys(soviets, "?")
    return scene(
        scenario=scenario,
        turn=turn,
        decision="activate",
        units={"24/26": "3"} if units is None else units,
        spent=spent,
        soviets=held,
        morale=morale,
        available=available,
        event=event,
        options=options,
    )


def end(table: Scene, dice: tuple[int, ...] = (3, 3, 4, 4, 4, 4, 4)) -> list[Event]:
    """End the Combat Phase; the dice are those of the next turn's event and supply."""
    return table.do(DONE, dice=dice)


# The End Phase


def test_the_end_of_a_turn() -> None:
    """6.5.order, 3.2.turn-track (W12): all Fresh, Morale 18 to 17, turn 3."""
    units = dict.fromkeys(["29/15", "29/71", "29/PZ", "29/RCN"], "10")
    table = phase({"10": "H3", "42": "?"}, turn=2, morale=18, units={**units, "24/26": "3"}, spent=" ".join(units))
    events = end(table)

    assert [event.phase for event in of_type(events, PhaseBegan)] == ["end", "dawn", "random_event", "supply"]
    assert ([table.face(unit) for unit in units], table.morale, table.table.round) == (["fresh"] * 4, 17, 3)
    assert {event.rule for event in of_type(events, PieceTurned)} == {"6.5.refresh"}


def test_units_in_contested_areas_are_refreshed_too() -> None:
    """6.5.refresh: those in 10 as well."""
    table = phase({"10": "H3"}, units={"29/15": "10", "24/26": "3"}, spent="29/15")
    end(table)

    assert table.face("29/15") == "fresh"


def test_every_end_phase_costs_morale() -> None:
    """6.5.morale-loss, 5.2.morale-sources: 1 to 0 ends nothing, and 3 points make it 1 again."""
    table = phase(["10"], morale=1)
    events = end(table)
    lost = [(event.to, event.rule) for event in of_type(events, TrackMoved) if event.track == "morale"]
    table.do(order("buy", what="morale"))

    assert (lost, table.result, table.morale) == ([(0, "6.5.morale-loss")], "", 1)


def test_support_stays_available() -> None:
    """6.5.support-stays: 3 Artillery and 1 Air, and a second Air for nothing."""
    table = phase(["10"], available={"artillery": 3, "air": 1})
    end(table)

    assert table.table.markers["available"] == {"artillery": 3, "air": 2}


def test_the_turn_marker_goes_forward() -> None:
    """3.2.turn-track: from 3 to 4, and the first phase is Dawn."""
    table = phase(["10"], turn=3)
    events = end(table)

    assert (table.table.round, "3.2.turn-track" in rules_of(events)) == (4, True)


# Automatic victory


def test_the_german_player_wins_when_no_soviet_unit_is_left() -> None:
    """11.1.german-automatic, 6.4.3.victory-check: at the end of the Combat Phase, not before."""
    table = phase([], turn=8)

    assert (table.result, table.asked) == ("", "activate")
    (ended,) = of_type(end(table, ()), MatchEnded)
    assert (ended.result, ended.winners, ended.rule) == (
        "German Automatic Victory",
        ("german",),
        "11.1.german-automatic",
    )


def test_the_soviet_side_wins_when_morale_is_gone() -> None:
    """11.1.soviet-automatic: at once, with no End Phase."""
    table = phase(["10"], morale=0)
    events = end(table, ())
    (ended,) = of_type(events, MatchEnded)

    assert (ended.result, ended.winners, ended.rule) == (
        "Soviet Automatic Victory",
        ("soviet",),
        "11.1.soviet-automatic",
    )
    assert of_type(events, PhaseBegan) == []


def test_morale_that_has_risen_again_loses_nothing() -> None:
    """6.4.3.victory-check: only the end of the phase counts."""
    table = phase(["10"], morale=1)
    end(table)

    assert table.result == ""


def test_the_german_player_wins_at_morale_0_if_no_soviet_unit_is_left() -> None:
    """11.1.german-automatic, 11.1.soviet-automatic: with both, the German player wins (ruling.both-automatic)."""
    table = phase([], morale=0)
    end(table, ())
    agreed = phase([], morale=0, options={"both_automatic": "soviet"})
    end(agreed, ())
    strong = phase([], morale=1, options={"both_automatic": "soviet"})
    end(strong, ())

    assert table.result == strong.result == "German Automatic Victory"
    assert agreed.result == "Soviet Automatic Victory"


def test_no_final_check_without_morale() -> None:
    """11.1.soviet-automatic: turn 9, 45 Areas, Morale 0."""
    table = phase(HEAVY[:5], turn=9, morale=0)
    end(table, ())

    assert table.result == "Soviet Automatic Victory"


def test_after_the_end_nothing_happens() -> None:
    """6.5.no-end-phase-after-end: no event, no command."""
    table = phase(["10"], morale=0)
    events = end(table, ())

    assert isinstance(events[-1], MatchEnded)
    assert [table.refused(command) for command in (DONE, order("activate", area="3"))] == ["match_must_be_running"] * 2
    assert table.options == []


# The final check


@each_row(
    ("held", "result", "rule"),
    [
        (LIGHT[:10], "German Operational Victory", "11.2.final-check"),
        (LIGHT[:11], "Soviet Victory", "11.2.soviet-otherwise"),
        ([*HEAVY, *LIGHT[:4]], "Soviet Victory", "11.2.soviet-otherwise"),
        ([*HEAVY[1:], *LIGHT[:5]], "German Operational Victory", "11.2.final-check"),
    ],
)
def test_the_final_check(held: list[str], result: str, rule: str) -> None:
    """11.2.final-check, 11.2.heavy-urban, 11.2.soviet-otherwise (V21): 40 Areas with a Heavy Urban one among them."""
    table = phase(held, turn=9, morale=1)
    events = end(table, ())
    (ended,) = of_type(events, MatchEnded)

    assert (ended.result, ended.rule) == (result, rule)
    assert (table.morale, [event.phase for event in of_type(events, PhaseBegan)]) == (1, ["end"])


def test_the_main_game_lasts_nine_turns() -> None:
    """5.1.nine-turns: there is no turn 10."""
    table = phase(["10"], turn=9)
    end(table, ())

    assert (table.table.round, table.result) == (9, "German Operational Victory")


def test_which_areas_are_heavy_urban() -> None:
    """11.2.heavy-urban: Mamayev Kurgan and the Central Rail Station are not."""
    table = phase([area for area in HEAVY if area != "10"]).table

    assert (heavy_urban_count(table, BOARD), german_control_count(table, BOARD)) == (
        len([area for area in BOARD.areas.values() if area.terrain == "heavy_urban"]) - 5,
        45,
    )


# The Factory District Scenario


def test_the_german_player_wins_in_october() -> None:
    """14.7.german-victory: the last of the fifteen units falls on turn 13."""
    table = phase([], scenario="factory", turn=13, units={"24/26": "24"})
    events = end(table, ())

    assert (table.result, [event.rule for event in of_type(events, MatchEnded)]) == (
        "German Automatic Victory",
        ["14.7.german-victory"],
    )


def test_the_soviet_side_wins_in_october_without_german_morale() -> None:
    """14.7.soviet-automatic: turn 12."""
    table = phase(["41"], scenario="factory", turn=12, morale=0, units={"24/26": "24"})
    events = end(table, ())

    assert [(event.result, event.rule) for event in of_type(events, MatchEnded)] == [
        ("Soviet Automatic Victory", "14.7.soviet-automatic")
    ]


def test_the_soviet_side_wins_in_october_if_one_area_is_left() -> None:
    """14.7.soviet-at-the-end, 14.1.five-turns: turn 14, at once and without an End Phase."""
    table = phase(["41"], scenario="factory", turn=14, units={"24/26": "24"})
    events = end(table, ())

    assert [(event.result, event.rule) for event in of_type(events, MatchEnded)] == [
        ("Soviet Victory", "14.7.soviet-at-the-end")
    ]
    assert of_type(events, PhaseBegan) == []


def test_there_is_no_operational_victory_in_october() -> None:
    """14.0.inherits: on turn 13 the game simply goes on with 49 Areas."""
    table = phase(["41"], scenario="factory", turn=13, units={"24/26": "24"})
    end(table)

    assert (table.result, table.table.round) == ("", 14)
