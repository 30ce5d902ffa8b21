"""Common parts of the narrations of games: printed names by id, and pictures that are loaded on first use."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from core.engine.command import Command
from core.narration.narration_port import Pictures
from core.narration.place_name import PlaceName
from core.narration.told_option import Told
from events.ids import NO_SIDE, PieceId, RuleId, Side
from events.vocabulary import DiceRolled, Event
from projections.state.table import Open, Table

if TYPE_CHECKING:
    from core.narration.render_model import MapPlace, Picture
    from core.narration.sheet import Drawing
    from core.narration.side_sum import SideSum

Kinds = frozenset[tuple[str, type[Command]]]
"""Kinds of commands, each with the kind of question that it answers."""


class PrintedNarration(ABC):
    """The base of a game's narration; see `core.narration.narration_port.Narration`.

    Args:
        names: The printed names by id.

    Attributes:
        final: After which commands, by the kind of question, dice fall or something is shown as a rule; none without dice and secrets.
        piece_noun: What one piece is called where pieces are counted.
    """

    final: Kinds = frozenset()
    piece_noun = "piece"

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    @abstractmethod
    def load_pictures(self) -> Pictures:
        """Import what renders tables, and return it."""

    @cached_property
    def pictures(self) -> Pictures:
        """What renders tables, imported on first use."""
        return self.load_pictures()

    def name(self, id_: str) -> str:
        """Return the printed name of an id; the id itself if it has none."""
        return self.names.get(id_, id_)

    def piece(self, table: Table, piece: PieceId) -> str:
        """Return the printed name of a piece, whatever a viewer knows of it."""
        return self.name(piece)

    @abstractmethod
    def told(self, table: Table, command: Command) -> Told:
        """Return a sentence about what a command would do, in its parts; see `core.narration.narration_port.Words.told`."""

    def describe(self, table: Table, command: Command) -> str:
        """Return the whole sentence of `told`."""
        return self.told(table, command).words

    def sorts(self, table: Table, asked: Open) -> Sequence[tuple[type[Command], str]]:
        """Return no sorts, as for a game whose questions have few options; see `core.narration.narration_port.Words.sorts`."""
        return ()

    def pieces_meant(self, table: Table, command: Command) -> Mapping[str, tuple[PieceId, ...]]:
        """Return none, as for a game whose commands name pieces; see `core.narration.narration_port.Words.pieces_meant`."""
        return {}

    def is_outdone(self, table: Table, command: Command) -> bool:
        """Return False, as for a game in which each command has its use; see `core.narration.narration_port.Words.is_outdone`."""
        return False

    def is_final(self, table: Table, command: Command) -> bool:
        """Return whether a command is one of the `final` ones; see `core.narration.narration_port.Words.is_final`."""
        return table.top is not None and (table.top.kind, type(command)) in self.final

    def details(self, table: Table, asked: Open) -> tuple[str, ...]:
        """Return nothing, as for a game whose questions say all; see `core.narration.narration_port.Words.details`."""
        return ()

    def sums(self, table: Table, asked: Open) -> "tuple[SideSum, SideSum] | None":
        """Return None, as for a game in which nothing is added up; see `core.narration.narration_port.Words.sums`."""
        return None

    def card_text(self, card: str, table: Table | None = None) -> str:
        """Return nothing, as for a game without cards; see `core.narration.narration_port.Words.card_text`."""
        return ""

    def favours(self, table: Table, roll: DiceRolled) -> Side:
        """Return no side, as for a game without dice; see `core.narration.narration_port.Words.favours`."""
        return NO_SIDE

    def deciding(self, table: Table, event: Event) -> tuple[RuleId, ...]:
        """Return no rules: each event cites the one that decides; see `core.narration.narration_port.Words.deciding`."""
        return ()

    def is_force(self, kind: str) -> bool:
        """Return True, as for a game whose pieces all are; see `core.narration.narration_port.Words.is_force`."""
        return True

    def place_names(self) -> tuple[PlaceName, ...]:
        """Return the places of the map without their geometry; a game whose pictures take long to import names them itself."""
        return tuple([place.named for place in self.places()])

    def picture(self, table: Table) -> "Picture | None":
        """Return the rendering of a table, or None if it has none yet."""
        return self.pictures.picture(table)

    def drawing(self, table: Table) -> "Drawing | None":
        """Return what a drawn picture of a table shows, or None for the generic one."""
        return self.pictures.drawing(table)

    def places(self) -> "tuple[MapPlace, ...]":
        """List the places of the map as they are drawn."""
        return self.pictures.places()
