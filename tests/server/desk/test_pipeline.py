"""Groups of commits that are appended while the next commands are decided: nobody learns of what is not yet, or never, in the log."""

from collections.abc import Iterator
from random import Random

import pytest

from core.audit.match_audit import audit_match
from events.chain import check_chain
from events.codec import encode
from events.errors import LogMisuse, StoreUnavailable
from events.ids import ARBITER, PUBLIC, MatchId
from events.log import Receipt, Stored
from projections.snapshot import EVERY
from server.desk.desk import Desk
from server.desk.pipeline import WAITING_MAX, Pipeline
from server.desk.pipeline_parts import ConcurrentLog
from server.protocol.replies import LegalReply, PlayedReply, Reply
from server.protocol.wire import LegalRequest, MatchesRequest, Request, StateRequest
from tests.server.desk.test_desk_batch import NOTE, kinds, pile_of_requests, unknown
from tests.support.sitting import OWNER, ROLL, STAND, CountedIdentity, LaterLog, Sitting, StillClock
from tests.support.skirmish import BLUE, RED


@pytest.fixture
def log() -> LaterLog:
    return LaterLog()


@pytest.fixture
def sitting(log: LaterLog) -> Sitting:
    return Sitting(log)


@pytest.fixture
def pipeline(sitting: Sitting) -> Pipeline[str]:
    return sitting.desk.pipeline()


def begun(pipeline: Pipeline[str], *requests: Request) -> None:
    """Take requests and begin to append their commits."""
    taken(pipeline, *requests)
    pipeline.submit()


def taken(pipeline: Pipeline[str], *requests: Request) -> None:
    for request in requests:
        pipeline.take(request.id, request)


def answered(pipeline: Pipeline[str]) -> dict[str, str]:
    """Return what kind of reply each request got since the last call."""
    replies = pipeline.answers().replies
    return dict(zip([ticket for ticket, _ in replies], kinds([reply for _, reply in replies]), strict=True))


def test_the_test_log_appends_concurrently(log: LaterLog) -> None:
    assert isinstance(log, ConcurrentLog)


def test_commands_are_decided_while_a_group_is_appended(
    log: LaterLog, sitting: Sitting, pipeline: Pipeline[str]
) -> None:
    begun(pipeline, sitting.command(ROLL, id_="a"))
    taken(pipeline, sitting.command(STAND, BLUE, id_="b"))

    assert (pipeline.is_appending, pipeline.waiting, answered(pipeline)) == (True, 1, {})
    assert not pipeline.complete()
    log.is_done = True
    assert pipeline.complete()
    assert answered(pipeline) == {"a": "PlayedReply"}
    pipeline.finish()
    assert answered(pipeline) == {"b": "PlayedReply"}
    assert audit_match(log, sitting.match).clean


def test_nothing_is_submitted_while_a_group_is_appended(sitting: Sitting, pipeline: Pipeline[str]) -> None:
    begun(pipeline, sitting.command(ROLL, id_="a"))
    begun(pipeline, sitting.command(STAND, BLUE, id_="b"))

    assert (pipeline.is_appending, pipeline.waiting) == (True, 1)


def test_a_question_about_a_match_waits_for_its_commits_only(
    sitting: Sitting, log: LaterLog, pipeline: Pipeline[str]
) -> None:
    other = Sitting(log, sitting.desk)
    begun(pipeline, sitting.command(ROLL, id_="a"))
    taken(pipeline, LegalRequest(match=other.match, id="b"))
    assert pipeline.is_appending
    taken(pipeline, LegalRequest(match=sitting.match, id="c"))

    assert not pipeline.is_appending
    replies: list[tuple[str, Reply]] = pipeline.answers().replies
    assert [ticket for ticket, _ in replies] == ["a", "b", "c"]
    assert [reply.to_move for _, reply in replies if isinstance(reply, LegalReply)] == [RED, BLUE]


def test_a_list_waits_for_all_commits(sitting: Sitting, pipeline: Pipeline[str]) -> None:
    begun(pipeline, sitting.command(ROLL, id_="a"))
    taken(pipeline, sitting.command(STAND, BLUE, id_="b"), MatchesRequest(id="c"))

    assert answered(pipeline) == {"a": "PlayedReply", "b": "PlayedReply", "c": "MatchesReply"}


