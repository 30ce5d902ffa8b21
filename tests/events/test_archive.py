"""Archives lose nothing, are reproducible byte for byte, and every defect of an archive is named."""

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import chain, repeat

import pytest
from typing_extensions import override

from events import archive_reader
from events.archive import FORMAT, export_match
from events.archive_reader import LINE_MAX, Imported, import_archive, read_archive
from events.codec import replace
from events.commit import GENESIS, Head, chain_hash
from events.errors import ArchiveError, BrokenEvidence, LostRace, OtherMatch, UnknownMatch
from events.ids import Digest, MatchId
from events.log import NewCommit, Receipt, Stored, fork_point
from events.memory_log import MemoryLog
from tests.events.making import BOARD, BOARD_DIGEST, POSITION, POSITION_DIGEST, Writer, end_of, march
from tests.support.rows import each_row
from tests.support.soak import sampled

SEED = "ab" * 32


@pytest.fixture
def log() -> MemoryLog:
    """Return a match with two attached files and a seed, its fork, and a fork of that."""
    log = MemoryLog()
    root = Writer("root")
    commits = [root.open(seed=SEED, position=POSITION_DIGEST), *(root.take(march(number)) for number in range(1, 7))]
    child = Writer("child", end_of(commits[3]))
    own = child.commits(4)
    log.append([*commits, *own, *Writer("grandchild", end_of(own[1])).commits(3)])
    log.attach(BOARD_DIGEST, BOARD)
    log.attach(POSITION_DIGEST, POSITION)
    return log


def lines(log: MemoryLog, match: str = "root") -> list[bytes]:
    return list(export_match(log, MatchId(match)))


def resealed(archive: list[bytes]) -> list[bytes]:
    """Replace the last line of an archive by the one that fits the lines before it, as a careful forger would."""
    bodies = [line[:-1] for line in archive[:-1] if line.startswith(b'{"commit"')]
    events = sum(len(json.loads(body)["events"]) for body in bodies)
    whole = sha256(b"".join(archive[:-1])).hexdigest()
    end = f'{{"end":"{FORMAT}","events":{events},"head":"{chain_hash(bodies[-1])}","sha256":"{whole}"}}\n'
    return [*archive[:-1], end.encode()]


def rechained(archive: list[bytes], at: int) -> list[bytes]:
    """Give all commits of an archive a time, with a valid chain, as a careful forger would."""
    made, before = list[bytes](), GENESIS
    for line in archive[:-1]:
        if line.startswith(b'{"commit"'):
            line = re.sub(rb'"at":-?\d+', f'"at":{at}'.encode(), line, count=1)  # noqa: PLW2901
            line = re.sub(rb'"prev":"\w+"', f'"prev":"{before}"'.encode(), line, count=1)  # noqa: PLW2901
            before = chain_hash(line[:-1])
        made.append(line)
    return resealed([*made, archive[-1]])


def problem(archive: list[bytes]) -> tuple[int, int, str]:
    """Return line, event and message of an archive's defect, and assert that nothing was stored."""
    empty = MemoryLog()
    with pytest.raises(ArchiveError) as caught:
        import_archive(archive, empty)

    assert empty.matches() == ()
    assert "\n" not in str(caught.value)
    return caught.value.line, caught.value.seq, caught.value.problem


# Round trips


def test_line_ends_that_a_mail_program_changed_are_read_and_told(log: MemoryLog) -> None:
    archive = lines(log)
    mailed = [line[:-1] + b"\r\n" for line in archive]
    read, changed = read_archive(archive), read_archive(mailed)

    assert (read.has_crlf, changed.has_crlf) == (False, True)
    assert changed == replace(read, has_crlf=True)
    assert read_archive([*archive[:3], *mailed[3:]]) == changed


@pytest.mark.parametrize("at", [-62_135_596_800_000, 253_402_300_799_999])
def test_the_times_of_the_calendar_are_read(at: int, log: MemoryLog) -> None:
    assert read_archive(rechained(lines(log), at)).commits


