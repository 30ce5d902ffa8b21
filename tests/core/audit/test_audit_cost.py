"""Families of forks of any depth are loaded and audited in time proportional to their events."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import FrameType

import pytest

from core.audit.match_audit import audit_match
from core.chance.chance_sources import ManualChance
from core.engine.draft import Draft
from core.history.match_reader import table_at
from core.match.arbitration.note_commands import PRIVATE_NOTES_MAX
from core.match.fork import FORK_COMMAND, make_fork
from core.match.live_match import load_match, prepared
from core.secrets.dealers import Dealer
from core.secrets.knowledge import Knowledge
from events.commit import Head
from events.ids import ARBITER, MatchId, RuleId, Seat
from events.log import Log, NewCommit, Origin
from events.memory_log import MemoryLog
from events.vocabulary import ChanceScheme, MatchForked
from projections.state.forks import carried_on
from projections.state.view import log_number, seat_number
from server.store.sqlite_log import SqliteLog
from tests.support.desk import NOON, Desk
from tests.support.rows import each_row

RED, BLUE = Seat("red"), Seat("blue")
DEEP = 1_200


def chained(parent: Desk, depth: int, dice: str) -> MatchId:
    """Fork a match, that fork, and so on, each at the first event of the previous one; return the last.

    This does the steps of `fork_match` without reading the whole parent for each fork, which is not measured.
    """
    table = table_at(parent.log, parent.match.id, parent.match.head.seq)
    rules = parent.match.ruleset.rules
    origin, named, batch = Origin(parent.match.id, parent.match.head.seq, parent.match.head.hash), parent.match.id, []
    for number in range(depth):
        name = MatchId(f"f{number}")
        draft = Draft(table, ManualChance())
        chance = carried_on(table.chance) if dice == "same" else ChanceScheme(scheme="seeded/1", seed=str(number))
        event = MatchForked(
            rule=RuleId("match.fork"), parent=named, at=origin.seq, chance=chance, hidden="truth", seat=RED
        )
        make_fork(draft, rules, event, no_knowledge, no_dealer)
        head = Head(origin.seq, origin.hash)
        new = prepared(name, head, draft, seat=RED, command=FORK_COMMAND, key="fork", at=NOON).new
        batch.append(NewCommit(name, new.first, new.last, new.key, new.hash, new.body, origin))
        origin, named = Origin(name, new.last, new.hash), name
    parent.log.append(batch)
    return named


def no_knowledge() -> Knowledge:
    """Fail: these forks keep the hidden cards and need no knowledge."""
    raise AssertionError("these forks deal nothing again")


def no_dealer() -> Dealer:
    """Fail: these forks keep the hidden cards and deal nothing."""
    raise AssertionError("these forks deal nothing again")


def calls_of(work: Callable[[], object]) -> int:
    """Return how many Python functions some work calls, a measure of cost that does not depend on the machine's load."""
    count = 0

    def watch(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(watch)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def played(log: Log, dice: str) -> Desk:
    """Play a match of the test game to its end."""
    return Desk.open(dice=dice, log=log).play(500, Random(1))


@pytest.fixture(params=["memory", "sqlite"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Log]:
    """A log of each kind."""
    if request.param == "memory":
        yield MemoryLog()
    else:
        with SqliteLog(tmp_path / "chain.db") as kept:
            yield kept


@pytest.mark.parametrize("dice", ["seeded", "same"])
def test_a_chain_of_many_forks_is_loaded_and_audited(log: Log, dice: str) -> None:
    """match.fork: the depth must not lead to recursion."""
    last = chained(played(log, "seeded" if dice == "same" else "sealed"), DEEP, dice)
    match = load_match(log, last)
    report = audit_match(log, last)

    assert (match.head.seq, report.findings) == (report.events, ())
    assert report.commits > DEEP


@pytest.mark.parametrize("dice", ["seeded", "same"])
def test_the_audit_of_a_chain_of_forks_costs_in_proportion_to_its_length(tmp_path: Path, dice: str) -> None:
    """match.fork: four times as many forks cost about four times as much, not sixteen times."""
    costs = []
    for depth in (100, 400):
        with SqliteLog(tmp_path / f"{depth}.db") as log:
            parent = Desk.open(dice="seeded" if dice == "same" else "sealed", log=log)
            last = chained(parent, depth, dice)
            costs.append(calls_of(lambda log=log, last=last: audit_match(log, last)))  # type: ignore[misc]

    assert costs[1] < 5 * costs[0]


def test_the_audit_of_a_chain_of_new_deals_costs_in_proportion_to_its_length() -> None:
    """match.resample: each seat's knowledge is carried from fork to fork, not computed again for each."""
    desk, costs = Desk.open().play(2, Random(1)), []
    for number in range(40):
        seat = (RED, BLUE)[number % 2]
        desk = desk.fork(desk.match.head.seq, "seeded", f"f{number}", seat, hidden="resample", seed=f"{number}")
        if number in (9, 39):
            costs.append(calls_of(desk.audit))

    assert costs[1] < 5 * costs[0]


@each_row("seat", [RED, BLUE, ARBITER])
def test_the_cost_of_a_seats_number_does_not_grow_with_notes(seat: Seat) -> None:
    """match.notes"""
    desk = Desk.open()
    few, many = desk.table.clone(), desk.table.clone()
    first = few.seq
    many.seq += PRIVATE_NOTES_MAX * 3
    many.private_events = tuple(range(first + 1, many.seq + 1))
    many.private_events_of = {RED: many.private_events[::2], BLUE: many.private_events[1::2]}
    few.private_events = (first + 1,)
    last = seat_number(many, seat, many.seq)

    assert calls_of(lambda: seat_number(many, seat, many.seq)) == calls_of(lambda: seat_number(few, seat, first + 1))
    assert calls_of(lambda: log_number(many, seat, last)) <= 60
    assert seat_number(many, seat, log_number(many, seat, last)) == last
