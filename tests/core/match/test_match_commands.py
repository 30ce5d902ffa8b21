"""Match commands: seats, shares, the beginning, resigning, notes, rulings and standing answers."""

from random import Random

import pytest

from core.audit.match_audit import audit_match
from core.match import standing_answers
from core.match.arbitration.note_commands import PRIVATE_NOTES_MAX
from core.match.live_match import Match, Prepared
from core.match.standing_answers import STANDING_CHARACTERS_MAX, STANDING_MAX, standing_answer
from core.refusal import Refusal
from events.codec import DecodeError
from events.ids import ARBITER, PUBLIC, Seat, Side
from events.vocabulary import (
    CardDrawn,
    DiceRolled,
    GivenAnswer,
    MatchBegan,
    MatchEnded,
    NoteAdded,
    RulingMade,
    SeatTaken,
    SeedRevealed,
    StandingAnswerGiven,
    StandingAnswersRevealed,
)
from projections.state.fold import fold
from projections.state.view import seat_number, see, seen_events, sees_whole
from tests.support.desk import SEED, Desk
from tests.support.rows import each_row

RED = Seat("red")
BLUE = Seat("blue")


def unseated(dice: str = "seeded") -> Desk:
    """Open a match with free seats."""
    desk = Desk.open(dice=dice, seats=())
    assert desk.table.players == {}
    return desk


def take(seat: str, **more: str) -> dict[str, object]:
    """Return the command that takes a seat."""
    return {"do": "match:take-seat", "seat": seat, **more}


def rule_of(desk: Desk, command: dict[str, object], seat: str = "") -> tuple[str, str]:
    """Return the code and the rule of a refusal."""
    answer = desk.ask(command, Seat(seat))
    assert isinstance(answer, Refusal), answer
    return answer.code, answer.rule


# Seats, match.seats


def test_play_begins_automatically_when_the_last_seat_is_taken() -> None:
    """match.begin"""
    desk = unseated()
    first = desk.accept(take("blue", name="Ada"), BLUE)
    second = desk.accept(take("red"), RED)

    assert [type(event) for event in first.commit.events] == [SeatTaken]
    assert [type(event) for event in second.commit.events[:2]] == [SeatTaken, MatchBegan]
    assert desk.table.players == {BLUE: "Ada", RED: ""}
    assert desk.table.began
    assert desk.options()


def test_with_typed_dice_play_begins_by_command() -> None:
    """match.begin"""
    desk = Desk.open(dice="manual")
    assert not desk.table.began
    cards = ["card-1", "card-2", "card-3", "card-4"]
    desk.accept({"do": "match:begin"}, RED, dice=(6,), draws=cards)

    assert desk.table.began
    assert desk.table.turn == RED


@each_row(
    ("command", "seat", "code", "rule"),
    [
        (take("green"), "green", "seat_must_exist", "match.seats"),
        (take(""), "", "seat_must_exist", "match.seats"),
        (take("public"), "public", "seat_must_exist", "match.seats"),
        (take("red"), "blue", "seat_must_be_named", "match.seats"),
        (take("red"), "arbiter", "seat_must_be_named", "match.seats"),
        (take("red"), "nobody", "seat_must_be_named", "match.seats"),
        ({"do": "match:begin"}, "public", "seat_must_be_named", "match.begin"),
        ({"do": "match:begin"}, "nobody", "seat_must_be_named", "match.begin"),
        ({"do": "match:leave-seat"}, "red", "seat_must_be_taken", "match.seats"),
        ({"do": "match:begin"}, "red", "seats_must_be_taken", "match.begin"),
        ({"do": "match:resign"}, "red", "seat_must_play", "match.resign"),
        ({"do": "match:note", "text": "x"}, "", "seat_must_be_named", "match.notes"),
        ({"do": "match:note", "text": "x"}, "public", "seat_must_be_named", "match.notes"),
        ({"do": "match:note", "text": "x"}, "green", "seat_must_be_named", "match.notes"),
        ({"do": "match:note", "text": ""}, "red", "note_must_have_text", "match.notes"),
        ({"do": "match:note", "text": "x" * 4001}, "red", "note_must_have_text", "match.notes"),
        ({"do": "match:note", "text": "x", "at": 0}, "red", "event_must_be_seen", "match.notes"),
        ({"do": "match:note", "text": "x", "at": 9}, "red", "event_must_be_seen", "match.notes"),
        ({"do": "match:ruling", "text": "x", "at": 99}, "arbiter", "event_must_be_seen", "match.rulings"),
        ({"do": "match:ruling", "text": "x"}, "red", "seat_must_be_arbiter", "match.rulings"),
        ({"do": "match:ruling", "text": ""}, "arbiter", "ruling_must_have_text", "match.rulings"),
        ({"do": "match:ruling", "text": "x", "about": "9.5" * 100}, "arbiter", "rule_must_be_named", "match.rulings"),
        ({"do": "match:ruling", "text": "x", "about": "9\n5"}, "arbiter", "rule_must_be_named", "match.rulings"),
        ({"do": "match:pause", "reason": " "}, "arbiter", "reason_must_have_text", "match.pause"),
        ({"do": "roll"}, "red", "match_must_have_begun", "match.begin"),
        ({"do": "match:answer-always", "decision": "reply"}, "arbiter", "seat_must_play", "match.standing"),
        ({"do": "match:answer-always", "decision": "turn"}, "red", "decision_must_allow_standing", "match.standing"),
        (
            {"do": "match:answer-always", "decision": "reply", "until": "dawn"},
            "red",
            "until_must_be_known",
            "match.standing",
        ),
        (
            {"do": "match:answer-always", "decision": "reply", "answer": "{}"},
            "red",
            "answer_must_be_command",
            "match.standing",
        ),
    ],
)
def test_before_play_begins_these_are_refused(command: dict[str, object], seat: str, code: str, rule: str) -> None:
    assert rule_of(unseated(), command, seat) == (code, rule)


