"""The values with which units fire, in every state."""

from core.engine.draft import Draft
from core.games.axis_allies.components.supply_lines import is_supplied
from core.games.axis_allies.ids import ALLIES, ASSAULT, AXIS, BATTLE, unit
from core.games.axis_allies.memory import (
    ACROSS_RIVER,
    ATTACK_MISSION,
    MISSION,
    RELOCATE,
    SCRAMBLE,
    STAY,
    SUPPLY_DROP,
    TOKEN_SPENT,
)
from core.games.axis_allies.options import BAD_WEATHER_SORTIES, RELOCATED_FIGHTERS_ATTACK
from core.games.axis_allies.rules.fire import Firing, attack_value, defence_value
from events.ids import MarkerId, PlaceId, Side
from tests.support.axis_allies import BOARD, SCENE
from tests.support.axis_allies_fights import KALACH, PITOMNIK, contested
from tests.support.rows import each_row

STEEL_WORKS = PlaceId("red_october_steel_works")
PRINTED = {
    "infantry": (1, 2),
    "minor_infantry": (1, 2),
    "mech_infantry": (1, 2),
    "artillery": (2, 2),
    "tank": (3, 3),
    "assault_gun": (2, 3),
    "rocket_launcher": (0, 0),
}
UNSUPPLIED = {kind: (max(0, one - 1), max(0, other - 1)) for kind, (one, other) in PRINTED.items()}


def attacks(draft: Draft, kind: str, zone: PlaceId = KALACH) -> Firing:
    return attack_value(draft.table, BOARD, unit(kind, 1), zone)


def defends(draft: Draft, kind: str, zone: PlaceId = KALACH) -> Firing:
    return defence_value(draft.table, BOARD, unit(kind, 1), zone)


def reasons(firing: Firing) -> list[str]:
    return [part.rule for part in firing.modifiers]


@each_row("kind", [name for name, row in BOARD.units.items() if not row.is_air])
def test_land_units_fire_with_their_printed_values_and_one_less_without_supply(kind: str) -> None:
    """RuleId("unit.infantry.stats"), RuleId("unit.mech.stats"), RuleId("unit.artillery.stats"), RuleId("unit.tank.stats"),
    RuleId("unit.assault-gun.stats"), RuleId("unit.rocket.stats"), RuleId("combat.mod.unsupplied"), RuleId("unit.rocket.no-combat-value")."""
    row = BOARD.units[kind]
    supplied = contested({kind: 1})
    cut_off = contested({kind: 1}, "pitomnik") if row.side == AXIS else _pocket(kind)
    zone = PITOMNIK if row.side == AXIS else PlaceId("petrovka")

    assert (attacks(supplied, kind).value, defends(supplied, kind).value) == PRINTED[row.type]
    assert (attacks(cut_off, kind, zone).value, defends(cut_off, kind, zone).value) == UNSUPPLIED[row.type]


def _pocket(kind: str) -> Draft:
    """Return a Soviet unit that no path leads out of."""
    return contested({kind: 1}, "petrovka", control=("vertyachii", "kalach", "kremenskaya", "kotluban"))


@each_row(
    ("zone", "held", "river", "marker", "value", "rules"),
    [
        ("kalach", (), False, ASSAULT, 2, []),
        ("kalach", (), True, ASSAULT, 3, ["combat.mod.throw-them-back"]),
        ("kalach", (), True, BATTLE, 2, []),
        ("red_october_steel_works", (), False, ASSAULT, 3, ["combat.mod.fortified"]),
        ("red_october_steel_works", (), False, BATTLE, 3, ["combat.mod.fortified"]),
        ("red_october_steel_works", (), True, ASSAULT, 3, ["combat.mod.fortified"]),
        ("red_october_steel_works", ("red_october_steel_works",), False, ASSAULT, 2, []),
    ],
)
def test_defenders_on_land_have_one_bonus_at_most(
    zone: str, held: tuple[str, ...], river: bool, marker: MarkerId, value: int, rules: list[str]
) -> None:
    """RuleId("combat.mod.fortified"), RuleId("combat.mod.throw-them-back"), RuleId("combat.mod.no-stack"), RuleId("zone.fortified"),
    ruling.assault-river-flag. Vectors T21 and T22."""
    draft = contested({"sov_infantry": 1, "sov_rocket_launcher": 1, "ger_infantry": 1}, zone, marker, control=held)
    if river:
        ACROSS_RIVER.set(draft, zone, value=True, rule=SCENE)
    found = defends(draft, "sov_infantry", PlaceId(zone))

    assert (found.value, reasons(found)) == (value, rules)
    assert defends(draft, "sov_rocket_launcher", PlaceId(zone)).value == 0
    assert attacks(draft, "sov_infantry", PlaceId(zone)).value == 1, "attackers have no bonus"


