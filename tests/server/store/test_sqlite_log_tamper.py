"""Changes that bypass the triggers, or are made on disk, are found by the chain check with a recorded head or by SQLite itself."""

import random
import sqlite3
from contextlib import suppress
from pathlib import Path

import pytest

from events.chain import check_chain
from events.commit import Head
from events.errors import BrokenEvidence, LogError, StoreUnavailable, UnknownMatch
from events.ids import MatchId
from events.log import Stored
from server.store.sql.rows import Row
from server.store.sqlite_log import SqliteLog
from server.store.sqlite_schema import EVIDENCE
from tests.events.making import Writer, end_of

ROOT, CHILD = MatchId("root"), MatchId("child")
FLIPS = 400


class Known:
    """A store with a match and its fork, and their heads as recorded elsewhere."""

    def __init__(self, path: Path) -> None:
        root = Writer("root").commits(40)
        child = Writer("child", end_of(root[20])).commits(20)
        with SqliteLog(path) as log:
            log.append([*root, *child])
            self.heads: dict[MatchId, Head] = {match: log.head(match) for match in log.matches()}
            self.commits: dict[MatchId, list[Stored]] = {match: list(log.read(match)) for match in log.matches()}
        self.path = path

    def verdict(self) -> str:
        """Return the state of the store: whole, changed unnoticed, or which check found the change."""
        try:
            with SqliteLog(self.path, read_only=True) as log:
                for match, head in self.heads.items():
                    commits = list(log.read(match))
                    if check_chain(commits, match, kept=head) is not None:
                        return "chain"
                    if commits != self.commits[match] or log.head(match) != head:
                        return "unseen"
        except BrokenEvidence:
            return "row"
        except UnknownMatch:
            return "missing"
        except StoreUnavailable:
            return "store"
        return "whole"


@pytest.fixture
def known(tmp_path: Path) -> Known:
    return Known(tmp_path / "store.db")


def without_triggers(path: Path) -> sqlite3.Connection:
    """Open a store with the rights of the file's owner."""
    database = sqlite3.connect(path, isolation_level=None)
    for table in EVIDENCE:
        for ending in ("are_kept", "stay", "follow"):
            database.execute(f"DROP TRIGGER {table}_{ending}")
    database.execute("PRAGMA ignore_check_constraints = ON")
    return database


def test_an_untouched_store_is_valid(known: Known) -> None:
    assert known.verdict() == "whole"


FOUND_BY_CHAIN = [
    "UPDATE commits SET body = replace(body, 'grenadier', 'fusilier.') WHERE number = 7",
    "UPDATE commits SET body = (SELECT body FROM commits WHERE number = 8) WHERE number = 7",
    "UPDATE commits SET hash = randomblob(32) WHERE number = 7",
    "UPDATE commits SET key = 'other' WHERE number = 7",
    "UPDATE commits SET key = CAST(x'ff' AS TEXT) WHERE number = 7",
    "UPDATE commits SET last = last + 1 WHERE number = 7",
    "UPDATE commits SET first = first - 1 WHERE number = 7",
    "DELETE FROM commits WHERE number = 7",
    "DELETE FROM commits WHERE number = 1",
    "DELETE FROM commits WHERE number > 39",
    "DELETE FROM commits WHERE match = 2",
    "DELETE FROM commits",
    "UPDATE commits SET match = 2 WHERE match = 1 AND number = 40",
    "UPDATE matches SET id = 'root' || id",
    "UPDATE matches SET id = iif(id = 'root', 'child', 'root') || id; UPDATE matches SET id = substr(id, -5)",
    "UPDATE matches SET parent = NULL WHERE id = 'child'",
    "UPDATE matches SET seq = seq - 3 WHERE id = 'child'",
    "UPDATE matches SET seq = seq + 3 WHERE id = 'child'",
    "DELETE FROM matches WHERE id = 'child'",
    "DELETE FROM matches",
]

