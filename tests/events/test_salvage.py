"""Of a damaged match the part before the first defect is copied; an archive is read as far as it is sound."""

from collections.abc import Iterator
from random import Random

import pytest
from typing_extensions import override

from core.audit.match_audit import audit_match
from events.archive import export_match
from events.archive_reader import read_archive, read_sound_part
from events.codec import replace
from events.errors import ArchiveError, BrokenEvidence, NoArchive
from events.ids import Digest, MatchId
from events.log import Log, Stored
from events.memory_log import MemoryLog
from events.salvage import copy_sound_part
from tests.support.desk import Desk, skirmish_listed


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    with skirmish_listed():
        yield Desk.open().play(12, Random(1))


class Damaged(MemoryLog):
    """A log in which the bytes of one commit were changed."""

    def __init__(self, log: Log, match: MatchId, place: int) -> None:
        super().__init__()
        self._found = list(log.read(match))
        one = self._found[place]
        self._found[place] = replace(one, body=one.body.replace(b'"rule"', b'"rulE"', 1))

    @override
    def read(self, match: MatchId, after: int = 0, upto: int | None = None) -> Iterator[Stored]:
        """Return all commits."""
        return iter(self._found)

    @override
    def attachment(self, digest: Digest) -> bytes | None:
        """Return nothing."""
        return None


def commits(log: Log, match: MatchId) -> list[Stored]:
    return list(log.read(match))


def test_the_commits_before_the_first_defect_are_copied(desk: Desk) -> None:
    match = desk.match.id
    whole = commits(desk.log, match)
    copy, known = copy_sound_part(Damaged(desk.log, match, 5), match)

    assert known == match
    assert commits(copy, match) == whole[:5]
    earlier, _ = copy_sound_part(Damaged(desk.log, match, 5), match, whole[3].last)
    assert commits(earlier, match) == whole[:3]


class DamagedFiles(Damaged):
    """A log in which the files were changed, too."""

    @override
    def attachment(self, digest: Digest) -> bytes | None:
        """Return other bytes than were stored."""
        return b"damaged"


def test_a_file_that_is_damaged_is_left_out(desk: Desk) -> None:
    match = desk.match.id
    copy, _ = copy_sound_part(DamagedFiles(desk.log, match, 5), match)

    assert commits(copy, match) == commits(desk.log, match)[:5]
    assert copy.attachment(desk.match.table.board) is None


def test_a_sound_match_is_copied_whole_or_up_to_an_event(desk: Desk) -> None:
    match = desk.match.id
    whole = commits(desk.log, match)

    assert commits(copy_sound_part(desk.log, match)[0], match) == whole
    assert commits(copy_sound_part(desk.log, match, whole[4].last)[0], match) == whole[:4]
    assert audit_match(copy_sound_part(desk.log, match)[0], match).clean


def test_what_a_fork_shares_is_copied_as_the_match_that_it_is_of(desk: Desk) -> None:
    fork = desk.fork(whole_seq(desk), name="other").play(4, Random(2))
    match = fork.match.id
    copy, known = copy_sound_part(fork.log, match)

    assert known == match
    assert commits(copy, match) == commits(fork.log, match)
    assert copy_sound_part(fork.log, match, 3)[1] == desk.match.id


def whole_seq(desk: Desk) -> int:
    return commits(desk.log, desk.match.id)[-1].last


def test_without_a_sound_commit_there_is_nothing_to_copy(desk: Desk) -> None:
    match = desk.match.id

    with pytest.raises(BrokenEvidence, match="event 1: the bytes of this commit are not those that were written"):
        copy_sound_part(Damaged(desk.log, match, 0), match)
    with pytest.raises(BrokenEvidence, match="event 1: the match has no sound commits"):
        copy_sound_part(desk.log, match, 1)


def archive(desk: Desk) -> list[bytes]:
    return list(export_match(desk.log, desk.match.id))


def test_a_sound_archive_has_no_defect(desk: Desk) -> None:
    assert read_sound_part(archive(desk)) == (read_archive(archive(desk)), None)


def test_an_archive_is_read_up_to_its_first_defect(desk: Desk) -> None:
    lines = archive(desk)
    place = len(lines) - 4
    broken = [*lines[:place], lines[place].replace(b'"rule"', b'"rulE"', 1), *lines[place + 1 :]]
    sound, defect = read_sound_part(broken)

    assert defect is not None
    assert defect.line == place + 1
    assert sound.match == desk.match.id
    assert sound.commits == read_archive(lines).commits[:-3]
    assert sound.attachments == read_archive(lines).attachments


def test_a_commit_that_was_rewritten_is_not_sound(desk: Desk) -> None:
    lines = archive(desk)
    place = len(lines) - 4
    sound, defect = read_sound_part([*lines[:place], lines[place].replace(b'"at":', b'"at":1', 1), *lines[place + 1 :]])

    assert defect is not None
    assert sound.commits == read_archive(lines).commits[:-3]


def test_a_wrong_end_leaves_all_commits(desk: Desk) -> None:
    lines = archive(desk)
    sound, defect = read_sound_part(lines[:-1])

    assert defect is not None
    assert sound.commits == read_archive(lines).commits


def test_what_is_no_archive_has_no_sound_part(desk: Desk) -> None:
    with pytest.raises(ArchiveError):
        read_sound_part([b"nothing\n"])
    with pytest.raises(ArchiveError):
        read_sound_part(archive(desk)[:1])
    with pytest.raises(NoArchive):
        read_sound_part([b'{"view":"x"}\n', b"\n"])
