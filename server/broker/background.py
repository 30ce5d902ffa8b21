"""A worker process for jobs that would block the server's loop: loading long matches, checking files from outside.

Jobs run one at a time, round-robin over the clients that submitted them, so that one client's jobs do not starve the others. If a
job takes too long or the process dies, only that job fails, and may be submitted again: a new process continues with the next one.
"""

import multiprocessing
import pickle
import signal
import traceback
from collections import OrderedDict, deque
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing.connection import Connection

from core.registry.games import GAMES
from events.codec import Struct
from events.ids import GameKey
from events.log import Log
from server.desk.jobs import Job, JobFailed
from server.protocol.clock import Clock
from server.protocol.errors import EXPECTED, denied
from server.protocol.logger import Logger
from server.store.opening import open_log

JOB_S = 30.0
"""How long a job may take (seconds); loading a match of a million events takes a tenth of it."""

STARTS_MAX = 3
PAUSE_S = 10.0
"""How often in a row the process may die before it is ready, and for how long (seconds) jobs then fail at once."""


class _Fault(Struct, frozen=True):
    """An internal error, as text."""

    trace: str


class Done(Struct, frozen=True):
    """A finished job with its result, or the error that it raised."""

    job: Job
    result: object
    error: Exception | None


class Background:
    """Runs jobs in another process.

    Args:
        store: The locator of the store, which the process opens read-only; see `server.store.opening`.
        clock: Measures how long a job takes.
        logger: The log for operators.
        job_s: How long a job may take, in seconds.
    """

    def __init__(self, store: str, clock: Clock, logger: Logger, job_s: float = JOB_S) -> None:
        self._store = store
        self._clock = clock
        self._logger = logger
        self._job_s = job_s
        self._turns: OrderedDict[object, deque[Job]] = OrderedDict()
        self._running: Job | None = None
        self._due = 0.0
        self._is_ready = False
        self._starts = 0
        self._start_again = 0.0
        self._pipe: Connection | None = None
        self._start()

    def _start(self) -> None:
        self._starts += 1
        # A fresh interpreter: copying one that has threads and an open database is not safe.
        context = multiprocessing.get_context("spawn")
        self._is_ready = False
        try:
            ours, theirs = context.Pipe()
            process = context.Process(
                target=_work, args=(theirs, self._store, dict(GAMES)), name="wardiary-background", daemon=True
            )
            with theirs:
                process.start()
        except OSError as error:
            # The system has no process or no file to spare.
            self._give_up(str(error))
            return
        self._pipe, self._process = ours, process
        self._fd = ours.fileno()

    def fileno(self) -> int:
        """Return the descriptor that becomes readable when `receive` has something to do, or -1 if the process cannot be started.

        It changes when the process is replaced.
        """
        return self._fd

    def submit(self, job: Job, client: object) -> None:
        """Queue a job; it runs when it is its client's turn."""
        self._turns.setdefault(client, deque()).append(job)
        self._next()

    def wait_s(self, now: float) -> float | None:
        """Return how long the running job may still take, or None if no job is running."""
        return None if self._running is None else max(0.0, self._due - now)

    def receive(self) -> list[Done]:
        """Return the finished jobs, start the next one, and abandon a job that takes too long."""
        done: list[Done] = []
        if self._pipe is None and self._clock.monotonic() >= self._start_again:
            self._starts = 0
            self._start()
        if self._pipe is None:
            failed = denied("busy", "the server cannot prepare this now; try again later", retry=True)
            done += [Done(job, None, failed) for jobs in self._turns.values() for job in jobs]
            self._turns.clear()
            return done
        try:
            while self._pipe.poll():
                self._take(pickle.loads(self._pipe.recv_bytes()), done)  # noqa: S301 - From our own process.
        except (EOFError, OSError, pickle.UnpicklingError) as error:
            self._replace(f"the process ended ({type(error).__name__})", done)
        if self._running is not None and self._clock.monotonic() >= self._due:
            self._replace("it took too long", done)
        self._next()
        return done

    def _take(self, answer: tuple[object, Exception | _Fault | None], done: list[Done]) -> None:
        if self._running is None:
            self._is_ready = True
            self._starts = 0
            return
        result, error = answer
        if isinstance(error, _Fault):
            self._logger.warning("job failed", job=type(self._running).__name__, trace=error.trace)
            error = JobFailed("the server failed to prepare this; it has logged why")
        done.append(Done(self._running, result, error))
        self._running = None

    def _replace(self, why: str, done: list[Done]) -> None:
        """Start another process and abandon the current job."""
        job = self._running
        self._logger.warning("background process replaced", why=why, job=type(job).__name__)
        self._stop()
        if job is not None:
            failed = denied("busy", f"the server could not prepare this: {why}; try again later", retry=True)
            done.append(Done(job, None, failed))
            self._running = None
        if self._starts < STARTS_MAX:
            self._start()
        else:
            self._give_up("it has ended too often")

    def _give_up(self, why: str) -> None:
        """Start no process for a while."""
        self._fd = -1
        self._start_again = self._clock.monotonic() + PAUSE_S
        self._logger.warning("background process given up for a while", why=why, seconds=round(PAUSE_S))

    def _next(self) -> None:
        if self._pipe is None or self._running is not None or not self._is_ready or not self._turns:
            return
        client, jobs = self._turns.popitem(last=False)
        self._running = jobs.popleft()
        if jobs:
            self._turns[client] = jobs
        self._due = self._clock.monotonic() + self._job_s
        # `receive` detects a process that has died.
        with suppress(OSError):
            self._pipe.send_bytes(pickle.dumps(self._running))

    def _stop(self) -> None:
        self._fd = -1
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None
            self._process.kill()
            self._process.join()

    def close(self) -> None:
        """End the process and abandon its job."""
        self._stop()
        self._turns.clear()


def _work(pipe: Connection, store: str, games: Mapping[GameKey, str]) -> None:
    """Run jobs until the server closes its end of the pipe or dies."""
    # Ctrl-C reaches both processes; the server decides when this one ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    GAMES.update(games)
    try:
        pipe.send_bytes(pickle.dumps((None, None)))
    except OSError:
        # The server has died meanwhile.
        return
    log: Log | None = None
    with suppress(*EXPECTED):
        # One on other machines is asked later whether they are there again, and opening it then takes longer than a question.
        log = open_log(store, read_only=True)
    while True:
        try:
            job: Job = pickle.loads(pipe.recv_bytes())  # noqa: S301 - From our own process.
        except (EOFError, OSError):
            return
        try:
            if log is None:
                log = open_log(store, read_only=True)
            answer = pickle.dumps((job.run(log), None))
        except EXPECTED as error:
            answer = pickle.dumps((None, error))
        except (MemoryError, OSError) as error:
            busy = denied("busy", f"the server could not prepare this: {error!r}; try again later", retry=True)
            answer = pickle.dumps((None, busy))
        except Exception:  # noqa: BLE001 - A fault in a game's rules must not end the process.
            answer = pickle.dumps((None, _Fault(traceback.format_exc())))
        try:
            pipe.send_bytes(answer)
        except OSError:
            return
