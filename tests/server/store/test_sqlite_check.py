"""Acknowledged commits that are lost from the file are detected, although SQLite does not notice."""

import sqlite3
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from typing_extensions import override

from core.history.match_reader import read_match, summaries
from events.archive import export_match
from events.commit import Head
from events.errors import BrokenEvidence, LogError, StoreDamaged
from events.ids import Digest, MatchId
from events.log import AlreadyThere, NewCommit, NewSummary
from server.store.sql.rows import Branch
from server.store.sql.sql_reader import SEQ_MAX
from server.store.sqlite_log import SqliteLog
from tests.events.making import Writer, march
from tests.support.pages import Pages

EARLY, MIDDLE, LATE = MatchId("early"), MatchId("middle"), MatchId("late")
COMMITS = 300
"""Of each match: an index then has several leaves, and none holds entries of the first match and the last."""

INDEXES = ("commits_in_order", "commits_by_key")
SAID = {
    "commits_in_order": "the store does not find this commit in order: one of its indexes is damaged",
    "commits_by_key": "the store does not find this commit by its key: one of its indexes is damaged",
}


class LoadedMatch:
    """A store of three matches, and their acknowledged commits."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.writers = {match: Writer(match) for match in (EARLY, MIDDLE, LATE)}
        self.commits = {match: writer.commits(COMMITS) for match, writer in self.writers.items()}
        with SqliteLog(path) as log:
            for number in range(COMMITS):
                log.append([commits[number] for commits in self.commits.values()])

    def bodies(self, match: MatchId) -> list[bytes]:
        return [new.body for new in self.commits[match]]

    def lose_end(self, match: MatchId, *indexes: str) -> None:
        """Remove the last entries of a match from indexes, together with those of its neighbour on the same page."""
        pages = Pages(self.path)
        for name in indexes:
            place = {EARLY: 0, MIDDLE: 1, LATE: 2}[match]
            leaves = pages.leaves(name)
            leaf = leaves[(2 * place + 1) * len(leaves) // 6] if match != LATE else leaves[-1]
            pages.forget(leaf, pages.count(leaf) // 2)
        pages.write()


@pytest.fixture
def kept(tmp_path: Path) -> LoadedMatch:
    return LoadedMatch(tmp_path / "store.db")


def outcome(call: Callable[[], object]) -> str:
    """Return the error of a call, or an empty string."""
    try:
        call()
    except LogError as error:
        return str(error)
    return ""


def cut_off(path: Path) -> sqlite3.Connection:
    """Open the file as another program would."""
    return sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)


@pytest.mark.parametrize("index", INDEXES)
def test_sqlite_does_not_notice_the_loss(kept: LoadedMatch, index: str) -> None:
    """The canary: reading by this index loses rows without an error, so only the comparison finds the loss."""
    kept.lose_end(EARLY, index)
    database = cut_off(kept.path)
    (count,) = database.execute(f"SELECT count(*) FROM commits INDEXED BY {index} WHERE match = 1").fetchone()
    database.close()

    assert count < COMMITS


def test_the_check_of_a_sound_store_reports_nothing(kept: LoadedMatch) -> None:
    with SqliteLog(kept.path) as log:
        log.save_snapshot(EARLY, kept.commits[EARLY][-1].last, b"snapshot")
        last = kept.commits[LATE][-1]
        log.save_summaries([NewSummary(LATE, Head(last.last, last.hash), b"summary")])

        assert log.check() == []
        for match in kept.commits:
            assert [stored.body for stored in log.read(match)] == kept.bodies(match)


@pytest.mark.parametrize("index", INDEXES)
def test_entries_lost_from_one_index_are_found_by_the_other(kept: LoadedMatch, index: str) -> None:
    """Reading and exporting the match fail, and name the first missing event."""
    kept.lose_end(EARLY, index)
    with SqliteLog(kept.path, read_only=True) as log:
        for call in (lambda: list(log.read(EARLY)), lambda: list(export_match(log, EARLY))):
            with pytest.raises(BrokenEvidence) as caught:
                call()

            assert caught.value.problem == SAID[index]
            assert caught.value.match == EARLY
            assert caught.value.seq in {new.first for new in kept.commits[EARLY]}

        found = [stored.body for stored in log.read(LATE)]
        checked = log.check()

    assert found == kept.bodies(LATE)
    assert any(index in line for line in checked)


def test_the_first_missing_event_follows_the_remaining_ones(tmp_path: Path) -> None:
    """Of thirty commits only two are left."""
    path, writer = tmp_path / "store.db", Writer("m")
    commits = writer.commits(30)
    with SqliteLog(path) as log:
        log.append(commits)
    pages = Pages(path)
    (leaf,) = pages.leaves("commits_in_order")
    pages.forget(leaf, 2)
    pages.write()
    with SqliteLog(path, read_only=True) as log, pytest.raises(BrokenEvidence) as caught:
        read_match(log, writer.match)

    assert caught.value.seq == commits[2].first


@pytest.mark.parametrize("witness", ["snapshot", "summary"])
def test_entries_lost_from_both_indexes_are_found_by_snapshots_or_summaries(kept: LoadedMatch, witness: str) -> None:
    last = kept.commits[LATE][-1]
    with SqliteLog(kept.path) as log:
        if witness == "snapshot":
            log.save_snapshot(LATE, last.last, b"snapshot")
        else:
            log.save_summaries([NewSummary(LATE, Head(last.last, last.hash), b"summary")])
    database = sqlite3.connect(kept.path)
    for (trigger,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        database.execute(f"DROP TRIGGER {trigger}")
    database.execute("DELETE FROM commits WHERE match = 3 AND first > ?", (kept.commits[LATE][9].last,))
    database.commit()
    database.close()
    event = kept.commits[LATE][10].first
    said = f"event {event}: this event is missing, and the match had {last.last} events at least"
    with SqliteLog(kept.path) as log:
        for call in (lambda: log.head(LATE), lambda: list(log.read(LATE))):
            assert outcome(call) == f"match late, {said}"
        assert dict(summaries(log))[LATE] == said
        assert log.check() == [f"match late, {said}"]
        assert log.head(EARLY).seq == kept.commits[EARLY][-1].last


@pytest.mark.parametrize(
    ("index", "said"),
    [
        ("commits_in_order", "its last commit is not found in order"),
        ("commits_by_key", "its last commit is not found by its key"),
        ("sqlite_autoindex_matches_1", "its last match is not found by its id"),
    ],
)
def test_a_store_with_lost_last_rows_is_not_opened_for_writing(tmp_path: Path, index: str, said: str) -> None:
    path = tmp_path / "store.db"
    with SqliteLog(path) as log:
        log.append([*Writer("a").commits(3), *Writer("z").commits(3)])
    pages = Pages(path)
    (leaf,) = pages.leaves(index)
    pages.forget(leaf, 1)
    pages.write()
    with pytest.raises(StoreDamaged) as caught:
        SqliteLog(path)

    assert caught.value.problem == said
    assert str(caught.value).startswith(f"{path} is damaged ({said}): ")

    with SqliteLog(path, read_only=True) as log:
        assert list(log.matches()) == ["a", "z"]
        assert log.check() != []


def test_a_board_or_position_that_was_changed_is_a_problem_of_the_store(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    content = b"a board\n" * 1_000
    digest = Digest(sha256(content).hexdigest())
    with SqliteLog(path) as log:
        log.attach(digest, content)

        assert log.check() == []

    path.write_bytes(path.read_bytes().replace(b"a board\na board", b"a board\nA board"))
    with SqliteLog(path, read_only=True) as log:
        assert log.check() == [f"board or position {digest[:12]}…: its bytes are not those that were stored"]


def test_a_match_lost_from_the_index_of_ids_is_marked_in_the_list(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with SqliteLog(path) as log:
        log.append([*Writer("a").commits(3), *Writer("z").commits(3)])
    pages = Pages(path)
    (leaf,) = pages.leaves("sqlite_autoindex_matches_1")
    pages.forget(leaf, 1)
    pages.write()
    with SqliteLog(path, read_only=True) as log:
        damage = {listed.match: listed.damage for listed in log.summaries()}

    assert damage[MatchId("a")] is None
    assert str(damage[MatchId("z")]) == "match z, event 1: the store does not find this match by its id"


def test_a_damaged_index_can_be_rebuilt_from_the_rows(kept: LoadedMatch) -> None:
    """The documented repair works, because only the index is damaged and the rows are intact."""
    kept.lose_end(EARLY, *INDEXES)
    database = sqlite3.connect(kept.path)
    database.execute("REINDEX")
    database.close()
    with SqliteLog(kept.path) as log:
        assert log.check() == []
        for match, writer in kept.writers.items():
            assert [stored.body for stored in log.read(match)] == kept.bodies(match)
            log.append([writer.take(march(1), key="next")])


def test_rows_of_unlisted_matches_are_named(kept: LoadedMatch) -> None:
    database = sqlite3.connect(kept.path)
    for (trigger,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        database.execute(f"DROP TRIGGER {trigger}")
    database.execute("UPDATE commits SET match = 9 WHERE match = 1 AND first = 1")
    database.execute("INSERT INTO matches VALUES (7, 'empty', NULL, 0, x'00')")
    database.commit()
    database.close()
    second = kept.commits[EARLY][1].first
    with SqliteLog(kept.path) as log:
        assert log.check() == [
            "row 1 of the commits, event 1, belongs to no match",
            "match empty: it has no commits of its own",
            f"match early, event 1: the next row begins with event {second}",
        ]


def test_the_check_reports_unreadable_pages_in_one_line(kept: LoadedMatch) -> None:
    pages = Pages(kept.path)
    page = pages.leaves("commits")[3]
    pages.content[pages.start(page) : pages.start(page) + 200] = b"\xa5" * 200
    pages.write()
    with SqliteLog(kept.path, read_only=True) as log:
        lines = log.check()

    assert lines
    assert all("\n" not in line for line in lines)


def test_no_flipped_bit_in_an_index_page_header_shortens_a_match_unnoticed(tmp_path: Path) -> None:
    """Every bit of the page headers of both indexes is tried: the match is complete, or an error is reported."""
    path, writer = tmp_path / "store.db", Writer("m")
    commits = writer.commits(220)
    with SqliteLog(path) as log:
        log.append(commits)
    sound, pages = path.read_bytes(), Pages(path)
    verdicts = {"whole": 0, "said": 0, "shorter": 0}
    for page in [page for index in INDEXES for page in pages.tree(index)]:
        for bit in range(8 * 12):
            flipped = bytearray(sound)
            flipped[pages.start(page) + bit // 8] ^= 1 << bit % 8
            path.write_bytes(flipped)
            verdicts[_verdict(path, writer.match, commits)] += 1

    assert verdicts["shorter"] == 0
    assert verdicts["said"] > 50
    assert verdicts["whole"] > 0


def _verdict(path: Path, match: MatchId, commits: list[NewCommit]) -> str:
    try:
        with SqliteLog(path, read_only=True) as log:
            found = [stored.body for stored in log.read(match)]
    except LogError:
        return "said"
    return "whole" if found == [new.body for new in commits] else "shorter"


def test_a_command_is_not_repeated_if_its_key_is_lost_from_the_index(kept: LoadedMatch) -> None:
    """The damaged index does not find a known key; loading the match fails before the key could be used again."""
    kept.lose_end(EARLY, "commits_by_key")
    lost = []
    with SqliteLog(kept.path, read_only=True) as log:
        lost = [new for new in kept.commits[EARLY] if log.find(EARLY, new.key) is None]

        assert lost
        assert "does not find this commit by its key" in outcome(lambda: read_match(log, EARLY))

    database = sqlite3.connect(kept.path)
    database.execute("REINDEX")
    database.close()
    with SqliteLog(kept.path) as log:
        assert [type(receipt) for receipt in log.append(lost)] == [AlreadyThere] * len(lost)


@pytest.mark.parametrize("asked", ["head", "read"])
def test_a_commit_and_its_snapshot_that_come_while_the_end_is_read_are_no_damage(tmp_path: Path, asked: str) -> None:
    """A reader beside a server once compared the end that it had read with a snapshot made since, and called the match cut short."""
    writer = Writer(EARLY)
    first, later = writer.commits(2)

    class Beside(SqliteLog):
        is_passed = False

        @override
        def _head(self, branch: Branch, upto: int = SEQ_MAX) -> Head:
            head = super()._head(branch, upto)
            if not self.is_passed:
                self.is_passed = True
                served.append([later])
                served.save_snapshot(EARLY, later.last, b"snapshot")
            return head

    with SqliteLog(tmp_path / "store.db") as served:
        served.append([first])
        with Beside(tmp_path / "store.db", read_only=True) as beside:
            end = beside.head(EARLY) if asked == "head" else [stored.last for stored in beside.read(EARLY)][-1]

        assert end == (Head(first.last, first.hash) if asked == "head" else first.last)
        assert served.head(EARLY) == Head(later.last, later.hash)
