"""Makes the recorded choices of a server's bots again."""

from collections.abc import Iterator

from cli.commands.proofs.audit import found, is_archive, served_log, store_of
from cli.commands.records.archives import only_for_arbiter, read
from cli.schemas.evidence import BotChoicesShape
from cli.shell.arguments import parse_whole
from cli.shell.context import Context
from cli.shell.exit_codes import check_failed
from cli.views.named_match import named_match
from core.wording import counted
from events.archive_reader import store_archive
from events.codec import extended
from events.ids import ARBITER, MatchId
from events.log import Log
from events.memory_log import MemoryLog
from server.bots.choice_audit import ChoiceAudit, audit_choices
from server.protocol.errors import RequestFailed


def audit_bots(context: Context, what: str) -> None:
    """Make the choices of the bots in a match again, which was audited before.

    Raises:
        UserError: A choice is not what the policy chooses.
    """
    log, match = _source(context, what)
    with context.progress("choosing again", log.head(match).seq) as progress:
        report = audit_choices(log, match, progress.reach)
    context.print_result(extended(report, BotChoicesShape), _lines(report))
    if report.differ:
        first = report.differ[0]
        raise check_failed(
            f"match {match}, event {first.seq}: {first.bot} does not choose this: {first.problem}", "bots_differ"
        )


def _source(context: Context, what: str) -> tuple[Log, MatchId]:
    """Return a log that holds the match, and its id."""
    if is_archive(what):
        log = MemoryLog()
        return log, store_archive(read(what), log).match
    if not context.address:
        return store_of(context), found(context, what)
    match = named_match(context, parse_whole(what), ARBITER)
    try:
        return served_log(context, match), match
    except RequestFailed as error:
        raise only_for_arbiter(error) from None


def _lines(report: ChoiceAudit) -> Iterator[str]:
    yield (
        f"Bots of a server: {counted(report.same, 'choice')} made again, all the same."
        if not report.differ
        else (f"Bots of a server: {counted(report.same, 'choice')} made again, and {len(report.differ)} otherwise.")
    )
    for one in report.differ:
        yield f"  event {one.seq}: {one.seat}, {one.bot}: {one.problem}"
    if report.timed:
        yield f"  not compared: {report.timed} with a budget of time, which give other choices on other machines"
    if report.other_versions:
        yield f"  not compared: {report.other_versions} by versions that are not installed"
