"""A comparison lists exactly the differences of two tables; two streams part at the first event that differs."""

from collections.abc import Callable
from random import Random

from events.ids import AttributeKey, CardId, MarkerId, MatchId, PieceId, PileId, PlaceId, RuleId, Seat, Side, TrackId
from events.vocabulary import ChanceScheme, MatchBegan, MatchForked, NoteAdded
from projections.diff import (
    AttributeDiff,
    ControlDiff,
    DecisionDiff,
    MarkerDiff,
    Parting,
    PieceDiff,
    PileDiff,
    TrackDiff,
    WordDiff,
    diff_tables,
    parting,
)
from projections.state.fold import fold
from projections.state.table import Ended, Open, Piece, Pile, Table
from tests.support.desk import Desk, skirmish_listed
from tests.support.rows import each_row

RED = Side("red")
ANN = Seat("ann")
RULE = RuleId("1")
TANK = Piece(PieceId("tank"), "armour", RED, PlaceId("a"))
BEGAN = MatchBegan(rule=RULE)
NOTE = NoteAdded(rule=RULE, seat=ANN, text="a")


def test_equal_tables_do_not_differ() -> None:
    with skirmish_listed():
        desk = Desk.open().play(20, Random(1))

        assert diff_tables(desk.table, fold(desk.events)).is_empty


def test_a_missing_piece_is_shown_with_its_state() -> None:
    diff = diff_tables(Table(pieces={TANK.id: TANK}), Table())

    assert diff.pieces == (PieceDiff(TANK.id, TANK, None),)
    assert not diff.is_empty


def test_every_kind_of_difference_is_listed() -> None:
    turn = Open("turn", ANN)
    over = Ended("rules", "Goal", (RED,))
    a = Table(
        round=1,
        control={PlaceId("a"): RED},
        markers={"a": {MarkerId("m"): 2}},
        attributes={"a": {AttributeKey("k"): ("x", "y"), AttributeKey("l"): 0}},
        tracks={TrackId("t"): 4},
        piles={PileId("p"): Pile((CardId("c"),))},
        stack=(turn,),
    )
    diff = diff_tables(a, Table(round=2, ended=over, attributes={"a": {AttributeKey("k"): ("x",)}}))

    assert diff.words == (WordDiff("round", "1", "2"),)
    assert diff.control == (ControlDiff(PlaceId("a"), RED, Side("")),)
    assert diff.markers == (MarkerDiff("a", MarkerId("m"), 2, 0),)
    assert diff.attributes == (
        AttributeDiff("a", AttributeKey("k"), ("x", "y"), ("x",)),
        AttributeDiff("a", AttributeKey("l"), 0, None),
    )
    assert diff.tracks == (TrackDiff(TrackId("t"), 4, 0),)
    assert diff.piles == (PileDiff(PileId("p"), Pile((CardId("c"),)), Pile()),)
    assert diff.decision == DecisionDiff(turn, None, None, over)


def test_an_empty_value_and_a_missing_one_are_equal() -> None:
    a = Table(control={PlaceId("a"): Side("")}, tracks={TrackId("t"): 0}, piles={PileId("p"): Pile()})

    assert diff_tables(a, Table()).is_empty


def test_players_of_seats_are_not_compared() -> None:
    assert diff_tables(Table(players={ANN: "Ann"}), Table(players={ANN: "Ben"})).is_empty


def _steps(table: Table) -> None:
    table.pieces = {TANK.id: Piece(TANK.id, "armour", RED, PlaceId("a"), steps=1)}


def _place(table: Table) -> None:
    table.pieces = {TANK.id: Piece(TANK.id, "armour", RED, PlaceId("b"))}


@each_row("change", [_steps, _place])
def test_any_change_of_a_piece_is_seen(change: Callable[[Table], None]) -> None:
    changed = Table()
    change(changed)

    assert [found.piece for found in diff_tables(Table(pieces={TANK.id: TANK}), changed).pieces] == [TANK.id]


def test_streams_part_at_the_first_event_that_differs() -> None:
    other = NoteAdded(rule=RULE, seat=ANN, text="b")

    assert parting([BEGAN, NOTE, BEGAN], [BEGAN, other, BEGAN]) == Parting(2, 2, NOTE, other)


def test_a_longer_stream_parts_where_the_other_ends() -> None:
    assert parting([BEGAN], [BEGAN, NOTE]) == Parting(1, 2, None, NOTE)


def test_equal_streams_do_not_part() -> None:
    assert parting([BEGAN, NOTE], [BEGAN, NOTE]) is None


def test_a_forking_event_is_not_a_difference() -> None:
    fork = MatchForked(
        rule=RULE, parent=MatchId("a"), at=1, chance=ChanceScheme(scheme="seeded/1"), hidden="truth", seat=ANN
    )
    other = NoteAdded(rule=RULE, seat=ANN, text="b")

    assert parting([BEGAN, NOTE], [BEGAN, fork, NOTE]) is None
    assert parting([BEGAN, NOTE], [BEGAN, fork, other]) == Parting(2, 3, NOTE, other)


def test_streams_without_events_do_not_part() -> None:
    assert parting([], []) is None
