"""Shares of wins: points where they tell most, changes that are no luck, and draws."""

import pytest

from core.trials.comparison import share
from core.trials.trial import Outcome
from core.trials.win_shares import SharePoint, are_apart, even, steepest, told_apart, turns, wins_of
from events.ids import Seat, Side
from projections.state.table import Ended, Table

RED, BLUE = Side("red"), Side("blue")


def point(number: int, count: float, of: int = 40) -> SharePoint:
    return SharePoint(number, {RED: share(count, of), BLUE: share(of - count, of)})


def points(*counts: int, of: int = 40) -> list[SharePoint]:
    """Return points of a match of 1,000 events with so many wins of red."""
    last = len(counts) - 1
    return [point(1_000 * place // last, count, of) for place, count in enumerate(counts)]


def test_points_are_even_and_have_both_ends() -> None:
    assert even([1, 2, 3, 50, 98, 100], 3) == [1, 50, 100]
    assert even([4, 9], 12) == [4, 9]


def test_further_points_come_where_the_shares_change_most() -> None:
    found = [point(0, 20), point(100, 20), point(200, 2), point(300, 2)]

    assert steepest(range(0, 301, 10), found, 1) == [150]
    assert steepest([0, 100, 200, 300], found, 5) == []
    assert len(steepest(range(0, 301, 10), found, 5)) == 3


def test_turns_are_the_largest_changes_in_order_and_none_lies_in_another() -> None:
    found = turns(points(20, 20, 38, 38, 10, 10, 38, 38, 0, 0, 0))

    assert [(one.before.number, one.after.number) for one in found] == [(300, 400), (500, 600), (700, 800)]


def test_a_change_over_several_points_is_one_turn_within_a_fifth_of_the_match() -> None:
    steps = [40] * 20 + [30, 20, 10, 0] + [0] * 17
    (found,) = turns(points(*steps))

    assert (found.before.number, found.after.number) == (475, 575)


def test_changes_that_may_be_luck_are_no_turns() -> None:
    assert turns(points(20, 24, 18, 22, 26, 20)) == []
    assert turns(points(*[20 - place for place in range(21)])) == []
    assert turns([]) == []


def test_intervals_that_overlap_are_not_told_apart() -> None:
    assert not are_apart(point(1, 20), point(2, 28))
    assert are_apart(point(1, 10), point(2, 30))
    assert told_apart(40) == pytest.approx(0.219, abs=0.001)


def test_who_wins_is_a_side_or_the_side_of_a_seat_and_a_draw_is_shared() -> None:
    seat = Seat("north")
    table = Table(seats=(seat,), sides=(RED, BLUE), plays={seat: BLUE})
    outcomes = [
        Outcome(Ended("rules", "", (RED,)), {}),
        Outcome(Ended("rules", "", (), (seat,)), {}),
        Outcome(Ended("rules", "", ()), {}),
        Outcome(None, {}),
    ]
    won = wins_of(outcomes, table)

    assert {side: one.count for side, one in won.items()} == {RED: 2.0, BLUE: 2.0}
    assert all(one.of == 4 and one.low < 0.5 < one.high for one in won.values())
