"""A combat from its cards to its end: the order of the steps, the Showdown, and what is concealed again."""

from core.games.inferno.ids import (
    GERMAN,
    GERMAN_SEAT,
    POOL_PILES,
    SOVIET,
    SOVIET_SEAT,
    combat_card,
    discards,
    hand,
    leaders,
)
from events.ids import PlaceId
from events.vocabulary import CardPlayed, PieceConcealed, PieceRevealed
from tests.support.inferno_combat import Fight, commit, unit

URBAN_FIGHT = {"german": {"8": "2-panzer"}, "soviet": {"9": "45-rifle", "7": "87-rifle"}}


def test_the_steps_follow_each_other_in_the_order_of_the_rulebook() -> None:
    """combat.sequence, combat.discard: cards of both sides, Showdown, their effects, discard, Rubble Roll, fire, conceal."""
    fight = Fight(
        german={"8": "2-panzer"},
        soviet={"9": "45-rifle"},
        hands={"german": ["german/sniper-1"], "soviet": ["soviet/anti_tank-1"]},
    )
    fight.attack("8", "9", draws=["soviet/anti_tank-1"])
    fight.do(commit("german/sniper-1"))
    assert fight.steps == [
        "soviet_card",
        "german_card",
        "showdown",
        "soviet_effect",
        "german_effect",
        "discard",
        "rubble_roll",
        "defender_fire",
        "return_fire",
        "conceal",
    ]
    assert fight.pile(discards(SOVIET)) == ["soviet/anti_tank-1"]
    assert fight.pile(discards(GERMAN)) == ["german/sniper-1"]
    assert not fight.table.stack


def test_a_step_that_has_nothing_to_do_leaves_no_event() -> None:
    """combat.sequence: a Hasty Attack without Soviet cards begins with the Showdown."""
    fight = Fight(german={"8": "2-panzer"}, soviet={"9": "45-rifle"}, hands={"german": ["german/stuka-1"]})
    fight.attack("8", "9", hasty=True)
    assert fight.steps == ["showdown", "defender_fire", "return_fire", "conceal"]


def test_the_rules_commit_a_random_soviet_card_in_every_combat() -> None:
    """combat.soviet-card-mandatory, ai.card-play-random: one of the hand, Hasty Attacks included; none from an empty hand."""
    held = ["soviet/sniper-1", "soviet/aa-7"]
    fight = Fight(german={"8": "2-panzer"}, soviet={"9": "45-rifle"}, hands={"soviet": held})
    fight.attack("8", "9", hasty=True, draws=["soviet/aa-7"])
    assert fight.pile(hand(SOVIET_SEAT)) == ["soviet/sniper-1"]
    empty = Fight(german={"8": "2-panzer"}, soviet={"9": "45-rifle"})
    empty.attack("8", "9")
    assert "soviet_card" not in empty.steps


def test_only_the_units_of_the_combat_are_revealed_and_concealed_again() -> None:
    """combat.showdown, fog.reveal-participants-only, fog.conceal-after-combat: of both sides; nobody else."""
    fight = Fight(german={"8": "2-panzer", "10": "544-infantry"}, soviet=URBAN_FIGHT["soviet"])
    fight.attack("8", "9")
    both = {unit("2-panzer"), unit("45-rifle")}
    assert {event.piece for event in fight.of_type(PieceRevealed)} == both
    assert {event.piece: event.seen_by for event in fight.of_type(PieceConcealed)} == {
        unit("2-panzer"): (GERMAN_SEAT,),
        unit("45-rifle"): (),
    }


def test_cards_lie_face_down_until_the_showdown() -> None:
    """fog.cards-facedown-until-showdown: they are shown with the units, and not before."""
    fight = Fight(german={"8": "2-panzer"}, soviet={"9": "45-rifle"}, hands={"german": ["german/sniper-1"]})
    fight.attack("8", "9")
    fight.do(commit("german/sniper-1"))
    laid, shown = [event for event in fight.events if getattr(event, "card", "") == "german/sniper-1"][:2]
    assert getattr(laid, "seen_by", None) == (GERMAN_SEAT,)
    assert isinstance(shown, CardPlayed)
    assert shown.rule == "combat.showdown"


def test_a_unit_without_dots_is_set_to_one_step() -> None:
    """combat.adjust-strength, ai.adjust-no-dot: before any card works, so that one hit of a card destroys it (T1)."""
    fight = Fight(german={"8": "2-panzer"}, soviet={"9": "10-rifle-brigade:0"}, hands={"german": ["german/sniper-1"]})
    fight.attack("8", "9")
    fight.do(commit("german/sniper-1"), draws=["german/sniper-2"])
    assert fight.steps.index("adjust") < fight.steps.index("german_effect")
    assert fight.strength("10-rifle-brigade") == 0
    assert "10-rifle-brigade" in fight.pile(POOL_PILES["infantry"])


def test_a_unit_keeps_its_edge_from_reveal_to_concealment() -> None:
    """strength.own-view: neither revealing nor concealing changes Strength."""
    fight = Fight(german={"8": "2-panzer:2"}, soviet={"9": "45-rifle:3"})
    fight.attack("8", "9", hasty=True)
    assert (fight.strength("2-panzer"), fight.strength("45-rifle")) == (2, 3)


