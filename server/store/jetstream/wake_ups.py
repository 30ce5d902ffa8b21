"""Wake-ups: the new commits that the cluster tells of, without their bytes, so that only those that matter are read."""

from collections.abc import Iterable
from contextlib import suppress

from events.log import Stored
from server.store.jetstream.layout import stored_in
from server.store.jetstream.protocol import Message
from server.store.jetstream.streams import Kept

KEPT_MAX = 4_096
"""How many wake-ups are kept at most; the commits of others are read from the stream. Who never asks for news keeps no more."""


class WakeUps:
    """The commits of a stream that were told of and are not news yet.

    Attributes:
        told: Up to which number news were taken.
        seen: The highest number that is known to be in the stream.
    """

    def __init__(self) -> None:
        self.told = self.seen = 0
        # None stands for a commit of this log. Most are, so that none is read before it is news.
        self._commits: dict[int, Message | None] = {}

    def hear(self, message: Message) -> None:
        """Take a wake-up; one without a number, or that comes behind the news, is left out."""
        with suppress(KeyError, ValueError):
            number = int(message.headers["Nats-Sequence"])
            self.seen = max(self.seen, number)
            if number > self.told and len(self._commits) < KEPT_MAX:
                self._commits.setdefault(number, message)

    def own(self, numbers: Iterable[int]) -> None:
        """Record commits that this log wrote itself: they are not news to it."""
        for number in numbers:
            if number == self.told + 1:
                self.told = number
                self._commits.pop(number, None)
            elif number > self.told and len(self._commits) < KEPT_MAX:
                self._commits[number] = None

    def is_own(self, number: int) -> bool:
        """Return whether a commit that is not news yet is known to be one of this log."""
        return self._commits.get(number, self) is None

    def heard(self, last: int) -> list[tuple[int, Stored]] | None:
        """Return the commits of others up to a number, without their bytes, or None if one of them was not told of as it should be."""
        try:
            messages = [(number, self._commits[number]) for number in range(self.told + 1, last + 1)]
            return [(number, stored_in(Kept(number, one.subject, one.headers, b""))) for number, one in messages if one]
        except (KeyError, ValueError):
            return None

    def take(self, last: int) -> None:
        """Record that the commits up to a number were taken as news."""
        for number in [one for one in self._commits if one <= last]:
            del self._commits[number]
        self.told, self.seen = last, max(self.seen, last)
