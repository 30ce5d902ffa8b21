"""A test for each rule, with typed dice; the name of a test is the rule."""

import pytest

import wardiary
from wardiary.game import faces_on
from wardiary.testing import opened, refusal, same_view

NORTH, EAST = (1, 3, 3, 5, 6), (2, 3, 4, 4, 6)


def begun(north: tuple[int, ...] = NORTH, east: tuple[int, ...] = EAST) -> wardiary.Match:
    """Open a match for two players, with their first dice."""
    match = opened("liars-dice")
    match.play({"do": "match:begin"}, dice=(*north, *east))
    return match


def test_each_player_sees_its_own_dice_only() -> None:
    match = begun()

    assert [match.table(seat).attributes for seat in ("north", "east", "public")] == [
        {"north": {"dice": "1 3 3 5 6"}},
        {"east": {"dice": "2 3 4 4 6"}},
        {},
    ]


def test_matches_that_differ_in_anothers_dice_look_the_same() -> None:
    one, other = begun(), begun(north=(6, 6, 6, 6, 6))

    assert same_view(one, other, "east")
    assert same_view(one, other)
    assert not same_view(one, other, "north")


def test_a_bid_is_higher_than_the_one_before() -> None:
    match = begun()

    assert refusal(match, {"do": "challenge"}) == "bid_must_be_made"
    assert refusal(match, {"do": "bid", "count": 11, "face": 1}) == "bid_must_be_possible"

    match.play({"do": "bid", "count": 3, "face": 4})

    assert match.seat_to_move == "east"
    assert refusal(match, {"do": "bid", "count": 3, "face": 2}) == "bid_must_be_higher"

    match.play({"do": "bid", "count": 3, "face": 5})

    assert match.seat_to_move == "north"


def test_who_was_wrong_loses_a_die_and_all_dice_are_shown() -> None:
    match = begun()
    match.play({"do": "bid", "count": 3, "face": 3})
    match.play({"do": "challenge"}, dice=(1, 1, 1, 1, 1, 2, 2, 2, 2))

    assert match.table().tracks == {"left-north": 5, "left-east": 4}
    assert match.seat_to_move == "east"
    shown = [event for event in match.events("public") if getattr(event, "is_disclosed", False)]
    assert [getattr(event, "value", "") for event in shown] == ["1 3 3 5 6", "2 3 4 4 6"]
    assert match.table("public").attributes == {}


def test_the_last_player_with_dice_wins() -> None:
    match = begun((1, 1, 1, 1, 1), (1, 1, 1, 1, 1))
    match.play({"do": "bid", "count": 1, "face": 1})
    match.play({"do": "challenge"}, dice=(1,) * 9)
    for left in (3, 2, 1, 0):
        match.play({"do": "bid", "count": 5, "face": 6})
        match.play({"do": "challenge"}, dice=(1,) * (5 + left) if left else ())

    assert match.ended is not None
    assert (match.ended.result, match.ended.winners) == ("Last Dice", ("north",))
    assert match.audit().clean


def test_a_fork_rolls_again_what_its_player_does_not_know() -> None:
    match = wardiary.open("liars-dice", mode="4", dice="seeded", seed="1")
    forks = [match.fork(seat="north", dice="seeded", seed=str(number)).table() for number in range(8)]

    assert {faces_on(fork, "north") for fork in forks} == {faces_on(match.table(), "north")}
    assert len({faces_on(fork, "east") for fork in forks}) > 3
    assert any(len({*faces_on(fork, "east")}) > 2 for fork in forks)


def test_a_position_cannot_say_who_knows_the_dice() -> None:
    with pytest.raises(wardiary.RequestFailed, match="this game has secrets"):
        opened("liars-dice", 'format = "wardiary-position/1"\ngame = "liars_dice"\n')
