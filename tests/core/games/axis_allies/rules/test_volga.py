"""Movement across the Volga, and Ambush Sites."""

from core.engine.selection import Done
from core.games.axis_allies.ids import ALLIES, ASSAULT, AXIS, BATTLE, ICE_BRIDGE, SUPPLY
from core.games.axis_allies.memory import ACROSS_RIVER
from core.games.axis_allies.rules.commands import Move, MoveStack
from core.games.axis_allies.rules.queries import land
from events.ids import MarkerId, PlaceId
from tests.support.axis_allies import BOARD, Scene, phase
from tests.support.rows import each_row

EAST = "krasnaya_sloboda"
WHITE, BROWN, GRAY = "crossing_white", "crossing_brown", "crossing_gray"


def move(unit: str, origin: str, to: str) -> Move:
    return Move(unit, PlaceId(origin), PlaceId(to))


def loaded(control: tuple[str, ...] = (), marker: MarkerId | None = None, kind: str = "sov_infantry") -> Scene:
    """Begin card 10 with a unit on the white crossing, and a spare infantry in Krasnaya Sloboda."""
    return phase(
        ALLIES,
        control=control,
        units={WHITE: {kind: 1}, EAST: {"sov_infantry": 1}},
        markers={} if marker is None else {WHITE: marker},
        ferries=(WHITE, BROWN) if marker is None else (BROWN,),
        number=3,
    )


def test_units_leave_krasnaya_sloboda_over_the_crossings_only() -> None:
    """RuleId("movement.volga.from-krasnaya-sloboda"), RuleId("movement.volga.load"), RuleId("movement.volga.load-stops")."""
    scene = phase(ALLIES, units={EAST: {"sov_infantry": 2}, "grain_elevator": {"sov_infantry": 1}}, ferries=(WHITE,))

    assert (
        scene.refused(move("sov_infantry", EAST, "pavlovs_house"))[0] == "volga_must_be_crossed_westward_at_crossings"
    )
    assert scene.refused(move("sov_infantry", "grain_elevator", WHITE)) == (
        "volga_must_be_crossed_westward_at_crossings",
        "movement.volga.from-krasnaya-sloboda",
    )
    assert scene.refused(move("sov_infantry", EAST, BROWN))[0] == "crossing_must_be_in_place"

    scene.do(move("sov_infantry", EAST, WHITE))

    assert (scene.kinds(EAST), scene.kinds(WHITE)) == (["sov_infantry"], ["sov_infantry"])
    assert scene.refused(move("sov_infantry moved", WHITE, "grain_elevator")) == (
        "movement_must_suffice",
        "movement.volga.load-stops",
    )

    scene.do(Done())

    assert scene.asked == ""


def test_ferries_carry_infantry_and_tokens_ice_bridges_any_land_unit() -> None:
    """RuleId("ferry.cargo-infantry"), RuleId("icebridge.any-land-unit"), RuleId("movement.volga.capacity")."""
    scene = phase(
        ALLIES,
        units={EAST: {"sov_mech_infantry": 1, "sov_tank": 1, "sov_infantry": 1}},
        held={ALLIES: {EAST: 2}},
        markers={GRAY: ICE_BRIDGE},
        ferries=(WHITE, BROWN),
    )

    assert scene.refused(move("sov_mech_infantry", EAST, WHITE))[0] == "crossing_must_suit_cargo"

    scene.do(move("sov_tank", EAST, GRAY), move(SUPPLY, EAST, WHITE))

    assert scene.refused(move("sov_infantry", EAST, WHITE)) == ("crossing_must_be_empty", "movement.volga.capacity")
    assert scene.refused(move(SUPPLY, EAST, WHITE))[0] == "crossing_must_be_empty"
    assert scene.refused(move(SUPPLY, EAST, "grain_elevator"))[0] == "volga_must_be_crossed_westward_at_crossings"
    assert scene.refused(MoveStack(("sov_infantry", "sov_infantry"), PlaceId(EAST), PlaceId(BROWN)))[0] == (
        "unit_must_be_eligible"
    )


def test_cargo_lands_before_the_phase_ends_and_may_move_on() -> None:
    """RuleId("movement.volga.must-offload"), RuleId("movement.volga.offload-free"), RuleId("movement.volga.offload-then-load"),
    RuleId("movement.volga.on-crossing-status")."""
    scene = loaded()

    assert not land(scene.table, BOARD, PlaceId("grain_elevator"), ALLIES), "a unit on a crossing is in no zone"

    assert scene.refused(Done())[0] == "crossing_must_be_offloaded"
    assert scene.refused(move("sov_infantry", WHITE, "kuporosnoye"))[0] == "zones_must_be_adjacent"

    scene.do(
        move("sov_infantry", WHITE, "grain_elevator"),
        move("sov_infantry", EAST, WHITE),
        move("sov_infantry landed", "grain_elevator", "kuporosnoye"),
    )

    assert (scene.kinds("kuporosnoye"), scene.kinds(WHITE), scene.asked) == (["sov_infantry"], ["sov_infantry"], "")