@each_row(
    ("command", "seat", "code", "rule"),
    [
        (take("red"), "red", "seat_must_be_free", "match.seats"),
        ({"do": "match:begin"}, "red", "match_must_not_have_begun", "match.begin"),
        ({"do": "match:resign"}, "arbiter", "seat_must_play", "match.resign"),
        ({"do": "match:resign"}, "public", "seat_must_play", "match.resign"),
    ],
)
def test_while_play_goes_on_these_are_refused(command: dict[str, object], seat: str, code: str, rule: str) -> None:
    assert rule_of(Desk.open(), command, seat) == (code, rule)


@each_row(
    ("command", "seat"),
    [
        ({"do": "match:resign"}, "red"),
        (take("red"), "red"),
        ({"do": "match:leave-seat"}, "red"),
        ({"do": "match:answer-always", "decision": "reply"}, "red"),
        ({"do": "roll"}, "red"),
    ],
)
def test_after_the_end_only_notes_and_rulings_can_be_added(command: dict[str, object], seat: str) -> None:
    """match.running"""
    desk = Desk.open().play(500, Random(1))
    assert desk.table.ended is not None

    assert rule_of(desk, command, seat)[0] == "match_must_be_running"
    desk.accept({"do": "match:note", "text": "well played"}, RED)
    desk.accept({"do": "match:ruling", "text": "it counts"}, ARBITER)


def test_of_several_reasons_the_first_in_the_documented_order_is_given() -> None:
    """The order of precedence is that of the index: seat, running, free, anchor."""
    desk = Desk.open(dice="sealed")

    assert rule_of(desk, take("green", anchor="xyz"), "green")[0] == "seat_must_exist"
    assert rule_of(desk, take("red", anchor="xyz"), "red")[0] == "seat_must_be_free"
    desk.accept({"do": "match:leave-seat"}, RED)
    assert rule_of(desk, take("red", anchor="xyz"), "red")[0] == "anchor_must_be_hex"
    desk.play(500, Random(1))
    assert rule_of(desk, take("red", anchor="xyz"), "red")[0] == "match_must_be_running"


def test_a_seat_can_be_left_and_taken_again_by_another() -> None:
    """match.seats"""
    desk = Desk.open()
    desk.accept({"do": "match:leave-seat"}, RED)
    assert RED not in desk.table.players
    desk.accept(take("red", name="Grace", credential="c" * 64), RED)

    assert desk.table.players[RED] == "Grace"
    assert desk.table.credentials[RED] == "c" * 64


def test_the_number_of_private_notes_is_bounded() -> None:
    """match.notes: the limit does not apply to other seats, to public notes, or across forks."""
    desk = Desk.open()
    note = {"do": "match:note", "text": "x", "private": True}
    for _ in range(PRIVATE_NOTES_MAX):
        desk.accept(note, RED)

    assert rule_of(desk, note, "red") == ("private_notes_must_be_few", "match.notes")
    desk.accept({"do": "match:note", "text": "x"}, RED)
    desk.accept(note, BLUE)
    desk.fork(desk.match.head.seq).accept(note, RED)


