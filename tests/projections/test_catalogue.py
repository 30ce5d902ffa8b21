"""The catalogue says at a glance what a match is, and which forks belong together."""

from random import Random

from events.commit import GENESIS
from events.ids import MatchId
from events.log import Origin
from projections.catalogue import catalogue_entry, family
from projections.table import Table
from tests.support.desk import Desk, skirmish_listed


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
    entry = catalogue_entry(MatchId("b"), Table(), Origin(MatchId("a"), 17, GENESIS))

    assert (entry.parent, entry.forked_at) == ("a", 17)


def test_a_family_is_listed_from_its_root_with_forks_in_the_order_of_leaving() -> None:
    origins = {
        "a": None,
        "late": Origin(MatchId("a"), 9, GENESIS),
        "early": Origin(MatchId("a"), 3, GENESIS),
        "grandchild": Origin(MatchId("early"), 5, GENESIS),
        "stranger": None,
    }
    entries = [catalogue_entry(MatchId(name), Table(), origin) for name, origin in origins.items()]
    branches = family(entries, MatchId("grandchild"))

    assert [(branch.depth, branch.entry.match) for branch in branches] == [
        (0, "a"),
        (1, "early"),
        (2, "grandchild"),
        (1, "late"),
    ]


def test_a_fork_whose_parent_is_not_here_is_a_root() -> None:
    entry = catalogue_entry(MatchId("b"), Table(), Origin(MatchId("gone"), 1, GENESIS))

    assert [branch.entry for branch in family([entry], MatchId("b"))] == [entry]
