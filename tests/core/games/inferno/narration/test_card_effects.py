"""What a card does where it is played: what its words announce can happen, and what does not happen is told."""

from typing import Any

from core.game_files.rulebook import load_rulebook
from core.games.inferno.ids import ONE_VS_ONE, SOVIET, discards, leaders
from core.games.inferno.narration.card_effects import effect_words
from core.games.inferno.rules.cards import CHUIKOV
from events.ids import CardId, RuleId
from events.vocabulary import AttributeSet, CardDiscarded, CardPlayed, RuleApplied, StepBegan
from projections.state.fold import fold
from projections.state.table import Table
from tests.support.inferno import BOARD, NARRATION, order, scene
from tests.support.inferno_combat import Fight, commit
from tests.support.rows import each_row

FLOTILLA, INFILTRATION, TANK_CARD = "soviet/volga_river_flotilla-1", "soviet/infiltration-1", "soviet/t34_dug_in-1"
AA, SNIPER, LEADER = "soviet/aa-7", "soviet/sniper-1", f"soviet/{CHUIKOV}"
FULL = "45-rifle 87-rifle 95-rifle 98-rifle"
MARINE = {"marine": ["92-naval"]}


@each_row(
    ("card", "fields", "said"),
    [
        (FLOTILLA, {"pools": MARINE}, "a Marine lands in the hex that 3 dice give"),
        (FLOTILLA, {}, "no Marine is left to land: draw 1 card unless Germans are in the hex that the dice give"),
        (FLOTILLA, {"at": "7"}, "gunboats: 3 dice, DF (hits on 5 or more)"),
        (INFILTRATION, {"pools": {"infantry": ["13-guards"]}}, "an Infantry unit joins the combat"),
        (INFILTRATION, {}, "the Infantry pool is empty: draw 1 card"),
        (TANK_CARD, {"pools": {"tank": ["6-tank"]}, "there": FULL}, "the hex is full: draw 1 card"),
        (TANK_CARD, {"decks": {"soviet": []}}, "the Tank pool is empty: draw no card, as the Soviet deck is empty"),
        (AA, {}, "cancels an airstrike, Rubble in hex 7"),
        (AA, {"markers": {"7": ["rubble"]}}, "cancels an airstrike; no Rubble marker can be placed"),
        (SNIPER, {}, "the strongest enemy Infantry unit loses 1 Step"),
        (SNIPER, {"in_play": ["soviet/zaytsev"]}, "the strongest enemy Infantry unit loses a Step, 2 Steps in all under Zaytsev"),
        (LEADER, {}, "Opportunity Fire on German attackers; Soviet attacks are Deliberate"),
        (
            LEADER,
            {"options": {"designers_way": "hard"}},
            "Opportunity Fire on German attackers; Soviet attacks are Deliberate; discarded if the hex that 3 dice give is not Soviet",
        ),
    ],
)  # fmt: skip
def test_a_soviet_card_says_what_it_does_here(card: str, fields: dict[str, Any], said: str) -> None:
    """soviet.card.flotilla, soviet.card.infiltration-blocked, soviet.card.t34-blocked, soviet.card.aa-rubble, leader.zaytsev"""
    given = dict(fields)
    at, there = given.pop("at", "42"), given.pop("there", "45-rifle")
    beside = next(iter(BOARD.hexes[at].near))
    fight = Fight(german={beside: "2-panzer"}, soviet={at: there}, hands={"soviet": [card]}, mode=ONE_VS_ONE, **given)
    fight.attack(beside, at)

    assert fight.asked == "soviet_card"
    assert effect_words(fight.table, BOARD, CardId(card)) == said


def test_the_text_of_a_card_adds_nothing_to_a_rubble_roll_that_does_not_take_place() -> None:
    """rubble.roll.when, rubble.one-per-hex: the text beside an option says the same as the option."""
    card, texts = "german/stuka-1", []
    for markers in ({}, {"9": ["rubble"]}):
        fight = Fight(german={"8": "2-panzer"}, soviet={"9": "45-rifle"}, hands={"german": [card]}, markers=markers)
        fight.attack("8", "9")
        texts.append(NARRATION.card_text(card, fight.table))

    assert texts == ["5 dice, TF (hits on 4 or more), +2 to the Rubble Roll.", "5 dice, TF (hits on 4 or more)."]
    assert NARRATION.card_text(card) == texts[0]


@each_row(
    ("rule", "why"),
    [
        ("designer.chuikov.lost", "since Germans enter the hex of his headquarters"),
        ("designer.chuikov.no-place", "since the hex for his headquarters is not Soviet"),
    ],
)
def test_a_leader_who_is_lost_is_told_with_the_cause(rule: str, why: str) -> None:
    """designer.chuikov.lost, designer.chuikov.no-place"""
    lost = CardDiscarded(rule=RuleId(rule), card=CardId(LEADER), to=discards(SOVIET), was=leaders(SOVIET))

    assert NARRATION.tell(Table(), [lost]) == f"Chuikov is lost as Soviet Leader, {why}."


# What the AA card and the AA Regiment cancel


