"""Thinking time: how long each seat took for its decisions, by the times of the commits; the time of pauses does not count."""

from collections.abc import Iterable
from statistics import median

from events.codec import Struct
from events.ids import NO_SEAT, Seat
from events.vocabulary import (
    CommandsUndone,
    Event,
    ItemPicked,
    ItemUnpicked,
    MatchBegan,
    MatchPaused,
    MatchResumed,
    SeatTaken,
)
from projections.state.fold import evolve
from projections.state.table import Table
from projections.state.undo_history import KEPT
from projections.state.view import EventSlice


class ThinkingTime(Struct, frozen=True, kw_only=True):
    """The decisions of a seat and the time that they took: in all, for half of them at most, and for the longest; milliseconds.

    `longest_at` is the event with which the longest ended.
    """

    seat: Seat
    decisions: int
    total_ms: int
    median_ms: int
    longest_ms: int
    longest_at: int


def is_awaited(event: Event) -> bool:
    """Return whether an event is one of the game that all seats know of."""
    if isinstance(event, ItemPicked | ItemUnpicked):
        return event.seen_by is None
    return type(event) not in KEPT or isinstance(event, CommandsUndone)


def thinking_times(stream: Iterable[EventSlice]) -> tuple[ThinkingTime, ...]:
    """Return the thinking time of each seat, in the order of their first decisions.

    A decision takes from the command before it to the command that answers it, or from when its seat was taken if that is later.
    What only some seats know of makes no difference: private notes and secret picks.

    Args:
        stream: What one seat has seen from the first event on, commit by commit.
    """
    table = Table()
    taken: dict[Seat, list[tuple[int, int]]] = {}
    since = paused_at = 0
    for slice_ in stream:
        asked = NO_SEAT if table.top is None or not table.began else table.top.seat
        is_answer = False
        for event in slice_.events:
            if isinstance(event, MatchPaused):
                paused_at = slice_.at
            elif isinstance(event, MatchResumed):
                since += max(0, slice_.at - paused_at)
            elif isinstance(event, MatchBegan) or (isinstance(event, SeatTaken) and event.seat == asked):
                since = slice_.at
            is_answer = is_answer or is_awaited(event)
            evolve(table, event)
        if is_answer:
            if asked:
                taken.setdefault(asked, []).append((max(0, slice_.at - since), slice_.last))
            since = slice_.at
    return tuple([_summed(seat, times) for seat, times in taken.items()])


def _summed(seat: Seat, times: list[tuple[int, int]]) -> ThinkingTime:
    each = [time for time, _ in times]
    longest, at = max(times, key=lambda one: one[0])
    return ThinkingTime(
        seat=seat,
        decisions=len(times),
        total_ms=sum(each),
        median_ms=round(median(each)),
        longest_ms=longest,
        longest_at=at,
    )
