"""The history of single facts: every state has the event that gave it, whatever is played and taken back."""

from random import Random

import pytest

from events.ids import Seat
from projections.facts import Fact, FactHistory, fact_value, facts_about
from projections.state.fold import fold
from projections.state.table import Table
from tests.support.desk import Desk
from tests.support.rows import each_row


def all_facts(table: Table) -> list[Fact]:
    """Return the facts about everything on a table."""
    ids = {*table.pieces, *table.at, *table.tracks, *table.piles, *table.markers, *table.attributes, *table.control}
    return [*{fact for id_ in ids for fact in facts_about(table, str(id_))}, Fact("round"), Fact("phase"), Fact("turn")]


@each_row("game", ["advance", "axis-allies", "battle", "inferno"])
def test_before_the_event_that_is_named_a_fact_was_another_and_since_then_it_is_as_it_is(game: str) -> None:
    choose = Random(7)
    desk = Desk.open(game, seed="7")
    for _ in range(40):
        desk.play(1, choose)
        seat = desk.commits[-1].seat
        if choose.random() < 0.3 and hasattr(desk.ask({"do": "match:undo"}, Seat(seat), key="try"), "commit"):
            desk.accept({"do": "match:undo"}, Seat(seat))
    events = desk.events
    facts = all_facts(desk.table)
    history = FactHistory(facts)
    for event in events:
        history.take(event)
    assert history.table.pieces == desk.table.pieces
    last = {fact: changes[-1] for fact, changes in history.changes.items() if changes}
    tables = {seq: fold(events[:seq]) for change in list(last.values())[:60] for seq in (change.seq - 1, change.seq)}

    assert len(last) > 15
    for fact, change in last.items():
        assert change.value == fact_value(desk.table, fact)
        if {change.seq - 1, change.seq} <= tables.keys():
            before, after = (fact_value(tables[seq], fact) for seq in (change.seq - 1, change.seq))
            assert (before, after) == (change.was, change.value)


def test_there_are_no_other_facts() -> None:
    with pytest.raises(ValueError, match="no facts 'luck'"):
        fact_value(Table(), Fact("luck"))
