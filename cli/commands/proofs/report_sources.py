"""Finds the matches that are reported: one, the archives of a folder, or all of a store or a server; and reads each as far as it is sound."""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from cli.commands.proofs.audit import audited, found, is_archive, served_log, store_of, unread
from cli.commands.records.archives import tell_crlf
from cli.shell.arguments import parse_whole
from cli.shell.context import Context
from cli.shell.exit_codes import usage
from cli.views.match_view import MatchView
from cli.views.named_match import named_match
from cli.views.stored_match import StoredMatch
from core.audit.audit_report import AuditFinding, AuditReport
from core.audit.verdicts import Audited
from core.errors import RulesetMissing
from core.history.match_reader import events_of
from events.archive_reader import read_sound_part, store_archive
from events.chain import check_chain
from events.codec import replace
from events.errors import ArchiveError, BrokenEvidence, StoreDamaged
from events.ids import ARBITER, MatchId, Seat
from events.log import Log
from events.memory_log import MemoryLog
from events.salvage import copy_sound_part
from projections.state.view import hides_nothing, seen_events
from server.page_parts.story import Story
from server.page_parts.untold_matches import UNTOLD
from server.protocol.errors import RequestFailed
from server.report.report import Report, make_report
from server.store.archive_file import SUFFIX, archive_lines, read_lines

NOT_SENT = "the server sends the evidence of this match to its arbiter only"
ENDING = ".ndjson"
"""What the names of archives hold."""


class Made(NamedTuple):
    """A report, and the result of the audit; None if the evidence is not for whom the report was made."""

    report: Report
    audit: AuditReport | None


class Source(NamedTuple):
    """A match to be reported: what its file is called, and what makes the report."""

    name: str
    make: Callable[[], Made]


class _Read(NamedTuple):
    """A match as far as it is sound: its log, its id there, the result of its audit, and its first defect.

    `chain` is the defect if it is one of the chain.
    """

    log: Log
    match: MatchId
    report: AuditReport
    chain: AuditFinding | None = None
    defect: AuditFinding | None = None


def one_source(context: Context, what: str, seat: Seat) -> Source:
    """Return the match that is named: an archive, or a match of the store or the server.

    Raises:
        UserError: There is neither.
    """
    if is_archive(what):
        return Source(what, partial(_of_archive, context, what, seat))
    if context.address:
        match = named_match(context, parse_whole(what), seat)
        return Source(match, partial(_of_server, context, match, seat))
    log, match = store_of(context), found(context, what)
    return Source(match, partial(_of_store, context, log, match, seat))


def all_sources(context: Context, folder: str, seat: Seat) -> list[Source]:
    """Return all matches of a folder of archives or, if none is named, of the store or the server.

    Raises:
        UserError: There are none.
    """
    if folder:
        return _folder(context, Path(folder), seat)
    if context.address:
        matches: Sequence[MatchId] = [summary.match for summary in context.client.matches()]
        sources = [Source(match, partial(_of_server, context, match, seat)) for match in matches]
    else:
        log = store_of(context)
        matches = log.matches()
        sources = [Source(match, partial(_of_store, context, log, match, seat)) for match in matches]
    if not sources:
        raise usage("there are no matches; `wardiary new` opens one", "no_matches")
    return sources


def _folder(context: Context, folder: Path, seat: Seat) -> list[Source]:
    files = sorted(path for path in folder.iterdir() if path.is_file() and ENDING in path.name)
    if not files:
        there = folder / f"MATCH{ENDING}{SUFFIX}"
        raise usage(f"{folder} holds no archives; `wardiary export MATCH {there}` writes one", "no_matches")
    stems = [path.name.removesuffix(SUFFIX).removesuffix(ENDING) for path in files]
    names = [stem if stems.count(stem) == 1 else path.name for stem, path in zip(stems, files, strict=True)]
    return [
        Source(name, partial(_of_archive, context, str(path), seat)) for name, path in zip(names, files, strict=True)
    ]


# Reading


def _of_store(context: Context, log: Log, match: MatchId, seat: Seat) -> Made:
    report = audited(log, match, lambda: context.progress(f"auditing {match}", log.head(match).seq))
    chain = _chain_finding(log, match)
    if chain is None and not report.findings:
        # Others may append meanwhile: what was audited is told, and no more.
        copy, known = copy_sound_part(log, match, report.events + 1)
        return _of_log(context, _Read(copy, known, report), seat)
    if chain is None:
        return _of_log(context, _Read(log, match, report), seat)
    copy, known = copy_sound_part(log, match)
    return _of_log(context, _Read(copy, known, report, chain, chain), seat)


