"""The account of a chapter marks what was taken back, and leaves out who came and went meanwhile."""

from collections.abc import Iterator, Sequence

from typing_extensions import override

from core.telling.chapter_account import account
from core.telling.names import IdsOnly, Names
from events.ids import GameKey, RuleId, Seat
from events.vocabulary import CommandsUndone, Event, MatchBegan, RuleApplied, SeatTaken, SequenceBegan, SequenceEnded
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import EventSlice

RULE = RuleId("1.turn")
RED = Seat("red")


class Words(IdsOnly):
    """Tells the beginning of each sequence, so that it is a chapter."""

    @override
    def tell(self, table: Table, run: Sequence[Event]) -> str | None:
        return "A fight begins." if isinstance(run[0], SequenceBegan) else ""


class Seen:
    """A stream of which each event is a command by itself."""

    def __init__(self, *events: Event) -> None:
        self._events = events
        self.last = len(events)
        self.names = Names(Words(GameKey("skirmish")))

    def table(self, number: int | None = None) -> Table:
        return fold(self._events[: self.last if number is None else number])

    def stream(self, after: int = 0, upto: int | None = None) -> Iterator[EventSlice]:
        for number, event in enumerate(self._events[after:upto], start=after + 1):
            yield EventSlice(number, 0, (event,))


def fired(outcome: str) -> RuleApplied:
    return RuleApplied(rule=RULE, outcome=outcome)


def test_an_account_marks_what_was_taken_back_and_tells_no_seats() -> None:
    seen = Seen(
        MatchBegan(rule=RULE),
        SequenceBegan(rule=RULE, kind="fight", step="fire"),
        fired("a miss"),
        SeatTaken(rule=RULE, seat=RED, name="Ben"),
        CommandsUndone(rule=RULE, seat=RED, to=2),
        fired("a hit"),
        SequenceEnded(rule=RULE, kind="fight"),
    )

    assert [(line.first, line.sentence) for line in account(seen, 6)] == [
        (2, "A fight begins."),
        (3, "A miss. (taken back)"),
        (5, "red takes back what was done after event 2."),
        (6, "A hit."),
    ]


def test_what_is_taken_back_after_the_chapter_is_marked_as_well() -> None:
    seen = Seen(
        MatchBegan(rule=RULE),
        SequenceBegan(rule=RULE, kind="fight", step="fire"),
        fired("a miss"),
        SequenceEnded(rule=RULE, kind="fight"),
        CommandsUndone(rule=RULE, seat=RED, to=2),
    )

    assert [line.sentence for line in account(seen, 3)][1] == "A miss. (taken back)"
