"""Decisions that wait for a worker, and those that workers think about under a lease. Time comes from the caller.

A lease only avoids that two think about the same: whoever answers first is heard, and the server takes each command once, because the answer names
the number of the seat's last event.
"""

from collections import OrderedDict
from collections.abc import Iterator, Mapping

from events.codec import replace
from events.ids import GameKey, MatchId, Seat
from server.bots.bot_turns import Turn
from server.bots.work_messages import Question, Ready, Status, WorkerStatus

BEAT_S = 1.0
"""How often a worker says that it is there (seconds)."""
GONE_S = 3 * BEAT_S
"""How long it may be silent before its question is asked elsewhere (seconds)."""
THOUGHT_S = 60.0
"""How long it may think about a decision beyond its budget of time (seconds)."""
THOUGHT_MOST_S = 600.0
"""How long it may think where the budget is none of time (seconds)."""
WORKERS_MAX = 1_000

Route = bytes
"""The address of a worker on the socket."""


class Decision:
    """A decision of a bot: the question, and who was asked it.

    Attributes:
        turn: The bot.
        question: The question, without a lease.
        policy: The name of the policy.
        limit_s: How long a worker may think about it (seconds).
        tried: The workers that were asked.
    """

    __slots__ = ("game", "lease", "limit_s", "policy", "question", "tried", "turn")

    def __init__(self, turn: Turn, question: Question, policy: str, limit_s: float) -> None:
        table = question.legal.table
        assert table is not None, "a question comes with its table"
        self.turn = turn
        self.question = question
        self.game: GameKey = table.game
        self.policy = policy
        self.limit_s = limit_s
        self.tried: set[Route] = set()
        self.lease: Lease | None = None

    @property
    def seat(self) -> tuple[MatchId, Seat]:
        """The match and the seat."""
        return self.question.match, self.question.seat


class Lease:
    """A worker's time to think about a decision: `name` is told to it, and it must have been heard since `heard`."""

    __slots__ = ("heard", "name", "until", "worker")

    def __init__(self, name: str, worker: "Worker", now: float, limit_s: float) -> None:
        self.name = name
        self.worker = worker
        self.heard = now
        self.until = now + limit_s

    def is_over(self, now: float) -> bool:
        """Return whether the worker was silent for too long, or thinks for too long."""
        return now >= min(self.until, self.heard + GONE_S)


class Worker:
    """A worker that has said that it is there."""

    __slots__ = ("heard", "is_own", "lease", "policies", "route", "status")

    def __init__(self, route: Route, ready: Ready, *, is_own: bool) -> None:
        self.route = route
        self.policies: Mapping[GameKey, Mapping[str, str]] = ready.policies
        self.status = WorkerStatus(name=ready.name)
        self.is_own = is_own
        self.heard = 0.0
        self.lease = ""

    def can_play(self, decision: Decision) -> bool:
        """Return whether it has the policy in the version of the question; the server's own worker has."""
        return self.is_own or self.policies.get(decision.game, {}).get(decision.policy) == decision.question.version

    def counts(self, **more: int) -> None:
        """Add to its figures."""
        self.status = replace(self.status, **{name: getattr(self.status, name) + count for name, count in more.items()})


