"""The port for ids, keys and secrets; tests supply their own."""

import secrets
from hashlib import sha256
from typing import Protocol

TOKEN_CHARACTERS_MIN = 32
"""A seat's secret could be guessed offline from its SHA-256 in the log, so it must be long."""

TOKEN_CHARACTERS_MAX = 200
KEY_CHARACTERS_MAX = 200


class Identity(Protocol):
    """Generates values that must be unique or secret."""

    def key(self) -> str:
        """Return a new idempotency key or correlation id."""

    def token(self) -> str:
        """Return a new secret that proves who plays a seat."""

    def seed(self) -> str:
        """Return 32 new secret random bytes as 64 hexadecimal digits: the seed of sealed dice, or the salt of a digest."""


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


def credential(token: str) -> str:
    """Return the credential that the log holds for a seat's secret: its SHA-256 (hex)."""
    return sha256(token.encode()).hexdigest()
