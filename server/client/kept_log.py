"""Keeps the last checkpoint of a server's log, and for each match the proof of its last entry.

A checkpoint is kept only if it continues the one before. If it does not, the server has shown two histories: two checkpoints of one size prove that
to anybody; of two others, it cannot prove that one continues the other.
"""

from events.codec import DecodeError, Decoder, Struct, replace
from events.errors import LogError, ProofInvalid
from events.ids import PUBLIC, MatchId, Seat
from events.transparency.checkpoint import Checkpoint, open_checkpoint
from events.transparency.entry import CommitEntry, KeyEntry, entry_bytes
from events.transparency.evidence_line import EvidenceLine
from events.transparency.merkle_tree import PATH_MAX, check_consistency
from events.transparency.signed_note import Verifier, decode_hashes, read_verifier
from events.transparency.tlog_proof import read_proof
from server.client.client import Client

TRIES = 3
"""How often a proof is asked for again because the server has signed meanwhile."""


class KeptLog(Struct, frozen=True, kw_only=True):
    """One log as a client keeps it: its public key, the note of the last checkpoint, the last line of each match, and contradictions, which prove two histories."""

    key: str
    note: str = ""
    lines: dict[MatchId, EvidenceLine] = {}
    contradictions: tuple[str, ...] = ()

    @property
    def verifier(self) -> Verifier:
        """The public key."""
        return read_verifier(self.key)

    @property
    def checkpoint(self) -> Checkpoint | None:
        """The last checkpoint, or None before the first."""
        return open_checkpoint(self.note, self.verifier) if self.note else None


class TwoHistories(LogError):
    """Signed texts of a server that are not of one history.

    Args:
        origin: The name of the log.
        problem: What contradicts what.
        proof: The two signed texts, one below the other.
    """

    def __init__(self, origin: str, problem: str, *proof: str) -> None:
        super().__init__(f"this server does not show one history: {problem}")
        self.origin = origin
        self.proof = "\n".join(proof)


class LogSilent(LogError):
    """The server keeps no log, or has signed nothing of a match yet."""


_ENTRIES: Decoder[CommitEntry] = Decoder(CommitEntry)


def followed(client: Client, kept: dict[str, KeptLog]) -> KeptLog:
    """Return what is known of a server's log now, having checked that its last checkpoint continues the one that is kept.

    Args:
        client: A client of the server.
        kept: What is kept of this server, by the name of the log.

    Raises:
        LogSilent: The server keeps no log.
        TwoHistories: The last checkpoint does not continue the kept one.
        ProofInvalid: What it sends is not signed by the log, or the log's key was changed and the old one did not say so.
        RequestFailed: It has signed nothing yet.
    """
    key = client.hello().log
    if not key:
        raise LogSilent("this server keeps no log, so that it cannot prove that it shows all players the same history")
    verifier = read_verifier(key)
    known = kept.get(verifier.name, KeptLog(key=key))
    before = known.checkpoint
    reply = client.checkpoint(0 if before is None else before.size)
    if known.key != key:
        _check_change(verifier, known.verifier, reply.change)
    now, path = open_checkpoint(reply.note, verifier), decode_hashes(reply.consistency, PATH_MAX)
    if before is not None:
        try:
            check_consistency(before.size, before.root, now.size, now.root, path)
        except ProofInvalid as error:
            raise TwoHistories(verifier.name, str(error), known.note, reply.note) from None
    return replace(known, key=key, note=reply.note)


def _check_change(new: Verifier, old: Verifier, proof: str) -> None:
    """Check that the old key of a log says which one follows.

    Raises:
        ProofInvalid: It does not.
    """
    try:
        read_proof(proof).check(entry_bytes(KeyEntry(key=new.text, was=old.text)), old)
    except ProofInvalid:
        raise ProofInvalid(
            f"the log {new.name} is signed with another key than the one that is known, which did not say so: ask its operator"
        ) from None


def with_line(client: Client, log: KeptLog, match: MatchId) -> KeptLog:
    """Return what is kept, with the proof of the last entry of a match; see `proved` for the errors."""
    log, line = proved(client, log, match)
    line = replace(line, nonce="", last=None)
    return replace(log, lines={**{one: log.lines[one] for one in log.lines if one != match}, match: line})


def proved(
    client: Client, log: KeptLog, match: MatchId, seat: Seat = PUBLIC, at: int | None = None
) -> tuple[KeptLog, EvidenceLine]:
    """Return the line of the commit with a seat's event, or of the last one that has an entry, and what is known of the log by then.

    Raises:
        RequestFailed: No checkpoint covers such an entry, or it is not for this seat.
        TwoHistories: The proof contradicts what is kept.
        ProofInvalid: The proof proves nothing.
        LogSilent: The server signs faster than it is asked.
    """
    for _ in range(TRIES):
        reply = client.proof(match, seat, at)
        if read_proof(reply.proof).note == log.note:
            break
        log = followed(client, {log.verifier.name: log})
    else:
        raise LogSilent("the server has signed another checkpoint meanwhile; try again")
    try:
        entry = _ENTRIES.decode(reply.entry)
    except DecodeError as error:
        raise ProofInvalid(f"the server proves something that is not an entry: {error}") from None
    if entry.match != match and at is None:
        raise ProofInvalid(f"the server proves an entry of match {entry.match} instead of {match}")
    line = EvidenceLine(
        match=entry.match,
        number=entry.number,
        blinded=entry.blinded,
        proof=reply.proof,
        nonce=reply.nonce,
        last=reply.last,
    )
    line.check(log.verifier)
    _check_entry(log.lines.get(entry.match), line)
    return log, line


def _check_entry(mine: EvidenceLine | None, line: EvidenceLine) -> None:
    """Check that two entries of a match are not two for one number.

    Raises:
        TwoHistories: They are.
    """
    if mine is not None and mine.number == line.number and mine.blinded != line.blinded:
        raise TwoHistories(
            line.origin, f"match {line.match} has two entries with the number {line.number}", mine.text, line.text
        )


def compared(client: Client, log: KeptLog, line: EvidenceLine) -> KeptLog:
    """Compare another player's line with what is kept, by a checkpoint of the server that continues both; return what is kept now.

    Raises:
        TwoHistories: They contradict each other.
        ProofInvalid: The line proves nothing, or is of another log.
        RequestFailed: The server does not answer it.
    """
    theirs = line.check(log.verifier)
    _check_entry(log.lines.get(line.match), line)
    note = read_proof(line.proof).note
    mine = log.checkpoint
    if mine is not None and mine.size == theirs.size:
        # Without the server: two signatures are enough.
        _check_same(theirs, mine, note, log.note)
        return log
    for _ in range(TRIES):
        log = followed(client, {theirs.origin: log})
        reply = client.checkpoint(theirs.size)
        if reply.note == log.note:
            break
    else:
        raise LogSilent("the server has signed another checkpoint meanwhile; try again")
    now, path = open_checkpoint(reply.note, log.verifier), decode_hashes(reply.consistency, PATH_MAX)
    try:
        check_consistency(theirs.size, theirs.root, now.size, now.root, path)
    except ProofInvalid as error:
        raise TwoHistories(theirs.origin, str(error), note, log.note) from None
    return log


def _check_same(theirs: Checkpoint, mine: Checkpoint, *notes: str) -> None:
    if theirs.root != mine.root:
        raise TwoHistories(mine.origin, f"two checkpoints of {mine.size} entries have different roots", *notes)
