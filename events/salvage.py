"""Salvage of a damaged match: a copy of its commits before the first defect."""

from collections.abc import Iterator
from contextlib import suppress

from events.archive import attached
from events.chain import checked
from events.codec import DecodeError
from events.commit import decode_commit
from events.errors import BrokenEvidence, LogMisuse, StoreDamaged
from events.ids import MatchId
from events.log import Log, NewCommit, Origin, Stored
from events.memory_log import MemoryLog
from events.vocabulary import MatchOpened


def copy_sound_part(log: Log, match: MatchId, before: int | None = None) -> tuple[MemoryLog, MatchId]:
    """Copy the commits of a match up to its first defect, and the sound ones of the files that it was opened with.

    Args:
        log: The log that holds it.
        match: Its id.
        before: Only commits that end before this event.

    Returns:
        The copy, and the match in it: an ancestor if the defect lies in what a fork shares with that.

    Raises:
        UnknownMatch: There is no such match.
        BrokenEvidence: Nothing of it is sound; also StoreDamaged.
    """
    read: list[Stored] = []

    def watched() -> Iterator[Stored]:
        for stored in log.read(match):
            read.append(stored)
            yield stored

    limit = before
    fault: BrokenEvidence | StoreDamaged | None = None
    try:
        for _ in checked(watched(), match):
            pass
    except BrokenEvidence as error:
        limit, fault = min(error.seq, before or error.seq), error
    except StoreDamaged as error:
        fault = error
    sound = [stored for stored in read if limit is None or stored.last < limit]
    if not sound:
        raise fault or BrokenEvidence(match, 1, "the match has no sound commits")
    copy = MemoryLog()
    _copy_files(log, copy, sound[0])
    copy.append(list(_as_new(sound)))
    return copy, sound[-1].match


def _copy_files(log: Log, copy: MemoryLog, first: Stored) -> None:
    try:
        opening = decode_commit(first.body).events[0]
    except DecodeError:
        return
    if isinstance(opening, MatchOpened):
        for digest in attached(opening):
            content = log.attachment(digest)
            if content is None:
                continue
            # A file that was damaged, too, is left out, as if it were not there.
            with suppress(LogMisuse):
                copy.attach(digest, content)


def _as_new(commits: list[Stored]) -> Iterator[NewCommit]:
    before: Stored | None = None
    for one in commits:
        is_fork = before is not None and before.match != one.match
        origin = Origin(before.match, before.last, before.hash) if before is not None and is_fork else None
        yield NewCommit(one.match, one.first, one.last, one.key, one.hash, one.body, origin)
        before = one
