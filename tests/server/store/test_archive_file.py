"""Archives as files: compressed or not, written completely or not at all, and read with limits on their size."""

import os
import re
import subprocess
import sys
import tracemalloc
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from random import Random

import pytest
import zstandard

from events.archive import export_match
from events.archive_reader import ARCHIVE_MAX, LINE_MAX, _Lines, import_archive, read_archive
from events.errors import ArchiveError, BrokenEvidence, StoreUnavailable
from events.ids import MatchId
from events.memory_log import MemoryLog
from projections.view_archive import export_view
from server.store.archive_file import WINDOW_MAX, archive_lines, read_lines, write_archive, write_lines
from server.store.sqlite_log import SqliteLog
from tests.events.making import BOARD, BOARD_DIGEST, Writer, end_of
from tests.support.desk import Desk
from tests.support.rows import each_row
from tests.support.skirmish import RED

ROOT = Path(__file__).parents[3]
MATCH = MatchId("fork")
SEAL_SIZE = 40


@pytest.fixture(scope="module")
def archive() -> list[bytes]:
    log = MemoryLog()
    root = Writer("root").commits(6)
    log.append([*root, *Writer("fork", end_of(root[3])).commits(30)])
    log.attach(BOARD_DIGEST, BOARD)
    return list(export_match(log, MATCH))


