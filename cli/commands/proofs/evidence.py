"""Shows and compares what a server has signed."""

from cli.commands.records.archives import evidence_seat, read
from cli.schemas.evidence import EvidenceShape
from cli.shell.arguments import parse_point
from cli.shell.context import Context
from cli.shell.exit_codes import BROKEN, UserError, input_output, usage
from cli.shell.input_files import read_text
from cli.shell.kept_logs import given_key, keep_log, logs_named, read_kept
from cli.shell.timestamps import ask_authority, require_timestamps, stamped_text
from cli.views.kept_evidence import WAIT_S, WAITS_MAX, await_checkpoint, learned_aloud
from cli.views.named_match import named_match
from core.wording import counted
from events.codec import replace
from events.errors import ProofInvalid
from events.ids import MatchId
from events.transparency.evidence_line import EvidenceLine, read_line
from events.transparency.key_changes import KnownKeys, known_keys
from events.transparency.policy import Policy, read_policy
from events.transparency.signed_note import read_note
from server.client.client import Client
from server.client.evidence_files import own_hashes
from server.client.kept_log import KeptLog, Stamped, compared, followed, proved, with_line
from server.page_parts.times import moment_words
from server.protocol.clock import SystemClock

COMPARE = "compare"


def evidence(context: Context, what: str, line: str, log_key: str, policy: str = "", *, authority: str = "") -> None:
    """Print what is kept of a match, compare another player's line with it, or check an archive by a line.

    Args:
        context: The run of the verb.
        what: A match, `compare`, or an archive.
        line: The line of another player; empty for none.
        log_key: The public key of the log; empty for the one that is kept.
        policy: The file that names the logs and witnesses that are believed; empty for none.
        authority: The address of an authority that is asked for a timestamp when everything else is done; empty for none.

    Raises:
        UserError: It works without a server, or two histories were signed.
        ProofInvalid: A signature or a proof is not valid, or the archive is not what was signed.
        ArchiveError: The archive is not one.
        LogSilent: The server keeps no log.
        RequestFailed: The server refuses.
    """
    trust = read_policy(read_text(policy)) if policy else None
    if line and what != COMPARE:
        _check_archive(context, what, line, log_key, trust)
        return
    if (what == COMPARE) != bool(line) or log_key or (trust is not None and line):
        raise usage(
            "write `evidence MATCH`, `evidence compare LINE`, or `evidence FILE LINE` with the file of an archive"
        )
    if not context.address:
        raise usage("evidence is what a server has signed: name the server with --connect")
    if what == COMPARE:
        _compare(context, line)
    else:
        _show(context, what, trust, authority)


def _check_archive(context: Context, file: str, text: str, log_key: str, policy: Policy | None) -> None:
    line = _line(text)
    given = given_key(line.origin, log_key, policy)
    server, keys = _kept_keys(context, line.origin) if given is None else ("", known_keys(given))
    verifier = keys.of(line.note)
    signers = {f"{one.name}+{one.id.hex()}" for one in read_note(line.note).signatures}
    if f"{verifier.name}+{verifier.id.hex()}" not in signers:
        own = [one for one in signers if one.startswith(f"{verifier.name}+")]
        raise input_output(
            f"the line is signed with the key {' and '.join(own) or 'of nobody here'}, not with {verifier.name}+{verifier.id.hex()}, and a line does not carry the changes of a key: name the key that signed it with --log-key",
            "other_key",
        )
    checkpoint = line.check(verifier)
    if not line.nonce:
        raise input_output(
            "this line has no nonce, without which it cannot be compared with an archive: who may have the archive gets it with `wardiary evidence MATCH@SEQ`",
            "no_nonce",
        )
    if policy is not None:
        policy.check(line.note)
    archive = read(file)
    line.check_archive(own_hashes(archive.commits, line.match))
    shape = EvidenceShape(
        log=verifier.name, key=verifier.text, size=checkpoint.size, note=line.note, match=line.match, line=line
    )
    rest = archive.head.seq - (line.last or 0)
    of = f"{verifier.name} of {server}" if server else verifier.name
    said = f"The archive holds what the log {of} proves: its first {counted(line.last or 0, 'event')}"
    context.print_result(
        shape, [f"{said}; the last {counted(rest, 'event')} came later." if rest else f"{said}, which are all."]
    )


