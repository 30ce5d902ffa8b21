"""Consistency of several places of a board file: maps, charts and cards with which a match can begin and go on.

Each demand is one without which no match can be played; those that only a variant may contradict are `text_checks`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain

from core.file_checks.shared_checks import (
    check_ids,
    check_names,
    check_pairs,
    check_roads,
    check_spots,
    in_number_order,
)
from core.games.axis_allies.components import map_records as maps
from core.games.axis_allies.components.board_records import BoardFile, ScenarioRow, UnitRow
from core.games.axis_allies.components.checks.text_checks import check_text
from core.games.axis_allies.ids import ALLIES, AXIS, SIDES, SUPPLY
from core.toml.findings import Findings, shown, some_of
from core.toml.toml_lines import Path
from events.ids import PlaceId, Side

Defect = tuple[Path, str, str]
"""A path of the file, what is wrong there, and what would be right."""

ZONES: Path = ("zones", "rows")
EDGES = {AXIS: ("west", "south"), ALLIES: ("north", "east")}
"""The edges over which each side's supply lines leave the Region Board. Source: supply.region.exit-zones."""

FIRST_ROLL = 6
"""The first round with a Weather Roll. Source: order.1.rounds-1-5."""


def check_board(file: BoardFile, findings: Findings) -> None:
    """Note all that keeps a board from being played on, and all that contradicts the text."""
    zones = {row.id: row for row in file.zones.rows}
    check_names(findings, ZONES, {row.id: row.name for row in file.zones.rows})
    rows: dict[Path, tuple[str, ...]] = {
        ZONES: tuple(row.id for row in file.zones.rows),
        ("crossings", "rows"): tuple(row.id for row in file.crossings.rows),
        ("ambush_sites", "rows"): tuple(row.id for row in file.ambush_sites.rows),
        ("units", "rows"): tuple(row.id for row in file.units.rows),
        ("uranus", "cards"): tuple(row.id for row in file.uranus.cards),
    }
    check_ids(findings, [((*path, index), id_) for path, ids in rows.items() for index, id_ in enumerate(ids)])
    every = {**file.links.on_one_board, **file.links.between_boards}
    east = {file.crossings.start, *[row.id for row in zones.values() if row.base == ALLIES]}
    connected = [place for place in zones if place not in east]
    check_pairs(findings, {("links", name): pairs for name, pairs in every.items()}, connected)
    check_spots(findings, ZONES, {row.id: (row.board, row.x, row.y) for row in file.zones.rows})
    _roads(file, findings)
    checks = [check(file, zones) for check in (_zones, _links, _crossings, _sites, _weather, _uranus)]
    charts = {"race": file.scenarios.race, "uranus": file.scenarios.uranus}
    checks += [_Chart(file, ("scenarios", name), row).defects() for name, row in charts.items()]
    for path, problem, wanted in chain.from_iterable(checks):
        findings.add(path, problem, wanted)
    if not findings.has_any():
        check_text(file, findings)


Zones = Mapping[PlaceId, maps.ZoneRow]


def _zones(file: BoardFile, zones: Zones) -> Iterator[Defect]:
    """Ask for fields that go together, and one base for each side with an airfield."""
    for index, row in enumerate(file.zones.rows):
        for field, problem, wanted in _zone_defects(row):
            yield (*ZONES, index, field), problem, wanted
    for side in SIDES:
        bases = [row.id for row in file.zones.rows if row.base == side]
        if len(bases) != 1:
            yield ZONES, f"{in_number_order(bases) or 'no zone'} is the base of {side}", "one base zone of each side"


def _zone_defects(row: maps.ZoneRow) -> Iterator[tuple[str, str, str]]:
    """Yield the fields of a zone that contradict others of it, with problem and expectation."""
    if (row.board == maps.REGION) and row.sector:
        yield "sector", f"is {shown(row.sector)}", "none on the Region Board"
    if row.board == maps.CITY and (row.is_west or row.exit or row.base):
        yield "board", "is city, of a zone with west, base or exit", "region (these are printed there only)"
    if row.base and not row.has_airfield:
        yield "airfield", "is missing in a base zone", "true"
    if row.exit and row.edge not in EDGES[row.exit]:
        yield "edge", f"is {shown(row.edge)}", f"{' or '.join(EDGES[row.exit])}, over which {row.exit} lines leave"
    if bool(row.front) != bool(row.opens):
        yield "opens", f"is {row.opens}, with front {shown(row.front)}", "a round where there is a front, else none"


