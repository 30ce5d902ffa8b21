"""Chance that is decided from outside, one die or draw at a time, with the probability of each result."""

from collections import Counter
from collections.abc import Sequence

from typing_extensions import override

from core.engine.chance_port import Chance
from core.errors import KernelError
from events.codec import Struct


class Question(Struct, frozen=True):
    """The next die or draw: its results in words, each with its probability."""

    purpose: str
    results: tuple[str, ...]
    chances: tuple[float, ...]


class Undecided(KernelError):
    """A command needs another die or draw than were decided; nothing has changed."""

    def __init__(self, question: Question) -> None:
        super().__init__(f"a result for {question.purpose} is not decided yet")
        self.question = question


class ExplicitChance(Chance):
    """Dice and draws that were decided already, used up in order.

    Args:
        decided: The index of each result among those of its question.
    """

    __slots__ = ("_decided", "_used")

    def __init__(self, decided: Sequence[int]) -> None:
        self._decided = decided
        self._used = 0

    @override
    def dice(self, seq: int, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Roll dice, one after the other.

        Raises:
            Undecided: One is not decided.
        """
        faces = tuple([str(face + 1) for face in range(sides)])
        even = tuple([1.0 / sides] * sides)
        return tuple([self._next(purpose, faces, even) + 1 for _ in range(count)])

    @override
    def pick(self, seq: int, candidates: Sequence[str], purpose: str) -> int:
        """Choose a candidate.

        Raises:
            Undecided: It is not decided.
        """
        counts = Counter([candidates[place] for place in range(len(candidates))])
        total = len(candidates)
        names = tuple(counts)
        chosen = self._next(purpose, names, tuple([counts[name] / total for name in names]))
        return candidates.index(names[chosen])

    @override
    def reveal(self) -> str:
        """Return an empty text: there is no seed."""
        return ""

    def _next(self, purpose: str, results: tuple[str, ...], chances: tuple[float, ...]) -> int:
        """Return the next decided result. Where there is but one, nothing is to be decided."""
        if len(results) == 1:
            return 0
        if self._used == len(self._decided):
            raise Undecided(Question(purpose, results, chances))
        self._used += 1
        return self._decided[self._used - 1]
