"""The component file of this game: its figures, and the records of maps (`map_records`) and charts (`chart_records`).

What is printed on boards and cards only is in it, each section with its provenance (ruling.board-data).
"""

from typing import Literal

from core.components.fields import ProvenanceSections
from core.games.axis_allies.components.chart_records import OrderCards, Scenarios, UnitTable, Uranus, Weather
from core.games.axis_allies.components.map_records import (
    Change,
    Count,
    Crossings,
    Face,
    Factor,
    Few,
    Links,
    Roads,
    Round,
    SiteTable,
    ZoneId,
    Zones,
    ZoneTable,
)
from events.codec import Struct


class Limits(Struct, frozen=True):
    """How much fits where, and how long the game lasts.

    Source: RuleId("stacking.limit"), RuleId("zone.airfield.capacity"), RuleId("uranus.deploy.two-cards"),
    RuleId("order.9.one-unit-limit"), RuleId("sequence.rounds").
    """

    land_units: Factor
    air_units: Factor
    uranus_cards: Factor
    limited_units: Factor
    rounds: Round


class Components(Struct, frozen=True):
    """What is in the box besides units and cards.

    Source: RuleId("components.chips"), RuleId("components.supply-tokens"), RuleId("components.combat-markers"),
    RuleId("components.frozen-markers"), RuleId("components.crossing-tokens"). Control and Unsupplied Markers limit nothing
    (ruling.status-counters-derived).
    """

    gray_chips: Count
    green_chips: Count
    green_worth: Factor
    supply_tokens: Count
    axis_tokens: Count
    combat_markers: Count
    frozen_markers: Count
    ferries: Factor


class TokenPrices(Struct, frozen=True):
    """What supply tokens and ferries cost the Allies. Source: RuleId("unit.supply-token.cost"), RuleId("unit.ferry.cost")."""

    supply_cost: Few
    ferry_cost: Few


class Fire(Struct, frozen=True):
    """Changes of values, and the highest face that hits outside combat.

    Source: RuleId("combat.mod.unsupplied"), RuleId("combat.mod.fortified"), RuleId("combat.mod.throw-them-back"),
    RuleId("optional.sorties"), RuleId("unit.artillery.air-defense.roll"), RuleId("unit.rocket.bombardment.roll"), RuleId("ambush.roll").
    """

    unsupplied: Change
    bonus: Change
    sorties: Change
    air_defense: Face
    bombardment: Face
    ambush: Face
    ambusher_chooses: Face


class Victory(Struct, frozen=True):
    """The zones that decide. Source: RuleId("victory.allies-total"), RuleId("victory.minor")."""

    key_zones: Zones
    minor_zone: ZoneId


class Interceptors(Struct, frozen=True):
    """Which zones of the Region Board count as next to the Allied base. Source: RuleId("optional.interceptors.adjacency")."""

    base_reach: Zones


class Luftwaffe(Struct, frozen=True):
    """The lowest face that costs an air unit, and the RPCs for it by scenario. Source: RuleId("optional.luftwaffe.compensation")."""

    face: Face
    race: Few
    uranus: Few


class Heroes(Struct, frozen=True):
    """The lowest face with which a hero is found. Source: RuleId("optional.heroes.roll")."""

    face: Face


class BoardFile(ProvenanceSections, frozen=True, kw_only=True):
    """A whole component file of this game: both boards, units, cards, set-up charts and the figures of the rules."""

    schema: Literal["axis-allies-stalingrad/1"]
    limits: Limits
    components: Components
    units: UnitTable
    tokens: TokenPrices
    zones: ZoneTable
    links: Links
    roads: Roads
    crossings: Crossings
    ambush_sites: SiteTable
    fire: Fire
    weather: Weather
    order_cards: OrderCards
    uranus: Uranus
    victory: Victory
    interceptors: Interceptors
    luftwaffe: Luftwaffe
    heroes: Heroes
    scenarios: Scenarios
