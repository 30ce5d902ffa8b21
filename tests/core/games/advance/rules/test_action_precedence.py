"""Where several refusals apply in an Action Round the earliest of the documented order answers."""

from collections.abc import Callable

from core.engine.command import Command
from core.games.advance.rules.commands import Activate
from core.games.advance.rules.refusals import REFUSALS
from events.ids import PlaceId
from events.vocabulary import Value
from tests.support.advance import place_support
from tests.support.advance_rounds import Scene, declare, move
from tests.support.rows import each_row

FOUR_71 = "71/191 71/194 71/211 244A"


def round_in_8() -> Scene:
    """8 is active; 71/191 in 5 is paused, 29/15 in 8 Spent and of a paused division."""
    scene = Scene(
        {"8": "24/PZ 24/26 29/15", "5": "71/191"},
        {"10": "?", "7": "?"},
        spent="29/15",
        event={"paused": ("division/29", "division/71"), "event_roll": 7},
    )
    scene.activate("8")
    return scene


def moved_in_8() -> Scene:
    """24/PZ has gone to 9, 24/26 has entered 10, 24/21 has left for 6 and is still moving."""
    scene = Scene({"8": "24/PZ 24/26 24/21"}, {"10": "?", "7": "?"})
    scene.activate("8")
    scene.move("24/PZ", "9")
    scene.move("24/26", "10")
    scene.move("24/21", "6")
    return scene


def north() -> Scene:
    """41 was attacked from 42, which holds a northern unit under 12.2."""
    scene = Scene({"42": "24/PZ 16/RCN"}, {"41": "H3", "7": "?"}, options={"northern_shoulder": True})
    scene.activate("42")
    scene.move("24/PZ", "41")
    scene.attack("41", "24/PZ", dice=(6, 5, 2, 3))
    return scene


def contested() -> Scene:
    """10 is active and Contested; 12 beside it was attacked over 11 and holds; 9 and Contested 11 are full."""
    scene = Scene(
        {"10": "24/PZ 24/26 24/21", "9": FOUR_71},
        {"10": "H3", "12": "L9", "7": "?"},
        options={"northern_shoulder": True},
    )
    scene.activate("10")
    scene.move("24/PZ", "11", "12")
    scene.attack("12", "24/PZ", dice=(3, 3, 2, 2))
    return scene


def full_and_contested() -> Scene:
    """10 is active and Contested, as is 12, which is full."""
    scene = Scene({"10": "24/PZ 24/26", "12": FOUR_71}, {"10": "H3", "12": "L9"})
    scene.activate("10")
    return scene


def full_and_dear() -> Scene:
    """Infantry with 2 MF left beside Contested 7, which is full and costs 3."""
    scene = Scene({"6": "94/267 94/274", "7": FOUR_71}, {"7": "L9"})
    scene.activate("6")
    scene.move("94/267", "5")
    return scene


def came_back() -> Scene:
    """Of those who contested 10, 24/PZ has come back, 24/26 has left, 24/21 has stayed."""
    scene = Scene({"10": "24/PZ 24/26 24/21"}, {"10": "H3"})
    scene.activate("10")
    scene.move("24/PZ", "8", "10")
    scene.move("24/26", "8")
    return scene


def taken() -> Scene:
    """7 was taken from 8 in this round."""
    scene = Scene({"8": "24/PZ 24/26"}, {"7": "L9", "10": "?"})
    scene.activate("8")
    scene.move("24/PZ", "7")
    scene.attack("7", "24/PZ", dice=(6, 6, 1, 1))
    return scene


def support(event: dict[str, Value]) -> Scene:
    """One unit attacks 10 with all markers at hand."""
    scene = Scene({"8": "24/PZ 24/26"}, {"10": "H3"}, support=(8, 4, 3), event=event)
    scene.activate("8")
    scene.move("24/PZ", "10")
    scene.attack("10", "24/PZ")
    return scene


