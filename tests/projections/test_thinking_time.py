"""Thinking time is what passed between a seat's question and its answer; pauses, notes and secret picks make no difference."""

from events.ids import ARBITER, RuleId, Seat
from events.vocabulary import (
    DecisionClosed,
    DecisionOpened,
    Event,
    ItemPicked,
    MatchBegan,
    MatchPaused,
    MatchResumed,
    NoteAdded,
    SeatTaken,
)
from projections.state.view import EventSlice
from projections.thinking_time import ThinkingTime, thinking_times

RULE = RuleId("1")
RED, BLUE = Seat("red"), Seat("blue")


def stream(*commits: tuple[int, list[Event]]) -> list[EventSlice]:
    found: list[EventSlice] = []
    for at, events in commits:
        found.append(EventSlice(found[-1].last + 1 if found else 1, at, tuple(events)))
    return found


def asked(seat: Seat) -> Event:
    return DecisionOpened(rule=RULE, kind="turn", seat=seat)


def answered(seat: Seat) -> Event:
    return DecisionClosed(rule=RULE, kind="turn", seat=seat)


BEGUN: tuple[int, list[Event]] = (1_000, [MatchBegan(rule=RULE), asked(RED)])


def took(seat: Seat, *times: int, at: int) -> ThinkingTime:
    return ThinkingTime(
        seat=seat,
        decisions=len(times),
        total_ms=sum(times),
        median_ms=sorted(times)[len(times) // 2],
        longest_ms=max(times),
        longest_at=at,
    )


def test_a_decision_takes_from_the_command_before_it_to_its_own() -> None:
    played = stream(
        BEGUN,
        (1_500, [answered(RED), asked(BLUE)]),
        (4_000, [answered(BLUE), asked(RED)]),
        (4_100, [answered(RED), asked(RED)]),
        (4_300, [answered(RED)]),
    )

    assert thinking_times(played) == (took(RED, 500, 100, 200, at=4), took(BLUE, 2_500, at=6))


def test_pauses_do_not_count() -> None:
    pause: list[Event] = [MatchPaused(rule=RULE, reason="lunch")]
    played = stream(BEGUN, (1_200, pause), (9_200, [MatchResumed(rule=RULE)]), (9_300, [answered(RED)]))

    assert thinking_times(played) == (took(RED, 300, at=5),)


def test_notes_and_secret_picks_do_not_end_a_decision() -> None:
    note = NoteAdded(rule=RULE, seat=BLUE, text="so", seen_by=(BLUE,))
    pick = ItemPicked(rule=RULE, item="one", seen_by=(RED,))
    played = stream(BEGUN, (2_000, [note]), (3_000, [pick]), (4_000, [answered(RED)]))

    assert thinking_times(played) == (took(RED, 3_000, at=5),)


def test_a_seat_that_is_taken_later_begins_to_think_then() -> None:
    taken = SeatTaken(rule=RULE, seat=RED, name="Ada", credential="")
    played = stream(BEGUN, (5_000, [taken]), (5_400, [answered(RED)]))

    assert thinking_times(played) == (took(RED, 400, at=4),)


def test_nobody_thinks_before_play_begins() -> None:
    assert thinking_times(stream((0, [asked(ARBITER)]), (50, [MatchBegan(rule=RULE)]))) == ()
