"""Ids, keys and secrets come from here, and tests bring their own."""

import secrets
from base64 import b32encode
from hashlib import sha256
from typing import Protocol

from events.ids import MatchId

TOKEN_CHARACTERS_MIN = 32
"""A seat's secret can be guessed offline from the log, which holds its SHA-256; so it must be long."""

TOKEN_CHARACTERS_MAX = 200
KEY_CHARACTERS_MAX = 200


class Identity(Protocol):
    """Where what must be unique or secret comes from."""

    def key(self) -> str:
        """Return a new idempotency key or correlation id."""

    def token(self) -> str:
        """Return a new secret that proves who plays a seat."""

    def seed(self) -> str:
        """Return 32 new secret random bytes as 64 hexadecimal digits: the seed of sealed dice, or what hides a digest's text."""


class SystemIdentity:
    """The operating system's source of randomness."""

    def key(self) -> str:
        """Return a new key; see `Identity.key`."""
        return secrets.token_hex(12)

    def token(self) -> str:
        """Return a new secret; see `Identity.token`."""
        return secrets.token_hex(24)

    def seed(self) -> str:
        """Return a new seed; see `Identity.seed`."""
        return secrets.token_hex(32)


def match_id(key: str) -> MatchId:
    """Return the id of the match that is opened or forked under an idempotency key.

    It is made of the key, so that a repeated request with the same key finds the match of the first.
    """
    digest = sha256(b"wardiary match 1\n" + key.encode()).digest()
    return MatchId(b32encode(digest[:10]).decode().lower())


def credential(token: str) -> str:
    """Return what the log holds of a seat's secret: its SHA-256 (hex)."""
    return sha256(token.encode()).hexdigest()