@pytest.fixture(params=["match.ndjson", "match.zst"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return tmp_path / str(request.param)


def test_a_written_archive_is_read_back_unchanged(path: Path, archive: list[bytes]) -> None:
    size = write_archive(path, archive)

    assert size == path.stat().st_size
    assert list(archive_lines(path)) == archive
    assert (path.read_bytes() == b"".join(archive)) == (path.suffix != ".zst")


def test_writing_again_replaces_the_file_with_the_same_bytes(path: Path, archive: list[bytes]) -> None:
    path.write_bytes(b"something else")
    write_archive(path, archive, is_forced=True)
    first = path.read_bytes()
    write_archive(path, iter(archive))

    assert path.read_bytes() == first
    assert list(path.parent.iterdir()) == [path]


def test_a_match_can_be_moved_between_stores_in_a_file(path: Path, archive: list[bytes], tmp_path: Path) -> None:
    write_archive(path, archive)
    with SqliteLog(tmp_path / "store.db") as log:
        done = import_archive(archive_lines(path), log)
        again = path.with_stem("again")
        write_archive(again, export_match(log, MATCH))

    assert done.new_commits == 34
    assert again.read_bytes() == path.read_bytes()


def test_the_content_of_a_file_decides_its_format_and_not_its_name(tmp_path: Path, archive: list[bytes]) -> None:
    packed, plain = tmp_path / "a.zst", tmp_path / "b.ndjson"
    write_archive(packed, archive)
    write_archive(plain, archive)
    packed.rename(tmp_path / "c.ndjson")
    plain.rename(tmp_path / "d.zst")

    assert list(archive_lines(tmp_path / "c.ndjson")) == archive
    assert list(archive_lines(tmp_path / "d.zst")) == archive


def test_other_compressors_of_the_same_kind_are_read_too(tmp_path: Path, archive: list[bytes]) -> None:
    path = tmp_path / "match.zst"
    path.write_bytes(zstandard.ZstdCompressor(level=19, threads=0).compress(b"".join(archive)))

    assert list(archive_lines(path)) == archive


def test_a_compressed_archive_is_much_smaller(tmp_path: Path, archive: list[bytes]) -> None:
    size = write_archive(tmp_path / "match.zst", archive)

    assert size * 4 < len(b"".join(archive))


def test_exporting_broken_evidence_leaves_no_file(path: Path, archive: list[bytes]) -> None:
    def lines() -> Iterator[bytes]:
        yield from archive[:5]
        raise BrokenEvidence(MATCH, 5, "planted")

    path.write_bytes(b"an older archive")
    with pytest.raises(BrokenEvidence):
        write_archive(path, lines(), is_forced=True)

    assert path.read_bytes() == b"an older archive"
    assert list(path.parent.iterdir()) == [path]


def test_a_pipe_is_written_to_and_not_replaced_by_a_file(path: Path, archive: list[bytes]) -> None:
    os.mkfifo(path)
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(path.read_bytes)

        assert write_archive(path, archive) == 0
        assert list(read_lines(BytesIO(read.result()))) == archive
    assert path.is_fifo()
    assert list(path.parent.iterdir()) == [path]


def test_a_link_is_followed_and_not_replaced(path: Path, archive: list[bytes]) -> None:
    path.write_bytes(b"an older archive")
    link = path.with_name(f"link-{path.name}")
    link.symlink_to(path)
    write_archive(link, archive, is_forced=True)

    assert link.is_symlink()
    assert list(archive_lines(path)) == archive


def test_a_reader_of_the_old_file_can_read_it_to_its_end(path: Path, archive: list[bytes]) -> None:
    """The new file replaces the old one; the old one is not overwritten."""
    path.write_bytes(b"an older archive")
    with path.open("rb") as reader:
        write_archive(path, archive, is_forced=True)

        assert reader.read() == b"an older archive"


def test_a_file_that_cannot_be_written_is_reported_in_one_line(tmp_path: Path, archive: list[bytes]) -> None:
    path = tmp_path / "gone" / "match.ndjson"
    with pytest.raises(StoreUnavailable, match=re.escape(f"{path} cannot be written: No such file or directory")):
        write_archive(path, archive)

    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreUnavailable, match=r"folder cannot be written: Is a directory$"):
        write_archive(tmp_path / "folder", archive)


def test_a_full_disk_leaves_no_partial_file(tmp_path: Path, archive: list[bytes]) -> None:
    code = """
import resource, sys
from pathlib import Path
from events.errors import StoreUnavailable
from server.store.archive_file import write_archive
resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, 5_000))
try:
    write_archive(Path(sys.argv[1]), [b"x" * 99 + b"\\n"] * 9_999)
except StoreUnavailable as error:
    print(error)
"""
    path = tmp_path / "match.ndjson"
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert done.stdout == f"{path} cannot be written: File too large\n"
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_read_is_reported_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "gone.ndjson"
    with pytest.raises(StoreUnavailable, match=re.escape(f"{path} cannot be read: No such file or directory")):
        list(archive_lines(path))
    with pytest.raises(StoreUnavailable, match=r"cannot be read: Is a directory$"):
        list(archive_lines(tmp_path))


@pytest.fixture(scope="module")
def packed(archive: list[bytes]) -> bytes:
    file = BytesIO()
    write_lines(file, archive, packed=True)
    return file.getvalue()


def lines_of(content: bytes) -> list[bytes]:
    return list(read_lines(BytesIO(content)))


def test_a_truncated_compressed_archive_is_said_to_be_cut_off(packed: bytes) -> None:
    """Also in its seal, where all lines are whole; without the seal it is an archive that another program compressed."""
    for end in range(1, len(packed)):
        if end != len(packed) - SEAL_SIZE:
            with pytest.raises(ArchiveError, match=rf"the compressed archive is cut off after {end} bytes?: copy it"):
                read_archive(read_lines(BytesIO(packed[:end])))


def test_a_defect_of_the_compressed_file_after_the_last_line_is_the_one_reported(packed: bytes) -> None:
    with pytest.raises(ArchiveError, match="its seal does not fit, or more follows"):
        read_archive(read_lines(BytesIO(packed[:-1] + bytes([packed[-1] ^ 1]))))


def test_any_flipped_byte_of_a_compressed_archive_is_found(packed: bytes, budget: float) -> None:
    for place in range(len(packed)):
        for turn in range(min(8, max(1, round(budget)))):
            flipped = bytearray(packed)
            flipped[place] ^= 1 << (place + turn) % 8
            with pytest.raises(ArchiveError):
                read_archive(lines_of(bytes(flipped)))


def test_without_its_seal_a_flipped_bit_may_not_be_noticed(packed: bytes, archive: list[bytes]) -> None:
    """This is why the seal exists; the unpacked content is the same even then."""
    unnoticed = 0
    for place in range(4, 6):
        for bit in range(8):
            flipped = bytearray(packed[:-SEAL_SIZE])
            flipped[place] ^= 1 << bit
            with suppress(ArchiveError):
                assert lines_of(bytes(flipped)) == archive
                unnoticed += 1

    assert unnoticed > 0


def test_an_archive_compressed_by_another_program_has_no_seal(archive: list[bytes]) -> None:
    assert lines_of(zstandard.ZstdCompressor(level=19).compress(b"".join(archive))) == archive


def test_other_programs_can_unpack_our_archives(packed: bytes, archive: list[bytes]) -> None:
    """Other programs skip the seal."""
    with zstandard.ZstdDecompressor().stream_reader(BytesIO(packed), read_across_frames=True) as file:
        assert file.read() == b"".join(archive)


@each_row("more", [b"x", b"\x00" * 500, b"\x28\xb5\x2f\xfd", "again"])
def test_nothing_may_follow_a_compressed_archive(packed: bytes, more: bytes | str) -> None:
    with pytest.raises(
        ArchiveError, match=r"^archive: the compressed archive is damaged: its seal does not fit, or more"
    ):
        lines_of(packed + (more if isinstance(more, bytes) else packed))


def test_a_damaged_compressed_archive_is_reported_in_one_line(packed: bytes) -> None:
    with pytest.raises(ArchiveError, match=r"^archive: the compressed archive is damaged: ") as caught:
        lines_of(packed[:20] + b"\xff" * 20 + packed[40:])

    assert "\n" not in str(caught.value)


def bomb(size: int, *, newlines: bool) -> bytes:
    """Return a compressed archive that unpacks to this many bytes."""
    chunk = (b" " * 999 + b"\n" if newlines else b" " * 1_000) * 1_000
    compressor = zstandard.ZstdCompressor(level=19).compressobj()
    parts = [compressor.compress(chunk) for _ in range(size // len(chunk))]
    return b"".join([*parts, compressor.flush()])


def test_a_decompression_bomb_without_line_ends_is_refused_in_little_memory() -> None:
    content = bomb(2 * ARCHIVE_MAX, newlines=False)
    tracemalloc.start()
    with pytest.raises(ArchiveError, match=r"^archive line 1: the line is longer than 16 MiB$"):
        read_archive(read_lines(BytesIO(content)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert len(content) * 1_000 < ARCHIVE_MAX
    assert peak < 4 * LINE_MAX


def test_a_decompression_bomb_of_many_lines_is_refused_at_the_limit() -> None:
    with pytest.raises(ArchiveError, match=r"the archive is larger than 256 MiB$"):
        for _ in read_lines(BytesIO(bomb(ARCHIVE_MAX + LINE_MAX, newlines=True))):
            pass


def test_an_archive_that_needs_too_much_memory_to_unpack_is_refused() -> None:
    parameters = zstandard.ZstdCompressionParameters(window_log=WINDOW_MAX.bit_length(), enable_ldm=True)
    compressor = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    with pytest.raises(ArchiveError, match=r"^archive: decompressing it needs 16 MiB of memory, the limit is 8"):
        lines_of(compressor.compress(b"x") + compressor.flush())


def test_our_own_archives_unpack_within_the_memory_limit(packed: bytes) -> None:
    assert zstandard.get_frame_parameters(packed).window_size <= WINDOW_MAX


HEADER = b'{"archive":"wardiary-archive/1","match":"m","game":"advance"}\n'


@each_row("head", [b"", HEADER])
@each_row("tail", [b"\n", b"a\n", b"abcdefgh\n", b" " * 99 + b"\n"])
def test_reading_a_decompression_bomb_stops_at_its_first_bad_line(head: bytes, tail: bytes) -> None:
    compressor = zstandard.ZstdCompressor(level=3).compressobj()
    chunk = tail * (4_000_000 // len(tail))
    parts = [compressor.compress(head), *[compressor.compress(chunk) for _ in range(25)], compressor.flush()]
    tracemalloc.start()
    with pytest.raises(ArchiveError, match=f"^archive line {2 if head else 1}: "):
        read_archive(read_lines(BytesIO(b"".join(parts))))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < 32 << 20


@each_row("content", [b"", b"\n", b"a", b"a\n", b"a\nb", b"\n\n", b"a\r\nb\r\n"])
def test_lines_are_split_only_after_line_feeds(content: bytes) -> None:
    packed = zstandard.ZstdCompressor().compress(content)

    assert lines_of(content) == lines_of(packed) == BytesIO(content).readlines()


@each_row("content", [b"x" * (LINE_MAX + 1), b"a\n" + b"x" * (LINE_MAX * 2) + b"\nb\n"])
def test_an_overlong_line_is_refused_with_its_number(content: bytes) -> None:
    with pytest.raises(ArchiveError, match=rf"^archive line {content.count(b'a') + 1}: "):
        list(numbered(read_lines(BytesIO(content))))


def numbered(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Read lines as an archive reader does, whatever their content."""
    taken = _Lines(lines)
    while not taken.is_last:
        taken.step()
        yield taken.line


# The published description of the format


@pytest.fixture(scope="module")
def program() -> str:
    """Return the program in the description of the archive."""
    text = (ROOT / "docs" / "archive.md").read_text(encoding="utf-8")
    (found,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    return str(found)


def stranger(program: str, path: Path) -> subprocess.CompletedProcess[str]:
    """Run the program with plain Python, without War Diary."""
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, str(path)], capture_output=True, text=True, check=False
    )


def test_the_ten_lines_of_the_description_check_an_archive(program: str, tmp_path: Path, archive: list[bytes]) -> None:
    path = tmp_path / "match.ndjson"
    write_archive(path, archive)
    done = stranger(program, path)
    head = read_archive(archive).head

    assert program.count("\n") <= 11
    assert done.stdout == f"{head.seq} events, head {head.hash}\n"
    assert done.stderr == ""


def test_the_ten_lines_of_the_description_read_an_export_for_a_seat(program: str, tmp_path: Path) -> None:
    """They also find a flipped byte and a missing line in it."""
    desk = Desk.open().play(5, Random(1))
    lines = list(export_view(desk.log, desk.match.id, RED, desk.table))
    path = tmp_path / "view.ndjson"
    write_archive(path, lines)
    done = stranger(program, path)

    assert done.stdout == f"{len(desk.events)} events, head none: this is what one seat saw\n"
    for number in range(len(lines)):
        line = bytearray(lines[number])
        line[len(line) // 2] ^= 1
        for instead in (bytes(line), b""):
            path.write_bytes(b"".join([*lines[:number], instead, *lines[number + 1 :]]))

            assert stranger(program, path).returncode == 1


@pytest.mark.parametrize("number", [0, 1, 4, -2, -1])
def test_the_ten_lines_of_the_description_find_a_flipped_byte_in_any_line(
    program: str, tmp_path: Path, archive: list[bytes], number: int
) -> None:
    line = bytearray(archive[number])
    line[len(line) // 2] ^= 1
    path = tmp_path / "match.ndjson"
    path.write_bytes(b"".join([*archive[: number % len(archive)], bytes(line), *archive[number % len(archive) + 1 :]]))

    assert stranger(program, path).returncode == 1


def test_the_description_names_every_field_and_kind_of_line(archive: list[bytes]) -> None:
    text = (ROOT / "docs" / "archive.md").read_text(encoding="utf-8")
    commit = re.findall(rb'"(\w+)":', archive[2].split(b'"command"')[0])
    for name in [
        *commit,
        b"command",
        b"events",
        b"archive",
        b"attachment",
        b"text",
        b"base64",
        b"end",
        b"head",
        b"sha256",
    ]:
        assert f"`{name.decode()}`" in text or f'"{name.decode()}":' in text, name