@pytest.mark.interpreted
def test_private_events_are_bounded_over_all_forks(monkeypatch: pytest.MonkeyPatch) -> None:
    """match.notes, match.standing: a fork counts its own notes from 0, but the bound on private events includes its parent's."""
    monkeypatch.setattr(standing_answers, "PRIVATE_EVENTS_OF_SEAT_MAX", 4)
    desk = Desk.open()
    note = {"do": "match:note", "text": "x", "private": True}
    desk.accept(note, RED)
    desk.accept(beforehand(""), RED)
    desk = desk.fork(desk.match.head.seq)
    desk.accept(note, RED)
    desk.accept(beforehand(""), RED)

    assert rule_of(desk, note, "red") == ("private_notes_must_be_few", "match.notes")
    assert rule_of(desk, beforehand(""), "red") == ("standing_answers_must_be_few", "match.standing")
    desk.accept({"do": "match:note", "text": "x"}, RED)
    desk.accept(note, BLUE)
    monkeypatch.setattr(standing_answers, "PRIVATE_EVENTS_MAX", 5)
    assert rule_of(desk, note, "blue") == ("private_notes_must_be_few", "match.notes")


# Ends


def test_resigning_ends_the_match_with_a_result_of_its_own() -> None:
    """match.resign"""
    desk = Desk.open()
    done = desk.accept({"do": "match:resign"}, RED)
    ended = done.commit.events[0]

    assert isinstance(ended, MatchEnded)
    assert (ended.kind, ended.winners, ended.winning_seats) == ("resigned", (Side("blue"),), (BLUE,))
    assert desk.options() == []


def test_a_player_calls_a_match_off_that_has_not_begun_and_nobody_wins() -> None:
    """match.resign"""
    desk = unseated()
    desk.accept(take("red"), RED)
    done = desk.accept({"do": "match:resign"}, RED)
    ended = done.commit.events[0]

    assert isinstance(ended, MatchEnded)
    assert (ended.kind, ended.result, ended.winners, ended.winning_seats) == ("called-off", "Called off", (), ())
    assert rule_of(desk, take("blue"), "blue")[0] == "match_must_be_running"


@each_row("resigned", [True, False])
def test_the_seed_of_sealed_dice_is_published_when_the_match_ends(resigned: bool) -> None:
    """match.reveal"""
    desk = Desk.open(dice="sealed")
    if resigned:
        desk.accept({"do": "match:resign"}, RED)
    else:
        desk.play(500, Random(1))
    *_, ended, revealed = desk.events

    assert isinstance(ended, MatchEnded)
    assert isinstance(revealed, SeedRevealed)
    assert revealed.seed == SEED


@each_row("dice", ["seeded", "manual"])
def test_without_a_sealed_seed_none_is_published(dice: str) -> None:
    desk = Desk.open(dice=dice)
    if dice == "manual":
        desk.accept({"do": "match:begin"}, RED, dice=(6,), draws=["card-1", "card-2", "card-3", "card-4"])
    desk.accept({"do": "match:resign"}, RED)

    assert isinstance(desk.events[-1], MatchEnded)


def test_the_seed_is_published_only_once() -> None:
    desk = Desk.open(dice="sealed")
    desk.accept({"do": "match:resign"}, RED)
    desk.accept({"do": "match:note", "text": "thanks"}, RED)

    assert sum(isinstance(event, SeedRevealed) for event in desk.events) == 1


# Notes and rulings


def test_a_private_note_is_visible_only_to_its_writer_and_the_arbiter() -> None:
    """match.notes"""
    desk = Desk.open()
    note = desk.accept({"do": "match:note", "text": "I bluff", "private": True}, RED).commit.events[0]

    assert isinstance(note, NoteAdded)
    assert [see(note, seat) for seat in (RED, ARBITER, BLUE, PUBLIC)] == [note, note, None, None]


def chance(desk: Desk) -> list[object]:
    """Return all outcomes of chance."""
    return [
        event.faces if isinstance(event, DiceRolled) else event.card
        for event in desk.events
        if isinstance(event, DiceRolled | CardDrawn)
    ]


