"""The ports of a game on one board besides its rules: narration and position files, each loaded on first use."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Protocol

from core.command import Command
from core.components.inventory import Inventory
from core.decision import Rules
from core.draft import Draft
from core.drawing.sheet import Drawing
from core.position import Defect, Position
from core.render_model import MapPlace, Picture
from events.ids import Digest, PieceId, RuleId, Seat, Side
from events.vocabulary import DiceRolled, Event, Value
from projections.table import Open, Table


class Narration(Protocol):
    """Names, sentences and rendering of a game on one board. No outcome of a match depends on them."""

    def name(self, id_: str) -> str:
        """Return the printed name of a place, map, border, piece, counter, track, marker, pile, phase or seat; else the id itself.

        A marker for bookkeeping has no printed name, so that it is not shown.
        """

    def piece(self, table: Table, piece: PieceId) -> str:
        """Return what the viewer of a table calls a piece on it, by what it is if the viewer knows that; most games use `name`."""

    def pieces_meant(self, table: Table, command: Command) -> Mapping[str, tuple[PieceId, ...]]:
        """Return which pieces a command may mean by each class of like pieces, or place, that it names; none where commands name pieces."""

    def describe(self, table: Table, command: Command) -> str:
        """Return a sentence about what a command would do."""

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
        """Return the text of an open question or a pending procedure, without a full stop.

        Args:
            table: As the reader knows it, with `asked` on its stack or about to be.
            asked: The question or procedure.
        """

    def details(self, table: Table, asked: Open) -> tuple[str, ...]:
        """Return what stands below an open question or a pending procedure, such as the forces of a combat: lines without a full stop.

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

    def card_text(self, card: str) -> str:
        """Return what a card says besides its name, in a sentence or two; empty for a card that says nothing, and for no card."""

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

    def picture(self, table: Table) -> Picture | None:
        """Return the rendering of a table, as its viewer sees it, or None for the generic one."""

    def drawing(self, table: Table) -> Drawing | None:
        """Return what a drawn picture of a table shows, as its viewer sees it, or None for the generic one."""

    def places(self) -> tuple[MapPlace, ...]:
        """List the places of the map in reading order; boxes off the map come last."""

    def is_force(self, kind: str) -> bool:
        """Return whether a piece of a kind is lost if it leaves the map; a token that is spent is not."""


class Positions(Protocol):
    """The position files of a game on one board."""

    def check_position(self, position: Position) -> tuple[Defect, ...]:
        """Return every defect of a position; empty if it can be played."""

    def set_up_position(self, draft: Draft, position: Position) -> None:
        """Set the table up from a valid position, up to the procedures that `Rules.settle` executes."""


Policy = Callable[[Rules, Table, Seat, list[Command], Callable[[int], int]], Command]
"""A bot's policy: a function of the rules, the table as its seat sees it (without the seed of the dice), the seat, the options (not
empty), and a source of numbers from 0 to n - 1."""


class BoundGame:
    """A game on one board.

    Pickled, it includes only its board: another process rebuilds the rest faster than it would read it.

    Args:
        board_digest: The SHA-256 of the board's text.
        make_rules: Creates the rules on first use. It can be pickled, as the others can.
        make_narration: Likewise for names, sentences and rendering.
        make_positions: Likewise for position files.
        make_inventory: Declares what is in play in a scenario with some options; for the empty scenario what is in the box. Without
            it the inventory is empty, and `check-game` reports everything on the table.
    """

    def __init__(
        self,
        board_digest: Digest,
        make_rules: Callable[[], Rules],
        make_narration: Callable[[], Narration],
        make_positions: Callable[[], Positions],
        make_inventory: Callable[[str, Mapping[str, Value]], Inventory] | None = None,
    ) -> None:
        self.board_digest = board_digest
        self._make_rules = make_rules
        self._make_narration = make_narration
        self._make_positions = make_positions
        self._make_inventory = make_inventory

    def __reduce__(self) -> tuple[type["BoundGame"], tuple[object, ...]]:  # type: ignore[explicit-override]
        """Tell `pickle` how to rebuild it."""
        makers = (self._make_rules, self._make_narration, self._make_positions, self._make_inventory)
        return BoundGame, (self.board_digest, *makers)

    @cached_property
    def rules(self) -> Rules:
        """The rules."""
        return self._make_rules()

    @cached_property
    def narration(self) -> Narration:
        """The narration."""
        return self._make_narration()

    @cached_property
    def positions(self) -> Positions:
        """The reader of position files."""
        return self._make_positions()

    @cached_property
    def ids(self) -> frozenset[str]:
        """The pieces, places and cards of the box."""
        box = self.inventory()
        return frozenset((*box.pieces_of, *box.places_of, *box.cards_of))

    def inventory(self, scenario: str = "", options: Mapping[str, Value] | None = None) -> Inventory:
        """Return what is in play in a scenario with some options, or what is in the box."""
        return Inventory(sides={}) if self._make_inventory is None else self._make_inventory(scenario, options or {})
