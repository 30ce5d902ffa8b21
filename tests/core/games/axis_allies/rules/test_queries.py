"""What follows from the table: forces, classes of like units, control, weather and rivers."""

from core.games.axis_allies.ids import (
    ALLIES,
    ASSAULT,
    AXIS,
    BATTLE,
    DON,
    FROZEN,
    WINTER_STORM,
    round_space,
    token,
    unit,
)
from core.games.axis_allies.memory import MISSION, RELOCATE, TAKEN
from core.games.axis_allies.rules import queries
from events.ids import PieceId, PlaceId, RuleId
from tests.support.axis_allies import BOARD, bare

TEST = RuleId("zone.occupied")
KALACH = PlaceId("kalach")
FORCE = {"kalach": {"ger_infantry": 2, "ger_tank": 1, "ger_bomber": 2, "sov_infantry": 1}}


def test_forces_of_a_zone() -> None:
    """RuleId("unit.class.land"), RuleId("unit.class.air"), RuleId("unit.class.tokens-not-units"), RuleId("zone.friendly-sharing")."""
    table = bare(units=FORCE, held={AXIS: {"kalach": 1, "manoilin": 1}}).table

    assert len(queries.land(table, BOARD, KALACH, AXIS)) == 3
    assert len(queries.air(table, BOARD, KALACH, AXIS)) == 2
    assert queries.tokens(table, KALACH, AXIS) == [token(1)]
    assert queries.is_occupied(table, BOARD, KALACH, ALLIES)
    assert not queries.is_occupied(table, BOARD, PlaceId("manoilin"), AXIS), "a token does not occupy"


def test_like_units_are_one_class_until_something_tells_them_apart() -> None:
    draft = bare(units=FORCE)

    assert queries.classes(draft.table, BOARD, KALACH, AXIS) == {
        "ger_infantry": 2,
        "ger_tank": 1,
        "ger_bomber ground": 2,
    }

    draft.begin_turn(AXIS, TEST)
    MISSION.set(draft, unit("ger_bomber", 2), RELOCATE, TEST)
    draft.move(unit("ger_infantry", 1), PlaceId(unit("ger_bomber", 1)), TEST)

    assert queries.classes(draft.table, BOARD, KALACH, AXIS) == {
        "ger_infantry": 1,
        "ger_tank": 1,
        "ger_bomber ground ger_infantry": 1,
        "ger_bomber ground relocate": 1,
    }
    assert queries.first_like(draft.table, AXIS, KALACH, "ger_bomber ground relocate") == "ger_bomber/2"
    assert queries.first_like(draft.table, AXIS, KALACH, "ger_fighter ground") is None


def test_a_unit_that_arrives_takes_the_lowest_free_number() -> None:
    """RuleId("components.return-to-pool")."""
    draft = bare(units=FORCE)
    draft.remove(PieceId("ger_infantry/1"), TEST)

    assert queries.free_unit(draft.table, "ger_infantry") == "ger_infantry/1"
    assert queries.free_unit(draft.table, "ger_tank") == "ger_tank/2"


def test_a_zone_taken_in_this_phase_was_not_friendly_when_it_began() -> None:
    """RuleId("movement.rear-echelon"), RuleId("zone.friendly-hostile")."""
    draft = bare({AXIS: ["kalach", "manoilin"]})
    draft.begin_turn(AXIS, TEST)
    draft.begin_phase("axis_movement", TEST)
    TAKEN.set(draft, KALACH, "axis_movement", TEST)

    assert queries.is_friendly(draft.table, KALACH, AXIS)
    assert not queries.was_friendly(draft.table, KALACH, AXIS)
    assert queries.was_friendly(draft.table, PlaceId("manoilin"), AXIS)

    draft.begin_phase("axis_attack", TEST)

    assert queries.was_friendly(draft.table, KALACH, AXIS)


def test_contested_zones_are_those_with_a_combat_marker() -> None:
    """RuleId("zone.contested"), RuleId("combat.step6.battle"), RuleId("movement.assault-marker")."""
    table = bare(markers={"kalach": BATTLE, "bolshoy": ASSAULT}).table

    assert queries.contested(table, BOARD) == ["bolshoy", "kalach"]
    assert queries.is_in_battle(table, KALACH)
    assert queries.is_assaulted(table, PlaceId("bolshoy"))


def test_weather_rivers_and_the_winter_storm_follow_from_the_round_track() -> None:
    """RuleId("order.1.marker"), RuleId("freeze.don-first"), RuleId("freeze.volga-second"), RuleId("freeze.permanent"),
    RuleId("winter-storm.marker-place")."""
    draft = bare()
    draft.begin_round(7, TEST)
    draft.mark(DON, FROZEN, TEST)
    draft.mark(round_space(7), FROZEN, TEST)

    assert queries.is_bad_weather(draft.table)
    assert (queries.is_don_frozen(draft.table), queries.is_volga_frozen(draft.table, BOARD)) == (True, False)

    draft.mark(round_space(9), FROZEN, TEST)
    draft.mark(round_space(10), WINTER_STORM, TEST)
    draft.begin_round(10, TEST)

    assert not queries.is_bad_weather(draft.table)
    assert queries.is_volga_frozen(draft.table, BOARD)
    assert (queries.bad_rounds(draft.table, BOARD), queries.storm_round(draft.table, BOARD)) == (2, 10)
