"""The moves of air units: attacks, relocation and Air Transport."""

from collections.abc import Mapping

from core.engine.decision_rules import DecisionRules
from core.engine.question import Question
from core.engine.selection import Done
from core.games.axis_allies.ids import (
    ALLIES,
    ASSAULT,
    AXIS,
    BATTLE,
    FLYING,
    FROZEN,
    ICE_BRIDGE,
    POOL,
    SUPPLY,
    above,
    round_space,
)
from core.games.axis_allies.memory import (
    ATTACK_MISSION,
    MISSION,
    MOVE,
    MOVED,
    RELOCATE,
    STAY,
    SUPPLY_DROP,
    SUPPLY_LANDING,
    TROOP_LANDING,
)
from core.games.axis_allies.rules.attack import OFFLOAD, offload
from core.games.axis_allies.rules.commands import Fly
from core.games.axis_allies.rules.control import end_fight
from core.games.axis_allies.rules.land_movement import Land
from core.games.axis_allies.rules.missions import answer, must_move
from core.games.axis_allies.rules.refusals import misplaced
from events.ids import MarkerId, PieceId, PlaceId, RuleId, Side
from events.vocabulary import Value
from projections.state.table import Table
from tests.support.axis_allies import BOARD, MOVEMENT, MOVEMENT_RULES, SCENE, Scene, bare, phase
from tests.support.rows import each_row

MOVE_QUESTION = "move"
RULES = DecisionRules({MOVE_QUESTION: Question((answer(BOARD),), misplaced)})
FIGHTER, BOMBER = "ger_fighter ground", "ger_bomber ground"
RED_FIGHTER, RED_BOMBER = "sov_fighter ground", "sov_bomber ground"
TOKEN, TOKENS = (SUPPLY,), (SUPPLY, SUPPLY)
HOME = "oblivskaya"


def movement(
    side: Side = AXIS,
    units: Mapping[str, Mapping[str, int]] | None = None,
    control: tuple[str, ...] = (HOME,),
    markers: Mapping[str, MarkerId] | None = None,
    held: Mapping[str, Mapping[str, int]] | None = None,
    flying: tuple[str, ...] = (),
    ferries: tuple[str, ...] = (),
    options: Mapping[str, Value] | None = None,
    number: int = 3,
) -> Scene:
    """Ask a side for its moves, of which this tests those of air units."""
    draft = bare({AXIS: list(control)}, units, held, markers, ferries, flying, options=options)
    draft.begin_round(number, SCENE)
    draft.begin_turn(side, SCENE)
    draft.begin_phase(f"{side}_movement", SCENE)
    scene = Scene(draft, RULES)
    scene.run(lambda asking: asking.ask(MOVE_QUESTION, draft.table.seat_of(side), SCENE))
    return scene


def fly(unit: str, origin: str, to: str, mission: str = ATTACK_MISSION, cargo: tuple[str, ...] = ()) -> Fly:
    return Fly(unit, PlaceId(origin), PlaceId(to), mission, cargo)


def only(table: Table, kind: str) -> PieceId:
    """Return the only piece of a kind."""
    (found,) = [piece.id for piece in table.pieces.values() if piece.kind == kind]
    return found


# Attacks


def test_an_air_unit_attacks_wherever_enemy_units_are() -> None:
    scene = movement(units={HOME: {"ger_fighter": 1}, "kotluban": {"sov_infantry": 1}})

    scene.do(fly(FIGHTER, HOME, "kotluban"))

    fighter = scene.table.pieces[only(scene.table, "ger_fighter")]
    assert (fighter.place, fighter.face, MISSION.of(scene.table, fighter.id)) == ("kotluban", FLYING, ATTACK_MISSION)
    assert scene.table.marker("kotluban", ASSAULT) == 1
    assert "movement.air.unlimited" in [event.rule for event in scene.events]
    assert scene.refused(fly("ger_fighter air attack", "kotluban", "kotluban")) == (
        "movement_must_suffice",
        "movement.air.attack-target",
    )


