"""In random matches, what the words of a command announce happens, or its absence is told; and nothing of it happens unannounced."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

import pytest

from core.engine.command import Command
from core.games.inferno import memory
from core.games.inferno.ids import CO_OP, HEADQUARTERS, ONE_VS_ONE, SOLO, TWO_VS_ONE
from core.games.inferno.narration.sentences import CARD_CAUSES
from core.games.inferno.options import DESIGNERS_WAY
from core.games.inferno.rules import commands
from core.games.inferno.rules.cards import CHUIKOV
from events.codec import encode
from events.vocabulary import (
    CardDiscarded,
    CardDrawn,
    CardPlayed,
    ControlChanged,
    Event,
    MarkerRemoved,
    MatchEnded,
    RuleApplied,
    SequenceBegan,
    SequenceEnded,
    StepBegan,
)
from projections.state.fold import evolve
from projections.state.table import Table
from tests.support.inferno import NARRATION, RULES
from tests.support.playouts import Playout

CAPTURE = "capture.spawn-hex-card"
MOVES = (commands.LongMove, commands.ShortMove, commands.SovietMove, commands.Blitz, commands.HastyAttack)
ATTACKS = (commands.HastyAttack, commands.DeliberateAttack)


class Told:
    """A command with its words, the table before it, and the events: its own, and all from it on."""

    def __init__(self, table: Table, command: Command, own: Sequence[Event], rest: Sequence[Event]) -> None:
        self.command = command
        self.words = NARRATION.describe(table, command)

        self.own = own
        self.rest = rest

    def drawn(self, *rules: str) -> int:
        """Return how many cards were drawn under some rules by the command itself."""
        return sum(isinstance(event, CardDrawn) and event.rule in rules for event in self.own)

    def missed(self, *rules: str) -> bool:
        """Return whether it is told that cards could not be drawn."""
        return any(isinstance(event, RuleApplied) and event.rule in rules for event in self.own)


def told(mode: str, seed: int) -> Iterator[Told]:
    """Yield the commands of a random match in which Leaders come early."""
    given = {DESIGNERS_WAY.key: "hard" if seed % 2 else "soviet-easy", "chuikov_hq": "always"}
    playout = Playout("inferno", "standard", seed, mode=mode, given=dict(given))
    desk = playout.desk
    for _ in islice(playout.steps(), 400):
        pass
    commits = desk.commits
    events = [event for commit in commits for event in commit.events]
    table, at = Table(), 0
    for commit in commits:
        if commit.seat in table.seats and table.top is not None:
            command = RULES.decode(encode(commit.command))
            yield Told(table, command, commit.events, events[at:])
        for event in commit.events:
            evolve(table, event)
        at += len(commit.events)


@pytest.fixture(scope="module")
def every() -> list[Told]:
    """Some matches of each mode, played once: some seconds."""
    return [one for mode in (SOLO, CO_OP, ONE_VS_ONE, TWO_VS_ONE) for seed in range(2) for one in told(mode, seed)]


def combat_of(events: Sequence[Event]) -> list[Event] | None:
    """Return the events of the next combat; None if it is not over."""
    first = next(
        (n for n, event in enumerate(events) if isinstance(event, SequenceBegan) and event.kind == memory.COMBAT), None
    )
    if first is None:
        return None
    last = next(
        (n for n, event in enumerate(events) if isinstance(event, SequenceEnded) and event.kind == memory.COMBAT), None
    )
    return None if last is None else [*events[first : last + 1]]


def test_opportunity_fire_follows_where_it_is_announced_and_nowhere_else(every: list[Told]) -> None:
    """leader.chuikov.opportunity-fire"""
    seen = 0
    for one in every:
        fight = combat_of(one.rest) if isinstance(one.command, ATTACKS) else None
        if fight is None or any(isinstance(event, MatchEnded) for event in fight):
            continue
        has_step = any(isinstance(event, StepBegan) and event.step == "opportunity_fire" for event in fight)
        has_come = any(isinstance(event, CardPlayed) and str(event.card).endswith(CHUIKOV) for event in fight)
        seen += has_step

        assert ("Opportunity Fire" in one.words) == has_step or has_come, one.words
    assert seen > 3


def test_the_cards_that_are_announced_are_drawn_or_told_to_be_missing(every: list[Told]) -> None:
    """german.reinforce.draw-card, capture.spawn-hex-card, mode.1v1.draw-action"""
    seen = 0
    for one in every:
        rules = ("german.reinforce.draw-card", "leader.paulus", CAPTURE, "mode.1v1.draw-action")
        announced = re.search(r"draws? (no|\d+) cards?", one.words)
        if announced is None or isinstance(one.command, commands.CommitCards):
            continue
        number = 0 if announced[1] == "no" else int(announced[1])
        drawn, ends = one.drawn(*rules), any(isinstance(event, MatchEnded) for event in one.own)
        has_paulus = any(isinstance(event, CardPlayed) and event.card == "german/paulus" for event in one.own)
        seen += 1

        assert drawn == number or ends or (has_paulus and drawn == 2 * number), one.words
        assert number or one.missed(*rules), one.words
    assert seen > 50


def test_what_follows_from_entering_is_announced_and_happens(every: list[Told]) -> None:
    """control.switch-on-entry, designer.fortification.destroyed, designer.chuikov.lost"""
    seen = dict.fromkeys(("control", "disc", "headquarters"), 0)
    for one in every:
        if not isinstance(one.command, MOVES):
            continue
        # What the other side does afterwards is not the command's.
        until = next(
            (n for n, event in enumerate(one.own) if isinstance(event, SequenceBegan | StepBegan)), len(one.own)
        )
        own = one.own[:until]
        control = any(isinstance(event, ControlChanged) for event in own)
        disc = any(isinstance(event, MarkerRemoved) and "fortification" in event.marker for event in own)
        headquarters = any(isinstance(event, MarkerRemoved) and event.marker == HEADQUARTERS for event in own)
        lost = any(isinstance(event, CardDiscarded) and event.was == "soviet_leaders" for event in own)
        seen["control"] += control
        seen["disc"] += disc
        seen["headquarters"] += headquarters

        assert ("takes control of" in one.words) == control, one.words
        assert ("Fortification there" in one.words) == disc, one.words
        assert ("headquarters is lost" in one.words) == headquarters == lost, one.words
    assert seen["control"] > 50


def test_a_spawn_action_brings_the_units_and_cards_that_it_announces(every: list[Told]) -> None:
    """soviet.spawn.table, soviet.spawn.full-hex, soviet.spawn.pool-empty"""
    seen = 0
    for one in every:
        if not isinstance(one.command, commands.SovietSpawn) or any(isinstance(event, MatchEnded) for event in one.own):
            continue
        cards = len(re.findall(r"\ba card\b", one.words)) + sum(map(int, re.findall(r"(\d+) cards", one.words)))
        drawn = one.drawn(*[rule for rule in CARD_CAUSES if rule.startswith("soviet.spawn.")])
        seen += 1

        assert cards == drawn, one.words
    assert seen > 3