def test_dice_do_not_depend_on_private_notes() -> None:
    """match.notes: chance depends on the number of public events, in play as in the audit."""
    quiet, noted = Desk.open(), Desk.open()
    for _ in range(3):
        noted.accept({"do": "match:note", "text": "I bluff", "private": True}, RED)
    for desk in (quiet, noted):
        desk.accept({"do": "roll"})

    assert chance(noted) == chance(quiet)
    assert audit_match(noted.log, noted.match.id).findings == ()


def test_a_public_note_is_visible_to_all() -> None:
    """match.notes"""
    desk = Desk.open()
    note = desk.accept({"do": "match:note", "text": "hello"}, ARBITER).commit.events[0]

    assert sees_whole(note, PUBLIC)


def test_a_ruling_changes_nothing_on_the_table() -> None:
    """match.rulings"""
    desk = Desk.open()
    before = desk.table.clone()
    done = desk.accept({"do": "match:ruling", "text": "so be it", "about": "1.turn"}, ARBITER)
    before.seq += 1

    assert isinstance(done.commit.events[0], RulingMade)
    assert desk.table == before


def test_a_note_on_an_earlier_event_has_each_viewers_own_number() -> None:
    """match.notes: the writer counts its own private notes, of which the others know nothing."""
    desk = Desk.open()
    for text in ("one", "two"):
        desk.accept({"do": "match:note", "text": text, "private": True}, RED)
    desk.accept({"do": "match:note", "text": "three"}, BLUE)
    last = seat_number(desk.table, RED, desk.table.seq)
    public = seat_number(desk.table, PUBLIC, desk.table.seq)
    desk.accept({"do": "match:note", "text": "on three", "at": last}, RED)
    desk.accept({"do": "match:note", "text": "on my second", "at": last - 1}, RED)
    seen = {
        seat: [event.at for event in seen_events(desk.events, seat) if isinstance(event, NoteAdded) and event.at]
        for seat in (RED, BLUE, PUBLIC)
    }

    # What others do not know of is for them about the event before it.
    assert seen == {RED: [last, last - 1], BLUE: [public, public - 1], PUBLIC: [public, public - 1]}


# Standing answers, match.standing


def test_a_standing_answer_is_played_for_its_seat_and_is_a_secret() -> None:
    desk = Desk.open()
    asked = RED if desk.table.turn_seat == BLUE else BLUE
    given = desk.accept(
        {"do": "match:answer-always", "decision": "reply", "answer": '{"do":"reply","contest":true}'}, asked
    ).commit.events[0]
    assert isinstance(given, StandingAnswerGiven)
    assert see(given, desk.table.turn_seat) is None
    assert standing_answer(desk.match.ruleset.rules, desk.table) is None

    desk.accept({"do": "roll"})
    answer = standing_answer(desk.match.ruleset.rules, desk.table)

    assert answer == (asked, b'{"do":"reply","contest":true}')
    by_itself = desk.match.prepare(asked, answer[1], key="a", at=1)
    by_hand = desk.ask({"do": "reply", "contest": True}, asked)
    assert isinstance(by_itself, Prepared)
    assert isinstance(by_hand, Prepared)
    assert by_itself.commit.events == by_hand.commit.events


def test_a_standing_answer_is_withdrawn_by_an_empty_one() -> None:
    desk = Desk.open()
    desk.accept({"do": "match:answer-always", "decision": "reply", "answer": '{"do":"reply","contest":true}'}, RED)
    desk.accept({"do": "match:answer-always", "decision": "reply"}, RED)

    assert desk.table.standing == ()


def test_a_standing_answer_until_the_next_turn_ends_then() -> None:
    desk = Desk.open()
    command = {"do": "match:answer-always", "decision": "reply", "answer": '{"do":"reply","contest":true}'}
    desk.accept({**command, "until": "turn"}, RED)
    desk.accept(command, BLUE)
    desk.play(12, Random(1))

    assert [standing.seat for standing in desk.table.standing] == [BLUE]


def test_an_illegal_standing_answer_is_ignored() -> None:
    desk = Desk.open()
    asked = RED if desk.table.turn_seat == BLUE else BLUE
    desk.accept({"do": "match:answer-always", "decision": "reply", "answer": '{"do":"omen"}'}, asked)
    desk.accept({"do": "roll"})

    assert standing_answer(desk.match.ruleset.rules, desk.table) is None


# Disclosure at the end, match.disclose


