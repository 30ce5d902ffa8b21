"""A log whose table exceeds the bounds is refused at the first event beyond them, however events are grouped into commits."""

from collections.abc import Callable
from random import Random

import pytest

from core.audit.archive_checks import check_archive
from core.audit.match_audit import audit_match
from core.history.bounded_fold import UNCHECKED_ENTRIES, BoundedFold
from core.history.match_reader import read_match
from events.archive import export_match
from events.archive_reader import read_archive
from events.codec import replace
from events.commit import Commit
from events.errors import ArchiveError, BrokenEvidence
from events.ids import CardId, GameKey, MarkerId, MatchId, PieceId, PileId, PlaceId, RuleId, Seat, Side, TrackId
from events.vocabulary import (
    CardMoved,
    ControlChanged,
    DecisionOpened,
    DeckFormed,
    Event,
    ItemPicked,
    ItemUnpicked,
    MarkerPlaced,
    NoteAdded,
    PieceMoved,
    PiecePlaced,
    SeatTaken,
    StandingAnswerGiven,
    TrackMoved,
)
from projections.bounds import FEW_MAX, PRIVATE_EVENTS_MAX, THINGS_MAX, TOGETHER_MAX, excess
from projections.state.table import Table
from tests.support.desk import Desk
from tests.support.forgery import forged
from tests.support.rows import each_row

R, RED = RuleId("x"), Seat("red")

SHAPES: dict[str, tuple[Callable[[int], Event], int, str]] = {
    "decisions": (lambda _: DecisionOpened(rule=R, kind="a", seat=RED), FEW_MAX, "open decisions"),
    "seats": (lambda n: SeatTaken(rule=R, seat=Seat(f"{n}"), name="x"), FEW_MAX, "taken seats"),
    "standing answers": (
        lambda n: StandingAnswerGiven(rule=R, seat=Seat(f"{n}"), decision="a", answer="b"),
        FEW_MAX,
        "standing answers",
    ),
    "pieces in one place": (
        lambda n: PiecePlaced(rule=R, piece=PieceId(f"{n}"), kind="a", side=Side("red"), to=PlaceId("1")),
        TOGETHER_MAX,
        "pieces in one place",
    ),
    "pieces": (
        lambda n: PiecePlaced(rule=R, piece=PieceId(f"{n}"), kind="a", side=Side("red"), to=PlaceId(f"{n % 50}")),
        THINGS_MAX,
        "entries of pieces",
    ),
    "cards": (
        lambda n: CardMoved(rule=R, card=CardId(f"{n}"), was=PileId("a"), to=PileId("b")),
        TOGETHER_MAX,
        "cards in one pile",
    ),
    "listed cards": (
        lambda n: DeckFormed(rule=R, deck=PileId(f"{n}"), count=90, cards=tuple([CardId(f"{c}") for c in range(90)])),
        THINGS_MAX // 90,
        "cards",
    ),
    "control": (
        lambda n: ControlChanged(rule=R, place=PlaceId(f"{n}"), to=Side("red"), was=Side("")),
        THINGS_MAX,
        "places under control",
    ),
    "markers": (
        lambda n: MarkerPlaced(rule=R, marker=MarkerId(f"{n}"), on="1", count=1),
        FEW_MAX,
        "kinds of markers in one place",
    ),
    "tracks": (lambda n: TrackMoved(rule=R, track=TrackId(f"{n}"), to=1, was=0), THINGS_MAX, "entries of tracks"),
}


def piled(shape: str, count: int, per_commit: int) -> Desk:
    """Return a match that ends with many events of one kind."""
    make = SHAPES[shape][0]
    desk = Desk.open(seats=())
    commits = desk.commits
    first: Commit = commits[-1]
    for start in range(0, count, per_commit):
        events = tuple([make(start + n) for n in range(min(per_commit, count - start))])
        commits.append(replace(first, first=commits[-1].last + 1, key=f"k{start}", events=events))
    return forged(desk, commits, covered=True)


