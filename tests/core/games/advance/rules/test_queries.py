"""Chapters 3, 4 and 7: what follows from a table without being stored."""

import pytest

from core.games.advance.components.board_records import ARMOR, INFANTRY
from core.games.advance.ids import (
    AIR,
    ARTILLERY,
    ENGINEER,
    FRESH,
    OUT_OF_ACTION,
    REVEALED,
    SUPPLY,
    SUPPORT,
    soviet_unit,
)
from core.games.advance.memory import ATTACKERS, attackers
from core.games.advance.rules.changes import change_morale, eliminate_soviet, move_markers, put_out_of_action
from core.games.advance.rules.queries import (
    contested_areas,
    counter_at,
    fresh_at,
    german_control_count,
    is_isolated,
    is_northern,
    is_strong,
    is_vacant,
    room,
    soviet_areas,
    units_of,
)
from events.ids import PieceId, PlaceId, RuleId, Seat
from events.vocabulary import ControlChanged, PieceMoved, TrackMoved
from tests.support.advance import BOARD, DONE, Scene, drafting, of_type, scene
from tests.support.rows import each_row

TEST = RuleId("9.5.5.success")


@pytest.fixture
def front() -> Scene:
    """Four units in Contested 10, one Spent in Vacant 9, and an Unrevealed unit in 12."""
    units = {**dict.fromkeys(["29/15", "29/71", "29/PZ", "29/RCN"], "10"), "24/26": "9"}
    return scene(decision="activate", units=units, spent="24/26 29/15", soviets={"10": "H3", "12": "?"})


def test_an_area_with_a_soviet_unit_is_soviet(front: Scene) -> None:
    """7.2.soviet-presence, 7.3.contested: four German units beside it change nothing."""
    table = front.table

    assert (table.control[PlaceId("10")], (PlaceId("10") in contested_areas(table, BOARD))) == ("soviet", True)


def test_a_vacant_area_is_german_even_if_empty(front: Scene) -> None:
    """7.4.vacant-is-german (W16)."""
    table = front.table

    assert [(is_vacant(table, PlaceId(area)), table.control[PlaceId(area)]) for area in ("9", "7", "12")] == [
        (True, "german"),
        (True, "german"),
        (False, "soviet"),
    ]


def test_each_area_has_one_side(front: Scene) -> None:
    """7.2.always-controlled: German and Soviet Areas are 50 together."""
    table = front.table

    assert german_control_count(table, BOARD) + len(soviet_areas(table, BOARD)) == 50


def test_contested_needs_both_sides(front: Scene) -> None:
    """7.3.contested: 10, but not 9 and not 12."""
    assert contested_areas(front.table, BOARD) == ("10",)


def test_an_area_left_by_its_last_german_unit_is_not_contested() -> None:
    """7.3.contested: the unit there stays Revealed (4.4.revealed-for-good)."""
    table = scene(decision="activate", units={"24/26": "3"}, soviets={"10": "H3"}).table

    assert (
        (PlaceId("10") in contested_areas(table, BOARD)),
        table.pieces[soviet_unit(PlaceId("10"))].face == REVEALED,
    ) == (False, True)


def test_four_units_fill_an_area(front: Scene) -> None:
    """7.1.german-four: Fresh and Spent together, and the Soviet unit does not count."""
    table = front.table

    assert [room(table, BOARD, PlaceId(area)) for area in ("10", "9", "7")] == [0, 3, 4]


def test_markers_take_no_room(front: Scene) -> None:
    """7.1.markers-free: three support markers beside four units."""
    draft = drafting(front)
    move_markers(draft, ARTILLERY, 3, TEST, source="used", to="10")

    assert (room(draft.table, BOARD, PlaceId("10")), len(front.at("10").split())) == (0, 5)


