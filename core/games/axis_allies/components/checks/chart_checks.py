"""Constraints of the charts: the Round Track, the Operation Uranus cards and both set-ups must be possible."""

from collections import Counter

from core.components.findings import Findings, shown, some_of
from core.components.shared_checks import listed
from core.games.axis_allies.components.board_records import BoardFile
from core.games.axis_allies.components.chart_records import ScenarioRow, SetUpRow, UnitRow
from core.games.axis_allies.components.checks.map_checks import FIRST_ROLL
from core.games.axis_allies.components.map_records import BOMBER, FIGHTER, INFANTRY, MINOR_INFANTRY, ZoneRow
from core.games.axis_allies.ids import ALLIES, AXIS, SIDES, SUPPLY
from core.toml_lines import Path
from events.ids import PlaceId, Side


def check_charts(file: BoardFile, findings: Findings) -> None:
    """Ask for a Round Track, cards and set-ups with which a match can begin and go on."""
    _check_weather(file, findings)
    _check_uranus(file, findings)
    for name, row in (("race", file.scenarios.race), ("uranus", file.scenarios.uranus)):
        _Chart(file, findings, ("scenarios", name), row).check()


def _check_weather(file: BoardFile, findings: Findings) -> None:
    """Ask for the faces of each round with a roll, each face once. Source: RuleId("order.1.roll")."""
    rounds = {row.round for row in file.weather.rows}
    wanted = set(range(FIRST_ROLL, file.limits.rounds + 1))
    if rounds != wanted:
        problem = f"is for rounds {listed(map(str, rounds)) or 'none'}"
        findings.add(("weather", "rows"), problem, f"a row for each round from {FIRST_ROLL} to {file.limits.rounds}")
    for index, row in enumerate(file.weather.rows):
        if len(set(row.faces)) < len(row.faces):
            findings.add(("weather", "rows", index, "faces"), f"is {shown(list(row.faces))}", "each face once")


def _check_uranus(file: BoardFile, findings: Findings) -> None:
    """Ask for Soviet units on the cards, each number once, and room for the cards of every possible launch.

    Source: RuleId("components.uranus-cards"), RuleId("uranus.deploy.two-cards"), ruling.uranus-capacity.
    """
    soviet = {row.id for row in file.units.rows if row.side == ALLIES} | {SUPPLY}
    for index, card in enumerate(file.uranus.cards):
        unknown = sorted(card.units.keys() - soviet)
        if unknown or not card.units:
            problem = f"has {listed(unknown)}" if unknown else "has no units"
            findings.add(("uranus", "cards", index, "units"), problem, f"some of {some_of(sorted(soviet))}")
    numbers = Counter(card.number for card in file.uranus.cards)
    for index, card in enumerate(file.uranus.cards):
        if numbers[card.number] > 1:
            findings.add(("uranus", "cards", index, "number"), f"{card.number} is there twice", "each number once")
    for front in ("northwest", "southeast"):
        for number in range(file.uranus.first_round, file.uranus.last_round + 1):
            room = sum(row.front == front and row.opens <= number for row in file.zones.rows) * file.limits.uranus_cards
            cards = number - file.uranus.first_round + 1
            if room < cards:
                problem = f"{front} zones take {room} cards in round {number}"
                findings.add(("zones", "rows"), problem, f"room for {cards} cards")


