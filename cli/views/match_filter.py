"""Filter of the matches of a list."""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from cli.shell.context import Context
from cli.shell.exit_codes import usage
from core.registry.games import game_key, game_keys, typed_key
from core.suggestions import unknown
from core.telling.phrases import plain_words
from events.ids import GameKey
from projections.catalogue import MatchSummary


class MatchFilter(NamedTuple):
    """Conditions on matches; empty fields do not matter. A match that cannot be read is always shown.

    `is_open` and `is_over` are about the end of a match, `seat` is the seat for which it waits, `name` part of the name of one of its
    present or former players or of one who is invited; `is_original`: forks are left out.
    """

    game: GameKey = GameKey("")
    is_open: bool = False
    is_over: bool = False
    seat: str = ""
    name: str = ""
    is_original: bool = False

    @property
    def is_needed(self) -> bool:
        """Return whether it may leave out a match."""
        return any(self)

    def keeps(self, entry: MatchSummary) -> bool:
        """Return whether a match is shown."""
        if entry.problem:
            return True
        is_over = entry.ended is not None
        if self.is_original and entry.parent:
            return False
        if self.game not in ("", entry.game) or (self.is_open and is_over) or (self.is_over and not is_over):
            return False
        if self.seat and (is_over or entry.to_move != self.seat):
            return False
        name = plain_words(self.name)
        players = (*entry.players.values(), *entry.reserved.values(), *chain.from_iterable(entry.former.values()))
        return not name or any(name in plain_words(player) for player in players)


ALL_MATCHES = MatchFilter()


def known_game(game: str) -> GameKey:
    """Return the key of an installed game, or of no game if none is named.

    Raises:
        UserError: There is no such game.
    """
    key = game_key(game)
    if game and key not in game_keys():
        raise usage(unknown("game", game, [typed_key(known) for known in game_keys()]), "unknown_name")
    return key


def listed_game(context: Context, game: str) -> GameKey:
    """Return the key of a game that matches can be of, or of no game if none is named.

    Raises:
        UserError: There is no such game, neither here nor on the server.
    """
    # A server may have games that are not installed here.
    if context.address and game_key(game) in context.client.hello().games:
        return game_key(game)
    return known_game(game)


def match_filter(
    context: Context, *, game: str, is_open: bool, is_over: bool, seat: str, name: str, is_original: bool = False
) -> MatchFilter:
    """Return the filter that the options of a verb describe.

    Raises:
        UserError: There is no such game, or no match can be open and over.
    """
    if is_open and is_over:
        raise usage("--open and --over exclude each other")
    return MatchFilter(listed_game(context, game), is_open, is_over, seat, name, is_original)


def check_seat(seat: str, entries: Sequence[MatchSummary]) -> None:
    """Check that matches have a seat; without any match, every seat may come to be.

    Raises:
        UserError: None of them has it.
    """
    known = list(dict.fromkeys(str(one) for entry in entries for one in entry.seats))
    if seat and known and seat not in known:
        raise usage(unknown("seat of these matches", seat, known), "unknown_seat")
