"""The component file of this game, and how a board is made of it."""

from core.components.component_file import ComponentFile, Source
from core.components.findings import Findings
from core.games.axis_allies.components.board_model import DON_BORDER, ROAD, Board, UnitType, Zone
from core.games.axis_allies.components.board_records import BoardFile
from core.games.axis_allies.components.map_records import CITY, ZoneRow, road_network
from core.games.axis_allies.ids import ALLIES, PACKAGE, RACE, SIDES, URANUS
from core.geometry.adjacency import Adjacency, Border
from events.codec import extended
from events.ids import PlaceId


def _build(file: BoardFile, source: Source) -> Board:
    rows = {row.id: row for row in file.zones.rows}
    links = _links(file, tuple(rows))
    strands, steps = road_network(file.roads)
    zones = {
        row.id: extended(
            row,
            Zone,
            near=links.near(row.id),
            sites=tuple(site.id for site in file.ambush_sites.rows if row.id in site.zones),
            strands=strands.get(row.id, ()),
        )
        for row in rows.values()
    }
    return Board(
        source=source,
        limits=file.limits,
        components=file.components,
        tokens=file.tokens,
        fire=file.fire,
        uranus=file.uranus,
        victory=file.victory,
        luftwaffe=file.luftwaffe,
        heroes=file.heroes,
        units={row.id: extended(row, UnitType) for row in file.units.rows},
        zones=zones,
        links=links,
        road_steps=steps,
        road_names={road.id: road.name for road in file.roads.rows},
        crossings={row.id: row for row in file.crossings.rows},
        east_bank=file.crossings.start,
        sites={row.id: row for row in file.ambush_sites.rows},
        bad_faces={row.round: frozenset(row.faces) for row in file.weather.rows},
        order_cards={row.number: row for row in file.order_cards.rows},
        uranus_cards={row.id: row for row in file.uranus.cards},
        interceptors_reach=_interceptors_reach(file, rows, links),
        scenarios={RACE: file.scenarios.race, URANUS: file.scenarios.uranus},
        bases={row.base: row.id for row in rows.values() if row.base is not None},
        exits={side: frozenset(row.id for row in rows.values() if row.exit == side) for side in SIDES},
        airfields=tuple(row.id for row in rows.values() if row.has_airfield),
        city=tuple(row.id for row in rows.values() if row.board == CITY),
    )


def _links(file: BoardFile, zones: tuple[PlaceId, ...]) -> Adjacency:
    """Return the links of both boards, with the Don and the roads on their borders."""
    don = {frozenset(pair) for pair in file.links.don}
    roads = {frozenset(step) for road in file.roads.rows for step in zip(road.zones, road.zones[1:], strict=False)}
    every = {**file.links.on_one_board, **file.links.between_boards}
    borders = [
        Border(one, other, _features(is_don={one, other} in don, is_road={one, other} in roads))
        for pairs in every.values()
        for one, other in pairs
    ]
    return Adjacency(borders, zones)


def _features(*, is_don: bool, is_road: bool) -> tuple[str, ...]:
    return tuple(name for name, there in ((DON_BORDER, is_don), (ROAD, is_road)) if there)


def _interceptors_reach(
    file: BoardFile, rows: dict[PlaceId, ZoneRow], links: Adjacency
) -> dict[PlaceId, frozenset[PlaceId]]:
    """Return what fighters reach from each zone. Source: RuleId("optional.interceptors.adjacency")."""
    city = [row.id for row in rows.values() if row.board == CITY]
    in_city: frozenset[PlaceId] = frozenset((*city, *[row.id for row in file.crossings.rows]))
    gates = {other for place in city for other in links.near(place)} - in_city
    base = next((row.id for row in rows.values() if row.base == ALLIES), None)
    found: dict[PlaceId, frozenset[PlaceId]] = {}
    for row in rows.values():
        reach = set(links.near(row.id))
        if row.id in in_city or row.id in gates or row.id == base:
            reach |= in_city
        if row.id in in_city:
            reach |= gates
        if row.id == base:
            reach |= set(file.interceptors.base_reach)
        found[row.id] = frozenset(reach - {row.id, *[other.id for other in rows.values() if other.base is not None]})
    return found


def _check(file: BoardFile, findings: Findings) -> None:
    from core.games.axis_allies.components.checks.board_checks import check_board

    check_board(file, findings)


BOARD_FILE = ComponentFile(PACKAGE, BoardFile, _build, _check)
"""The boards, as the shipped file or an owner's has them."""