def test_distance_and_enemies_on_the_way_do_not_matter() -> None:
    scene = movement(units={"tatsinskaya": {"ger_bomber": 1}, "spartanovka": {"sov_infantry": 1}})

    scene.do(fly(BOMBER, "tatsinskaya", "spartanovka"))

    assert scene.kinds("spartanovka") == ["sov_infantry", "ger_bomber"]


@each_row(
    ("command", "code", "rule"),
    [
        (fly(FIGHTER, HOME, "kotluban"), "target_must_be_present", "movement.air.attack-target"),
        (fly(FIGHTER, HOME, "nowhere"), "target_must_be_present", "movement.air.attack-target"),
        (fly(FIGHTER, HOME, "srednyaya_akhtuba"), "base_zone_must_not_be_attacked", "zone.base.no-attack"),
        (fly(BOMBER, HOME, "tinguta"), "bomber_must_not_attack_battle", "unit.bomber.assault-aircraft"),
        (fly(FIGHTER, HOME, "crossing_gray"), "target_must_be_present", "volga-attack.declare"),
        (fly(FIGHTER, HOME, "kalach", cargo=TOKEN), "cargo_must_start_with_bomber", "unit.bomber.air-transport"),
        (fly("ger_tank", HOME, "kalach"), "unit_must_be_eligible", "unit.class.air"),
        (fly(FIGHTER, "kalach", HOME), "unit_must_be_eligible", "unit.class.air"),
        (fly(FIGHTER, HOME, "kalach", "scramble"), "unit_must_be_eligible", "unit.class.air"),
        (fly(FIGHTER, HOME, "pitomnik", RELOCATE), "airfield_must_have_been_held", "movement.air.relocate"),
        (fly(FIGHTER, HOME, "kalach", RELOCATE), "destination_must_have_airfield", "zone.airfield"),
        (fly(FIGHTER, HOME, HOME, RELOCATE), "destination_must_suit_mission", "movement.air.relocate"),
        (fly(FIGHTER, HOME, "srednyaya_akhtuba", RELOCATE), "base_zone_must_not_be_entered", "zone.base.entry"),
        (fly(FIGHTER, HOME, HOME, STAY), "target_must_be_present", "movement.air.stay-and-fight"),
        (fly(FIGHTER, HOME, "kalach", STAY), "unit_must_be_eligible", "movement.air.stay-and-fight"),
        (fly(FIGHTER, HOME, "tinguta", SUPPLY_DROP, TOKEN), "unit_must_be_eligible", "unit.bomber.air-transport"),
    ],
)
def test_air_units_have_targets_and_places_to_land(command: Fly, code: str, rule: str) -> None:
    scene = movement(
        units={
            HOME: {"ger_fighter": 1, "ger_bomber": 1, "ger_tank": 1},
            "kalach": {"sov_infantry": 1},
            "tinguta": {"sov_infantry": 1, "ger_infantry": 1},
            "srednyaya_akhtuba": {"sov_fighter": 1},
        },
        control=(HOME, "tinguta"),
        markers={"tinguta": BATTLE},
    )

    assert scene.refused(command) == (code, rule)


def test_a_fighter_flies_into_a_battle_and_a_bomber_into_an_assault() -> None:
    there = {"ger_infantry": 1, "sov_infantry": 1}
    scene = movement(
        units={HOME: {"ger_fighter": 1, "ger_bomber": 1}, "tinguta": there, "kalach": there},
        markers={"tinguta": BATTLE, "kalach": ASSAULT},
    )

    scene.do(fly(FIGHTER, HOME, "tinguta"), fly(BOMBER, HOME, "kalach"))

    assert not scene.table.marker("tinguta", ASSAULT)
    assert scene.table.marker("kalach", ASSAULT) == 1


