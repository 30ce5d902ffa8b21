"""The optional rule Heroes of the Soviet Union."""

from core.engine.decision_rules import DecisionRules
from core.engine.selection import Pick
from core.engine.steps import StepSequence
from core.games.axis_allies.ids import ALLIES, ASSAULT, AXIS, BATTLE
from core.games.axis_allies.options import HEROES
from core.games.axis_allies.rules.lost_units import ROLL, Heroes
from events.ids import MarkerId, PlaceId, Side
from tests.support.axis_allies import BOARD, SCENE, Scene, bare
from tests.support.axis_allies_fights import removed
from tests.support.rows import each_row

CHAPTER = Heroes(BOARD)
MOVEMENT = StepSequence("movement", ROLL, [CHAPTER.step])
RULES = DecisionRules(CHAPTER.decisions, sequences=(MOVEMENT,))
HOUSE = PlaceId("pavlovs_house")


def rolled(
    units: dict[str, dict[str, int]],
    markers: dict[str, MarkerId],
    *dice: int,
    control: tuple[str, ...] = (),
    is_on: bool = True,
    side: Side = ALLIES,
) -> Scene:
    """End a Movement phase, that of the Allies unless told, with these dice."""
    draft = bare({AXIS: control}, units, markers=markers, options={HEROES.key: is_on})
    draft.begin_round(3, SCENE)
    draft.begin_turn(side, SCENE)
    draft.begin_phase(f"{side}_movement", SCENE)
    scene = Scene(draft, RULES)
    scene.run(MOVEMENT.begin, dice)
    return scene


def test_a_six_costs_a_soviet_unit_of_a_contested_zone_and_an_axis_unit_there() -> None:
    """RuleId("optional.heroes.roll"), RuleId("optional.heroes.hit"), ruling.heroes-details."""
    units = {
        HOUSE: {"sov_infantry": 2, "sov_fighter": 1, "ger_infantry": 1, "ger_tank": 1},
        "kalach": {"sov_infantry": 1, "ger_tank": 1},
        "rynok": {"sov_tank": 1},
    }
    scene = rolled(units, {HOUSE: BATTLE, "kalach": ASSAULT}, 6)

    assert scene.asked == "allies heroes_unit"
    assert scene.options == [
        Pick("sov_infantry", "kalach"),
        Pick("sov_infantry", HOUSE),
        Pick("sov_fighter ground", HOUSE),
    ]
    assert scene.refused(Pick("sov_tank", "rynok")) == ("casualty_must_be_eligible", "optional.heroes.roll")

    scene.do(Pick("sov_infantry", HOUSE))

    assert scene.asked == "axis heroes_casualty"

    events = scene.do(Pick("ger_tank"))

    assert removed(events) == ["ger_tank/1"]
    assert scene.table.marker(HOUSE, BATTLE) == 1
    assert not scene.table.stack


@each_row("face", [1, 5])
def test_any_other_face_has_no_effect(face: int) -> None:
    """RuleId("optional.heroes.roll")."""
    scene = rolled({HOUSE: {"sov_infantry": 1, "ger_tank": 1}}, {HOUSE: BATTLE}, face)

    assert removed(scene.events) == []
    assert not scene.table.stack


def test_without_a_soviet_unit_in_a_contested_zone_nothing_happens() -> None:
    """RuleId("optional.heroes.roll")."""
    scene = rolled({HOUSE: {"ger_tank": 1}, "rynok": {"sov_infantry": 1}}, {HOUSE: ASSAULT}, 6)

    assert removed(scene.events) == []


def test_without_the_option_no_die_is_rolled() -> None:
    """RuleId("optional.heroes.roll")."""
    assert rolled({HOUSE: {"sov_infantry": 1, "ger_tank": 1}}, {HOUSE: BATTLE}, is_on=False).events == []


def test_the_axis_does_not_roll_for_them() -> None:
    """RuleId("optional.heroes.roll")."""
    assert rolled({HOUSE: {"sov_infantry": 1, "ger_tank": 1}}, {HOUSE: BATTLE}, side=AXIS).events == []


@each_row(
    ("units", "held", "stays"),
    [
        ({"sov_infantry": 2, "ger_infantry": 1}, False, False),
        ({"sov_infantry": 2, "ger_infantry": 1}, True, True),
        ({"sov_infantry": 1, "ger_infantry": 2}, False, True),
        ({"sov_infantry": 1, "ger_infantry": 2}, True, False),
        ({"sov_infantry": 1, "ger_infantry": 1}, False, False),
        ({"sov_infantry": 1, "ger_infantry": 1}, True, False),
        ({"sov_infantry": 1}, False, False),
        ({"sov_infantry": 2, "ger_infantry": 2}, False, True),
    ],
)
def test_the_marker_stays_where_combat_must_settle_control(units: dict[str, int], held: bool, stays: bool) -> None:
    """RuleId("optional.heroes.marker")."""
    scene = rolled({HOUSE: units}, {HOUSE: BATTLE}, 6, control=(HOUSE,) if held else ())

    assert (scene.table.marker(HOUSE, BATTLE) == 1) == stays
    assert scene.table.control[HOUSE] == (AXIS if held else ALLIES)
