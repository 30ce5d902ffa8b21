"""Taking back with the consent of others: what is restored, who is asked, and when a request lapses."""

from collections.abc import Iterator
from random import Random

import pytest

from core.match.arbitration.consents import AnswerUndo, AskUndo, refuse_asking
from core.match.live_match import load_match
from core.match.match_creation import Opening, open_match
from core.match.undo import undoable
from core.refusal import Refusal
from events.ids import ARBITER, MatchId, Seat
from events.memory_log import MemoryLog
from events.vocabulary import CommandsUndone, DiceRolled, UndoAnswered, UndoAsked
from projections.state.fold import fold
from projections.state.table import GamePart, Table
from projections.state.view import seat_number, seen_events
from projections.table_codec import decode_table, encode_table
from tests.support.desk import NOON, Desk, skirmish_listed
from tests.support.playouts import Playout
from tests.support.rows import each_row
from tests.support.skirmish import BLUE, RED, Roll
from tests.support.soak import sampled

STAND = {"do": "reply", "contest": False}
MATCHES = (
    ("skirmish", "field", ""),
    ("advance", "main", ""),
    ("battle", "standard", ""),
    ("inferno", "standard", "one_vs_one"),
    ("axis_allies", "race", "standard"),
)


@pytest.fixture(autouse=True)
def _skirmish() -> Iterator[None]:
    with skirmish_listed():
        yield


def lying(table: Table) -> bytes:
    """Return the game part of a table as bytes."""
    return encode_table(Table(**{name: getattr(table, name) for name in GamePart.__struct_fields__}))


def other(seat: Seat) -> Seat:
    return BLUE if seat == RED else RED


def rolled() -> tuple[Desk, Seat]:
    """Open a match in which a seat has rolled and the other has let it stand; return it with the seat that rolled."""
    desk = Desk.open("skirmish", options={"fog": True})
    assert desk.table.top is not None
    seat = desk.table.top.seat
    desk.accept(Roll())
    desk.accept(STAND)
    return desk, seat


def agree(desk: Desk) -> None:
    """Let all who are asked agree."""
    while (asked := desk.table.asked_back) is not None:
        seat = asked.awaited[0]
        desk.accept(AnswerUndo(request=seat_number(desk.table, seat, asked.at), is_agreed=True), seat)


@pytest.mark.parametrize(
    ("game", "scenario", "mode"), sampled(MATCHES, lambda game, *_: game not in ("axis_allies", "inferno"))
)
def test_every_table_is_as_it_was_before_what_is_taken_back(game: str, scenario: str, mode: str) -> None:
    """Over dice, draws and decisions of others; what is loaded, folded at once or sent to a client is the same."""
    playout = Playout(game, scenario, 3, given={"fog": True} if game == "skirmish" else None, mode=mode)
    desk, rng, undone = playout.desk, Random(3), 0
    # Where nobody else plays, the arbiter is asked.
    desk.accept({"do": "match:seat-arbiter", "name": "Olga", "credential": "ab" * 32, "is_granted": True}, ARBITER)
    for _ in range(60):
        desk.accept(playout.choose(desk.options()))
        seat = rng.choice(desk.table.seats)
        wish = AskUndo()
        if desk.table.ended is not None:
            break
        if rng.random() < 0.6 or isinstance(desk.ask(wish, seat), Refusal):
            continue
        desk.accept(wish, seat)
        assert desk.table.asked_back is not None
        to = desk.table.asked_back.to
        agree(desk)
        undone += 1

        events = desk.events
        assert lying(fold(events)) == lying(fold(events[:to]))
        assert fold(events) == desk.table == decode_table(encode_table(desk.table))
        for one in desk.table.seats:
            seen = list(seen_events(events, one))
            assert lying(fold(seen)) == lying(fold(list(seen_events(events[:to], one))))
        loaded = load_match(desk.log, desk.match.id)
        for one in desk.table.seats:
            assert undoable(loaded.table, loaded.recent, one) == undoable(desk.table, desk.match.recent, one)
            asked = [refuse_asking(one.table, one.recent, seat, None) for one in (loaded, desk.match)]
            assert asked[0] == asked[1]

    assert undone > 3
    assert desk.audit().findings == ()


def test_a_request_is_answered_by_all_others_and_everybody_sees_it() -> None:
    desk, seat = rolled()
    asked = desk.accept(AskUndo(), seat)
    request = desk.table.seq
    refused = desk.ask(AskUndo(), other(seat))
    assert isinstance(refused, Refusal)
    assert refused.code == "request_must_be_answered"
    done = desk.accept(AnswerUndo(request=request, is_agreed=True), other(seat))

    (event,) = asked.commit.events
    assert isinstance(event, UndoAsked)
    assert (event.seat, event.of) == (seat, (other(seat),))
    assert [type(one) for one in done.commit.events] == [UndoAnswered, CommandsUndone]
    assert desk.table.top is not None
    assert desk.table.top.seat == seat