def test_a_refusal_waits_for_the_commits_that_it_is_based_on(
    log: LaterLog, sitting: Sitting, pipeline: Pipeline[str]
) -> None:
    begun(pipeline, sitting.command(ROLL, id_="a"))
    taken(pipeline, sitting.command(ROLL, id_="b"))
    assert answered(pipeline) == {}
    log.is_done = True
    pipeline.complete()

    assert answered(pipeline) == {"a": "PlayedReply", "b": "refused"}


@pytest.mark.parametrize("is_stored", [False, True])
def test_a_refusal_is_withdrawn_where_its_group_fails(
    log: LaterLog, sitting: Sitting, pipeline: Pipeline[str], is_stored: bool
) -> None:
    unknown(log, is_stored=is_stored)
    begun(pipeline, sitting.command(ROLL, id_="a", key="a"))
    taken(pipeline, sitting.command(ROLL, id_="b", key="b"))
    pipeline.finish()

    assert answered(pipeline) == {"a": "outcome_unknown", "b": "store_unavailable"}


def test_what_was_decided_on_a_group_that_fails_is_decided_again(
    log: LaterLog, sitting: Sitting, pipeline: Pipeline[str]
) -> None:
    other = Sitting(log, sitting.desk)
    log.failures = [StoreUnavailable("the disk is full")]
    begun(pipeline, sitting.command(ROLL, id_="a"))
    taken(pipeline, sitting.command(STAND, BLUE, id_="b"), other.command(ROLL, id_="c"), sitting.command(NOTE, id_="d"))
    pipeline.finish()

    assert answered(pipeline) == {"a": "store_unavailable", "b": "refused", "c": "PlayedReply", "d": "PlayedReply"}
    assert all(audit_match(log, match).clean for match in (sitting.match, other.match))
    sitting.play(ROLL)


