"""A browser is told every commit once and in order, also after it was cut off, and only as long as it may see the match."""

import asyncio
from collections.abc import Iterator
from contextlib import closing

import pytest

from core.telling.names import Names
from events.codec import Decoder
from events.ids import PUBLIC, MatchId, Seat
from events.memory_log import MemoryLog
from server.client.client import Client
from server.client.local import local_client
from server.client.retry import RetryPolicy
from server.page_parts.story import Story
from server.web.backend.event_stream import News, news_after
from server.web.backend.gateway import Caller
from server.web.backend.match_evidence import Heads
from server.web.backend.story_cache import CachedStory
from server.web.backend.subscriptions import Subscription
from server.web.routes.page_loader import TRIES_MAX
from server.web.routes.web_app import STREAMS_MAX
from tests.support.browsing import (
    HTML,
    Pages,
    Stream,
    browsed,
    fields_of,
    narrator_of,
    play_on,
    played,
    read,
    secret_of,
)
from tests.support.served import client_of, eventually, served

GERMAN = Seat("german")
NEWS: Decoder[News] = Decoder(News)


class Evening:
    """A running match, its pages, and a client that plays both seats."""

    def __init__(self, pages: Pages, client: Client, match: MatchId) -> None:
        self.pages = pages
        self.client = client
        self.match = match

    @property
    def last(self) -> int:
        return self.client.state(self.match).seq

    def play(self, commands: int = 1) -> None:
        play_on(self.client, self.match, commands)

    def news(self, stream: Stream) -> News:
        event = stream.next()
        news = NEWS.decode(event["data"].encode())
        assert (event["event"], event["id"]) == ("news", str(news.last))
        return news


@pytest.fixture
def evening() -> Iterator[Evening]:
    log = MemoryLog()
    match = played(log, "battle", 3)
    with browsed(log) as (pages, broker), client_of(broker) as client:
        add(client, match)
        yield Evening(pages, client, match)


def add(client: Client, match: MatchId) -> None:
    for seat in ("german", "russian"):
        client.add_token(match, Seat(seat), secret_of(seat))


def test_every_commit_is_told_once_and_in_order(evening: Evening) -> None:
    start = evening.last
    with closing(evening.pages.stream(f"/m/{evening.match}/news?after={start}")) as stream:
        told: list[News] = []
        for _ in range(5):
            evening.play()
            while not told or told[-1].last < evening.last:
                told.append(evening.news(stream))
    firsts, lasts = [news.first for news in told], [news.last for news in told]

    assert firsts == [start + 1, *(last + 1 for last in lasts[:-1])]
    assert lasts == sorted(set(lasts))


def test_a_browser_that_was_cut_off_goes_on_where_it_was(evening: Evening) -> None:
    start = evening.last
    path = f"/m/{evening.match}/news?after={start}"
    with closing(evening.pages.stream(path)) as stream:
        evening.play()
        first = evening.news(stream)
    evening.play(3)
    told: list[News] = []
    with closing(evening.pages.stream(path, last_event_id=str(first.last))) as stream:
        while not told or told[-1].last < evening.last:
            told.append(evening.news(stream))

    assert told[0].first == first.last + 1
    assert [news.first for news in told[1:]] == [news.last + 1 for news in told[:-1]]


def test_many_browsers_share_one_subscription(evening: Evening) -> None:
    path = f"/m/{evening.match}/news?after={evening.last}"
    streams = [evening.pages.stream(path) for _ in range(6)]
    evening.play()
    told = [evening.news(stream) for stream in streams]
    for stream in streams:
        stream.close()

    assert [news == told[0] for news in told] == [True] * 6


