"""Checks position files and tables against a game's inventory: one sentence per difference."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from core.components.inventory import Inventory, Pieces
from core.engine.attributes import KINDS, Declared, shown_value
from core.positions.position import Defect, PlacedPiece, Position
from core.suggestions import unknown
from core.toml.toml_lines import Path
from core.wording import counted, plural
from events.codec import Struct
from events.ids import AttributeKey, CardId, MarkerId, PieceId, PileId, PlaceId, Side, TrackId
from events.vocabulary import Value
from projections.state.table import Piece, Table


class _Contents(Struct, frozen=True):
    """Common part of a position and a table. The inventory fills in what a position leaves out."""

    pieces: Sequence[PlacedPiece | Piece]
    control: Mapping[PlaceId, Side]
    markers: Mapping[str, Mapping[MarkerId, int]]
    attributes: Mapping[str, Mapping[AttributeKey, Value]]
    tracks: Mapping[TrackId, int]
    piles: Mapping[PileId, Sequence[CardId]]
    is_position: bool


def position_defects(inventory: Inventory, position: Position, unnamed: Collection[PieceId] = ()) -> list[Defect]:
    """Return every difference of a position from the inventory, in the order of the file.

    Args:
        inventory: What is in play in the scenario and with the options of the position.
        position: The position.
        unnamed: Pieces that are on the table though the position does not name them.
    """
    contents = _Contents(
        position.pieces,
        position.control,
        position.markers,
        position.attributes,
        position.tracks,
        position.piles,
        is_position=True,
    )
    return _Checks(inventory, contents, unnamed).run()


def moment_defects(inventory: Inventory, moment: Position | Table) -> Iterator[Defect]:
    """Yield why a position or a table can be of no round or phase of the game."""
    if inventory.rounds_max is not None and moment.round > inventory.rounds_max:
        yield Defect(("round",), f"round is {moment.round}; the last one is {inventory.rounds_max}")
    if inventory.phases is not None and moment.phase not in ("", *inventory.phases):
        yield Defect(("phase",), unknown("phase", moment.phase, list(inventory.phases)))


def table_defects(inventory: Inventory, table: Table, *, is_settled: bool = True) -> list[str]:
    """Return every difference of a table, as the arbiter sees it, from the inventory.

    Args:
        inventory: What is in play in the scenario and with the options of the table.
        table: The table.
        is_settled: No rule is just being carried out, so that nothing is between two places.
    """
    piles = {pile: there.cards for pile, there in table.piles.items() if there.count}
    contents = _Contents(
        list(table.pieces.values()),
        table.control,
        table.markers,
        table.attributes,
        table.tracks,
        piles,
        is_position=False,
    )
    checks = _Checks(inventory, contents, ())
    checks.found += moment_defects(inventory, table)
    checks.run()
    checks.check_arrangement(table)
    if is_settled:
        checks.check_sums(table)
    return [defect.problem for defect in checks.found]


class _Checks:
    """One look at one position or table; the defects are gathered in the order of the checks."""

    def __init__(self, inventory: Inventory, contents: _Contents, unnamed: Collection[PieceId]) -> None:
        self.inventory = inventory
        self.contents = contents
        self.in_play = {piece.id for piece in contents.pieces} | set(unnamed)
        self.found: list[Defect] = []

    def run(self) -> list[Defect]:
        """Run the checks that fit positions and tables."""
        self._check_pieces()
        self._check_room()
        self._check_control()
        self._check_markers()
        self._check_attributes()
        self._check_tracks()
        self._check_piles()
        self._check_cards()
        return self.found

    def add(self, path: Path, problem: str) -> None:
        """Record a defect."""
        self.found.append(Defect(path, problem))

    def _unknown(self, path: Path, what: str, name: str, known: Iterable[str]) -> None:
        self.add(path, unknown(what, name, list(known), before=len(self.found)))

    def _group_in_play(self, on: str) -> str | None:
        """Return the group of a thing on which something can lie, or None where there is no such thing in play."""
        group = self.inventory.group_of.get(on)
        return None if on in self.inventory.pieces_of and on not in self.in_play else group

    def _things(self) -> list[str]:
        """Return the places and the pieces in play."""
        return [*self.inventory.places_of, *sorted(self.in_play & self.inventory.pieces_of.keys())]

    # Pieces

    def _check_pieces(self) -> None:
        """Check that each piece exists, is there once, lies where it may and looks as it can."""
        numbers = Counter(piece.id for piece in self.contents.pieces)
        for index, piece in enumerate(self.contents.pieces):
            path: Path = ("pieces", index)
            group = self.inventory.pieces_of.get(piece.id)
            if group is None:
                self._unknown((*path, "id"), "piece in play", piece.id, self.inventory.pieces_of)
                if self._group_in_play(piece.place) is None:
                    self._unknown((*path, "place"), "place or piece in play", piece.place, self._things())
                continue
            if numbers[piece.id] > 1:
                self.add((*path, "id"), f"{piece.id} is placed {numbers[piece.id]} times")
                numbers[piece.id] = 0
            self._check_place(path, piece, group)
            self._check_look(path, piece, group)

    def _check_place(self, path: Path, piece: PlacedPiece | Piece, group: Pieces) -> None:
        there = self._group_in_play(piece.place)
        if there is None:
            self._unknown((*path, "place"), f"place for {piece.id}", piece.place, self._places_for(group))
        elif there not in group.where:
            allowed = ", ".join(group.where)
            self.add((*path, "place"), f"{piece.id} cannot be in {piece.place!r}; places for it: {allowed}")
        elif str(piece.place) == piece.id:
            self.add((*path, "place"), f"{piece.id} lies on itself")

    def _places_for(self, group: Pieces) -> list[str]:
        return [thing for thing in self._things() if self.inventory.group_of.get(thing) in group.where]

    def _check_look(self, path: Path, piece: PlacedPiece | Piece, group: Pieces) -> None:
        kinds = group.kinds.get(piece.id, (piece.id,))
        known = (
            ("kind", piece.kind, kinds),
            ("side", piece.side, group.sides),
            ("face", piece.face, group.faces or ("",)),
        )
        for field, value, allowed in known:
            if value not in allowed and not (self.contents.is_position and not value):
                self._unknown((*path, field), f"{field} of {piece.id}", value, allowed)
        if not 0 <= piece.steps <= group.steps:
            self.add((*path, "steps"), f"{piece.id} has {piece.steps} steps; it can have {_range(0, group.steps)}")

    def _check_room(self) -> None:
        """Check that no place and no piece holds more pieces of a group than fit."""
        held: Counter[tuple[PlaceId, str]] = Counter()
        for index, piece in enumerate(self.contents.pieces):
            group = self.inventory.pieces_of.get(piece.id)
            most = None if group is None else group.where.get(self.inventory.group_of.get(piece.place, ""))
            if group is not None and most is not None:
                held[piece.place, group.what] += 1
                path: Path = ("pieces", index, "place")
                if held[piece.place, group.what] > most:
                    fit = f"{counted(most, group.what)} at most"
                    self.add(path, f"{piece.id} does not fit into {piece.place}, which holds {fit}")

    def check_arrangement(self, table: Table) -> None:
        """Check that the places of a table list the pieces that say they are there, and that nothing lies in a circle."""
        listed = [(piece, place) for place, there in table.at.items() for piece in there]
        said = [(piece.id, piece.place) for piece in table.pieces.values()]
        if sorted(listed) != sorted(said):
            self.add((), f"pieces are not where their places have them: {sorted(set(listed) ^ set(said))}")
        for piece in table.pieces.values():
            if PieceId(table.ground(piece.place)) in table.pieces:
                self.add((), f"{piece.id} lies on itself by way of {piece.place}")

    # Control, markers, tracks

    def _check_control(self) -> None:
        """Check that places which can be controlled are, by who can."""
        controllable = [place for place, group in self.inventory.places_of.items() if group.control]
        for place, side in self.contents.control.items():
            group = self.inventory.places_of.get(place)
            if group is None or not group.control:
                self._unknown(("control", place), "place to control", place, controllable)
            elif side not in group.control:
                self._unknown(("control", place), f"side to control {place}", side, group.control)

    def _check_markers(self) -> None:
        """Check that every marker lies where it may, not more often than it may, and that there are so many."""
        for on, there in self.contents.markers.items():
            group = self._group_in_play(on)
            if group is None:
                self._unknown(("markers", on), "place or piece in play", on, self._things())
                continue
            allowed = {
                marker: counters for marker, counters in self.inventory.counters_of.items() if group in counters.on
            }
            sums: Counter[int] = Counter()
            for marker, count in there.items():
                path: Path = ("markers", on, marker)
                counters = allowed.get(marker)
                if counters is None:
                    self._unknown(path, f"marker for {on}", marker, allowed)
                    continue
                sums[id(counters)] += count
                most = counters.on[group]
                least = 0 if self.contents.is_position else 1
                if count < least or (most is not None and sums[id(counters)] > most):
                    self.add(path, f"{count} markers {marker} lie on {on}; {_range(least, most)} can")
        for counters in self.inventory.counters:
            lying = counters.lying(self.contents.markers)
            if counters.stock is not None and lying > counters.stock:
                self.add(
                    ("markers",),
                    f"{lying} markers {' and '.join(counters.faces)} lie on the table; there are {counters.stock}",
                )

    def _check_tracks(self) -> None:
        for id_, value in self.contents.tracks.items():
            track = self.inventory.track_of.get(id_)
            if track is None:
                self._unknown(("tracks", id_), "track", id_, self.inventory.track_of)
            elif value < track.least or (track.most is not None and value > track.most):
                self.add(("tracks", id_), f"track {id_} is {value}; it can be {_range(track.least, track.most)}")

    # Attributes

    def _check_attributes(self) -> None:
        """Check what attributes are on, their keys, the types of their values, and the ids that these name."""
        of = self.inventory.memory.of
        for on, there in self.contents.attributes.items():
            group = self._group_in_play(on)
            if group is None:
                self._unknown(("attributes", on), "place, piece or side in play", on, self._things())
                continue
            declared = {attribute.key: attribute for attribute in of.get(group, ())}
            for key, value in there.items():
                path: Path = ("attributes", on, key)
                if key not in declared:
                    self._unknown(path, f"attribute of {on}", key, declared)
                elif isinstance(value, str) and declared[key].words and value not in declared[key].words:
                    self._unknown(path, f"{key} of {on}", value, declared[key].words)
                elif not declared[key].accepts(value):
                    wanted = KINDS[declared[key].kind] if not _is_negative(value) else "0 or more"
                    self.add(path, f"attribute {key} of {on} is {shown_value(value)}; it must be {wanted}")
                else:
                    self._check_named(path, on, declared[key], value)

    def _check_named(self, path: Path, on: str, attribute: Declared, value: Value) -> None:
        """Check that a value names things that are in play."""
        groups = self.inventory.memory.refers.get(attribute)
        for name in () if groups is None else value if isinstance(value, tuple) else (value,):
            if groups is not None and self._group_in_play(str(name)) not in groups:
                known = [thing for thing in self._things() if self.inventory.group_of.get(thing) in groups]
                self._unknown(path, f"{' or '.join(groups)} for {attribute.key} of {on}", str(name), known)

    # Cards

    def _check_piles(self) -> None:
        """Check that piles exist and hold cards that they can hold."""
        for pile, cards in self.contents.piles.items():
            group = self.inventory.piles_of.get(pile)
            if group is None:
                self._unknown(("piles", pile), "pile", pile, self.inventory.piles_of)
                continue
            known = self.inventory.cards_for[group.holds, group.only]
            for index, card in enumerate(cards):
                if card not in known:
                    self._unknown(("piles", pile, index), f"card for {pile}", card, known)

    def _check_cards(self) -> None:
        """Check that no card is in two places."""
        for card, paths in self._lying().items():
            if len(paths) > 1:
                there = ", ".join(sorted({where for where, _ in paths}))
                self.add(paths[1][1], f"{card} is there {len(paths)} times: {there}")

    def check_sums(self, table: Table) -> None:
        """Check that of cards and counters that are all out none is missing."""
        lying = self._lying()
        formed = {group.holds for pile, group in self.inventory.piles_of.items() if pile in table.piles}
        for group in self.inventory.cards:
            if group.are_all_out and group.what in formed:
                missing = [card for card in group.names if card not in lying]
                if missing:
                    lacking = f"{len(missing)} of {len(group.names)} {plural(group.what)} are missing"
                    self.add((), f"{lacking}: {', '.join(missing)}")
        for counters in self.inventory.counters:
            count = counters.lying(self.contents.markers)
            if counters.are_all_out and counters.stock is not None and 0 < count < counters.stock:
                self.add((), f"{count} of {counters.stock} markers {' and '.join(counters.faces)} lie on the table")

    def _lying(self) -> dict[CardId, list[tuple[str, Path]]]:
        """Return where each card lies: in which pile, or as which piece."""
        found: dict[CardId, list[tuple[str, Path]]] = {}
        for pile, cards in self.contents.piles.items():
            for index, card in enumerate(cards):
                found.setdefault(card, []).append((pile, ("piles", pile, index)))
        for index, piece in enumerate(self.contents.pieces):
            for name in {piece.id, piece.kind}:
                if CardId(name) in self.inventory.cards_of:
                    found.setdefault(CardId(name), []).append((piece.id, ("pieces", index)))
        return found


def _is_negative(value: Value) -> bool:
    return isinstance(value, int) and value < 0


def _range(least: int, most: int | None) -> str:
    if most is None:
        return f"{least} or more"
    return f"{least} to {most}" if most > least else str(least)
