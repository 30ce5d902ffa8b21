"""What people read: every command as a sentence with the values that count, every question, every event that needs its own words."""

import pytest

from core.command import Command
from core.games.inferno import memory
from core.games.inferno.ids import DEATH_POOL, GERMAN, ONE_VS_ONE, SOVIET, combat_card, token
from core.games.inferno.narration.sentences import card_words
from events.ids import TABLE, AttributeKey, CardId, PieceId, PileId, PlaceId, RuleId, Seat
from events.vocabulary import (
    AttributeSet,
    CardPlayed,
    ChosenByChance,
    DiceRolled,
    Event,
    Modifier,
    PieceMoved,
    PieceReturned,
    PieceRevealed,
    PieceTurned,
    SequenceBegan,
    Value,
)
from projections.table import Open, Table
from tests.support.inferno import NARRATION, RULES, Scene, order, scene

PANZER, GRENADIER, TANKS = "2-panzer", "64-panzer-grenadier", "6-tank"


def attack_scene() -> Scene:
    """Set two German Stacks next to one hidden Soviet unit in an Urban hex."""
    return scene(
        german={"57": [GRENADIER], "43": [PANZER]}, soviet={"42": [TANKS]}, edges={GRENADIER: 2}, mode=ONE_VS_ONE
    )


SENTENCES: list[tuple[Command, str]] = [
    (
        order("long-move", units=["german/1"], path=["58", "59"]),
        "Long Move: 64th Panzer Grenadier Regiment (3 DF) from hex 57 by hex 58 to hex 59; takes control of hex 58 and hex 59",
    ),
    (order("reinforce"), "Call for Reinforcements: draw 1 card, then throw 6 dice"),
    (order("done"), "Pass: no action this turn"),
    (order("commit-cards"), "Play no card"),
    (
        order("commit-cards", cards=["german/stuka-1"]),
        "Lay face down: Stuka (5 dice, TF (4 or more hits), +2 to the Rubble Roll)",
    ),
    (order("extra-turn", play=False), "End the game: the Soviets win"),
]


@pytest.mark.parametrize(("command", "sentence"), SENTENCES)
def test_a_command_is_described_by_what_it_would_do(command: Command, sentence: str) -> None:
    assert NARRATION.describe(attack_scene().table, command) == sentence


def test_an_attack_names_its_stacks_and_what_they_add_to_the_rubble_roll() -> None:
    table = scene(german={"40": [GRENADIER], "56": [PANZER]}, soviet={"41": [TANKS]}).table
    said = NARRATION.describe(table, order("deliberate-attack", targets=["41"], hexes=["40", "56"]))

    assert said == (
        "Deliberate Attack on hex 41 (Red October settlement) (Urban, 1 unit) from hex 40 (Vishnevaya gully) (64th Panzer Grenadier Regiment (4 DF)) and "
        "hex 56 (2nd Panzer Regiment (4 TF)); Rubble Roll 3 dice +4 (2 for hexes that attack, 2 for Panzers and Panzer Grenadiers) must "
        "exceed 18"
    )


def test_a_hidden_unit_of_the_enemy_is_described_by_its_token() -> None:
    """fog.blocks-upright: the table has more than the deciding seat may know."""
    table = attack_scene().table
    move = order("soviet-move", units=["soviet/1"], to="28")

    assert (
        NARRATION.describe(table, move)
        == "Move: Soviet block 1 from hex 42 to hex 28 (Mamayev Kurgan); takes control of hex 28 (Mamayev Kurgan)"
    )


@pytest.mark.parametrize("kind", sorted({*RULES.kinds, *RULES.sequences}))
def test_every_question_has_its_words(kind: str) -> None:
    arguments: dict[str, Value] = {
        "target": "42",
        "hex": "43",
        "hexes": ("43", "57"),
        "attacker": GERMAN,
        "side": SOVIET,
    }
    arguments |= {"hits": 2, "arm": "", "cause": "combat.simultaneous", "plan": "choose", "is_deliberate": 1}
    said = NARRATION.question(Table(), Open(kind, Seat(""), arguments))

    assert said
    assert "_" not in said
    assert not said.endswith(".")


def test_a_question_names_what_is_at_stake_and_what_is_left() -> None:
    hits = Open(
        "hits", Seat("german"), {"side": SOVIET, "hits": 2, "arm": "tank", "cause": "german.card.pak"}, ("soviet/1",)
    )
    combat = Open("combat", Seat(""), {"target": "3", "hexes": ("2", "W"), "attacker": GERMAN, "is_deliberate": 1})

    assert (
        NARRATION.question(Table(), hits) == "which of the equally strong Soviet Tank units lose a Step by Pak; 1 to go"
    )
    assert NARRATION.question(Table(), combat) == (
        "the German Deliberate Attack on hex 3 (Latoshinka) from hex 2 (Akatovka road) and hex W (16th Panzer spearhead)"
    )


def remembered(on: str, key: AttributeKey, value: Value, rule: str = "rule") -> AttributeSet:
    return AttributeSet(rule=RuleId(rule), on=on, key=key, value=value, was=None)