def test_a_unit_is_fresh_or_spent(front: Scene) -> None:
    """4.2.fresh-spent, 4.3.1.spent-inert."""
    table = front.table

    assert [table.pieces[PieceId(unit)].face == FRESH for unit in ("29/15", "29/71")] == [False, True]
    assert fresh_at(table, PlaceId("10")) == ("29/71", "29/PZ", "29/RCN")


def test_a_unit_has_a_division_or_is_a_gun() -> None:
    """4.3.2.parent-organization: 29/RCN belongs to the 29th, 245A to none."""
    assert [BOARD.units[PieceId(unit)].division for unit in ("29/RCN", "245A", "177")] == ["29", None, None]
    assert units_of(BOARD, "29") == ("29/15", "29/71", "29/PZ", "29/RCN")


@each_row(
    ("unit", "kind", "attack", "movement"),
    [("29/RCN", ARMOR, 6, 6), ("24/26", ARMOR, 6, 6), ("94/267", INFANTRY, 3, 4), ("244A", ARMOR, 4, 6)],
)
def test_what_is_printed_on_a_unit(unit: str, kind: str, attack: int, movement: int) -> None:
    """4.3.1.factors, 4.2.types, 4.2.1.armor, 4.2.2.infantry; 4.3.3.unit-size is printed and has no effect."""
    shown = BOARD.units[PieceId(unit)]

    assert (shown.kind, shown.attack_factor, shown.movement_factor) == (kind, attack, movement)
    assert not hasattr(shown, "size")


def test_northern_units_are_those_printed_with_48_to_50() -> None:
    """12.2.northern-shoulder, 6.3.return-northern: wherever they stand."""
    northern = [unit for unit in BOARD.units if is_northern(BOARD, unit)]

    assert northern == ["60/120", "60/PZ", "16/64", "16/PZ", "16/79", "16/RCN"]


def test_nothing_is_known_of_an_unrevealed_unit(front: Scene) -> None:
    """4.4.unrevealed-hidden: its terrain, and nothing more; a Revealed one lies open."""
    known = counter_at(front.table, BOARD, PlaceId("10"))

    assert (counter_at(front.table, BOARD, PlaceId("12")), front.table.pieces[PieceId("soviet/12")].kind) == (None, "")
    assert known is not None
    assert (known.strategy, known.defence_factor) == ("fanatic", 8)


def test_a_control_marker_lies_where_an_area_was_taken(front: Scene) -> None:
    """4.5.7.control-marker: in 7, never in 1, not in 10."""
    table = front.table

    assert [table.control[PlaceId(area)] for area in ("7", "1", "10")] == ["german", "german", "soviet"]


def test_the_control_count_is_fifty_less_the_soviet_units() -> None:
    """3.4.record-control: 30 Soviet units on the map, 20 Areas."""
    soviets = [str(area) for area in range(18, 48)]
    table = scene(decision="activate", units={"24/26": "3"}, soviets=dict.fromkeys(soviets, "?"))

    assert table.track("control_count") == 20


def test_an_elimination_changes_control_at_once() -> None:
    """7.2.marker-on-elimination, 5.4.no-further-soviets: 9 is German, the count rises by one, no unit need be there."""
    table = scene(decision="activate", units={"24/26": "3"}, soviets={"9": "L5", "10": "?"})
    draft = drafting(table)
    eliminate_soviet(draft, BOARD, PlaceId("9"), TEST)

    assert [(event.place, event.to, event.was) for event in of_type(draft.events, ControlChanged)] == [
        ("9", "german", "soviet")
    ]
    assert [(event.track, event.to) for event in of_type(draft.events, TrackMoved)] == [("control_count", 49)]
    assert (table.at("eliminated"), table.table.control[PlaceId("9")]) == ("soviet/9", "german")


def test_an_elimination_in_october_moves_no_count() -> None:
    """14.2.no-control-count: 35 becomes German, and no track moves."""
    table = scene(scenario="factory", turn=12, decision="activate", units={"24/26": "24"}, soviets={"35": "L20"})
    draft = drafting(table)
    eliminate_soviet(draft, BOARD, PlaceId("35"), TEST)

    assert (of_type(draft.events, TrackMoved), table.table.control[PlaceId("35")]) == ([], "german")


