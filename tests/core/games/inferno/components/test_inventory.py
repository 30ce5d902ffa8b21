"""What can be on the table, and where, is declared once; a position or a table that has anything else is answered."""

from core.components.inventory import Memory
from core.games.inferno.components.board import BOARD_FILE
from core.games.inferno.components.inventory import inventory
from core.games.inferno.ids import (
    DEATH_POOL,
    GERMAN,
    HEADQUARTERS,
    POOL_PILES,
    RAUS,
    RUBBLE,
    SOVIET,
    SOVIET_SEAT,
    YELLOW_SEAT,
    deck,
    hand,
    token,
    track_box,
)
from core.positions.inventory_checks import position_defects
from core.positions.position import FORMAT, PlacedPiece, Position
from events.ids import CardId, GameKey, MarkerId, PieceId, PileId, PlaceId
from tests.support.rows import each_row

BOARD = BOARD_FILE.load()
BOX = inventory(BOARD, Memory())
BASE = inventory(BOARD, Memory(), has_axe=False, has_extra=False)


def position(
    pieces: list[PlacedPiece] | None = None,
    markers: dict[str, dict[MarkerId, int]] | None = None,
    piles: dict[PileId, tuple[CardId, ...]] | None = None,
) -> Position:
    return Position(
        format=FORMAT, game=GameKey("inferno"), pieces=tuple(pieces or ()), markers=markers or {}, piles=piles or {}
    )


def blocks(number: int, place: str) -> list[PlacedPiece]:
    return [PlacedPiece(token(GERMAN, one), PlaceId(place), side=GERMAN) for one in range(1, number + 1)]


def test_every_id_is_declared_once() -> None:
    """RuleId("components.german-blocks"), RuleId("components.soviet-blocks")."""
    remembered = (
        len(BOARD.blocks_of(SOVIET)) + len(POOL_PILES) + sum(card.title.is_airstrike for card in BOARD.cards.values())
    )

    assert len(BOX.places_of) == 109 + 30 + 6 + 2 + remembered
    assert len(BOX.pieces_of) == 40 + 53
    assert len(BOX.group_of) == len(BOX.places_of) + len(BOX.pieces_of) + 2 + 2
    assert {kind for group in BOX.pieces for kinds in group.kinds.values() for kind in kinds} == {"", *BOARD.blocks}


def test_the_box_without_the_designers_way() -> None:
    """RuleId("setup.step-1"), ruling.pioneer-672nd."""
    cards = {group.what: len(group.names) for group in BASE.cards if group.are_all_out}

    assert cards == {
        "German unit": 37,
        "Soviet unit": 53,
        "German card": 26,
        "Soviet card": 28,
    }
    assert BOX.cards_of.keys() - BASE.cards_of.keys() == {
        "11-panzer",
        "4-panzer-grenadier",
        "114-panzer-grenadier",
        "german/pioneer-336",
    }


def test_what_may_lie_where() -> None:
    fine = position(
        [
            *blocks(4, "7"),
            PlacedPiece(token(GERMAN, 9), track_box(1, 1), side=GERMAN),
            PlacedPiece(token(GERMAN, 8), DEATH_POOL, side=GERMAN),
        ],
        {"7": {RUBBLE: 1}, "removed/6": {RAUS: 1}, "28": {HEADQUARTERS: 1}},
        {deck(SOVIET): (CardId("soviet/aa-7"),), hand(YELLOW_SEAT): (CardId("german/stuka-1"),)},
    )

    assert position_defects(BOX, fine) == []


@each_row(
    ("wrong", "problem"),
    [
        (position(blocks(5, "7")), "does not fit into 7, which holds 4 German blocks at most"),
        (position(markers={"28": {RUBBLE: 1}}), "marker for 28"),
        (position(markers={"7": {RUBBLE: 2}}), "2 markers rubble lie on 7"),
        (position([PlacedPiece(token(SOVIET, 1), DEATH_POOL, side=SOVIET)]), "cannot be in 'death_pool'"),
        (position([PlacedPiece(PieceId("soviet/54"), PlaceId("7"), side=SOVIET)]), "soviet/54"),
        (position([PlacedPiece(token(SOVIET, 1), PlaceId("106"), side=SOVIET)]), "106"),
        (position([PlacedPiece(token(SOVIET, 1), PlaceId("7"), "36-panzer", SOVIET)]), "kind of soviet/1"),
        (position(piles={POOL_PILES["tank"]: (CardId("45-rifle"),)}), "card for tank_pool"),
        (position(piles={hand(SOVIET_SEAT): (CardId("german/stuka-1"),)}), "card for soviet_hand"),
        (
            position(piles={hand(YELLOW_SEAT): (CardId("german/stuka-1"),), deck(GERMAN): (CardId("german/stuka-1"),)}),
            "german/stuka-1 is there 2 times",
        ),
    ],
)  # fmt: skip
def test_what_may_not(wrong: Position, problem: str) -> None:
    """RuleId("stack.limit"), RuleId("rubble.urban-only"), RuleId("rubble.one-per-hex"), RuleId("components.playing-area")."""
    assert [defect for defect in position_defects(BOX, wrong) if problem in defect.problem]


def test_sixteen_rubble_markers_are_too_many() -> None:
    """RuleId("rubble.max-fifteen")."""
    urban = [hex_.id for hex_ in BOARD.hexes.values() if hex_.terrain == "urban"]
    markers = {place: {RUBBLE: 1} for place in urban}

    assert position_defects(BOX, position(markers=dict(list(markers.items())[:15]))) == []
    assert position_defects(BOX, position(markers=dict(list(markers.items())[:16])))
