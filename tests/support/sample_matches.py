"""Fills a store with a finished and a running match of each game, to be looked at: `python -m tests.support.sample_matches FILE`.

A store that can be read is left as it is.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

from core.match.bound_games import bound_game
from core.registry.bot_policies import find_policy, policy_names, usual_policy
from core.registry.games import game_keys, load_game
from events.errors import LogError
from events.ids import ARBITER, GameKey, MatchId
from server.client.bots import Bot
from server.client.client import Client
from server.client.local import local_client
from server.store.sqlite_log import SqliteLog

COMMANDS_MAX = 4_000
RUNNING = (0.6, 0.5, 0.4, 0.3, 0.2, 0.1)
"""After how much of the finished match the running one leaves it; the next is for a line that ends at once."""
MOVES = 25
"""How many commands are played in the running match after that."""


def fill(store: Path) -> Iterator[tuple[GameKey, MatchId, MatchId]]:
    """Play a match of each game to its end, fork it, and play on in the fork.

    Yields:
        The game, its finished match and its running match.
    """
    with SqliteLog(store) as log:
        client = local_client(log)
        for game in game_keys():
            opened = client.open(game, dice="sealed")
            for seat in opened.seats:
                client.take_seat(opened.match, seat, f"{seat.title()} bot", share=False)
            play(client, game, opened.match, COMMANDS_MAX)
            yield game, opened.match, running(client, game, opened.match)


def running(client: Client, game: GameKey, finished: MatchId) -> MatchId:
    """Return a fork of a finished match in which some commands were played and which is not over."""
    last = client.state(finished, ARBITER).seq
    for part in RUNNING:
        fork = client.fork(finished, ARBITER, round(last * part), hidden="truth").match
        if play(client, game, fork, MOVES) == MOVES and client.legal(fork, words=False).to_move:
            return fork
    raise RuntimeError(f"no fork of {finished} goes on")


def play(client: Client, game: GameKey, match: MatchId, commands: int, seed: str = "", *, until: str = "") -> int:
    """Let the last policy of a game play all seats, at most so many commands, and not beyond a question of this kind; return how many were played."""
    record = load_game(game)
    bound = bound_game(game, None)
    choose = find_policy(record, usual_policy(policy_names(record)))
    seed = seed or str(Random(match).randrange(1000))
    for number in range(commands):
        mover = client.legal(match, words=False).to_move
        if not mover:
            return number
        bot = Bot(bound, mover, choose, seed)
        legal = client.legal(match, mover, words=False)
        if until and legal.decision == until:
            return number
        client.play(match, mover, bot.choice(client.state(match, mover).table, legal), expected=legal.seq)
    return commands


def is_readable(store: Path) -> bool:
    """Return whether this program can read a store; one of an older version of it cannot be read."""
    try:
        with SqliteLog(store, read_only=True):
            return True
    except LogError:
        return False


def main() -> None:
    """Fill the named store."""
    store = Path(sys.argv[1])
    if store.exists() and is_readable(store):
        return
    unfinished = store.with_suffix(".unfinished")
    unfinished.parent.mkdir(parents=True, exist_ok=True)
    unfinished.unlink(missing_ok=True)
    for game, match, fork in fill(unfinished):
        sys.stdout.write(f"{game}: finished {match}, running {fork}\n")
        sys.stdout.flush()
    unfinished.rename(store)


if __name__ == "__main__":
    main()
