"""Several requests at once: decided in order, stored in one transaction, and no client learns of events that are not in the log."""

from collections.abc import Sequence
from random import Random
from typing import NoReturn

import pytest

from core.audit.match_audit import audit_match
from core.errors import KernelError
from core.match.live_match import Match
from events.chain import check_chain
from events.codec import Raw, encode, replace
from events.commit import decode_commit
from events.errors import LogMisuse, LostRace, OutcomeUnknown, StoreUnavailable
from events.ids import ARBITER, PUBLIC, MatchId, Seat, match_id
from events.memory_log import MemoryLog
from projections.snapshot import EVERY, restore
from server.desk.desk import Desk
from server.desk.pipeline import ATTEMPTS
from server.protocol.replies import (
    FailedReply,
    LegalReply,
    LogReply,
    MatchesReply,
    OpenedReply,
    PlayedReply,
    Reply,
    StateReply,
    TakenReply,
)
from server.protocol.wire import (
    ForkRequest,
    LegalRequest,
    LogRequest,
    MatchesRequest,
    OpenRequest,
    Request,
    StateRequest,
    TakeRequest,
)
from tests.support.sitting import (
    CONTEST,
    OWNER,
    ROLL,
    STAND,
    CountedIdentity,
    FaultyLog,
    FullLog,
    Sitting,
    StillClock,
    flat,
)
from tests.support.skirmish import BLUE, RED

NOTE = Raw(b'{"do":"match:note","text":"noted"}')
PRIVATE = Raw(b'{"do":"match:note","text":"for my eyes","private":true}')


def kinds(replies: Sequence[Reply]) -> list[str]:
    return [reply.code if isinstance(reply, FailedReply) else type(reply).__name__ for reply in replies]


@pytest.fixture
def log() -> FaultyLog:
    return FaultyLog()


@pytest.fixture
def sitting(log: FaultyLog) -> Sitting:
    return Sitting(log)


def test_many_commands_share_one_transaction(log: FaultyLog, sitting: Sitting) -> None:
    other = Sitting(log, sitting.desk)
    steps = log.steps
    batch = sitting.desk.handle_batch(
        [sitting.command(ROLL), sitting.command(STAND, BLUE), sitting.command(NOTE), other.command(ROLL)]
    )

    assert kinds(batch.replies) == ["PlayedReply"] * 4
    assert log.steps - steps == 1
    assert [one.match for one in batch.committed] == [sitting.match] * 3 + [other.match]
    assert all(audit_match(log, match).clean for match in (sitting.match, other.match))


def test_commands_of_one_match_chain_within_a_batch(log: FaultyLog, sitting: Sitting) -> None:
    seq = sitting.legal(RED).seq
    replies = sitting.desk.handle_batch(
        [sitting.command(ROLL, expected=seq), sitting.command(STAND, BLUE), sitting.command(ROLL, RED)]
    ).replies

    assert kinds(replies) == ["PlayedReply", "PlayedReply", "refused"]
    assert check_chain(log.read(sitting.match), sitting.match) is None


def test_a_read_between_two_commands_is_answered_as_if_sent_alone(sitting: Sitting) -> None:
    legal = LegalRequest(match=sitting.match)
    replies = sitting.desk.handle_batch(
        [legal, sitting.command(ROLL), legal, sitting.command(STAND, BLUE), legal]
    ).replies

    assert [reply.decision for reply in replies if isinstance(reply, LegalReply)] == ["turn", "reply", "turn"]
    assert [reply.to_move for reply in replies if isinstance(reply, LegalReply)] == [RED, BLUE, BLUE]


def test_a_failed_transaction_has_no_effect_and_every_client_may_retry(log: FaultyLog, sitting: Sitting) -> None:
    before = sitting.since(ARBITER)
    log.failures = [StoreUnavailable("the disk is full")]
    batch = sitting.desk.handle_batch(
        [sitting.command(ROLL), sitting.command(ROLL), sitting.command(STAND, BLUE), sitting.command(NOTE)]
    )

    assert kinds(batch.replies) == ["store_unavailable"] * 4
    assert all(isinstance(reply, FailedReply) and reply.retry for reply in batch.replies)
    assert batch.committed == ()
    assert sitting.since(ARBITER) == before
    sitting.play(ROLL)


