"""Positions: a public file format for a table that play can start from.

A position file is TOML. It names a game, a scenario and options, and the place of everything; the game checks it and
reports all defects at once. The worked examples use the same format: their `steps` are commands with expected results;
opening a match ignores them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from core.engine.attributes import Declared
from core.engine.draft import Draft
from core.errors import SetupInvalid
from core.toml.findings import shown
from core.toml.outside_toml import TextDefect, read_outside
from core.toml.toml_lines import LineMap, Path
from events.codec import DecodeError, Struct, convert
from events.ids import (
    NO_SEAT,
    NO_SIDE,
    AttributeKey,
    CardId,
    GameKey,
    MarkerId,
    PieceId,
    PileId,
    PlaceId,
    RuleId,
    Seat,
    Side,
    TrackId,
)
from events.vocabulary import Lifetime, Value


class PlacedPiece(Struct, frozen=True, forbid_unknown_fields=True):
    """A piece of a position; omitted fields come from the game's data.

    `known_to` lists the seats that know its identity, and `seen_by` those that have ever seen it, which include the former; without
    them all seats know it. The identity of a piece that no seat knows or has seen is not drawn yet.
    """

    id: PieceId
    place: PlaceId
    kind: str = ""
    side: Side = NO_SIDE
    face: str = ""
    steps: int = 0
    known_to: tuple[Seat, ...] | None = None
    seen_by: tuple[Seat, ...] | None = None


def place_known(
    draft: Draft, placed: PlacedPiece, rule: RuleId, *, kind: str, side: Side, face: str = "", steps: int = 0
) -> None:
    """Place a piece of a position as known to the seats that have seen it, and conceal it from those that no longer know it."""
    seen_by = placed.known_to if placed.seen_by is None else placed.seen_by
    draft.place(placed.id, placed.place, rule, kind=kind, side=side, face=face, steps=steps, seen_by=seen_by)
    if placed.known_to != seen_by:
        draft.conceal(placed.id, rule, known_to=placed.known_to or ())


def put_markers(draft: Draft, markers: Mapping[str, Mapping[MarkerId, int]], rule: RuleId) -> None:
    """Place markers as a position states them; one that is counted 0 is not there."""
    for on, there in markers.items():
        for marker, count in there.items():
            if count:
                draft.mark(on, marker, rule, count)


def put_attributes(draft: Draft, position: "Position", attributes: Iterable[Declared], rule: RuleId) -> None:
    """Set those of some declared attributes that a position states, in the order in which they are given."""
    for attribute in attributes:
        for on, there in position.attributes.items():
            if attribute.key in there:
                attribute.put(draft, on, there[attribute.key], rule)


class Defect(Struct, frozen=True):
    """One defect of a position: the path in its file, and what is wrong and what would be right in one sentence."""

    path: Path
    problem: str

    def sentence(self, places: LineMap | None) -> str:
        """Return the problem, preceded by its place in the file's text if that is known."""
        if places is None:
            return self.problem
        line, column = places.place_of(self.path)
        return f"line {line}, column {column}: {self.problem}"


class Question(Struct, frozen=True, forbid_unknown_fields=True):
    """The decision that a position opens with; by default the phase determines it."""

    kind: str
    seat: Seat = NO_SEAT
    arguments: dict[str, Value] = {}


class Element(Struct, frozen=True, forbid_unknown_fields=True):
    """An element of the stack: a question for a seat or, without a seat, a sequence at a `step`; see `projections.state.table.Open`.

    `seen_by` are the seats that know the arguments, and `picks_seen_by` those that know what is picked, None for all.
    """

    kind: str
    seat: Seat = NO_SEAT
    step: str = ""
    arguments: dict[str, Value] = {}
    seen_by: tuple[Seat, ...] | None = None
    picked: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    picks_seen_by: tuple[Seat, ...] | None = None


class Lasting(Struct, frozen=True, forbid_unknown_fields=True):
    """The lifetime and audience of an attribute; see `projections.state.table.Terms`."""

    on: str
    key: AttributeKey
    until: Lifetime = ""
    depth: int = 0
    names_pieces: bool = False
    seen_by: tuple[Seat, ...] | None = None


