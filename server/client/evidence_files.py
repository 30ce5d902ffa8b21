"""Evidence files of matches on a server: what ties their archives to its log."""

from collections.abc import Sequence

from events.codec import decode_plain
from events.errors import ProofInvalid
from events.ids import Digest, MatchId, Seat
from events.log import NewCommit
from events.transparency.evidence_file import EvidenceFile, ProvedCommit
from projections.public_commits import is_public
from server.client.client import Client
from server.client.kept_log import KeptLog


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
    entry = decode_plain(proof.entry.encode())
    count = entry.get("number") if isinstance(entry, dict) else None
    if not isinstance(count, int):
        raise ProofInvalid("the server's proof is of no entry of a match")
    nonces: list[str] = []
    while len(nonces) < count and (more := client.entries(match, seat, after=len(nonces)).nonces):
        nonces += more
    public = [one for one in commits if one.match == match and is_public(one.body)]
    numbered = list(enumerate(zip(public[:count], nonces, strict=False), start=1))
    if len(numbered) != count:
        raise ProofInvalid(f"the log has {count} entries of the match, and its archive {len(public)} commits for them")
    proved = tuple([ProvedCommit(number, one.last, nonce) for number, (one, nonce) in numbered])
    found = EvidenceFile(match, log.key, proved, proof.proof, log.changes)
    found.check(own_hashes(commits, match), log.keys)
    return found
