"""The component file of this game, record by record.

Structs named `…Row` are what a file says of a thing; where the rules know more of it, `board_model` has another one. Hexes are named
as they are printed (`"7"`, `"W"`), blocks by the number of their unit and what it is (`"64-panzer-grenadier"`).
"""

from typing import Annotated, ClassVar, Literal

from core.components.fields import Name, ProvenanceSections, Text, row_of
from events.codec import Meta, Struct
from events.ids import PlaceId

CLEAR = "clear"
ROUGH = "rough"
URBAN = "urban"
TERRAINS = (CLEAR, ROUGH, URBAN)

WHITE = "white"
YELLOW = "yellow"
BLUE = "blue"
COLOURS = (WHITE, YELLOW, BLUE)

INFANTRY = "infantry"
TANK = "tank"
MARINE = "marine"
POOLS = (INFANTRY, TANK, MARINE)

PANZER = "panzer"
PANZER_GRENADIER = "panzer_grenadier"
MOTORIZED = "motorized"
GUARDS = "guards"
DIVISION = "division"
DESTROYER = "destroyer"
AA = "aa"

LEADER = "leader"
FIRE = "fire"
LOSE_STEPS = "lose_steps"
FLOTILLA = "flotilla"
CANCEL_AIRSTRIKE = "cancel_airstrike"
DEPLOY = "deploy"

HexId = Annotated[
    PlaceId,
    Meta(
        pattern="^([W-Z]|[1-9]|[1-9][0-9]|10[0-5])$",
        extra={"expected": 'a hex of the board, "1" to "105" or "W" to "Z"'},
    ),
]
Hexes = Annotated[tuple[HexId, ...], Meta(max_length=109)]
Coordinate = Annotated[int, Meta(ge=-100, le=100)]
BlockId = Annotated[
    str,
    Meta(pattern="^[a-z0-9][a-z0-9-]{0,59}$", extra={"expected": "up to 60 lower-case letters, digits and hyphens"}),
]
EdgeText = Annotated[
    str, Meta(pattern="^([1-4](SF|DF|TF)|-)$", extra={"expected": 'dots and firepower, as in "4SF", or "-"'})
]
DIRECTIONS = ("east", "southeast", "southwest", "west", "northwest", "northeast")
"""The directions of `core.geometry.hexes`: north is at the left edge of the upright board, so that up is east."""
Direction = Literal["east", "southeast", "southwest", "west", "northwest", "northeast"]
Colour = Literal["white", "yellow", "blue"]
Firepower = Literal["", "SF", "DF", "TF"]
Count = Annotated[int, Meta(ge=0, le=200)]
Few = Annotated[int, Meta(ge=0, le=20)]
Factor = Annotated[int, Meta(ge=1, le=10)]
Row = Annotated[int, Meta(ge=1, le=6)]
Face = Annotated[int, Meta(ge=2, le=6)]


class Terrain(Struct, frozen=True):
    """Privileges of a terrain: Long Movement, the Rubble Roll, first fire of the defender, Hoth's two privileges.

    Source: terrain.clear, terrain.rough, terrain.urban.
    """

    long_move: bool
    rubble_roll: bool
    defender_first: bool
    combined_force: bool
    blitz: bool


class Terrains(Struct, frozen=True):
    """The three types of terrain."""

    clear: Terrain
    rough: Terrain
    urban: Terrain


class Compass(Struct, frozen=True):
    """The Soviet Compass: the directions of the faces 1 to 6. Source: ai.compass."""

    directions: tuple[Direction, Direction, Direction, Direction, Direction, Direction]


class HexRow(Struct, frozen=True, rename={"is_coastal": "coast", "is_setup": "setup"}):
    """One hex: its axial coordinates, terrain and name, whether it is coastal or a Setup hex, whose Spawn Hex it is if one.

    `fortification` is the colour of the disc that the hard Designer's level puts there.

    Source: components.spawn-hexes, components.coastal-hexes, components.setup-hexes,
    components.fortification-discs.
    """

    id: HexId
    q: Coordinate
    r: Coordinate
    terrain: Literal["clear", "rough", "urban"]
    name: Text = ""
    is_coastal: bool = False
    is_setup: bool = False
    spawn: Literal["", "soviet", "yellow", "blue"] = ""
    fortification: Literal["", "brown", "red"] = ""


class HexTable(Struct, frozen=True):
    """The 109 hexes."""

    rows: Annotated[tuple[HexRow, ...], Meta(min_length=109, max_length=109)]


class River(Struct, frozen=True):
    """The hexes of the picture that are water, by their coordinates; they are no hexes of the game."""

    hexes: Annotated[tuple[tuple[Coordinate, Coordinate], ...], Meta(max_length=200)]


