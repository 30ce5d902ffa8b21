"""Seeded random legal play of a game, whose commands are recorded so that they can be played again."""

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from core.bots.world import bare
from core.chance.chance_sources import seeded_chance
from core.engine.draft import Draft
from core.engine.draft_chance import MatchOver
from core.match.live_match import Match
from core.match.match_creation import Opening, open_match
from core.match.player_commands import TakeSeat
from core.refusal import Refusal
from events.codec import encode
from events.commit import Head
from events.ids import MatchId, Seat
from events.log import Log
from events.vocabulary import Value

GAME = "advance"
SEED = "1942"

SHORT: dict[str, dict[str, Value]] = {"battle": {"turn_cap": 60}}
"""Options that keep random matches from going on for ever."""


@dataclass(frozen=True)
class Step:
    """A legal command: its seat, its JSON, and the number of events before it."""

    seat: Seat
    command: bytes
    seq: int


def begun(match: MatchId, seed: str = SEED, game: str = GAME, log: Log | None = None, mode: str = "") -> Match:
    """Open a seeded match in memory, or in a log, and take all its seats, so that play begins."""
    opened = open_match(
        match, Opening(game=game, mode=mode, options=SHORT.get(game, {}), dice="seeded", seed=seed), key="open", at=0
    )
    first = opened.prepared
    playing = Match(match, opened.ruleset, first.table, Head(first.new.last, first.new.hash), opened.seed)
    if log is not None:
        log.append([first.new])
    for seat in playing.table.seats:
        accept(playing, seat, encode(TakeSeat(seat=seat)), log)
    return playing


def accept(playing: Match, seat: Seat, command: bytes, log: Log | None = None) -> None:
    """Play a command in a match, and append it to a log if there is one.

    Raises:
        ValueError: The command is refused.
    """
    done = playing.prepare(seat, command, key=str(playing.head.seq), at=0)
    if isinstance(done, Refusal):
        raise ValueError(f"random play was refused: {done.sentence}")  # noqa: TRY004 - a refusal is a value.
    if log is not None:
        log.append([done.new])
    playing.adopt(done)


def taken(playing: Match, dice: random.Random, log: Log | None = None) -> Step | None:
    """Take one of the options of a match and return it, or None if the match is over."""
    options = playing.ruleset.rules.options(playing.table)
    asked = playing.table.top
    if not options or asked is None:
        return None
    step = Step(asked.seat, encode(options[int(dice.random() * len(options))]), playing.head.seq)
    accept(playing, step.seat, step.command, log)
    return step


def random_steps(playing: Match, dice: random.Random) -> Iterator[int]:
    """Play on a copy of a match's table on which nothing is taken back until it is over: list all options, take one, fold its events.

    Yields:
        After each step, how many options there were.
    """
    rules, table = playing.ruleset.rules, bare(playing.table)
    chance = seeded_chance(playing.table.chance)
    while options := rules.options(table):
        with suppress(MatchOver):
            rules.take(Draft(table, chance), options[int(dice.random() * len(options))])
        yield len(options)


def chance_steps(playing: Match, dice: random.Random) -> Iterator[None]:
    """Play on such a copy until it is over: take one option by chance without the list, fold its events."""
    rules, table = playing.ruleset.rules, bare(playing.table)
    chance = seeded_chance(playing.table.chance)

    def below(count: int) -> int:
        return int(dice.random() * count)

    while (option := rules.any_option(table, below)) is not None:
        with suppress(MatchOver):
            rules.take(Draft(table, chance), option)
        yield None


def written_down(seed: str, most: int, game: str = GAME) -> list[Step]:
    """Return the first commands of a random match with this seed, up to a maximum number.

    A match with the same seed has the same dice, so the same commands are legal there.
    """
    playing, dice = begun(MatchId("written-down"), seed, game), random.Random(seed)
    steps: list[Step] = []
    while len(steps) < most and (step := taken(playing, dice)) is not None:
        steps.append(step)
    return steps
