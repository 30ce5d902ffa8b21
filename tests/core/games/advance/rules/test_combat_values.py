"""Chapters 9.5.2 and 9.5.3 with 12.1 and 12.4: every part of Attack Value and Defense Value."""

from events.vocabulary import Value
from tests.support.advance_rounds import Scene, parts
from tests.support.rows import each_row

FOUR_29 = "29/15 29/71 29/PZ 29/RCN"
LOST = (1, 1, 6, 6)


def fight(
    names: str,
    lead: str,
    *,
    area: str = "10",
    counter: str = "H3",
    support: tuple[int, int, int] = (0, 0, 0),
    air: int = 0,
    morale: int = 18,
    event: dict[str, Value] | None = None,
    options: dict[str, bool | str] | None = None,
    scenario: str = "main",
) -> tuple[dict[str, int], dict[str, int]]:
    """Attack a Revealed unit from inside its Area and return the parts of AV and DV by rule.

    `air` is what the Air die shows, 0 without Air Support.
    """
    placed = (support[0], support[1], 1 if air else support[2])
    scene = Scene(
        {area: names},
        {area: counter},
        support=placed,
        morale=morale,
        event=event,
        options=options,
        scenario=scenario,
    )
    scene.activate(area)
    dice = (air, *LOST) if air else LOST
    asked_for = any(placed)
    events = scene.attack(area, names, () if asked_for or " " in names else dice)
    if " " in names:
        events += scene.lead(lead, () if asked_for else dice)
    if asked_for:
        events += scene.support(*placed, dice=dice)
    return parts(events, "attack"), parts(events, "defense")


# Attack Value


def test_the_worked_example_adds_up_to_14() -> None:
    """9.5.2.sum, 6.2.chart.15-16 (W7): 6 + 3 + 1 + 2 + 1 + 1 under shell shortages."""
    attack, _ = fight(FOUR_29, "29/RCN", support=(1, 1, 0), event={"shell_shortages": 1, "event_roll": 15})

    assert attack == {
        "9.5.2.a-lead-factor": 6,
        "9.5.2.b-additional-units": 3,
        "6.2.chart.15-16": 1,
        "9.5.2.c-support": 2,
        "9.5.2.d-integrity": 1,
        "9.5.2.e-strong": 1,
    }
    assert sum(attack.values()) == 14


def test_the_lead_gives_its_attack_factor() -> None:
    """9.5.2.a-lead-factor, 4.3.1.factors."""
    attack, _ = fight("29/RCN", "29/RCN")

    assert attack["9.5.2.a-lead-factor"] == 6


@each_row(("names", "bonus"), [("29/15", 0), ("29/15 29/PZ", 1), (FOUR_29, 3)])
def test_each_further_attacker_adds_1(names: str, bonus: int) -> None:
    """9.5.2.b-additional-units: whatever its own factor."""
    attack, _ = fight(names, "29/15")

    assert attack.get("9.5.2.b-additional-units", 0) == bonus


def test_artillery_and_engineers_add_2_each() -> None:
    """9.5.2.c-support."""
    attack, _ = fight("29/15 29/PZ", "29/15", support=(1, 1, 0))

    assert attack["9.5.2.c-support"] == 4


@each_row(
    ("roll", "rule"), [(5, "6.2.chart.5-6"), (6, "6.2.chart.5-6"), (15, "6.2.chart.15-16"), (16, "6.2.chart.15-16")]
)
def test_short_shells_add_1_each_and_leave_engineers_alone(roll: int, rule: str) -> None:
    """6.2.chart.5-6, 6.2.chart.15-16: the part names the row that was rolled."""
    attack, _ = fight("29/15 29/PZ", "29/15", support=(1, 1, 0), event={"shell_shortages": 1, "event_roll": roll})

    assert (attack[rule], attack["9.5.2.c-support"]) == (1, 2)


def test_shells_run_short_in_the_factory_district_too() -> None:
    """14.6.1.shell-shortage: two Artillery and one Engineer give 4."""
    names = "295/516 295/517 295/518"
    attack, _ = fight(
        names,
        "295/516",
        area="21",
        counter="E8",
        support=(2, 1, 0),
        event={"shell_shortages": 1, "event_roll": 16},
        scenario="factory",
    )

    assert attack["14.6.1.shell-shortage"] + attack["9.5.2.c-support"] == 4


@each_row(
    ("names", "bonus"),
    [
        ("29/15 29/71 29/PZ", 1),
        (FOUR_29, 1),
        ("29/15 29/71 244A", 0),
        ("29/15 29/71 29/PZ 244A", 1),
        ("29/15 29/71 24/26 24/21", 0),
        ("244A 244B 245A", 0),
    ],
)
def test_three_units_of_one_division_add_1(names: str, bonus: int) -> None:
    """9.5.2.d-integrity, 4.3.2.parent-organization, ruling.integrity-guns: once, and guns belong to none."""
    attack, _ = fight(names, names.split(maxsplit=1)[0])

    assert attack.get("9.5.2.d-integrity", 0) == bonus


