"""What people read: every command as a sentence with the values that count, every question, every event that needs its own words."""

from core.engine.command import Command
from core.engine.selection import Pick
from core.games.inferno import memory
from core.games.inferno.ids import CALLED, DEATH_POOL, GERMAN, ONE_VS_ONE, SOLO, SOVIET, combat_card, removed_box, token
from core.games.inferno.narration.sentences import card_words
from core.telling.dice_text import Roll
from core.telling.names import Names as Named
from core.telling.narrator import Narrator
from events.ids import TABLE, AttributeKey, CardId, MarkerId, PieceId, PileId, PlaceId, RuleId, Seat
from events.vocabulary import (
    AttributeSet,
    CardMoved,
    CardPlayed,
    ChosenByChance,
    ControlChanged,
    DeckFormed,
    DiceRolled,
    Event,
    MarkerRemoved,
    MatchEnded,
    Modifier,
    PieceMoved,
    PiecePlaced,
    PieceReturned,
    PieceRevealed,
    PieceTurned,
    RuleApplied,
    SequenceBegan,
    StepBegan,
    Value,
)
from projections.chronicle import Entry, Heading
from projections.state.fold import evolve, fold
from projections.state.table import Open, Table
from projections.state.view import seen_events
from server.page_parts.dice_html import arithmetic
from tests.support.desk import Desk
from tests.support.inferno import NARRATION, RULES, Scene, order, scene
from tests.support.inferno_combat import Fight
from tests.support.rows import each_row

PANZER, GRENADIER, TANKS = "2-panzer", "64-panzer-grenadier", "6-tank"


def attack_scene() -> Scene:
    """Set two German Stacks next to one hidden Soviet unit in an Urban hex."""
    return scene(
        german={"57": [GRENADIER], "43": [PANZER]}, soviet={"42": [TANKS]}, edges={GRENADIER: 2}, mode=ONE_VS_ONE
    )


def test_hidden_blocks_that_are_placed_together_are_told_with_their_sides() -> None:
    placed = [
        PiecePlaced(rule=RuleId("x"), piece=token(side, 1), kind="", side=side, to=PlaceId(to))
        for side, to in ((GERMAN, "58"), (SOVIET, "73"))
    ]

    assert NARRATION.tell(Table(), placed) == (
        "Placed: hidden German blocks in hex 58; hidden Soviet blocks in hex 73."
    )


FULL = ["276-infantry", "669-infantry", "670-infantry", PANZER]
"""As many units as a hex holds."""

SENTENCES: list[tuple[Command, str]] = [
    (
        order("long-move", units=["german/1"], path=["58", "59"]),
        "Long Move: 64th Panzer Grenadier Regiment (3 DF) from hex 57 by hex 58 to hex 59; takes control of hex 58 and hex 59",
    ),
    (
        order("reinforce"),
        "Call for Reinforcements: draw 1 card, then throw 6 dice (units left in rows 1 to 6: 0, 0, 0, 0, 0, 0; room for 4 in X, 4 in Y and 4 in Z)",
    ),
    (order("done"), "Pass: no action this turn"),
    (order("commit-cards"), "Play no card"),
    (
        order("commit-cards", cards=["german/stuka-1"]),
        "Lay face down: Stuka (5 dice, TF (hits on 4 or more), +2 to the Rubble Roll)",
    ),
    (order("extra-turn", play=False), "End the game: the Soviets win"),
]


@each_row(("command", "sentence"), SENTENCES)
def test_a_command_is_described_by_what_it_would_do(command: Command, sentence: str) -> None:
    assert NARRATION.describe(attack_scene().table, command) == sentence


def test_an_attack_names_its_stacks_and_what_they_add_to_the_rubble_roll() -> None:
    table = scene(german={"40": [GRENADIER], "56": [PANZER]}, soviet={"41": [TANKS]}).table
    said = NARRATION.describe(table, order("deliberate-attack", targets=["41"], hexes=["40", "56"]))

    assert said == (
        "Deliberate Attack on hex 41 (Red October settlement) (Urban, 1 unit) from hex 40 (Vishnevaya gully) (64th Panzer Grenadier Regiment (4 DF)) and "
        "hex 56 (2nd Panzer Regiment (4 TF)); 8 dice of the attacker, the defender fires first, Rubble Roll 3 dice +4 (2 for hexes that attack, 2 for Panzers and Panzer Grenadiers) must "
        "exceed 18"
    )


