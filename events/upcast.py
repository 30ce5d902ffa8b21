"""Old versions of facts and the functions that lift them to the current vocabulary.

A shipped tag is never decoded differently: when a fact changes, its old struct moves here under its old tag, joins
`AnyEvent`, and `UPCASTERS` learns how to make the new fact of it. Stored bytes are never rewritten.
"""

from collections.abc import Callable

from events.vocabulary import Event, Fact

AnyEvent = Event
"""Every fact that was ever shipped."""

UPCASTERS: dict[type[Fact], Callable[[Fact], Event]] = {}
"""Old struct to the function that makes a current fact of it."""


def upcast(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Lift the events of one commit to the current vocabulary; current ones pass through."""
    if not UPCASTERS or not any(type(event) in UPCASTERS for event in events):
        return events
    return tuple(_lift(event) for event in events)


def _lift(event: Event) -> Event:
    lift = UPCASTERS.get(type(event))
    while lift is not None:
        event = lift(event)
        lift = UPCASTERS.get(type(event))
    return event