def test_a_desk_ends_while_the_store_is_away(log: FaultyLog, sitting: Sitting, monkeypatch: pytest.MonkeyPatch) -> None:
    """The summaries that it would save are made of commits, which it cannot read."""
    sitting.play(ROLL)
    asked = list[str]()

    def away(*_: object, **__: object) -> NoReturn:
        asked.append("")
        raise StoreUnavailable("no route to the store")

    monkeypatch.setattr(FaultyLog, "read", away)
    monkeypatch.setattr(FaultyLog, "save_summaries", away)
    sitting.desk.close()

    assert len(asked) > 1


def unknown(log: FaultyLog, *, is_stored: bool) -> None:
    """Let the next transaction fail with an unknown outcome."""
    (log.late_failures if is_stored else log.failures).append(OutcomeUnknown("the disk fails"))


@pytest.mark.parametrize("is_stored", [False, True])
def test_an_unknown_outcome_is_reported_and_settled_by_the_same_key(
    log: FaultyLog, sitting: Sitting, is_stored: bool
) -> None:
    before = sitting.since(ARBITER).seq
    request = sitting.command(ROLL, key="once")
    unknown(log, is_stored=is_stored)
    batch = sitting.desk.handle_batch([request])
    (failed,) = batch.replies
    again = sitting.ask(request, PlayedReply)
    third = sitting.ask(request, PlayedReply)

    assert isinstance(failed, FailedReply)
    assert (failed.code, failed.retry) == ("outcome_unknown", True)
    assert failed.message == "the disk fails; send it again with the same key"
    assert batch.committed == ()
    assert (again.repeated, third.repeated) == (is_stored, True)
    assert encode(again.slices) == encode(third.slices)
    assert [new.key for new in log.kept].count("once") == 1
    assert sitting.since(ARBITER).seq == again.seq > before
    assert check_chain(log.read(sitting.match), sitting.match) is None


@pytest.mark.parametrize("is_stored", [False, True])
def test_after_an_unknown_outcome_a_match_is_reloaded_from_the_log(
    log: FaultyLog, sitting: Sitting, is_stored: bool
) -> None:
    before = sitting.state(RED).seq
    unknown(log, is_stored=is_stored)
    sitting.desk.handle(sitting.command(ROLL, key="once"))

    assert (sitting.state(RED).seq > before) == is_stored
    assert sitting.state(ARBITER).seq == log.head(sitting.match).seq

    # Later commands continue from there.
    assert isinstance(sitting.desk.handle(sitting.command(NOTE)), PlayedReply)
    assert check_chain(log.read(sitting.match), sitting.match) is None


@pytest.mark.parametrize("is_stored", [False, True])
def test_all_accepted_requests_of_a_batch_share_an_unknown_outcome(
    log: FaultyLog, sitting: Sitting, is_stored: bool
) -> None:
    other = Sitting(log, sitting.desk)
    requests: list[Request] = [
        sitting.command(ROLL, key="a"),
        sitting.command(ROLL, key="refused"),
        sitting.command(STAND, BLUE, key="b"),
        other.command(ROLL, key="c"),
        OpenRequest(game="skirmish", key="new", dice="seeded", seed="3"),
    ]
    unknown(log, is_stored=is_stored)
    replies = sitting.desk.handle_batch(requests).replies
    again = [sitting.desk.handle(request) for request in requests]

    assert kinds(replies) == ["outcome_unknown", "store_unavailable", *["outcome_unknown"] * 3]
    assert all(isinstance(reply, FailedReply) and reply.retry for reply in replies)
    assert kinds(again) == ["PlayedReply", "refused", "PlayedReply", "PlayedReply", "OpenedReply"]
    assert [getattr(reply, "repeated", None) for reply in again] == [is_stored, None, is_stored, is_stored, is_stored]


