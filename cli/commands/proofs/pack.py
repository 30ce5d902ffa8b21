"""Packs what an appeal needs: the archive of a match, and what ties it to the log of its server. Verifies such a folder, offline."""

from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from cli.commands.proofs.audit import audited, raise_verdict
from cli.commands.records.archives import evidence_seat, export_one, read, tell_crlf
from cli.commands.records.study_evidence import study_in, verify_study
from cli.output.audit_text import audit_lines, audit_shape
from cli.schemas.evidence import PackShape, VerifiedShape
from cli.shell.context import Context
from cli.shell.exit_codes import input_output, usage
from cli.shell.input_files import read_bytes, read_text
from cli.shell.kept_logs import given_key, read_kept
from cli.shell.timestamps import require_timestamps, stamped_at, stamped_text
from cli.views.kept_evidence import await_checkpoint, learned_aloud
from cli.views.named_match import named_at_head
from core.audit.audit_report import AuditReport
from core.audit.audit_signatures import SeatSignatures
from core.chance.schemes import is_hex_32
from core.wording import counted
from events.archive_reader import store_archive
from events.codec import replace
from events.commit import decode_commit
from events.errors import ProofInvalid
from events.ids import ARBITER, Digest, MatchId, Seat
from events.memory_log import MemoryLog
from events.transparency.checkpoint import checkpoint_in
from events.transparency.evidence_file import EvidenceFile, read_evidence
from events.transparency.evidence_line import read_line
from events.transparency.policy import read_policy
from events.transparency.signed_note import Verifier, read_note, read_verifier
from events.transparency.tlog_proof import read_proof
from events.vocabulary import Event, MatchOpened
from server.client.evidence_files import evidence_of, own_hashes
from server.client.kept_log import KeptLog, Stamped, followed, with_line
from server.page_parts.times import moment_words
from server.protocol.clock import SystemClock
from server.store.whole_file import make_folder, write_whole

ARCHIVE, EVIDENCE, KEPT, READ_ME = "match.ndjson", "evidence.ndjson", "kept.ndjson", "README.txt"

TEXT = """The match {match}, as evidence.

{archive}   the whole match, with its chain of hashes
{evidence}  what ties it to the log of its server, {log}
{kept}      what was kept here of that log before; add lines of other players, each on its line

Check it without a network:

    wardiary verify FOLDER --key KEY

or with nothing of War Diary but one file of Python, docs/verify.py:

    python3 verify.py {archive} --evidence {evidence} --kept {kept} --key KEY

{stamps}With --policy FILE both also check that witnesses have cosigned what the server signed (c2sp.org/tlog-policy).

KEY is the public key of the log, as its operator has published it. This folder says that it is
{key}
"""

STAMPS = """stamp-N.line, stamp-N.txt and stamp-N.tsr, N the size of the log, are lines that were kept, the checkpoints in them, and what an authority has signed of these (RFC 3161). `wardiary verify
FOLDER --authority FILE` checks them by the authority's certificates, or with nothing of War Diary:

    python3 verify.py {archive} --evidence {evidence} --kept stamp-N.line --key KEY
    openssl ts -verify -data stamp-N.txt -in stamp-N.tsr -CAfile FILE

"""


