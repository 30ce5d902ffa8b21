"""The thread of a screen's client: it waits for news and carries out what the player asks for, so that the screen never waits."""

import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import NamedTuple

from cli.screen.screen_model import ScreenModel
from cli.screen.seat_model import SeatModel
from cli.shell.exit_codes import user_error_of
from server.protocol.errors import TimedOut

LOOK_S = 0.05
"""How long to wait for news before looking for a request of the player (seconds)."""

PAUSE_S = 1.0
"""How long to wait before another try if there is no connection, or the store cannot be read (seconds)."""


class Shown(NamedTuple):
    """Present view of the seat. `is_answer`: after a request of the player, not only after news."""

    shown: ScreenModel
    is_answer: bool


class Problem(NamedTuple):
    """Reason why a request failed, or why there is no news; `lasts` until it is over, which an empty message tells."""

    message: str
    lasts: bool


class Unconfirmed(NamedTuple):
    """No answer came to a request, so that it is not known whether it was carried out."""


class Explanation(NamedTuple):
    """Explanation of an event, in lines."""

    number: int
    lines: list[str]


class Crash(NamedTuple):
    """An error that the outside world cannot cause."""

    error: Exception


Told = Shown | Problem | Unconfirmed | Explanation | Crash
Job = Callable[[SeatModel], Explanation | None]


class Worker(Thread):
    """Owns the model of a screen.

    The thread does not keep the process alive: a request to a server that is gone may take long to fail.

    Args:
        open_model: Makes the model, in this thread, and closes it.
    """

    def __init__(self, open_model: Callable[[], AbstractContextManager[SeatModel]]) -> None:
        super().__init__(daemon=True)
        self._open_model = open_model
        self._jobs: SimpleQueue[Job] = SimpleQueue()
        self._stopped = Event()
        self._first: Future[ScreenModel] = Future()
        self._tell: Callable[[Told], object] = lambda _: None
        self._job_since: float | None = None
        self._is_lost = False
        self._silence_s = 0.0

    def first(self) -> ScreenModel:
        """Start, and return what the seat sees first.

        Raises:
            Exception: Whatever kept the model from being made.
        """
        self.start()
        return self._first.result()

    def listen(self, tell: Callable[[Told], object]) -> None:
        """Pass all that happens from now on to a function, which is called in this thread."""
        self._tell = tell

    def ask(self, job: Job) -> None:
        """Let the model do something, after all that was asked for before."""
        self._jobs.put(job)

    def stop(self, timeout_s: float) -> None:
        """Stop, and wait for the end for at most so many seconds."""
        self._stopped.set()
        self.join(timeout_s)

    @property
    def busy_s(self) -> float:
        """How long the request at hand has taken so far (seconds); 0 if there is none."""
        since = self._job_since
        return 0.0 if since is None else time.monotonic() - since

    @property
    def silence_s(self) -> float:
        """How long nothing had been heard of the server when it was last looked at (seconds)."""
        return self._silence_s

    def run(self) -> None:  # type: ignore[explicit-override]
        """Work until stopped."""
        try:
            with self._open_model() as model:
                self._first.set_result(model.shown)
                while not self._stopped.is_set():
                    self._step(model)
        except Exception as error:  # noqa: BLE001 - The main thread raises it.
            if self._first.done():
                self._tell(Crash(error))
            else:
                self._first.set_exception(error)

    def _step(self, model: SeatModel) -> None:
        """Carry out one request, or look for news."""
        try:
            job = self._jobs.get_nowait()
        except Empty:
            self._look(model)
            return
        self._job_since = time.monotonic()
        try:
            explanation = job(model)
            if explanation is not None:
                self._tell(explanation)
        except Exception as error:  # noqa: BLE001 - It is told, or raised again.
            self._fail(error, lasts=isinstance(error, TimedOut))
            if isinstance(error, TimedOut):
                self._tell(Unconfirmed())
        finally:
            self._job_since = None
        self._tell(Shown(model.shown, is_answer=True))

    def _look(self, model: SeatModel) -> None:
        try:
            if model.look(LOOK_S):
                self._tell(Shown(model.shown, is_answer=False))
            self._silence_s = model.silence_s
            if self._is_lost:
                self._is_lost = False
                self._tell(Problem("", lasts=True))
        except Exception as error:  # noqa: BLE001 - It is told, or raised again.
            self._fail(error, lasts=True)
            self._stopped.wait(PAUSE_S)

    def _fail(self, error: Exception, *, lasts: bool) -> None:
        fault = user_error_of(error)
        if fault is None:
            raise error
        self._is_lost = self._is_lost or lasts
        self._tell(Problem(str(fault), lasts))
