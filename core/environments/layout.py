"""Layout of the vector of a seat's view: the name, the range and the place of each number, made of the inventory of a game."""

from collections.abc import Iterable
from hashlib import sha256

from core.components.inventory import SEAT, SIDE, Inventory, Pieces
from core.engine.attributes import Declared
from events.codec import Struct
from events.ids import AttributeKey, CardId, MarkerId, PileId, PlaceId, Seat, Side, TrackId
from events.vocabulary import Value

VERSION = 1
"""Version of the encodings of views; it goes up when a number comes to mean something else."""

COUNT_MOST = 10_000
NUMBER_MOST = 1_000_000_000
DIGITS = 12
"""How many digits of the digest are part of a name."""


class Component(Struct, frozen=True):
    """A number of the vector: its name, and the range in which it lies."""

    name: str
    least: int
    most: int


class Block(Struct, frozen=True):
    """Numbers that count the pieces of a side in a place: their number, their steps, how many the seat does not know, and each face."""

    pieces: int
    steps: int
    unknown: int
    faces: dict[str, int]


class Held(Struct, frozen=True):
    """Numbers that count the cards of a pile: those that the seat knows, those that it does not, and each known one."""

    known: int
    hidden: int
    cards: dict[CardId, int]


class Remembered(Struct, frozen=True):
    """Number that tells an attribute: a number as it is, a word by its place among the possible ones from 1, a list by its length, and anything else as 1."""

    index: int
    words: dict[str, int]

    def number(self, value: Value) -> int:
        """Return the number for a value."""
        if isinstance(value, int):
            return int(value)
        return len(value) if isinstance(value, tuple) else self.words.get(value, 1)


class Layout:
    """Layout of the vector of a view. Nothing in it depends on a match.

    Attributes:
        components: Every number of the vector, in order.
        digest: A digest of all of them (hex): equal layouts have equal ones.

    Args:
        inventory: What is in play.
        kinds: The kinds of question that the rules ask.
        seats: The seats.
        sides: The sides.
    """

    def __init__(
        self, inventory: Inventory, kinds: Iterable[str], seats: Iterable[Seat], sides: Iterable[Side]
    ) -> None:
        self.components: list[Component] = []
        seats, sides = tuple(seats), tuple(sides)
        self.own_seat = {seat: self._flag("seat", seat) for seat in seats}
        self.own_side = {side: self._flag("side", side) for side in sides}
        self.asked = {seat: self._flag("asked", seat) for seat in seats}
        self.turn = {side: self._flag("turn", side) for side in sides}
        self.question = {kind: self._flag("question", kind) for kind in sorted(kinds)}
        self.picked = self._count("picked")
        self.round = self._count("round")
        self.ended = self._flag("ended")
        self.tracks: dict[TrackId, int] = {track.id: self._number("track", track.id) for track in inventory.tracks}
        self.ids = _ids_of_groups(inventory)
        self.places = frozenset(inventory.places_of)
        self.carries = any(
            group in _names_of_pieces(inventory) for pieces in inventory.pieces for group in pieces.where
        )
        self.blocks = self._blocks(inventory)
        self.control: dict[tuple[PlaceId, Side], int] = {
            (place, side): self._flag("control", place, side)
            for group in inventory.places
            for place in group.names
            for side in group.control
            if side
        }
        self.markers: dict[tuple[str, MarkerId], int] = {
            (on, marker): self._count("marker", on, marker)
            for counters in inventory.counters
            for group in counters.on
            for on in self.ids.get(group, (group,))
            for marker in counters.faces
        }
        self.piles = self._piles(inventory)
        self.attributes = self._attributes(inventory)
        lines = [f"{one.name} {one.least} {one.most}" for one in self.components]
        self.digest = sha256("\n".join([f"view {VERSION}", *lines]).encode()).hexdigest()

    def __len__(self) -> int:
        """Return how many numbers the vector has."""
        return len(self.components)

    def _add(self, name: tuple[str, ...], least: int, most: int) -> int:
        self.components.append(Component("/".join(name), least, most))
        return len(self.components) - 1

    def _flag(self, *name: str) -> int:
        return self._add(name, 0, 1)

    def _count(self, *name: str) -> int:
        return self._add(name, 0, COUNT_MOST)

    def _number(self, *name: str) -> int:
        return self._add(name, -NUMBER_MOST, NUMBER_MOST)

    def _blocks(self, inventory: Inventory) -> dict[tuple[PlaceId, Side], Block]:
        """Give numbers to the pieces of each side in each place where they can lie, on other pieces or not."""
        found: dict[tuple[PlaceId, Side], Block] = {}
        for group in inventory.places:
            lying = _lying(inventory, group.what)
            for place in group.names:
                for side in dict.fromkeys([side for pieces in lying for side in pieces.sides]):
                    faces = dict.fromkeys([face for pieces in lying if side in pieces.sides for face in pieces.faces])
                    found[place, side] = Block(
                        self._count("place", place, side, "pieces"),
                        self._count("place", place, side, "steps"),
                        self._count("place", place, side, "unknown"),
                        {face: self._count("place", place, side, "face", face) for face in faces if face},
                    )
        return found

    def _piles(self, inventory: Inventory) -> dict[PileId, Held]:
        """Give numbers to the cards of each pile."""
        return {
            pile: Held(
                self._count("pile", pile, "known"),
                self._count("pile", pile, "hidden"),
                {card: self._flag("pile", pile, "card", card) for card in inventory.cards_for[piles.holds, piles.only]},
            )
            for piles in inventory.piles
            for pile in piles.names
        }

    def _attributes(self, inventory: Inventory) -> dict[str, dict[AttributeKey, Remembered]]:
        """Give a number to each attribute of what is not a piece."""
        found: dict[str, dict[AttributeKey, Remembered]] = {}
        of_pieces = _names_of_pieces(inventory)
        for group, declared in inventory.memory.of.items():
            for on in () if group in of_pieces else self.ids.get(group, (group,)):
                for one in declared:
                    index = self._number("attribute", on, one.key)
                    found.setdefault(on, {})[one.key] = Remembered(index, _words(one))
        return found


def _words(declared: Declared) -> dict[str, int]:
    return {word: number for number, word in enumerate(declared.words, start=1)}


def _names_of_pieces(inventory: Inventory) -> set[str]:
    return {pieces.what for pieces in inventory.pieces}


def _ids_of_groups(inventory: Inventory) -> dict[str, tuple[str, ...]]:
    """Return the ids of each group of things on which markers can lie."""
    found: dict[str, tuple[str, ...]] = {SIDE: tuple(inventory.sides), SEAT: tuple(inventory.seats)}
    found |= {group.what: tuple(group.names) for group in inventory.places}
    return found | {group.what: tuple(group.names) for group in inventory.pieces}


def _lying(inventory: Inventory, group: str) -> list[Pieces]:
    """Return the kinds of pieces that can lie in a place of a group, or on pieces that lie there."""
    found: list[Pieces] = []
    wanted = [group]
    for one in wanted:
        more = [pieces for pieces in inventory.pieces if one in pieces.where and pieces not in found]
        found += more
        wanted += [pieces.what for pieces in more]
    return found
