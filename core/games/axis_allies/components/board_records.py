"""The component file of this game: its figures, units, cards and charts; the records of maps are `map_records`.

What is printed on boards and cards only is in it, each section with its provenance (ruling.board-data).
"""

from typing import Annotated, ClassVar, Literal

from core.components.fields import Name, ProvenanceSections, Text, row_of
from core.games.axis_allies.components import map_records as maps
from core.games.axis_allies.ids import RACE
from events.codec import Meta, Struct
from events.ids import CardId, PlaceId


class UnitRow(Struct, frozen=True, rename={"has_force_multiplier": "force_multiplier"}):
    """A unit type: its price, values, movement points and pieces.

    `type` is its row of the reference chart, 0 of `cost` not for sale, of `attack` and `defence` no value, of `move` without limit.

    Source: unit.class.land, unit.class.air, unit.infantry.stats, unit.tank.stats,
    unit.fighter.stats, components.pool.german, components.pool.minor-axis, components.pool.soviet.
    """

    id: Name
    name: Text
    side: maps.SideWord
    nation: Literal["german", "minor_axis", "soviet"]
    type: Literal[
        "infantry",
        "minor_infantry",
        "mech_infantry",
        "artillery",
        "tank",
        "assault_gun",
        "rocket_launcher",
        "fighter",
        "bomber",
    ]
    cost: maps.Few
    attack: maps.Value
    defence: maps.Value
    move: maps.Few
    figures: maps.Count
    has_force_multiplier: bool = False

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
        """Whether it uses Road Movement. Source: movement.road.who."""
        return self.type in (maps.TANK, maps.MECH_INFANTRY)


class UnitTable(Struct, frozen=True):
    """The unit types of both sides."""

    rows: Annotated[tuple[UnitRow, ...], Meta(min_length=1, max_length=40)]


class WeatherRow(Struct, frozen=True):
    """The faces that bring bad weather in a round. Source: order.1.roll, ruling.weather-table."""

    ROW_KEY: ClassVar[str] = "round"

    round: maps.Round
    faces: Annotated[tuple[maps.Face, ...], Meta(max_length=6)]


class Weather(Struct, frozen=True):
    """The rounds with a Weather Roll."""

    rows: Annotated[tuple[WeatherRow, ...], Meta(max_length=13)]


class OrderCardRow(Struct, frozen=True):
    """An Order Card; the side that resolves it is left out where nothing is decided. Source: sequence.card-order."""

    ROW_KEY: ClassVar[str] = "number"

    number: maps.CardNumber
    name: Text
    side: maps.SideWord | None = None


class OrderCards(Struct, frozen=True):
    """The deck of Order Cards. Source: components.order-cards."""

    rows: Annotated[tuple[OrderCardRow, ...], Meta(min_length=14, max_length=14)]


class UranusCardRow(Struct, frozen=True):
    """An Operation Uranus card with its reinforcements. Source: components.uranus-cards, ruling.uranus-card-data."""

    id: Annotated[CardId, Meta(pattern=maps.WORD, extra={"expected": maps.WORDS})]
    number: maps.CardNumber
    units: maps.UnitCounts


class Uranus(Struct, frozen=True):
    """Operation Uranus: its rounds, how many cards are drawn, and the cards.

    Source: order.7.draw, order.7.launch-uranus-deadline, setup.uranus.draws,
    winter-storm.marker-place.
    """

    first_round: maps.Round
    last_round: maps.Round
    drawn: maps.Factor
    scenario_draw: maps.Factor
    storm_after: maps.Factor
    cards: Annotated[tuple[UranusCardRow, ...], Meta(min_length=14, max_length=14)]


class SetUpRow(Struct, frozen=True):
    """The units that a chart places on a zone, a Volga Crossing or an Ambush Site."""

    ROW_KEY: ClassVar[str] = "place"

    place: Name
    units: maps.UnitCounts


class TokenRow(Struct, frozen=True):
    """The Axis supply tokens that begin in a zone."""

    ROW_KEY: ClassVar[str] = "place"

    place: maps.ZoneId
    number: maps.Factor


