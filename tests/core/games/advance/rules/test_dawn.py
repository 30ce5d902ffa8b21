"""Chapter 6.1, 14.4 and 12.3: who enters, who leaves, and which Soviet units are cut off."""

from collections.abc import Mapping

from core.games.advance.rules.dawn import newly_isolated, supplied_areas
from events.ids import PlaceId
from events.vocabulary import MarkerPlaced, PhaseBegan, PieceMoved, PieceRemoved, RuleApplied, TrackMoved, Value
from tests.support.advance import BOARD, Scene, of_type, order, rules_of, scene
from tests.support.rows import each_row

T2 = ("245A", "389/544", "389/545", "389/546")
T7 = ("100/227", "100/369", "100/54", "245B")
T12 = ("244C", "79/208", "79/212", "79/226")
NO_EVENT_BUT_COMMISSARS = (3, 3, 4, 4, 4, 4, 4)


def arriving(group: tuple[str, ...], box: str, others: Mapping[str, str] | None = None) -> dict[str, str]:
    return {**dict.fromkeys(group, box), **(others or {})}


def turn_2(others: Mapping[str, str] | None = None, options: Mapping[str, Value] | None = None) -> Scene:
    return scene(
        phase="dawn", turn=2, units=arriving(T2, "reinforcements/t2", others), soviets={"10": "?"}, options=options
    )


def test_the_389th_enters_in_1() -> None:
    """6.1.1.turn-2-group, 6.1.1.one-area (W1): all four units in Area 1."""
    table = turn_2()
    table.do(order("place-group", units=list(T2), area="1"), dice=NO_EVENT_BUT_COMMISSARS)

    assert (table.at("1"), table.asked) == ("245A 389/544 389/545 389/546", "supply")


def test_the_389th_enters_in_1_or_2_only() -> None:
    """6.1.1.turn-2-group: an Area that is not listed is refused under the group's rule."""
    refusal = turn_2().refusal(order("place-group", units=list(T2), area="3"))

    assert (refusal.code, refusal.rule) == ("area_must_be_listed", "6.1.1.turn-2-group")


def test_a_group_is_named_in_ascending_order() -> None:
    """6.1.1.one-area, match.selection: so that one group is one command."""
    table = turn_2()

    assert table.refused(order("place-group", units=list(reversed(T2)), area="2")) == "choice_must_be_sorted"
    table.do(order("place-group", units=list(T2), area="2"), dice=NO_EVENT_BUT_COMMISSARS)
    assert table.at("2") == "245A 389/544 389/545 389/546"


def test_reinforcements_enter_fresh_and_can_act() -> None:
    """6.1.1.enter-fresh: in the Combat Phase of the same turn."""
    table = turn_2()
    table.do(order("place-group", units=list(T2), area="1"), dice=NO_EVENT_BUT_COMMISSARS)
    table.do(order("done"))
    table.do(order("activate", area="1"))

    assert table.face("389/544") == "fresh"
    assert order("move", unit="389/544", to="2") in table.options


def test_a_full_area_takes_no_group() -> None:
    """6.1.1.one-area, 7.1.german-four: a group of four needs an Area without any German unit."""
    table = turn_2({"244A": "1"})
    refusal = table.refusal(order("place-group", units=list(T2), area="1"))

    assert (refusal.code, refusal.rule) == ("stacking_limit_must_hold", "6.1.1.one-area")


def test_a_group_is_not_divided() -> None:
    """6.1.1.one-area: two units in 1 and two in 2 are refused."""
    table = turn_2({"244A": "1"})

    assert table.refused(order("place-group", units=list(T2[:2]), area="2")) == "group_must_stay_together"


def test_only_the_units_of_the_group_enter() -> None:
    """6.1.1.one-area: nothing may be added, doubled, or taken from the other side."""
    table = turn_2({"244A": "3"})

    assert table.refused(order("place-group", units=sorted([*T2, "244A"]), area="2")) == "group_must_stay_together"
    assert table.refused(order("place-group", units=[*T2, T2[-1]], area="2")) == "choice_must_be_sorted"
    assert table.refused(order("place-group", units=["soviet/10"], area="2")) == "unit_must_be_german"
    assert table.refused(order("place-group", units=list(T2), area="51")) == "area_must_exist"
    assert table.refused(order("done")) == "decision_must_be_open"


