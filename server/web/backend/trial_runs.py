"""Trials that visitors ask for at moments of matches that are over: made by a process beside the pages, and ended when nobody looks any more."""

from collections import OrderedDict
from functools import partial
from typing import NamedTuple

from core.match.bound_games import is_on_shipped_board
from core.trials.comparison import Share, share
from events.codec import Decoder, Raw
from events.ids import MatchId, Seat, Side
from events.studies.study_entry import OptionsTried, OptionWins
from server.page_parts.piped_match import lines_of
from server.page_parts.story import Story
from server.playouts import trial_process
from server.playouts.trial_process import TriedSoFar, WantedTrials
from server.protocol.clock import Clock
from server.web.backend.gateway import Caller
from server.web.backend.processes.process_runs import Limits, ProcessRuns, Progress, Run

ASKED, ASKED_PER_S = 4.0, 1 / 60
"""For how many tables an address may ask: at once, and each second."""
WAITING_MAX = 8
"""How many tables may wait for their turn."""
KEPT_MAX = 500
"""How many are remembered with what was found."""
LEFT_S = 30.0
"""How long trials go on at which nobody looks (seconds)."""
TIMES = 60
"""How often each alternative is tried."""

_TRIED: Decoder[TriedSoFar] = Decoder(TriedSoFar)


class Option(NamedTuple):
    """An option in words with its command."""

    words: str
    command: Raw


class Alternatives(NamedTuple):
    """Options of a decision, and whose wins are counted; without any, the position itself is played on."""

    options: tuple[Option, ...]
    seat: Seat
    side: Side


class Moment(NamedTuple):
    """A moment of a match as a seat has seen it: what is tried there follows from what that seat knew. `is_played_on`: the position itself is."""

    match: MatchId
    seat: Seat
    number: int
    is_played_on: bool = False


class Trying(NamedTuple):
    """Trials as far as they were made: what is tried, and what came of it."""

    tried: Alternatives
    run: Run[TriedSoFar]

    def as_table(self, number: int) -> OptionsTried | None:
        """Return the options with their wins, as a study keeps them; None before the first pass."""
        found = self.run.found
        if found is None or not found.points:
            return None
        wins = [OptionWins(one.words, points) for one, points in zip(self.tried.options, found.points, strict=True)]
        return OptionsTried(at=number, policy=found.policy, seed=found.seed, times=found.times, options=tuple(wins))

    @property
    def share(self) -> Share | None:
        """The share of wins of a position that is played on; None before the first pass."""
        found = self.run.found
        return None if found is None or not found.points else share(found.points[0] / 2, found.times)

    @property
    def times(self) -> int:
        """How often each alternative was tried so far."""
        return 0 if self.run.found is None else self.run.found.times


class TrialRuns:
    """The trials that visitors asked for, one table at a moment.

    Args:
        clock: Measures how often trials are asked for, and looked at.
        limit_s: How long bots play on for one table at most (seconds); 0 for never.

    Attributes:
        are_made: Whether bots play on here at all.
    """

    def __init__(self, clock: Clock, limit_s: float) -> None:
        self.are_made = limit_s > 0
        limits = Limits(ASKED, ASKED_PER_S, WAITING_MAX, KEPT_MAX, limit_s, LEFT_S)
        self._runs: ProcessRuns[Moment, TriedSoFar] = ProcessRuns(clock, trial_process.__name__, _TRIED, limits)
        self._tried: OrderedDict[Moment, Alternatives] = OrderedDict()

    def known(self, moment: Moment) -> Trying | None:
        """Return what is known of the trials at a moment; None if there were none."""
        tried, run = self._tried.get(moment), self._runs.known(moment)
        return None if tried is None or run.progress == Progress.ABSENT else Trying(tried, run)

    def start(self, caller: Caller, story: Story, number: int, tried: Alternatives, address: str) -> bool:
        """Try alternatives at an event of a story, unless trials go on there; return False if too much was asked for.

        Args:
            caller: The visitor.
            story: The match as the seat has seen it whose knowledge counts.
            number: The event.
            tried: The alternatives.
            address: The address of the visitor.
        """
        moment = Moment(story.match, story.seat, number, is_played_on=not tried.options)
        known = self.known(moment)
        if known is not None and known.run.is_going_on:
            return True
        lines = partial(_lines, caller, story, number, tried)
        if self._runs.asked(moment, address, lines, is_anew=True).progress in (Progress.REFUSED, Progress.ABSENT):
            return False
        self._tried[moment] = tried
        while len(self._tried) > KEPT_MAX:
            self._tried.popitem(last=False)
        return True


async def _lines(caller: Caller, story: Story, number: int, tried: Alternatives) -> bytes:
    """Return what the process of some trials is given."""
    now = story.now
    board = None if is_on_shipped_board(now) else await caller.board(story.match, story.seat)
    wanted = WantedTrials(
        game=now.game,
        board=board,
        variant=now.variant,
        commands=tuple([one.command for one in tried.options]),
        seat=tried.seat,
        side=tried.side,
        times=TIMES,
    )
    return b"".join(lines_of(wanted, story.stream(upto=number)))
