"""The narration of this game, bound to its cards: names, questions, events and commands in words, and pictures of tables."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from core.command import Command
from core.games.battle.components.card_model import Cards
from core.games.battle.narration.names import Names
from core.games.battle.narration.sentences import Sentences, question
from core.games.battle.rules.commands import BattleCommand
from core.ports import MapPlace
from core.render_model import Picture
from events.vocabulary import Event
from projections.table import Open, Table

if TYPE_CHECKING:
    from core.games.battle.narration.pictures import Pictures


class BattleNarration:
    """Words and pictures; see `core.ports.Narration`.

    Args:
        cards: The packaged cards or an owner's.
    """

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self.names = Names(cards)
        self.sentences = Sentences(self.names)

    @cached_property
    def pictures(self) -> "Pictures":
        """What draws tables; most who need a sentence need no picture."""
        from core.games.battle.narration.pictures import Pictures

        return Pictures(self.cards, self.names)

    def name(self, id_: str) -> str:
        """Return the printed name of anything on the table; else the id itself."""
        return self.names.name(id_)

    def describe(self, table: Table, command: Command) -> str:
        """Return a sentence about what a command would do."""
        assert isinstance(command, BattleCommand), "a command of another game"
        return self.names.describe(table, command)

    def question(self, asked: Open) -> str:
        """Word an open question, or a sequence."""
        return question(asked, self.names.name)

    def tell(self, run: Sequence[Event]) -> str | None:
        """Return the players' sentence about events in a row; empty where the default one will do."""
        return self.sentences.tell(run)

    def picture(self, table: Table) -> Picture | None:
        """Return a table as its players look at it."""
        return self.pictures.picture(table)

    def places(self) -> tuple[MapPlace, ...]:
        """List the Areas, Location by Location, then the boxes."""
        return self.names.places()
