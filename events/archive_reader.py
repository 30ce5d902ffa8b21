"""Reads archives line by line. Each line is checked as it is read; the first wrong one is reported and ends the reading.

A line is stored only after its check, so that a file that is not an archive takes no more memory than two lines.
"""

import hashlib
from collections.abc import Iterable
from itertools import groupby
from typing import TypeVar

from events.archive import (
    FORMAT,
    VIEW_FORMAT,
    Attachment,
    Header,
    Trailer,
    attached,
    attached_content,
    attachment_record,
)
from events.chain import BROKEN_LINK, REWRITTEN, ChainCheck, named_before
from events.codec import DecodeError, Decoder, Struct, encode
from events.commit import TIMES, Head, chain_hash
from events.errors import ArchiveError, BrokenEvidence, LostRace, NoArchive, OtherMatch, UnknownMatch
from events.ids import Digest, GameKey, MatchId
from events.log import Log, NewCommit, Origin
from events.vocabulary import MatchOpened

LINE_MAX = 1 << 24
"""Bytes of the longest line: a hundred times the largest known commit."""

ID_MAX = 100
"""Characters of the longest id of a match."""

COPY_AGAIN = "copy it again, or export the match again"
"""What to do about an archive whose end is missing."""

ARCHIVE_MAX = 1 << 28
"""Bytes of the largest archive."""

ATTACHMENTS_MAX = 2
"""A board and a position."""

COMMITS_MAX = 100_000
EVENTS_MAX = 2_000_000
"""Limits of the largest archive: a hundred times the longest known match. Tiny commits take more memory than their bytes."""


class Archive(Struct, frozen=True):
    """A checked archive: the match, the files it was opened with, and its commits, a fork's shared prefix first.

    `has_crlf`: its lines ended with CR LF instead of LF, as mail programs and editors change them.
    """

    match: MatchId
    game: GameKey
    attachments: dict[Digest, bytes]
    commits: tuple[NewCommit, ...]
    has_crlf: bool = False

    @property
    def head(self) -> Head:
        """Where the match stands."""
        return Head(self.commits[-1].last, self.commits[-1].hash)


class Imported(Struct, frozen=True):
    """The result of an import: the match, its number of events, and how many commits were new to the store."""

    match: MatchId
    events: int
    new_commits: int


Record = TypeVar("Record", bound=Struct)

_BEGINNING = b'{"archive":'
_HEADER: Decoder[Header] = Decoder(Header)
_ATTACHMENT: Decoder[Attachment] = Decoder(Attachment)
_TRAILER: Decoder[Trailer] = Decoder(Trailer)


def read_archive(lines: Iterable[bytes]) -> Archive:
    """Read and check an archive.

    Args:
        lines: Its lines, each with its line feed.

    Raises:
        ArchiveError: It is not exactly what was exported; the first line that is wrong is named, and its first event.
        NoArchive: The file holds what one seat saw.
    """
    return _Reader(_Lines(lines)).read()


def read_sound_part(lines: Iterable[bytes]) -> tuple[Archive, ArchiveError | None]:
    """Read an archive as far as it is sound: the commits before its first defect, and the defect, or None if there is none.

    Args:
        lines: Its lines, each with its line feed.

    Raises:
        ArchiveError: It has a defect before its first commit, or in it.
        NoArchive: The file holds what one seat saw.
    """
    reader = _Reader(_Lines(lines))
    try:
        return reader.read(), None
    except ArchiveError as error:
        sound = [commit for commit in reader.commits if not error.seq or commit.last < error.seq]
        if not sound or reader.opening is None:
            raise
        match, has_crlf = sound[-1].match, reader.lines.has_crlf
        return Archive(match, reader.opening.game, reader.attachments, tuple(sound), has_crlf), error


