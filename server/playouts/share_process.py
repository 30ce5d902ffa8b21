"""Finds the shares of wins of a match in a process of its own, which is the last to get the machine's time, and prints them pass by pass.

On standard input it gets a line that names the game, and then a line for each commit that everybody has seen; each pass prints a line.
"""

import sys
from collections.abc import Iterable, Iterator

from core.match.bound_games import bound_game
from core.registry.bot_policies import policy_names, usual_policy
from core.registry.games import load_game
from core.trials.win_shares import WinShares
from events.codec import Decoder, Struct
from events.ids import GameKey
from server.page_parts.piped_match import given
from server.playouts.passes import print_passes
from server.playouts.share_job import PLAYOUTS, POINTS, Played, found_shares, run_or_problem


class Wanted(Struct, frozen=True, kw_only=True):
    """Request for the shares of wins; `board` is the text of a board that does not ship with the game."""

    game: GameKey
    board: str | None = None
    variant: str = ""
    playouts: int = PLAYOUTS
    points: int = POINTS


_WANTED: Decoder[Wanted] = Decoder(Wanted)


def found(lines: Iterable[bytes]) -> Iterator[WinShares]:
    """Yield the shares of wins, pass by pass; see `server.page_parts.piped_match`.

    Raises:
        DecodeError: The lines are others.
        SetupInvalid: The board is not valid.
    """
    wanted, seen = given(lines, _WANTED)
    bound = bound_game(wanted.game, wanted.board, wanted.variant)
    policy = usual_policy(policy_names(load_game(wanted.game)))
    played = Played(bound, list(seen), policy, seed="0")
    yield from found_shares(
        played,
        lambda batches: map(run_or_problem, batches),
        playouts=wanted.playouts,
        points=wanted.points,
    )


if __name__ == "__main__":
    print_passes(found(sys.stdin.buffer))
