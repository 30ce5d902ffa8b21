"""Control is counted at the end of each round, and every change of control is recorded."""

from events.ids import PlaceId, RuleId, Side
from events.vocabulary import ControlChanged, Event, RoundBegan
from projections.control import ControlChange, ControlStand, control_history

RULE = RuleId("1")
RED = Side("red")
BLUE = Side("blue")
NOBODY = Side("")


def taken(place: str, to: Side, was: Side = NOBODY) -> Event:
    return ControlChanged(rule=RULE, place=PlaceId(place), to=to, was=was)


def began(number: int) -> Event:
    return RoundBegan(rule=RULE, number=number, was=number - 1)


EVENTS = [
    taken("a", RED),
    taken("b", BLUE),
    taken("c", BLUE),
    began(1),
    taken("b", RED, BLUE),
    began(2),
    taken("a", NOBODY, RED),
]


def test_control_is_counted_at_the_end_of_each_round_and_now() -> None:
    assert control_history(EVENTS).stands == (
        ControlStand(1, 5, {BLUE: 1, RED: 2}),
        ControlStand(2, 7, {BLUE: 1, RED: 1}),
    )


def test_control_set_up_before_the_first_round_is_not_a_change() -> None:
    assert control_history(EVENTS).changes == (
        ControlChange(1, 5, PlaceId("b"), BLUE, RED),
        ControlChange(2, 7, PlaceId("a"), RED, NOBODY),
    )


def test_an_empty_stream_has_one_empty_count() -> None:
    assert control_history([]).stands == (ControlStand(0, 0, {}),)