def test_a_hasty_attack_says_what_stays_what_joins_and_who_fires_first() -> None:
    """german.hasty-attack.breakdown, german.hasty-attack.join-up, leader.chuikov.opportunity-fire, combat.soviet-card-mandatory"""
    table = scene(
        german={"73": [PANZER, "576-infantry"], "58": [GRENADIER]},
        soviet={"42": [TANKS], "43": ["27-tank"]},
        hands={"soviet": ["soviet/aa-7"]},
        in_play=["german/hoth", "soviet/chuikov"],
    ).table
    said = NARRATION.describe(table, order("hasty-attack", units=["german/1"], to="57", targets=["42"]))

    assert "from hex 73 to hex 57; Breakdown: 576th Infantry Regiment (4 " in said
    assert said.endswith(
        "4 dice of the attacker, both sides fire together, 2 dice of Opportunity Fire, one of 1 Soviet card by chance"
    )


def test_several_units_that_stay_or_are_joined_are_counted() -> None:
    """german.short-move.breakdown, german.short-move.join-up"""
    table = scene(
        german={"73": [PANZER, "576-infantry", "577-infantry"], "57": [GRENADIER, "544-infantry"]},
        soviet={"19": [TANKS]},
    ).table
    said = NARRATION.describe(table, order("short-move", units=["german/1"], to="57"))

    assert said == (
        "Short Move: 2nd Panzer Regiment (4 TF) from hex 73 to hex 57, joining 2 units; Breakdown: 2 units stay"
    )


def test_several_units_of_an_order_are_named_in_short() -> None:
    """german.long-move.no-breakdown: the whole Stack moves."""
    table = scene(german={"57": [GRENADIER, "2-panzer", "544-infantry"]}, soviet={"19": [TANKS]}).table
    said = NARRATION.describe(table, order("long-move", units=["german/1", "german/2", "german/3"], path=["58"]))

    assert said.startswith("Long Move: 64th Panzer Grenadier (4 DF), 2nd Panzer (4 TF) and 544th Infantry (4 ")


def test_the_combined_force_bonus_is_named_before_the_attack() -> None:
    """combined.condition, combined.panzer-grenadier"""
    clear, near = "57", "58"
    table = scene(german={near: [PANZER, "576-infantry"]}, soviet={clear: [TANKS]}, in_play=["german/hoth"]).table
    said = NARRATION.describe(table, order("deliberate-attack", targets=[clear], hexes=[near]))

    assert "the Germans fire first unless the Soviets have Tanks and Infantry too" in said


def test_the_actions_of_a_soviet_seat_say_what_they_bring() -> None:
    """mode.1v1.draw-action, soviet.spawn.table, soviet.spawn.full-hex"""
    table = scene(
        soviet={"7": [TANKS, "27-tank", "84-tank", "99-tank"]},
        control={"german": ["3", "19", "9", "15"]},
        mode=ONE_VS_ONE,
    ).table

    assert NARRATION.describe(table, order("soviet-spawn")) == (
        "Spawn Action (hex 13: 2 Infantry; hex 7: full, a card)"
    )
    assert NARRATION.describe(table, order("soviet-draw")).startswith("Draw Action: draw 1 card (28 cards in the deck)")


def test_a_spawn_action_foretells_the_cards_for_empty_pools() -> None:
    """soviet.spawn.pool-empty, soviet.spawn.table: the pool has one Tank for the two that are due."""
    table = scene(
        pools={"tank": [TANKS]}, control={"soviet": ["3", "19"], "german": ["7", "9", "13", "15"]}, mode=ONE_VS_ONE
    ).table

    assert NARRATION.describe(table, order("soviet-spawn")) == (
        "Spawn Action (hex 3: Infantry and Tank; hex 19: Infantry and a card (Tank pool empty))"
    )


@each_row(
    ("unit", "to", "said"),
    [
        (
            "274-infantry",
            "Z",
            "274th Infantry Regiment (4 SF) enters in hex Z (Voroponovo approach): Blue units enter in Z",
        ),
        (
            "545-infantry",
            "X",
            "545th Infantry Regiment (4 SF) enters in hex X (Orlovka corridor): Yellow units enter in X or Y",
        ),
        (
            "208-infantry",
            "X",
            "208th Infantry Regiment (4 SF) enters in hex X (Orlovka corridor): White units enter in X, Y or Z",
        ),
    ],
)
def test_a_reinforcement_says_its_army_and_where_that_enters(unit: str, to: str, said: str) -> None:
    """german.reinforce.blue-in-z, german.reinforce.yellow-in-x-y, german.reinforce.white-anywhere"""
    table = scene(soviet={"8": [TANKS]}, track={2: [unit]})
    table.do("german", order("reinforce"), dice=[2] * 6, draws=("german/stuka-1",))
    piece = table.piece(unit)

    assert NARRATION.describe(table.table, order("deploy", unit=piece, to=to)) == said
    entered = PieceMoved(rule=RuleId("german.reinforce.must-deploy"), piece=piece, to=PlaceId(to), was=PlaceId(CALLED))

    assert f", {said.partition(': ')[2].partition(' ')[0]})" in str(NARRATION.tell(table.table, [entered]))


