"""Evidence files: what ties an archive to the log of a server, so that it is checked without the server.

Beside the archive of a match: the changes of the log's key, for each commit that has an entry in the log its number and what blinds it, and the proof of the last one. With the archive they
give all entries of the match, and so what others have kept can be compared with it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile

from events.codec import DecodeError, Decoder, Struct, encode
from events.errors import ProofInvalid
from events.ids import Digest, MatchId
from events.transparency.checkpoint import Checkpoint
from events.transparency.entry import CommitEntry, blinded, entry_bytes, entry_hash
from events.transparency.evidence_line import EvidenceLine, is_nonce
from events.transparency.key_changes import KeyChange, KnownKeys, known_keys, read_changes
from events.transparency.signed_note import Verifier
from events.transparency.tlog_proof import read_proof

FORMAT = "wardiary-evidence/1"

LINES_MAX = 200_000


class EvidenceHeader(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: the match, and the public key of the log."""

    evidence: str
    match: MatchId
    key: str


class ProvedCommit(Struct, frozen=True, forbid_unknown_fields=True):
    """A commit that has an entry in the log: the entry's number among those of the match (from 1), the last event of the commit, and the nonce (hex)."""

    number: int
    last: int
    nonce: str


class EvidenceEnd(Struct, frozen=True, forbid_unknown_fields=True):
    """The last line: the proof (a tlog-proof) of the last entry."""

    proof: str


class EvidenceFile(Struct, frozen=True):
    """An evidence file, of which nothing is checked yet."""

    match: MatchId
    key: str
    commits: tuple[ProvedCommit, ...]
    proof: str
    changes: tuple[KeyChange, ...] = ()

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of the file."""
        header = EvidenceHeader(FORMAT, self.match, self.key)
        for record in (header, *self.changes, *self.commits, EvidenceEnd(self.proof)):
            yield encode(record) + b"\n"

    def keys(self, trusted: Verifier) -> KnownKeys:
        """Return the keys of the log that are tied to one that is trusted; the last is the one that the file names.

        Raises:
            ProofInvalid: It is not.
        """
        keys = known_keys(trusted, self.changes)
        if self.key != keys.last.text:
            raise ProofInvalid(f"the evidence is of a log with the key {self.key}, which is not tied to {trusted.text}")
        return keys

    def check(self, hashes: Mapping[int, Digest], keys: KnownKeys) -> Checkpoint:
        """Check that the log with these keys holds the commits of an archive, and return the checkpoint by which it does.

        The proof of the last entry is one of all: each names the one before it. The last key has signed it.

        Args:
            hashes: The hash of each commit of the match itself, by the number of its last event.
            keys: The public keys of the log.

        Raises:
            ProofInvalid: They are not those, or the proof is not valid; the message names the first event.
        """
        before = 0
        for place, commit in enumerate(self.commits, start=1):
            if commit.number != place or commit.last not in hashes:
                raise ProofInvalid(
                    f"entry {commit.number} is of no commit of the archive: no command ends with event {commit.last}"
                )
            if commit.last <= before:
                raise ProofInvalid(f"entry {place} is of event {commit.last}, and the one before it of event {before}")
            before = commit.last
        return read_proof(self.proof).check(self._entries(hashes)[-1], keys.last)

    def check_kept(self, kept: EvidenceLine, hashes: Mapping[int, Digest], keys: KnownKeys) -> None:
        """Check that a line that somebody kept, also under an earlier key of the log, is of the history in an archive.

        Raises:
            ProofInvalid: It proves another history, is of another match, or is not valid.
        """
        checkpoint = kept.check(keys.of(kept.note))
        if kept.match != self.match:
            raise ProofInvalid(f"the line that was kept is of match {kept.match}, not of {self.match}")
        if not 1 <= kept.number <= len(self.commits):
            raise ProofInvalid(
                f"the line that was kept is of entry {kept.number}, by the log with {checkpoint.size} entries; the archive ends with entry {len(self.commits)}: its end is cut off"
            )
        commit = self.commits[kept.number - 1]
        if self._entries(hashes)[kept.number - 1] != kept.entry:
            raise ProofInvalid(
                f"this is not the history that was on record: up to event {commit.last} it was another one"
            )

    def _entries(self, hashes: Mapping[int, Digest]) -> list[bytes]:
        """Return the bytes of all entries."""
        entries, before = list[bytes](), Digest("")
        for one in self.commits:
            hidden = blinded(bytes.fromhex(one.nonce), hashes[one.last])
            entries.append(entry_bytes(CommitEntry(match=self.match, number=one.number, blinded=hidden, before=before)))
            before = entry_hash(entries[-1])
        return entries


_HEADER: Decoder[EvidenceHeader] = Decoder(EvidenceHeader)
_COMMIT: Decoder[ProvedCommit] = Decoder(ProvedCommit)
_END: Decoder[EvidenceEnd] = Decoder(EvidenceEnd)


def read_evidence(lines: Iterable[bytes]) -> EvidenceFile:
    """Read an evidence file.

    Raises:
        ProofInvalid: It is none; the message names the line.
    """
    found: Sequence[bytes] = [line for _, line in zip(range(LINES_MAX + 1), lines, strict=False)]
    if not 3 <= len(found) <= LINES_MAX:
        raise ProofInvalid(f"an evidence file has 3 to {LINES_MAX} lines")
    number = 1
    try:
        header = _HEADER.decode(found[0])
        commits = []
        changes = read_changes(takewhile(lambda line: line.startswith(b'{"key":'), found[1:-1]))
        for number, line in enumerate(found[1 + len(changes) : -1], start=2 + len(changes)):
            commits.append(_COMMIT.decode(line))
            if not is_nonce(commits[-1].nonce):
                raise ProofInvalid(f"line {number} of the evidence has no nonce of 32 bytes")
        number = len(found)
        end = _END.decode(found[-1])
    except (DecodeError, ValueError) as error:
        raise ProofInvalid(f"line {number} is not one of an evidence file: {error}") from None
    if header.evidence != FORMAT:
        raise ProofInvalid(f"the format is {header.evidence!r}; this program knows {FORMAT!r}")
    if not commits:
        raise ProofInvalid("the evidence names no commit")
    return EvidenceFile(header.match, header.key, tuple(commits), end.proof, changes)
