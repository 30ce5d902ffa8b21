"""The question of a Movement phase as a whole: what is listed is what is accepted, and which refusal answers."""

from itertools import product

import pytest

from core.engine.command import Command
from core.games.axis_allies.ids import ALLIES, AXIS, BATTLE, PHASES
from core.games.axis_allies.rules.commands import Blitz, Buy, Move
from core.games.axis_allies.rules.queries import like
from events.ids import MarkerId, PlaceId, Side
from tests.support.axis_allies import BOARD, MOVEMENT, MOVEMENT_RULES, SCENE, Scene, charts, phase
from tests.support.soak import sampled

PLACES = (*BOARD.zones, *BOARD.crossings, *BOARD.sites)


def opening(scenario: str, side: Side, number: int) -> Scene:
    """Begin the Movement phase of a side in a round with the set-up chart of a scenario."""
    draft = charts(scenario)
    draft.begin_round(number, SCENE)
    draft.begin_turn(side, SCENE)
    draft.begin_phase(PHASES[3 if side == AXIS else 10], SCENE)
    scene = Scene(draft, MOVEMENT_RULES)
    scene.run(MOVEMENT.by_side[side].begin)
    return scene


@pytest.mark.parametrize(
    ("scenario", "side", "number"),
    sampled(
        product(["race", "uranus"], [AXIS, ALLIES], [1, 6]),
        lambda scenario, side, number: (side == AXIS) == (scenario == "race") == (number == 1),
    ),
)
def test_what_is_listed_is_what_is_accepted(scenario: str, side: Side, number: int) -> None:
    """RuleId("movement.land.points"), RuleId("movement.blitz")."""
    scene = opening(scenario, side, number)
    listed = scene.options
    wanted: list[Command] = []
    for origin in PLACES:
        for unit in {like(scene.table, piece) for piece in scene.table.pieces_at(origin)}:
            wanted += [Move(unit, origin, to) for to in PLACES]
            nears = BOARD.zones[origin].near if origin in BOARD.zones else ()
            wanted += [Blitz(unit, origin, via, to) for via in nears for to in BOARD.zones[via].near]
    accepted = {command for command in wanted if scene.refusal(command) is None}

    assert accepted == {command for command in listed if isinstance(command, Move | Blitz)}
    assert len(set(listed)) == len(listed) > len(accepted) - 1


def test_the_first_refusal_in_the_order_of_the_list_answers() -> None:
    """RuleId("movement.land.points"), RuleId("movement.locked-in-combat"), RuleId("movement.no-retreat"): moves that break ever more."""
    scene = phase(
        ALLIES,
        control=["kletskaya", "terkin"],
        units={"frolovo": {"sov_rocket_launcher": 1, "sov_infantry": 1}, "dubovka": {"sov_tank": 1}},
        markers={"frolovo": BATTLE},
    )

    def code(unit: str, to: str) -> str:
        return scene.refused(Move(unit, PlaceId("frolovo"), PlaceId(to)))[0]

    assert code("sov_rocket_launcher", "kletskaya") == "unit_must_not_be_locked_in_combat"
    assert code("sov_rocket_launcher", "elsewhere") == "zones_must_be_adjacent"
    assert code("sov_rocket_launcher", "ambush_tractor") == "ambusher_must_be_infantry"
    assert code("sov_infantry", "ambush_tractor") == "ambush_site_must_be_connected"
    assert code("sov_rocket_launcher", "tatsinskaya") == "base_zone_must_not_be_entered"
    assert code("sov_rocket_launcher", "srednyaya_akhtuba") == "volga_must_be_crossed_westward_at_crossings"
    assert code("ger_infantry", "srednyaya_akhtuba") == "unit_must_be_eligible"
    assert scene.refused(Buy("sov_tank", PlaceId("frolovo"))) == ("decision_must_be_open", "sequence.instruction-order")


def test_not_one_step_back_comes_before_what_else_forbids_a_move() -> None:
    """RuleId("movement.not-one-step-back.adjacent"), RuleId("movement.rear-echelon"), RuleId("components.combat-markers.exhausted")."""
    units = {"frolovo": {"sov_rocket_launcher": 1, "sov_infantry": 1}, "kletskaya": {"ger_infantry": 1}}
    fights: dict[str, MarkerId] = dict.fromkeys(
        [zone for zone in BOARD.zones if zone not in ("frolovo", "kletskaya", "ilovinska")][:15], BATTLE
    )
    early, late = [
        phase(ALLIES, control=["kletskaya"], units=units, markers=fights, number=number) for number in (1, 3)
    ]
    hostile = Move("sov_rocket_launcher", PlaceId("frolovo"), PlaceId("kletskaya"))
    back = Move("sov_rocket_launcher", PlaceId("frolovo"), PlaceId("ilovinska"))

    assert early.refused(back)[0] == "not_one_step_back_must_be_obeyed"
    assert early.refused(hostile)[0] == "launcher_zone_must_have_been_friendly"
    assert late.refused(Move("sov_infantry", PlaceId("frolovo"), PlaceId("kletskaya")))[0] == (
        "combat_marker_must_be_available"
    )

    late.do(back)
