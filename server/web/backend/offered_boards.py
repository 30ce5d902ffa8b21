"""Boards of owners that the pages offer for new matches, besides those that games ship."""

from collections.abc import Sequence
from typing import NamedTuple

from core.errors import SetupInvalid
from core.match.bound_games import bound_game
from core.registry.games import typed_key
from core.suggestions import unknown
from events.ids import Digest, GameKey
from projections.state.table import Table


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
