"""A seat's view contains no secret of another seat, has no gaps, and does not depend on secrets."""

from collections.abc import Sequence
from typing import cast, get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.codec import encode, replace
from events.ids import ARBITER, PUBLIC, AttributeKey, MarkerId, MatchId, PieceId, PlaceId, Seat
from events.vocabulary import (
    CURRENT,
    SECRETS,
    WITHHELD,
    AttributeSet,
    ChanceScheme,
    CommandsUndone,
    DisputeOpened,
    Event,
    ItemPicked,
    ItemUnpicked,
    MarkerPlaced,
    MatchForked,
    NoteAdded,
    PieceConcealed,
    PieceMoved,
    PiecePlaced,
    PieceRemoved,
    PieceRevealed,
    RulingAppealed,
    SeatViewed,
    StandingAnswerGiven,
    UndoAsked,
)
from projections.state.fold import fold
from projections.state.limits import Limit
from projections.state.table import Piece, Table, Terms
from projections.state.view import (
    _NUMBERED,
    _REMARKS,
    EventSlice,
    SeatView,
    hides_nothing,
    log_number,
    seat_number,
    see,
    seen_events,
)
from tests.events.any_events import any_events, structs
from tests.projections.plays import BLACK, IVORY, RULE, WHITE, commits_of, plays
from tests.support.rows import each_row

SEATS = st.sampled_from([WHITE, BLACK, PUBLIC])
P, A, B = PieceId("p"), PlaceId("a"), PlaceId("b")
FIREPOWER, ARM = AttributeKey("firepower"), AttributeKey("arm")
NAME_NO_EVENT = {("TrackMoved", "to")}
"""The whole numbers called `at` or `to` that are not the number of an event."""

GUARDED = [type_ for type_ in CURRENT if "seen_by" in type_.__struct_fields__]


def test_events_that_name_an_event_are_renumbered_for_each_viewer() -> None:
    """A new one would tell a seat the log's own number, and with it how much is hidden from it."""
    named = {
        (type_, name)
        for type_ in CURRENT
        for name, hint in get_type_hints(type_).items()
        if name in {"at", "to"} and hint in (int, int | None)
    }

    assert {type_ for type_, name in named if (type_.__name__, name) not in NAME_NO_EVENT} == _NUMBERED | {*_REMARKS}


def may_see(event: Event, seat: Seat) -> bool:
    seen_by = getattr(event, "seen_by", None)
    return seen_by is None or seat in seen_by


# The lists of secrets


@each_row("type_", sorted(SECRETS, key=str))
def test_every_secret_field_can_be_empty(type_: type[Event]) -> None:
    hints = get_type_hints(type_)

    assert [name for name in SECRETS[type_] if type(None) not in get_args(hints[name])] == []


def test_a_seat_sees_every_event_whole_if_only_remarks_between_others_are_hidden_from_it() -> None:
    """What a seat must not know of does not count; what it knows of and does not see whole does."""
    note = NoteAdded(rule=RULE, seat=WHITE, text="psst", seen_by=(WHITE,))
    forked = MatchForked(
        rule=RULE, parent=MatchId("m"), at=2, seat=WHITE, hidden="truth", chance=ChanceScheme(scheme="manual/1")
    )
    moved = PieceMoved(rule=RULE, piece=P, to=A, was=B)
    secret = AttributeSet(rule=RULE, on="p", key=FIREPOWER, value="b", seen_by=(WHITE,))
    cases: list[tuple[list[Event], bool]] = [([note, moved, forked], True), ([note, moved, secret], False)]
    for events, expected in cases:
        assert hides_nothing(events, seen_events(events, BLACK)) is expected
        assert hides_nothing(events, seen_events(events, ARBITER))


# Attributes


def test_a_secret_attribute_leaves_no_key_in_the_state_of_others() -> None:
    key = AttributeKey("target")
    known = AttributeSet(rule=RULE, on="p", key=key, value="a", until="turn")
    secret = AttributeSet(rule=RULE, on="p", key=key, value="b", was="a", until="turn", seen_by=(WHITE,))
    tables = {seat: fold(seen_events([known, secret], seat)) for seat in (WHITE, BLACK, PUBLIC, ARBITER)}

    assert {seat: table.attribute("p", key) for seat, table in tables.items()} == {
        WHITE: "b",
        BLACK: None,
        PUBLIC: None,
        ARBITER: "b",
    }
    assert [(tables[seat].attributes, tables[seat].terms) for seat in (BLACK, PUBLIC)] == [({}, ()), ({}, ())]


# Concealed pieces