class FirepowerTable(Struct, frozen=True):
    """The lowest number of a die that hits. Source: firepower.single, firepower.double, firepower.triple."""

    SF: Face
    DF: Face
    TF: Face


class Edge(Struct, frozen=True):
    """One edge of a block: its dots, 0 if it has none, and their colour, "SF", "DF" or "TF"."""

    strength: int
    firepower: str


class BlockRow(Struct, frozen=True):
    """A block: its edges in the order in which it is turned, full strength first. Source: strength.dots."""

    id: BlockId
    name: Text
    edges: tuple[EdgeText, EdgeText, EdgeText, EdgeText]

    @property
    def steps(self) -> tuple[Edge, ...]:
        """The edges as the rules use them."""
        return tuple([Edge(0, "") if text == "-" else Edge(int(text[0]), text[1:]) for text in self.edges])


class GermanRow(BlockRow, frozen=True, rename={"is_axe": "axe", "is_r_unit": "r_unit"}):
    """One German block.

    `axe` marks the 6th Panzer Division, `r_unit` the
    units that count double, `start` is the hex in which it begins.

    Source: components.unit-colours, components.r-units, setup.step-8, strength.dots,
    firepower.per-edge.
    """

    formation: Text
    kind: Literal["infantry", "motorized", "panzer_grenadier", "panzer"]
    colour: Colour
    is_r_unit: bool = False
    is_axe: bool = False
    start: HexId | None = None


class GermanTable(Struct, frozen=True):
    """All German blocks."""

    rows: Annotated[tuple[GermanRow, ...], Meta(min_length=1, max_length=200)]


class SovietRow(BlockRow, frozen=True):
    """One Soviet block, with the pool to which it returns. Source: components.soviet-blocks, components.pools."""

    pool: Literal["infantry", "tank", "marine"]
    kind: Literal["guards", "division", "brigade", "motorized", "destroyer", "aa", "workers", "tank", "marine"]


class SovietTable(Struct, frozen=True):
    """All Soviet blocks."""

    rows: Annotated[tuple[SovietRow, ...], Meta(min_length=1, max_length=200)]


class Limits(Struct, frozen=True):
    """Numbers of units that fit into a hex, and of Rubble markers.

    Source: stack.limit, components.rubble-markers.
    """

    stack: Factor
    rubble_markers: Count


class RandomInfantry(Struct, frozen=True):
    """Infantry of a colour drawn for a hex at the start. Source: setup.step-8."""

    ROW_KEY: ClassVar[str] = "hex"

    hex: HexId
    colour: Colour
    number: Factor


class SetUp(Struct, frozen=True):
    """Control at the start, the sizes of the pools, the opening hand, and drawn Infantry.

    Source: control.initial, setup.step-4, setup.step-5, setup.step-8,
    setup.step-10.
    """

    german_control: Hexes
    tank_pool: Count
    infantry_pool: Count
    german_hand: Few
    random_infantry: Annotated[tuple[RandomInfantry, ...], Meta(max_length=10)]


class RemovedUnit(Struct, frozen=True):
    """The unit that a row of the track may Remove. Source: components.r-units, ruling.r-units-identity."""

    ROW_KEY: ClassVar[str] = "row"

    row: Row
    unit: Annotated[str, row_of("german_blocks.rows")]


class Track(Struct, frozen=True):
    """The Reinforcement Track, and the figures of a Call for Reinforcements.

    `white_boxes` are the boxes at the end of a row in which White Infantry begins.

    Source: components.reinforcement-track, setup.step-9, german.reinforce.six-dice.
    """

    rows: Row
    boxes: Factor
    white_boxes: Few
    dice: Factor
    cards: Few
    raus_row: Row
    removed_units: Annotated[tuple[RemovedUnit, ...], Meta(max_length=6)]


class SpawnUnits(Struct, frozen=True):
    """Units that a Soviet Spawn Hex receives."""

    ROW_KEY: ClassVar[str] = "hex"

    hex: HexId
    infantry: Few
    tanks: Few

    @property
    def number(self) -> int:
        """How many units it is due."""
        return self.infantry + self.tanks


class SpawnTable(Struct, frozen=True):
    """A reading of the lost icons. Source: soviet.spawn.table, ruling.spawn-icons."""

    id: Literal["A", "B", "C"]
    units: Annotated[tuple[SpawnUnits, ...], Meta(min_length=1, max_length=9)]