def dice(rule: str, purpose: str, about: str, needed: int, *modifiers: Modifier) -> DiceRolled:
    return DiceRolled(
        rule=RuleId(rule), faces=(1, 4, 6), purpose=purpose, about=about, needed=needed, modifiers=modifiers, each=True
    )


KHRUSHCHEV = Modifier(RuleId("leader.khrushchev.bonus"), "Khrushchev", 1)
UNIT = PieceId("german/1")
TOLD: list[tuple[Event, str]] = [
    (
        dice("firepower.double", "Close Combat", "german/1", 5),
        "Close Combat, German block 1: 1, 4, 6 against 5 or more (Double Fire): 1 hit.",
    ),
    (
        dice("firepower.double", "Close Combat", "soviet/1", 5, KHRUSHCHEV),
        "Close Combat, Soviet block 1: 1, 4, 6 against 5 or more (Double Fire, Khrushchev +1 to each die): 2 hits.",
    ),
    (
        dice("german.card.stuka", "Stuka", "german/stuka-1", 4),
        "Stuka: 1, 4, 6 against 4 or more (Triple Fire): 2 hits.",
    ),
    (
        PieceTurned(rule=RuleId("combat.simultaneous"), piece=UNIT, face="edge-2", was="edge-1", steps=3, steps_was=4),
        "German block 1 loses a Step by Close Combat: 3 left.",
    ),
    (
        PieceTurned(
            rule=RuleId("combat.adjust-strength"), piece=UNIT, face="edge-3", was="edge-4", steps=1, steps_was=0
        ),
        "German block 1 is set to 1 dot (before: none).",
    ),
    (
        PieceMoved(rule=RuleId("soviet.card.sniper"), piece=UNIT, to=DEATH_POOL, was=PlaceId("53")),
        "German block 1 in hex 53 is destroyed by the Soviet Sniper: Death Pool.",
    ),
    (
        PieceReturned(
            rule=RuleId("german.card.pak"),
            piece=token(SOVIET, 2),
            was=PlaceId("53"),
            to=PileId("tank_pool"),
            card=CardId("20-destroyer"),
        ),
        "Soviet block 2 (20th Destroyer Brigade) in hex 53 is destroyed by Pak and goes back to the Tank pool.",
    ),
    (
        PieceRevealed(
            rule=RuleId("combat.showdown"), piece=token(SOVIET, 2), kind="20-destroyer", face="edge-2", was=""
        ),
        "Soviet block 2 is 20th Destroyer Brigade (2 SF).",
    ),
    (
        CardPlayed(
            rule=RuleId("combat.showdown"),
            card=CardId("soviet/aa-7"),
            was=combat_card(SOVIET),
            to=combat_card(SOVIET),
        ),
        "Soviet card of the combat: AA (cancels an airstrike, Rubble in hex 7).",
    ),
    (
        SequenceBegan(rule=RuleId("rule"), kind=memory.SOVIET_TURN, step="spawn", arguments={"plan": "spawn"}),
        "Spawn Action: the Spawn Hexes are fewer than the Top Stacked Hexes.",
    ),
    (
        SequenceBegan(
            rule=RuleId("rule"),
            kind=memory.COMBAT,
            step="showdown",
            arguments={"target": "53", "hexes": ("54",), "attacker": SOVIET, "is_deliberate": 0},
        ),
        "The Soviet Hasty Attack on hex 53 from hex 54.",
    ),
    (
        ChosenByChance(
            rule=RuleId("ai.random-unit"),
            chosen="soviet/3",
            candidates=("soviet/3", "soviet/4"),
            purpose="unit of 53",
            about="53",
        ),
        "A unit of hex 53 is chosen at random: Soviet block 3.",
    ),
    (remembered(TABLE, memory.RUBBLE_BONUS.key, 3), "The German cards add 3 to the Rubble Roll."),
    (remembered(TABLE, memory.EMPTY_ROWS.key, ("1", "6")), "Dice find no unit in: row 1, row 6."),
    (remembered("soviet/3", memory.POOL.key, "tank"), "Soviet block 3 comes from the Tank pool."),
    (remembered("soviet/3", memory.LAYER.key, 1), ""),
]


@pytest.mark.parametrize(("event", "sentence"), TOLD)
def test_an_event_is_told_with_its_cause(event: Event, sentence: str) -> None:
    assert NARRATION.tell(Table(), [event]) == sentence


def test_an_airstrike_counts_twice_under_von_richthofen() -> None:
    card = CardId("german/heinkel_111-1")

    assert card_words(NARRATION.board, card) == "6 dice, TF (4 or more hits), +3 to the Rubble Roll"
    assert card_words(NARRATION.board, card, is_doubled=True) == "12 dice, TF (4 or more hits), +6 to the Rubble Roll"


def test_every_card_but_a_leader_has_words_for_its_effect() -> None:
    cards = NARRATION.board.cards.values()

    assert {card.title.op for card in cards if not card_words(NARRATION.board, card.id)} == {"leader"}
