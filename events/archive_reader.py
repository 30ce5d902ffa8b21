"""Reads archives: every line is checked before anything is believed, and the first that is wrong is named."""

import binascii
import hashlib
from collections.abc import Iterable
from itertools import groupby
from typing import TypeVar

from events.archive import FORMAT, VIEW_FORMAT, Attachment, Header, Trailer, attached, attachment_record
from events.chain import BROKEN_LINK, REWRITTEN, ChainCheck, named_before
from events.codec import DecodeError, Decoder, Struct, encode
from events.commit import Head, chain_hash
from events.errors import ArchiveError, BrokenEvidence, LostRace, NoArchive, OtherMatch, UnknownMatch
from events.ids import Digest, GameKey, MatchId
from events.log import Log, NewCommit, Origin
from events.vocabulary import MatchOpened

LINE_MAX = 1 << 24
"""Bytes of the longest line: a hundred times the largest commit there ever was."""

ID_MAX = 100
"""Characters of the longest id of a match."""

ARCHIVE_MAX = 1 << 28
"""Bytes of the largest archive: some two million events."""


class Archive(Struct, frozen=True):
    """A checked archive: the match, the files it was opened with, and its commits, a fork's shared prefix first."""

    match: MatchId
    game: GameKey
    attachments: dict[Digest, bytes]
    commits: tuple[NewCommit, ...]

    @property
    def head(self) -> Head:
        """Where the match stands."""
        return Head(self.commits[-1].last, self.commits[-1].hash)


class Imported(Struct, frozen=True):
    """What an import did: the match, its number of events, and how many commits were new to the store."""

    match: MatchId
    events: int
    new_commits: int


Record = TypeVar("Record", bound=Struct)

_HEADER: Decoder[Header] = Decoder(Header)
_ATTACHMENT: Decoder[Attachment] = Decoder(Attachment)
_TRAILER: Decoder[Trailer] = Decoder(Trailer)


def read_archive(lines: Iterable[bytes]) -> Archive:
    """Read and check an archive.

    Args:
        lines: Its lines, each with its line feed.

    Raises:
        ArchiveError: It is not exactly what was exported; the first line that is wrong is named, and its first event.
        NoArchive: It is what one seat saw.
    """
    reader = _Reader(_bounded(lines))
    return reader.read()


def _bounded(lines: Iterable[bytes]) -> list[bytes]:
    """Collect lines as long as they are whole and not too many."""
    kept: list[bytes] = []
    size = 0
    for number, line in enumerate(lines, start=1):
        size += len(line)
        if len(line) > LINE_MAX:
            raise ArchiveError(number, f"the line is longer than {LINE_MAX >> 20} MiB")
        if size > ARCHIVE_MAX:
            raise ArchiveError(number, f"the archive is larger than {ARCHIVE_MAX >> 20} MiB")
        kept.append(line)
    return kept


