"""The check of stacking limits at the end of a Movement phase."""

from core.engine.selection import Done, Pick
from core.games.axis_allies.ids import ALLIES, ASSAULT, AXIS, BATTLE
from core.games.axis_allies.options import EVICT_TO_FRIENDLY_ONLY
from core.games.axis_allies.rules.commands import Evict, Move
from events.ids import PlaceId
from tests.support.axis_allies import control_but, phase


def evict(unit: str, origin: str, to: str) -> Evict:
    return Evict(unit, PlaceId(origin), PlaceId(to))


def test_eight_land_units_of_each_side_may_be_in_a_zone() -> None:
    """RuleId("stacking.limit"), RuleId("stacking.check-time"), RuleId("stacking.air-unlimited-in-flight"), RuleId("unit.class.land")."""
    there = {"ger_infantry": 4, "ger_tank": 4, "ger_fighter": 2, "sov_infantry": 8}
    scene = phase(AXIS, control=["kalach", "buzinovka"], units={"kalach": there}, markers={"kalach": BATTLE})

    assert scene.asked == "axis move", "only the aircraft can move"
    scene.do(Done())

    assert scene.asked == "", "nothing is too much"


def test_the_enemy_moves_excess_units() -> None:
    """RuleId("stacking.opponent-moves-excess"), RuleId("stacking.no-full-target"), ruling.stacking-eviction."""
    scene = phase(
        AXIS,
        control=["kalach", "buzinovka", "akimovsky"],
        units={
            "kalach": {"ger_infantry": 8, "ger_tank": 1},
            "buzinovka": {"ger_infantry": 1},
            "akimovsky": {"min_infantry": 8},
        },
    )
    scene.do(Move("ger_infantry", PlaceId("buzinovka"), PlaceId("kalach")), Done())

    assert scene.asked == "allies evict"
    assert scene.refused(evict("ger_tank", "kalach", "akimovsky")) == (
        "stacking_limit_must_hold",
        "stacking.no-full-target",
    )
    assert scene.refused(evict("ger_tank", "buzinovka", "kalach"))[0] == "unit_must_be_eligible"
    assert scene.refused(evict("min_infantry", "akimovsky", "kalach")) == ("unit_must_be_eligible", "stacking.limit")
    assert scene.refused(evict("ger_tank", "kalach", "tormosin"))[0] == "zones_must_be_adjacent"

    scene.do(evict("ger_tank", "kalach", "pitomnik"))

    assert (scene.table.marker("pitomnik", ASSAULT), scene.asked) == (1, "allies evict")

    scene.do(evict("ger_infantry moved", "kalach", "buzinovka"))

    assert (len(scene.kinds("kalach")), scene.kinds("buzinovka"), scene.asked) == (8, ["ger_infantry"], "")


def test_excess_units_go_to_friendly_zones_only_with_the_option() -> None:
    """RuleId("stacking.opponent-moves-excess"), ruling.stacking-eviction."""
    scene = phase(
        AXIS,
        control=["kalach", "buzinovka"],
        units={"kalach": {"ger_infantry": 9, "ger_tank": 1}},
        options={EVICT_TO_FRIENDLY_ONLY.key: True},
    )
    scene.do(Done())

    assert scene.refused(evict("ger_tank", "kalach", "pitomnik"))[0] == "zone_must_be_friendly"

    scene.do(evict("ger_tank", "kalach", "buzinovka"))

    assert len(scene.kinds("kalach")) == 8, "the last choice is the only one, infantry to Buzinovka"


def test_the_owner_destroys_what_cannot_be_moved() -> None:
    """RuleId("stacking.owner-destroys-rest"), RuleId("movement.locked-in-combat")."""
    scene = phase(
        AXIS,
        control=["kalach"],
        units={"kalach": {"ger_infantry": 9, "ger_tank": 1, "sov_infantry": 1}},
        markers={"kalach": BATTLE},
    )

    assert scene.asked == "axis destroy"

    scene.do(Pick("ger_infantry"), Pick("ger_tank"))

    assert (scene.kinds("kalach").count("ger_infantry"), scene.asked) == (8, "")


def test_units_that_are_all_alike_are_destroyed_unasked() -> None:
    """RuleId("stacking.owner-destroys-rest")."""
    scene = phase(
        AXIS, control=["kalach"], units={"kalach": {"ger_infantry": 9, "sov_infantry": 1}}, markers={"kalach": BATTLE}
    )

    assert (scene.kinds("kalach").count("ger_infantry"), scene.asked) == (8, "")


def test_infantry_that_is_moved_into_the_city_needs_room_for_two() -> None:
    """RuleId("stacking.no-full-target"), RuleId("movement.force-multiplier.infantry"), ruling.stacking-eviction."""
    scene = phase(
        AXIS,
        control=control_but(),
        units={
            "pitomnik": {"ger_infantry": 8, "ger_tank": 1},
            "gumrak": {"min_infantry": 7},
            "leather_factory": {"min_infantry": 6},
        },
    )
    scene.do(Done())

    assert scene.refused(evict("ger_infantry", "pitomnik", "gumrak"))[0] == "stacking_limit_must_hold"

    scene.do(evict("ger_infantry", "pitomnik", "leather_factory"))

    assert scene.kinds("leather_factory").count("ger_infantry") == 2


def test_evictions_obey_not_one_step_back_and_pairs() -> None:
    """RuleId("stacking.opponent-moves-excess"), RuleId("movement.not-one-step-back.adjacent"), RuleId("movement.rear-echelon"),
    RuleId("movement.force-multiplier.exit-pair"), RuleId("movement.force-multiplier.new-unit-static")."""
    scene = phase(
        ALLIES,
        control=["kletskaya"],
        units={"kremenskaya": {"sov_infantry": 8, "sov_rocket_launcher": 1}, "kletskaya": {"ger_infantry": 1}},
    )
    scene.do(Done())

    assert len(scene.kinds("kremenskaya")) == 8, "one choice only: an infantry to Kletskaya"
    assert scene.table.marker("kletskaya", ASSAULT) == 1

    scene = phase(
        AXIS,
        control=["orlovka", "spartanovka", "vertyachii"],
        units={"orlovka": {"ger_infantry": 8}, "vertyachii": {"ger_infantry": 1}},
    )
    scene.do(Move("ger_infantry", PlaceId("vertyachii"), PlaceId("orlovka")), Done())

    assert scene.refused(evict("ger_infantry", "orlovka", "vertyachii"))[0] == "exit_must_be_paired"
    assert scene.refused(evict("ger_infantry created", "orlovka", "spartanovka")) == (
        "movement_must_suffice",
        "movement.force-multiplier.new-unit-static",
    )
