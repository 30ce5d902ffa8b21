"""The half of a log in tables that appends in a second process, so that the first can decide the next commands meanwhile, and never waits for it long.

A thread would not do: it needs the interpreter's lock before and after each append, and whenever it takes the lock from the thread
that decides, one of them waits for the other to be woken.
"""

import multiprocessing
import pickle
import select
import signal
import time
import traceback
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.util import Finalize

from typing_extensions import override

from events.errors import LogError, OutcomeUnknown, StoreUnavailable
from events.log import NEWS_MAX, Appended, Log, NewCommit, Receipt, Stored, Wanted, appended
from server.store.sql.rows import news_in
from server.store.sql.sql_reader import NEWS, SqlReader

ALL_APPENDED = b"-"
"""The second process's answer in the common case."""

SIGNALS = frozenset((signal.SIGINT, signal.SIGTERM))
"""Signals that reach all processes of a server at once."""

END_S = 5.0
"""How long the second process may take to end (seconds)."""

STALL_S = 5.0
"""How long it may take to append what was submitted (seconds); then it is killed."""

AGAIN_S = 1.0
"""After how long a second process that could not open a store on other machines is started again (seconds)."""

PATIENCE_S = 0.25
"""How long a caller that does not wait for the outcome waits for it nevertheless (seconds); a durable step takes some milliseconds."""

Opener = Callable[[], AbstractContextManager[Log]]
"""Opens the store in the second process; it can be pickled."""


