"""Moments of a match that a report draws, and the stretches of its log between them."""

from typing import NamedTuple

from events.vocabulary import ControlChanged, PhaseBegan
from projections.chronicle import Heading
from server.page_parts.story import Story, Told

PICTURES_MAX = 24
"""The most pictures of a report: with more rounds than that, those of some rounds are left out, evenly."""
FEW = 6
"""With fewer rounds than this, changes of control are drawn as well."""
MORE_MAX = 6
"""The most pictures then."""


class Stretch(NamedTuple):
    """A part of the log that ends with a moment.

    Attributes:
        title: Its heading.
        first: The number of its first event.
        last: The number of its last event.
        begins_round: Whether a round begins with it, or the match.
        is_drawn: Whether the table after it is drawn.
        told: Its sentences.
    """

    title: str
    first: int
    last: int
    begins_round: bool
    is_drawn: bool
    told: tuple[Told, ...]


def stretches(story: Story) -> list[Stretch]:
    """Divide the log of a match at the ends of rounds; with few of them, also where control of a place changed."""
    begins = [number for number, _ in story.rounds if number not in story.undone]
    opening = _opening(story, begins[0]) if begins else 0
    begins = sorted([*begins, opening + 1]) if opening else begins
    ends = [*(number - 1 for number in begins if number > 1), story.last]
    # There is nothing to be seen before the set-up.
    drawn = set(spread([number for number in ends if story.table(number).pieces], PICTURES_MAX))
    if len(ends) < FEW:
        changes = [number for number in _changes(story, max(opening, *begins[:1], 0)) if number not in ends]
        more = spread(changes, MORE_MAX - len(ends))
        drawn.update(more)
        ends = sorted([*ends, *more])
    found = []
    first, place = 1, 0
    for end in ends:
        told = []
        while place < len(story.told) and story.told[place].line.first <= end:
            told.append(story.told[place])
            place += 1
        begins_round = first == 1 or first in begins
        title = _title(story, end, first, is_opening=end == opening, is_continued=first not in begins)
        found.append(Stretch(title, first, end, begins_round, end in drawn, tuple(told)))
        first = end + 1
    return found


def spread(numbers: list[int], most: int) -> list[int]:
    """Return at most so many of some numbers, evenly chosen, the last one among them."""
    if len(numbers) <= most:
        return numbers
    return [numbers[(place + 1) * len(numbers) // most - 1] for place in range(most)]


def _changes(story: Story, after: int) -> list[int]:
    """Return the last events of the commands that changed the control of a place for good."""
    found = [
        story.commit_of(number)[1]
        for number, event in enumerate(story.events, start=1)
        if number > after and isinstance(event, ControlChanged) and number not in story.undone
    ]
    return list(dict.fromkeys(found))


def _opening(story: Story, first: int) -> int:
    """Return the last event of a set-up that is a phase of the first round; 0 if the pieces are set up before that round.

    Args:
        story: The match.
        first: The event with which the first round begins.
    """
    if story.table(first - 1).pieces:
        return 0
    later = range(first + 1, story.rounds[1][0] if len(story.rounds) > 1 else story.last + 1)
    phases = [number for number in later if isinstance(story.events[number - 1], PhaseBegan)]
    return next((number - 1 for number in phases if story.table(number - 1).pieces), 0)


def _title(story: Story, end: int, first: int, *, is_opening: bool, is_continued: bool) -> str:
    table = story.table(end)
    if not table.round:
        return story.heading(Heading())
    words = f"{story.names.round} {table.round}"
    if is_opening:
        return f"{words}, {story.names.phase(table.phase)}"
    is_same = first > 1 and table.round == story.table(first - 1).round
    return f"{words}, from event {first}" if is_same and is_continued else words