def _links(file: BoardFile, zones: Zones) -> Iterator[Defect]:
    """Ask for links of one board or between both, a connected map west of the Volga, and a Don that parts the tan area.

    Source: zone.adjacency, zone.volga.not-adjacent, zone.don.crossing, components.boards.
    """
    east = {file.crossings.start, *[row.id for row in zones.values() if row.base == ALLIES]}
    for name, pairs in (*file.links.on_one_board.items(), *file.links.between_boards.items()):
        joined = (maps.CITY, maps.REGION) if name in file.links.between_boards else None
        for index, (one, other) in enumerate(pairs):
            boards = (zones[one].board, zones[other].board)
            if boards != joined if joined else boards[0] != boards[1]:
                wanted = "a city zone, then a region zone" if joined else "two zones of one board"
                yield ("links", name, index), f"pairs {one} with {other}", wanted
            if east & {one, other}:
                yield ("links", name, index), f"pairs {one} with {other}", "no link of a zone east of the Volga"
    linked = {frozenset(pair): pair for pairs in file.links.on_one_board.values() for pair in pairs}
    don = {frozenset(pair) for pair in file.links.don}
    for index, (one, other) in enumerate(file.links.don):
        if frozenset((one, other)) not in linked or zones[one].is_west == zones[other].is_west:
            yield ("links", "don", index), f"pairs {one} with {other}", "adjacent zones, one of them west of the Don"
    for pair, (one, other) in linked.items():
        if zones[one].is_west != zones[other].is_west and pair not in don:
            yield ("links", "don"), f"lacks {one} and {other}", "every border of the tan area with the rest"


def _roads(file: BoardFile, findings: Findings) -> None:
    """Ask for roads that lead from zone to adjacent zone, and for one that leaves the board in each exit zone.

    Source: zone.roads, supply.region.exit-zones, movement.road.contiguous.
    """
    every = (*file.links.on_one_board.values(), *file.links.between_boards.values())
    linked = {frozenset(pair) for pairs in every for pair in pairs}
    exits = [row.id for row in file.zones.rows if row.exit]
    check_roads(findings, file.roads.rows, file.roads.junctions, linked, exits)
    used = {place for road in file.roads.rows for place in road.exits}
    for index, row in enumerate(file.zones.rows):
        if row.exit and row.id not in used:
            findings.add((*ZONES, index, "exit"), "no road leaves the board here", "the exit of a road, or no exit")


def _crossings(file: BoardFile, zones: Zones) -> Iterator[Defect]:
    """Ask for a crossing of each sector that lands in it, from a zone of the city without a sector.

    Source: zone.sectors, zone.krasnaya-sloboda.
    """
    start = zones[file.crossings.start]
    if start.board != maps.CITY or start.sector or start.rp:
        yield ("crossings", "start"), f"is {start.id}", "a city zone without sector and Reinforcement Points"
    for index, row in enumerate(file.crossings.rows):
        if zones[row.landing].sector != row.sector:
            yield ("crossings", "rows", index, "landing"), f"is {row.landing}", f"a zone of sector {row.sector}"
    colours = [row.sector for row in file.crossings.rows]
    if sorted(colours) != sorted(maps.SECTORS):
        yield ("crossings", "rows"), f"are of {', '.join(colours)}", "one crossing of each sector"
    for index, zone in enumerate(file.zones.rows):
        if zone.board == maps.CITY and not zone.sector and zone.id != start.id:
            yield (*ZONES, index, "sector"), "is missing", f"one of {', '.join(maps.SECTORS)}"


def _sites(file: BoardFile, zones: Zones) -> Iterator[Defect]:
    for index, site in enumerate(file.ambush_sites.rows):
        if len(set(site.zones)) < len(site.zones) or not all(zones[place].sector for place in site.zones):
            wanted = "different zones of the city's sectors"
            yield ("ambush_sites", "rows", index, "zones"), f"connects {in_number_order(site.zones)}", wanted


def _weather(file: BoardFile, zones: Zones) -> Iterator[Defect]:
    """Ask for the faces of each round with a roll, each face once. Source: order.1.roll."""
    rounds = {row.round for row in file.weather.rows}
    if rounds != set(range(FIRST_ROLL, file.limits.rounds + 1)):
        wanted = f"a row for each round from {FIRST_ROLL} to {file.limits.rounds}"
        yield ("weather", "rows"), f"is for rounds {in_number_order(map(str, rounds)) or 'none'}", wanted
    for index, row in enumerate(file.weather.rows):
        if len(set(row.faces)) < len(row.faces):
            yield ("weather", "rows", index, "faces"), f"is {shown(list(row.faces))}", "each face once"


def _uranus(file: BoardFile, zones: Zones) -> Iterator[Defect]:
    """Ask for Soviet units on the cards, each number once, and room for the cards of every possible launch.

    Source: components.uranus-cards, uranus.deploy.two-cards, ruling.uranus-capacity.
    """
    soviet = {row.id for row in file.units.rows if row.side == ALLIES} | {SUPPLY}
    numbers = Counter(card.number for card in file.uranus.cards)
    for index, card in enumerate(file.uranus.cards):
        unknown = sorted(card.units.keys() - soviet)
        if unknown or not card.units:
            problem = f"has {in_number_order(unknown)}" if unknown else "has no units"
            yield ("uranus", "cards", index, "units"), problem, f"some of {some_of(sorted(soviet))}"
        if numbers[card.number] > 1:
            yield ("uranus", "cards", index, "number"), f"{card.number} is there twice", "each number once"
    for front in ("northwest", "southeast"):
        for number in range(file.uranus.first_round, file.uranus.last_round + 1):
            there = [row for row in file.zones.rows if row.front == front and row.opens <= number]
            room, cards = len(there) * file.limits.uranus_cards, number - file.uranus.first_round + 1
            if room < cards:
                yield ZONES, f"{front} zones take {room} cards in round {number}", f"room for {cards} cards"


