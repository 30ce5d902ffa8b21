"""The book of contacts: who is told about which seat, in a file beside the store. It is no evidence: addresses are people's own, and can be removed.

Several processes may use one book; each change is one statement.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from hmac import compare_digest, new
from pathlib import Path
from typing import NamedTuple

from events.ids import MatchId, Seat
from server.web.notices.contacts import Contact, ContactRefused, Kind

OF_SEAT_MAX = 3
"""How many contacts a seat has at most."""
OF_BOOK_MAX = 100_000
ASKED_MAX, ASKED_WITHIN_MS = 3, 86_400_000
"""How often one address is asked to confirm, whoever types it: three times a day."""

_APPLICATION_ID = 0x5744694E
"""`WDiN`, in the header of the file, where it tells a book from another database, such as a store."""
_HEADER, _ID_AT = b"SQLite format 3\x00", 68
"""Begins a database, and at which byte of it the id of its program is."""
_SCHEMA = f"""
PRAGMA application_id = {_APPLICATION_ID};
CREATE TABLE IF NOT EXISTS contacts (
    number INTEGER PRIMARY KEY AUTOINCREMENT, match TEXT NOT NULL, seat TEXT NOT NULL, holder TEXT NOT NULL,
    kind TEXT NOT NULL, address TEXT NOT NULL, is_confirmed INTEGER NOT NULL DEFAULT 0, told INTEGER NOT NULL DEFAULT 0,
    tries INTEGER NOT NULL DEFAULT 0, next_ms INTEGER NOT NULL DEFAULT 0, problem TEXT NOT NULL DEFAULT '',
    added_ms INTEGER NOT NULL, UNIQUE (match, seat, holder, kind, address));
