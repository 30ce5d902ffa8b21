"""Forks that `check-game` makes of each match: at any event, and with what a seat does not know dealt again.

Each is played on for a while under watch, and audited.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from core.audit.match_audit import audit_match
from core.checking.conformance import FoldWatch, question_watch, require, side_watch
from core.checking.inventory_watch import InventoryWatch
from core.checking.randomness import Randomness
from core.engine.selection import onward
from core.history.match_reader import table_at
from core.match.fork import Forking, fork_match
from core.match.live_match import Match, Prepared
from core.match.player_commands import TakeSeat
from events.codec import encode, replace
from events.commit import decode_commit
from events.ids import ARBITER, AttributeKey, MatchId, Seat, match_id
from events.log import Log
from events.vocabulary import AttributeSet, Event
from projections.state.fold import fold
from projections.state.forks import RESAMPLE
from projections.state.table import Table

DEALS = 24
"""How often two secrets must be dealt alike, at most, until they count as dealt together; two of two values are by chance in one of 16 million."""

STEPS_MAX = 25
"""How many commands a fork is played on: enough to meet what was dealt again, and short beside the match itself."""


def forks_of(log: Log, parent: MatchId, rng: Randomness) -> Iterator["CheckedFork"]:
    """Yield a fork at some event, and for a match with secrets one that deals them again for each seat, when that is asked.

    Args:
        log: Where the match is kept, and its forks will be.
        parent: The match.
        rng: Decides where its forks leave it, and how they are played on.
    """
    table, ends, has_secrets = Table(), list[int](), False
    asked: dict[Seat, list[int]] = {}
    for stored in log.read(parent):
        events = decode_commit(stored.body).events
        fold(events, table)
        if table.ended is not None:
            break
        ends.append(stored.last)
        has_secrets = has_secrets or any(getattr(event, "seen_by", None) is not None for event in events)
        if table.top is not None:
            asked.setdefault(table.top.seat, []).append(stored.last)
    at = rng.randint(ends[0], ends[-1])
    yield CheckedFork(log, Forking(parent=parent, at=at, dice="seeded", seed=f"fork {rng.random()}"), rng)
    for seat in table.seats if has_secrets else ():
        at, seed = rng.choice(asked.get(seat, ends)), f"fork {rng.random()}"
        yield CheckedFork(log, Forking(parent=parent, at=at, dice="seeded", seed=seed, hidden=RESAMPLE, seat=seat), rng)


class CheckedFork(NamedTuple):
    """A fork to be made, played on and audited."""

    log: Log
    forking: Forking
    rng: Randomness

    @property
    def name(self) -> str:
        """Where it leaves its parent, and for whom what is hidden is dealt again."""
        dealt = "" if self.forking.seat == ARBITER else f" with what {self.forking.seat} does not know dealt again"
        return f"fork at event {self.forking.at}{dealt}"

    def check(self) -> None:
        """Make the fork, play it on and audit it.

        Raises:
            NotConforming: Something does not hold.
            KernelError: The fork cannot be made.
        """
        match = match_id(f"{self.name} of {self.forking.parent}")
        made = fork_match(self.log, match, self.forking, key="fork", at=0)
        self.log.append([prepared.new for prepared in made.commits])
        if self.forking.hidden == RESAMPLE:
            self._compare_options(made.match)
            self._compare_secrets(made.commits[0].commit.events)
        under_way = _UnderWay(self.log, made.match)
        under_way.play_on(self.rng)
        findings = audit_match(self.log, match).findings
        require(not findings, f"the audit finds {'; '.join(f'at event {one.seq}: {one.problem}' for one in findings)}")

    def _compare_options(self, fork: Match) -> None:
        """Compare what the seat may do with what it may in the parent: it must not depend on what the seat does not know."""
        rules, there = fork.ruleset.rules, table_at(self.log, self.forking.parent, self.forking.at)
        here, seat = fork.table, self.forking.seat
        if here.top is not None and here.top.seat == seat:
            require(
                rules.options(here) == rules.options(there),
                f"what {seat} may do depends on what it does not know: {rules.options(here)} or {rules.options(there)}",
            )

    def _compare_secrets(self, dealt: Sequence[Event]) -> None:
        """Check that secrets of one key are dealt independently: two that differ in the parent are not alike in every deal."""
        there = table_at(self.log, self.forking.parent, self.forking.at)
        alike, deals = {pair for pair in _pairs(there) if not _are_alike(there, pair)}, 0
        while alike := {pair for pair in alike if _are_dealt_alike(dealt, pair)}:
            deals += 1
            if deals == DEALS:
                (one, other, key), *_ = sorted(alike)
                require(
                    holds=False,
                    problem=f"{key} of {one} and of {other} is dealt again as one value, {DEALS} times of {DEALS}",
                )
            again = replace(self.forking, seed=f"{self.forking.seed}/{deals}")
            dealt = (
                fork_match(self.log, match_id(f"deal {deals} of {self.name}"), again, key="fork", at=0)
                .commits[0]
                .commit.events
            )


Pair = tuple[str, str, AttributeKey]
"""Two things that have a secret attribute of one key."""


def _pairs(table: Table) -> Iterator[Pair]:
    """Yield each two secret attributes of one key."""
    secret: dict[AttributeKey, list[str]] = {}
    for terms in table.terms:
        if terms.seen_by is not None:
            secret.setdefault(terms.key, []).append(terms.on)
    for key, things in secret.items():
        yield from ((one, other, key) for one, other in combinations(sorted(things), 2))


def _are_alike(table: Table, pair: Pair) -> bool:
    one, other, key = pair
    return table.attribute(one, key) == table.attribute(other, key)


def _are_dealt_alike(dealt: Sequence[Event], pair: Pair) -> bool:
    """Return whether both of a pair were dealt, and the same value to both."""
    values = {event.on: event.value for event in dealt if isinstance(event, AttributeSet) and event.key == pair[2]}
    return pair[0] in values and pair[1] in values and values[pair[0]] == values[pair[1]]


class _UnderWay:
    """A fork that is played on."""

    def __init__(self, log: Log, match: Match) -> None:
        self.log = log
        self.match = match

    def play_on(self, rng: Randomness) -> None:
        """Let all seats be taken and play some commands at random, under watch."""
        watches = (FoldWatch(), InventoryWatch(), question_watch, side_watch)
        for seat in self.match.table.seats:
            if seat not in self.match.table.players and self.match.table.ended is None:
                self._accept(seat, encode(TakeSeat(seat=seat, name="random bot")))
        for _ in range(STEPS_MAX):
            for watch in watches:
                watch(self)
            top = self.match.table.top
            if self.match.table.ended is not None or top is None:
                return
            options = self.match.ruleset.rules.options(self.match.table)
            require(bool(options), f"dead end at event {self.match.head.seq}: {top.kind} has no option")
            self._accept(top.seat, encode(rng.choice(onward(options))))

    def _accept(self, seat: Seat, command: bytes) -> None:
        done = self.match.prepare(seat, command, key=f"{self.match.id} {self.match.head.seq}", at=0)
        if not isinstance(done, Prepared):
            require(holds=False, problem=f"the option {command.decode()} is refused: {done.sentence}")
            return
        self.log.append([done.new])
        self.match.adopt(done)