def test_without_a_combat_marker_no_air_attack_begins() -> None:
    scene = movement(
        units={HOME: {"ger_fighter": 1}, "kotluban": {"sov_infantry": 1}, "tinguta": {"sov_infantry": 1}},
        markers=dict.fromkeys([*BOARD.city[:14], "tinguta"], BATTLE),
        ferries=("crossing_gray",),
    )

    missing = ("combat_marker_must_be_available", "components.combat-markers.exhausted")
    assert scene.refused(fly(FIGHTER, HOME, "kotluban")) == missing
    assert scene.refused(fly(FIGHTER, HOME, "crossing_gray")) == missing
    assert fly(FIGHTER, HOME, "tinguta") in scene.options


def test_air_units_attack_a_volga_crossing_from_above() -> None:
    scene = movement(units={HOME: {"ger_fighter": 1, "ger_bomber": 1}}, ferries=("crossing_gray",))

    scene.do(fly(FIGHTER, HOME, "crossing_gray"), fly(BOMBER, HOME, "crossing_gray"))

    sky = above(PlaceId("crossing_gray"))
    assert scene.kinds(sky) == ["ger_fighter", "ger_bomber"]
    assert scene.table.marker(sky, ASSAULT) == 1


def test_an_ice_bridge_is_attacked_only_with_something_on_it() -> None:
    scene = movement(
        units={HOME: {"ger_fighter": 1}, "crossing_gray": {"sov_tank": 1}},
        markers={"crossing_gray": ICE_BRIDGE, "crossing_white": ICE_BRIDGE},
    )

    assert scene.refused(fly(FIGHTER, HOME, "crossing_white")) == ("target_must_be_present", "volga-attack.declare")
    assert fly(FIGHTER, HOME, "crossing_gray") in scene.options


def test_only_the_axis_attacks_crossings() -> None:
    scene = movement(ALLIES, {"srednyaya_akhtuba": {"sov_fighter": 1}}, ferries=("crossing_gray",))

    command = fly(RED_FIGHTER, "srednyaya_akhtuba", "crossing_gray")
    assert scene.refused(command) == ("target_must_be_eligible", "volga-attack.axis-only")


# Bad weather, and attacks from the ground


def in_bad_weather(options: Mapping[str, Value] | None = None) -> Scene:
    return movement(
        units={HOME: {"ger_fighter": 1, "ger_bomber": 1}, "kalach": {"sov_infantry": 1}},
        markers={round_space(6): FROZEN, "pitomnik": BATTLE},
        control=(HOME, "pitomnik"),
        held={AXIS: {HOME: 1}},
        ferries=("crossing_white",),
        options=options,
        number=6,
    )


def test_in_bad_weather_air_units_only_relocate_or_transport() -> None:
    scene = in_bad_weather()

    for to, rule in (("kalach", "unit.fighter.bad-weather"), ("crossing_white", "movement.air.bad-weather")):
        assert scene.refused(fly(FIGHTER, HOME, to)) == ("weather_must_permit_air_attack", rule)
    assert scene.refused(fly(BOMBER, HOME, "kalach")) == ("weather_must_permit_air_attack", "unit.bomber.bad-weather")
    scene.do(fly(FIGHTER, HOME, "pitomnik", RELOCATE), fly(BOMBER, HOME, "pitomnik", SUPPLY_DROP, TOKEN))


def test_with_sorties_air_units_attack_in_bad_weather() -> None:
    scene = in_bad_weather({"bad_weather_sorties": True})

    scene.do(fly(FIGHTER, HOME, "kalach"), fly(BOMBER, HOME, "crossing_white"))


def test_a_fighter_on_a_contested_airfield_attacks_from_there_or_flies_off() -> None:
    units = {"pitomnik": {"ger_fighter": 2, "ger_bomber": 1, "ger_infantry": 1, "sov_infantry": 1}}
    scene = movement(units=units, control=(HOME, "pitomnik"), markers={"pitomnik": BATTLE})

    barred = ("bomber_must_not_attack_battle", "movement.air.stay-and-fight")
    assert scene.refused(fly(BOMBER, "pitomnik", "pitomnik", STAY)) == barred
    moves_nowhere = fly(FIGHTER, "pitomnik", "pitomnik", ATTACK_MISSION)

    assert scene.refused(moves_nowhere) == ("target_must_be_eligible", "movement.air.stay-and-fight")
    scene.do(fly(FIGHTER, "pitomnik", "pitomnik", STAY), fly(FIGHTER, "pitomnik", HOME, RELOCATE))

    assert scene.kinds("pitomnik") == ["ger_fighter", "ger_bomber", "ger_infantry", "sov_infantry"]
    assert "movement.air.not-locked" in [event.rule for event in scene.events]


