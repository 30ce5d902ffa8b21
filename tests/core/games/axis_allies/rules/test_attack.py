"""Cards 5 and 12: landings, deliveries, crossings, Bombardment and combats, in this order."""

from collections.abc import Mapping, Sequence

from core.engine.decision_rules import DecisionRules
from core.engine.selection import Done, Pick
from core.games.axis_allies.ids import (
    ALLIES,
    ASSAULT,
    AXIS,
    BATTLE,
    FERRY,
    FLYING,
    GROUND,
    ICE_BRIDGE,
    POOL,
    SUPPLY,
    above,
)
from core.games.axis_allies.memory import (
    ATTACK_MISSION,
    RELOCATE,
    SUPPLY_DROP,
    SUPPLY_LANDING,
    TROOP_LANDING,
)
from core.games.axis_allies.rules.attack import Attack
from core.games.axis_allies.rules.commands import Decline, Spend
from events.ids import MarkerId, PlaceId, Side
from events.vocabulary import SequenceBegan, StepBegan, Value
from tests.support.axis_allies import BOARD, SCENE, Scene
from tests.support.axis_allies_flights import Flight, board_cargo, flights, lost, rolled
from tests.support.rows import each_row

ATTACK = Attack(BOARD)
RULES = DecisionRules(ATTACK.decisions, sequences=ATTACK.sequences)
CARD = {AXIS: 5, ALLIES: 12}
GRAY, WHITE = PlaceId("crossing_gray"), PlaceId("crossing_white")
AROUND = BOARD.zones[PlaceId("gorodishche")].near
"""In Axis hands, these zones cut Gorodishche off."""
Units = Mapping[str, Mapping[str, int]]


def attack(
    side: Side = AXIS,
    flown: Sequence[Flight] = (),
    units: Units | None = None,
    control: Sequence[str] = (),
    held: Units | None = None,
    markers: Mapping[str, MarkerId] | None = None,
    ferries: Sequence[str] = (),
    options: Mapping[str, Value] | None = None,
    cargo: Mapping[str, str] | None = None,
    dice: Sequence[int] = (),
    *,
    is_bad_weather: bool = False,
) -> Scene:
    """Begin a side's Attack phase, with bombers that carry units or tokens."""
    draft = flights(
        CARD[side], side, flown, units, control, held, markers, ferries, options, is_bad_weather=is_bad_weather
    )
    for bomber, kind in (cargo or {}).items():
        if kind == SUPPLY:
            draft.move(draft.table.pieces_at(POOL[side])[0], PlaceId(bomber), SCENE)
        else:
            board_cargo(draft, bomber, kind)
    scene = Scene(draft, RULES)
    scene.run(ATTACK.sequence.begin, dice)
    return scene


def steps(scene: Scene) -> list[str]:
    return [event.step for event in scene.events if isinstance(event, StepBegan | SequenceBegan)]


# Landings and deliveries


def test_what_relocates_lands_and_attackers_stay_in_the_air() -> None:
    scene = attack(
        flown=[("ger_fighter", "pitomnik", RELOCATE), ("ger_bomber", "pitomnik", SUPPLY_DROP)],
        control=["pitomnik"],
        cargo={"ger_bomber/1": SUPPLY},
    )

    faces = {piece.id: piece.face for piece in scene.table.pieces.values() if piece.face}
    assert faces == {"ger_fighter/1": GROUND, "ger_bomber/1": FLYING}
    assert scene.kinds("pitomnik") == ["ger_fighter", "ger_bomber", SUPPLY]
    assert steps(scene) == ["relocating", "offload"]


def test_an_airfield_holds_four_and_the_owner_chooses_what_is_lost() -> None:
    flown: list[Flight] = [("ger_fighter", "pitomnik", RELOCATE), ("ger_bomber", "pitomnik", SUPPLY_LANDING)]
    scene = attack(
        flown=flown, units={"pitomnik": {"ger_bomber": 3}}, control=["pitomnik"], cargo={"ger_bomber/4": SUPPLY}
    )
    pool = len(scene.table.pieces_at(POOL[ALLIES]))

    assert scene.asked == "axis overflow"
    scene.do(Pick("ger_bomber air supply_landing supply"))

    assert lost(scene.events) == [("ger_bomber/4", "order.5.relocating-land")]
    assert len(scene.table.pieces_at(POOL[ALLIES])) == pool + 1
    assert scene.kinds("pitomnik") == ["ger_bomber"] * 3 + ["ger_fighter"]


def test_a_landing_that_is_not_legal_any_more_is_lost_with_the_bomber() -> None:
    scene = attack(
        flown=[("ger_bomber", "pitomnik", TROOP_LANDING)],
        units={"pitomnik": {"sov_infantry": 1}},
        control=["pitomnik"],
        markers={"pitomnik": BATTLE},
        cargo={"ger_bomber/1": "ger_infantry"},
    )

    assert [piece for piece, _ in lost(scene.events)] == ["ger_infantry/1", "ger_bomber/1"]


