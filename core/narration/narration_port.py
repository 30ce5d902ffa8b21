"""Ports of a game's narration: words and pictures. No outcome of a match depends on them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from core.engine.command import Command
from core.narration.place_name import PlaceName
from core.narration.told_option import Told
from events.ids import PieceId, RuleId, Side
from events.vocabulary import DiceRolled, Event
from projections.state.table import Open, Table

if TYPE_CHECKING:
    from core.narration.render_model import MapPlace, Picture
    from core.narration.sheet import Drawing
    from core.narration.side_sum import SideSum

# What only says something loads no module that draws.


class Words(Protocol):
    """Names and sentences of a game on one board.

    Attributes:
        piece_noun: What one piece is called where pieces are counted, such as `piece`.
    """

    piece_noun: str

    def name(self, id_: str) -> str:
        """Return the printed name of a place, map, border, piece, counter, track, marker, pile, phase or seat; else the id itself.

        A marker for bookkeeping has no printed name, so that it is not shown.
        """

    def piece(self, table: Table, piece: PieceId) -> str:
        """Return what the viewer of a table calls a piece on it, by what it is if the viewer knows that; most games use `name`."""

    def pieces_meant(self, table: Table, command: Command) -> Mapping[str, tuple[PieceId, ...]]:
        """Return which pieces a command may mean by each class of like pieces, or place, that it names; none where commands name pieces."""

    def told(self, table: Table, command: Command) -> Told:
        """Return a sentence about what a command would do, in its parts: the act, and what comes of it as far as the viewer can know it."""

    def sorts(self, table: Table, asked: Open) -> Sequence[tuple[type[Command], str]]:
        """Return the sorts of commands that a question with many options offers, in the order of their use.

        With each goes why it might have no option now, in few words; a sort without such words is listed only if it has options.

        Args:
            table: As the viewer knows it, with `asked` on top.
            asked: The question, put to the viewer.
        """

    def is_outdone(self, table: Table, command: Command) -> bool:
        """Return whether another legal command does the same and takes no more, so that this one can stand behind the others; it stays legal."""

    def is_final(self, table: Table, command: Command) -> bool:
        """Return whether a legal command can as a rule not be taken back, because dice fall or something is shown.

        It follows from the kind of the question and of the command, so that the answer discloses nothing that the viewer does not know.

        Args:
            table: As the viewer knows it, with the question on top.
            command: One of the viewer's own.
        """

    def question(self, table: Table, asked: Open) -> str:
        """Return the text of an open question or a sequence, without a full stop.

        Args:
            table: As the reader knows it, with `asked` on its stack or about to be.
            asked: The question or sequence.
        """

    def details(self, table: Table, asked: Open) -> tuple[str, ...]:
        """Return what stands below an open question or a sequence, such as the forces of a combat: lines without a full stop.

        Args:
            table: As for `question`.
            asked: Likewise.
        """

    def sums(self, table: Table, asked: Open) -> "tuple[SideSum, SideSum] | None":
        """Return what the values of the two sides of a combat add up to so far; None for a question without them.

        Args:
            table: As for `question`.
            asked: Likewise.
        """

    def tell(self, table: Table, run: Sequence[Event]) -> str | None:
        """Return the game's sentence for events in a row; empty for the default sentence, None for no sentence.

        Args:
            table: As the reader of the events knew it before them.
            run: One event, or several of one kind (`core.telling.narrator`); not empty.
        """

    def card_text(self, card: str, table: Table | None = None) -> str:
        """Return what a card says besides its name, in a sentence or two; empty for a card that says nothing, and for no card.

        Args:
            card: Its id.
            table: As the viewer knows it, with the question on top that it would answer, where not all of its text may count; None for what is printed.
        """

    def favours(self, table: Table, roll: DiceRolled) -> Side:
        """Return the side for which a higher result of a roll is better; no side if it is better for neither.

        Args:
            table: As the viewer knew it before the roll.
            roll: The dice.
        """

    def deciding(self, table: Table, event: Event) -> tuple[RuleId, ...]:
        """Return the rules that decide an event besides the one that it cites, the most important first.

        An event whose rule would tell what a seat must not know cites one that does not; its reader may know more.

        Args:
            table: As the reader of the event knew it before.
            event: The event.
        """

    def is_force(self, kind: str) -> bool:
        """Return whether a piece of a kind is lost if it leaves the map; a token that is spent is not."""

    def place_names(self) -> tuple[PlaceName, ...]:
        """Name the places of the map in reading order, the same ones as `Pictures.places`; boxes off the map come last."""


class Pictures(Protocol):
    """Rendering of a game on one board."""

    def picture(self, table: Table) -> "Picture | None":
        """Return the rendering of a table, as its viewer sees it, or None for the generic one."""

    def drawing(self, table: Table) -> "Drawing | None":
        """Return what a drawn picture of a table shows, as its viewer sees it, or None for the generic one."""

    def places(self) -> "tuple[MapPlace, ...]":
        """List the places of the map in reading order; boxes off the map come last."""


class Narration(Words, Pictures, Protocol):
    """Both ports, as a game binds them together; what draws is loaded on first use (`core.narration.printed_narration`)."""