def test_a_group_without_room_waits_without_a_question() -> None:
    """6.1.1.wait-for-room: one German unit in 1 and one in 2."""
    units = arriving(T2, "reinforcements/t2", {"244A": "1", "244B": "2"})
    table = scene(phase="dawn", turn=2, units=units, soviets={"10": "?"}, dice=NO_EVENT_BUT_COMMISSARS)

    (applied,) = [event for event in table.events if isinstance(event, RuleApplied)]

    assert (applied.rule, applied.about) == ("6.1.1.wait-for-room", "reinforcements/t2")
    assert (table.asked, table.at("reinforcements/t2")) == ("supply", "245A 389/544 389/545 389/546")


def test_a_waiting_group_enters_as_soon_as_there_is_room() -> None:
    """6.1.1.wait-for-room: turn 3 with 2 empty; it cannot be held back."""
    units = arriving(T2, "reinforcements/t2", {"244A": "1"})
    table = scene(phase="dawn", turn=3, units=units, soviets={"10": "?"})

    assert table.options == [order("place-group", units=list(T2), area="2")]


def test_a_group_is_held_back_where_that_was_agreed() -> None:
    """6.1.1.wait-for-room, ruling.reinforcement-may: it may enter at the next Dawn as well."""
    table = turn_2(options={"reinforcement_delay": "at-will"})
    assert order("done") in table.options
    events = table.do(order("done"), dice=NO_EVENT_BUT_COMMISSARS)
    (applied,) = of_type(events, RuleApplied)

    assert (applied.rule, applied.outcome) == ("ruling.reinforcement-may", "the group is held back")
    assert (table.asked, table.at("reinforcements/t2")) == ("supply", "245A 389/544 389/545 389/546")


def test_a_group_does_not_come_before_its_turn() -> None:
    """5.3.2.reinforcement-marks: turn 6 is not turn 7."""
    units = arriving(T7, "reinforcements/t7")
    table = scene(phase="dawn", turn=6, units=units, soviets={"10": "?"}, dice=NO_EVENT_BUT_COMMISSARS)

    assert table.asked == "supply"


def test_the_100th_enters_in_31_only_if_it_is_german() -> None:
    """6.1.1.turn-7-group: 31 Vacant, 32 with a Soviet unit."""
    units = arriving(T7, "reinforcements/t7")
    table = scene(phase="dawn", turn=7, units=units, soviets={"32": "?"})
    refusal = table.refusal(order("place-group", units=list(T7), area="32"))

    assert [getattr(option, "area", "") for option in table.options] == ["1", "2", "31"]
    assert (refusal.code, refusal.rule) == ("area_must_be_german_controlled", "6.1.1.turn-7-group")


def test_as_many_as_fit_enter_where_that_was_agreed() -> None:
    """6.1.1.wait-for-room with the other reading of ruling.reinforcement-room: the rest waits for the next Dawn."""
    units = {"244A": "1", "71/191": "1", "244B": "2", "71/194": "2", "71/211": "2", "24/26": "2"}
    table = turn_2(units, {"reinforcement_without_room": "place-what-fits"})
    assert table.options == [order("place-group", units=list(T2), area="1")]
    table.do(table.options[0])
    assert table.asked == "place_part"
    assert table.refused(order("done")) == "stacking_limit_must_hold"
    table.do(order("pick", item="389/545"))
    table.do(order("pick", item="389/544"))
    assert table.refused(order("pick", item="245A")) == "stacking_limit_must_hold"
    table.do(order("done"), dice=NO_EVENT_BUT_COMMISSARS)

    assert (table.at("reinforcements/t2"), table.attribute("reinforcements/t2", "due")) == ("245A 389/546", 3)


def test_a_group_enters_whole_if_it_can_where_that_was_agreed() -> None:
    """6.1.1.one-area with the other reading of ruling.reinforcement-room."""
    table = turn_2({"244A": "1"}, {"reinforcement_without_room": "place-what-fits"})

    assert table.options == [order("place-group", units=list(T2), area="2")]
    assert table.refused(order("place-group", units=list(T2[:3]), area="1")) == "group_must_stay_together"


def test_the_79th_enters_in_any_german_area() -> None:
    """14.4.turn-12-group: in 27; not in Contested 14, not where a unit is already."""
    units = arriving(T12, "reinforcements/t12", {"71/191": "14", "24/26": "24"})
    table = scene(scenario="factory", phase="dawn", turn=12, units=units, soviets={"14": "H3", "22": "?"})
    group = list(T12)

    assert table.refused(order("place-group", units=group, area="14")) == "area_must_be_german_controlled"
    assert table.refused(order("place-group", units=group, area="24")) == "stacking_limit_must_hold"
    table.do(order("place-group", units=group, area="27"), dice=NO_EVENT_BUT_COMMISSARS)
    assert table.at("27") == "244C 79/208 79/212 79/226"


