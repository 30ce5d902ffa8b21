"""What the rulebook's text says about places whose figures are reconstructed. Only a variant may contradict it."""

from collections.abc import Mapping, Sequence

from core.components.findings import Findings
from core.components.shared_checks import listed
from core.games.axis_allies.components.board_records import BoardFile, ScenarioRow
from core.games.axis_allies.components.map_records import CITY, WHITE, Strand, road_network
from core.games.axis_allies.ids import ALLIES, AXIS, SIDES
from core.geometry.paths import distances, neighbourhood
from events.ids import PlaceId, Side

GATES = ("pitomnik", "rynok", "vertyachii")
"""The zones of the Region Board next to the city. Source: RuleId("zone.city-access")."""
EXITS = {AXIS: 6, ALLIES: 5}
"""Source: RuleId("supply.region.exit-zones")."""
FORTIFIED = 6
CONTROL_MARKERS = 55
"""Source: RuleId("zone.fortified")."""

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

Source: RuleId("zone.not-adjacent.barrikady-red-october"), RuleId("zone.not-adjacent.lakes"), RuleId("unit.rocket.bombardment.range").
"""
UNSUPPLIED = {"race": {AXIS: ("tinguta",), ALLIES: ()}, "uranus": {AXIS: (), ALLIES: ("spartanovka",)}}
"""Source: RuleId("setup.race.unsupplied"), RuleId("setup.uranus.unsupplied")."""

Near = Mapping[PlaceId, tuple[PlaceId, ...]]


def check_text(file: BoardFile, findings: Findings) -> None:
    """Note what contradicts the text; the file has no defects otherwise."""
    pairs = [
        pair
        for found in (file.links.on_one_board, file.links.between_boards)
        for some in found.values()
        for pair in some
    ]
    near = neighbourhood(pairs, [row.id for row in file.zones.rows])
    _check_links(file, near, findings)
    _check_counts(file, findings)
    _check_city(file, findings)
    _check_roads(file, findings)
    for name, row in (("race", file.scenarios.race), ("uranus", file.scenarios.uranus)):
        _check_supply(file, name, row, near, findings)


def _check_links(file: BoardFile, near: Near, findings: Findings) -> None:
    """Source: RuleId("zone.city-access"), RuleId("zone.adjacency")."""
    for one, other, where in NOT_ADJACENT:
        if PlaceId(other) in near[PlaceId(one)]:
            findings.contradict(("links",), f"{one} and {other} touch", f"no link of these (rulebook: {where})")
    sectors = {row.id: row.sector for row in file.zones.rows}
    gates = {region for pairs in file.links.between_boards.values() for _, region in pairs}
    if gates != set(GATES):
        wanted = f"{listed(GATES)} (rulebook: spaces on the boards)"
        findings.contradict(("links", "city"), f"the city touches {listed(gates)}", wanted)
    for gate in sorted(gates):
        found = {sectors[place] for place in near[gate]} - {""}
        if len(found) != 1 or (gate == "pitomnik" and found != {WHITE}):
            problem = f"{gate} touches sectors {listed(found)}"
            wanted = "one sector, white for Pitomnik (rulebook: colours of the zones next to the city)"
            findings.contradict(("links", "city"), problem, wanted)


def _check_counts(file: BoardFile, findings: Findings) -> None:
    """Source: RuleId("supply.region.exit-zones"), RuleId("zone.fortified"), RuleId("zone.airfield"), RuleId("components.control-markers")."""
    rows = file.zones.rows
    for side, number in EXITS.items():
        found = sum(row.exit == side for row in rows)
        if found != number:
            findings.contradict(
                ("zones", "rows"), f"{found} zones are exits of {side}", f"{number} (rulebook: supply lines)"
            )
    fortified = [row.id for row in rows if row.is_fortified]
    if len(fortified) != FORTIFIED or any(row.is_fortified and row.board != CITY for row in rows):
        findings.contradict(
            ("zones", "rows"), f"{listed(fortified)} are fortified", f"{FORTIFIED}, in the city (rulebook: victory)"
        )
    if not any(row.has_airfield and row.board == CITY for row in rows):
        findings.contradict(
            ("zones", "rows"), "the city has no airfield", "one at least (rulebook: Force Multiplier by air)"
        )
    capturable = sum(row.base is None for row in rows) - 1
    if capturable != CONTROL_MARKERS:
        problem = f"{capturable} zones can be captured"
        findings.contradict(("zones", "rows"), problem, f"{CONTROL_MARKERS}, as there are Control Markers")


def _check_city(file: BoardFile, findings: Findings) -> None:
    """Source: RuleId("ambush.sites"), RuleId("setup.uranus.ambushers"), RuleId("zone.sectors")."""
    sites = file.ambush_sites.rows
    if sum("tractor_factory" in site.zones for site in sites) != 1:
        wanted = "one site at Tractor Factory (rulebook: set-up chart)"
        findings.contradict(("ambush_sites",), "not exactly one site touches tractor_factory", wanted)
    if not any("train_station_1" in site.zones and len(site.zones) == 3 for site in sites):
        wanted = "a site of three zones with train_station_1 (rulebook: Ambush Sites)"
        findings.contradict(("ambush_sites",), "no such site", wanted)
    for index, row in enumerate(file.crossings.rows):
        if row.sector == "brown" and row.landing != "pavlovs_house":
            wanted = "pavlovs_house (rulebook: advice on Operation Uranus)"
            findings.contradict(("crossings", "rows", index, "landing"), f"is {row.landing}", wanted)


def _check_roads(file: BoardFile, findings: Findings) -> None:
    """Ask for the roads of the examples.

    Surovikino is joined to Oblivskaya and Novomoskovsk, three road steps from some start, and not to Tormosin; Buzinovka to Kalach.

    Source: RuleId("movement.road.contiguous"), RuleId("movement.blitz.not-with-road").
    """
    strands, steps = road_network(file.roads)

    def joined(zone: str) -> list[set[str]]:
        return [{place for place, _ in steps[strand]} for strand in strands.get(PlaceId(zone), ())]

    if not any({"oblivskaya", "novomoskovsk"} <= found and "tormosin" not in found for found in joined("surovikino")):
        wanted = "a road through surovikino to oblivskaya and novomoskovsk, not to tormosin (rulebook: Road Movement)"
        findings.contradict(("roads",), "the roads of surovikino are joined otherwise", wanted)
    elif not _has_start(strands, steps):
        wanted = "a start three steps from surovikino (rulebook: Road Movement)"
        findings.contradict(("roads",), "no road leads to surovikino from afar", wanted)
    if not any("kalach" in found for found in joined("buzinovka")):
        wanted = "a road from buzinovka to kalach (rulebook: tanks)"
        findings.contradict(("roads",), "buzinovka and kalach have no road", wanted)


def _has_start(strands: Mapping[PlaceId, tuple[Strand, ...]], steps: Mapping[Strand, tuple[Strand, ...]]) -> bool:
    main = next(
        strand for strand in strands[PlaceId("surovikino")] if any(to == "oblivskaya" for to, _ in steps[strand])
    )
    return 3 in distances((main,), steps.__getitem__).values()


def _check_supply(file: BoardFile, name: str, row: ScenarioRow, near: Near, findings: Findings) -> None:
    """Ask that exactly the forces which the text names begin without supply."""
    control = dict.fromkeys(near, ALLIES) | dict.fromkeys(row.axis_control, AXIS)
    control |= {zone.id: zone.base for zone in file.zones.rows if zone.base}
    for side in SIDES:
        friendly = {place: [other for other in there if control[other] == side] for place, there in near.items()}
        placed = row.axis if side == AXIS else row.allies
        zones = [PlaceId(one.place) for one in placed if PlaceId(one.place) in near]
        found = [zone for zone in zones if not _is_supplied(file, row, side, zone, friendly)]
        if set(found) != set(UNSUPPLIED[name][side]):
            problem = f"{side} forces in {listed(found) or 'no zone'} begin unsupplied"
            wanted = f"{listed(UNSUPPLIED[name][side]) or 'none'} (rulebook: set-up charts)"
            findings.contradict(("scenarios", name), problem, wanted)


def _is_supplied(
    file: BoardFile, row: ScenarioRow, side: Side, zone: PlaceId, friendly: Mapping[PlaceId, Sequence[PlaceId]]
) -> bool:
    """Return whether a line leads from a zone to an exit of its side or to the ferry of its own sector."""
    rows = {one.id: one for one in file.zones.rows}
    reach = distances((zone,), friendly.__getitem__)
    if zone == file.crossings.start or any(rows[place].exit == side for place in reach):
        return True
    sector = rows[zone].sector
    ferries = [one.landing for one in file.crossings.rows if one.sector == sector and one.id in row.ferries]
    return side == ALLIES and any(landing in reach for landing in ferries)