class _Reader:
    """Goes through the lines of one archive."""

    def __init__(self, lines: list[bytes]) -> None:
        self.lines = lines
        self.check = ChainCheck()
        self.commits: list[NewCommit] = []
        self.opening: MatchOpened | None = None

    def read(self) -> Archive:
        """Check line by line; every error names the first line that is wrong."""
        header = self._header()
        attachments = self._attachments()
        # The last line is looked at as a commit too if it is one, so that it is known whether it is whole.
        end = len(self.lines) - (not self.lines[-1].startswith(b'{"commit":'))
        for index in range(1 + len(attachments), end):
            self._commit(index)
        whole = self._end()
        self._check_names(header, list(attachments))
        if not whole:
            raise ArchiveError(len(self.lines), "the SHA-256 of the lines before it is another one")
        return Archive(header.match, header.game, attachments, tuple(self.commits))

    def _plain(self, index: int, decoder: Decoder[Record], what: str) -> Record:
        """Decode a line that is no commit."""
        line = self.lines[index]
        try:
            record = decoder.decode(line)
        except DecodeError as error:
            raise ArchiveError(index + 1, f"this is no {what}: {error}") from None
        if encode(record) + b"\n" != line:
            raise ArchiveError(index + 1, f"this {what} is not written as an export writes it")
        return record

    def _header(self) -> Header:
        if not self.lines:
            raise ArchiveError(1, "the archive is empty")
        if self.lines[0].startswith(b'{"view":'):
            raise NoArchive(
                f"this is what one seat saw of a match ({VIEW_FORMAT}), not the archive of the match: without its commands "
                "and the secrets of others it can be neither imported nor audited"
            )
        if not self.lines[0].startswith(b'{"archive":'):
            raise ArchiveError(1, "this is no archive of a match: it does not begin with its format")
        header = self._plain(0, _HEADER, "first line")
        if header.archive != FORMAT:
            raise ArchiveError(1, f"the format is {header.archive!r}; this program knows {FORMAT!r}")
        return header

    def _check_id(self, index: int, match: MatchId) -> None:
        """Make sure that a match's id can be printed: it is the one foreign text that every message quotes."""
        if not (match.isprintable() and 1 <= len(match) <= ID_MAX):
            raise ArchiveError(
                index + 1, f"the id of a match has 1 to {ID_MAX} printable characters, not {match[:ID_MAX]!r}"
            )

    def _attachments(self) -> dict[Digest, bytes]:
        attachments: dict[Digest, bytes] = {}
        for index in range(1, len(self.lines)):
            if not self.lines[index].startswith(b'{"attachment":'):
                break
            record = self._plain(index, _ATTACHMENT, "attached file")
            content = _content(record)
            if content is None or attachment_record(record.attachment, content) != record:
                raise ArchiveError(index + 1, "this attached file is not written as an export writes it")
            if hashlib.sha256(content).hexdigest() != record.attachment:
                raise ArchiveError(index + 1, "this attached file does not have the SHA-256 that it is filed under")
            if record.attachment in attachments:
                raise ArchiveError(index + 1, "this attached file comes twice")
            attachments[record.attachment] = content
        return attachments

    def _commit(self, index: int) -> None:
        before, line = self.check.head, self.lines[index]
        if not line.endswith(b"\n"):
            raise ArchiveError(index + 1, "the archive is cut off in this line", self.check.match, before.seq + 1)
        try:
            commit = self.check.take_body(line[:-1])
        except BrokenEvidence as defect:
            raise self._blamed(index, defect) from None
        self._check_id(index, commit.match)
        opening = commit.events[0]
        if isinstance(opening, MatchOpened):
            self.opening = opening
        origin = None
        if self.commits and self.commits[-1].match != commit.match:
            origin = Origin(self.commits[-1].match, before.seq, before.hash)
        self.commits.append(
            NewCommit(commit.match, commit.first, commit.last, commit.key, self.check.head.hash, line[:-1], origin)
        )

    def _blamed(self, index: int, defect: BrokenEvidence) -> ArchiveError:
        """Name the line that was edited: the one before, if the one after vouches for this one."""
        vouched = self._named_before(index + 1) == chain_hash(self.lines[index][:-1])
        if defect.problem == BROKEN_LINK and vouched:
            edited = self.commits[-1]
            return ArchiveError(index, REWRITTEN, edited.match, edited.first)
        if self.lines[index].startswith((b'{"archive":', b'{"attachment":', b'{"end":')):
            return ArchiveError(index + 1, "a line of this kind does not belong here", defect.match, defect.seq)
        return ArchiveError(index + 1, defect.problem, defect.match, defect.seq)

    def _named_before(self, index: int) -> Digest:
        """Return the hash that a line gives of the commit before it."""
        line = self.lines[index] if index < len(self.lines) else b""
        if index < len(self.lines) - 1:
            return named_before(line[:-1])
        try:
            return _TRAILER.decode(line).head
        except DecodeError:
            return Digest("")

    def _end(self) -> bool:
        """Check the last line against the commits, and return whether its SHA-256 fits as well."""
        number, head, last = len(self.lines), self.check.head, self.lines[-1]
        if last.startswith(b'{"commit":'):
            raise ArchiveError(number + 1, "the archive is cut off: its last line is missing")
        if not self.commits:
            raise ArchiveError(number, "the archive holds no commits")
        end = self._plain(number - 1, _TRAILER, "last line")
        whole = hashlib.sha256()
        for line in self.lines[:-1]:
            whole.update(line)
        sound = end.sha256 == whole.hexdigest()
        if (end.end, end.events, end.head) != (FORMAT, head.seq, head.hash):
            edited = self.commits[-1]
            if not sound and end.events > head.seq:
                missing = f"events {head.seq + 1} to {end.events} are missing"
                raise ArchiveError(number, missing, edited.match, head.seq + 1)
            if not sound and end.events == head.seq:
                raise ArchiveError(number - 1, REWRITTEN, edited.match, edited.first)
            raise ArchiveError(number, "the last line does not fit the lines before it")
        return sound

    def _check_names(self, header: Header, attachments: list[Digest]) -> None:
        """Make sure that the lines before the commits speak of this match."""
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


def _content(record: Attachment) -> bytes | None:
    if record.text is not None:
        return record.text.encode()
    try:
        return None if record.base64 is None else binascii.a2b_base64(record.base64, strict_mode=True)
    except ValueError:
        return None


def import_archive(lines: Iterable[bytes], log: Log) -> Imported:
    """Read an archive, check it whole, and store what the log does not have of it yet.

    A fork brings the part of its ancestors that it shares; each of them becomes a match that ends there, and goes on when
    its own archive is imported. Importing twice changes nothing.

    Raises:
        ArchiveError: It is not what was exported; nothing was stored.
        OtherMatch: The log holds another match of the same id; nothing was stored.
        StoreUnavailable: Nothing was stored.
        LostRace: The match was played on meanwhile; try again.
    """
    return store_archive(read_archive(lines), log)


def store_archive(archive: Archive, log: Log) -> Imported:
    """Store what the log does not have of a checked archive; see `import_archive`."""
    missing = _missing(archive, log)
    for digest, content in archive.attachments.items():
        log.attach(digest, content)
    for receipt in log.append(missing):
        if isinstance(receipt, LostRace):
            raise receipt
    return Imported(archive.match, archive.head.seq, len(missing))


def _missing(archive: Archive, log: Log) -> list[NewCommit]:
    """Return the commits that the log does not have, after comparing those that it has."""
    missing: list[NewCommit] = []
    for match, commits in groupby(archive.commits, key=_match_of):
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


def _match_of(new: NewCommit) -> MatchId:
    return new.match


def _known(log: Log, match: MatchId) -> dict[int, Digest]:
    """Return the hashes of a match's own commits by their first events."""
    try:
        commits = log.read(match)
    except UnknownMatch:
        return {}
    return {stored.first: stored.hash for stored in commits if stored.match == match}
