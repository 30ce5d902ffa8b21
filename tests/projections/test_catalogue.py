"""The catalogue says at a glance what a match is, and which forks belong together."""

from random import Random

from events.ids import ARBITER, MatchId, RuleId
from events.vocabulary import ChanceScheme, MatchForked
from projections.catalogue import catalogue_entry, damaged_entry, dice_name, family
from projections.table import Table
from tests.support.desk import Desk, skirmish_listed


def forked(parent: str, at: int) -> MatchForked:
    return MatchForked(
        rule=RuleId("1"), parent=MatchId(parent), at=at, chance=ChanceScheme(scheme=""), hidden="truth", seat=ARBITER
    )


def test_an_entry_tells_how_a_match_stands() -> None:
    with skirmish_listed():
        desk = Desk.open().play(500, Random(2))
        entry = catalogue_entry(desk.match.id, desk.table, None)

    assert (entry.game, entry.scenario, entry.dice) == ("skirmish", "field", "seeded")
    assert entry.players == {"red": "Red", "blue": "Blue"}
    assert entry.ended == desk.table.ended is not None
    assert entry.seq == desk.table.seq
    assert (entry.parent, entry.forked_at) == ("", 0)


def test_a_fork_tells_where_it_left_its_parent() -> None:
    entry = catalogue_entry(MatchId("b"), Table(), forked("a", 17))

    assert (entry.parent, entry.forked_at) == ("a", 17)


def test_a_family_is_listed_from_its_root_with_forks_in_the_order_of_leaving() -> None:
    forks = {
        "a": None,
        "late": forked("a", 9),
        "early": forked("a", 3),
        "grandchild": forked("early", 5),
        "stranger": None,
    }
    entries = [catalogue_entry(MatchId(name), Table(), fork) for name, fork in forks.items()]
    branches = family(entries, MatchId("grandchild"))

    assert [(branch.depth, branch.entry.match) for branch in branches] == [
        (0, "a"),
        (1, "early"),
        (2, "grandchild"),
        (1, "late"),
    ]


def test_a_fork_whose_parent_is_not_here_is_a_root() -> None:
    entry = catalogue_entry(MatchId("b"), Table(), forked("gone", 1))

    assert [branch.entry for branch in family([entry], MatchId("b"))] == [entry]


def test_matches_that_claim_to_be_forks_of_each_other_are_each_shown_once() -> None:
    forged = [damaged_entry(MatchId("a"), "forged", "b", 3), damaged_entry(MatchId("b"), "forged", "a", 5)]

    assert sorted(branch.entry.match for branch in family(forged, MatchId("a"))) == ["a", "b"]
    assert [branch.entry.match for branch in family([damaged_entry(MatchId("a"), "forged", "a", 1)], MatchId("a"))] == [
        "a"
    ]


def test_dice_of_an_unknown_version_are_not_called_by_the_name_of_the_known_one() -> None:
    names = [dice_name(ChanceScheme(scheme=scheme)) for scheme in ("sealed/1", "sealed/2", "manual/1", "")]

    assert names == ["sealed", "sealed/2", "manual", "unknown"]