class _Chart:
    """The check of one scenario."""

    def __init__(self, file: BoardFile, path: Path, row: ScenarioRow) -> None:
        self.file = file
        self.path = path
        self.row = row
        self.types = {unit.id: unit for unit in file.units.rows}
        self.zones: dict[str, maps.ZoneRow] = {zone.id: zone for zone in file.zones.rows}

    def defects(self) -> Iterator[Defect]:
        """Ask for units that fit where they stand, battles where both sides stand, and markers that can lie where they begin."""
        land: dict[Side, set[str]] = {side: set() for side in SIDES}
        for side, rows in ((AXIS, self.row.axis), (ALLIES, self.row.allies)):
            for index, placed in enumerate(rows):
                path: Path = (*self.path, side, index)
                unknown = sorted(one for one in placed.units if one not in self.types or self.types[one].side != side)
                if unknown:
                    yield (*path, "units"), f"has {in_number_order(unknown)}", f"unit types of {side}"
                    continue
                there = [self.types[kind] for kind, number in placed.units.items() for _ in range(number)]
                problem, wanted = self._fits(side, placed.place, there)
                if problem:
                    yield (*path, "place"), problem, wanted
                if placed.place in self.zones and any(not unit.is_air for unit in there):
                    land[side].add(placed.place)
        both = land[AXIS] & land[ALLIES]
        if both != set(self.row.battles):
            problem = f"is {in_number_order(self.row.battles) or 'empty'}"
            yield (*self.path, "battles"), problem, f"the zones of both sides: {in_number_order(both)}"
        yield from self._stacks()
        yield from self._markers()

    def _fits(self, side: Side, place: str, units: list[UnitRow]) -> tuple[str, str]:
        """Return what is wrong with units in a place, and what would be right; empty if nothing. Source: stacking.limit."""
        limits = self.file.limits
        air = [unit for unit in units if unit.is_air]
        number = len(units) - len(air)
        zone = self.zones.get(place)
        if zone is None:
            sites = {str(row.id) for row in self.file.ambush_sites.rows}
            is_one = len(units) == 1 and units[0].is_infantry
            if is_one and (place in sites or (place in self.row.ferries and side == ALLIES)):
                return "", ""
            wanted = "a zone; one infantry for an Ambush Site or, of the Allies, for a ferry in place"
            return f"is {shown(place)}", wanted
        if zone.base and (number or zone.base != side):
            return f"is {place}, with {number} land units", "no base zone, but for the owner's air units"
        if number > limits.land_units:
            return f"is {place}, with {number} land units", f"{limits.land_units} at most"
        if air and (not zone.has_airfield or len(air) > limits.air_units):
            return f"is {place}, with {len(air)} air units", f"an airfield, with {limits.air_units} at most"
        return "", ""

    def _stacks(self) -> Iterator[Defect]:
        """Ask for a piece on top of each stack. Source: components.unit-limit."""
        stacks = Counter(kind for rows in (self.row.axis, self.row.allies) for placed in rows for kind in placed.units)
        for index, unit in enumerate(self.file.units.rows):
            if stacks[unit.id] > unit.figures:
                problem = f"is {unit.figures}, and there are {stacks[unit.id]} stacks in {self.path[-1]}"
                yield ("units", "rows", index, "figures"), problem, "a piece for each stack"

    def _markers(self) -> Iterator[Defect]:
        """Ask for control, tokens, markers and cards that go together with the round and the card of the beginning."""
        row, most = self.row, self.file.components.axis_tokens
        bases = {zone.id for zone in self.file.zones.rows if zone.base} | {self.file.crossings.start}
        if bases.intersection(row.axis_control) or len(set(row.axis_control)) < len(row.axis_control):
            problem = "names a base zone, the zone east of the Volga or a zone twice"
            yield (*self.path, "axis_control"), problem, "other zones, each once"
        tokens = sum(placed.number for placed in row.axis_tokens)
        if tokens > most:
            yield (*self.path, "axis_tokens"), f"places {tokens} tokens", f"{most} at most"
        if any(number >= row.first_round for number in row.bad_rounds):
            yield (*self.path, "bad_rounds"), f"is {shown(list(row.bad_rounds))}", "rounds before the first one"
        if row.storm_round and row.storm_round <= row.first_round:
            yield (*self.path, "storm_round"), f"is {row.storm_round}", "0, or a round after the first one"
        if (row.tank_factory is None) != (row.artillery_factory is None):
            wanted = "zones of both factories or of none"
            yield (*self.path, "tank_factory"), "only one factory has a zone", wanted
