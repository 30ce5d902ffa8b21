"""Port of chance: rules ask for dice or for one of several candidates, and a source (`core.chance`) answers."""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import overload

from typing_extensions import override

from events.vocabulary import LinksOpened


class Chance(ABC):
    """A source of dice and draws."""

    @abstractmethod
    def dice(self, seq: int, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Roll `count` dice, each 1 to `sides`, for the event numbered `seq`."""

    @abstractmethod
    def pick(self, seq: int, candidates: Sequence[str], purpose: str) -> int:
        """Choose one of the candidates, at least one, and return its index."""

    @abstractmethod
    def reveal(self) -> str:
        """Return the secret seed (hex) when the match is over; empty if there is none."""

    def prepare(self, *, is_veiled: bool) -> LinksOpened | None:
        """Get ready for the next result, and return links that are opened for it, which are recorded before it; most sources open none.

        It is called until it returns None.

        Args:
            is_veiled: Whether some seats may not know the result, or not what it was taken from.

        Raises:
            ChanceWaits: The seat must open a link first.
        """
        return None


class Weighted(Sequence[str]):
    """The weighted candidates of one pick.

    Args:
        candidates: The candidates, without duplicates.
        weights: 1 or more for each.
    """

    __slots__ = ("_candidates", "_ends")

    def __init__(self, candidates: Sequence[str], weights: Sequence[int]) -> None:
        assert len(set(candidates)) == len(candidates) == len(weights), "each candidate needs one weight"
        assert min(weights) > 0, "every weight must be 1 or more"
        self._candidates = tuple(candidates)
        self._ends = tuple(accumulate(weights))

    @override
    def __len__(self) -> int:
        return self._ends[-1]

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...

    @override
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        assert isinstance(index, int)
        return self._candidates[bisect_right(self._ends, index)]

    @override
    def __iter__(self) -> Iterator[str]:
        """Yield each candidate once, whatever its weight."""
        return iter(self._candidates)

    @override
    def __contains__(self, name: object) -> bool:
        return name in self._candidates

    @override
    def index(self, value: str, start: int = 0, stop: int | None = None) -> int:
        """Return the first index of a candidate."""
        place = self._candidates.index(value)
        return self._ends[place - 1] if place else 0