class _Lines:
    """The lines of one archive: the current one and the next.

    Args:
        lines: Each with its line feed.

    Attributes:
        number: The number of the current line, from 1; 0 before the first.
        line: The current line.
        following: The next line; None at the end, or if the next line is invalid by itself.
        fault: Why the next line is invalid by itself; None if it is not.
        has_crlf: Whether lines ended with CR LF. No line of an export holds a CR, so that it is left out without loss.
    """

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._waiting = iter(lines)
        self._fetched = 0
        self._size = 0
        self._whole = hashlib.sha256()
        self.fault: ArchiveError | None = None
        self.has_crlf = False
        self.number = 0
        self.line = b""
        self.following = self._next()

    @property
    def is_last(self) -> bool:
        """Whether the current line is the last."""
        return self.following is None and self.fault is None

    @property
    def sha256_before(self) -> str:
        """The SHA-256 of all lines before the current one."""
        return self._whole.hexdigest()

    def step(self) -> None:
        """Go on to the next line.

        Raises:
            ArchiveError: The line is too long, exceeds the limit, or cannot be decompressed; or there are no more lines.
        """
        if self.fault is not None:
            raise self.fault
        if self.following is None:
            raise _missing_end(self.number + 1)
        self._whole.update(self.line)
        self.line, self.number = self.following, self.number + 1
        self.following = self._next()

    def _next(self) -> bytes | None:
        """Return the next line. Its error is raised when it becomes the current one, after errors of the line before."""
        self._fetched += 1
        number = self._fetched
        try:
            line = next(self._waiting, None)
        except ArchiveError as error:
            self.fault = error
            return None
        if line is not None and line.endswith(b"\r\n"):
            self.has_crlf, line = True, line.removesuffix(b"\r\n") + b"\n"
        self._size += len(line or b"")
        if len(line or b"") > LINE_MAX:
            self.fault = ArchiveError(number, f"the line is longer than {LINE_MAX >> 20} MiB")
        elif self._size > ARCHIVE_MAX:
            self.fault = ArchiveError(number, f"the archive is larger than {ARCHIVE_MAX >> 20} MiB")
        return line if self.fault is None else None


