"""Golden matches: recorded whole matches, printed event by event.

    make golden

writes them again, `python -m tests.support.golden NAME…` those that are named: the recorded commands are replayed under the current
rules, with the recorded dice and draws typed in, so that the play stays the same however its events are numbered. If a command is no
longer legal, the whole match is played again from its seed instead. Read the difference before you commit it: it shows the
effect of the change of the rules.

The form of a file is that of `tests.support.match_text`. The digests of rules and board are omitted, because they change with every
comment.
"""

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from core.errors import KernelError
from core.registry.games import load_game
from events.codec import Struct, decode_plain, replace
from events.ids import Digest
from events.vocabulary import Event, MatchOpened, Value
from projections.state.fold import fold
from projections.state.table import Table
from tests.project.tree import ROOT
from tests.support.desk import Desk
from tests.support.match_text import Fields, command_line, command_of, event_line, event_of
from tests.support.playouts import Playout

GOLDEN = ROOT / "fixtures" / "golden"


def other_way(game: str, scenario: str = "") -> dict[str, Value]:
    """Return every option of a game's scenario the other way: each flag turned over, of each choice the second."""
    specs = [spec for spec in load_game(game).options if not spec.scenarios or scenario in spec.scenarios]
    return {spec.key: not spec.default if isinstance(spec.default, bool) else spec.choices[1] for spec in specs}


ALL_ON: dict[str, dict[str, Value]] = {
    "advance": {
        "rubble": True,
        "northern_shoulder": True,
        "isolation": True,
        "parent_organization": True,
        "limited_air_power": True,
        "pavlovs_house": True,
        "increased_german_supply": True,
    },
    "battle": {"free_move_no_return": False, "one_reshuffle_per_turn": False, "medal_to_any_force_there": True},
}
"""What a match in which every option is the other way adds to the defaults."""


class Golden(Struct, frozen=True):
    """A golden match: how it is opened, and the seed of dice and choices where it is played afresh."""

    game: str
    scenario: str
    seed: int
    options: dict[str, Value] = {}
    mode: str = ""


MATCHES = {
    "advance/main": Golden("advance", "main", 187),
    "advance/main-all-rules": Golden("advance", "main", 185, {**ALL_ON["advance"], "reduced_starting_morale": True}),
    "advance/factory": Golden("advance", "factory", 143),
    "advance/factory-all-rules": Golden("advance", "factory", 184, ALL_ON["advance"]),
    "axis_allies/race": Golden("axis_allies", "race", 12),
    "axis_allies/race-bidding": Golden("axis_allies", "race", 2, other_way("axis_allies", "race"), mode="auction"),
    "axis_allies/uranus": Golden("axis_allies", "uranus", 3),
    "axis_allies/uranus-all-options": Golden("axis_allies", "uranus", 4, other_way("axis_allies", "uranus")),
    "axis_allies/uranus-bidding": Golden("axis_allies", "uranus", 5, mode="auction"),
    "battle/standard": Golden("battle", "standard", 22),
    "battle/standard-limit": Golden("battle", "standard", 316, {**ALL_ON["battle"], "turn_cap": 14}),
    "inferno/standard": Golden("inferno", "standard", 34),
    "inferno/standard-designers-way": Golden("inferno", "standard", 179, {"designers_way": "random"}),
    "inferno/co-op": Golden("inferno", "standard", 45, mode="co_op"),
    "inferno/one-vs-one": Golden("inferno", "standard", 130, mode="one_vs_one"),
    "inferno/two-vs-one": Golden("inferno", "standard", 150, mode="two_vs_one"),
    "inferno/two-vs-one-all-options": Golden("inferno", "standard", 47, other_way("inferno"), mode="two_vs_one"),
}
"""They were chosen because many rules come up."""


def path_of(name: str) -> Path:
    """Return the file of a golden match."""
    return GOLDEN / f"{name}.txt"


def stored(name: str) -> list[str]:
    """Read a golden match."""
    return path_of(name).read_text(encoding="utf-8").splitlines()


def write(name: str, lines: list[str]) -> None:
    """Write a golden match."""
    path_of(name).parent.mkdir(parents=True, exist_ok=True)
    path_of(name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def opened(name: str, dice: str) -> Playout:
    """Open a golden match."""
    match = MATCHES[name]
    record = load_game(match.game)
    scenario = record.scenario(match.scenario)
    mode = scenario.mode(match.mode)
    given = record.full_options(scenario, mode, match.options)
    return Playout(match.game, match.scenario, match.seed, given=given, mode=mode.key, dice=dice)


def printed(event: Event) -> str:
    """Print an event on one line."""
    if isinstance(event, MatchOpened):
        event = replace(event, rules=Digest(""), board=Digest(""))
    return event_line(event)


def told(desk: Desk) -> list[str]:
    """Return the lines of a whole match."""
    lines: list[str] = []
    table = Table()
    for commit in desk.commits:
        legal = len(desk.match.ruleset.rules.options(table))
        command = decode_plain(bytes(commit.command))
        assert isinstance(command, dict)
        lines.append(command_line(commit.seat, command, legal))
        lines += [printed(event) for event in commit.events]
        fold(commit.events, table)
    return lines


class Move(NamedTuple):
    """A command with the dice and draws that it needs."""

    command: Fields
    faces: list[int]
    draws: list[str]


def moves(lines: list[str]) -> Iterator[Move]:
    """Yield the beginning and the game's commands of a printed match, each with its dice and draws."""
    move = Move({"do": "match:begin"}, [], [])
    for line in lines:
        command = command_of(line)
        if command is None:
            collect(event_of(line), move)
        elif not command["do"].startswith("match:"):
            yield move
            move = Move(command, [], [])
    yield move


def collect(event: Fields, move: Move) -> None:
    """Add the dice and the draw of an event to those of its command."""
    match event["event"]:
        case "dice-rolled/1":
            move.faces.extend(event["faces"])
        case "card-drawn/1" | "piece-drawn/1":
            move.draws.append(event.get("card") or event["drawn"])
        case "chosen-by-chance/1":
            move.draws.append(event["chosen"])
        case _:
            pass


def replayed(name: str, lines: list[str]) -> Desk:
    """Replay the commands of a printed match, with its dice and draws typed in.

    Raises:
        AssertionError: A command is no longer legal.
        KernelError: It needs other dice or draws.
    """
    desk = opened(name, "manual").desk
    for command, faces, draws in moves(lines):
        seat = desk.table.seats[0] if command["do"] == "match:begin" else None
        desk.accept(command, seat, faces, draws)
    return desk


@cache
def kept(name: str) -> Desk:
    """Replay a golden match once for all tests, which must not continue it."""
    return replayed(name, stored(name))


def afresh(name: str) -> Desk:
    """Play a golden match from its seed."""
    playout = opened(name, "seeded")
    for _ in playout.steps():
        continue
    return playout.desk


def main() -> None:
    """Write every golden match again, or those that are named."""
    for name in sys.argv[1:] or list(MATCHES):
        old = stored(name) if path_of(name).exists() else []
        try:
            desk = replayed(name, old or told(afresh(name)))
        except (AssertionError, KernelError, ValueError) as error:
            print(f"{name} is played afresh: {error}")  # noqa: T201
            desk = replayed(name, told(afresh(name)))
        lines = told(desk)
        write(name, lines)
        print(f"{path_of(name).relative_to(ROOT)}: {len(lines)} lines, {'as before' if lines == old else 'changed'}")  # noqa: T201


if __name__ == "__main__":
    main()