def concealed(known_to: tuple[Seat, ...]) -> list[Event]:
    """Return events that place a piece with attributes, secret ones included, and conceal it from all but some seats."""
    return [
        PiecePlaced(rule=RULE, piece=P, kind="guards", side=IVORY, to=A, face="2", steps=2),
        AttributeSet(rule=RULE, on=P, key=FIREPOWER, value=4, until="turn"),
        AttributeSet(rule=RULE, on=P, key=ARM, value="infantry"),
        MarkerPlaced(rule=RULE, on=P, marker=MarkerId("smoke")),
        PieceConcealed(rule=RULE, piece=P, attributes=(FIREPOWER,), seen_by=known_to),
        PieceMoved(rule=RULE, piece=P, to=B, was=A),
    ]


def test_concealing_a_piece_hides_its_kind_and_all_that_depends_on_it() -> None:
    """ACID 1: token, side, place and public attributes stay."""
    events = concealed((WHITE,))
    tables = {seat: fold(seen_events(events, seat)) for seat in (WHITE, BLACK, PUBLIC, ARBITER)}

    for seat in (WHITE, ARBITER):
        assert tables[seat] == fold(events)
        assert tables[seat].pieces[P] == Piece(P, "guards", IVORY, B, "2", 2)
        assert tables[seat].attributes == {P: {FIREPOWER: 4, ARM: "infantry"}}
        assert tables[seat].terms == (Terms(P, FIREPOWER, "turn", seen_by=(WHITE,)),)
    for seat in (BLACK, PUBLIC):
        assert tables[seat].pieces[P] == Piece(P, "", IVORY, B)
        assert (tables[seat].attributes, tables[seat].terms) == ({P: {ARM: "infantry"}}, ())
        assert tables[seat].markers == fold(events).markers
    assert {seat: table.known_to for seat, table in tables.items()} == {seat: {P: (WHITE,)} for seat in tables}


def test_the_stream_keeps_what_it_showed_before_a_piece_was_concealed() -> None:
    """ACID 1: the earlier events are unchanged."""
    events = concealed((WHITE,))

    assert list(seen_events(events, BLACK)) == [*events[:4], replace(events[4], known=None), events[5]]


def test_a_reveal_that_tells_nobody_anything_new_does_not_change_the_seats_that_know_the_piece() -> None:
    """The order of the seats stays too, so that a reveal to those who know the piece leaves no trace in the state."""
    again = PieceRevealed(rule=RULE, piece=P, kind="guards", face="2", was="2", steps=2, seen_by=(BLACK, WHITE))
    events = concealed((WHITE, BLACK))

    assert fold([*events, again]).known_to == fold(events).known_to == {P: (WHITE, BLACK)}


def test_the_seats_that_know_a_piece_can_become_fewer_and_more() -> None:
    again: list[Event] = [
        PieceConcealed(rule=RULE, piece=P, seen_by=()),
        PieceRevealed(rule=RULE, piece=P, kind="guards", face="2", was="2", steps=2, seen_by=(BLACK,)),
        PieceRevealed(rule=RULE, piece=P, kind="guards", face="2", was="2", steps=2, seen_by=(WHITE,)),
    ]
    events = [*concealed((WHITE, BLACK)), *again]

    assert [fold(events[:upto]).known_to.get(P) for upto in range(6, 10)] == [
        (WHITE, BLACK),
        (),
        (BLACK,),
        (BLACK, WHITE),
    ]
    assert fold(seen_events(events[:7], WHITE)).pieces[P].kind == ""
    assert fold(seen_events(events, WHITE)).pieces[P].kind == "guards"


@each_row(
    "last",
    [
        PieceRevealed(rule=RULE, piece="p", kind="guards", face="2", was="2", steps=2),  # type: ignore[arg-type]
        PieceRemoved(rule=RULE, piece="p", was="b"),  # type: ignore[arg-type]
        PiecePlaced(rule=RULE, piece="p", kind="guards", side=WHITE, to="c"),  # type: ignore[arg-type]
    ],
)
def test_a_revealed_removed_or_replaced_piece_is_no_longer_hidden(last: Event) -> None:
    assert fold([*concealed((WHITE,)), last]).known_to == {}


# Single events


@given(any_events(), SEATS)
def test_an_event_for_all_is_seen_as_it_is(event: Event, seat: Seat) -> None:
    for onlooker in (seat, ARBITER):
        if may_see(event, onlooker) or onlooker == ARBITER:
            assert see(event, onlooker) is event


MARK = "SECRET-7-SECRET"


