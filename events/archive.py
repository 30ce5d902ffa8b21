"""Archives: a match as lines of JSON that anybody can read and check (`docs/archive.md`), and their export.

An archive is a function of the evidence alone: it holds no time, host or program version. A match exported again, from any store,
gives the same bytes. Sealed seeds are not evidence before they are revealed; they never leave their store.

This module handles lines only; files and compression are in `server.store.archive_file`. `events.archive_reader` reads them.
"""

import binascii
import hashlib
from collections.abc import Iterator
from typing import Protocol

from events.chain import ChainCheck
from events.codec import Struct, encode
from events.commit import Head
from events.errors import BrokenEvidence
from events.ids import Digest, GameKey, MatchId
from events.log import Stored
from events.vocabulary import MatchOpened

FORMAT = "wardiary-archive/1"

VIEW_FORMAT = "wardiary-view/1"
"""The format of what one seat saw of a match, which is not an archive; `projections.view_archive` writes it."""


class Evidence(Protocol):
    """Source of an archive: a log, or a server that sends the commits of a match; see `events.log.Log`."""

    def head(self, match: MatchId) -> Head:
        """Return the number and the hash of the last commit."""

    def read(self, match: MatchId, after: int = 0, upto: int | None = None) -> Iterator[Stored]:
        """Return the commits with events after one and up to another, in order."""

    def attachment(self, digest: Digest) -> bytes | None:
        """Return a file that the match was opened with, or None."""


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line."""

    archive: str
    match: MatchId
    game: GameKey


class Attachment(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A file the match was opened with: as text if it is UTF-8, in base64 otherwise."""

    attachment: Digest
    text: str | None = None
    base64: str | None = None


class Trailer(Struct, frozen=True, forbid_unknown_fields=True):
    """The last line: the number of events, the hash of the last commit, and the SHA-256 of all lines before this one."""

    end: str
    events: int
    head: Digest
    sha256: Digest


def attached(opening: MatchOpened) -> list[Digest]:
    """Return the files that an archive carries if the store has them, in the archive's order."""
    digests = [opening.board] if opening.position is None else [opening.board, opening.position]
    return list(dict.fromkeys(digests))


def export_match(log: Evidence, match: MatchId, head: Head | None = None) -> Iterator[bytes]:
    """Return the lines of a match's archive, each with its line feed.

    The chain is checked while the lines are read, so broken evidence is never archived.

    Args:
        log: What holds the match.
        match: Its id.
        head: The end of the archive, that of the match when the caller read it; by default the present one.

    Raises:
        UnknownMatch: There is no such match.
        BrokenEvidence: While the lines are read: the commits, or a file that the match was opened with, are damaged.
    """
    head = log.head(match) if head is None else head
    return _with_trailer(_lines(log, match, head), head)


def _with_trailer(lines: Iterator[bytes], head: Head) -> Iterator[bytes]:
    whole = hashlib.sha256()
    for line in lines:
        whole.update(line)
        yield line
    yield _line(Trailer(FORMAT, head.seq, head.hash, Digest(whole.hexdigest())))


def _lines(log: Evidence, match: MatchId, head: Head) -> Iterator[bytes]:
    check = ChainCheck()
    for stored in log.read(match, 0, head.seq):
        opening = check.take(stored).events[0]
        if isinstance(opening, MatchOpened):
            files = _files(log, opening, stored.match)
            yield _line(Header(FORMAT, match, opening.game))
            for digest, content in files.items():
                yield _line(attachment_record(digest, content))
        yield stored.body + b"\n"
    if check.head != head or check.match != match:
        raise BrokenEvidence(match, check.head.seq + 1, f"the store says that the match has {head.seq} events")


def _files(log: Evidence, opening: MatchOpened, match: MatchId) -> dict[Digest, bytes]:
    """Return the files that a match was opened with, as far as the log holds them.

    Raises:
        BrokenEvidence: One of them does not have its recorded digest.
    """
    found = {digest: content for digest in attached(opening) if (content := log.attachment(digest)) is not None}
    for digest, content in found.items():
        if hashlib.sha256(content).hexdigest() != digest:
            what = "board" if digest == opening.board else "position"
            raise BrokenEvidence(match, 1, f"the {what} that the match was opened with ({digest[:12]}…) is damaged")
    return found


def _line(record: Struct) -> bytes:
    return encode(record) + b"\n"


def attachment_record(digest: Digest, content: bytes) -> Attachment:
    """Return the record of a file in an archive."""
    try:
        return Attachment(attachment=digest, text=content.decode())
    except UnicodeDecodeError:
        return Attachment(attachment=digest, base64=binascii.b2a_base64(content, newline=False).decode())


def attached_content(record: Attachment) -> bytes | None:
    """Return the file that a record in an archive holds; None if it holds none."""
    if record.text is not None:
        return record.text.encode()
    try:
        return None if record.base64 is None else binascii.a2b_base64(record.base64, strict_mode=True)
    except ValueError:
        return None
