"""The optional alternative deployment."""

from core.engine.decision_rules import DecisionRules
from core.engine.selection import Done
from core.games.axis_allies.ids import ALLIES, AXIS
from core.games.axis_allies.options import ALTERNATIVE_DEPLOYMENT, ALTERNATIVE_DEPLOYMENT_SITES
from core.games.axis_allies.rules.commands import Rearrange
from core.games.axis_allies.rules.queries import contested
from core.games.axis_allies.rules.set_up import Rearrangement, lay_out
from events.ids import PlaceId, Side
from tests.support.axis_allies import BOARD, Scene, bare, opened

CHAPTER = Rearrangement(BOARD)
RULES = DecisionRules({"rearrange": CHAPTER})
ALLIED = "optional.alternative-deployment.allies"
OF_AXIS = "optional.alternative-deployment.axis"
SITE = next(iter(BOARD.sites))


def asked(side: Side, *, has_sites: bool = False) -> Scene:
    draft = opened(options={ALTERNATIVE_DEPLOYMENT.key: True, ALTERNATIVE_DEPLOYMENT_SITES.key: has_sites})
    lay_out(draft, BOARD)
    scene = Scene(draft, RULES)
    scene.run(lambda begun: CHAPTER.ask(begun, side))
    return scene


def move(unit: str, origin: str, to: str) -> Rearrange:
    return Rearrange(unit, PlaceId(origin), PlaceId(to))


def test_the_allies_rearrange_their_units_of_the_city() -> None:
    """RuleId("optional.alternative-deployment.allies"), RuleId("stacking.limit"), ruling.alt-deployment, ruling.rearranged-once."""
    scene = asked(ALLIES)

    assert scene.asked == "allies rearrange"
    for _ in range(3):
        scene.do(move("sov_infantry", "orlovka", "mamayev_kurgan"))
    assert scene.kinds("mamayev_kurgan").count("sov_infantry") == 6
    assert len(scene.kinds("mamayev_kurgan")) == 7

    scene.do(move("sov_infantry", "army_camp", "mamayev_kurgan"))

    assert scene.refused(move("sov_infantry", "army_camp", "mamayev_kurgan")) == ("stacking_limit_must_hold", ALLIED)
    for wrong in ("beketovka", "army_camp", "crossing_white", SITE):
        assert scene.refused(move("sov_infantry", "army_camp", wrong)) == ("zone_must_be_eligible", ALLIED)
    ineligible = ("unit_must_be_eligible", ALLIED)
    assert scene.refused(move("sov_infantry", "beketovka", "army_camp")) == ineligible
    assert scene.refused(move("sov_infantry moved", "mamayev_kurgan", "army_camp")) == ineligible, "once each"
    assert scene.refused(move("ger_tank", "manoilin", "kopania")) == ineligible
    assert move("sov_infantry", "army_camp", "krasnaya_sloboda") in scene.options

    scene.do(Done())

    assert scene.asked == ""


def test_infantry_may_begin_in_ambush_sites_with_the_option() -> None:
    """RuleId("optional.alternative-deployment.allies"), RuleId("ambush.who"), ruling.alt-deployment."""
    scene = asked(ALLIES, has_sites=True)
    scene.do(move("sov_infantry", "orlovka", SITE))

    assert scene.kinds(SITE) == ["sov_infantry"]
    assert scene.refused(move("sov_infantry", "orlovka", SITE))[0] == "ambush_site_must_be_empty"
    assert scene.refused(move("sov_artillery", "krasnaya_sloboda", list(BOARD.sites)[1])) == (
        "ambusher_must_be_infantry",
        "ambush.who",
    )


def test_the_axis_rearranges_its_mobile_units_of_the_region() -> None:
    """RuleId("optional.alternative-deployment.axis"), RuleId("stacking.limit"), ruling.alt-deployment."""
    scene = asked(AXIS)
    fights = contested(scene.table, BOARD)

    assert scene.refused(move("ger_tank", "manoilin", "kletskaya")) == ("stacking_limit_must_hold", OF_AXIS)
    assert scene.refused(move("ger_infantry", "kletskaya", "kopania")) == ("unit_must_be_eligible", OF_AXIS)
    for wrong in ("tinguta", "kalach", "tatsinskaya", "tractor_factory"):
        assert scene.refused(move("ger_tank", "manoilin", wrong)) == ("zone_must_be_eligible", OF_AXIS)

    scene.do(move("ger_tank", "manoilin", "kopania"))
    scene.do(move("ger_tank", "tinguta", "kopania"))

    assert scene.kinds("kopania") == ["ger_tank", "ger_tank"]
    assert contested(scene.table, BOARD) == fights
    assert {command.unit for command in scene.options if isinstance(command, Rearrange)} == {
        "ger_tank",
        "ger_assault_gun",
        "ger_mech_infantry",
    }


def test_the_question_ends_when_every_unit_was_moved() -> None:
    """RuleId("optional.alternative-deployment.axis"), ruling.rearranged-once."""
    draft = bare(control={AXIS: ["kopania", "kletskaya"]}, units={"kopania": {"ger_tank": 1}})
    scene = Scene(draft, RULES)
    scene.run(lambda begun: CHAPTER.ask(begun, AXIS))
    scene.do(move("ger_tank", "kopania", "kletskaya"))

    assert scene.asked == ""
