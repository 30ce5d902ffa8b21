"""Archives out of the store and into it."""

import sys
from collections.abc import Iterator
from pathlib import Path

from cli.shapes.evidence import ArchiveShape
from cli.sight import parse_point
from cli.world import World
from core.match import find_match
from events.archive import export_match
from events.archive_reader import Archive, read_archive, store_archive
from server.archive_file import archive_lines, read_lines, write_archive, write_lines


def export_to(world: World, match: str, file: str) -> None:
    """Write a match to a file, or to stdout for `-`.

    Raises:
        UnknownMatch: There is no such match.
        BrokenEvidence: It is not what was written; no file is left behind.
        StoreUnavailable: The file cannot be written.
    """
    log = world.log
    known = find_match(log, parse_point(match)[0])
    commits = 0

    def counted() -> Iterator[bytes]:
        nonlocal commits
        for line in export_match(log, known):
            commits += line.startswith(b'{"commit":')
            yield line

    if file == "-":
        write_lines(sys.stdout.buffer, counted(), packed=False)
        sys.stdout.buffer.flush()
        return
    write_archive(Path(file), counted())
    head = log.head(known)
    shape = ArchiveShape(match=known, file=file, commits=commits, events=head.seq, head=head.hash)
    world.put(shape, [f"{known}: {head.seq} events to {file}"])


def read(file: str) -> Archive:
    """Read an archive file, or stdin for `-`, and check it whole.

    Raises:
        ArchiveError: It is not exactly what was exported.
        StoreUnavailable: The file cannot be read.
    """
    return read_archive(read_lines(sys.stdin.buffer) if file == "-" else archive_lines(Path(file)))


def import_from(world: World, file: str) -> None:
    """Store what an archive holds; doing it twice changes nothing.

    Raises:
        ArchiveError: It is not exactly what was exported; nothing was stored.
        OtherMatch: The store has another match of that id; nothing was stored.
        StoreUnavailable: The file cannot be read, or the store not be written.
    """
    archive = read(file)
    done = store_archive(archive, world.writable_log)
    shape = ArchiveShape(
        match=done.match,
        file=file,
        commits=len(archive.commits),
        events=done.events,
        head=archive.head.hash,
        added=done.new_commits,
    )
    if not done.new_commits:
        world.note(f"the store has all of match {done.match} already")
    world.put(shape, [done.match])
