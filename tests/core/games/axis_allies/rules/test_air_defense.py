"""Cards 4 and 11: Air Defense against what has flown in."""

from collections.abc import Mapping, Sequence

from core.engine.decision_rules import DecisionRules
from core.engine.selection import Choose, Done, Pick
from core.games.axis_allies.ids import ALLIES, AXIS, BATTLE, POOL
from core.games.axis_allies.memory import ATTACK_MISSION, RELOCATE, STAY, SUPPLY_DROP
from core.games.axis_allies.rules.commands import Ambush
from core.games.axis_allies.rules.reaction import Reaction
from core.match.bound_games import bound_game
from core.telling.option_parts import told_options
from events.ids import GameKey, MarkerId, PlaceId, RuleId, Side
from events.vocabulary import DecisionOpened, Value
from tests.support.axis_allies import BOARD, SCENE, Scene
from tests.support.axis_allies_flights import Flight, flights, lost, rolled
from tests.support.rows import each_row

REACTION = Reaction(BOARD)
RULES = DecisionRules(REACTION.decisions, sequences=(REACTION.sequence,))
FIGHTER: Flight = ("ger_fighter", "kotluban", ATTACK_MISSION)
CARD = {AXIS: 4, ALLIES: 11}
ROLL = "unit.artillery.air-defense.roll"


def reaction(
    flown: Sequence[Flight],
    units: Mapping[str, Mapping[str, int]],
    side: Side = AXIS,
    control: Sequence[str] = (),
    held: Mapping[str, Mapping[str, int]] | None = None,
    markers: Mapping[str, MarkerId] | None = None,
    options: Mapping[str, Value] | None = None,
) -> Scene:
    """Let the other side react to what a side has flown."""
    scene = Scene(flights(CARD[side], side, flown, units, control, held, markers, options=options), RULES)
    scene.run(REACTION.sequence.begin)
    return scene


def test_artillery_shoots_an_air_unit_down_before_the_combat() -> None:
    """unit.artillery.air-defense.no-return-fire"""
    scene = reaction([FIGHTER], {"kotluban": {"sov_artillery": 1}})

    assert scene.asked == "allies assign_air_defense"
    scene.do(Pick("kotluban", "kotluban"), Done(), dice=[1])

    assert rolled(scene.events) == [("kotluban", 1, ROLL)]
    assert lost(scene.events) == [("ger_fighter/1", "unit.artillery.air-defense.casualty")]


def test_artillery_that_fires_at_what_is_with_it_is_named_once() -> None:
    scene = reaction([FIGHTER], {"kotluban": {"sov_artillery": 1}})
    ((_, parts),) = told_options(bound_game(GameKey("axis_allies"), None), scene.table, [Pick("kotluban", "kotluban")])

    assert parts.who == "Soviet Artillery"


def test_as_many_shots_are_assigned_as_there_is_artillery_with_a_target() -> None:
    scene = reaction([FIGHTER], {"kotluban": {"sov_artillery": 2}, "kalach": {"sov_artillery": 4}})

    assert RULES.bounds(scene.table) == (0, 2)


def test_no_die_is_rolled_where_no_target_is_named() -> None:
    scene = reaction([FIGHTER], {"kotluban": {"sov_artillery": 1}})

    scene.do(Done())

    assert rolled(scene.events) == []


def test_every_artillery_fires_and_hits_beyond_the_aircraft_are_lost() -> None:
    scene = reaction([FIGHTER], {"kotluban": {"sov_artillery": 3}})

    scene.do(*[Pick("kotluban", "kotluban")] * 3)
    assert scene.refused(Pick("kotluban", "kotluban")) == ("unit_must_not_have_fired", "sequence.fire-once-per-phase")
    scene.do(Done(), dice=[4, 1, 1])

    assert len(lost(scene.events)) == 1
    assert scene.asked == ""


