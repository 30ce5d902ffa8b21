"""Events of older versions and the upcasters to the current vocabulary.

A shipped tag is never decoded differently. When a fact changes, the new version takes its place in the vocabulary; the
old struct moves here under its old tag, and `HISTORY` gets the function that upcasts it. Nothing else changes:
stored bytes are never rewritten, and the fold only ever sees current facts.
"""

from collections.abc import Callable
from typing import TypeVar, get_args

from events.codec import Decoder, Raw, any_of
from events.vocabulary import Event, Fact

CURRENT: tuple[type[Fact], ...] = get_args(Event)
"""Every event type of the current vocabulary."""

OldFact = TypeVar("OldFact", bound=Fact)
Lift = Callable[[Fact], Fact]


def retired(old: type[OldFact], lift: Callable[[OldFact], Fact]) -> tuple[type[Fact], Lift]:
    """Return an old struct with the function that converts it to its next version, which may be an old one too."""

    def lift_one(fact: Fact) -> Fact:
        assert isinstance(fact, old)
        return lift(fact)

    return old, lift_one


class History:
    """The retired events: shipped once and no longer emitted.

    Args:
        steps: What `retired` returns, one for each old version.
    """

    __slots__ = ("_decoder", "_lifts")

    def __init__(self, *steps: tuple[type[Fact], Lift]) -> None:
        self._lifts = dict(steps)
        self._decoder: Decoder[tuple[Fact, ...]] = Decoder(any_of([*CURRENT, *self._lifts]))

    def __bool__(self) -> bool:
        """Return whether there is any old version."""
        return bool(self._lifts)

    @property
    def types(self) -> tuple[type[Fact], ...]:
        """The old structs."""
        return tuple(self._lifts)

    def decode(self, events: Raw) -> tuple[Fact, ...]:
        """Decode the events of one commit as they were written.

        Raises:
            DecodeError: The bytes are not events of a known version.
        """
        return self._decoder.decode(bytes(events))

    def lift(self, facts: tuple[Fact, ...]) -> tuple[Event, ...]:
        """Upcast events to the current vocabulary; current ones are returned unchanged."""
        return tuple([self._lift(fact) for fact in facts])

    def _lift(self, fact: Fact) -> Event:
        lift = self._lifts.get(type(fact))
        while lift is not None:
            fact = lift(fact)
            lift = self._lifts.get(type(fact))
        assert isinstance(fact, Event), f"{type(fact).__name__} is neither current nor retired"
        return fact


HISTORY = History()
"""All old versions; none exists before the first release."""
