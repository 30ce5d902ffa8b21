"""Audits matches of the store, and archives."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from pathlib import Path

from cli.commands.records.archives import only_for_arbiter, read, served_evidence, tell_crlf
from cli.commands.records.study_evidence import audit_studies
from cli.output.audit_text import audit_lines, audit_shape
from cli.schemas.evidence import StoreShape
from cli.shell.arguments import parse_whole
from cli.shell.context import Context, Progress
from cli.shell.exit_codes import BROKEN, UserError, check_failed, input_output, usage
from cli.shell.process_pool import in_order
from cli.shell.process_store import store_here
from cli.views.named_match import named_match
from core.audit.audit_report import AuditFinding, AuditReport
from core.audit.match_audit import audit_match
from core.chance.seeds import lacks_seed, seed_problem
from core.history.match_reader import find_match
from core.wording import counted
from events.archive import export_match
from events.archive_reader import read_archive, store_archive
from events.commit import GENESIS
from events.errors import REPAIR, ArchiveError, BrokenEvidence, BrokenStudy, NotAStore, StoreDamaged, UnknownMatch
from events.ids import ARBITER, MatchId
from events.log import Log
from events.memory_log import MemoryLog
from server.protocol.errors import RequestFailed

EVENTS_PER_PROCESS = 20_000
"""Fewer events than this are audited faster in this process than in new ones."""


def audit(context: Context, what: str, *, all_matches: bool, jobs: int, is_compared: bool = False) -> None:
    """Audit one match, one archive, or every match of the store.

    Args:
        context: The context of the verb.
        what: A match or an archive.
        all_matches: Whether to audit every match instead.
        jobs: Processes for all matches.
        is_compared: Whether to list what the installed rules would decide otherwise, and to fail if there is anything.

    Raises:
        UserError: The audit has findings; the message names the first bad event. Or nothing was named.
        ArchiveError: The archive is not what was exported; its first bad line is named.
    """
    if bool(what) == all_matches:
        raise usage("name a match or an archive, or use --all")
    if jobs < 0 or (jobs and not all_matches):
        raise usage("--jobs is 0 or more, and goes with --all")
    problems = _check_store(context) if all_matches and not context.address else ()
    broken: list[AuditReport] = []
    unchecked: list[AuditReport] = []
    otherwise = 0
    studies: list[BrokenStudy] = []
    for report in _reports(context, jobs) if all_matches else [_report(context, what)]:
        context.print_result(audit_shape(report), audit_lines(report, is_listed=is_compared))
        context.flush()
        if report.findings:
            broken.append(report)
        elif report.unchecked:
            unchecked.append(report)
        otherwise += len(report.differences)
        if not is_archive(what):
            studies += audit_studies(context, report.match)
    raise_verdict(broken, unchecked, _other(context, problems, studies))
    if is_compared and otherwise:
        raise check_failed(
            f"the installed rules would decide otherwise in {counted(otherwise, 'decision')}", "rules_differ"
        )


def _other(context: Context, problems: Sequence[str], studies: Sequence[BrokenStudy]) -> UserError | None:
    """Return what is wrong with the store itself, or else with a study."""
    if problems:
        return _damaged(context, problems)
    return UserError(str(studies[0]), BROKEN, "evidence_broken") if studies else None


def raise_verdict(
    broken: Sequence[AuditReport],
    unchecked: Sequence[AuditReport],
    other: UserError | None = None,
) -> None:
    """Raise what the exit code of an audit tells: a finding, then another error, then what could not be checked.

    Raises:
        UserError: One of these is there.
    """
    if broken:
        first = broken[0]
        others = f" (and {len(broken) - 1} more matches are not clean)" if len(broken) > 1 else ""
        finding = first.findings[0]
        raise UserError(
            f"match {first.match}, event {finding.seq}: {finding.problem}{others}", BROKEN, "evidence_broken"
        )
    if other is not None:
        raise other
    if unchecked:
        others = f" (and {len(unchecked) - 1} more matches)" if len(unchecked) > 1 else ""
        raise input_output(
            f"match {unchecked[0].match} cannot be audited here: {unchecked[0].unchecked}{others}", "ruleset_missing"
        )


def _reports(context: Context, jobs: int) -> Iterator[AuditReport]:
    """Audit every match of the store, or of the server those whose commits it sends to this client."""
    if not context.address:
        yield from _reports_of_all(context, jobs)
        return
    for summary in context.client.matches():
        context.add_secrets(summary.match, ARBITER)
        try:
            yield _report_of_served(context, summary.match)
        except RequestFailed as error:
            if error.code not in ("not_your_seat", "bad_token"):
                raise
            context.echo_err(f"match {summary.match} was not audited: {error}")


def _report_of_served(context: Context, match: MatchId) -> AuditReport:
    """Audit a match of a server from its archive, which the server sends."""
    try:
        log = served_log(context, match)
    except (ArchiveError, BrokenEvidence) as error:
        finding = AuditFinding(error.seq or 1, f"the server sends no sound archive: {error}")
        return unread(match, finding)
    return audited(log, match, lambda: context.progress(f"auditing {match}", log.head(match).seq))


def served_log(context: Context, match: MatchId) -> MemoryLog:
    """Return the match as its archive has it, which the server sends.

    Raises:
        RequestFailed: It does not send it to this client.
        ArchiveError: The archive is not sound.
        BrokenEvidence: The commits are not.
    """
    log = MemoryLog()
    store_archive(read_archive(export_match(served_evidence(context, match), match)), log)
    return log


def store_of(context: Context) -> Log:
    """Return the store.

    Raises:
        UserError: The file is not a store, or not the beginning of one can be read.
    """
    try:
        return context.log
    except NotAStore as error:
        lost = "if it was one, its beginning was overwritten or cut off"
        raise UserError(f"{error}; {lost}: {REPAIR}", BROKEN, "evidence_broken") from None
    except StoreDamaged as error:
        raise _damaged(context, (error.problem,)) from None


def _damaged(context: Context, problems: Sequence[str]) -> UserError:
    others = f", and {len(problems) - 1} more problems" if len(problems) > 1 else ""
    message = f"{context.locator} is damaged ({problems[0]}{others}): {REPAIR}"
    return UserError(message, BROKEN, "evidence_broken", defects=problems)


def _listed(context: Context) -> Sequence[MatchId]:
    """Return the matches of the store; none if the file is so damaged that it cannot list them."""
    try:
        return store_of(context).matches()
    except StoreDamaged:
        return ()


def _check_store(context: Context) -> tuple[str, ...]:
    """Check the pages, rows, indexes and seeds of the whole store, print the result, and return the problems."""
    problems, seedless = list[str](), list[MatchId]()
    matches = _listed(context)
    with context.progress("checking the store", 1 + len(matches)) as progress:
        problems += context.log.check()
        progress.advance()
        for match in matches:
            # Problems of the match itself are found by its audit.
            with suppress(BrokenEvidence, StoreDamaged, UnknownMatch):
                if problem := seed_problem(context.log, match):
                    problems.append(problem)
                elif lacks_seed(context.log, match):
                    seedless.append(match)
            progress.advance()
    lines = [f"The store is damaged: {problem}" for problem in problems]
    lines = lines or ["The store's pages, rows, indexes and seeds agree."]
    lines += [
        f"The sealed seed of match {match} is not in this store, so its dice cannot be rolled here: "
        "it is kept where the match was opened, or was lost."
        for match in seedless
    ]
    context.print_result(StoreShape(store=context.locator, problems=tuple(problems), seedless=tuple(seedless)), lines)
    return tuple(problems)


def _report(context: Context, what: str) -> AuditReport:
    """Audit one match of the store or one archive."""
    log: Log = MemoryLog()
    if is_archive(what):
        archive = read(what)
        tell_crlf(context, what, has_crlf=archive.has_crlf)
        match = store_archive(archive, log).match
    elif context.address:
        try:
            return _report_of_served(context, named_match(context, parse_whole(what), ARBITER))
        except RequestFailed as error:
            if error.code != "not_your_seat":
                raise
            raise only_for_arbiter(error) from None
    else:
        log, match = store_of(context), found(context, what)
    return audited(log, match, lambda: context.progress(f"auditing {match}", log.head(match).seq))


def _reports_of_all(context: Context, jobs: int) -> Iterator[AuditReport]:
    """Audit every match of the store in parallel, and yield the reports in the order of the matches."""
    matches = _listed(context)
    jobs = min(jobs or _worthwhile(context), len(matches)) or 1
    # Another process opens the store for itself; here it is open already, and is closed with the context.
    there, here = partial(_audited_there, context.locator), partial(audited, context.log)
    with context.progress("auditing", len(matches)) as progress:
        for report in in_order(there, matches, jobs, "the audit", here):
            progress.advance()
            yield report


def _worthwhile(context: Context) -> int:
    """Return how many processes are worth their start: at most one per core."""
    events = 0
    for match in _listed(context):
        # Problems of a match are found by its audit.
        with suppress(BrokenEvidence, StoreDamaged, UnknownMatch):
            events += context.log.head(match).seq
    return min(os.cpu_count() or 1, 1 + events // EVENTS_PER_PROCESS)


def _audited_there(store: str, match: MatchId) -> AuditReport:
    return audited(store_here(store), match)


def audited(
    log: Log,
    match: MatchId,
    progress: Callable[[], AbstractContextManager[Progress]] | None = None,
    *,
    is_by_rules: bool = True,
) -> AuditReport:
    """Audit one match; if the store cannot read it, that is the finding."""
    try:
        with nullcontext() if progress is None else progress() as shown:
            return audit_match(log, match, None if shown is None else shown.reach, is_by_rules=is_by_rules)
    except BrokenEvidence as error:
        finding = AuditFinding(error.seq, error.problem)
    except StoreDamaged as error:
        finding = AuditFinding(1, f"the store is damaged: {error.problem}")
    except UnknownMatch:
        # Its id was listed, so the id is not text, or an index lacks it.
        finding = AuditFinding(1, "the store does not find this match by its id")
    return unread(match, finding)


def unread(match: MatchId, finding: AuditFinding) -> AuditReport:
    """Return the report of a match that cannot be read."""
    return AuditReport(
        match=match,
        events=0,
        commits=0,
        head=GENESIS,
        dice="",
        findings=(finding,),
    )


def is_archive(what: str) -> bool:
    """Return whether stdin is named, or a path that can be read: a file, a pipe or a device."""
    path = Path(what)
    return what == "-" or (path.exists() and not path.is_dir())


def found(context: Context, what: str) -> MatchId:
    """Return the match that was named.

    Raises:
        UserError: There is neither a match nor a file of that name; or it is a folder.
    """
    is_folder = Path(what).is_dir()
    try:
        return find_match(context.log, parse_whole(what))
    except UnknownMatch:
        if is_folder:
            raise input_output(f"{what} is a folder; an audit takes a match of the store or an archive file") from None
        raise usage(
            f"there is neither a file {what!r} nor such a match in this store; `wardiary list` shows what there is",
            "unknown_match",
        ) from None
