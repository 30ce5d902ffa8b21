"""A story knows the table after any event, tells it, and steps through it."""

import pytest

from core.telling.names import Names
from events.ids import PUBLIC, MatchId, RuleId
from events.memory_log import MemoryLog
from events.vocabulary import ChanceScheme, MatchForked, SeedRevealed
from projections.fold import fold
from projections.table import Table
from projections.tables import KEYFRAME_EVERY
from projections.view import EventSlice
from server.client.local import local_client
from server.pages.story import PARTS_MAX, Story
from tests.support.browsing import narrator_of, played, resign

GAME = "battle"


@pytest.fixture(scope="module")
def slices() -> list[EventSlice]:
    log = MemoryLog()
    return local_client(log).log(played(log, GAME, 60), PUBLIC)


def told(slices: list[EventSlice]) -> Story:
    narration = narrator_of(GAME)
    story = Story(MatchId("m"), PUBLIC, Names(narration), narration)
    for slice_ in slices:
        story.take(slice_)
    return story


@pytest.mark.parametrize("is_own", [True, False])
def test_the_seed_that_was_opened_is_that_of_the_dice(is_own: bool) -> None:
    """A side line that begins after an end has dice of its own, and holds the event that opened the seed of its parent."""
    log = MemoryLog()
    match = played(log, GAME, 12, dice="sealed")
    resign(local_client(log), match)
    story = told(local_client(log).log(match, PUBLIC))
    if not is_own:
        chance = ChanceScheme(scheme="sealed", commitment="0" * 64)
        forked = MatchForked(rule=RuleId("r"), parent=match, at=story.last, chance=chance, hidden="truth", seat=PUBLIC)
        story.take(EventSlice(story.last + 1, 0, (forked,)))
    opened = next(at for at, event in enumerate(story.events, 1) if isinstance(event, SeedRevealed))

    assert story.revealed == (opened if is_own else None)


def test_the_table_after_any_event_is_the_fold_of_the_events(slices: list[EventSlice]) -> None:
    story, table = told(slices), Table()
    tables = [story.table(0)]
    for number, event in enumerate(story.events, start=1):
        fold([event], table)
        if number % 17 == 0 or number % KEYFRAME_EVERY in (0, 1) or number == story.last:
            assert story.table(number) == table
    assert tables[0] == Table()


def test_events_that_come_twice_or_overlap_are_taken_once(slices: list[EventSlice]) -> None:
    whole = told(slices)
    twice = told([one for slice_ in slices for one in (slice_, slice_)])
    joined = EventSlice(1, slices[0].at, tuple(whole.events))
    overlapping = told([*slices[:3], joined])

    assert twice.events == overlapping.events == whole.events
    assert twice.told == whole.told
    assert list(twice.stream()) == slices


def test_a_part_of_the_stream_is_cut_out_of_the_commits(slices: list[EventSlice]) -> None:
    story = told(slices)
    part = list(story.stream(10, 25))

    assert [event for slice_ in part for event in slice_.events] == story.events[10:25]
    assert (part[0].first, part[-1].last) == (11, 25)


@pytest.mark.parametrize("kind", ["event", "commit", "decision", "round"])
def test_stepping_on_and_back_visits_the_same_stops(slices: list[EventSlice], kind: str) -> None:
    story = told(slices)
    stops: list[int] = []
    while (at := story.step(kind, stops[-1] if stops else 0, is_back=False)) is not None:
        stops.append(at)
    back = stops[-1:]
    while (at := story.step(kind, back[-1], is_back=True)) is not None:
        back.append(at)

    assert stops == back[::-1]
    assert stops == (list(range(1, story.last + 1)) if kind == "event" else list(story.stops(kind)))


def test_parts_are_made_once_and_the_latest_are_kept(slices: list[EventSlice]) -> None:
    story, made = told(slices), list[int]()

    def part(number: int) -> str:
        def make() -> str:
            made.append(number)
            return str(number)

        return story.made_once(("part", number), make)

    shown = [part(number) for number in (1, 1, *range(2, PARTS_MAX + 2), 2, 1)]

    assert shown[:2] + shown[-2:] == ["1", "1", "2", "1"]
    assert made == [*range(1, PARTS_MAX + 2), 1]


def test_the_sentence_of_an_event_is_the_last_that_began_before_it(slices: list[EventSlice]) -> None:
    story = told(slices)
    for number in range(1, story.last + 1, 7):
        place = story.line_of(number)

        assert place is None or story.told[place].line.first <= number
        assert place is None or place + 1 == len(story.told) or story.told[place + 1].line.first > number
