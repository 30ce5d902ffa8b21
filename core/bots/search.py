"""A search: candidates are played on by a quick bot in common worlds with common luck, and the worse half of them is dropped again and again.

A world is dealt from what the seat knows. Each candidate is played on from the same worlds, with the same seeds of dice, to the same point of
the sequence of play, so that ending a step does not look better only because more of the future is seen after it.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from math import ceil, log2, sqrt

from core.bots.bot_port import Answer, Asked, Considered, Policy, answer_of
from core.bots.evaluation import Evaluation
from core.bots.streams import Stream
from core.bots.world import RandomChance, World, turn_of
from core.engine.command import Command
from core.engine.selection import Choose, Done, Pick, after_pick, onward
from events.codec import Struct, encode
from events.ids import Seat
from projections.state.table import Table

PLAYOUTS = 60
"""Playouts of a decision without a budget."""

COMMANDS_MAX = 2_000
"""The most commands of a playout, which is judged where it stands then."""

_CHANCES = 1 << 32


class Style(Struct, frozen=True):
    """Settings of a game's search.

    Attributes:
        candidates: The most candidates that are tried.
        ahead: How many ends of turns a playout goes on for, 1 for the end of this turn.
        noise: The share of decisions in playouts that are taken at random, 0 to 1.
        sure: Another option than the quick bot's own replaces it if it is better by so many standard errors.
        worlds_least: In so many worlds each candidate is tried before any is dropped.
    """

    candidates: int = 8
    ahead: int = 1
    noise: float = 0.05
    sure: float = 1.0
    worlds_least: int = 2


class _Candidate:
    """A candidate, and its chance to win in each world so far."""

    __slots__ = ("chances", "command")

    def __init__(self, command: Command) -> None:
        self.command = command
        self.chances: list[float] = []

    @property
    def mean(self) -> float:
        """The mean of its chances; at least one is needed."""
        return sum(self.chances) / len(self.chances)


class Search:
    """Search of a game: a policy.

    Args:
        quick: The bot that proposes candidates, and plays on.
        evaluation: Judges positions where playouts stop.
        style: The settings.
    """

    def __init__(self, quick: Policy, evaluation: Evaluation, style: Style) -> None:
        self.quick = quick
        self.evaluation = evaluation
        self.style = style

    def __call__(self, asked: Asked) -> Answer:
        """Choose the option that wins most often; the quick bot's own choice unless another is better beyond doubt."""
        found = answer_of(self.quick, asked)
        commands = list(islice(_candidates(found, asked, self.quick), self._most(asked)))
        if len(commands) == 1:
            return found
        tried = [_Candidate(command) for command in commands]
        self._halve(asked, tried)
        considered = [Considered(one.command, one.mean, len(one.chances)) for one in tried]
        best = self._best(tried)
        return Answer(best.command, tuple(considered), best.mean)

    def _most(self, asked: Asked) -> int:
        """Return how many candidates a budget allows, 2 or more."""
        allowed = asked.budget.playouts // self.style.worlds_least
        return max(2, min(self.style.candidates, allowed)) if asked.budget.playouts else self.style.candidates

    def _halve(self, asked: Asked, tried: Sequence[_Candidate]) -> None:
        """Try the candidates in further worlds until the budget is spent; from time to time the worse half of those left is dropped, never the first."""
        left = list(tried)
        halvings = ceil(log2(len(left)))
        playouts = 0
        for number, world in enumerate(asked.imagine(), start=1):
            seed = asked.below(_CHANCES)
            for one in left:
                one.chances.append(self._playout(asked, world.table, one.command, seed))
            playouts += len(left)
            spent = asked.spent(playouts, PLAYOUTS)
            if (
                number >= self.style.worlds_least
                and len(left) > 2
                and spent * halvings > log2(len(tried) / len(left)) + 1
            ):
                kept = sorted(left[1:], key=lambda one: -one.mean)[: ceil(len(left) / 2) - 1]
                left = [left[0], *kept]
            if spent * (1 + len(left) / playouts) > 1.0:
                return

    def _best(self, tried: Sequence[_Candidate]) -> _Candidate:
        """Return the candidate of the best mean among those tried longest, if it is better than the first beyond doubt, else the first."""
        first = tried[0]
        most = len(first.chances)
        best = max([one for one in tried if len(one.chances) == most], key=lambda one: one.mean)
        gains = [mine - its for mine, its in zip(best.chances, first.chances, strict=True)]
        return best if _is_sure(gains, self.style.sure) else first

    def _playout(self, asked: Asked, table: Table, command: Command, seed: int) -> float:
        """Play a candidate and then on; return the chance of the seat to win."""
        world = World(asked.rules, table, RandomChance(Stream(seed)))
        below = Stream(seed + 1)
        world.play(command)
        stop = _Stop(table, self.style.ahead)
        world.play_on(lambda seat: self._quick_move(asked, world, seat, below), stop.is_reached, COMMANDS_MAX)
        return self.evaluation.chance(asked.rules, world.table, asked.seat)

    def _quick_move(self, asked: Asked, world: World, seat: Seat, below: Stream) -> Command:
        now = Asked(asked.rules, world.table, seat, world.options, below)
        if below(_CHANCES) < self.style.noise * _CHANCES:
            return now.any_option()
        return answer_of(self.quick, now).command


