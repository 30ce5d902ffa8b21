"""What the rules know about cards, Forces and Locations: immutable, typed, and quick to look up."""

from functools import lru_cache

from events.codec import Struct
from events.ids import CardId, Digest, PieceId, PlaceId, Side


class ChartRow(Struct, frozen=True):
    """With `first` to `last` Rubble a Location gives `rations`. Source: RuleId("location.rubble-chart")."""

    first: int
    last: int
    rations: int


class LocationNote(Struct, frozen=True):
    """What a Location does for its controller; `op` names it, `amount` is its figure. With an empty `op` it does nothing.

    Source: RuleId("location.note-priority").
    """

    op: str
    amount: int = 0


class Location(Struct, frozen=True):
    """One Location card.

    `note_survives` tells whether its note is kept when it is Destroyed, at `destroyed_at` Rubble.

    Source: RuleId("location.rubble-chart"), RuleId("location.destroyed.threshold"), RuleId("location.destroyed.note").
    """

    id: str
    name: str
    chart: tuple[ChartRow, ...]
    destroyed_at: int
    note: LocationNote
    note_text: str
    note_survives: bool

    def rations(self, rubble: int) -> int:
        """Return what it gives with so much Rubble, 0 or more."""
        for row in self.chart:
            if row.first <= rubble <= row.last:
                return row.rations
        return 0


class Force(Struct, frozen=True):
    """One Force card; its notes as figures, 0 or False where it has none.

    Source: RuleId("force.combat"), RuleId("force.starting-rations"), RuleId("force.cost"), RuleId("force.note.attack-bonus"),
    RuleId("force.note.retreat-bonus"), RuleId("force.note.free-move"), RuleId("force.note.ignore-hits").
    """

    id: PieceId
    side: Side
    name: str
    combat: int
    rations: int
    cost: int
    attack_bonus: int = 0
    retreat_bonus: int = 0
    has_free_move: bool = False
    ignore_hits: int = 0


class Price(Struct, frozen=True):
    """What a Uranus card costs: `op` is `destroy_own_forces`, `discard_cards` or `discard_rations`."""

    op: str
    count: int


class Title(Struct, frozen=True):
    """What all copies of an Action card have in common.

    `timing` is one of the words in `TIMINGS`; `op` names the effect, the figures are its amounts. `condition` is empty or
    `NO_ENEMY_LEFT`; with `may_join` other Forces may join the Attack of the card. `price` and `removal` are an Operation
    Uranus card's.

    Source: RuleId("card.default-timing"), RuleId("card.any-time"), RuleId("uranus.play-cost"), RuleId("uranus.removal").
    """

    id: str
    name: str
    timing: str
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

    @property
    def is_uranus(self) -> bool:
        """Whether it stays in play until it is removed."""
        return self.price is not None


class ActionCard(Struct, frozen=True):
    """One copy of an Action card with its own Firefight value. Source: RuleId("card.firefight-value")."""

    id: CardId
    side: Side
    title: Title
    value: int


OWN_ACTION = "own_action"
ANY_TIME = "any_time"
IN_BATTLE = "battle"
SUFFERING_HITS = "suffering_hits"
REACT_MOVE = "react_move"
REACT_CARD = "react_card"
REACT_DRAW = "react_draw"
AFTER_BATTLE = "after_battle"
FORCE_DESTROYED = "own_force_destroyed"

TIMINGS = (
    OWN_ACTION,
    ANY_TIME,
    IN_BATTLE,
    SUFFERING_HITS,
    REACT_MOVE,
    REACT_CARD,
    REACT_DRAW,
    AFTER_BATTLE,
    FORCE_DESTROYED,
)

NO_ENEMY_LEFT = "no_enemy_participant_left_in_control_area"
"""The condition of a card that may be played only once a Control Area is rid of the enemy's part in the battle."""


class Figures(Struct, frozen=True):
    """The numbers of the rules that are not on cards. Source: the rules named in `data/rules.toml`."""

    locations_in_play: int
    points: dict[Side, int]
    hand: dict[Side, int]
    area_limit: int
    perimeter_ration: int
    move_cost: int
    attack_cost: int
    attack_rubble: int
    per_ration: int
    per_retreat: int
    per_destroyed: int
    medal_combat: int
    medal_retreat: int
    resupply_rations: int
    draw_base: int
    draw_per_location: int
    victory_locations: int


class Area(Struct, frozen=True):
    """An Area: of which Location, whose, and whether it is the Control Area, else the Perimeter Area."""

    location: str
    side: Side
    is_control: bool


class Cards(Struct, frozen=True):
    """All cards and figures of one match, with the Areas of its Locations.

    `has_timing` tells for each side which timings its deck list holds: windows open by that and not by what is held.

    Source: RuleId("window.who-is-asked").
    """

    digest: Digest
    is_packaged: bool
    locations: dict[str, Location]
    areas: dict[PlaceId, Area]
    forces: dict[PieceId, Force]
    cards: dict[CardId, ActionCard]
    decks: dict[Side, tuple[CardId, ...]]
    piles: dict[Side, tuple[PieceId, ...]]
    has_timing: dict[Side, frozenset[str]]
    figures: Figures

    def location_of(self, place: str) -> str:
        """Return the Location that an Area belongs to; empty for any other place."""
        area = self.areas.get(PlaceId(place))
        return "" if area is None else area.location

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
