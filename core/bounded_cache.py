"""A cache of what was made of texts, bounded by their number and their length: whatever falls out is made again."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class BoundedCache(Generic[T]):
    """Keeps what a text was made into (never None), the least recently used first to go.

    Args:
        most: How many are kept.
        characters: How long all their texts may be together.
    """

    __slots__ = ("_characters", "_kept", "_length", "_most")

    def __init__(self, most: int, characters: int) -> None:
        self._most = most
        self._characters = characters
        self._length = 0
        self._kept: OrderedDict[str, T] = OrderedDict()

    def __len__(self) -> int:
        """Return how many are kept."""
        return len(self._kept)

    def get(self, text: str, make: Callable[[str], T]) -> T:
        """Return what a text was made into, or make it now; an error of the maker is raised and not kept."""
        # Taken out and put back as the latest: what another thread drops meanwhile is made again.
        made = self._kept.pop(text, None)
        if made is not None:
            self._kept[text] = made
            return made
        made = make(text)
        self.keep(text, made)
        return made

    def __contains__(self, text: str) -> bool:
        """Return whether what a text was made into is kept."""
        return text in self._kept

    def keep(self, text: str, made: T) -> None:
        """Keep what a text was made into."""
        if self._kept.pop(text, None) is None:
            self._length += len(text)
        self._kept[text] = made
        while len(self._kept) > self._most or self._length > self._characters:
            dropped, _ = self._kept.popitem(last=False)
            self._length -= len(dropped)

    def clear(self) -> None:
        """Keep nothing any more."""
        self._kept.clear()
        self._length = 0