def test_a_match_stays_in_memory_where_nothing_was_appended(
    log: LaterLog, sitting: Sitting, pipeline: Pipeline[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a store was away for a moment, every match that was played meanwhile would else be read again; and none could be looked at before."""
    legal = LegalRequest(match=sitting.match, seat=ARBITER, token=OWNER)
    before = sitting.desk.handle(legal)
    reads: list[MatchId] = []

    def read(match: MatchId, after: int = 0, upto: int | None = None) -> Iterator[Stored]:
        reads.append(match)
        return LaterLog.read(log, match, after, upto)

    monkeypatch.setattr(log, "read", read)
    log.failures = [StoreUnavailable("no leader")] * 2
    begun(pipeline, sitting.command(ROLL, id_="a"))
    taken(pipeline, sitting.command(NOTE, id_="b"))
    pipeline.finish()
    failed = answered(pipeline)
    meanwhile = sitting.desk.handle(legal)
    begun(pipeline, sitting.command(ROLL, id_="c"))
    taken(pipeline, sitting.command(STAND, BLUE, id_="d"))
    pipeline.finish()
    monkeypatch.undo()

    assert failed == {"a": "store_unavailable", "b": "store_unavailable"}
    assert encode(meanwhile) == encode(before)
    assert answered(pipeline) == {"c": "PlayedReply", "d": "PlayedReply"}
    assert reads == []
    assert audit_match(log, sitting.match).clean


@pytest.mark.parametrize("is_stored", [False, True])
def test_what_was_decided_on_an_unknown_outcome_is_decided_on_the_log(
    log: LaterLog, sitting: Sitting, pipeline: Pipeline[str], is_stored: bool
) -> None:
    unknown(log, is_stored=is_stored)
    begun(pipeline, sitting.command(ROLL, id_="a", key="a"))
    taken(pipeline, sitting.command(STAND, BLUE, id_="b"))
    pipeline.finish()

    assert answered(pipeline) == {"a": "outcome_unknown", "b": "PlayedReply" if is_stored else "refused"}
    assert check_chain(log.read(sitting.match), sitting.match) is None


def test_one_impossible_commit_does_not_fail_the_others(
    log: LaterLog, sitting: Sitting, pipeline: Pipeline[str]
) -> None:
    other = Sitting(log, sitting.desk)
    log.failures = [LogMisuse("one of them is wrong"), LogMisuse("this one")]
    begun(pipeline, sitting.command(ROLL, id_="a"), other.command(ROLL, id_="b"))
    taken(pipeline, other.command(STAND, BLUE, id_="c"))
    pipeline.finish()

    assert answered(pipeline) == {"a": "internal", "b": "PlayedReply", "c": "PlayedReply"}


def test_commands_are_decided_again_where_another_process_wrote_meanwhile(
    log: LaterLog, sitting: Sitting, pipeline: Pipeline[str]
) -> None:
    stranger = Desk(log, StillClock(), CountedIdentity(), trusted=True)
    begun(pipeline, sitting.command(ROLL, id_="a"))
    taken(pipeline, sitting.command(STAND, BLUE, id_="b"))
    stranger.handle(sitting.command(NOTE, key="stranger"))
    pipeline.finish()

    assert answered(pipeline) == {"a": "PlayedReply", "b": "PlayedReply"}
    assert audit_match(log, sitting.match).clean


@pytest.mark.parametrize("is_unknown", [False, True])
def test_a_match_that_was_overtaken_reads_only_what_is_new(
    log: LaterLog, sitting: Sitting, pipeline: Pipeline[str], monkeypatch: pytest.MonkeyPatch, *, is_unknown: bool
) -> None:
    """Else two servers that play one long match read all of it in turn, and nobody is answered meanwhile."""
    for number in range(5):
        sitting.desk.handle(sitting.command(NOTE, key=f"note {number}"))
    stranger = Desk(log, StillClock(), CountedIdentity(), trusted=True)
    begun(pipeline, sitting.command(ROLL, id_="a", key="a"))
    taken(pipeline, sitting.command(STAND, BLUE, id_="b"))
    stranger.handle(sitting.command(NOTE, key="stranger"))
    if is_unknown:
        unknown(log, is_stored=False)
    read: list[str] = []

    def noted(match: MatchId, after: int = 0, upto: int | None = None) -> Iterator[Stored]:
        for one in LaterLog.read(log, match, after, upto):
            read.append(one.key)
            yield one

    monkeypatch.setattr(log, "read", noted)
    pipeline.finish()
    monkeypatch.undo()

    assert answered(pipeline) == {
        "a": "outcome_unknown" if is_unknown else "PlayedReply",
        "b": "refused" if is_unknown else "PlayedReply",
    }
    assert set(read) == {"stranger"}
    assert audit_match(log, sitting.match).clean


def test_what_follows_a_command_that_another_server_has_stored_is_shown_with_it(
    log: LaterLog, sitting: Sitting, pipeline: Pipeline[str]
) -> None:
    """Both decide it alike, so that the next commit fits on top of the other's."""
    state = StateRequest(match=sitting.match, seat=PUBLIC)
    sitting.desk.handle(state)
    stranger = Desk(log, StillClock(), CountedIdentity(), trusted=True)
    begun(pipeline, sitting.command(ROLL, id_="a", key="a"), sitting.command(NOTE, id_="b"))
    stranger.handle(sitting.command(ROLL, key="a"))
    pipeline.finish()

    assert answered(pipeline) == {"a": "PlayedReply", "b": "PlayedReply"}
    assert encode(sitting.desk.handle(state)) == encode(Desk(log, trusted=True).handle(state))


def test_what_is_stored_is_published_although_a_command_before_it_is_decided_again(
    log: LaterLog, sitting: Sitting, pipeline: Pipeline[str]
) -> None:
    other = Sitting(log, sitting.desk)
    stranger = Desk(log, StillClock(), CountedIdentity(), trusted=True)
    begun(pipeline, sitting.command(ROLL, id_="a"), other.command(ROLL, id_="b"))
    stranger.handle(sitting.command(NOTE, key="stranger"))
    log.is_done = True
    pipeline.complete()
    answers = pipeline.answers()

    assert (answers.replies, [one.request_id for one in answers.committed]) == ([], ["b"])
    pipeline.finish()
    assert answered(pipeline) == {"a": "PlayedReply", "b": "PlayedReply"}


@pytest.mark.parametrize("key", ["stranger", "a"])
def test_a_lost_race_loses_what_follows_it_in_its_group(
    log: LaterLog, sitting: Sitting, pipeline: Pipeline[str], key: str
) -> None:
    clock = StillClock()
    stranger = Desk(log, clock, CountedIdentity(), trusted=True)
    notes = [sitting.command(NOTE, id_=name, key=name) for name in "ab"]
    begun(pipeline, *notes)
    clock.ms += 1
    stranger.handle(sitting.command(NOTE, key=key))
    pipeline.finish()

    assert answered(pipeline) == {"a": "PlayedReply", "b": "PlayedReply"}
    assert check_chain(log.read(sitting.match), sitting.match) is None
    assert [new.key for new in log.kept].count("b") == 1


def test_a_key_that_is_being_appended_gets_its_first_outcome(
    log: LaterLog, sitting: Sitting, pipeline: Pipeline[str]
) -> None:
    begun(pipeline, sitting.command(ROLL, id_="a", key="once"))
    taken(pipeline, sitting.command(ROLL, id_="b", key="once"))
    replies = [reply for _, reply in pipeline.answers().replies]

    assert [reply.repeated for reply in replies if isinstance(reply, PlayedReply)] == [False, True]
    assert [new.key for new in log.kept].count("once") == 1


def test_a_fault_in_a_reply_affects_its_group_only(
    log: LaterLog, sitting: Sitting, pipeline: Pipeline[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def receipts() -> list[Receipt]:
        raise ZeroDivisionError

    begun(pipeline, sitting.command(ROLL, id_="a"))
    taken(pipeline, sitting.command(STAND, BLUE, id_="b"))
    monkeypatch.setattr(log, "receive", receipts)
    pipeline.finish()

    assert answered(pipeline) == {"a": "internal", "b": "refused"}


def test_no_refusal_is_sent_that_is_based_on_what_a_fault_left_out(
    log: LaterLog, sitting: Sitting, pipeline: Pipeline[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def receipts() -> list[Receipt]:
        raise ZeroDivisionError

    begun(pipeline, sitting.command(ROLL, id_="a"), sitting.command(ROLL, id_="b"))
    monkeypatch.setattr(log, "receive", receipts)
    pipeline.finish()
    assert answered(pipeline) == {"a": "internal", "b": "internal"}
    monkeypatch.undo()
    log.submitted = ()
    taken(pipeline, sitting.command(ROLL, id_="c"), sitting.command(ROLL, id_="d"))
    assert pipeline.abandon() == ["c", "d"]
    assert answered(pipeline) == {}


def test_an_abandoned_pipeline_leaves_nothing_in_memory_that_is_not_in_the_log(
    log: LaterLog, sitting: Sitting, pipeline: Pipeline[str]
) -> None:
    before = sitting.since(ARBITER)
    log.failures = [StoreUnavailable("the disk is full")]
    begun(pipeline, sitting.command(ROLL, id_="a"))
    taken(pipeline, sitting.command(STAND, BLUE, id_="b"))

    assert pipeline.abandon() == []
    assert answered(pipeline) == {"a": "store_unavailable", "b": "refused"}
    taken(pipeline, sitting.command(ROLL, id_="c"))
    assert pipeline.abandon() == ["c"]
    assert sitting.since(ARBITER) == before


def test_a_match_ahead_of_the_log_is_neither_dropped_nor_saved(log: LaterLog) -> None:
    desk = Desk(log, StillClock(), CountedIdentity(), owner=OWNER, cached_max=1)
    first, second = Sitting(log, desk), Sitting(log, desk)
    while first.since().seq < EVERY - 1:
        first.play(NOTE)
    pipeline: Pipeline[str] = desk.pipeline()
    begun(pipeline, first.command(NOTE, id_="a"), first.command(NOTE, id_="b"))
    taken(pipeline, first.command(NOTE, id_="c"), second.command(ROLL, id_="d"))
    pipeline.answers()
    assert desk.cached == 2
    log.is_done = True
    pipeline.complete()
    assert not desk.housekeep()
    pipeline.finish()

    assert answered(pipeline) == dict.fromkeys("abcd", "PlayedReply")
    assert desk.cached == 1
    assert all(audit_match(log, match).clean for match in (first.match, second.match))


def in_groups(desk: Desk, log: LaterLog, pile: list[Request], choose: Random) -> Iterator[Reply]:
    """Answer requests in groups that are appended meanwhile, and of which it is random when they begin and end."""
    pipeline: Pipeline[int] = desk.pipeline()
    for number, request in enumerate(pile):
        pipeline.take(number, request)
        log.is_done = choose.random() < 0.3
        pipeline.complete()
        if choose.random() < 0.3:
            pipeline.submit()
        if choose.random() < 0.1:
            desk.housekeep()
        yield from [reply for _, reply in pipeline.answers().replies]
    pipeline.finish()
    yield from [reply for _, reply in pipeline.answers().replies]


def test_requests_in_groups_are_answered_like_one_by_one(budget: float) -> None:
    for seed in range(max(1, round(10 * budget))):
        answers: list[list[bytes]] = []
        for is_concurrent in (False, True):
            log = LaterLog()
            desk = Desk(log, StillClock(), CountedIdentity(), owner=OWNER)
            sittings = [Sitting(log, desk, seed="3") for _ in range(3)]
            pile = pile_of_requests(sittings, Random(seed), 200)
            replies = in_groups(desk, log, pile, Random(seed)) if is_concurrent else map(desk.handle, pile)
            found = [encode(reply) for reply in replies]
            answers.append(found + [stored.body for match in log.matches() for stored in log.read(match)])

        assert answers[0] == answers[1], f"seed {seed}"


def test_while_the_log_stalls_only_what_depends_on_it_waits_or_is_refused(
    log: LaterLog, sitting: Sitting, pipeline: Pipeline[str]
) -> None:
    other = Sitting(log, sitting.desk)
    begun(pipeline, sitting.command(ROLL, id_="a"))
    log.stalls = True
    taken(
        pipeline,
        sitting.command(ROLL, id_="refused on top"),
        LegalRequest(id="reads it", match=sitting.match),
        LegalRequest(id="reads another", match=other.match),
        other.command(ROLL, id_="b"),
    )

    assert not pipeline.finish(patient=False)
    assert answered(pipeline) == {"reads it": "store_unavailable", "reads another": "LegalReply"}
    assert answered(pipeline) == {}
    log.stalls = False
    assert pipeline.finish(patient=False)
    assert answered(pipeline) == {"a": "PlayedReply", "refused on top": "refused", "b": "PlayedReply"}
    assert all(audit_match(log, match).clean for match in (sitting.match, other.match))


def test_while_the_log_stalls_a_bounded_number_of_commands_waits(
    log: LaterLog, sitting: Sitting, pipeline: Pipeline[str]
) -> None:
    begun(pipeline, sitting.command(ROLL, id_="a"))
    log.stalls = True
    taken(pipeline, *[sitting.command(NOTE, id_=f"{number}") for number in range(WAITING_MAX + 2)])

    assert pipeline.waiting == WAITING_MAX
    assert answered(pipeline) == {f"{WAITING_MAX}": "store_unavailable", f"{WAITING_MAX + 1}": "store_unavailable"}
    pipeline.finish()
    assert set(answered(pipeline).values()) == {"PlayedReply"}
    assert audit_match(log, sitting.match).clean


def test_a_key_that_is_being_appended_by_a_log_that_stalls_has_no_outcome_yet(
    log: LaterLog, sitting: Sitting, pipeline: Pipeline[str]
) -> None:
    begun(pipeline, sitting.command(ROLL, id_="a", key="once"))
    log.stalls = True
    taken(pipeline, sitting.command(ROLL, id_="b", key="once"))
    pipeline.finish()

    assert answered(pipeline) == {"a": "PlayedReply", "b": "store_unavailable"}
    assert [new.key for new in log.kept].count("once") == 1
