"""Statements of the rulebook's text about places whose figures are reconstructed. Only a variant may contradict it."""

from collections.abc import Iterator

from core.components.component_file import Source
from core.file_checks.shared_checks import in_number_order
from core.games.axis_allies.components.board_model import Board, build
from core.games.axis_allies.components.board_records import BoardFile
from core.games.axis_allies.components.map_records import WHITE
from core.games.axis_allies.components.supply_lines import is_supplied
from core.games.axis_allies.ids import ALLIES, AXIS, FERRY, SIDES
from core.geometry.paths import distances
from core.toml.findings import Findings
from core.toml.toml_lines import Path
from events.ids import Digest, PlaceId
from projections.state.table import Table

GATES = ("pitomnik", "rynok", "vertyachii")
"""The zones of the Region Board next to the city. Source: zone.city-access."""
EXITS = {AXIS: 6, ALLIES: 5}
"""Source: supply.region.exit-zones."""
FORTIFIED = 6
CONTROL_MARKERS = 55
"""Source: zone.fortified."""

NOT_ADJACENT = (
    ("barrikady_workers_settlement", "red_october_steel_works", "Barrikady / Red October"),
    ("lake_sarpa", "beketovka", "the lakes"),
    ("frolovo", "zimovskii", "Bombardment"),
    ("frolovo", "kotluban", "Bombardment"),
    ("ilovinska", "kletskaya", "Bombardment"),
    ("tinguta", "buzinovka", "supply on the Region Board"),
    ("tinguta", "verkhne_kumskii", "supply on the Region Board"),
    ("rynok", "pitomnik", "supply through the city"),
    ("army_camp", "grain_elevator", "the white ferry"),
    ("red_october_steel_works", "pavlovs_house", "the gray ferry"),
)
"""Pairs that do not touch, with the place in the text that shows it.

Source: zone.not-adjacent.barrikady-red-october, zone.not-adjacent.lakes, unit.rocket.bombardment.range.
"""
UNSUPPLIED = {"race": {AXIS: ("tinguta",), ALLIES: ()}, "uranus": {AXIS: (), ALLIES: ("spartanovka",)}}
"""Source: setup.race.unsupplied, setup.uranus.unsupplied."""

Contradiction = tuple[Path, str, str]
"""A path of the file, what is there, and what the text says."""

ROWS: Path = ("zones", "rows")


def check_text(file: BoardFile, findings: Findings) -> None:
    """Note what contradicts the text; the file has no defects otherwise."""
    board = build(file, Source(Digest(""), is_shipped=False))
    for check in (_links, _counts, _city, _roads, _supply):
        for path, problem, wanted in check(board):
            findings.contradict(path, problem, wanted)


def _links(board: Board) -> Iterator[Contradiction]:
    """Source: zone.city-access, zone.adjacency."""
    zones = board.zones
    for one, other, where in NOT_ADJACENT:
        if PlaceId(other) in zones[PlaceId(one)].near:
            yield ("links",), f"{one} and {other} touch", f"no link of these (rulebook: {where})"
    gates = {near for place in board.city for near in zones[place].near if not zones[near].is_city}
    if gates != set(GATES):
        wanted = f"{in_number_order(GATES)} (rulebook: spaces on the boards)"
        yield ("links", "city"), f"the city touches {in_number_order(gates)}", wanted
    for gate in sorted(gates):
        found = {zones[place].sector for place in zones[gate].near} - {""}
        if len(found) != 1 or (gate == "pitomnik" and found != {WHITE}):
            wanted = "one sector, white for Pitomnik (rulebook: colours of the zones next to the city)"
            yield ("links", "city"), f"{gate} touches sectors {in_number_order(found)}", wanted


