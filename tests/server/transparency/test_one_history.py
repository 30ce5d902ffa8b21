"""A log never shows two roots for one size, and each checkpoint continues those before: over appends, kills, and copies that are put back."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test
from typing_extensions import override

from events.errors import LogKeyUnusable
from server.protocol.clock import SystemClock
from server.protocol.identity import SystemIdentity
from server.store.backup import copy_store
from server.store.sqlite_log import SqliteLog
from server.transparency.log_keys import KeyFolder, SigningKey
from server.transparency.server_log import ServerLog
from tests.events.making import Writer
from tests.support.server_logs import Kept, caught_up
from tests.support.sitting import StillClock

ROOT = Path(__file__).parents[3]


class Histories(RuleBasedStateMachine):
    """Appends to several matches, signs, dies at any moment, and is now and then replaced by an earlier copy of the store."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "store.db"
        self.keys = KeyFolder(self.path)
        self.keys.create("log")
        self.kept: dict[str, Kept] = {}
        self.clock = StillClock()
        self.copies = 0
        self.ended: list[str] = []
        self.count = 0
        self.open()
        self.back_up()

    def open(self) -> None:
        self.store = SqliteLog(self.path)
        self.log = ServerLog(self.store, SigningKey(self.keys), self.clock, SystemIdentity(), self.ended.append)

    @rule(name=st.sampled_from("abc"), number=st.integers(1, 70))
    def append(self, name: str, number: int) -> None:
        """Append to a new match, so that what was appended before is never needed again."""
        self.count += 1
        self.store.append(Writer(f"{name}{self.count}").commits(number))
        self.log.look()

    @rule()
    def step(self) -> None:
        self.log.work(is_idle=True)

    @rule(number=st.integers(1, 70))
    def sign(self, number: int) -> None:
        self.append("d", number)
        self.clock.seconds += 1.0
        self.log.want()
        caught_up(self.log)
        self.see()

    @rule()
    def stop(self) -> None:
        self.log.finish()
        self.see()
        self.store.close()
        self.open()

    @rule()
    def die(self) -> None:
        """Continue with the files as a process leaves them that is killed: the write-ahead log is not moved into the file."""
        end = self.path.with_name("killed.db")
        for suffix in ("", "-wal"):
            if (part := Path(f"{self.path}{suffix}")).exists():
                shutil.copy(part, f"{end}{suffix}")
        self.store.close()
        for suffix in ("-wal", "-shm"):
            Path(f"{self.path}{suffix}").unlink(missing_ok=True)
        for suffix in ("", "-wal"):
            if (part := Path(f"{end}{suffix}")).exists():
                part.replace(f"{self.path}{suffix}")
        self.open()

    @rule()
    def back_up(self) -> None:
        self.copies += 1
        copy_store(self.path, self.path.with_name(f"copy{self.copies}.db"), lambda *_: None)

    @rule(number=st.integers(1, 9))
    def restore(self, number: int) -> None:
        """Put a copy in the place of the store. If anything was signed that it lacks, only a new log goes on."""
        number = 1 + number % self.copies
        self.store.close()
        for suffix in ("", "-wal", "-shm"):
            Path(f"{self.path}{suffix}").unlink(missing_ok=True)
        shutil.copy(self.path.with_name(f"copy{number}.db"), self.path)
        self.open()
        if not self.log.problem:
            self.log.finish()
            self.see()
        if self.log.problem:
            (self.keys.path / "log.key").unlink()
            self.keys.create(f"log/{len(self.keys.public_keys()) + 1}")
            self.store.close()
            self.open()

    def see(self) -> None:
        """Read the last checkpoint as every reader of this log does."""
        signer = SigningKey(self.keys).signer
        if not self.log.problem:
            self.kept.setdefault(signer.name, Kept(signer)).see(self.log)

    @override
    def teardown(self) -> None:
        self.log.finish()
        self.see()
        self.store.close()
        self.folder.cleanup()


def test_there_are_never_two_roots_for_one_size(budget: float) -> None:
    """Each example writes files as servers do, which takes half a second."""
    run_state_machine_as_test(
        Histories, settings=settings(max_examples=round(6 * budget), stateful_step_count=20, deadline=None)
    )


KILLED = """
import sys
from pathlib import Path
from server.protocol.clock import SystemClock
from server.protocol.identity import SystemIdentity
from server.store.sqlite_log import SqliteLog
from server.transparency.log_keys import KeyFolder, SigningKey
from server.transparency.server_log import ServerLog
from tests.events.making import Writer

store = SqliteLog(Path(sys.argv[1]))
log = ServerLog(store, SigningKey(KeyFolder(Path(sys.argv[1]))), SystemClock(), SystemIdentity(), print)
for number in range(10_000):
    store.append(Writer(f"{sys.argv[2]}-{number}").commits(1 + number % 5))
    log.look()
    log._signed_s = 0.0
    log.want()
    while log.work(is_idle=True):
        pass
    print(log.note.encode().hex(), flush=True)
"""


def test_a_server_that_is_killed_while_it_signs_goes_on_with_the_same_log(tmp_path: Path) -> None:
    """Three processes are killed in turn; each takes half a second to start."""
    path, keys = tmp_path / "store.db", KeyFolder(tmp_path / "store.db")
    signer = keys.create("log")
    kept, shown = Kept(signer), list[str]()
    for run in range(3):
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, str(path), str(run)],
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        assert process.stdout is not None
        for _ in range(12 + 7 * run):
            shown.append(bytes.fromhex(process.stdout.readline().decode()).decode())
        process.send_signal(signal.SIGKILL)
        # What it signed after that may have been shown, too.
        shown += [bytes.fromhex(line.decode()).decode() for line in process.stdout.read().split(b"\n")[:-1]]
        process.wait()
        process.stdout.close()
    with SqliteLog(path) as store:
        log = ServerLog(store, SigningKey(keys), SystemClock(), SystemIdentity(), pytest.fail)
        log.finish()
        for note in filter(None, dict.fromkeys(shown)):
            kept.take(log, note)

    assert len(kept.roots) > 30


def test_a_log_without_its_key_does_not_go_on(tmp_path: Path) -> None:
    with pytest.raises(LogKeyUnusable, match="wardiary keys create"):
        SigningKey(KeyFolder(tmp_path / "store.db"))
