"""Changes of a log's key: the old key says in an entry which one follows, so that the keys of a log form a chain that a reader follows both ways."""

from collections.abc import Iterable, Mapping, Sequence

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

    def check(self, verifier: Verifier) -> Checkpoint:
        """Check the proof with one of the two keys, and return the checkpoint; see `TlogProof.check` for the errors."""
        return read_proof(self.proof).check(entry_bytes(KeyEntry(key=self.key, was=self.was)), verifier)


class KnownKeys(Struct, frozen=True):
    """The keys of one log: the one that is trusted, and those that are tied to it by changes.

    `sizes` says up to how many entries a key signed that another one followed.
    """

    trusted: Verifier
    all: tuple[Verifier, ...]
    sizes: Mapping[str, int]

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

    Raises:
        ProofInvalid: A change is tied to none of them, or its proof is not valid.
    """
    keys, sizes = {trusted.text: trusted}, dict[str, int]()
    # Forwards from an old key, and back from a new one.
    for change in (*changes, *reversed(changes)):
        known = keys.get(change.was) or keys.get(change.key)
        if known is not None:
            checkpoint = change.check(known)
            keys |= {text: _key(text, trusted.name) for text in (change.key, change.was) if text not in keys}
            sizes[change.was] = checkpoint.size
    if strange := [change.key for change in changes if change.key not in keys]:
        raise ProofInvalid(f"no change of the key of {trusted.name} leads from the key that is trusted to {strange[0]}")
    return KnownKeys(trusted, tuple(keys.values()), sizes)


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
