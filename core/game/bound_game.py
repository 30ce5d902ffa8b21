"""The ports of a game on one board besides its rules: narration and position files, each loaded on first use."""

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Protocol

from core.components.inventory import Inventory
from core.engine.decision import Rules
from core.engine.draft import Draft
from core.narration.game_rolls import GameRolls
from core.narration.narration_port import Narration
from core.positions.position import Defect, Position
from events.ids import Digest
from events.vocabulary import Value


class Positions(Protocol):
    """The position files of a game on one board."""

    def check_position(self, position: Position) -> tuple[Defect, ...]:
        """Return every defect of a position; empty if it can be played."""

    def set_up_position(self, draft: Draft, position: Position) -> None:
        """Set the table up from a valid position, up to the steps that `Rules.settle` executes."""


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
        make_rolls: Likewise for what the game says of its rolls; without it no chances are told.
    """

    def __init__(
        self,
        board_digest: Digest,
        make_rules: Callable[[], Rules],
        make_narration: Callable[[], Narration],
        make_positions: Callable[[], Positions],
        make_inventory: Callable[[str, Mapping[str, Value]], Inventory] | None = None,
        *,
        make_rolls: Callable[[], GameRolls] = GameRolls,
    ) -> None:
        self.board_digest = board_digest
        self._make_rules = make_rules
        self._make_narration = make_narration
        self._make_positions = make_positions
        self._make_inventory = make_inventory
        self._make_rolls = make_rolls

    def __reduce__(self) -> tuple[Callable[..., "BoundGame"], tuple[object, ...]]:  # type: ignore[explicit-override]
        """Tell `pickle` how to rebuild it."""
        makers = (self._make_rules, self._make_narration, self._make_positions, self._make_inventory)
        return partial(BoundGame, make_rolls=self._make_rolls), (self.board_digest, *makers)

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
    def rolls(self) -> GameRolls:
        """What the game says of its rolls."""
        return self._make_rolls()

    @cached_property
    def ids(self) -> frozenset[str]:
        """The pieces, places and cards of the box."""
        box = self.inventory()
        return frozenset((*box.pieces_of, *box.places_of, *box.cards_of))

    def inventory(self, scenario: str = "", options: Mapping[str, Value] | None = None) -> Inventory:
        """Return what is in play in a scenario with some options, or what is in the box."""
        return Inventory(sides={}) if self._make_inventory is None else self._make_inventory(scenario, options or {})
