"""The optional rule Interceptors: fighters scramble, fight as defenders, and return."""

from collections.abc import Mapping, Sequence

from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
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
    PHASES,
    above,
)
from core.games.axis_allies.memory import ATTACK_MISSION, HOME, MISSION, RELOCATE, SCRAMBLE, STAY, SUPPLY_DROP
from core.games.axis_allies.rules.attack import Attack
from core.games.axis_allies.rules.commands import Fly
from core.games.axis_allies.rules.landing import Landing
from core.games.axis_allies.rules.reaction import Reaction
from events.ids import MarkerId, PieceId, PlaceId, Side
from events.vocabulary import Value
from tests.support.axis_allies import BOARD, SCENE, Scene
from tests.support.axis_allies_flights import Flight, flights, lost, rolled
from tests.support.rows import each_row

REACTION, ATTACK, LANDING = Reaction(BOARD), Attack(BOARD), Landing(BOARD)
RULES = DecisionRules(
    {**REACTION.decisions, **ATTACK.decisions, **LANDING.decisions},
    sequences=(REACTION.sequence, *ATTACK.sequences, LANDING.sequence),
)
NUMBERS = {AXIS: (4, 5, 6), ALLIES: (11, 12, 13)}
EAST, GRAY = PlaceId("srednyaya_akhtuba"), PlaceId("crossing_gray")
SKY = above(GRAY)
OVER_CROSSING: Flight = ("ger_bomber", SKY, ATTACK_MISSION)
UNIT = "sov_fighter ground"
Units = Mapping[str, Mapping[str, int]]


def attacked(
    flown: Sequence[Flight],
    units: Units,
    side: Side = AXIS,
    control: Sequence[str] = (),
    markers: Mapping[str, MarkerId] | None = None,
    options: Mapping[str, Value] | None = None,
    *,
    ferry: bool = True,
    is_bad_weather: bool = False,
) -> Scene:
    """Let the other side react to what a side has flown."""
    contested = {place: ASSAULT for _, place, mission in flown if mission == ATTACK_MISSION}
    draft = flights(
        NUMBERS[side][0],
        side,
        flown,
        units,
        control,
        markers={**contested, **(markers or {})},
        ferries=(GRAY,) if ferry else (),
        options={"interceptors": True, **(options or {})},
        is_bad_weather=is_bad_weather,
    )
    scene = Scene(draft, RULES)
    scene.run(REACTION.sequence.begin)
    return scene


def scramble(origin: str, to: str, kind: str = "sov_fighter", mission: str = SCRAMBLE) -> Fly:
    return Fly(f"{kind} ground", PlaceId(origin), PlaceId(to), mission)


def resolve(scene: Scene, *dice: int) -> None:
    """Begin the Attack phase of the side that has flown."""
    number = NUMBERS[scene.table.turn][1]

    def begin(draft: Draft) -> None:
        draft.begin_phase(PHASES[number], SCENE)
        ATTACK.sequence.begin(draft)

    scene.run(begin, dice)


def land(scene: Scene) -> None:
    """Begin the landing of the side that has flown."""
    scene.run(lambda draft: LANDING.sequence.begin(draft, {"side": scene.table.turn}))


def over_gray(
    fighters: int, flown: Sequence[str] = ("ger_bomber",), cargo: str = "", *, is_frozen: bool = False
) -> Scene:
    """Let Soviet fighters meet aircraft over the gray crossing."""
    scene = attacked(
        [(kind, SKY, ATTACK_MISSION) for kind in flown],
        {EAST: {"sov_fighter": fighters}, **({GRAY: {cargo: 1}} if cargo else {})},
        markers={GRAY: ICE_BRIDGE} if is_frozen else {},
        ferry=not is_frozen,
    )
    for _ in range(fighters):
        scene.do(scramble(EAST, GRAY))
    return scene


# Scrambling


def test_a_fighter_scrambles_before_air_defense_and_remembers_where_it_came_from() -> None:
    scene = attacked([OVER_CROSSING], {EAST: {"sov_fighter": 1}, "pavlovs_house": {"sov_artillery": 1}})

    assert scene.asked == "allies intercept"
    assert scene.options == [scramble(EAST, GRAY), Done()]
    scene.do(scramble(EAST, GRAY))

    fighter = PieceId("sov_fighter/1")
    assert (scene.table.pieces[fighter].place, scene.table.pieces[fighter].face) == (SKY, FLYING)
    assert (MISSION.of(scene.table, fighter), HOME.of(scene.table, fighter)) == (SCRAMBLE, EAST)
    assert scene.asked == "allies assign_air_defense"
    scene.do(Pick("pavlovs_house", SKY), Done(), dice=[1])
    assert lost(scene.events) == [("ger_bomber/1", "unit.artillery.air-defense.casualty")]


def test_no_fighter_must_scramble() -> None:
    scene = attacked([OVER_CROSSING], {EAST: {"sov_fighter": 1}})

    scene.do(Done())

    assert scene.kinds(EAST) == ["sov_fighter"]
    assert scene.asked == ""


