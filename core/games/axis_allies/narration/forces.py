"""Units as players name them: by number and type, with the values at which they fire and what changes these."""

from collections import Counter
from collections.abc import Callable, Iterable

from core.game_files.printed_names import printed_tables
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.inventory import UNCOUNTED, number_of, printed_kinds
from core.games.axis_allies.components.supply_lines import is_supplied
from core.games.axis_allies.ids import ALLIES, AXIS, FERRY, PACKAGE, POOL, SIDE_NAMES, STALINGRAD, above
from core.games.axis_allies.rules.casualties import CROSSING
from core.games.axis_allies.rules.fire import Firing, attack_value, defence_value
from core.games.axis_allies.rules.queries import land, like, units
from core.wording import counted, joined
from core.wording import does as in_number
from events.ids import CardId, PieceId, PlaceId, Side
from projections.state.table import Table

Name = Callable[[str], str]
"""Returns what an id is called."""

ADJECTIVES = {AXIS: "Axis", ALLIES: "Allied"}
"""What is called after its side."""
WORDS = printed_tables(PACKAGE, "sentences")
"""The sentences of this game, by what they are about."""


def phrase(about: str, key: str, otherwise: str = "") -> str:
    """Return one of the sentences of this game."""
    return WORDS[about].get(key, otherwise)


def at(board: Board, name: Name, place: PlaceId) -> str:
    """Return a place as in a sentence: what is above a crossing needs no preposition."""
    if place == STALINGRAD:
        return "in Stalingrad"
    if place in board.zones:
        return f"in {name(place)}"
    if place in (*board.crossings, *board.sites):
        return f"at the {name(place)}"
    return f"{'in the ' if place in POOL.values() else ''}{name(place)}"


def types(targets: Iterable[str]) -> str:
    """Return rows of the reference chart, or air units, as the targets of hits, with their numbers: `1 Tank and 2 air units`."""
    found = Counter(targets).items()
    names = [(number, one, phrase("targets", one, one)) for one, number in found]
    return joined(
        [
            said if one == CROSSING else counted(number, said, said if one in UNCOUNTED else "")
            for number, one, said in names
        ]
    )


def one_type(target: str) -> str:
    """Return a row of the reference chart, or an air unit, as the target of one hit without its number: `a Tank`."""
    said = phrase("targets", target, target)
    if target == CROSSING or target in UNCOUNTED:
        return said
    return f"{'an' if said[0].casefold() in 'aeiou' else 'a'} {said}"


def does(side: Side, verb: str) -> str:
    """Return a side with what it does: `The Axis spends`, `The Allies spend`."""
    return f"The {in_number(SIDE_NAMES[side], verb)}"


