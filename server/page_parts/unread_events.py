"""First events that a viewer has not read: since the last visit, and since the last command of the viewer's own."""

from bisect import bisect_left

from projections.chronicle import Heading
from projections.state.undo_history import KEPT
from server.page_parts.story import Story, is_pass

LOOKED_AT_MAX = 200
"""Among how many commits the first one of another seat is looked for: each takes a table."""


def first_unseen(story: Story, seen: int) -> int:
    """Return the first event after those that the viewer has seen: what a command of the viewer's own does in its turn counts as seen, too.

    The set-up is where everybody begins, and never news: what follows the first question is.

    Returns:
        The number of the event; one more than that of the last event if there is none. After many commits of the viewer's own, the next one.
    """
    number = max(seen, story.first_question or story.last) + 1
    for _ in range(LOOKED_AT_MAX):
        if number > story.last:
            break
        first, last = story.commit_of(number)
        asked = story.table(first - 1).top
        if asked is None or asked.seat != story.seat or type(story.events[first - 1]) in KEPT:
            return number
        number = max(number, _later_turn(story, first, last))
        if number <= last:
            return number
    return number


def first_after_own(story: Story, first: int) -> int:
    """Return the first event, from one on, after the last command of the viewer's own that did more than pass; that of the command itself if it is the last."""
    start = story.last_deed
    if start < first:
        return first
    end = story.commit_of(start)[1]
    return start if end == story.last else end + 1


def are_passes(story: Story, first: int) -> bool:
    """Return whether every command from an event on was a pass: what was waited with goes on then, as its player knows."""
    number = first
    while number <= story.last:
        begins, ends = story.commit_of(number)
        if not is_pass(story.events[begins - 1 : ends]):
            return False
        number = ends + 1
    return True


def _later_turn(story: Story, first: int, last: int) -> int:
    """Return the first event that a command did in a later turn or phase than its own, or one more than its last event; by the sentences, since there may be many events."""
    asked = Heading.of(story.table(first - 1))
    place = bisect_left(story.told, first, key=lambda told: told.line.first)
    while place < len(story.told) and story.told[place].line.first <= last:
        if story.told[place].heading != asked:
            return story.told[place].line.first
        place += 1
    return last + 1
