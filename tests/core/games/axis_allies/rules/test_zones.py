"""What control is and is not, and what lies in a zone without being a unit."""

from core.games.axis_allies.ids import ALLIES, ASSAULT, AXIS, SUPPLY, unit
from core.games.axis_allies.rules.control import drop_marker_if_alone, lose
from core.games.axis_allies.rules.queries import air, is_friendly, land
from core.games.axis_allies.rules.supply import show_supply
from events.ids import MarkerId, PlaceId, RuleId
from events.vocabulary import ControlChanged
from tests.support.axis_allies import BOARD, SCENE, bare, charts

KALACH = PlaceId("kalach")


def test_every_zone_belongs_to_one_side() -> None:
    """RuleId("zone.control.always-one"), RuleId("zone.control.marker"), RuleId("components.control-markers"), ruling.base-zone-control."""
    table = charts().table
    axis = [zone for zone in BOARD.zones if is_friendly(table, zone, AXIS)]

    assert set(table.control) == set(BOARD.zones)
    assert [zone for zone in BOARD.zones if is_friendly(table, zone, ALLIES) == (zone in axis)] == []
    assert len(axis) - 1 == 14, "the base zone needs no marker"
    assert not any(MarkerId("control") in there for there in table.markers.values())


def test_control_outlasts_the_units_of_the_side() -> None:
    """RuleId("zone.control.persists")."""
    draft = bare({AXIS: ["kalach"]}, units={"kalach": {"ger_tank": 1}})
    draft.move(unit("ger_tank", 1), PlaceId("manoilin"), SCENE)

    assert is_friendly(draft.table, KALACH, AXIS)


def test_losses_outside_combat_never_change_control() -> None:
    """RuleId("zone.control.only-by-combat"), RuleId("unit.rocket.bombardment.last-unit-marker")."""
    units = {"kalach": {"ger_infantry": 1, "sov_tank": 1}}
    draft = bare({AXIS: ["kalach"]}, units=units, markers={"kalach": ASSAULT})
    rule = RuleId("unit.rocket.bombardment.last-unit-marker")
    lose(draft, [unit("ger_infantry", 1)], rule)
    drop_marker_if_alone(draft, BOARD, KALACH, AXIS, rule)

    assert is_friendly(draft.table, KALACH, AXIS)
    assert draft.table.marker(KALACH, ASSAULT) == 1
    assert [
        event for event in draft.events if isinstance(event, ControlChanged) and event.was and event.place == KALACH
    ] == []


def test_tokens_are_no_units_and_so_no_casualties() -> None:
    """RuleId("supply.token.vulnerable-only-moving"), RuleId("supply.token.no-voluntary-destruction"),
    RuleId("unit.class.tokens-not-units")."""
    table = bare(held={AXIS: {"kalach": 2}}).table

    assert [table.pieces[piece].kind for piece in table.pieces_at(KALACH)] == [SUPPLY] * 2
    assert land(table, BOARD, KALACH, AXIS) == air(table, BOARD, KALACH, AXIS) == []


def test_air_units_are_always_supplied() -> None:
    """RuleId("supply.air-always"): only a land force shows a marker."""
    draft = bare(units={"kalach": {"ger_fighter": 2}, "frolovo": {"ger_tank": 1}})
    show_supply(draft, BOARD)

    assert list(draft.table.markers) == ["frolovo"]
