"""One legal command by chance, each equally likely, for which no more candidates are judged than it takes to find it."""

from collections.abc import Callable, Iterable

from core.engine.command import Command

Below = Callable[[int], int]
"""A random source: returns a number from 0 to n - 1, as `random.Random(…).randrange` does."""

IsLegal = Callable[[Command], bool]

Candidates = Iterable[tuple[Iterable[Command], IsLegal | None]]
"""Commands that might be legal, each as often as it would be listed, with what tells which are; None if all are."""


def legal_by_chance(candidates: Candidates, below: Below) -> Command | None:
    """Return a legal one of some candidates, each equally likely, or None if none is legal.

    Candidates are drawn, none twice, until one is legal: so each legal one is as likely as any other to come first.
    """
    left: list[Command] = []
    groups: list[tuple[int, IsLegal | None]] = []
    for commands, is_legal in candidates:
        left += commands
        if groups and groups[-1][1] is is_legal:
            groups.pop()
        groups.append((len(left), is_legal))
    # A drawn candidate gives its place to the last one; where those lie that have moved so.
    moved: dict[int, int] = {}
    for count in range(len(left), 0, -1):
        place = below(count)
        number = moved.get(place, place)
        is_legal = next(one for end, one in groups if number < end)
        if is_legal is None or is_legal(left[number]):
            return left[number]
        moved[place] = moved.get(count - 1, count - 1)
    return None
