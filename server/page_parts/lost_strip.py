"""Strip of what each side has lost, by kind, for games in which losses leave the table: others show them in a box."""

from collections import Counter

from core.narration.strips import Cell, Strip
from core.telling.phrases import listed
from events.ids import Side
from projections.losses import LEFT, OFF_TABLE
from server.page_parts.story import Story


def lost_strip(story: Story, number: int) -> Strip | None:
    """Return the pieces that have left the table up to an event, by side and kind, the most frequent kinds first; None if there are none."""
    lost: dict[Side, Counter[str]] = {side: Counter() for side in story.now.sides}
    for loss in story.losses():
        if loss.number <= number and loss.change == LEFT and loss.to == OFF_TABLE:
            lost.setdefault(loss.side, Counter())[loss.kind] += 1
    rows = [
        tuple([Cell(story.names.of(kind), label=str(count), side=side) for kind, count in kinds.most_common()])
        for side, kinds in lost.items()
        if kinds
    ]
    note = listed([f"{story.names.side(side)} {kinds.total()}" for side, kinds in lost.items() if kinds])
    return Strip("Lost so far", tuple(rows), note=note) if rows else None
