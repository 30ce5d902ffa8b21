"""Runs of a command with plain dice, against which counted chances are held: no branch, no pool, nothing collapsed."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import product

from typing_extensions import override

from core.chance.chance_sources import seeded
from core.engine.chance_port import Chance, Weighted
from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.draft_chance import MatchOver
from core.game.bound_game import BoundGame
from core.odds.odds_lines import Line, Odds
from core.odds.possible_tables import PossibleTables
from core.secrets.knowledge import Hidden
from events.ids import Seat
from events.vocabulary import Event
from projections.state.table import Table
from projections.state.view import seen_events
from tests.support.desk import Desk


class _Settled(Exception):
    """The results are fixed."""


class _PlainDraft(Draft):
    """A draft that stops where the game says that the results are fixed."""

    __slots__ = ("_game",)

    def __init__(self, table: Table, chance: Chance, game: BoundGame) -> None:
        super().__init__(table, chance)
        self._game = game

    @override
    def emit(self, event: Event) -> None:
        super().emit(event)
        if self._game.rolls.is_settled(self.table, event):
            raise _Settled


Results = dict[str, Counter[str]]
"""How often each result came, by its respect."""


def run(game: BoundGame, table: Table, seat: Seat, command: Command, chance: Chance) -> list[tuple[str, str]]:
    """Run a command with a source of chance, and return what it led to in each respect."""
    draft = _PlainDraft(table.clone(), chance, game)
    with suppress(MatchOver, _Settled):
        game.rules.take(draft, command)
        while draft.table.top is not None and (answer := game.rolls.assumes(draft.table, seat)) is not None:
            following = game.rules.options(draft.table)[0] if answer.command is None else answer.command
            game.rules.take(draft, following)
    return [(one.about, one.words) for one in game.rolls.results(table, draft.table, draft.events, seat)]


def simulated(game: BoundGame, table_of: Callable[[int], Table], seat: Seat, command: Command, runs: int) -> Results:
    """Run a command many times with seeded dice, each on the table of its number."""
    found: Results = {}
    for number in range(runs):
        chance = seeded(f"simulated {number}")
        for about, words in run(game, table_of(number), seat, command, chance):
            found.setdefault(about, Counter())[words] += 1
    return found


class _Scripted(Chance):
    """A source that follows a script of indices; what lies beyond it is the first of all, and is noted."""

    def __init__(self, script: Sequence[int]) -> None:
        self.script = script
        self.sizes: list[int] = []

    def _next(self, size: int) -> int:
        number = len(self.sizes)
        self.sizes.append(size)
        return self.script[number] if number < len(self.script) else 0

    @override
    def dice(self, seq: int, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        return tuple([self._next(sides) + 1 for _ in range(count)])

    @override
    def pick(self, seq: int, candidates: Sequence[str], purpose: str) -> int:
        assert not isinstance(candidates, Weighted), "each index is as likely as any other"
        return self._next(len(candidates))

    @override
    def reveal(self) -> str:
        return ""


def every_throw(game: BoundGame, table: Table, seat: Seat, command: Command) -> Results:
    """Run a command with every face of every single die and every card; all throws must have as many dice."""
    found: Results = {}
    probe = _Scripted(())
    run(game, table, seat, command, probe)
    for script in product(*map(range, probe.sizes)):
        source = _Scripted(script)
        for about, words in run(game, table, seat, command, source):
            found.setdefault(about, Counter())[words] += 1
        assert source.sizes == probe.sizes, "throws differ in length"
    return found


def worlds_of(desk: Desk, seat: Seat) -> PossibleTables:
    """Return the tables that may be the true one for a seat at the head of a match."""
    ruleset, table = desk.match.ruleset, desk.table
    inventory = ruleset.game.inventory(table.scenario, table.options)
    return PossibleTables(ruleset.rules, table, seat, inventory, lambda: Hidden(seen_events(desk.events, seat)))


def shares(line: Line) -> dict[str, float]:
    """Return the shares of a line by their words."""
    return {one.words: one.share for one in line.outcomes}


def lines(odds: Odds | None) -> dict[str, Line]:
    """Return the lines by their respect; there must be chances."""
    assert odds is not None
    return {line.about: line for line in odds.lines}


def differences(odds: Odds | None, found: Results) -> Iterator[tuple[str, str, float, float]]:
    """Yield every result with its counted and its simulated share."""
    for about, line in lines(odds).items():
        total = found[about].total()
        counted = shares(line)
        for words in {*counted, *found[about]}:
            yield about, words, counted.get(words, 0.0), found[about][words] / total
