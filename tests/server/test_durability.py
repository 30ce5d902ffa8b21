"""kill -9 at any moment: acknowledged commits are stored, no batch is stored partly, and the chain is valid.

A child process appends and acknowledges; it is killed at a random moment; its store is opened and checked. This covers the
death of the process, not a power loss.
"""

import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from events.chain import check_chain
from server.store.sqlite_log import SqliteLog
from tests.server.appender import MATCHES

ROOT = Path(__file__).parents[2]
LOOPS = 10
LOOPS_A_STORE = 25
LIVES_MAX_S = 0.05


@dataclass
class Findings:
    """Defects of stores whose writers were killed, over all loops."""

    acknowledged: int = 0
    stored: int = 0
    lost: list[str] = field(default_factory=list)
    torn: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)


def start(path: Path, manner: str, run: str) -> "subprocess.Popen[bytes]":
    """Start a writer."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.server.appender", str(path), manner, run],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # With a buffered reader, `communicate` would lose the first acknowledgements in the buffer.
        bufsize=0,
    )


def killed(child: "subprocess.Popen[bytes]", lives_s: float) -> dict[str, str]:
    """Kill a writer some time after its first line, and return the keys and hashes that it acknowledged."""
    assert child.stdout is not None
    first = child.stdout.readline()
    time.sleep(lives_s)
    child.kill()
    rest, said = child.communicate()

    assert (first, said, child.returncode) == (b"ready\n", b"", -signal.SIGKILL)
    words = [line.split() for line in rest.decode().splitlines(keepends=True) if line.endswith("\n")]
    return {key: digest for line in words for key, digest in zip(line[::2], line[1::2], strict=True)}


def look(path: Path, acknowledged: dict[str, str], findings: Findings) -> None:
    """Compare a store with the acknowledgements."""
    with sqlite3.connect(path) as database:
        (sound,) = database.execute("PRAGMA integrity_check").fetchone()
    database.close()
    if sound != "ok":
        findings.broken.append(str(sound))
    stored: dict[str, str] = {}
    with SqliteLog(path) as log:
        for match in log.matches():
            commits = list(log.read(match))
            defect = check_chain(commits, match, kept=log.head(match))
            if defect is not None:
                findings.broken.append(str(defect))
            stored.update({found.key: found.hash for found in commits})
    findings.lost += [key for key, digest in acknowledged.items() if stored.get(key) != digest]
    findings.torn += _torn(stored)
    findings.acknowledged += len(acknowledged)
    findings.stored += len(stored)


def _torn(stored: dict[str, str]) -> Iterator[str]:
    """Yield the batches of which only some commits are stored."""
    there = Counter(key.rpartition("/")[0].rpartition("/")[0] + "/" + key.rpartition("/")[2] for key in stored)
    for batch, count in there.items():
        if count != int(batch.rpartition("/")[2]):
            yield f"{count} of {batch}"


def loops(folder: Path, manner: str, count: int) -> Findings:
    """Kill writers at random moments, several one after the other on the same store."""
    findings, chance = Findings(), random.Random(count)
    acknowledged: dict[str, str] = {}
    for number in range(count):
        path = folder / f"{manner}-{number // LOOPS_A_STORE}.db"
        if not path.exists():
            acknowledged = {}
        child = start(path, manner, f"run{number}")
        acknowledged |= killed(child, chance.uniform(0, LIVES_MAX_S))
        look(path, acknowledged, findings)
        if number % LOOPS_A_STORE == LOOPS_A_STORE - 1:
            for ending in ("", "-wal", "-shm"):
                Path(f"{path}{ending}").unlink(missing_ok=True)
    return findings


def test_acknowledged_commits_survive_and_no_batch_is_stored_partly(tmp_path: Path, budget: float) -> None:
    findings = loops(tmp_path, "honest", round(LOOPS * budget))

    assert findings.acknowledged > 10 * LOOPS * budget
    assert (findings.lost, findings.torn, findings.broken) == ([], [], [])


@pytest.mark.long
def test_a_writer_that_acknowledges_too_early_is_found(tmp_path: Path) -> None:
    """The canary: the test above can fail."""
    findings = loops(tmp_path, "hasty", 5)

    assert findings.lost != []


@pytest.mark.long
def test_a_writer_that_appends_a_batch_in_parts_is_found(tmp_path: Path) -> None:
    """The canary for batches that are stored partly."""
    findings = loops(tmp_path, "piecemeal", 8)

    assert findings.lost == []
    assert findings.torn != []


def test_a_store_whose_creation_was_interrupted_can_be_created_again(tmp_path: Path, budget: float) -> None:
    """If the process is killed while it creates a store, the file is missing, empty or a store, and can always be opened."""
    chance, states = random.Random(5), Counter[str]()
    began = time.monotonic()
    killed(start(tmp_path / "first.db", "honest", "run"), 0)
    takes_s = time.monotonic() - began
    for number in range(round(6 * budget)):
        path = tmp_path / f"{number}.db"
        child = start(path, "honest", "run")
        time.sleep(chance.uniform(0.5, 1.0) * takes_s)
        child.kill()
        child.communicate()
        states["there" if path.exists() else "not there"] += 1
        with SqliteLog(path) as log:
            known = [match for match in log.matches() if match not in MATCHES]

            assert known == []
            assert [check_chain(log.read(match), match) for match in log.matches()] == [None] * len(log.matches())

    assert states.total() == round(6 * budget)
