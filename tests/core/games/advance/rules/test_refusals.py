"""A refusal names the rule that decides, and says what is wrong in the words of the game."""

from core.engine.command import Command
from core.games.advance.rules.commands import Activate, Buy, ReturnUnit
from events.ids import PieceId, PlaceId
from tests.support.advance import scene as whole_scene
from tests.support.advance_rounds import RULES, Scene, declare, move
from tests.support.rows import each_row


def answer(scene: Scene, command: Command) -> tuple[str, str]:
    """Return the rule and the sentence with which a command is refused."""
    top = scene.table.top
    assert top is not None
    no = RULES.kinds[top.kind].refuse(scene.table, top, command)
    assert no is not None
    return no.rule, no.sentence


def active() -> Scene:
    scene = Scene({"8": "29/15 29/PZ", "9": "24/21"}, {"10": "L5", "7": "?"}, out="24/26")
    scene.activate("8")
    return scene


def test_what_is_asked_is_said_in_words_and_not_by_its_key() -> None:
    rule, sentence = answer(active(), Buy("air"))

    assert (rule, sentence) == (
        "6.0.five-phases",
        "This is not what is being asked now: the next move or attack of the Action Round in Area 8.",
    )


def test_another_area_waits_until_the_action_round_is_done() -> None:
    """8.1.1.until-done."""
    assert answer(active(), Activate(PlaceId("9")))[0] == "8.1.1.until-done"


def test_an_open_mandatory_attack_is_the_reason_why_no_other_area_is_activated() -> None:
    """9.1.mandatory."""
    scene = active()
    scene.move("29/15", "10")

    assert answer(scene, Activate(PlaceId("9")))[0] == "9.1.mandatory"


@each_row(
    ("unit", "rule", "said"),
    [
        ("24/21", "8.1.activate", "'24/21' did not start this Action Round in the Active Area."),
        ("24/26", "3.7.out-of-action-box", "24/26 is Out of Action."),
        ("14/PZ", "4.3.factory-only-units", "14/PZ is not in play in this scenario."),
    ],
)
def test_a_unit_elsewhere_is_told_where_it_is(unit: str, rule: str, said: str) -> None:
    assert answer(active(), move(unit, "7")) == (rule, said)


def test_a_spent_attacker_is_refused_because_it_is_spent() -> None:
    """4.3.1.spent-inert: the Soviet unit of its Area may be gone by then."""
    scene = active()
    scene.move("29/15", "10")
    scene.attack("10", "29/15", dice=(6, 6, 1, 1))

    assert answer(scene, move("29/15", "12")) == ("4.3.1.spent-inert", "29/15 is Spent.")


def test_units_that_never_entered_cannot_attack_there() -> None:
    """9.0.active-units-only."""
    scene = Scene({"8": "29/15 29/PZ", "10": "24/21"}, {"10": "L5"})
    scene.activate("8")

    assert answer(scene, declare("10", "29/15"))[0] == "9.0.active-units-only"


@each_row(
    ("units", "said"),
    [
        ("29/15", "Every unit that entered Area 10 must attack, and no other: 29/PZ also entered it."),
        ("29/15 29/71 29/PZ", "Every unit that entered Area 10 must attack, and no other: 29/71 did not."),
    ],
)
def test_a_mandatory_attack_names_the_units_that_are_missing_or_too_many(units: str, said: str) -> None:
    """9.1.all-entrants."""
    scene = Scene({"8": "29/15 29/71 29/PZ"}, {"10": "?"})
    scene.activate("8")
    scene.move("29/15 29/PZ", "10")

    assert answer(scene, declare("10", units)) == ("9.1.all-entrants", said)


def test_only_units_in_the_out_of_action_box_return() -> None:
    """3.7.out-of-action-box."""
    buying = whole_scene(phase="supply", decision="supply", units={"24/26": "3"}, out="24/21", soviets={"10": "?"})
    table = buying.table
    assert table.top is not None
    no = RULES.kinds["supply"].refuse(table, table.top, ReturnUnit(PieceId("24/26"), PlaceId("3")))

    assert no is not None
    assert no.rule == "3.7.out-of-action-box"


def test_one_group_alone_can_attack_a_contested_area() -> None:
    """9.3.no-joint-attack: one unit came back in and one stayed, so that one unit is picked."""
    scene = Scene({"10": "24/26 24/PZ"}, {"10": "H3"})
    scene.activate("10")
    scene.move("24/PZ", "9", "10")
    scene.play(declare("10", ""))

    assert RULES.bounds(scene.table) == (1, 1)
