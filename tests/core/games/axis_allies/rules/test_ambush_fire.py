"""Ambush fire in the Reaction phases."""

from core.engine.decision_rules import DecisionRules
from core.engine.selection import Done, Pick
from core.engine.steps import StepSequence
from core.games.axis_allies.ids import ALLIES, ASSAULT, AXIS, BATTLE
from core.games.axis_allies.memory import ATTACK_MISSION, FIRED, MISSION
from core.games.axis_allies.options import AMBUSH_CANCELS_AIR_ATTACK
from core.games.axis_allies.rules.commands import Ambush, Decline
from core.games.axis_allies.rules.queries import reacting
from core.games.axis_allies.rules.reaction import FIRE, Ambushes
from events.ids import MarkerId, PieceId, PlaceId, Side
from events.vocabulary import DiceRolled
from tests.support.axis_allies import BOARD, SCENE, Scene, bare
from tests.support.axis_allies_fights import removed
from tests.support.rows import each_row

AMBUSHES = Ambushes(BOARD)
REACTION = StepSequence("reaction", FIRE, [AMBUSHES.step("ambush", FIRE, reacting)])
RULES = DecisionRules(AMBUSHES.decisions, sequences=(REACTION,))
SITE = PlaceId("ambush_station")
STATION = PlaceId("train_station_1")
CHEMICAL = PlaceId("chemical_factory")

Units = dict[str, dict[str, int]]


def reaction(
    units: Units,
    markers: dict[str, MarkerId] | None = None,
    control: tuple[str, ...] = (),
    turn: Side = AXIS,
    *,
    cancels: bool = True,
) -> Scene:
    """Begin the Reaction phase against a side, whose fighters attack."""
    draft = bare({AXIS: control}, units, markers=markers, options={AMBUSH_CANCELS_AIR_ATTACK.key: cancels})
    draft.begin_round(3, SCENE)
    draft.begin_turn(turn, SCENE)
    draft.begin_phase("reaction", SCENE)
    for piece in draft.table.pieces.values():
        if piece.kind == "ger_fighter":
            MISSION.set(draft, piece.id, ATTACK_MISSION, SCENE)
    scene = Scene(draft, RULES)
    scene.run(REACTION.begin)
    return scene


def test_an_ambusher_fires_once_at_a_connected_zone() -> None:
    """RuleId("ambush.fire"), RuleId("ambush.roll"), RuleId("sequence.fire-once-per-phase"), ruling.optional-fire."""
    units: Units = {
        SITE: {"sov_infantry": 1},
        "ambush_tsaritsa": {"sov_infantry": 1},
        STATION: {"ger_infantry": 2},
        "army_camp": {"ger_tank": 1},
    }
    scene = reaction(units, {STATION: ASSAULT, "army_camp": ASSAULT})

    assert scene.asked == "allies ambush"
    assert scene.options == [Ambush(SITE, STATION), Ambush(PlaceId("ambush_tsaritsa"), PlaceId("army_camp")), Done()]

    events = scene.do(Ambush(SITE, STATION), dice=(3,))
    rolls = [event for event in events if isinstance(event, DiceRolled)]

    assert [(event.needed, event.each, event.or_less, event.about) for event in rolls] == [(2, True, True, STATION)]
    assert removed(events) == []
    assert FIRED.of(scene.table, PieceId("sov_infantry/1")) is True
    assert scene.refused(Ambush(SITE, STATION)) == ("unit_must_not_have_fired", "sequence.fire-once-per-phase")

    scene.do(Done())

    assert not scene.table.stack


@each_row(
    ("command", "refusal"),
    [
        (Ambush(SITE, PlaceId("army_camp")), ("ambush_site_must_be_connected", "ambush.fire")),
        (Ambush(PlaceId("kalach"), STATION), ("ambush_site_must_be_connected", "ambush.fire")),
        (Ambush(PlaceId("ambush_tsaritsa"), PlaceId("army_camp")), ("unit_must_be_able_to_fire", "ambush.fire")),
        (Ambush(SITE, CHEMICAL), ("target_must_be_present", "ambush.land-only")),
        (Decline(), ("decision_must_be_open", "sequence.instruction-order")),
    ],
)
def test_what_no_ambusher_may_do_is_refused(command: Ambush | Decline, refusal: tuple[str, str]) -> None:
    """RuleId("ambush.fire"), RuleId("ambush.land-only"), RuleId("ambush.no-return-fire")."""
    units: Units = {SITE: {"sov_infantry": 1}, STATION: {"ger_tank": 1}, CHEMICAL: {"ger_fighter": 1}}
    scene = reaction({**units, "ambush_tsaritsa": {"ger_infantry": 1}})

    assert scene.refused(command) == refusal


@each_row(("face", "seat"), [(1, "allies"), (2, "axis")])
def test_the_face_says_who_chooses_the_casualty(face: int, seat: str) -> None:
    """RuleId("ambush.roll"), RuleId("ambush.land-only"), RuleId("combat.not-combat"): no token is asked for, and nothing fires back."""
    units: Units = {SITE: {"sov_infantry": 1}, STATION: {"ger_tank": 1, "ger_infantry": 2, "ger_fighter": 1}}
    scene = reaction(units, {STATION: BATTLE})
    scene.do(Ambush(SITE, STATION), dice=(face,))

    assert scene.asked == f"{seat} ambush_casualty"
    assert scene.options == [Pick("ger_tank"), Pick("ger_infantry")]
    assert scene.refused(Pick("ger_fighter ground"))[0] == "casualty_must_be_eligible"

    events = scene.do(Pick("ger_tank"))

    assert removed(events) == ["ger_tank/1"]
    assert scene.table.marker(STATION, BATTLE) == 1
    assert not scene.table.stack, "no ambusher is left that can fire"


def test_ambushers_fire_one_after_another_and_know_what_came_before() -> None:
    """RuleId("ambush.fire")."""
    units: Units = {SITE: {"sov_infantry": 1}, "ambush_red_october": {"sov_infantry": 1}, CHEMICAL: {"ger_tank": 1}}
    scene = reaction({**units, STATION: {"ger_tank": 1}}, {CHEMICAL: ASSAULT, STATION: ASSAULT})
    scene.do(Ambush(PlaceId("ambush_red_october"), CHEMICAL), dice=(2,))

    assert scene.options == [Ambush(SITE, STATION), Done()]


@each_row(
    ("held", "flies", "cancels", "stays"),
    [(False, False, True, False), (True, False, True, True), (False, True, True, False), (False, True, False, True)],
)
def test_the_marker_goes_with_the_last_land_unit(held: bool, flies: bool, cancels: bool, stays: bool) -> None:
    """RuleId("ambush.last-unit-marker"), ruling.ambush-with-air-present. Vector T24: the Allies keep the station."""
    units: Units = {SITE: {"sov_infantry": 1}, STATION: {"ger_infantry": 1, **({"ger_fighter": 1} if flies else {})}}
    scene = reaction(units, {STATION: ASSAULT}, (STATION,) if held else (), cancels=cancels)
    scene.do(Ambush(SITE, STATION), dice=(2,))

    assert scene.table.control[STATION] == (AXIS if held else ALLIES)
    assert (scene.table.marker(STATION, ASSAULT) == 1) == stays


def test_the_axis_ambushes_in_its_own_reaction_phase_only() -> None:
    """RuleId("ambush.fire"): Soviets on card 4, the Axis on card 11."""
    units: Units = {SITE: {"ger_infantry": 1}, STATION: {"sov_infantry": 1}}

    assert reaction(units, turn=ALLIES).asked == "axis ambush"
    assert reaction(units, turn=AXIS).asked == ""