@each_row(("has_card", "by"), [(True, "AA card"), (False, "AA Regiment")])
def test_an_airstrike_is_told_to_be_cancelled_by_something(has_card: bool, by: str) -> None:
    """soviet.card.aa, designer.aa-regiment"""
    fight = Fight(
        german={"42": "2-panzer"},
        soviet={"28": "1077-aa"},
        hands={"german": ["german/heinkel_111-1"], "soviet": [AA] if has_card else []},
        options={"designers_way": "off" if has_card else "hard"},
    )
    fight.attack("42", "28", draws=[AA] if has_card else [])
    events = fight.do(commit("german/heinkel_111-1"))
    (cancelled,) = [event for event in events if isinstance(event, AttributeSet) and event.key == "cancelled"][:1]

    assert NARRATION.tell(fight.table, [cancelled]) == f"Heinkel 111 is cancelled by the {by}."


@each_row("has_rubble", [True, False])
def test_what_the_aa_card_cannot_do_is_told(has_rubble: bool) -> None:
    """soviet.card.aa, soviet.card.aa-rubble: no airstrike to cancel, and no room for another marker."""
    fight = Fight(
        german={"42": "2-panzer"},
        soviet={"28": "45-rifle"},
        hands={"soviet": [AA]},
        markers={"7": ["rubble"]} if has_rubble else {},
    )
    events = fight.attack("42", "28", draws=[AA])
    applied = [(event.rule, event.about) for event in events if isinstance(event, RuleApplied)]

    assert applied == [("soviet.card.aa", AA), *([("soviet.card.aa-rubble", "7")] if has_rubble else [])]


# Opportunity Fire


@each_row(
    ("soviet", "hand", "dice", "said"),
    [
        ("45-rifle", "", [], "Opportunity Fire under Chuikov: each Soviet unit next to an attacking Stack fires."),
        ("45-rifle", "soviet/tommy_gunner-1", [6, 6], "No Opportunity Fire under Chuikov: no attacker is left."),
        ("45-rifle:1", "german/sniper-1", [], "No Opportunity Fire under Chuikov: no Soviet unit is left next to an attacking Stack."),
    ],
)  # fmt: skip
def test_opportunity_fire_that_does_not_take_place_is_told(soviet: str, hand: str, dice: list[int], said: str) -> None:
    """leader.chuikov.opportunity-fire, ruling.opportunity-dead-defenders"""
    seat = hand.partition("/")[0]
    fight = Fight(
        german={"42": "2-panzer:1"}, soviet={"28": soviet}, hands={seat: [hand]} if hand else {}, in_play=[LEADER]
    )
    fight.attack("42", "28", draws=[hand] if seat == "soviet" else [], dice=dice)
    if seat == "german":
        fight.do(commit(hand))
    place = next(n for n, e in enumerate(fight.past) if isinstance(e, StepBegan) and e.step == "opportunity_fire")

    assert NARRATION.tell(fold(fight.past[:place]), [fight.past[place]]) == said


# The partner


def test_the_hexes_of_a_joint_attack_are_called_hexes() -> None:
    """mode.co-op.joint-deliberate-attack: and a Stack that stays out is told, too."""
    table = scene(
        german={"57": ["544-infantry"], "43": ["267-infantry"], "41": ["274-infantry"]},
        soviet={"42": ["6-tank"]},
        mode="co_op",
    )
    said = []

    def do(seat: str, command: Any, dice: list[int]) -> None:
        before = table.table.clone()
        events = table.do(seat, command, dice=dice)
        keys = ("joining", "invited")
        said.extend(
            [
                NARRATION.tell(before, [event])
                for event in events
                if (isinstance(event, AttributeSet) and event.key in keys and event.value)
                or isinstance(event, RuleApplied)
            ]
        )

    do("yellow", order("deliberate-attack", targets=["42"], hexes=["41", "43", "57"]), [])
    do("blue", order("join-attack", hex="41", join=False), [])
    join = order("join-attack", hex="43", join=True)
    before = table.table.clone()
    joined = next(event for event in table.do("blue", join, dice=[2] * 11 + [2]) if isinstance(event, AttributeSet))

    assert said == ["The Deliberate Attack is made from hex 57.", "", "", ""]
    assert NARRATION.tell(before, [joined]) == "The Stack in hex 43 joins the Deliberate Attack."


# What bears on an event


@each_row(
    ("rule", "ruling"),
    [
        ("card.german-leader-immediate", "ruling.opening-leaders"),
        ("german.reinforce.six-dice", "ruling.reinforce-empty-track"),
        ("german.reinforce.draw-card", "ruling.german-deck-empty"),
    ],
)
def test_a_ruling_is_not_shown_where_it_does_not_bear(rule: str, ruling: str) -> None:
    """A Leader drawn by a Call, dice with a full track, a draw from a deck that has cards."""
    book = load_rulebook("core.games.inferno")

    assert ruling not in [one.id for one in book.bearing(book.rule(rule))]
    assert book.ruling(ruling).rules
    assert RuleId(ruling) in book.rulings


def test_the_showdown_tells_what_the_card_does_here() -> None:
    """soviet.card.infiltration-blocked"""
    fight = Fight(german={"42": "2-panzer"}, soviet={"28": FULL}, hands={"soviet": [INFILTRATION]})
    fight.attack("42", "28", draws=[INFILTRATION, "soviet/sniper-2"])
    place = next(number for number, event in enumerate(fight.past) if isinstance(event, CardPlayed))

    assert NARRATION.tell(fold(fight.past[:place]), [fight.past[place]]) == (
        "Soviet card of the combat: Infiltration (the Infantry pool is empty: draw 1 card)."
    )
