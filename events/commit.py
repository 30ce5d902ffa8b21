"""A commit: one accepted command with all the events it caused, and the hash that chains it to the one before."""

import hashlib

from events.codec import Decoder, Raw, Struct, encode, replace
from events.ids import Digest, MatchId, Seat
from events.upcast import AnyEvent, upcast

DOMAIN = b"wardiary commit 1\n"
"""Prefix of what is hashed, so that a commit's hash can never be that of something else."""

GENESIS = Digest("0" * 64)
"""The hash before the first commit of a match that is no fork."""

NO_COMMAND = Raw(b"{}")


class Commit(Struct, frozen=True, kw_only=True, tag_field="commit", tag="1", forbid_unknown_fields=True):
    """One accepted command.

    `first` is the sequence number (1-based) of its first event; `prev` the hash of the commit before it in the match,
    or, for a fork's first commit, of its parent's last shared one. `at` is milliseconds since 1970 (UTC). `key` makes the
    command idempotent: it is unique within the match. `command` is the JSON that the seat sent.
    """

    match: MatchId
    first: int
    prev: Digest
    at: int
    seat: Seat
    key: str
    command: Raw
    events: tuple[AnyEvent, ...]

    @property
    def last(self) -> int:
        """The sequence number of the last event."""
        return self.first + len(self.events) - 1


_DECODER: Decoder["Commit"] = Decoder(Commit)


class Head(Struct, frozen=True):
    """Where a match stands: the number of its events and the hash of its last commit."""

    seq: int = 0
    hash: Digest = GENESIS


def chain_hash(body: bytes) -> Digest:
    """Return the hash of a commit's canonical bytes, which hold the hash before it."""
    return Digest(hashlib.sha256(DOMAIN + body).hexdigest())


def encode_commit(commit: Commit) -> bytes:
    """Return the canonical bytes that are hashed, stored and archived."""
    return encode(commit)


def decode_commit(body: bytes) -> Commit:
    """Decode stored bytes, lifting events of older versions to the current vocabulary.

    Raises:
        DecodeError: The bytes are no commit of a known version.
    """
    return upcast_commit(_DECODER.decode(body))


def upcast_commit(commit: Commit) -> Commit:
    """Lift the events of a commit to the current vocabulary."""
    events = upcast(commit.events)
    return commit if events is commit.events else replace(commit, events=events)