@each_row(("morale", "change", "left"), [(19, 1, 19), (18, 1, 19), (0, -1, 0), (1, -3, 0), (12, -1, 11)])
def test_morale_stays_within_its_bounds(morale: int, change: int, left: int) -> None:
    """5.2.morale-bounds (W13): what goes beyond is lost."""
    table = scene(decision="activate", units={"24/26": "3"}, soviets={"10": "?"}, morale=morale)
    change_morale(drafting(table), BOARD, change, RuleId("6.5.morale-loss"))

    assert table.morale == left


@each_row(("morale", "strong"), [(19, True), (10, True), (9, False), (0, False)])
def test_morale_is_strong_from_10_on(morale: int, strong: bool) -> None:
    """5.2.morale-flip (W13), 3.3.morale-track: the state follows the number in both directions."""
    table = scene(decision="activate", units={"24/26": "3"}, soviets={"10": "?"}, morale=morale)

    assert is_strong(table.table, BOARD) == strong


def test_only_seven_causes_move_morale() -> None:
    """5.2.morale-sources: anything else is a mistake of ours."""
    table = scene(decision="activate", units={"24/26": "3"}, soviets={"10": "?"})

    with pytest.raises(AssertionError, match=r"9\.4\.ambush does not move Morale"):
        change_morale(drafting(table), BOARD, -1, RuleId("9.4.ambush"))


def test_a_lost_unit_goes_to_the_box_and_takes_no_part_in_the_attack_any_more(front: Scene) -> None:
    """3.7.out-of-action-box: and it can be bought back later."""
    draft = drafting(front)
    draft.ask("act", Seat("german"), TEST, {"area": "3"})
    draft.begin_sequence("attack", "lead", TEST, {"area": "10"})
    ATTACKERS.set(draft, "10", (PieceId("29/PZ"),), TEST)
    assert attackers(front.table) == ("29/PZ",)

    put_out_of_action(draft, PieceId("29/PZ"), TEST)

    assert (front.table.pieces_at(OUT_OF_ACTION), attackers(front.table)) == (("29/PZ",), ())
    assert [(event.to, event.was) for event in of_type(draft.events, PieceMoved)] == [("out_of_action", "10")]


@each_row(("marker", "total"), [(AIR, 3), (ARTILLERY, 8), (ENGINEER, 4)])
def test_support_markers_are_finite(marker: str, total: int) -> None:
    """4.5.marker-totals, 3.6.used-box: what is not Available is Used."""
    table = scene(decision="activate", units={"24/26": "3"}, soviets={"10": "?"}, available={"air": 1, "artillery": 8})
    known = next(one for one in SUPPORT if one == marker)

    assert BOARD.markers.of(known) == total
    assert table.marker("available", marker) + table.marker("used", marker) == total


def test_which_areas_are_urban() -> None:
    """6.4.1.roll, 3.1.1.shape: squares and pentagons."""
    assert [BOARD.areas[PlaceId(area)].is_urban for area in ("12", "10", "21", "27", "1")] == [
        True,
        True,
        False,
        False,
        False,
    ]


def test_what_is_isolated_is_marked() -> None:
    """12.3.check-each-dawn: the marker lies on the unit."""
    table = scene(
        decision="activate", units={"24/26": "3"}, soviets={"9": "?", "33": "?"}, markers={"soviet/9": {"isolated": 1}}
    )

    assert [is_isolated(table.table, PlaceId(area)) for area in ("9", "33")] == [True, False]


def test_supply_points_lie_open(front: Scene) -> None:
    """3.4.record-supply: all seats see them."""
    assert front.table.track(SUPPLY) == 0
    assert DONE in front.options