@each_row(
    ("options", "is_bad_weather", "asked"),
    [
        ({"interceptors": False}, False, ""),
        ({}, True, ""),
        ({"bad_weather_sorties": True}, True, "allies intercept"),
    ],
)
def test_it_is_an_option_and_bad_weather_needs_sorties(
    options: Mapping[str, Value], is_bad_weather: bool, asked: str
) -> None:
    """ruling.interceptor-details"""
    scene = attacked([OVER_CROSSING], {EAST: {"sov_fighter": 1}}, options=options, is_bad_weather=is_bad_weather)

    assert scene.asked == asked


@each_row(
    ("command", "code", "rule"),
    [
        (scramble(EAST, "kalach"), "zones_must_be_adjacent", "optional.interceptors.adjacency"),
        (scramble(EAST, "rynok"), "target_must_be_present", "optional.interceptors.scramble"),
        (scramble(EAST, "krasnaya_sloboda"), "target_must_be_present", "optional.interceptors.scramble"),
        (scramble("pitomnik", GRAY), "unit_must_be_eligible", "optional.interceptors.scramble"),
        (scramble("nowhere", GRAY), "unit_must_be_eligible", "optional.interceptors.scramble"),
        (scramble(EAST, GRAY, "sov_bomber"), "unit_must_be_eligible", "optional.interceptors.scramble"),
        (scramble(SKY, GRAY, "ger_bomber"), "unit_must_be_eligible", "optional.interceptors.scramble"),
        (
            Fly(UNIT, EAST, GRAY, SCRAMBLE, ("sov_infantry",)),
            "cargo_must_fit_mission",
            "optional.interceptors.scramble",
        ),
        (scramble(EAST, GRAY, mission=ATTACK_MISSION), "decision_must_be_open", "sequence.instruction-order"),
        (Pick(UNIT, GRAY), "targets_must_be_set_before_dice", "unit.artillery.air-defense.assign-first"),
    ],
)
def test_who_scrambles_where(command: Fly | Pick, code: str, rule: str) -> None:
    scene = attacked(
        [OVER_CROSSING, ("ger_fighter", "rynok", RELOCATE), ("ger_bomber", "kalach", ATTACK_MISSION)],
        {EAST: {"sov_fighter": 1, "sov_bomber": 1}, "kalach": {"sov_infantry": 1}, "pitomnik": {"sov_bomber": 1}},
    )

    assert scene.refused(command) == (code, rule)


def test_what_delivers_supplies_is_not_intercepted() -> None:
    assert attacked([("ger_bomber", "rynok", SUPPLY_DROP)], {EAST: {"sov_fighter": 1}}).asked == ""


def test_attackers_that_did_not_move_are_intercepted_too() -> None:
    """ruling.stay-attack-declaration"""
    scene = attacked(
        [("ger_fighter", "pitomnik", STAY)],
        {EAST: {"sov_fighter": 1}, "pitomnik": {"sov_infantry": 1, "ger_infantry": 1}},
        markers={"pitomnik": BATTLE},
    )

    scene.do(scramble(EAST, "pitomnik"))

    assert {event.rule for event in scene.events} >= {"optional.interceptors.unmoved-attackers"}


def test_axis_fighters_intercept_over_the_city() -> None:
    scene = attacked(
        [("sov_fighter", "mamayev_kurgan", ATTACK_MISSION)],
        {"pitomnik": {"ger_fighter": 2}, "mamayev_kurgan": {"ger_infantry": 1}},
        ALLIES,
        ["pitomnik", "mamayev_kurgan"],
        {"pitomnik": BATTLE},
    )

    assert scene.asked == "axis intercept"
    scene.do(scramble("pitomnik", "mamayev_kurgan", "ger_fighter"), Done())
    resolve(scene)
    scene.do(Pick("mamayev_kurgan"), dice=[6, 6, 2])

    assert rolled(scene.events)[-1] == ("mamayev_kurgan", 1, "optional.interceptors.must-target-air")


# Fighting


def test_an_interceptor_must_hit_an_air_unit_while_there_is_one() -> None:
    flown: list[Flight] = [("ger_bomber", "rynok", ATTACK_MISSION)]
    units = {EAST: {"sov_fighter": 1}, "rynok": {"ger_tank": 2}}
    scene = attacked(flown, units, control=["dubovka"])
    scene.do(scramble(EAST, "rynok"))

    resolve(scene, 6, 6, 6, 4)

    assert [piece for piece, _ in lost(scene.events)] == ["ger_bomber/1"]


def test_without_an_enemy_aircraft_it_hits_what_the_enemy_chooses() -> None:
    flown: list[Flight] = [("ger_bomber", "rynok", ATTACK_MISSION)]
    units = {EAST: {"sov_fighter": 1}, "rynok": {"ger_tank": 2}}
    scene = attacked(flown, units, control=["dubovka"])
    scene.do(scramble(EAST, "rynok"))
    scene.run(lambda draft: draft.remove(PieceId("ger_bomber/1"), SCENE))

    resolve(scene, 6, 6, 4)

    assert [piece for piece, _ in lost(scene.events)] == ["ger_tank/1"]


# Above a Volga Crossing


