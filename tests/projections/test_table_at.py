"""The table after any event of a growing list is the fold of the events up to it."""

from events.ids import MarkerId, PlaceId, RuleId
from events.vocabulary import MarkerPlaced
from projections.state.fold import fold
from projections.table_at import KEYFRAME_EVERY, Tables
from tests.support.rows import each_row

EVENTS = [
    MarkerPlaced(rule=RuleId("r"), marker=MarkerId("m"), on=PlaceId("a"), count=number + 1, was=number)
    for number in range(2 * KEYFRAME_EVERY + 2)
]


@each_row("size", [1, 50, len(EVENTS)])
def test_the_table_after_each_event_is_the_fold_of_those_up_to_it(size: int) -> None:
    tables = Tables()
    for begin in range(0, len(EVENTS), size):
        tables.take(EVENTS[begin : begin + size])

    assert tables.events == EVENTS
    for number in range(len(EVENTS) + 1):
        assert tables.table(number) == fold(EVENTS[:number])


def test_a_table_that_was_given_is_the_callers_own() -> None:
    tables = Tables()
    tables.take(EVENTS)
    for number in (KEYFRAME_EVERY, len(EVENTS)):
        fold([EVENTS[0]], tables.table(number))

        assert tables.table(number) == fold(EVENTS[:number])