def test_an_unknown_outcome_without_a_key_must_not_be_retried(log: FaultyLog, sitting: Sitting) -> None:
    unknown(log, is_stored=True)
    (failed,) = sitting.desk.handle_batch([replace(sitting.command(ROLL), key="")]).replies

    assert isinstance(failed, FailedReply)
    assert (failed.code, failed.retry) == ("outcome_unknown", False)
    assert failed.message == "the disk fails; check the match before you repeat the request, which had no key"


@pytest.mark.parametrize("is_stored", [False, True])
def test_a_seat_taken_with_an_unknown_outcome_is_taken_once(log: FaultyLog, is_stored: bool) -> None:
    sitting = Sitting(log)
    opened = sitting.ask(OpenRequest(game="skirmish", dice="seeded", seed="3"), OpenedReply)
    take = TakeRequest(match=opened.match, seat=RED, key="sit", secret="r" * 32)
    unknown(log, is_stored=is_stored)
    failed, taken = sitting.desk.handle(take), sitting.desk.handle(take)

    assert kinds([failed, taken]) == ["outcome_unknown", "TakenReply"]
    assert isinstance(taken, TakenReply)
    assert (taken.repeated, taken.token) == (is_stored, "r" * 32)


def test_a_refusal_that_depends_on_a_failed_command_is_withdrawn(log: FaultyLog, sitting: Sitting) -> None:
    log.failures = [StoreUnavailable("the disk is full")]
    replies = sitting.desk.handle_batch([sitting.command(ROLL), sitting.command(ROLL)]).replies

    assert kinds(replies) == ["store_unavailable"] * 2


def test_a_seats_view_is_never_ahead_of_the_log(log: FaultyLog, sitting: Sitting) -> None:
    before = sitting.state(RED)
    log.failures = [StoreUnavailable("the disk is full")]
    sitting.desk.handle(sitting.command(ROLL))

    assert sitting.state(RED) == before
    sitting.play(ROLL)
    assert sitting.state(RED).seq > before.seq


def test_an_interruption_leaves_nothing_in_memory_that_is_not_in_the_log(log: FaultyLog, sitting: Sitting) -> None:
    class Interrupted(BaseException):
        """An interruption such as Ctrl-C."""

    before = sitting.since(ARBITER)
    log.failures = [Interrupted()]  # type: ignore[list-item]
    with pytest.raises(Interrupted):
        sitting.desk.handle_batch([sitting.command(ROLL)])

    assert sitting.since(ARBITER) == before
    sitting.play(ROLL)


def test_one_impossible_commit_does_not_fail_the_others(log: FaultyLog, sitting: Sitting) -> None:
    other = Sitting(log, sitting.desk)
    log.failures = [LogMisuse("one of them is wrong"), LogMisuse("this one")]
    replies = sitting.desk.handle_batch(
        [sitting.command(ROLL), other.command(ROLL), other.command(STAND, BLUE)]
    ).replies

    assert kinds(replies) == ["internal", "PlayedReply", "PlayedReply"]


def test_a_request_repeated_in_the_same_batch_gets_the_first_outcome(log: FaultyLog, sitting: Sitting) -> None:
    request = sitting.command(ROLL, key="once")
    replies = sitting.desk.handle_batch([request, request, replace(request, expected=1)]).replies

    played = [reply for reply in replies if isinstance(reply, PlayedReply)]
    assert [reply.repeated for reply in played] == [False, True, True]
    assert len({bytes(encode(reply.slices)) for reply in played}) == 1
    assert [new.key for new in log.kept].count("once") == 1


