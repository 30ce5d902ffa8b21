"""No event with an audience is sent without redaction."""

from typing import get_args

from events.vocabulary import SECRETS, WITHHELD, Event
from projections.state import view


def test_every_event_with_an_audience_is_checked_by_the_view() -> None:
    may_be_secret = {event for event in get_args(Event) if "seen_by" in event.__struct_fields__}

    assert may_be_secret == set(SECRETS) | WITHHELD
    assert may_be_secret == view._GUARDED
