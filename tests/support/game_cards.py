"""Draws the cards of the games, thumbnails of a position of a match of bots: `python -m tests.support.game_cards`."""

from pathlib import Path

from core.drawing.thumbnail import thumbnail
from core.match.bound_games import bound_game
from core.registry.bot_policies import find_policy
from core.registry.games import GAMES, load_game
from events.ids import GameKey
from events.memory_log import MemoryLog
from server.client.bots import Bot
from server.client.local import local_client
from server.web.backend.lobby_games import first_match
from server.web.backend.thumbnails import CARD

ROOT = Path(__file__).parents[2]
MOMENTS = {"battle": 260, "advance": 420, "inferno": 460, "axis_allies": 420}
"""After how many commands the position of each game is shown."""


def card(key: GameKey, commands: int, seed: str = "16") -> str:
    """Return the thumbnail of a match of bots after so many commands."""
    game = load_game(key)
    scenario, mode, _ = first_match(game)
    client, bound = local_client(MemoryLog()), bound_game(key, None)
    match = client.open(key, scenario.key, mode=mode.key, dice="seeded", seed=seed).match
    for seat in mode.seats:
        client.take_seat(match, seat, "bot")
    for number in range(commands):
        mover = client.legal(match, words=False).to_move
        if not mover:
            break
        legal = client.legal(match, mover, words=False, table=True)
        assert legal.table is not None
        choice = Bot(bound, mover, find_policy(game, "greedy"), f"{seed}/{number}").choice(legal.table, legal)
        client.play(match, mover, choice, expected=legal.seq)
    return thumbnail(bound.narration, client.state(match).table)


def main() -> None:
    """Write the card of each game into its data."""
    for key, package in GAMES.items():
        path = ROOT / package.replace(".", "/") / "data" / CARD
        path.write_text(f"{card(key, MOMENTS[key])}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
