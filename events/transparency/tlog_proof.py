"""A proof that an entry lies in a log, as one text that is checked without the log.

Source: C2SP tlog-proof.
"""

import re

from events.codec import Struct
from events.errors import ProofInvalid
from events.transparency.checkpoint import Checkpoint, open_checkpoint
from events.transparency.merkle_tree import PATH_MAX, check_inclusion, leaf_hash
from events.transparency.signed_note import NOTE_BYTES_MAX, Verifier, decode_hashes, encode_hashes

HEADING = "c2sp.org/tlog-proof@v1"

_INDEX = re.compile("index (0|[1-9][0-9]{0,14})")


class TlogProof(Struct, frozen=True):
    """A proof: the place of the entry in the log (from 0), hashes of 32 bytes, and the note of the checkpoint."""

    index: int
    path: tuple[bytes, ...]
    note: str

    @property
    def text(self) -> str:
        """The proof as one text."""
        return "\n".join([HEADING, f"index {self.index}", *encode_hashes(self.path), "", self.note])

    def check(self, entry: bytes, verifier: Verifier) -> Checkpoint:
        """Check that the log with this key holds an entry, and return the checkpoint by which it does.

        Raises:
            ProofInvalid: It does not prove that.
        """
        checkpoint = open_checkpoint(self.note, verifier)
        check_inclusion(leaf_hash(entry), self.index, checkpoint.size, self.path, checkpoint.root)
        return checkpoint


def read_proof(text: str) -> TlogProof:
    """Return the proof in a text, which is not checked yet.

    Raises:
        ProofInvalid: It is not a proof.
    """
    above, gap, note = text[: 2 * NOTE_BYTES_MAX].partition("\n\n")
    heading, *lines = above.split("\n")
    index = None if not lines else _INDEX.fullmatch(lines[0])
    if not gap or heading != HEADING or index is None:
        raise ProofInvalid(f"this is not a proof of a log: it begins with {HEADING} and a line with the index")
    return TlogProof(int(index[1]), tuple(decode_hashes(lines[1:], PATH_MAX)), note)
