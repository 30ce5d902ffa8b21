"""A match on the standard input of a process: what is wanted and every commit arrive as they were sent."""

import pytest

from events.codec import DecodeError, Decoder
from events.ids import GameKey
from projections.state.view import EventSlice
from server.page_parts.piped_match import given, lines_of
from server.playouts.share_process import Wanted
from tests.support.desk import Desk

WANTED = Wanted(game=GameKey("battle"), playouts=7)
READER: Decoder[Wanted] = Decoder(Wanted)


def test_what_is_wanted_and_the_match_arrive_as_they_were_sent() -> None:
    events = Desk.open("battle").events
    seen = [EventSlice(first=number, at=0, events=(event,)) for number, event in enumerate(events[:3], start=1)]
    wanted, arrived = given(lines_of(WANTED, seen), READER)

    assert (wanted, list(arrived)) == (WANTED, seen)


def test_other_lines_are_an_error() -> None:
    with pytest.raises(DecodeError):
        given([b"no match\n"], READER)
