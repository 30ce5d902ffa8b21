"""The table of this game as its players look at it."""

from core.games.axis_allies.narration.forces import Forces, Name
from core.render_model import Picture
from projections.table import Table


class Pictures:
    """Draws tables.

    Args:
        forces: Names units.
        name: Returns what an id is called.
    """

    def __init__(self, forces: Forces, name: Name) -> None:
        self.forces = forces
        self.name = name

    def picture(self, table: Table) -> Picture | None:
        """Return a table as its viewer sees it, or None before the zones have an owner."""
        return None
