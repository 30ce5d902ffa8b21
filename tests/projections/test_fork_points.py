"""To change an event one forks before its command, or just before its die; an open question is changed by answering it."""

from events.ids import ARBITER, RuleId, Seat
from events.vocabulary import DecisionOpened, DiceRolled, Event, MatchEnded, NoteAdded
from projections.fork_points import ForkPoints, closed_upto, fork_points, points_of
from projections.state.limits import Limit
from projections.state.table import Table
from projections.state.view import EventSlice
from tests.support.rows import each_row

RULE, RED = RuleId("1"), Seat("red")
ROLL = DiceRolled(rule=RULE, faces=(3,), purpose="attack")
NOTE = NoteAdded(rule=RULE, seat=RED, text="a")
ASKED = DecisionOpened(rule=RULE, kind="turn", seat=RED)
ENDED = MatchEnded(rule=RULE, kind="rules", result="Victory", winners=(), winning_seats=())


@each_row(
    ("event", "number", "more", "points"),
    [
        (NOTE, 7, {}, ForkPoints(4, None)),
        (ROLL, 7, {}, ForkPoints(4, 6)),
        (ROLL, 5, {}, ForkPoints(4, None)),
        (ASKED, 9, {}, ForkPoints(9, None)),
        (ASKED, 8, {}, ForkPoints(4, None)),
        (ROLL, 7, {"is_new_deal": True}, ForkPoints(4, None)),
        (ROLL, 7, {"is_over": True}, ForkPoints()),
        (ROLL, 7, {"after": 3}, ForkPoints(4, 6)),
        (ROLL, 7, {"after": 4}, ForkPoints(None, 6)),
        (ROLL, 7, {"after": 5}, ForkPoints(None, 6)),
        (ROLL, 7, {"after": 6}, ForkPoints(None, None)),
    ],
)
def test_where_to_fork_in_order_to_change_an_event(
    event: Event, number: int, more: dict[str, int], points: ForkPoints
) -> None:
    """Its command is events 5 to 9."""
    assert fork_points(event, number, 5, 9, **more) == points  # type: ignore[arg-type]


def test_no_event_after_the_command_that_ended_the_match_can_be_changed() -> None:
    stream = [EventSlice(5, 0, (ROLL, ENDED)), EventSlice(7, 0, (NOTE,))]

    assert dict(points_of(stream)) == {5: ForkPoints(4), 6: ForkPoints(4), 7: ForkPoints()}


def test_a_stream_that_begins_within_a_command_is_told_where_that_begins() -> None:
    stream = [EventSlice(5, 0, (ROLL,)), EventSlice(6, 0, (NOTE, ROLL))]

    assert dict(points_of(stream, 3)) == {5: ForkPoints(2, 4), 6: ForkPoints(5), 7: ForkPoints(5, 6)}


def test_a_player_cannot_fork_before_what_a_fork_hides_from_the_seats() -> None:
    table = Table()
    table.limits = (Limit(3, RED, is_whole=True), Limit(8, RED, is_whole=False))

    assert (closed_upto(table, RED), closed_upto(table, ARBITER), closed_upto(Table(), RED)) == (8, 0, 0)
