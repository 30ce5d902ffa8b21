"""How land units move from zone to zone, and what stops them."""

from core.engine.selection import Done
from core.games.axis_allies.ids import ALLIES, ASSAULT, AXIS, BATTLE, FROZEN, SUPPLY
from core.games.axis_allies.memory import ACROSS_RIVER
from core.games.axis_allies.rules.commands import Move, MoveStack
from events.ids import MarkerId, PlaceId
from events.vocabulary import PieceMoved
from tests.support.axis_allies import BOARD, control_but, phase
from tests.support.rows import each_row

LOCKED = "unit_must_not_be_locked_in_combat"
FIGHTS = control_but("kalach", "buzinovka", "pitomnik")[:15]


def move(unit: str, origin: str, to: str) -> Move:
    return Move(unit, PlaceId(origin), PlaceId(to))


def test_infantry_moves_one_zone_once() -> None:
    """RuleId("movement.land.points"), RuleId("order.3.move"), RuleId("movement.deployed-units-may-move")."""
    scene = phase(AXIS, control=["kopania", "surovikino", "oblivskaya"], units={"kopania": {"ger_infantry": 2}})

    assert scene.asked == "axis move"
    assert scene.refused(move("ger_tank", "kopania", "surovikino")) == ("unit_must_be_eligible", "unit.class.land")
    assert scene.refused(move("ger_infantry", "kopania", "tsatsa"))[0] == "zones_must_be_adjacent"
    assert scene.refused(move("ger_infantry", "kopania", "kopania"))[0] == "zones_must_be_adjacent"
    assert scene.refused(move("ger_infantry", "kopania", "elsewhere"))[0] == "zones_must_be_adjacent"

    scene.do(move("ger_infantry", "kopania", "surovikino"))

    assert scene.kinds("surovikino") == ["ger_infantry"]
    assert ASSAULT not in scene.table.markers.get(PlaceId("surovikino"), {})
    assert scene.refused(move("ger_infantry moved", "surovikino", "oblivskaya")) == (
        "movement_must_suffice",
        "movement.land.points",
    )

    scene.do(Done())

    assert scene.asked == ""


def test_no_unit_must_move() -> None:
    """RuleId("sequence.movement-optional")."""
    scene = phase(AXIS, control=["kopania", "surovikino"], units={"kopania": {"ger_infantry": 1}})

    scene.do(Done())

    assert (scene.asked, scene.kinds("kopania")) == ("", ["ger_infantry"])


def test_a_way_that_is_too_long_is_refused() -> None:
    """RuleId("movement.land.points"), RuleId("movement.road.who"), RuleId("movement.road.contiguous")."""
    control = control_but("veshenskaya")
    units = {"kletskaya": {"ger_infantry": 1, "ger_assault_gun": 1, "ger_mech_infantry": 1}, "kopania": {"ger_tank": 1}}
    scene = phase(AXIS, control=control, units=units)

    assert scene.refused(move("ger_infantry", "kletskaya", "tormosin")) == (
        "movement_must_suffice",
        "movement.land.points",
    )
    assert scene.refused(move("ger_assault_gun", "kletskaya", "oblivskaya")) == (
        "movement_must_suffice",
        "movement.road.who",
    )
    assert scene.refused(move("ger_mech_infantry", "kletskaya", "tormosin")) == (
        "road_must_be_contiguous",
        "movement.road.contiguous",
    )

    events = scene.do(move("ger_mech_infantry", "kletskaya", "oblivskaya"))

    assert [event.rule for event in events if isinstance(event, PieceMoved)] == ["movement.road"]


def test_a_road_leads_three_friendly_zones_into_an_assault() -> None:
    """RuleId("movement.road"), RuleId("movement.road.normal-rules"), RuleId("movement.assault-marker")."""
    scene = phase(ALLIES, control=["oblivskaya"], units={"frolovo": {"sov_mech_infantry": 1}}, number=3)
    scene.do(move("sov_mech_infantry", "frolovo", "oblivskaya"))

    assert scene.table.marker("oblivskaya", ASSAULT) == 1
    assert scene.table.control[PlaceId("oblivskaya")] == AXIS

    scene = phase(
        ALLIES,
        control=control_but("frolovo", "kletskaya", "manoilin", "surovikino"),
        units={"frolovo": {"sov_mech_infantry": 1}},
        markers={"manoilin": BATTLE},
        number=3,
    )

    assert scene.refused(move("sov_mech_infantry", "frolovo", "oblivskaya")) == (
        "unit_must_not_be_locked_in_combat",
        "movement.road.normal-rules",
    )
    scene.do(move("sov_mech_infantry", "frolovo", "manoilin"))