class WorkQueue:
    """The decisions and the workers of a server."""

    def __init__(self) -> None:
        self._decisions: OrderedDict[tuple[MatchId, Seat], Decision] = OrderedDict()
        self._leases: dict[str, tuple[Route, Decision]] = {}
        self._workers: dict[Route, Worker] = {}
        self._count = 0

    def put(self, decision: Decision) -> None:
        """Let a decision wait for a worker, in place of an earlier one of the seat; the same one is not asked twice."""
        known = self._decisions.get(decision.seat)
        if known is not None:
            if known.question.legal.seq == decision.question.legal.seq:
                return
            self.drop(*known.seat)
        self._decisions[decision.seat] = decision

    def drop(self, match: MatchId, seat: Seat) -> None:
        """Forget the decision of a seat; what is answered to it is late."""
        decision = self._decisions.pop((match, seat), None)
        if decision is not None:
            self._leases = {name: one for name, one in self._leases.items() if one[1] is not decision}

    def welcome(self, route: Route, ready: Ready, now: float, *, is_own: bool) -> bool:
        """Take note of a worker that has nothing to do; return False if there are too many."""
        worker = self._workers.get(route)
        if worker is None:
            if len(self._workers) >= WORKERS_MAX:
                return False
            worker = self._workers[route] = Worker(route, ready, is_own=is_own)
        worker.heard = now
        if worker.lease and not self._holds(worker):
            # What it was asked has not reached it, or is done.
            worker.lease = ""
        return True

    def _holds(self, worker: Worker) -> bool:
        """Return whether the lease of a worker is neither over nor done."""
        decision = self.asked(worker.route, worker.lease)
        return decision is not None and decision.lease is not None and decision.lease.name == worker.lease

    def thinks(self, route: Route, lease: str, now: float) -> None:
        """Take note of a worker that still thinks."""
        worker = self._workers.get(route)
        if worker is not None:
            worker.heard = now
        decision = self.asked(route, lease)
        if decision is not None and decision.lease is not None and decision.lease.name == lease:
            decision.lease.heard = now

    def asked(self, route: Route, lease: str) -> Decision | None:
        """Return the decision that a worker was asked for and that is still open, also if its lease is over."""
        asked, decision = self._leases.get(lease, (b"", None))
        return decision if asked == route else None

    def answered(self, route: Route, lease: str, now: float) -> Decision | None:
        """Return the open decision that a worker has answered, which is then forgotten; None for an answer that is late or was never asked for."""
        decision = self.asked(route, lease)
        self._is_free(route, lease, now, "late" if decision is None else "decided")
        if decision is not None:
            self.drop(*decision.seat)
        return decision

    def failed(self, route: Route, lease: str, now: float) -> tuple[Decision, Worker] | None:
        """Take note that a worker cannot answer, and return it with the open decision, which waits for another one."""
        decision, worker = self.asked(route, lease), self._workers.get(route)
        self._is_free(route, lease, now, "failed")
        if decision is not None and decision.lease is not None and decision.lease.name == lease:
            decision.lease = None
        return None if decision is None or worker is None else (decision, worker)

    def _is_free(self, route: Route, lease: str, now: float, count: str) -> None:
        worker = self._workers.get(route)
        if worker is None:
            return
        worker.heard = now
        worker.counts(**{count: 1})
        if worker.lease == lease:
            worker.lease = ""

    def leave(self, route: Route) -> None:
        """Forget a worker; what it thinks about waits for another one."""
        worker = self._workers.pop(route, None)
        if worker is not None and self._holds(worker):
            self._leases[worker.lease][1].lease = None

    def expire(self, now: float) -> list[tuple[Worker, Decision]]:
        """End the leases that are over, and forget the workers that were silent for too long.

        Returns:
            The workers that are given up, each with the decision, which waits for another one.
        """
        ended: list[tuple[Worker, Decision]] = []
        for decision in self._decisions.values():
            lease = decision.lease
            if lease is not None and not lease.worker.is_own and lease.is_over(now):
                decision.lease = None
                lease.worker.counts(given_up=1)
                ended.append((lease.worker, decision))
        for worker in list(self._workers.values()):
            if not worker.is_own and now >= worker.heard + GONE_S:
                self.leave(worker.route)
        return ended

    def assign(self, now: float) -> Iterator[tuple[Route, Question]]:
        """Yield questions with the workers that think about them from now on.

        The server's own worker takes what no other one that is there can take, or what all of these were asked already.
        """
        for decision in self._decisions.values():
            if decision.lease is not None:
                continue
            able = [one for one in self._workers.values() if one.can_play(decision) and one.route not in decision.tried]
            others = [one for one in able if not one.is_own]
            free = [one for one in others or able if not one.lease]
            if not free:
                continue
            yield free[0].route, self._lend(decision, free[0], now)

    def _lend(self, decision: Decision, worker: Worker, now: float) -> Question:
        self._count += 1
        name = str(self._count)
        decision.lease = Lease(name, worker, now, decision.limit_s)
        decision.tried.add(worker.route)
        worker.lease = name
        self._leases[name] = worker.route, decision
        # The others come first the next time.
        self._workers[worker.route] = self._workers.pop(worker.route)
        return replace(decision.question, lease=name)

    def status(self) -> Status:
        """Return who works."""
        found = []
        for worker in sorted(self._workers.values(), key=lambda one: one.is_own):
            decision = self.asked(worker.route, worker.lease)
            match, seat = (MatchId(""), Seat("")) if decision is None else decision.seat
            found.append(replace(worker.status, match=match, seat=seat))
        waiting = sum(decision.lease is None for decision in self._decisions.values())
        return Status(workers=tuple(found), waiting=waiting)
