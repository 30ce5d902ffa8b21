"""Cosignatures: a witness says that a checkpoint continues all that it has seen of a log, and when it was asked.

Source: C2SP tlog-cosignature, Ed25519.
"""

from events.errors import ProofInvalid
from events.transparency.signed_note import (
    COSIGNATURE,
    SIGNATURE_BYTES,
    Note,
    Signature,
    Signer,
    Verifier,
    read_verifier,
)

TIME_BYTES = 8


def read_witness(text: str) -> Verifier:
    """Return the public key of a witness that a line holds.

    Raises:
        LogKeyUnusable: It is not one, or of another kind.
    """
    return read_verifier(text, COSIGNATURE)


def cosign(text: str, signer: Signer, at_s: int) -> Signature:
    """Return the cosignature of the text of a checkpoint, at a time in seconds since 1970."""
    signature = signer.sign(_message(text, at_s))
    return Signature(signer.name, signer.verifier.id, at_s.to_bytes(TIME_BYTES) + signature)


def cosigned_at(note: Note, witness: Verifier) -> int | None:
    """Return when a witness has cosigned a note (seconds since 1970); None if it has not.

    Raises:
        ProofInvalid: There is a line of this witness that is not its cosignature of the text.
    """
    times = [_time(note.text, one, witness) for one in note.signatures if is_by(one, witness)]
    if None in times:
        raise ProofInvalid(f"the note is not what the witness {witness.name} cosigned")
    return max((one for one in times if one is not None), default=None)


def is_by(signature: Signature, key: Verifier) -> bool:
    """Return whether a line names a key; the signature itself is not checked."""
    return (signature.name, signature.id) == (key.name, key.id)


def _time(text: str, line: Signature, witness: Verifier) -> int | None:
    if len(line.signature) != TIME_BYTES + SIGNATURE_BYTES:
        return None
    at_s = int.from_bytes(line.signature[:TIME_BYTES])
    return at_s if witness.check(_message(text, at_s), line.signature[TIME_BYTES:]) else None


def _message(text: str, at_s: int) -> str:
    return f"cosignature/v1\ntime {at_s}\n{text}"
