"""Signed commands: the text that a seat signs for a command, and the keys with which it does.

The text binds the command to its match, to the rules, board and options of the match's opening, to the seat, and to what the seat had seen.
Source: RFC 8032 (Ed25519).
"""

import hmac
import re
from base64 import b64encode
from hashlib import sha256

from events.codec import encode
from events.commit import Commit
from events.ids import Digest, MatchId, Seat
from events.transparency.signed_note import SIGNATURE_BYTES, Signer, Verifier, decoded
from events.vocabulary import MatchOpened

_SEEN = re.compile(r"[1-9][0-9]{0,15} [A-Za-z0-9+/]{43}=")


def opening_digest(opening: MatchOpened) -> Digest:
    """Return the SHA-256 (hex) of the first event of a match, by which a signature holds for its rules, board and options alone."""
    return Digest(sha256(encode(opening)).hexdigest())


def text_to_sign(
    match: MatchId, opening: Digest, seat: Seat, *, key: str, command: bytes, expected: int = 0, seen: str = ""
) -> str:
    """Return the text that a seat signs.

    Args:
        match: The match.
        opening: The digest of its opening.
        seat: The seat.
        key: The idempotency key of the command.
        command: The command in canonical bytes.
        expected: How many events the seat had seen; 0 for a seat that is taken.
        seen: The size and the root (base64) of the last checkpoint that the client has checked, with a space between; empty for none.
    """
    digest = sha256(command).hexdigest()
    lines = ("wardiary command 1", match, opening, seat, key, str(expected or "-"), digest, seen or "-")
    return "".join([f"{line}\n" for line in lines])


def is_seen(text: str) -> bool:
    """Return whether a text names a checkpoint, as `seen` does."""
    return _SEEN.fullmatch(text) is not None


def is_signed_by(commit: Commit, opening: Digest, key: str) -> bool:
    """Return whether the signature of a commit is that of a public key (hex) for its command."""
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
        seen=commit.seen,
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
