"""Chapter 6.4 and 6.4.1: Bloody Streets, before any Action Round."""

from core.games.advance.rules.queries import is_strong
from events.vocabulary import DiceRolled, TrackMoved
from tests.support.advance import BOARD, Scene, of_type, order, rolls, rules_of, scene
from tests.support.rows import each_row

GUARDS_HEAVY = "H8"
GUARDS_LIGHT = "L5"
AMBUSH_LIGHT = "L2"


def streets(area: str, counter: str, *dice: int) -> Scene:
    """Begin the Combat Phase with two Fresh units in one Contested Area."""
    return scene(units={"29/15": area, "29/PZ": area, "24/26": "3"}, soviets={area: counter}, morale=12, dice=dice)


def test_one_roll_for_each_contested_urban_area() -> None:
    """6.4.1.roll (V14): for 10 and 12 by number, not for Elevated 21."""
    table = scene(
        units={"29/15": "12", "29/PZ": "10", "24/26": "21"},
        soviets={"12": AMBUSH_LIGHT, "10": "H1", "21": "E1", "9": "?"},
        dice=(1, 2),
    )

    assert rolls(table.events) == [("Bloody Streets", "10", (1,)), ("Bloody Streets", "12", (2,))]


def test_each_contested_urban_area_has_a_roll_of_its_own() -> None:
    """2.1.dice-notation, 6.4.1.roll: twelve Areas, twelve throws of one die."""
    areas = ["7", "8", "9", "11", "12", "13", "15", "16", "17", "18", "20", "24"]
    units = [
        *["29/15", "29/71", "29/PZ", "29/RCN", "24/26", "24/PZ"],
        *["24/21", "24/RCN", "71/191", "71/194", "71/211", "244A"],
    ]
    counters = [f"L{number}" for number in range(1, 13)]
    table = scene(
        units=dict(zip(units, areas, strict=True)), soviets=dict(zip(areas, counters, strict=True)), dice=(1,) * 12
    )

    assert [about for _, about, _ in rolls(table.events)] == areas


def test_no_die_is_rolled_without_a_contested_area() -> None:
    """6.4.1.roll: an uncontested Area is not rolled for."""
    table = scene(units={"29/15": "6"}, soviets={"10": "H1"})

    assert (rolls(table.events), table.asked) == ([], "activate")


@each_row("die", [1, 2, 3, 4])
def test_low_rolls_do_nothing(die: int) -> None:
    """6.4.1.one-to-four."""
    table = streets("12", AMBUSH_LIGHT, die)

    assert (table.morale, table.face("29/15"), table.face("29/PZ")) == (12, "fresh", "fresh")


def test_a_five_costs_morale() -> None:
    """6.4.1.five: the units stay Fresh."""
    table = streets("12", AMBUSH_LIGHT, 5)

    assert (table.morale, table.face("29/15"), table.face("29/PZ")) == (11, "fresh", "fresh")
    assert [event.rule for event in of_type(table.events, TrackMoved)][-1] == "6.4.1.five"


def test_a_six_costs_morale_and_spends_every_unit_there() -> None:
    """6.4.1.six: both units in the Area, none elsewhere, one point of Morale."""
    table = streets("12", AMBUSH_LIGHT, 6)

    assert (table.morale, table.face("29/15"), table.face("29/PZ"), table.face("24/26")) == (
        11,
        "spent",
        "spent",
        "fresh",
    )
    assert "6.4.1.six" in rules_of(table.events)


@each_row(
    ("area", "counter", "die", "morale", "face"),
    [
        ("10", GUARDS_HEAVY, 4, 11, "fresh"),
        ("10", GUARDS_HEAVY, 5, 11, "spent"),
        ("15", GUARDS_LIGHT, 6, 11, "spent"),
        ("12", GUARDS_LIGHT, 4, 12, "fresh"),
        ("10", "H1", 4, 12, "fresh"),
    ],
)
def test_guards_in_the_strongest_terrain_add_one(area: str, counter: str, die: int, morale: int, face: str) -> None:
    """6.4.1.guards-modifier (V12, V13): in 10 and in the Rail Station, not in 12; 7 counts as 6."""
    table = streets(area, counter, die)

    assert (table.morale, table.face("29/15")) == (morale, face)


def test_the_modifier_is_shown_with_its_rule() -> None:
    """6.4.1.guards-modifier: the die and what is added to it are both recorded."""
    (roll,) = of_type(streets("10", GUARDS_HEAVY, 4).events, DiceRolled)

    assert [(part.rule, part.amount) for part in roll.modifiers] == [("6.4.1.guards-modifier", 1)]


def test_the_record_of_the_die_adds_up_to_what_counts() -> None:
    """6.4.1.guards-modifier: 6 + 1 counts as 6."""
    (roll,) = of_type(streets("10", GUARDS_HEAVY, 6).events, DiceRolled)

    assert [(part.what, part.amount) for part in roll.modifiers] == [
        ("Guards where the TEM is +4", 1),
        ("(at most 6)", -1),
    ]


def test_pavlovs_house_is_guards_in_the_streets() -> None:
    """6.4.1.guards-modifier, 12.6.guards-every-time: ruling.bloody-streets-guards."""
    table = scene(units={"29/15": "14"}, soviets={"14": "PH"}, morale=12, options={"pavlovs_house": True}, dice=(4,))

    assert table.morale == 11


def test_streets_come_before_the_action_rounds() -> None:
    """6.4.order: a unit that they have spent cannot be activated in this turn."""
    table = scene(units={"29/15": "12", "29/PZ": "3"}, soviets={"12": AMBUSH_LIGHT}, dice=(6,))

    assert table.refused(order("activate", area="12")) == "area_must_hold_fresh_units"


def test_morale_does_not_fall_below_0() -> None:
    """5.2.morale-bounds: at 0 it stays 0, and that ends nothing (ruling.morale-zero)."""
    table = scene(units={"29/15": "12"}, soviets={"12": AMBUSH_LIGHT}, morale=0, dice=(5,))

    assert (table.morale, table.result) == (0, "")


def test_morale_that_falls_below_10_is_shaken_at_once() -> None:
    """5.2.morale-flip: 10 is Strong, 9 is Shaken, in any phase."""
    strong = scene(units={"29/15": "12"}, soviets={"12": AMBUSH_LIGHT}, morale=10, dice=(4,)).table
    shaken = scene(units={"29/15": "12"}, soviets={"12": AMBUSH_LIGHT}, morale=10, dice=(5,)).table

    assert (is_strong(strong, BOARD), is_strong(shaken, BOARD)) == (True, False)
