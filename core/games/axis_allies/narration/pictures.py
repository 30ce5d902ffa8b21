"""The table of this game as its players look at it: both boards, the fight that goes on, the Round Track, cards, and what lies where."""

from collections.abc import Callable, Iterator, Sequence

from core.drawing.at_stake import named_on
from core.drawing.drawing import counters_of
from core.games.axis_allies import ids
from core.games.axis_allies.components.board_model import Zone
from core.games.axis_allies.components.board_records import UnitRow
from core.games.axis_allies.components.map_records import BOARDS
from core.games.axis_allies.components.view.map import map_places, sheet_in_play
from core.games.axis_allies.memory import COMBAT
from core.games.axis_allies.narration.forces import Forces, Name, Speaker, card_kinds
from core.games.axis_allies.narration.strips import deadline, earned, frozen, strips
from core.games.axis_allies.rules import queries
from core.games.axis_allies.rules.automatic_cards import VictoryConditions, factory_zone
from core.games.axis_allies.rules.deployment import combat_markers_left
from core.games.axis_allies.rules.movement import DESTROY
from core.games.axis_allies.rules.pairs import EXIT_LOSS
from core.games.axis_allies.rules.supply import SPENDING, tokens_in_reach
from core.narration.place_name import PlaceName
from core.narration.render_model import MapPlace, Panel, Picture
from core.narration.sheet import Counter, Drawing
from core.shapes.map_text import Spot, abbreviated, draw_map
from core.wording import counted, joined
from events.codec import replace
from events.ids import NO_SIDE, MarkerId, PieceId, PlaceId, Side
from projections.state.table import Table

WIDTH = 80
NAME_MAX = 20
BAND = 62
"""How far apart, in units of the map, zones of one row may lie."""
LETTERS = {ids.AXIS: "Ax", ids.ALLIES: "Al"}
SIGNS: dict[MarkerId, str] = {
    ids.ASSAULT: "!",
    ids.BATTLE: "!!",
    **dict.fromkeys(ids.FACTORY.values(), "f"),
    **dict.fromkeys(ids.CAPTURED_FACTORY.values(), "c"),
}
AT_STAKE = {COMBAT: ("zone",), EXIT_LOSS: ("zone",), DESTROY: ("zone",), SPENDING: ("zone",)}
"""What sequences and questions are about, by their kinds."""

SYMBOLS = {
    "infantry": "infantry",
    "minor_infantry": "infantry",
    "mech_infantry": "mechanized",
    "artillery": "artillery",
    "tank": "armour",
    "assault_gun": "assault-gun",
    "rocket_launcher": "rocket",
    "fighter": "fighter",
    "bomber": "bomber",
}
"""What counters show, by the type of a unit (`core.svg.symbols`)."""
KEY = (
    "# before a zone: Axis control, else Allied. Ax, Al: land units + air units. u: unsupplied. ! Assault, !! Battle, t supply tokens, "
    "f factory (c captured), F fortified."
)


