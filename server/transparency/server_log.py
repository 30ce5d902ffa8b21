"""The log of a server: makes entries of the commits in a store, signs checkpoints, and gives proofs.

Entries follow from stored rows, in the order of writing, so that no command waits for them. Between commands the log catches up, for a
small share of the time while there are many. A checkpoint that was signed before is compared with the rows before anything is signed; if
they differ, the log has ended and signs nothing.
"""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import Protocol

from events.codec import Struct
from events.commit import Commit
from events.entry_store import EntryStore, NewEntry, StoredEntry
from events.errors import BrokenEvidence, LogError, LogKeyUnusable, LogMisuse, ProofInvalid
from events.ids import Digest, MatchId
from events.transparency.checkpoint import Checkpoint, checkpoint_in, open_checkpoint, sign_checkpoint
from events.transparency.entry import CommitEntry, KeyEntry, blinded, entry_bytes, nonce
from events.transparency.key_changes import KeyChange
from events.transparency.merkle_tree import MerkleTree, leaf_hash
from events.transparency.signed_note import Signer, Verifier, read_note
from events.transparency.tlog_proof import TlogProof
from events.vocabulary import MatchEnded, MatchForked, TurnBegan
from projections.public_commits import is_public
from server.protocol.clock import Clock
from server.protocol.identity import Identity
from server.transparency.witnesses import Witnesses

SLICE = 64
"""How many rows are looked at in one step, which takes about a millisecond."""

SHARE = 50
"""While clients are served, one part in so many of the time at most is the log's."""

SIGN_S = 1.0
"""How much time lies between two checkpoints at least, in seconds."""

AGAIN_S = 5.0
"""After how many seconds a failed step is tried again."""

TILE, TILE_LEVELS = 256, 8
"""How many hashes a whole tile has, and how many levels of them a log can have at most."""

MARKING = (TurnBegan, MatchEnded, MatchForked)
"""The events after which a checkpoint is signed without being asked for."""


class LogKeys(Protocol):
    """The key of a log, and the place where its last checkpoint is kept apart from the store."""

    @property
    def signer(self) -> Signer:
        """The key."""

    def last_signed(self) -> str:
        """Return the note of the last checkpoint that was signed; empty if there is none."""

    def keep_signed(self, note: str) -> None:
        """Keep a checkpoint durably, before anybody gets it."""

    def changes(self) -> tuple[KeyChange, ...]:
        """Return the changes of the key, in order."""


class ProvedEntry(Struct, frozen=True):
    """An entry with its proof. `nonce` (32 bytes) and `commit` (its number in the store) are for those who may have the archive."""

    entry: bytes
    proof: TlogProof
    nonce: bytes
    commit: int


