"""Checkpoints: what a log signs, its name, its size and the root of its tree.

Source: C2SP tlog-checkpoint. There are no extension lines.
"""

import re
from collections.abc import Iterable

from events.codec import Struct
from events.errors import ProofInvalid
from events.transparency.signed_note import Note, Signer, Verifier, decode_hashes, encode_hashes, read_note, sign_note

_SIZE = re.compile("0|[1-9][0-9]{0,14}")


class Checkpoint(Struct, frozen=True):
    """The state of a log: the log's name (its origin), the number of its entries, and the root over them (32 bytes)."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """The text that is signed."""
        return f"{self.origin}\n{self.size}\n{encode_hashes([self.root])[0]}\n"


def sign_checkpoint(checkpoint: Checkpoint, signers: Iterable[Signer]) -> Note:
    """Return the signed note of a checkpoint."""
    return sign_note(checkpoint.text, signers)


def checkpoint_in(note: Note) -> Checkpoint:
    """Return the checkpoint that a note is about.

    Raises:
        ProofInvalid: The note is not about a checkpoint.
    """
    lines = note.text.split("\n")
    if len(lines) != 4 or not lines[0] or _SIZE.fullmatch(lines[1]) is None:
        raise ProofInvalid("a checkpoint has three lines: the name of the log, its number of entries, and its root")
    return Checkpoint(lines[0], int(lines[1]), *decode_hashes([lines[2]], 1))


def open_checkpoint(whole: str, verifier: Verifier) -> Checkpoint:
    """Return the checkpoint of a signed note, having checked that the log with this key signed it.

    Raises:
        ProofInvalid: It is not one, is of another log, or was signed by another key.
    """
    note = read_note(whole)
    checkpoint = checkpoint_in(note)
    if checkpoint.origin != verifier.name:
        raise ProofInvalid(f"the checkpoint is of the log {checkpoint.origin}, not of {verifier.name}")
    if not note.is_signed_by(verifier):
        raise ProofInvalid(f"the checkpoint was not signed with the key of {verifier.name}")
    return checkpoint
