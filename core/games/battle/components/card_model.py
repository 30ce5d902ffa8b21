"""The component file of this game, record by record, and what the rules know about cards, Forces and Locations.

Structs named `…Row` are what a file says; the other records are used by the rules as they are.
"""

from functools import lru_cache
from typing import Annotated, Literal

from core.components.component_file import Source
from core.components.fields import Name, Prose, ProvenanceSections, Text
from core.games.battle.ids import GERMAN, RUSSIAN
from events.codec import Meta, Struct
from events.ids import CardId, PieceId, PlaceId, Side

Timing = Literal[
    "own_action",
    "any_time",
    "battle",
    "suffering_hits",
    "react_move",
    "react_card",
    "react_draw",
    "after_battle",
    "own_force_destroyed",
]
Rubble = Annotated[int, Meta(ge=0, le=99)]
Figure = Annotated[int, Meta(ge=0, le=20)]
Amount = Annotated[int, Meta(ge=1, le=20)]
Change = Annotated[int, Meta(ge=-20, le=20)]
Values = Annotated[tuple[Literal[-3, -2, -1, 1, 2, 3], ...], Meta(min_length=1, max_length=60)]
"""Firefight values. Source: card.firefight-value."""


class ChartRow(Struct, frozen=True, rename={"first": "from", "last": "to"}):
    """With `from` to `to` Rubble a Location gives `rations`. Source: location.rubble-chart."""

    first: Rubble
    last: Rubble
    rations: Figure


class LocationNote(Struct, frozen=True):
    """Benefit of a Location for its controller; `op` names it, `amount` is its figure. Source: location.note-priority."""

    op: Literal[
        "none",
        "resupply_bonus",
        "reinforcements_bonus",
        "rations_anywhere",
        "enemy_entry_surcharge",
        "buy_ration_bonus",
        "card_attack_bonus",
        "initiated_battle_bonus",
        "free_moves_per_turn",
        "repair_rubble",
        "extra_draw",
    ]
    amount: Amount = 0


class Location(Struct, frozen=True):
    """One Location card.

    `note_survives` is whether its note is kept when it is Destroyed, at `destroyed_at` Rubble.

    Source: location.rubble-chart, location.destroyed.threshold, location.destroyed.note.
    """

    id: Name
    name: Text
    chart: Annotated[tuple[ChartRow, ...], Meta(min_length=1, max_length=100)]
    destroyed_at: Annotated[int, Meta(ge=1, le=100)]
    note: LocationNote = LocationNote("none")
    note_text: Prose = ""
    note_survives: bool = False

    @property
    def has_note(self) -> bool:
        """Return whether it does something for its controller."""
        return self.note.op != "none"

    def rations(self, rubble: int) -> int:
        """Return what it gives with so much Rubble, 0 or more."""
        return next((row.rations for row in self.chart if row.first <= rubble <= row.last), 0)


class Force(Struct, frozen=True, rename={"has_free_move": "free_move"}):
    """One Force card; its notes are left out where it has none.

    Source: force.combat, force.starting-rations, force.cost, force.note.attack-bonus,
    force.note.retreat-bonus, force.note.free-move, force.note.ignore-hits.
    """

    id: Annotated[PieceId, Meta(pattern="^[a-z0-9_]{1,60}$")]
    side: Annotated[Side, Meta(pattern="^(german|russian)$", extra={"expected": "german or russian"})]
    name: Text
    combat: Figure
    rations: Figure
    cost: Amount
    attack_bonus: Annotated[int, Meta(ge=1, le=2)] = 0
    retreat_bonus: Annotated[int, Meta(ge=1, le=2)] = 0
    has_free_move: bool = False
    ignore_hits: Annotated[int, Meta(ge=1, le=2)] = 0


class Price(Struct, frozen=True):
    """Price of a Uranus card. Source: uranus.play-cost, uranus.removal."""

    op: Literal["destroy_own_forces", "discard_cards", "discard_rations"]
    count: Amount


class Effect(Struct, frozen=True):
    """Effect of an Action card; `checks.card_checks` lists the figures of each effect. Source: card.play-action."""

    op: Literal[
        "steal_rations",
        "join_battle",
        "card_attack",
        "cancel_move",
        "cancel_card",
        "gain_rations_each",
        "distribute_rations",
        "deny_location_draws",
        "force_points",
        "search_deck",
        "free_moves",
        "no_firefight",
        "no_enemy_retreat",
        "draw_cards",
        "combat_bonus_all",
        "move_and_attack",
        "multiply_combat",
        "stop_hits",
    ]
    amount: Amount = 0
    rubble: Figure = 0
    hits: Amount = 0
    min_rubble: Figure = 0
    may_join: bool = False


class UranusEffect(Struct, frozen=True):
    """Effect of a Uranus card as long as it lies open. Source: uranus.lasting-effect."""

    op: Literal[
        "enemy_force_cost",
        "enemy_location_rations",
        "enemy_draw",
        "enemy_no_perimeter_ration",
        "own_draw",
        "own_initiated_battle_bonus",
    ]
    amount: Change = 0


class Copies(Struct, frozen=True):
    """The Firefight values of every copy of an Action card, by side; a side without copies is left out."""

    german: Values = ()
    russian: Values = ()


