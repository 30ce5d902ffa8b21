"""Checks that stored commits are unchanged, complete and in order.

It needs no rules and no table. It cannot detect that the end of a match was cut off, or that a whole match was
rewritten with all hashes recomputed: that takes a head noted elsewhere (`kept`).
"""

from collections import deque
from collections.abc import Iterable, Iterator

from events.codec import DecodeError
from events.commit import GENESIS, Commit, Head, chain_hash, decode_canonical, decode_commit
from events.errors import BrokenEvidence
from events.ids import Digest, MatchId
from events.log import Log, Stored
from events.upcast import HISTORY, History
from events.vocabulary import MatchForked, MatchOpened

BROKEN_LINK = "the chain is broken: this commit names another one as the one before it"
CHANGED = "the bytes of this commit are not those that were written: its hash differs"
MISSING = "this event is missing"
REWRITTEN = "this commit was rewritten: the one after it names another hash"


class ChainCheck:
    """Checks a match commit by commit, a fork's shared prefix first.

    Args:
        history: Old versions of events.

    Attributes:
        head: Where the checked part ends.
        match: The match whose commits are read.
    """

    __slots__ = ("_history", "_keys", "head", "match")

    def __init__(self, history: History = HISTORY) -> None:
        self.head = Head(0, GENESIS)
        self.match = MatchId("")
        self._keys: set[str] = set()
        self._history = history

    def take(self, stored: Stored) -> Commit:
        """Check the next commit and return it decoded.

        Raises:
            BrokenEvidence: The commit is wrong; the message names the events expected here.
        """
        if chain_hash(stored.body) != stored.hash:
            raise self._broken(stored.match, CHANGED)
        return self._take(stored.body, stored.hash, stored)

    def take_body(self, body: bytes) -> Commit:
        """Check the next commit given as bytes alone, and return it decoded.

        Raises:
            BrokenEvidence: As `take`.
        """
        return self._take(body, chain_hash(body), None)

    def _take(self, body: bytes, digest: Digest, stored: Stored | None) -> Commit:
        match = self.match if stored is None else stored.match
        try:
            commit = decode_canonical(body, self._history)
        except DecodeError as error:
            raise self._broken(match, f"this is not a valid commit: {error}") from None
        problem = ("" if stored is None else _label_problem(stored, commit)) or self._order_problem(commit)
        if problem:
            raise self._broken(match or commit.match, problem)
        if commit.match != self.match:
            self.match = commit.match
            self._keys.clear()
        self._keys.add(commit.key)
        self.head = Head(commit.last, digest)
        return commit

    def _broken(self, match: MatchId, problem: str) -> BrokenEvidence:
        return BrokenEvidence(match, self.head.seq + 1, problem)

    def _order_problem(self, commit: Commit) -> str:
        """Return why a commit does not follow the one before it; empty if it does."""
        if not commit.events:
            return "this commit holds no events"
        if commit.first != self.head.seq + 1:
            return f"this commit begins with event {commit.first}"
        if commit.prev != self.head.hash:
            return BROKEN_LINK
        opening = commit.events[0]
        if isinstance(opening, MatchOpened) != (self.head.seq == 0):
            return "a match begins with its opening and has no other"
        forked = isinstance(opening, MatchForked)
        if self.match and forked != (commit.match != self.match):
            return f"a commit of match {commit.match} follows one of match {self.match} without being its fork"
        if not forked and commit.key in self._keys:
            return f"the idempotency key {commit.key!r} was used before"
        return ""


def _label_problem(stored: Stored, commit: Commit) -> str:
    """Return how a commit differs from the columns stored beside it; empty if it does not."""
    if commit.match != stored.match:
        return f"the commit is of match {commit.match}"
    if (commit.first, commit.last) != (stored.first, stored.last):
        return f"the commit says events {commit.first} to {commit.last}, the store {stored.first} to {stored.last}"
    if commit.key != stored.key:
        return f"the commit has the idempotency key {commit.key!r}, the store {stored.key!r}"
    return ""