def test_the_dice_for_reinforcements_are_told_as_they_fell_and_have_no_sum() -> None:
    """german.reinforce.six-dice"""
    table = scene(soviet={"8": [TANKS]}, track={1: ["274-infantry"]})
    table.do("german", order("reinforce"), dice=[1, 5, 6, 1, 4, 6], draws=("german/stuka-1",))
    (roll,) = [event for event in table.events if isinstance(event, DiceRolled)]

    assert (
        NARRATION.tell(table.table, [roll]) == "Dice for Reinforcements, each for a row of the track: 1, 5, 6, 1, 4, 6."
    )
    assert Roll(roll).words() == "1, 5, 6, 1, 4, 6"
    assert arithmetic(roll, Named(NARRATION)) == ""


def test_a_hidden_unit_of_the_enemy_is_described_by_its_token() -> None:
    """fog.blocks-upright: the table has more than the deciding seat may know."""
    table = attack_scene().table
    move = order("soviet-move", units=["soviet/1"], to="28")

    assert (
        NARRATION.describe(table, move)
        == "Move: hidden Soviet block 1 (Tank) from hex 42 to hex 28 (Mamayev Kurgan); takes control of hex 28 (Mamayev Kurgan)"
    )


def test_an_attack_is_about_the_units_of_its_stacks() -> None:
    """german.deliberate-attack.all-units-of-stack, soviet.hasty-attack.whole-stack: commands name hexes, and all units there attack."""
    table = scene(german={"40": [GRENADIER, "544-infantry"], "56": [PANZER]}, soviet={"41": [TANKS]}).table
    deliberate = order("deliberate-attack", targets=["41"], hexes=["40", "56"])
    joined, soviet = order("join-attack", hex="40", join=True), order("soviet-attack", hex="41", target="40")

    assert NARRATION.pieces_meant(table, deliberate) == {"40": ("german/1", "german/2"), "56": ("german/3",)}
    assert NARRATION.pieces_meant(table, joined) == {"40": ("german/1", "german/2")}
    assert NARRATION.pieces_meant(table, soviet) == {"41": ("soviet/1",)}
    assert NARRATION.pieces_meant(table, order("short-move", units=["german/1"], to="39")) == {}


@each_row("kind", sorted({*RULES.kinds, *RULES.sequences}))
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
        NARRATION.question(Table(), hits)
        == "2 hits by Pak: which 2 of the equally strong Soviet Tank units lose a Step; 1 to go"
    )
    assert NARRATION.question(Table(), combat) == (
        "the German Deliberate Attack on hex 3 (Latoshinka) from hex 2 (Akatovka road) and hex W (16th Panzer spearhead)"
    )


@each_row(
    ("there", "control", "track", "said"),
    [
        ({}, [], ["267-infantry", "544-infantry"], "2 can enter"),
        (
            {},
            ["Z"],
            ["267-infantry", "274-infantry", "544-infantry"],
            "1 can enter, 2 go back: hex Z (Voroponovo approach) is not German",
        ),
        (
            {"Z": FULL},
            [],
            ["267-infantry", "576-infantry"],
            "1 can enter, 1 goes back: hex Z (Voroponovo approach) is full",
        ),
        ({"Z": FULL[1:]}, [], ["267-infantry", "274-infantry", "576-infantry"], "2 can enter, 1 goes back"),
    ],
)
def test_the_question_who_enters_says_how_many_can(
    there: dict[str, list[str]], control: list[str], track: list[str], said: str
) -> None:
    """german.reinforce.must-deploy, german.reinforce.no-overstack, german.reinforce.hex-lost; others do not know the units: fog.reinforcements-facedown"""
    table = scene(
        german=there, soviet={"19": ["98-rifle"]}, control={"soviet": control}, track={2: track}, mode=ONE_VS_ONE
    )
    table.do("german", order("reinforce"), dice=[2] * 6, draws=("german/stuka-1",))
    asked = table.table.top
    assert asked is not None
    unknown = fold(seen_events(table.past, Seat("soviet")))
    which = "which of the units that were called enters next, and where; "

    assert NARRATION.question(table.table, asked) == f"{which}{said}"
    assert NARRATION.question(unknown, asked) == f"{which}{len(track)} units picked up"