def pack(context: Context, match: str, folder: str) -> None:
    """Write the archive of a match on a server, and what ties it to the server's log, to a new folder.

    Raises:
        UserError: It works without a server, or the folder is not empty.
        RequestFailed: The server does not send the commits to this client, keeps no log, or has signed nothing of the match yet.
        ProofInvalid: The log does not hold the match as its archive has it.
        UserError: The server does not show one history.
    """
    if not context.address:
        raise usage("a match is packed with what its server has signed: name the server with --connect")
    path = Path(folder)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise usage(f"{folder} exists and is not an empty folder")
    known = named_at_head(context, match)
    # What is fetched now proves nothing of what the players were shown.
    earlier = read_kept(context.address).logs
    clock = SystemClock()
    await_checkpoint(context.client, known, clock)
    kept = learned_aloud(
        context, lambda client, logs: with_line(client, followed(client, logs), known), {known: clock.now_ms() / 1000}
    )
    make_folder(path)
    with ExitStack() as undo:
        # An archive alone would look like a pack.
        undo.callback((path / ARCHIVE).unlink, missing_ok=True)
        export_one(context, known, str(path / ARCHIVE), ARBITER, is_forced=False)
        archive = read(str(path / ARCHIVE))
        evidence = evidence_of(context.client, known, evidence_seat(context, known), archive.commits, kept)
        undo.pop_all()
    # A line of a log that has ended is blinded otherwise, and compared with nothing of this one.
    lines = earlier[kept.verifier.name].lines if kept.verifier.name in earlier else {}
    before = [lines[known].text] if known in lines else []
    stamps = _stamps(read_kept(context.address).logs.get(kept.verifier.name), known)
    _write(path / EVIDENCE, evidence.lines())
    _write(path / KEPT, [f"{line}\n".encode() for line in before])
    _write_stamps(path, stamps)
    said = TEXT.format(
        match=known,
        archive=ARCHIVE,
        evidence=EVIDENCE,
        kept=KEPT,
        log=kept.verifier.name,
        key=kept.verifier.text,
        stamps=STAMPS.format(archive=ARCHIVE, evidence=EVIDENCE) if stamps else "",
    )
    _write(path / READ_ME, [said.encode()])
    covered = evidence.commits[-1].last
    shape = PackShape(
        match=known,
        folder=folder,
        events=archive.head.seq,
        covered=covered,
        log=kept.verifier.name,
        key=evidence.key,
        stamps=len(stamps),
    )
    context.print_result(
        shape, [f"{folder}: {counted(archive.head.seq, 'event')}, covered by the log up to event {covered}"]
    )


def _stamps(log: KeptLog | None, match: MatchId) -> dict[int, Stamped]:
    """Return the lines of a match whose checkpoint was stamped, by its size; the first timestamp of a checkpoint says most."""
    found: dict[int, Stamped] = {}
    for one in () if log is None else log.stamps:
        if one.line.match == match:
            found.setdefault(checkpoint_in(read_note(one.line.note)).size, one)
    return found


def _write_stamps(folder: Path, stamps: Mapping[int, Stamped]) -> None:
    """Write lines, the checkpoints in them, and what an authority has signed of these, each to its file."""
    for size, one in stamps.items():
        _write(folder / f"stamp-{size}.line", [f"{one.line.text}\n".encode()])
        _write(folder / f"stamp-{size}.txt", [stamped_text(one.line.note)])
        _write(folder / f"stamp-{size}.tsr", [b64decode(one.reply)])


def _write(path: Path, parts: Iterable[bytes]) -> None:
    """Write a file that only its owner may read, as the archive beside it; see `write_whole` for the errors."""
    write_whole(path, parts, "archives", is_private=True)


