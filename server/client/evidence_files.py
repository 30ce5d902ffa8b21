"""Evidence files of matches on a server: what ties their archives to its log."""

from collections.abc import Sequence

from events.codec import decode_plain
from events.errors import ProofInvalid
from events.ids import Digest, MatchId, Seat
from events.log import NewCommit, Stored
from events.transparency.evidence_file import EvidenceFile, ProvedCommit
from events.transparency.key_changes import KeyChange, known_keys
from events.transparency.signed_note import read_verifier
from projections.public_commits import is_public
from server.client.client import Client
from server.client.kept_log import KeptLog
from server.protocol.replies import ProofReply


def own_hashes(commits: Sequence[NewCommit], match: MatchId) -> dict[int, Digest]:
    """Return the hashes of the commits that a match wrote itself, by the number of their last event."""
    return {one.last: one.hash for one in commits if one.match == match}


def evidence_of(client: Client, match: MatchId, seat: Seat, commits: Sequence[NewCommit], log: KeptLog) -> EvidenceFile:
    """Return what ties the archive of a match to the log of its server, checked.

    Args:
        client: A client of the server.
        match: The match.
        seat: The seat that may have its commits.
        commits: Those of its archive.
        log: What is kept of its log.

    Raises:
        RequestFailed: The server keeps no log, signed nothing of the match yet, or the seat may not have its commits.
        ProofInvalid: The log does not hold these commits.
    """
    proof = client.proof(match, seat)
    count, nonces = entries_until(proof), list[str]()
    while len(nonces) < count and (more := client.entries(match, seat, after=len(nonces)).nonces):
        nonces += more
    return tied(proof, nonces, [one for one in commits if one.match == match], log.key, log.changes)


def entries_until(proof: ProofReply) -> int:
    """Return how many entries a match has up to the one that is proved.

    Raises:
        ProofInvalid: It is of no entry of a match.
    """
    entry = decode_plain(proof.entry.encode())
    count = entry.get("number") if isinstance(entry, dict) else None
    if not isinstance(count, int):
        raise ProofInvalid("the server's proof is of no entry of a match")
    return count


def tied(
    proof: ProofReply,
    nonces: Sequence[str],
    commits: Sequence[NewCommit | Stored],
    key: str,
    changes: tuple[KeyChange, ...],
) -> EvidenceFile:
    """Return what ties the commits of a match to the log of its server, checked.

    Args:
        proof: The proof of the last entry of the match.
        nonces: What blinds its entries.
        commits: Those that the match wrote itself.
        key: The public key of the log.
        changes: The changes of that key.

    Raises:
        ProofInvalid: The log does not hold these commits.
    """
    count, public = entries_until(proof), [one for one in commits if is_public(one.body)]
    numbered = list(enumerate(zip(public[:count], nonces, strict=False), start=1))
    if len(numbered) != count:
        raise ProofInvalid(f"the log has {count} entries of the match, and its archive {len(public)} commits for them")
    proved = tuple([ProvedCommit(number, one.last, nonce) for number, (one, nonce) in numbered])
    found = EvidenceFile(proof.match, key, proved, proof.proof, changes)
    found.check({one.last: one.hash for one in commits}, known_keys(read_verifier(key), changes))
    return found