def _kept_keys(context: Context, name: str) -> tuple[str, KnownKeys]:
    """Return the server of a log and its keys as they are kept here: of the server that is named, or of the only one that has a log of this name.

    Raises:
        UserError: None is kept, or several servers have one.
    """
    logs = {server: log for server, log in logs_named(name).items() if not context.address or server == context.address}
    if not logs:
        raise usage(f"no key of the log {name} is known here: name it with --log-key, as its operator has published it")
    if len({log.key for log in logs.values()}) > 1:
        raise usage(
            f"several servers have a log named {name}: name the right one with --connect ({', '.join(logs)}), or its key with --log-key"
        )
    server, log = next(iter(logs.items()))
    return server, log.keys


def _line(text: str) -> EvidenceLine:
    """Return a line that is given, or that stands in a file, also one that holds all that `evidence MATCH` has printed."""
    lines = [text] if text.startswith("{") else read_text(text).splitlines()
    return read_line(next((line for line in lines if line.startswith("{")), ""))


def _show(context: Context, text: str, policy: Policy | None, authority: str) -> None:
    if authority:
        require_timestamps(authority)
    prefix, at = parse_point(text)
    match = named_match(context, prefix)
    clock = SystemClock()
    # Only who may have the archive is told the nonce.
    seat = evidence_seat(context, match)
    await_checkpoint(context.client, match, clock)
    opened: list[EvidenceLine] = []

    def learn(client: Client, logs: dict[str, KeptLog]) -> KeptLog:
        log, line = proved(client, with_line(client, followed(client, logs), match), match, seat, at)
        opened.append(line)
        return log

    now_s = clock.now_ms() / 1000
    log = learned_aloud(context, learn, {match: now_s})
    believed = given_key(log.verifier.name, "", policy)
    if believed is not None and believed not in log.keys.all:
        raise ProofInvalid(f"the policy names another key of the log {log.verifier.name} than its server: {log.key}")
    for _ in range(WAITS_MAX):
        if policy is None or policy.holds(opened[-1].note):
            break
        # Witnesses are asked when the checkpoint is signed already.
        clock.sleep(WAIT_S)
        log = learned_aloud(context, learn, {match: now_s})
    line, cosigned = opened[-1], _cosigned(policy, opened[-1].note)
    shape = replace(_shape(log, match), line=line)
    closed = replace(line, nonce="", last=None)
    earlier = [name for name in read_kept(context.address).logs if name != shape.log]
    said = [
        f"The log {shape.log} has {counted(shape.size, 'entry', 'entries')}; number {line.number} of match {line.match} is among them.",
        f"Its key: {log.key}",
        *[f"Cosigned by {name} at {moment_words(at_s * 1000)}." for name, at_s in cosigned.items()],
        *[f"An earlier log of this server, {name}, has ended." for name in earlier],
        "Give this line to the others, for `wardiary evidence compare LINE`:",
        closed.text,
    ]
    if line.nonce:
        said += [
            "With its nonce it proves an archive, `wardiary evidence FILE LINE`; only for those who may have that:",
            line.text,
        ]
    if authority:
        # Everything else is kept by now, whatever the authority answers.
        stamp = ask_authority(authority, stamped_text(line.note))
        keep_log(context.address, log.verifier.name, replace(log, stamps=(Stamped(closed, stamp),)), {})
        shape = replace(shape, stamp=stamp)
        said.append(
            "An authority has stamped its checkpoint; `pack` adds the timestamp, and `verify --authority` checks it."
        )
    context.print_result(shape, said)
    if log.contradictions:
        context.echo_lines("\n".join(log.contradictions).splitlines())
        raise UserError(
            "this server did not show one history before: both signed texts are above", BROKEN, "two_histories"
        )


def _cosigned(policy: Policy | None, note: str) -> dict[str, int]:
    """Return when the witnesses of a policy have cosigned a checkpoint; see `Policy.check`."""
    try:
        return {} if policy is None else policy.check(note)
    except ProofInvalid as error:
        raise ProofInvalid(f"{error}; a witness may be away: try again later, or ask the operator") from None


def _compare(context: Context, text: str) -> None:
    theirs = _line(text)

    def learn(client: Client, logs: dict[str, KeptLog]) -> KeptLog:
        if theirs.origin not in logs:
            raise ProofInvalid(
                f"nothing is kept of the log {theirs.origin} that the line is of: `wardiary evidence MATCH` keeps its checkpoint"
            )
        return compared(client, logs[theirs.origin], theirs)

    log = learned_aloud(context, learn, {})
    shape = _shape(log, theirs.match)
    size = counted(shape.size, "entry", "entries")
    said = [f"One log: the line and what is kept here are parts of {shape.log}, which has {size}."]
    if theirs.match in log.lines:
        said.append(f"Both are of one history of match {theirs.match}: the later entry leads back to the earlier one.")
    else:
        said.append(f"Of match {theirs.match} nothing is kept here, so that its history was not compared.")
    context.print_result(shape, said)


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
