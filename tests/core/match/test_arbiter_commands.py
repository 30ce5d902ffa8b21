"""The arbiter's commands: the office, invitations, replaced players, pauses, awards and annulments."""

from collections.abc import Mapping
from hashlib import sha256
from random import Random

import pytest

from core.match.arbiter_commands import refuse_nameless
from core.refusal import Refusal
from events.ids import ARBITER, PUBLIC, Seat, Side
from events.vocabulary import (
    ArbiterLeft,
    ArbiterSeated,
    MatchBegan,
    MatchEnded,
    MatchPaused,
    MatchResumed,
    PlayerReplaced,
    SeatReserved,
    SeatTaken,
    SeedRevealed,
)
from projections.state.fold import fold
from projections.state.view import seen_events
from tests.support.desk import NOON, Desk
from tests.support.rows import each_row

RED = Seat("red")
BLUE = Seat("blue")
REASON = "Ben did not come back."


def hashed(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def invite(seat: str, secret: str = "ticket", name: str = "") -> dict[str, object]:
    return {"do": "match:reserve-seat", "seat": seat, "name": name, "credential": hashed(secret) if secret else ""}


def sit(seat: str, invitation: str = "", name: str = "", secret: str = "own") -> dict[str, object]:
    given = {"invitation": hashed(invitation)} if invitation else {}
    return {"do": "match:take-seat", "seat": seat, "name": name, "credential": hashed(secret), **given}


def replace(seat: str, secret: str = "ticket") -> dict[str, object]:
    return {"do": "match:replace-player", "seat": seat, "credential": hashed(secret), "reason": REASON}


def take_office(name: str = "Olga", **more: str) -> dict[str, object]:
    given = more or {"capability": hashed("capability")}
    return {"do": "match:seat-arbiter", "name": name, "credential": hashed(f"secret of {name}"), **given}


def unseated(dice: str = "seeded") -> Desk:
    return Desk.open(dice=dice, seats=())


def why(desk: Desk, command: Mapping[str, object], seat: Seat = ARBITER) -> tuple[str, str]:
    """Return the code and the rule of a refusal."""
    answer = desk.ask(command, seat)
    assert isinstance(answer, Refusal), answer
    return answer.code, answer.rule


# Invitations


def test_a_reserved_seat_is_open_to_the_holder_of_the_invitation_alone() -> None:
    desk = unseated()
    done = desk.accept(invite("red", name="Ada"), ARBITER)

    assert [type(event) for event in done.commit.events] == [SeatReserved]
    assert why(desk, sit("red"), RED) == ("seat_must_be_open", "match.invite")
    assert why(desk, sit("red", "guess"), RED) == ("invitation_must_hold", "match.invite")
    assert why(desk, sit("blue", "ticket"), BLUE) == ("invitation_must_hold", "match.invite")

    desk.accept(sit("red", "ticket", "Ada"), RED)

    assert (desk.table.players, desk.table.reserved) == ({RED: "Ada"}, {})
    assert desk.audit().clean


def test_an_invitation_expires_at_its_time_and_then_the_seat_is_free() -> None:
    """Commits of this match are a millisecond apart."""
    desk = unseated()
    until = NOON + desk.match.head.seq + 2
    desk.accept({**invite("red", name="Ada"), "until": until}, ARBITER)
    desk.accept({**invite("blue", name="Ben"), "until": until + 9}, ARBITER)
    late = desk.ask(sit("red", "ticket"), RED)

    assert isinstance(late, Refusal)
    assert (late.code, late.rule) == ("invitation_must_hold", "match.invite")
    assert late.sentence == "This invitation has expired; the seat red is free, and is taken without one."
    assert why(desk, sit("blue"), BLUE) == ("seat_must_be_open", "match.invite")

    desk.accept(sit("red"), RED)
    desk.accept(sit("blue", "ticket"), BLUE)

    assert desk.table.players == {RED: "", BLUE: "Ben"}
    assert desk.audit().clean


@each_row("wrong", [-1, NOON, NOON + 367 * 24 * 3_600_000, 2**62])
def test_an_invitation_ends_after_it_is_given_and_within_a_year(wrong: int) -> None:
    assert why(unseated(), {**invite("red"), "until": wrong}) == ("invitation_must_end_later", "match.invite")


def test_the_name_of_an_invitation_is_that_of_who_sits_down_without_one() -> None:
    desk = unseated()
    for seat in ("red", "blue", "arbiter"):
        desk.accept(invite(seat, seat, name=f"invited to {seat}"), ARBITER)
    desk.accept(sit("red", "red"), RED)
    desk.accept(sit("blue", "blue", "Benjamin"), BLUE)
    desk.accept(take_office("", invitation=hashed("arbiter")), ARBITER)

    assert desk.table.players == {RED: "invited to red", BLUE: "Benjamin"}
    assert desk.table.arbiters == ("invited to arbiter",)
    assert desk.audit().clean


@each_row("given", [take_office(), invite("arbiter", name="Olga")])
def test_a_match_that_has_or_awaits_an_arbiter_is_called_off_by_no_player(given: dict[str, object]) -> None:
    """match.resign"""
    desk = unseated()
    desk.accept(sit("red", name="Ada"), RED)
    desk.accept(given, ARBITER)

    assert why(desk, {"do": "match:resign"}, RED) == ("seat_must_be_arbiter", "match.resign")
    assert desk.table.ended is None


def test_an_arbiter_does_not_play_by_an_invitation_under_the_same_name() -> None:
    desk = unseated()
    desk.accept(invite("red", name="olga"), ARBITER)
    desk.accept(take_office(), ARBITER)

    assert why(desk, sit("red", "ticket"), RED) == ("arbiter_must_not_play", "match.arbiter")


def test_the_office_that_is_taken_again_is_not_given_up_in_between() -> None:
    desk = unseated()
    desk.accept(take_office(), ARBITER)

    assert [type(event) for event in desk.accept(take_office(), ARBITER).commit.events] == [ArbiterSeated]


def test_an_invitation_is_used_up_with_the_seat() -> None:
    desk = unseated()
    desk.accept(invite("red"), ARBITER)
    desk.accept(sit("red", "ticket"), RED)
    desk.accept({"do": "match:leave-seat"}, RED)

    assert why(desk, sit("red", "ticket"), RED) == ("invitation_must_hold", "match.invite")
    refused = desk.ask(sit("red", "ticket"), RED)
    assert isinstance(refused, Refusal)
    assert "the seat red is free, and is taken without one" in refused.sentence
    desk.accept(sit("red"), RED)


def test_a_later_invitation_replaces_the_earlier_one_and_may_be_withdrawn() -> None:
    desk = unseated()
    desk.accept(invite("red", "first"), ARBITER)
    desk.accept(invite("red", "second"), ARBITER)

    assert why(desk, sit("red", "first"), RED)[0] == "invitation_must_hold"

    desk.accept(invite("red", ""), ARBITER)

    assert why(desk, sit("red", "second"), RED)[0] == "invitation_must_hold"
    assert why(desk, invite("red", ""))[0] == "invitation_must_hold"
    desk.accept(sit("red"), RED)
    assert why(desk, invite("red")) == ("seat_must_be_free", "match.invite")


@each_row("secret", ["", "short", "A" * 64, "0" * 65])
def test_only_hashes_of_secrets_enter_the_log(secret: str) -> None:
    """match.invite, match.replace, match.arbiter"""
    desk = Desk.open()
    bad = {**replace("red"), "credential": secret}

    assert why(desk, bad)[0] == "credential_must_be_hash"
    assert why(desk, {**take_office(), "credential": secret})[0] == "credential_must_be_hash"
    if secret:
        assert why(unseated(), {**invite("red"), "credential": secret})[0] == "credential_must_be_hash"


def test_a_fork_inherits_no_invitation_and_no_pause() -> None:
    desk = unseated()
    desk.accept(invite("red"), ARBITER)
    desk.accept({"do": "match:pause", "reason": "Dinner."}, ARBITER)
    fork = desk.fork(desk.match.head.seq)

    assert (fork.table.reserved, fork.table.paused) == ({}, None)
    fork.accept(sit("red"), RED)
    assert fork.audit().clean


def test_a_seat_of_a_fork_is_no_longer_of_who_made_it_once_it_is_reserved_for_another() -> None:
    parent = Desk.open()
    fork = parent.fork(parent.match.head.seq, "seeded", reserved=(RED, BLUE), credential=hashed("own"))
    assert set(fork.table.credentials) == {RED, BLUE}
    fork.accept(invite("red"), ARBITER)

    assert set(fork.table.credentials) == {BLUE}
    assert fork.audit().clean


def test_a_player_needs_a_name_only_in_a_match_with_an_arbiter() -> None:
    plain, ruled = unseated(), unseated()
    ruled.accept(take_office(), ARBITER)
    ruled.accept(invite("blue", name="Ben"), ARBITER)
    refusal = refuse_nameless(ruled.table, RED, " ")

    assert refusal is not None
    assert refusal.code == "player_must_have_name"
    assert refuse_nameless(ruled.table, RED, "Ada") is refuse_nameless(ruled.table, BLUE, "") is None
    assert refuse_nameless(plain.table, RED, "") is None


# Replaced players


def test_the_secret_of_a_replaced_player_proves_nothing_and_the_seat_waits_for_the_invited_one() -> None:
    desk = Desk.open()
    hand = desk.table.piles
    done = desk.accept(replace("red"), ARBITER)

    assert [type(event) for event in done.commit.events] == list[type]((PlayerReplaced, SeatReserved))
    assert RED not in desk.table.credentials
    assert why(desk, sit("red"), RED)[0] == "seat_must_be_open"

    desk.accept(sit("red", "ticket", "Cleo"), RED)

    assert desk.table.players == {RED: "Cleo", BLUE: "Blue"}
    assert desk.table.piles == hand
    assert desk.audit().clean
    assert why(Desk.open(), replace("green"))[0] == "seat_must_exist"


def test_a_replacement_needs_a_player_and_a_reason() -> None:
    desk = unseated()

    assert why(desk, replace("red")) == ("seat_must_be_taken", "match.replace")
    desk.accept(sit("red"), RED)
    assert why(desk, {**replace("red"), "reason": ""}) == ("reason_must_have_text", "match.replace")
    assert why(desk, {**replace("red"), "name": "x" * 201})[0] == "name_must_be_short"
    for name in ("Anna\nBob", "Anna\x1b[31m", "Anna\u202e", "\0"):
        assert why(desk, {**replace("red"), "name": name})[0] == "name_must_be_printable"


# The office


def test_the_office_is_taken_by_capability_or_invitation_and_everybody_is_told() -> None:
    desk = Desk.open()
    done = desk.accept(take_office(), ARBITER)
    (told,) = done.commit.events

    assert isinstance(told, ArbiterSeated)
    assert told in list(seen_events(desk.events, PUBLIC))
    assert why(desk, take_office("Otto", invitation=hashed("ticket")))[0] == "invitation_must_hold"
    assert why(desk, {**take_office("Otto"), "capability": ""})[0] == "seat_must_be_open"

    desk.accept(invite("arbiter", name="Otto"), ARBITER)
    done = desk.accept(take_office("Otto", invitation=hashed("ticket")), ARBITER)

    assert [type(event) for event in done.commit.events] == [ArbiterLeft, ArbiterSeated]
    assert desk.table.arbiter is not None
    assert (desk.table.arbiter.name, desk.table.arbiters) == ("Otto", ("Olga", "Otto"))
    desk.accept({"do": "match:leave-seat"}, ARBITER)
    assert desk.table.arbiter is None
    assert why(desk, {"do": "match:leave-seat"}) == ("seat_must_be_taken", "match.arbiter")
    assert desk.audit().clean


def test_who_sees_everything_does_not_play() -> None:
    """match.arbiter"""
    desk = Desk.open(seats=(RED,))

    assert why(desk, take_office("red ")) == ("arbiter_must_not_play", "match.arbiter")
    assert why(desk, take_office("")) == ("arbiter_must_have_name", "match.arbiter")

    desk.accept(take_office(), ARBITER)
    desk.accept(take_office("Otto"), ARBITER)

    assert why(desk, sit("blue", name="OLGA"), BLUE) == ("arbiter_must_not_play", "match.arbiter")
    assert why(desk, sit("blue", secret="secret of Otto"), BLUE) == ("arbiter_must_not_play", "match.arbiter")
    desk.accept(sit("blue", secret="secret of Ben", name="Ben"), BLUE)
    assert why(desk, take_office("ben"))[0] == "arbiter_must_not_play"
    played = {**take_office("Ben Again"), "credential": hashed("secret of Ben")}
    assert why(desk, played)[0] == "arbiter_must_not_play"


@pytest.mark.interpreted
def test_a_match_has_a_bounded_number_of_arbiters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.match.arbiter_commands.ARBITERS_MAX", 1)
    desk = Desk.open()
    desk.accept(take_office(), ARBITER)

    assert why(desk, take_office("Otto")) == ("arbiters_must_be_few", "match.arbiter")
    desk.accept(take_office(), ARBITER)


@each_row(
    "command",
    [
        invite("red"),
        replace("red"),
        take_office(),
        {"do": "match:pause", "reason": "x"},
        {"do": "match:resume"},
        {"do": "match:award", "to": ["red"], "reason": "x"},
        {"do": "match:annul", "reason": "x"},
    ],
)
@each_row("seat", [RED, PUBLIC])
def test_only_the_arbiter_gives_an_arbiters_commands(command: dict[str, object], seat: Seat) -> None:
    assert why(Desk.open(), command, seat) == ("seat_must_be_arbiter", "match.arbiter")


# Pauses


def test_nothing_is_played_while_a_match_is_paused() -> None:
    desk = Desk.open()
    option = desk.options()[0]
    top = desk.table.top
    assert top is not None
    done = desk.accept({"do": "match:pause", "reason": "Dinner."}, ARBITER)

    assert [type(event) for event in done.commit.events] == [MatchPaused]
    stopped: list[object] = [
        option,
        {"do": "match:resign"},
        {"do": "match:undo"},
        {"do": "match:begin"},
        {"do": "match:answer-always", "decision": "react"},
    ]
    for command in stopped:
        answer = desk.ask(command, top.seat)  # type: ignore[arg-type]
        assert isinstance(answer, Refusal), command
        assert (answer.code, answer.rule) == ("match_must_not_be_paused", "match.pause")
        assert "Dinner" in answer.sentence
    desk.accept({"do": "match:note", "text": "Back in an hour."}, top.seat)
    desk.accept({"do": "match:ruling", "text": "So be it."}, ARBITER)
    assert why(desk, {"do": "match:pause", "reason": "again"}) == ("match_must_not_be_paused", "match.pause")

    done = desk.accept({"do": "match:resume"}, ARBITER)

    assert [type(event) for event in done.commit.events] == [MatchResumed]
    desk.accept(option, top.seat)
    assert why(desk, {"do": "match:resume"}) == ("match_must_be_paused", "match.pause")
    assert why(desk, {"do": "match:pause", "reason": ""}) == ("reason_must_have_text", "match.pause")
    assert desk.audit().clean


def test_a_match_whose_last_seat_is_taken_during_a_pause_begins_when_it_is_resumed() -> None:
    """match.pause"""
    desk = unseated()
    desk.accept({"do": "match:pause", "reason": "Waiting for all."}, ARBITER)
    for seat in desk.table.seats:
        desk.accept(sit(seat, secret=f"of {seat}"), seat)

    assert not desk.table.began

    done = desk.accept({"do": "match:resume"}, ARBITER)

    assert [type(event) for event in done.commit.events[:2]] == [MatchResumed, MatchBegan]
    assert desk.options()
    assert desk.audit().clean


# Awards and annulments


def test_an_award_ends_the_match_for_the_side_and_all_its_seats() -> None:
    """match.award"""
    desk = Desk.open(dice="sealed").play(4, Random(1))
    done = desk.accept({"do": "match:award", "to": ["red"], "reason": REASON}, ARBITER)
    ended = done.commit.events[0]

    assert ended == MatchEnded(
        rule="match.award",  # type: ignore[arg-type]
        kind="awarded",
        result="Awarded",
        winners=(Side("red"),),
        winning_seats=(RED,),
        reason=REASON,
    )
    assert any(isinstance(event, SeedRevealed) for event in done.commit.events)
    assert desk.table.ended is not None
    assert desk.table.ended.reason == REASON
    assert fold(desk.events).ended == desk.table.ended
    assert desk.audit().clean


def test_an_annulled_match_is_over_and_nobody_has_won() -> None:
    """match.annul"""
    desk = unseated()
    desk.accept({"do": "match:annul", "reason": "Nobody came."}, ARBITER)

    assert desk.table.ended is not None
    assert (desk.table.ended.kind, desk.table.ended.winners) == ("annulled", ())
    refused: tuple[Mapping[str, object], ...] = (
        {"do": "match:annul", "reason": "x"},
        {"do": "match:award", "to": ["red"], "reason": "x"},
        {"do": "match:pause", "reason": "x"},
        invite("red"),
        replace("red"),
    )
    for command in refused:
        assert why(desk, command) == ("match_must_be_running", "match.running")
    desk.accept(invite("arbiter"), ARBITER)
    desk.accept(take_office(invitation=hashed("ticket")), ARBITER)
    assert desk.audit().clean


@each_row("to", [[], ["green"]])
def test_an_award_names_seats_or_sides_of_the_match(to: list[str]) -> None:
    award = {"do": "match:award", "to": to, "reason": "x"}

    assert why(Desk.open(), award) == ("winner_must_be_named", "match.award")


def test_an_award_and_an_annulment_have_a_reason() -> None:
    award = {"do": "match:award", "to": ["red"], "reason": ""}

    assert why(Desk.open(), award) == ("reason_must_have_text", "match.award")
    assert why(Desk.open(), {"do": "match:annul", "reason": ""}) == ("reason_must_have_text", "match.annul")


def test_the_taking_of_a_seat_names_the_hash_of_the_invitation_only() -> None:
    desk = unseated()
    desk.accept(invite("red", "ticket"), ARBITER)
    done = desk.accept(sit("red", "ticket"), RED)

    assert b"ticket" not in done.new.body
    assert isinstance(done.commit.events[0], SeatTaken)
