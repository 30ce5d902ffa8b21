"""A round of combat: its six steps, casualties, targeted hits, and what remains."""

from core.engine.selection import Choose, Done, Pick
from core.games.axis_allies.ids import ALLIES, ASSAULT, AXIS, AXIS_SEAT, BATTLE, FLYING, unit
from core.games.axis_allies.memory import (
    ACROSS_RIVER,
    ATTACK_MISSION,
    DESIGNATED,
    FOUGHT,
    MISSION,
    SCRAMBLE,
    SUPPLY_DROP,
)
from core.games.axis_allies.rules.casualties import Losses, hits_to_name
from core.games.axis_allies.rules.commands import Ambush
from events.ids import PlaceId, RuleId
from events.vocabulary import DecisionOpened, DiceRolled, PieceRemoved, SequenceBegan, SequenceEnded, StepBegan
from projections.state.table import Open
from tests.support.axis_allies import BOARD, SCENE, Scene, bare
from tests.support.axis_allies_fights import (
    KALACH,
    RACE_CONTROL,
    attack_phase,
    contested,
    fought,
    removed,
    throws,
)
from tests.support.rows import each_row


def flown(draft_units: dict[str, int], kinds: tuple[str, ...], *dice: int) -> Scene:
    """Fight over Kalach with the aircraft of these kinds on their way to attack."""
    draft = contested(draft_units)
    for kind in kinds:
        for number in range(1, draft_units[kind] + 1):
            MISSION.set(draft, unit(kind, number), ATTACK_MISSION, SCENE)
    return fought(draft, *dice)


def steps(scene: Scene) -> list[str]:
    return [event.step for event in scene.events if isinstance(event, SequenceBegan | StepBegan)]


# The six steps


def test_both_sides_fire_and_casualties_of_the_defender_fire_back() -> None:
    """RuleId("combat.six-steps"), RuleId("combat.simultaneous"), RuleId("combat.defender-casualties-fire-back"),
    RuleId("combat.step4.remove"), RuleId("combat.step3.attacker-chooses"), RuleId("combat.who-attacks")."""
    scene = fought(contested({"ger_tank": 1, "sov_infantry": 1}), 3, 2)

    assert steps(scene) == ["combats", "attack", "defend", "remove", "conclude"]
    assert throws(scene.events) == [(1, 3, []), (1, 2, [])]
    assert [event.rule for event in scene.events if isinstance(event, PieceRemoved)] == [
        "combat.step3.attacker-chooses",
        "combat.step4.remove",
    ]
    assert removed(scene.events) == ["ger_tank/1", "sov_infantry/1"]
    assert scene.table.control[KALACH] == ALLIES
    assert not scene.table.stack


def test_equal_values_roll_together_and_guns_and_aircraft_apart() -> None:
    """RuleId("combat.step2.attackers-fire"), RuleId("components.die"), ruling.dice-by-reason. Vector T29."""
    units = {
        "ger_infantry": 3,
        "min_infantry": 1,
        "ger_assault_gun": 1,
        "ger_artillery": 1,
        "ger_tank": 1,
        "ger_bomber": 1,
    }
    scene = flown({**units, "sov_infantry": 8}, ("ger_bomber",), 1, 2, 4, 6, 3, 4, 4, 3, *[6] * 8)
    rolls = [event for event in scene.events if isinstance(event, DiceRolled)]

    assert [(event.needed, event.faces) for event in rolls] == [
        (1, (1, 2, 4, 6)),
        (2, (3,)),
        (3, (4,)),
        (3, (4,)),
        (2, (3,)),
        (2, (6,) * 8),
    ]
    assert [event.rule for event in rolls[3:5]] == ["unit.bomber.targeted-land", "unit.assault-gun.targeted-tanks"]
    assert all(event.each and event.or_less and event.about == KALACH for event in rolls)
    assert removed(scene.events) == ["sov_infantry/1"]


def test_an_assault_over_the_don_is_thrown_back() -> None:
    """RuleId("combat.mod.throw-them-back"). Vectors T13 and T21: two tanks cross the Don, four others come by land."""
    zone = PlaceId("gromoslavka")
    draft = contested({"ger_tank": 2, "min_infantry": 4, "sov_infantry": 3}, zone)
    ACROSS_RIVER.set(draft, zone, value=True, rule=SCENE)
    scene = fought(draft, 6, 6, 6, 6, 6, 6, 3, 3, 4)

    assert throws(scene.events) == [(4, 1, []), (2, 3, []), (3, 2, [1])]
    assert scene.asked == "axis casualties"
    assert scene.table.top is not None
    assert scene.table.top.number("hits") == 2