class Outcome(Struct, frozen=True, forbid_unknown_fields=True):
    """The expected table after a step; omitted fields are not checked.

    `decision` is the kind of the open question, empty if none is open. `places` and `faces` are those of pieces, an
    empty place means that the piece is not on the table. 0 markers means none. `attributes` are set to these values, where 0 may
    also be unset; `forgotten` ones are not set. `piles` counts the cards of a pile. `legal` lists exactly the legal commands.
    `result` is how the match ended, empty while it runs.
    """

    round: int | None = None
    phase: str | None = None
    decision: str | None = None
    tracks: dict[TrackId, int] = {}
    places: dict[PieceId, PlaceId] = {}
    faces: dict[PieceId, str] = {}
    control: dict[PlaceId, Side] = {}
    markers: dict[str, dict[MarkerId, int]] = {}
    attributes: dict[str, dict[AttributeKey, Value]] = {}
    forgotten: dict[str, tuple[AttributeKey, ...]] = {}
    piles: dict[PileId, int] = {}
    legal: tuple[dict[str, object], ...] | None = None
    result: str | None = None


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """One command of a worked example, with its dice and draws, and its expected result.

    `expect` lists events that must occur in this order, each with the fields to compare: `event` is the tag, with or without its
    version, `bonus` the sum of a roll's modifiers. `absent` lists events that must not occur. `refused` is the code of the expected
    refusal; then nothing may change. A first step with the command `match:begin` gives the dice of the set-up; without it the
    set-up needs none.
    """

    command: dict[str, object]
    seat: Seat = NO_SEAT
    dice: tuple[int, ...] = ()
    draws: tuple[str, ...] = ()
    expect: tuple[dict[str, object], ...] = ()
    absent: tuple[dict[str, object], ...] = ()
    refused: str = ""
    after: Outcome | None = None


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to start from.

    `plays` settles the sides of the seats for which the mode leaves them open. `turn_seat` is needed only where
    several seats play the side whose turn it is.

    With a `stack` it is a position of any moment (`core.positions.any_moment`): it states everything, and nothing follows from it. `terms`
    has the attributes that end or are secret, `pile_known_to` the seats that know the cards of a pile that not all know.
    """

    format: str
    game: GameKey
    edition: str = ""
    scenario: str = ""
    mode: str = ""
    title: str = ""
    source: str = ""
    options: dict[str, Value] = {}
    plays: dict[Seat, Side] = {}
    round: int = 0
    turn: Side = NO_SIDE
    turn_seat: Seat = NO_SEAT
    phase: str = ""
    tracks: dict[TrackId, int] = {}
    pieces: tuple[PlacedPiece, ...] = ()
    control: dict[PlaceId, Side] = {}
    markers: dict[str, dict[MarkerId, int]] = {}
    attributes: dict[str, dict[AttributeKey, Value]] = {}
    piles: dict[PileId, tuple[CardId, ...]] = {}
    pile_known_to: dict[PileId, tuple[Seat, ...]] = {}
    terms: tuple[Lasting, ...] = ()
    stack: tuple[Element, ...] = ()
    decision: Question | None = None
    steps: tuple[Step, ...] = ()


FORMAT = "wardiary-position/1"


PIECES_MAX = 500
MARKERS_MAX = 1_000
CARDS_MAX = 500
"""Several times the needs of any game; the checks of a position visit each of these several times."""

STACK_MAX = 100
"""Several times as deep as the rules of any game ask within each other."""

COUNT_MAX = 1_000
"""The largest number of one track or marker; rules may count up to it one by one."""


def parse_position(text: str) -> Position:
    """Read a position file.

    Raises:
        SetupInvalid: It is not valid TOML, not of the format, or too large; the message says where.
    """
    read = read_outside(text)
    if isinstance(read, TextDefect):
        raise SetupInvalid((f"the position, {read.sentence()}",))
    if read.plain.get("format") != FORMAT:
        found = Defect(("format",), f"it must say format = {FORMAT!r}, not {shown(read.plain.get('format'))}")
        raise _refused([found], read.places)
    try:
        position = convert(read.plain, Position)
    except DecodeError as error:
        found = Defect(_path_in(str(error)), f"it does not have the format: {error}")
        raise _refused([found], read.places) from None
    defects = [*_excess(position), *_unseen(position)]
    if defects:
        raise _refused(defects, read.places)
    return position


def _refused(defects: Iterable[Defect], places: LineMap) -> SetupInvalid:
    return SetupInvalid(tuple([f"the position, {defect.sentence(places)}" for defect in defects]))


_PART = re.compile(r"\.(\w+)|\[(\d+)\]")


def _path_in(message: str) -> Path:
    """Return the path that an error of the decoder names, as far as it names it: it leaves out keys that are data."""
    path: list[str | int] = []
    if at := re.search(r" at `\$([^`]*)`", message):
        named = at[1].partition("[...]")[0]
        path += [name or int(index) for name, index in _PART.findall(named)]
    if unknown := re.search(r"unknown field `(\w+)`", message):
        path.append(unknown[1])
    return tuple(path)


def _size(value: Value) -> int:
    return 1 + len(value) if isinstance(value, tuple) else 1


def _excess(position: Position) -> Iterator[Defect]:
    """Yield which limits a position exceeds."""
    markers = {(on, marker): count for on, there in position.markers.items() for marker, count in there.items()}
    values = {(on, key): value for on, there in position.attributes.items() for key, value in there.items()}
    listed = (
        ("pieces", "pieces", len(position.pieces), PIECES_MAX),
        ("markers", "markers", len(position.markers) + len(markers), MARKERS_MAX),
        ("attributes", "attributes", len(position.attributes) + sum(map(_size, values.values())), MARKERS_MAX),
        ("tracks", "tracks", len(position.tracks), MARKERS_MAX),
        ("control", "places under control", len(position.control), MARKERS_MAX),
        ("piles", "piles and cards", sum(1 + len(cards) for cards in position.piles.values()), CARDS_MAX),
        ("options", "options", len(position.options), MARKERS_MAX),
        ("pile_known_to", "piles with secrets", len(position.pile_known_to), CARDS_MAX),
        ("terms", "attributes with terms", len(position.terms), MARKERS_MAX),
        ("stack", "open questions and sequences", len(position.stack), STACK_MAX),
    )
    for key, what, count, most in listed:
        if count > most:
            yield Defect((key,), f"the position has {count} {what}; at most {most} are possible")
    counts: list[tuple[Path, str, int]] = [(("round",), "round", position.round)]
    counts += [(("tracks", track), f"track {track}", value) for track, value in position.tracks.items()]
    counts += [(("markers", on, marker), f"marker {marker} on {on}", count) for (on, marker), count in markers.items()]
    counts += [
        (("attributes", on, key), f"attribute {key} of {on}", value)
        for (on, key), value in values.items()
        if isinstance(value, int)
    ]
    counts += [
        (("pieces", number, "steps"), f"steps of piece {piece.id}", piece.steps)
        for number, piece in enumerate(position.pieces)
    ]
    for path, what, count in counts:
        if abs(count) > COUNT_MAX:
            yield Defect(path, f"{what} is {count}; it can be {-COUNT_MAX} to {COUNT_MAX}")


def _unseen(position: Position) -> Iterator[Defect]:
    """Yield which pieces cannot be known as they are said to be."""
    for number, piece in enumerate(position.pieces):
        path = ("pieces", number)
        if piece.known_to is None:
            if piece.seen_by is not None:
                yield Defect((*path, "seen_by"), f"piece {piece.id} has seen_by, which needs known_to as well")
            continue
        strangers = sorted({*piece.known_to} - {*(piece.known_to if piece.seen_by is None else piece.seen_by)})
        if strangers:
            words = f"piece {piece.id} is known to {', '.join(strangers)}, who must be in seen_by too"
            yield Defect((*path, "known_to"), words)
        if piece.kind and not piece.known_to and not piece.seen_by:
            words = (
                f"piece {piece.id} is known to no seat and was seen by none, so that it cannot be {piece.kind!r} yet"
            )
            yield Defect((*path, "kind"), words)
