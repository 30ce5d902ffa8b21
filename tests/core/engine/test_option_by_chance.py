"""One option by chance: each of those that would be listed, and each equally likely."""

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import islice

import pytest

from core.engine.command import Command
from core.engine.decision import Rules
from core.engine.option_by_chance import legal_by_chance
from core.engine.selection import Done, Pick, onward
from core.registry.games import game_keys, load_game
from events.codec import encode
from projections.state.table import Table
from tests.support.playouts import Playout

COMMANDS, APART = 240, 20
"""A position of so many commands is looked at, one after so many: each is asked once for each candidate, which takes up to 0.1 s."""


class Rejected(Exception):
    """The first candidate that was drawn is not legal."""


def drawn_first(rules: Rules, table: Table) -> Counter[bytes]:
    """Return how many first draws lead to each option at once; all draws are equally likely."""
    found: Counter[bytes] = Counter()
    draws, number = 1, 0
    while number < draws:
        asked: list[int] = []

        def below(count: int, number: int = number, asked: list[int] = asked) -> int:
            if asked:
                raise Rejected
            asked.append(count)
            return number

        try:
            command = rules.any_option(table, below)
            assert command is not None
            found[encode(command)] += 1
        except Rejected:
            pass
        draws, number = asked[0], number + 1
    return found


MODES = [(key, mode.key) for key in game_keys() for mode in load_game(key).scenario("").modes]


@pytest.mark.soak
@pytest.mark.parametrize(("game", "mode"), MODES)
def test_every_option_of_a_random_match_is_drawn_as_often_as_it_is_listed(game: str, mode: str, budget: float) -> None:
    for seed in range(int(budget)):
        playing = Playout(game, "", seed, mode=mode)
        rules = playing.desk.match.ruleset.rules
        for _ in islice(playing.steps(), 0, COMMANDS, APART):
            listed = Counter(map(encode, onward(rules.options(playing.desk.table))))

            assert (drawn_first(rules, playing.desk.table) if listed else listed) == listed


def chances(draw: Callable[[Callable[[int], int]], Command | None]) -> dict[Command | None, Fraction]:
    """Return the exact chance of each result of something that uses a random source."""
    found: Counter[Command | None] = Counter()
    ways: list[tuple[int, ...]] = [()]
    while ways:
        way, counts = ways.pop(), list[int]()

        def below(count: int, way: tuple[int, ...] = way, counts: list[int] = counts) -> int:
            counts.append(count)
            return way[len(counts) - 1] if len(counts) <= len(way) else 0

        result = draw(below)
        if len(counts) > len(way):
            ways += [(*way, number) for number in range(counts[len(way)])]
            continue
        chance = Fraction(1)
        for count in counts:
            chance /= count
        found[result] += chance  # type: ignore[assignment]
    return dict(found)  # type: ignore[arg-type]


@pytest.mark.parametrize("legal", ["", "a", "c", "bd", "ace", "abcde"])
def test_each_legal_candidate_is_equally_likely_however_many_are_not(legal: str) -> None:
    picks = list(map(Pick, "abcd"))

    def draw(below: Callable[[int], int]) -> Command | None:
        judged: Iterable[Command] = picks
        groups = (
            (judged, lambda one: isinstance(one, Pick) and one.item in legal),
            ((Done(),) if "e" in legal else (), None),
        )
        return legal_by_chance(groups, below)

    wanted: list[Command] = [pick for pick in picks if pick.item in legal] + [Done()] * ("e" in legal)

    expected: dict[Command | None, Fraction] = {one: Fraction(1, len(wanted)) for one in wanted}

    assert chances(draw) == (expected or {None: Fraction(1)})