class AxisAlliesPictures(Speaker):
    """Draws tables; the boxes are the places beside the boards."""

    def __init__(self, forces: Forces, name: Name, boxes: Sequence[PlaceName]) -> None:
        super().__init__(forces, name)
        self.boxes = boxes

    def places(self) -> tuple[MapPlace, ...]:
        """List the places of both boards as they are drawn, then those beside them."""
        drawn = [replace(place, name=self.name(place.id)) for place in map_places(self.board)]
        return (*drawn, *[MapPlace(box.id, box.name, "", 0, 1000, is_box=True) for box in self.boxes])

    def picture(self, table: Table) -> Picture | None:
        """Return a table as its viewer sees it, or None before the zones have an owner."""
        if not table.control:
            return None
        above, lists = [], []
        for board, title in BOARDS.items():
            rows = tuple(self._rows(table, board))
            above.append(Panel(title=title, lines=tuple(self._map(table, board)), is_map=True))
            lists.append(Panel(title=f"{title}: what is there", header=("", "", ""), rows=rows, is_map=True))
        standing = (self._fight(table), self._tracks(table), self._zones(table), self._victory(table))
        below = (*standing, *lists, self._crossings(table), self._cards(table))
        return Picture(
            above=(*above, Panel(lines=(KEY,), is_map=True)),
            below=tuple([panel for panel in below if panel.lines or panel.rows]),
        )

    def drawing(self, table: Table) -> Drawing | None:
        """Return both boards with their units, or None before the zones have an owner."""
        if not table.control:
            return None
        counters = counters_of(table, lambda piece: self._counter(table, piece))
        sheet, at_stake = sheet_in_play(self.board, frozen(table, self.board)), named_on(table, AT_STAKE)
        contested = frozenset(queries.contested(table, self.board))
        return Drawing(sheet, counters, contested=contested, strips=strips(self, table), at_stake=at_stake)

    def _counter(self, table: Table, piece: PieceId) -> Counter:
        """Return what a unit or a token looks like: its type, and its printed values."""
        there = table.pieces[piece]
        unit = self.board.units.get(there.kind)
        if unit is None:
            return Counter(self.name(there.kind or piece), there.side, "supply")
        symbol = SYMBOLS[unit.type]
        top = "minor" if unit.nation == "minor_axis" else ""
        signs = "air" if unit.is_air and there.face == ids.FLYING else ""
        figures = f"{unit.attack or '–'}/{unit.defence or '–'}"
        title, meaning = self.forces.kind(there.kind), _values(unit)
        return Counter(title, there.side, symbol, top, figures=figures, meaning=meaning, signs=signs)

    # The boards

    def _map(self, table: Table, board: str) -> Iterator[str]:
        """Draw a board: zones from north to south in rows, each with its forces below its name."""
        zones = [zone for zone in self.board.zones.values() if zone.board == board]
        spots = [Spot(zone.x, zone.y, (self._named(table, zone), self._signs(table, zone.id))) for zone in zones]
        return draw_map(spots, WIDTH, BAND)

    def _named(self, table: Table, zone: Zone) -> str:
        """Return the name of a zone with its controller."""
        sign = "#" if queries.is_friendly(table, zone.id, ids.AXIS) else " "
        return f"{sign}{abbreviated(zone.name, NAME_MAX)}"

    def _signs(self, table: Table, place: PlaceId) -> str:
        said = []
        for side, letters in LETTERS.items():
            land, air = [len(of(table, self.board, place, side)) for of in (queries.land, queries.air)]
            unsupplied = "u" if self.forces.is_unsupplied(table, place, side) else ""
            said += [f"{letters}{land}{unsupplied}{f'+{air}' if air else ''}"] if land or air else []
        said += [sign for marker, sign in SIGNS.items() if table.marker(place, marker)]
        tokens = sum([len(queries.tokens(table, place, side)) for side in ids.SIDES])
        said += [f"t{tokens}"] if tokens else []
        said += ["F"] if self.board.zones[place].is_fortified else []
        return f" {' '.join(said)}"

    # What lies where

    def _rows(self, table: Table, board: str) -> Iterator[tuple[str, str, str]]:
        for place, zone in self.board.zones.items():
            there = "; ".join(self._there(table, place)) if zone.board == board else ""
            if there:
                yield f"  {zone.name}", ids.SIDE_NAMES.get(table.control.get(place, NO_SIDE), ""), there

    def _there(self, table: Table, place: PlaceId) -> Iterator[str]:
        """Yield what lies in a place: each side's units and tokens, and the markers."""
        for side in ids.SIDES if table.pieces_at(place) else ():
            units = self.forces.likes(queries.classes(table, self.board, place, side).elements())
            tokens = len(queries.tokens(table, place, side))
            there = [units, *([self.forces.number(tokens, ids.SUPPLY)] if tokens else [])]
            if any(there):
                supply = self._supply(table, place, side) if place in self.board.zones else ""
                yield f"{ids.SIDE_NAMES[side]}: {joined([one for one in there if one])}{supply}"
        yield from [self.name(one) for one in table.markers.get(place, {}) if one not in ids.UNSUPPLIED.values()]
        if place in self.board.zones and self.board.zones[place].is_fortified:
            yield "fortified"

    def _supply(self, table: Table, place: PlaceId, side: Side) -> str:
        """Return that a side's land force in a zone is unsupplied, and how many tokens it can reach."""
        if not self.forces.is_unsupplied(table, place, side):
            return ""
        tokens = counted(len(tokens_in_reach(table, self.board, place, side)), "token")
        return f", unsupplied ({tokens} in reach)"

    def _crossings(self, table: Table) -> Panel:
        """Tell what lies at Volga Crossings and Ambush Sites; the map shows it all if nothing flies above them."""
        rows = []
        flying = [one for one in (*self.board.crossings, *self.board.sites) if table.pieces_at(ids.above(one))]
        for place in (*self.board.crossings, *self.board.sites):
            above = [f"above it {one}" for one in self._there(table, ids.above(place))]
            rows.append((f"  {self.name(place)}", "; ".join([*self._there(table, place), *above]) or "-"))
        return Panel(title="Volga Crossings and Ambush Sites", header=("", ""), rows=tuple(rows), is_map=not flying)

    # How the game stands

    def _fight(self, table: Table) -> Panel:
        """Draw the battle board of the combat that goes on: units by value, with what changes it and the rule."""
        at = table.topmost(COMBAT)
        if at is None:
            return Panel()
        place = PlaceId(at.text("zone"))
        rows: list[tuple[str, str, str]] = []
        for side in (table.turn, ids.enemy(table.turn)):
            rows.append((f"  {ids.SIDE_NAMES[side]}, {'attacker' if side == table.turn else 'defender'}", "", ""))
            for (kind, firing), number in self.forces.ranks(table, place, side).items():
                parts = firing.modifiers if firing.printed else ()
                changes = "; ".join([f"{part.amount:+d} {part.what} ({part.rule})" for part in parts])
                value = f"{firing.value} or less" if firing.printed else "no fire"
                rows.append((f"    {self.forces.number(number, kind)}", value, changes))
            hit = self.forces.crossing(table, place) if side == ids.ALLIES else ""
            rows += [(f"    {hit}", "no fire", "")] if hit else []
        return Panel(title=f"Battle board: {self.name(place)}", header=("", "", ""), rows=tuple(rows))

    def _tracks(self, table: Table) -> Panel:
        board, storm = self.board, queries.storm_round(table, self.board)
        weather = "bad weather" if queries.is_bad_weather(table) else "clear weather"
        rpcs = _by_side(
            lambda side: f"{table.track(ids.RPC[side])} (collects {earned(table, board, side)} as things are)"
        )
        begun = "has begun" if queries.has_storm_begun(table) else f"begins in round {storm}"
        number = f"{table.round} of {board.file.limits.rounds}"
        locked = "" if queries.has_storm_begun(table) else "; the Axis spends none before Operation Winter Storm"
        pools = _by_side(lambda side: len(table.pieces_at(ids.POOL[side])))
        launched = f"launched; Operation Winter Storm {begun}" if storm else f"not launched; {deadline(board)}"
        lines = [
            f"{f'Round {number}' if table.round else 'Before play'}, {weather}; frozen: {joined(frozen(table, board)) or 'no river'}",
            f"RPCs: {rpcs}{locked}",
            f"Operation Uranus: {launched}",
            f"In the pools: supply tokens {pools}; {counted(combat_markers_left(table, board), 'Combat Marker')}",
        ]
        return Panel(lines=tuple(lines), is_map=True)

    def _zones(self, table: Table) -> Panel:
        board = self.board
        fortified = [zone for zone, row in board.zones.items() if row.is_fortified]
        lines = [
            f"RP zones of the city: {_by_side(lambda side: len(self._mine(table, board.city_rp_zones, side)))}",
            f"Factories: {'; '.join(self._factories(table)) or 'out of the game'}",
            f"Fortified zones: {_by_side(lambda side: self._held(table, fortified, side) or 'none', '; ')}",
        ]
        return Panel(lines=tuple(lines))

    def _factories(self, table: Table) -> Iterator[str]:
        """Yield the factories in the game: where each stands, and when it produces."""
        for name, rounds in ((ids.TANK_FACTORY, "odd"), (ids.ARTILLERY_FACTORY, "even")):
            zone = factory_zone(table, name)
            if zone is not None:
                is_captured = queries.is_friendly(table, zone, ids.AXIS)
                state = "captured" if is_captured else f"produces in {rounds} rounds"
                yield f"{name} in {self.name(zone)} ({state})"

    def _mine(self, table: Table, zones: Sequence[PlaceId], side: Side) -> list[str]:
        return [self.name(zone) for zone in zones if queries.is_friendly(table, zone, side)]

    def _held(self, table: Table, zones: Sequence[PlaceId], side: Side) -> str:
        return joined(self._mine(table, zones, side))

    def _victory(self, table: Table) -> Panel:
        """Tell what each side still lacks for its victories, as card 14 would find the table now."""
        board, victory = self.board, VictoryConditions(self.board)
        key, city = board.file.victory.key_zones, board.fortified_city_zones
        line = "" if victory.is_axis_major(table) else "a supply line into an RP zone of the city that it controls"
        west = [self.name(zone) for zone in victory.in_axis_hands(table)]
        rows = [
            ("Axis Total Victory", [self._held(table, board.city_rp_zones, ids.ALLIES), line]),
            (
                "Allies Total Victory",
                [self._held(table, key, ids.AXIS), f"{joined(west)} (west of the Don)" if west else ""],
            ),
            (f"Axis Major Victory (round {board.file.limits.rounds})", [line]),
            (f"Allies Major Victory (round {board.file.limits.rounds})", [self._held(table, (*key, *city), ids.AXIS)]),
        ]
        lines = [(f"  {title}", "; ".join(filter(None, lacks)) or "nothing") for title, lacks in rows]
        minor = board.file.victory.minor_zone
        owner = ids.SIDE_NAMES.get(table.control.get(minor, NO_SIDE), "nobody yet")
        lines.append(("  Minor Victory", f"else for who controls {self.name(minor)}: {owner}"))
        return Panel(title="Victory: what is lacking", header=("", ""), rows=tuple(lines))

    def _cards(self, table: Table) -> Panel:
        """Count the Operation Uranus cards, and name those that the viewer knows with their units."""
        deck = table.pile(ids.ORDER_DECK).cards
        to_come = [
            str(number)
            for number in sorted(self.board.order_cards)
            if ids.order_card(number) in deck and ids.PHASES[number] != table.phase
        ]
        order = f"{self.name(table.phase)}; then {', '.join(to_come) or 'the next round'}"
        rows = [("  Order Card in force", order)] if table.phase else []
        for pile in (ids.URANUS_DRAWN, *ids.URANUS_FRONT.values(), ids.URANUS_DEPLOYED):
            there = table.pile(pile)
            known = [f"{self.name(card)} ({self.forces.counted(card_kinds(self.board, card))})" for card in there.cards]
            hidden = [f"{there.hidden} face down"] if there.hidden else []
            rows += [(f"  {self.name(pile)}", "; ".join([*known, *hidden]))] if there.count else []
        rows.append((f"  {self.name(ids.URANUS_DECK)}", counted(table.pile(ids.URANUS_DECK).count, "card")))
        out = joined([self.name(card) for card in table.pile(ids.ORDER_BOX).cards])
        rows += [(f"  {self.name(ids.ORDER_BOX)}", out)] if out else []
        return Panel(title="Cards", header=("", ""), rows=tuple(rows), is_map=True)


def _by_side(told: Callable[[Side], object], between: str = ", ") -> str:
    """Return what is told of each side after its name."""
    return between.join([f"{ids.SIDE_NAMES[side]} {told(side)}" for side in ids.SIDES])


def _values(unit: UnitRow) -> str:
    """Return the printed values of a unit type in words."""
    fire = f"attack {unit.attack}, defense {unit.defence}" if unit.attack or unit.defence else "no attack or defense"
    return f"{fire}, move {unit.move}" if unit.move else fire
