"""The records of a component file about the maps: zones, links, roads, Volga Crossings and Ambush Sites; and the words of all records.

Zones, unit types and roads are named by words of their printed names (`"pavlovs_house"`, `"ger_tank"`, `"don_line"`).
"""

from typing import Annotated, ClassVar, Literal

from core.components.fields import Name, Text, row_of
from core.geometry import roads
from events.codec import Meta, Struct
from events.ids import PlaceId, Side

REGION = "region"
CITY = "city"
BOARDS = {REGION: "Region Board", CITY: "City Board"}

GRAY = "gray"
BROWN = "brown"
WHITE = "white"
SECTORS = (GRAY, BROWN, WHITE)

INFANTRY = "infantry"
MINOR_INFANTRY = "minor_infantry"
MECH_INFANTRY = "mech_infantry"
ARTILLERY = "artillery"
TANK = "tank"
ASSAULT_GUN = "assault_gun"
ROCKET_LAUNCHER = "rocket_launcher"
FIGHTER = "fighter"
BOMBER = "bomber"

LIMITED = "limited"
UNLIMITED = "unlimited"

WORD = "^[a-z0-9_]{1,60}$"
WORDS = "up to 60 lower-case letters, digits and underscores"
NewPlace = Annotated[PlaceId, Meta(pattern=WORD, extra={"expected": WORDS})]
ZoneId = Annotated[PlaceId, row_of("zones.rows")]
Zones = Annotated[tuple[ZoneId, ...], Meta(max_length=200)]
Pair = tuple[ZoneId, ZoneId]
Pairs = Annotated[tuple[Pair, ...], Meta(max_length=1_000)]
Coordinate = Annotated[int, Meta(ge=0, le=1_000)]
Count = Annotated[int, Meta(ge=0, le=200)]
Few = Annotated[int, Meta(ge=0, le=20)]
Factor = Annotated[int, Meta(ge=1, le=20)]
Face = Annotated[int, Meta(ge=1, le=6)]
Value = Annotated[int, Meta(ge=0, le=6)]
Change = Annotated[int, Meta(ge=-6, le=6)]
Round = Annotated[int, Meta(ge=1, le=13)]
CardNumber = Annotated[int, Meta(ge=1, le=14)]
SideWord = Annotated[Side, Meta(pattern="^(axis|allies)$", extra={"expected": "axis or allies"})]
Front = Literal["northwest", "southeast"]
UnitCounts = dict[str, Factor]
"""How many of each unit type, by its id, and of supply tokens, as `supply`."""


class ZoneRow(
    Struct,
    frozen=True,
    rename={
        "is_west": "west",
        "is_fortified": "fortified",
        "has_airfield": "airfield",
        "takes_free_infantry": "free_infantry",
        "takes_storm": "storm",
    },
):
    """One zone: its board, its centre on a schematic map, and what is printed in it.

    `sector` is its colour in the city, `west` the tan area, `base` the side whose base zone it is, `exit` the side whose supply lines leave
    the board in it, at an `edge`. Bought Allied units arrive where `entry` is given, free infantry and the units of Operation Winter Storm
    where these are marked, those of Operation Uranus in the zones of a `front` from the round in which a zone `opens`.

    Source: zone.sectors, zone.rp-value, zone.fortified, zone.airfield,
    zone.base.definition, supply.region.exit-zones, order.9.zones, winter-storm.zones,
    order.2.even-infantry, uranus.deploy.round-zones.
    """

    id: NewPlace
    name: Text
    board: Literal["region", "city"]
    x: Coordinate
    y: Coordinate
    sector: Literal["", "gray", "brown", "white"] = ""
    is_west: bool = False
    rp: Annotated[int, Meta(ge=0, le=2)] = 0
    is_fortified: bool = False
    has_airfield: bool = False
    base: SideWord | None = None
    exit: SideWord | None = None
    edge: Literal["", "north", "east", "south", "west"] = ""
    entry: Literal["", "limited", "unlimited"] = ""
    takes_free_infantry: bool = False
    takes_storm: bool = False
    front: Literal["", "northwest", "southeast"] = ""
    opens: Annotated[int, Meta(ge=0, le=13)] = 0


class ZoneTable(Struct, frozen=True):
    """The zones of both boards. Source: components.boards."""

    rows: Annotated[tuple[ZoneRow, ...], Meta(min_length=58, max_length=58)]


class Links(Struct, frozen=True):
    """Zones that touch: pairs in either order, each pair once.

    `printed`, `derived`, `region` and `town` are pairs of one board, `city` and `city_printed` a zone of the City Board with one of the
    Region Board. `don` are the borders of these that the Don forms.

    Source: zone.adjacency, zone.city-access, zone.don.crossing.
    """

    printed: Pairs
    derived: Pairs
    region: Pairs
    town: Pairs
    city_printed: Pairs
    city: Pairs
    don: Pairs

    @property
    def on_one_board(self) -> dict[str, tuple[Pair, ...]]:
        """The pairs of one board by the name of their array."""
        return {"printed": self.printed, "derived": self.derived, "region": self.region, "town": self.town}

    @property
    def between_boards(self) -> dict[str, tuple[Pair, ...]]:
        """The pairs that join the boards by the name of their array."""
        return {"city_printed": self.city_printed, "city": self.city}


class RoadRow(roads.Road, frozen=True, rename={"places": "zones"}):
    """A road or rail line from zone to zone; `exits` are the zones in which it leaves the Region Board. Source: zone.roads."""

    id: Name
    name: Text
    places: Zones
    exits: Zones = ()


class Junction(roads.Junction, frozen=True, rename={"place": "zone"}):
    """Roads that meet inside a zone. Source: movement.road.contiguous."""

    ROW_KEY: ClassVar[str] = "zone"

    place: ZoneId
    roads: Annotated[tuple[Annotated[str, row_of("roads.rows")], ...], Meta(min_length=2, max_length=20)]


class Roads(Struct, frozen=True):
    """The red lines, and where they are joined."""

    rows: Annotated[tuple[RoadRow, ...], Meta(min_length=1, max_length=60)]
    junctions: Annotated[tuple[Junction, ...], Meta(max_length=60)]


class CrossingRow(Struct, frozen=True):
    """A Volga Crossing with its landing zone, and where it is drawn. Source: zone.sectors, ferry.colour-match."""

    id: NewPlace
    name: Text
    sector: Literal["gray", "brown", "white"]
    landing: ZoneId
    x: Coordinate
    y: Coordinate


class Crossings(Struct, frozen=True):
    """The Volga Crossings, all from one zone east of the river. Source: zone.krasnaya-sloboda."""

    start: ZoneId
    rows: Annotated[tuple[CrossingRow, ...], Meta(min_length=3, max_length=3)]


class SiteRow(Struct, frozen=True):
    """An Ambush Site with the zones that it is connected to. Source: ambush.sites."""

    id: NewPlace
    name: Text
    zones: Annotated[tuple[ZoneId, ...], Meta(min_length=3, max_length=4)]
    x: Coordinate
    y: Coordinate


class SiteTable(Struct, frozen=True):
    """The Ambush Sites."""

    rows: Annotated[tuple[SiteRow, ...], Meta(min_length=5, max_length=5)]
