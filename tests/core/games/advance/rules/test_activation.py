"""Chapters 6.4.2, 6.4.3 and 8.1: Action Rounds begin, go on and end."""

from core.games.advance.ids import OUT_OF_ACTION
from core.games.advance.memory import ACTIVATED, ActionRound, active_area, was_contested
from core.games.advance.rules.commands import Activate, Buy
from core.games.advance.rules.movement import Movement
from events.codec import replace
from events.ids import PieceId, PlaceId
from tests.support.advance_rounds import BOARD, DONE, STOP, Scene, declare, move, rules_of
from tests.support.rows import each_row

SOMEWHERE = {"40": "L5"}
"""A Soviet unit far from the scene."""


def test_only_units_of_the_active_area_act_in_an_action_round() -> None:
    """6.4.2.action-round: a unit of another Area takes no orders."""
    scene = Scene({"8": "29/15", "5": "94/267"}, SOMEWHERE)
    scene.activate("8")

    assert scene.refusal(move("94/267", "9")) == "unit_must_be_in_active_area"


def test_an_activation_notes_the_area_its_units_and_what_is_contested() -> None:
    """8.1.activate: the units there, Spent ones too, and the Areas Contested at that moment."""
    scene = Scene({"8": "29/15 29/PZ", "12": "24/PZ"}, {"10": "L5", "12": "L6"}, spent="29/15")
    events = scene.activate("8")

    assert "8.1.activate" in rules_of(events)
    assert active_area(scene.table) == "8"
    assert ActionRound(scene.table).units == ["29/15", "29/PZ"]
    assert [area for area in ("8", "10", "12") if was_contested(scene.table, PlaceId(area))] == ["12"]


def test_an_area_is_activated_again_while_it_holds_units_able_to_act() -> None:
    """6.4.2.reactivation: the second activation judges anew what is Contested, so the second wave's attack is optional."""
    scene = Scene({"8": "29/15 29/PZ"}, {"10": "L13"})
    scene.activate("8")
    scene.move("29/15", "10")
    scene.attack("10", "29/15", dice=(4, 5, 1, 1))
    scene.play(DONE)
    scene.activate("8")
    scene.move("29/PZ", "10")

    assert scene.asked == "act"
    assert DONE in scene.options


def test_the_choice_of_one_activation_per_turn_is_kept_and_forgotten_with_the_phase() -> None:
    """6.4.2.reactivation, ruling.reactivation: the other reading, as an option."""
    scene = Scene({"8": "29/15 29/PZ", "5": "94/267"}, SOMEWHERE, options={"area_activations_per_turn": "one"})
    scene.activate("8")
    scene.move("29/15", "9")
    scene.play(STOP)
    scene.play(DONE)

    assert scene.refusal(Activate(PlaceId("8"))) == "activation_must_be_possible"
    assert scene.broken_rule(Activate(PlaceId("8"))) == "6.4.2.reactivation"

    scene.play(DONE)

    assert scene.asked == ""
    assert ACTIVATED.on(scene.table) == []


def test_the_phase_ends_by_itself_when_no_area_can_be_activated() -> None:
    """6.4.3.phase-ends: nothing is asked where all units are Spent."""
    scene = Scene({"8": "29/15 29/PZ"}, SOMEWHERE, spent="29/15 29/PZ")

    assert scene.asked == ""


def test_the_phase_ends_by_itself_when_only_paused_units_are_fresh() -> None:
    """6.4.3.phase-ends, ruling.phase-end-automatic."""
    scene = Scene({"5": "94/267"}, SOMEWHERE, event={"paused": ("division/94",), "event_roll": 13})

    assert scene.asked == ""


def test_the_player_may_decline_to_activate_another_area() -> None:
    """6.4.3.phase-ends: before the first round too; it cannot be taken back."""
    scene = Scene({"8": "29/15"}, SOMEWHERE)
    events = scene.play(DONE)

    assert "6.4.3.phase-ends" in rules_of(events)
    assert scene.asked == ""


@each_row(
    ("area", "code"),
    [
        ("9", "area_must_hold_fresh_units"),
        ("10", "area_must_hold_fresh_units"),
        ("5", "activation_must_be_possible"),
        ("51", "area_must_exist"),
        ("8", ""),
    ],
)
def test_an_area_needs_a_fresh_unit_that_can_act(area: str, code: str) -> None:
    """8.1.needs-fresh, 3.1.fifty-areas: no unit there, Spent units alone, a paused one alone, no Area, and a good one."""
    scene = Scene(
        {"8": "29/15", "10": "29/71", "5": "94/267"}, SOMEWHERE, spent="29/71", event={"paused": ("division/94",)}
    )

    assert scene.refusal(Activate(PlaceId(area))) == code


def test_an_area_of_paused_units_is_refused_under_the_rule_of_the_event() -> None:
    """6.2.chart.13-14, 8.1.needs-fresh: the pause decides, not the units."""
    scene = Scene({"8": "29/15", "5": "94/267"}, SOMEWHERE, event={"paused": ("division/94",), "event_roll": 13})

    assert scene.broken_rule(Activate(PlaceId("5"))) == "6.2.chart.13-14"


def test_an_area_whose_neighbours_are_all_full_cannot_be_activated() -> None:
    """8.1.needs-fresh: no legal first step and nothing to attack."""
    full = {"5": "94/267 94/274 94/276 24/21", "7": "71/191 71/194 71/211 244A", "8": "29/15 29/71 24/PZ 24/26"}
    scene = Scene({"6": "29/PZ", **full}, SOMEWHERE)

    assert scene.refusal(Activate(PlaceId("6"))) == "activation_must_be_possible"


