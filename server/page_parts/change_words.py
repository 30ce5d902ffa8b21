"""Changes in a part of a match, in words: places that changed hands, and pieces and Steps that were lost."""

from collections.abc import Sequence
from typing import NamedTuple

from core.telling.phrases import counted_alike
from core.wording import counted, does, joined
from events.ids import PieceId, PlaceId, Side
from events.vocabulary import ControlChanged
from projections.chronicle import Heading
from projections.losses import LEFT, REDUCED
from server.page_parts.story import Story

PLACES_MAX, PIECES_MAX = 2, 2
"""How many places, and how many lost pieces of a side are named."""
NO_PIECE, NO_SIDE = PieceId(""), Side("")


class Change(NamedTuple):
    """A change: a place that changed hands, a piece that left the field, or Steps that one on it lost.

    `number` is that of the event. `place` is None for a loss, `side` the new holder or who lost something. `steps` is 0 unless only Steps were lost.
    `was` is who held the place before. `piece` is the one that was lost, as far as it is to be named.
    """

    number: int
    place: PlaceId | None
    side: Side
    steps: int = 0
    piece: PieceId = NO_PIECE
    was: Side = NO_SIDE


def changes_between(story: Story, first: int, last: int) -> list[Change]:
    """Return what two events and those between them changed, without what was taken back."""
    taken = [
        Change(number, event.place, event.to, was=event.was)
        for number, event in enumerate(story.events[first - 1 : last], start=first)
        if isinstance(event, ControlChanged) and event.to != event.was and number not in story.undone
    ]
    lost = [
        Change(loss.number, None, loss.side, loss.steps if loss.change == REDUCED else 0, loss.piece)
        for loss in story.losses()
        if first <= loss.number <= last and loss.change in (LEFT, REDUCED)
    ]
    return taken + lost


def change_words(story: Story, changes: Sequence[Change]) -> str:
    """Return changes in words; of a place that changed hands several times the last holder counts, if it is not the first one."""
    names = story.names
    first = {one.place: one.was for one in reversed(changes)}
    holders = {one.place: one.side for one in changes if one.place is not None}
    holders = {place: side for place, side in holders.items() if side != first[place]}
    shown = [*holders.items()][:PLACES_MAX]
    held = [
        _held_words([names.place(place) for place, holder in shown if holder == side], names.side(side) if side else "")
        for side in dict.fromkeys(holder for _, holder in shown)
    ]
    more = len(holders) - PLACES_MAX
    held += [f"{counted(more, 'more place')} change{'s' if more == 1 else ''} hands"] if more > 0 else []
    lost = [one for one in changes if one.place is None and one.side]
    fallen = [
        f"{does(names.side(side), 'lose')} {_lost_words(story, [one for one in lost if one.side == side])}"
        for side in dict.fromkeys(one.side for one in lost)
    ]
    return "; ".join([*held, *fallen])


def _held_words(places: Sequence[str], holder: str) -> str:
    """Return who has taken places; no side if the holder is empty. What a place does is not said: names such as The Docks do not tell their number."""
    return f"{does(holder, 'take') if holder else 'no side holds'} {joined(places)}"


def _lost_words(story: Story, lost: Sequence[Change]) -> str:
    """Return the losses of one side in words, a few pieces by their names; the Steps that a lost piece took along are not counted again."""
    pieces, steps = [one for one in lost if not one.steps], sum(one.steps for one in lost)
    named = [_name(story, one) for one in pieces] if len(pieces) <= PIECES_MAX else []
    said = counted_alike(named) if all(named) else []
    said = said or ([counted(len(pieces), story.names.narration.piece_noun)] if pieces else [])
    return joined([*said, *([counted(steps, "Step")] if steps else [])])


def _name(story: Story, lost: Change) -> str:
    """Return what the viewer called a piece before it was lost; empty if it had no name but that of its side or place."""
    table = story.table(lost.number - 1)
    if not lost.piece or not table.pieces[lost.piece].kind:
        return ""
    names = story.names.on(table)
    name = names.piece(lost.piece, table.ground(table.pieces[lost.piece].place))
    return "" if name.startswith(f"{names.side(lost.side)} ") else name


def round_words(story: Story, number: int) -> str:
    """Return the round of an event in words, or the heading of its chapter where there are no rounds."""
    table = story.table(number)
    return f"{story.names.round} {table.round}" if table.round else story.heading(Heading.of(table))
