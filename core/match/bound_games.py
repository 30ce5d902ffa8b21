"""Games bound to boards, and positions: read once and shared by all matches on them."""

from functools import lru_cache

from core.errors import SetupInvalid
from core.game.bound_game import BoundGame
from core.match.bounded_cache import BoundedCache
from core.positions.position import Position, parse_position
from core.registry.games import load_game, typed_key
from events.ids import GameKey
from projections.state.table import Table

KEPT_MAX = 32
KEPT_CHARACTERS_MAX = 4 << 20
"""The most cached boards and positions, and the most characters of their texts together."""

_GAMES: BoundedCache[BoundGame] = BoundedCache(KEPT_MAX, KEPT_CHARACTERS_MAX)
_POSITIONS: BoundedCache[Position] = BoundedCache(KEPT_MAX, KEPT_CHARACTERS_MAX)


def bound_game(game: GameKey, board: str | None, variant: str = "") -> BoundGame:
    """Return a game on the board that the text of a file describes, or on the shipped board.

    With the name of a variant the board contradicts the printed game; without one it may not.

    All matches on one board share it: rules hold no state, and binding them again takes longer than a durable commit and
    three times the memory of a table.

    Raises:
        UnknownName: The game is not installed.
        SetupInvalid: The board has defects, all of which are listed, or the game has no such variant.
    """
    if board is None and not variant:
        return _shipped_game(game)
    return _GAMES.get(_named(game, board, variant), lambda _: _bound(game, board, variant))


def is_on_shipped_board(table: Table) -> bool:
    """Return whether a match is played on the board that the installed game ships.

    Raises:
        UnknownName: The game is not installed.
    """
    return _shipped_game(table.game).board_digest == table.board


VARIANT_CHARACTERS_MAX = 60


def _bound(game: GameKey, board: str | None, variant: str) -> BoundGame:
    record = load_game(game)
    if not variant:
        return record.bind(board, "")
    if len(variant) > VARIANT_CHARACTERS_MAX or not variant.isprintable() or not variant.strip():
        raise SetupInvalid((f"the name of a variant must be 1 to {VARIANT_CHARACTERS_MAX} characters on one line",))
    if board is None:
        raise SetupInvalid((f"{typed_key(record.key)} has no variant {variant}: a variant needs a board of its own",))
    return record.bind(board, variant)


def keep_game(game: GameKey, board: str, variant: str, bound: BoundGame) -> None:
    """Cache a game that was bound to the text of a board file elsewhere."""
    _GAMES.keep(_named(game, board, variant), bound)


def has_game(game: GameKey, board: str | None, variant: str = "") -> bool:
    """Return whether a game on this board is cached."""
    return (board is None and not variant) or _named(game, board, variant) in _GAMES


def _named(game: GameKey, board: str | None, variant: str) -> str:
    return f"{game}\n{variant}\n{board or ''}"


def read_position(text: str) -> Position:
    """Return the position that the text of a file describes, which all matches that began from it share.

    Raises:
        SetupInvalid: It is not valid; the message says where.
    """
    return _POSITIONS.get(text, parse_position)


def keep_position(text: str, position: Position) -> None:
    """Cache a position whose text was read elsewhere, or that equals another text's."""
    _POSITIONS.keep(text, position)


def has_position(text: str | None) -> bool:
    """Return whether a position is cached."""
    return text is None or text in _POSITIONS


@lru_cache(maxsize=KEPT_MAX)
def _shipped_game(game: GameKey) -> BoundGame:
    return load_game(game).bind(None, "")