def _chain_finding(log: Log, match: MatchId) -> AuditFinding | None:
    try:
        defect = check_chain(log.read(match), match)
    except StoreDamaged as error:
        return AuditFinding(1, f"the store is damaged: {error.problem}")
    return None if defect is None else AuditFinding(defect.seq, defect.problem)


def _of_archive(context: Context, file: str, seat: Seat) -> Made:
    """Make the report of an archive file, or of stdin for `-`, as far as it is sound.

    Raises:
        ArchiveError: Nothing of it is.
        StoreUnavailable: It cannot be read.
    """
    lines = read_lines(sys.stdin.buffer) if file == "-" else archive_lines(Path(file))
    archive, defect = read_sound_part(lines)
    tell_crlf(context, file, has_crlf=archive.has_crlf)
    log = MemoryLog()
    store_archive(archive, log)
    report = audited(log, archive.match)
    if defect is None:
        return _of_log(context, _Read(log, archive.match, report), seat)
    where = f"archive line {defect.line}" if defect.line else "the archive"
    finding = AuditFinding(defect.seq or archive.head.seq, f"{where}: {defect.problem}")
    broken = replace(report, findings=(finding, *report.findings))
    return _of_log(context, _Read(log, archive.match, broken, finding, finding), seat)


def _of_server(context: Context, match: MatchId, seat: Seat) -> Made:
    """Make the report of a match on a server: with its evidence, if the server sends that to this client, else without an audit."""
    context.add_secrets(match, ARBITER)
    try:
        log = served_log(context, match)
    except RequestFailed as error:
        if error.code not in ("not_your_seat", "bad_token"):
            raise
        return _unaudited(context, match, seat)
    except (ArchiveError, BrokenEvidence) as error:
        finding = AuditFinding(error.seq or 1, f"the server sends no sound archive: {error}")
        return _unaudited(context, match, seat, unread(match, finding))
    return _of_log(context, _Read(log, match, audited(log, match)), seat)


# Reports


def _of_log(context: Context, read: _Read, seat: Seat) -> Made:
    """Make the report of a match of a log; if the rules find a fault that cannot be told, only up to there."""
    try:
        return _told(context, read, seat)
    except (BrokenEvidence, *UNTOLD):
        if not read.report.findings or read.defect is not None:
            raise
        defect = read.report.findings[0]
        copy, match = copy_sound_part(read.log, read.match, defect.seq)
        return _told(context, _Read(copy, match, read.report, read.chain, defect), seat)


def _told(context: Context, read: _Read, seat: Seat) -> Made:
    seen = StoredMatch(read.log, read.match, seat, None, context.echo_err)
    is_whole = seat == ARBITER or (seen.true_table.ended is not None and _hides_nothing(read.log, read.match, seat))
    parent = seen.true_table.parent
    checked = Audited(report=read.report, is_whole=is_whole, broken_chain=read.chain, parent=parent)
    cut = ""
    if read.defect is not None:
        cut = read.defect.problem if is_whole else "what follows is not sound"
    return Made(_report(seen, checked, cut), read.report)


def _hides_nothing(log: Log, match: MatchId, seat: Seat) -> bool:
    events = events_of(log, match)
    return hides_nothing(events, seen_events(events, seat))


def _unaudited(context: Context, match: MatchId, seat: Seat, report: AuditReport | None = None) -> Made:
    from cli.views.served_match import view_served

    context.add_secrets(match, seat)
    seen = view_served(context.client, match, seat, None, context.echo_err)
    checked = Audited(report=report, why_not=NOT_SENT, parent=seen.table().parent)
    return Made(_report(seen, checked, ""), report)


def _report(seen: MatchView, checked: Audited, cut: str) -> Report:
    names = seen.names
    problem, narration = "", None
    try:
        narration = seen.bound.narration
    except RulesetMissing as error:
        problem = str(error)
    story = Story(seen.match, seen.seat, names, narration)
    for slice_ in seen.stream():
        story.take(slice_)
    return make_report(story, checked, problem=problem, cut=cut)
