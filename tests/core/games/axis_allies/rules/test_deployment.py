"""Units that come onto the boards."""

from core.games.axis_allies.ids import ALLIES, ASSAULT, AXIS, BATTLE, FLYING, unit
from core.games.axis_allies.memory import ACROSS_RIVER, TAKEN
from core.games.axis_allies.rules import deployment
from events.ids import PlaceId, RuleId, Side
from events.vocabulary import RuleApplied
from tests.support.axis_allies import BOARD, SCENE, bare, control_but
from tests.support.rows import each_row

TORMOSIN = PlaceId("tormosin")
STORM = RuleId("winter-storm.zones")


@each_row(
    ("held_by", "there", "marker", "after", "holder"),
    [
        (ALLIES, {"sov_infantry": 1}, None, ASSAULT, ALLIES),
        (ALLIES, {"sov_fighter": 1}, None, ASSAULT, ALLIES),
        (ALLIES, {"sov_infantry": 1, "ger_infantry": 1}, BATTLE, BATTLE, ALLIES),
        (ALLIES, {}, None, None, AXIS),
        (AXIS, {"sov_infantry": 1, "ger_infantry": 1}, BATTLE, BATTLE, AXIS),
        (AXIS, {}, None, None, AXIS),
    ],
)
def test_land_units_that_arrive_in_a_hostile_zone_assault_or_take_it(
    held_by: Side, there: dict[str, int], marker: str | None, after: str | None, holder: Side
) -> None:
    """RuleId("deployment.into-hostile-occupied"), RuleId("deployment.into-hostile-empty"), ruling.deploy-into-contested."""
    draft = bare(
        {AXIS: [TORMOSIN] if held_by == AXIS else []},
        units={TORMOSIN: there},
        markers={} if marker is None else {TORMOSIN: BATTLE},
    )
    draft.begin_turn(AXIS, SCENE)
    deployment.deploy_all(draft, BOARD, ("ger_tank", "ger_tank"), TORMOSIN, STORM)

    assert set(draft.table.pieces_at(TORMOSIN)) >= {"ger_tank/1", "ger_tank/2"}
    assert draft.table.markers.get(TORMOSIN, {}) == ({} if after is None else {after: 1})
    assert draft.table.control[TORMOSIN] == holder
    assert (TAKEN.of(draft.table, TORMOSIN) is not None) == (held_by != holder)
    assert ACROSS_RIVER.of(draft.table, TORMOSIN) is None


def test_aircraft_arrive_in_the_air_and_change_nothing() -> None:
    """RuleId("deployment.air")."""
    draft = bare()
    deployment.deploy_all(draft, BOARD, ("ger_fighter",), TORMOSIN, STORM)

    assert draft.table.pieces[unit("ger_fighter", 1)].face == FLYING
    assert draft.table.control[TORMOSIN] == ALLIES
    assert TORMOSIN not in draft.table.markers


def test_a_unit_without_a_piece_is_lost() -> None:
    """RuleId("components.limits-general"), ruling.pool-exhausted."""
    zones = [zone for zone in control_but() if zone != TORMOSIN]
    draft = bare(units={zone: {"ger_assault_gun": 1} for zone in zones[:8]})
    deployment.deploy_all(draft, BOARD, ("ger_assault_gun",), TORMOSIN, STORM)
    refusal = deployment.refuse_deploy(deployment.Components(draft.table, BOARD), "ger_assault_gun", TORMOSIN)

    assert draft.table.pieces_at(TORMOSIN) == ()
    assert draft.table.control[TORMOSIN] == ALLIES
    assert isinstance(draft.events[-1], RuleApplied)
    assert refusal is not None and refusal.code == "piece_must_be_available"


@each_row(
    ("kind", "zone", "refused"),
    [
        ("ger_tank", "tormosin", True),
        ("ger_fighter", "tormosin", False),
        ("sov_tank", "tormosin", False),
        ("ger_tank", "kalach", False),
        ("ger_tank", "kopania", True),
        ("sov_tank", "kopania", False),
    ],
)
def test_land_units_arrive_in_an_enemy_zone_only_while_a_combat_marker_is_left(
    kind: str, zone: str, refused: bool
) -> None:
    """RuleId("components.combat-markers.exhausted"), ruling.marker-shortage-forced: an empty zone is taken by an Assault too."""
    fights = [one for one in control_but() if one not in (TORMOSIN, "kalach", "kopania")][:14]
    held = {place: {"sov_infantry": 1} for place in (TORMOSIN, "kalach")}
    draft = bare(units=held, markers={**dict.fromkeys(fights, BATTLE), "kalach": BATTLE})
    refusal = deployment.refuse_deploy(deployment.Components(draft.table, BOARD), kind, PlaceId(zone))

    assert (None if refusal is None else refusal.code) == ("combat_marker_must_be_available" if refused else None)
