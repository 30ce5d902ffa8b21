"""What an option says of an attack: dice with what is added to them, who fires first, Opportunity Fire, and what only a partner can promise."""

from core.games.inferno.ids import CO_OP, ONE_VS_ONE, SOLO
from core.games.inferno.narration.attack_stakes import Stake, _merged
from core.games.inferno.rules.cards import CHUIKOV, has_leader
from events.ids import PUBLIC
from events.vocabulary import DiceRolled, Value
from projections.state.fold import fold
from projections.state.view import seen_events
from tests.support.inferno import BOARD, NARRATION, Scene, order, scene
from tests.support.rows import each_row

PANZER, GRENADIER, TANKS = "2-panzer", "64-panzer-grenadier", "6-tank"
BLUE, YELLOW, WHITE = "267-infantry", "544-infantry", "576-infantry"
KHRUSHCHEV, HOTH = "soviet/khrushchev", "german/hoth"
FORT = "fortification/brown"


def deliberate(table: Scene, *hexes: str, target: str = "42") -> str:
    """Return what a Deliberate Attack is said to bring."""
    return NARRATION.describe(table.table, order("deliberate-attack", targets=[target], hexes=[*hexes]))


# Opportunity Fire, which ends with Chuikov


@each_row(("headquarters", "has_fire"), [("57", False), ("42", True), ("9", True)])
def test_opportunity_fire_is_announced_unless_entering_ends_chuikov(headquarters: str, has_fire: bool) -> None:
    """designer.chuikov.lost, leader.chuikov.opportunity-fire: what is announced follows."""
    table = scene(
        german={"72": [PANZER]},
        soviet={"42": [TANKS]},
        in_play=[f"soviet/{CHUIKOV}"],
        markers={headquarters: "headquarters"},
        mode=ONE_VS_ONE,
    )
    attack = order("hasty-attack", units=["german/1"], to="57", targets=["42"])
    words = NARRATION.describe(table.table, attack)
    events = table.do("german", attack, dice=[2] * (8 if has_fire else 7))
    fired = [event for event in events if isinstance(event, DiceRolled) and event.purpose == "Opportunity Fire"]

    assert ("1 die of Opportunity Fire" in words, bool(fired)) == (has_fire, has_fire)
    assert ("Chuikov's headquarters is lost, his card discarded and its effects ended" in words) != has_fire
    assert has_leader(table.table, BOARD, CHUIKOV) == has_fire


# What is added to dice


def test_what_is_added_to_dice_is_said() -> None:
    """designer.fortification.bonus, leader.khrushchev.bonus, leader.khrushchev.opportunity"""
    plain = scene(german={"57": [PANZER]}, soviet={"42": [TANKS], "58": ["27-tank"]})
    both = scene(
        german={"57": [PANZER]},
        soviet={"42": [TANKS], "58": ["27-tank"]},
        in_play=[KHRUSHCHEV, f"soviet/{CHUIKOV}"],
        markers={"42": FORT},
    )

    assert "on each die of the defender" not in deliberate(plain, "57")
    assert "4 dice of the attacker, +1 for Khrushchev, +1 for Fortification on each die of the defender," in deliberate(
        both, "57"
    )
    assert "2 dice of Opportunity Fire (+1 for Khrushchev, +1 for Fortification in hex 42)" in deliberate(both, "57")


def test_khrushchev_adds_to_the_dice_of_soviet_attackers_but_a_fortification_does_not() -> None:
    """leader.khrushchev.bonus, designer.fortification.not-attacking"""
    table = scene(
        german={"57": [PANZER]}, soviet={"42": [TANKS]}, in_play=[KHRUSHCHEV], markers={"42": FORT}, mode=ONE_VS_ONE
    )
    table.soviet_turn()
    said = NARRATION.describe(table.table, order("soviet-attack", hex="42", target="57"))

    assert said.endswith("; 3 dice of the attacker (+1 for Khrushchev), both sides fire together")


@each_row(
    ("option", "dice"), [("once-per-unit", "1 die of Opportunity Fire"), ("once-per-stack", "2 dice of Opportunity")]
)
def test_opportunity_fire_is_counted_in_dice(option: str, dice: str) -> None:
    """ruling.opportunity-once"""
    table = scene(
        german={"57": [PANZER], "43": [GRENADIER]},
        soviet={"42": [TANKS]},
        in_play=[f"soviet/{CHUIKOV}"],
        options={"opportunity_fire": option},
    )

    assert dice in deliberate(table, "43", "57")


# Who fires first


@each_row(
    ("options", "said"),
    [
        ({}, "the Germans fire first if they have the Combined Force Bonus"),
        ({"combined_defence": False}, "both sides fire together"),
    ],
)
def test_the_order_of_fire_in_defence_follows_the_option(options: dict[str, Value], said: str) -> None:
    """ruling.combined-defence: and so does the combat."""
    table = scene(german={"57": [GRENADIER]}, soviet={"42": [TANKS]}, in_play=[HOTH], options=options, mode=ONE_VS_ONE)
    table.soviet_turn()
    attack = order("soviet-attack", hex="42", target="57")

    assert said in NARRATION.describe(table.table, attack)

    fired = [event.about for event in table.do("soviet", attack, dice=[2] * 7) if isinstance(event, DiceRolled)]

    assert fired == (["german/1", "soviet/1"] if not options else ["soviet/1", "german/1"])


