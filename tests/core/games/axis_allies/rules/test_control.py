"""Control of zones with all that hangs on it, Combat Markers, and losses."""

from core.engine.draft import Draft
from core.games.axis_allies.components.supply_lines import is_supplied
from core.games.axis_allies.ids import (
    ALLIES,
    ASSAULT,
    AXIS,
    BATTLE,
    CAPTURED_FACTORY,
    FACTORY,
    POOL,
    TANK_FACTORY,
    UNSUPPLIED,
    token,
    unit,
)
from core.games.axis_allies.memory import ACROSS_RIVER, ATTACK_MISSION, LIBERATED, MISSION, TAKEN
from core.games.axis_allies.options import AMBUSH_CANCELS_AIR_ATTACK, CAPTURE_TOKENS_WHEN_ALONE
from core.games.axis_allies.rules import control
from core.games.axis_allies.rules.queries import tokens
from core.games.axis_allies.rules.supply import show_supply
from events.ids import PieceId, PlaceId, RuleId, Side
from events.vocabulary import PieceRemoved, RuleApplied
from tests.support.axis_allies import BOARD, SCENE, bare, control_but
from tests.support.rows import each_row

PITOMNIK = PlaceId("pitomnik")
FACTORY_ZONE = PlaceId("tractor_factory")
KALACH = PlaceId("kalach")


def in_phase(draft: Draft, side: Side = AXIS, phase: str = "axis_attack") -> Draft:
    draft.begin_round(3, SCENE)
    draft.begin_turn(side, SCENE)
    draft.begin_phase(phase, SCENE)
    return draft


def test_who_takes_a_zone_takes_its_tokens_and_destroys_aircraft_on_the_ground() -> None:
    """RuleId("combat.step6.tokens"), RuleId("combat.step6.grounded-air-lost"), ruling.scrambled-and-airborne-on-capture."""
    units = {"pitomnik": {"sov_tank": 1, "ger_fighter": 2}}
    draft = in_phase(bare({AXIS: ["pitomnik"]}, units=units, held={AXIS: {"pitomnik": 2}}))
    draft.turn(unit("ger_fighter", 2), "air", SCENE)
    control.take(draft, BOARD, PITOMNIK, ALLIES, control.CONTROL)

    assert draft.table.control[PITOMNIK] == ALLIES
    assert TAKEN.of(draft.table, PITOMNIK) == "axis_attack"
    assert tokens(draft.table, PITOMNIK, ALLIES) == [token(1), token(2)]
    assert [event.piece for event in draft.events if isinstance(event, PieceRemoved)] == ["ger_fighter/1"]


def test_a_factory_turns_with_its_zone() -> None:
    """RuleId("order.8.flip"), RuleId("order.8.liberated")."""
    draft = in_phase(bare(markers={FACTORY_ZONE: FACTORY[TANK_FACTORY]}))
    control.take(draft, BOARD, FACTORY_ZONE, AXIS, control.CONTROL)

    assert draft.table.markers[FACTORY_ZONE] == {CAPTURED_FACTORY[TANK_FACTORY]: 1}
    assert LIBERATED.of(draft.table, FACTORY_ZONE) is None

    control.take(draft, BOARD, FACTORY_ZONE, ALLIES, control.CONTROL)

    assert draft.table.markers[FACTORY_ZONE] == {FACTORY[TANK_FACTORY]: 1}
    assert LIBERATED.of(draft.table, FACTORY_ZONE) is True


def test_an_ambusher_is_lost_when_the_last_connected_zone_is_the_enemys() -> None:
    """RuleId("ambush.destroyed-if-surrounded")."""
    site, row = next(iter(BOARD.sites.items()))
    first, *others = row.zones
    draft = in_phase(bare({AXIS: others[:-1]}, units={site: {"sov_infantry": 1}}))
    control.take(draft, BOARD, others[-1], AXIS, control.CONTROL)

    assert draft.table.pieces_at(site) == ("sov_infantry/1",)

    control.take(draft, BOARD, first, AXIS, control.CONTROL)

    assert draft.table.pieces_at(site) == ()


def test_a_zone_with_land_units_of_both_sides_is_in_battle() -> None:
    """RuleId("combat.step6.battle"); the river no longer matters."""
    draft = in_phase(bare(units={"kalach": {"ger_tank": 1, "sov_infantry": 1}}))
    control.begin_assault(draft, KALACH, SCENE)
    ACROSS_RIVER.set(draft, KALACH, value=True, rule=SCENE)
    control.conclude(draft, BOARD, KALACH)

    assert draft.table.markers[KALACH] == {BATTLE: 1}
    assert ACROSS_RIVER.of(draft.table, KALACH) is None
    assert draft.table.control[KALACH] == ALLIES

    before = len(draft.events)
    control.conclude(draft, BOARD, KALACH)

    assert [(event.rule, type(event)) for event in draft.events[before:]] == [("combat.step6.battle", RuleApplied)]
    control.begin_assault(draft, KALACH, SCENE)
    assert draft.table.markers[KALACH] == {BATTLE: 1}


