"""Fire: dice and what they hit on, who fires first, the Combined Force Bonus, Opportunity Fire, and Khrushchev."""

from core.games.inferno.rules.fire import hits_of
from events.ids import RuleId
from events.vocabulary import Modifier, PieceTurned, RuleApplied
from tests.support.inferno_combat import Fight, commit, unit
from tests.support.rows import each_row

CHUIKOV, KHRUSHCHEV, HOTH = "soviet/chuikov", "soviet/khrushchev", "german/hoth"


def test_a_unit_throws_a_die_for_each_dot_and_hits_by_their_colour() -> None:
    """strength.dice, firepower.single, firepower.double, firepower.triple: SF from 6, DF from 5, TF from 4 (T23, T24)."""
    fight = Fight(german={"42": "544-infantry:3 64-panzer-grenadier:3 160-panzer"}, soviet={"28": "45-rifle"})
    fight.attack("42", "28")
    thrown = {event.about: (len(event.faces), event.needed) for event in fight.dice("Close Combat")}
    assert thrown[unit("544-infantry")] == (3, 6)
    assert thrown[unit("64-panzer-grenadier")] == (3, 5)
    assert thrown[unit("160-panzer")] == (3, 4)


def test_each_unit_throws_once() -> None:
    """combat.one-roll-per-unit: though both sides survive, there is no further round."""
    fight = Fight(german={"42": "2-panzer"}, soviet={"28": "45-rifle"})
    fight.attack("42", "28")
    assert len(fight.dice("Close Combat")) == 2
    assert fight.place("2-panzer") == "42"


def test_both_sides_fire_together_in_rough_and_clear_hexes() -> None:
    """combat.simultaneous, terrain.rough, terrain.clear, terrain.of-combat: who is destroyed has fired."""
    for source, target in (("42", "28"), ("59", "60")):
        fight = Fight(german={source: "2-panzer:1"}, soviet={target: "45-rifle:1"})
        fight.attack(source, target, dice=[6, 6])
        assert "close_combat" in fight.steps
        assert fight.strength("2-panzer") == fight.strength("45-rifle") == 0


def test_the_defender_fires_first_in_an_urban_hex() -> None:
    """combat.urban-defender-first, terrain.urban: what is destroyed does not fire back; Germans in defence alike."""
    fight = Fight(german={"8": "544-infantry:2"}, soviet={"9": "45-rifle"})
    fight.attack("8", "9", hasty=True, dice=[6, 6, 1, 1])
    assert fight.strength("544-infantry") == 0
    assert [event.about for event in fight.dice("Close Combat")] == [unit("45-rifle")]
    defence = Fight(german={"9": "544-infantry"}, soviet={"8": "45-rifle:1"})
    defence.attack("8", "9", hasty=True, dice=[6])
    assert [event.about for event in defence.dice("Close Combat")] == [unit("544-infantry")]


COMBINED = [
    ("64-panzer-grenadier", "45-rifle", [HOTH], True),
    ("64-panzer-grenadier", "6-tank", [HOTH], True),
    ("2-panzer 544-infantry", "45-rifle", [HOTH], True),
    ("2-panzer 544-infantry", "45-rifle 6-tank", [HOTH], False),
    ("64-panzer-grenadier", "45-rifle 6-tank", [HOTH], False),
    ("2-panzer", "45-rifle", [HOTH], False),
    ("64-panzer-grenadier", "45-rifle", [], False),
]


@each_row(("german", "soviet", "in_play", "first"), COMBINED)
def test_the_combined_force_bonus_needs_both_arms_against_one(
    german: str, soviet: str, in_play: list[str], first: bool
) -> None:
    """combined.condition, combined.panzer-grenadier, leader.hoth, units.two-types, units.panzer-grenadier-mixed (V11)."""
    fight = Fight(german={"59": german}, soviet={"60": soviet}, in_play=in_play)
    fight.attack("59", "60")
    assert ("combined_force" in fight.steps) == first
    assert ("close_combat" in fight.steps) != first


