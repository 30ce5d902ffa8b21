"""Seats at a match in memory, as the screen's model plays them; all of them use one client, without a terminal."""

from random import Random

from cli.screen.option_list import Wish
from cli.screen.seat_model import Place, SeatModel
from cli.views.match_view import MatchView
from cli.views.stored_match import StoredMatch
from core.bots.bot_port import Asked, answer_of
from core.engine.reactions import passes_in_advance
from core.match.bound_games import bound_game
from core.registry.bot_policies import find_policy
from core.registry.games import load_game
from core.telling.names import Names
from events.ids import ARBITER, MatchId, Seat
from events.log import Log
from events.memory_log import MemoryLog
from server.client.local import local_client
from server.protocol.replies import LegalOption


class SeatedMatch:
    """A match in memory with all seats taken, except with manual dice.

    Args:
        game: Its game.
        mode: Its mode; by default the first.
        dice: The source of its dice.
        seed: Their seed.
        log: Where it is stored; by default in memory.
    """

    def __init__(
        self, game: str, mode: str = "", dice: str = "seeded", seed: str = "1", *, log: Log | None = None
    ) -> None:
        self.log = MemoryLog() if log is None else log
        self.client = local_client(self.log)
        opened = self.client.open(game, mode=mode, dice=dice, seed=seed if dice == "seeded" else "")
        self.match: MatchId = opened.match
        self.seats = opened.seats
        for seat in opened.seats:
            self.client.take_seat(self.match, seat, share=False)
        self.game = load_game(game)
        table = self.client.state(self.match, ARBITER).table
        self.bound = bound_game(self.game.key, None, table.variant)
        self._below = Random(seed).randrange

    def model(self, seat: str, *, seen: int | None = None, is_auto_pass: bool = False) -> SeatModel:
        """Return the model of a seat."""
        place = Place(
            self.match,
            Seat(seat),
            self.game.title,
            Names(self.bound.narration),
            seen,
            passes_in_advance(self.bound.rules),
        )

        def view(number: int) -> MatchView:
            return StoredMatch(self.log, self.match, Seat(seat), number)

        return SeatModel(self.client, place, view, is_auto_pass=is_auto_pass)

    def to_move(self) -> Seat:
        """Return the seat that is to decide."""
        return self.client.legal(self.match).to_move

    def play(self, command: object = None, policy: str = "random") -> None:
        """Play for the seat that is to decide: a command, or what a bot chooses."""
        seat = self.to_move()
        if command is not None:
            self.client.play(self.match, seat, command)  # type: ignore[arg-type]
            return
        options = [self.bound.rules.decode(bytes(one.command)) for one in self.client.legal(self.match, seat).options]
        table = self.client.state(self.match, seat).table
        asked = Asked(self.bound.rules, table, seat, options, self._below)
        self.client.play(self.match, seat, answer_of(find_policy(self.game, policy), asked).command)


def wish(option: LegalOption, expected: int) -> Wish:
    """Return the wish to play an option."""
    return Wish(bytes(option.command).decode(), option.words, expected)