# Withdrawal on turn 9


def turn_9() -> Scene:
    units = {"29/15": "10", "29/PZ": "10", "29/RCN": "12", "24/26": "3"}
    return scene(
        phase="dawn",
        turn=9,
        units=units,
        out="29/71",
        soviets={"10": "H1", "12": "L5"},
        morale=8,
        dice=NO_EVENT_BUT_COMMISSARS,
    )


def test_the_29th_leaves_for_good_on_turn_9() -> None:
    """6.1.2.withdrawal-turn-9, 6.2.1.morale-per-missing-unit (V22): one unit Out of Action costs Morale 1."""
    table = turn_9()
    removed = {(event.piece, event.was, event.rule) for event in of_type(table.events, PieceRemoved)}

    assert removed == {
        ("29/15", "10", "6.1.2.withdrawal-turn-9"),
        ("29/PZ", "10", "6.1.2.withdrawal-turn-9"),
        ("29/RCN", "12", "6.1.2.withdrawal-turn-9"),
        ("29/71", "out_of_action", "6.1.2.withdrawal-turn-9"),
    }
    assert table.morale == 7


def test_withdrawal_changes_no_control() -> None:
    """6.1.2.leaves-area: Area 12 is merely no longer Contested, and its unit stays Revealed."""
    table = turn_9()

    assert (table.at("12"), table.face("soviet/12"), table.table.control[PlaceId("12")]) == (
        "soviet/12",
        "revealed",
        "soviet",
    )


def test_units_withdrawn_on_turn_8_do_not_come_back_on_turn_9() -> None:
    """6.1.2.withdrawal-turn-9, 6.2.1.return-next-turn: ruling.turn-8-breakthrough."""
    table = scene(
        phase="dawn",
        turn=9,
        units={"29/15": "withdrawn/29", "24/26": "3"},
        soviets={"10": "?"},
        morale=8,
        dice=NO_EVENT_BUT_COMMISSARS,
    )

    assert (table.asked, "29/15" in table.table.pieces, table.morale) == ("supply", False, 8)


def test_nothing_leaves_in_the_factory_scenario() -> None:
    """14.0.inherits: it has no withdrawal of its own on any turn."""
    assert BOARD.scenarios["factory"].withdrawals == ()


# Isolation


def dawn_of_isolation(soviets: Mapping[str, str], marked: str = "") -> Scene:
    markers = {f"soviet/{area}": {"isolated": 1} for area in marked.split()}
    return scene(
        phase="dawn",
        turn=5,
        units={"24/26": "3"},
        soviets=soviets,
        markers=markers,
        options={"isolation": True},
        dice=NO_EVENT_BUT_COMMISSARS,
    )


def isolated(table: Scene) -> list[str]:
    return [area for area in BOARD.areas if table.marker(f"soviet/{area}", "isolated")]


def test_the_dawn_phase_goes_in_its_order() -> None:
    """6.1.dawn-order: groups, then the withdrawal, then isolation."""
    table = scene(
        phase="dawn",
        turn=9,
        units=arriving(T2, "reinforcements/t2", {"29/15": "9", "24/26": "3"}),
        soviets={"9": "L5", "33": "?"},
        options={"isolation": True},
    )
    events = table.do(order("place-group", units=list(T2), area="1"), dice=NO_EVENT_BUT_COMMISSARS)
    kinds = [type(event) for event in events if isinstance(event, PieceMoved | PieceRemoved | MarkerPlaced)]
    first = [kinds.index(kind) for kind in (PieceMoved, PieceRemoved)]
    marked = [number for number, event in enumerate(events) if event.rule == "12.3.check-each-dawn"]
    left = [number for number, event in enumerate(events) if isinstance(event, PieceRemoved)]

    assert first == sorted(first)
    assert max(left) < min(marked)


def test_isolation_is_checked_each_dawn() -> None:
    """12.3.check-each-dawn: a unit without a line of supply is marked."""
    table = dawn_of_isolation({"9": "?", "33": "E1", "42": "?"})

    assert isolated(table) == ["9", "33"]


def test_isolation_is_an_option() -> None:
    """12.0.options-fixed, 12.3.check-each-dawn: without the rule nothing is marked."""
    table = scene(
        phase="dawn", turn=5, units={"24/26": "3"}, soviets={"9": "?", "33": "?"}, dice=NO_EVENT_BUT_COMMISSARS
    )

    assert isolated(table) == []


