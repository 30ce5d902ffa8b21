"""The sentences about Actions, Rations and Hits, and the questions."""

from core.engine.selection import Choose, Pick
from core.games.battle.components.words.card_words import force_notes
from core.games.battle.ids import RUSSIAN, escrow, hand
from core.games.battle.memory import HITS
from events.ids import PieceId, RuleId, Seat
from events.vocabulary import AttributeSet, CardMoved, ControlChanged, Event
from projections.state.fold import evolve
from projections.state.table import Table
from tests.support.battle import NARRATION, RULES, Scene, deck_of, order, place, scene
from tests.support.desk import Desk


def told(events: list[Event], before: Table | None = None) -> list[str]:
    """Return the game's own sentences for events, one by one, each by the table before it."""
    table, said = Table() if before is None else before.clone(), list[str]()
    for event in events:
        said += [sentence] if (sentence := NARRATION.tell(table, [event])) else []
        if before is not None:
            evolve(table, event)
    return said


def asked(table: Scene) -> str:
    """Return the open question."""
    return NARRATION.question(Table(), table.table.stack[-1])


FLIPS = (deck_of("german")[0], deck_of("russian")[0])


def declared() -> tuple[Scene, list[Event]]:
    """Return a Move that the Russian may answer, and its events."""
    table = scene(
        forces={"g_14_panzer": "TDp", "r_169_rifle": "GAc"}, rations={"g_14_panzer": 5}, hands={"russian": ["sniper"]}
    )
    return table, table.do("german", order("move", force="g_14_panzer", to=place("TDc", "german")))


def test_a_move_is_told_and_asked_about_with_its_destination_and_cost() -> None:
    table, events = declared()

    assert told(events) == [
        "Declared: the Move of 14th Panzer to The Docks (German Control) for 1 Ration.",
        "14th Panzer: 1 Ration less for a Move, 4 now.",
    ]
    assert asked(table) == "whether to answer the Move of 14th Panzer to The Docks (German Control)"


def test_a_cancelled_move_is_told() -> None:
    table, _ = declared()
    before = table.table.clone()

    said = told(table.play("russian", "sniper"), before)
    assert "The Move of 14th Panzer is cancelled." in said
    assert "14th Panzer: 1 Ration back, since the Move is cancelled, 5 now." in said


def test_a_card_is_told_and_asked_about_with_its_targets() -> None:
    table = scene(
        forces={"g_71_infantry": "TDp", "r_27_tank": "GAc"},
        hands={"german": ["supply_raid"], "russian": ["fog_of_war"]},
    )
    name = NARRATION.name(table.held("german", "supply_raid"))
    events = table.play("german", "supply_raid", force="r_27_tank", other="g_71_infantry")

    assert f"Declared: {name} on 27th Tank for 71st Infantry." in told(events)
    assert (
        asked(table) == f"whether to answer {name} on 27th Tank for 71st Infantry: 2 Rations from the one to the other"
    )
    before = table.table.clone()
    assert f"{name} is cancelled and has no effect." in told(table.play("russian", "fog_of_war"), before)


def test_an_attack_and_a_retreat_are_told() -> None:
    table = scene(forces={"g_14_panzer": "GAc", "r_169_rifle": "GAc"}, rations={"g_14_panzer": 3})
    said = told(table.do("german", order("attack", location="gumrak_airfield"), FLIPS))

    assert "14th Panzer: 1 Ration less for an Attack, 2 now." in said
    assert "German attacks at Gumrak Airfield with 14th Panzer." in said
    assert asked(table) == f"which Force absorbs the next of {table.hits('russian')} Hits at Gumrak Airfield"
    retreat = told(table.do("russian", order("absorb", force="r_169_rifle", by="retreat")))
    assert retreat[0] == "169th Rifle Retreats to Gumrak Airfield (Russian Perimeter)."


def test_hits_without_a_participant_left_are_told_as_lost() -> None:
    lost = AttributeSet(rule=RuleId("attack.hits.excess-lost"), on=RUSSIAN, key=HITS.key, value=0, was=3)

    assert NARRATION.tell(Table(), [lost]) == "3 Hits left over: lost, since no Russian Force takes part any more."


def test_hits_of_both_sides_are_told_for_each() -> None:
    both = [AttributeSet(rule=RuleId("1"), on=side, key=HITS.key, value=6) for side in ("german", RUSSIAN)]

    assert NARRATION.tell(Table(), both) == "6 Hits each for German and Russian to absorb."


def test_the_set_up_tells_the_points_spent_and_left() -> None:
    """setup.russian-forces-budget: in the question; a Force that is placed is named by its refusal."""
    desk = Desk.open("battle")
    assert NARRATION.question(Table(), desk.table.stack[-1]).endswith("(11 of 11 points left)")
    first = desk.options()[0]
    desk.accept(first)

    refusal = RULES.refuse(desk.table, Seat("russian"), first)
    assert refusal is not None
    assert refusal.sentence.endswith(" is placed already.")
    assert "(11 of" not in NARRATION.question(Table(), desk.table.stack[-1])


