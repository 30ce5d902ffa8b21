"""Everything on the table has a printed name, and a block is called by what is known of it."""

from core.games.inferno.components.board import BOARD_FILE
from core.games.inferno.ids import (
    EDGES,
    GERMAN,
    HEADQUARTERS,
    SIDES,
    SOVIET,
    combat_card,
    deck,
    discards,
    leaders,
    removed_box,
    token,
    track_box,
)
from core.games.inferno.narration.names import Names
from events.codec import replace
from events.ids import PieceId, PlaceId
from projections.state.table import Piece, Table
from tests.support.rows import each_row

BOARD = BOARD_FILE.load()
NAMES = Names(BOARD)


@each_row(
    ("id_", "name"),
    [
        ("28", "hex 28 (Mamayev Kurgan)"),
        ("58", "hex 58"),
        ("64-panzer-grenadier", "64th Panzer Grenadier Regiment"),
        ("soviet/aa-7", "AA"),
        ("german/pioneer-672", "672nd Pioneer"),
        ("german/17", "German block 17"),
        ("chuikov", "Chuikov"),
        (HEADQUARTERS, "Chuikov's headquarters"),
        ("sixth_panzer", "6th Panzer"),
        ("fortification/red", "red Fortification"),
        ("yellow", "Yellow"),
        ("soviet", "Soviet"),
        (track_box(2, 5), "row 2, box 5 of the Reinforcement Track"),
        (removed_box(1), "Removed unit of row 1"),
    ],
)
def test_printed_names(id_: str, name: str) -> None:
    assert NAMES.name(id_) == name


def test_everything_on_a_board_has_a_name_of_its_own() -> None:
    ids = [*BOARD.hexes, *BOARD.blocks, *BOARD.cards]
    ids += [pile(side) for side in SIDES for pile in (deck, discards, combat_card, leaders)]
    ids += [token(GERMAN, 40), token(SOVIET, 53)]

    assert [id_ for id_ in ids if NAMES.name(id_) == id_] == []


@each_row(
    ("piece", "name"),
    [
        (Piece(token(SOVIET, 1), "", SOVIET, PlaceId("7")), "hidden Soviet block 1"),
        (Piece(token(SOVIET, 1), "20-destroyer", SOVIET, PlaceId("7"), EDGES[1], 2), "20th Destroyer Brigade (2 SF)"),
        (
            Piece(token(SOVIET, 1), "20-destroyer", SOVIET, PlaceId("7"), EDGES[3], 0),
            "20th Destroyer Brigade (no dots)",
        ),
        (Piece(token(SOVIET, 1), "20-destroyer", SOVIET, PlaceId("7")), "20th Destroyer Brigade"),
    ],
)
def test_a_block_is_called_by_what_is_known_of_it(piece: Piece, name: str) -> None:
    table = replace(Table(), pieces={piece.id: piece})

    assert NAMES.piece(table, piece.id) == name
    assert NAMES.piece(table, PieceId("soviet/2")) == "hidden Soviet block 2"


def test_places_are_the_hexes_and_the_boxes() -> None:
    places = NAMES.place_names()

    assert [place.id for place in places if not place.is_box] == list(BOARD.hexes)
    assert sum(place.is_box for place in places) == 30 + 6 + 2
