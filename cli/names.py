"""The names of one match, joined in from its rules: places with their labels, pieces, seats, rules of a sentence."""

from collections.abc import Sequence
from typing import Protocol

from cli.phrases import listed, spoken
from core.games import package_of
from core.ports import MapPlace
from core.printed_names import printed_words
from core.render_model import Picture
from events.ids import GameKey, PlaceId, Seat, Side
from events.vocabulary import Event, Value
from projections.table import Open, Table


class Wording(Protocol):
    """What words ids, questions and facts: a game's narration (`core.ports.Narration`), or `IdsOnly` where it is not here."""

    def name(self, id_: str) -> str:
        """Return the printed name of an id; else the id itself."""

    def question(self, asked: Open) -> str:
        """Word an open question."""

    def tell(self, run: Sequence[Event]) -> str | None:
        """Say facts in a row as players would; empty where the default sentence will do."""

    def picture(self, table: Table) -> Picture | None:
        """Return a table the way players look at it; None to have it drawn as any table is."""

    def places(self) -> tuple[MapPlace, ...]:
        """List the places of the map."""


class IdsOnly:
    """Words a match whose rules or board are not here: by its ids, and by what the game prints whatever the board.

    Args:
        game: What is played.
    """

    def __init__(self, game: GameKey) -> None:
        self._words = printed_words(package_of(game))

    def name(self, id_: str) -> str:
        """Return what the game calls a side, phase or track; else the id itself."""
        return self._words.get(id_, id_)

    def question(self, asked: Open) -> str:
        """Word a question by its kind and its arguments."""
        about = [f"{spoken(name)} {value}" for name, value in asked.arguments.items()]
        return f"{spoken(asked.kind)} ({listed(about)})" if about else spoken(asked.kind)

    def tell(self, run: Sequence[Event]) -> str | None:
        """Leave it to the default sentence."""
        return ""

    def picture(self, table: Table) -> Picture | None:
        """Have the table drawn as any table is."""
        return None

    def places(self) -> tuple[MapPlace, ...]:
        """List no places: the map is not here."""
        return ()


class Names:
    """What ids are called.

    Args:
        narration: Has the printed names.
    """

    def __init__(self, narration: Wording) -> None:
        self.narration = narration
        self.places: dict[PlaceId, MapPlace] = {place.id: place for place in narration.places()}

    def of(self, id_: str) -> str:
        """Return the printed name of anything that is no place of the map."""
        name = self.narration.name(id_)
        return spoken(name) if name == id_ and id_.replace("_", "").isalpha() else name

    def has_name(self, id_: str) -> bool:
        """Return whether something has a printed name: what the rules merely remember has none."""
        return self.narration.name(id_) != id_

    def place(self, place: str) -> str:
        """Return a place's label and name."""
        known = self.places.get(PlaceId(place))
        if known is None:
            return self.of(place)
        return f"{self.label(known)} {known.name}".lstrip()

    def label(self, place: MapPlace) -> str:
        """Return a place's label, unless its name says it as well."""
        return "" if f" {place.label} " in f" {place.name} " else place.label

    def piece(self, piece: str, place: str) -> str:
        """Return a piece's name where it is said as well in which place it stands, which is then not said twice."""
        known = self.places.get(PlaceId(place))
        name = self.of(piece)
        return name if known is None else name.removesuffix(f" of {known.name}")

    def anything(self, id_: str) -> str:
        """Return the name of what may be a place, a piece or something else."""
        return self.place(id_) if PlaceId(id_) in self.places else self.of(id_)

    def value(self, value: Value) -> str:
        """Return a remembered value in words; ids by their names."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, int):
            return str(value)
        return self.anything(value) if isinstance(value, str) else ", ".join(map(self.anything, value)) or "none"

    def side(self, side: Side) -> str:
        """Return the name of a side; nobody where it is empty."""
        return self.of(side) if side else "nobody"

    def seat(self, seat: Seat) -> str:
        """Return the name of a seat; nobody where it is empty."""
        return self.of(seat) if seat else "nobody"

    def turn(self, side: Side, seat: Seat) -> str:
        """Return whose turn it is: the side, and its seat where that is called otherwise."""
        name = self.side(side)
        return name if not seat or self.seat(seat) == name else f"{name} ({self.seat(seat)})"

    def winners(self, sides: Sequence[Side], seats: Sequence[Seat]) -> tuple[str, ...]:
        """Return who has won: the sides, and the seats that are called otherwise than one of them."""
        names = [self.side(side) for side in sides]
        return (*names, *(name for name in map(self.seat, seats) if name not in names))

    def is_on_map(self, place: str) -> bool:
        """Return whether a place is part of the map, and no box beside it."""
        known = self.places.get(PlaceId(place))
        return known is not None and not known.is_box