def test_fighters_do_not_attack_from_the_ground_where_the_players_agree() -> None:
    units = {"pitomnik": {"ger_fighter": 1, "ger_infantry": 1, "sov_infantry": 1}}
    no = {"grounded_fighters_attack": False}
    scene = movement(units=units, control=("pitomnik",), markers={"pitomnik": BATTLE}, options=no)

    command = fly(FIGHTER, "pitomnik", "pitomnik", STAY)
    assert scene.refused(command) == ("unit_must_be_eligible", "movement.air.stay-and-fight")


# Units that arrived in the air


def test_the_phase_goes_on_until_a_unit_that_arrived_in_the_air_attacks_or_relocates() -> None:
    """RuleId("order.10.move"), RuleId("movement.air.reinforcement-must-move")."""
    units = {"frolovo": {"sov_fighter": 2, "ger_infantry": 1}}
    scene = movement(ALLIES, units, control=("frolovo",), markers={"frolovo": ASSAULT}, flying=("frolovo",))
    orders, top = MOVEMENT.decisions["move"], scene.table.top
    assert top is not None
    assert Done() not in MOVEMENT_RULES.options(scene.table)
    no = orders.refuse(scene.table, top, Done())
    assert no is not None
    assert (no.code, no.rule) == ("airborne_reinforcements_must_move", "movement.air.reinforcement-must-move")

    scene.do(fly("sov_fighter air", "frolovo", "frolovo"))
    stays = fly("sov_fighter air", "frolovo", "frolovo", STAY)
    assert scene.refused(stays) == ("unit_must_be_eligible", "movement.air.stay-and-fight")
    scene.do(fly("sov_fighter air", "frolovo", "srednyaya_akhtuba", RELOCATE))

    top = scene.table.top
    assert top is not None
    assert orders.refuse(scene.table, top, Done()) is None


def test_a_unit_that_arrived_over_an_own_airfield_may_land_there() -> None:
    scene = movement(ALLIES, {"frolovo": {"sov_fighter": 1}}, flying=("frolovo",))

    scene.do(fly("sov_fighter air", "frolovo", "frolovo", RELOCATE))

    assert MISSION.of(scene.table, only(scene.table, "sov_fighter")) == RELOCATE


def test_a_unit_on_the_ground_need_not_move() -> None:
    scene = movement(ALLIES, {"frolovo": {"sov_fighter": 1}})

    assert not must_move(Land(scene.table, BOARD, ALLIES))


# Air Transport


def transport(origin: str = HOME, **more: Mapping[str, MarkerId]) -> Scene:
    """Two bombers with tokens and infantry in a zone; Pitomnik and Gumrak are Axis airfields, Vertyachii is contested."""
    return movement(
        units={
            origin: {"ger_bomber": 2, "ger_infantry": 1, "min_infantry": 1, "ger_mech_infantry": 1},
            "vertyachii": {"sov_infantry": 1, "ger_infantry": 1},
        },
        control=(HOME, "pitomnik", "gumrak", "kopania"),
        held={AXIS: {origin: 3}},
        markers={"vertyachii": BATTLE, **more.get("markers", {})},
    )