class _Chart:
    """The check of one scenario.

    Args:
        file: The file.
        findings: Its defects.
        path: The table of the scenario.
        row: The scenario.
    """

    def __init__(self, file: BoardFile, findings: Findings, path: Path, row: ScenarioRow) -> None:
        self.file = file
        self.findings = findings
        self.path = path
        self.row = row
        self.types = {unit.id: unit for unit in file.units.rows}
        self.zones: dict[str, ZoneRow] = {zone.id: zone for zone in file.zones.rows}

    def check(self) -> None:
        """Ask for units that fit where they stand, battles where both sides stand, and markers that can lie where they begin."""
        land: dict[Side, set[str]] = {side: set() for side in SIDES}
        for side, rows in ((AXIS, self.row.axis), (ALLIES, self.row.allies)):
            for index, placed in enumerate(rows):
                there = self._units(side, index, placed)
                if placed.place in self.zones and any(not _is_air(unit) for unit in there):
                    land[side].add(placed.place)
        both = land[AXIS] & land[ALLIES]
        if both != set(self.row.battles):
            self._add(
                "battles", f"is {listed(self.row.battles) or 'empty'}", f"the zones of both sides: {listed(both)}"
            )
        self._check_stacks()
        self._check_markers()

    def _add(self, field: str, problem: str, wanted: str) -> None:
        self.findings.add((*self.path, field), problem, wanted)

    def _units(self, side: Side, index: int, placed: SetUpRow) -> list[UnitRow]:
        """Return the units of a row, after asking that they may begin in its place. Source: RuleId("stacking.limit")."""
        path: Path = (*self.path, side, index)
        unknown = sorted(kind for kind in placed.units if kind not in self.types or self.types[kind].side != side)
        if unknown:
            self.findings.add((*path, "units"), f"has {listed(unknown)}", f"unit types of {side}")
            return []
        there = [self.types[kind] for kind, number in placed.units.items() for _ in range(number)]
        problem, wanted = self._fits(side, placed.place, there)
        if problem:
            self.findings.add((*path, "place"), problem, wanted)
        return there

    def _fits(self, side: Side, place: str, units: list[UnitRow]) -> tuple[str, str]:
        """Return what is wrong with units in a place, and what would be right; empty if nothing."""
        limits = self.file.limits
        air = [unit for unit in units if _is_air(unit)]
        number = len(units) - len(air)
        zone = self.zones.get(place)
        if zone is None:
            crossings = {str(row.id) for row in self.file.crossings.rows}
            sites = {str(row.id) for row in self.file.ambush_sites.rows}
            is_infantry = all(unit.type in (INFANTRY, MINOR_INFANTRY) for unit in units)
            if place in sites and len(units) == 1 and is_infantry:
                return "", ""
            if place in crossings and place in self.row.ferries and len(units) == 1 and is_infantry and side == ALLIES:
                return "", ""
            return (
                f"is {shown(place)}",
                "a zone; one infantry for an Ambush Site or, of the Allies, for a ferry in place",
            )
        if zone.base and (number or zone.base != side):
            return f"is {place}, with {number} land units", "no base zone, but for the owner's air units"
        if number > limits.land_units:
            return f"is {place}, with {number} land units", f"{limits.land_units} at most"
        if air and (not zone.has_airfield or len(air) > limits.air_units):
            return f"is {place}, with {len(air)} air units", f"an airfield, with {limits.air_units} at most"
        return "", ""

    def _check_stacks(self) -> None:
        """Ask for a piece on top of each stack. Source: RuleId("components.unit-limit")."""
        stacks = Counter(kind for rows in (self.row.axis, self.row.allies) for placed in rows for kind in placed.units)
        for index, unit in enumerate(self.file.units.rows):
            if stacks[unit.id] > unit.figures:
                problem = f"is {unit.figures}, and there are {stacks[unit.id]} stacks in {self.path[-1]}"
                self.findings.add(("units", "rows", index, "figures"), problem, "a piece for each stack")

    def _check_markers(self) -> None:
        """Ask for control, tokens, markers and cards that go together with the round and the card of the beginning."""
        row, zones = self.row, self.file.zones.rows
        bases = {zone.id for zone in zones if zone.base} | {self.file.crossings.start}
        if bases.intersection(row.axis_control) or len(set(row.axis_control)) < len(row.axis_control):
            self._add(
                "axis_control",
                "names a base zone, the zone east of the Volga or a zone twice",
                "other zones, each once",
            )
        tokens = sum(placed.number for placed in row.axis_tokens)
        if tokens > self.file.components.axis_tokens:
            self._add("axis_tokens", f"places {tokens} tokens", f"{self.file.components.axis_tokens} at most")
        if any(number >= row.first_round for number in row.bad_rounds):
            self._add("bad_rounds", f"is {shown(list(row.bad_rounds))}", "rounds before the first one")
        if row.storm_round and row.storm_round <= row.first_round:
            self._add("storm_round", f"is {row.storm_round}", "0, or a round after the first one")
        places: set[PlaceId | None] = {row.tank_factory, row.artillery_factory}
        if None in places and places != {None}:
            self._add("tank_factory", "only one factory has a zone", "zones of both factories or of none")


def _is_air(unit: UnitRow) -> bool:
    return unit.type in (FIGHTER, BOMBER)
