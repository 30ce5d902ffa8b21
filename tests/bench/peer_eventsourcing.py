"""The `eventsourcing` library on its SQLite module, with its own defaults. Imported only where it is installed."""

from pathlib import Path
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from tests.bench.raw_store import remove


class PeerGame(Aggregate):
    """A board that knows where its pieces are."""

    @event("Opened")
    def __init__(self, name: str) -> None:
        self.name = name
        self.places: dict[int, int] = {}
        self.moves = 0

    @event("Moved")
    def move(self, piece: int, src: int, dst: int, cost: int) -> None:
        """Put a piece somewhere else."""
        self.places[piece] = dst
        self.moves += 1


class PeerGames(Application[UUID]):
    """The application that saves and rebuilds games."""


def open_games(path: Path) -> PeerGames:
    """Open the application on an empty database."""
    remove(path)
    return PeerGames(env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(path)})


def play(games: PeerGames, game: PeerGame, moves: int) -> None:
    """Make moves and save them in one commit."""
    for number in range(moves):
        game.move(piece=number % 100, src=1, dst=number % 60, cost=1)
    games.save(game)
