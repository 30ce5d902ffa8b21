"""Requests that wait for the background: for a long match to be loaded, or for a file from outside to be checked.

All requests about one match wait in the order in which they came, so that none overtakes another. Meanwhile everything else
is served.
"""

from collections import Counter, deque
from collections.abc import Hashable, Iterator, Sequence

from events.codec import Struct
from server.broker.background import Background, Done
from server.broker.connections import Connection
from server.broker.limits import Limits
from server.desk.desk import Desk
from server.desk.jobs import Job, is_shared
from server.protocol.errors import denied, failure
from server.protocol.wire import FailedReply, MatchRequest, Request

ROUNDS_MAX = 3
"""After how many jobs a request is answered in the loop all the same: so often it lost what was prepared for it."""

WAITING_BYTES_MAX = 64 << 20
"""Bytes of all requests that wait."""


class Asked(Struct):
    """A request and the way back to its asker.

    `route` is the asker's routing id, perhaps an empty frame, and the protocol's frame. `size` is the request's in bytes,
    `rounds` how many jobs it has waited for, `files` what comes with it if it creates a match.
    """

    route: tuple[bytes, ...]
    request: Request
    connection: Connection | None = None
    size: int = 0
    rounds: int = 0
    files: Sequence[str] | None = None


class Waiting:
    """Keeps requests until they can be answered without holding the loop up.

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

    def __len__(self) -> int:
        """Return how many requests wait or are ready again."""
        return sum(map(len, self._queues.values())) + len(self._released)

    def released(self, most: int) -> Iterator[Asked]:
        """Return requests that wait no longer, in order, each when it is asked for; those that need another job wait again."""
        for _ in range(min(most, len(self._released))):
            asked = self._released.popleft()
            self._releasing -= Counter([_subject(asked.request)])
            if not self._wait(asked):
                yield asked

    @property
    def is_ready(self) -> bool:
        """Whether requests wait no longer and can be answered."""
        return bool(self._released)

    def take(self, asked: Asked) -> FailedReply | bool:
        """Let a new request wait if it must.

        Returns:
            Whether it waits; or why it may not, because too many do.
        """
        if not self._queues and not self._released and self._desk.missing(asked.request) is None:
            # Nearly always nobody waits.
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
                error = denied("busy", "too much is waiting to be prepared here; ask again", retry=True)
                return failure(error, asked.request.id)
            self._count(asked, 1)
        if queue is None and job is not None:
            # Only what all requests about a match need makes the others of that match wait.
            subject = subject if subject is not None and is_shared(job) else job
            queue = self._queues.setdefault(subject, deque())
            if job not in self._subjects:
                self._subjects[job] = subject
                self._background.submit(job, _asker(asked))
        assert queue is not None
        queue.append(asked)
        if queue is self._released:
            self._releasing[subject] += 1
        return True

    def _is_full(self, asked: Asked) -> bool:
        return (
            self._by_connection.total() >= self._limits.all_waiting_requests
            or self._by_connection[_asker(asked)] >= self._limits.waiting_requests
            or self._bytes + asked.size > WAITING_BYTES_MAX
        )

    def _count(self, asked: Asked, by: int) -> None:
        asker = _asker(asked)
        self._by_connection[asker] += by
        if not self._by_connection[asker]:
            del self._by_connection[asker]
        self._bytes += by * asked.size

    def receive(self) -> list[tuple[Asked, FailedReply]]:
        """Take what the background has done and release the requests that waited for it.

        Returns:
            The requests that cannot be answered, with the reason.
        """
        failed: list[tuple[Asked, FailedReply]] = []
        for done in self._background.receive():
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
        """Take out of a queue the requests that needed the job that failed: the first, or all if they share it."""
        count = len(queue) if is_shared(done.job) else 1
        hit = [queue.popleft() for _ in range(count)]
        for asked in hit:
            self._count(asked, -1)
        return [(asked, failure(error, asked.request.id)) for asked in hit]


def _asker(asked: Asked) -> int:
    return hash(asked.route[0]) if asked.connection is None else asked.connection.fd


def _subject(request: Request) -> Hashable:
    """Return what a request must not overtake others about: its match, or None."""
    return request.match if isinstance(request, MatchRequest) else None
