"""Finds the shares of wins of a match in a process of its own, which is the last to get the machine's time, and prints them pass by pass.

On standard input it gets a line that names the game, and then a line for each commit that everybody has seen; each pass prints a line.
"""

import os
import sys
from collections.abc import Iterable, Iterator

from core.match.bound_games import bound_game
from core.registry.bot_policies import policy_names, usual_policy
from core.registry.games import load_game
from core.trials.win_shares import WinShares
from events.codec import Decoder, Struct, encode
from events.ids import GameKey
from projections.state.view import EventSlice
from server.playouts.share_job import PLAYOUTS, POINTS, Played, found_shares, run_or_problem

NICE = 19
"""By how much the process gives way to all others."""


class Wanted(Struct, frozen=True, kw_only=True):
    """Request for the shares of wins; `board` is the text of a board that does not ship with the game."""

    game: GameKey
    board: str | None = None
    variant: str = ""
    playouts: int = PLAYOUTS
    points: int = POINTS


_WANTED: Decoder[Wanted] = Decoder(Wanted)
_SLICE: Decoder[EventSlice] = Decoder(EventSlice)


def lines_of(wanted: Wanted, seen: Iterable[EventSlice]) -> Iterator[bytes]:
    """Return what the process is given."""
    yield encode(wanted) + b"\n"
    for slice_ in seen:
        yield encode(slice_) + b"\n"


def found(lines: Iterable[bytes]) -> Iterator[WinShares]:
    """Yield the shares of wins, pass by pass; see `lines_of`.

    Raises:
        DecodeError: The lines are others.
        SetupInvalid: The board is not valid.
    """
    given = iter(lines)
    wanted = _WANTED.decode(next(given))
    bound = bound_game(wanted.game, wanted.board, wanted.variant)
    policy = usual_policy(policy_names(load_game(wanted.game)))
    seen = [_SLICE.decode(line) for line in given]
    played = Played(bound, seen, policy, seed="0")
    yield from found_shares(
        played,
        lambda batches: map(run_or_problem, batches),
        playouts=wanted.playouts,
        points=wanted.points,
    )


def main() -> None:
    """Print the shares of wins of the match on standard input."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    for shares in found(sys.stdin.buffer):
        sys.stdout.buffer.write(encode(shares) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