def remembered(on: str, key: AttributeKey, value: Value, rule: str = "rule") -> AttributeSet:
    return AttributeSet(rule=RuleId(rule), on=on, key=key, value=value, was=None)


def dice(rule: str, purpose: str, about: str, needed: int, *modifiers: Modifier) -> DiceRolled:
    return DiceRolled(
        rule=RuleId(rule), faces=(1, 4, 6), purpose=purpose, about=about, needed=needed, modifiers=modifiers, each=True
    )


def chosen(rule: str, what: str | None, about: str) -> ChosenByChance:
    return ChosenByChance(rule=RuleId(rule), chosen=what, candidates=None, purpose="draw", about=about)


KHRUSHCHEV = Modifier(RuleId("leader.khrushchev.bonus"), "Khrushchev", 1)
UNIT = PieceId("german/1")
FIELD = scene(
    german={"57": [GRENADIER], "43": [PANZER]},
    soviet={"42": [TANKS], "53": ["20-destroyer", "193-rifle"]},
    dead=["576-infantry"],
    edges={GRENADIER: 2},
    mode=ONE_VS_ONE,
)
TOLD: list[tuple[Event, str | None]] = [
    (
        dice("firepower.double", "Close Combat", "german/1", 5),
        "Close Combat, 64th Panzer Grenadier Regiment (3 DF): 1, 4, 6 against 5 or more (Double Fire): 1 hit.",
    ),
    (
        dice("firepower.double", "Close Combat", "soviet/1", 5, KHRUSHCHEV),
        "Close Combat, hidden Soviet block 1 (Tank): 1, 4, 6 against 5 or more (Double Fire, Khrushchev +1 to each die): 2 hits.",
    ),
    (
        dice("leader.chuikov.opportunity-fire", "Opportunity Fire", "53", 6),
        "Opportunity Fire, 2 units in hex 53: 1, 4, 6 against 6 or more (Single Fire): 1 hit.",
    ),
    (
        dice("german.card.stuka", "Stuka", "german/stuka-1", 4),
        "Stuka: 1, 4, 6 against 4 or more (Triple Fire): 2 hits.",
    ),
    (
        DiceRolled(rule=RuleId("rubble.roll.when"), faces=(5, 5, 5), purpose="Rubble Roll", about="41", needed=19),
        "Rubble Roll for hex 41 (Red October settlement): 5 + 5 + 5 = 15, 19 needed: no Rubble.",
    ),
    (
        DiceRolled(rule=RuleId("soviet.move.roll-per-hex"), faces=(4,), purpose="compass of 42", about="42"),
        "Compass die of hex 42: 4, towards hex 57, where Germans are.",
    ),
    (
        PieceTurned(rule=RuleId("combat.simultaneous"), piece=UNIT, face="edge-3", was="edge-2", steps=2, steps_was=3),
        "64th Panzer Grenadier Regiment (3 DF) loses a Step by Close Combat: 2 DF left.",
    ),
    (
        PieceTurned(rule=RuleId("ai.adjust-no-dot"), piece=UNIT, face="edge-3", was="edge-4", steps=1, steps_was=0),
        "64th Panzer Grenadier Regiment (3 DF) is set from no dots to 1 dot.",
    ),
    (
        PieceMoved(rule=RuleId("soviet.card.sniper"), piece=UNIT, to=DEATH_POOL, was=PlaceId("57")),
        "64th Panzer Grenadier Regiment (3 DF) in hex 57 is destroyed by the Soviet Sniper: Death Pool 3 of 10.",
    ),
    (
        PieceReturned(
            rule=RuleId("german.card.pak"),
            piece=token(SOVIET, 2),
            was=PlaceId("53"),
            to=PileId("tank_pool"),
            card=CardId("20-destroyer"),
        ),
        "Hidden Soviet block 2 (Infantry) (20th Destroyer Brigade) in hex 53 is destroyed by Pak and goes back to the Tank pool; Soviet block 2 is out of play.",
    ),
    (
        PieceRevealed(
            rule=RuleId("combat.showdown"), piece=token(SOVIET, 2), kind="20-destroyer", face="edge-2", was=""
        ),
        "Showdown. Soviet units: Soviet block 2 is 20th Destroyer Brigade (2 SF).",
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
        SequenceBegan(rule=RuleId("rule"), kind=memory.SOVIET_TURN, step="compass", arguments={"plan": "roll"}),
        "Movement Action (algorithm, line 4B): 1 Top Stacked Hex (53; 2 units), not more than 6 Soviet-controlled Spawn Hexes.",
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
            candidates=("soviet/2", "soviet/3"),
            purpose="unit of 53",
            about="53",
        ),
        "Of the units in hex 53, chance moves hidden Soviet block 3 (Infantry).",
    ),
    (
        chosen("setup.step-8", "517-infantry", about="X"),
        "Drawn at random for hex X (Orlovka corridor): 517th Infantry Regiment.",
    ),
    (
        chosen("setup.step-8", None, about="X"),
        "Drawn at random for hex X (Orlovka corridor): a unit that only the Germans see.",
    ),
    (
        SequenceBegan(rule=RuleId("rule"), kind=memory.REINFORCEMENT, step="card", arguments={}),
        "The Germans call for Reinforcements.",
    ),
    (
        MarkerRemoved(
            rule=RuleId("designer.fortification.destroyed"), on="21", marker=MarkerId("fortification/brown"), was=1
        ),
        "Brown Fortification in hex 21 (Little Mushroom) is destroyed.",
    ),
    (
        ControlChanged(rule=RuleId("control.switch-on-entry"), place=PlaceId("7"), to=GERMAN, was=SOVIET),
        "Hex 7 (Tractor Factory) (Spawn Hex) comes under German control (before: Soviet).",
    ),
    (
        MatchEnded(
            rule=RuleId("victory.soviet-decisive.losses"),
            kind="victory",
            result="Soviet Decisive Victory",
            winners=(SOVIET,),
        ),
        "The match is over: Soviet Decisive Victory, since the Death Pool is worth 1 of 10 points.",
    ),
    (
        RuleApplied(rule=RuleId("german.short-move.pass"), outcome="no unit moves", about=GERMAN),
        "The Germans pass: no unit moves.",
    ),
    (remembered(TABLE, memory.RUBBLE_BONUS.key, 3), "The German cards add 3 to the Rubble Roll."),
    (remembered("7", memory.CAPTURED_BY.key, "blue"), "Hex 7 (Tractor Factory) is credited to Blue."),
    (remembered("80", memory.CAPTURED_BY.key, "blue"), None),
    (remembered(TABLE, memory.EMPTY_ROWS.key, ("1", "6")), "Dice pick up no unit from: row 1 and row 6."),
    (
        remembered("soviet/3", memory.POOL.key, "infantry"),
        "From the Infantry pool: a new Soviet block 3 enters hidden in hex 53.",
    ),
    (remembered("soviet/3", memory.LAYER.key, 1), ""),
]


