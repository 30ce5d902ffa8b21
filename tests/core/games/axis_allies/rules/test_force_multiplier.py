"""Force Multiplier: German infantry is doubled on its way into the city, and halved on its way out."""

from core.engine.selection import Pick
from core.games.axis_allies.ids import AXIS
from core.games.axis_allies.options import COMPONENT_LIMITS, MINOR_AXIS_EXIT_PARTNER
from core.games.axis_allies.rules.commands import Blitz, ExitPair, Move
from events.ids import PlaceId
from tests.support.axis_allies import BOARD, Scene, phase

CITY = ["orlovka", "gorodishche", "spartanovka", "vertyachii", "rynok", "kalach"]
UNPAIRED = ("exit_must_be_paired", "movement.force-multiplier.exit-pair")


def move(unit: str, origin: str, to: str) -> Move:
    return Move(unit, PlaceId(origin), PlaceId(to))


def pair(one: tuple[str, str], other: tuple[str, str], to: str) -> ExitPair:
    """Name a pair by origins and classes."""
    return ExitPair((PlaceId(one[0]), PlaceId(other[0])), (one[1], other[1]), PlaceId(to))


def scene_of(units: dict[str, dict[str, int]], **options: bool) -> Scene:
    return phase(AXIS, control=CITY, units=units, options=options)


def test_german_infantry_is_doubled_in_the_zone_that_it_enters() -> None:
    """RuleId("movement.force-multiplier.infantry"), RuleId("movement.force-multiplier.new-unit-static")."""
    scene = scene_of({"vertyachii": {"ger_infantry": 1, "ger_tank": 1}})
    scene.do(move("ger_infantry", "vertyachii", "orlovka"))

    assert scene.kinds("orlovka") == ["ger_infantry", "ger_infantry"]
    assert scene.refused(move("ger_infantry created", "orlovka", "gorodishche")) == (
        "movement_must_suffice",
        "movement.force-multiplier.new-unit-static",
    )


def test_german_mechanized_infantry_brings_infantry_to_where_its_move_ends() -> None:
    """RuleId("movement.force-multiplier.mech"), ruling.force-multiplier-roundtrip."""
    scene = scene_of({"vertyachii": {"ger_mech_infantry": 1}, "orlovka": {"ger_mech_infantry": 1}})
    scene.do(
        move("ger_mech_infantry", "vertyachii", "spartanovka"), move("ger_mech_infantry", "orlovka", "gorodishche")
    )

    assert scene.kinds("spartanovka") == ["ger_mech_infantry", "ger_infantry"]
    assert scene.kinds("gorodishche") == ["ger_mech_infantry"]


def test_all_others_change_boards_one_for_one() -> None:
    """RuleId("movement.force-multiplier.others")."""
    others = {"min_infantry": 1, "ger_tank": 1, "ger_artillery": 1, "ger_assault_gun": 1}
    scene = scene_of({"vertyachii": others})
    scene.do(*[move(unit, "vertyachii", "orlovka") for unit in others])

    assert scene.kinds("orlovka") == list(others)

    scene = scene_of({"orlovka": others})
    scene.do(*[move(unit, "orlovka", "vertyachii") for unit in others])

    assert scene.kinds("vertyachii") == list(others)


def test_a_move_stands_without_a_piece_for_the_free_infantry() -> None:
    """RuleId("movement.force-multiplier.infantry"), ruling.force-multiplier-pool."""
    figures = BOARD.units["ger_infantry"].figures
    scattered: dict[str, dict[str, int]] = {
        zone: {"ger_infantry": 1} for zone in [zone for zone in BOARD.zones if zone not in CITY][:figures]
    }
    scene = phase(AXIS, control=CITY, units={**scattered, "vertyachii": {"ger_infantry": 1}})

    scene.do(move("ger_infantry", "vertyachii", "orlovka"))

    assert scene.kinds("orlovka") == ["ger_infantry"]
    assert COMPONENT_LIMITS.key in scene.table.options


def test_german_infantry_leaves_the_city_in_pairs() -> None:
    """RuleId("movement.force-multiplier.exit-pair"), RuleId("movement.force-multiplier.exit-loss")."""
    units = {"orlovka": {"ger_infantry": 1}, "gorodishche": {"ger_infantry": 1, "min_infantry": 1}}
    scene = scene_of(units)
    leave = pair(("gorodishche", "ger_infantry"), ("orlovka", "ger_infantry"), "vertyachii")

    assert scene.refused(move("ger_infantry", "orlovka", "vertyachii")) == UNPAIRED
    assert scene.refused(pair(("gorodishche", "min_infantry"), ("orlovka", "ger_infantry"), "vertyachii")) == UNPAIRED
    assert scene.refused(pair(("orlovka", "ger_infantry"), ("orlovka", "ger_infantry"), "vertyachii"))[0] == (
        "unit_must_be_eligible"
    )
    assert scene.refused(pair(("gorodishche", "ger_infantry"), ("orlovka", "ger_infantry"), "kalach"))[0] == (
        "movement_must_suffice"
    )
    assert scene.refused(pair(("orlovka", "ger_infantry"), ("gorodishche", "ger_infantry"), "vertyachii"))[0] == (
        "choice_must_be_sorted"
    )

    scene.do(leave)

    assert (scene.kinds("vertyachii"), scene.asked) == (["ger_infantry"], "axis move")


