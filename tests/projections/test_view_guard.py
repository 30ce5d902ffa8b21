"""No event that may be a secret is passed on unread."""

from typing import get_args

from events.vocabulary import SECRETS, WITHHELD, Event
from projections import view


def test_every_event_that_may_be_meant_for_some_seats_is_looked_at() -> None:
    may_be_secret = {event for event in get_args(Event) if "seen_by" in event.__struct_fields__}

    assert may_be_secret == set(SECRETS) | WITHHELD
    assert may_be_secret == view._GUARDED
