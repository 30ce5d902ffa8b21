"""Chapters of steps: each step that takes place is one event, and each event also closes what has ended on the stack."""

import pytest

from core.chance.chance_sources import ManualChance
from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
from events.codec import tag_of
from events.ids import TABLE, PieceId
from events.vocabulary import Event, MarkerPlaced, PieceMoved, PieceTurned, StepBegan
from projections.state.fold import fold
from projections.state.table import Table
from projections.table_codec import decode_table, encode_table
from tests.acid.nested_game import HILL, LEFT, RIDGE, RUBBLE, STRENGTH, Ask, Hit, NestedGame
from tests.acid.sequences_game import HITS, CombatGame, No, Yes


def tags(events: list[Event]) -> list[str]:
    """Return the tags of events."""
    return [tag_of(type(event)).partition("/")[0] for event in events]


def stack(table: Table) -> list[tuple[str, str]]:
    """Return the elements of the stack with their steps."""
    return [(element.kind, element.step) for element in table.stack]


def test_a_step_changes_which_steps_follow() -> None:
    """ACID 21: whether a step takes place is decided when it is reached; a skipped step is not recorded."""
    with_leader, without = CombatGame(), CombatGame()
    for game in (with_leader, without):
        game.begin("combat", 1)
        game.play(Yes())
    blitz = with_leader.play(Yes())
    none = without.play(No())

    assert [event.step for event in blitz if isinstance(event, StepBegan)] == ["blitz"]
    assert [event.step for event in none if isinstance(event, StepBegan)] == ["order"]


def test_the_match_ends_in_the_middle_of_a_step() -> None:
    """ACID 22: the step would deal four cards, but nothing follows the draw that ends the match."""
    game = CombatGame(("one", "two"))
    game.begin("combat", 1)
    game.play(Yes())
    events = game.play(No(), "one", "two")

    assert tags(events) == ["step-began", "card-drawn", "card-drawn", "match-ended"]
    assert game.table.stack == ()


def test_hits_are_kept_on_the_table_until_all_are_taken() -> None:
    """ACID 23: the remaining hits are an attribute of the step: a restart keeps it, and it ends with the step."""
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


def test_cancelling_an_order_does_not_repeat_the_interrupted_step() -> None:
    """ACID 24: only the order leaves the stack, and the interrupted step is not carried out again."""
    game = CombatGame()
    game.begin("combat", 1)
    game.play(Yes())
    game.play(No())

    assert stack(game.table) == [("combat", "order"), ("order", "answer"), ("obey", "")]

    events = game.play(No())

    assert tags(events) == ["sequence-ended", "step-began", "decision-opened"]
    assert stack(game.table) == [("combat", "last"), ("last", "")]


def test_a_chapter_and_its_last_question_end_with_one_event() -> None:
    """ACID 26: nothing of a loop or chapter stays on the table."""
    game = CombatGame()
    game.begin("combat", 1)
    for answer in (Yes(), No(), No()):
        game.play(answer)
    events = game.play(Yes())

    assert tags(events) == ["sequence-ended"]
    assert game.table.stack == ()
    assert game.table.attributes == {}


def test_a_sequence_without_any_step_leaves_no_event() -> None:
    """ACID 21: the part after the sequence follows anyway."""
    assert tags(CombatGame().begin("empty")) == ["marker-placed"]


def test_a_position_begins_a_sequence_at_a_later_step() -> None:
    """The earlier steps are not recorded, and a step that does not take place is skipped."""
    game = CombatGame()
    draft = Draft(game.table, ManualChance())

    game.sequences["combat"].begin(draft, start="hits")

    assert stack(game.table) == [("combat", "capture"), ("capture", "")]


# ACID 25: effects that nest


def rules_of(events: list[Event], kind: type[Event]) -> list[str]:
    """Return the rules that events of a tag cite."""
    return [event.rule for event in events if isinstance(event, kind)]


def test_an_effect_cancels_another_and_causes_a_third_elsewhere() -> None:
    """ACID 25: each event cites its own rule; the chapter continues after the cancelled effect."""
    game = NestedGame({"tank": 3, "scout": 1}, ("airstrike", "sniper"))
    game.start("showdown")

    assert stack(game.table) == [("showdown", "effects"), ("airstrike", "fire"), ("fire", "")]

    events = game.play(Yes())

    assert rules_of(events, MarkerPlaced) == ["3.aa"]
    assert rules_of(events, PieceTurned) == ["4.sniper", "4.sniper"]
    assert (game.table.marker(RIDGE, RUBBLE), game.table.marker(HILL, RUBBLE)) == (1, 0)
    assert (game.table.stack, game.table.attributes) == ((), {})


def test_an_effect_is_carried_out_unless_it_is_cancelled() -> None:
    """ACID 25: the same chapter without anti-aircraft fire."""
    game = NestedGame({"tank": 3}, ("airstrike",))
    game.start("showdown")

    assert rules_of(game.play(No()), MarkerPlaced) == ["2.strike"]


def test_the_second_target_is_computed_after_the_first_hit() -> None:
    """ACID 25: at first the tank alone is the strongest; the first shot makes it as strong as the gun, which is a tie."""
    game = NestedGame({"tank": 3, "gun": 2}, ("sniper",))
    game.start("showdown")

    assert game.table.pieces[PieceId("tank")].steps == 2
    assert game.table.top is not None and game.table.top.arguments["among"] == ("tank", "gun")

    game.play(Hit("gun"))

    assert [game.table.pieces[PieceId(one)].steps for one in ("tank", "gun")] == [2, 1]
    assert game.table.track(STRENGTH) == 3


def test_after_a_hit_removes_its_target_the_next_hit_takes_another() -> None:
    """ACID 25: a removed participant is no longer referred to."""
    game = NestedGame({"scout": 1}, ("sniper",))
    game.start("showdown")

    assert PieceId("scout") not in game.table.pieces
    assert game.table.track(STRENGTH) == 0


def test_a_participant_joins_in_mid_combat() -> None:
    """ACID 25: the guards join the participants, become the sniper's target, and are counted at the end."""
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
    """ACID 26: 1,1,6,6,3,1 gives five cards and one move; the throw alone moves nothing."""
    cards = tuple("abcde")
    game = NestedGame({"tank": 3}, cards=cards)
    events = game.start("march", (1, 1, 6, 6, 3, 1), cards)
    done = [tag for tag in tags(events) if tag in ("card-drawn", "piece-moved")]

    assert done == ["card-drawn"] * 3 + ["piece-moved"] + ["card-drawn"] * 2
    assert [event.step for event in events if isinstance(event, StepBegan)] == ["die"]
    assert game.table.attributes == {}


def test_each_die_moves_the_piece_that_is_there_when_it_is_used() -> None:
    """ACID 26: the first die moves the tank, the second the gun behind it, the third no unit."""
    game = NestedGame({"tank": 3, "gun": 2}, cards=("a", "b", "c"))
    events = game.start("march", (4, 1, 1, 2, 3, 1), ("a", "b", "c"))

    assert [event.piece for event in events if isinstance(event, PieceMoved)] == ["tank", "gun"]


def test_a_loop_continues_after_a_combat_with_a_question() -> None:
    """ACID 26: a single 5 is a combat; the remaining dice stay on the table and apply to the units that are there afterwards."""
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


def test_a_sequence_must_not_share_its_kind_with_a_question() -> None:
    with pytest.raises(AssertionError, match="the kind of a question: order"):
        DecisionRules({"order": Ask()}, sequences=CombatGame().sequences.values())
