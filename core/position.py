"""Positions: a public file format for a table that play can start from.

A position file is TOML. It names a game, a scenario and options, and says where everything is; the game checks it and
names every defect at once. The same format serves the worked examples: `steps` then say what is done and what must
come of it; opening a match ignores them.
"""

import tomllib

from core.errors import SetupInvalid
from events.codec import DecodeError, Struct, convert
from events.ids import CardId, GameKey, MarkerId, PieceId, PileId, PlaceId, Seat, TrackId
from events.vocabulary import Value


class PlacedPiece(Struct, frozen=True, forbid_unknown_fields=True):
    """A piece of a position; what is left out is as the game's data have it."""

    id: PieceId
    place: PlaceId
    kind: str = ""
    side: Seat = Seat("")
    face: str = ""
    steps: int = 0


class Question(Struct, frozen=True, forbid_unknown_fields=True):
    """The decision that a position opens with; where it is left out the phase tells."""

    kind: str
    seat: Seat = Seat("")
    arguments: dict[str, Value] = {}


class Outcome(Struct, frozen=True, forbid_unknown_fields=True):
    """What a table must be like after a step; what is left out may be as it likes.

    `decision` is the kind of the open question, empty if none is open. `places` and `faces` are those of pieces, an empty
    place is that of a piece which is not on the table. 0 markers are none. `piles` counts the cards of a pile. `legal` lists
    exactly what can be done now. `result` is how the match ended, empty while it runs.
    """

    round: int | None = None
    phase: str | None = None
    decision: str | None = None
    tracks: dict[TrackId, int] = {}
    places: dict[PieceId, PlaceId] = {}
    faces: dict[PieceId, str] = {}
    control: dict[PlaceId, Seat] = {}
    markers: dict[str, dict[MarkerId, int]] = {}
    piles: dict[PileId, int] = {}
    legal: tuple[dict[str, object], ...] | None = None
    result: str | None = None


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """One command of a worked example: what is asked, the dice and draws, and what must come of it.

    `expect` lists facts that must occur among the events, in this order, each with the fields that matter: `fact` is the
    tag, with or without its version, `bonus` the sum of a roll's modifiers. `absent` lists facts that must not occur.
    `refused` is the code of the refusal that must answer instead; then nothing may change. A first step with the command
    `house:begin` gives the dice of the set-up; without it the set-up needs none.
    """

    command: dict[str, object]
    seat: Seat = Seat("")
    dice: tuple[int, ...] = ()
    draws: tuple[str, ...] = ()
    expect: tuple[dict[str, object], ...] = ()
    absent: tuple[dict[str, object], ...] = ()
    refused: str = ""
    after: Outcome | None = None


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to start from."""

    format: str
    game: GameKey
    scenario: str = ""
    mode: str = ""
    title: str = ""
    source: str = ""
    options: dict[str, Value] = {}
    round: int = 0
    turn: Seat = Seat("")
    phase: str = ""
    tracks: dict[TrackId, int] = {}
    pieces: tuple[PlacedPiece, ...] = ()
    control: dict[PlaceId, Seat] = {}
    markers: dict[str, dict[MarkerId, int]] = {}
    piles: dict[PileId, tuple[CardId, ...]] = {}
    decision: Question | None = None
    steps: tuple[Step, ...] = ()


FORMAT = "wardiary-position/1"


def parse_position(text: str) -> Position:
    """Read a position file.

    Raises:
        SetupInvalid: It is no TOML, or not of the format; the message says where.
    """
    try:
        plain = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise SetupInvalid((f"the position is no TOML: {error}",)) from None
    if plain.get("format") != FORMAT:
        raise SetupInvalid((f"the position must say format = {FORMAT!r}, not {plain.get('format')!r}",))
    try:
        return convert(plain, Position)
    except DecodeError as error:
        raise SetupInvalid((f"the position is not of the format: {error}",)) from None