def test_a_bonus_and_the_lack_of_supply_cancel() -> None:
    """RuleId("combat.mod.cancel"). Vector T22."""
    zone = PlaceId("tractor_factory")
    draft = contested({"ger_infantry": 1}, zone, control=(zone,), side=ALLIES)
    found = defends(draft, "ger_infantry", zone)

    assert (found.value, reasons(found)) == (2, ["combat.mod.unsupplied", "combat.mod.fortified"])


def test_a_spent_token_supplies_the_whole_side() -> None:
    """RuleId("supply.token.one-zone"), RuleId("combat.step1.supply-status")."""
    draft = contested({"ger_tank": 1}, "pitomnik")
    draft.begin_sequence("combat", "attack", SCENE, {"zone": "pitomnik"})

    assert attacks(draft, "ger_tank", PITOMNIK).value == 2

    TOKEN_SPENT.set(draft, AXIS, value=True, rule=SCENE)

    assert attacks(draft, "ger_tank", PITOMNIK).value == 3


@each_row(
    ("kind", "mission", "relocated", "value"),
    [
        ("ger_fighter", ATTACK_MISSION, False, 3),
        ("ger_fighter", STAY, False, 3),
        ("ger_fighter", RELOCATE, False, 0),
        ("ger_fighter", RELOCATE, True, 3),
        ("ger_fighter", "", False, 0),
        ("ger_bomber", ATTACK_MISSION, False, 3),
        ("ger_bomber", RELOCATE, True, 0),
        ("ger_bomber", SUPPLY_DROP, False, 0),
        ("ger_bomber", "", False, 0),
    ],
)
def test_aircraft_attack_where_they_flew_or_stayed_to_attack(
    kind: str, mission: str, relocated: bool, value: int
) -> None:
    """RuleId("combat.step1.transport-bombers"), RuleId("movement.air.stay-and-fight"), RuleId("supply.air-always"),
    ruling.relocated-do-not-attack, ruling.grounded-air-attacks."""
    draft = contested({kind: 1}, "pitomnik", options={RELOCATED_FIGHTERS_ATTACK.key: relocated})
    if mission:
        MISSION.set(draft, unit(kind, 1), mission, SCENE)

    assert attacks(draft, kind, PITOMNIK).value == value


@each_row(("zone", "river"), [("red_october_steel_works", False), ("kalach", True)])
def test_aircraft_defend_with_their_printed_values_whatever_the_zone(zone: str, river: bool) -> None:
    """RuleId("combat.mod.land-only"), RuleId("unit.fighter.stats"), RuleId("unit.bomber.stats"), ruling.transport-bomber-defends."""
    draft = contested({"sov_fighter": 1, "sov_bomber": 1}, zone)
    MISSION.set(draft, unit("sov_bomber", 1), SUPPLY_DROP, SCENE)
    if river:
        ACROSS_RIVER.set(draft, zone, value=True, rule=SCENE)

    assert defends(draft, "sov_fighter", PlaceId(zone)) == Firing(4, (), "fighter")
    assert defends(draft, "sov_bomber", PlaceId(zone)) == Firing(1)


def test_a_scrambled_fighter_must_hit_aircraft() -> None:
    """RuleId("optional.interceptors.must-target-air")."""
    draft = contested({"sov_fighter": 1})
    MISSION.set(draft, unit("sov_fighter", 1), SCRAMBLE, SCENE)

    assert defends(draft, "sov_fighter") == Firing(4, (), "interceptor")


@each_row(("sorties", "values"), [(False, [0, 0, 0, 0]), (True, [2, 3, 2, 0])])
def test_bad_weather_keeps_aircraft_from_firing_or_costs_them_one_with_sorties(
    sorties: bool, values: list[int]
) -> None:
    """RuleId("combat.step1.bad-weather-air"), RuleId("unit.fighter.bad-weather"), RuleId("optional.sorties")."""
    units = {"ger_fighter": 1, "ger_bomber": 1}
    draft = contested(units, is_bad_weather=True, options={BAD_WEATHER_SORTIES.key: sorties})
    for kind in units:
        MISSION.set(draft, unit(kind, 1), ATTACK_MISSION, SCENE)
    found = [attacks(draft, "ger_fighter"), defends(draft, "ger_fighter"), attacks(draft, "ger_bomber")]

    assert [firing.value for firing in (*found, defends(draft, "ger_bomber"))] == values


def test_the_sides_of_the_fixture_are_supplied_as_it_says() -> None:
    """Without this the tests of supply would prove nothing."""
    table = contested({}).table
    found: dict[tuple[str, Side], bool] = {
        (zone, side): is_supplied(table, BOARD, PlaceId(zone), side)
        for zone in ("kalach", "pitomnik")
        for side in (AXIS, ALLIES)
    }

    assert found == {
        ("kalach", AXIS): True,
        ("kalach", ALLIES): True,
        ("pitomnik", AXIS): False,
        ("pitomnik", ALLIES): True,
    }
