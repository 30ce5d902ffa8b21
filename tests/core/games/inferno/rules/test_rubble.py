"""Rubble: the roll, its modifiers, the limits, and Double Defense."""

from core.games.inferno.ids import GERMAN, RUBBLE
from events.ids import PlaceId
from events.vocabulary import MarkerPlaced, RuleApplied
from tests.support.inferno import BOARD
from tests.support.inferno_combat import Fight, commit
from tests.support.rows import each_row

URBAN = [place.id for place in BOARD.hexes.values() if place.terrain == "urban"]


def has_rubble(fight: Fight, place: str) -> bool:
    """Return whether Rubble lies in a hex."""
    return fight.table.marker(place, RUBBLE) == 1


@each_row(("dice", "lies"), [([2, 3, 3], True), ([2, 3, 2], False)])
def test_the_modifiers_of_the_example_add_up(dice: list[int], lies: bool) -> None:
    """rubble.roll.cumulative, rubble.roll.modifier-card, rubble.roll.modifier-hexes, rubble.roll.modifier-panzers (T9, T10).

    rubble.roll.threshold: four hexes, two Panzers, two Panzer Grenadiers and a Heinkel are +11, and 8 makes more than 18.
    """
    fight = Fight(
        german={"8": "2-panzer", "10": "36-panzer", "25": "64-panzer-grenadier", "26": "79-panzer-grenadier"},
        soviet={"9": "45-rifle"},
        hands={"german": ["german/heinkel_111-1"]},
    )
    fight.attack("8 10 25 26", "9")
    fight.do(commit("german/heinkel_111-1"), dice=[1] * 6 + dice)
    [rolled] = fight.dice("Rubble Roll")
    assert sum(part.amount for part in rolled.modifiers) == 11
    assert has_rubble(fight, "9") == lies


def test_the_roll_is_made_in_deliberate_german_attacks_on_urban_hexes_only() -> None:
    """rubble.roll.when, rubble.soviet-attacks-none, terrain.urban, terrain.rough, soviet.deliberate-attack.no-rubble.

    german.hasty-attack.no-rubble, german.deliberate-attack.rubble: nor after Hasty Attacks.
    """
    deliberate = Fight(german={"8": "2-panzer"}, soviet={"9": "45-rifle"})
    deliberate.attack("8", "9")
    assert deliberate.dice("Rubble Roll")
    hasty = Fight(german={"8": "2-panzer"}, soviet={"9": "45-rifle"})
    hasty.attack("8", "9", hasty=True)
    rough = Fight(german={"42": "2-panzer"}, soviet={"28": "45-rifle"})
    rough.attack("42", "28")
    soviet = Fight(german={"9": "2-panzer"}, soviet={"8": "45-rifle"}, in_play=["soviet/chuikov"])
    soviet.attack("8", "9")
    assert not any(fight.dice("Rubble Roll") for fight in (hasty, rough, soviet))


def test_no_roll_where_rubble_lies_or_none_is_left() -> None:
    """rubble.one-per-hex, rubble.max-fifteen, components.rubble-markers: fifteen hexes at most."""
    there = Fight(german={"8": "2-panzer"}, soviet={"9": "45-rifle"}, markers={"9": ["rubble"]})
    there.attack("8", "9")
    used_up = [place for place in URBAN if place != "9"][:15]
    none = Fight(german={"8": "2-panzer"}, soviet={"9": "45-rifle"}, markers={place: ["rubble"] for place in used_up})
    none.attack("8", "9")
    fewer = Fight(german={"8": "2-panzer"}, soviet={"9": "45-rifle"}, markers={p: ["rubble"] for p in used_up[:14]})
    fewer.attack("8", "9")
    assert not there.dice("Rubble Roll")
    assert not none.dice("Rubble Roll")
    assert fewer.dice("Rubble Roll")


def test_no_roll_without_attackers_but_one_without_defenders() -> None:
    """rubble.roll.when: ruling.rubble-roll-no-attacker and ruling.rubble-roll-no-defender."""
    gone = Fight(german={"8": "2-panzer:1"}, soviet={"9": "45-rifle"}, in_play=["soviet/chuikov"])
    gone.attack("8", "9", dice=[6])
    assert not gone.dice("Rubble Roll")
    empty = Fight(german={"8": "2-panzer"}, soviet={"9": "45-rifle:1"}, hands={"german": ["german/sniper-1"]})
    empty.attack("8", "9")
    empty.do(commit("german/sniper-1"), draws=["german/sniper-2"])
    assert empty.dice("Rubble Roll")


@each_row(("option", "amounts"), [("survivors", [1]), ("declared", [2, 1])])
def test_destroyed_attackers_do_not_count(option: str, amounts: list[int]) -> None:
    """rubble.roll.modifier-hexes, rubble.roll.modifier-panzers: unless an option says so (ruling.rubble-modifier-moment)."""
    fight = Fight(
        german={"8": "2-panzer:1", "10": "544-infantry:1"},
        soviet={"9": "45-rifle"},
        hands={"soviet": ["soviet/anti_tank-1"]},
        options={"rubble_count": option},
    )
    fight.attack("8 10", "9", draws=["soviet/anti_tank-1"])
    [rolled] = fight.dice("Rubble Roll")
    assert [part.amount for part in rolled.modifiers] == amounts


