"""The narration of this game, bound to a board: names, questions, events and commands in words, and pictures of tables."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from core.command import Command
from core.games.advance.components.board_model import Board
from core.games.advance.narration.names import Names
from core.games.advance.narration.sentences import question, tell
from core.games.advance.rules.commands import AdvanceCommand
from core.ports import MapPlace
from core.render_model import Picture
from events.vocabulary import Event
from projections.table import Open, Table

if TYPE_CHECKING:
    from core.games.advance.narration.pictures import Pictures


class AdvanceNarration:
    """Words and pictures; see `core.ports.Narration`.

    Args:
        board: The packaged board or an owner's.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.names = Names(board)

    @cached_property
    def pictures(self) -> "Pictures":
        """What draws tables; most who need a sentence need no picture."""
        from core.games.advance.narration.pictures import Pictures

        return Pictures(self.board, self.names.names)

    def name(self, id_: str) -> str:
        """Return the printed name of anything on the table; else the id itself."""
        return self.names.name(id_)

    def describe(self, table: Table, command: Command) -> str:
        """Return a sentence about what a command would do."""
        assert isinstance(command, AdvanceCommand), "a command of another game"
        return self.names.describe(table, command)

    def question(self, asked: Open) -> str:
        """Word an open question, or a sequence that goes on."""
        return question(asked, self.names.with_number)

    def tell(self, run: Sequence[Event]) -> str | None:
        """Return the player's sentence about events in a row; empty where the default one will do."""
        return tell(run, self.names.with_number)

    def picture(self, table: Table) -> Picture | None:
        """Return a table as its player looks at it."""
        return self.pictures.picture(table)

    def places(self) -> tuple[MapPlace, ...]:
        """List the Areas by number, then the boxes."""
        return self.names.places()
