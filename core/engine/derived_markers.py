"""Markers that show derived state, such as units out of supply.

Rules that need the state derive it from the table each time and never read the markers; only changes of markers are logged.
"""

from collections.abc import Sequence

from core.engine.draft import Draft
from events.ids import MarkerId, RuleId


def update_markers(draft: Draft, marker: MarkerId, wanted: Sequence[str], rule: RuleId) -> None:
    """Place a marker where it is wanted and missing, and remove it everywhere else.

    Args:
        draft: The draft, whose table has the previous markers.
        marker: The marker that shows the state, and nothing else.
        wanted: Everything that has the state now, in an order that does not depend on secrets. Markers are first removed in
            the table's order, then placed in this order.
        rule: The rule that requires the markers.
    """
    keep = frozenset(wanted)
    marked = [on for on, there in draft.table.markers.items() if marker in there]
    for on in marked:
        if on not in keep:
            draft.unmark(on, marker, rule)
    already = frozenset(marked)
    for on in dict.fromkeys(wanted):
        if on not in already:
            draft.mark(on, marker, rule)
