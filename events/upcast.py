"""Events of older versions and the upcasters to the current vocabulary.

A shipped tag is never decoded differently. When an event changes, the new version takes its place in the vocabulary; the
old struct moves here under its old tag, and `HISTORY` gets the function that upcasts it. Nothing else changes:
stored bytes are never rewritten, and the fold only ever sees current events.
"""

from collections.abc import Callable
from typing import TypeVar

from events.codec import Decoder, Raw, any_of
from events.vocabulary import CURRENT, BaseEvent, Event

OldEvent = TypeVar("OldEvent", bound=BaseEvent)
Lift = Callable[[BaseEvent], BaseEvent]


def retired(old: type[OldEvent], lift: Callable[[OldEvent], BaseEvent]) -> tuple[type[BaseEvent], Lift]:
    """Return an old struct with the function that converts it to its next version, which may be an old one too."""

    def lift_one(event: BaseEvent) -> BaseEvent:
        assert isinstance(event, old)
        return lift(event)

    return old, lift_one


class History:
    """The retired events: shipped once and no longer emitted.

    Args:
        steps: What `retired` returns, one for each old version.
    """

    __slots__ = ("_decoder", "_lifts")

    def __init__(self, *steps: tuple[type[BaseEvent], Lift]) -> None:
        self._lifts = dict(steps)
        self._decoder: Decoder[tuple[BaseEvent, ...]] = Decoder(any_of([*CURRENT, *self._lifts]))

    def __bool__(self) -> bool:
        """Return whether there is any old version."""
        return bool(self._lifts)

    @property
    def types(self) -> tuple[type[BaseEvent], ...]:
        """The old structs."""
        return tuple(self._lifts)

    def decode(self, events: Raw) -> tuple[BaseEvent, ...]:
        """Decode the events of one commit as they were written.

        Raises:
            DecodeError: The bytes are not events of a known version.
        """
        return self._decoder.decode(bytes(events))

    def lift(self, events: tuple[BaseEvent, ...]) -> tuple[Event, ...]:
        """Upcast events to the current vocabulary; current ones are returned unchanged."""
        return tuple([self._lift(event) for event in events])

    def _lift(self, event: BaseEvent) -> Event:
        lift = self._lifts.get(type(event))
        while lift is not None:
            event = lift(event)
            lift = self._lifts.get(type(event))
        assert isinstance(event, Event), f"{type(event).__name__} is neither current nor retired"
        return event


HISTORY = History()
"""All old versions; none exists before the first release."""
