"""Chapters of steps: each step that takes place leaves one event, and what it asks leaves the stack with what follows."""

import pytest

from core.chance import ManualChance
from core.decision import DecisionRules
from core.draft import Draft
from events.codec import tag_of
from events.ids import TABLE, PieceId
from events.vocabulary import Event, MarkerPlaced, PieceMoved, PieceTurned, StepBegan
from projections.fold import fold
from projections.table import Table
from projections.table_codec import decode_table, encode_table
from tests.acid.nested_game import HILL, LEFT, RIDGE, RUBBLE, STRENGTH, Ask, Hit, NestedGame
from tests.acid.sequences_game import HITS, CombatGame, No, Yes


def tags(events: list[Event]) -> list[str]:
    """Return what kinds of events there are."""
    return [tag_of(type(event)).partition("/")[0] for event in events]


def stack(table: Table) -> list[tuple[str, str]]:
    """Return the elements of the stack with their steps."""
    return [(element.kind, element.step) for element in table.stack]


def test_a_step_changes_which_steps_follow() -> None:
    """ACID 21: a step is judged when it comes up; one that does not take place leaves no event."""
    with_leader, without = CombatGame(), CombatGame()
    for game in (with_leader, without):
        game.begin("combat", 1)
        game.play(Yes())
    blitz = with_leader.play(Yes())
    none = without.play(No())

    assert [event.step for event in blitz if isinstance(event, StepBegan)] == ["blitz"]
    assert [event.step for event in none if isinstance(event, StepBegan)] == ["order"]


def test_the_match_ends_in_the_middle_of_a_step() -> None:
    """ACID 22: the draw, the end, nothing else, although the step would deal four cards."""
    game = CombatGame(("one", "two"))
    game.begin("combat", 1)
    game.play(Yes())
    events = game.play(No(), "one", "two")

    assert tags(events) == ["step-began", "card-drawn", "card-drawn", "match-ended"]
    assert game.table.stack == ()


def test_hits_wait_on_the_table_while_they_are_asked_for_one_by_one() -> None:
    """ACID 23: what is left over is an attribute of the step: a restart keeps it, and the next step begins without it."""
    game = CombatGame()
    game.begin("combat", 3)
    first = game.play(Yes())
    stored = decode_table(encode_table(game.table))
    second, third = game.play(Yes()), game.play(Yes())

    assert tags(first) == tags(second) == ["attribute-set", "decision-opened"]
    assert stored.attribute(TABLE, HITS) == 2
    assert tags(third) == ["attribute-set", "step-began", "decision-opened"]
    assert game.table.attribute(TABLE, HITS) is None
    assert fold([*first, *second, *third], Table()).seq == 7


def test_an_order_is_cancelled_and_its_chapter_stays_at_its_step() -> None:
    """ACID 24: only the order's own element ends, and the interrupted step is not carried out again."""
    game = CombatGame()
    game.begin("combat", 1)
    game.play(Yes())
    game.play(No())

    assert stack(game.table) == [("combat", "order"), ("order", "answer"), ("obey", "")]

    events = game.play(No())

    assert tags(events) == ["sequence-ended", "step-began", "decision-opened"]
    assert stack(game.table) == [("combat", "last"), ("last", "")]


def test_a_chapter_ends_with_one_event_that_takes_its_last_question_along() -> None:
    """ACID 26: nothing of a loop or a chapter is left outside the table."""
    game = CombatGame()
    game.begin("combat", 1)
    for answer in (Yes(), No(), No()):
        game.play(answer)
    events = game.play(Yes())

    assert tags(events) == ["sequence-ended"]
    assert game.table.stack == ()
    assert game.table.attributes == {}


def test_a_sequence_none_of_whose_steps_takes_place_leaves_no_event() -> None:
    """ACID 21: what follows it takes place all the same."""
    assert tags(CombatGame().begin("empty")) == ["marker-placed"]


def test_a_position_begins_a_sequence_at_a_later_step() -> None:
    """No event tells of the steps before it, and one that does not take place is passed over."""
    game = CombatGame()
    draft = Draft(game.table, ManualChance())

    game.sequences["combat"].begin(draft, start="hits")

    assert stack(game.table) == [("combat", "capture"), ("capture", "")]


# ACID 25: effects that nest


def rules_of(events: list[Event], kind: type[Event]) -> list[str]:
    """Return under which rules events of a kind happened."""
    return [event.rule for event in events if isinstance(event, kind)]


def test_an_effect_cancels_another_and_causes_a_third_elsewhere() -> None:
    """ACID 25: each under its own rule; the chapter goes on with the effect after the one that was cancelled."""
    game = NestedGame({"tank": 3, "scout": 1}, ("airstrike", "sniper"))
    game.start("showdown")

    assert stack(game.table) == [("showdown", "effects"), ("airstrike", "fire"), ("fire", "")]

    events = game.play(Yes())

    assert rules_of(events, MarkerPlaced) == ["3.aa"]
    assert rules_of(events, PieceTurned) == ["4.sniper", "4.sniper"]
    assert (game.table.marker(RIDGE, RUBBLE), game.table.marker(HILL, RUBBLE)) == (1, 0)
    assert (game.table.stack, game.table.attributes) == ((), {})