def test_an_archive_has_its_documented_format(log: MemoryLog) -> None:
    header, board, position, *commits, end = [json.loads(line) for line in lines(log)]

    assert header == {"archive": FORMAT, "match": "root", "game": "skirmish"}
    assert board == {"attachment": BOARD_DIGEST, "text": BOARD.decode()}
    assert position == {"attachment": POSITION_DIGEST, "base64": "AP9ub3QgYSB0ZXh0"}
    assert [commit["first"] for commit in commits] == [1, 2, 4, 6, 9, 11, 13]
    assert end == {
        "end": FORMAT,
        "events": 15,
        "head": log.head(MatchId("root")).hash,
        "sha256": sha256(b"".join(lines(log)[:-1])).hexdigest(),
    }


def test_the_lines_of_commits_are_the_bytes_that_are_hashed(log: MemoryLog) -> None:
    assert lines(log)[3:-1] == [stored.body + b"\n" for stored in log.read(MatchId("root"))]


@pytest.mark.parametrize("match", ["root", "child", "grandchild"])
def test_an_import_into_an_empty_store_reproduces_the_match(log: MemoryLog, match: str) -> None:
    archive, other = lines(log, match), MemoryLog()
    done = import_archive(archive, other)

    assert lines(other, match) == archive
    assert done == Imported(MatchId(match), log.head(MatchId(match)).seq, len(archive) - 4)
    assert list(other.read(MatchId(match))) == list(log.read(MatchId(match)))
    assert other.origin(MatchId(match)) == log.origin(MatchId(match))


@pytest.mark.parametrize("match", ["root", "grandchild"])
def test_importing_twice_changes_nothing(log: MemoryLog, match: str) -> None:
    archive, other = lines(log, match), MemoryLog()
    import_archive(archive, other)
    before = [lines(other, each) for each in other.matches()]

    assert import_archive(archive, other).new_commits == 0
    assert [lines(other, each) for each in other.matches()] == before


def test_a_fork_can_be_imported_before_its_ancestor(log: MemoryLog) -> None:
    other = MemoryLog()
    import_archive(lines(log, "grandchild"), other)

    assert other.matches() == ("root", "child", "grandchild")
    assert other.head(MatchId("root")).seq == 8

    import_archive(lines(log, "root"), other)
    import_archive(lines(log, "child"), other)

    assert [lines(other, match) for match in other.matches()] == [lines(log, match) for match in log.matches()]


def test_a_longer_archive_extends_the_match_in_the_store(log: MemoryLog) -> None:
    """A shorter archive, imported later, removes nothing."""
    early = MemoryLog()
    new = [again(stored) for stored in log.read(MatchId("root"))]
    early.append(new[:4])
    early.attach(BOARD_DIGEST, BOARD)
    early.attach(POSITION_DIGEST, POSITION)
    short, long, other = lines(early), lines(log), MemoryLog()
    import_archive(short, other)

    assert import_archive(long, other).new_commits == 3
    assert import_archive(short, other).new_commits == 0
    assert lines(other) == long


def again(stored: Stored) -> NewCommit:
    """Return a stored commit as one to append."""
    return NewCommit(stored.match, stored.first, stored.last, stored.key, stored.hash, stored.body)


def test_a_sealed_seed_never_leaves_its_store(log: MemoryLog) -> None:
    other = MemoryLog()
    import_archive(lines(log), other)

    assert SEED.encode() not in b"".join(lines(log))
    assert other.seed(MatchId("root")) == ""


def test_a_file_missing_from_the_store_is_omitted(log: MemoryLog) -> None:
    other = MemoryLog()
    log.append([Writer("plain").open()])
    archive = lines(log, "plain")
    without = [line for line in archive if not line.startswith(b'{"attachment"')]
    import_archive(resealed(without), other)

    assert len(without) == len(archive) - 1
    assert lines(other, "plain") == resealed(without)


