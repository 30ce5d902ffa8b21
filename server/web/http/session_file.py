"""File of the sessions of visitors, so that a browser keeps its seats when the pages are started again.

Each session is sealed under a key that follows from the random id in the visitor's cookie, and lies under another value that follows from it. The
file holds neither, so that it opens no seat to whoever copies it; the ids of its rows tell no more than how many browsers there are and when they
were last here. It is a convenience, not evidence: where it cannot be written, play goes on, and where it is damaged, what can be read is kept.

Several processes may use one file; each change is one transaction.
"""

import hmac
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from secrets import token_bytes
from typing import NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from events.codec import DecodeError, Decoder, Struct, encode
from events.ids import MatchId, Seat

FILE_SESSIONS_MAX = 100_000
"""Beyond so many sessions in a file the one that was used longest ago is forgotten."""
SESSION_BYTES_MAX = 16 << 10
"""A session of more bytes is not kept in a file without the seats that were proved first."""

_APPLICATION_ID = 0x57446953
"""`WDiS`, in the header of the file, where it tells a file of sessions from another database."""
_SCHEMA = f"""
PRAGMA application_id = {_APPLICATION_ID};
CREATE TABLE IF NOT EXISTS sessions (place TEXT PRIMARY KEY, used_ms INTEGER NOT NULL, sealed BLOB NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS sessions_by_use ON sessions (used_ms);
"""
_DELETE_OLDEST = "DELETE FROM sessions WHERE place IN (SELECT place FROM sessions ORDER BY used_ms LIMIT ?)"
_FROM_BOTH_ENDS = (
    "SELECT place, used_ms, sealed FROM sessions ORDER BY place ASC",
    "SELECT place, used_ms, sealed FROM sessions ORDER BY place DESC",
)
_NONCE_BYTES = 12
_PRIVATE = 0o600


class KeptSeat(Struct, frozen=True, array_like=True):
    """The secret of a seat."""

    match: MatchId
    seat: Seat
    secret: str


class KeptSession(Struct, frozen=True):
    """A session.

    Attributes:
        seats: The seats that were proved, the one that was proved first in front.
        earlier: The id of the session in whose place this one was put, as long as the browser has not shown the new id.
    """

    seats: tuple[KeptSeat, ...]
    earlier: str = ""


class Found(NamedTuple):
    """A session in the file, and when it was used last (milliseconds since 1970)."""

    session: KeptSession
    used_ms: int


_SESSION: Decoder[KeptSession] = Decoder(KeptSession)
_Row = tuple[str, int, bytes]