def test_with_the_bonus_the_germans_fire_first_and_hits_count_at_once() -> None:
    """combined.effect, combat.combined-german-first: the Soviets fire with what is left."""
    fight = Fight(german={"59": "64-panzer-grenadier:2"}, soviet={"60": "45-rifle:2 87-rifle:1"}, in_play=[HOTH])
    fight.attack("59", "60", dice=[6, 6])
    fight.choose("45-rifle")
    assert [len(event.faces) for event in fight.dice("Close Combat")] == [2, 1]


def test_the_bonus_needs_a_clear_hex() -> None:
    """terrain.rough, terrain.urban: no Combined Force Bonus there, though Hoth is in play."""
    rough = Fight(german={"42": "64-panzer-grenadier"}, soviet={"28": "45-rifle"}, in_play=[HOTH])
    rough.attack("42", "28")
    assert "close_combat" in rough.steps
    urban = Fight(german={"8": "64-panzer-grenadier"}, soviet={"9": "45-rifle"}, in_play=[HOTH])
    urban.attack("8", "9")
    assert "defender_fire" in urban.steps


@each_row("works", [True, False])
def test_the_bonus_works_in_defence(works: bool) -> None:
    """combined.either-role: unless an option limits it to attacks (ruling.combined-defence)."""
    fight = Fight(
        german={"60": "64-panzer-grenadier"},
        soviet={"59": "45-rifle"},
        in_play=[HOTH],
        options={"combined_defence": works},
    )
    fight.attack("59", "60", hasty=True)
    assert ("combined_force" in fight.steps) == works


def test_an_option_gives_panzer_grenadiers_the_bonus_always() -> None:
    """combined.panzer-grenadier: against Soviets of both arms, too (ruling.combined-pg)."""
    fight = Fight(
        german={"59": "64-panzer-grenadier"},
        soviet={"60": "45-rifle 6-tank"},
        in_play=[HOTH],
        options={"pg_always_bonus": True},
    )
    fight.attack("59", "60")
    assert "combined_force" in fight.steps


# Opportunity Fire


def test_every_soviet_unit_next_to_attackers_throws_one_die() -> None:
    """leader.chuikov.opportunity-fire, fog.opportunity-fire-concealed: hex by hex, on a 6, whatever its Strength; none is revealed."""
    fight = Fight(
        german={"8": "544-infantry 2-panzer:2"},
        soviet={"9": "13-guards 45-rifle:1", "24": "6-tank", "11": "87-rifle"},
        in_play=[CHUIKOV],
    )
    fight.attack("8", "9", dice=[5, 5, 6])
    assert [(event.about, len(event.faces), event.needed) for event in fight.dice("Opportunity Fire")] == [
        ("9", 2, 6),
        ("24", 1, 6),
    ]
    assert fight.strength("544-infantry") == 3
    assert unit("6-tank") in fight.table.known_to
    assert fight.steps.index("opportunity_fire") < fight.steps.index("rubble_roll")


def test_opportunity_fire_answers_german_attacks_only() -> None:
    """leader.chuikov.opportunity-hasty: Hasty ones as well, and never when the Soviets attack."""
    hasty = Fight(german={"8": "2-panzer"}, soviet={"9": "45-rifle"}, in_play=[CHUIKOV])
    hasty.attack("8", "9", hasty=True)
    assert hasty.dice("Opportunity Fire")
    soviet = Fight(german={"8": "2-panzer"}, soviet={"9": "45-rifle"}, in_play=[CHUIKOV])
    soviet.attack("9", "8")
    assert not soviet.dice("Opportunity Fire")


def test_destroyed_defenders_do_not_fire_but_neighbours_do() -> None:
    """leader.chuikov.opportunity-timing: after the cards (ruling.opportunity-dead-defenders)."""
    fight = Fight(
        german={"8": "2-panzer"},
        soviet={"9": "45-rifle:1", "7": "87-rifle"},
        in_play=[CHUIKOV],
        hands={"german": ["german/sniper-1"]},
    )
    fight.attack("8", "9")
    fight.do(commit("german/sniper-1"), draws=["german/sniper-2"])
    assert [event.about for event in fight.dice("Opportunity Fire")] == ["7"]


