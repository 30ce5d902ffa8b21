"""The games as the lobby shows them: what each is in two lines, how it can be played, how long it takes here, who plays it now, and boards on offer."""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import NamedTuple

from core.errors import SetupInvalid
from core.game.game_record import Game, Mode, Scenario
from core.match.bound_games import bound_game
from core.registry.games import game_keys, load_game, typed_key
from core.suggestions import unknown
from events.ids import Digest, GameKey, Seat
from projections.catalogue import MatchSummary
from projections.state.table import Table
from server.protocol.bot_seats import policy_of

MINUTE_MS = 60_000
UNKNOWN_WEIGHT = 9
PLAYED_OUT = "rules"
"""The kind of an end that the rules bring; a match that was given up says nothing about how long one takes."""
HOUR_MIN = 60
"""From so many minutes on a length is told in hours."""


class LobbyGame(NamedTuple):
    """A game of the lobby.

    Attributes:
        record: Its record.
        policies: How the bots of the server can play it, the best one last.
        live: Its matches that are being played.
        length: How long its matches took that people played to the end on this server, the median in minutes; 0 if there is none.
    """

    record: Game
    policies: Sequence[str]
    live: Sequence[MatchSummary]
    length: int

    @property
    def first(self) -> tuple[Scenario, Mode, Seat]:
        """The scenario, the mode and the seat of a first match."""
        return first_match(self.record)

    @property
    def has_opponents(self) -> bool:
        """Whether in a first match another seat decides, too."""
        return len(self.first[1].seats) > 1


def first_match(record: Game) -> tuple[Scenario, Mode, Seat]:
    """Return the scenario, the mode and the seat that a game advises for a first match; else its first ones."""
    seat = record.first_seat or next(iter(record.scenarios[0].modes[0].seats))
    scenario = record.scenarios[0]
    mode = next((one for one in scenario.modes if seat in one.seats), scenario.modes[0])
    return scenario, mode, seat


def lobby_games(matches: Sequence[MatchSummary], policies: Mapping[GameKey, Sequence[str]]) -> list[LobbyGame]:
    """Return all games, the lightest first."""
    found = []
    for key in game_keys():
        own = [match for match in matches if match.game == key and not match.problem]
        live = [match for match in own if match.began and match.ended is None]
        found.append(LobbyGame(load_game(key), policies.get(key, ()), live, length_of(own)))
    return sorted(found, key=lambda game: weight_of(game.record))


def lightest_game() -> GameKey:
    """Return the key of the game that comes first on the pages."""
    return min(game_keys(), key=lambda key: weight_of(load_game(key)))


def weight_of(record: Game) -> int:
    """Return by what games are ordered, the lightest first; those that do not say how heavy they are come last."""
    return record.weight or UNKNOWN_WEIGHT


def length_of(matches: Sequence[MatchSummary]) -> int:
    """Return the median of the minutes that matches took which people played to their end by the rules; 0 if there are none."""
    minutes = [
        (match.ended_at - match.opened_at) / MINUTE_MS
        for match in matches
        if match.ended is not None
        and match.ended.kind == PLAYED_OUT
        and match.opened_at
        and not all(map(policy_of, match.players.values()))
    ]
    return max(1, round(median(minutes))) if minutes else 0


def length_words(minutes: int) -> str:
    """Return a length in words; empty if it is not known."""
    if not minutes:
        return ""
    if minutes < HOUR_MIN:
        return f"{minutes} min"
    hours = round(minutes / HOUR_MIN * 2) / 2
    return f"{hours:g} h" if hours < 48 else f"{round(hours / 24)} days"


def players_words(record: Game) -> str:
    """Return how many players a game has, such as `1 to 3 players`."""
    counts = sorted({len(mode.seats) for scenario in record.scenarios for mode in scenario.modes})
    if counts == [1]:
        return "1 player"
    return f"{counts[0]} players" if len(counts) == 1 else f"{counts[0]} to {counts[-1]} players"


# Boards of owners


class OfferedBoard(NamedTuple):
    """A board that visitors can choose.

    Attributes:
        game: Its game.
        name: What it is called.
        text: The text of its file.
        variant: The name of the variant if it contradicts the printed game; else empty.
        digest: Its digest, by which matches name it.
    """

    game: GameKey
    name: str
    text: str
    variant: str
    digest: Digest


def offered_board(game: GameKey, name: str, text: str) -> OfferedBoard:
    """Return a board that can be played on; one that contradicts the printed game is the variant of its name.

    Raises:
        SetupInvalid: It has defects, all of which are listed.
    """
    try:
        return OfferedBoard(game, name, text, "", bound_game(game, text).board_digest)
    except SetupInvalid as error:
        try:
            return OfferedBoard(game, name, text, name, bound_game(game, text, name).board_digest)
        except SetupInvalid:
            raise error from None


class OfferedBoards:
    """The boards that can be chosen.

    Args:
        boards: All of them.
    """

    def __init__(self, boards: Sequence[OfferedBoard] = ()) -> None:
        self._boards = boards

    def of(self, game: GameKey) -> Sequence[OfferedBoard]:
        """Return the boards of a game."""
        return [one for one in self._boards if one.game == game]

    def find(self, game: GameKey, name: str) -> OfferedBoard | None:
        """Return a board by its name; None for the empty name, which is the board of the game itself.

        Raises:
            SetupInvalid: The game has no such board here.
        """
        if not name:
            return None
        found = {one.name: one for one in self.of(game)}
        if name not in found:
            if not found:
                raise SetupInvalid((f"this server offers {typed_key(game)} on the board of the game only",))
            raise SetupInvalid((unknown(f"board of {typed_key(game)}", name, list(found)),))
        return found[name]

    def of_match(self, table: Table) -> OfferedBoard | None:
        """Return the board on which a match is played; None if it is none of these."""
        boards = self.of(table.game)
        return next((one for one in boards if (one.digest, one.variant) == (table.board, table.variant)), None)
