"""Blitz."""

from core.games.axis_allies.ids import ALLIES, ASSAULT, AXIS, BATTLE, CAPTURED_FACTORY, FACTORY, TANK_FACTORY
from core.games.axis_allies.options import BLITZ_NEEDS_MARKER, BLITZ_OPENS_CORRIDOR
from core.games.axis_allies.rules.commands import Blitz, Move
from events.ids import MarkerId, PlaceId
from events.vocabulary import Value
from tests.support.axis_allies import BOARD, Scene, phase

FIRST = "blitz_zone_must_be_unoccupied"


def blitz(origin: str, via: str, to: str, unit: str = "sov_tank", *, with_mech: bool = False) -> Blitz:
    return Blitz(unit, PlaceId(origin), PlaceId(via), PlaceId(to), with_mech)


def move(unit: str, origin: str, to: str) -> Move:
    return Move(unit, PlaceId(origin), PlaceId(to))


def kopania(surovikino: dict[str, int] | None = None, options: dict[str, Value] | None = None) -> Scene:
    """Begin card 10 of round 3 with a Soviet force in Kopania, beside empty Axis zones: the rulebook's example."""
    return phase(
        ALLIES,
        control=["surovikino", "oblivskaya", "tormosin"],
        units={"kopania": {"sov_tank": 2, "sov_mech_infantry": 2}, "surovikino": surovikino or {}},
        held={AXIS: {"surovikino": 1}},
        number=3,
        options=options,
    )


def test_a_tank_takes_an_unoccupied_zone_and_goes_on() -> None:
    """RuleId("movement.blitz"), RuleId("movement.blitz.consequences"), RuleId("movement.blitz.no-ambush"), RuleId("zone.control.only-by-combat")."""
    scene = kopania()
    scene.do(blitz("kopania", "surovikino", "oblivskaya"))

    assert scene.table.control[PlaceId("surovikino")] == ALLIES
    assert scene.table.control[PlaceId("oblivskaya")] == AXIS
    assert scene.table.marker("oblivskaya", ASSAULT) == 1
    assert ASSAULT not in scene.table.markers.get(PlaceId("surovikino"), {})
    assert [scene.table.pieces[piece].side for piece in scene.table.pieces_at(PlaceId("surovikino"))] == [ALLIES]

    scene = kopania()
    scene.do(blitz("kopania", "surovikino", "kopania"))

    assert scene.kinds("kopania") == ["sov_tank", "sov_mech_infantry", "sov_mech_infantry", "sov_tank"]
    assert scene.refused(blitz("kopania", "surovikino", "oblivskaya", "sov_tank moved"))[0] == FIRST


def test_the_first_zone_is_hostile_and_unoccupied() -> None:
    """RuleId("movement.blitz.no-enemy-unit"), RuleId("movement.blitz.first-zone-hostile"), ruling.blitz-unoccupied."""
    scene = kopania({"ger_fighter": 1})

    assert scene.refused(blitz("kopania", "surovikino", "oblivskaya")) == (FIRST, "movement.blitz.no-enemy-unit")
    assert scene.refused(blitz("kopania", "manoilin", "surovikino")) == (FIRST, "movement.blitz.first-zone-hostile")
    assert scene.refused(blitz("kopania", "surovikino", "tatsinskaya"))[0] == "base_zone_must_not_be_entered"
    assert scene.refused(blitz("kopania", "oblivskaya", "kopania", "sov_mech_infantry"))[0] == "unit_must_be_eligible"

    scene.do(move("sov_tank", "kopania", "oblivskaya"))

    assert scene.refused(blitz("kopania", "oblivskaya", "tormosin")) == (FIRST, "movement.land.stop")


def test_one_mechanized_infantry_goes_with_each_tank() -> None:
    """RuleId("movement.blitz.with-mech"), ruling.blitz-mech-path."""
    scene = kopania()
    scene.do(blitz("kopania", "surovikino", "tormosin", with_mech=True))

    assert scene.kinds("tormosin") == ["sov_tank", "sov_mech_infantry"]

    scene.do(move("sov_mech_infantry", "kopania", "surovikino"))

    assert scene.refused(blitz("kopania", "oblivskaya", "kopania", with_mech=True)) == (
        "blitz_mech_must_pair_with_tank",
        "movement.blitz.with-mech",
    )


