"""The undo history: it restores every state that it reaches, and holds the game state once more only when it must."""

from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.codec import encode_in_order, replace
from events.ids import MarkerId, PieceId, PlaceId, RuleId, Seat, Side
from events.vocabulary import (
    CommandsUndone,
    DecisionOpened,
    DiceRolled,
    Event,
    ItemPicked,
    ItemUnpicked,
    MarkerPlaced,
    MatchBegan,
    NoteAdded,
    PiecePlaced,
)
from projections.state import undo_history
from projections.state.fold import evolve, fold
from projections.state.table import Table
from projections.state.undo_history import SINCE_DROPPED, SINCE_MAX, Undone, undone_events
from projections.table_codec import decode_table, encode_table
from tests.projections.plays import plays
from tests.support.rows import each_row

RULE = RuleId("1")
ROLLED = DiceRolled(rule=RULE, faces=(3,), purpose="assault")
NOTED = NoteAdded(rule=RULE, seat=Seat("white"), text="well played")
MARKED = MarkerPlaced(rule=RULE, on="field", marker=MarkerId("bridge"))


def in_order(table: Table) -> bytes:
    """Return the game state in bytes that show the order of its dictionaries."""
    return encode_in_order(table.game_part())


@pytest.mark.soak
@given(plays(), st.integers(0, 40))
def test_taking_back_restores_any_state_since_the_fence_in_its_order(events: list[Event], steps: int) -> None:
    table = fold(events)
    if table.past is None:
        return
    to = max(table.past.seq, table.seq - 1 - steps)
    # Nothing goes back to an event that was itself undone: no command stands after it.
    if to < table.seq and to not in undone_events(events):
        evolve(table, CommandsUndone(rule=RULE, seat=Seat("white"), to=to))

        assert in_order(table) == in_order(fold(events[:to]))


def _placed(count: int) -> list[Event]:
    return [
        PiecePlaced(rule=RULE, piece=PieceId(f"p{number}"), kind="rifle", side=Side("ivory"), to=PlaceId("field"))
        for number in range(count)
    ]


def test_the_game_state_is_not_copied_until_a_game_event_follows_the_fence() -> None:
    table = fold([*_placed(3), ROLLED, ROLLED, NOTED])

    assert table.past is not None and table.past.game is None
    before = in_order(table)
    evolve(table, MARKED)
    assert table.past.game is not None and encode_in_order(table.past.game) == before


def test_a_way_back_to_the_fence_itself_holds_no_game_state() -> None:
    table = fold([*_placed(3), ROLLED, MARKED])
    evolve(table, CommandsUndone(rule=RULE, seat=Seat("white"), to=4))

    assert table.past is not None and (table.past.game, table.past.since) == (None, [])
    assert in_order(table) == in_order(fold([*_placed(3), ROLLED]))


def test_a_copy_for_trials_without_an_undo_history_gets_none_by_dice() -> None:
    table = fold([*_placed(3), MatchBegan(rule=RULE), ROLLED, MARKED])
    trial, together = table.clone(), table.clone()
    trial.past = together.past = None
    for event in (ROLLED, MARKED):
        evolve(trial, event)
    fold([ROLLED, MARKED], together)

    assert (trial.past, together.past) == (None, None)
    assert in_order(trial) == in_order(together) == in_order(fold([ROLLED, MARKED], table))
    assert table.past is not None and table.past.since == [MARKED]


def test_an_encoded_table_holds_its_game_state_once() -> None:
    fenced = fold([*_placed(100), ROLLED])
    table = fold([MARKED], fenced.clone())

    assert len(encode_table(table)) < len(encode_table(fenced)) + 200
    assert decode_table(encode_table(table)) == table


def test_secret_picks_do_not_shorten_how_far_a_way_back_reaches() -> None:
    """Otherwise the other seats could tell by a refused take-back that picks were made."""
    white = Seat("white")
    asked = DecisionOpened(rule=RULE, kind="which", seat=white)
    picks: list[Event] = [
        ItemPicked(rule=RULE, item="a", seen_by=(white,)),
        ItemUnpicked(rule=RULE, item="a", was="", seen_by=(white,)),
    ] * 20
    marks = [replace(MARKED, count=1 + number % 2, was=number % 2) for number in range(SINCE_MAX + 10)]
    told, secret = (fold([ROLLED, asked, *made, *marks]).past for made in ([], picks))

    assert told is not None and secret is not None
    assert len(told.since) < SINCE_MAX
    assert secret.since == told.since


@each_row("noted_after", [(), (1,), (127,), (128,), (129,), (100, 128, 129, 200), (128, 128)])
def test_a_shortened_way_back_knows_the_numbers_of_its_events(noted_after: tuple[int, ...]) -> None:
    """Notes between them count as events, but are not taken back."""
    events: list[Event] = [ROLLED]
    truth: list[tuple[int, Event]] = []
    for place in range(1, SINCE_MAX + 2):
        events.append(replace(MARKED, count=1 + place % 2, was=1 - place % 2))
        truth.append((len(events), events[-1]))
        events += [NOTED] * noted_after.count(place)
    past = fold(events).past

    assert past is not None
    assert list(past.numbered()) == truth[SINCE_DROPPED:]
    assert [index for index, _ in past.runs] == sorted({index for index, _ in past.runs})
    assert past.seq == truth[SINCE_DROPPED - 1][0]
    table = fold(events)
    evolve(table, CommandsUndone(rule=RULE, seat=Seat("white"), to=past.seq))
    assert in_order(table) == in_order(fold(events[: past.seq]))


@pytest.mark.interpreted
def test_the_game_states_behind_fences_are_those_computed_anew_also_where_tables_part(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two tables go on from one in turns, and a third computes every state again."""
    kept = deque[object](maxlen=64)
    table = fold([*_placed(3), ROLLED])
    tables = [table, table.clone(), table.clone()]
    for number in range(40):
        marked = replace(MARKED, on=f"field {number % 7}", count=number + 1)
        if number == 20:
            tables[1] = tables[0].clone()
        for place, one in enumerate(tables):
            monkeypatch.setattr(undo_history, "_STATES", deque() if place == 2 else kept)
            evolve(one, marked)
            for _ in range(number % 3):
                evolve(one, ROLLED)

        assert tables[0] == tables[1] == tables[2]
    assert len(kept) > 0


@each_row("cut", [0, 2, 5, 9])
def test_the_events_taken_back_are_those_of_the_game_since_the_one_returned_to(cut: int) -> None:
    """However a stream arrives; notes stay, and a die is taken back where all have agreed."""
    back = CommandsUndone(rule=RULE, seat=Seat("white"), to=5)
    events: list[Event] = [MARKED, NOTED, MARKED, MARKED, back, MARKED, ROLLED, MARKED]
    events.append(replace(back, agreed=(Seat("black"),)))
    undone = Undone(5)
    undone.take(events[:cut])
    undone.take(events[cut:])

    assert undone.numbers == undone_events(events, 5) == {7, 8, 10, 11, 12}
