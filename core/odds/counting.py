"""Counts chances: a command is run once for every way in which its chances can fall, and what each way leads to is added up.

Where there are too many ways, a number of them is taken at random instead, and each share is told with its interval. The choice is seeded
with what the seat knows, so that equal knowledge gives equal bytes.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from math import prod

from core.engine.chance_port import Chance
from core.engine.command import Command
from core.engine.decision import Rules
from core.engine.draft_chance import MatchOver
from core.narration.game_rolls import Assumed, GameRolls, Result
from core.odds.counting_draft import CountingDraft, PoolNoted, Settled
from core.odds.odds_lines import Odds, counted_lines, sampled_lines
from core.odds.possible_tables import PossibleTable, PossibleTables
from core.odds.roll_results import Roll
from events.codec import Struct
from events.ids import Seat

WORK_MAX = 100_000
"""How many events are emitted at most to count all ways, and again to take some at random: about half a second of work."""
WORK_OF_A_RUN = 20
"""A run costs as much as so many events, besides its events."""
HOPELESS = 3
"""How many times as much work as there may be the first way must promise, so that counting is not even begun."""
SAMPLES_MAX = 400
"""How many ways are taken at random at most."""
DEALS = 40
"""How many tables are dealt at random where results depend on hidden things that are not drawn. Dealing takes longer than a run, so that
each serves several ways; but for the interval each counts once, since nothing else is sure to be independent."""


Pools = dict[tuple[int, ...], tuple[Roll, ...]]
"""The rolls that begin after some branches and only count together."""
NO_POOL: tuple[Roll, ...] = ()


class _Way:
    """The branches of one run, and the pools that are known by the branches before them; None if rolls need not be pooled."""

    def __init__(self, pools: Pools | None, choose: Callable[[int, Sequence[int]], int]) -> None:
        self.taken: list[int] = []
        self.weights: list[Sequence[int]] = []
        self._pools = pools
        self._choose = choose

    def choose(self, weights: Sequence[int]) -> int:
        """Return the branch; see `core.odds.counting_draft.Branches`."""
        index = self._choose(len(self.taken), weights)
        self.taken.append(index)
        self.weights.append(weights)
        return index

    def pooled(self) -> tuple[Roll, ...] | None:
        """Return the rolls of a pool; see `core.odds.counting_draft.Branches`."""
        return NO_POOL if self._pools is None else self._pools.get(tuple(self.taken))

    def note_pool(self, rolls: tuple[Roll, ...]) -> None:
        """Note the rolls of a pool; see `core.odds.counting_draft.Branches`."""
        assert self._pools is not None, "only rolls of a pool are noted"
        self._pools[tuple(self.taken)] = rolls


class _Found(Struct, frozen=True):
    """Results of one way, and its cost."""

    results: tuple[Result, ...]
    assumed: tuple[str, ...]
    has_rolled: bool
    work: int


class Counting:
    """Counts what a command of a seat leads to.

    Args:
        rules: The rules of the match.
        rolls: What the game says of its rolls.
        seat: The seat, whose command it is.
        command: A legal command of the open decision.
    """

    def __init__(self, rules: Rules, rolls: GameRolls, seat: Seat, command: Command) -> None:
        self._rules = rules
        self._rolls = rolls
        self._seat = seat
        self._command = command

    def counted(self, world: PossibleTable) -> Odds | None:
        """Return the chances over all ways, or None if nothing is rolled that decides.

        Raises:
            TooManyWays: There are more than can be counted.
        """
        shares: dict[Result, dict[int, int]] = {}
        assumed: dict[str, None] = {}
        rolled, most, work = False, 1, 0
        for found, weight, total, branches in self._all_ways(world):
            rolled = rolled or bool(found.has_rolled and found.results)
            most = max(most, total)
            assumed.update(dict.fromkeys(found.assumed))
            for result in found.results:
                of_total = shares.setdefault(result, {})
                of_total[total] = of_total.get(total, 0) + weight
            work += found.work
            if work > WORK_MAX or (work == found.work and branches * work > HOPELESS * WORK_MAX):
                raise TooManyWays
        if not rolled:
            return None
        exact = {
            result: sum([Fraction(part, total) for total, part in of_total.items()], Fraction(0))
            for result, of_total in shares.items()
        }
        return Odds(counted_lines(exact), most, 0, tuple(assumed))

    def _all_ways(self, world: PossibleTable) -> Iterator[tuple[_Found, int, int, int]]:
        """Yield what each way leads to, with its weight, and with the sum of all weights and the number of ways if all are as long."""
        pools: Pools = {}
        path: list[int] = []

        def choose(depth: int, weights: Sequence[int]) -> int:
            return path[depth] if depth < len(path) else 0

        while True:
            found, way = self._run(world, pools, choose)
            weight = prod([weights[index] for index, weights in zip(way.taken, way.weights, strict=True)])
            yield found, weight, prod(map(sum, way.weights)), prod(map(len, way.weights))
            path = way.taken
            while path and path[-1] + 1 == len(way.weights[len(path) - 1]):
                path.pop()
            if not path:
                return
            path[-1] += 1

    def sampled(self, world_of: Callable[[int], PossibleTable], chance: Chance, deals: int = 0) -> Odds | None:
        """Return the chances over some ways taken at random, each with its interval, or None if nothing is rolled that decides.

        Args:
            world_of: Returns a table that may be the true one, by its number.
            chance: The source of the choice.
            deals: How many tables there are at most; 0 if all ways start from one.
        """
        counts: dict[Result, int] = {}
        assumed: dict[str, None] = {}
        rolled, work, samples = False, 0, 0
        while work <= WORK_MAX and samples < SAMPLES_MAX:
            # Rolls that only count together need not be known: any faces of theirs are as likely as they are.
            world = world_of(samples % deals if deals else 0)
            found, _ = self._run(world, None, _by_chance(chance, samples))
            samples, work = samples + 1, work + found.work
            if samples == 1 and not found.has_rolled:
                return None
            rolled = rolled or bool(found.results)
            assumed.update(dict.fromkeys(found.assumed))
            for result in found.results:
                counts[result] = counts.get(result, 0) + 1
        if not rolled:
            return None
        independent = min(samples, deals) if deals else samples
        return Odds(sampled_lines(counts, samples, independent), 0, samples, tuple(assumed))

    def _run(
        self,
        world: PossibleTable,
        pools: Pools | None,
        choose: Callable[[int, Sequence[int]], int],
    ) -> tuple[_Found, _Way]:
        """Run the command once, as often again as rolls that only count together become known."""
        while True:
            way = _Way(pools, choose)
            draft = CountingDraft(world.table.clone(), way, self._rolls, world.hidden.again())
            assumed: list[str] = []
            try:
                with suppress(MatchOver, Settled):
                    for pile in self._rolls.turned_up(world.table):
                        draft.turn_up(pile)
                    self._rules.take(draft, self._command)
                    while (answer := self._assumed(draft)) is not None:
                        assumed += [answer.words] if answer.words else []
                        command = self._rules.options(draft.table)[0] if answer.command is None else answer.command
                        self._rules.take(draft, command)
                draft.end_pool()
            except PoolNoted:
                continue
            results = self._rolls.results(world.table, draft.table, draft.events, self._seat)
            work = len(draft.events) + WORK_OF_A_RUN
            return _Found(results, tuple(assumed), draft.has_rolled, work), way

    def _assumed(self, draft: CountingDraft) -> Assumed | None:
        table = draft.table
        is_asked = table.ended is None and table.top is not None and bool(table.top.seat)
        return self._rolls.assumes(table, self._seat) if is_asked else None


class TooManyWays(Exception):
    """There are more ways than can be counted."""


def _by_chance(chance: Chance, number: int) -> Callable[[int, Sequence[int]], int]:
    """Return the choice of branches in a way that is taken at random, by the number of the way."""

    def choose(depth: int, weights: Sequence[int]) -> int:
        left = chance.dice(number, 1, sum(weights), f"branch {depth}")[0]
        for index, weight in enumerate(weights):
            left -= weight
            if left <= 0:
                return index
        raise AssertionError("a die shows more than it has sides")

    return choose


def odds_of(rules: Rules, rolls: GameRolls, worlds: PossibleTables, seat: Seat, command: Command) -> Odds | None:
    """Return the chances of what a legal command leads to before anybody decides again; None if it leads to nothing that is rolled for.

    Args:
        rules: The rules of the match.
        rolls: What the game says of its rolls.
        worlds: The tables that may be the true one by what the seat knows.
        seat: The seat whose command it is.
        command: The command.

    Raises:
        KernelError: What is hidden from the seat cannot be dealt.
    """
    counting = Counting(rules, rolls, seat, command)
    if worlds.is_only_one or not rolls.reads_hidden(worlds.known):
        with suppress(TooManyWays):
            return counting.counted(worlds.first())
        return counting.sampled(lambda _: worlds.first(), worlds.chance("ways"))
    return counting.sampled(worlds.numbered, worlds.chance("ways"), DEALS)