@each_row(("event", "sentence"), TOLD)
def test_an_event_is_told_to_the_german_seat_with_what_it_knows_and_with_its_cause(
    event: Event, sentence: str | None
) -> None:
    """fog.blocks-upright"""
    known = fold(seen_events(FIELD.past, Seat("german")))

    assert NARRATION.tell(known, [event]) == sentence


STEPS = [
    ("42", "57", "close_combat", "Close Combat in a Clear hex: both sides fire before any hit counts."),
    (
        "41",
        "56",
        "defender_fire",
        "Close Combat in an Urban hex: the Soviet defender fires first, and its hits count at once.",
    ),
    (
        "41",
        "56",
        "return_fire",
        "The German units that are left fire. Rubble: 2 hits of the German attacker take 1 Step.",
    ),
    ("42", "57", "discard", ""),
]


@each_row(("target", "start", "step", "sentence"), STEPS)
def test_the_order_of_fire_is_told_with_its_reason(target: str, start: str, step: str, sentence: str) -> None:
    """combat.simultaneous, combat.urban-defender-first, rubble.double-defense"""
    fight = scene(
        german={start: [PANZER]},
        soviet={target: [TANKS]},
        markers={"41": "rubble"},
        hands={"german": ["german/stuka-1"]},
    )
    fight.do(GERMAN, order("deliberate-attack", targets=[target], hexes=[start]))

    assert (
        NARRATION.tell(fight.table, [StepBegan(rule=RuleId("rule"), kind=memory.COMBAT, step=step, was="")]) == sentence
    )