def test_unsupplied_infantry_rolls_no_die_and_can_be_lost() -> None:
    """RuleId("combat.mod.unsupplied"). Vector T23."""
    scene = fought(
        contested({"ger_infantry": 2, "ger_artillery": 1, "ger_tank": 1, "sov_infantry": 1}, "pitomnik"), 6, 6, 2
    )

    assert throws(scene.events) == [(1, 2, [-1]), (1, 3, [-1]), (1, 2, [])]
    assert scene.asked == "axis casualties"
    assert scene.options == [Pick("ger_infantry"), Pick("ger_artillery"), Pick("ger_tank")]


def test_rocket_launchers_roll_no_die_and_are_casualties() -> None:
    """RuleId("unit.rocket.no-combat-value"), RuleId("unit.rocket.stats")."""
    scene = fought(contested({"ger_tank": 1, "sov_rocket_launcher": 1}), 3)

    assert removed(scene.events) == ["sov_rocket_launcher/1"]
    assert scene.table.control[KALACH] == AXIS


def test_a_zone_without_defenders_changes_hands_without_dice() -> None:
    """RuleId("combat.no-defender-units"), RuleId("combat.step6.control"). Vector T30."""
    scene = fought(contested({"ger_infantry": 1}))

    assert steps(scene) == ["combats", "no_defenders", "conclude"]
    assert scene.table.control[KALACH] == AXIS
    assert KALACH not in scene.table.markers


def test_a_zone_without_attackers_goes_to_the_defenders_on_land() -> None:
    """RuleId("combat.no-attacker-units"), ruling.no-attackers-left."""
    scene = fought(contested({"sov_infantry": 1}, control=("kalach",)))

    assert steps(scene) == ["combats", "no_attackers", "conclude"]
    assert scene.table.control[KALACH] == ALLIES


def test_survivors_of_both_sides_stay_in_battle() -> None:
    """RuleId("combat.step5.return"), RuleId("combat.step6.battle"), RuleId("combat.one-round")."""
    scene = fought(contested({"ger_tank": 1, "sov_infantry": 1}), 6, 6)

    assert scene.kinds(KALACH) == ["ger_tank", "sov_infantry"]
    assert scene.table.markers[KALACH] == {BATTLE: 1}
    assert FOUGHT.of(scene.table, KALACH) is True


def test_aircraft_left_alone_do_not_hold_the_zone() -> None:
    """RuleId("combat.step6.air-does-not-hold"), RuleId("unit.class.air")."""
    scene = flown({"ger_fighter": 1, "sov_infantry": 1}, ("ger_fighter",), 3, 6)

    assert scene.kinds(KALACH) == ["ger_fighter"]
    assert scene.table.control[KALACH] == ALLIES
    assert KALACH not in scene.table.markers


def test_the_active_side_attacks_in_a_zone_that_it_controls() -> None:
    """RuleId("combat.who-attacks"), RuleId("combat.mod.fortified"): the Axis defends in a fortified zone that it does not control."""
    scene = fought(contested({"sov_tank": 1, "ger_tank": 1}, "pavlovs_house", BATTLE, ALLIES), 4, 6)

    assert throws(scene.events) == [(1, 3, []), (1, 3, [-1])]


def test_ambushers_take_no_part() -> None:
    """RuleId("combat.step1.participants"), RuleId("ambush.status")."""
    units = {"pavlovs_house": {"sov_infantry": 1, "ger_tank": 1}, "ambush_station": {"sov_infantry": 1}}
    scene = fought(attack_phase(bare({AXIS: RACE_CONTROL}, units, markers={"pavlovs_house": ASSAULT})), 3, 6)

    assert throws(scene.events) == [(1, 3, [-1]), (1, 2, [1])]
    assert removed(scene.events) == []


