"""A log that holds one match alone, as an operator writes it who has its keys: with its evidence file, and with whatever is forged in it."""

from collections.abc import Callable, Sequence
from hashlib import sha256

from events.codec import encode_in_order
from events.commit import chain_hash
from events.ids import Digest
from events.transparency.checkpoint import Checkpoint, sign_checkpoint
from events.transparency.entry import CommitEntry, KeyEntry, blinded, entry_bytes, entry_hash
from events.transparency.evidence_file import EvidenceFile, ProvedCommit
from events.transparency.evidence_line import EvidenceLine
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


def entries_of(
    archive: bytes, order: Callable[[list[int]], list[int]] = list
) -> list[tuple[CommitEntry, ProvedCommit]]:
    """Return an entry for each commit of an archive, with what proves it."""
    hashes = {one["first"] + len(one["events"]) - 1: chain_hash(dumped(one)) for one in Lines(archive).commits}
    match, before, found = Lines(archive).commits[-1]["match"], Digest(""), list[tuple[CommitEntry, ProvedCommit]]()
    for number, last in enumerate(order(sorted(hashes)), start=1):
        nonce = sha256(b"%d" % number).digest()
        entry = CommitEntry(match=match, number=number, blinded=blinded(nonce, hashes[last]), before=before)
        before = entry_hash(entry_bytes(entry))
        found.append((entry, ProvedCommit(number, last, nonce.hex())))
    return found


def evidence(
    archive: bytes,
    *changes: KeyChange,
    key: Signer = KEYS[0],
    others: Sequence[bytes] = (),
    order: Callable[[list[int]], list[int]] = list,
    below: Sequence[Signature] = (),
) -> bytes:
    """Return the evidence of an archive by a log that holds other entries, and then those of its match."""
    found = entries_of(archive, order)
    entries, proved = [*others, *[entry_bytes(entry) for entry, _ in found]], tuple([one for _, one in found])
    proof = proof_in(entries, len(entries) - 1, key, below=below)
    return b"".join(EvidenceFile(found[0][0].match, key.verifier.text, proved, proof, changes).lines())


def kept_line(archive: bytes, place: int) -> bytes:
    """Return the line that a player kept when the log held this entry of an archive, from 0, as the last one."""
    entries = [entry for entry, _ in entries_of(archive)[: place + 1]]
    proof = proof_in([entry_bytes(one) for one in entries], place, KEYS[0])
    last = entries[-1]
    line = EvidenceLine(match=last.match, number=last.number, blinded=last.blinded, proof=proof, before=last.before)
    return line.text.encode()


def other_entries(count: int) -> list[bytes]:
    """Return entries of nothing."""
    return [encode_in_order({"entry": str(number)}) for number in range(count)]
