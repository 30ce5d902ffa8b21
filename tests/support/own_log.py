"""A log that holds one match alone, as an operator writes it who has its keys: with its evidence file, and with whatever is forged in it."""

from collections.abc import Callable, Sequence
from hashlib import sha256

from events.codec import encode_in_order
from events.commit import chain_hash
from events.ids import Digest
from events.transparency.checkpoint import Checkpoint, sign_checkpoint
from events.transparency.entry import CommitEntry, KeyEntry, blinded, entry_bytes, entry_hash
from events.transparency.evidence_file import EvidenceFile, ProvedCommit
from events.transparency.key_changes import KeyChange
from events.transparency.merkle_tree import MerkleTree, leaf_hash
from events.transparency.signed_note import Note, Signature, Signer
from events.transparency.tlog_proof import TlogProof
from tests.support.mutated_archives import Lines, dumped

KEYS = tuple([Signer("own.example/log", bytes([number]) * 32) for number in range(1, 4)])
"""Keys of the log, in their order."""


def proof_in(entries: Sequence[bytes], index: int, *signers: Signer, below: Sequence[Signature] = ()) -> str:
    """Return the proof of an entry by a checkpoint of all entries, which these keys have signed."""
    tree = MerkleTree(map(leaf_hash, entries))
    note = sign_checkpoint(Checkpoint(KEYS[0].name, len(entries), tree.root()), signers)
    note = Note(note.text, (*note.signatures, *below))
    return TlogProof(index, tuple(tree.inclusion(index, len(entries))), note.whole).text


def change(entries: Sequence[bytes], old: Signer, new: Signer, *signers: Signer) -> KeyChange:
    """Return a change of the key after these entries, which both keys sign unless others are named."""
    said = KeyEntry(key=new.verifier.text, was=old.verifier.text)
    proof = proof_in([*entries, entry_bytes(said)], len(entries), *(signers or (old, new)))
    return KeyChange(key=said.key, was=said.was, proof=proof)


def evidence(
    archive: bytes,
    *changes: KeyChange,
    key: Signer = KEYS[0],
    others: Sequence[bytes] = (),
    order: Callable[[list[int]], list[int]] = list,
    below: Sequence[Signature] = (),
) -> bytes:
    """Return the evidence of an archive by a log that holds other entries, and then those of its match."""
    hashes = {one["first"] + len(one["events"]) - 1: chain_hash(dumped(one)) for one in Lines(archive).commits}
    match, before, entries, proved = Lines(archive).commits[-1]["match"], Digest(""), list(others), []
    for number, last in enumerate(order(sorted(hashes)), start=1):
        nonce = sha256(b"%d" % number).digest()
        entry = CommitEntry(match=match, number=number, blinded=blinded(nonce, hashes[last]), before=before)
        entries.append(entry_bytes(entry))
        before = entry_hash(entries[-1])
        proved.append(ProvedCommit(number, last, nonce.hex()))
    proof = proof_in(entries, len(entries) - 1, key, below=below)
    return b"".join(EvidenceFile(match, key.verifier.text, tuple(proved), proof, changes).lines())


def other_entries(count: int) -> list[bytes]:
    """Return entries of nothing."""
    return [encode_in_order({"entry": str(number)}) for number in range(count)]