def test_a_force_that_is_placed_at_set_up_is_offered_with_the_enemy_it_faces() -> None:
    """setup.german-forces-budget: the German chooses last; on a phone the Russian rows of the table are out of sight."""
    desk = Desk.open("battle")
    told = [NARRATION.describe(desk.table, desk.options()[0])]
    while desk.table.stack[-1].seat == "russian":
        desk.accept(desk.options()[0])
    told += [NARRATION.describe(desk.table, one) for one in desk.options()]
    faced = [one.rpartition(")")[2] for one in told if not one.endswith(")")]

    assert told[0].endswith(")")
    assert faced
    assert all(one.startswith(" against ") for one in faced)


def test_an_attack_is_offered_with_the_combat_that_will_count() -> None:
    """force.note.attack-bonus: 2 on the card of the 305th Infantry, 4 when it attacks; nobody else's is raised."""
    forces = {"g_305_infantry": "GAc", "r_422_rifle": "GAc"}
    table = scene(forces=forces, rations={"g_305_infantry": 2})
    attack = order("attack", location="gumrak_airfield")
    infantry = "305th Infantry (Combat 4: 2, +2 when attacking)"
    words = "Attack at Gumrak Airfield with {}" + infantry + "{} against 422nd Rifle (Combat 2)"

    assert NARRATION.describe(table.table, attack) == words.format("", " for 1 Ration")
    both = scene(forces={**forces, "g_79_infantry": "GAc"}, rations={"g_305_infantry": 2, "g_79_infantry": 1})
    assert NARRATION.describe(both.table, attack) == words.format(
        "any of ", " and 79th Infantry (Combat 4) for 1 Ration each"
    )
    both.do("german", attack)
    assert NARRATION.describe(both.table, Pick("g_305_infantry")) == f"Attack with {infantry} for 1 Ration, then 1 left"
    assert NARRATION.describe(both.table, Pick("g_79_infantry")).endswith(" for 1 Ration, then none left")
    chosen = Choose(("g_305_infantry", "g_79_infantry"))
    assert NARRATION.describe(both.table, chosen) == (
        f"Attack with {infantry} and 79th Infantry (Combat 4) for 1 Ration each"
    )


def test_a_change_of_control_is_told_and_recorded() -> None:
    """control.own, control.both, control.neither, control.immediate."""
    table = scene(forces={"g_14_panzer": "GAp", "r_169_rifle": "GAc"}, rations={"g_14_panzer": 5})
    advance = order("move", force="g_14_panzer", to=place("GAc", "german"))

    assert table.table.control == {"gumrak_airfield": "russian"}
    assert told(table.do("german", advance))[-1] == "Uncontrolled now: Gumrak Airfield."
    table.do("german", order("attack", location="gumrak_airfield"), FLIPS)
    retreat = table.do("russian", order("absorb", force="r_169_rifle", by="retreat"))
    assert told(retreat)[1] == "German Controls Gumrak Airfield now."
    assert [event.rule for event in retreat if isinstance(event, ControlChanged)] == ["control.own"]


def test_a_purchase_is_told_with_its_price_and_a_note_with_its_location() -> None:
    """buy.pay, location.note.buy-ration-bonus."""
    table = scene(forces={"g_14_panzer": "TDc"}, hands={"german": ["tanks"]}, tops={"german": "g_113_infantry"})
    before = table.table.clone()
    events = table.do("german", order("buy-force", force="g_113_infantry", to=place("TDp", "german")))
    events += table.do("german", Pick(table.held("german", "tanks")), ("g_100_jager",))

    said = told(events, before)
    assert "German buys 113th Infantry for 1; it enters at The Docks (German Perimeter)." in said
    assert "113th Infantry: 1 Ration more by the note of The Docks, 4 now." in said


def test_cards_set_aside_together_are_told_together() -> None:
    """uranus.play-cost"""
    known, hidden = [
        CardMoved(rule=RuleId("uranus.play-cost"), card=card, to=escrow(RUSSIAN), was=hand(RUSSIAN))
        for card in (deck_of("russian")[0], None)
    ]

    assert NARRATION.tell(Table(), [hidden, hidden]) == "Russian sets 2 cards aside face down."
    assert NARRATION.tell(Table(), [known, known]) == (
        f"Russian sets {NARRATION.name(str(known.card))} and {NARRATION.name(str(known.card))} aside face down."
    )


def test_a_firefight_card_tells_how_the_total_adds_up() -> None:
    """attack.firefight.positive."""
    table = scene(
        forces={"g_14_panzer": "GAc", "r_169_rifle": "GAc"},
        rations={"g_14_panzer": 3},
        hands={"german": ["victory", "tanks"]},
    )
    table.do("german", order("attack", location="gumrak_airfield"))
    table.passes("german")
    events = table.do("german", order("fire-card", card=table.held("german", "victory")))
    (total,) = [event for event in events if isinstance(event, AttributeSet)]

    assert [(part.what, part.amount) for part in total.parts or ()] == [("so far", 7), ("Victory", 3)]
    assert total.value == 10


def test_a_force_that_ignores_hits_is_told_without_a_count_of_one() -> None:
    """force.note.ignore-hits."""
    assert force_notes(RULES.cards.forces[PieceId("r_35_guards")]) == "ignores the first Hit of each fight"
    assert force_notes(RULES.cards.forces[PieceId("r_138_rifle")]) == "ignores the first 2 Hits of each fight"