@each_row("costs", [(1, 2, 3, 4), (1, 2, 6, 4), (1, 2, 7, 4), (7, 2, 3, 4), (1, 7, 3, 4), (1, 2, 3, 7)])
def test_a_unit_can_only_leave_where_its_mf_suffice_whichever_cost_is_the_highest(costs: tuple[int, ...]) -> None:
    """8.1.needs-fresh: on the boards of variants too, so that no Action Round begins in which nothing can be done."""
    names = ("cost_vacant", "cost_vacant_adjacent_to_soviet", "cost_revealed_soviet", "cost_unrevealed_soviet")
    figures = replace(BOARD.movement, **dict(zip(names, costs, strict=True)))
    movement = Movement(replace(BOARD, movement=figures))
    full = {"5": "94/267 94/274 94/276 24/21", "7": "71/191 71/194 71/211 244A"}
    for soviet, cost in (({}, costs[0]), ({"10": "L5"}, costs[1]), ({"8": "L5"}, costs[2]), ({"8": "?"}, costs[3])):
        scene = Scene({"6": "29/15 29/PZ", **full}, {"40": "?", **soviet})
        for unit, factor in ((PieceId("29/15"), 4), (PieceId("29/PZ"), 6)):
            assert movement.can_leave(scene.table, unit, PlaceId("6")) == (cost <= factor)


def test_units_that_do_nothing_stay_fresh() -> None:
    """8.1.any-number: one of three acts; then the round is ended."""
    scene = Scene({"8": "29/15 29/71 29/PZ"}, {"10": "L5"})
    scene.activate("8")
    scene.move("29/PZ", "10")
    scene.attack("10", "29/PZ", dice=(6, 6, 1, 1))
    scene.play(DONE)

    assert scene.spent() == "29/PZ"
    assert scene.at("8") == "29/15 29/71"


def test_a_round_is_not_ended_before_anything_was_done() -> None:
    """8.1.1.until-done."""
    scene = Scene({"8": "29/15"}, SOMEWHERE)
    scene.activate("8")

    assert scene.refusal(DONE) == "activation_must_do_something"


def test_a_round_is_not_ended_while_a_mandatory_attack_is_open() -> None:
    """8.1.1.until-done, 9.1.mandatory."""
    scene = Scene({"8": "29/15 29/PZ"}, {"10": "?"})
    scene.activate("8")
    scene.move("29/15", "10")

    assert scene.refusal(DONE) == "mandatory_attack_must_be_resolved"


def test_a_round_ends_by_itself_when_nothing_is_left_to_do() -> None:
    """8.1.1.until-done: the last unit that could act has moved."""
    scene = Scene({"8": "29/15", "1": "244A"}, {"10": "?", "7": "?", "9": "?"})
    scene.activate("8")
    scene.move("29/15", "6", "5")

    assert scene.asked == "activate"
    assert scene.spent() == "29/15"


def test_a_round_leaves_no_memory_behind() -> None:
    """8.1.1.until-done: what the round remembered is forgotten at its end."""
    scene = Scene({"8": "29/15 29/PZ", "12": "24/PZ"}, {"10": "L5", "12": "L6"})
    before = {on: dict(there) for on, there in scene.table.attributes.items()}
    scene.activate("8")
    scene.move("29/15 29/PZ", "10")
    scene.attack("10", "29/15 29/PZ")
    scene.lead("29/PZ", dice=(1, 1, 6, 6))

    assert scene.asked == "activate"
    assert (scene.table.attributes, scene.table.terms) == (before, ())
    assert scene.at(OUT_OF_ACTION) == "29/PZ"


def test_spent_units_take_no_orders() -> None:
    """4.3.1.spent-inert: the Fresh one beside it does."""
    scene = Scene({"8": "29/15 29/PZ"}, SOMEWHERE, spent="29/15")
    scene.activate("8")

    assert scene.refusal(move("29/15", "10")) == "unit_must_be_fresh"
    assert scene.refusal(move("29/PZ", "10")) == ""


def test_a_unit_acts_in_one_action_round_of_a_turn_only() -> None:
    """8.2.fresh-only: it is Spent when its Area is activated again."""
    scene = Scene({"8": "29/15", "9": "29/PZ"}, SOMEWHERE)
    scene.activate("9")
    scene.move("29/PZ", "8")
    scene.play(STOP)
    scene.activate("8")

    assert scene.refusal(move("29/PZ", "9")) == "unit_must_be_fresh"


@each_row("command", [Buy("artillery"), move("29/15", "9"), declare("10", "29/15"), STOP])
def test_between_rounds_only_an_area_is_asked_for(command: Buy) -> None:
    """6.0.five-phases: what is not asked is refused."""
    scene = Scene({"8": "29/15"}, SOMEWHERE)

    assert scene.refusal(command) == "decision_must_be_open"


@each_row("command", [Buy("air"), Activate(PlaceId("9"))])
def test_within_a_round_no_other_area_is_activated_and_nothing_is_bought(command: Buy) -> None:
    """6.0.five-phases, 6.4.3.phase-ends."""
    scene = Scene({"8": "29/15", "9": "29/PZ"}, SOMEWHERE)
    scene.activate("8")

    assert scene.refusal(command) == "decision_must_be_open"