@each_row(("marker", "is_river"), [(None, True), (ICE_BRIDGE, False)])
def test_a_landing_from_a_ferry_is_an_assault_over_a_river(marker: MarkerId | None, *, is_river: bool) -> None:
    """RuleId("movement.volga.assault-across-river"), RuleId("movement.volga.must-offload")."""
    scene = loaded(("grain_elevator",), marker)
    scene.do(move("sov_infantry", WHITE, "grain_elevator"))

    assert scene.table.marker("grain_elevator", ASSAULT) == 1
    assert bool(ACROSS_RIVER.of(scene.table, PlaceId("grain_elevator"))) is is_river
    assert scene.refused(move("sov_infantry landed", "grain_elevator", "kuporosnoye"))[0] == (
        "unit_must_not_be_locked_in_combat"
    )


def test_cargo_stays_where_no_combat_marker_is_left() -> None:
    """RuleId("movement.volga.must-offload"), RuleId("components.combat-markers.exhausted"), ruling.forced-offload."""
    fights: dict[str, MarkerId] = dict.fromkeys([zone for zone in BOARD.zones if zone != "grain_elevator"][:15], BATTLE)
    scene = phase(
        ALLIES, control=["grain_elevator"], units={WHITE: {"sov_infantry": 1}}, markers=fights, ferries=(WHITE,)
    )

    assert (scene.asked, scene.kinds(WHITE)) == ("", ["sov_infantry"])


def test_a_launcher_lands_from_an_ice_bridge_in_a_hostile_zone() -> None:
    """RuleId("movement.rear-echelon")."""
    scene = loaded(("grain_elevator",), ICE_BRIDGE, "sov_rocket_launcher")
    scene.do(move("sov_rocket_launcher", WHITE, "grain_elevator"))

    assert scene.table.marker("grain_elevator", ASSAULT) == 1


def test_a_token_that_landed_stays() -> None:
    """RuleId("movement.volga.tokens"), ruling.token-alone-in-hostile."""
    scene = phase(
        ALLIES,
        control=["grain_elevator"],
        units={"kuporosnoye": {"sov_infantry": 1}},
        held={ALLIES: {WHITE: 1}},
        ferries=(WHITE,),
        number=3,
    )
    scene.do(move(SUPPLY, WHITE, "grain_elevator"))

    assert scene.table.marker("grain_elevator", ASSAULT) == 0
    assert scene.refused(move("supply landed", "grain_elevator", "army_camp")) == (
        "token_must_stay_in_place",
        "movement.volga.tokens",
    )


# Ambush Sites


def test_infantry_enters_an_empty_connected_site() -> None:
    """RuleId("ambush.who"), RuleId("ambush.enter"), RuleId("ambush.no-pass-through")."""
    units = {
        "tractor_factory": {"sov_infantry": 2, "sov_mech_infantry": 1},
        "pavlovs_house": {"sov_infantry": 1, "ger_tank": 1},
    }
    scene = phase(ALLIES, units=units, markers={"pavlovs_house": BATTLE}, number=3)

    assert (
        scene.refused(move("sov_mech_infantry", "tractor_factory", "ambush_tractor"))[0] == "ambusher_must_be_infantry"
    )
    assert (
        scene.refused(move("sov_infantry", "tractor_factory", "ambush_station"))[0] == "ambush_site_must_be_connected"
    )
    assert scene.refused(move("sov_infantry", "pavlovs_house", "ambush_station")) == (
        "ambusher_must_come_from_uncontested_zone",
        "ambush.enter",
    )

    scene.do(move("sov_infantry", "tractor_factory", "ambush_tractor"))

    assert scene.kinds("ambush_tractor") == ["sov_infantry"]
    assert scene.refused(move("sov_infantry", "tractor_factory", "ambush_tractor"))[0] == "ambush_site_must_be_empty"
    assert scene.refused(move("sov_infantry moved", "ambush_tractor", "bread_factory"))[0] == "movement_must_suffice"


def test_an_ambusher_leaves_into_a_friendly_uncontested_zone() -> None:
    """RuleId("ambush.leave")."""
    scene = phase(
        AXIS,
        control=["bread_factory", "mechetka_ravine"],
        units={"ambush_tractor": {"ger_infantry": 1}, "mechetka_ravine": {"ger_infantry": 1}},
        markers={"mechetka_ravine": BATTLE},
    )
    leave = "zone_must_have_been_friendly_and_uncontested"

    assert scene.refused(move("ger_infantry", "ambush_tractor", "tractor_factory")) == (leave, "ambush.leave")
    assert scene.refused(move("ger_infantry", "ambush_tractor", "mechetka_ravine"))[0] == leave
    assert scene.refused(move("ger_infantry", "ambush_tractor", "spartanovka"))[0] == "ambush_site_must_be_connected"

    scene.do(move("ger_infantry", "ambush_tractor", "bread_factory"))

    assert scene.kinds("bread_factory") == ["ger_infantry"]


def test_units_next_to_the_axis_do_not_hide() -> None:
    """RuleId("movement.not-one-step-back.adjacent"), ruling.not-one-step-back."""
    units = {"tractor_factory": {"sov_infantry": 1}, "spartanovka": {"ger_infantry": 1}}
    scene = phase(ALLIES, control=["spartanovka"], units=units)

    assert scene.refused(move("sov_infantry", "tractor_factory", "ambush_tractor"))[0] == (
        "not_one_step_back_must_be_obeyed"
    )