class Spawn(Struct, frozen=True):
    """The Soviet Spawn Action: the order of the hexes, and how many cards replace what cannot be placed.

    Source: soviet.spawn.order, soviet.spawn.table, soviet.spawn.full-hex,
    soviet.spawn.pool-empty.
    """

    order: Hexes
    full_hex_cards: Few
    empty_pool_cards: Few
    tables: Annotated[tuple[SpawnTable, ...], Meta(min_length=3, max_length=3)]


class Copy(Struct, frozen=True, rename={"is_extra": "extra"}):
    """One card of a title that is not like the others.

    `hex` is where an AA card puts Rubble. With `needs_linden` it can be played only with Linden in play. An `extra` card is in
    the deck only by option.

    Source: soviet.card.aa-rubble, leader.linden.672nd, ruling.pioneer-672nd.
    """

    id: BlockId
    name: Text = ""
    hex: HexId | None = None
    needs_linden: bool = False
    is_extra: bool = False


class TitleRow(Struct, frozen=True, rename={"is_airstrike": "airstrike"}):
    """All cards of one title.

    `op` names what they do: a `leader`; `fire` with dice; `lose_steps` of the strongest enemy `target`; the `flotilla`;
    `cancel_airstrike`; `deploy` a unit of a pool. `rubble` modifies the Rubble Roll.

    Source: components.german-deck, components.soviet-deck.
    """

    id: Name
    name: Text
    op: Literal["leader", "fire", "lose_steps", "flotilla", "cancel_airstrike", "deploy"]
    count: Factor
    dice: Few = 0
    firepower: Firepower = ""
    rubble: Few = 0
    is_airstrike: bool = False
    steps: Few = 0
    target: Literal["", "infantry", "tank"] = ""
    deploys: Literal["", "infantry", "tank"] = ""
    copies: Annotated[tuple[Copy, ...], Meta(max_length=20)] = ()


class CardTable(Struct, frozen=True):
    """The two decks."""

    german: Annotated[tuple[TitleRow, ...], Meta(min_length=1, max_length=40)]
    soviet: Annotated[tuple[TitleRow, ...], Meta(min_length=1, max_length=40)]


class Leaders(Struct, frozen=True):
    """Effects of leaders in play: factors of cards drawn, airstrikes and Snipers, Opportunity Fire, Khrushchev's bonus.

    Source: leader.paulus, leader.richthofen.dice, leader.zaytsev,
    leader.chuikov.opportunity-fire, leader.khrushchev.bonus.
    """

    paulus_factor: Factor
    von_richthofen_factor: Factor
    zaytsev_factor: Factor
    opportunity_dice: Factor
    khrushchev_bonus: Few


class RubbleFigures(Struct, frozen=True):
    """The Rubble Roll, and the hits for a Step in Rubble. Source: rubble.roll.threshold, rubble.double-defense."""

    dice: Factor
    must_exceed: Few
    per_hex: Few
    per_tank: Few
    hits_per_step: Factor


class Victory(Struct, frozen=True):
    """German losses that decide, what R units count, extra turns and objective under OKH.

    Source: victory.soviet-decisive.losses, victory.okh.max-five, victory.okh.nineteen-hexes.
    """

    german_losses: Factor
    r_unit_points: Factor
    okh_extra_turns: Few
    okh_hexes: Hexes


GermanAdvantage = Literal["paulus", "hoth", "von_richthofen", "linden", "okh", "sixth_panzer"]
SovietAdvantage = Literal["chuikov", "khrushchev", "zaytsev", "marines_empowered", "late_deployment", "immortal_guard"]


class DesignersWay(Struct, frozen=True):
    """The Designer's Way: Advantages in the order of their numbers, and the figures of its rules.

    Source: designer.advantage.list, designer.advantage.late-deployment,
    designer.chuikov.headquarters, designer.fortification.bonus.
    """

    german_advantages: Annotated[tuple[GermanAdvantage, ...], Meta(min_length=6, max_length=6)]
    soviet_advantages: Annotated[tuple[SovietAdvantage, ...], Meta(min_length=6, max_length=6)]
    late_divisions: Count
    headquarters_dice: Factor
    fortification_bonus: Few


class BoardFile(ProvenanceSections, frozen=True, kw_only=True):
    """A whole component file of this game: hex map, blocks, cards, set-up and the figures of the rules."""

    schema: Literal["inferno-on-the-volga/1"]
    terrain: Terrains
    compass: Compass
    hexes: HexTable
    river: River
    firepower: FirepowerTable
    german_blocks: GermanTable
    soviet_blocks: SovietTable
    limits: Limits
    setup: SetUp
    track: Track
    spawn: Spawn
    cards: CardTable
    leaders: Leaders
    rubble: RubbleFigures
    victory: Victory
    designers_way: DesignersWay
