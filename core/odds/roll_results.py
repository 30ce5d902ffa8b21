"""Results of a roll that the rules can tell apart, with the number of ways in which each comes about.

Rules read a roll as it is recorded: as the sum of its faces, or of the highest of them, or die by die against a number. Faces that read
alike lead to the same, so one of them stands for all.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod

from core.narration.game_rolls import NO_MARKS
from events.codec import Struct


class Roll(Struct, frozen=True):
    """A roll to be read: how many dice with how many sides, and how.

    Attributes:
        count: The number of dice, 1 or more.
        sides: Their sides.
        keep: How many of the highest faces count; 0 for all.
        classes: For each face from 1 up the class in which the rules put a die that shows it; empty if the sum counts.
    """

    count: int
    sides: int
    keep: int = 0
    classes: tuple[int, ...] = ()


class RollResult(Struct, frozen=True):
    """One result of a roll, or of several rolls that only count together: the ways to it, and faces that show it, roll by roll."""

    ways: int
    faces: tuple[tuple[int, ...], ...]


def judged_faces(
    sides: int, needed: int, added: int, *, or_less: bool, marked: frozenset[int] = NO_MARKS
) -> tuple[int, ...]:
    """Return the classes of the faces of a die that is judged by itself: missed or hit, and each marked face by itself.

    Args:
        sides: Its sides.
        needed: The number that it has to show at least, or at most.
        added: What is added to the face, or, where the number is the most, to the number.
        or_less: Whether the number is the most that hits.
        marked: Faces that mean something of their own.
    """
    return tuple(
        [
            1 + face if face in marked else int(face <= needed + added if or_less else face + added >= needed)
            for face in range(1, sides + 1)
        ]
    )


@lru_cache(maxsize=4096)
def results_of(roll: Roll) -> tuple[RollResult, ...]:
    """Return the results of a roll that can be told apart, in a fixed order."""
    if roll.keep:
        return _of_highest(roll)
    one: dict[tuple[int, ...], RollResult] = {}
    kinds = sorted({*roll.classes})
    for face in range(1, roll.sides + 1):
        key = tuple([int(roll.classes[face - 1] == kind) for kind in kinds]) if kinds else (face,)
        seen = one.get(key)
        one[key] = RollResult(1, ((face,),)) if seen is None else RollResult(seen.ways + 1, seen.faces)
    found = one
    for _ in range(roll.count - 1):
        found = _added(found, one)
    return tuple([RollResult(each.ways, (sum(each.faces, ()),)) for _, each in sorted(found.items())])


def _added(
    found: dict[tuple[int, ...], RollResult], more: dict[tuple[int, ...], RollResult]
) -> dict[tuple[int, ...], RollResult]:
    """Return the results of two rolls together, of which only what they add up to counts."""
    both: dict[tuple[int, ...], RollResult] = {}
    for key, first in found.items():
        for other, second in more.items():
            total = tuple(map(sum, zip(key, other, strict=True)))
            ways = first.ways * second.ways
            seen = both.get(total)
            both[total] = (
                RollResult(ways, (*first.faces, *second.faces))
                if seen is None
                else RollResult(seen.ways + ways, seen.faces)
            )
    return both


def _of_highest(roll: Roll) -> tuple[RollResult, ...]:
    """Return the results of a roll of which only the sum of the highest faces counts."""
    found: dict[int, RollResult] = {}
    for faces in combinations_with_replacement(range(1, roll.sides + 1), roll.count):
        ways = factorial(roll.count) // prod([factorial(faces.count(face)) for face in {*faces}])
        total = sum(faces[-roll.keep :])
        seen = found.get(total)
        found[total] = RollResult(ways, (faces,)) if seen is None else RollResult(seen.ways + ways, seen.faces)
    return tuple([each for _, each in sorted(found.items())])


@lru_cache(maxsize=1024)
def results_together(rolls: tuple[Roll, ...]) -> tuple[RollResult, ...]:
    """Return the results of several rolls of which only what all their dice show together counts, class by class or in sum."""
    found: dict[tuple[int, ...], RollResult] = {}
    kinds = sorted({kind for roll in rolls for kind in roll.classes})
    for roll in rolls:
        each = {_read(roll, kinds, result.faces[0]): result for result in results_of(roll)}
        found = _added(found, each) if found else each
    return tuple([result for _, result in sorted(found.items())])


def _read(roll: Roll, kinds: Sequence[int], faces: Iterable[int]) -> tuple[int, ...]:
    """Return what faces add up to: their number in each class, or their sum."""
    if not roll.classes:
        return (sum(sorted(faces)[-roll.keep :]),)
    classes = [roll.classes[face - 1] for face in faces]
    return tuple([classes.count(kind) for kind in kinds])
