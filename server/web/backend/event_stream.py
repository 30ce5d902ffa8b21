"""News of a match as server-sent events, one for each commit.

The id of each is the number of the commit's last event, so that a browser that was cut off goes on where it was.
"""

import asyncio
from bisect import bisect_right
from collections.abc import AsyncIterator

from events.codec import Struct, encode
from events.ids import MatchId, Seat
from server.page_parts.story import Story
from server.protocol.errors import RequestFailed, ServerError
from server.web.backend.gateway import Caller
from server.web.backend.story_cache import StoryCache
from server.web.backend.subscriptions import Subscriptions

QUIET_S = 5.0
"""After so long a silence (seconds) the broker is asked and a comment is sent, so that proxies keep the connection."""
AWAY_S = 3.0
"""The same while the broker does not answer."""
ANSWER_S = 3.0
"""After how long without an answer the reader is told that there is none (seconds); it is waited for all the same."""
BACKLOG_MAX = 200
"""So many commits are told to a browser that was away; if there were more, the first one says what is left out."""


class News(Struct, frozen=True):
    """Message to a browser about a commit: its events `first` to `last`, and the sentences about them."""

    first: int
    last: int
    lines: tuple[str, ...]


def news_after(story: Story, after: int) -> list[News]:
    """Return the news of all commits after an event, the oldest first; of many, only the latest, the first of which begins after `after`."""
    ends = story.stops("commit")
    found: list[News] = []
    start = after
    for end in ends[bisect_right(ends, after) :][-BACKLOG_MAX:]:
        told = story.told[_place(story, start) : _place(story, end)]
        found.append(News(start + 1, end, tuple(one.line.sentence for one in told)))
        start = end
    return found


def _place(story: Story, number: int) -> int:
    """Return how many sentences begin at an event or before it."""
    return bisect_right(story.told, number, key=lambda told: told.line.first)


def sent(news: News) -> bytes:
    """Return news as an event of the stream."""
    return b"event: news\nid: %d\ndata: %s\n\n" % (news.last, encode(news))


async def stream(
    stories: StoryCache, subscriptions: Subscriptions, caller: Caller, match: MatchId, seat: Seat, *, after: int
) -> AsyncIterator[bytes]:
    """Yield the events of a stream, until the browser leaves, the pages end, or the seat can no longer be seen.

    Args:
        stories: What was told.
        subscriptions: Tell when something happens.
        caller: The visitor.
        match: The match.
        seat: Who looks.
        after: The last event that the browser knows.
    """
    yield b"retry: 2000\n\n"
    is_away = False
    async with subscriptions.subscription(match, seat, caller.token(match, seat)) as subscription:
        while not subscriptions.is_over:
            mark = subscription.mark()
            try:
                asking = subscription.current(lambda: stories.current(caller, match, seat))
                story = await asyncio.wait_for(asking, ANSWER_S)
            except RequestFailed:
                # The seat has changed hands, or the match is damaged: the page says which, and trying again would not help.
                yield b"event: gone\ndata: {}\n\n"
                return
            except (ServerError, TimeoutError):
                is_away = True
                yield b"event: away\ndata: {}\n\n"
            else:
                if is_away:
                    is_away = False
                    yield b"event: back\ndata: {}\n\n"
                for news in news_after(story, after):
                    yield sent(news)
                    after = news.last
            try:
                await asyncio.wait_for(mark.wait(), AWAY_S if is_away else QUIET_S)
            except TimeoutError:
                yield b": nothing new\n\n"
