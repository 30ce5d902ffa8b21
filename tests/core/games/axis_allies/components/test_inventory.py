"""What can be on the table, and where, is declared once; a position or a table that has anything else is answered."""

from core.games.axis_allies.components.board_file import BOARD_FILE
from core.games.axis_allies.components.inventory import SKY, inventory, kind_name, numbers
from core.games.axis_allies.ids import (
    ALLIES,
    ASSAULT,
    AXIS,
    BATTLE,
    FERRY,
    FROZEN,
    ICE_BRIDGE,
    ORDER_DECK,
    POOL,
    SUPPLY,
    UNSUPPLIED,
    URANUS_DECK,
    above,
    order_card,
    round_space,
    token,
    unit,
)
from core.games.axis_allies.memory import DESIGNATED, in_play, remembered
from core.positions.inventory_checks import position_defects
from core.positions.position import FORMAT, PlacedPiece, Position
from events.ids import CardId, GameKey, MarkerId, PieceId, PileId, PlaceId, Side
from tests.support.rows import each_row

BOARD = BOARD_FILE.load()
BOX = inventory(BOARD, remembered(BOARD))


def position(
    pieces: list[PlacedPiece] | None = None,
    markers: dict[str, dict[MarkerId, int]] | None = None,
    piles: dict[PileId, tuple[CardId, ...]] | None = None,
) -> Position:
    return Position(
        format=FORMAT, game=GameKey("axis_allies"), pieces=tuple(pieces or ()), markers=markers or {}, piles=piles or {}
    )


def placed(kind: str, place: str, number: int = 1, face: str = "") -> PlacedPiece:
    side = ALLIES if kind.startswith("sov") else AXIS
    return PlacedPiece(unit(kind, number), PlaceId(place), kind, side, face=face)


def carried(place: str, number: int = 1, side: Side = AXIS) -> PlacedPiece:
    return PlacedPiece(token(number), PlaceId(place), SUPPLY, side)


def test_every_id_is_declared_once() -> None:
    """RuleId("components.boards"), RuleId("components.supply-tokens")."""
    units = sum(len(numbers(BOARD, kind)) for kind in BOARD.units.values())

    assert len(BOX.places_of) == 58 + 3 + 3 + 5 + 2 + 13 + 1 + 1
    assert len(BOX.pieces_of) == units + 18
    assert BOX.names["ger_tank/3"] == "German Tank 3"
    assert in_play(BOARD, "race", {}).names == BOX.names


def test_unit_types_are_named_with_their_nation() -> None:
    """RuleId("unit.nationality")."""
    assert [kind_name(BOARD.units[kind]) for kind in ("ger_infantry", "min_infantry", "sov_infantry")] == [
        "German Infantry",
        "Minor Axis Infantry",
        "Soviet Infantry",
    ]


def test_a_type_has_as_many_units_as_figures_and_chips() -> None:
    """RuleId("components.chips"), RuleId("components.unit-limit")."""
    assert len(numbers(BOARD, BOARD.units["ger_mech_infantry"])) == 6 + 50 + 15 * 3


def test_what_may_lie_where() -> None:
    fine = position(
        [
            *[placed("sov_infantry", "kotluban", number) for number in range(1, 12)],
            placed("sov_infantry", "ambush_station", 12),
            placed("sov_tank", "crossing_gray"),
            placed("ger_bomber", "tatsinskaya", face="ground"),
            placed("ger_infantry", "ger_bomber/2"),
            placed("ger_bomber", "oblivskaya", 2, face="air"),
            placed("ger_fighter", above(PlaceId("crossing_gray")), face="air"),
            placed("sov_fighter", above(PlaceId("crossing_gray")), face="air"),
            carried("ger_bomber/1"),
            carried("ger_bomber/1", 2),
            carried(POOL[ALLIES], 3, ALLIES),
            carried("crossing_white", 4, ALLIES),
        ],
        {
            "kotluban": {ASSAULT: 1, UNSUPPLIED[ALLIES]: 1, UNSUPPLIED[AXIS]: 1},
            above(PlaceId("crossing_gray")): {ASSAULT: 1},
            "crossing_gray": {FERRY: 1},
            round_space(6): {FROZEN: 1},
            "don": {FROZEN: 1},
        },
        {ORDER_DECK: (order_card(1),), URANUS_DECK: (CardId("uranus_2"),)},
    )

    assert position_defects(BOX, fine) == []


@each_row(
    ("wrong", "problem"),
    [
        (position([placed("ger_tank", "tatsinskaya")]), "cannot be in 'tatsinskaya'"),
        (position([placed("sov_fighter", "tatsinskaya", face="ground")]), "cannot be in 'tatsinskaya'"),
        (position([placed("ger_infantry", "crossing_gray")]), "cannot be in 'crossing_gray'"),
        (position([placed("sov_tank", "ambush_station")]), "cannot be in 'ambush_station'"),
        (position([placed("sov_tank", "crossing_gray"), carried("crossing_gray", 1, ALLIES), placed("sov_tank", "crossing_gray", 2)]), "does not fit into crossing_gray"),
        (position([placed("sov_bomber", above(PlaceId("crossing_gray")), face="air")]), "cannot be in"),
        (position([placed("ger_bomber", "tatsinskaya", face="ground"), *[carried("ger_bomber/1", number) for number in (1, 2, 3)]]), "does not fit into ger_bomber/1"),
        (position([placed("ger_bomber", "tatsinskaya", face="upside-down")]), "face"),
        (position([placed("ger_tank", "stalingrad")]), "cannot be in 'stalingrad'"),
        (position([PlacedPiece(PieceId("token/19"), PlaceId("kalach"), SUPPLY, AXIS)]), "token/19"),
        (position(markers={"kotluban": {ASSAULT: 1, BATTLE: 1}}), "kotluban"),
        (position(markers={"kotluban": {FERRY: 1}}), "kotluban"),
        (position(markers={"crossing_gray": {FERRY: 1, ICE_BRIDGE: 1}}), "crossing_gray"),
        (position(piles={ORDER_DECK: (CardId("uranus_2"),)}), "card for order_deck"),
    ],
)  # fmt: skip
def test_what_may_not(wrong: Position, problem: str) -> None:
    """RuleId("zone.base.entry"), RuleId("ambush.who"), RuleId("movement.volga.capacity"), RuleId("volga-attack.axis-only")."""
    assert [defect for defect in position_defects(BOX, wrong) if problem in defect.problem]


def test_there_are_fifteen_combat_markers_in_all() -> None:
    """RuleId("components.combat-markers")."""
    zones = [place for place, group in BOX.places_of.items() if group.what in ("zone", SKY)]
    markers: dict[str, dict[MarkerId, int]] = {
        place: {ASSAULT if number % 2 else BATTLE: 1} for number, place in enumerate(zones[-16:])
    }

    assert position_defects(BOX, position(markers=dict(list(markers.items())[:15]))) == []
    assert position_defects(BOX, position(markers=markers))


def test_memory_that_names_units_loses_those_that_are_gone() -> None:
    assert DESIGNATED.names_pieces