@each_row(
    ("command", "code", "rule"),
    [
        (fly(BOMBER, HOME, "kotluban", SUPPLY_DROP, TOKEN), "destination_must_suit_mission", "unit.bomber.supply-drop"),
        (fly(BOMBER, HOME, HOME, SUPPLY_DROP, TOKEN), "destination_must_suit_mission", "unit.bomber.supply-drop"),
        (
            fly(BOMBER, HOME, "nowhere", SUPPLY_DROP, TOKEN),
            "destination_must_suit_mission",
            "unit.bomber.supply-drop",
        ),
        (fly(BOMBER, HOME, "pitomnik", SUPPLY_DROP, TOKENS), "cargo_must_fit_mission", "unit.bomber.supply-drop"),
        (fly(BOMBER, HOME, "pitomnik", SUPPLY_LANDING), "cargo_must_fit_mission", "unit.bomber.supply-landing"),
        (
            fly(BOMBER, HOME, "pitomnik", SUPPLY_LANDING, (*TOKENS, SUPPLY)),
            "cargo_must_fit_mission",
            "unit.bomber.supply-landing",
        ),
        (fly(BOMBER, HOME, "kopania", SUPPLY_LANDING, TOKEN), "destination_must_have_airfield", "zone.airfield"),
        (
            fly(BOMBER, HOME, "frolovo", SUPPLY_LANDING, TOKEN),
            "destination_must_suit_mission",
            "unit.bomber.supply-landing",
        ),
        (
            fly(BOMBER, HOME, "pitomnik", TROOP_LANDING, ("ger_infantry", SUPPLY)),
            "cargo_must_fit_mission",
            "unit.bomber.one-mission",
        ),
        (
            fly(BOMBER, HOME, "pitomnik", TROOP_LANDING, ("ger_mech_infantry",)),
            "cargo_must_fit_mission",
            "unit.bomber.troop-landing",
        ),
        (fly(BOMBER, HOME, "vertyachii", ATTACK_MISSION, TOKEN), "cargo_must_fit_mission", "unit.bomber.one-mission"),
        (
            fly(BOMBER, HOME, "tatsinskaya", TROOP_LANDING, ("ger_infantry",)),
            "destination_must_suit_mission",
            "unit.bomber.troop-landing.limits",
        ),
        (
            fly(BOMBER, HOME, "frolovo", TROOP_LANDING, ("ger_infantry",)),
            "destination_must_suit_mission",
            "unit.bomber.troop-landing",
        ),
    ],
)
def test_each_mission_has_its_cargo_and_its_places(command: Fly, code: str, rule: str) -> None:
    assert transport().refused(command) == (code, rule)


def test_a_supply_drop_leads_anywhere_contested_or_friendly() -> None:
    scene = transport()

    scene.do(fly(BOMBER, HOME, "vertyachii", SUPPLY_DROP, TOKEN), fly(BOMBER, HOME, "kopania", SUPPLY_DROP, TOKEN))
    assert scene.refused(fly("ger_bomber air supply_drop supply", "vertyachii", "vertyachii")) == (
        "bomber_must_not_have_transported",
        "unit.bomber.no-attack-if-transport",
    )
    again = fly("ger_bomber air supply_drop supply", "vertyachii", "pitomnik", RELOCATE)
    assert scene.refused(again) == ("movement_must_suffice", "unit.bomber.one-mission")
    scene.run(lambda draft: offload(draft, BOARD, AXIS))

    assert scene.kinds("vertyachii") == ["sov_infantry", "ger_infantry", "ger_bomber", SUPPLY]
    assert scene.kinds("kopania") == ["ger_bomber", SUPPLY]


def test_troops_do_not_land_in_a_contested_zone() -> None:
    scene = transport(markers={"pitomnik": BATTLE})

    command = fly(BOMBER, HOME, "pitomnik", TROOP_LANDING, ("min_infantry",))
    assert scene.refused(command) == ("destination_must_suit_mission", "unit.bomber.troop-landing")
    scene.do(fly(BOMBER, HOME, "pitomnik", SUPPLY_LANDING, TOKENS))


def test_infantry_is_not_flown_out_of_the_city_but_tokens_are() -> None:
    scene = transport("gumrak")

    command = fly(BOMBER, "gumrak", "pitomnik", TROOP_LANDING, ("ger_infantry",))
    assert scene.refused(command) == ("destination_must_suit_mission", "unit.bomber.troop-landing.limits")
    scene.do(fly(BOMBER, "gumrak", "pitomnik", SUPPLY_LANDING, TOKEN))