def test_a_seat_that_changes_hands_is_told_no_more(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.web.backend.event_stream.QUIET_S", 0.2)
    browser = evening.pages.browser()
    browser.sit(evening.match, GERMAN, secret_of(GERMAN))
    cookie = f"wardiary_session_8042={browser.cookies['wardiary_session_8042']}"
    path = f"/m/{evening.match}/news?seat=german&after={evening.client.state(evening.match, GERMAN).seq}"
    with closing(evening.pages.stream(path, cookie=cookie)) as stream:
        eventually(lambda: stream.status == 200, "the stream does not begin")
        evening.client.leave(evening.match, GERMAN)
        events = [stream.next()]
        while events[-1]["event"] == "news":
            events.append(stream.next())

    assert events[-1]["event"] == "gone"


def test_a_broker_that_leaves_and_comes_back_is_told_before_its_news(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.web.backend.event_stream.QUIET_S", 0.1)
    monkeypatch.setattr("server.web.backend.event_stream.AWAY_S", 0.1)
    log = MemoryLog()
    match = played(log, "battle", 3)
    owner = local_client(log)
    add(owner, match)
    after = owner.state(match).seq
    with served(log) as broker:
        addresses = broker.address, broker.events
    with Pages(addresses[0], retry_policy=RetryPolicy(timeout_s=0.5, tries=1)) as pages:
        with served(log, addresses=addresses):
            stream = pages.stream(f"/m/{match}/news?after={after}")
            eventually(lambda: stream.status == 200, "the stream does not begin")
        told = [stream.next()["event"]]
        play_on(owner, match, 1)
        with served(log, addresses=addresses):
            while told[-1] != "news":
                told.append(stream.next()["event"])
            stream.close()

    assert [told[0], *told[-2:]] == ["away", "back", "news"]
    assert set(told[1:-2]) <= {"away"}


def test_a_broker_that_is_silent_is_told_before_it_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be given up after a minute."""
    monkeypatch.setattr("server.web.backend.event_stream.QUIET_S", 0.1)
    monkeypatch.setattr("server.web.backend.event_stream.ANSWER_S", 0.1)
    log = MemoryLog()
    match = played(log, "battle", 3)
    with served(log) as broker:
        addresses = broker.address, broker.events
    with Pages(addresses[0], retry_policy=RetryPolicy(timeout_s=60.0, tries=1)) as pages:
        with served(log, addresses=addresses):
            stream = pages.stream(f"/m/{match}/news?after={local_client(log).state(match).seq}")
            eventually(lambda: stream.status == 200, "the stream does not begin")
        told = stream.next()["event"]
        stream.close()

    assert told == "away"


@pytest.mark.parametrize("path", ["/m/{}/news", "/m/{}/news?after=x", "/m/none/news?after=1"])
def test_a_stream_of_nothing_is_refused(evening: Evening, path: str) -> None:
    assert evening.pages.browser().get(path.format(evening.match)).status_code == 404


def test_an_unproved_seat_is_told_nothing(evening: Evening) -> None:
    assert evening.pages.browser().get(f"/m/{evening.match}/news?seat=german&after=1").status_code == 403


def test_after_a_long_absence_the_latest_commits_are_told_and_nothing_is_counted_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("server.web.backend.event_stream.BACKLOG_MAX", 20)
    log = MemoryLog()
    match = played(log, "battle", 40)
    narration = narrator_of("battle")
    story = Story(match, PUBLIC, Names(narration), narration)
    for slice_ in local_client(log).log(match, PUBLIC):
        story.take(slice_)
    told = news_after(story, 0)

    assert len(told) == 20
    assert told[0].first == 1
    assert told[-1].last == story.last
    assert [news.first for news in told[1:]] == [news.last + 1 for news in told[:-1]]
    assert sum(len(news.lines) for news in told) == len(story.told)
    assert news_after(story, story.last) == []


class Asked:
    """Answers with a story of its own each time, when it is let."""

    def __init__(self) -> None:
        self.times = 0
        self.answers = asyncio.Event()

    async def __call__(self) -> CachedStory:
        self.times += 1
        number = self.times
        await self.answers.wait()
        return CachedStory(Story(MatchId(str(number)), PUBLIC, Names(narrator_of("battle"))), "", "")


def test_all_who_follow_as_one_seat_ask_once_for_each_event() -> None:
    async def run() -> list[str]:
        watch, asked = Subscription(), Asked()
        early = [asyncio.create_task(watch.current(asked)) for _ in range(3)]
        await asyncio.sleep(0)
        watch.happened()
        late = [asyncio.create_task(watch.current(asked)) for _ in range(3)]
        await asyncio.sleep(0)
        early[0].cancel()
        asked.answers.set()
        told = [(await one).match for one in (*early[1:], *late)]
        return [*told, (await watch.current(asked)).match]

    assert asyncio.run(run()) == ["1", "1", "2", "2", "2", "3"]


@pytest.mark.parametrize("times", [1, TRIES_MAX])
def test_a_page_knows_no_more_than_its_options_though_the_match_moves_on_while_it_is_made(
    times: int, evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another page that is made at the same time tells the same story on."""
    begun = 0

    async def moved_on(_: Heads, caller: Caller, story: Story) -> None:
        nonlocal begun
        begun += 1
        if begun <= times:
            evening.play()
            for slice_ in await caller.log(story.match, story.seat, story.last):
                story.take(slice_)

    seat = evening.client.legal(evening.match).to_move
    browser = evening.pages.browser()
    browser.sit(evening.match, seat, secret_of(seat))
    monkeypatch.setattr(Heads, "head", moved_on)
    page = read(browser.get(f"/m/{evening.match}?seat={seat}"))
    main = page.find(f".//{HTML}main")
    assert main is not None
    known = int(main.attrib["data-last"])

    assert begun == min(times + 1, TRIES_MAX)
    assert (known == evening.last) is (times < TRIES_MAX)
    assert fields_of(page, "note")["expected"] == str(known)
    assert f"after={known}" in main.attrib["data-news"]


def test_an_address_follows_so_many_pages_and_no_more_even_if_it_asks_for_all_at_once(evening: Evening) -> None:
    """What was refused, or is left, is not counted."""
    path = f"/m/{evening.match}/news?after={evening.last}"
    for _ in range(STREAMS_MAX + 1):
        assert evening.pages.browser().get("/m/none/news?after=1").status_code == 404
    for _ in range(2):
        streams = [evening.pages.stream(path) for _ in range(2 * STREAMS_MAX)]
        eventually(lambda: all(stream.status for stream in streams), "not every request is answered")  # noqa: B023
        statuses = sorted(stream.status for stream in streams)
        for stream in streams:
            stream.close()

        assert statuses == [200] * STREAMS_MAX + [429] * STREAMS_MAX