class _Reader:
    """Reads and checks the lines of one archive."""

    def __init__(self, lines: _Lines) -> None:
        self.lines = lines
        self.check = ChainCheck()
        self.commits: list[NewCommit] = []
        self.opening: MatchOpened | None = None
        self.attachments: dict[Digest, bytes] = {}

    def read(self) -> Archive:
        """Check line by line; every error names the first wrong line."""
        header = self._header()
        self._attachments()
        # The last line is checked as a commit if it is one, to find out whether it is complete.
        while not self.lines.is_last or self.lines.line.startswith(b'{"commit":'):
            self._commit()
            self.lines.step()
        whole = self._end()
        self._check_names(header, list(self.attachments))
        if not whole:
            raise ArchiveError(self.lines.number, "the SHA-256 of the lines before it differs")
        return Archive(header.match, header.game, self.attachments, tuple(self.commits), self.lines.has_crlf)

    def _plain(self, decoder: Decoder[Record], what: str) -> Record:
        """Decode the current line, which is not a commit."""
        self._check_is_whole()
        try:
            record = decoder.decode(self.lines.line)
        except DecodeError as error:
            raise ArchiveError(self.lines.number, f"this is not a valid {what}: {error}") from None
        if encode(record) + b"\n" != self.lines.line:
            raise ArchiveError(self.lines.number, f"this {what} is not written as an export writes it")
        return record

    def _check_is_whole(self, match: MatchId | None = None) -> None:
        """Check that the current line ends with a line feed, as only the line in which an archive was cut off does not."""
        if not self.lines.line.endswith(b"\n"):
            seq = self.check.head.seq + 1 if match else 0
            raise ArchiveError(self.lines.number, f"the archive is cut off in this line: {COPY_AGAIN}", match, seq)

    def _header(self) -> Header:
        if self.lines.is_last:
            raise ArchiveError(1, f"the archive is empty: {COPY_AGAIN}")
        self.lines.step()
        if self.lines.line.startswith(b'{"view":'):
            raise NoArchive(
                f"this is what one seat saw of a match ({VIEW_FORMAT}), not the archive of the match: without its commands "
                "and the secrets of others it can be neither imported nor audited"
            )
        if not _BEGINNING.startswith(self.lines.line[: len(_BEGINNING)]):
            raise ArchiveError(1, "this is not an archive of a match: it does not begin with its format")
        header = self._plain(_HEADER, "first line")
        if header.archive != FORMAT:
            raise ArchiveError(1, f"the format is {header.archive!r}; this program knows {FORMAT!r}")
        return header

    def _check_id(self, match: MatchId) -> None:
        """Check that a match's id can be printed: it is the only foreign text that every message quotes."""
        if not (match.isprintable() and 1 <= len(match) <= ID_MAX):
            raise ArchiveError(
                self.lines.number, f"the id of a match has 1 to {ID_MAX} printable characters, not {match[:ID_MAX]!r}"
            )

    def _attachments(self) -> None:
        """Read the attached files, and go on to the first commit."""
        attachments = self.attachments
        while not self.lines.is_last:
            self.lines.step()
            number = self.lines.number
            if not self.lines.line.startswith(b'{"attachment":'):
                break
            if len(attachments) == ATTACHMENTS_MAX:
                raise ArchiveError(number, f"a match is opened with {ATTACHMENTS_MAX} files at most")
            record = self._plain(_ATTACHMENT, "attached file")
            content = attached_content(record)
            if content is None or attachment_record(record.attachment, content) != record:
                raise ArchiveError(number, "this attached file is not written as an export writes it")
            if hashlib.sha256(content).hexdigest() != record.attachment:
                raise ArchiveError(number, "this attached file does not have the SHA-256 that it is filed under")
            if record.attachment in attachments:
                raise ArchiveError(number, "this attached file comes twice")
            attachments[record.attachment] = content

    def _commit(self) -> None:
        before, line, number = self.check.head, self.lines.line, self.lines.number
        self._check_is_whole(self.check.match)
        try:
            commit = self.check.take_body(line[:-1])
        except BrokenEvidence as defect:
            raise self._blamed(defect) from None
        self._check_id(commit.match)
        if len(self.commits) == COMMITS_MAX or commit.last > EVENTS_MAX:
            most = f"{COMMITS_MAX} commits and {EVENTS_MAX} events"
            raise ArchiveError(number, f"the archive has more than {most}", commit.match, commit.first)
        if commit.at not in TIMES:
            problem = f"the time of this commit, {commit.at} ms since 1970, is not in the years 1 to 9999"
            raise ArchiveError(number, problem, commit.match, commit.first)
        opening = commit.events[0]
        if isinstance(opening, MatchOpened):
            self.opening = opening
        origin = None
        if self.commits and self.commits[-1].match != commit.match:
            origin = Origin(self.commits[-1].match, before.seq, before.hash)
        self.commits.append(
            NewCommit(commit.match, commit.first, commit.last, commit.key, self.check.head.hash, line[:-1], origin)
        )

    def _blamed(self, defect: BrokenEvidence) -> ArchiveError:
        """Return an error that names the edited line: the previous one, if the next line confirms this one's hash."""
        line, number = self.lines.line, self.lines.number
        vouched = _named_before(self.lines.following or b"") == chain_hash(line[:-1])
        if defect.problem == BROKEN_LINK and vouched:
            edited = self.commits[-1]
            return ArchiveError(number - 1, REWRITTEN, edited.match, edited.first)
        if line.startswith(b'{"end":'):
            return self.lines.fault or ArchiveError(number, "an archive ends with this line, but more lines follow")
        if line.startswith((_BEGINNING, b'{"attachment":')):
            return ArchiveError(number, "a line of this kind does not belong here", defect.match, defect.seq)
        return ArchiveError(number, defect.problem, defect.match, defect.seq)

    def _end(self) -> bool:
        """Check the last line against the commits, and return whether its SHA-256 matches as well."""
        number, head = self.lines.number, self.check.head
        self._check_is_whole()
        if self.lines.line.startswith((_BEGINNING, b'{"attachment":')):
            raise _missing_end(number + 1)
        if not self.commits:
            raise ArchiveError(number, "the archive holds no commits")
        end = self._plain(_TRAILER, "last line")
        sound = end.sha256 == self.lines.sha256_before
        if (end.end, end.events, end.head) != (FORMAT, head.seq, head.hash):
            edited = self.commits[-1]
            if not sound and end.events > head.seq:
                missing = f"events {head.seq + 1} to {end.events} are missing"
                raise ArchiveError(number, missing, edited.match, head.seq + 1)
            if not sound and end.events == head.seq:
                raise ArchiveError(number - 1, REWRITTEN, edited.match, edited.first)
            raise ArchiveError(number, "the last line does not match the lines before it")
        return sound

    def _check_names(self, header: Header, attachments: list[Digest]) -> None:
        """Check that the lines before the commits name this match."""
        match, opening = self.check.match, self.opening
        assert opening is not None
        if (header.match, header.game) != (match, opening.game):
            raise ArchiveError(
                1,
                f"it names match {header.match!r} of game {header.game!r}, "
                f"but the commits are of match {match!r} of game {opening.game!r}",
            )
        wanted = [digest for digest in attached(opening) if digest in attachments]
        for number, digest in enumerate(attachments):
            if wanted[number : number + 1] != [digest]:
                raise ArchiveError(2 + number, "the match was not opened with this file, or it is out of order")