def test_a_blitz_is_not_driven() -> None:
    """RuleId("movement.blitz.not-with-road"), the rulebook's Buzinovka example."""
    control = ["verkhne_kumskii", "gromoslavka"]
    scene = phase(AXIS, control=control, units={"verkhne_kumskii": {"ger_tank": 1}, "gromoslavka": {}})
    driven = phase(AXIS, control=[*control, "buzinovka"], units={"verkhne_kumskii": {"ger_tank": 1}})

    assert driven.refused(blitz("verkhne_kumskii", "kalach", "pitomnik", "ger_tank")) == (
        "blitz_must_not_join_road_movement",
        "movement.blitz.not-with-road",
    )
    assert scene.refused(move("ger_tank", "verkhne_kumskii", "kalach"))[0] == "unit_must_not_be_locked_in_combat"


def test_units_in_combat_and_next_to_the_axis_do_not_blitz() -> None:
    """Those that begin in the city stay there; one that begins outside may come back (ruling.not-one-step-back).

    RuleId("movement.locked-in-combat"), RuleId("movement.not-one-step-back.one-step"), RuleId("movement.not-one-step-back.city").
    """
    control = ["surovikino", "oblivskaya", "vertyachii"]
    units = {"kopania": {"sov_tank": 1}, "oblivskaya": {"ger_infantry": 1}, "orlovka": {"sov_tank": 1}}
    scene = phase(ALLIES, control=control, units=units)
    code = "not_one_step_back_must_be_obeyed"

    assert scene.refused(blitz("kopania", "surovikino", "manoilin")) == (code, "movement.not-one-step-back.one-step")
    assert scene.refused(blitz("orlovka", "vertyachii", "orlovka")) == (code, "movement.not-one-step-back.city")

    scene = phase(ALLIES, control=["orlovka"], units={"rynok": {"sov_tank": 1}})
    scene.do(blitz("rynok", "orlovka", "rynok"))

    assert scene.table.control[PlaceId("orlovka")] == ALLIES

    scene = phase(ALLIES, control=control, units=units, markers={"kopania": BATTLE}, number=3)

    assert scene.refused(blitz("kopania", "surovikino", "manoilin"))[0] == "unit_must_not_be_locked_in_combat"


def test_a_factory_turns_at_once() -> None:
    """RuleId("movement.blitz.consequences"), RuleId("order.8.flip")."""
    scene = phase(
        AXIS,
        control=["spartanovka"],
        units={"spartanovka": {"ger_tank": 1}},
        markers={"tractor_factory": FACTORY[TANK_FACTORY]},
    )
    scene.do(blitz("spartanovka", "tractor_factory", "spartanovka", "ger_tank"))

    assert CAPTURED_FACTORY[TANK_FACTORY] in scene.table.markers[PlaceId("tractor_factory")]


def test_a_blitz_opens_a_corridor_but_not_for_launchers() -> None:
    """RuleId("movement.rear-echelon"), RuleId("movement.land.stop"), ruling.blitz-followers."""
    through = move("sov_mech_infantry", "kopania", "tormosin")
    scene = kopania()
    scene.do(blitz("kopania", "surovikino", "kopania"), through)
    closed = kopania(options={BLITZ_OPENS_CORRIDOR.key: False})
    closed.do(blitz("kopania", "surovikino", "kopania"))

    assert closed.refused(through)[0] == "road_must_be_contiguous"


def test_a_blitz_needs_a_combat_marker() -> None:
    """RuleId("components.combat-markers.exhausted"), ruling.blitz-markers."""
    fights: dict[str, MarkerId] = dict.fromkeys(
        [zone for zone in BOARD.zones if zone not in ("kopania", "surovikino")][:15], BATTLE
    )
    back = blitz("kopania", "surovikino", "kopania")
    scenes = [
        phase(
            ALLIES,
            control=["surovikino"],
            units={"kopania": {"sov_tank": 1}},
            markers=fights,
            number=3,
            options={BLITZ_NEEDS_MARKER.key: needs},
        )
        for needs in (True, False)
    ]

    assert scenes[0].refused(back)[0] == "combat_marker_must_be_available"

    scenes[1].do(back)