def verify(
    context: Context,
    what: str,
    *,
    evidence: str,
    key: str,
    kept: list[str],
    players: list[str],
    policy: str = "",
    authority: str = "",
    is_without_rules: bool = False,
) -> None:
    """Check an archive, what ties it to the log of a server, and what was kept of that log; then audit it by the rules.

    Args:
        context: The run of the verb.
        what: An archive, or a folder that `pack` has written.
        evidence: The evidence file; empty for that of the folder, or none.
        key: The public key of the log; empty to believe the evidence file.
        kept: Lines that were kept, or files of such lines.
        players: The keys of players, SEAT=HEX.
        policy: The file that names the logs and witnesses that are believed; empty for none.
        authority: The certificates of the authorities that are believed to stamp; empty for none.
        is_without_rules: Whether to check only what needs no rules of the game.

    Raises:
        UserError: The audit has findings, or a seat was played with another key than was named.
        ArchiveError: The archive is not what was exported.
        ProofInvalid: The log holds another history.
    """
    folder, stamps = Path(what), list[Stamped]()
    if study_in(what):
        if evidence or key or kept or policy or authority:
            raise usage("of a study only chain and signatures are checked: it takes --player, and no evidence of a log")
        verify_study(context, what, _players(players))
        return
    if authority:
        require_timestamps()
    if folder.is_dir():
        stamps = _read_stamps(folder)
        what = str(folder / ARCHIVE)
        evidence = evidence or str(folder / EVIDENCE)
        kept = kept or [str(folder / KEPT)] * (folder / KEPT).exists()
    if not evidence and (key or kept or policy):
        raise usage(
            "--key, --policy and --kept are compared with what ties the archive to the log: give it with --evidence FILE"
        )
    named = _players(players)
    content = read_bytes(evidence) if evidence else b""
    if evidence and not content:
        raise input_output(f"{evidence} is empty: it is not what ties an archive to a log")
    trust = read_policy(read_text(policy)) if policy else None
    archive = read(what)
    tell_crlf(context, what, has_crlf=archive.has_crlf)
    log = MemoryLog()
    match = store_archive(archive, log).match
    shape = VerifiedShape(match=match, head=archive.head.hash, events=archive.head.seq)
    said = ["No evidence of a log was given: a rewrite of the whole match by its operator would pass."]
    if evidence:
        found = read_evidence(content.splitlines())
        hashes = own_hashes(archive.commits, match)
        claimed = read_verifier(found.key)
        verifier = given_key(claimed.name, key, trust) or claimed
        shape = _verified(found, hashes, verifier, _lines(kept), shape)
        note = read_proof(found.proof).note
        shape = replace(
            shape, is_key_given=bool(key or (trust and trust.logs)), cosigned={} if trust is None else trust.check(note)
        )
        shape = _with_stamps(shape, found, hashes, verifier, stamps=stamps, authority=authority)
        said = _said(shape)
    _check_seats(decode_commit(archive.commits[0].body).events[0], named)
    context.print_result(shape, said)
    progress = partial(context.progress, f"auditing {match}", archive.head.seq)
    report = audited(log, match, progress, is_by_rules=not is_without_rules)
    context.print_result(audit_shape(report), audit_lines(report, is_listed=False))
    is_unchecked = bool(report.unchecked) and not is_without_rules
    raise_verdict([report] if report.findings else [], [report] if is_unchecked else [])
    _compare_players(report, named)


def _players(texts: Sequence[str]) -> dict[Seat, set[str]]:
    """Return the keys of players that are given, by their seats.

    Raises:
        UserError: A text is not SEAT=HEX.
    """
    named: dict[Seat, set[str]] = {}
    for one in texts:
        seat, _, key = one.partition("=")
        if not is_hex_32(key):
            raise usage(f"--player is SEAT=HEX, with the 64 lower-case digits of a public key, not {one!r}")
        named.setdefault(Seat(seat), set()).add(key)
    return named


def _check_seats(opening: Event, named: Mapping[Seat, set[str]]) -> None:
    """Check that a match has the seats of the players that are given.

    Raises:
        UserError: It has not.
    """
    seats = opening.seats if isinstance(opening, MatchOpened) else ()
    for seat in named:
        if seat not in seats:
            raise usage(f"--player names the seat {seat}; the match has {', '.join(seats)}", "unknown_seat")


def _compare_players(report: AuditReport, named: Mapping[Seat, set[str]]) -> None:
    """Compare the keys of seats with those that are known of their players.

    Raises:
        ProofInvalid: A seat was played with another key, or did not sign.
    """
    for seat, keys in named.items():
        found = report.signatures.get(seat, SeatSignatures())
        strange = [owner for owner in found.owners if keys.isdisjoint(owner)]
        if strange:
            raise ProofInvalid(
                f"the seat {seat} was played with the key {', '.join(strange[0])}, which you did not name"
            )
        if not found.signed or found.unsigned:
            unsigned = counted(found.unsigned, "command")
            raise ProofInvalid(
                f"the seat {seat} did not sign {unsigned}, so that they are not known to be the player's"
            )


