"""A program that appends to a store and prints acknowledgements, for the tests that kill it.

python -m tests.server.appender PATH MANNER RUN

First it prints `ready`, then one line for each batch: the key and hash of each commit. A key holds the number of the batch, the
commit's index in it and the size of the batch. `honest` acknowledges commits that are in the log. The tests must detect the other
modes: `hasty` acknowledges a batch before appending it, `piecemeal` appends the commits of a batch one by one.
"""

import os
import random
import sys
from collections import deque
from collections.abc import Callable
from itertools import count
from pathlib import Path

from events.commit import Head
from events.errors import UnknownMatch
from events.ids import MatchId
from events.log import Appended, NewCommit
from server.store.sqlite_log import SqliteLog
from tests.events.making import Writer, march, opening

MATCHES = ("one", "two", "three")


def writers(log: SqliteLog) -> list[Writer]:
    """Return writers that continue the matches of the store."""
    made = []
    for name in MATCHES:
        writer = Writer(name)
        try:
            writer.head = log.head(MatchId(name))
            writer.count = sum(1 for _ in log.read(MatchId(name)))
        except UnknownMatch:
            writer.head = Head()
        made.append(writer)
    return made


def batch_of(all_writers: list[Writer], chance: random.Random, name: str) -> list[NewCommit]:
    """Return one or more commits, of one or more matches; those of each match are in order."""
    size = chance.choice([1, 1, 1, 2, 5, 20])
    batch = []
    for place in range(size):
        writer = chance.choice(all_writers)
        events = march(chance.randrange(9)) if writer.count else (opening(),)
        batch.append(writer.take(events, key=f"{name}/{place}/{size}"))
    return batch


def acknowledge(batch: list[NewCommit]) -> None:
    """Report commits to the parent in one write, which a pipe does not split."""
    os.write(1, " ".join([f"{new.key} {new.hash}" for new in batch]).encode() + b"\n")


def append(log: SqliteLog, batch: list[NewCommit]) -> None:
    """Append a batch, which must succeed."""
    receipts = log.append(batch)

    assert all(isinstance(receipt, Appended) for receipt in receipts), receipts


def honest(log: SqliteLog, batch: list[NewCommit]) -> None:
    """Acknowledge commits after they are in the log."""
    append(log, batch)
    acknowledge(batch)


_WAITING: deque[list[NewCommit]] = deque()


def hasty(log: SqliteLog, batch: list[NewCommit]) -> None:
    """Acknowledge commits two batches before they are in the log.

    One batch would not be detected: the kill mostly happens during the sync, when the system already has the batch.
    """
    acknowledge(batch)
    _WAITING.append(batch)
    if len(_WAITING) > 2:
        append(log, _WAITING.popleft())


def piecemeal(log: SqliteLog, batch: list[NewCommit]) -> None:
    """Append the commits of a batch one by one instead of together."""
    for new in batch:
        append(log, [new])
    acknowledge(batch)


MANNERS: dict[str, Callable[[SqliteLog, list[NewCommit]], None]] = {
    "honest": honest,
    "hasty": hasty,
    "piecemeal": piecemeal,
}


def main() -> None:
    """Append until killed."""
    path, manner, run = Path(sys.argv[1]), MANNERS[sys.argv[2]], sys.argv[3]
    chance = random.Random(run)
    log = SqliteLog(path)
    all_writers = writers(log)
    os.write(1, b"ready\n")
    for number in count():
        manner(log, batch_of(all_writers, chance, f"{run}-{number}"))
        if chance.random() < 0.05:
            log.save_snapshot(MatchId(MATCHES[0]), 1, b"x" * 5_000)
            log.idle()


if __name__ == "__main__":
    main()
