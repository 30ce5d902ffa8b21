"""Thumbnails of matches, as everybody sees them, and one of each game for the lobby."""

from collections import OrderedDict
from functools import cache
from importlib.resources import files

from core.drawing.thumbnail import EMPTY, thumbnail, thumbnail_document
from core.errors import KernelError
from core.match.bound_games import bound_game, is_on_shipped_board
from core.registry.games import package_of
from events.ids import GameKey, MatchId
from server.page_parts.untold_matches import UNTOLD
from server.protocol.errors import RequestFailed
from server.web.backend.gateway import Caller

KEPT_MAX = 64
"""How many thumbnails are kept."""
CARD = "card.svg"
"""The file in a game's data that shows a position of it; `tests.support.game_cards` draws it from a match."""


class Thumbnails:
    """Thumbnails of matches."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[MatchId, int], str] = OrderedDict()

    async def of(self, caller: Caller, match: MatchId) -> str:
        """Return the thumbnail of a match as it is now, an SVG for a page with the style sheet of drawings; an empty one of a match that cannot be drawn.

        Raises:
            TimedOut: The server does not answer.
        """
        try:
            state = await caller.state(match)
            known = self._kept.get((match, state.seq))
            if known is None:
                table = state.table
                board = None if is_on_shipped_board(table) else await caller.board(match)
                known = thumbnail(bound_game(table.game, board, table.variant).narration, table)
                self._kept[match, state.seq] = known
        except (RequestFailed, KernelError, *UNTOLD):
            return EMPTY
        while len(self._kept) > KEPT_MAX:
            self._kept.popitem(last=False)
        return known

    async def document_of(self, caller: Caller, match: MatchId) -> str:
        """Return the thumbnail of a match as a document of its own."""
        return thumbnail_document(await self.of(caller, match))


@cache
def card_of(game: GameKey) -> str:
    """Return a thumbnail of a position of a game; an empty one of a game that brings none."""
    package = package_of(game)
    try:
        return (files(package) / "data" / CARD).read_text(encoding="utf-8").strip()
    except (OSError, TypeError):
        # It brings none, or its record is a module without a folder.
        return EMPTY
