"""Plays one pair of matches between two bots: the same dice, seats swapped. Runs in a process of its own."""

import random
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import NamedTuple

from typing_extensions import override

from cli.schemas.arena import ArenaMatchShape, PairShape
from cli.shell.child_bot import BotFault, ChildBot, bot_of, title_of
from core.bots.bot_port import Asked, Policy, answer_of
from core.bots.budget import Budget
from core.checking.simulated_match import Plan, SimulatedMatch, WentWrong
from core.engine.command import Command
from core.game.game_record import Mode
from core.registry.games import load_game
from events.codec import one_line
from events.ids import Seat, Side
from events.vocabulary import Value

FAULT_CHARACTERS_MAX = 300

NO_END, FORFEIT, ADJUDICATED = "no end", "forfeit", "adjudicated"
"""The results of matches that the rules did not end."""


class Contender(NamedTuple):
    """A bot of the arena: its policy or command line, and its budget."""

    policy: str
    budget: Budget

    @property
    def title(self) -> str:
        """The bot as it is typed."""
        return title_of(self.policy, self.budget)


class Agreement(NamedTuple):
    """Agreement that ends a match: every seat has said so many `times` in a row that the same bot wins with the chance `sure`; 0 for never."""

    sure: float
    times: int


NEVER = Agreement(1.0, 0)


class PairPlan(NamedTuple):
    """A pair to be played: all that its course depends on, but for budgets and limits of time."""

    number: int
    game: str
    scenario: str
    mode: str
    options: dict[str, Value]
    bots: tuple[Contender, Contender]
    seed: str
    steps_max: int
    stall_s: float
    shows_errors: bool = False
    agreement: Agreement = NEVER


class Stalled(BaseException):
    """A bot has thought for too long. It derives from `BaseException`, so that a bot does not catch it by chance."""


class Forfeit(Exception):
    """A bot has lost by a fault of its own; the message says which."""

    def __init__(self, seat: Seat, why: str) -> None:
        super().__init__(why)
        self.seat = seat


class Adjudicated(Exception):
    """The bots agree who wins: all these seats."""

    def __init__(self, winners: tuple[Seat, ...]) -> None:
        super().__init__()
        self.winners = winners


class Opinions:
    """Chances to win as the bots of a match see them.

    Args:
        bots: Which bot has each seat.
        agreement: When they agree.
    """

    def __init__(self, bots: dict[Seat, int], agreement: Agreement) -> None:
        self._bots = bots
        self._agreement = agreement
        self._held: dict[Seat, tuple[bool, int]] = {}

    def hear(self, seat: Seat, chance: float | None) -> None:
        """Take note of the chance that a bot gives its seat; one that says nothing changes nothing.

        Raises:
            Adjudicated: All seats have agreed for long enough.
        """
        sure, times = self._agreement
        if not times or chance is None:
            return
        is_won = chance >= sure
        if not is_won and chance > 1 - sure:
            self._held.pop(seat, None)
            return
        before, count = self._held.get(seat, (is_won, 0))
        self._held[seat] = is_won, 1 + (count if before == is_won else 0)
        if len(self._held) < len(self._bots) or min(count for _, count in self._held.values()) < times:
            return
        said = {(self._bots[one], won) for one, (won, _) in self._held.items()}
        playing = set(self._bots.values())
        winning = {bot for bot, won in said if won}
        if len(said) == len(playing) and (len(playing) == 1 or len(winning) == 1):
            raise Adjudicated(tuple([one for one, bot in self._bots.items() if bot in winning]))


class ArenaMatch(SimulatedMatch):
    """A match in which a bot that raises an error, stalls or plays what is not legal loses.

    `spent_s` is how long each seat has thought, and `decisions` how often.

    Args:
        plan: The match.
        budgets: How much the bots may think.
        stall_s: A bot that thinks for longer about a decision loses (seconds).
        shows_errors: Whether what child processes write to stderr is shown.
    """

    def __init__(self, plan: Plan, budgets: dict[Seat, Budget], stall_s: float, *, shows_errors: bool) -> None:
        self.stall_s = stall_s
        self._shows_errors = shows_errors
        self._children: list[ChildBot] = []
        super().__init__(plan, random.Random)
        self.budgets = budgets
        self.clock = time.perf_counter
        self.spent_s: dict[Seat, float] = dict.fromkeys(plan.bots, 0.0)
        self.decisions: dict[Seat, int] = dict.fromkeys(plan.bots, 0)
        self.opinions: Opinions | None = None

    @override
    def policy(self, name: str) -> Policy:
        bot = bot_of(
            name,
            load_game(self.plan.game),
            self.match.ruleset.game,
            limit_s=self.stall_s,
            shows_errors=self._shows_errors,
        )
        if isinstance(bot, ChildBot):
            self._children.append(bot)
        return bot

    def end(self) -> bool:
        """End the bots that are child processes, and return whether each ended by itself."""
        ended = [child.end() for child in self._children]
        return all(ended)

    @override
    def choose(self, policy: Policy, asked: Asked) -> Command:
        began = time.perf_counter()
        try:
            with _bounded(self.stall_s):
                answer = answer_of(policy, asked)
        except Stalled:
            raise Forfeit(asked.seat, f"thought for more than {self.stall_s:g} s about one decision") from None
        except BotFault as error:
            raise Forfeit(asked.seat, error.fault) from None
        except Exception as error:
            raise Forfeit(asked.seat, f"raised {type(error).__name__}: {error}") from error
        spent = time.perf_counter() - began
        self.spent_s[asked.seat] += spent
        self.decisions[asked.seat] += 1
        if spent > self.stall_s:
            raise Forfeit(asked.seat, f"thought for more than {self.stall_s:g} s about one decision")
        command = answer.command
        # What a policy returns is not checked anywhere before.
        if not isinstance(command, Command):
            raise Forfeit(asked.seat, f"answered {type(command).__name__}, which is no command")
        refusal = self.rules.refuse(self.match.table, asked.seat, command)
        if refusal is not None:
            raise Forfeit(asked.seat, f"played an illegal command: {refusal.code} ({refusal.rule})")
        if self.opinions is not None:
            self.opinions.hear(asked.seat, answer.chance)
        return command


