"""A story knows the table after any event, tells it, and steps through it."""

from contextlib import suppress
from time import thread_time

import pytest

from core.telling.names import Names
from events.ids import PUBLIC, MatchId, RuleId, Seat
from events.memory_log import MemoryLog
from events.vocabulary import ChanceScheme, CommandsUndone, Event, MatchForked, NoteAdded, PieceMoved, SeedRevealed
from projections.combats import combats
from projections.losses import losses
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.undo_history import undone_events
from projections.state.view import EventSlice
from projections.table_at import KEYFRAME_EVERY
from server.client.local import local_client
from server.page_parts.story import PARTS_MAX, Story
from server.page_parts.unread_events import first_unseen
from server.protocol.errors import RequestFailed
from tests.support.browsing import narrator_of, play_on, played, resign
from tests.support.rows import each_row

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


@each_row("is_own", [True, False])
def test_the_seed_that_was_opened_is_that_of_the_dice(is_own: bool) -> None:
    """A fork that begins after an end has dice of its own, and holds the event that opened the seed of its parent."""
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


def with_commands_taken_back(commands: int) -> list[EventSlice]:
    """Return the stream of a match in which every second command that can be is taken back."""
    log = MemoryLog()
    client, match = local_client(log), played(log, GAME, 3, seed="3")
    for number in range(commands):
        play_on(client, match, 1, str(number))
        mover = client.legal(match, words=False).to_move
        if number % 2 and mover:
            with suppress(RequestFailed):
                client.undo(match, mover)
    return client.log(match, PUBLIC)


def test_what_a_story_keeps_as_it_grows_is_what_its_events_say() -> None:
    stream = with_commands_taken_back(300)
    events: list[Event] = []
    narration = narrator_of(GAME)
    story = Story(MatchId("m"), PUBLIC, Names(narration), narration)
    for number, slice_ in enumerate(stream):
        story.take(slice_)
        events += slice_.events
        if number % 20 == 0:
            assert story.undone == undone_events(events)
            assert story.losses() == losses(events, story.names.is_in_play)
            assert story.combats() == combats(events, story.names.is_on_map)

    assert any(isinstance(event, CommandsUndone) for event in events)
    assert story.undone != set()
    assert story.losses() != []


def test_taking_commands_back_costs_as_much_in_a_long_match_as_in_a_short_one() -> None:
    """Each was once looked for among all events anew."""
    last = told(slices := with_commands_taken_back(10)).last
    story, number, spent = told(slices), last, list[float]()
    for _ in range(4):
        began = thread_time()
        for _ in range(400):
            notes = [NoteAdded(rule=RuleId("r"), seat=Seat("german"), text="x")] * 5
            story.take(
                EventSlice(number + 1, 0, (*notes, CommandsUndone(rule=RuleId("r"), seat=Seat("german"), to=last)))
            )
            number = story.last
        spent.append(thread_time() - began)

    assert spent[3] < 4 * spent[0]


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


@each_row("kind", ["event", "commit", "decision", "round"])
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


@each_row("commands", [0, 1])
def test_the_setup_is_no_news_to_who_has_looked_before_it(commands: int) -> None:
    log = MemoryLog()
    match = played(log, GAME, commands)
    story = told(local_client(log).log(match, PUBLIC))
    first = first_unseen(story, 1)

    assert len(story.told) > 1
    assert story.table(first - 1).top is not None
    assert (first > story.last) == (commands == 0)


def test_who_flies_to_attack_a_crossing_is_not_lost() -> None:
    """The place above a Volga Crossing is a box beside the board, and who is there is in play."""
    log = MemoryLog()
    match = played(log, "axis-allies", 250)
    narration = narrator_of("axis-allies")
    story = Story(match, PUBLIC, Names(narration), narration)
    for slice_ in local_client(log).log(match, PUBLIC):
        story.take(slice_)
    above = {place.id for place in narration.place_names() if place.is_above}

    assert any(isinstance(event, PieceMoved) and event.to in above for event in story.events)
    assert [loss for loss in story.losses() if loss.to in above] == []