class ActionRow(Struct, frozen=True):
    """An Action card with all its copies. Source: card.default-timing, card.any-time."""

    id: Name
    name: Text
    timing: Timing
    effect: Effect
    copies: Copies
    text: Prose = ""
    condition: Literal["", "no_enemy_participant_left_in_control_area"] = ""


class UranusRow(Struct, frozen=True):
    """An Operation Uranus card with its copies. Source: uranus.deck."""

    id: Name
    name: Text
    play_cost: Price
    effect: UranusEffect
    removal: Price
    firefight: Values
    text: Prose = ""


class BySide(Struct, frozen=True):
    """A figure of each side."""

    german: Annotated[int, Meta(ge=1, le=40)]
    russian: Annotated[int, Meta(ge=1, le=40)]

    def of(self, side: Side) -> int:
        """Return the figure of a side."""
        return self.german if side == GERMAN else self.russian


class Figures(Struct, frozen=True):
    """The numbers of the rules that are not on cards. Source: the rules named in `data/rules.toml`."""

    locations_in_play: Annotated[int, Meta(ge=1, le=10)]
    points: BySide
    hand: BySide
    area_limit: Amount
    perimeter_ration: Figure
    move_cost: Figure
    attack_cost: Figure
    attack_rubble: Figure
    per_ration: Amount
    per_retreat: Amount
    per_destroyed: Amount
    medal_combat: Figure
    medal_retreat: Figure
    resupply_rations: Figure
    draw_base: Figure
    draw_per_location: Figure
    victory_locations: Annotated[int, Meta(ge=1, le=10)]


class CardFile(ProvenanceSections, frozen=True, kw_only=True):
    """A whole component file of this game: Locations, Forces, Action cards and the figures of the rules.

    Source: game.seats, setup.locations.draw, ruling.reconstructed-cards.
    """

    schema: Literal["battle-for-stalingrad/1"]
    rules: Figures
    location: Annotated[tuple[Location, ...], Meta(min_length=10, max_length=10)]
    force: Annotated[tuple[Force, ...], Meta(min_length=1, max_length=200)]
    action: Annotated[tuple[ActionRow, ...], Meta(min_length=1, max_length=100)]
    uranus: Annotated[tuple[UranusRow, ...], Meta(min_length=1, max_length=6)]

    def values(self, side: Side) -> list[int]:
        """Return the Firefight values of a side's whole deck; the Uranus cards are Russian. Source: uranus.deck."""
        found: list[int] = []
        for row in self.action:
            found += row.copies.german if side == GERMAN else row.copies.russian
        if side == RUSSIAN:
            found += [value for special in self.uranus for value in special.firefight]
        return found


class Title(Struct, frozen=True):
    """Common part of all copies of an Action card.

    `op` names the effect, the figures are its amounts. `condition` is that of its card; with `may_join` other Forces may join the Attack of the card. `price` and `removal` are an Operation
    Uranus card's.

    Source: card.default-timing, card.any-time, uranus.play-cost, uranus.removal.
    """

    id: str
    name: str
    timing: Timing
    op: str
    amount: int = 0
    rubble: int = 0
    hits: int = 0
    min_rubble: int = 0
    text: str = ""
    condition: str = ""
    may_join: bool = False
    price: Price | None = None
    removal: Price | None = None


class ActionCard(Struct, frozen=True):
    """One copy of an Action card with its own Firefight value. Source: card.firefight-value."""

    id: CardId
    side: Side
    title: Title
    value: int


class Area(Struct, frozen=True):
    """An Area: of which Location, whose, and whether it is the Control Area, else the Perimeter Area."""

    location: str
    side: Side
    is_control: bool


class Cards(Struct, frozen=True):
    """All cards and figures of one match, with the Areas of its Locations.

    `has_timing` is for each side the timings in its deck list: windows open by these, not by what is held.

    Source: window.who-is-asked.
    """

    source: Source
    locations: dict[str, Location]
    areas: dict[PlaceId, Area]
    forces: dict[PieceId, Force]
    cards: dict[CardId, ActionCard]
    decks: dict[Side, tuple[CardId, ...]]
    piles: dict[Side, tuple[PieceId, ...]]
    has_timing: dict[Side, frozenset[Timing]]
    figures: Figures

    def location_of(self, place: str) -> str:
        """Return the Location that an Area belongs to; empty for any other place."""
        area = self.areas.get(PlaceId(place))
        return "" if area is None else area.location

    def is_enemy_force(self, force: PieceId, side: Side) -> bool:
        """Return whether a Force is the other side's."""
        card = self.forces.get(force)
        return card is not None and card.side != side

    def is_control(self, place: str) -> bool:
        """Return whether a place is a Control Area."""
        area = self.areas.get(PlaceId(place))
        return area is not None and area.is_control


@lru_cache(maxsize=4096)
def reachable(costs: tuple[int, ...], total: int) -> bool:
    """Return whether some of the costs add up to exactly a total; to 0 none of them do."""
    sums = {0}
    for cost in costs:
        sums |= {known + cost for known in sums if known + cost <= total}
    return total in sums