class SessionFile:
    """The file; no method raises because of it, so that a full disk or a damaged file ends no match.

    Args:
        path: The file, which is made if there is none; a damaged one is moved aside, and what can be read of it is taken over.
        warn: Is told in one line what is wrong with it, once for each thing.

    Raises:
        OSError: It cannot be made or opened, or is another program's database; then it stays as it is.
    """

    def __init__(self, path: Path, warn: Callable[[str], None]) -> None:
        self._path = Path(os.path.realpath(path))
        self._warn = warn
        self._warned = ""
        self._doomed: set[str] = set()
        _make_private(self._path)
        try:
            with self._opened() as db:
                (owner,) = db.execute("PRAGMA application_id").fetchone()
                (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
                if owner != _APPLICATION_ID and tables:
                    raise OSError(f"{path} is another program's database")
                db.executescript(_SCHEMA)
                is_sound = db.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
        except sqlite3.OperationalError as error:
            raise OSError(f"{path} cannot be used: {error}") from None
        except sqlite3.DatabaseError:
            is_sound = False
        if not is_sound:
            self._mend()

    # Sessions

    def read(self, id_: str) -> Found | None:
        """Return the session with an id; None if there is none, or it cannot be read."""
        place = _place_of(id_)
        if place in self._doomed:
            return None
        try:
            with self._opened() as db:
                row = db.execute("SELECT used_ms, sealed FROM sessions WHERE place = ?", (place,)).fetchone()
        except sqlite3.Error as error:
            self._tell("a browser may have to prove its seats again", error)
            return None
        if row is None:
            return None
        used_ms, sealed = row
        try:
            opened = AESGCM(_key_of(id_)).decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], place.encode())
            return Found(_SESSION.decode(opened), int(used_ms))
        except (InvalidTag, ValueError, TypeError, DecodeError):
            return None

    def write(self, id_: str, session: KeptSession, used_ms: int, *, forget_up_to_ms: int) -> bool:
        """Keep a session under an id, and forget those that were last used up to a moment, or are too many.

        Returns:
            Whether it is kept.
        """
        place = _place_of(id_)
        nonce = token_bytes(_NONCE_BYTES)
        sealed = nonce + AESGCM(_key_of(id_)).encrypt(nonce, _fitting(session), place.encode())
        try:
            with self._opened() as db:
                db.execute("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?)", (place, used_ms, sealed))
                db.execute("DELETE FROM sessions WHERE used_ms <= ?", (forget_up_to_ms,))
                self._delete_doomed(db)
                (count,) = db.execute("SELECT count(*) FROM sessions").fetchone()
                if count > FILE_SESSIONS_MAX:
                    db.execute(_DELETE_OLDEST, (count - FILE_SESSIONS_MAX,))
        except sqlite3.Error as error:
            self._tell("seats that browsers prove now are kept until the pages end", error)
            return False
        self._warned = ""
        return True

    def delete(self, id_: str) -> None:
        """Delete a session; if the file cannot be changed now, nobody finds the session, and it is deleted with the next change."""
        self._doomed.add(_place_of(id_))
        try:
            with self._opened() as db:
                self._delete_doomed(db)
        except sqlite3.Error as error:
            self._tell("a session that was to be forgotten is deleted later", error)
            return
        self._doomed.clear()

    def _delete_doomed(self, db: sqlite3.Connection) -> None:
        db.executemany("DELETE FROM sessions WHERE place = ?", [(place,) for place in self._doomed])

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """Open the file for one change, whose old bytes are overwritten."""
        with closing(self._connected()) as db, db:
            db.execute("PRAGMA secure_delete = ON")
            yield db

    def _connected(self) -> sqlite3.Connection:
        return sqlite3.connect(f"{self._path.as_uri()}?mode=rw", timeout=5.0, uri=True)

    def _tell(self, what: str, error: sqlite3.Error) -> None:
        if self._warned != what:
            self._warned = what
            self._warn(f"the file of sessions {self._path} cannot be used ({error}): {what}")

    # A damaged file

    def _mend(self) -> None:
        """Move a damaged file aside, and take over what can be read of it."""
        rows = list(self._readable())
        aside = self._path.with_name(f"{self._path.name}.damaged")
        for end in ("-journal", "-wal", "-shm"):
            # The new file must not be changed by what belongs to the old one.
            self._path.with_name(f"{self._path.name}{end}").unlink(missing_ok=True)
        self._path.replace(aside)
        _make_private(self._path)
        try:
            with self._opened() as db:
                db.executescript(_SCHEMA)
                db.executemany("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?)", rows)
        except sqlite3.Error as error:
            raise OSError(f"{self._path} cannot be used: {error}") from None
        kept = f"{len(rows)} session{'' if len(rows) == 1 else 's'} of it could be read; other browsers prove their seats again"
        self._warn(f"the file of sessions was damaged, and is now {aside}: {kept}")

    def _readable(self) -> Iterator[_Row]:
        """Yield the rows that can be read, from both ends of the file towards what is damaged."""
        for rows in _FROM_BOTH_ENDS:
            with suppress(sqlite3.Error), closing(self._connected()) as db:
                # Without it nothing is read of a file that was cut off.
                db.execute("PRAGMA writable_schema = ON")
                yield from _sound(db.execute(rows))


def _sound(rows: Iterable[tuple[object, object, object]]) -> Iterator[_Row]:
    for place, used_ms, sealed in rows:
        if isinstance(place, str) and isinstance(used_ms, int) and isinstance(sealed, bytes):
            yield place, used_ms, sealed


def _fitting(session: KeptSession) -> bytes:
    """Return the bytes of a session, without the seats that were proved first if it is too large."""
    seats = session.seats
    while len(data := encode(KeptSession(seats, session.earlier))) > SESSION_BYTES_MAX and seats:
        seats = seats[1 + len(seats) // 10 :]
    return data


def _place_of(id_: str) -> str:
    """Return under which value the session with an id lies."""
    return hmac.digest(id_.encode(), b"place of a session", "sha256").hex()


def _key_of(id_: str) -> bytes:
    """Return the key under which the session with an id is sealed."""
    return hmac.digest(id_.encode(), b"key of a session", "sha256")


def _make_private(path: Path) -> None:
    """Make the file if there is none, and let only its owner read it."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, _PRIVATE))
    path.chmod(_PRIVATE)
