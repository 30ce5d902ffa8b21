"""Tells where a match turned: the share of wins when bots play on from its points, and the largest changes of it."""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cli.commands.designing.trials import TIMES_MAX, policy_of
from cli.output.columns import in_columns, wrapped
from cli.schemas.trials import SharePointShape, SharesShape, TurnShape
from cli.shell.context import Context
from cli.shell.exit_codes import REFUSED, UserError, usage
from cli.shell.process_pool import in_order
from cli.views.match_view import MatchView
from cli.views.named_match import view_match
from core.trials.trial import Outcome
from core.trials.trial_words import percent_of, stretch_words
from core.trials.win_shares import Turn, WinShares, told_apart, turns, value
from core.wording import counted
from events.ids import ARBITER
from server.playouts.share_job import PLAYOUTS, POINTS, Played, found_shares, run_or_problem
from server.playouts.trial_job import Batch

POINTS_MAX = 200


class Wished(NamedTuple):
    """The arguments: how many playouts of how many points, by which policy, with which seed, on how many processes."""

    times: int = PLAYOUTS
    points: int = POINTS
    policy: str = ""
    seed: str = "0"
    jobs: int = 0

    def check(self) -> None:
        """Refuse numbers that cannot be.

        Raises:
            UserError: There is one.
        """
        if not 1 <= self.times <= TIMES_MAX:
            raise usage(f"--times is 1 to {TIMES_MAX}, not {self.times}")
        if not 2 <= self.points <= POINTS_MAX:
            raise usage(f"--points is 2 to {POINTS_MAX}, not {self.points}")
        if self.jobs < 0:
            raise usage(f"--jobs is 0 (one per core) or more, not {self.jobs}")


def tell_turning_points(context: Context, point: str, seat: str, wished: Wished) -> None:
    """Tell the share of wins at points of a match, and where it turned.

    Raises:
        UserError: An argument is wrong, or nothing can be played on.
    """
    wished.check()
    seen = view_match(context, point, seat)
    policy = policy_of(seen.game, wished.policy)
    slices = list(seen.stream(0, seen.number))
    played = Played(seen.bound, slices, policy, wished.seed, is_whole=seen.seat == ARBITER)
    with context.progress("playouts", wished.times * wished.points) as bar:

        def run(batches: Sequence[Batch]) -> Iterable[list[Outcome] | str]:
            jobs = max(1, min(wished.jobs or os.cpu_count() or 1, len(batches)))
            for came in in_order(run_or_problem, batches, jobs, "the playouts"):
                bar.advance(len(came) if isinstance(came, list) else 0)
                yield came

        *_, shares = found_shares(played, run, playouts=wished.times, points=wished.points)
    if shares.problem:
        raise UserError(f"nothing can be played on from this match: {shares.problem}", REFUSED, "no_playouts")
    found = turns(shares.points)
    context.print_result(_shape(seen, shares, found), _lines(context, seen, shares, found))


def _shape(seen: MatchView, shares: WinShares, found: Sequence[Turn]) -> SharesShape:
    return SharesShape(
        match=seen.match,
        seat=seen.seat,
        policy=shares.policy,
        seed=shares.seed,
        times=shares.playouts,
        points=tuple([SharePointShape(seq=one.number, won=one.won) for one in shares.points]),
        turns=tuple([TurnShape(after=one.before.number, upto=one.after.number) for one in found]),
    )


def _lines(context: Context, seen: MatchView, shares: WinShares, found: Sequence[Turn]) -> Iterator[str]:
    names = seen.names
    sides = list(shares.points[0].won)

    def when(number: int) -> str:
        table = seen.table(number)
        return f"{names.round} {table.round}" if table.round else ""

    rows = [
        [str(one.number), when(one.number), *(percent_of(one.won[side]) for side in sides)] for one in shares.points
    ]
    yield from in_columns(["Event", "", *map(names.side, sides)], rows, max(context.width, 100), right=(0,))
    yield ""
    for one in found:
        won = ", ".join(
            f"{names.side(side)} {100 * value(one.before.won[side]):.0f} % to {100 * value(one.after.won[side]):.0f} %"
            for side in sides
        )
        first, last = one.before.number + 1, one.after.number
        yield from wrapped(
            "", f"{stretch_words(when(one.before.number), when(last))}, events {first} to {last}: {won}", context.width
        )
    if not found:
        yield "No change within a fifth of the match is more than luck: the intervals overlap."
    apart = f"{100 * told_apart(shares.playouts):.0f}"
    said = (
        f"{counted(shares.playouts, 'game')} from each of {counted(len(shares.points), 'point')}, in which {shares.policy} played on to the end (seed "
        f"{shares.seed}). Shares less than about {apart} points apart may be the same: their intervals overlap."
    )
    yield from wrapped("", said, context.width)