def test_rubble_placed_by_the_roll_protects_in_the_same_combat() -> None:
    """rubble.roll.timing, rubble.two-sources: after the card's dice, before Close Combat."""
    fight = Fight(
        german={"8": "2-panzer 36-panzer"},
        soviet={"9": "45-rifle 87-rifle"},
        hands={"german": ["german/howitzer-1"]},
    )
    fight.attack("8", "9")
    card, roll, defence, fire = [6, 6, 1, 1, 1, 1], [6, 6, 6], [2] * 6, [6] * 4 + [1] * 4
    fight.do(commit("german/howitzer-1"), dice=[*card, *roll, *defence, *fire])
    assert [event.rule for event in fight.of_type(MarkerPlaced) if event.marker == RUBBLE] == ["rubble.roll.threshold"]
    assert (fight.strength("45-rifle"), fight.strength("87-rifle")) == (2, 2)


def test_two_hits_make_one_and_the_odd_one_is_lost() -> None:
    """rubble.double-defense: five hits take two Steps; card and Close Combat are halved each for itself (V10)."""
    fight = Fight(
        german={"8": "2-panzer"},
        soviet={"9": "45-rifle"},
        hands={"german": ["german/howitzer-1"]},
        markers={"9": ["rubble"]},
    )
    fight.attack("8", "9")
    fight.do(commit("german/howitzer-1"), dice=[4, 4, 4, 4, 4, 1, 2, 2, 4, 4, 4, 1])
    assert fight.strength("45-rifle") == 1
    assert [(event.rule, event.about, event.outcome) for event in fight.of_type(RuleApplied)] == [
        ("german.card.rubble-halves-dice", "german/howitzer-1", "5 hits on the Soviet side in Rubble count as 2"),
        ("rubble.double-defense", "9", "3 hits on the Soviet side in Rubble count as 1"),
    ]


def test_rubble_protects_whoever_defends_and_never_an_attacker() -> None:
    """rubble.either-side, rubble.not-attacker: Germans in defence as well."""
    defence = Fight(german={"9": "2-panzer"}, soviet={"8": "45-rifle"}, markers={"9": ["rubble"]})
    defence.attack("8", "9", hasty=True, dice=[2, 2, 2, 2, 6, 6, 6, 1])
    assert defence.strength("2-panzer") == 3
    attack = Fight(german={"8": "2-panzer"}, soviet={"9": "45-rifle"}, markers={"8": ["rubble"]})
    attack.attack("8", "9", hasty=True, dice=[6, 6, 2, 2])
    assert attack.strength("2-panzer") == 2


@each_row(("halves", "left"), [(True, 3), (False, 2)])
def test_an_option_lets_card_dice_ignore_rubble(halves: bool, left: int) -> None:
    """german.card.rubble-halves-dice: those of both sides' cards by default (ruling.rubble-card-dice)."""
    fight = Fight(
        german={"8": "2-panzer"},
        soviet={"9": "45-rifle"},
        hands={"german": ["german/stuka-1"]},
        markers={"9": ["rubble"]},
        options={"rubble_affects_cards": halves},
    )
    fight.attack("8", "9")
    fight.do(commit("german/stuka-1"), dice=[6, 6, 1, 1, 1])
    assert fight.strength("45-rifle") == left


def test_an_aa_card_places_rubble_in_its_hex_wherever_the_combat_is() -> None:
    """soviet.card.aa-rubble, rubble.two-sources: in a German-controlled hex as well, with or without an airstrike (T19)."""
    fight = Fight(
        german={"42": "2-panzer", "7": "544-infantry"}, soviet={"28": "45-rifle"}, hands={"soviet": ["soviet/aa-7"]}
    )
    fight.attack("42", "28", draws=["soviet/aa-7"])
    assert has_rubble(fight, "7")
    again = Fight(
        german={"42": "2-panzer"},
        soviet={"28": "45-rifle"},
        hands={"soviet": ["soviet/aa-7"]},
        markers={"7": ["rubble"]},
    )
    again.attack("42", "28", draws=["soviet/aa-7"])
    assert has_rubble(again, "7")


def test_rubble_stays_when_control_changes() -> None:
    """rubble.permanent: it is never removed."""
    fight = Fight(german={"8": "2-panzer"}, soviet={"9": "45-rifle:1"}, markers={"9": ["rubble"]})
    fight.attack("8", "9", hasty=True, dice=[2, 6, 6, 1, 1], draws=["german/sniper-2"])
    assert fight.table.control[PlaceId("9")] == GERMAN
    assert has_rubble(fight, "9")