def checked(
    commits: Iterable[Stored], match: MatchId, *, kept: Head | None = None, history: History = HISTORY
) -> Iterator[Commit]:
    """Decode a whole match while its chain is checked.

    After an error, discard the commits returned so far: they belong to a broken chain.

    Args:
        commits: All its commits from the first on, as `Log.read` gives them.
        match: Its id.
        kept: A head noted elsewhere, which the match must contain.
        history: Old versions of events.

    Raises:
        BrokenEvidence: A commit is wrong; the message names the first bad event.
    """
    check = ChainCheck(history)
    passed = kept is None or kept == check.head
    before: Stored | None = None
    waiting = iter(commits)
    for stored in waiting:
        try:
            commit = check.take(stored)
        except BrokenEvidence as defect:
            after = next(waiting, None)
            following = kept if after is None else Head(stored.last, named_before(after.body, history))
            raise _blamed(defect, before, stored, following) from None
        yield commit
        passed = passed or check.head == kept
        before = stored
    if check.match != match:
        raise BrokenEvidence(match, check.head.seq + 1, "the match has no commits of its own")
    if kept is not None and not passed:
        raise BrokenEvidence(
            match, min(kept.seq, check.head.seq + 1), f"the match never stood at event {kept.seq} with hash {kept.hash}"
        )


def check_chain(
    commits: Iterable[Stored], match: MatchId, *, kept: Head | None = None, history: History = HISTORY
) -> BrokenEvidence | None:
    """Check a whole match.

    Args:
        commits: All its commits as `Log.read` gives them.
        match: Its id.
        kept: A head noted elsewhere, which the match must contain.
        history: Old versions of events.

    Returns:
        The first defect, or None.
    """
    try:
        deque(checked(commits, match, kept=kept, history=history), maxlen=0)
    except BrokenEvidence as defect:
        return defect
    return None


def _blamed(defect: BrokenEvidence, before: Stored | None, stored: Stored, vouched: Head | None) -> BrokenEvidence:
    """Return the error of the commit that was rewritten.

    Two commits do not match. If the next commit confirms the second one's hash, the first was rewritten.
    """
    if defect.problem != BROKEN_LINK or before is None or vouched != Head(stored.last, stored.hash):
        return defect
    return BrokenEvidence(before.match, before.first, REWRITTEN)


def stored_commit(stored: Stored) -> Commit:
    """Decode a commit of a match whose chain was checked when the match was loaded: since then its bytes may have been damaged.

    Raises:
        BrokenEvidence: They are not those that were written, or are not a commit.
    """
    if chain_hash(stored.body) != stored.hash:
        raise BrokenEvidence(stored.match, stored.first, CHANGED)
    try:
        return decode_commit(stored.body)
    except DecodeError as error:
        raise BrokenEvidence(stored.match, stored.first, f"this is not a valid commit: {error}") from None


def commits_between(log: Log, match: MatchId, after: int, upto: int) -> Iterator[tuple[Stored, Commit]]:
    """Read commits of a match whose chain was checked when the match was loaded; see `stored_commit`.

    Args:
        log: The log that holds the match.
        match: Its id.
        after: The event before the first one that is needed; its commit is read, too, if it has later events.
        upto: The last event that is needed; the match has it.

    Raises:
        BrokenEvidence: A commit is damaged, is missing, or does not follow the one before it.
    """
    seq, before = max(after, 0), None
    for stored in log.read(match, after, upto):
        commit = stored_commit(stored)
        if commit.first > seq + 1 or (before is not None and commit.first <= seq):
            raise BrokenEvidence(match, seq + 1, MISSING)
        if before is not None and commit.prev != before:
            raise BrokenEvidence(stored.match, stored.first, BROKEN_LINK)
        yield stored, commit
        seq, before = stored.last, stored.hash
    if seq < upto:
        raise BrokenEvidence(match, seq + 1, MISSING)


def named_before(body: bytes, history: History = HISTORY) -> Digest:
    """Return the hash that a commit names as its predecessor's; an impossible hash if it cannot be read."""
    try:
        return decode_commit(body, history).prev
    except DecodeError:
        return Digest("")
