"""Finds the events at which a fork can leave a match so that a roll, a draw or a decision happens again."""

from collections.abc import Iterable, Iterator

from events.codec import Struct
from events.ids import ARBITER, Seat
from events.vocabulary import DecisionOpened, Event, MatchEnded, MatchForked, events_with
from projections.state.table import Table
from projections.state.view import EventSlice

CHANCE = events_with(lambda traits: traits.is_chance)
"""Events that happen again, with other dice or draws, where a match is forked just before them."""


class ForkPoints(Struct, frozen=True):
    """The events to fork at in order to change an event: `to_decide` its command again, `to_roll` its dice or its draw again.

    Each is None if there is none: only dice and draws are rolled again, and only within a command; the opening of a match is not
    decided again. Before the first roll of a command, deciding again rolls again. Of the question that a command leaves open,
    `to_decide` is the question itself.
    """

    to_decide: int | None = None
    to_roll: int | None = None


def fork_points(
    event: Event,
    number: int,
    first: int,
    last: int,
    *,
    is_new_deal: bool = False,
    after: int = 0,
    is_over: bool = False,
) -> ForkPoints:
    """Return where to fork in order to change an event.

    Args:
        event: The event.
        number: Its number in the stream of the viewing seat.
        first: The number of the first event of its command.
        last: The number of the last event of its command.
        is_new_deal: Whether the command is that of a fork, whose new deal cannot be cut.
        after: The last event at which the viewer may not fork; 0 if any will do.
        is_over: Whether the match was over before its command, so that nothing can be tried there.
    """
    if is_over:
        return ForkPoints()
    is_left_open = isinstance(event, DecisionOpened) and number == last
    to_decide = number if is_left_open else first - 1
    cuts = type(event) in CHANCE and number > first and not is_new_deal
    return ForkPoints(to_decide if to_decide > after else None, number - 1 if cuts and number - 1 > after else None)


def closed_upto(table: Table, seat: Seat) -> int:
    """Return the last event at which a player cannot fork the match, which may be a fork that hides what it shares with its parent.

    Args:
        table: The table at the head, as the seat sees it.
        seat: The seat; the arbiter, from whom nothing is hidden, can fork at any event.

    Returns:
        The event's number by the seat's count; 0 if there is none.
    """
    return 0 if seat == ARBITER else max([limit.upto for limit in table.limits], default=0)


def points_of(
    stream: Iterable[EventSlice], first: int = 0, *, after: int = 0, is_over: bool = False
) -> Iterator[tuple[int, ForkPoints]]:
    """Return where to fork in order to change each event of a stream, with the event's number.

    Args:
        stream: What a seat has seen, commit by commit.
        first: The number of the first event of the first command, if the stream begins in the middle of it.
        after: The last event at which the viewer may not fork; 0 if any will do.
        is_over: Whether the match was over before the first command.
    """
    for seen in stream:
        is_new_deal = isinstance(seen.events[0], MatchForked)
        for number, event in enumerate(seen.events, start=seen.first):
            points = fork_points(
                event,
                number,
                first or seen.first,
                seen.last,
                is_new_deal=is_new_deal,
                after=after,
                is_over=is_over,
            )
            yield number, points
        first, is_over = 0, is_over or any(isinstance(event, MatchEnded) for event in seen.events)