class Forces:
    """Names units, alone and together."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.kinds = printed_kinds(board)

    def kind(self, kind: str) -> str:
        """Return the printed name of a unit type, with its nation, or that of a supply token."""
        return self.kinds.get(CardId(kind), kind)

    def number(self, count: int, kind: str) -> str:
        """Return how many units of a type there are, as in `3 German Infantry`."""
        return number_of(self.board, count, kind)

    def counted(self, kinds: Iterable[str]) -> str:
        """Return units by their types, with numbers."""
        return joined([self.number(count, kind) for kind, count in Counter(kinds).items()])

    def units(self, table: Table, pieces: Iterable[str]) -> str:
        """Return pieces by their types, with numbers."""
        return self.counted([table.pieces[PieceId(piece)].kind for piece in pieces])

    def like(self, unit: str, count: int = 1) -> str:
        """Return units of a class (`queries.like`): the type, and in brackets what tells them from others of the type."""
        if PlaceId(unit) in self.board.crossings:
            return f"the {self.board.crossings[PlaceId(unit)].name}"
        kind, state = unit.split(" ", maxsplit=1)[0], self._state(unit)
        return f"{self.number(count, kind)}{f' ({state})' if state else ''}"

    def one_like(self, unit: str) -> str:
        """Return a unit of a class without a number, as the subject of a sentence: `German Fighter, in the air and attacking,`."""
        if PlaceId(unit) in self.board.crossings:
            return self.like(unit)
        state = self._state(unit)
        return f"{self.kind(unit.split(' ', maxsplit=1)[0])}{f', {state},' if state else ''}"

    def _state(self, unit: str) -> str:
        """Return what tells units of a class from others of the type; empty if nothing does."""
        states = unit.split(" ")[1:]
        said = [phrase("states", state) for state in states if phrase("states", state)]
        said += [f"from {self.board.zones[PlaceId(state)].name}" for state in states if state in self.board.zones]
        cargo = [state for state in states if CardId(state) in self.kinds]
        said += [f"carrying {self.counted(cargo)}"] if cargo else []
        return joined(said).replace(f"{said[0]} and on a ", f"{said[0]} on a ") if said else ""

    def on_card(self, card: CardId) -> str:
        """Return the units of an Operation Uranus card, which are all Soviet, as its print shows them; empty for any other card."""
        units = Counter(card_kinds(self.board, card)).items()
        return ", ".join([self.number(count, kind) for kind, count in units]).replace("Soviet ", "")

    def likes(self, classes: Iterable[str]) -> str:
        """Return units by their classes."""
        return joined([self.like(unit, count) for unit, count in Counter(classes).items()])

    def one_of(self, table: Table, piece: PieceId) -> str:
        """Return one aircraft and where it is, with which of those like it there are: `German Bomber 2 of 2 in Pitomnik`."""
        there = table.pieces[piece]
        alike = [one for one in table.pieces_at(there.place) if like(table, one) == like(table, piece)]
        which = f" {alike.index(piece) + 1} of {len(alike)}" if len(alike) > 1 else ""
        cargo = [table.pieces[one].kind for one in table.cargo(piece)]
        return f"{self.kind(there.kind)}{which} in {self.board.zones[there.place].name}{f' carrying {self.counted(cargo)}' if cargo else ''}"

    # Values

    def firing(self, table: Table, piece: PieceId, place: PlaceId, *, attacks: bool) -> Firing:
        """Return how a unit would fire in a place."""
        value = attack_value if attacks else defence_value
        return value(table, self.board, piece, place)

    def ranks(self, table: Table, place: PlaceId, side: Side) -> dict[tuple[str, Firing], int]:
        """Return a side's units in a place by type and by how they fire, the highest value first; the side whose turn it is attacks."""
        there, attacks = units(table, self.board, place, side), side == table.turn
        firing = [self.firing(table, piece, place, attacks=attacks) for piece in there]
        found = Counter(zip([table.pieces[piece].kind for piece in there], firing, strict=True))
        return dict(sorted(found.items(), key=lambda one: -one[0][1].value))

    def line(self, table: Table, place: PlaceId, side: Side) -> str:
        """Return a side's units in a place with the values at which they fire: `2 German Tanks at 2 or less (3, -1 unsupplied)`."""
        ranks = self.ranks(table, place, side).items()
        said = [f"{self.number(count, kind)} {value_words(firing)}" for (kind, firing), count in ranks]
        hit = self.crossing(table, place) if side == ALLIES else ""
        return joined([*said, *([hit] if hit else [])]) or "no unit"

    def crossing(self, table: Table, place: PlaceId) -> str:
        """Return what an air attack hits on a Volga Crossing, whose own id or place above it is given; empty elsewhere."""
        crossing = next((one for one in self.board.crossings if place in (one, above(one))), None)
        if crossing is None:
            return ""
        cargo = self.units(table, table.pieces_at(crossing))
        if table.marker(crossing, FERRY):
            return f"the ferry carrying {cargo}" if cargo else "the ferry"
        return f"{cargo} on the ice bridge" if cargo else "the empty ice bridge"

    def free_zones(self, table: Table) -> str:
        """Return the zones of the free infantry: those that the Axis controls, or all if it controls none."""
        zones = {place: zone.name for place, zone in self.board.zones.items() if zone.takes_free_infantry}
        mine = [name for place, name in zones.items() if table.control.get(place) == AXIS]
        return joined(mine, "or") or joined(list(zones.values()))

    def there(self, table: Table, place: PlaceId, side: Side) -> str:
        """Return a side's units in a place; empty if there are none."""
        return self.units(table, units(table, self.board, place, side))

    def is_unsupplied(self, table: Table, place: PlaceId, side: Side) -> bool:
        """Return whether a side has a land force in a zone that is not supplied."""
        return bool(land(table, self.board, place, side)) and not is_supplied(table, self.board, place, side)


class Speaker:
    """Names the units (`forces`) and the ids (`name`) of tables."""

    def __init__(self, forces: Forces, name: Name) -> None:
        self.forces = forces
        self.board = forces.board
        self.name = name


def card_kinds(board: Board, card: CardId) -> list[str]:
    """Return the types of the units and tokens of an Operation Uranus card, as often as they occur."""
    row = board.uranus_cards.get(card)
    return [] if row is None else [kind for kind, number in row.units.items() for _ in range(number)]


def value_words(firing: Firing) -> str:
    """Return at which results a unit scores hits, with what changes its value: `at 3 or less (2, +1 Fortified)`."""
    if not firing.printed:
        return "without fire"
    changes = "".join([f", {part.amount:+d} {part.what}" for part in firing.modifiers])
    return f"at {firing.value}{' or less' if firing.value else ''}{f' ({firing.printed}{changes})' if changes else ''}"


def attack_words(firing: Firing) -> str:
    """Return the attack value of a unit with what changes it: `attack value 1: 2, -1 unsupplied`."""
    if not firing.printed:
        return "no attack value"
    changes = "".join([f", {part.amount:+d} {part.what}" for part in firing.modifiers])
    return f"attack value {firing.value}{f': {firing.printed}{changes}' if changes else ''}"