def test_the_owner_chooses_which_aircraft_is_hit_and_its_cargo_is_lost_with_it() -> None:
    """unit.artillery.air-defense.any-mission"""
    draft = flights(
        4,
        flown=[("ger_fighter", "pitomnik", RELOCATE), ("ger_bomber", "pitomnik", SUPPLY_DROP)],
        units={"pitomnik": {"sov_artillery": 1}},
        markers={"pitomnik": BATTLE},
    )
    token = draft.table.pieces_at(POOL[AXIS])[0]
    draft.move(token, PlaceId("ger_bomber/1"), SCENE)
    scene = Scene(draft, RULES)
    scene.run(REACTION.sequence.begin)

    scene.do(Pick("pitomnik", "pitomnik"), Done(), dice=[1])
    assert scene.asked == "axis air_loss"
    scene.do(Pick("ger_bomber air supply_drop supply"))

    assert lost(scene.events) == [("ger_bomber/1", "unit.artillery.air-defense.casualty")]
    assert token in scene.table.pieces_at(POOL[ALLIES])


@each_row(
    ("zone", "target", "code", "rule"),
    [
        ("rynok", "spartanovka", "target_must_be_eligible", "unit.artillery.air-defense.region-own-zone"),
        ("pavlovs_house", "kotluban", "target_must_be_eligible", "unit.artillery.air-defense.city"),
        ("pavlovs_house", "crossing_brown", "target_must_be_eligible", "volga-attack.axis-only"),
        ("pavlovs_house", "pavlovs_house", "target_must_be_present", "unit.artillery.air-defense.moved-only"),
        ("pavlovs_house", "ger_fighter/1", "target_must_be_eligible", "optional.interdiction"),
        ("crossing_white", "spartanovka", "unit_must_be_able_to_fire", "unit.artillery.air-defense.city"),
        ("kotluban", "kotluban", "unit_must_be_able_to_fire", "unit.artillery.air-defense.city"),
    ],
)
def test_artillery_reaches_its_own_zone_and_in_the_city_all_of_it(zone: str, target: str, code: str, rule: str) -> None:
    flown = [FIGHTER, ("ger_bomber", "spartanovka", ATTACK_MISSION)]
    units = {zone: {"sov_artillery": 1} for zone in ("rynok", "pavlovs_house", "crossing_white")}

    assert reaction(flown, units).refused(Pick(zone, target)) == (code, rule)


def test_artillery_of_the_city_fires_at_any_place_there_and_above_the_crossings() -> None:
    flown = [("ger_bomber", "pavlovs_house", ATTACK_MISSION), ("ger_fighter", "above/crossing_brown", ATTACK_MISSION)]
    scene = reaction(flown, {zone: {"sov_artillery": 1} for zone in ("krasnaya_sloboda", "pavlovs_house")})

    assert set(scene.options) == {
        Done(),
        *[
            Pick(zone, to)
            for zone in ("krasnaya_sloboda", "pavlovs_house")
            for to in ("pavlovs_house", "above/crossing_brown")
        ],
    }
    choice = Choose(("krasnaya_sloboda", "pavlovs_house"), ("above/crossing_brown", "pavlovs_house"))
    scene.run(lambda draft: RULES.take(draft, choice), dice=[1, 6])

    assert rolled(scene.events) == [("above/crossing_brown", 1, ROLL), ("pavlovs_house", 1, ROLL)]


def test_aircraft_that_did_not_move_are_safe() -> None:
    scene = reaction(
        [("ger_fighter", "pitomnik", STAY), ("ger_bomber", "spartanovka", ATTACK_MISSION)],
        {"pitomnik": {"sov_artillery": 1}, "spartanovka": {"sov_artillery": 1}},
        control=["pitomnik"],
        markers={"pitomnik": BATTLE},
    )

    assert scene.refused(Pick("pitomnik", "pitomnik")) == (
        "target_must_be_eligible",
        "unit.artillery.air-defense.moved-only",
    )


def test_without_a_target_nothing_is_asked() -> None:
    assert reaction([("ger_fighter", "pitomnik", STAY)], {"pitomnik": {"sov_artillery": 1}}).events == []