@each_row(("morale", "bonus"), [(19, 1), (10, 1), (9, 0), (0, 0)])
def test_strong_morale_adds_1(morale: int, bonus: int) -> None:
    """9.5.2.e-strong, 5.2.morale-flip (V8)."""
    attack, _ = fight("29/15", "29/15", morale=morale)

    assert attack.get("9.5.2.e-strong", 0) == bonus


@each_row(
    ("area", "counter", "engineers", "bonus"),
    [("18", "L9", 0, 0), ("18", "L9", 1, 1), ("10", "H3", 0, 0), ("19", "C5", 0, 1)],
)
def test_rubble_takes_the_bonus_of_a_division_without_engineers(
    area: str, counter: str, engineers: int, bonus: int
) -> None:
    """12.1.rubble (V24): in Light and Heavy Urban Areas."""
    attack, _ = fight(
        "71/191 71/194 71/211",
        "71/191",
        area=area,
        counter=counter,
        support=(0, engineers, 0),
        options={"rubble": True},
    )

    assert attack.get("9.5.2.d-integrity", 0) == bonus
    assert ("12.1.rubble" in attack) == (not bonus)


@each_row(
    ("names", "reading", "deduction"),
    [
        ("24/21 24/26 29/RCN 244A", "every-division", -2),
        ("244A", "every-division", 0),
        ("24/21 24/26", "every-division", -1),
        ("24/21 24/26 29/RCN 244A", "beyond-the-first", -1),
        ("24/21 24/26", "beyond-the-first", 0),
    ],
)
def test_parent_organizations_cost_1_each(names: str, reading: str, deduction: int) -> None:
    """12.4.deduction, ruling.parent-first-division (V25): guns cost nothing."""
    options: dict[str, bool | str] = {"parent_organization": True, "parent_organization_counts": reading}
    attack, _ = fight(names, names.split(maxsplit=1)[0], options=options)

    assert attack.get("12.4.deduction", 0) == deduction


def test_no_optional_rule_holds_without_being_agreed() -> None:
    """12.1.rubble, 12.4.deduction."""
    attack, _ = fight("71/191 71/194 71/211", "71/191", area="18", counter="L9")

    assert (attack["9.5.2.d-integrity"], "12.4.deduction" in attack) == (1, False)


# Defense Value


def test_the_worked_example_defends_with_9() -> None:
    """9.5.3.sum (W8): 8 + 4 - 3."""
    _, defense = fight(FOUR_29, "29/RCN", air=3)

    assert defense == {"9.5.3.a-factor": 8, "9.5.3.b-tem": 4, "9.5.3.d-air": -3}


def test_shaken_morale_adds_1_to_the_defense() -> None:
    """9.5.3.c-shaken (V8): 13 against 10."""
    attack, defense = fight(
        FOUR_29, "29/RCN", support=(1, 1, 0), air=3, morale=9, event={"shell_shortages": 1, "event_roll": 15}
    )

    assert (sum(attack.values()), sum(defense.values())) == (13, 10)


def test_the_soviet_unit_gives_its_defense_factor() -> None:
    """9.5.3.a-factor."""
    _, defense = fight("29/15", "29/15", counter="H7")

    assert defense["9.5.3.a-factor"] == 10


@each_row(("area", "tem"), [("27", 1), ("19", 2), ("28", 2), ("21", 4), ("9", 3), ("15", 4), ("10", 4)])
def test_terrain_adds_its_modifier(area: str, tem: int) -> None:
    """9.5.3.b-tem: with the three exceptions."""
    _, defense = fight("29/15", "29/15", area=area, counter="L9")

    assert defense["9.5.3.b-tem"] == tem


@each_row(("die", "value"), [(1, 4), (5, 0), (6, 0)])
def test_air_support_subtracts_its_die_but_never_goes_below_0(die: int, value: int) -> None:
    """9.5.3.d-air, 9.5.3.floor (V6): Clear, factor 4."""
    _, defense = fight("29/15", "29/15", area="27", counter="C1", air=die)

    assert defense["9.5.3.d-air"] == -die
    assert sum(defense.values()) == value


def test_commissars_add_before_the_floor() -> None:
    """9.5.3.floor, 6.2.chart.9-12: 4 + 1 + 1 - 6 is 0."""
    _, defense = fight("29/15", "29/15", area="27", counter="C1", air=6, event={"commissars": 1, "event_roll": 10})

    assert (defense["6.2.chart.9-12"], sum(defense.values())) == (1, 0)


def test_commissars_add_to_every_defense_value() -> None:
    """6.2.chart.9-12, 9.5.3.sum: 7 + 3 + 1."""
    _, defense = fight("29/15", "29/15", area="9", counter="L13", event={"commissars": 1, "event_roll": 10})

    assert sum(defense.values()) == 11


def test_commissars_of_the_factory_district() -> None:
    """14.6.1.commissars: 5 + 1 + 1 in 44."""
    _, defense = fight(
        "94/267", "94/267", area="44", counter="C3", event={"commissars": 1, "event_roll": 11}, scenario="factory"
    )

    assert defense == {"9.5.3.a-factor": 5, "9.5.3.b-tem": 1, "14.6.1.commissars": 1}