def test_an_effect_that_is_not_cancelled_is_carried_out() -> None:
    """ACID 25: the same chapter without anti-aircraft fire."""
    game = NestedGame({"tank": 3}, ("airstrike",))
    game.start("showdown")

    assert rules_of(game.play(No()), MarkerPlaced) == ["2.strike"]


def test_the_second_target_is_computed_after_the_first_hit() -> None:
    """ACID 25: the tank alone is the strongest; after the first shot it is as strong as the gun, and only then there is a tie."""
    game = NestedGame({"tank": 3, "gun": 2}, ("sniper",))
    game.start("showdown")

    assert game.table.pieces[PieceId("tank")].steps == 2
    assert game.table.top is not None and game.table.top.arguments["among"] == ("tank", "gun")

    game.play(Hit("gun"))

    assert [game.table.pieces[PieceId(one)].steps for one in ("tank", "gun")] == [2, 1]
    assert game.table.track(STRENGTH) == 3


def test_a_hit_that_removes_the_target_leaves_the_next_to_another() -> None:
    """ACID 25: nothing refers to a participant that is gone."""
    game = NestedGame({"scout": 1}, ("sniper",))
    game.start("showdown")

    assert PieceId("scout") not in game.table.pieces
    assert game.table.track(STRENGTH) == 0


def test_a_participant_joins_in_mid_combat() -> None:
    """ACID 25: the list of participants grows: the guards are the sniper's target, and count at the end."""
    late = NestedGame({"tank": 3}, ("infiltration", "sniper"))
    later = NestedGame({"tank": 3}, ("sniper", "infiltration"))
    late.start("showdown")

    assert late.table.top is not None and late.table.top.arguments["among"] == ("tank", "guards")

    late.play(Hit("guards"))
    later.start("showdown")

    assert [late.table.pieces[PieceId(one)].steps for one in ("tank", "guards")] == [3, 2]
    assert [later.table.pieces[PieceId(one)].steps for one in ("tank", "guards")] == [1, 4]
    assert late.table.track(STRENGTH) == later.table.track(STRENGTH) == 5


# ACID 26: a loop over dice


def test_dice_are_used_in_ascending_order_and_equal_ones_draw_cards() -> None:
    """ACID 26: 1,1,6,6,3,1 gives five cards and one move; the throw alone decides nothing."""
    cards = tuple("abcde")
    game = NestedGame({"tank": 3}, cards=cards)
    events = game.start("march", (1, 1, 6, 6, 3, 1), cards)
    done = [tag for tag in tags(events) if tag in ("card-drawn", "piece-moved")]

    assert done == ["card-drawn"] * 3 + ["piece-moved"] + ["card-drawn"] * 2
    assert [event.step for event in events if isinstance(event, StepBegan)] == ["die"]
    assert game.table.attributes == {}


def test_each_die_is_for_the_piece_that_stands_there_now() -> None:
    """ACID 26: the first die moves the tank, the second the gun behind it, the third nobody."""
    game = NestedGame({"tank": 3, "gun": 2}, cards=("a", "b", "c"))
    events = game.start("march", (4, 1, 1, 2, 3, 1), ("a", "b", "c"))

    assert [event.piece for event in events if isinstance(event, PieceMoved)] == ["tank", "gun"]


def test_a_combat_with_a_question_inside_the_loop_is_stored_and_goes_on() -> None:
    """ACID 26: a lone 5 is a combat; the dice that are left wait on the table, and serve who stands there then."""
    game, again = (NestedGame({"tank": 3, "gun": 2, "scout": 1}, cards=("a", "b")) for _ in range(2))
    for one in (game, again):
        one.start("march", (6, 2, 5, 4, 1, 1), ("a", "b"))
    stored = decode_table(encode_table(again.table))
    again.table = stored

    assert stack(game.table) == [("march", "die"), ("battle", "assault"), ("give-up", "")]
    assert game.table.attribute(TABLE, LEFT) == ("6",)
    assert game.table.pieces_at(HILL) == ("scout",)

    events = game.play(No())

    assert again.play(No()) == events
    assert [event.piece for event in events if isinstance(event, PieceMoved)] == ["scout"]

    other = NestedGame({"tank": 3, "gun": 2, "scout": 1}, cards=("a", "b"))
    other.start("march", (6, 2, 5, 4, 1, 1), ("a", "b"))

    assert "piece-moved" not in tags(other.play(Yes()))
    assert other.table.stack == ()


def test_no_question_and_no_procedure_has_the_kind_of_a_sequence() -> None:
    game = CombatGame()
    sequences = game.sequences.values()

    with pytest.raises(AssertionError, match="the kind of a question or a procedure: order"):
        DecisionRules({"order": Ask()}, {}, sequences=sequences)
    with pytest.raises(AssertionError, match="the kind of a question or a procedure: combat"):
        DecisionRules({}, {"combat": game.throw}, sequences=sequences)