@contextmanager
def _bounded(seconds: float) -> Iterator[None]:
    """Interrupt what runs for longer, where the system can.

    Raises:
        Stalled: It ran for longer.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stall(_: int, __: FrameType | None) -> None:
        raise Stalled

    before = signal.signal(signal.SIGALRM, stall)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def teams(mode: Mode) -> tuple[tuple[Seat, ...], ...]:
    """Return the seats that one bot plays together: those of a side, or each by itself while sides are not settled."""
    by_side: dict[Side | Seat, tuple[Seat, ...]] = {}
    for seat, side in mode.seats.items():
        by_side[side or seat] = (*by_side.get(side or seat, ()), seat)
    return tuple(by_side.values())


def play_pair(plan: PairPlan) -> PairShape:
    """Play both matches of a pair; alone at the table, each bot plays one of them."""
    mode = load_game(plan.game).scenario(plan.scenario).mode(plan.mode)
    sides = teams(mode)
    matches = [_played(plan, sides, turn) for turn in (0, 1)]
    points = sum([round(2 * match.score) for match in matches])
    return PairShape(number=plan.number, seed=plan.seed, half_points=points, matches=tuple(matches))


def _played(plan: PairPlan, sides: Sequence[tuple[Seat, ...]], turn: int) -> ArenaMatchShape:
    """Play a match of a pair; `turn` is the place of the bot that plays the first side."""
    sat = {seat: (number + turn) % 2 for number, seats in enumerate(sides) for seat in seats}
    bots = {seat: plan.bots[bot].policy for seat, bot in sat.items()}
    simulated = Plan(
        plan.number, plan.game, plan.scenario, plan.mode, plan.options, bots, plan.seed, plan.steps_max, False, ""
    )
    budgets = {seat: plan.bots[bot].budget for seat, bot in sat.items()}
    match = ArenaMatch(simulated, budgets, plan.stall_s, shows_errors=plan.shows_errors)
    match.opinions = Opinions(sat, plan.agreement)
    fault, at_fault = "", Seat("")
    try:
        match.play()
        ended = match.match.table.ended
        assert ended is not None, "a match is played to its end"
        result, winners = ended.result, ended.winning_seats
    except WentWrong:
        if match.steps < plan.steps_max:
            raise
        result, winners = NO_END, ()
    except Adjudicated as agreed:
        result, winners = ADJUDICATED, agreed.winners
    except Forfeit as forfeit:
        at_fault, fault = forfeit.seat, one_line(str(forfeit), FAULT_CHARACTERS_MAX)
        result, winners = FORFEIT, tuple([seat for seat in sat if sat[seat] != sat[at_fault]])
    finally:
        match.end()
    return ArenaMatchShape(
        seats={seat: bot + 1 for seat, bot in sat.items()},
        result=result,
        winning_seats=winners,
        score=_score(sat, winners, sat[at_fault] if fault else None),
        commands=match.steps,
        fault=fault,
        at_fault=at_fault,
        decisions=match.decisions,
        ms={seat: round(1_000 * spent, 3) for seat, spent in match.spent_s.items()},
    )


def _score(bot_of: dict[Seat, int], winners: Sequence[Seat], at_fault: int | None) -> float:
    """Return the score of the first bot: 1 for a win, a half for a draw; of a match that the second plays alone, 1 less its own."""
    if at_fault is not None:
        return float(at_fault)
    won = {bot_of[seat] for seat in winners}
    if len(set(bot_of.values())) == 1:
        (alone,) = set(bot_of.values())
        return float(bool(won) != bool(alone))
    return 0.5 if len(won) != 1 else float(won == {0})