class _Stop:
    """The point of the sequence of play at which playouts stop: after so many ends of turns."""

    __slots__ = ("_left", "_turn")

    def __init__(self, table: Table, ahead: int) -> None:
        self._turn = turn_of(table)
        self._left = ahead

    def is_reached(self, table: Table) -> bool:
        """Return whether the point is reached; asked after each command."""
        turn = turn_of(table)
        if turn != self._turn:
            self._turn = turn
            self._left -= 1
        return self._left <= 0


def _is_sure(gains: Sequence[float], errors: float) -> bool:
    """Return whether the mean of gains is above 0 by so many standard errors; never with less than two."""
    number = len(gains)
    if number < 2:
        return False
    mean = sum(gains) / number
    variance = sum([(gain - mean) ** 2 for gain in gains]) / (number - 1)
    return mean > 0 and mean > errors * sqrt(variance / number)


def _candidates(found: Answer, asked: Asked, quick: Policy) -> Iterator[Command]:
    """Yield whole commands, each once: the quick bot's choice, then its considered options from the best on, one of each kind first.

    A pick is the whole choice that the quick bot makes after it.
    """
    yielded = {encode(found.command)}
    yield found.command
    for command in _ordered(found):
        whole = _whole(command, asked, quick) if isinstance(command, Pick) else command
        if encode(whole) not in yielded:
            yielded.add(encode(whole))
            yield whole


def _whole(pick: Pick, asked: Asked, quick: Policy) -> Command:
    """Return the whole choice that the quick bot makes after a first pick, or the pick if it is the answer."""
    if asked.rules.bounds(asked.table) == (1, 1):
        return pick
    ahead = after_pick(asked.table, pick)
    further = onward(asked.rules.options(ahead))
    if not further:
        return pick
    then = answer_of(quick, Asked(asked.rules, ahead, asked.seat, further, asked.below)).command
    open_ = ahead.stack[-1]
    return Choose(open_.picked, open_.places) if isinstance(then, Done) else then


def _ordered(found: Answer) -> Iterator[Command]:
    """Yield what the quick bot considered from the best on, one of each kind first."""
    worths = sorted(found.considered, key=lambda one: -one.worth)
    kinds: set[type[Command]] = {type(found.command)}
    rest: list[Command] = []
    for one in worths:
        if type(one.command) in kinds:
            rest.append(one.command)
        else:
            kinds.add(type(one.command))
            yield one.command
    yield from rest