def test_hits_without_a_unit_of_their_kind_are_told_as_that() -> None:
    """hits.excess-lost: a unit is left, but the card can hit Tanks only."""
    fight = scene(german={"57": [PANZER]}, soviet={"42": ["193-rifle"]}, hands={"german": ["german/pak-1"]})
    fight.do(GERMAN, order("deliberate-attack", targets=["42"], hexes=["57"]))
    lost = RuleApplied(
        rule=RuleId("hits.excess-lost"), outcome="1 hit lost: no Soviet unit is left to take it", about=SOVIET
    )

    assert NARRATION.tell(fight.table, [lost]) == (
        "1 hit lost: no Soviet unit is left to take it, as the card hits units of one kind only."
    )
    assert NARRATION.tell(Table(), [lost]) == ""


def test_hits_are_lost_when_no_unit_is_left() -> None:
    """hits.excess-lost"""
    fight = scene(german={"57": [PANZER]}, soviet={"42": ["193-rifle"]}, hands={"german": ["german/pak-1"]})
    fight.do(GERMAN, order("deliberate-attack", targets=["42"], hexes=["57"]))
    lost = RuleApplied(
        rule=RuleId("hits.excess-lost"), outcome="3 hits lost: no German unit is left to take them", about=GERMAN
    )
    for unit in fight.at("57"):
        evolve(fight.table, PieceMoved(rule=lost.rule, piece=unit, to=DEATH_POOL, was=PlaceId("57")))

    assert NARRATION.tell(fight.table, [lost]) == "3 hits lost: no German unit is left to take them."


def test_a_card_and_its_effect_leave_out_the_rubble_roll_where_there_is_none() -> None:
    """rubble.roll.when: only a Deliberate Attack on an Urban hex without Rubble has one."""
    bonus = remembered(TABLE, memory.RUBBLE_BONUS.key, 3)
    said = []
    for start, target in (("57", "42"), ("42", "41")):
        fight = scene(german={start: [PANZER]}, soviet={target: ["193-rifle"]}, hands={"german": ["german/stuka-1"]})
        fight.do(GERMAN, order("deliberate-attack", targets=[target], hexes=[start]))
        card = order("commit-cards", cards=["german/stuka-1"])
        said.append((NARRATION.describe(fight.table, card), NARRATION.tell(fight.table, [bonus])))

    assert said == [
        ("Lay face down: Stuka (5 dice, TF (hits on 4 or more))", None),
        (
            "Lay face down: Stuka (5 dice, TF (hits on 4 or more), +2 to the Rubble Roll)",
            "The German cards add 3 to the Rubble Roll.",
        ),
    ]


def test_a_hit_is_offered_with_what_it_leaves_of_a_unit() -> None:
    """hits.tie-german-chooses"""
    fight = scene(german={"57": [GRENADIER], "43": [PANZER]}, soviet={"42": [TANKS]}, edges={GRENADIER: 4, PANZER: 4})
    asked = Open("hits", Seat("german"), {"side": GERMAN, "hits": 1, "arm": "", "cause": "combat.simultaneous"})
    fight.table.stack = (*fight.table.stack, asked)
    strong = scene(german={"57": [GRENADIER]}, soviet={"42": [TANKS]})
    strong.table.stack = (*strong.table.stack, asked)

    assert NARRATION.describe(fight.table, Pick("german/1")) == (
        "64th Panzer Grenadier Regiment (1 DF) in hex 57 is destroyed"
    )
    assert NARRATION.describe(strong.table, Pick("german/1")) == (
        "64th Panzer Grenadier Regiment (4 DF) in hex 57 has 3 DF left"
    )


def test_the_pools_are_told_apart_from_what_lies_unseen_on_the_map() -> None:
    """setup.step-4, setup.step-5, setup.step-6: with a Soviet seat the pools hold what is not on the map."""
    told = []
    for mode in (SOLO, ONE_VS_ONE):
        desk = Desk.open("inferno", mode=mode)
        formed = [event for event in desk.events if isinstance(event, DeckFormed)]
        told.append([NARRATION.tell(desk.table, [event]) for event in formed][:4])

    assert told[0] == [
        "Marine pool: 2 units.",
        "Soviet Tanks, in the pool and on the map: 13 units.",
        "Soviet Infantry, in the pool and on the map: 38 units.",
        "Of these, unseen on the map: 7 Tanks and 16 Infantry.",
    ]
    assert "Tank pool: 13 units." in told[1]