class ScenarioRow(Struct, frozen=True):
    """A scenario: the card and the round with which it begins, its markers and its charts.

    `storm_round` is where the Operation Winter Storm Marker begins, 0 beside the track; `bad_rounds` are rounds whose Frozen Marker is
    placed. Factories are left out where there are none.

    Source: setup.scenario-choice, setup.race.marker-round-1, setup.uranus.marker-round-7,
    setup.race.axis-units, setup.race.allies-region, setup.uranus.axis-region,
    setup.uranus.allies-region, ruling.setup-chart-labels.
    """

    first_round: maps.Round
    first_card: maps.CardNumber
    storm_round: Annotated[int, Meta(ge=0, le=13)]
    bad_rounds: Annotated[tuple[maps.Round, ...], Meta(max_length=13)]
    ferries: Annotated[tuple[Annotated[PlaceId, row_of("crossings.rows")], ...], Meta(max_length=3)]
    axis_rpcs: maps.Count
    removed_cards: Annotated[tuple[maps.CardNumber, ...], Meta(max_length=14)]
    axis_control: maps.Zones
    battles: maps.Zones
    axis_tokens: Annotated[tuple[TokenRow, ...], Meta(max_length=58)]
    axis: Annotated[tuple[SetUpRow, ...], Meta(max_length=70)]
    allies: Annotated[tuple[SetUpRow, ...], Meta(max_length=70)]
    tank_factory: maps.ZoneId | None = None
    artillery_factory: maps.ZoneId | None = None


class Scenarios(Struct, frozen=True):
    """Both scenarios: Race to Stalingrad and Operation Uranus."""

    race: ScenarioRow
    uranus: ScenarioRow


class Limits(Struct, frozen=True):
    """Capacities of places, and the length of the game.

    Source: stacking.limit, zone.airfield.capacity, uranus.deploy.two-cards,
    order.9.one-unit-limit, sequence.rounds.
    """

    land_units: maps.Factor
    air_units: maps.Factor
    uranus_cards: maps.Factor
    limited_units: maps.Factor
    rounds: maps.Round


class Components(Struct, frozen=True):
    """Components in the box besides units and cards.

    Source: components.chips, components.supply-tokens, components.combat-markers,
    components.frozen-markers, components.crossing-tokens. Control and Unsupplied Markers limit nothing
    (ruling.status-counters-derived).
    """

    gray_chips: maps.Count
    green_chips: maps.Count
    green_worth: maps.Factor
    supply_tokens: maps.Count
    axis_tokens: maps.Count
    combat_markers: maps.Count
    frozen_markers: maps.Count
    ferries: maps.Factor


class TokenPrices(Struct, frozen=True):
    """Prices of supply tokens and ferries for the Allies. Source: unit.supply-token.cost, unit.ferry.cost."""

    supply_cost: maps.Few
    ferry_cost: maps.Few


class Fire(Struct, frozen=True):
    """Changes of values, and the highest face that hits outside combat.

    Source: combat.mod.unsupplied, combat.mod.fortified, combat.mod.throw-them-back,
    optional.sorties, unit.artillery.air-defense.roll, unit.rocket.bombardment.roll, ambush.roll.
    """

    unsupplied: maps.Change
    bonus: maps.Change
    sorties: maps.Change
    air_defense: maps.Face
    bombardment: maps.Face
    ambush: maps.Face
    ambusher_chooses: maps.Face


class Victory(Struct, frozen=True):
    """The zones that decide. Source: victory.allies-total, victory.minor."""

    key_zones: maps.Zones
    minor_zone: maps.ZoneId


class Interceptors(Struct, frozen=True):
    """Zones of the Region Board that count as next to the Allied base. Source: optional.interceptors.adjacency."""

    base_reach: maps.Zones


class Luftwaffe(Struct, frozen=True):
    """The lowest face that costs an air unit, and the RPCs for it by scenario. Source: optional.luftwaffe.compensation."""

    face: maps.Face
    race: maps.Few
    uranus: maps.Few

    def gained(self, scenario: str) -> int:
        """Return the RPCs for an air unit in a scenario."""
        return self.race if scenario == RACE else self.uranus


class Heroes(Struct, frozen=True):
    """The lowest face with which a hero is found. Source: optional.heroes.roll."""

    face: maps.Face


class BoardFile(ProvenanceSections, frozen=True, kw_only=True):
    """A whole component file of this game: both boards, units, cards, set-up charts and the figures of the rules."""

    schema: Literal["axis-allies-stalingrad/1"]
    limits: Limits
    components: Components
    units: UnitTable
    tokens: TokenPrices
    zones: maps.ZoneTable
    links: maps.Links
    roads: maps.Roads
    crossings: maps.Crossings
    ambush_sites: maps.SiteTable
    fire: Fire
    weather: Weather
    order_cards: OrderCards
    uranus: Uranus
    victory: Victory
    interceptors: Interceptors
    luftwaffe: Luftwaffe
    heroes: Heroes
    scenarios: Scenarios
