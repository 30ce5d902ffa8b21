"""Tries alternatives at a moment of a match in a process of its own, which is the last to get the machine's time, and prints what came of them pass by pass.

On standard input it gets a line that says what is wanted, and then a line for each commit that the asking seat had seen; each pass prints a line.
"""

import sys
from collections.abc import Iterable, Iterator
from functools import partial

from core.errors import KernelError
from core.match.bound_games import bound_game
from core.registry.bot_policies import policy_names, usual_policy
from core.registry.games import load_game
from core.trials.comparison import is_settled, score
from events.codec import Decoder, Raw, Struct, encode
from events.ids import GameKey, Seat, Side
from projections.state.fold import fold
from server.page_parts.piped_match import given
from server.playouts.passes import print_passes
from server.playouts.trial_job import Batch, TrialPlan, run_batch

FEW, PASS = 2, 10
"""How many trials of each are told first, where one takes seconds, and how many each further pass adds."""


class WantedTrials(Struct, frozen=True, kw_only=True):
    """Request for trials.

    Attributes:
        game: The game.
        board: The text of a board that does not ship with it, or None.
        variant: The variant of the rules.
        commands: The alternatives; without any the position itself is played on.
        seat: Whose wins are counted.
        side: Its side.
        times: How often each is tried at most.
        seed: The same seed gives the same trials.
    """

    game: GameKey
    board: str | None = None
    variant: str = ""
    commands: tuple[Raw, ...] = ()
    seat: Seat
    side: Side
    times: int
    seed: str = "0"


class TriedSoFar(Struct, frozen=True, kw_only=True):
    """Results of the alternatives so far, in their order: `points` are 2 for each trial that was won, and 1 for each draw; `problem` is why nothing did."""

    policy: str = ""
    seed: str = ""
    times: int = 0
    points: tuple[int, ...] = ()
    problem: str = ""


_WANTED: Decoder[WantedTrials] = Decoder(WantedTrials)


def found(lines: Iterable[bytes]) -> Iterator[TriedSoFar]:
    """Yield what came of the alternatives, pass by pass; see `server.page_parts.piped_match`.

    Raises:
        DecodeError: The lines are others.
        SetupInvalid: The board is not valid.
    """
    wanted, seen = given(lines, _WANTED)
    events = [event for slice_ in seen for event in slice_.events]
    policy = usual_policy(policy_names(load_game(wanted.game)))
    plan = TrialPlan(
        game=wanted.game,
        bound=bound_game(wanted.game, wanted.board, wanted.variant),
        events=encode(events),
        is_whole=False,
        policies=tuple([(seat, policy) for seat in fold(events).seats]),
        seed=wanted.seed,
        until="end",
    )
    commands = [bytes(one) for one in wanted.commands] or [b""]
    won = partial(score, seat=wanted.seat, side=wanted.side)
    scores: list[list[float]] = [[] for _ in commands]
    first = 0
    try:
        while first < wanted.times and not is_settled(scores):
            count = min(PASS if first else FEW, wanted.times - first)
            for each, command in zip(scores, commands, strict=True):
                each.extend(map(won, run_batch(Batch(plan, command, first, count))))
            first += count
            points = tuple([round(2 * sum(each)) for each in scores])
            yield TriedSoFar(policy=policy, seed=wanted.seed, times=first, points=points)
    except KernelError as error:
        yield TriedSoFar(problem=str(error))


if __name__ == "__main__":
    print_passes(found(sys.stdin.buffer))
