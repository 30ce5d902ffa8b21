"""Looks up the names of one match: places with their labels, pieces, sides and seats."""

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Protocol

from core.game_files.printed_names import printed_words
from core.narration.place_name import PlaceName
from core.registry.games import package_of
from core.telling.phrases import listed, printable, spoken
from core.wording import capital
from events.ids import GameKey, PieceId, PlaceId, RuleId, Seat, Side
from events.vocabulary import Event, MatchEnded, Value
from projections.state.table import Ended, Open, Table

if TYPE_CHECKING:
    from core.narration.render_model import MapPlace, Picture
    from core.narration.side_sum import SideSum

# The ports import what decides, which takes longer to load than a long match to read.

SEQUENCE = "sequence"
"""Names of sequences stand under `sequence:KIND`, those of their steps under `KIND:STEP`."""


DECISION = "decision"
"""Names of decisions that allow standing answers stand under `decision:KIND`."""

PHASE = "phase"
"""Names of phases stand under `phase:PHASE` where the id alone names something else."""


class Wording(Protocol):
    """Names ids, and describes questions and events: a game's narration (`core.narration.narration_port.Narration`), or `IdsOnly`."""

    piece_noun: str

    def name(self, id_: str) -> str:
        """Return the printed name of an id, or the id itself if it has none."""

    def piece(self, table: Table, piece: PieceId) -> str:
        """Return what the viewer of a table calls a piece."""

    def question(self, table: Table, asked: Open) -> str:
        """Return the text of an open question."""

    def details(self, table: Table, asked: Open) -> tuple[str, ...]:
        """Return the lines that stand below an open question."""

    def sums(self, table: Table, asked: Open) -> "tuple[SideSum, SideSum] | None":
        """Return what the sides of a combat have so far."""

    def tell(self, table: Table, run: Sequence[Event]) -> str | None:
        """Return the game's own sentence for events in a row; empty for the default one."""

    def deciding(self, table: Table, event: Event) -> tuple[RuleId, ...]:
        """Return the rules that decide an event besides the one that it cites."""

    def picture(self, table: Table) -> "Picture | None":
        """Return the game's own rendering of a table, or None for the generic one."""

    def place_names(self) -> tuple[PlaceName, ...]:
        """Return the names of the places of the map."""

    def places(self) -> "tuple[MapPlace, ...]":
        """Return the places of the map as they are drawn."""

    def is_force(self, kind: str) -> bool:
        """Return whether a piece of a kind is lost if it leaves the map."""


class IdsOnly:
    """The narration of a match whose rules or board are missing: ids, and names that do not depend on the board.

    Args:
        game: The game of the match.
    """

    piece_noun = "piece"

    def __init__(self, game: GameKey) -> None:
        self._words = printed_words(package_of(game))

    def name(self, id_: str) -> str:
        """Return the printed name of a side, phase or track, or the id itself."""
        return self._words.get(id_, id_)

    def piece(self, table: Table, piece: PieceId) -> str:
        """Return the id."""
        return piece

    def question(self, table: Table, asked: Open) -> str:
        """Return a question as its kind and its arguments."""
        about = [f"{spoken(name)} {value}" for name, value in asked.arguments.items()]
        return f"{spoken(asked.kind)} ({listed(about)})" if about else spoken(asked.kind)

    def details(self, table: Table, asked: Open) -> tuple[str, ...]:
        """Return no lines: the question says all its arguments."""
        return ()

    def sums(self, table: Table, asked: Open) -> "tuple[SideSum, SideSum] | None":
        """Return None: no rules say what adds up."""
        return None

    def tell(self, table: Table, run: Sequence[Event]) -> str | None:
        """Return nothing, so that the default sentence is used."""
        return ""

    def deciding(self, table: Table, event: Event) -> tuple[RuleId, ...]:
        """Return no rules: they are not known."""
        return ()

    def picture(self, table: Table) -> "Picture | None":
        """Return None, so that the generic rendering is used."""
        return None

    def place_names(self) -> tuple[PlaceName, ...]:
        """Return no names: the map is not known."""
        return ()

    def places(self) -> "tuple[MapPlace, ...]":
        """Return no places: the map is not known."""
        return ()

    def is_force(self, kind: str) -> bool:
        """Return True: every piece counts."""
        return True