@each_row(
    "content",
    [b"", b'\r\n\x00\xef\xbb\xbf"\\ \xe2\x80\xa8\x7f', b"\xef\xbb\xbfa mark", b"\xed\xa0\x80", b"\xff", b"\xc0\xaf"],
)
def test_a_file_of_any_bytes_survives_a_round_trip(content: bytes) -> None:
    log, other, writer = MemoryLog(), MemoryLog(), Writer("m")
    digest = Digest(sha256(content).hexdigest())
    log.append([writer.open(position=digest)])
    log.attach(digest, content)
    archive = lines(log, "m")
    import_archive(archive, other)

    assert other.attachment(digest) == content
    assert lines(other, "m") == archive


def test_exporting_a_missing_match_fails_at_once(log: MemoryLog) -> None:
    with pytest.raises(UnknownMatch):
        export_match(log, MatchId("gone"))


def test_no_archive_is_made_of_broken_evidence(log: MemoryLog) -> None:
    stream = log._streams[MatchId("root")]
    stream.commits[2] = stream.commits[1]
    with pytest.raises(BrokenEvidence, match="match root, event 4"):
        lines(log)


def test_no_archive_is_made_of_the_commits_of_another_match(log: MemoryLog) -> None:
    """The log gives all of the parent's commits, and its head, as the fork's."""
    log._streams[MatchId("child")] = log._streams[MatchId("root")]
    with pytest.raises(BrokenEvidence, match="match child, event 16: the store says that the match has 15 events"):
        lines(log, "child")


# Conflicts with the store


@pytest.mark.parametrize(("digest", "what"), [(BOARD_DIGEST, "board"), (POSITION_DIGEST, "position")])
def test_no_archive_is_made_of_a_damaged_file(log: MemoryLog, digest: Digest, what: str) -> None:
    """No store could import it, because the digest would differ."""
    log._attachments[digest] = log._attachments[digest][:-1] + b"!"
    lines = export_match(log, MatchId("child"))
    with pytest.raises(BrokenEvidence) as caught:
        next(lines)

    assert str(caught.value) == (
        f"match root, event 1: the {what} that the match was opened with ({digest[:12]}…) is damaged"
    )


def test_a_match_of_the_same_id_with_other_events_is_refused(log: MemoryLog) -> None:
    other, writer = MemoryLog(), Writer("root")
    writer.head = Head(3, list(log.read(MatchId("root")))[1].hash)
    other.append([again(stored) for stored in log.read(MatchId("root"), 0, 3)])
    other.append([writer.take(march(9), key="otherwise")])
    before = lines(other)
    for match in ("root", "child"):
        with pytest.raises(
            OtherMatch, match=r"^match root is in this store already, with other events from event 4 on: audit both$"
        ):
            import_archive(lines(log, match), other)

    assert other.matches() == ("root",)
    assert lines(other) == before


def test_a_fork_with_the_id_of_another_match_is_refused(log: MemoryLog) -> None:
    other = MemoryLog()
    other.append([Writer("child").open()])
    with pytest.raises(OtherMatch, match="with other events from event 1 on"):
        import_archive(lines(log, "child"), other)

    assert other.matches() == ("child",)


def test_a_match_with_the_id_of_a_fork_is_refused(log: MemoryLog) -> None:
    other = MemoryLog()
    other.append(Writer("child").commits(9))
    archive = lines(other, "child")
    with pytest.raises(OtherMatch, match="with other events from event 1 on"):
        import_archive(archive, log)


class _PlayedMeanwhile(MemoryLog):
    """A log to which another process appends between the comparison and the append."""

    @override
    def append(self, batch: Sequence[NewCommit]) -> list[Receipt]:
        if len(batch) > 1:
            writer = Writer("root")
            writer.open(position=POSITION_DIGEST)
            writer.head = self.head(MatchId("root"))
            super().append([writer.take(march(9), key="meanwhile")])
        return super().append(batch)