@each_row("is_bad_weather", [True, False])
def test_aircraft_that_may_not_fire_can_be_casualties(is_bad_weather: bool) -> None:
    """RuleId("combat.step1.bad-weather-air"), RuleId("combat.step1.transport-bombers"), RuleId("unit.fighter.bad-weather")."""
    kind = "ger_fighter" if is_bad_weather else "ger_bomber"
    draft = contested({"ger_tank": 1, kind: 1, "sov_infantry": 1}, is_bad_weather=is_bad_weather)
    mission = ATTACK_MISSION if is_bad_weather else SUPPLY_DROP
    MISSION.set(draft, unit(kind, 1), mission, SCENE)
    scene = fought(draft, 6, 2)

    assert throws(scene.events) == [(1, 3, []), (1, 2, [])]
    assert scene.options == [Pick("ger_tank"), Pick(f"{kind} air {mission}")]


# Casualties


def test_designated_units_fire_and_go() -> None:
    """RuleId("combat.step2.defender-chooses"), RuleId("combat.defender-casualties-fire-back"),
    RuleId("supply.token.vulnerable-only-moving")."""
    scene = fought(contested({"ger_tank": 2, "sov_infantry": 2, "sov_fighter": 1}, flying=False), 1, 1)

    assert scene.asked == "allies designate"
    assert scene.refused(Pick("supply")) == ("casualty_must_be_eligible", "combat.step2.defender-chooses")
    assert scene.refused(Done())[0] == "choice_must_reach_minimum"

    scene.do(Pick("sov_infantry"))

    assert DESIGNATED.of(scene.table) is None
    events = scene.do(Pick("sov_fighter ground"), Done(), dice=(6, 6, 6))

    assert throws(events) == [(2, 2, []), (1, 4, [])]
    assert removed(events) == ["sov_fighter/1", "sov_infantry/1"]


def test_a_whole_choice_names_each_unit_once() -> None:
    """RuleId("combat.step3.attacker-chooses")."""
    scene = fought(contested({"ger_tank": 2, "ger_infantry": 1, "sov_infantry": 2}), 6, 6, 6, 2, 2)

    assert scene.asked == "axis casualties"
    assert scene.refused(Choose(("ger_infantry", "ger_infantry"))) == (
        "casualty_must_be_eligible",
        "combat.step3.attacker-chooses",
    )

    scene.do(Pick("ger_tank"), Pick("ger_tank"), Done())

    assert scene.kinds(KALACH) == ["ger_infantry", "sov_infantry", "sov_infantry"]


def test_a_refusal_says_how_many_of_a_kind_can_be_lost() -> None:
    """RuleId("combat.step3.attacker-chooses")."""
    draft = contested({"ger_tank": 1, "ger_infantry": 3, "ger_fighter": 2, "sov_infantry": 4}, flying=False)
    draft.turn(unit("ger_fighter", 1), FLYING, SCENE)
    MISSION.set(draft, unit("ger_fighter", 1), ATTACK_MISSION, SCENE)
    scene = fought(draft, 6, 6, 6, 6, 6, 1, 1, 1, 1)
    assert scene.asked == "axis casualties"

    def why(*items: str) -> str:
        refusal = scene.refusal(Choose(items))
        assert refusal is not None
        return refusal.sentence

    assert why("ger_tank", "ger_tank") == "Only 1 German Tank is there."
    assert why(*["ger_infantry"] * 4) == "Only 3 German Infantry are there."
    assert why(*["ger_fighter air attack"] * 2) == "Only 1 German Fighter is there in that state."
    assert why("ger_bomber") == "That unit cannot be taken as the casualty."


# Targeted hits


def test_an_assault_gun_may_force_its_hit_on_a_tank() -> None:
    """RuleId("unit.assault-gun.targeted-tanks"), ruling.targeted-once."""
    scene = fought(contested({"ger_assault_gun": 2, "sov_tank": 1, "sov_infantry": 2}), 1, 2)

    assert scene.asked == "axis targets"
    assert scene.options == [Pick("assault_gun", "tank"), Done()]
    assert [event.rule for event in scene.events if isinstance(event, DecisionOpened)][-1] == (
        "unit.assault-gun.targeted-tanks"
    )
    assert scene.refused(Pick("assault_gun", "infantry")) == (
        "target_must_be_eligible",
        "unit.assault-gun.targeted-tanks",
    )

    scene.do(Pick("assault_gun", "tank"))

    assert scene.refused(Pick("assault_gun", "tank"))[0] == "target_must_be_eligible"

    events = scene.do(Done(), dice=(6, 6, 6))

    assert removed(events) == ["sov_infantry/1", "sov_tank/1"], "each unit is designated once"


