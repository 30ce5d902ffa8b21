"""Signed notes and their keys: a text with lines of Ed25519 signatures below it.

Source: C2SP signed-note; the texts of keys are those of Go's package `golang.org/x/mod/sumdb/note`.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING

from events.codec import Struct
from events.errors import LogKeyUnusable, ProofInvalid

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ED25519, COSIGNATURE = b"\1", b"\4"
"""The kinds of keys, before their bytes: of a log, and of a witness."""

KEY_BYTES = 32
SIGNATURE_BYTES = 64
ID_BYTES = 4

NOTE_BYTES_MAX = 10_000
"""The longest note that is read; a checkpoint with its signatures has some hundred bytes."""

SIGNATURES_MAX = 16

_NAME = re.compile(r"[^\s+\x00-\x1f\x7f]{1,200}")
_SIGNATURE = re.compile(r"— (\S+) (\S+)")


def is_weak(key: bytes) -> bool:
    """Return whether a public key (32 bytes) is a point of small order: signatures of such a key can be made by anybody, and fit many texts.

    With y as RFC 8032 writes it, these are the points with y = 0 or y² = 1, and those whose double has y = 0.
    """
    y = int.from_bytes(key, "little") & ((1 << 255) - 1)
    return y * (y * y - 1) * (121_665 * y**4 - 121_666 * (2 * y * y - 1)) % ((1 << 255) - 19) == 0


class Verifier(Struct, frozen=True, dict=True):
    """The public half of a key: its name and 32 bytes, and its kind."""

    name: str
    key: bytes
    kind: bytes = ED25519

    @cached_property
    def id(self) -> bytes:
        """The id of the key: 4 bytes, which stand before its signatures."""
        return sha256(f"{self.name}\n".encode() + self.kind + self.key).digest()[:ID_BYTES]

    @property
    def text(self) -> str:
        """The key as one line, by which others know it."""
        return f"{self.name}+{self.id.hex()}+{_base64(self.kind + self.key)}"

    def check(self, text: str, signature: bytes) -> bool:
        """Return whether a signature (64 bytes) is that of a text."""
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        if is_weak(self.key):
            return False
        try:
            Ed25519PublicKey.from_public_bytes(self.key).verify(signature, text.encode())
        except (InvalidSignature, ValueError):
            return False
        return True


class Signer(Struct, frozen=True, dict=True):
    """A whole key: its name and the secret 32 bytes that RFC 8032 calls the private key."""

    name: str
    secret: bytes
    kind: bytes = ED25519

    @cached_property
    def verifier(self) -> Verifier:
        """The public half."""
        return Verifier(self.name, self._private.public_key().public_bytes_raw(), self.kind)

    @cached_property
    def _private(self) -> "Ed25519PrivateKey":
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(self.secret)

    @property
    def text(self) -> str:
        """The key as one secret line."""
        return f"PRIVATE+KEY+{self.name}+{self.verifier.id.hex()}+{_base64(self.kind + self.secret)}"

    def sign(self, text: str) -> bytes:
        """Return the signature of a text: 64 bytes."""
        return self._private.sign(text.encode())


class Signature(Struct, frozen=True):
    """A line below a note: the name and id of a key, and what it signed."""

    name: str
    id: bytes
    signature: bytes

    @property
    def line(self) -> str:
        """The line, with its end."""
        return f"— {self.name} {_base64(self.id + self.signature)}\n"


class Note(Struct, frozen=True):
    """A text, whose last character ends a line, and its signatures, which may be of unknown keys."""

    text: str
    signatures: tuple[Signature, ...]

    @property
    def whole(self) -> str:
        """The note as it is stored and sent."""
        return f"{self.text}\n{''.join([signature.line for signature in self.signatures])}"

    def is_signed_by(self, verifier: Verifier) -> bool:
        """Return whether a key has signed the text.

        Raises:
            ProofInvalid: There is a signature of this key, which is not that of the text.
        """
        own = [one for one in self.signatures if (one.name, one.id) == (verifier.name, verifier.id)]
        if any(not verifier.check(self.text, one.signature) for one in own):
            raise ProofInvalid(f"the note is not what {verifier.name} signed")
        return bool(own)


def is_name(name: str) -> bool:
    """Return whether a text may be the name of a key: 1 to 200 characters without white space and `+`."""
    return _NAME.fullmatch(name) is not None


def sign_note(text: str, signers: Iterable[Signer]) -> Note:
    """Return a note that these keys have signed."""
    assert text.endswith("\n"), "the text of a note ends with the end of a line"
    return Note(text, tuple([Signature(one.name, one.verifier.id, one.sign(text)) for one in signers]))


def read_note(whole: str) -> Note:
    """Return a note, none of whose signatures is checked yet.

    Raises:
        ProofInvalid: It is not a note.
    """
    if len(whole) > NOTE_BYTES_MAX:
        raise ProofInvalid(f"a note has at most {NOTE_BYTES_MAX} characters")
    text, gap, below = whole.rpartition("\n\n")
    lines = below.split("\n")
    if not gap or lines[-1] or not 1 <= len(lines) - 1 <= SIGNATURES_MAX:
        raise ProofInvalid("this is not a signed note: its signatures stand below an empty line, each on its line")
    if not all(char.isprintable() or char == "\n" for char in text):
        raise ProofInvalid("the text of a note has no control characters")
    return Note(f"{text}\n", tuple([_signature(line) for line in lines[:-1]]))


def _signature(line: str) -> Signature:
    found = _SIGNATURE.fullmatch(line)
    content = None if found is None else decoded(found[2])
    if found is None or content is None or not is_name(found[1]) or len(content) <= ID_BYTES:
        raise ProofInvalid(f"this line of a note is not a signature: {line}")
    return Signature(found[1], content[:ID_BYTES], content[ID_BYTES:])


def read_verifier(text: str, kind: bytes = ED25519) -> Verifier:
    """Return the public key that a line holds; by default that of a log.

    Raises:
        LogKeyUnusable: It is not one, or of another kind.
    """
    parts = text.split("+", 2)
    if text.startswith("PRIVATE+KEY+"):
        raise LogKeyUnusable("this is a secret key of a log; the public one is wanted, NAME+ID+KEY")
    if len(parts) != 3:
        raise LogKeyUnusable("a public key of a log is NAME+ID+KEY on one line")
    verifier = Verifier(parts[0], _key(parts[0], parts[2], kind), kind)
    if verifier.id.hex() != parts[1]:
        raise LogKeyUnusable(f"the key of {parts[0]} is damaged: its id is {verifier.id.hex()}, not {parts[1]}")
    return verifier


def read_signer(text: str) -> Signer:
    """Return the secret key that a line holds.

    Raises:
        LogKeyUnusable: It is not one, or of another kind. No part of the line is quoted.
    """
    parts = text.split("+", 4)
    if len(parts) != 5 or parts[:2] != ["PRIVATE", "KEY"]:
        raise LogKeyUnusable("it is not a secret key of a log, PRIVATE+KEY+NAME+ID+KEY on one line")
    signer = Signer(parts[2], _key(parts[2], parts[4]))
    if signer.verifier.id.hex() != parts[3]:
        raise LogKeyUnusable(f"the key of {parts[2]} is damaged: its id does not fit")
    return signer


def _key(name: str, text: str, kind: bytes = ED25519) -> bytes:
    if not is_name(name):
        raise LogKeyUnusable("the name of a key has 1 to 200 characters, without white space and +")
    content = decoded(text)
    if content is None or content[:1] != kind or len(content) != 1 + KEY_BYTES:
        raise LogKeyUnusable(f"the key of {name} is not of the kind that {_DEEDS[kind]}")
    if is_weak(content[1:]):
        raise LogKeyUnusable(f"the key of {name} is one with which anybody can sign")
    return content[1:]


_DEEDS = {ED25519: "signs a log (Ed25519)", COSIGNATURE: "cosigns as a witness (Ed25519 cosignature)"}


def _base64(content: bytes) -> str:
    return b64encode(content).decode()


def decoded(text: str) -> bytes | None:
    """Return what base64 holds in its one canonical form; None if it holds nothing or not in that form."""
    try:
        content = b64decode(text, validate=True)
    except ValueError:
        return None
    return content if _base64(content) == text else None


def encode_hashes(hashes: Sequence[bytes]) -> tuple[str, ...]:
    """Return hashes as base64."""
    return tuple([_base64(one) for one in hashes])


def decode_hashes(texts: Iterable[str], limit: int) -> list[bytes]:
    """Return hashes (32 bytes each) from base64.

    Raises:
        ProofInvalid: One is malformed, or there are more than `limit`.
    """
    hashes: list[bytes] = []
    for text in texts:
        content = decoded(text)
        if content is None or len(content) != KEY_BYTES or len(hashes) == limit:
            raise ProofInvalid(f"a proof has at most {limit} hashes of 32 bytes in base64")
        hashes.append(content)
    return hashes
