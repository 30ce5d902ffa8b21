"""A test for each rule, in matches without dice; the name of a test is the rule."""

import wardiary
from wardiary.testing import legal_words, opened, refusal


def stones(match: wardiary.Match, *cells: str) -> None:
    """Place stones in turn."""
    for cell in cells:
        match.play({"do": "place", "cell": cell})


def test_a_stone_goes_on_an_empty_cell_in_turn() -> None:
    match = opened("hex", seed="1")
    stones(match, "f6", "a1")

    assert match.table().control == {"f6": "red", "a1": "blue"}
    assert refusal(match, {"do": "place", "cell": "f6"}) == "cell_must_be_empty"
    assert refusal(match, {"do": "place", "cell": "z99"}) == "cell_must_be_empty"
    assert refusal(match, {"do": "place", "cell": "b1"}, seat="second") == "seat_must_be_asked"


def test_only_the_first_stone_can_be_answered_by_a_swap() -> None:
    match = opened("hex", seed="1")

    assert refusal(match, {"do": "swap"}) == "stone_must_be_first"

    stones(match, "f6")

    assert legal_words(match)[-1] == "Take the side of the first stone"

    match.play({"do": "swap"})

    assert match.table().plays == {"first": "blue", "second": "red"}
    assert match.seat_to_move == "first"
    assert refusal(match, {"do": "swap"}) == "stone_must_be_first"


def test_the_side_that_connects_its_edges_wins() -> None:
    match = opened("hex", seed="1")
    for row in range(1, 11):
        stones(match, f"b{row}", f"d{row}")
    stones(match, "b11")

    assert match.ended is not None
    assert (match.ended.result, match.ended.winners, match.ended.winning_seats) == ("Connection", ("red",), ("first",))
    assert match.audit().clean


POSITION = """
format = "wardiary-position/1"
game = "hex"
control = { a1 = "blue", b1 = "blue", c1 = "blue" }
turn = "blue"
"""


def test_a_position_opens_with_the_turn_of_a_side() -> None:
    match = opened("hex", POSITION, seed="1")

    assert match.seat_to_move == "second"
    assert refusal(match, {"do": "place", "cell": "b1"}) == "cell_must_be_empty"
