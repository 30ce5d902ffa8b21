"""The chronicle groups a seat's stream under its headings and loses nothing."""

from random import Random

from events.ids import ARBITER, PUBLIC, PieceId, PlaceId, RuleId, Seat, Side
from events.vocabulary import (
    CommandsUndone,
    DecisionClosed,
    DecisionOpened,
    Event,
    NoteAdded,
    PhaseBegan,
    PieceMoved,
    RoundBegan,
    TurnBegan,
)
from projections.chronicle import Chronicler, Entry, Heading, chronicle
from projections.state.view import EventSlice, SeatView
from tests.support.desk import Desk, skirmish_listed
from tests.support.rows import each_row

RULE = RuleId("1")
RED, RED_SIDE = Seat("red"), Side("reds")


def moved(to: str) -> Event:
    return PieceMoved(rule=RULE, piece=PieceId("p"), to=PlaceId(to), was=PlaceId("x"))


ASKED = DecisionOpened(rule=RULE, kind="turn", seat=RED)
CLOSED = DecisionClosed(rule=RULE, kind="turn", seat=RED)
ROUND = RoundBegan(rule=RULE, number=1, was=0)
TURN = TurnBegan(rule=RULE, side=RED_SIDE, was=Side(""), seat=RED)
PHASE = PhaseBegan(rule=RULE, phase="dawn", was="")


def slice_(first: int, *events: Event) -> EventSlice:
    return EventSlice(first, 1000 + first, events)


def told(entries: list[Entry]) -> list[tuple[int, Heading]]:
    return [(entry.number, entry.heading) for entry in entries if entry.is_told]


def test_an_entry_belongs_to_the_latest_heading() -> None:
    entries = Chronicler().take(slice_(1, moved("a"), ROUND, TURN, PHASE, ASKED, moved("b"), moved("c")))

    assert told(entries) == [
        (1, Heading()),
        (6, Heading(1, RED_SIDE, "dawn", RED)),
        (7, Heading(1, RED_SIDE, "dawn", RED)),
    ]


def test_a_heading_is_kept_between_slices() -> None:
    chronicler = Chronicler()
    first = chronicler.take(slice_(1, ROUND, TURN))
    second = chronicler.take(slice_(3, CLOSED, moved("a")))

    assert (told(first), told(second)) == ([], [(4, Heading(1, RED_SIDE, seat=RED))])


def test_a_take_back_restores_the_heading_of_the_event_to_which_it_returns() -> None:
    back = CommandsUndone(rule=RULE, seat=RED, to=2)
    entries = Chronicler().take(slice_(1, ROUND, TURN, moved("a"), PHASE, moved("b"), back, moved("c")))

    assert entries[4].heading == Heading(1, RED_SIDE, "dawn", RED)
    assert entries[6].heading == Heading(1, RED_SIDE, seat=RED)


@each_row("is_asked", [True, False])
@each_row(("to", "known"), [(7, "asked"), (8, "begin"), (9, "dawn")])
def test_a_take_back_to_before_the_stream_asks_for_the_heading_there(to: int, known: str, *, is_asked: bool) -> None:
    """Without anybody to ask, it is the one with which the stream began."""
    asked, begin = Heading(3, RED_SIDE, "dusk", RED), Heading(4, RED_SIDE, "dusk", RED)
    back = CommandsUndone(rule=RULE, seat=RED, to=to)
    chronicler = Chronicler(begin, (lambda _: asked) if is_asked else None)
    entries = chronicler.take(slice_(9, PHASE, moved("a"), back, moved("b")))
    expected = {"asked": asked if is_asked else begin, "begin": begin, "dawn": Heading(4, RED_SIDE, "dawn", RED)}[known]

    assert entries[-1].heading == chronicler.heading == expected


@each_row(("given", "undone"), [(None, [4]), (frozenset({3}), [3]), (frozenset(), [])])
def test_what_was_undone_is_marked_in_its_chapter(given: frozenset[int] | None, undone: list[int]) -> None:
    back = CommandsUndone(rule=RULE, seat=RED, to=3)
    stream = [
        slice_(1, ROUND, TURN),
        slice_(3, moved("a")),
        slice_(4, moved("b")),
        slice_(5, back),
        slice_(6, moved("c")),
    ]
    chapters = chronicle(stream, undone=given)

    assert [entry.number for chapter in chapters for entry in chapter.entries if entry.is_undone] == undone


