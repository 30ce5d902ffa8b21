"""Pages with a match, for the tests of forms."""

from collections.abc import Iterator

import pytest

from events.memory_log import MemoryLog
from server.client.local import local_client
from tests.support.browsing import browsed, played
from tests.support.page_room import Room


@pytest.fixture
def room() -> Iterator[Room]:
    """A match of *Battle for Stalingrad* after a few commands, and its pages."""
    log = MemoryLog()
    match = played(log, "battle", 3)
    with browsed(log) as (pages, _):
        yield Room(pages, local_client(log), match)