def test_infantry_does_not_leave_a_contested_zone() -> None:
    scene = transport(markers={HOME: BATTLE})

    command = fly(BOMBER, HOME, "pitomnik", TROOP_LANDING, ("ger_infantry",))
    assert scene.refused(command) == ("unit_must_not_be_locked_in_combat", "movement.locked-in-combat")


def test_not_one_step_back_binds_infantry_to_the_ground() -> None:
    units = {"frolovo": {"sov_bomber": 1, "sov_infantry": 1}, "terkin": {"ger_infantry": 1}, "gumrak": {}}
    command = fly(RED_BOMBER, "frolovo", "gumrak", TROOP_LANDING, ("sov_infantry",))

    assert movement(ALLIES, units, control=("terkin",), number=2).refused(command)[0] == (
        "not_one_step_back_must_be_obeyed"
    )
    assert command in movement(ALLIES, units, control=("terkin",), number=3).options


def test_cargo_was_with_the_bomber_when_the_phase_began_and_is_its_own() -> None:
    scene = movement(
        units={HOME: {"ger_bomber": 1, "ger_infantry": 1}},
        control=(HOME, "pitomnik"),
        held={ALLIES: {HOME: 1}},
    )
    infantry = only(scene.table, "ger_infantry")
    scene.run(lambda draft: MOVE.set(draft, infantry, MOVED, RuleId("movement.land.points")))

    token = fly(BOMBER, HOME, "pitomnik", SUPPLY_DROP, TOKEN)
    assert scene.refused(token) == ("token_must_be_own", "unit.bomber.token-pickup")
    troops = fly(BOMBER, HOME, "pitomnik", TROOP_LANDING, ("ger_infantry",))
    assert scene.refused(troops) == ("cargo_must_start_with_bomber", "unit.bomber.air-transport")


def test_german_infantry_that_flies_into_the_city_brings_another() -> None:
    scene = transport()

    scene.do(
        fly(BOMBER, HOME, "gumrak", TROOP_LANDING, ("ger_infantry",)),
        fly(BOMBER, HOME, "pitomnik", TROOP_LANDING, ("min_infantry",)),
    )
    scene.run(lambda draft: offload(draft, BOARD, AXIS))

    assert scene.kinds("gumrak") == ["ger_bomber", "ger_infantry", "ger_infantry"]
    assert scene.kinds("pitomnik") == ["ger_bomber", "min_infantry"]


def test_a_drop_is_lost_where_the_zone_is_neither_friendly_nor_contested_any_more() -> None:
    scene = transport()
    scene.do(fly(BOMBER, HOME, "vertyachii", SUPPLY_DROP, TOKEN))
    before = len(scene.table.pieces_at(POOL[ALLIES]))

    scene.run(lambda draft: end_fight(draft, PlaceId("vertyachii"), SCENE))
    scene.run(lambda draft: offload(draft, BOARD, AXIS))

    assert "ger_bomber" in scene.kinds("vertyachii")
    assert len(scene.table.pieces_at(POOL[ALLIES])) == before + 1
    assert {event.rule for event in scene.events} == {OFFLOAD}


def test_a_unit_that_is_named_by_its_type_alone_is_refused_with_what_it_is_called() -> None:
    """unit.class.air"""
    scene = phase(ALLIES, units={"frolovo": {"sov_fighter": 1, "sov_infantry": 1}}, number=3)

    refusal = scene.refusal(fly("sov_fighter", "frolovo", "kalach"))
    assert refusal is not None
    assert refusal.sentence == "No 'sov_fighter' is there; what is there is called 'sov_fighter ground'."
    other = scene.refusal(fly("ger_fighter ground", "frolovo", "kalach"))
    assert other is not None
    assert other.sentence == "No unit of that kind that might do it is there."