def test_landed_troops_are_delivered() -> None:
    scene = attack(
        flown=[("ger_bomber", "pitomnik", TROOP_LANDING)], control=["pitomnik"], cargo={"ger_bomber/1": "min_infantry"}
    )

    assert scene.kinds("pitomnik") == ["ger_bomber", "min_infantry"]


def test_a_supply_landing_is_delivered_once_the_bomber_is_down() -> None:
    """unit.bomber.delivery-time"""
    scene = attack(
        flown=[("ger_bomber", "pitomnik", SUPPLY_LANDING)], control=["pitomnik"], cargo={"ger_bomber/1": SUPPLY}
    )

    assert scene.kinds("pitomnik") == ["ger_bomber", SUPPLY]
    assert steps(scene) == ["relocating", "offload"]
    assert "unit.bomber.delivery-time" in [event.rule for event in scene.events]


# Volga Crossings


def crossing(
    flown: Sequence[str],
    dice: Sequence[int],
    units: Units | None = None,
    *,
    bridge: bool = False,
    is_bad_weather: bool = False,
) -> Scene:
    """Attack the gray crossing."""
    return attack(
        flown=[(kind, above(GRAY), ATTACK_MISSION) for kind in flown],
        units=units,
        markers={above(GRAY): ASSAULT, **({GRAY: ICE_BRIDGE} if bridge else {})},
        ferries=() if bridge else (GRAY,),
        options={"bad_weather_sorties": True},
        dice=dice,
        is_bad_weather=is_bad_weather,
    )


@each_row(("dice", "is_hit"), [((4, 3), True), ((4, 5), False), ((1, 2), True)])
def test_one_hit_destroys_a_ferry_with_its_cargo(dice: tuple[int, int], *, is_hit: bool) -> None:
    """volga-attack.no-return-fire"""
    scene = crossing(["ger_fighter", "ger_bomber"], dice, {GRAY: {"sov_infantry": 1}})

    assert rolled(scene.events) == [(above(GRAY), 2, "volga-attack.resolve")]
    assert scene.table.marker(GRAY, FERRY) == (0 if is_hit else 1)
    assert scene.kinds(GRAY) == ([] if is_hit else ["sov_infantry"])
    assert not scene.table.marker(above(GRAY), ASSAULT)
    assert [rule for _, rule in lost(scene.events)] == (["volga-attack.ferry-result"] if is_hit else [])


def test_an_ice_bridge_remains() -> None:
    """icebridge.indestructible"""
    scene = crossing(["ger_fighter"], [2], {GRAY: {"sov_tank": 1}}, bridge=True)

    assert lost(scene.events) == [("sov_tank/1", "volga-attack.icebridge-result")]
    assert scene.table.marker(GRAY, ICE_BRIDGE) == 1


def test_sorties_attack_crossings_at_one_less() -> None:
    assert crossing(["ger_fighter"], [3], is_bad_weather=True).table.marker(GRAY, FERRY) == 1
    assert crossing(["ger_fighter"], [2], is_bad_weather=True).table.marker(GRAY, FERRY) == 0


def test_the_marker_goes_where_all_attackers_were_shot_down() -> None:
    scene = crossing([], [])

    assert [event.rule for event in scene.events if event.rule == "volga-attack.marker-removed"]
    assert scene.table.marker(GRAY, FERRY) == 1


def test_the_axis_chooses_the_order_of_the_crossings() -> None:
    scene = attack(
        flown=[("ger_fighter", above(GRAY), ATTACK_MISSION), ("ger_bomber", above(WHITE), ATTACK_MISSION)],
        markers={above(GRAY): ASSAULT, above(WHITE): ASSAULT},
        ferries=(GRAY, WHITE),
    )

    assert scene.asked == "axis next_crossing"
    assert scene.refused(Pick("crossing_brown")) == ("target_must_be_present", "volga-attack.resolve")
    scene.do(Pick(WHITE), dice=[6, 3])

    assert [about for about, _, _ in rolled(scene.events)] == [above(WHITE), above(GRAY)]


# Bombardment


def bombard(
    zone: str = "kremenskaya",
    launchers: int = 1,
    target: str = "kletskaya",
    axis: Mapping[str, int] | None = None,
    control: Sequence[str] = ("kletskaya", "zimovskii"),
    held: Units | None = None,
    markers: Mapping[str, MarkerId] | None = None,
) -> Scene:
    """Rocket launchers in a zone, and Axis units in another one that they may fire at."""
    units = {zone: {"sov_rocket_launcher": launchers}, target: axis or {"ger_infantry": 1}}
    return attack(ALLIES, (), units, control, held, markers)


