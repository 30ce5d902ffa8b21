"""A store that is also appended to by a second process, so that the first can decide the next commands meanwhile.

A thread would not do: it needs the interpreter's lock before and after each append, and whenever it takes the lock from the thread
that decides, one of them waits for the other to be woken.
"""

import multiprocessing
import pickle
import select
import signal
import time
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.util import Finalize
from pathlib import Path

from typing_extensions import override

from events.errors import LogError, OutcomeUnknown, StoreUnavailable
from events.log import NEWS_MAX, Appended, NewCommit, Receipt, Stored, appended
from server.store.sql.rows import Row, news_in
from server.store.sql.sql_reader import NEWS
from server.store.sqlite_log import SqliteLog

ALL_APPENDED = b"-"
"""The second process's answer in the common case."""

SIGNALS = frozenset((signal.SIGINT, signal.SIGTERM))
"""Signals that reach all processes of a server at once."""

END_S = 5.0
"""How long the second process may take to end (seconds)."""

STALL_S = 5.0
"""How long it may take to append what was submitted (seconds); then it is killed."""

PATIENCE_S = 0.25
"""How long a caller that does not wait for the outcome waits for it nevertheless (seconds); a durable step takes some milliseconds."""

OUR_LOCK_MS = 250
THEIR_LOCK_S = 2.0
"""How long this process (milliseconds) and the second one (seconds) wait for a lock of another process; nobody else waits for the second."""


class ConcurrentSqliteLog(SqliteLog):
    """A `SqliteLog` with a second process that appends what is submitted; see `server.desk.pipeline.ConcurrentLog`.

    Only one process writes at a time: nothing else may be written between `submit` and `receive`. If the second process dies or
    stalls, it is replaced; if it cannot be started, nothing can be submitted, and `append` does the work.

    Args:
        path: The file; created if it does not exist.
        timeout_s: How long to wait for a lock of another process when the file is opened, in seconds.

    Attributes:
        stall_s: How long the second process may take to append what was submitted, in seconds.
        is_impeded: The last write failed, such as by a lock of another process; it is better to submit the next one than to wait for it.

    Raises:
        StoreUnavailable: It cannot be opened, is not a store, or is one of another version.
    """

    def __init__(self, path: Path | str, *, timeout_s: float = 5.0) -> None:
        super().__init__(path, timeout_s=timeout_s)
        self._db.execute(f"PRAGMA busy_timeout = {OUR_LOCK_MS}")
        self.stall_s = STALL_S
        self.is_impeded = False
        self._batch: Sequence[NewCommit] = ()
        self._submitted = 0.0
        self._early = 0
        self._is_ready = False
        self._pipe: Connection | None = None
        # A daemonic process cannot have another one.
        if not multiprocessing.current_process().daemon:
            self._start()

    def _start(self) -> None:
        # A fresh interpreter: copying one that has threads and an open database is not safe.
        context = multiprocessing.get_context("spawn")
        self._is_ready = False
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs, self.path), name="wardiary-append", daemon=True)
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

    @override
    def close(self) -> None:
        """End the second process and close the file."""
        self._end()
        super().close()

    def fileno(self) -> int:
        """Return the descriptor that becomes readable when receipts are there, or -1 if nothing is submitted."""
        return self._pipe.fileno() if self._pipe is not None and self._batch else -1

    def submit(self, batch: Sequence[NewCommit]) -> bool:
        """Begin to append commits, as `append` does, in the second process; return False, having done nothing, if it is not ready."""
        # After a failed write only this process knows that the file has to be settled first.
        if self._pipe is None or self._is_unsettled or not self._prepared(self._pipe):
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
        self._since_checkpoint += 1
        return True

    def _prepared(self, pipe: Connection) -> bool:
        """Return whether the second process has opened the file."""
        if not self._is_ready and self._poll.poll(0):
            try:
                pipe.recv_bytes()
                self._is_ready = True
            except (EOFError, OSError):
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
    def news(self) -> Sequence[Stored]:
        """Return what others have appended; see `Log.news`."""
        submitted = {new.hash for new in self._batch}
        rows = self._rows(NEWS, (self._told + self._own, NEWS_MAX)) if submitted else []
        if rows and all((stored := news_in(row)) is not None and stored.hash in submitted for row in rows):
            # The common case: nothing but what is being appended has come, so that nothing else is read.
            self._own += len(rows)
            self._early += len(rows)
            return ()
        found = super().news()
        others = [one for one in found if one.hash not in submitted]
        self._early += len(found) - len(others)
        return others

    @override
    def append(self, batch: Sequence[NewCommit]) -> list[Receipt]:
        """Append several commits in one durable step; see `Log.append`."""
        with self._noted():
            return super().append(batch)

    @contextmanager
    def _noted(self) -> Iterator[None]:
        """Note whether a write succeeds."""
        try:
            yield
        except StoreUnavailable:
            self.is_impeded = True
            raise
        self.is_impeded = False

    @override
    def _add(self, statement: str, rows: Sequence[Row]) -> None:
        # Neither a cache nor an entry of the server's log is worth waiting for a lock.
        if self.is_impeded:
            raise StoreUnavailable(f"{self.path} could not be written just now")
        with self._noted():
            super()._add(statement, rows)

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
                f"the process that appends to {self.path} did not answer for {self.stall_s:g} s and was ended: it is not known "
                "whether it was stored"
            )
        try:
            answer = pipe.recv_bytes()
        except (EOFError, OSError):
            self._replace()
            raise OutcomeUnknown(
                f"the process that appends to {self.path} has ended: it is not known whether it was stored"
            ) from None
        if answer == ALL_APPENDED:
            return [appended(new) for new in batch]
        receipts: list[Receipt] | Exception = pickle.loads(answer)  # noqa: S301 - From our own process.
        if isinstance(receipts, Exception):
            self._is_unsettled = self._is_unsettled or isinstance(receipts, OutcomeUnknown)
            raise receipts
        return receipts

    def _replace(self) -> None:
        """Start another process in place of one that has ended, unless that had not even opened the file."""
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


def _work(pipe: Connection, store: Path) -> None:
    """Append what comes until the first process closes its end of the pipe or dies."""
    # The first process decides when this one ends; and what was begun is done.
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    # Without this process, the first one appends by itself, and tells what is wrong with the file.
    with suppress(EOFError, OSError, LogError), SqliteLog(store, timeout_s=THEIR_LOCK_S) as log:
        pipe.send_bytes(b"ready")
        while True:
            pipe.send_bytes(_answer(log, pipe.recv_bytes()))


def _answer(log: SqliteLog, message: bytes) -> bytes:
    try:
        receipts = log.append([NewCommit(*plain) for plain in pickle.loads(message)])  # noqa: S301 - From our own process.
    except LogError as error:
        return pickle.dumps(error)
    except Exception:  # noqa: BLE001 - The first process logs it.
        return pickle.dumps(RuntimeError(traceback.format_exc()))
    if all(isinstance(receipt, Appended) for receipt in receipts):
        return ALL_APPENDED
    return pickle.dumps(receipts)
