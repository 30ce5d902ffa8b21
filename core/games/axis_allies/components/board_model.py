"""Model of boards, units and cards for the rules: the records of a component file, put together and quick to look up."""

from core.components.component_file import Source
from core.games.axis_allies.components import board_records as records
from core.games.axis_allies.components import map_records as maps
from core.games.axis_allies.components.board_records import BoardFile
from core.games.axis_allies.components.map_records import CITY, ZoneRow
from core.games.axis_allies.ids import ALLIES, AXIS, RACE, SIDES, URANUS
from core.geometry.adjacency import Adjacency, Border
from core.geometry.roads import Strand, road_network
from events.codec import Struct, extended
from events.ids import CardId, PlaceId, Side

DON_BORDER = "don"
ROAD = "road"
"""The features of borders."""


UnitType = records.UnitRow
"""The records of unit types say all that the rules know of them."""


class Zone(maps.ZoneRow, frozen=True, kw_only=True):
    """One zone.

    `near` are the zones that touch it, on either board, `sites` the Ambush Sites that it is connected to, `strands` its roads.
    """

    near: tuple[PlaceId, ...]
    sites: tuple[PlaceId, ...]
    strands: tuple[Strand, ...]

    @property
    def is_city(self) -> bool:
        """Whether it lies on the City Board."""
        return self.board == maps.CITY


class Board(Struct, frozen=True, eq=False):
    """Everything printed on boards, units and cards, quick to look up.

    `file` has what is used as the file says it. Dictionaries are in the order of the file and never changed. `links` joins the zones of both boards, with the features of their borders;
    `road_steps` leads from strand to strand. `landings` are the crossings by their sectors. `bad_faces` are the faces that bring bad weather by
    round. `interceptors_reach` are the places that a fighter on the ground of a zone reaches with Interceptors, crossings included.
    """

    source: Source
    file: BoardFile
    units: dict[str, UnitType]
    land_units: frozenset[str]
    air_units: frozenset[str]
    zones: dict[PlaceId, Zone]
    links: Adjacency
    road_steps: dict[Strand, tuple[Strand, ...]]
    crossings: dict[PlaceId, maps.CrossingRow]
    east_bank: PlaceId
    sites: dict[PlaceId, maps.SiteRow]
    bad_faces: dict[int, frozenset[int]]
    order_cards: dict[int, records.OrderCardRow]
    uranus_cards: dict[CardId, records.UranusCardRow]
    interceptors_reach: dict[PlaceId, frozenset[PlaceId]]
    scenarios: dict[str, records.ScenarioRow]
    bases: dict[Side, PlaceId]
    exits: dict[Side, frozenset[PlaceId]]
    airfields: tuple[PlaceId, ...]
    city: tuple[PlaceId, ...]

    @property
    def city_rp_zones(self) -> tuple[PlaceId, ...]:
        """The zones of the City Board with Reinforcement Points. Source: victory.axis-total."""
        return tuple(place for place in self.city if self.zones[place].rp)

    @property
    def fortified_city_zones(self) -> tuple[PlaceId, ...]:
        """The fortified zones of the City Board. Source: victory.allies-major."""
        return tuple(place for place in self.city if self.zones[place].is_fortified)

    @property
    def zones_west_of_don(self) -> tuple[PlaceId, ...]:
        """The tan area without the base zone in it. Source: victory.allies-total, ruling.allies-total-base."""
        return tuple(place for place, zone in self.zones.items() if zone.is_west and place != self.bases[AXIS])

    def crossing_of(self, zone: PlaceId) -> maps.CrossingRow | None:
        """Return the Volga Crossing of a zone's sector, or None outside the sectors."""
        sector = self.zones[zone].sector
        return next((row for row in self.crossings.values() if row.sector == sector), None)

    def are_divided_by_don(self, one: PlaceId, other: PlaceId) -> bool:
        """Return whether the Don is the border of two adjacent zones. Source: zone.don.crossing."""
        return self.links.has(one, other, DON_BORDER)


def build(file: BoardFile, source: Source) -> Board:
    """Put the records of a file without defects together."""
    rows = {row.id: row for row in file.zones.rows}
    links = _links(file, tuple(rows))
    strands, steps = road_network(file.roads.rows, file.roads.junctions)
    zones: dict[PlaceId, Zone] = {}
    for row in file.zones.rows:
        sites = tuple(site.id for site in file.ambush_sites.rows if row.id in site.zones)
        zones[row.id] = extended(row, Zone, near=links.near(row.id), sites=sites, strands=strands.get(row.id, ()))
    return Board(
        source=source,
        file=file,
        units={row.id: row for row in file.units.rows},
        land_units=frozenset(row.id for row in file.units.rows if not row.is_air),
        air_units=frozenset(row.id for row in file.units.rows if row.is_air),
        zones=zones,
        links=links,
        road_steps=steps,
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
    steps = [step for road in file.roads.rows for step in zip(road.places, road.places[1:], strict=False)]
    features = {DON_BORDER: set(map(frozenset, file.links.don)), ROAD: set(map(frozenset, steps))}
    borders: list[Border] = []
    for pairs in (*file.links.on_one_board.values(), *file.links.between_boards.values()):
        for one, other in pairs:
            both = frozenset((one, other))
            borders.append(Border(one, other, tuple(name for name, there in features.items() if both in there)))
    return Adjacency(borders, zones)


def _interceptors_reach(
    file: BoardFile, rows: dict[PlaceId, ZoneRow], links: Adjacency
) -> dict[PlaceId, frozenset[PlaceId]]:
    """Return what fighters reach from each zone. Source: optional.interceptors.adjacency."""
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