def test_a_refusal_ends_the_request_and_changes_nothing() -> None:
    desk, seat = rolled()
    before = lying(desk.table)
    desk.accept(AskUndo(), seat)
    done = desk.accept(AnswerUndo(request=desk.table.seq, is_agreed=False), other(seat))

    assert (done.commit.events[0], lying(desk.table), desk.table.asked_back) == (
        UndoAnswered(rule=done.commit.events[0].rule, seat=other(seat), is_agreed=False),
        before,
        None,
    )
    assert desk.audit().findings == ()


def test_a_request_lapses_when_play_goes_on_and_blocks_nothing() -> None:
    desk, seat = rolled()
    desk.accept(AskUndo(), seat)
    request = desk.table.seq
    desk.accept({"do": "match:note", "text": "Please."}, seat)
    assert desk.table.asked_back is not None

    desk.accept(Roll())
    late = desk.ask(AnswerUndo(request=request, is_agreed=True), other(seat))

    assert desk.table.asked_back is None
    assert isinstance(late, Refusal)
    assert late.code == "request_must_be_open"


def test_the_same_seeded_dice_fall_again() -> None:
    """Decisions are taken back, not luck; the request and its answer count for no dice either."""
    desk, seat = rolled()
    before = [event.faces for event in desk.events if isinstance(event, DiceRolled)]
    desk.accept(AskUndo(), seat)
    agree(desk)
    desk.accept(Roll())
    faces = [event.faces for event in desk.events if isinstance(event, DiceRolled)]

    assert (faces[: len(before)], faces[len(before)]) == (before, before[-1])
    assert desk.audit().findings == ()


@each_row(
    ("command", "seat", "code"),
    [
        (AskUndo(), ARBITER, "seat_must_play"),
        (AskUndo(to=1), RED, "commands_must_be_recent"),
        (AskUndo(to=10_000), RED, "event_must_be_seen"),
        (AnswerUndo(request=3, is_agreed=True), RED, "request_must_be_open"),
    ],
)
def test_what_cannot_be_asked_is_refused(command: AskUndo | AnswerUndo, seat: Seat, code: str) -> None:
    desk, _ = rolled()
    answer = desk.ask(command, seat)

    assert isinstance(answer, Refusal)
    assert answer.code == code


def test_what_can_be_taken_back_at_once_is_not_asked_for() -> None:
    desk, _ = rolled()
    now = desk.table.top
    assert now is not None
    desk.accept({"do": "hide"})
    answer = desk.ask(AskUndo(), now.seat)

    assert isinstance(answer, Refusal)
    assert answer.code == "consent_must_be_needed"


def test_who_is_not_asked_does_not_answer() -> None:
    desk, seat = rolled()
    desk.accept(AskUndo(), seat)
    answer = desk.ask(AnswerUndo(request=desk.table.seq, is_agreed=True), seat)

    assert isinstance(answer, Refusal)
    assert answer.code == "request_must_be_of_seat"


def test_without_other_players_and_an_arbiter_nobody_can_agree() -> None:
    desk, seat = rolled()
    desk.accept({"do": "match:leave-seat"}, other(seat))
    answer = desk.ask(AskUndo(), seat)

    assert isinstance(answer, Refusal)
    assert answer.code == "consent_must_be_possible"


def test_a_match_may_allow_less() -> None:
    opening = Opening(game="skirmish", options={"fog": True}, dice="seeded", seed="1", taking_back="no")
    opened = open_match(MatchId("m2"), opening, key="open", at=NOON)
    log = MemoryLog()
    log.append([opened.prepared.new])
    for digest, content in opened.attachments.items():
        log.attach(digest, content)
    desk = Desk(log, load_match(log, MatchId("m2")))
    for seat in desk.table.seats:
        desk.accept({"do": "match:take-seat", "seat": seat, "name": str(seat)}, seat)
    assert desk.table.top is not None
    mover = desk.table.top.seat
    desk.accept({"do": "hide"})
    answers = [desk.ask(wish, mover) for wish in (AskUndo(), {"do": "match:undo"})]

    assert [answer.code for answer in answers if isinstance(answer, Refusal)] == ["taking_back_must_be_allowed"] * 2
    assert desk.audit().findings == ()