FOUND_BY_ITS_TYPE = [
    "UPDATE commits SET body = CAST(body AS TEXT) WHERE number = 7",
    "UPDATE commits SET hash = hex(hash) WHERE number = 7",
    "UPDATE commits SET hash = 5 WHERE number = 7",
    "UPDATE commits SET key = x'00' WHERE number = 7",
    "UPDATE commits SET last = 'soon' WHERE number = 7",
    "UPDATE commits SET first = 'soon' WHERE number = 7",
    "UPDATE commits SET first = x'00' WHERE match = 2",
    "UPDATE matches SET parent = number WHERE id = 'child'",
    "UPDATE matches SET parent = 99 WHERE id = 'child'",
    "UPDATE matches SET parent = 'root' WHERE id = 'child'",
    "UPDATE matches SET seq = 'soon' WHERE id = 'child'",
    "UPDATE matches SET hash = 'soon' WHERE id = 'child'",
]


@pytest.mark.parametrize("statement", FOUND_BY_CHAIN + FOUND_BY_ITS_TYPE)
def test_a_row_rewritten_by_the_owner_of_the_file_is_found(known: Known, statement: str) -> None:
    database = without_triggers(known.path)
    database.executescript(f"{statement};")
    database.close()

    assert known.verdict() in {"chain", "row", "missing"}


@pytest.mark.parametrize("statement", ["hash = randomblob(32)", "seq = seq - 1"])
def test_a_wrong_list_that_leads_to_the_same_commits_is_harmless(known: Known, statement: str) -> None:
    """Matches are read from the commits; the list only locates them."""
    database = without_triggers(known.path)
    database.execute(f"UPDATE matches SET {statement} WHERE id = 'child'")
    database.close()

    assert known.verdict() == "whole"


def test_an_index_out_of_order_does_not_cause_endless_reading(known: Known, monkeypatch: pytest.MonkeyPatch) -> None:
    """The index loses its next entry, as with a damaged page."""
    with SqliteLog(known.path) as log:
        ask = log._rows

        def forget(statement: str, values: tuple[object, ...]) -> list[Row]:
            return ask(statement, (values[0], 0, *values[2:]) if len(values) == 4 else values)

        monkeypatch.setattr(log, "_rows", forget)
        with pytest.raises(BrokenEvidence, match="not found in order"):
            list(log.read(ROOT))


def test_every_flipped_bit_is_found_or_harmless(known: Known, budget: float) -> None:
    """A flip either changes no commit (unused space, caches), or is reported; changed content is never accepted."""
    content = known.path.read_bytes()
    chance = random.Random(1942)
    verdicts = dict.fromkeys(["whole", "chain", "row", "missing", "store", "unseen"], 0)
    for _ in range(round(FLIPS * budget)):
        place = chance.randrange(len(content))
        flipped = bytearray(content)
        flipped[place] ^= 1 << chance.randrange(8)
        known.path.write_bytes(flipped)
        verdicts[known.verdict()] += 1

    assert verdicts["unseen"] == 0
    assert verdicts["chain"] > 0
    assert verdicts["store"] > 0


def test_a_flipped_bit_in_a_body_is_not_found_without_the_chain(known: Known) -> None:
    """The canary: SQLite itself accepts a changed body, so only the chain finds it in the test above."""
    content = known.path.read_bytes()
    place = content.rindex(b"grenadier")
    known.path.write_bytes(content[:place] + b"h" + content[place + 1 :])
    database = sqlite3.connect(known.path)
    (sound,) = database.execute("PRAGMA integrity_check").fetchone()
    database.close()

    assert sound == "ok"
    assert known.verdict() == "chain"


def test_appending_to_a_damaged_store_works_or_fails_with_a_reason(known: Known) -> None:
    content = known.path.read_bytes()
    chance, appended = random.Random(7), 0
    for _ in range(100):
        flipped = bytearray(content)
        for _ in range(20):
            flipped[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        known.path.write_bytes(flipped)
        with suppress(LogError), SqliteLog(known.path) as log:
            log.append(Writer("new").commits(2))
            appended += 1

    assert 0 < appended < 100