def test_a_match_can_be_opened_taken_and_played_in_one_batch(log: FaultyLog, sitting: Sitting) -> None:
    steps, match = log.steps, match_id("pipeline")
    secrets = {RED: "r" * 32, BLUE: "b" * 32}
    replies = sitting.desk.handle_batch(
        [
            OpenRequest(game="skirmish", key="pipeline", dice="seeded", seed="3"),
            *[TakeRequest(match=match, seat=seat, secret=secret) for seat, secret in secrets.items()],
            replace(sitting.command(ROLL), match=match, token=secrets[RED]),
        ]
    ).replies

    assert kinds(replies) == ["OpenedReply", "TakenReply", "TakenReply", "PlayedReply"]
    assert log.steps - steps == 1


def test_a_match_whose_opening_failed_does_not_exist(log: FaultyLog, sitting: Sitting) -> None:
    log.failures = [StoreUnavailable("the disk is full")]
    opened = sitting.desk.handle(OpenRequest(game="skirmish", key="lost"))

    assert kinds([opened]) == ["store_unavailable"]
    assert kinds([sitting.desk.handle(LegalRequest(match=match_id("lost")))]) == ["unknown_match"]


def test_a_fork_includes_commands_played_earlier_in_the_batch(sitting: Sitting) -> None:
    fork = ForkRequest(match=sitting.match, seat=ARBITER, token=OWNER, key="fork")
    replies = sitting.desk.handle_batch([sitting.command(ROLL), fork, sitting.command(STAND, BLUE)]).replies

    assert kinds(replies) == ["PlayedReply", "OpenedReply", "PlayedReply"]
    rolled, forked = replies[0], replies[1]
    assert isinstance(rolled, PlayedReply)
    assert isinstance(forked, OpenedReply)
    assert forked.seq == rolled.seq + 1


def test_the_desk_decides_again_after_a_write_of_another_process(log: FaultyLog, sitting: Sitting) -> None:
    stranger = Desk(log, StillClock(), CountedIdentity(), trusted=True)
    sitting.legal(RED)
    stranger.handle(sitting.command(NOTE, key="stranger"))
    played = sitting.play(ROLL)

    assert played.slices[0].first == sitting.since(RED).slices[-1].first
    assert check_chain(log.read(sitting.match), sitting.match) is None


def test_a_command_that_expects_an_outdated_number_loses_the_race(log: FaultyLog, sitting: Sitting) -> None:
    stranger = Desk(log, StillClock(), CountedIdentity(), trusted=True)
    seq = sitting.legal(RED).seq
    stranger.handle(sitting.command(NOTE, key="stranger"))
    reply = sitting.ask(sitting.command(ROLL, expected=seq), FailedReply)

    assert (reply.code, reply.expected, reply.actual) == ("lost_race", seq, seq + 1)


def test_refusals_are_decided_again_after_a_write_of_another_process(log: FaultyLog, sitting: Sitting) -> None:
    stranger = Desk(log, StillClock(), CountedIdentity(), trusted=True)
    sitting.legal(RED)
    stranger.handle(sitting.command(ROLL, key="stranger"))
    replies = sitting.desk.handle_batch(
        [sitting.command(NOTE), sitting.command(STAND, BLUE), sitting.command(ROLL, RED)]
    ).replies

    assert kinds(replies) == ["PlayedReply", "PlayedReply", "refused"]


