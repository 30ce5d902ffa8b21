"""Markers that show what follows from the table, such as who is out of supply.

The rules that need the state derive it from the table each time and never trust its markers; the log gets the difference alone.
"""

from collections.abc import Sequence

from core.draft import Draft
from events.ids import MarkerId, RuleId


def update_markers(draft: Draft, marker: MarkerId, wanted: Sequence[str], rule: RuleId) -> None:
    """Put a marker onto what is to have it and has none, and take it off everything else.

    Args:
        draft: Its table has the markers as they were.
        marker: What the state is shown by; it means nothing else.
        wanted: What is to have it now, in an order that does not depend on secrets. New markers are put down in this order,
            after the others were taken off in the order in which they lie on the table.
        rule: The rule that has the markers put down.
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
