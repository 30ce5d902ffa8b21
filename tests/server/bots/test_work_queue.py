"""Which worker is asked, and when it is given up. Times are seconds of a clock that the tests turn."""

import pytest

from events.codec import replace
from events.ids import GameKey, MatchId, Seat
from projections.state.table import Table
from server.bots.bot_turns import Turn
from server.bots.work_messages import Question, Ready
from server.bots.work_queue import GONE_S, Decision, WorkQueue
from server.protocol.replies import LegalReply

GAME, RED, MATCH = GameKey("skirmish"), Seat("red"), MatchId("m")
ONE, TWO, OWN = b"one", b"two", b"own"
LIMIT_S = 30.0


def decision(seq: int = 7, match: MatchId = MATCH) -> Decision:
    table = replace(Table(), game=GAME)
    legal = LegalReply(match=match, seq=seq, decision="", to_move=RED, options=(), table=table)
    question = Question(match=match, seat=RED, bot="greedy", version="1", seed="", legal=legal)
    return Decision(Turn(match, RED, "greedy", ""), question, "greedy", LIMIT_S)


def queue(*workers: bytes) -> WorkQueue:
    made = WorkQueue()
    for worker in workers:
        ready(made, worker, 0.0)
    return made


def ready(made: WorkQueue, worker: bytes, now: float, version: str = "1") -> None:
    policies = {GAME: {"greedy": version}}
    assert made.welcome(worker, Ready(secret="", name=worker.decode(), policies=policies), now, is_own=worker == OWN)


def asked(made: WorkQueue, now: float = 0.0) -> dict[bytes, str]:
    """Return which workers are asked now, with their leases."""
    return {route: question.lease for route, question in made.assign(now)}


def test_the_servers_own_worker_is_asked_where_nobody_else_can() -> None:
    alone, helped = queue(OWN), queue(OWN, ONE)
    ready(other := queue(OWN), TWO, 0.0, version="2")
    for made in (alone, helped, other):
        made.put(decision())

    assert [list(asked(made)) for made in (alone, helped, other)] == [[OWN], [ONE], [OWN]]


def test_decisions_wait_while_all_others_think_and_go_to_who_has_waited_longest() -> None:
    made = queue(OWN, ONE, TWO)
    for name in "abc":
        made.put(decision(match=MatchId(name)))
    first = asked(made)
    made.answered(TWO, first[TWO], 1.0)
    second = asked(made)
    made.put(decision(match=MatchId("d")))
    made.answered(ONE, first[ONE], 1.0)
    made.answered(TWO, second[TWO], 1.0)

    assert (list(first), list(second), list(asked(made)), made.status().waiting) == ([ONE, TWO], [TWO], [ONE], 0)


@pytest.mark.parametrize(
    ("thinks_until", "over_at"),
    [(0.0, GONE_S), (10.0, 10.0 + GONE_S), (LIMIT_S, LIMIT_S)],
    ids=["killed", "stalled", "slow"],
)
def test_a_worker_is_given_up_after_silence_or_at_the_limit(thinks_until: float, over_at: float) -> None:
    made = queue(OWN, ONE)
    made.put(decision())
    lease = asked(made)[ONE]
    for second in range(1 + int(thinks_until)):
        made.thinks(ONE, lease, float(second))
    before, after = made.expire(over_at - 0.1), made.expire(over_at)

    assert (before, [worker.route for worker, _ in after], list(asked(made, over_at))) == ([], [ONE], [OWN])


def test_one_that_was_given_up_may_still_answer_first_and_the_other_is_late_then() -> None:
    made = queue(OWN, ONE)
    made.put(decision())
    first = asked(made)[ONE]
    made.expire(GONE_S)
    ready(made, TWO, GONE_S)
    second = asked(made, GONE_S)[TWO]
    ready(made, ONE, GONE_S)
    answers = [
        made.answered(*one, GONE_S) is not None for one in ((ONE, second), (ONE, first), (TWO, second), (ONE, first))
    ]

    assert answers == [False, True, False, False]
    assert [(one.name, one.decided, one.late) for one in made.status().workers] == [
        ("two", 0, 1),
        ("one", 1, 2),
        ("own", 0, 0),
    ]


def test_a_newer_question_of_a_seat_takes_the_place_of_the_older_one_and_the_same_is_asked_once() -> None:
    made = queue(OWN, ONE)
    made.put(decision(7))
    old = asked(made)[ONE]
    made.put(decision(7))
    again = asked(made)
    made.put(decision(9))

    assert again == {}
    assert made.asked(ONE, old) is None
    # It still thinks about the old one.
    assert asked(made) == {}
    assert made.answered(ONE, old, 1.0) is None
    assert list(asked(made)) == [ONE]


def test_who_failed_is_not_asked_again_and_the_server_is_the_last() -> None:
    made = queue(OWN, ONE, TWO)
    made.put(decision())
    order = []
    for _ in range(3):
        ((route, lease),) = asked(made).items()
        made.failed(route, lease, 1.0)
        order.append(route)

    assert order == [ONE, TWO, OWN]
    assert asked(made) == {}


def test_one_that_is_ready_again_has_lost_its_question_only_if_that_is_over() -> None:
    """A question and `ready` may cross on the way."""
    made = queue(OWN, ONE)
    made.put(decision())
    asked(made)
    made.put(decision(match=MatchId("other")))
    ready(made, ONE, 0.1)
    crossed = asked(made)
    made.drop(MATCH, RED)
    ready(made, ONE, 0.2)

    assert crossed == {}
    assert list(asked(made)) == [ONE]
