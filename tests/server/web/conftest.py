"""Pages with a match, for the tests of forms."""

from collections.abc import Iterator

import pytest

from tests.support.page_room import Room, room_of


@pytest.fixture
def room() -> Iterator[Room]:
    """A match of *Battle for Stalingrad* after a few commands, and its pages."""
    with room_of("battle", 3) as found:
        yield found