@each_row(
    ("units", "holder"),
    [
        ({"ger_tank": 1}, AXIS),
        ({"sov_infantry": 1, "ger_fighter": 1}, ALLIES),
        ({"ger_fighter": 1}, ALLIES),
        ({}, ALLIES),
    ],
)
def test_land_units_that_are_left_alone_hold_the_zone(units: dict[str, int], holder: Side) -> None:
    """RuleId("combat.step6.control"), RuleId("combat.step6.air-does-not-hold"), RuleId("zone.control.always-one")."""
    draft = in_phase(bare(units={"kalach": units}, markers={"kalach": ASSAULT}))
    control.conclude(draft, BOARD, KALACH)

    assert KALACH not in draft.table.markers
    assert draft.table.control[KALACH] == holder
    assert (TAKEN.of(draft.table, KALACH) is not None) == (holder == AXIS)


def test_a_zone_that_is_captured_first_supplies_the_next_combat() -> None:
    """RuleId("supply.continuous"), RuleId("supply.city.volga-crossing"): Grain Elevator and Army Camp with the white ferry."""
    elevator, camp = PlaceId("grain_elevator"), PlaceId("army_camp")
    units: dict[str, dict[str, int]] = {elevator: {"sov_infantry": 2}, camp: {"sov_infantry": 2, "ger_infantry": 1}}
    draft = in_phase(
        bare(
            {AXIS: control_but("krasnaya_sloboda", "pavlovs_house")},
            units=units,
            markers={elevator: BATTLE, camp: ASSAULT},
            ferries=["crossing_white"],
        ),
        ALLIES,
        "allies_attack",
    )
    show_supply(draft, BOARD)

    assert UNSUPPLIED[ALLIES] in draft.table.markers[camp]
    assert draft.table.markers[elevator] == {BATTLE: 1}

    control.conclude(draft, BOARD, elevator)
    show_supply(draft, BOARD)

    assert draft.table.markers.get(elevator) is None
    assert draft.table.markers[camp] == {ASSAULT: 1}
    assert not is_supplied(draft.table, BOARD, PlaceId("pavlovs_house"), ALLIES)


@each_row(("is_captured", "owner"), [(False, AXIS), (True, ALLIES)])
def test_tokens_in_an_enemy_zone_are_captured_without_a_change_of_control_by_option(
    is_captured: bool, owner: Side
) -> None:
    """RuleId("supply.token.capture"), ruling.token-capture-without-change."""
    draft = in_phase(
        bare(
            units={"kalach": {"sov_infantry": 1}},
            held={AXIS: {"kalach": 1}},
            markers={"kalach": BATTLE},
            options={CAPTURE_TOKENS_WHEN_ALONE.key: is_captured},
        )
    )
    control.conclude(draft, BOARD, KALACH)

    assert draft.table.pieces[token(1)].side == owner


@each_row(
    ("held_by", "left", "flies", "cancels", "stays"),
    [
        (ALLIES, {}, False, True, False),
        (ALLIES, {}, True, True, False),
        (ALLIES, {}, True, False, True),
        (AXIS, {}, False, True, True),
        (ALLIES, {"ger_tank": 1}, False, True, True),
    ],
)
def test_a_marker_goes_with_the_last_land_unit_of_who_does_not_control_the_zone(
    held_by: Side, left: dict[str, int], flies: bool, cancels: bool, stays: bool
) -> None:
    """RuleId("ambush.last-unit-marker"), ruling.ambush-with-air-present."""
    draft = in_phase(
        bare(
            {AXIS: ["kalach"] if held_by == AXIS else []},
            units={"kalach": {"sov_infantry": 1, "ger_fighter": 1, **left}},
            markers={"kalach": ASSAULT},
            options={AMBUSH_CANCELS_AIR_ATTACK.key: cancels},
        )
    )
    if flies:
        MISSION.set(draft, unit("ger_fighter", 1), ATTACK_MISSION, SCENE)
    control.drop_marker_if_alone(draft, BOARD, KALACH, AXIS, RuleId("ambush.last-unit-marker"))

    assert (draft.table.marker(KALACH, ASSAULT) == 1) == stays


def test_what_is_destroyed_takes_its_cargo_along_and_tokens_go_to_the_allies() -> None:
    """RuleId("unit.bomber.cargo-lost"), RuleId("components.supply-tokens.axis-shrinks"), RuleId("components.return-to-pool")."""
    draft = in_phase(bare(units={"kalach": {"ger_bomber": 2, "ger_infantry": 1}}, held={AXIS: {"kalach": 2}}))
    first, second = PlaceId(unit("ger_bomber", 1)), PlaceId(unit("ger_bomber", 2))
    draft.move(token(1), first, SCENE)
    draft.move(PieceId("ger_infantry/1"), second, SCENE)
    control.lose(draft, [unit("ger_bomber", 1), unit("ger_bomber", 2), token(2)], RuleId("unit.artillery.air-defense"))
    there = draft.table.pieces

    assert not {"ger_bomber/1", "ger_bomber/2", "ger_infantry/1"} & there.keys()
    assert [(there[one].place, there[one].side) for one in (token(1), token(2))] == [(POOL[ALLIES], ALLIES)] * 2