def test_no_unit_moves_through_hostile_or_contested_zones() -> None:
    """RuleId("movement.land.stop"), RuleId("movement.locked-in-combat"), RuleId("movement.no-retreat")."""
    units = {"kopania": {"ger_assault_gun": 1, "ger_infantry": 1}, "manoilin": {"ger_infantry": 1}}
    control = ["kopania", "manoilin", "oblivskaya", "surovikino"]
    scene = phase(AXIS, control=control, units=units, markers={"manoilin": BATTLE})

    assert scene.refused(move("ger_assault_gun", "kopania", "zimovskii")) == (LOCKED, "movement.land.stop")
    assert "through a hostile or contested zone" in str(scene.refusal(move("ger_assault_gun", "kopania", "zimovskii")))
    assert scene.refused(move("ger_infantry", "manoilin", "kopania")) == (LOCKED, "movement.locked-in-combat")

    scene.do(move("ger_assault_gun", "kopania", "manoilin"), move("ger_infantry", "kopania", "perelazovskii"))

    assert scene.table.marker("manoilin", BATTLE) == 1
    assert scene.table.marker("perelazovskii", ASSAULT) == 1


def test_moves_into_contested_zones_place_no_marker() -> None:
    """RuleId("movement.reinforce-contested"), RuleId("components.combat-markers.exhausted")."""
    markers: dict[str, MarkerId] = dict.fromkeys(FIGHTS, BATTLE)
    control = ["kalach"]
    scene = phase(AXIS, control=control, units={"kalach": {"ger_infantry": 2}}, markers=markers)
    joined = next(zone for zone in FIGHTS if zone in BOARD.zones[PlaceId("kalach")].near)

    assert scene.refused(move("ger_infantry", "kalach", "pitomnik"))[0] == "combat_marker_must_be_available"

    events = scene.do(move("ger_infantry", "kalach", joined))

    assert [event.rule for event in events if isinstance(event, PieceMoved)] == ["movement.reinforce-contested"]


@each_row(("frozen", "is_set"), [(0, True), (1, False)])
def test_the_first_assault_over_the_don_is_marked(frozen: int, *, is_set: bool) -> None:
    """RuleId("combat.mod.throw-them-back"), RuleId("freeze.don-first"), the rulebook's Gromoslavka example."""
    scene = phase(
        AXIS,
        control=["surovikino", "verkhne_kumskii", "tormosin"],
        units={
            "surovikino": {"ger_tank": 2},
            "verkhne_kumskii": {"min_infantry": 1},
            "gromoslavka": {"sov_infantry": 3},
        },
        markers={"don": FROZEN} if frozen else {},
    )
    gromoslavka = PlaceId("gromoslavka")
    scene.do(move("min_infantry", "verkhne_kumskii", "gromoslavka"))

    assert not ACROSS_RIVER.of(scene.table, gromoslavka)

    scene.do(MoveStack(("ger_tank", "ger_tank"), PlaceId("surovikino"), gromoslavka), is_listed=False)

    assert bool(ACROSS_RIVER.of(scene.table, gromoslavka)) is is_set
    assert scene.table.marker(gromoslavka, ASSAULT) == 1


def test_a_dry_way_is_taken_where_one_leads() -> None:
    """RuleId("movement.land.points"), ruling.whole-moves."""
    scene = phase(
        AXIS, control=["novomoskovsk", "kalach", "buzinovka"], units={"kalach": {"ger_assault_gun": 1}, "buzinovka": {}}
    )
    scene.do(move("ger_assault_gun", "kalach", "gromoslavka"))

    assert not ACROSS_RIVER.of(scene.table, PlaceId("gromoslavka"))


def test_base_zones_and_the_volga_are_closed() -> None:
    """RuleId("zone.base.entry"), RuleId("zone.volga.axis-never"), RuleId("zone.volga.soviet-only-city"), RuleId("zone.volga.not-adjacent")."""
    scene = phase(AXIS, control=["oblivskaya", "grain_elevator"], units={"oblivskaya": {"ger_infantry": 1}})

    assert scene.refused(move("ger_infantry", "oblivskaya", "tatsinskaya"))[0] == "base_zone_must_not_be_entered"
    assert scene.refused(move("ger_infantry", "oblivskaya", "krasnaya_sloboda"))[0] == "axis_must_not_cross_volga"
    assert scene.refused(move("ger_infantry", "oblivskaya", "crossing_gray"))[0] == "axis_must_not_cross_volga"

    scene = phase(ALLIES, units={"krasnoarmeysk": {"sov_infantry": 1}})
    code = "volga_must_be_crossed_westward_at_crossings"

    assert scene.refused(move("sov_infantry", "krasnoarmeysk", "srednyaya_akhtuba")) == (
        code,
        "zone.volga.soviet-only-city",
    )
    assert scene.refused(move("sov_infantry", "krasnoarmeysk", "krasnaya_sloboda")) == (code, "zone.volga.not-adjacent")


def test_boards_are_changed_for_one_point() -> None:
    """RuleId("movement.between-boards"), RuleId("zone.city-access"), RuleId("movement.force-multiplier.others")."""
    scene = phase(ALLIES, units={"vertyachii": {"sov_tank": 1}, "buzinovka": {"sov_infantry": 1}}, number=3)

    assert scene.refused(move("sov_infantry", "buzinovka", "gumrak"))[0] == "movement_must_suffice"

    events = scene.do(move("sov_tank", "vertyachii", "orlovka"))

    assert [event.rule for event in events if isinstance(event, PieceMoved)] == ["movement.between-boards"]
    assert scene.kinds("orlovka") == ["sov_tank"]


