"""Keeps the last checkpoint of a server's log, and for each match the proof of its last entry.

A checkpoint is kept only if it continues the one before. If it does not, the server has shown two histories: two checkpoints of one size prove that
to anybody; of two others, it cannot prove that one continues the other.
"""

from collections.abc import Sequence

from events.codec import DecodeError, Decoder, Struct, replace
from events.errors import LogError, ProofInvalid
from events.ids import PUBLIC, MatchId, Seat
from events.transparency.checkpoint import Checkpoint, open_checkpoint
from events.transparency.entry import CommitEntry, entry_hash
from events.transparency.evidence_line import EvidenceLine
from events.transparency.key_changes import KeyChange, KnownKeys, known_keys
from events.transparency.merkle_tree import PATH_MAX, check_consistency
from events.transparency.signed_note import Verifier, decode_hashes, read_note, read_verifier
from events.transparency.tlog_proof import read_proof
from server.client.client import Client

TRIES = 3
"""How often a proof is asked for again because the server has signed meanwhile."""


class Stamped(Struct, frozen=True):
    """A line of a match whose checkpoint an authority has stamped, and what the authority has answered (RFC 3161, base64)."""

    line: EvidenceLine
    reply: str


class KeptLog(Struct, frozen=True, kw_only=True):
    """One log as a client keeps it: its public key with the changes that led to it, the note of the last checkpoint, and the last line of each match.

    `contradictions` prove two histories; `stamps` say when checkpoints existed, the newest last.
    """

    key: str
    changes: tuple[KeyChange, ...] = ()
    note: str = ""
    lines: dict[MatchId, EvidenceLine] = {}
    contradictions: tuple[str, ...] = ()
    stamps: tuple[Stamped, ...] = ()

    @property
    def verifier(self) -> Verifier:
        """The public key."""
        return read_verifier(self.key)

    @property
    def keys(self) -> KnownKeys:
        """All keys of the log."""
        return known_keys(self.verifier, self.changes)

    @property
    def checkpoint(self) -> Checkpoint | None:
        """The last checkpoint, or None before the first."""
        return open_checkpoint(self.note, self.keys.of(self.note)) if self.note else None

    def check(self, line: EvidenceLine) -> Checkpoint:
        """Check a line by any key of the log, and return its checkpoint; see `TlogProof.check` for the errors."""
        return line.check(self.keys.of(line.note))


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
    _check_changes(verifier, known.verifier, reply.changes)
    now, path = open_checkpoint(reply.note, verifier), decode_hashes(reply.consistency, PATH_MAX)
    if before is not None:
        try:
            check_consistency(before.size, before.root, now.size, now.root, path)
        except ProofInvalid as error:
            raise TwoHistories(verifier.name, str(error), known.note, reply.note) from None
    return replace(known, key=key, note=reply.note, changes=reply.changes)


def _check_changes(new: Verifier, old: Verifier, changes: Sequence[KeyChange]) -> None:
    """Check that the key of a log is the one that is known, or follows it: the old one says so, also through others.

    Raises:
        ProofInvalid: It does not.
    """
    try:
        is_tied = new == known_keys(old, changes).last
    except ProofInvalid:
        is_tied = False
    if not is_tied:
        raise ProofInvalid(
            f"the log {new.name} is signed with another key than the one that is known, which did not say so: ask its operator"
        )


def with_line(client: Client, log: KeptLog, match: MatchId) -> KeptLog:
    """Return what is kept, with the proof of the last entry of a match; see `proved` for the errors.

    Raises:
        ProofInvalid: It is not the last one: a later one is kept. Who took the earlier one in its place could be shown another history from there on.
    """
    kept = log.lines.get(match)
    log, line = proved(client, log, match)
    if kept is not None and line.number < kept.number:
        said = f"the server proves entry {line.number} as the last one of match {match}, and has proved entry {kept.number} before: it holds something back"
        raise ProofInvalid(said)
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
    entry = _entry_in(reply.entry)
    if entry.match != match and at is None:
        raise ProofInvalid(f"the server proves an entry of match {entry.match} instead of {match}")
    line = EvidenceLine(
        match=entry.match,
        number=entry.number,
        blinded=entry.blinded,
        before=entry.before,
        proof=reply.proof,
        nonce=reply.nonce,
        last=reply.last,
    )
    log.check(line)
    _check_entries(client, log.lines.get(entry.match), line)
    return log, line


def _check_entries(client: Client, mine: EvidenceLine | None, line: EvidenceLine) -> None:
    """Check that two entries of a match are of one history: each entry names the one before it, and the server shows those between.

    Raises:
        TwoHistories: They are two for one number, or the later one does not continue the earlier one.
        ProofInvalid: The server shows something else.
        RequestFailed: It does not answer.
    """
    if mine is None:
        return
    _check_same_number(mine, line)
    first, last = sorted((mine, line), key=lambda one: one.number)
    if first.number != last.number and not _continues(client, first, last):
        problem = f"entry {last.number} of match {line.match} does not continue its entry {first.number}"
        raise TwoHistories(line.origin, problem, mine.text, line.text)


def _check_same_number(mine: EvidenceLine, line: EvidenceLine) -> None:
    if mine.number == line.number and mine.entry != line.entry:
        problem = f"match {line.match} has two entries with the number {line.number}"
        raise TwoHistories(line.origin, problem, mine.text, line.text)


def _continues(client: Client, first: EvidenceLine, last: EvidenceLine) -> bool:
    """Return whether an entry of a match leads back to an earlier one, by those that the server shows between them."""
    number, before = first.number, entry_hash(first.entry)
    while number < last.number - 1:
        shown = client.entries(first.match, after=number).entries
        if not shown:
            return False
        for text in shown[: last.number - 1 - number]:
            entry = _entry_in(text)
            if (entry.match, entry.number, entry.before) != (first.match, number + 1, before):
                return False
            number, before = number + 1, entry_hash(text.encode())
    return last.before == before


def _entry_in(text: str) -> CommitEntry:
    try:
        return _ENTRIES.decode(text)
    except DecodeError as error:
        raise ProofInvalid(f"the server shows something that is not an entry: {error}") from None


def compared(client: Client, log: KeptLog, line: EvidenceLine) -> KeptLog:
    """Compare another player's line with what is kept, by a checkpoint of the server that continues both; return what is kept now.

    Raises:
        TwoHistories: They contradict each other.
        ProofInvalid: The line proves nothing, or is of another log.
        RequestFailed: The server does not answer it.
    """
    note = line.note
    if log.keys.of(note).id not in [one.id for one in read_note(note).signatures]:
        # It may be signed with a key that follows the one that is known.
        log = followed(client, {log.verifier.name: log})
    theirs, mine = log.check(line), log.checkpoint
    own = log.lines.get(line.match)
    # As far as possible without the server: two signatures are enough.
    if own is not None:
        _check_same_number(own, line)
    if mine is not None and mine.size == theirs.size:
        _check_same_root(theirs, mine, note, log.note)
        _check_entries(client, own, line)
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
    _check_entries(client, own, line)
    return log


def _check_same_root(theirs: Checkpoint, mine: Checkpoint, *notes: str) -> None:
    if theirs.root != mine.root:
        raise TwoHistories(mine.origin, f"two checkpoints of {mine.size} entries have different roots", *notes)