def support_under_ban() -> Scene:
    """The same while Air Support is banned."""
    return support({"air_ban": True})


def support_at_will() -> Scene:
    """The same without a ban."""
    return support({})


CASES: list[tuple[Callable[[], Scene], Command, str, str]] = [
    (round_in_8, move("soviet/10", "51"), "area_must_exist", "unit_must_be_german"),
    (round_in_8, move("soviet/10", "50"), "unit_must_be_german", "unit_must_be_in_active_area"),
    (round_in_8, move("29/15", "10"), "unit_must_be_fresh", "unit_must_not_be_paused"),
    (round_in_8, move("71/191", "50"), "unit_must_not_be_paused", "unit_must_be_in_active_area"),
    (round_in_8, move("94/267", "50"), "unit_must_be_in_active_area", "areas_must_be_adjacent"),
    (moved_in_8, move("24/PZ", "50"), "unit_must_still_be_moving", "areas_must_be_adjacent"),
    (moved_in_8, move("24/26", "50"), "unit_must_stop", "areas_must_be_adjacent"),
    (north, move("16/RCN", "10"), "areas_must_be_adjacent", "northern_units_must_stay_north"),
    (north, move("16/RCN", "41"), "northern_units_must_stay_north", "area_must_not_have_been_attacked"),
    (contested, move("24/26", "12"), "area_must_not_have_been_attacked", "contested_exit_must_be_to_vacant"),
    (full_and_contested, move("24/PZ", "12"), "contested_exit_must_be_to_vacant", "stacking_limit_must_hold"),
    (full_and_dear, move("94/267", "7"), "stacking_limit_must_hold", "movement_must_suffice"),
    (round_in_8, declare("51", "soviet/10"), "area_must_exist", "unit_must_be_german"),
    (round_in_8, declare("10", "29/15 soviet/10"), "unit_must_be_german", "unit_must_be_fresh"),
    (round_in_8, declare("10", "29/15 71/191"), "unit_must_be_fresh", "unit_must_not_be_paused"),
    (round_in_8, declare("10", "71/191 94/267"), "unit_must_not_be_paused", "unit_must_be_in_active_area"),
    (round_in_8, declare("9", "94/267"), "unit_must_be_in_active_area", "area_must_hold_soviet_unit"),
    (north, declare("41", "16/RCN"), "northern_units_must_stay_north", "area_must_not_have_been_attacked"),
    (taken, declare("7", "24/26"), "area_must_not_have_been_attacked", "area_must_hold_soviet_unit"),
    (moved_in_8, declare("9", "24/21"), "area_must_hold_soviet_unit", "unit_must_not_have_moved"),
    (came_back, declare("10", "24/PZ 24/26 24/21"), "unit_must_not_have_moved", "groups_must_attack_apart"),
    (moved_in_8, declare("10", ""), "all_entrants_must_attack", "attack_must_have_a_unit"),
    (support_under_ban, place_support(0, 0, 4), "support_must_be_available", "air_must_be_permitted"),
    (support_under_ban, place_support(0, 0, 2), "air_must_be_permitted", "air_must_be_single"),
    (support_at_will, place_support(0, 0, 2), "air_must_be_single", "support_must_not_exceed_attackers"),
]


@each_row(("scene", "command", "answer", "silent"), CASES)
def test_the_earliest_refusal_answers(scene: Callable[[], Scene], command: Command, answer: str, silent: str) -> None:
    code = scene().refusal(command)

    assert code == answer
    assert REFUSALS.precedence[answer] < REFUSALS.precedence[silent]


def test_the_refusals_between_rounds_keep_the_order() -> None:
    scene = Scene({"8": "24/PZ"}, {"10": "?"})

    assert [scene.refusal(Activate(PlaceId(area))) for area in ("0", "9", "8")] == [
        "area_must_exist",
        "area_must_hold_fresh_units",
        "",
    ]
