"""Sessions end by time, number and wish only; their file opens nothing without the cookie, and no fault of it ends play."""

import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

import pytest

from events.ids import MatchId, Seat
from server.web.http import session_file
from server.web.http.session_file import SessionFile
from server.web.http.sessions import IDLE_MS, NOTED_MS, RETRY_MS, Sessions
from tests.support.served import ROOT
from tests.support.sitting import StillClock

MATCH, RED, BLUE = MatchId("abc"), Seat("red"), Seat("blue")
SECRET = "the secret of red, long enough to be one"
KILLED = """
import sys
from server.protocol.clock import SystemClock
from server.web.http.session_file import SessionFile
from server.web.http.sessions import Sessions
sessions = Sessions(SystemClock(), SessionFile(sys.argv[1], print))
while True:
    print(sessions.prove("", "abc", "red", "secret"), flush=True)
"""


class Kept:
    """A file of sessions, and what was said of it.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.clock = StillClock()
        self.said: list[str] = []

    def sessions(self, sessions_max: int = 10) -> Sessions:
        """Start the pages once more."""
        return Sessions(self.clock, SessionFile(self.path, self.said.append), sessions_max)

    def count(self) -> int:
        """Return how many sessions the file holds."""
        with closing(sqlite3.connect(self.path)) as db:
            return int(db.execute("SELECT count(*) FROM sessions").fetchone()[0])

    def break_off(self, change: Callable[[bytearray], None]) -> None:
        """Change bytes of the file."""
        data = bytearray(self.path.read_bytes())
        change(data)
        self.path.write_bytes(data)


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(tmp_path / "store-sessions")


def seats(found: Mapping[tuple[MatchId, Seat], str]) -> list[Seat]:
    """Return the seats of one match."""
    return [seat for _, seat in found]


def test_a_session_is_kept_in_a_private_file_that_opens_nothing(kept: Kept) -> None:
    id_ = kept.sessions().prove("", MATCH, RED, SECRET)
    content = kept.path.read_bytes()

    assert dict(kept.sessions().secrets(id_)) == {(MATCH, RED): SECRET}
    assert stat.S_IMODE(kept.path.stat().st_mode) == 0o600
    assert [word for word in (id_, SECRET, MATCH, RED) if word.encode() in content] == []
    with closing(sqlite3.connect(kept.path)) as db:
        ((place, _, sealed),) = db.execute("SELECT * FROM sessions").fetchall()
        # The place of a row is not the id that opens it, and a row opens nothing under another id.
        other = kept.sessions().prove("", MATCH, BLUE, "another")
        db.execute("UPDATE sessions SET sealed = ?", (sealed,))
        db.commit()
    assert dict(kept.sessions().secrets(place)) == {}
    assert dict(kept.sessions().secrets(other)) == {}


def test_every_use_puts_off_the_end_of_a_session(kept: Kept) -> None:
    id_ = kept.sessions().prove("", MATCH, RED, SECRET)
    kept.clock.ms += IDLE_MS - 1
    used = seats(kept.sessions().secrets(id_))
    kept.clock.ms += IDLE_MS - NOTED_MS
    again = seats(kept.sessions().secrets(id_))
    kept.clock.ms += IDLE_MS

    assert (used, again) == ([RED], [RED])
    assert seats(kept.sessions().secrets(id_)) == []
    kept.sessions().prove("", MATCH, RED, SECRET)
    assert kept.count() == 1


def test_there_are_never_more_sessions_than_the_limits(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_file, "FILE_SESSIONS_MAX", 4)
    sessions = kept.sessions(sessions_max=3)
    ids = []
    for number in range(6):
        kept.clock.ms += 1
        ids.append(sessions.prove("", MATCH, RED, str(number)))

    assert (len(sessions), kept.count()) == (3, 4)
    assert [bool(kept.sessions().secrets(id_)) for id_ in ids] == [False, False, True, True, True, True]


def test_a_session_of_very_long_secrets_is_kept_with_its_latest_seats(kept: Kept) -> None:
    id_, sessions = "", kept.sessions()
    for number in range(20):
        id_ = sessions.prove(id_, MATCH, Seat(str(number)), "x" * 1_000)

    assert seats(kept.sessions().secrets(id_))[-1] == "19"
    assert kept.path.stat().st_size < 100_000


def test_an_answer_that_does_not_arrive_costs_no_seat(kept: Kept) -> None:
    sessions = kept.sessions()
    first = sessions.prove("planted", MATCH, RED, "one")
    second = sessions.prove(first, MATCH, BLUE, "two")

    assert seats(kept.sessions().secrets(first)) == [RED]
    assert seats(kept.sessions().secrets(second)) == [RED, BLUE]
    assert seats(kept.sessions().secrets(first)) == []


def test_what_is_forgotten_is_deleted(kept: Kept) -> None:
    sessions = kept.sessions()
    id_ = sessions.prove(sessions.prove("", MATCH, RED, "one"), MATCH, BLUE, "two")
    with closing(sqlite3.connect(kept.path)) as db:
        rows = [bytes(sealed) for (sealed,) in db.execute("SELECT sealed FROM sessions")]
    sessions.forget(id_, MATCH, RED)
    left = seats(kept.sessions().secrets(id_))
    sessions.forget(id_, MATCH, BLUE)

    assert left == [BLUE]
    assert kept.count() == 0
    assert [row for row in rows if row in kept.path.read_bytes()] == []
    assert (seats(sessions.secrets(id_)), seats(kept.sessions().secrets(id_))) == ([], [])


def test_a_killed_server_loses_no_session_that_it_had_answered(kept: Kept) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, kept.path], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as run:
        assert run.stdout is not None
        ids = [run.stdout.readline().strip() for _ in range(5)]
        run.send_signal(signal.SIGKILL)
        ids += [line.strip() for line in run.stdout if line.endswith("\n")]

    assert [id_ for id_ in ids if not kept.sessions().secrets(id_)] == []
    assert kept.said == []


@pytest.mark.parametrize(
    ("change", "is_any_left"),
    [
        (lambda data: data.__setitem__(slice(0, 100), bytes(100)), False),
        (lambda data: data.__delitem__(slice(len(data) - 4_096, None)), True),
        (lambda data: data.__setitem__(slice(len(data) // 2, len(data) // 2 + 4_096), b"x" * 4_096), True),
        (lambda data: data.__setitem__(slice(0, None), b"not a file of sessions"), False),
    ],
)
def test_what_can_be_read_of_a_damaged_file_is_kept(
    kept: Kept, change: Callable[[bytearray], None], *, is_any_left: bool
) -> None:
    sessions = kept.sessions()
    ids = [sessions.prove("", MATCH, RED, "x" * 500) for _ in range(30)]
    kept.break_off(change)
    after = kept.sessions()
    left = [id_ for id_ in ids if after.secrets(id_)]

    assert bool(left) == is_any_left
    assert len(left) < len(ids)
    assert len(kept.said) == 1
    assert f"is now {kept.path}.damaged: {len(left)} session" in kept.said[0]
    new = after.prove("", MATCH, RED, SECRET)
    assert seats(kept.sessions().secrets(new)) == [RED]


def test_a_file_that_cannot_be_written_ends_no_session(kept: Kept) -> None:
    sessions = kept.sessions()
    old = sessions.prove("", MATCH, RED, SECRET)
    with closing(sqlite3.connect(kept.path, timeout=0)) as db:
        # As on a full disk nothing can be written; here because of a trigger.
        db.execute("CREATE TRIGGER full BEFORE INSERT ON sessions BEGIN SELECT RAISE(ABORT, 'disk is full'); END")
        db.commit()
        new = sessions.prove(old, MATCH, BLUE, SECRET)
        assert seats(sessions.secrets(new)) == [RED, BLUE]
        db.execute("DROP TRIGGER full")
        db.commit()
    kept.clock.ms += RETRY_MS
    sessions.secrets(new)

    assert len(kept.said) == 1
    assert "disk is full" in kept.said[0]
    assert seats(kept.sessions().secrets(new)) == [RED, BLUE]


def test_a_session_that_cannot_be_deleted_now_is_not_found_and_is_deleted_later(kept: Kept) -> None:
    sessions = kept.sessions()
    id_ = sessions.prove("", MATCH, RED, SECRET)
    aside = kept.path.rename(kept.path.with_name("aside"))
    sessions.forget_all(id_)
    aside.rename(kept.path)

    assert seats(sessions.secrets(id_)) == []
    sessions.prove("", MATCH, BLUE, SECRET)
    assert kept.count() == 1
    assert len(kept.said) == 1


def test_the_database_of_another_program_stays_as_it_is(kept: Kept) -> None:
    with closing(sqlite3.connect(kept.path)) as db:
        db.execute("CREATE TABLE other (one)")
    before = kept.path.read_bytes()

    with pytest.raises(OSError, match="another program's"):
        kept.sessions()
    assert kept.path.read_bytes() == before
