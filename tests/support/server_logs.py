"""A server's log with a fixed key, whose last checkpoint is kept in memory, and a reader that keeps all that it was shown."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import pytest

from events.codec import decode_plain
from events.entry_store import EntryStore
from events.memory_log import MemoryLog
from events.transparency.checkpoint import Checkpoint, open_checkpoint
from events.transparency.key_changes import KeyChange
from events.transparency.merkle_tree import check_consistency
from events.transparency.signed_note import Signer
from server.broker.broker import Broker
from server.desk.desk import Desk
from server.protocol.clock import SystemClock
from server.protocol.identity import SystemIdentity
from server.transparency import server_log as server_log_module
from server.transparency.server_log import SIGN_S, ServerLog
from tests.support.served import served
from tests.support.sitting import OWNER, CountedIdentity, StillClock

SIGNER = Signer("war.example/log", bytes(range(32)))


class KeptKey:
    """The key of a log, and the last checkpoint as the folder of the keys keeps it."""

    def __init__(self, signer: Signer = SIGNER) -> None:
        self.signer = signer
        self.signed = ""
        self.known_changes: tuple[KeyChange, ...] = ()

    def last_signed(self) -> str:
        """Return what was kept."""
        return self.signed

    def keep_signed(self, note: str) -> None:
        """Keep a checkpoint."""
        self.signed = note

    def changes(self) -> tuple[KeyChange, ...]:
        """Return the changes of the key, of which there are none unless a test sets them."""
        return self.known_changes


class Kept:
    """What a log's reader keeps: every checkpoint that it was shown, each of which must continue those before it."""

    def __init__(self, signer: Signer = SIGNER) -> None:
        self.verifier = signer.verifier
        self.roots: dict[int, bytes] = {}

    def see(self, log: ServerLog) -> Checkpoint | None:
        """Take the last checkpoint of a log, if there is one."""
        return self.take(log, log.note) if log.note else None

    def take(self, log: ServerLog, note: str) -> Checkpoint:
        """Take a checkpoint that a log has signed, having checked by the log's rows that it continues all smaller ones."""
        shown = open_checkpoint(note, self.verifier)
        for size, root in self.roots.items():
            if size <= shown.size:
                check_consistency(size, root, shown.size, shown.root, log._tree.consistency(size, shown.size))

        assert shown.size >= max(self.roots, default=0), "a log does not shrink"
        assert self.roots.setdefault(shown.size, shown.root) == shown.root, "two roots for one size"
        return shown


def server_log(
    store: EntryStore, key: KeptKey | None = None, clock: StillClock | None = None, told: list[str] | None = None
) -> ServerLog:
    """Return the log of a store; `told` receives what the operator is told."""
    key, clock, told = key or KeptKey(), clock or StillClock(), [] if told is None else told
    return ServerLog(store, key, clock, CountedIdentity(), told.append)


def caught_up(log: ServerLog, clock: StillClock | None = None) -> ServerLog:
    """Let a log do all that waits; with a clock also what is due later."""
    while log.work(is_idle=True):
        pass
    if clock is not None:
        clock.seconds += SIGN_S
        log.work(is_idle=True)
    return log


def places(entries: Iterable[bytes]) -> list[tuple[object, object]]:
    """Return the match and the number of each entry of a commit."""
    found = [decode_plain(entry) for entry in entries]
    return [(one["match"], one["number"]) for one in found if isinstance(one, dict)]


@contextmanager
def signing(monkeypatch: pytest.MonkeyPatch) -> Iterator[Broker]:
    """Run a server that keeps a log in memory, and signs each state of it at once."""
    monkeypatch.setattr(server_log_module, "SIGN_S", 0.0)
    store = MemoryLog()
    log = ServerLog(store, KeptKey(), SystemClock(), SystemIdentity(), pytest.fail)
    with served(desk=Desk(store, owner=OWNER, server_log=log), is_shared=True) as running:
        yield running
