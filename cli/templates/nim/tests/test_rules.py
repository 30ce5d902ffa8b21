"""A test for each rule; the name of a test is the rule."""

from wardiary.testing import legal_words, opened, refusal

POSITION = """
format = "wardiary-position/1"
game = "nim"
tracks = { heap = 5 }
turn = "second"
"""


def test_a_player_takes_one_two_or_three_counters_in_turn() -> None:
    match = opened("nim", seed="1")

    assert legal_words(match) == ["Take 1", "Take 2", "Take 3"]
    assert refusal(match, {"do": "take", "count": 4}) == "count_must_be_possible"

    match.play({"do": "take", "count": 3})

    assert match.table().tracks == {"heap": 12}
    assert match.seat_to_move == "second"


def test_who_takes_the_last_counter_wins() -> None:
    match = opened("nim", POSITION, seed="1")
    match.play({"do": "take", "count": 3})

    assert refusal(match, {"do": "take", "count": 3}) == "count_must_be_possible"

    match.play({"do": "take", "count": 2})

    assert match.ended is not None
    assert (match.ended.result, match.ended.winning_seats) == ("Last Counter", ("first",))
    assert match.audit().clean