class Names:
    """The names of ids.

    Args:
        narration: The source of printed names.

    Attributes:
        table: The table as the reader knows it: a piece on it is called what the reader knows it to be.
    """

    def __init__(self, narration: Wording) -> None:
        self.narration = narration
        self.places: dict[PlaceId, PlaceName] = {place.id: place for place in narration.place_names()}
        self.table = Table()

    def on(self, table: Table) -> "Names":
        """Return the same names, with pieces called by what they are on a table."""
        names = copy(self)
        names.table = table
        if any(place.only_in for place in self.places.values()):
            names.places = {id_: place for id_, place in self.places.items() if place.is_in(table.scenario, table.mode)}
        return names

    def details(self, asked: Open) -> tuple[str, ...]:
        """Return what stands below an open question or a sequence, a sentence each."""
        return tuple(printable(f"{capital(line)}.") for line in self.narration.details(self.table, asked))

    def of(self, id_: str) -> str:
        """Return the printed name of anything that is not a place of the map."""
        if id_ in self.table.pieces:
            return self.narration.piece(self.table, PieceId(id_))
        name = self.narration.name(id_)
        return spoken(name) if name == id_ and id_.replace("_", "").isalpha() else name

    @property
    def round(self) -> str:
        """The game's word for a round, under `round`."""
        return capital(self.narration.name("round"))

    def phase(self, phase: str) -> str:
        """Return the name of a phase, under `phase:PHASE` if a track has the same id; empty if there is none."""
        return self._under(PHASE, phase)

    def decision(self, kind: str) -> str:
        """Return the name of a kind of decision, with its article."""
        return self._under(DECISION, kind)

    def sequence(self, kind: str) -> str:
        """Return the name of a sequence, with its article."""
        return self._under(SEQUENCE, kind)

    def step(self, kind: str, step: str) -> str:
        """Return the name of a step of a sequence."""
        return self._under(kind, step)

    def _under(self, title: str, id_: str) -> str:
        """Return the name that stands under `TITLE:ID`, or else under the id alone; empty if there is none."""
        full = f"{title}:{id_}"
        name = self.narration.name(full)
        return name if spoken(name).casefold() != spoken(full).casefold() else self.of(id_) if id_ else ""

    def has_name(self, id_: str) -> bool:
        """Return whether an id has a printed name; those of bookkeeping have none."""
        return self.narration.name(id_) != id_

    def part(self, what: str) -> str:
        """Return what a part of a sum is, with the ids in it by their printed names; a number in it is never an id."""
        words = what.split(" ")
        return " ".join(self.of(word) if self.has_name(word) and not word.isdecimal() else word for word in words)

    def place(self, place: str) -> str:
        """Return a place's label and name."""
        known = self.places.get(PlaceId(place))
        return self.of(place) if known is None else known.full

    def piece(self, piece: str, place: str) -> str:
        """Return a piece's name for a sentence that names its place; the place's name is left out of it."""
        known = self.places.get(PlaceId(place))
        name = self.of(piece)
        return name if known is None else name.removesuffix(f" of {self.place(place)}")

    def anything(self, id_: str) -> str:
        """Return the name of a place, a piece or anything else."""
        return self.place(id_) if PlaceId(id_) in self.places else self.of(id_)

    def value(self, value: Value) -> str:
        """Return the value of an attribute in words; ids by their names."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, int):
            return str(value)
        return self.anything(value) if isinstance(value, str) else ", ".join(map(self.anything, value)) or "none"

    def side(self, side: Side) -> str:
        """Return the name of a side; "no side" if it is empty."""
        return self.of(side) if side else "no side"

    def seat(self, seat: Seat) -> str:
        """Return the name of a seat; "no seat" if it is empty."""
        return self.of(seat) if seat else "no seat"

    def turn(self, side: Side, seat: Seat) -> str:
        """Return whose turn it is: the side, and its seat if that has another name."""
        name = self.side(side)
        return name if not seat or self.seat(seat) == name else f"{name} ({self.seat(seat)})"

    def winners(self, sides: Sequence[Side], seats: Sequence[Seat]) -> tuple[str, ...]:
        """Return the winners: the sides, and the seats with other names than these, which stand with their side if there is one side."""
        names = [self.side(side) for side in sides]
        others = [name for name in map(self.seat, seats) if name not in names]
        return (f"{names[0]} ({listed(others)})",) if len(names) == 1 and others else (*names, *others)

    def result(self, ended: Ended | MatchEnded) -> str:
        """Return the result of a match, with who gave it up or awarded it: `Resignation of German`."""
        if ended.kind == "awarded":
            return f"{ended.result} by the arbiter"
        if ended.kind != "resigned":
            return ended.result
        table = self.table
        sides = [self.side(side) for side in table.sides if side not in ended.winners] if ended.winners else []
        return f"{ended.result} of {listed(sides or [self.seat(one) for one in table.seats if one not in ended.winning_seats])}"

    def is_on_map(self, place: str) -> bool:
        """Return whether a place is part of the map, not a box beside it."""
        known = self.places.get(PlaceId(place))
        return known is not None and not known.is_box

    def is_in_play(self, place: str) -> bool:
        """Return whether pieces in a place are in play: on the map, or above it."""
        known = self.places.get(PlaceId(place))
        return known is not None and (known.is_above or not known.is_box)

    def is_force(self, kind: str) -> bool:
        """Return whether a piece of a kind is lost if it leaves the map."""
        return self.narration.is_force(kind)
