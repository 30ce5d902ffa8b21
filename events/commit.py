"""A commit: one accepted command with all its events, and the hash that chains it to the commit before."""

import hashlib

from events.codec import DecodeError, Decoder, Raw, Struct, compact, encode, replace
from events.ids import Digest, MatchId, Seat
from events.upcast import HISTORY, History
from events.vocabulary import Event

DOMAIN = b"wardiary commit 1\n"
"""Prefix of the hashed bytes, so that a commit's hash is never the hash of another kind of data."""

GENESIS = Digest("0" * 64)
"""The hash before the first commit of a match that is not a fork."""

TIMES = range(-62_135_596_800_000, 253_402_300_800_000)
"""The times that a foreign commit may have, in milliseconds since 1970 (UTC): the years 1 to 9999, which every calendar knows."""

NO_COMMAND = Raw(b"{}")


class _Envelope(
    Struct, frozen=True, kw_only=True, tag_field="commit", tag="1", forbid_unknown_fields=True, omit_defaults=True
):
    """The fields of a commit except its events."""

    match: MatchId
    first: int
    prev: Digest
    at: int
    seat: Seat
    key: str
    command: Raw
    expected: int = 0
    signature: str = ""


class Commit(_Envelope, frozen=True, kw_only=True):
    """One accepted command.

    `first` is the sequence number (1-based) of its first event; `prev` the hash of the commit before it in the match,
    or, for a fork's first commit, of its parent's last shared one. `at` is when it was accepted, in milliseconds since 1970 (UTC). `key` makes the
    command idempotent: it is unique within the match. `command` is the JSON that the seat sent. It has at least one event.

    `signature` (base64) is that of the seat's key, empty if it has none; `expected` is how many events the seat had seen when it signed, 0 if it did not say
    (`events.transparency.signed_command`).
    """

    events: tuple[Event, ...]

    @property
    def last(self) -> int:
        """The sequence number of the last event."""
        return self.first + len(self.events) - 1


class _AsWritten(_Envelope, frozen=True, kw_only=True):
    """A commit whose events may be of older versions."""

    events: Raw


_DECODER: Decoder[Commit] = Decoder(Commit)
_AS_WRITTEN: Decoder[_AsWritten] = Decoder(_AsWritten)


class Head(Struct, frozen=True):
    """The head of a match: the number of its events and the hash of its last commit."""

    seq: int = 0
    hash: Digest = GENESIS


def chain_hash(body: bytes) -> Digest:
    """Return the hash of a commit's canonical bytes, which hold the hash before it."""
    return Digest(hashlib.sha256(DOMAIN + body).hexdigest())


def encode_commit(commit: Commit) -> bytes:
    """Return the canonical bytes that are hashed, stored and archived: one line of JSON in UTF-8.

    Raises:
        DecodeError: The command is not valid JSON.
    """
    command = compact(commit.command)
    return encode(commit if command == bytes(commit.command) else replace(commit, command=Raw(command)))


def decode_commit(body: bytes, history: History = HISTORY) -> Commit:
    """Decode stored bytes, upcasting events of older versions to the current vocabulary.

    Raises:
        DecodeError: The bytes are not a commit of a known version.
    """
    try:
        return _DECODER.decode(body)
    except DecodeError:
        if not history:
            raise
    written = _AS_WRITTEN.decode(body)
    return _lifted(written, history.lift(history.decode(written.events)))


def decode_canonical(body: bytes, history: History = HISTORY) -> Commit:
    """Decode bytes as `decode_commit` does, and check that they are in canonical form.

    Raises:
        DecodeError: The bytes are not a commit of a known version, or not in canonical form; or its command is not an object.
    """
    try:
        commit = _DECODER.decode(body)
        again = encode_commit(commit)
    except DecodeError:
        if not history:
            raise
        written = _AS_WRITTEN.decode(body)
        events = history.decode(written.events)
        again = encode(replace(written, events=Raw(encode(events)), command=Raw(compact(written.command))))
        commit = _lifted(written, history.lift(events))
    if again != body:
        raise DecodeError("the commit is not in its canonical form")
    if bytes(commit.command)[:1] != b"{":
        raise DecodeError("Expected `object` - at `$.command`")
    return commit


def _lifted(written: _AsWritten, events: tuple[Event, ...]) -> Commit:
    return Commit(
        match=written.match,
        first=written.first,
        prev=written.prev,
        at=written.at,
        seat=written.seat,
        key=written.key,
        command=written.command,
        expected=written.expected,
        signature=written.signature,
        events=events,
    )