class AppendsBeside(SqlReader):
    """A log in tables with a second process that appends what is submitted; see `server.desk.pipeline_parts.ConcurrentLog`.

    Only one process writes commits at a time: none may be written between `submit` and `receive`. If the second process dies or
    stalls, it is replaced; if it cannot be started, nothing can be submitted, and `append` does the work.

    Attributes:
        stall_s: How long the second process may take to append what was submitted, in seconds.
        is_impeded: The last write failed, such as by a lock of another process; it is better to submit the next one than to wait for it.
        is_distant: The store lies on other machines.
    """

    is_distant = False
    is_impeded = False
    stall_s = STALL_S
    _batch: Sequence[NewCommit] = ()
    _submitted = 0.0
    _early = 0
    _is_ready = False
    _pipe: Connection | None = None
    _again_at = 0.0

    @abstractmethod
    def _opener(self) -> Opener:
        """Return what opens the store in the second process."""

    @property
    @abstractmethod
    def _shown(self) -> str:
        """The store as it may be shown."""

    def _may_submit(self) -> bool:
        """Return whether the second process may write now."""
        return True

    def _failed_there(self, error: Exception) -> None:
        """Note an error that the second process told."""

    def _start(self) -> None:
        """Start the second process."""
        # A daemonic process cannot have another one.
        if multiprocessing.current_process().daemon:
            return
        # A fresh interpreter: copying one that has threads and an open database is not safe.
        context = multiprocessing.get_context("spawn")
        self._is_ready = False
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs, self._opener()), name="wardiary-append", daemon=True)
        try:
            with _signals_held():
                process.start()
        except OSError:
            # No other process can be started, so this one appends by itself.
            ours.close()
            return
        finally:
            theirs.close()
        self._pipe, self._process = ours, process
        # At exit the processes that still run are waited for; without its pipe this one ends.
        self._hang_up = Finalize(self, ours.close, exitpriority=1)
        self._poll = select.poll()
        self._poll.register(ours, select.POLLIN)

    def fileno(self) -> int:
        """Return the descriptor that becomes readable when receipts are there, or -1 if nothing is submitted."""
        return self._pipe.fileno() if self._pipe is not None and self._batch else -1

    def submit(self, batch: Sequence[NewCommit]) -> bool:
        """Begin to append commits, as `append` does, in the second process; return False, having done nothing, if it is not ready."""
        if self._pipe is None and self.is_distant and time.monotonic() >= self._again_at:
            self._start()
        if self._pipe is None or not self._may_submit() or not self._prepared(self._pipe):
            return False
        plain = [(new.match, new.first, new.last, new.key, new.hash, new.body, new.origin, new.seed) for new in batch]
        try:
            self._pipe.send_bytes(pickle.dumps(plain))
        except OSError:
            # It has ended without having received them all, so it has stored none.
            self._replace()
            return False
        self._batch = batch
        self._submitted = time.monotonic()
        return True

    def _prepared(self, pipe: Connection) -> bool:
        """Return whether the second process has opened the store."""
        if not self._is_ready and self._poll.poll(0):
            try:
                pipe.recv_bytes()
                self._is_ready = True
            except (EOFError, OSError):
                # A file will not be opened the next time, either; other machines may be back then.
                self._again_at = time.monotonic() + AGAIN_S
                self._end()
        return self._is_ready

    def has_receipts(self) -> bool:
        """Return whether `receive` can return without waiting: there are receipts, or the second process has stalled."""
        return bool(self._poll.poll(0)) or self._left_s(self.stall_s) == 0.0

    def has_stalled(self) -> bool:
        """Return whether receipts have been due for longer than a durable step may take."""
        return bool(self._batch) and self._left_s(PATIENCE_S) == 0.0

    def await_receipts(self) -> bool:
        """Wait for receipts, but only as long as a durable step may take; return whether there are any."""
        return bool(self._poll.poll(1000 * self._left_s(PATIENCE_S))) or self.has_receipts()

    def _left_s(self, since_submitted: float) -> float:
        """Return how long it takes until so much time has passed since the last commits were submitted (seconds)."""
        return max(0.0, self._submitted + since_submitted - time.monotonic())

    @override
    def news(self, wanted: Wanted | None = None) -> Sequence[Stored]:
        """Return what others have appended; see `Log.news`."""
        submitted = {new.hash for new in self._batch}
        rows = self._rows(NEWS, (self._told + self._own, NEWS_MAX)) if submitted else []
        if rows and all((stored := news_in(row)) is not None and stored.hash in submitted for row in rows):
            # The common case: nothing but what is being appended has come, so that nothing else is read.
            self._own += len(rows)
            self._early += len(rows)
            return ()
        found = super().news(wanted)
        others = [one for one in found if one.hash not in submitted]
        self._early += len(found) - len(others)
        return others

    @contextmanager
    def _noted(self) -> Iterator[None]:
        """Note whether a write succeeds."""
        try:
            yield
        except StoreUnavailable:
            self.is_impeded = True
            raise
        self.is_impeded = False

    def receive(self) -> list[Receipt]:
        """Return the receipts of the submitted commits, waiting for them if necessary, but not longer than `stall_s`; see `Log.append`.

        Raises:
            OutcomeUnknown: As for `append`, or the second process has ended, or was killed because it has stalled.
        """
        assert self._pipe is not None, "receipts are only received for what was submitted"
        batch, self._batch = self._batch, ()
        early, self._early = self._early, 0
        with self._noted():
            receipts = self._answered(self._pipe, batch)
        self._count(receipts)
        # `news` has seen these rows before their receipts came.
        self._own -= early
        return receipts

    def _answered(self, pipe: Connection, batch: Sequence[NewCommit]) -> list[Receipt]:
        """Return the second process's answer, or raise it."""
        if not self._poll.poll(1000 * self._left_s(self.stall_s)):
            self._process.kill()
            self._replace()
            raise OutcomeUnknown(
                f"the process that appends to {self._shown} did not answer for {self.stall_s:g} s and was ended: it is not known "
                "whether it was stored"
            )
        try:
            answer = pipe.recv_bytes()
        except (EOFError, OSError):
            self._replace()
            raise OutcomeUnknown(
                f"the process that appends to {self._shown} has ended: it is not known whether it was stored"
            ) from None
        if answer == ALL_APPENDED:
            return [appended(new) for new in batch]
        receipts: list[Receipt] | Exception = pickle.loads(answer)  # noqa: S301 - From our own process.
        if isinstance(receipts, Exception):
            self._failed_there(receipts)
            raise receipts
        return receipts

    def _replace(self) -> None:
        """Start another process in place of one that has ended, unless that had not even opened the store."""
        was_ready = self._is_ready
        self._end()
        if was_ready:
            self._start()

    def _end(self) -> None:
        """End the second process; what it has received, it appends first."""
        if self._pipe is None:
            return
        self._hang_up()
        self._pipe, self._batch = None, ()
        self._process.join(END_S)
        if self._process.is_alive():
            self._process.kill()
            # A process that waits for its disk ends only after that. Until then it has the lock that every writer needs.
            self._process.join(END_S)


@contextmanager
def _signals_held() -> Iterator[None]:
    """Hold back the signals that a process which is started meanwhile ignores, until it does so."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(pipe: Connection, opened: Opener) -> None:
    """Append what comes until the first process closes its end of the pipe or dies."""
    # The first process decides when this one ends; and what was begun is done.
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    # Without this process, the first one appends by itself, and tells what is wrong with the store.
    with suppress(EOFError, OSError, LogError), opened() as log:
        pipe.send_bytes(b"ready")
        while True:
            pipe.send_bytes(_answer(log, pipe.recv_bytes()))


def _answer(log: Log, message: bytes) -> bytes:
    try:
        receipts = log.append([NewCommit(*plain) for plain in pickle.loads(message)])  # noqa: S301 - From our own process.
    except LogError as error:
        return pickle.dumps(error)
    except Exception:  # noqa: BLE001 - The first process logs it.
        return pickle.dumps(RuntimeError(traceback.format_exc()))
    if all(isinstance(receipt, Appended) for receipt in receipts):
        return ALL_APPENDED
    return pickle.dumps(receipts)