def test_nobody_advances_where_a_defender_is_left_or_no_attacker() -> None:
    """combat.repulsed, combat.both-wiped-out: control does not change either."""
    repulsed = Fight(german={"42": "2-panzer"}, soviet={"28": "45-rifle"})
    repulsed.attack("42", "28")
    both = Fight(german={"42": "2-panzer:1"}, soviet={"28": "45-rifle:1"})
    both.attack("42", "28", dice=[6, 6])
    assert both.strength("2-panzer") == both.strength("45-rifle") == 0
    for fight in (repulsed, both):
        assert not fight.asked
        assert fight.table.control[PlaceId("28")] == SOVIET


def test_a_leader_is_the_card_of_the_combat() -> None:
    """card.leader-is-the-card, card.soviet-leader-in-combat: it comes into play at step 5, and is not discarded."""
    fight = Fight(
        german={"8": "2-panzer"}, soviet={"9": "45-rifle"}, hands={"soviet": ["soviet/zaytsev", "soviet/sniper-1"]}
    )
    fight.attack("8", "9", hasty=True, draws=["soviet/zaytsev"])
    assert fight.pile(leaders(SOVIET)) == ["soviet/zaytsev"]
    assert not fight.pile(combat_card(SOVIET))
    assert fight.strength("2-panzer") == 4
    assert "discard" not in fight.steps


def test_a_german_card_works_though_no_attacker_is_left() -> None:
    """combat.german-card-second, combat.no-units-no-fire: what follows has nothing to do without attackers."""
    fight = Fight(
        german={"8": "544-infantry:1"},
        soviet={"9": "45-rifle"},
        hands={"german": ["german/stuka-1"], "soviet": ["soviet/sniper-1"]},
    )
    fight.attack("8", "9", draws=["soviet/sniper-1"])
    fight.do(commit("german/stuka-1"), dice=[6, 6, 1, 1, 1])
    assert fight.strength("45-rifle") == 2
    assert fight.steps[-2:] == ["discard", "conceal"]


def test_the_aa_regiment_and_the_destroyer_brigade_work_after_step_four() -> None:
    """designer.aa-regiment, designer.destroyer-brigade: at the hard level, or by option at all, Rubble ignored (ruling.aa-brigade-by-level)."""
    for level, option in (("hard", "hard-only"), ("off", "always"), ("random", "hard-only"), ("random", "always")):
        fight = Fight(
            german={"8": "2-panzer:3 544-infantry"},
            soviet={"9": "1077-aa 20-destroyer"},
            hands={"german": ["german/heinkel_111-1"]},
            markers={"9": ["rubble"]},
            options={"designers_way": level, "designer_aa_brigade": option},
        )
        fight.attack("8", "9")
        fight.do(commit("german/heinkel_111-1"))
        is_hard = (level, option) in (("hard", "hard-only"), ("random", "always"))
        assert fight.strength("2-panzer") == (2 if is_hard else 3)
        assert bool(fight.dice("Heinkel 111")) != is_hard
        assert fight.pile(discards(GERMAN)) == ["german/heinkel_111-1"]


def test_the_destroyer_brigade_hits_in_attack_as_well() -> None:
    """designer.destroyer-brigade: with a Panzer among the defenders; without one the step is left out."""
    fight = Fight(
        german={"28": "2-panzer 544-infantry"}, soviet={"42": "20-destroyer"}, options={"designers_way": "hard"}
    )
    fight.attack("42", "28", hasty=True)
    assert fight.strength("2-panzer") == 3
    without = Fight(german={"28": "544-infantry"}, soviet={"42": "20-destroyer"}, options={"designers_way": "hard"})
    without.attack("42", "28", hasty=True)
    assert "destroyer_brigade" not in without.steps


def test_guards_are_set_to_their_maximum_with_the_advantage_only() -> None:
    """designer.advantage.immortal-guard, units.designer-specials: right after the Showdown."""
    for advantages, strength in ((("immortal_guard",), 4), ((), 1)):
        fight = Fight(german={"8": "2-panzer"}, soviet={"9": "13-guards:1"}, advantages=advantages)
        fight.attack("8", "9", hasty=True)
        assert fight.strength("13-guards") == strength


def test_a_soviet_seat_commits_one_card_or_none() -> None:
    """mode.1v1.card-optional, mode.1v1.card-choice, combat.soviet-card-one: of its hand, before the German card."""
    fight = Fight(
        german={"8": "2-panzer"},
        soviet={"9": "45-rifle"},
        mode="one_vs_one",
        hands={"german": ["german/stuka-1"], "soviet": ["soviet/aa-7", "soviet/sniper-1"]},
    )
    fight.attack("8", "9")
    assert fight.asked == "soviet_card"
    assert fight.code(commit("soviet/aa-7", "soviet/sniper-1")) == "soviet_card_must_be_single"
    assert fight.code(commit("soviet/aa-9")) == fight.code(commit("german/stuka-1")) == "card_must_be_in_hand"
    fight.do(commit("soviet/aa-7"))
    assert fight.asked == "german_card"
    none = Fight(
        german={"8": "2-panzer"}, soviet={"9": "45-rifle"}, mode="one_vs_one", hands={"soviet": ["soviet/aa-7"]}
    )
    none.attack("8", "9", hasty=True)
    none.do(commit())
    assert none.pile(hand(SOVIET_SEAT)) == ["soviet/aa-7"]


def test_a_destroyed_german_unit_lies_open() -> None:
    """fog.conceal-after-combat, fog.public-facts: only those on the map are concealed."""
    fight = Fight(german={"42": "2-panzer:1 36-panzer:1"}, soviet={"28": "45-rifle"})
    fight.attack("42", "28", hasty=True, dice=[6, 6])
    assert fight.place("2-panzer") == fight.place("36-panzer") == "death_pool"
    assert unit("2-panzer") not in fight.table.known_to
