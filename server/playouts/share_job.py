"""Finds the shares of wins at the points of a match pass by pass: each pass tells what is known so far, for those who cannot wait for all."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from core.errors import KernelError
from core.game.bound_game import BoundGame
from core.trials.trial import Outcome
from core.trials.win_shares import SharePoint, WinShares, even, steepest, wins_of
from events.codec import encode
from events.ids import Seat
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.undo_history import Undone
from projections.state.view import EventSlice
from server.playouts.trial_job import Batch, TrialPlan, run_batch

PLAYOUTS = 40
"""How many playouts of each point there are unless more or fewer are wanted."""
POINTS = 22
"""How many points there are at most, without the end."""
FIRST = 8
"""How many points there are at first; the others follow where the shares change most."""
ADDED = 5
"""How many points are added in one pass."""
FEW = 2
"""How many playouts of each of the first points are told already, where one takes seconds."""
PASS = 10
"""How many playouts of each point are added in one pass."""

Run = Callable[[Sequence[Batch]], Iterable["list[Outcome] | str"]]
"""Runs batches, and returns what came of each: outcomes, or why there are none."""


class Played(NamedTuple):
    """A match as a seat has seen it, whole or so far.

    Attributes:
        bound: The game on its board.
        seen: What the seat has seen, commit by commit.
        is_whole: Whether it has seen all, so that nothing is dealt.
        policy: The bot that plays on.
        seed: The same seed gives the same playouts.
    """

    bound: BoundGame
    seen: Sequence[EventSlice]
    policy: str
    seed: str
    is_whole: bool = False


def run_or_problem(batch: Batch) -> list[Outcome] | str:
    """Return the outcomes of some playouts, or why there are none."""
    try:
        return run_batch(batch)
    except KernelError as error:
        return str(error)


def stops_of(seen: Iterable[EventSlice]) -> tuple[list[int], Table]:
    """Return the events after which bots can play on, those taken back left out, and the last table."""
    table, undone, stops = Table(), Undone(), list[int]()
    for slice_ in seen:
        fold(slice_.events, table)
        undone.take(slice_.events)
        if table.top is not None and table.top.seat and table.began and table.ended is None:
            stops.append(slice_.last)
    return [stop for stop in stops if stop not in undone.numbers], table


def found_shares(match: Played, run: Run, *, playouts: int = PLAYOUTS, points: int = POINTS) -> Iterator[WinShares]:
    """Yield the shares of wins of a match, pass by pass: more points at first, and then more playouts of each."""
    shares = _Shares(match, run)
    told = WinShares(policy=match.policy, seed=match.seed, until=playouts, problem="nothing was decided in it")
    shares.add(min(FIRST, points), min(FEW, playouts))
    if not shares.found:
        yield _with_problem(told, shares.problem or told.problem)
        return
    yield shares.told(playouts)
    if shares.playouts < min(PASS, playouts):
        shares.play_on(min(PASS, playouts) - shares.playouts)
        yield shares.told(playouts)
    for wanted in range(min(FIRST, points) + ADDED, points + ADDED, ADDED):
        shares.add(min(wanted, points), shares.playouts)
        yield shares.told(playouts)
    while shares.playouts < playouts:
        shares.play_on(min(PASS, playouts - shares.playouts))
        yield shares.told(playouts)


def _with_problem(told: WinShares, problem: str) -> WinShares:
    return WinShares(policy=told.policy, seed=told.seed, problem=problem)


class _Shares:
    """The playouts so far of a match.

    Args:
        match: The match.
        run: Runs batches.
    """

    def __init__(self, match: Played, run: Run) -> None:
        self._match = match
        self._run = run
        self._stops, self._table = stops_of(match.seen)
        self._events = [event for slice_ in match.seen for event in slice_.events]
        self._plans: dict[int, TrialPlan] = {}
        self.found: dict[int, list[Outcome]] = {}
        self.playouts = 0
        self.problem = ""

    def add(self, count: int, playouts: int) -> None:
        """Add points until there are so many, where the shares change most; a point from which nothing can be dealt is left out."""
        self.playouts = playouts
        wanted = steepest(self._stops, self._points(), count - len(self.found)) if self.found else []
        self._play(wanted if self.found else even(self._stops, count), playouts)

    def play_on(self, playouts: int) -> None:
        """Play on so many times more from each point."""
        self._play(list(self.found), playouts)
        self.playouts += playouts

    def _play(self, numbers: Sequence[int], playouts: int) -> None:
        batches = [Batch(self._plan(number), b"", len(self.found.get(number, ())), playouts) for number in numbers]
        for number, came in zip(numbers, self._run(batches), strict=True):
            if isinstance(came, str):
                self.problem = came
                self._stops.remove(number)
            else:
                self.found.setdefault(number, []).extend(came)

    def _plan(self, number: int) -> TrialPlan:
        if number not in self._plans:
            match, seats = self._match, self._table.seats
            self._plans[number] = TrialPlan(
                game=self._table.game,
                bound=match.bound,
                events=encode(self._events[:number]),
                is_whole=match.is_whole,
                policies=tuple([(Seat(seat), match.policy) for seat in seats]),
                seed=match.seed,
                until="end",
            )
        return self._plans[number]

    def _points(self) -> list[SharePoint]:
        return [SharePoint(number, wins_of(self.found[number], self._table)) for number in sorted(self.found)]

    def told(self, until: int) -> WinShares:
        """Return what is known so far."""
        match = self._match
        return WinShares(
            policy=match.policy, seed=match.seed, playouts=self.playouts, until=until, points=tuple(self._points())
        )
