"""What the rules know about boards, units and cards: the records of a component file, put together and quick to look up."""

from core.components.component_file import Source
from core.games.axis_allies.components import board_records as records
from core.games.axis_allies.components import map_records as maps
from core.games.axis_allies.ids import AXIS
from core.geometry.adjacency import Adjacency
from events.codec import Struct
from events.ids import CardId, PlaceId, Side

DON_BORDER = "don"
ROAD = "road"
"""The features of borders."""


class UnitType(records.UnitRow, frozen=True):
    """One unit type. Source: RuleId("unit.class.land"), RuleId("unit.class.air")."""

    @property
    def is_air(self) -> bool:
        """Whether it is an air unit."""
        return self.type in (maps.FIGHTER, maps.BOMBER)

    @property
    def is_infantry(self) -> bool:
        """Whether it is infantry for Ambush Sites, ferries and Troop Landings, which mechanized infantry is not."""
        return self.type in (maps.INFANTRY, maps.MINOR_INFANTRY)

    @property
    def has_road_movement(self) -> bool:
        """Whether it uses Road Movement. Source: RuleId("movement.road.who")."""
        return self.type in (maps.TANK, maps.MECH_INFANTRY)


class Zone(maps.ZoneRow, frozen=True, kw_only=True):
    """One zone.

    `near` are the zones that touch it, on either board, `sites` the Ambush Sites that it is connected to, `strands` its roads.
    """

    near: tuple[PlaceId, ...]
    sites: tuple[PlaceId, ...]
    strands: tuple[maps.Strand, ...]

    @property
    def is_city(self) -> bool:
        """Whether it lies on the City Board."""
        return self.board == maps.CITY


class Board(Struct, frozen=True):
    """Everything printed on boards, units and cards, quick to look up.

    Dictionaries are in the order of the file and never changed. `links` joins the zones of both boards, with the features of their borders;
    `road_steps` leads from strand to strand. `landings` are the crossings by their sectors. `bad_faces` are the faces that bring bad weather by
    round. `interceptors_reach` are the places that a fighter on the ground of a zone reaches with Interceptors, crossings included.
    """

    source: Source
    limits: records.Limits
    components: records.Components
    tokens: records.TokenPrices
    fire: records.Fire
    uranus: records.Uranus
    victory: records.Victory
    luftwaffe: records.Luftwaffe
    heroes: records.Heroes
    units: dict[str, UnitType]
    zones: dict[PlaceId, Zone]
    links: Adjacency
    road_steps: dict[maps.Strand, tuple[maps.Strand, ...]]
    road_names: dict[str, str]
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
        """The zones of the City Board with Reinforcement Points. Source: RuleId("victory.axis-total")."""
        return tuple(place for place in self.city if self.zones[place].rp)

    @property
    def fortified_city_zones(self) -> tuple[PlaceId, ...]:
        """The fortified zones of the City Board. Source: RuleId("victory.allies-major")."""
        return tuple(place for place in self.city if self.zones[place].is_fortified)

    @property
    def zones_west_of_don(self) -> tuple[PlaceId, ...]:
        """The tan area without the base zone in it. Source: RuleId("victory.allies-total"), ruling.allies-total-base."""
        return tuple(place for place, zone in self.zones.items() if zone.is_west and place != self.bases[AXIS])

    def crossing_of(self, zone: PlaceId) -> maps.CrossingRow | None:
        """Return the Volga Crossing of a zone's sector, or None outside the sectors."""
        sector = self.zones[zone].sector
        return next((row for row in self.crossings.values() if row.sector == sector), None)

    def are_divided_by_don(self, one: PlaceId, other: PlaceId) -> bool:
        """Return whether the Don is the border of two adjacent zones. Source: RuleId("zone.don.crossing")."""
        return self.links.has(one, other, DON_BORDER)
