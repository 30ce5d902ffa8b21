"""Contract of a source of random choices. Checks and simulated matches are given one by their caller, and so can be repeated."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class Randomness(Protocol):
    """A source of random choices, such as `random.Random`."""

    def random(self) -> float:
        """Return a number from 0 up to, but not including, 1."""

    def randint(self, a: int, b: int) -> int:
        """Return a whole number from `a` to `b`, both included."""

    def randrange(self, start: int, /) -> int:
        """Return a whole number from 0 up to, but not including, `start`."""

    def choice(self, seq: Sequence[T]) -> T:
        """Return one of several, at least one."""

    def sample(self, population: Sequence[T], k: int) -> list[T]:
        """Return `k` of several in any order, each at most once."""


MakeRandomness = Callable[[str], Randomness]
"""Returns the source of choices that follows from a seed; `random.Random` is one."""