@each_row(("pick", "is_ferry_lost"), [(Pick("bomber", "crossing"), True), (Done(), False)])
def test_a_bomber_may_insist_on_the_ferry_and_the_interceptor_fires_all_the_same(
    pick: Pick | Done, is_ferry_lost: bool
) -> None:
    """optional.interceptors.crossing-combat"""
    scene = over_gray(1, cargo="sov_infantry")

    resolve(scene, 3)
    assert scene.asked == "axis targets"
    assert scene.refused(Pick("bomber", "air")) == ("target_must_be_eligible", "unit.bomber.targeted-land")
    if pick == Done():
        scene.do(pick)
        assert scene.asked == "allies designate"
        scene.do(Pick("sov_fighter air scramble srednyaya_akhtuba"), dice=[4])
    else:
        scene.do(pick, Done(), dice=[4])

    assert scene.table.marker(GRAY, FERRY) == (0 if is_ferry_lost else 1)
    assert scene.kinds(GRAY) == ([] if is_ferry_lost else ["sov_infantry"])
    assert "ger_bomber/1" not in scene.table.pieces
    assert ("sov_fighter/1" in scene.table.pieces) is is_ferry_lost
    assert not scene.table.marker(SKY, ASSAULT)
    assert scene.asked == ""


def test_the_allies_may_take_the_ferry_for_the_interceptor() -> None:
    scene = over_gray(1, ["ger_fighter"])

    resolve(scene, 3)
    scene.do(Done())
    scene.do(Pick(GRAY), dice=[6])

    assert scene.table.marker(GRAY, FERRY) == 0
    assert sorted(scene.kinds(SKY)) == ["ger_fighter", "sov_fighter"]


def test_a_fighter_may_insist_on_an_interceptor() -> None:
    scene = over_gray(1, ["ger_fighter"])

    resolve(scene, 3)
    scene.do(Pick("fighter", "air"), Done(), dice=[6])

    assert [piece for piece, _ in lost(scene.events)] == ["sov_fighter/1"]
    assert scene.table.marker(GRAY, FERRY) == 1


def test_one_hit_is_enough_for_the_ferry_and_the_others_go_to_interceptors() -> None:
    """ruling.interceptor-crossing-hits"""
    scene = over_gray(2, ["ger_bomber", "ger_bomber", "ger_bomber"])

    resolve(scene, 3, 3, 3, 4, 4)

    assert scene.kinds(SKY) == ["ger_bomber"]
    assert scene.table.marker(GRAY, FERRY) == 0
    assert [piece for piece, rule in lost(scene.events) if rule == "combat.step4.remove"] == [
        "sov_fighter/1",
        "sov_fighter/2",
    ]


def test_what_is_on_an_ice_bridge_is_hit_in_place_of_the_ferry() -> None:
    scene = over_gray(1, cargo="sov_tank", is_frozen=True)

    resolve(scene, 3)
    scene.do(Pick("bomber", "crossing"), Done(), dice=[6])

    assert lost(scene.events) == [("sov_tank/1", "volga-attack.icebridge-result")]
    assert scene.table.marker(GRAY, ICE_BRIDGE) == 1


def test_without_a_hit_nothing_is_asked() -> None:
    scene = over_gray(1)

    resolve(scene, 6, 6)

    assert scene.asked == ""
    assert sorted(scene.kinds(SKY)) == ["ger_bomber", "sov_fighter"]


def test_interceptors_that_find_no_attacker_left_do_not_fire() -> None:
    scene = over_gray(1)
    scene.run(lambda draft: draft.remove(PieceId("ger_bomber/1"), SCENE))

    resolve(scene)

    assert rolled(scene.events) == []
    assert not scene.table.marker(SKY, ASSAULT)


def test_interceptors_of_other_zones_are_told_apart() -> None:
    scene = attacked([OVER_CROSSING], {EAST: {"sov_fighter": 1}, "rynok": {"sov_fighter": 1}})
    scene.do(scramble(EAST, GRAY), scramble("rynok", GRAY))

    resolve(scene, 3)
    scene.do(Done())

    assert scene.options == [
        Pick("sov_fighter air scramble srednyaya_akhtuba"),
        Pick("sov_fighter air scramble rynok"),
        Pick(GRAY),
    ]


# Returning


@each_row("control", ["allies", "axis"])
def test_survivors_return_first_and_are_lost_with_their_zone(control: str) -> None:
    scene = attacked([OVER_CROSSING], {"rynok": {"sov_fighter": 1}})
    scene.do(scramble("rynok", GRAY))
    resolve(scene, 6, 6)
    scene.run(lambda draft: draft.control(PlaceId("rynok"), Side(control), SCENE))

    land(scene)

    is_back = control == "allies"
    assert scene.kinds("rynok") == (["sov_fighter"] if is_back else [])
    assert lost(scene.events) == ([] if is_back else [("sov_fighter/1", "optional.interceptors.return")])
    assert scene.events[0].rule == "optional.interceptors.return"
    assert scene.kinds("tatsinskaya") == ["ger_bomber"]
    if is_back:
        assert scene.table.pieces[PieceId("sov_fighter/1")].face == GROUND
        assert not scene.table.attributes.get("sov_fighter/1")