def test_a_chronicle_can_start_in_the_middle_of_a_stream() -> None:
    chapters = chronicle([slice_(9, moved("a"), PHASE, moved("b"))], Heading(4, RED_SIDE, "dusk", RED))

    assert [chapter.heading for chapter in chapters] == [
        Heading(4, RED_SIDE, "dusk", RED),
        Heading(4, RED_SIDE, "dawn", RED),
    ]


def test_headings_and_bookkeeping_are_not_entries() -> None:
    entries = Chronicler().take(slice_(1, ROUND, TURN, PHASE, ASKED, CLOSED))

    assert [entry.is_told for entry in entries] == [False] * 5


def test_chapters_hold_every_entry_once_and_in_order() -> None:
    with skirmish_listed():
        desk = Desk.open().play(60, Random(3))
        view = SeatView(PUBLIC)
        seen = [view.take(commit.events, commit.at, commit.last) for commit in desk.commits]
        chapters = chronicle([slice_ for slice_ in seen if slice_ is not None])

    numbers = [entry.number for chapter in chapters for entry in chapter.entries]

    assert numbers == list(range(1, view.count + 1))
    assert [(chapter.first, chapter.last) for chapter in chapters] == [
        (chapter.entries[0].number, chapter.entries[-1].number) for chapter in chapters
    ]
    assert len({chapter.heading for chapter in chapters}) == len(chapters) > 5


def test_a_heading_with_nothing_under_it_is_merged_with_the_next_one() -> None:
    chapters = chronicle([slice_(1, ROUND, PHASE, TURN, moved("a"), RoundBegan(rule=RULE, number=2, was=1))])

    assert [(chapter.heading, chapter.first, chapter.last) for chapter in chapters] == [
        (Heading(1, RED_SIDE, "dawn", RED), 1, 5)
    ]


def test_bookkeeping_stays_under_its_own_heading_wherever_the_stream_ends() -> None:
    """A game may have sentences for it: what was asked in a turn would else stand under the turn before, or under the phase after it."""
    begun = [(Heading(1), 1, 2), (Heading(1, RED_SIDE, seat=RED), 3, 4)]
    dawn = (Heading(1, RED_SIDE, "dawn", RED), 5, 6)
    for count, expected in ((4, begun), (6, [*begun, dawn])):
        chapters = chronicle([slice_(1, *(ROUND, moved("a"), TURN, ASKED, PHASE, moved("b"))[:count])])

        assert [(chapter.heading, chapter.first, chapter.last) for chapter in chapters] == expected


def test_a_phase_without_entries_keeps_its_heading_if_every_event_is_told() -> None:
    """So that the events of a Dawn in which nothing happens do not lie under the phase after it."""
    phases = [PhaseBegan(rule=RULE, phase=phase, was="") for phase in ("dawn", "event")]
    stream = [slice_(1, ROUND, *phases, moved("a"))]

    assert [chapter.heading.phase for chapter in chronicle(stream)] == ["event"]
    assert [(one.heading.phase, one.first) for one in chronicle(stream, is_full=True)] == [("dawn", 1), ("event", 3)]


def test_a_stream_without_entries_is_one_chapter() -> None:
    assert [(chapter.first, chapter.last) for chapter in chronicle([slice_(1, ROUND, ASKED)])] == [(1, 2)]


def test_an_empty_stream_has_no_chapter() -> None:
    assert chronicle([]) == []


@each_row(("seat", "numbers"), [(PUBLIC, [1]), (ARBITER, [1, 2])])
def test_entries_have_the_event_numbers_of_the_viewing_seat(seat: Seat, numbers: list[int]) -> None:
    seen = SeatView(seat).take([moved("a"), NoteAdded(rule=RULE, seat=RED, text="psst", seen_by=(RED,))], 0, 2)
    assert seen is not None

    assert [entry.number for entry in Chronicler().take(seen)] == numbers
