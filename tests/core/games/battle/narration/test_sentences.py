"""The sentences about Actions, Rations and Hits, and the questions."""

from core.games.battle.ids import RUSSIAN
from core.games.battle.memory import HITS
from events.ids import RuleId, Seat
from events.vocabulary import AttributeSet, Event
from projections.table import Table
from tests.support.battle import NARRATION, RULES, Scene, deck_of, order, place, scene
from tests.support.desk import Desk


def told(events: list[Event]) -> list[str]:
    """Return the game's own sentences for events, one by one."""
    return [said for said in (NARRATION.tell(Table(), [event]) for event in events) if said]


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
        "14th Panzer: 1 Ration less for a Move, 4 now.",
        "Declared: the Move of 14th Panzer to The Docks (German Control) for 1 Ration.",
    ]
    assert asked(table) == "whether to answer the Move of 14th Panzer to The Docks (German Control)"


def test_a_cancelled_move_is_told() -> None:
    table, _ = declared()

    said = told(table.play("russian", "sniper"))
    assert "The Move is cancelled." in said
    assert "14th Panzer: 1 Ration more back, since the Move is cancelled, 5 now." in said


def test_a_card_is_told_and_asked_about_with_its_targets() -> None:
    table = scene(
        forces={"g_71_infantry": "TDp", "r_27_tank": "GAc"},
        hands={"german": ["supply_raid"], "russian": ["fog_of_war"]},
    )
    name = NARRATION.name(table.held("german", "supply_raid"))
    events = table.play("german", "supply_raid", force="r_27_tank", other="g_71_infantry")

    assert f"Declared: {name} on 27th Tank for 71st Infantry." in told(events)
    assert asked(table) == f"whether to answer {name} on 27th Tank for 71st Infantry"
    assert "The card is cancelled and has no effect." in told(table.play("russian", "fog_of_war"))


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


def test_the_set_up_tells_the_points_spent_and_left() -> None:
    """setup.russian-forces-budget: in the question; a Force that is placed is named by its refusal."""
    desk = Desk.open("battle")
    assert NARRATION.question(Table(), desk.table.stack[-1]).endswith("(0 of 11 points spent)")
    first = desk.options()[0]
    desk.accept(first)

    refusal = RULES.refuse(desk.table, Seat("russian"), first)
    assert refusal is not None
    assert refusal.sentence.endswith(" is placed already.")
    assert "(0 of" not in NARRATION.question(Table(), desk.table.stack[-1])
