"""Shows and compares what a server has signed."""

from cli.schemas.evidence import EvidenceShape
from cli.shell.context import Context
from cli.shell.exit_codes import BROKEN, UserError, usage
from cli.shell.input_files import read_text
from cli.shell.kept_logs import read_kept
from cli.views.kept_evidence import Learn, learned
from cli.views.named_match import named_at_head
from core.wording import counted
from events.errors import ProofInvalid
from events.ids import MatchId
from events.transparency.evidence_line import read_line
from server.client.client import Client
from server.client.kept_log import KeptLog, TwoHistories, compared, followed, with_line
from server.protocol.clock import SystemClock
from server.protocol.errors import RequestFailed

COMPARE = "compare"

WAIT_S, WAITS_MAX = 0.5, 8
"""How long is waited for a checkpoint that covers the match (seconds), and how often."""


def evidence(context: Context, what: str, line: str) -> None:
    """Print what is kept of a match, or compare another player's line with it.

    Raises:
        UserError: It works without a server, or two histories were signed.
        ProofInvalid: A signature or a proof is not valid.
        LogSilent: The server keeps no log.
        RequestFailed: The server refuses.
    """
    if not context.address:
        raise usage("evidence is what a server has signed: name the server with --connect")
    if (what == COMPARE) != bool(line):
        raise usage("write `evidence MATCH`, or `evidence compare LINE`")
    if what == COMPARE:
        _compare(context, line)
    else:
        _show(context, named_at_head(context, what))


def _learned(context: Context, learn: Learn, at: dict[MatchId, float]) -> KeptLog:
    try:
        return learned(context, learn, at)
    except TwoHistories as error:
        context.echo_lines(error.proof.splitlines())
        raise UserError(f"{error}; the lines above prove it, and are kept", BROKEN, "two_histories") from None


def _show(context: Context, match: MatchId) -> None:
    clock = SystemClock()

    def learn(client: Client, logs: dict[str, KeptLog]) -> KeptLog:
        for left in range(WAITS_MAX, -1, -1):
            try:
                return with_line(client, followed(client, logs), match)
            except RequestFailed as error:
                if not (error.reply.retry and left):
                    raise
                clock.sleep(WAIT_S)
        raise AssertionError("the last try returns or raises")

    log = _learned(context, learn, {match: clock.now_ms() / 1000})
    line, shape = log.lines[match], _shape(log, match)
    earlier = [name for name in read_kept(context.address).logs if name != shape.log]
    said = [
        f"The log {shape.log} has {counted(shape.size, 'entry', 'entries')}; number {line.number} of match {match} is among them.",
        f"Its key: {log.key}",
        *[f"An earlier log of this server, {name}, has ended." for name in earlier],
        "Give this line to the others, for `wardiary evidence compare LINE`:",
        line.text,
    ]
    context.print_result(shape, said)
    if log.contradictions:
        context.echo_lines("\n".join(log.contradictions).splitlines())
        raise UserError("this server has signed two histories: the lines above prove it", BROKEN, "two_histories")


def _compare(context: Context, text: str) -> None:
    theirs = read_line(text if text.startswith("{") else read_text(text).strip())

    def learn(client: Client, logs: dict[str, KeptLog]) -> KeptLog:
        if theirs.origin not in logs:
            raise ProofInvalid(
                f"nothing is kept of the log {theirs.origin} that the line is of: `wardiary evidence MATCH` keeps its checkpoint"
            )
        return compared(client, logs[theirs.origin], theirs)

    log = _learned(context, learn, {})
    shape = _shape(log, theirs.match)
    said = f"One history: the line and what is kept here are parts of the log {shape.log}, which has {counted(shape.size, 'entry', 'entries')}."
    context.print_result(shape, [said])


def _shape(log: KeptLog, match: MatchId) -> EvidenceShape:
    return EvidenceShape(
        log=log.verifier.name,
        key=log.key,
        size=0 if log.checkpoint is None else log.checkpoint.size,
        note=log.note,
        match=match,
        line=log.lines.get(match),
        contradictions=log.contradictions,
    )
