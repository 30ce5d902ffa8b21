"""Ids: one type per kind of identity, so that the type checker finds a wrong one."""

from base64 import b32encode
from hashlib import sha256
from typing import NewType

MatchId = NewType("MatchId", str)
"""A match; also the name of its stream."""

StudyId = NewType("StudyId", str)
"""A study of a match: 8 letters and digits, one of that match only."""

GameKey = NewType("GameKey", str)
"""The key of a game: lower case, words joined by underscores."""

Side = NewType("Side", str)
"""A side owns pieces and controls places. One seat, several or none may play it; `NO_SIDE` stands for no side."""

Seat = NewType("Seat", str)
"""A seat makes decisions. The watching seats are `PUBLIC` and `ARBITER`."""

PieceId = NewType("PieceId", str)
PlaceId = NewType("PlaceId", str)
CardId = NewType("CardId", str)
PileId = NewType("PileId", str)
"""A deck, a hand, a discard pile, a pool of counters: anything that holds cards."""

TrackId = NewType("TrackId", str)
MarkerId = NewType("MarkerId", str)
AttributeKey = NewType("AttributeKey", str)
RuleId = NewType("RuleId", str)
Digest = NewType("Digest", str)
"""A SHA-256 as 64 lower-case hexadecimal digits."""

TABLE = "table"
"""The id under which attributes and markers of the whole table are stored."""

PUBLIC = Seat("public")
"""The seat of spectators: sees public information only."""

ARBITER = Seat("arbiter")
"""The seat that sees everything."""

NO_SEAT = Seat("")
"""No seat: for a sequence, and for a turn that no single seat has."""

NO_SIDE = Side("")
"""No side: for pieces and places without an owner, and for a seat before the game has settled its side."""


def match_id(key: str) -> MatchId:
    """Return the id of the match that is opened or forked under an idempotency key.

    It is derived from the key, so that a repeated request with the same key finds the match of the first.
    """
    digest = sha256(b"wardiary match 1\n" + key.encode()).digest()
    return MatchId(b32encode(digest[:10]).decode().lower())


def study_id(key: str) -> StudyId:
    """Return the id of the study that is opened under a new key."""
    return StudyId(b32encode(sha256(b"wardiary study 1\n" + key.encode()).digest()[:5]).decode().lower())
