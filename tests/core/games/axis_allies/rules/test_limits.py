"""Pieces, chips and Combat Markers that are left."""

from core.games.axis_allies.components.inventory import numbers
from core.games.axis_allies.ids import ASSAULT, BATTLE, above
from core.games.axis_allies.options import COMPONENT_LIMITS, NO_LIMIT
from core.games.axis_allies.rules import deployment
from events.ids import PlaceId
from tests.support.axis_allies import BOARD, SCENE, bare, charts, control_but
from tests.support.rows import each_row

ZONES = control_but()


def test_a_unit_type_needs_a_piece_for_each_of_its_stacks() -> None:
    """RuleId("components.unit-limit"), RuleId("components.limits-general")."""
    table = bare(units={zone: {"sov_rocket_launcher": 1} for zone in ZONES[:8]}).table

    assert not deployment.can_add(table, BOARD, "sov_rocket_launcher", PlaceId(ZONES[8]))
    assert deployment.can_add(table, BOARD, "sov_rocket_launcher", PlaceId(ZONES[0]))
    assert deployment.can_add(table, BOARD, "sov_tank", PlaceId(ZONES[8]))


def test_without_limits_only_the_numbers_of_units_end() -> None:
    """ruling.chips-enforced"""
    last = len(numbers(BOARD, BOARD.units["sov_rocket_launcher"]))
    units = {ZONES[0]: {"sov_rocket_launcher": last - 1}, **{zone: {"sov_tank": 1} for zone in ZONES[1:12]}}
    table = bare(units=units, options={COMPONENT_LIMITS.key: NO_LIMIT}).table

    assert deployment.can_add(table, BOARD, "sov_tank", PlaceId(ZONES[20]))
    assert deployment.can_add(table, BOARD, "sov_rocket_launcher", PlaceId(ZONES[0]))
    assert not deployment.can_add(table, BOARD, "sov_rocket_launcher", PlaceId(ZONES[0]), 2)


@each_row(
    ("sizes", "expected"),
    [
        ((5, *[1] * 23), (1, 1)),
        ((3, 3, *[1] * 22), (4, 0)),
        ((24,), (0, 0)),
        ((25,), (1, 0)),
        ((24 + 3 * 15 + 50,), (50, 15)),
    ],
)
def test_chips_stand_for_the_units_beyond_the_pieces(sizes: tuple[int, ...], expected: tuple[int, int]) -> None:
    """RuleId("components.chips"): a green one for three of one stack, a gray one for each other unit, as for the five of T33."""
    units = {zone: {"ger_infantry": size} for zone, size in zip(ZONES, sizes, strict=False)}
    table = bare(units=units).table

    assert deployment.chips(BOARD, deployment.stacks(table, BOARD)) == expected
    assert deployment.can_add(table, BOARD, "ger_infantry", PlaceId(ZONES[0])) == (expected[0] < 50)


def test_both_sides_share_the_chips() -> None:
    """RuleId("components.chips")."""
    units = {ZONES[0]: {"ger_infantry": 24 + 45 + 50}, ZONES[1]: {"sov_tank": 10}}
    table = bare(units=units).table

    assert not deployment.can_add(table, BOARD, "sov_tank", PlaceId(ZONES[1]))


def test_combat_markers_in_the_pool() -> None:
    """RuleId("components.combat-markers"), RuleId("components.combat-markers.exhausted")."""
    assert deployment.combat_markers_left(charts().table, BOARD) == 13

    fights = dict.fromkeys(ZONES[:13], BATTLE)
    draft = bare(markers={**fights, ZONES[13]: ASSAULT, above(PlaceId("crossing_gray")): ASSAULT})
    refusal = deployment.refuse_assault(draft.table, BOARD, PlaceId(ZONES[20]))

    assert refusal is not None and refusal.code == "combat_marker_must_be_available"
    assert deployment.refuse_assault(draft.table, BOARD, PlaceId(ZONES[0])) is None, "a marker lies there"

    draft.unmark(ZONES[0], BATTLE, SCENE)

    assert deployment.refuse_assault(draft.table, BOARD, PlaceId(ZONES[20])) is None