@each_row("per_commit", [10, 4_000])
@each_row("shape", SHAPES)
def test_an_oversized_table_is_broken_evidence(shape: str, per_commit: int) -> None:
    _, most, words = SHAPES[shape]
    desk = piled(shape, 4_000, per_commit)
    with pytest.raises(BrokenEvidence) as caught:
        read_match(desk.log, desk.match.id)

    assert f" {words}; " in caught.value.problem
    assert most < caught.value.seq <= most + 1_500


@each_row("shape", SHAPES)
def test_a_table_of_the_largest_size_is_read(shape: str) -> None:
    most = SHAPES[shape][1]
    desk = piled(shape, most, most)

    assert read_match(desk.log, desk.match.id).head.seq == most + 1


def test_an_import_names_the_commit() -> None:
    desk = piled("decisions", 4_000, 10)
    with pytest.raises(ArchiveError, match=r"the table cannot hold .* open decisions; 200 at most") as caught:
        check_archive(read_archive(export_match(desk.log, desk.match.id)))

    assert caught.value.line > 3


def test_one_surplus_entry_is_found_at_the_end() -> None:
    desk = piled("seats", FEW_MAX + 1, 10)

    with pytest.raises(BrokenEvidence, match="201 taken seats"):
        read_match(desk.log, desk.match.id)


def test_an_audit_without_the_rules_is_bounded_too() -> None:
    """If the game is not installed, no rules are run that would refuse the events."""
    desk = piled("decisions", 4_000, 4_000)
    opening, *others = desk.commits
    foreign = replace(opening, events=(replace(opening.events[0], game=GameKey("chess")),))
    report = audit_match(
        forged(desk, [foreign, *[replace(one, seat=RED) for one in others]], covered=True).log, desk.match.id
    )

    assert "open decisions" in report.findings[0].problem


def test_private_events_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sizes are measured at intervals, so an excess is found at most a few entries late."""
    most = PRIVATE_EVENTS_MAX // 10
    monkeypatch.setattr("projections.bounds.PRIVATE_EVENTS_MAX", most)
    table = Table()
    folding = BoundedFold(table)
    notes = [NoteAdded(rule=R, seat=RED, text="a", seen_by=(RED,))] * (most + UNCHECKED_ENTRIES)
    with pytest.raises(BrokenEvidence, match="events that only some seats know of"):
        folding.take(notes, MatchId("m"), 1 << 20)

    assert table.seq <= most + UNCHECKED_ENTRIES


@each_row("name", [name for name, kind in Table.__annotations__.items() if "dict" in str(kind)])
def test_every_dictionary_of_a_table_is_measured(name: str) -> None:
    """This includes fields that are added later."""
    table = Table()
    setattr(table, name, {f"{n}": () for n in range(THINGS_MAX + 1)})

    assert excess(table)


def test_commits_folded_together_give_the_same_table_as_one_by_one() -> None:
    """The undo history, which only the last commits need, included; also across a fork and after a command was taken back."""
    desk = Desk.open(dice="seeded").play(6, Random(4))
    fork = desk.fork(desk.match.head.seq, "seeded").play(3, Random(2))
    for log in (desk, fork):
        one_by_one, together = BoundedFold(first := Table()), BoundedFold(second := Table())
        for commit in log.commits:
            one_by_one.take(commit.events, commit.match, 500)
            together.add(commit.events, commit.match, 500)
        together.measure(log.match.id)

        assert first == second


def test_an_impossible_event_among_commits_folded_together_is_named() -> None:
    desk = Desk.open(dice="seeded").play(3, Random(4))
    folding = BoundedFold(Table())
    for commit in desk.commits:
        folding.add(commit.events, commit.match, 500)
    gone = PieceMoved(rule=R, piece=PieceId("nobody"), to=PlaceId("a"), was=PlaceId("b"))
    folding.add((gone,), desk.match.id, 500)

    with pytest.raises(BrokenEvidence) as caught:
        folding.measure(desk.match.id)
    assert caught.value.seq == desk.match.head.seq + 1


@each_row("event", [ItemPicked(rule=R, item="x", to="a"), ItemUnpicked(rule=R, item="x", was="a")])
def test_a_pick_without_a_question_cannot_have_happened(event: Event) -> None:
    with pytest.raises(BrokenEvidence, match="the event cannot follow those before it"):
        BoundedFold(Table()).take((event,), MatchId("m"), 0)
