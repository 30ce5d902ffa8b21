"""What a game provides on one board besides its rules: narration and position files, each loaded when it is asked for."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Protocol

from core.command import Command
from core.components.inventory import Inventory
from core.decision import Rules
from core.draft import Draft
from core.position import Defect, Position
from core.render_model import Picture
from events.codec import Struct
from events.ids import Digest, PlaceId, Seat
from events.vocabulary import Event, Value
from projections.table import Open, Table


class MapBorder(Struct, frozen=True):
    """What lies on the border to a neighbour, such as a river, by the names that `Narration.name` knows."""

    to: PlaceId
    features: tuple[str, ...]


class MapPlace(Struct, frozen=True):
    """A place as it is drawn: a centre on a schematic map (0 to 1000 both ways, y down) and its neighbours.

    A box is not part of the map: pieces wait there, or are out of play.

    `map` names one of a game's several maps, each with its own coordinates; it is empty where there is one. `kind` tells places
    apart that are not of the usual kind, such as crossings. `outline` is the polygon of an area or a hex, empty where the place is
    a spot; neighbours have the corners of their common border in common. `borders` are those neighbours on whose border
    something lies, each told by one of the two places or by both.
    """

    id: PlaceId
    name: str
    label: str
    x: int
    y: int
    neighbours: tuple[PlaceId, ...] = ()
    is_box: bool = False
    map: str = ""
    kind: str = ""
    outline: tuple[tuple[int, int], ...] = ()
    borders: tuple[MapBorder, ...] = ()


class Narration(Protocol):
    """Names, sentences and pictures of a game on one board. Nothing that happens in a match depends on them."""

    def name(self, id_: str) -> str:
        """Return the printed name of a place, map, border, piece, counter, track, marker, pile, phase or seat; else the id itself.

        A marker that only keeps what the rules have to remember has no printed name, so that no reader is bothered with it.
        """

    def describe(self, table: Table, command: Command) -> str:
        """Return a sentence about what a command would do."""

    def question(self, asked: Open) -> str:
        """Word an open question, or a procedure that waits, without a full stop: what is to be decided, about what."""

    def tell(self, run: Sequence[Event]) -> str | None:
        """Return the sentence that players would say about facts in a row; empty for the default one, None for none at all.

        Args:
            run: One fact, or several alike (`cli.narration`); not empty.
        """

    def picture(self, table: Table) -> Picture | None:
        """Return a table, as its viewer sees it, the way players look at it, or None to have it drawn as any table is."""

    def places(self) -> tuple[MapPlace, ...]:
        """List the places of the map in the order in which players look for them; boxes off the map come last."""


class Positions(Protocol):
    """The position files of a game on one board."""

    def check_position(self, position: Position) -> tuple[Defect, ...]:
        """Name every defect of a position; empty if it can be played."""

    def set_up_position(self, draft: Draft, position: Position) -> None:
        """Set the table up as a valid position says, up to the procedures that `Rules.settle` carries out."""


Policy = Callable[[Rules, Table, Seat, list[Command], Callable[[int], int]], Command]
"""How a bot chooses: the rules, the table as its seat sees it, the seat, the options (not empty), and a source of
numbers from 0 to n - 1."""


class BoundGame:
    """A game on one board.

    Pickled, it takes along its board and not what was made for it: another process makes that faster than it reads a file.

    Args:
        board_digest: The SHA-256 of the board's text.
        make_rules: Makes the rules when they are first asked for. It can be pickled, as the others can.
        make_narration: Likewise for names, sentences and pictures.
        make_positions: Likewise for position files.
        make_inventory: Declares what is in play in a scenario with some options; for the empty scenario what is in the box. A
            game that leaves it out declares that there is nothing, and `check-game` finds fault with whatever there is.
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
        """Tell `pickle` how to make the same again."""
        makers = (self._make_rules, self._make_narration, self._make_positions, self._make_inventory)
        return BoundGame, (self.board_digest, *makers)

    @cached_property
    def rules(self) -> Rules:
        """What decides."""
        return self._make_rules()

    @cached_property
    def narration(self) -> Narration:
        """What words and draws."""
        return self._make_narration()

    @cached_property
    def positions(self) -> Positions:
        """What reads position files."""
        return self._make_positions()

    def inventory(self, scenario: str = "", options: Mapping[str, Value] | None = None) -> Inventory:
        """Return what is in play in a scenario with some options, or what is in the box."""
        return Inventory(sides={}) if self._make_inventory is None else self._make_inventory(scenario, options or {})