def test_a_desk_gives_up_when_it_loses_every_race(sitting: Sitting, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def lose(batch: Sequence[object]) -> list[LostRace]:
        calls.append(len(batch))
        return [LostRace(sitting.match, 1, 2) for _ in batch]

    monkeypatch.setattr(sitting.log, "append", lose)
    reply = sitting.ask(sitting.command(ROLL), FailedReply)

    assert (reply.code, reply.retry, len(calls)) == ("lost_race", True, ATTEMPTS)


@pytest.mark.interpreted
def test_a_fault_in_the_rules_is_reported_and_affects_no_other_match(
    log: FaultyLog, sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Sitting(log, sitting.desk)
    real = Match.prepare

    def faulty(self: Match, seat: Seat, data: bytes, **more: object) -> object:
        if self.id == sitting.match:
            raise ZeroDivisionError
        return real(self, seat, data, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Match, "prepare", faulty)
    replies = sitting.desk.handle_batch([sitting.command(ROLL), other.command(ROLL)]).replies

    assert kinds(replies) == ["internal", "PlayedReply"]
    assert "division" not in repr(replies[0])


@pytest.mark.interpreted
def test_a_fault_after_the_first_commit_of_a_chain_leaves_the_match_unchanged(
    sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty(*_: object) -> None:
        raise ZeroDivisionError

    before = sitting.since(ARBITER)
    monkeypatch.setattr("server.desk.automatic_answers.standing_answer", faulty)
    assert sitting.fail(sitting.command(ROLL)) == "internal"
    monkeypatch.undo()

    assert sitting.since(ARBITER) == before
    sitting.play(ROLL)


def test_a_failing_standing_answer_leaves_the_question_to_the_seat(
    sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    always = Raw(
        b'{"do":"match:answer-always","decision":"reply","answer":"{\\"do\\":\\"reply\\",\\"contest\\":false}"}'
    )
    sitting.play(always, BLUE)
    real = Match.prepare

    def fails_alone(self: Match, seat: Seat, data: bytes, **more: object) -> object:
        if seat == BLUE:
            raise KernelError("dice are wanted")
        return real(self, seat, data, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Match, "prepare", fails_alone)
    sitting.play(ROLL)

    assert sitting.legal(PUBLIC).to_move == BLUE


def test_the_number_of_matches_in_memory_is_bounded() -> None:
    log = MemoryLog()
    desk = Desk(log, StillClock(), CountedIdentity(), owner=OWNER, cached_max=3)
    sittings = [Sitting(log, desk) for _ in range(8)]
    for sitting in sittings:
        sitting.play(ROLL)
    for sitting in sittings:
        sitting.play(STAND, BLUE)

    assert desk.cached == 3
    assert all(audit_match(log, sitting.match).clean for sitting in sittings)


@pytest.mark.interpreted
def test_snapshots_are_saved_as_a_match_grows_and_are_correct(monkeypatch: pytest.MonkeyPatch) -> None:
    every = 64
    monkeypatch.setattr("server.desk.match_cache.EVERY", every)
    sitting = Sitting()
    while sitting.since().seq < 2 * every + 20:
        sitting.play(NOTE)
    found = sitting.log.snapshot(sitting.match, 2 * every + 20)

    assert found is not None
    assert found[0] >= 2 * every
    assert restore(found[1], found[0]) is not None
    assert sitting.log.snapshot(sitting.match, every + 10) is not None


def test_snapshots_are_saved_for_viewing_seats_too() -> None:
    sitting = Sitting()
    sitting.play(PRIVATE)
    looking = StateRequest(match=sitting.match, seat=BLUE, token=sitting.tokens[BLUE])
    while sitting.since().seq < EVERY + 20:
        sitting.play(NOTE)
        sitting.desk.handle(looking)
    seen = sitting.desk.handle(looking)
    later = Desk(sitting.log, owner=OWNER)
    live = later._matches.get(sitting.match)
    costs = [live.view_cost(sitting.log, seat, live.match.head.seq) for seat in (BLUE, RED)]

    assert later.handle(looking) == seen
    assert costs[0] < EVERY
    assert costs[1] == live.match.head.seq


@pytest.mark.long
def test_an_unsaved_snapshot_does_not_stop_the_desk() -> None:
    sitting = Sitting(FullLog())
    while sitting.since().seq < EVERY + 5:
        sitting.play(NOTE)

    assert sitting.log.snapshot(sitting.match, 10_000) is None


def test_a_list_in_a_batch_shows_only_stored_matches(log: FaultyLog, sitting: Sitting) -> None:
    log.failures = [StoreUnavailable("the disk is full")]
    replies = sitting.desk.handle_batch([OpenRequest(game="skirmish", key="new"), MatchesRequest()]).replies

    assert kinds(replies) == ["store_unavailable", "MatchesReply"]
    assert isinstance(replies[1], MatchesReply)
    assert [one.match for one in replies[1].matches] == [sitting.match]


def pile_of_requests(sittings: Sequence[Sitting], choose: Random, count: int) -> list[Request]:
    """Return random requests, valid and invalid, with keys and expected numbers that often fail."""
    made: list[Request] = []
    for _ in range(count):
        sitting, seat = choose.choice(sittings), choose.choice((RED, BLUE))
        command = choose.choice((ROLL, STAND, CONTEST, NOTE, Raw(b'{"do":"omen"}'), Raw(b"{}")))
        key = choose.choice(("", "", f"key {choose.randrange(40)}"))
        expected = choose.choice((None, None, choose.randrange(20, 60)))
        wrong = choose.random() < 0.1
        request = sitting.command(command, seat, key, expected)
        made.append(
            choose.choice(
                (
                    replace(request, token="wrong") if wrong else request,
                    request,
                    request,
                    LogRequest(match=sitting.match, seat=seat, token=sitting.tokens[seat], since=3),
                    StateRequest(match=sitting.match, seat=seat, token=sitting.tokens[seat]),
                    OpenRequest(game="skirmish", key=f"open {choose.randrange(4)}"),
                    TakeRequest(match=match_id(f"open {choose.randrange(4)}"), seat=seat, secret="s" * 32, key="sit"),
                )
            )
        )
    return made


def test_a_batch_is_answered_like_its_requests_one_by_one(budget: float) -> None:
    for seed in range(max(1, round(4 * budget))):
        answers: list[list[bytes]] = []
        for size in (1, 7, 64):
            log = FaultyLog()
            desk = Desk(log, StillClock(), CountedIdentity(), owner=OWNER)
            sittings = [Sitting(log, desk, seed="3") for _ in range(3)]
            pile = pile_of_requests(sittings, Random(seed), 200)
            replies = [
                reply
                for start in range(0, len(pile), size)
                for reply in desk.handle_batch(pile[start : start + size]).replies
            ]
            bodies = [stored.body for match in log.matches() for stored in log.read(match)]
            answers.append([encode(reply) for reply in replies] + bodies)

        assert answers[0] == answers[1] == answers[2], f"seed {seed}"


def test_the_publications_of_a_batch_are_exactly_the_stored_events(log: FaultyLog, sitting: Sitting) -> None:
    log.kept.clear()
    batch = sitting.desk.handle_batch(pile_of_requests([sitting], Random(7), 150))

    told = [(one.match, one.commit.first, one.commit.key) for one in batch.committed]
    assert told == [(new.match, new.first, new.key) for new in log.kept if decode_commit(new.body).match == new.match]
    assert len(told) > 10


def test_replies_use_the_seats_own_event_numbers(sitting: Sitting) -> None:
    sitting.play(Raw(b'{"do":"match:note","text":"mine","private":true}'), BLUE)
    played = sitting.play(ROLL)
    logged = sitting.ask(LogRequest(match=sitting.match, seat=RED, token=sitting.tokens[RED]), LogReply)
    state = sitting.ask(StateRequest(match=sitting.match, seat=RED, token=sitting.tokens[RED]), StateReply)

    assert played.seq == logged.seq == state.seq == sitting.log.head(sitting.match).seq - 1
    assert flat(logged.slices)[-len(flat(played.slices)) :] == flat(played.slices)


def test_the_reply_to_taking_a_seat_has_the_event_number(sitting: Sitting) -> None:
    opened = sitting.ask(OpenRequest(game="skirmish", key="fresh"), OpenedReply)
    taken = sitting.ask(TakeRequest(match=opened.match, seat=BLUE), TakenReply)

    assert (taken.match, taken.seat, taken.seq) == (opened.match, BLUE, 2)


def test_an_unknown_match_in_a_batch_affects_no_other_request(sitting: Sitting) -> None:
    lost = replace(sitting.command(ROLL), match=MatchId("nowhere"))

    assert kinds(sitting.desk.handle_batch([lost, sitting.command(ROLL)]).replies) == ["unknown_match", "PlayedReply"]