def test_a_viewer_who_does_not_know_the_units_is_not_told_that_they_have_no_bonus() -> None:
    """combined.condition, fog.blocks-upright"""
    table = scene(german={"57": [GRENADIER]}, soviet={"42": [TANKS]}, in_play=[HOTH])
    attack = order("deliberate-attack", targets=["42"], hexes=["57"])

    assert "the Germans fire first unless the Soviets have Tanks and Infantry too" in deliberate(table, "57")
    assert "the Germans fire first if they have the Combined Force Bonus" in NARRATION.describe(
        fold(seen_events(table.past, PUBLIC)), attack
    )


# What a partner must agree to


def partners(**fields: object) -> Scene:
    """Set Stacks of both German seats and a White one next to a Soviet one."""
    return scene(
        german={"57": [YELLOW], "43": [BLUE], "41": [WHITE]},
        soviet={"42": [TANKS]},
        mode=CO_OP,
        **fields,  # type: ignore[arg-type]
    )


def test_the_partners_stack_counts_only_if_he_agrees() -> None:
    """mode.co-op.joint-deliberate-attack, ruling.co-op-partner-consent"""
    said = deliberate(partners(), "41", "43", "57")

    assert "from hex 41" in said
    assert " and, if Blue agrees, from hex 43" in said
    assert "; 8 dice of the attacker, or 12 dice if Blue agrees, both sides fire together" in said

    table = scene(german={"57": [YELLOW], "43": [BLUE], "41": ["274-infantry"]}, soviet={"42": [TANKS]}, mode=CO_OP)

    assert "; 4 dice of the attacker, or 12 dice if Blue agrees to all, both" in deliberate(table, "41", "43", "57")


def test_the_partner_is_told_what_the_attack_is_with_his_stack() -> None:
    """mode.co-op.joint-deliberate-attack"""
    table = partners()
    table.do("yellow", order("deliberate-attack", targets=["42"], hexes=["41", "43", "57"]))
    join, stay = [
        NARRATION.describe(table.table, order("join-attack", hex="43", join=joins)) for joins in (True, False)
    ]

    assert join.endswith("; 12 dice of the attacker, both sides fire together")
    assert "dice" not in stay


def test_the_rubble_roll_counts_the_partners_stack_apart() -> None:
    """rubble.roll.modifier-hexes"""
    table = scene(german={"40": [YELLOW], "56": [BLUE]}, soviet={"41": [TANKS]}, mode=CO_OP)

    assert deliberate(table, "40", "56", target="41").endswith(
        "Rubble Roll 3 dice +1 (1 for hexes that attack) must exceed 18, or 3 dice +2 (2 for hexes that attack) if Blue agrees"
    )


@each_row(
    ("sure", "said"),
    [
        (None, "3 dice of fire (+1) if Blue agrees"),
        (Stake("2 dice", " of fire (+1)"), "2 dice of fire (+1), or 3 dice if Blue agrees"),
        (Stake("2 dice", " of fire"), "2 dice of fire, or 3 dice of fire (+1) if Blue agrees"),
        (Stake("3 dice", " of fire (+1)"), "3 dice of fire (+1)"),
    ],
)
def test_what_the_partner_adds_is_said_beside_what_is_certain(sure: Stake | None, said: str) -> None:
    assert _merged(sure, Stake("3 dice", " of fire (+1)"), "if Blue agrees") == said


def test_own_stacks_and_those_of_one_seat_are_certain() -> None:
    table = scene(german={"57": [YELLOW], "43": [BLUE]}, soviet={"42": [TANKS]}, mode=SOLO)

    assert "agrees" not in deliberate(table, "43", "57")
    assert "agrees" not in deliberate(partners(), "41", "57")


def test_a_viewer_who_does_not_know_the_units_is_not_told_whose_they_are() -> None:
    """fog.blocks-upright"""
    seen = fold(seen_events(partners().past, PUBLIC))

    assert "agrees" not in NARRATION.describe(seen, order("deliberate-attack", targets=["42"], hexes=["43", "57"]))


# What is asked before dice


@each_row("cards", [(), (KHRUSHCHEV,)])
def test_a_hasty_attack_is_for_good_whether_or_not_the_soviets_may_lay_a_card(cards: tuple[str, ...]) -> None:
    """Dice fall before the attacker decides again; a German card is asked for in a Deliberate Attack."""
    table = scene(german={"72": [PANZER]}, soviet={"42": [TANKS]}, hands={"soviet": [*cards]}, mode=ONE_VS_ONE)
    hasty = order("hasty-attack", units=["german/1"], to="57", targets=["42"])

    assert NARRATION.is_final(table.table, hasty)