def test_the_owner_chooses_which_of_a_pair_is_lost() -> None:
    """RuleId("movement.force-multiplier.exit-loss"), ruling.force-multiplier-exit-timing."""
    scene = scene_of({"orlovka": {"ger_infantry": 1, "ger_mech_infantry": 1, "ger_tank": 1}})
    scene.do(pair(("orlovka", "ger_infantry"), ("orlovka", "ger_mech_infantry"), "rynok"))

    assert scene.asked == "axis exit_loss"

    scene.do(Pick("ger_infantry moved"))

    assert (scene.kinds("rynok"), scene.asked) == (["ger_mech_infantry"], "axis move")


def test_a_minor_axis_infantry_may_be_the_partner_with_the_option() -> None:
    """RuleId("movement.force-multiplier.exit-pair"), ruling.force-multiplier-partner."""
    scene = scene_of({"orlovka": {"ger_infantry": 1, "min_infantry": 1}}, **{MINOR_AXIS_EXIT_PARTNER.key: True})
    scene.do(pair(("orlovka", "ger_infantry"), ("orlovka", "min_infantry"), "rynok"), Pick("min_infantry moved"))

    assert scene.kinds("rynok") == ["ger_infantry"]
    assert scene.asked == ""


def out(partner: str = "", origin: str = "", *, with_mech: bool = True) -> Blitz:
    """Blitz from Orlovka through Vertyachii to Kotluban, with a partner or without."""
    return Blitz(
        "ger_tank",
        PlaceId("orlovka"),
        PlaceId("vertyachii"),
        PlaceId("kotluban"),
        with_mech,
        partner,
        PlaceId(origin),
    )


def test_mechanized_infantry_blitzes_out_of_the_city_only_in_a_pair() -> None:
    """RuleId("movement.force-multiplier.exit-pair")."""
    scene = phase(AXIS, control=["orlovka"], units={"orlovka": {"ger_tank": 1, "ger_mech_infantry": 1}})

    assert scene.refused(out()) == UNPAIRED

    scene.do(Blitz("ger_tank", PlaceId("orlovka"), PlaceId("vertyachii"), PlaceId("gorodishche"), with_mech=True))

    assert scene.kinds("gorodishche") == ["ger_tank", "ger_mech_infantry"]


def blitzing(**more: dict[str, int]) -> Scene:
    """Begin beside an empty hostile Vertyachii, with a tank and two mechanized infantry in Orlovka."""
    units = {"orlovka": {"ger_tank": 1, "ger_mech_infantry": 2}, **more}
    return phase(AXIS, control=["orlovka", "gorodishche"], units=units)


def test_the_partner_follows_through_the_zone_that_the_blitz_takes() -> None:
    """RuleId("movement.force-multiplier.exit-pair"), RuleId("movement.force-multiplier.exit-loss"), ruling.blitz-followers."""
    scene = blitzing()

    scene.do(out("ger_mech_infantry", "orlovka"))

    assert scene.kinds("kotluban") == ["ger_tank", "ger_mech_infantry"]
    assert scene.kinds("orlovka") == []


def test_the_owner_chooses_whether_the_partner_is_lost() -> None:
    """RuleId("movement.force-multiplier.exit-loss"), ruling.force-multiplier-exit-timing."""
    scene = phase(
        AXIS,
        control=["orlovka", "gorodishche"],
        units={"orlovka": {"ger_tank": 1, "ger_mech_infantry": 1}, "gorodishche": {"ger_infantry": 1}},
    )
    through = Blitz(
        "ger_tank",
        PlaceId("orlovka"),
        PlaceId("rynok"),
        PlaceId("vertyachii"),
        with_mech=True,
        partner="ger_infantry",
        partner_origin=PlaceId("gorodishche"),
    )

    scene.do(through)
    assert scene.asked == "axis exit_loss"
    scene.do(Pick("ger_mech_infantry moved"))

    assert scene.kinds("vertyachii") == ["ger_tank", "ger_infantry"]


def test_a_partner_can_go_along_and_is_german_infantry_of_the_city() -> None:
    """RuleId("movement.force-multiplier.exit-pair"), ruling.force-multiplier-partner."""
    scene = blitzing(gorodishche={"min_infantry": 1, "ger_infantry": 1, "ger_tank": 1}, rynok={"ger_mech_infantry": 1})

    assert scene.refused(out("ger_infantry", "orlovka"))[0] == "unit_must_be_eligible"
    assert scene.refused(out("ger_infantry", "gorodishche"))[0] == "movement_must_suffice"
    assert scene.refused(out("ger_tank", "gorodishche")) == UNPAIRED
    assert scene.refused(out("ger_mech_infantry", "orlovka", with_mech=False)) == UNPAIRED