def test_a_match_played_on_during_the_import_is_a_lost_race(log: MemoryLog) -> None:
    other = _PlayedMeanwhile()
    other.append([again(next(log.read(MatchId("root"))))])
    with pytest.raises(LostRace):
        import_archive(lines(log), other)


# Defects


@pytest.mark.parametrize("match", sampled(["root", "grandchild"], lambda match: match == "grandchild"))
def test_every_single_flipped_byte_is_found_and_named(log: MemoryLog, match: str, budget: float) -> None:
    """Every byte of the archive is tried with one flipped bit, or with several under a larger budget.

    The message names the line with the flip, and its first event.
    """
    archive = lines(log, match)
    whole = b"".join(archive)
    firsts = [json.loads(line).get("first", 0) for line in archive]
    line, start = 0, 0
    for place in range(len(whole)):
        if place == start + len(archive[line]):
            line, start = line + 1, place
        for turn in range(min(8, max(1, round(budget)))):
            flipped = bytearray(whole)
            flipped[place] ^= 1 << (place + turn) % 8
            named = problem(_split(bytes(flipped)))

            assert named[0] == line + 1, (place, named)
            assert not firsts[line] or named[1] == firsts[line], (place, named)


def test_every_bit_of_a_sample_of_places_is_found(log: MemoryLog, budget: float) -> None:
    archive = lines(log, "child")
    whole = b"".join(archive)
    for place in range(0, len(whole), max(1, round(31 / budget))):
        for bit in range(8):
            flipped = bytearray(whole)
            flipped[place] ^= 1 << bit
            with pytest.raises(ArchiveError):
                read_archive(_split(bytes(flipped)))


def _split(content: bytes) -> list[bytes]:
    """Split a file into lines as the reader does."""
    *whole, rest = content.split(b"\n")
    return [*(line + b"\n" for line in whole), *([rest] if rest else [])]


@pytest.mark.parametrize("match", ["root", "child"])
def test_an_archive_cut_off_anywhere_is_said_to_be_cut_off_and_where(log: MemoryLog, match: str) -> None:
    """The message names the line that is not whole, or the missing one, and what to do."""
    whole = b"".join(lines(log, match))
    for end in range(1, len(whole)):
        line, _, words = problem(_split(whole[:end]))

        assert words.startswith("the archive is cut off"), (end, words)
        assert words.endswith("copy it again, or export the match again"), (end, words)
        assert line == whole[:end].count(b"\n") + 1, (end, line)


def test_a_commit_that_is_cut_off_has_its_event(log: MemoryLog) -> None:
    archive = lines(log)

    assert problem([*archive[:5], archive[5][:-1]])[:2] == (6, 4)
    assert problem([*archive[:-1], archive[-1][:-1]])[:2] == (11, 0)


def edited(number: int, old: bytes, new: bytes) -> Callable[[list[bytes]], list[bytes]]:
    """Return an edit of a line (from 0) that keeps the last line."""

    def edit(archive: list[bytes]) -> list[bytes]:
        assert old in archive[number]
        return [line.replace(old, new) if line is archive[number] else line for line in archive]

    return edit


def moved(archive: list[bytes]) -> list[bytes]:
    return [*archive[:4], archive[5], archive[4], *archive[6:]]