def test_land_units_carry_no_tokens() -> None:
    """RuleId("supply.token.movement"), RuleId("movement.factory-tokens")."""
    scene = phase(AXIS, control=["kalach"], units={"kalach": {"ger_infantry": 1}}, held={AXIS: {"kalach": 1}})

    assert scene.refused(move(SUPPLY, "kalach", "pitomnik")) == ("token_must_stay_in_place", "supply.token.movement")
    assert scene.refused(move(SUPPLY, "pitomnik", "kalach"))[0] == "token_must_be_own"

    scene = phase(
        ALLIES, units={"tractor_factory": {"sov_infantry": 1}}, markers={"tractor_factory": MarkerId("factory/tank")}
    )

    assert scene.refused(move("factory/tank", "tractor_factory", "bread_factory")) == (
        "token_must_stay_in_place",
        "movement.factory-tokens",
    )


# Rocket launchers


def test_rocket_launchers_keep_to_zones_that_were_friendly() -> None:
    """RuleId("movement.rear-echelon"), ruling.rear-echelon-contested."""
    scene = phase(
        ALLIES,
        control=["kotluban"],
        units={"ilovinska": {"sov_rocket_launcher": 2, "sov_tank": 1}},
        markers={"dubovka": BATTLE},
        number=3,
    )
    scene.do(move("sov_tank", "ilovinska", "kotluban"))

    assert scene.refused(move("sov_rocket_launcher", "ilovinska", "kotluban")) == (
        "launcher_zone_must_have_been_friendly",
        "movement.rear-echelon",
    )

    scene.do(move("sov_rocket_launcher", "ilovinska", "dubovka"), move("sov_rocket_launcher", "ilovinska", "frolovo"))


# Not One Step Back


def test_units_next_to_the_axis_do_not_step_back() -> None:
    """RuleId("movement.not-one-step-back.adjacent"), RuleId("movement.not-one-step-back.one-step"), RuleId("order.10.move")."""
    units = {"kremenskaya": {"sov_infantry": 1, "sov_tank": 1}, "kletskaya": {"ger_infantry": 1}}
    control = ["kletskaya", "terkin"]
    scene = phase(ALLIES, control=control, units=units)
    back, far = move("sov_infantry", "kremenskaya", "frolovo"), move("sov_tank", "kremenskaya", "terkin")
    code = "not_one_step_back_must_be_obeyed"

    assert scene.refused(back) == (code, "movement.not-one-step-back.adjacent")
    assert scene.refused(far) == (code, "movement.not-one-step-back.one-step")

    scene.do(move("sov_infantry", "kremenskaya", "kletskaya"))

    scene = phase(ALLIES, control=control, units=units, number=3)
    scene.do(back, far)


def test_city_units_stay_in_the_city_for_two_rounds() -> None:
    """RuleId("movement.not-one-step-back.city"), RuleId("movement.not-one-step-back.cross-board-adjacency")."""
    units = {"orlovka": {"sov_infantry": 1, "sov_tank": 1}, "vertyachii": {"ger_fighter": 1}}
    scene = phase(ALLIES, control=["vertyachii"], units=units, number=2)
    code = "not_one_step_back_must_be_obeyed"

    assert scene.asked == "", "none of them can move"

    scene = phase(ALLIES, control=["vertyachii", "spartanovka"], units=units, number=2)

    assert scene.refused(move("sov_infantry", "orlovka", "vertyachii")) == (code, "movement.not-one-step-back.city")
    assert "no Allied land unit leaves the city, not even to attack" in str(
        scene.refusal(move("sov_infantry", "orlovka", "vertyachii"))
    )
    assert scene.refused(move("sov_tank", "orlovka", "silicate_factory")) == (
        code,
        "movement.not-one-step-back.adjacent",
    )

    scene.do(move("sov_tank", "orlovka", "spartanovka"))


# Stacks


def test_a_stack_makes_its_moves_one_after_the_other() -> None:
    """RuleId("unit.class.land"), RuleId("movement.land.points")."""
    units = {"kopania": {"ger_infantry": 2, "ger_tank": 1}}
    stack = MoveStack(("ger_infantry", "ger_infantry", "ger_tank"), PlaceId("kopania"), PlaceId("surovikino"))
    scene, other = phase(AXIS, control=["kopania"], units=units), phase(AXIS, control=["kopania"], units=units)
    small = scene.rules.expand(scene.table, stack)
    too_many = MoveStack(("ger_tank", "ger_tank"), PlaceId("kopania"), PlaceId("surovikino"))

    assert scene.refused(too_many)[0] == "unit_must_be_eligible"
    assert scene.refused(MoveStack(stack.units[::-1], stack.origin, stack.to))[0] == "choice_must_be_sorted"

    scene.do(stack, is_listed=False)
    other.do(*small)

    assert scene.events == other.events
    assert scene.table.pieces == other.table.pieces
    assert scene.table.markers == other.table.markers