CREATE INDEX IF NOT EXISTS contacts_by_match ON contacts (match);
CREATE TABLE IF NOT EXISTS blocked (address TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS asked (address TEXT NOT NULL, at_ms INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS asked_by_address ON asked (address);
CREATE TABLE IF NOT EXISTS secret (key BLOB NOT NULL);
"""
_BY_NUMBER = "SELECT * FROM contacts WHERE number = ?"
_BY_SEAT = "SELECT * FROM contacts WHERE (match, seat, holder) = (?, ?, ?)"
_CONFIRMED = "SELECT * FROM contacts WHERE is_confirmed ORDER BY match, number"


class Entry(NamedTuple):
    """A contact of a seat.

    Attributes:
        number: Its number in the book.
        match: The match.
        seat: The seat.
        holder: The credential of the seat's player when it was added; notices stop when the seat is another player's.
        contact: The contact.
        is_confirmed: Whether its owner has confirmed it.
        told: Since when the match had waited when the player was told last (milliseconds since 1970); 0 once the seat has decided.
        tries: How often the next notice was tried in vain.
        next_ms: Before when it is not tried again.
        problem: Why the last try failed; empty if it did not.
    """

    number: int
    match: MatchId
    seat: Seat
    holder: str
    contact: Contact
    is_confirmed: bool
    told: int
    tries: int
    next_ms: int
    problem: str


class NoticeBook:
    """The book.

    Args:
        path: Its file, which is made if there is none; an empty one becomes a book.
        new_key: A random key of 32 bytes for a new book; with it the links in notices are signed.

    Raises:
        OSError: It cannot be opened, or is no book; then the file stays as it is.
    """

    def __init__(self, path: Path, new_key: bytes) -> None:
        self._path = path
        if not _may_be_book(path):
            raise OSError(f"{path} is not a book of notices: name another file")
        try:
            with self._opened() as connection:
                connection.executescript(_SCHEMA)
                connection.execute("INSERT INTO secret SELECT ? WHERE NOT EXISTS (SELECT 1 FROM secret)", (new_key,))
                self._key = bytes(connection.execute("SELECT key FROM secret").fetchone()[0])
        except sqlite3.Error as error:
            raise OSError(f"{path} is not a book of notices: {error}") from None

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._path, timeout=5.0)) as connection, connection:
            yield connection

    # Links

    def link_of(self, number: int) -> str:
        """Return the last part of the address that confirms or stops a contact: its number and a signature."""
        return f"{number}-{new(self._key, str(number).encode(), 'sha256').hexdigest()[:32]}"

    def linked(self, link: str) -> Entry | None:
        """Return the contact of a link; None if it was not signed here, or the contact is gone."""
        digits, _, _ = link.partition("-")
        if not (digits.isascii() and digits.isdecimal() and len(digits) < 18):
            return None
        number = int(digits)
        if not compare_digest(self.link_of(number).encode(), link.encode()):
            return None
        found = self._entries(_BY_NUMBER, number)
        return found[0] if found else None

    # Contacts

    def add(self, match: MatchId, seat: Seat, holder: str, contact: Contact, now_ms: int) -> Entry:
        """Add a contact that is still to be confirmed, and count that its address is asked.

        Raises:
            ContactRefused: The seat has too many, or the owner of the address wants no notices of this server, or was asked too often.
        """
        with self._opened() as connection:
            connection.execute("BEGIN IMMEDIATE")
            if connection.execute("SELECT 1 FROM blocked WHERE address = ?", (contact.address,)).fetchone():
                raise ContactRefused("the owner of this address wants no notices of this server")
            connection.execute("DELETE FROM asked WHERE at_ms < ?", (now_ms - ASKED_WITHIN_MS,))
            asked = connection.execute("SELECT count(*) FROM asked WHERE address = ?", (contact.address,)).fetchone()[0]
            if asked >= ASKED_MAX:
                raise ContactRefused("this address was asked three times within a day; try again tomorrow")
            every = connection.execute("SELECT count(*) FROM contacts").fetchone()[0]
            if every >= OF_BOOK_MAX:
                raise ContactRefused("the book of this server is full; tell its operator")
            own = (match, seat, holder)
            known = connection.execute(
                "SELECT count(*), sum(kind = ? AND address = ?) FROM contacts WHERE (match, seat, holder) = (?, ?, ?)",
                (contact.kind.value, contact.address, *own),
            ).fetchone()
            if known[1]:
                raise ContactRefused("this contact is in the list already")
            if known[0] >= OF_SEAT_MAX:
                raise ContactRefused(f"a seat has at most {OF_SEAT_MAX} contacts; remove one first")
            connection.execute("INSERT INTO asked VALUES (?, ?)", (contact.address, now_ms))
            made = connection.execute(
                "INSERT INTO contacts (match, seat, holder, kind, address, added_ms) VALUES (?, ?, ?, ?, ?, ?)",
                (*own, contact.kind.value, contact.address, now_ms),
            ).lastrowid
        return self._entries(_BY_NUMBER, made)[0]

    def of_seat(self, match: MatchId, seat: Seat, holder: str) -> Sequence[Entry]:
        """Return the contacts of a seat's player."""
        return self._entries(_BY_SEAT, match, seat, holder)

    def confirmed(self) -> Sequence[Entry]:
        """Return all confirmed contacts, by match."""
        return self._entries(_CONFIRMED)

    def confirm(self, number: int) -> None:
        """Note that the owner of a contact wants notices."""
        self._change("UPDATE contacts SET is_confirmed = 1 WHERE number = ?", number)

    def remove(self, number: int) -> None:
        """Remove a contact."""
        self._change("DELETE FROM contacts WHERE number = ?", number)

    def block(self, address: str) -> None:
        """Remove an address everywhere, and never ask it again."""
        self._change("INSERT OR IGNORE INTO blocked VALUES (?)", address)
        self._change("DELETE FROM contacts WHERE address = ?", address)

    def forget_match(self, match: MatchId) -> None:
        """Remove the contacts of a match."""
        self._change("DELETE FROM contacts WHERE match = ?", match)

    def forget_unconfirmed(self, before_ms: int) -> None:
        """Remove contacts that nobody has confirmed, if they were added before a moment."""
        self._change("DELETE FROM contacts WHERE NOT is_confirmed AND added_ms < ?", before_ms)

    # Notices

    def claim(self, entry: Entry, since_ms: int, now_ms: int, retry_ms: int) -> bool:
        """Take on a notice, so that no other process sends it, too; it is tried again later unless it is noted as told.

        Returns:
            Whether it was not taken on by somebody else.
        """
        changed = self._change(
            "UPDATE contacts SET told = ?, next_ms = ?, tries = tries + 1 WHERE (number, told, next_ms) = (?, ?, ?)",
            *(since_ms, now_ms + retry_ms, entry.number, entry.told, entry.next_ms),
        )
        return changed == 1

    def note_told(self, number: int) -> None:
        """Note that a notice went out."""
        self._change("UPDATE contacts SET tries = 0, next_ms = 0, problem = '' WHERE number = ?", number)

    def note_failed(self, number: int, problem: str, *, is_over: bool) -> None:
        """Note why a notice did not go out; `is_over`: it is not tried again."""
        if is_over:
            self.note_told(number)
        self._change("UPDATE contacts SET problem = ? WHERE number = ?", problem, number)

    def note_decided(self, number: int) -> None:
        """Note that a match does not wait for the seat any more, so that the player is told when it does again."""
        self._change("UPDATE contacts SET told = 0, tries = 0, next_ms = 0 WHERE number = ?", number)

    def _change(self, statement: str, *values: object) -> int:
        with self._opened() as connection:
            return connection.execute(statement, values).rowcount

    def _entries(self, statement: str, *values: object) -> list[Entry]:
        with self._opened() as connection:
            rows = connection.execute(statement, values).fetchall()
        return [
            Entry(number, match, seat, holder, Contact(Kind(kind), address), bool(is_confirmed), *rest)
            for number, match, seat, holder, kind, address, is_confirmed, *rest, _ in rows
        ]


def _may_be_book(path: Path) -> bool:
    """Return whether a file is a book, or empty, or is still to be made; it is only read.

    Raises:
        OSError: It cannot be read.
    """
    try:
        with path.open("rb") as file:
            header = file.read(_ID_AT + 4)
    except FileNotFoundError:
        return True
    return not header or (header.startswith(_HEADER) and int.from_bytes(header[_ID_AT:]) == _APPLICATION_ID)
