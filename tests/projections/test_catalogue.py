"""The catalogue summarizes matches and groups forks into families."""

from random import Random

import pytest

from cli.commands.viewing.matches import Lateness, awaited
from core.match.live_match import Prepared
from events.ids import PUBLIC, MatchId
from events.vocabulary import ChanceScheme
from projections.catalogue import (
    SCHEMA,
    MatchSummary,
    Summary,
    damaged_match,
    decode_summary,
    dice_name,
    encode_summary,
    family,
    summarize,
)
from projections.state.table import Table
from projections.state.view import seat_number
from tests.support.desk import Desk, skirmish_listed
from tests.support.links import LinkedDesk
from tests.support.shapes import shape_of
from tests.support.skirmish import BLUE, RED


def entry(match: str, parent: str = "", forked_at: int = 0) -> MatchSummary:
    return summarize(MatchId(match), Table(parent=MatchId(parent)), forked_at).shown


def test_the_schema_is_raised_when_a_summary_holds_something_else() -> None:
    """Otherwise a store would show summaries of before without it. Raise `SCHEMA`, and write both here."""
    assert (SCHEMA, shape_of(Summary)) == (17, "be4a90f1dba6")


def test_an_entry_shows_the_state_of_a_match() -> None:
    with skirmish_listed():
        desk = Desk.open().play(500, Random(2))
        told = summarize(desk.match.id, desk.table).shown

    assert (told.game, told.scenario, told.dice) == ("skirmish", "field", "seeded")
    assert told.players == {"red": "Red", "blue": "Blue"}
    assert told.ended == desk.table.ended is not None
    assert told.seq == desk.table.seq
    assert (told.parent, told.forked_at) == ("", 0)


def test_a_summary_holds_credentials_and_the_number_of_events_that_each_seat_has_seen() -> None:
    with skirmish_listed():
        desk = Desk.open()
        note = desk.match.prepare(RED, b'{"do":"match:note","text":"mine","private":true}', key="note", at=0)
        assert isinstance(note, Prepared)
        summary = summarize(desk.match.id, note.table)

    assert summary.credentials == desk.table.credentials
    assert summary.numbers == {seat: seat_number(note.table, seat, note.table.seq) for seat in (RED, BLUE, PUBLIC)}
    assert summary.numbers[RED] == note.table.seq == summary.numbers[BLUE] + 1 == summary.numbers[PUBLIC] + 1
    assert note.table.top is not None
    assert summary.shown.to_move == note.table.top.seat


def test_a_summary_and_the_list_name_the_seat_whose_link_dice_wait_for() -> None:
    with skirmish_listed():
        desk = LinkedDesk.linked(begin=False)
        desk.open_link(BLUE)
        shown = summarize(MatchId("m"), desk.table).shown
        desk.accept({"do": "match:leave-seat"}, BLUE)
        with_a_free_seat = summarize(MatchId("m"), desk.table).shown

    assert (shown.links_due, with_a_free_seat.links_due) == ((RED,), ())
    assert awaited(shown, Lateness(0, None)) == "red (Red), a link for the dice"


def test_a_summary_survives_a_round_trip() -> None:
    with skirmish_listed():
        desk = Desk.open().play(9, Random(2))
    summary = summarize(desk.match.id, desk.table, 7)

    assert decode_summary(encode_summary(summary)) == summary


def test_a_stored_summary_that_is_damaged_or_of_another_schema_is_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    content = encode_summary(summarize(MatchId("m"), Table(phase="supply"), 7))
    for place in range(len(content)):
        flipped = bytearray(content)
        flipped[place] ^= 1

        assert decode_summary(bytes(flipped)) is None
    for short in (b"", content[:3], content[:4]):
        assert decode_summary(short) is None
    monkeypatch.setattr("projections.catalogue.SCHEMA", SCHEMA + 1)

    assert decode_summary(content) is None


def test_an_entry_of_a_fork_shows_its_fork_point() -> None:
    told = entry("b", "a", 17)

    assert (told.parent, told.forked_at) == ("a", 17)


def test_a_family_is_listed_from_its_root_in_the_order_of_fork_points() -> None:
    entries = [
        entry("a"),
        entry("late", "a", 9),
        entry("early", "a", 3),
        entry("grandchild", "early", 5),
        entry("stranger"),
    ]
    branches = family(entries, MatchId("grandchild"))

    assert [(branch.depth, branch.entry.match) for branch in branches] == [
        (0, "a"),
        (1, "early"),
        (2, "grandchild"),
        (1, "late"),
    ]


def test_a_fork_with_a_missing_parent_is_a_root() -> None:
    alone = entry("b", "gone", 1)

    assert [branch.entry for branch in family([alone], MatchId("b"))] == [alone]


def test_matches_that_claim_to_be_forks_of_each_other_are_each_shown_once() -> None:
    forged = [damaged_match(MatchId("a"), "forged", "b", 3), damaged_match(MatchId("b"), "forged", "a", 5)]

    assert sorted(branch.entry.match for branch in family(forged, MatchId("a"))) == ["a", "b"]
    assert [branch.entry.match for branch in family([damaged_match(MatchId("a"), "forged", "a", 1)], MatchId("a"))] == [
        "a"
    ]


def test_dice_of_an_unknown_version_do_not_get_the_name_of_a_known_one() -> None:
    names = [dice_name(ChanceScheme(scheme=scheme)) for scheme in ("sealed/2", "seeded/1", "manual/1", "")]

    assert names == ["sealed", "seeded", "manual", "unknown"]
