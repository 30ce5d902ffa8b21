"""Changes in a part of a match, in words: places that changed hands, and pieces and Steps that were lost."""

from collections.abc import Sequence
from typing import NamedTuple

from core.wording import counted, does, joined
from events.ids import PlaceId, Side
from events.vocabulary import ControlChanged
from projections.chronicle import Heading
from projections.losses import LEFT, REDUCED
from server.page_parts.story import Story

PLACES_MAX = 2
"""How many places are named."""


class Change(NamedTuple):
    """A change: a place that changed hands, a piece that left the field, or Steps that one on it lost.

    `number` is that of the event. `place` is None for a loss, `side` the new holder or who lost something. `steps` is 0 unless only Steps were lost.
    """

    number: int
    place: PlaceId | None
    side: Side
    steps: int = 0


def changes_between(story: Story, first: int, last: int) -> list[Change]:
    """Return what two events and those between them changed, without what was taken back."""
    taken = [
        Change(number, event.place, event.to)
        for number, event in enumerate(story.events[first - 1 : last], start=first)
        if isinstance(event, ControlChanged) and event.to and event.to != event.was and number not in story.undone
    ]
    lost = [
        Change(loss.number, None, loss.side, loss.steps if loss.change == REDUCED else 0)
        for loss in story.losses()
        if first <= loss.number <= last and loss.change in (LEFT, REDUCED)
    ]
    return taken + lost


def change_words(story: Story, changes: Sequence[Change]) -> str:
    """Return changes in words; of a place that changed hands several times the last holder counts."""
    names = story.names
    holders = {one.place: one.side for one in changes if one.place is not None}
    held = [f"{names.place(place)} becomes {names.side(side)}" for place, side in [*holders.items()][:PLACES_MAX]]
    more = len(holders) - PLACES_MAX
    held += [f"{counted(more, 'more place')} change{'s' if more == 1 else ''} hands"] if more > 0 else []
    lost = [one for one in changes if one.place is None and one.side]
    fallen = [
        f"{does(names.side(side), 'lose')} {_lost_words([one for one in lost if one.side == side])}"
        for side in dict.fromkeys(one.side for one in lost)
    ]
    return "; ".join([*held, *fallen])


def _lost_words(lost: Sequence[Change]) -> str:
    """Return the losses of one side in words; the Steps that a lost piece took along are not counted again."""
    pieces, steps = sum(not one.steps for one in lost), sum(one.steps for one in lost)
    counts = ((pieces, "piece"), (steps, "Step"))
    return joined([counted(count, noun) for count, noun in counts if count])


def round_words(story: Story, number: int) -> str:
    """Return the round of an event in words, or the heading of its chapter where there are no rounds."""
    table = story.table(number)
    return f"{story.names.round} {table.round}" if table.round else story.heading(Heading.of(table))
