"""The bot: it plays whole matches for every seat of every mode, by what that seat sees."""

from contextlib import suppress
from random import Random

import pytest

from core.chance import keyed_chance
from core.command import Command
from core.draft import Draft
from core.draft_chance import MatchOver
from core.games.axis_allies.bots.greedy import POLICIES, greedy
from core.games.axis_allies.ids import AUCTION, AXIS, AXIS_SEAT, RACE, STANDARD, URANUS
from core.games.axis_allies.rules.axis_allies_rules import AxisAlliesRules
from core.games.axis_allies.rules.commands import MoveStack
from core.selection import Choose
from events.ids import Seat
from events.vocabulary import ChanceScheme, Event
from projections.fold import fold
from projections.table import Table
from projections.view import seen_events
from tests.support.axis_allies import BOARD, Scene, bare, opened

RULES = AxisAlliesRules(BOARD)
STEPS_MAX = 6_000
STEPS_CHECKED = 60
"""How many choices of a match are compared with the true table."""


def choose(table: Table, seat: Seat, rng: Random) -> Command:
    """Let the bot answer the open question of a table."""
    return greedy(RULES, table, seat, RULES.options(table), rng.randrange)


class Match:
    """A match between two bots, each of which sees what its seat sees."""

    def __init__(self, scenario: str, mode: str, seed: int) -> None:
        draft = opened(scenario, mode)
        self.table, self.events = draft.table, list[Event](draft.events)
        self.chance = keyed_chance(ChanceScheme(scheme="seeded/1", seed=str(seed)), "", {})
        self.rng = Random(seed)
        draft = Draft(self.table, self.chance)
        RULES.set_up(draft)
        self.events += draft.events
        self.views = {seat: fold(seen_events(self.events, seat)) for seat in self.table.seats}

    def step(self) -> Command:
        """Let the bot that is asked choose, and execute its command."""
        top = self.table.top
        assert top is not None
        command = choose(self.views[top.seat], top.seat, self.rng)
        assert RULES.refuse(self.table, top.seat, command) is None
        draft = Draft(self.table, self.chance)
        with suppress(MatchOver):
            RULES.take(draft, command)
        self.events += draft.events
        for seat, view in self.views.items():
            fold(seen_events(draft.events, seat), view)
        return command

    def play(self) -> None:
        """Play to the end."""
        for _ in range(STEPS_MAX):
            if self.table.ended is not None:
                return
            self.step()
        raise AssertionError("the match has no end")


@pytest.mark.parametrize("mode", [STANDARD, AUCTION])
@pytest.mark.parametrize("scenario", [RACE, URANUS])
def test_the_bot_chooses_what_is_legal_by_what_it_sees(scenario: str, mode: str) -> None:
    """order.7.secret: on the view of the seat that is asked the options are the true ones, and so is the choice."""
    match = Match(scenario, mode, 7)
    for _ in range(STEPS_CHECKED):
        top = match.table.top
        assert top is not None
        seen = RULES.options(match.views[top.seat])
        assert seen == RULES.options(match.table)
        command = match.step()
        assert command in seen or isinstance(command, Choose | MoveStack)


def test_the_bot_plays_the_same_match_from_the_same_seed() -> None:
    """With the same dice and the same choices among equals the log is the same."""
    first, second = (Match(URANUS, STANDARD, 3) for _ in range(2))
    first.play()
    second.play()

    assert first.events == second.events


def test_the_bot_is_offered_by_its_name() -> None:
    assert dict(POLICIES) == {"greedy": greedy}


# Single decisions


def choice(scene: Scene, seat: Seat = AXIS_SEAT) -> Command:
    """Let the bot answer the open question of a scene."""
    return choose(scene.table, seat, Random(1))


def test_aircraft_of_one_kind_all_land() -> None:
    """order.6.land: the bot sends one whole choice in which a kind occurs as often as it flies."""
    field = {"oblivskaya": {"ger_bomber": 2, "ger_fighter": 1}}
    scene = Scene(bare(control={AXIS: ["oblivskaya"]}, units=field, flying=["oblivskaya"]), RULES)
    scene.run(RULES.rounds.chapters[6])
    command = choice(scene)

    assert isinstance(command, Choose)
    assert command.items == ("ger_bomber", "ger_bomber", "ger_fighter")