def test_the_axis_defends_on_its_card_with_german_and_minor_artillery() -> None:
    flown = [("sov_bomber", "kalach", ATTACK_MISSION)]
    scene = reaction(flown, {"kalach": {"ger_artillery": 1, "min_artillery": 1}}, ALLIES, ["kalach"])

    assert [event.rule for event in scene.events if isinstance(event, DecisionOpened)] == ["order.11.sequence"]
    scene.do(Pick("kalach", "kalach"), Pick("kalach", "kalach"), Done(), dice=[2, 1])

    assert lost(scene.events) == [("sov_bomber/1", "unit.artillery.air-defense.casualty")]


def test_targets_are_set_before_the_dice_and_ambushes_come_after_them() -> None:
    site = next(iter(BOARD.sites.values()))
    near = site.zones[0]
    scene = reaction(
        [("ger_fighter", near, ATTACK_MISSION)],
        {near: {"sov_artillery": 1, "ger_infantry": 1}, site.id: {"sov_infantry": 1}},
    )

    assert scene.refused(Ambush(site.id, near)) == ("decision_must_be_open", "sequence.instruction-order")
    scene.do(Pick(near, near), Done(), dice=[6])

    assert scene.asked == "allies ambush"
    assert scene.refused(Pick(near, near)) == (
        "targets_must_be_set_before_dice",
        "unit.artillery.air-defense.assign-first",
    )


# Interdiction


def interdiction(zone: str, flown: Flight, markers: Mapping[str, MarkerId] | None = None) -> Scene:
    """One artillery, an aircraft that it may not reach, and a target of ordinary Air Defense so that there is a question."""
    return reaction(
        [flown, ("ger_fighter", "spartanovka", ATTACK_MISSION)],
        {zone: {"sov_artillery": 1}, "spartanovka": {"sov_artillery": 1}},
        control=["pitomnik"],
        markers=markers,
        options={"interdiction": True},
    )


def test_artillery_interdicts_a_transport_to_an_adjacent_zone() -> None:
    scene = interdiction("vertyachii", ("ger_bomber", "pitomnik", SUPPLY_DROP))

    scene.do(Pick("vertyachii", "ger_bomber/1"), Done(), dice=[1])

    assert rolled(scene.events) == [("ger_bomber/1", 1, "optional.interdiction")]
    assert lost(scene.events) == [("ger_bomber/1", "optional.interdiction")]


def test_each_artillery_interdicts_any_bomber_though_two_are_alike() -> None:
    """optional.interdiction: artillery fires at a bomber; which one is the choice of its side."""
    bomber = ("ger_bomber", "pitomnik", SUPPLY_DROP)
    scene = reaction(
        [bomber, bomber], {"vertyachii": {"sov_artillery": 2}}, control=["pitomnik"], options={"interdiction": True}
    )
    targets = ["ger_bomber/1", "ger_bomber/2"]

    assert scene.options == [*[Pick("vertyachii", target) for target in targets], Done()]
    assert scene.refused(Choose(("vertyachii",) * 3, ("ger_bomber/1", *targets))) == (
        "choice_must_not_exceed_maximum",
        "unit.artillery.air-defense.assign-first",
    )
    scene.do(Choose(("vertyachii", "vertyachii"), tuple(targets)), dice=[1, 6], is_listed=False)

    assert lost(scene.events) == [("ger_bomber/1", "optional.interdiction")]


@each_row(
    ("zone", "flown", "code", "rule"),
    [
        ("vertyachii", ("ger_bomber", "pitomnik", ATTACK_MISSION), "target_must_be_eligible", "optional.interdiction"),
        (
            "vertyachii",
            ("ger_bomber", "mamayev_kurgan", SUPPLY_DROP),
            "target_must_be_eligible",
            "optional.interdiction.true-adjacency",
        ),
        ("tinguta", ("ger_bomber", "beketovka", SUPPLY_DROP), "unit_must_be_able_to_fire", "optional.interdiction"),
    ],
)
def test_interdiction_needs_a_transport_a_neighbour_and_an_uncontested_zone(
    zone: str, flown: Flight, code: str, rule: str
) -> None:
    scene = interdiction(zone, flown, {"tinguta": BATTLE})

    assert scene.refused(Pick(zone, "ger_bomber/1")) == (code, RuleId(rule))
