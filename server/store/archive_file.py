"""Archive files: plain, or compressed with Zstandard if the name ends in `.zst`.

Reading detects compression by the content, not by the name, keeps at most one line in memory, and trusts no size that the file
declares, because a few bytes may decompress to any amount.
"""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import zstandard

from core.wording import counted
from events.archive_reader import ARCHIVE_MAX, COPY_AGAIN, LINE_MAX
from events.errors import ArchiveError, StoreUnavailable
from server.store.whole_file import kept_reason, write_whole

SUFFIX = ".zst"
LEVEL = 10
"""The compression level: a match shrinks to a tenth of its size, in a fraction of the time that reading it takes."""

WINDOW_MAX = 1 << 23
"""Bytes of memory that decompression may need: twice what our own level needs, and what every decompressor must support."""

_MAGIC = b"\x28\xb5\x2f\xfd"
_SEAL = b"\x5e\x2a\x4d\x18\x20\x00\x00\x00"
"""Begins a frame of 32 bytes that every decompressor skips. It holds the SHA-256 of the compressed bytes before it, because a few
bits of the format's own header may flip without changing the decompressed bytes, and so without detection."""
_FRAME_HEADER_MAX = 18
"""Bytes of the longest header of a frame; fewer may not be a whole one."""
_STEP = 256
"""Compressed bytes decompressed at once: they give about 8 MiB at most."""


def write_archive(path: Path, lines: Iterable[bytes], *, is_forced: bool = False) -> int:
    """Write an archive as `server.store.whole_file` writes files; only its owner may read a new file.

    A file with the same first line is replaced: an archive of the same match, or what the same seat saw of it.

    Args:
        path: The file; compressed if its name ends in `.zst`.
        lines: The lines that `events.archive.export_match` yields.
        is_forced: Whether any other file is replaced, too, where that is possible.

    Returns:
        The size of the file in bytes; 0 if it is not a regular file.

    Raises:
        OutputRefused: What is there stays.
        StoreUnavailable: The file cannot be written.
        LogError: Raised by the lines; no file is left behind then.
    """
    waiting = iter(lines)
    first = next(waiting, b"")
    parts = _parts(chain((first,), waiting), packed=path.name.endswith(SUFFIX))
    may_replace = is_forced or _first_line(path) == first
    return write_whole(path, parts, "archives", is_private=True, may_replace=may_replace)


def _first_line(path: Path) -> bytes:
    """Return the first line of an archive; empty if it cannot be read as one."""
    if path.is_file() and not kept_reason(path):
        with suppress(StoreUnavailable, ArchiveError):
            return next(archive_lines(path), b"")
    return b""


def write_lines(file: BinaryIO, lines: Iterable[bytes], *, packed: bool) -> None:
    """Write an archive to an open file. The same lines always give the same bytes, compressed or not."""
    file.writelines(_parts(lines, packed=packed))


def _parts(lines: Iterable[bytes], *, packed: bool) -> Iterator[bytes]:
    """Yield the bytes of an archive file piece by piece."""
    if not packed:
        yield from lines
        return
    compressor = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True, write_content_size=False).compressobj()
    seal = hashlib.sha256()
    for piece in _packed(compressor, lines):
        seal.update(piece)
        yield piece
    yield _SEAL + seal.digest()


def _packed(compressor: "zstandard.ZstdCompressionObj", lines: Iterable[bytes]) -> Iterator[bytes]:
    for line in lines:
        yield compressor.compress(line)
    yield compressor.flush()


def archive_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of an archive file, for `events.archive_reader`.

    Raises:
        StoreUnavailable: The file cannot be read.
        ArchiveError: It cannot be decompressed, or decompresses to more than an archive may hold.
    """
    try:
        with path.open("rb") as file:
            yield from read_lines(file)
    except OSError as error:
        raise StoreUnavailable(f"{path} cannot be read: {error.strerror or error}") from None


def read_lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of an open archive, each with its line feed; of a line that is too long only a part.

    Raises:
        ArchiveError: It cannot be decompressed, or decompresses to more than an archive may hold.
    """
    waiting: list[bytes] = []
    size, length = 0, 0
    for chunk in _unpacked(file):
        size += len(chunk)
        if size > ARCHIVE_MAX:
            raise ArchiveError(0, f"the archive is larger than {ARCHIVE_MAX >> 20} MiB")
        start = 0
        # One by one: a chunk of empty lines would become millions of objects if it were split.
        while (end := chunk.find(b"\n", start) + 1) > 0:
            yield b"".join((*waiting, chunk[start:end]))
            waiting.clear()
            start, length = end, 0
        waiting.append(chunk[start:])
        length += len(chunk) - start
        if length > LINE_MAX:
            # The reader rejects this line because of its length.
            break
    if length:
        yield b"".join(waiting)


def _check_window(size: int) -> None:
    if size > WINDOW_MAX:
        raise ArchiveError(
            0,
            f"decompressing it needs {size >> 20} MiB of memory, the limit is {WINDOW_MAX >> 20}: compress it without --long",
        )


def _unpacked(file: BinaryIO) -> Iterator[bytes]:
    first = file.read(len(_MAGIC))
    if first != _MAGIC:
        if first and _MAGIC.startswith(first):
            raise _cut_off(len(first))
        yield first
        while chunk := file.read(1 << 20):
            yield chunk
        return
    packed = first + file.read(_STEP)
    size = len(packed)
    unpacker = zstandard.ZstdDecompressor(max_window_size=WINDOW_MAX).decompressobj()
    seal = hashlib.sha256()
    try:
        _check_window(zstandard.get_frame_parameters(packed).window_size)
        while packed and not unpacker.eof:
            yield unpacker.decompress(packed)
            seal.update(packed[: len(packed) - len(unpacker.unused_data)])
            packed = file.read(_STEP)
            size += len(packed)
    except zstandard.ZstdError as error:
        if size < _FRAME_HEADER_MAX:
            raise _cut_off(size) from None
        raise ArchiveError(0, f"the compressed archive is damaged: {error}") from None
    if not unpacker.eof:
        raise _cut_off(size)
    rest, whole = unpacker.unused_data + packed, _SEAL + seal.digest()
    if rest and rest != whole:
        if whole.startswith(rest):
            raise _cut_off(size)
        raise ArchiveError(0, "the compressed archive is damaged: its seal does not fit, or more follows")


def _cut_off(size: int) -> ArchiveError:
    return ArchiveError(0, f"the compressed archive is cut off after {counted(size, 'byte')}: {COPY_AGAIN}")