def test_opportunity_hits_fall_on_the_strongest_attacker() -> None:
    """leader.chuikov.opportunity-hits: of all attackers, and Rubble never protects them (rubble.not-attacker)."""
    fight = Fight(
        german={"8": "544-infantry:2", "10": "2-panzer"},
        soviet={"9": "45-rifle 87-rifle"},
        in_play=[CHUIKOV],
        markers={"8": ["rubble"], "10": ["rubble"]},
    )
    fight.attack("8 10", "9", dice=[6, 6])
    assert (fight.strength("2-panzer"), fight.strength("544-infantry")) == (2, 2)


@each_row(("option", "dice"), [("once-per-unit", 1), ("once-per-stack", 2)])
def test_a_unit_next_to_two_attacking_stacks_fires_once(option: str, dice: int) -> None:
    """leader.chuikov.opportunity-fire: or once for each by option (ruling.opportunity-once)."""
    fight = Fight(
        german={"8": "2-panzer", "10": "544-infantry"},
        soviet={"9": "45-rifle"},
        in_play=[CHUIKOV],
        options={"opportunity_fire": option},
    )
    fight.attack("8 10", "9")
    assert [len(event.faces) for event in fight.dice("Opportunity Fire")] == [dice]


def test_chuikov_revealed_in_a_defence_brings_opportunity_fire_at_once() -> None:
    """leader.chuikov.in-play, mode.1v1.rest-as-solo: in the same combat, and without asking a Soviet seat."""
    fight = Fight(german={"8": "2-panzer"}, soviet={"9": "45-rifle"}, hands={"soviet": [CHUIKOV]})
    fight.attack("8", "9", draws=[CHUIKOV])
    assert fight.dice("Opportunity Fire")


# Khrushchev and Fortifications


def test_khrushchev_adds_one_to_soviet_dice() -> None:
    """leader.khrushchev.bonus: in Close Combat SF hits from 5, DF from 4."""
    fight = Fight(german={"42": "2-panzer"}, soviet={"28": "13-guards:3"}, in_play=[KHRUSHCHEV])
    fight.attack("42", "28", dice=[3, 4, 5])
    assert fight.strength("2-panzer") == 2


def test_khrushchev_helps_opportunity_fire() -> None:
    """leader.khrushchev.opportunity: it hits on 5 and 6 (T22)."""
    fight = Fight(german={"8": "2-panzer"}, soviet={"9": "45-rifle 87-rifle"}, in_play=[CHUIKOV, KHRUSHCHEV])
    fight.attack("8", "9", hasty=True, dice=[5, 4])
    (thrown,) = fight.dice("Opportunity Fire")
    assert [part.rule for part in thrown.modifiers] == ["leader.khrushchev.opportunity"]
    assert fight.strength("2-panzer") == 3


def test_ones_of_soviet_units_hit_the_soviets() -> None:
    """leader.khrushchev.self-hit: each takes a Step from the strongest; the hits on the Germans stand."""
    fight = Fight(german={"8": "2-panzer"}, soviet={"9": "45-rifle:3 10-rifle-brigade:1"}, in_play=[KHRUSHCHEV])
    fight.attack("8", "9", hasty=True, dice=[1, 6, 2, 4])
    assert (fight.strength("45-rifle"), fight.strength("10-rifle-brigade"), fight.strength("2-panzer")) == (2, 1, 3)


def test_ones_of_concealed_units_hit_the_revealed_ones() -> None:
    """leader.khrushchev.self-hit-not-concealed: a neighbour's 1 costs the attacked Stack a Step; Rubble does not halve it."""
    fight = Fight(
        german={"8": "2-panzer"},
        soviet={"9": "45-rifle", "7": "87-rifle"},
        in_play=[CHUIKOV, KHRUSHCHEV],
        markers={"9": ["rubble"]},
    )
    fight.attack("8", "9", hasty=True, dice=[1, 2])
    assert (fight.strength("45-rifle"), fight.strength("87-rifle")) == (3, 4)


def test_close_combat_is_left_out_if_ones_destroyed_all_defenders() -> None:
    """leader.khrushchev.self-wipe: all other steps take place."""
    fight = Fight(german={"8": "2-panzer"}, soviet={"9": "45-rifle:1"}, in_play=[CHUIKOV, KHRUSHCHEV])
    fight.attack("8", "9", dice=[1], draws=["german/sniper-2"])
    assert not fight.dice("Close Combat")
    assert fight.dice("Rubble Roll")
    assert fight.place("2-panzer") == "9"


