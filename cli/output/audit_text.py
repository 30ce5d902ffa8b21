"""The result of an audit as the command line prints it, and its shape."""

from collections.abc import Iterator

from cli.schemas.evidence import AuditShape
from core.audit.audit_report import AuditReport
from core.audit.verdicts import (
    DICE_WORDS,
    OTHER_RULES,
    REDEAL_WORDS,
    by_game,
    difference_line,
    link_remarks,
    links_line,
    played_under,
    resting_line,
    seat_name,
    signature_lines,
    would_differ,
)
from core.chance.schemes import SEALED
from core.registry.games import typed_key
from core.wording import counted
from events.codec import extended


def audit_shape(report: AuditReport) -> AuditShape:
    """Convert a report to its output shape."""
    return extended(report, AuditShape, clean=report.clean, verdict=report.verdict)


def audit_lines(report: AuditReport, *, is_listed: bool = False) -> Iterator[str]:
    """Print a report as text.

    Args:
        report: The report.
        is_listed: Whether to list what the installed rules would decide otherwise, and not only to count it.
    """
    for finding in report.findings:
        yield f"Match {report.match} does not hold from event {finding.seq} on: {finding.problem}"
    if report.unchecked and not report.findings:
        yield (f"Match {report.match} cannot be played again here: {report.unchecked}. {_evidence_line(report)}")
    if report.verdict == OTHER_RULES:
        yield (
            f"Match {report.match} was played under other rules than are installed, so that its decisions were not checked as evidence. "
            f"{_evidence_line(report)}"
        )
    if report.clean:
        yield f"Match {report.match} is clean: {_amount(report)}, {_dice_words(report)}."
    if not report.findings:
        if report.parent:
            yield f"It is a fork of match {report.parent}."
        if report.redeal in REDEAL_WORDS:
            yield REDEAL_WORDS[report.redeal]
        for fork in report.chosen:
            yield (
                f"The first dice after event {fork.after} were not rolled: {seat_name(report, fork.seat)} chose "
                f"{', '.join(map(str, fork.faces))} with the fork, event {fork.seq}."
            )
        for one in report.resting:
            yield resting_line(one)
        if report.scheme == SEALED:
            yield by_game(report, links_line(report))
        yield from link_remarks(report, is_whole=True)
        yield from signature_lines(report, is_whole=True)
        yield f"Head {report.head}"
    yield from _rules_lines(report, is_listed=is_listed)


def _amount(report: AuditReport) -> str:
    return f"{counted(report.events, 'event')} in {counted(report.commits, 'commit')}"


def _dice_words(report: AuditReport) -> str:
    return by_game(report, DICE_WORDS.get(report.dice, report.dice))


def _evidence_line(report: AuditReport) -> str:
    """Return what was checked without rules."""
    return f"Its evidence holds: the chain of {_amount(report)}; {_dice_words(report)}."


def _rules_lines(report: AuditReport, *, is_listed: bool) -> Iterator[str]:
    """Print under which rules a match was played, and what the installed ones would decide otherwise."""
    if not report.played_under:
        return
    played = f"{typed_key(report.game)}, {played_under(report, is_whole=True)}"
    if not report.other_rules:
        if report.clean:
            yield f"Played under {played}"
        return
    now = f"edition {report.edition_now} (rules {report.rules_now[:12]}…)" if report.rules_now else "none"
    yield f"Played under {played}; installed: {now}"
    if report.verdict != OTHER_RULES:
        return
    hint = f"; wardiary audit {report.match} --rules lists them" if report.differences and not is_listed else ""
    yield f"A comparison, no evidence: {would_differ(report)}{hint}."
    if is_listed:
        yield from map(difference_line, report.differences)
