"""The position files of this game, bound to its cards."""

from core.draft import Draft
from core.games.battle.components.card_model import Cards
from core.games.battle.positions import position_checks, position_set_up
from core.position import Defect, Position


class BattlePositions:
    """Checks positions and sets them up; see `core.ports.Positions`.

    Args:
        cards: The packaged cards or an owner's.
    """

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def check_position(self, position: Position) -> tuple[Defect, ...]:
        """Name every defect of a position; empty if it can be played."""
        return position_checks.check(self.cards, position)

    def set_up_position(self, draft: Draft, position: Position) -> None:
        """Set the table up as a valid position says."""
        position_set_up.set_up_position(draft, self.cards, position)