def test_ones_and_german_hits_come_together_where_both_fire_together() -> None:
    """leader.khrushchev.self-hit: in a Rough hex both are applied after all dice (ruling.khrushchev-immediate)."""
    fight = Fight(german={"42": "2-panzer:1"}, soviet={"28": "45-rifle:3"}, in_play=[KHRUSHCHEV])
    fight.attack("42", "28", dice=[1, 2, 2, 6])
    assert fight.strength("45-rifle") == 1


def test_a_fortification_helps_soviet_defenders_only() -> None:
    """designer.fortification.bonus, designer.fortification.not-attacking: not those who attack out of it."""
    defence = Fight(german={"42": "2-panzer"}, soviet={"28": "45-rifle:1"}, markers={"28": ["fortification/brown"]})
    defence.attack("42", "28", dice=[5])
    assert defence.strength("2-panzer") == 3
    attack = Fight(german={"42": "2-panzer"}, soviet={"28": "45-rifle:1"}, markers={"28": ["fortification/brown"]})
    attack.attack("28", "42", hasty=True, dice=[5])
    assert attack.strength("2-panzer") == 4


def test_a_fortification_helps_opportunity_fire_and_rubble_works_beside_it() -> None:
    """designer.fortification.rubble-too: +1 and Double Defense in the same hex."""
    fight = Fight(
        german={"25": "2-panzer"},
        soviet={"26": "45-rifle:1"},
        in_play=[CHUIKOV],
        markers={"26": ["fortification/red", "rubble"]},
    )
    fight.attack("25", "26", hasty=True, dice=[5, 2, 4, 1, 1])
    assert fight.strength("2-panzer") == 3
    assert fight.strength("45-rifle") == 1


def test_bonuses_add_up_and_a_natural_one_never_hits() -> None:
    """leader.khrushchev.bonus: Fortification and Khrushchev make TF hit from 2 (ruling.khrushchev-stacking-bonus)."""
    both = (Modifier(RuleId("leader.khrushchev.bonus"), "", 1), Modifier(RuleId("designer.fortification.bonus"), "", 1))
    assert hits_of([1, 2, 3, 4, 5, 6], 4, both) == 5
    assert hits_of([1, 2, 3, 4, 5, 6], 6, both) == 3
    assert hits_of([1, 6], 2, both) == 1


def test_khrushchev_changes_nothing_for_the_germans() -> None:
    """leader.khrushchev.bonus, leader.khrushchev.self-hit: their dice have no bonus, and their ones hit nobody."""
    fight = Fight(german={"42": "544-infantry:2"}, soviet={"28": "45-rifle:3"}, in_play=[KHRUSHCHEV])
    fight.attack("42", "28", dice=[2, 2, 2, 1, 5])
    assert fight.strength("45-rifle") == 3
    assert [event.modifiers for event in fight.dice("Close Combat") if event.about == unit("544-infantry")] == [()]


def test_losses_cite_why_the_side_fired_when_it_did() -> None:
    """combat.urban-defender-first, combat.combined-german-first, combat.simultaneous: for both sides' fire."""
    for source, target, in_play, rule in (
        ("8", "9", [], "combat.urban-defender-first"),
        ("59", "60", [HOTH], "combat.combined-german-first"),
        ("42", "28", [], "combat.simultaneous"),
    ):
        fight = Fight(german={source: "64-panzer-grenadier"}, soviet={target: "45-rifle"}, in_play=in_play)
        fight.attack(source, target, hasty=True, dice=[6, 2, 2, 2, 6])
        assert [event.rule for event in fight.of_type(PieceTurned)] == [rule, rule]


def test_ones_that_join_german_hits_are_told() -> None:
    """leader.khrushchev.self-hit: where both sides fire together they are recorded apart."""
    fight = Fight(german={"42": "2-panzer"}, soviet={"28": "45-rifle:3"}, in_play=[KHRUSHCHEV])
    fight.attack("42", "28", dice=[1, 1, 2])
    told = [(event.rule, event.outcome) for event in fight.of_type(RuleApplied)]
    assert told == [("leader.khrushchev.self-hit", "2 hits more on the Soviet side by its own dice")]