def _counts(board: Board) -> Iterator[Contradiction]:
    """Source: supply.region.exit-zones, zone.fortified, zone.airfield, components.control-markers."""
    for side, number in EXITS.items():
        if len(board.exits[side]) != number:
            yield ROWS, f"{len(board.exits[side])} zones are exits of {side}", f"{number} (rulebook: supply lines)"
    fortified = [place for place, zone in board.zones.items() if zone.is_fortified]
    if len(fortified) != FORTIFIED or not set(fortified) <= set(board.city):
        yield ROWS, f"{in_number_order(fortified)} are fortified", f"{FORTIFIED}, in the city (rulebook: victory)"
    if set(board.airfields).isdisjoint(board.city):
        yield ROWS, "the city has no airfield", "one at least (rulebook: Force Multiplier by air)"
    capturable = len(board.zones) - len(board.bases) - 1
    if capturable != CONTROL_MARKERS:
        wanted = f"{CONTROL_MARKERS}, as there are Control Markers"
        yield ROWS, f"{capturable} zones can be captured", wanted


def _city(board: Board) -> Iterator[Contradiction]:
    """Source: ambush.sites, setup.uranus.ambushers, zone.sectors."""
    sites = board.sites.values()
    if sum("tractor_factory" in site.zones for site in sites) != 1:
        wanted = "one site at Tractor Factory (rulebook: set-up chart)"
        yield ("ambush_sites",), "not exactly one site touches tractor_factory", wanted
    if not any("train_station_1" in site.zones and len(site.zones) == 3 for site in sites):
        wanted = "a site of three zones with train_station_1 (rulebook: Ambush Sites)"
        yield ("ambush_sites",), "no such site", wanted
    for index, row in enumerate(board.crossings.values()):
        if row.sector == "brown" and row.landing != "pavlovs_house":
            wanted = "pavlovs_house (rulebook: advice on Operation Uranus)"
            yield ("crossings", "rows", index, "landing"), f"is {row.landing}", wanted


def _roads(board: Board) -> Iterator[Contradiction]:
    """Ask for the roads of the examples.

    Surovikino is joined to Oblivskaya and Novomoskovsk, three road steps from some start, and not to Tormosin; Buzinovka to Kalach.

    Source: movement.road.contiguous, movement.blitz.not-with-road.
    """
    steps, zones = board.road_steps, board.zones
    joined = {strand: {place for place, _ in there} for strand, there in steps.items()}
    through = [strand for strand in zones[PlaceId("surovikino")].strands if "oblivskaya" in joined[strand]]
    if not any("novomoskovsk" in joined[strand] and "tormosin" not in joined[strand] for strand in through):
        wanted = "a road through surovikino to oblivskaya and novomoskovsk, not to tormosin (rulebook: Road Movement)"
        yield ("roads",), "the roads of surovikino are joined otherwise", wanted
    elif 3 not in distances(through[:1], steps.__getitem__).values():
        wanted = "a start three steps from surovikino (rulebook: Road Movement)"
        yield ("roads",), "no road leads to surovikino from afar", wanted
    if not any("kalach" in joined[strand] for strand in zones[PlaceId("buzinovka")].strands):
        yield ("roads",), "buzinovka and kalach have no road", "a road from buzinovka to kalach (rulebook: tanks)"


def _supply(board: Board) -> Iterator[Contradiction]:
    """Ask that exactly the forces which the text names begin without supply."""
    for name, row in board.scenarios.items():
        control = dict.fromkeys(board.zones, ALLIES) | dict.fromkeys(row.axis_control, AXIS)
        control |= {place: side for side, place in board.bases.items()}
        table = Table(control=control, markers={ferry: {FERRY: 1} for ferry in row.ferries})
        for side, placed in zip(SIDES, (row.axis, row.allies), strict=True):
            zones = [zone for zone in board.zones if any(zone == one.place for one in placed)]
            found = {zone for zone in zones if not is_supplied(table, board, zone, side)}
            if found != set(UNSUPPLIED[name][side]):
                wanted = f"{in_number_order(UNSUPPLIED[name][side]) or 'none'} (rulebook: set-up charts)"
                yield (
                    ("scenarios", name),
                    f"{side} forces in {in_number_order(found) or 'no zone'} begin unsupplied",
                    wanted,
                )