def marked(hint: object) -> object:
    """Return a value of a secret field's type that is recognizable anywhere."""
    kinds = {getattr(part, "__supertype__", getattr(part, "__origin__", part)) for part in get_args(hint)} - {
        type(None)
    }
    marks: dict[object, object] = {tuple: (MARK, MARK), str: MARK, int: 7_777_777, bool: True, dict: {MARK: 7_777_777}}
    return next(mark for kind, mark in marks.items() if kind in kinds)


@pytest.mark.soak
@each_row("type_", GUARDED)
def test_a_redacted_event_contains_nothing_of_its_secret(type_: type[Event]) -> None:
    """Every secret field except flags gets a unique value, which the redacted event must not contain."""
    secrets = SECRETS.get(type_, ())
    hints = get_type_hints(type_)
    told = {NoteAdded: "text", StandingAnswerGiven: "answer"}.get(type_, "item")
    marks = {name: marked(hints[name]) for name in secrets} or {told: MARK}

    @given(structs(type_))
    def check(made: Event) -> None:
        event = replace(made, **{**marks, "seen_by": (WHITE,)})
        for seat in (BLACK, PUBLIC):
            seen = see(event, seat)

            assert (seen is None) == (type_ in WITHHELD)
            if seen is not None:
                assert MARK.encode() not in encode(seen)
                assert b"7777777" not in encode(seen)
                others = {name: getattr(event, name) for name in type_.__struct_fields__ if name not in secrets}
                assert seen == type_(**{**others, **dict.fromkeys(secrets)})

        assert see(event, WHITE) is event
        assert see(event, ARBITER) is event
        assert MARK.encode() in encode(event) or list(marks.values()) == [True]

    check()


# Streams


@given(plays(), SEATS | st.just(ARBITER), st.data())
def test_a_seats_event_numbers_have_no_gap(events: list[Event], seat: Seat, data: st.DataObject) -> None:
    view, expected, seq = SeatView.after(fold(events), seat, 0), 1, 0
    told: list[Event] = []
    for number, commit in enumerate(data.draw(commits_of(events))):
        seq += len(commit)
        seen = view.take(commit, number, seq)
        if seen is not None:
            assert (seen.first, seen.at, seen.last) == (expected, number, view.count)
            expected += len(seen.events)
            told += seen.events

    assert told == list(seen_events(events, seat))
    assert view.count == len(told)


def test_a_private_commit_leaves_no_trace_for_other_seats() -> None:
    note = NoteAdded(rule=RULE, seat=WHITE, text="x", seen_by=(WHITE,))
    view = SeatView(BLACK)

    assert view.take((note, note), 5, 2) is None
    assert view.count == 0


def test_a_view_can_be_resumed() -> None:
    moved = PieceMoved(rule=RULE, piece="p", to="a", was="b")  # type: ignore[arg-type]

    assert SeatView(WHITE, 7).take((moved,), 5, 9) == EventSlice(8, 5, (moved,))


@given(plays(), SEATS | st.just(ARBITER))
def test_event_numbers_of_seat_and_log_are_converted_both_ways(events: list[Event], seat: Seat) -> None:
    table = fold(events)
    view = SeatView.after(table, seat, 0)
    seen = [seq for seq, event in enumerate(events, start=1) if view.take((event,), 0, seq) is not None]

    assert [seat_number(table, seat, seq) for seq in seen] == list(range(1, len(seen) + 1))
    assert [log_number(table, seat, number) for number in range(1, len(seen) + 1)] == seen


@each_row("length", [1, 3])
def test_a_limit_hides_events_up_to_its_number_and_none_after_it(length: int) -> None:
    note = NoteAdded(rule=RULE, seat=WHITE, text="x", seen_by=(WHITE,))
    secret = AttributeSet(rule=RULE, on="p", key=FIREPOWER, value="b", seen_by=(WHITE,))
    for event, is_whole, expected in (
        (note, False, [note]),
        (note, True, [note]),
        (secret, False, [secret] * 3),
        (secret, True, [see(secret, BLACK), see(secret, BLACK), secret]),
    ):
        view, told = SeatView(WHITE, limits=(Limit(2, BLACK, is_whole),)), list[Event | None]()
        for last in range(length, 4, length):
            seen = view.take((event,) * length, 0, last)
            told += () if seen is None else seen.events

        assert told == expected


