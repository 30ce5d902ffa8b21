"""Changes of a log's key: the old key says in an entry which one follows, so that the keys of a log form one chain that a reader follows both ways."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from events.codec import DecodeError, Decoder, Struct, encode
from events.errors import LogKeyUnusable, ProofInvalid
from events.transparency.checkpoint import Checkpoint, checkpoint_in
from events.transparency.entry import KeyEntry, entry_bytes
from events.transparency.signed_note import Verifier, read_note, read_verifier
from events.transparency.tlog_proof import read_proof


class KeyChange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A change of a log's key: the new and the old public key, and the proof (a tlog-proof) of the entry that says so, by a checkpoint that both have signed."""

    key: str
    was: str
    proof: str

    @property
    def line(self) -> bytes:
        """The change as one line of a file."""
        return encode(self) + b"\n"

    def check(self, old: Verifier, new: Verifier) -> Checkpoint:
        """Check the proof with the old and the new key, and return the checkpoint; see `TlogProof.check` for the errors."""
        proof, entry = read_proof(self.proof), entry_bytes(KeyEntry(key=self.key, was=self.was))
        proof.check(entry, old)
        return proof.check(entry, new)


class KnownKeys(Struct, frozen=True):
    """The keys of one log in their order: the one that is trusted, and those that are tied to it by changes.

    `sizes` says up to how many entries a key signed that another one followed.
    """

    trusted: Verifier
    all: tuple[Verifier, ...]
    sizes: Mapping[str, int]

    @property
    def last(self) -> Verifier:
        """The key that signs the log now."""
        return self.all[-1]

    def of(self, note: str) -> Verifier:
        """Return the key that has signed a checkpoint: the trusted one, if it was none of them.

        Raises:
            ProofInvalid: It is not a checkpoint, or is larger than those that its key signed.
        """
        signed = read_note(note)
        ids = {(one.name, one.id) for one in signed.signatures}
        found = [key for key in (self.trusted, *self.all) if (key.name, key.id) in ids]
        size = checkpoint_in(signed).size
        if not found:
            return self.trusted
        fitting = [key for key in found if size <= self.sizes.get(key.text, size)]
        if not fitting:
            raise ProofInvalid(
                f"a checkpoint of {size} entries is signed with a key of {found[0].name} that another one followed after {self.sizes[found[0].text]}"
            )
        return fitting[0]


def known_keys(trusted: Verifier, changes: Sequence[KeyChange] = ()) -> KnownKeys:
    """Return the keys of a log that changes tie to the one that is trusted, also earlier ones.

    The changes are one chain: each key is followed by one other, and each change is signed by both. So whoever has an old key cannot lead on from it to
    another one than a reader knows.

    Raises:
        ProofInvalid: The changes are no such chain, or the trusted key is not in it.
    """
    texts = [change.was for change in changes[:1]] + [change.key for change in changes]
    is_chain = len(set(texts)) == len(texts) and [change.was for change in changes] == texts[:-1]
    if not is_chain:
        raise ProofInvalid(
            f"the changes of the key of {trusted.name} are no chain, in which each key is followed by one"
        )
    if changes and trusted.text not in texts:
        raise ProofInvalid(f"no change of the key of {trusted.name} leads from the key that is trusted to {texts[-1]}")
    keys = tuple([_key(text, trusted.name) for text in texts]) or (trusted,)
    sizes = [change.check(*pair).size for change, pair in zip(changes, pairwise(keys), strict=True)]
    if sizes != sorted(set(sizes)):
        raise ProofInvalid(f"the changes of the key of {trusted.name} are not in the order of its log")
    return KnownKeys(trusted, keys, dict(zip(texts, sizes, strict=False)))


def _key(text: str, name: str) -> Verifier:
    try:
        verifier = read_verifier(text)
    except LogKeyUnusable as error:
        raise ProofInvalid(f"a change of the key of {name} names something that is not one: {error}") from None
    if verifier.name != name:
        raise ProofInvalid(f"a change of the key of {name} names a key of {verifier.name}")
    return verifier


_CHANGES: Decoder[KeyChange] = Decoder(KeyChange)


def read_changes(lines: Iterable[bytes]) -> tuple[KeyChange, ...]:
    """Return the changes in lines, whose proofs are not checked yet.

    Raises:
        ProofInvalid: A line is not one.
    """
    try:
        return tuple([_CHANGES.decode(line) for line in lines])
    except DecodeError as error:
        raise ProofInvalid(f"this is not a change of a log's key: {error}") from None