def test_a_line_of_supply_runs_through_contested_areas() -> None:
    """12.3.supply-line: 9 is in supply through Contested 10, and not after 10 has fallen."""
    held = scene(decision="activate", units={"24/26": "10"}, soviets={"9": "?", "10": "H1"}).table
    fallen = scene(units={"24/26": "10"}, soviets={"9": "?"}).table

    assert (supplied_areas(held, BOARD), supplied_areas(fallen, BOARD)) == ({"9", "10"}, set())


def test_a_line_of_supply_has_any_length() -> None:
    """12.3.supply-line: 33, 29, 36, 37 at the Volga."""
    table = scene(units={"24/26": "3"}, soviets={"33": "?", "29": "?", "36": "?", "37": "?"}).table

    assert newly_isolated(table, BOARD) == []


@each_row("area", ["8", "10", "12", "13", "14", "22", "25", "26", "37", "41", "42"])
def test_a_unit_at_the_volga_is_never_isolated(area: str) -> None:
    """12.3.volga-never, 3.1.volga-areas: even the only one far and wide."""
    table = scene(units={"24/26": "3"}, soviets={area: "?"}).table

    assert newly_isolated(table, BOARD) == []


def test_a_supply_line_cut_in_the_combat_phase_counts_from_the_next_dawn() -> None:
    """12.3.check-each-dawn: the state does not change between two Dawn Phases."""
    table = scene(units={"24/26": "10"}, soviets={"9": "?"}, options={"isolation": True})

    assert isolated(table) == []


def test_a_marker_goes_when_supply_is_found() -> None:
    """12.3.check-each-dawn: ruling.isolation-permanent."""
    table = dawn_of_isolation({"9": "?", "10": "?"}, marked="9")

    assert isolated(table) == []


CUT_OFF = ("7", "9", "11", "16", "17", "18", "19", "20", "21", "23", "24", "27", "28", "29", "30", "31", "32", "33")
"""Eighteen Areas without the Volga."""


def test_markers_that_do_not_suffice_are_given_by_the_player() -> None:
    """12.3.fourteen-markers: twelve out, so exactly two of six more."""
    soviets = dict.fromkeys(CUT_OFF, "?")
    markers = {f"soviet/{area}": {"isolated": 1} for area in CUT_OFF[:12]}
    table = scene(
        phase="dawn",
        turn=5,
        units={"24/26": "3"},
        soviets=soviets,
        markers=markers,
        options={"isolation": True},
    )

    assert table.options == [order("pick", item=f"soviet/{area}") for area in CUT_OFF[12:]]
    table.do(order("pick", item="soviet/33"))
    assert table.refused(order("done")) == "isolation_must_fill_markers"
    assert table.refused(order("pick", item="soviet/33")) == "item_must_not_be_picked"
    assert table.refused(order("pick", item="soviet/10")) == "area_must_be_listed"
    assert table.refused(order("choose", items=["soviet/28"])) == "isolation_must_fill_markers"
    assert table.refused(order("buy", what="air")) == "decision_must_be_open"
    table.do(order("pick", item="soviet/28"))
    table.do(order("done"), dice=NO_EVENT_BUT_COMMISSARS)
    assert (table.asked, isolated(table)) == ("supply", sorted([*CUT_OFF[:12], "28", "33"], key=int))


def test_nothing_is_asked_if_no_isolation_marker_is_left() -> None:
    """12.3.fourteen-markers: fourteen out, so nothing is asked and nothing more marked."""
    table = scene(
        phase="dawn",
        turn=5,
        units={"24/26": "3"},
        soviets=dict.fromkeys(CUT_OFF, "?"),
        markers={f"soviet/{area}": {"isolated": 1} for area in CUT_OFF[:14]},
        options={"isolation": True},
        dice=NO_EVENT_BUT_COMMISSARS,
    )

    assert (table.asked, len(isolated(table))) == ("supply", 14)


def test_morale_falls_under_the_rule_of_withdrawal() -> None:
    """5.2.morale-sources: the cause is named."""
    moved = [event for event in of_type(turn_9().events, TrackMoved) if event.track == "morale"][1:]

    assert [(event.to, event.was, event.rule) for event in moved] == [(7, 8, "6.2.1.morale-per-missing-unit")]


def test_the_phases_of_a_turn_follow_each_other() -> None:
    """6.0.five-phases: Dawn, Random Event, Supply."""
    phases = [event.phase for event in of_type(turn_9().events, PhaseBegan)]

    assert phases == ["dawn", "random_event", "supply"]
    assert "6.0.five-phases" in rules_of(turn_9().events)