WRONG: dict[str, tuple[Callable[[list[bytes]], list[bytes]], tuple[int, int, str]]] = {
    "nothing": (lambda archive: archive[:0], (1, 0, "the archive is empty")),
    "an empty line": (lambda archive: [b"\n", *archive], (1, 0, "this is not an archive of a match")),
    "a foreign file": (lambda archive: [b"<html>\n", *archive[1:]], (1, 0, "this is not an archive of a match")),
    "without its first line": (lambda archive: archive[1:], (1, 0, "this is not an archive of a match")),
    "a byte order mark": (
        lambda archive: [b"\xef\xbb\xbf" + archive[0], *archive[1:]],
        (1, 0, "this is not an archive"),
    ),
    "another encoding": (
        lambda archive: [line.decode().encode("utf-16-le") for line in archive],
        (1, 0, "this is not an archive of a match"),
    ),
    "a later format": (edited(0, b"archive/1", b"archive/2"), (1, 0, "the format is 'wardiary-archive/2'")),
    "a field too many": (edited(0, b"}", b',"by":"me"}'), (1, 0, "this is not a valid first line: ")),
    "white space": (edited(0, b":", b": "), (1, 0, "is not written as an export writes it")),
    "more white space": (edited(0, b',"match"', b', "match"'), (1, 0, "is not written as an export writes it")),
    "line ends of an old system": (
        lambda archive: [line[:-1] + b"\r" for line in archive],
        (1, 0, "the archive is cut off in this line"),
    ),
    "line ends of another system, and an edit": (
        lambda archive: [line.replace(b'"at":1', b'"at":2', 1)[:-1] + b"\r\n" for line in archive],
        (5, 2, "this commit names another one as the one before it"),
    ),
    "a time beyond every calendar": (
        lambda archive: rechained(archive, 253_402_300_800_000),
        (4, 1, "the time of this commit, 253402300800000 ms since 1970, is not in the years 1 to 9999"),
    ),
    "a time before every calendar": (
        lambda archive: rechained(archive, -62_135_596_800_001),
        (4, 1, "the time of this commit, -62135596800001 ms since 1970, is not in the years 1 to 9999"),
    ),
    "a gigantic line": (lambda archive: [*archive[:3], b"x" * (LINE_MAX + 1)], (4, 0, "longer than 16 MiB")),
    "another match": (
        edited(0, b"root", b"rout"),
        (1, 0, "it names match 'rout' of game 'skirmish', but the commits are"),
    ),
    "another game": (edited(0, b"skirmish", b"skirmush"), (1, 0, "it names match 'root' of game 'skirmush'")),
    "an edited text": (edited(1, b"field", b"woods"), (2, 0, "does not have the SHA-256")),
    "an edited base64": (edited(2, b"AP9u", b"AP9v"), (3, 0, "does not have the SHA-256")),
    "a bad base64": (edited(2, b"AP9u", b"AP9u="), (3, 0, "is not written as an export writes it")),
    "text as base64": (edited(1, b"text", b"base64"), (2, 0, "is not written as an export writes it")),
    "a text in base64": (
        lambda archive: [
            archive[0],
            f'{{"attachment":"{BOARD_DIGEST}","base64":"{b64encode(BOARD).decode()}"}}\n'.encode(),
            *archive[2:],
        ],
        (2, 0, "is not written as an export writes it"),
    ),
    "no content": (edited(2, b',"base64":"AP9ub3QgYSB0ZXh0"', b""), (3, 0, "is not written as an export writes it")),
    "a file twice": (lambda archive: [*archive[:2], *archive[1:]], (3, 0, "this attached file comes twice")),
    "files out of order": (
        lambda archive: resealed([archive[0], archive[2], archive[1], *archive[3:]]),
        (2, 0, "the match was not opened with this file, or it is out of order"),
    ),
    "a foreign file attached": (
        lambda archive: resealed(
            [archive[0], f'{{"attachment":"{sha256(b"x").hexdigest()}","text":"x"}}\n'.encode(), *archive[2:]]
        ),
        (2, 0, "the match was not opened with this file, or it is out of order"),
    ),
    "a third file": (
        lambda archive: [
            *archive[:3],
            f'{{"attachment":"{sha256(b"x").hexdigest()}","text":"x"}}\n'.encode(),
            *archive[3:],
        ],
        (4, 0, "a match is opened with 2 files at most"),
    ),
    "a gigantic line behind a wrong one": (
        lambda archive: [b"\n", *archive[:1], b"x" * (LINE_MAX + 1)],
        (1, 0, "this is not an archive"),
    ),
    "a file among the commits": (
        lambda archive: [*archive[:5], archive[1], *archive[5:]],
        (6, 4, "a line of this kind does not belong here"),
    ),
    "an edited event": (edited(5, b"grenadier", b"fusiliers"), (6, 4, "the one after it names another hash")),
    "an edited last commit": (edited(-2, b"grenadier", b"fusiliers"), (10, 13, "the one after it names another hash")),
    "an edited link": (edited(5, b'"prev":"', b'"prev":"0'), (6, 4, "the chain is broken")),
    "an edited time": (edited(5, b'"at":1', b'"at":2'), (6, 4, "the one after it names another hash")),
    "an edited number": (edited(5, b'"first":4', b'"first":5'), (6, 4, "this commit begins with event 5")),
    "a wrong escape": (edited(5, b"grenadier", b"\\u0067renadier"), (6, 4, "not in its canonical form")),
    "a command that is no object": (
        lambda archive: resealed(edited(-2, b'"command":{"do":"move"}', b'"command":"move"')(archive)),
        (10, 13, "this is not a valid commit: Expected `object` - at `$.command`"),
    ),
    "a known key": (
        lambda archive: resealed(edited(-2, b'"root-6"', b'"root-2"')(archive)),
        (10, 13, "the idempotency key 'root-2' was used before"),
    ),
    "an unknown event": (edited(5, b"piece-placed/1", b"piece-placed/9"), (6, 4, "this is not a valid commit: ")),
    "a commit removed": (lambda archive: [*archive[:5], *archive[6:]], (6, 4, "this commit begins with event 6")),
    "the last commit removed": (lambda archive: [*archive[:-2], archive[-1]], (10, 13, "events 13 to 15 are missing")),
    "all commits removed": (lambda archive: [*archive[:3], archive[-1]], (4, 0, "the archive holds no commits")),
    "the end removed": (lambda archive: archive[:-1], (11, 0, "the archive is cut off: its last line is missing")),
    "the end twice": (lambda archive: [*archive, archive[-1]], (11, 0, "an archive ends with this line, but more")),
    "a commit twice": (lambda archive: [*archive[:6], *archive[5:]], (7, 6, "this commit begins with event 4")),
    "commits out of order": (moved, (5, 2, "this commit begins with event 4")),
    "more after the end": (lambda archive: [*archive, b"\n"], (11, 0, "an archive ends with this line, but more")),
    "junk after the end": (lambda archive: [*archive, b"x"], (11, 0, "an archive ends with this line, but more")),
    "a gigantic line after the end": (
        lambda archive: [*archive, b"x" * (LINE_MAX + 1)],
        (12, 0, "the line is longer than"),
    ),
    "a wrong count": (
        edited(-1, b'"events":15', b'"events":14'),
        (11, 0, "the last line does not match the lines before"),
    ),
    "a wrong head": (
        edited(-1, b'"head":"', b'"head":"0'),
        (11, 0, "the last line does not match the lines before it"),
    ),
    "a wrong sum": (
        edited(-1, b'"sha256":"', b'"sha256":"0'),
        (11, 0, "the SHA-256 of the lines before it differs"),
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_each_kind_of_defect_has_its_line_and_message(log: MemoryLog, name: str) -> None:
    spoil, (line, seq, words) = WRONG[name]
    found = problem(spoil(lines(log)))

    assert found[:2] == (line, seq)
    assert words in found[2]


@each_row("name", ["", "a\nb", "\x1b[2J", "x" * 101])
def test_an_id_that_cannot_be_printed_is_refused(name: str) -> None:
    log = MemoryLog()
    log.append(Writer(name).commits(2))
    line, _, words = problem(list(export_match(log, MatchId(name))))

    assert line == 2
    assert words.startswith("the id of a match has 1 to 100 printable characters, not '")


def test_errors_contain_no_control_characters_from_an_archive(log: MemoryLog) -> None:
    other = MemoryLog()
    other.append(Writer("\n\x1b[2J").commits(7))
    foreign = list(export_match(other, MatchId("\n\x1b[2J")))
    for archive in (
        foreign,
        [*lines(log)[:5], *foreign[3:]],
        [foreign[0], *lines(log)[1:]],
        [foreign[0], *foreign[2:]],
    ):
        with pytest.raises(ArchiveError) as caught:
            read_archive(archive)

        assert str(caught.value).isprintable()


def test_a_commit_of_another_match_is_refused(log: MemoryLog) -> None:
    other = MemoryLog()
    other.append(Writer("other").commits(7))
    foreign = lines(other, "other")
    archive = lines(log)
    archive[5] = foreign[3]

    assert problem(archive)[:2] == (6, 4)


def test_the_ancestors_of_a_fork_must_be_in_the_archive(log: MemoryLog) -> None:
    archive = [line for line in lines(log, "child") if b'"match":"root"' not in line or b'"archive"' in line]

    assert problem(archive)[1] == 1


def endless(archive: list[bytes], tail: bytes, taken: list[int]) -> Iterator[bytes]:
    """Yield the lines of an archive up to its commits, and then one line for ever; count the lines read."""
    for line in chain(archive, repeat(tail)):
        taken.append(1)
        yield line


@pytest.mark.parametrize("known", [0, 1, 2, 3, 6])
@pytest.mark.parametrize("tail", [b"\n", b"x\n", b"x" * 1_000 + b"\n"])
def test_reading_stops_at_the_first_line_of_junk(log: MemoryLog, known: int, tail: bytes) -> None:
    taken: list[int] = []
    with pytest.raises(ArchiveError, match=f"archive line {known + 1}"):
        read_archive(endless(lines(log)[:known], tail, taken))

    assert len(taken) == known + 2


def test_an_oversized_match_is_refused(log: MemoryLog, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = lines(log)
    monkeypatch.setattr(archive_reader, "COMMITS_MAX", 7)
    monkeypatch.setattr(archive_reader, "EVENTS_MAX", 15)
    monkeypatch.setattr(archive_reader, "ARCHIVE_MAX", len(b"".join(archive)))
    read_archive(archive)
    monkeypatch.setattr(archive_reader, "COMMITS_MAX", 6)

    assert problem(archive) == (10, 13, "the archive has more than 6 commits and 15 events")
    monkeypatch.setattr(archive_reader, "COMMITS_MAX", 7)
    monkeypatch.setattr(archive_reader, "EVENTS_MAX", 14)

    assert problem(archive) == (10, 13, "the archive has more than 7 commits and 14 events")
    monkeypatch.setattr(archive_reader, "ARCHIVE_MAX", len(b"".join(archive)) - 1)

    assert problem(archive)[:2] == (10, 13)
    monkeypatch.setattr(archive_reader, "EVENTS_MAX", 15)

    assert problem(archive) == (11, 0, "the archive is larger than 0 MiB")


def test_the_message_names_line_match_and_event(log: MemoryLog) -> None:
    archive = lines(log)
    archive[5] = archive[5].replace(b"grenadier", b"fusiliers")
    with pytest.raises(ArchiveError, match=r"^archive line 6, match root, event 4: this commit was rewritten"):
        read_archive(archive)


def test_an_archive_can_be_read_without_storing_it(log: MemoryLog) -> None:
    archive = read_archive(lines(log, "child"))
    head = log.head(MatchId("child"))

    assert (archive.match, archive.game, archive.head) == ("child", "skirmish", head)
    assert archive.attachments == {BOARD_DIGEST: BOARD, POSITION_DIGEST: POSITION}
    assert fork_point(log, MatchId("child"), head.seq).hash == archive.commits[-1].hash


def test_an_archive_never_causes_a_misuse_error_of_the_log(log: MemoryLog) -> None:
    other = MemoryLog()
    other.append([Writer("grandchild").open()])
    with pytest.raises(OtherMatch, match="with other events from event 1 on"):
        import_archive(lines(log, "grandchild"), other)

    assert other.matches() == ("grandchild",)
