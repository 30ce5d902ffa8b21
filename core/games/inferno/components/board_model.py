"""Model of map, blocks and cards for the rules: the records of a component file, put together and quick to look up."""

from core.components.component_file import Source
from core.games.inferno.components.board_records import (
    INFANTRY,
    PANZER,
    PANZER_GRENADIER,
    TANK,
    DesignersWay,
    Edge,
    HexRow,
    Leaders,
    Limits,
    RubbleFigures,
    SetUp,
    Spawn,
    SpawnUnits,
    Terrain,
    TitleRow,
    Track,
    Victory,
)
from core.games.inferno.ids import EDGES, GERMAN
from core.geometry import hexes
from events.codec import Struct
from events.ids import CardId, PlaceId, Side


class Hex(HexRow, frozen=True, kw_only=True):
    """One hex of the board.

    `toward` has the next hex for each face of the Soviet Compass, from 1 to 6, None off the map; `near` has all next hexes.
    """

    toward: tuple[PlaceId | None, ...]
    near: tuple[PlaceId, ...]

    @property
    def position(self) -> hexes.Hex:
        """Where it lies on the grid."""
        return hexes.Hex(self.q, self.r)

    @property
    def northness(self) -> tuple[int, int]:
        """Where it is in the order of the compass dice: farthest north first, then nearest the Volga. Source: ruling.roll-order-level."""
        return self.q, self.r

    def next_hex(self, face: int) -> PlaceId | None:
        """Return the next hex in the direction of a die, or None off the map. Source: ai.compass, ruling.compass."""
        return self.toward[face - 1]


class Block(Struct, frozen=True):
    """One block.

    `kind` is `infantry`, `motorized`, `panzer_grenadier` or `panzer` of a German block, and `guards`, `division`, `brigade`,
    `motorized`, `destroyer`, `aa`, `workers`, `tank` or `marine` of a Soviet one. `colour` and `formation` are empty for Soviet blocks,
    `pool` (`infantry`, `tank`, `marine`) for German ones. `start` is the hex in which it is set up, or None.
    """

    id: CardId
    name: str
    side: Side
    kind: str
    edges: tuple[Edge, ...]
    formation: str = ""
    colour: str = ""
    pool: str = ""
    is_r_unit: bool = False
    is_axe: bool = False
    start: PlaceId | None = None

    @property
    def is_tank(self) -> bool:
        """Whether it counts as a Tank. Source: units.two-types."""
        return self.kind in (PANZER, PANZER_GRENADIER, TANK)

    @property
    def is_infantry(self) -> bool:
        """Whether it counts as Infantry; Panzer Grenadiers do both. Source: units.two-types."""
        return self.kind not in (PANZER, TANK)

    @property
    def has_blitz(self) -> bool:
        """Whether it may Blitz under Hoth. Source: units.blitz-kinds, ruling.blitz-unit-counts."""
        return self.side == GERMAN and self.kind != INFANTRY

    def edge(self, face: str) -> Edge:
        """Return the edge that is on top when the block shows a face."""
        return self.edges[EDGES.index(face)]

    @property
    def lowest_face(self) -> str:
        """The face of its lowest Strength. Source: ai.adjust-no-dot."""
        return EDGES[max(index for index, edge in enumerate(self.edges) if edge.strength)]


class Title(TitleRow, frozen=True, kw_only=True):
    """Common part of all cards of one title; see `TitleRow`."""

    side: Side


class Card(Struct, frozen=True):
    """One card. `hex` is where an AA card puts Rubble; an extra card is in the deck only by ruling.pioneer-672nd."""

    id: CardId
    side: Side
    title: Title
    name: str
    hex: PlaceId | None = None
    needs_linden: bool = False
    is_extra: bool = False


class Board(Struct, frozen=True):
    """Everything printed on board, blocks and cards, quick to look up.

    Dictionaries are in the order of the file and never changed. `hits_from` is the lowest number of a die that hits, by firepower.
    `compass` has the way of each face of the Soviet Compass, from 1 to 6: 0 is up on the upright board, the others follow clockwise.
    `spawn_tables` are the readings of the lost icons (`A`, `B`, `C`), each in the order of the Spawn Action. `soviet_spawn` are the Soviet
    Spawn Hexes in that order, `entry` the German ones by the colour of the units that enter there, `german_spawn` all of them.
    `soviet_blocks` is the number of Soviet blocks. `removed_units` are the units that a row of the track may Remove, by row.
    """

    source: Source
    hexes: dict[PlaceId, Hex]
    river: tuple[tuple[int, int], ...]
    compass: tuple[int, ...]
    terrain: dict[str, Terrain]
    hits_from: dict[str, int]
    blocks: dict[CardId, Block]
    soviet_blocks: int
    titles: dict[Side, dict[str, Title]]
    cards: dict[CardId, Card]
    limits: Limits
    setup: SetUp
    track: Track
    removed_units: dict[int, CardId]
    spawn: Spawn
    spawn_tables: dict[str, tuple[SpawnUnits, ...]]
    soviet_spawn: tuple[PlaceId, ...]
    german_spawn: tuple[PlaceId, ...]
    entry: dict[str, tuple[PlaceId, ...]]
    leaders: Leaders
    rubble: RubbleFigures
    victory: Victory
    designers_way: DesignersWay

    def terrain_of(self, place: PlaceId) -> Terrain:
        """Return what the terrain of a hex allows."""
        return self.terrain[self.hexes[place].terrain]

    def deck(self, side: Side, *, has_extra: bool = False) -> tuple[CardId, ...]:
        """Return the cards of a side's deck.

        Args:
            side: The side.
            has_extra: Whether the 672nd is a fifth Pioneer card (ruling.pioneer-672nd).
        """
        return tuple(card.id for card in self.cards.values() if card.side == side and (has_extra or not card.is_extra))

    def blocks_of(self, side: Side, *, has_axe: bool = False) -> tuple[Block, ...]:
        """Return the blocks of a side.

        Args:
            side: The side.
            has_axe: Whether the 6th Panzer Division is among them.
        """
        return tuple(block for block in self.blocks.values() if block.side == side and (has_axe or not block.is_axe))