class ServerLog:
    """The log of one store, which only one process may continue at a time.

    Args:
        store: The store.
        keys: The key of the log; its name is the log's.
        clock: Says when a step is due.
        identity: Generates the secret of a log that begins.
        tell: Is told why the log has ended, once.
        witnesses: Who is asked to cosign each checkpoint; by default nobody.

    Attributes:
        problem: Why the log has ended; empty while it goes on.
        note: The last checkpoint, with its cosignatures as they come; empty before the first.
        changes: The changes of the key, in order.
    """

    def __init__(
        self,
        store: EntryStore,
        keys: LogKeys,
        clock: Clock,
        identity: Identity,
        tell: Callable[[str], None],
        *,
        witnesses: Witnesses | None = None,
    ) -> None:
        self._witnesses = witnesses
        self._store = store
        self._keys = keys
        self._clock = clock
        self._tell = tell
        self.problem = ""
        self.changes = keys.changes()
        self._is_wanted = False
        self._next_s = self._again_s = 0.0
        self._signed_s = clock.monotonic()
        self._secret = self._begun(identity)
        self._restart()

    def _begun(self, identity: Identity) -> bytes:
        """Return the secret that blinds the entries, having begun the log if its name is new."""
        known = self._store.logs()
        if self.origin not in known:
            self._store.begin_log(self.origin, bytes.fromhex(identity.seed()))
            known = self._store.logs()
        elif list(known)[-1] != self.origin:
            self._end(f"the log {self.origin} ended when {list(known)[-1]} began in this store")
        return known[self.origin]

    def _end(self, problem: str) -> None:
        self.problem = problem
        self._tell(problem)

    def _restart(self) -> None:
        """Forget everything, to read it from the rows again."""
        self._tree = MerkleTree()
        # The commit of each entry, and the entries of each match.
        self._commits = array("q")
        self._of_match: dict[MatchId, array[int]] = {}
        self._looked_at = 0
        self._is_loaded = False
        self._is_behind = True
        self._last: Checkpoint | None = None
        self._signed = self.note = ""

    @property
    def origin(self) -> str:
        """The name of the log."""
        return self._keys.signer.name

    @property
    def verifier(self) -> Verifier:
        """The public key of the log."""
        return self._keys.signer.verifier

    @property
    def size(self) -> int:
        """How many entries the last checkpoint covers; 0 before the first."""
        return 0 if self._last is None else self._last.size

    # Going on

    def heed(self, commits: Iterable[Commit]) -> None:
        """Note that commits were stored, and sign a checkpoint soon if one of them began a turn, or ended or forked a match."""
        self._is_behind = True
        if not self._is_wanted:
            self._is_wanted = any(isinstance(event, MARKING) for commit in commits for event in commit.events)

    def look(self) -> None:
        """Look at the store again: another process may have written to it."""
        self._is_behind = True

    @property
    def has_work(self) -> bool:
        """Whether a step may be due."""
        return (self._is_behind or self._is_wanted or self._has_witness_work) and not self.problem

    @property
    def _has_witness_work(self) -> bool:
        witnesses = self._witnesses
        return witnesses is not None and bool(self._signed) and (witnesses.has_answers or witnesses.is_due(self.size))

    def work(self, *, is_idle: bool = False) -> bool:
        """Do one step, if one is due. Nothing else may be writing to the store in this process meanwhile.

        Args:
            is_idle: No client is waiting, so that all the time is the log's.

        Returns:
            Whether the next step is due at once when no client waits.
        """
        now = self._clock.monotonic()
        if not self.has_work or now < (self._again_s if is_idle else self._next_s):
            return False
        try:
            if self._is_behind:
                self._catch_up()
            if self._is_wanted and self._is_loaded and now >= self._signed_s + SIGN_S:
                self._sign_new()
            if self._has_witness_work:
                self._heed_witnesses()
        except LogError as error:
            self._failed(error)
            return False
        self._next_s = now + SHARE * (self._clock.monotonic() - now)
        return self._is_behind

    def _failed(self, error: LogError) -> None:
        self._next_s = self._again_s = self._clock.monotonic() + AGAIN_S
        if isinstance(error, BrokenEvidence | ProofInvalid | LogKeyUnusable):
            self._end(str(error))
        elif isinstance(error, LogMisuse):
            # The outcome of an earlier step was unknown, or another process has written entries.
            self._restart()

    def finish(self, most_s: float = inf) -> None:
        """Catch up with everything stored, and sign a checkpoint of it; after `most_s` seconds of as much as was looked at."""
        until = self._clock.monotonic() + most_s
        try:
            while self._is_behind and not self.problem and self._clock.monotonic() < until:
                self._catch_up()
            if self._is_loaded and not self.problem:
                self._sign_new()
        except LogError as error:
            self._failed(error)

    def close(self) -> None:
        """Let go of the witnesses; nothing is signed afterwards."""
        if self._witnesses is not None:
            self._witnesses.close()

    def change_key(self, new: Signer) -> KeyChange:
        """Append that another key follows, unless that is the last entry, and sign a checkpoint of it with both keys.

        Raises:
            ProofInvalid: The log has ended.
            LogError: The store cannot be read or written.
        """
        while self._is_behind:
            self._catch_up()
        old = self._keys.signer
        entry = entry_bytes(KeyEntry(key=new.verifier.text, was=old.verifier.text))
        index = len(self._tree)
        if any(one.key == entry for one in self._store.entries(max(0, index - 1), 1)):
            index -= 1
        else:
            self._store.append_entries(index, [NewEntry(key=entry)])
            self._add(StoredEntry(key=entry))
        self._sign([old, new])
        proof = TlogProof(index, tuple(self._tree.inclusion(index, self.size)), self.note)
        return KeyChange(key=new.verifier.text, was=old.verifier.text, proof=proof.text)

    def want(self) -> None:
        """Sign a checkpoint of what is stored soon; for those who ask."""
        self._is_wanted = True

    def _catch_up(self) -> None:
        """Look at the next rows."""
        if not self._is_loaded:
            self._load()
            return
        found = self._store.written(self._looked_at, SLICE)
        public = [one for one in found if is_public(one.body)]
        if public:
            self._store.append_entries(len(self._tree), [NewEntry(one.number) for one in public])
        for one in public:
            self._add(StoredEntry(one.number, match=one.match, hash=one.hash))
        if found:
            self._looked_at = found[-1].number
        self._is_behind = len(found) == SLICE

    def _load(self) -> None:
        """Read the next entries from their rows; after the last one, compare them with what was signed."""
        found = self._store.entries(len(self._tree), SLICE)
        for entry in found:
            self._add(entry)
            self._looked_at = max(self._looked_at, entry.commit)
        if not found:
            self._check()
            self._is_loaded = True

    def _check(self) -> None:
        """Compare the rows with the checkpoints that were signed: the last in the store, and the last of the key.

        Raises:
            ProofInvalid: They differ, so that to go on would be a second history.
        """
        self._compare(self._keys.last_signed())
        last = self._store.last_checkpoint()
        if last and checkpoint_in(read_note(last)).origin == self.origin:
            self._compare(last)

    def _compare(self, note: str) -> None:
        if not note:
            return
        signed = open_checkpoint(note, self.verifier)
        if signed.size > len(self._tree):
            raise ProofInvalid(
                f"the log {self.origin} was signed with {signed.size} entries, and this store has {len(self._tree)}: it is a copy of an earlier state"
            )
        if self._tree.root(signed.size) != signed.root:
            raise ProofInvalid(
                f"the first {signed.size} entries of the log {self.origin} are not those that were signed: "
                "rows of the store were changed, or it is a copy of an earlier state that went on"
            )
        self._last, self._signed, self.note = signed, note, note

    def _add(self, entry: StoredEntry) -> None:
        index = len(self._tree)
        self._commits.append(entry.commit)
        if entry.commit:
            self._of_match.setdefault(entry.match, array("q")).append(index)
        self._tree.append(leaf_hash(self._bytes(entry, index)))

    def _bytes(self, entry: StoredEntry, index: int) -> bytes:
        """Return the bytes of an entry, which is known already."""
        if not entry.commit:
            return entry.key
        entries = self._of_match[entry.match]
        place = bisect_left(entries, index)
        before = Digest(self._tree.leaf(entries[place - 1]).hex() if place else "")
        hidden = blinded(nonce(self._secret, index), entry.hash)
        return entry_bytes(CommitEntry(match=entry.match, number=place + 1, blinded=hidden, before=before))

    def _sign_new(self) -> None:
        """Sign a checkpoint, unless the last one is of as many entries."""
        self._is_wanted = False
        if len(self._tree) != self.size:
            self._sign([self._keys.signer])

    def _sign(self, signers: Sequence[Signer]) -> None:
        """Sign a checkpoint of all entries; nobody gets it before it is durable in two places."""
        checkpoint = Checkpoint(self.origin, len(self._tree), self._tree.root())
        note = sign_checkpoint(checkpoint, signers).whole
        self._store.save_checkpoint(checkpoint.size, note)
        self._keys.keep_signed(note)
        self._last, self._signed, self.note = checkpoint, note, note
        self._signed_s = self._clock.monotonic()

    def _heed_witnesses(self) -> None:
        """Add new cosignatures to the last checkpoint, and ask for more; they are not stored, since each witness gives its own again."""
        assert self._witnesses is not None
        self.note += "".join([one.line for one in self._witnesses.take(self.size, self._signed)])
        self._witnesses.ask(self.size, self._signed, self.consistency)

    # Proofs

    def consistency(self, since: int) -> list[bytes]:
        """Return the proof that the last checkpoint continues an earlier one of `since` entries, from 0 to `size`."""
        return self._tree.consistency(since, self.size)

    def proof(self, match: MatchId, commit: int) -> ProvedEntry | None:
        """Return the first entry of a match that is of a commit or a later one, with its proof; None before a checkpoint covers one.

        The chain of the match covers the commits before it.

        Args:
            match: The match that wrote the commit.
            commit: The number of the commit in the store.
        """
        entries = self._of_match.get(match, array("q"))
        return self._proved(entries, bisect_left(entries, commit, key=self._commits.__getitem__))

    def last_proof(self, match: MatchId) -> ProvedEntry | None:
        """Return the last entry of a match that the checkpoint covers, with its proof; None if there is none."""
        entries = self._of_match.get(match, array("q"))
        return self._proved(entries, bisect_left(entries, self.size) - 1)

    def entries(self, match: MatchId, after: int, most: int) -> list[tuple[bytes, bytes]]:
        """Return the entries of a match behind number `after`, each with its nonce, as far as a checkpoint covers them, at most so many."""
        entries = self._of_match.get(match, array("q"))
        covered = bisect_left(entries, self.size)
        return [(self._entry(one), nonce(self._secret, one)) for one in entries[after : min(covered, after + most)]]

    def tile(self, level: int, number: int, width: int) -> bytes | None:
        """Return a tile as far as a checkpoint covers it: hashes of subtrees of `256 ** level` leaves, or of level -1 the entries, each after its length.

        Args:
            level: The level, from -1.
            number: Its number in the level, from 0.
            width: How many hashes it has, 1 to 256.

        Returns:
            The tile; None if there is none.
        """
        start, end = number * TILE, number * TILE + width
        if not (-1 <= level < TILE_LEVELS and number >= 0 and 1 <= width <= TILE):
            return None
        if end > self.size >> 8 * max(0, level):
            return None
        if level >= 0:
            return self._tree.hashes(8 * level, start, end)
        entries = [self._bytes(one, start + place) for place, one in enumerate(self._store.entries(start, width))]
        return b"".join([len(one).to_bytes(2) + one for one in entries])

    def _entry(self, index: int) -> bytes:
        (entry,) = self._store.entries(index, 1)
        return self._bytes(entry, index)

    def _proved(self, entries: Sequence[int], place: int) -> ProvedEntry | None:
        if not 0 <= place < len(entries) or entries[place] >= self.size:
            return None
        index = entries[place]
        proof = TlogProof(index, tuple(self._tree.inclusion(index, self.size)), self.note)
        return ProvedEntry(self._entry(index), proof, nonce(self._secret, index), self._commits[index])