def _missing_end(number: int) -> ArchiveError:
    return ArchiveError(number, f"the archive is cut off: its last line is missing; {COPY_AGAIN}")


def _named_before(line: bytes) -> Digest:
    """Return the hash that a commit or the last line gives of the commit before it; an impossible hash for any other line."""
    if line.startswith(b'{"commit":'):
        return named_before(line[:-1])
    try:
        return _TRAILER.decode(line).head
    except DecodeError:
        return Digest("")


def import_archive(lines: Iterable[bytes], log: Log) -> Imported:
    """Read and check an archive, and store the commits that the log lacks.

    The archive of a fork holds the shared part of its ancestors. Each ancestor becomes a match that ends there; importing its
    own archive continues it. Importing twice changes nothing.

    Raises:
        ArchiveError: It is not what was exported; nothing was stored.
        OtherMatch: The log holds another match of the same id; nothing was stored.
        StoreUnavailable: Nothing was stored.
        LostRace: The match was continued meanwhile; try again.
    """
    return store_archive(read_archive(lines), log)


def store_archive(archive: Archive, log: Log) -> Imported:
    """Store the commits of a checked archive that the log lacks; see `import_archive`."""
    missing = _missing(archive, log)
    for digest, content in archive.attachments.items():
        log.attach(digest, content)
    for receipt in log.append(missing):
        if isinstance(receipt, LostRace):
            raise receipt
    return Imported(archive.match, archive.head.seq, len(missing))


def _missing(archive: Archive, log: Log) -> list[NewCommit]:
    """Return the commits that the log lacks, after comparing those that it has."""
    missing: list[NewCommit] = []
    for match, commits in groupby(archive.commits, key=lambda new: new.match):
        own = list(commits)
        known = _known(log, match)
        if known and own[0].first != min(known):
            raise OtherMatch(match, min(own[0].first, *known))
        end = max(known, default=0)
        for new in own:
            if new.first <= end and known.get(new.first) != new.hash:
                raise OtherMatch(match, new.first)
        missing += [new for new in own if new.first > end]
    return missing


def _known(log: Log, match: MatchId) -> dict[int, Digest]:
    """Return the hashes of a match's own commits by their first events."""
    try:
        commits = log.read(match)
    except UnknownMatch:
        return {}
    return {stored.first: stored.hash for stored in commits if stored.match == match}
