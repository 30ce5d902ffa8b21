"""Perft: the number of sequences of one, two and three legal commands, counted from many positions.

The counts are data in `fixtures/perft/<game>.toml`; `make golden` writes them again. Each sequence of
commands is counted once. Dice and draws depend only on their purpose, not on the number of their event, so that the counts
stay the same if only the bookkeeping changes.
"""

import tomllib
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from unittest.mock import patch

import pytest
from typing_extensions import override

from core.chance.chance_sources import KeyedChance
from core.engine.decision import Rules
from core.engine.draft import Draft
from core.engine.draft_chance import MatchOver
from core.positions.position import Step, parse_position
from core.registry.games import GAMES
from events.codec import Struct, convert
from events.vocabulary import ChanceScheme, Value
from projections.state.table import Table
from tests.core.test_positions import BEGIN, POSITIONS, take
from tests.project.tree import ROOT
from tests.support.desk import Desk

PERFT = ROOT / "fixtures" / "perft"
KEY = bytes(32)


class SteadyChance(KeyedChance):
    """Chance that gives the same dice and draws for the same purpose, whatever the number of the event."""

    @override
    def dice(self, seq: int, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Roll dice."""
        return super().dice(0, count, sides, purpose)

    @override
    def pick(self, seq: int, candidates: Sequence[str], purpose: str) -> int:
        """Choose a candidate."""
        return super().pick(0, candidates, purpose)


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """A position, and the number of command sequences from it, by depth, from 1 on.

    `position` names a file of `fixtures/positions`, of which `steps` steps are taken; without it a `mode` of a scenario is set up
    with the dice of a `seed`, and the `commands` are given.
    """

    name: str
    counts: tuple[int, ...]
    position: str = ""
    steps: int = 0
    scenario: str = ""
    mode: str = ""
    seed: str = "1"
    options: dict[str, Value] = {}
    commands: tuple[dict[str, object], ...] = ()


class Entries(Struct, frozen=True, forbid_unknown_fields=True):
    """The file of one game."""

    entry: tuple[Entry, ...]


def entries(path: Path) -> tuple[Entry, ...]:
    """Read a file of counts."""
    return convert(tomllib.loads(path.read_text(encoding="utf-8")), Entries).entry


def start(game: str, entry: Entry) -> Desk:
    """Return the match at an entry's position."""
    if not entry.position:
        with patch("core.match.match_dice.seeded_chance", _steady):
            desk = Desk.open(game, entry.scenario, mode=entry.mode, options=entry.options, seed=entry.seed)
            for command in entry.commands:
                desk.accept(command)
        return desk
    text = (POSITIONS / f"{entry.position}.toml").read_text(encoding="utf-8")
    position = parse_position(text)
    desk = Desk.open(game, dice="manual", position=text)
    steps = list(position.steps)
    first = steps.pop(0) if steps and steps[0].command == BEGIN else Step(BEGIN)
    for step in [first, *steps[: entry.steps]]:
        take(desk, step, entry.name)
    return desk


def _steady(scheme: ChanceScheme) -> SteadyChance:
    return SteadyChance(sha256(scheme.seed.encode()).digest(), "set-up")


def ways(rules: Rules, table: Table, depth: int) -> int:
    """Count the sequences of that many legal commands from a table; a finished match has one: the empty sequence."""
    options = rules.options(table)
    if depth == 1 or not options:
        return max(1, len(options))
    total = 0
    for command in options:
        after = table.clone()
        with suppress(MatchOver):
            rules.take(Draft(after, SteadyChance(KEY, "perft")), command)
        total += ways(rules, after, depth - 1)
    return total


LONG = 10_000
"""How many sequences a case that is always counted has at most."""
CASES = [(path.stem, entry) for path in sorted(PERFT.glob("*.toml")) for entry in entries(path)]


def _case(game: str, entry: Entry) -> object:
    """Return one case; without a position the dice of its set-up are replaced."""
    marks = [] if entry.position else [pytest.mark.interpreted]
    marks += [pytest.mark.long] if entry.counts[-1] > LONG else []
    return pytest.param(game, entry, id=f"{game}-{entry.name}", marks=marks)


@pytest.mark.parametrize(("game", "entry"), [_case(game, entry) for game, entry in CASES])
def test_the_perft_counts_are_unchanged(game: str, entry: Entry) -> None:
    desk = start(game, entry)
    rules = desk.match.ruleset.rules
    counted = tuple(ways(rules, desk.table, depth) for depth in range(1, len(entry.counts) + 1))

    assert counted == entry.counts


def test_every_game_has_counts() -> None:
    assert {key for key in GAMES if key != "skirmish"} - {path.stem for path in PERFT.glob("*.toml")} == set()


def main() -> None:
    """Write each file again with the current counts, to the depths that it has."""
    for path in sorted(PERFT.glob("*.toml")):
        lines = path.read_text(encoding="utf-8").splitlines()
        counted = iter(entries(path))
        for place, line in enumerate(lines):
            if line.startswith("counts = "):
                entry = next(counted)
                desk = start(path.stem, entry)
                depths = range(1, len(entry.counts) + 1)
                lines[place] = f"counts = {[ways(desk.match.ruleset.rules, desk.table, depth) for depth in depths]}"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
