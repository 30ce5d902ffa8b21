"""Audit matches of the store, and archives."""

from collections.abc import Iterator
from pathlib import Path

from cli.faults import BROKEN, Fault, input_output, usage
from cli.jobs.archives import read
from cli.shapes.evidence import AuditShape
from cli.sight import parse_point
from cli.world import World
from core.audit import AuditFinding, AuditReport, audit_match
from core.kept import find_match
from events.archive_reader import store_archive
from events.commit import GENESIS
from events.errors import BrokenEvidence, StoreDamaged, UnknownMatch
from events.ids import Digest, MatchId
from events.log import Log
from events.memory_log import MemoryLog

DICE_WORDS = {
    "checked": "the dice are those of the seed",
    "sealed": "the dice are sealed until the match is over",
    "typed": "the dice were typed in",
    "mixed": "the dice come from several sources, of which those with a known seed were checked",
}


def audit(world: World, what: str, *, all_matches: bool) -> None:
    """Audit one match, one archive, or every match of the store.

    Raises:
        Fault: Something does not hold; the first bad event is named. Or nothing was named.
        ArchiveError: The archive is not what was exported; its first bad line is named.
    """
    if bool(what) == all_matches:
        raise usage("name a match or an archive, or say --all")
    broken: list[AuditReport] = []
    for log, match in _wanted(world, what):
        report = _audited(world, log, match)
        world.put(audit_shape(report), audit_lines(report))
        if not report.clean:
            broken.append(report)
    if broken:
        first = broken[0]
        others = f" (and {len(broken) - 1} more matches are not clean)" if len(broken) > 1 else ""
        finding = first.findings[0]
        raise Fault(f"match {first.match}, event {finding.seq}: {finding.problem}{others}", BROKEN, "evidence_broken")


def _audited(world: World, log: Log, match: MatchId) -> AuditReport:
    """Audit one match; where the store itself cannot give it out, that is what is found."""
    try:
        with world.progress(f"auditing {match}", log.head(match).seq) as progress:
            return audit_match(log, match, progress.reach)
    except BrokenEvidence as error:
        finding = AuditFinding(error.seq, error.problem)
    except StoreDamaged as error:
        finding = AuditFinding(1, str(error))
    return AuditReport(
        match=match,
        events=0,
        commits=0,
        head=GENESIS,
        dice="",
        rules_recorded=Digest(""),
        rules_now=Digest(""),
        findings=(finding,),
    )


def _wanted(world: World, what: str) -> Iterator[tuple[Log, MatchId]]:
    if not what:
        yield from ((world.log, match) for match in world.log.matches())
    elif what == "-" or _is_file(what):
        log = MemoryLog()
        yield log, store_archive(read(what), log).match
    else:
        yield world.log, _found(world, what)


def _is_file(what: str) -> bool:
    """Say whether it is something that can be read as a file: one on a disk, a pipe, a device."""
    path = Path(what)
    return path.exists() and not path.is_dir()


def _found(world: World, what: str) -> MatchId:
    """Return the match that was named.

    Raises:
        Fault: There is none, nor a file; or it is a folder.
    """
    is_folder = Path(what).is_dir()
    try:
        return find_match(world.log, parse_point(what)[0])
    except UnknownMatch:
        if is_folder:
            raise input_output(f"{what} is a folder; an audit takes a match of the store or an archive file") from None
        raise usage(
            f"there is neither a file {what!r} nor such a match in this store; `wardiary list` shows what there is",
            "unknown_match",
        ) from None


def audit_shape(report: AuditReport) -> AuditShape:
    """Turn a report into what is put out."""
    return AuditShape(
        match=report.match,
        clean=report.clean,
        events=report.events,
        commits=report.commits,
        head=report.head,
        dice=report.dice,
        rules_recorded=report.rules_recorded,
        rules_now=report.rules_now,
        findings=report.findings,
    )


def audit_lines(report: AuditReport) -> Iterator[str]:
    """Write a report for people."""
    for finding in report.findings:
        yield f"Match {report.match} does not hold from event {finding.seq} on: {finding.problem}"
    if report.clean:
        yield (
            f"Match {report.match} is clean: {report.events} events in {report.commits} commits, "
            f"{DICE_WORDS.get(report.dice, report.dice)}."
        )
        yield f"Head {report.head}"
    if report.rules_recorded != report.rules_now:
        yield f"Played under rules {report.rules_recorded[:12]}…, audited with {report.rules_now[:12]}…"
