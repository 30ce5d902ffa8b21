"""Requests that wait for the background, which loads a long match or checks a file from outside.

All requests about one match wait in the order of their arrival, so that none overtakes another. Other requests are served
meanwhile.
"""

from collections import Counter, deque
from collections.abc import Container, Hashable, Iterator, Sequence

from events.codec import Struct
from events.ids import MatchId
from server.broker.background import Background, Done
from server.broker.connections import Connection
from server.broker.limits import Limits
from server.desk.desk import Desk
from server.desk.jobs import AskStore, Job, is_shared
from server.protocol.errors import denied
from server.protocol.replies import FailedReply
from server.protocol.wire import MatchRequest, Request
from server.store.remote.outage import outage_of

ROUNDS_MAX = 3
"""After how many jobs a request is answered in the loop: each time the prepared result was dropped before it was used."""

WAITING_BYTES_MAX = 64 << 20
"""Limit of the bytes of all waiting requests."""

ASK_S = 0.5
"""How often a store that is away is asked whether it is there again (seconds)."""


class Asked(Struct):
    """A request and the route back to its client.

    `route` is the client's routing id, an empty frame if the client sent one, and the protocol's frame. `size` is the request's
    size in bytes, `rounds` how many jobs it has waited for, `files` the texts that come with a request that creates a match,
    `payer` whose quotas that uses.
    """

    route: tuple[bytes, ...]
    request: Request
    connection: Connection | None = None
    size: int = 0
    rounds: int = 0
    files: Sequence[str] | None = None
    payer: str = ""


class Waiting:
    """Holds requests until they can be answered without blocking the loop.

    Args:
        desk: Knows what a request needs.
        background: Prepares it.
        limits: How many requests may wait.
    """

    def __init__(self, desk: Desk, background: Background, limits: Limits) -> None:
        self._desk = desk
        self._background = background
        self._limits = limits
        self._queues: dict[Hashable, deque[Asked]] = {}
        self._subjects: dict[Job, Hashable] = {}
        self._released: deque[Asked] = deque()
        self._releasing: Counter[Hashable] = Counter()
        self._by_connection: Counter[int] = Counter()
        self._bytes = 0
        self._asked_at = 0.0
        self._is_asking = False
        self._outage = outage_of(desk.log)
        if self._outage is not None:
            self._outage.is_watched = True

    def __len__(self) -> int:
        """Return how many requests are waiting or released."""
        return sum(map(len, self._queues.values())) + len(self._released)

    def released(self, most: int) -> Iterator[Asked]:
        """Yield released requests in order; those that need another job wait again."""
        for _ in range(min(most, len(self._released))):
            asked = self._released.popleft()
            self._releasing -= Counter([_subject(asked.request)])
            if not self._wait(asked):
                yield asked

    @property
    def is_ready(self) -> bool:
        """Return whether there are released requests."""
        return bool(self._released)

    def take(self, asked: Asked) -> FailedReply | bool:
        """Hold a new request if it has to wait.

        Returns:
            Whether it waits; or the reply that rejects it, because too many wait.
        """
        if not self._queues and not self._released and self._desk.missing(asked.request) is None:
            # The common case: no request waits.
            return False
        return self._wait(asked, is_new=True)

    def _wait(self, asked: Asked, *, is_new: bool = False) -> FailedReply | bool:
        subject: Hashable = _subject(asked.request)
        queue = None if subject is None else self._queues.get(subject)
        if is_new and subject is not None and self._releasing[subject]:
            queue = self._released
        job = None
        if queue is None and asked.rounds < ROUNDS_MAX:
            job = self._desk.missing(asked.request)
        if queue is None and job is None:
            if not is_new:
                self._count(asked, -1)
            return False
        if is_new:
            if self._is_full(asked):
                error = denied("busy", "too many requests are waiting; try again", retry=True)
                return self._desk.failure(error, asked.request)
            self._count(asked, 1)
        if queue is None and job is not None:
            # Only a job that all requests about a match need makes the others of that match wait.
            subject = subject if subject is not None and is_shared(job) else job
            queue = self._queues.setdefault(subject, deque())
            if job not in self._subjects:
                self._subjects[job] = subject
                self._background.submit(job, _client(asked))
        assert queue is not None
        queue.append(asked)
        if queue is self._released:
            self._releasing[subject] += 1
        return True

    def prepare(self, match: MatchId, job: Job) -> None:
        """Let the background do a job for a match that no request waits for."""
        if match not in self._queues:
            self._queues[match] = deque()
            self._subjects[job] = match
            self._background.submit(job, match)

    def _is_full(self, asked: Asked) -> bool:
        return (
            self._by_connection.total() >= self._limits.all_waiting_requests
            or self._by_connection[_client(asked)] >= self._limits.waiting_requests
            or self._bytes + asked.size > WAITING_BYTES_MAX
        )

    def _count(self, asked: Asked, by: int) -> None:
        client = _client(asked)
        self._by_connection[client] += by
        if not self._by_connection[client]:
            del self._by_connection[client]
        self._bytes += by * asked.size

    def is_due(self, ready: Container[object]) -> bool:
        """Return whether the background has a result, or its job has taken too long; `ready` holds the descriptors that can be read."""
        fd = self._background.fileno()
        return fd < 0 or fd in ready or self._background.wait_s(self._desk.clock.monotonic()) == 0.0

    def look(self, now: float) -> float | None:
        """Let the background ask a store on other machines that does not answer whether it is there again: the loop asks no more until it is.

        Returns:
            How long the job of the background may still take, or None if it has none.
        """
        if self._outage is not None and self._outage.is_on and not self._is_asking and now >= self._asked_at + ASK_S:
            self._is_asking, self._asked_at = True, now
            self._background.submit(AskStore(), self)
        return self._background.wait_s(now)

    def _heard(self, error: Exception | None) -> None:
        """Take the answer of the store."""
        self._is_asking = False
        if self._outage is not None and error is None:
            self._outage.end()

    def receive(self) -> list[tuple[Asked, FailedReply]]:
        """Take the background's finished jobs and release the requests that waited for them.

        Returns:
            The requests that cannot be answered, with the reason.
        """
        failed: list[tuple[Asked, FailedReply]] = []
        for done in self._background.receive():
            if isinstance(done.job, AskStore):
                self._heard(done.error)
                continue
            queue = self._queues.pop(self._subjects.pop(done.job))
            error = self._desk.deliver(done.job, done.result, done.error)
            if error is not None:
                failed += self._failed(done, error, queue)
            for asked in queue:
                asked.rounds += 1
            self._released.extend(queue)
            self._releasing.update(_subject(asked.request) for asked in queue)
        return failed

    def _failed(self, done: Done, error: Exception, queue: deque[Asked]) -> list[tuple[Asked, FailedReply]]:
        """Remove from a queue the requests that needed a failed job: the first one, or all if they share the job."""
        count = len(queue) if is_shared(done.job) else 1
        hit = [queue.popleft() for _ in range(count)]
        for asked in hit:
            self._count(asked, -1)
        return [(asked, self._desk.failure(error, asked.request)) for asked in hit]


def _client(asked: Asked) -> int:
    return hash(asked.route[0]) if asked.connection is None else asked.connection.fd


def _subject(request: Request) -> Hashable:
    """Return the match within which requests keep their order, or None."""
    return request.match if isinstance(request, MatchRequest) else None