def test_losses_are_told_side_by_side_with_what_is_left_of_each_unit() -> None:
    """combat.simultaneous, firepower.per-edge: losses of both sides by one rule, of as many dots, share a sentence otherwise."""
    german = ["544-infantry", "191-infantry"]
    fought = scene(german={"57": german}, soviet={"58": ["193-rifle"]}, edges=dict.fromkeys(german, 1)).table
    lost = [
        PieceTurned(rule=RuleId("combat.simultaneous"), piece=unit, face="edge-2", was="edge-1", steps=3, steps_was=4)
        for unit in (*fought.pieces_at(PlaceId("57")), *fought.pieces_at(PlaceId("58")))
    ]

    german_lost = "544th Infantry Regiment (4 SF) and 191st Infantry Regiment (4 DF) lose a Step each by Close Combat: 3 SF and 3 DF left."

    assert NARRATION.tell(fought, lost) == (
        f"{german_lost} 193rd Rifle Division (4 SF) loses a Step by Close Combat: 3 SF left."
    )
    assert NARRATION.tell(fought, lost[:2]) == german_lost


def test_a_unit_that_goes_on_losing_steps_is_told_once_with_their_number() -> None:
    """hits.reassess: the strongest unit may stay the strongest, and one that was as strong as it is now may follow."""
    german = ["544-infantry", "191-infantry"]
    fought = scene(german={"57": german}, soviet={"58": ["193-rifle"]}, edges={german[0]: 1, german[1]: 2}).table
    first, other = fought.pieces_at(PlaceId("57"))

    def lost(unit: PieceId, steps: int) -> PieceTurned:
        now, was = f"edge-{5 - steps}", f"edge-{4 - steps}"
        rule = RuleId("soviet.card.tommy-gunner")
        return PieceTurned(rule=rule, piece=unit, face=now, was=was, steps=steps, steps_was=steps + 1)

    hits = [lost(first, 3), lost(first, 2), lost(other, 2)]
    (line,) = Narrator(Named(NARRATION), fought).lines(
        [Entry(number, 0, Heading(), True, event) for number, event in enumerate(hits, start=219)]
    )

    assert (
        NARRATION.tell(fought, hits[:2]) == "544th Infantry Regiment (4 SF) loses 2 Steps by Tommy Gunner: 2 SF left."
    )
    assert (line.first, line.last) == (219, 221)
    assert line.sentence == (
        "544th Infantry Regiment (4 SF) loses 2 Steps and 191st Infantry Regiment (3 DF) loses a Step by Tommy Gunner: "
        "2 SF and 2 DF left."
    )


def test_a_unit_that_its_side_knew_is_revealed_to_all() -> None:
    """soviet.card.t34: a unit that joins the combat is shown at once."""
    shown = PieceRevealed(rule=RuleId("soviet.card.t34"), piece=token(SOVIET, 1), kind=TANKS, face="edge-1", was="")
    known = fold(seen_events(FIELD.past, Seat("soviet")))

    assert NARRATION.tell(known, [shown]) == "Revealed: 6th Tank Brigade (3 DF)."


def test_an_airstrike_counts_twice_under_von_richthofen() -> None:
    card = CardId("german/heinkel_111-1")

    assert card_words(NARRATION.board, card) == "6 dice, TF (hits on 4 or more), +3 to the Rubble Roll"
    assert (
        card_words(NARRATION.board, card, is_doubled=True) == "12 dice, TF (hits on 4 or more), +6 to the Rubble Roll"
    )


def test_a_played_airstrike_is_told_as_it_counts_under_von_richthofen() -> None:
    """leader.richthofen.dice, leader.richthofen.rubble: as its hand and its option say."""
    card = "german/heinkel_111-1"
    fight = Fight(
        german={"42": PANZER}, soviet={"41": "193-rifle"}, hands={GERMAN: [card]}, in_play=["german/von_richthofen"]
    )
    fight.attack("42", "41")
    there = combat_card(GERMAN)
    played = CardPlayed(rule=RuleId("rule"), card=CardId(card), was=there, to=there)

    assert NARRATION.tell(fight.table, [played]) == (
        "German card of the combat: Heinkel 111 (12 dice, TF (hits on 4 or more), +6 to the Rubble Roll)."
    )


def test_every_card_has_words_for_its_effect() -> None:
    cards = NARRATION.board.cards.values()

    assert [card.id for card in cards if not card_words(NARRATION.board, card.id)] == []