def test_a_targeted_hit_must_fall_on_its_target() -> None:
    """RuleId("unit.assault-gun.targeted-tanks"): the other hit is the Allies' choice."""
    scene = fought(contested({"ger_assault_gun": 1, "ger_tank": 1, "sov_tank": 2, "sov_infantry": 1}), 1, 1)
    scene.do(Pick("assault_gun", "tank"), Done())

    assert scene.asked == "allies designate"
    scene.do(Pick("sov_infantry"))
    assert scene.refused(Choose(("sov_infantry", "sov_infantry")))[0] == "casualty_must_be_eligible"
    assert Pick("sov_tank") in scene.options

    events = scene.do(Pick("sov_tank"), Done(), dice=(6, 6, 6))

    assert removed(events) == ["sov_infantry/1", "sov_tank/1"]


def test_as_many_hits_can_be_named_as_there_are_targets_for_their_shooters() -> None:
    """RuleId("unit.assault-gun.targeted-tanks"), RuleId("unit.bomber.targeted-land"), RuleId("unit.fighter.targeted-air")."""
    table = contested({"ger_bomber": 1, "ger_assault_gun": 1, "sov_infantry": 2, "sov_tank": 1}).table
    hits = Open("targets", AXIS_SEAT, {"place": KALACH, "bomber": 2, "assault_gun": 2, "fighter": 1})

    assert hits_to_name(table, BOARD, hits) == {"bomber": 2, "assault_gun": 1, "fighter": 0}


def test_who_declines_to_target_leaves_an_ordinary_hit() -> None:
    """RuleId("unit.assault-gun.targeted-tanks"), ruling.hit-allocation-order."""
    scene = fought(contested({"ger_assault_gun": 1, "sov_tank": 1, "sov_infantry": 1}), 1)
    scene.do(Done())

    assert scene.options == [Pick("sov_tank"), Pick("sov_infantry")]


def test_a_defending_fighter_may_force_its_hit_on_an_air_unit() -> None:
    """RuleId("unit.fighter.targeted-air"), RuleId("unit.fighter.stats")."""
    units = {"ger_tank": 2, "ger_bomber": 1, "sov_fighter": 1}
    scene = flown(units, ("ger_bomber",), 6, 6, 6, 4)

    assert scene.asked == "allies targets"
    events = scene.do(Pick("fighter", "air"), Done())

    assert removed(events) == ["ger_bomber/1"]

    scene = fought(contested({"ger_tank": 2, "ger_infantry": 1, "sov_fighter": 1}), 6, 6, 6, 4)

    assert scene.asked == "axis casualties", "without an air unit there it is an ordinary hit"


def test_a_bomber_names_a_type_and_the_owner_chooses_the_unit() -> None:
    """RuleId("unit.bomber.targeted-land"), ruling.unit-type-for-targeting."""
    zone = KALACH
    units = {
        "sov_bomber": 1,
        "ger_artillery": 1,
        "min_artillery": 1,
        "ger_infantry": 1,
        "min_infantry": 1,
        "ger_fighter": 1,
    }
    draft = contested(units, zone, side=ALLIES)
    MISSION.set(draft, unit("sov_bomber", 1), ATTACK_MISSION, SCENE)
    scene = fought(draft, 3)

    assert scene.asked == "allies targets"
    assert scene.options == [
        Pick("bomber", "artillery"),
        Pick("bomber", "infantry"),
        Pick("bomber", "minor_infantry"),
        Done(),
    ]

    scene.do(Pick("bomber", "artillery"), Done())

    assert scene.options == [Pick("ger_artillery"), Pick("min_artillery")]
    assert scene.refused(Pick("ger_infantry")) == ("casualty_must_be_eligible", "unit.bomber.targeted-land")

    scene.do(Pick("min_artillery"), dice=(6,) * 5)

    assert not scene.table.stack


def test_a_defending_bomber_names_nothing() -> None:
    """RuleId("unit.bomber.targeted-land"), RuleId("unit.bomber.stats")."""
    scene = fought(contested({"ger_tank": 1, "ger_infantry": 1, "sov_bomber": 1}), 6, 6, 1)

    assert scene.asked == "axis casualties"