def _lines(kept: list[str]) -> list[str]:
    """Return the lines that were kept, which stand in files or are given."""
    texts = [one if one.startswith("{") else read_text(one) for one in kept]
    return [line for text in texts for line in text.splitlines() if line]


def _with_stamps(
    shape: VerifiedShape,
    found: EvidenceFile,
    hashes: Mapping[int, Digest],
    verifier: Verifier,
    *,
    stamps: Sequence[Stamped],
    authority: str,
) -> VerifiedShape:
    """Return what timestamps prove of a match, each of the line beside it; without an authority only that there are some.

    Raises:
        ProofInvalid: A line is of another history, or a timestamp is not valid.
        UserError: The file of the certificates cannot be read.
    """
    for one in stamps:
        found.check_kept(one.line, hashes, found.keys(verifier))
    if not authority:
        return replace(shape, unchecked_stamps=len(stamps))
    certificates = read_bytes(authority)
    times = {str(found.commits[one.line.number - 1].last): stamped_at(one, certificates) for one in stamps}
    return replace(shape, stamped=times)


def _read_stamps(folder: Path) -> list[Stamped]:
    """Return the timestamps of a folder, each with its line, those of smaller checkpoints first.

    Raises:
        ProofInvalid: A line is not one, or the text beside a timestamp is not that of its checkpoint.
        UserError: A file of them cannot be read.
    """
    found: list[Stamped] = []
    for file in sorted(folder.glob("stamp-*.tsr"), key=lambda one: (len(one.name), one.name)):
        line = read_line(read_text(str(file.with_suffix(".line"))).strip())
        if read_bytes(str(file.with_suffix(".txt"))) != stamped_text(line.note):
            raise ProofInvalid(f"{file.stem}.txt is not the checkpoint of {file.stem}.line")
        found.append(Stamped(line, b64encode(read_bytes(str(file))).decode()))
    return found


def _verified(
    found: EvidenceFile, hashes: Mapping[int, Digest], verifier: Verifier, kept: Sequence[str], shape: VerifiedShape
) -> VerifiedShape:
    """Return what the log of a server proves of a match.

    Raises:
        ProofInvalid: It holds another history, or something is not valid.
    """
    if found.match != shape.match:
        raise ProofInvalid(f"the evidence is of match {found.match}, the archive of {shape.match}")
    keys = found.keys(verifier)
    checkpoint = found.check(hashes, keys)
    lines = [read_line(line) for line in kept]
    for line in lines:
        found.check_kept(line, hashes, keys)
    return replace(
        shape,
        log=verifier.name,
        key=verifier.text,
        size=checkpoint.size,
        covered=found.commits[-1].last,
        kept=len(kept),
        kept_until=max([found.commits[line.number - 1].last for line in lines], default=0),
    )


def _said(shape: VerifiedShape) -> list[str]:
    """Return in sentences what the log proves."""
    size = counted(shape.size, "entry", "entries")
    said = [f"The log {shape.log} holds this match up to event {shape.covered}, by its checkpoint of {size}."]
    if shape.kept:
        said.append(
            f"{counted(shape.kept, 'line')} that players kept: of this history, up to event {shape.kept_until}."
        )
    else:
        said.append(
            "No line was kept during play: that this is the history which the players saw rests on the key alone."
        )
    if not shape.is_key_given:
        said.append(
            f"The key is believed as the evidence names it, {shape.key}: compare it with the published one (--key)."
        )
    said += [f"Cosigned by {name} at {moment_words(at_s * 1000)}." for name, at_s in shape.cosigned.items()]
    said += [
        f"On record at {moment_words(at_s * 1000)} at the latest, as an authority has signed: events 1 to {number}."
        for number, at_s in shape.stamped.items()
    ]
    if shape.unchecked_stamps:
        said.append(
            f"Not checked: {counted(shape.unchecked_stamps, 'timestamp')}; name the certificates of the authority with --authority."
        )
    if shape.covered < shape.events:
        said.append(f"Not proved: events {shape.covered + 1} to {shape.events}, which came after the last entry.")
    return said
