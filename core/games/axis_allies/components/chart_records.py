"""The records of a component file about units, cards, the Round Track and the set-up charts."""

from typing import Annotated, ClassVar, Literal

from core.components.fields import Name, Text, row_of
from core.games.axis_allies.components.map_records import (
    WORD,
    WORDS,
    CardNumber,
    Count,
    Face,
    Factor,
    Few,
    Round,
    SideWord,
    UnitCounts,
    Value,
    ZoneId,
    Zones,
)
from events.codec import Meta, Struct
from events.ids import CardId, PlaceId


class UnitRow(Struct, frozen=True, rename={"has_force_multiplier": "force_multiplier"}):
    """A unit type: its price, values, movement points and pieces.

    `type` is its row of the reference chart, 0 of `cost` not for sale, of `attack` and `defence` no value, of `move` without limit.

    Source: RuleId("unit.infantry.stats"), RuleId("unit.tank.stats"), RuleId("unit.fighter.stats"),
    RuleId("components.pool.german"), RuleId("components.pool.minor-axis"), RuleId("components.pool.soviet").
    """

    id: Name
    name: Text
    side: SideWord
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
    cost: Few
    attack: Value
    defence: Value
    move: Few
    figures: Count
    has_force_multiplier: bool = False


class UnitTable(Struct, frozen=True):
    """The unit types of both sides."""

    rows: Annotated[tuple[UnitRow, ...], Meta(min_length=1, max_length=40)]


class WeatherRow(Struct, frozen=True):
    """The faces that bring bad weather in a round. Source: RuleId("order.1.roll"), ruling.weather-table."""

    ROW_KEY: ClassVar[str] = "round"

    round: Round
    faces: Annotated[tuple[Face, ...], Meta(max_length=6)]


class Weather(Struct, frozen=True):
    """The rounds with a Weather Roll."""

    rows: Annotated[tuple[WeatherRow, ...], Meta(max_length=13)]


class OrderCardRow(Struct, frozen=True):
    """An Order Card; the side that resolves it is left out where nothing is decided. Source: RuleId("sequence.card-order")."""

    ROW_KEY: ClassVar[str] = "number"

    number: CardNumber
    name: Text
    side: SideWord | None = None


class OrderCards(Struct, frozen=True):
    """The deck of Order Cards. Source: RuleId("components.order-cards")."""

    rows: Annotated[tuple[OrderCardRow, ...], Meta(min_length=14, max_length=14)]


class UranusCardRow(Struct, frozen=True):
    """An Operation Uranus card with its reinforcements. Source: RuleId("components.uranus-cards"), ruling.uranus-card-data."""

    id: Annotated[CardId, Meta(pattern=WORD, extra={"expected": WORDS})]
    number: CardNumber
    units: UnitCounts


class Uranus(Struct, frozen=True):
    """Operation Uranus: its rounds, how many cards are drawn, and the cards.

    Source: RuleId("order.7.draw"), RuleId("order.7.launch-uranus-deadline"), RuleId("setup.uranus.draws"),
    RuleId("winter-storm.marker-place").
    """

    first_round: Round
    last_round: Round
    drawn: Factor
    scenario_draw: Factor
    storm_after: Factor
    cards: Annotated[tuple[UranusCardRow, ...], Meta(min_length=14, max_length=14)]


class SetUpRow(Struct, frozen=True):
    """The units that a chart places on a zone, a Volga Crossing or an Ambush Site."""

    ROW_KEY: ClassVar[str] = "place"

    place: Name
    units: UnitCounts


class TokenRow(Struct, frozen=True):
    """The Axis supply tokens that begin in a zone."""

    ROW_KEY: ClassVar[str] = "place"

    place: ZoneId
    number: Factor


class ScenarioRow(Struct, frozen=True):
    """A scenario: the card and the round with which it begins, its markers and its charts.

    `storm_round` is where the Operation Winter Storm Marker begins, 0 beside the track; `bad_rounds` are rounds whose Frozen Marker is
    placed. Factories are left out where there are none.

    Source: RuleId("setup.scenario-choice"), RuleId("setup.race.marker-round-1"), RuleId("setup.uranus.marker-round-7"),
    RuleId("setup.race.axis-units"), RuleId("setup.race.allies-region"), RuleId("setup.uranus.axis-region"),
    RuleId("setup.uranus.allies-region"), ruling.setup-chart-labels.
    """

    first_round: Round
    first_card: CardNumber
    storm_round: Annotated[int, Meta(ge=0, le=13)]
    bad_rounds: Annotated[tuple[Round, ...], Meta(max_length=13)]
    ferries: Annotated[tuple[Annotated[PlaceId, row_of("crossings.rows")], ...], Meta(max_length=3)]
    axis_rpcs: Count
    removed_cards: Annotated[tuple[CardNumber, ...], Meta(max_length=14)]
    axis_control: Zones
    battles: Zones
    axis_tokens: Annotated[tuple[TokenRow, ...], Meta(max_length=58)]
    axis: Annotated[tuple[SetUpRow, ...], Meta(max_length=70)]
    allies: Annotated[tuple[SetUpRow, ...], Meta(max_length=70)]
    tank_factory: ZoneId | None = None
    artillery_factory: ZoneId | None = None


class Scenarios(Struct, frozen=True):
    """Both scenarios: Race to Stalingrad and Operation Uranus."""

    race: ScenarioRow
    uranus: ScenarioRow