def test_events_that_name_an_event_give_the_seats_number_of_it_wherever_the_view_begins() -> None:
    """Event 2 lies before the view and event 5 in it; both are hidden from the seat."""
    table = Table(private_events=(2,), private_events_of={BLACK: (2,)})
    moved = PieceMoved(rule=RULE, piece=P, to=A, was=B)
    hidden = NoteAdded(rule=RULE, seat=BLACK, text="x", seen_by=(BLACK,))
    back = CommandsUndone(rule=RULE, seat=WHITE, to=1)
    note = NoteAdded(rule=RULE, seat=WHITE, text="x", at=1)
    view = SeatView.after(table, WHITE, 3)
    view.take((moved, hidden, moved), 0, 6)

    for number, expected in ((1, 1), (3, 2), (4, 3), (6, 4)):
        seen = view.take((replace(back, to=number), replace(note, at=number)), 0, 8)

        assert seen is not None
        assert seen.events == (replace(back, to=expected), replace(note, at=expected))


# Twin logs


class Other:
    """Writes a log that looks the same to a seat: everything that the seat may not know is changed, omitted or added.

    Args:
        draw: Draws from a strategy.
        events: The log.
        seat: Who looks on.
    """

    def __init__(self, draw: st.DrawFn, events: list[Event], seat: Seat) -> None:
        self._draw = draw
        self._view = SeatView.after(fold(events), seat, 0)
        self._seq = 0
        self._more = 0
        # The number of each event in this log; 0 stays 0.
        self._numbers = [0]

    def commit(self, events: Sequence[Event]) -> list[Event]:
        """Write the next events."""
        changed: list[Event] = []
        for event in events:
            if self._draw(st.integers(0, 5)) == 0:
                changed.append(NoteAdded(rule=RULE, seat=WHITE, text=self._draw(st.text(max_size=5)), seen_by=()))
                self._more += 1
            self._seq += 1
            changed += self._one(event)
            self._numbers.append(self._seq + self._more)
        return changed

    def _one(self, event: Event) -> list[Event]:
        seen = self._view.take((event,), 0, self._seq)
        if isinstance(event, MatchForked):
            return [replace(event, at=event.at + self._more)]
        if isinstance(event, CommandsUndone | UndoAsked):
            return [replace(event, to=self._numbers[event.to])]
        if isinstance(event, SeatViewed | DisputeOpened | RulingAppealed):
            return [replace(event, at=self._numbers[event.at])]
        if isinstance(event, ItemPicked | ItemUnpicked):
            # Only an existing pick can be taken back.
            return [event]
        if seen is None:
            copies = self._draw(st.integers(0, 2))
            self._more += copies - 1
            return [event] * copies
        if seen.events == (event,):
            return [event]
        other = self._draw(structs(type(event)))
        return [replace(event, **{name: getattr(other, name) for name in SECRETS[type(event)]})]


@st.composite
def twins(draw: st.DrawFn) -> tuple[Seat, list[Event], list[Event]]:
    """Return a seat and two logs that must look the same to it."""
    seat, events = draw(SEATS), draw(plays())
    return seat, events, Other(draw, events, seat).commit(events)


@pytest.mark.soak
@given(twins())
def test_logs_that_differ_only_in_secrets_look_the_same_byte_for_byte(
    twin: tuple[Seat, list[Event], list[Event]],
) -> None:
    seat, one, two = twin

    assert b"\n".join(encode(event) for event in seen_events(one, seat)) == b"\n".join(
        encode(event) for event in seen_events(two, seat)
    )


@pytest.mark.soak
@given(plays(), SEATS, st.data())
def test_commits_that_differ_only_in_secrets_look_the_same(
    events: list[Event], seat: Seat, data: st.DataObject
) -> None:
    """This includes numbers and times; only the server sees the log's own numbers."""
    commits = [list(commit) for commit in data.draw(commits_of(events))]
    other = Other(cast("st.DrawFn", data.draw), events, seat)
    changed = [other.commit(commit) for commit in commits]
    one = SeatView.after(fold(events), seat, 0)
    two = SeatView.after(fold([event for commit in changed for event in commit]), seat, 0)
    seq = [0, 0]
    for number, (commit, twin) in enumerate(zip(commits, changed, strict=True)):
        seq = [seq[0] + len(commit), seq[1] + len(twin)]
        left, right = one.take(commit, number, seq[0]), two.take(twin, number, seq[1])

        assert (left is None) == (right is None)
        if left is not None and right is not None:
            assert encode((left.first, left.events, left.at)) == encode((right.first, right.events, right.at))


def test_a_view_that_leaks_a_secret_is_found() -> None:
    """The canary: shown to the wrong seat, the two logs do differ."""
    different = 0

    @given(twins())
    def count(twin: tuple[Seat, list[Event], list[Event]]) -> None:
        nonlocal different
        _, one, two = twin
        different += [encode(event) for event in one] != [encode(event) for event in two]

    count()

    assert different > 10
