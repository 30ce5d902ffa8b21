"""The events that a client receives: what is public of their dice is checked before they count."""

from core.chance.public_results import unproved_result
from events.errors import BrokenEvidence
from events.ids import MatchId
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import EventSlice


def fold_checked(match: MatchId, slice_: EventSlice, table: Table) -> Table:
    """Fold the events of a commit into the table before it, which is returned, once their links and public results are checked.

    Raises:
        BrokenEvidence: A link does not follow, or a result not from the links; it names the event, and the table is unchanged.
    """
    unproved = unproved_result(slice_.events, table)
    if unproved is not None:
        raise BrokenEvidence(match, *unproved)
    return fold(slice_.events, table)
