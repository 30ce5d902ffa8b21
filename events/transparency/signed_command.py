"""Signed commands: the text that a seat signs for a command, and the keys with which it does.

The text binds the command to its match, to the rules, board and options of the match's opening, to the seat, and to what the seat had seen.
Source: RFC 8032 (Ed25519).
"""

import hmac
from base64 import b64encode
from hashlib import sha256

from events.codec import encode
from events.commit import Commit
from events.ids import Digest, MatchId, Seat
from events.transparency.signed_note import SIGNATURE_BYTES, Signer, Verifier, decoded
from events.vocabulary import MatchOpened


def opening_digest(opening: MatchOpened) -> Digest:
    """Return the SHA-256 (hex) of the first event of a match, by which a signature holds for its rules, board and options alone."""
    return Digest(sha256(encode(opening)).hexdigest())


def text_to_sign(
    match: MatchId, opening: Digest, seat: Seat, *, key: str, command: bytes, expected: int = 0, record: str = ""
) -> str:
    """Return the text that a seat signs.

    Args:
        match: The match.
        opening: The digest of its opening.
        seat: The seat.
        key: The idempotency key of the command.
        command: The command in canonical bytes.
        expected: How many events the seat had seen; 0 for a seat that is taken.
        record: The digest of what everybody was shown until then (`projections.state.public_record`); empty for a seat that is taken.
    """
    digest = sha256(command).hexdigest()
    lines = ("wardiary command 1", match, opening, seat, key, str(expected or "-"), digest, record or "-")
    return "".join([f"{line}\n" for line in lines])


def is_signed_by(commit: Commit, opening: Digest, key: str, record: str) -> bool:
    """Return whether the signature of a commit is that of a public key (hex) for its command, which names a digest of the public record; see `text_to_sign`."""
    signature = decoded(commit.signature)
    if signature is None or len(signature) != SIGNATURE_BYTES:
        return False
    text = text_to_sign(
        commit.match,
        opening,
        commit.seat,
        key=commit.key,
        command=bytes(commit.command),
        expected=commit.expected,
        record=record,
    )
    return Verifier("", bytes.fromhex(key)).check(text, signature)


class SeatSigner:
    """The key with which a seat signs its commands.

    Args:
        secret: 32 secret bytes, from which the key follows.
        label: What the key is for: of one secret there is one key for each label.
    """

    def __init__(self, secret: bytes, label: str = "") -> None:
        self._signer = Signer("", hmac.digest(secret, f"wardiary player key 1|{label}".encode(), "sha256"))

    @property
    def public_key(self) -> str:
        """The public half (hex)."""
        return self._signer.verifier.key.hex()

    def sign(self, text: str) -> str:
        """Return the signature of a text (base64)."""
        return b64encode(self._signer.sign(text)).decode()
