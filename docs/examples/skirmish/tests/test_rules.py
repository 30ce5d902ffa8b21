"""A test for each rule, from a position and with typed dice; the name of a test is the rule."""

import pytest
from skirmish.components import BLUE, HANDS, WOOD

import wardiary

POSITION = """
format = "wardiary-position/1"
game = "skirmish"
options = { rounds = 3 }
piles = { "hand/red" = ["drum"], "hand/blue" = ["flag"] }
pieces = [
    { id = "red-1", place = "ford", side = "red" },
    { id = "red-2", place = "red-camp", side = "red" },
    { id = "blue-1", place = "hill", side = "blue", steps = 1 },
]
"""
"""Red is at the Ford and about to move; Blue holds the Hill with a spent squad."""

Command = dict[str, object]
DONE: Command = {"do": "done"}
STAND: Command = {"do": "stand"}


def opened(position: str = POSITION) -> wardiary.Match:
    """Open a match with typed dice, and begin it: a set-up could need dice too, so that it waits to be asked for."""
    match = wardiary.open("skirmish", dice="manual", position=position)
    match.play({"do": "match:begin"})
    return match


def march(squad: str, to: str) -> Command:
    """Return a command to march."""
    return {"do": "march", "squad": squad, "to": to}


def where(match: wardiary.Match) -> dict[str, tuple[str, int]]:
    """Return the place and the steps of each squad."""
    return {squad: (piece.place, piece.steps) for squad, piece in match.table().pieces.items()}


def refusal(match: wardiary.Match, command: Command) -> str:
    """Return the code with which a command is refused."""
    with pytest.raises(wardiary.RequestFailed) as caught:
        match.play(command)
    return caught.value.reply.refusal


def test_each_side_begins_with_three_squads_and_two_cards() -> None:
    table = wardiary.open("skirmish", dice="seeded", seed="1").table()

    assert {name: pile.count for name, pile in table.piles.items()} == {
        "deck": 1,
        "discards": 0,
        "hand/red": 2,
        "hand/blue": 2,
    }
    assert sorted(piece.place for piece in table.pieces.values()) == ["blue-camp"] * 3 + ["red-camp"] * 3


def test_a_squad_marches_once_a_turn_and_controls_the_field_that_it_enters() -> None:
    match = opened()
    match.play(march("red-2", "wood"))

    assert where(match)["red-2"] == ("wood", 2)
    assert match.table().control[WOOD] == "red"
    assert refusal(match, march("red-2", "red-camp")) == "squad_must_be_rested"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (march("blue-1", "wood"), "squad_must_be_own"),
        (march("red-2", "hill"), "place_must_be_neighbour"),
        (march("red-2", "ford"), "place_must_be_open"),
        (march("red-1", "blue-camp"), "place_must_be_open"),
        ({"do": "rally", "card": "flag"}, "card_must_be_in_hand"),
        ({"do": "rally", "card": "drum"}, "squad_must_be_spent"),
        (STAND, "answer_must_fit"),
    ],
)
def test_an_illegal_command_is_refused(command: Command, code: str) -> None:
    assert refusal(opened(), command) == code


@pytest.mark.parametrize(
    ("dice", "after"),
    [
        ((6, 4), {"red-1": ("hill", 2), "red-2": ("red-camp", 2)}),
        ((5, 4), {"red-1": ("ford", 1), "red-2": ("red-camp", 2), "blue-1": ("hill", 1)}),
    ],
)
def test_a_defender_on_the_hill_adds_one_and_wins_ties(
    dice: tuple[int, int], after: dict[str, tuple[str, int]]
) -> None:
    match = opened()
    match.play(march("red-1", "hill"))

    assert match.seat_to_move == "blue"

    match.play(STAND, dice=dice)

    assert where(match) == after
    assert (match.ended is not None) == ("blue-1" not in after)


def test_a_defender_who_falls_back_leaves_the_field_to_the_attacker() -> None:
    match = opened()
    match.play(march("red-1", "hill"))

    assert refusal(match, {"do": "fall-back", "to": "ford"}) == "place_must_be_open"

    match.play({"do": "fall-back", "to": "wood"})

    assert where(match) == {"red-1": ("hill", 2), "red-2": ("red-camp", 2), "blue-1": ("wood", 1)}
    assert match.seat_to_move == "red"


def test_a_card_makes_spent_squads_fresh_and_is_replaced() -> None:
    match = opened()
    match.play(DONE)
    match.play({"do": "rally", "card": "flag"})
    match.play({"do": "choose", "items": ["blue-1"]}, draws=("bugle",))

    assert where(match)["blue-1"] == ("hill", 2)
    assert match.table().piles[HANDS[BLUE]].cards == ("bugle",)
    assert match.table("red").piles[HANDS[BLUE]].cards == ()


def test_the_side_that_controls_the_hill_after_the_last_round_wins() -> None:
    match = opened()
    for _ in range(6):
        match.play(DONE)

    assert match.ended is not None
    assert (match.ended.result, match.ended.winners) == ("Hill", ("blue",))
    assert match.audit().clean