def beforehand(answer: str = '{"do":"reply","contest":true}', until: str = "") -> dict[str, object]:
    """Return the command that gives a standing answer."""
    return {"do": "match:answer-always", "decision": "reply", "answer": answer, "until": until}


@each_row("dice", ["sealed", "seeded"])
@each_row("resigned", [True, False])
def test_standing_answers_are_disclosed_when_the_match_ends(dice: str, resigned: bool) -> None:
    """match.disclose, match.standing: they are disclosed in the last event, which is the same for all."""
    desk = Desk.open(dice=dice)
    before = desk.table.seq
    desk.accept({"do": "match:note", "text": "mine", "private": True}, BLUE)
    desk.accept(beforehand(until="turn"), RED)
    desk.accept(beforehand(), BLUE)
    desk.accept(beforehand(""), RED)
    desk.accept(beforehand(""), RED)
    assert not any(isinstance(event, StandingAnswersRevealed) for event in desk.events)
    if resigned:
        desk.accept({"do": "match:resign"}, BLUE)
    else:
        desk.play(500, Random(1))
    told = desk.events[-1]
    streams = {seat: list(seen_events(desk.events, seat)) for seat in (RED, BLUE, PUBLIC, ARBITER)}

    assert isinstance(told, StandingAnswersRevealed)
    assert told.rule == "match.disclose"
    assert told.answers == (
        GivenAnswer(seat=RED, decision="reply", answer='{"do":"reply","contest":true}', until="turn", after=before),
        GivenAnswer(seat=BLUE, decision="reply", answer='{"do":"reply","contest":true}', after=before),
        GivenAnswer(seat=RED, decision="reply", answer="", after=before),
    )
    assert {seat: seen[-1] for seat, seen in streams.items()} == dict.fromkeys(streams, told)
    assert [any(isinstance(event, NoteAdded) for event in streams[seat]) for seat in (RED, BLUE)] == [False, True]
    assert {len(fold(seen).undisclosed_answers) for seen in streams.values()} == {0}
    assert desk.audit().findings == ()


def test_without_standing_answers_nothing_is_disclosed() -> None:
    """match.disclose: withdrawing an answer that was never given is not disclosed either."""
    desk = Desk.open()
    desk.accept({"do": "match:note", "text": "mine", "private": True}, RED)
    desk.accept(beforehand(""), RED)
    desk.accept({"do": "match:resign"}, RED)

    assert isinstance(desk.events[-1], MatchEnded)


def test_standing_answers_are_disclosed_only_once() -> None:
    """match.disclose"""
    desk = Desk.open()
    desk.accept(beforehand(), RED)
    desk.accept({"do": "match:resign"}, RED)
    desk.accept({"do": "match:note", "text": "thanks"}, RED)

    assert sum(isinstance(event, StandingAnswersRevealed) for event in desk.events) == 1


def test_the_length_and_number_of_standing_answers_are_bounded() -> None:
    """match.standing: they are disclosed in one event, which must fit in a line of an archive."""
    desk = Desk.open()
    long = '{"do":"reply","contest":true' + " " * STANDING_CHARACTERS_MAX + "}"
    assert rule_of(desk, beforehand(long), "red") == ("answer_must_be_short", "match.standing")
    for _ in range(STANDING_MAX):
        desk.accept(beforehand(), RED)

    assert rule_of(desk, beforehand(), "red") == ("standing_answers_must_be_few", "match.standing")
    desk.accept(beforehand(), BLUE)
    desk.accept(beforehand(""), RED)
    assert [standing.seat for standing in desk.table.standing] == [BLUE]


# Invalid commands


@each_row(
    "data",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"match:begin"',
        b"{}",
        b'{"do":5}',
        b'{"do":"house:dance"}',
        b'{"do":"dance"}',
        b'{"do":"match:begin","now":true}',
        b'{"do":"match:take-seat"}',
        b'{"do":"match:take-seat","seat":1}',
        b'{"do":"match:note","text":"\xff"}',
        b'{"do":"match:note","text":"x","private":"yes"}',
        b'{"do":"roll","do2":1}',
        b'{"do":"reply","contest":"yes"}',
        b"[" * 100_000,
        b'{"do":"match:note","text":"x"} {}',
    ],
)
def test_an_invalid_command_is_refused_in_one_line(data: bytes) -> None:
    match: Match = Desk.open().match
    with pytest.raises(DecodeError) as caught:
        match.prepare(RED, data, key="k", at=1)

    assert "\n" not in str(caught.value)
    assert str(caught.value)