def test_what_an_interceptor_hits_is_an_air_unit_if_one_is_left() -> None:
    """RuleId("optional.interceptors.must-target-air")."""
    draft = contested({"ger_bomber": 1, "ger_tank": 2, "sov_fighter": 1})
    MISSION.set(draft, unit("ger_bomber", 1), ATTACK_MISSION, SCENE)
    MISSION.set(draft, unit("sov_fighter", 1), SCRAMBLE, SCENE)

    assert removed(fought(draft, 6, 6, 6, 4).events) == ["ger_bomber/1"]

    draft = contested({"ger_infantry": 1, "ger_tank": 2, "sov_fighter": 1})
    MISSION.set(draft, unit("sov_fighter", 1), SCRAMBLE, SCENE)

    assert fought(draft, 6, 6, 6, 4).asked == "axis casualties"


def test_nothing_is_asked_where_all_are_hit_or_all_are_alike() -> None:
    """RuleId("unit.assault-gun.targeted-tanks"): naming a target would make no difference."""
    scene = fought(contested({"ger_assault_gun": 1, "sov_tank": 1}), 1, 6)

    assert removed(scene.events) == ["sov_tank/1"]

    scene = fought(contested({"ger_assault_gun": 2, "sov_tank": 1, "sov_infantry": 1}), 1, 1, 6, 6)

    assert removed(scene.events) == ["sov_infantry/1", "sov_tank/1"]


# Which combat comes next


def two_fights(side: str = "axis") -> Scene:
    units = {zone: {"ger_tank": 1, "sov_infantry": 1} for zone in ("kalach", "buzinovka")}
    draft = bare({AXIS: RACE_CONTROL}, units, markers={"kalach": ASSAULT, "buzinovka": ASSAULT})
    return fought(attack_phase(draft, AXIS if side == "axis" else ALLIES))


def test_the_attacker_chooses_the_order_and_must_fight_everywhere_once() -> None:
    """RuleId("combat.mandatory"), RuleId("combat.order"), RuleId("combat.one-round")."""
    scene = two_fights()

    assert scene.asked == "axis next_combat"
    assert scene.options == [Pick("kalach"), Pick("buzinovka")]
    assert scene.refused(Done()) == ("all_combats_must_be_resolved", "combat.mandatory")
    assert scene.refused(Pick("pitomnik")) == ("zone_must_be_eligible", "combat.one-round")
    assert scene.refused(Ambush(PlaceId("ambush_station"), KALACH))[0] == "decision_must_be_open"

    events = scene.do(Pick("buzinovka"), dice=(6, 6, 6, 6))
    begun = [event.arguments["zone"] for event in events if isinstance(event, SequenceBegan) and event.kind == "combat"]

    assert begun == ["buzinovka", "kalach"]
    assert len([event for event in events if isinstance(event, SequenceEnded) and event.kind == "combat"]) == 2
    assert not scene.table.stack
    assert two_fights("allies").asked == "allies next_combat"


def test_losses_are_taken_by_a_rule_and_by_class() -> None:
    """`Losses` alone: nothing is asked where the choice is no choice, and hits beyond the units are lost."""
    taken: list[tuple[str, ...]] = []
    losses = Losses(BOARD, "test", lambda _, pieces, cause: taken.append((*pieces, cause)))
    draft = contested({"ger_tank": 2, "ger_infantry": 1})
    tanks, infantry = [unit("ger_tank", 1), unit("ger_tank", 2)], unit("ger_infantry", 1)
    cause = RuleId("ambush.roll")
    seat = draft.table.seat_of(AXIS)
    losses.ask(draft, seat, tanks, 0, cause)
    losses.ask(draft, seat, tanks, 1, cause)
    losses.ask(draft, seat, [*tanks, infantry], 4, cause)
    losses.ask(draft, seat, [*tanks, infantry], 2, cause, wanted={"bomber": ["tank", "tank"]})
    losses.ask(draft, seat, [*tanks, infantry], 2, cause, wanted={"bomber": ["tank", "infantry"]})

    assert taken == [
        ("ger_tank/1", "ambush.roll"),
        ("ger_tank/1", "ger_tank/2", "ger_infantry/1", "ambush.roll"),
        ("ger_tank/1", "ger_tank/2", "ambush.roll"),
        ("ger_tank/1", "ger_infantry/1", "ambush.roll"),
    ]
    losses.ask(draft, seat, [*tanks, infantry], 2, cause, wanted={"bomber": ["tank"]})
    assert draft.table.top is not None
    assert draft.table.top.kind == "test"