def test_a_card_of_the_hand_says_what_it_cannot_be_played_without() -> None:
    """leader.linden.672nd"""
    card = CardId("german/pioneer-672")
    assert NARRATION.card_text(card).endswith(" to the Rubble Roll, only with Linden in play.")
    assert "Linden" not in NARRATION.card_text("german/pioneer-1")

    held = scene(hands={"german": [card]})
    assert "only with Linden in play" in str(NARRATION.picture(held.table))
    assert "only with Linden in play" in str(NARRATION.drawing(held.table))


def test_cards_laid_together_are_told_together() -> None:
    """card.soviet-leader-in-combat"""
    laid = CardMoved(rule=RuleId("rule"), card=None, to=combat_card(SOVIET), was=PileId("hand"))

    assert NARRATION.tell(Table(), [laid, laid]) == "Soviet lays 2 cards face down for the combat."


def test_a_leader_that_can_be_laid_says_what_it_changes() -> None:
    """leader.chuikov.in-play"""
    said = NARRATION.describe(Table(), order("commit-cards", cards=["soviet/chuikov"]))

    assert said == "Lay face down: Chuikov (Opportunity Fire on German attackers; Soviet attacks are Deliberate)"


@each_row(
    ("where", "said"),
    [
        ({"dead": [GRENADIER]}, "No unit was left in row 1, but {} is in the Death Pool."),
        ({"track": {2: [GRENADIER]}}, "No unit was left in row 1, but {} is still on the Reinforcement Track."),
        ({"removed": {1: GRENADIER}}, "Dice of row 1 have no effect, as {} is Removed."),
    ],
)
def test_a_die_that_removes_no_unit_names_the_unit_and_why(where: dict[str, object], said: str) -> None:
    """german.reinforce.removal-impossible, german.reinforce.removed-for-good"""
    table = scene(soviet={"19": [TANKS]}, **where)  # type: ignore[arg-type]
    before = table.table
    table.do("german", order("reinforce"), dice=[1, 6, 6, 6, 6, 6, 4], draws=("german/stuka-1",))
    (applied,) = [event for event in table.events if isinstance(event, RuleApplied) and event.about == removed_box(1)]

    assert NARRATION.tell(before, [applied]) == said.format("64th Panzer Grenadier Regiment")


def test_the_second_die_says_that_the_first_could_not_remove_the_unit() -> None:
    """ruling.reinforce-removal-retry"""
    table = scene(soviet={"19": [TANKS]}, track={2: [GRENADIER]}, options={"removal_retry": False})
    for card in ("german/stuka-1", "german/stuka-2"):
        table.do("german", order("reinforce"), dice=[1, 6, 6, 6, 6, 6, 4], draws=(card,))
    (again,) = [event for event in table.events if isinstance(event, RuleApplied) and event.about == removed_box(1)]

    assert NARRATION.tell(table.table, [again]) == (
        "No unit was left in row 1, but 64th Panzer Grenadier Regiment is not Removed by another die, since the first one could not."
    )


@each_row(("mode", "seat", "said"), [(SOLO, "german", "Germans"), (ONE_VS_ONE, "soviet", "Soviets")])
def test_a_side_that_lays_no_card_face_down_is_told(mode: str, seat: str, said: str) -> None:
    """german.deliberate-attack.card, mode.1v1.card-optional"""
    fight = Fight(german={"42": "2-panzer"}, soviet={"28": "45-rifle"}, hands={seat: [f"{seat}/sniper-1"]}, mode=mode)
    fight.attack("42", "28")
    events = fight.do(order("commit-cards"), dice=[1] * 8)
    (none,) = [event for event in events if isinstance(event, RuleApplied)][:1]

    assert NARRATION.tell(fight.table, [none]) == f"The {said} play no card in this combat."


def test_of_equal_cards_the_first_stands_for_the_others() -> None:
    hands = {"german": ["german/howitzer-1", "german/howitzer-2", "german/pioneer-50", "german/pioneer-162"]}
    fight = Fight(german={"42": "2-panzer"}, soviet={"28": "45-rifle"}, hands=hands, in_play=("german/linden",))
    fight.attack("42", "28")
    played = [
        [],
        ["german/howitzer-1"],
        ["german/howitzer-2"],
        ["german/pioneer-50"],
        ["german/pioneer-162"],
        ["german/pioneer-162", "german/pioneer-50"],
    ]
    outdone = [cards for cards in played if NARRATION.is_outdone(fight.table, order("commit-cards", cards=cards))]

    assert outdone == [["german/howitzer-2"]]
