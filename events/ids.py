"""The names of things: one type per kind of identity, so that a wrong one does not type-check."""

from typing import NewType

MatchId = NewType("MatchId", str)
"""One playing of a game; also the name of its stream."""

GameKey = NewType("GameKey", str)
"""A game as identifiers spell it: lower case, words joined by underscores."""

Side = NewType("Side", str)
"""Who owns pieces and controls places. It may be played by one seat, by several or by none; `NO_SIDE` is no side."""

Seat = NewType("Seat", str)
"""Who decides: one place at the table. The watching seats are `PUBLIC` and `ARBITER`."""

PieceId = NewType("PieceId", str)
PlaceId = NewType("PlaceId", str)
CardId = NewType("CardId", str)
PileId = NewType("PileId", str)
"""A deck, a hand, a discard pile, a mix of counters: anything that holds cards."""

TrackId = NewType("TrackId", str)
MarkerId = NewType("MarkerId", str)
AttributeKey = NewType("AttributeKey", str)
RuleId = NewType("RuleId", str)
Digest = NewType("Digest", str)
"""A SHA-256 as 64 lower-case hexadecimal digits."""

TABLE = "table"
"""What attributes and markers of the whole table are on."""

PUBLIC = Seat("public")
"""The seat of everybody: sees what lies open."""

ARBITER = Seat("arbiter")
"""The seat that sees everything."""

NO_SEAT = Seat("")
"""No seat: of a procedure, and of a turn that no single seat has."""

NO_SIDE = Side("")
"""No side: what nobody owns or controls, and what a seat plays before the game has settled its side."""
