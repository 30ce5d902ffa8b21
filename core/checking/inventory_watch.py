"""Checks during a match that the table holds only what the game's inventory declares."""

from core.checking.conformance import Playing, new_commits, require
from core.components.inventory import Inventory
from core.positions.inventory_checks import table_defects
from events.vocabulary import (
    AttributeSet,
    CardDiscarded,
    CardDrawn,
    CardMoved,
    CardPlayed,
    ControlChanged,
    DeckFormed,
    MarkerPlaced,
    MarkerRemoved,
    MatchForked,
    PieceMoved,
    PiecePlaced,
    PieceRemoved,
    PieceRevealed,
    PieceTurned,
    SecretsRedealt,
    SideChanged,
    TrackMoved,
)
from projections.state.fold import evolve
from projections.state.table import Table

ARRANGING = (
    PiecePlaced
    | PieceMoved
    | PieceTurned
    | PieceRevealed
    | SideChanged
    | PieceRemoved
    | ControlChanged
    | MarkerPlaced
    | MarkerRemoved
    | TrackMoved
    | AttributeSet
    | CardDrawn
    | CardMoved
    | CardPlayed
    | CardDiscarded
    | DeckFormed
    | SecretsRedealt
)
"""The events that add something to the table or move it; all others change nothing or only remove."""


class InventoryWatch:
    """The table holds what the game's inventory declares, where it may lie, and nothing else.

    This holds after every event. Since a look at the whole table takes longer than the event itself, one in `every` is looked at,
    by its number in the match, and the last of each command always is; a fault between two looks usually lasts until the next.
    After every command nothing is missing either, unless the match began from a position, which may omit items.
    """

    def __init__(self, every: int = 1) -> None:
        self.every = every
        self.folded = Table()
        self.inventory: Inventory | None = None

    def __call__(self, playing: Playing) -> None:
        """Fold the new events one by one, and check each table."""
        if self.inventory is None:
            table = playing.match.table
            self.inventory = playing.match.ruleset.game.inventory(table.scenario, table.options)
        for _, events in new_commits(playing, self.folded.seq):
            # What a fork deals again is spread over several events, between which a card may be in two piles.
            is_dealt_again = isinstance(events[0], MatchForked)
            for number, event in enumerate(events, start=1):
                evolve(self.folded, event)
                is_due = not is_dealt_again and self.folded.seq % self.every == 0
                is_looked_at = number == len(events) or is_due
                if isinstance(event, ARRANGING) and is_looked_at:
                    defects = table_defects(self.inventory, self.folded, is_settled=False)
                    require(not defects, f"after {event}: {'; '.join(defects)}")
        if self.folded.position is None:
            defects = table_defects(self.inventory, self.folded)
            require(not defects, f"the inventory does not add up: {'; '.join(defects)}")
