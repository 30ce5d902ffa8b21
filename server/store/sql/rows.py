"""Decodes the rows of a store in tables. A row may be damaged, so its types are checked first."""

from events.codec import Struct
from events.commit import Head
from events.entry_store import StoredEntry, Written
from events.errors import BrokenEvidence
from events.ids import Digest, MatchId
from events.log import Origin, Stored, StoredSummary

Row = tuple[object, ...]


class Branch(Struct, frozen=True):
    """A match's own row: its number in the store, where it starts, and for a fork where it left its parent."""

    number: int
    match: MatchId
    start: Head
    origin: Origin | None


def listed_branch(match: MatchId, row: Row) -> Branch:
    """Decode the row of a match.

    Raises:
        BrokenEvidence: The row is damaged.
    """
    number, number_of_parent, parent, seq, digest = row
    older = number_of_parent is None or (
        isinstance(number, int)
        and isinstance(number_of_parent, int)
        and number_of_parent < number
        and isinstance(parent, str)
    )
    if not (isinstance(number, int) and isinstance(seq, int) and isinstance(digest, bytes) and older):
        raise BrokenEvidence(match, 1, "the row of this match is not as it was written")
    start = Head(seq, Digest(digest.hex()))
    origin = None if number_of_parent is None else Origin(MatchId(str(parent)), start.seq, start.hash)
    return Branch(number, match, start, origin)


def stored_in(branch: Branch, row: Row) -> Stored:
    """Decode the row of a commit.

    Raises:
        BrokenEvidence: The row is damaged.
    """
    first, last, key, digest, body = row
    if not (
        isinstance(first, int)
        and isinstance(last, int)
        and isinstance(key, str)
        and isinstance(digest, bytes)
        and isinstance(body, bytes)
    ):
        seq = first if isinstance(first, int) else branch.start.seq + 1
        raise BrokenEvidence(branch.match, seq, "the row of this commit is not as it was written")
    return Stored(branch.match, first, last, key, Digest(digest.hex()), body)


def news_in(row: Row) -> Stored | None:
    """Decode the row of a commit with its match in the order of writing; return None if it is damaged, which a reader of the match is told."""
    _, match, *commit = row
    try:
        return stored_in(Branch(0, MatchId(str(match)), Head(), None), tuple(commit))
    except BrokenEvidence:
        return None


def written_in(row: Row) -> Written:
    """Decode the row of a commit in the order of writing.

    Raises:
        BrokenEvidence: The row is damaged.
    """
    number, match, digest, body = row
    if not (
        isinstance(number, int) and isinstance(match, str) and isinstance(digest, bytes) and isinstance(body, bytes)
    ):
        raise BrokenEvidence(MatchId(str(match)), 1, f"row {number} of the commits is not as it was written")
    return Written(number, MatchId(match), Digest(digest.hex()), body)


def entry_in(row: Row) -> StoredEntry:
    """Decode the row of an entry of the server's log.

    Raises:
        BrokenEvidence: The row is damaged, or its commit is missing.
    """
    number, key, match, digest = row
    if number is None and isinstance(key, bytes):
        return StoredEntry(key=key)
    if not (isinstance(number, int) and isinstance(match, str) and isinstance(digest, bytes)):
        raise BrokenEvidence(
            MatchId(str(match)), 1, f"the entry of commit {number} in the server's log is not as it was written"
        )
    return StoredEntry(number, match=MatchId(match), hash=Digest(digest.hex()))


def id_in(content: object, kind: object) -> tuple[MatchId, str]:
    """Return the id of a match, decoded from its bytes and type in the store, and its problem; empty if there is none.

    An id that is not a text is shown as a Python bytes literal; no match can be found by that.
    """
    plain = content if isinstance(content, bytes) else b""
    try:
        text = plain.decode() if kind == "text" else ""
    except UnicodeDecodeError:
        text = ""
    if text and text.isprintable():
        return MatchId(text), ""
    return MatchId(repr(plain)), "the id of this match is not a text that can be printed"


def summary_in(row: Row) -> StoredSummary:
    """Decode a row of a list of matches into an entry, which names the damage that the row shows."""
    number, id_, kind, found, seq, digest, kept_seq, kept_digest, content, snapshot = row
    match, problem = id_in(id_, kind)
    if problem:
        return _damaged(match, 1, problem)
    if found != number:
        return _damaged(match, 1, "the store does not find this match by its id")
    if seq is None and digest is None:
        return _damaged(match, 1, "the match has no commits of its own")
    if not (isinstance(seq, int) and isinstance(digest, bytes)):
        return _damaged(match, 1, "the row of its last commit is not as it was written")
    head = Head(seq, Digest(digest.hex()))
    reached = kept_seq if isinstance(kept_seq, int) else 0
    if isinstance(snapshot, int) and snapshot > reached:
        reached = snapshot
    if reached > seq:
        return StoredSummary(match, head, damage=cut_short(match, seq, reached))
    if isinstance(kept_seq, int) and isinstance(kept_digest, bytes) and isinstance(content, bytes):
        of = head if (kept_seq, kept_digest) == (seq, digest) else Head(kept_seq, Digest(kept_digest.hex()))
        return StoredSummary(match, head, of, content)
    return StoredSummary(match, head)


def _damaged(match: MatchId, seq: int, problem: str) -> StoredSummary:
    return StoredSummary(match, Head(), damage=BrokenEvidence(match, seq, problem))


def cut_short(match: MatchId, seq: int, reached: int) -> BrokenEvidence:
    """Return the error of a match that ends with event `seq`, before an event that it is known to have."""
    return BrokenEvidence(match, seq + 1, f"this event is missing, and the match had {reached} events at least")
