"""Printed names: what an id is called, and a block by what is known of it."""

from collections.abc import Iterable, Mapping

from core.components.inventory import Memory
from core.game_files.printed_names import printed_words
from core.games.inferno.components.board_model import Board
from core.games.inferno.components.inventory import (
    CALLED_BOX,
    DEATH_POOL_BOX,
    RAUS_BOX,
    REMOVED_BOX,
    TRACK_BOX,
    block_group,
    inventory,
)
from core.games.inferno.components.words.map_words import TERRAIN_NAMES
from core.games.inferno.ids import PACKAGE, SIDES, SOVIET
from core.games.inferno.memory import NUMBER, POOL
from core.games.inferno.narration.sentences import army_words, edge_words
from core.narration.place_name import PlaceName
from core.wording import joined
from events.ids import CardId, PieceId
from projections.state.table import Table

FIREPOWER_NAMES = {"SF": "Single Fire", "DF": "Double Fire", "TF": "Triple Fire"}
KIND_NAMES = {
    "infantry": "Infantry",
    "motorized": "Motorized Infantry",
    "panzer_grenadier": "Panzer Grenadier",
    "panzer": "Panzer",
    "guards": "Guards",
    "division": "Infantry Division",
    "brigade": "Infantry Brigade",
    "destroyer": "Destroyer Brigade",
    "aa": "AA Regiment",
    "workers": "Workers",
    "tank": "Tank",
    "marine": "Marine",
}

BOXES = (TRACK_BOX, REMOVED_BOX, RAUS_BOX, CALLED_BOX, DEATH_POOL_BOX)


class Names:
    """The names of one board.

    Args:
        board: Has the printed names of hexes, blocks and cards.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.inventory = inventory(board, Memory())
        self.names: Mapping[str, str] = {
            **KIND_NAMES,
            **FIREPOWER_NAMES,
            **TERRAIN_NAMES,
            **{title.id: title.name for side in SIDES for title in board.titles[side].values()},
            **self.inventory.names,
            **printed_words(PACKAGE),
        }

    def name(self, id_: str) -> str:
        """Return what an id is called; the id itself if it has no other name."""
        return self.names.get(id_, id_)

    def piece(self, table: Table, piece: PieceId) -> str:
        """Name a block by what a table's viewer knows: its unit with dots and firepower, else as hidden."""
        there = table.pieces.get(piece)
        if there is not None and there.kind in self.board.blocks:
            return edge_words(self.board, there.kind, there.face)
        return self.hidden(table, piece)

    def army(self, table: Table, piece: PieceId) -> str:
        """Return of which army a block is that a table's viewer knows; empty for other blocks and Soviet ones."""
        block = self.board.blocks.get(CardId(table.pieces[piece].kind)) if piece in table.pieces else None
        return "" if block is None else army_words(block)

    def enlisted(self, table: Table, piece: PieceId) -> str:
        """Name a block with its army, as far as a table's viewer knows it: `274th Infantry Regiment (4 DF, Blue)`."""
        said, army = self.piece(table, piece), self.army(table, piece)
        if not army:
            return said
        return f"{said.removesuffix(')')}, {army})" if said.endswith(")") else f"{said} ({army})"

    def hidden(self, table: Table, piece: PieceId) -> str:
        """Name a block that is not known: by its token, with the pool from which it came, which all know."""
        pool = POOL.of(table, piece)
        return f"hidden {self.block(table, piece)}{f' ({pool.capitalize()})' if pool else ''}"

    def block(self, table: Table, piece: PieceId) -> str:
        """Name a block by the number that it has had since it came onto the map. Source: ruling.block-tracking."""
        number = NUMBER.of(table, piece)
        return self.name(piece) if number is None else f"{block_group(SOVIET)} {number}"

    def units(self, table: Table, units: Iterable[str]) -> str:
        """Name blocks as in a sentence."""
        return joined([self.piece(table, PieceId(unit)) for unit in units])

    def place_names(self) -> tuple[PlaceName, ...]:
        """Name the hexes in the order of the file, then the boxes."""
        groups = [group for group in self.inventory.places if group.what in BOXES]
        boxes = [PlaceName(box, name, "", is_box=True) for group in groups for box, name in group.names.items()]
        return (*[PlaceName(hex_, self.name(hex_), hex_) for hex_ in self.board.hexes], *boxes)
