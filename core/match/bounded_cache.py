"""A cache keyed by texts, bounded by their number and their total length; evicted values are built again."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class BoundedCache(Generic[T]):
    """Caches the value built from a text (never None), and evicts the least recently used.

    Args:
        most: The most entries.
        characters: The most characters of all their texts together.
    """

    __slots__ = ("_characters", "_kept", "_length", "_most")

    def __init__(self, most: int, characters: int) -> None:
        self._most = most
        self._characters = characters
        self._length = 0
        self._kept: OrderedDict[str, T] = OrderedDict()

    def __len__(self) -> int:
        """Return the number of entries."""
        return len(self._kept)

    def get(self, text: str, make: Callable[[str], T]) -> T:
        """Return the value of a text, or build it; an error of the builder is raised and not cached."""
        # Removed and put back as the latest: an entry that another thread drops meanwhile is built again.
        made = self._kept.pop(text, None)
        if made is not None:
            self._kept[text] = made
            return made
        made = make(text)
        self.keep(text, made)
        return made

    def __contains__(self, text: str) -> bool:
        """Return whether the value of a text is cached."""
        return text in self._kept

    def keep(self, text: str, made: T) -> None:
        """Cache the value of a text."""
        if self._kept.pop(text, None) is None:
            self._length += len(text)
        self._kept[text] = made
        while len(self._kept) > self._most or self._length > self._characters:
            dropped, _ = self._kept.popitem(last=False)
            self._length -= len(dropped)

    def clear(self) -> None:
        """Remove all entries."""
        self._kept.clear()
        self._length = 0
