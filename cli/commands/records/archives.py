"""Exports matches as archives, and imports them."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cli.commands.viewing.matches import entries
from cli.schemas.evidence import ArchiveShape, ViewShape
from cli.shell.arguments import parse_whole, shown_file
from cli.shell.context import Context
from cli.shell.exit_codes import BROKEN, UserError, usage
from cli.shell.streams import harmless_json
from cli.views.named_match import named_match
from core.audit.archive_checks import check_archive
from core.errors import UnknownName
from core.history.match_reader import check_seat, find_match, read_match
from core.registry.games import typed_key
from events.archive import Evidence, export_match
from events.archive_reader import Archive, read_archive, store_archive
from events.codec import Decoder
from events.errors import BrokenEvidence
from events.ids import ARBITER, PUBLIC, MatchId, Seat
from projections.state.table import Table
from projections.view_archive import ViewTrailer, export_view, view_lines
from server.client.served_evidence import ServedEvidence
from server.protocol.errors import RequestFailed
from server.store.archive_file import archive_lines, read_lines, write_archive, write_lines
from server.store.whole_file import make_folder

STDOUT = "-"

SUFFIXES = (".ndjson", ".ndjson.zst")
"""What the names of archives end with."""

NOT_SHOWN = frozenset(("unknown_seat", "not_your_seat", "bad_token"))
"""The codes with which a server does not show a match to a seat."""

_TRAILER: Decoder[ViewTrailer] = Decoder(ViewTrailer)


class _Output(NamedTuple):
    """Target of an archive: a file, or - for stdout; and whether another file is replaced."""

    file: str
    is_forced: bool

    def write(self, lines: Iterator[bytes]) -> None:
        """Write the lines of an archive; see `write_archive` for the errors."""
        if self.file != STDOUT:
            write_archive(Path(self.file), lines, is_forced=self.is_forced)
            return
        if sys.stdout.isatty():
            # What players wrote may control a terminal.
            lines = (harmless_json(line.decode()).encode() for line in lines)
        write_lines(sys.stdout.buffer, lines, packed=False)
        sys.stdout.buffer.flush()


def export_one(context: Context, match: str, file: str, seat: str, *, is_forced: bool) -> None:
    """Write one match as `export_to` does.

    Raises:
        UserError: The server does not send the commits to this client.
    """
    try:
        export_to(context, match, file, seat, is_forced=is_forced)
    except RequestFailed as error:
        if seat != ARBITER or error.code != "not_your_seat":
            raise
        raise only_for_arbiter(error) from None


def only_for_arbiter(error: RequestFailed) -> UserError:
    """Return the error of a user to whom a server does not send the commits of a match: no seat that could be taken would help."""
    return usage(f"{error}; `wardiary export MATCH --seat SEAT` writes what a seat has seen", error.code)


def export_to(context: Context, match: str, file: str, seat: str, *, is_forced: bool) -> None:
    """Write a match, or what a seat saw of it, to a file, or to stdout for `-`.

    Raises:
        UnknownMatch: There is no such match.
        UnknownName: The match has no such seat.
        BrokenEvidence: The match fails its chain check; nothing is written, and no file is left behind.
        OutputRefused: What is in place of the file stays.
        StoreUnavailable: The file cannot be written.
        RequestFailed: The server does not send the commits to this client.
    """
    output = _Output(file, is_forced=is_forced)
    if context.address:
        _export_served(context, named_match(context, parse_whole(match), seat), output, Seat(seat))
        return
    log = context.log
    known = find_match(log, parse_whole(match))
    table = read_match(log, known).table
    if check_seat(table, Seat(seat)) == ARBITER:
        _export_whole(context, log, known, output, table)
    else:
        _export_view(context, export_view(log, known, Seat(seat), table), known, output, Seat(seat))


def export_all(context: Context, folder: str, seat: str, *, is_forced: bool) -> None:
    """Write every match to an archive in a folder, which is made; what a server does not send to this client is named.

    Raises:
        UserError: Some matches are damaged; each is named, after all others were written.
        OutputRefused: What is in place of a file stays.
        OSError: The folder cannot be made.
    """
    make_folder(Path(folder))
    damaged: list[str] = []
    for entry in entries(context):
        if entry.problem:
            damaged.append(f"match {entry.match}, {entry.problem}")
            continue
        if context.address:
            context.add_secrets(entry.match, Seat(seat))
        file = Path(folder) / f"{typed_key(entry.game)}-{entry.match}{SUFFIXES[-1]}"
        try:
            export_to(context, entry.match, str(file), seat, is_forced=is_forced)
        except RequestFailed as error:
            if error.code not in NOT_SHOWN:
                raise
            context.echo_err(f"match {entry.match} was not exported: {error}")
        except (BrokenEvidence, UnknownName) as error:
            damaged.append(str(error))
    if damaged:
        raise UserError(f"not exported: {'; '.join(damaged)}", BROKEN, "evidence_broken", defects=damaged)


def _export_served(context: Context, match: MatchId, output: _Output, seat: Seat) -> None:
    client = context.client
    if seat == ARBITER:
        evidence = served_evidence(context, match)
        _export_whole(context, evidence, match, output, client.state(match).table)
        return
    table = client.state(match, seat).table
    _export_view(context, view_lines(match, seat, table, client.log(match, seat)), match, output, seat)


def served_evidence(context: Context, match: MatchId) -> ServedEvidence:
    """Return the commits of a match on a server, as its arbiter if this user is, else as the public.

    Raises:
        RequestFailed: The server does not send them to this client.
    """
    return ServedEvidence(context.client, match, evidence_seat(context, match))


def evidence_seat(context: Context, match: MatchId) -> Seat:
    """Return the seat as which this user asks a server for the whole evidence: the arbiter's if its secret is known, else the public's."""
    return ARBITER if context.client.token(match, ARBITER) else PUBLIC


def _export_whole(context: Context, evidence: Evidence, match: MatchId, output: _Output, table: Table) -> None:
    commits, has_secrets, head = 0, False, evidence.head(match)

    def counted() -> Iterator[bytes]:
        nonlocal commits, has_secrets
        for line in export_match(evidence, match, head):
            is_commit = line.startswith(b'{"commit":')
            commits += is_commit
            has_secrets = has_secrets or (is_commit and b'"seen_by":' in line)
            yield line

    output.write(counted())
    if has_secrets and table.ended is None:
        context.echo_err(
            f"match {match} is running, and this archive holds the secrets of every seat: --seat exports one seat's view"
        )
    if output.file != STDOUT:
        shape = ArchiveShape(match=match, file=output.file, commits=commits, events=head.seq, head=head.hash)
        context.print_result(shape, [f"{match}: {head.seq} events to {shown_file(output.file)}"])
    missing = [digest for digest in (table.board, table.position) if digest and evidence.attachment(digest) is None]
    if missing:
        files = " and ".join(f"{digest[:12]}…" for digest in missing)
        context.echo_err(
            f"the store does not hold the board or position {files} of match {match}: `import` will refuse this archive"
        )


def _export_view(context: Context, lines: Iterator[bytes], match: MatchId, output: _Output, seat: Seat) -> None:
    last = b""

    def watched() -> Iterator[bytes]:
        nonlocal last
        for line in lines:
            last = line
            yield line

    output.write(watched())
    if output.file != STDOUT:
        end = _TRAILER.decode(last)
        shape = ViewShape(match=match, seat=seat, file=output.file, events=end.events, sha256=end.sha256)
        context.print_result(shape, [f"{match}: {end.events} events as {seat} saw them to {shown_file(output.file)}"])


def read(file: str) -> Archive:
    """Read and check an archive file, or stdin for `-`.

    Raises:
        ArchiveError: It is not exactly what was exported.
        StoreUnavailable: The file cannot be read.
    """
    return read_archive(read_lines(sys.stdin.buffer) if file == "-" else archive_lines(Path(file)))


def archives_at(path: Path) -> list[Path]:
    """Return the archives of a folder in the order of their names, or the one file that a path is."""
    return sorted(one for one in path.iterdir() if one.name.endswith(SUFFIXES)) if path.is_dir() else [path]


def tell_crlf(context: Context, file: str, *, has_crlf: bool) -> None:
    """Print a note if the lines of an archive ended otherwise than those of an export."""
    if has_crlf:
        context.echo_err(
            f"the lines of {file} end with CR LF, as mail programs and editors change them: they were read as if they ended with LF"
        )


def import_from(context: Context, file: str) -> None:
    """Store the match of an archive; importing it again changes nothing.

    Raises:
        ArchiveError: It is not exactly what was exported, or could never be loaded; nothing was stored.
        RulesetMissing: Its game is not installed here; nothing was stored.
        OtherMatch: The store has another match of that id; nothing was stored.
        StoreUnavailable: The file cannot be read, or the store not be written.
    """
    archive = read(file)
    check_archive(archive)
    tell_crlf(context, file, has_crlf=archive.has_crlf)
    done = store_archive(archive, context.writable_log)
    shape = ArchiveShape(
        match=done.match,
        file=file,
        commits=len(archive.commits),
        events=done.events,
        head=archive.head.hash,
        added=done.new_commits,
    )
    if not done.new_commits:
        context.echo_err(f"the store has all of match {done.match} already")
    context.print_result(shape, [done.match])
