"""The inventory of a game: what is in the box, and where each of it may lie. A game declares it once, as data.

From the declaration follow the checks of position files and of tables (`inventory_checks`), printed names, what is left of a
counter, which piles exchange cards, and a page of documentation. Groups of things have a name in the singular, such as `Area` or
`German unit`, by which other groups refer to them; its plural ends with an s.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from core.engine.attributes import Declared
from events.codec import Struct, replace
from events.ids import CardId, MarkerId, PieceId, PileId, PlaceId, Seat, Side, TrackId
from projections.state.table import Table

SIDE, SEAT = "side", "seat"
"""The groups of all sides, and of the seats that are not called as a side is."""


class Places(Struct, frozen=True, kw_only=True):
    """Places of one kind, or other things that are not pieces but on which markers lie or of which rules remember something.

    `names` are the printed names by id; an empty one is the id itself. `control` lists who can control such a place, the
    empty side included where nobody can; it is empty where control is not recorded.
    """

    what: str
    names: Mapping[PlaceId, str]
    control: tuple[Side, ...] = ()


class Pieces(Struct, frozen=True, kw_only=True):
    """Pieces of one kind.

    `where` maps each group of places, or of pieces on which these may lie, to how many of these fit into one of them, None for
    any number. `kinds` lists which kinds a piece can be of, where it can be of more than one or of another than its own id, the
    empty kind included where it can be unknown. `faces` are the printed names of the faces that it can show, by face.
    """

    what: str
    names: Mapping[PieceId, str]
    where: Mapping[str, int | None]
    sides: tuple[Side, ...]
    kinds: Mapping[PieceId, Sequence[str]] = {}
    faces: Mapping[str, str] = {}
    steps: int = 0


class Counters(Struct, frozen=True, kw_only=True):
    """Counters of one kind, each face of which is a marker.

    `faces` are the printed names by marker. `on` maps each group of things on which they may lie to how many, all faces together,
    fit onto one of them, None for any number. `stock` is how many there are in the box, all faces together, None where the rules
    do not limit them. Where `are_all_out` none is in the box while there is a match.
    """

    faces: Mapping[MarkerId, str]
    on: Mapping[str, int | None]
    stock: int | None = None
    are_all_out: bool = False

    def lying(self, markers: Mapping[str, Mapping[MarkerId, int]]) -> int:
        """Return how many are on the table."""
        return sum([there.get(face, 0) for there in markers.values() for face in self.faces])

    def left(self, table: Table) -> int | None:
        """Return how many are still in the box, or None where there is no limit."""
        return None if self.stock is None else self.stock - self.lying(table.markers)


class Track(Struct, frozen=True, kw_only=True):
    """A track with the numbers on which its marker can stand; without `most` it has no end."""

    id: TrackId
    name: str
    least: int = 0
    most: int | None = None


class Cards(Struct, frozen=True, kw_only=True):
    """Cards of one kind, or counters that are drawn from a pool like cards.

    Each lies in one pile at most or is a piece on the table, by its id or by its kind. Where `are_all_out` each of them is always
    somewhere, once a pile of them has been formed.
    """

    what: str
    names: Mapping[CardId, str]
    are_all_out: bool = False


class Piles(Struct, frozen=True, kw_only=True):
    """Piles that hold cards of one kind, and only they: these piles exchange cards. `only` limits which of them."""

    names: Mapping[PileId, str]
    holds: str
    only: frozenset[CardId] | None = None


class Memory(Struct, frozen=True):
    """An attribute of the rules, with the groups of things that have it.

    The id of something that is in no group, such as the whole table (`events.ids.TABLE`), stands for itself. `refers` tells of
    which groups the things are that the values of an attribute name.
    """

    of: Mapping[str, tuple[Declared, ...]] = {}
    refers: Mapping[Declared, tuple[str, ...]] = {}

    @classmethod
    def declared(cls, names: Mapping[str, object], groups: Mapping[str, Sequence[str]] | None = None) -> "Memory":
        """Return the attributes among the names of a module, by their owners, in the order in which they are declared.

        Args:
            names: The names.
            groups: What several groups are called together by the attributes, each with these groups; on another board they may be others.
        """

        def each(owners: Iterable[str]) -> tuple[str, ...]:
            return tuple([group for owner in owners for group in (groups or {}).get(owner, (owner,))])

        of: dict[str, tuple[Declared, ...]] = {}
        attributes = [one for one in names.values() if isinstance(one, Declared)]
        for attribute in attributes:
            for owner in each(attribute.owners):
                of[owner] = (*of.get(owner, ()), attribute)
        return cls(of, {attribute: each(attribute.refers) for attribute in attributes if attribute.refers})


class Inventory(Struct, frozen=True, kw_only=True, dict=True):
    """Everything that can be on the table. An id means one place or piece only.

    `sides` are the printed names of the sides; `places` are all things that are not pieces; `memory` is what the rules remember.
    `seats` are named only where their names are not those of sides, and something is remembered of them. `phases` are those that a
    table can have, besides none, and `rounds_max` is the last round; None where a game does not say, or has no last one.
    """

    sides: Mapping[Side, str]
    seats: tuple[Seat, ...] = ()
    places: Sequence[Places] = ()
    pieces: Sequence[Pieces] = ()
    counters: Sequence[Counters] = ()
    tracks: Sequence[Track] = ()
    cards: Sequence[Cards] = ()
    piles: Sequence[Piles] = ()
    memory: Memory = Memory()
    phases: tuple[str, ...] | None = None
    rounds_max: int | None = None

    def narrowed(self, has_pile: Callable[[PileId], bool], remembers: Callable[[Declared], bool]) -> "Inventory":
        """Return the inventory with some of its piles and of what is remembered, as a position can state them."""
        named = [{pile: name for pile, name in group.names.items() if has_pile(pile)} for group in self.piles]
        piles = [replace(group, names=names) for group, names in zip(self.piles, named, strict=True)]
        of = {group: tuple([one for one in there if remembers(one)]) for group, there in self.memory.of.items()}
        return replace(self, piles=piles, memory=replace(self.memory, of=of))

    @cached_property
    def group_of(self) -> dict[str, str]:
        """The group of each thing on which markers can lie, or of which something can be remembered."""
        groups: list[tuple[str, Iterable[str]]] = [(SIDE, self.sides), (SEAT, self.seats)]
        groups += [(places.what, places.names) for places in self.places]
        groups += [(pieces.what, pieces.names) for pieces in self.pieces]
        found = {id_: id_ for id_ in self.memory.of.keys() - dict(groups).keys()}
        for what, ids in groups:
            for id_ in ids:
                assert id_ not in found, f"{id_} is declared as {found[id_]} and as {what}"
                found[id_] = what
        return found

    @cached_property
    def places_of(self) -> dict[PlaceId, Places]:
        """The group of each place."""
        return {place: group for group in self.places for place in group.names}

    @cached_property
    def pieces_of(self) -> dict[PieceId, Pieces]:
        """The group of each piece."""
        return {piece: group for group in self.pieces for piece in group.names}

    @cached_property
    def counters_of(self) -> dict[MarkerId, Counters]:
        """The counters of which each marker is a face."""
        return {marker: group for group in self.counters for marker in group.faces}

    @cached_property
    def track_of(self) -> dict[TrackId, Track]:
        """The tracks by id."""
        return {track.id: track for track in self.tracks}

    @cached_property
    def cards_of(self) -> dict[CardId, Cards]:
        """The group of each card."""
        return {card: group for group in self.cards for card in group.names}

    @cached_property
    def piles_of(self) -> dict[PileId, Piles]:
        """The group of each pile."""
        return {pile: group for group in self.piles for pile in group.names}

    @cached_property
    def cards_for(self) -> dict[tuple[str, frozenset[CardId] | None], dict[CardId, Cards]]:
        """The cards that piles can hold, by what the piles hold and to which cards they are limited."""
        return {
            (piles.holds, piles.only): {
                card: kind
                for card, kind in self.cards_of.items()
                if kind.what == piles.holds and (piles.only is None or card in piles.only)
            }
            for piles in self.piles
        }

    @cached_property
    def names(self) -> dict[str, str]:
        """The printed names of everything that has one, by id."""
        groups: list[Iterable[tuple[str, str]]] = [self.sides.items()]
        groups += [group.names.items() for group in self.cards]
        groups += [group.names.items() for group in self.piles]
        groups += [group.names.items() for group in self.places]
        for pieces in self.pieces:
            groups += [pieces.faces.items(), pieces.names.items()]
        groups += [group.faces.items() for group in self.counters]
        groups += [[(track.id, track.name)] for track in self.tracks]
        return {id_: name for group in groups for id_, name in group if name}


def families(piles: Sequence[Piles]) -> dict[PileId, str]:
    """Return for each pile a name that it shares with the piles that exchange cards with it; see `core.engine.decision.Rules.family`."""
    return {pile: group.holds for group in piles for pile in group.names}