def test_launchers_fire_before_the_combats_and_their_casualties_do_not_fire() -> None:
    scene = attack(
        ALLIES,
        units={
            "kremenskaya": {"sov_rocket_launcher": 3},
            "kletskaya": {"ger_infantry": 1, "ger_tank": 1, "sov_infantry": 1},
        },
        control=["kletskaya"],
        markers={"kletskaya": ASSAULT},
    )

    assert scene.asked == "allies assign_bombardment"
    scene.do(*[Pick("kremenskaya", "kletskaya")] * 3)
    assert scene.refused(Pick("kremenskaya", "kletskaya"))[0] == "unit_must_not_have_fired"
    scene.do(Done(), dice=[1, 3, 2])
    assert rolled(scene.events) == [("kletskaya", 3, "unit.rocket.bombardment.roll")]
    assert scene.asked == "axis bombardment_loss"
    scene.do(Pick("ger_infantry"), dice=[1, 6])

    assert lost(scene.events)[0] == ("ger_infantry/1", "unit.rocket.bombardment.casualty")
    assert [number for _, number, _ in rolled(scene.events)] == [1, 1]


def test_the_last_unit_of_a_zone_that_the_enemy_controls_leaves_the_marker() -> None:
    scene = attack(
        ALLIES,
        units={"kremenskaya": {"sov_rocket_launcher": 1}, "kletskaya": {"ger_infantry": 1, "sov_infantry": 1}},
        control=["kletskaya"],
        markers={"kletskaya": ASSAULT},
    )

    scene.do(Pick("kremenskaya", "kletskaya"), Done(), dice=[1])

    assert scene.table.control[PlaceId("kletskaya")] == ALLIES
    assert [number for _, number, _ in rolled(scene.events)] == [1]


@each_row(
    ("item", "to", "code", "rule"),
    [
        ("kremenskaya", "kremenskaya", "target_must_be_eligible", "unit.rocket.bombardment.range"),
        ("kremenskaya", "oblivskaya", "target_must_be_eligible", "unit.rocket.bombardment.range"),
        ("kremenskaya", "zimovskii", "target_must_be_present", "unit.rocket.bombardment.targets"),
        ("rynok", "kotluban", "target_must_be_eligible", "unit.rocket.bombardment.targets"),
        ("kremenskaya", "tatsinskaya", "base_zone_must_not_be_attacked", "zone.base.no-attack"),
        ("frolovo", "kletskaya", "unit_must_be_able_to_fire", "unit.rocket.bombardment.eligible"),
        ("ilovinska", "kremenskaya", "unit_must_be_able_to_fire", "unit.rocket.bombardment.eligible"),
        ("gorodishche", "orlovka", "launcher_must_be_supplied", "unit.rocket.bombardment.eligible"),
    ],
)
def test_a_launcher_is_able_to_fire_and_has_a_target_in_range(item: str, to: str, code: str, rule: str) -> None:
    axis = {zone: {"ger_infantry": 1} for zone in ("kletskaya", "kotluban", "oblivskaya", "orlovka")}
    units = {zone: {"sov_rocket_launcher": 1} for zone in ("kremenskaya", "gorodishche", "ilovinska", "rynok")}
    scene = attack(
        ALLIES,
        units={**axis, **units},
        control=[*axis, *AROUND],
        markers={"kotluban": BATTLE, "ilovinska": BATTLE},
    )

    assert scene.refused(Pick(item, to)) == (code, rule)


def test_in_the_city_launchers_reach_every_zone() -> None:
    scene = bombard("krasnaya_sloboda", 1, "orlovka", control=["orlovka"])

    scene.do(Pick("krasnaya_sloboda", "orlovka"), Done(), dice=[1])

    assert lost(scene.events) == [("ger_infantry/1", "unit.rocket.bombardment.casualty")]


def cut_off(*, spend: bool) -> Scene:
    """Launchers in Gorodishche, which nothing supplies but a token there."""
    scene = bombard("gorodishche", 2, "orlovka", control=["orlovka", *AROUND], held={ALLIES: {"gorodishche": 1}})
    assert scene.asked == "allies spend_token"
    scene.do(Spend(PlaceId("gorodishche")) if spend else Decline())
    return scene


def test_a_token_supplies_all_launchers_of_a_zone() -> None:
    scene = cut_off(spend=True)

    scene.do(Pick("gorodishche", "orlovka"), Pick("gorodishche", "orlovka"), Done(), dice=[2, 2])

    assert scene.asked == ""


def test_launchers_without_supply_do_not_fire() -> None:
    assert cut_off(spend=False).asked == ""


def test_aircraft_on_the_ground_are_targets_too() -> None:
    scene = bombard(axis={"ger_fighter": 1}, target="zimovskii")

    scene.do(Pick("kremenskaya", "zimovskii"), Done(), dice=[1])

    assert [piece for piece, _ in lost(scene.events)] == ["ger_fighter/1"]


def test_the_axis_has_no_bombardment_and_the_allies_attack_no_crossing() -> None:
    units = {"kremenskaya": {"sov_rocket_launcher": 1}, "kletskaya": {"ger_infantry": 1}}

    assert attack(AXIS, units=units, control=["kletskaya"]).events == []
    assert attack(ALLIES, ferries=[GRAY]).events == []
