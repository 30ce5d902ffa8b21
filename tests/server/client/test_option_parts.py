"""An option says the same in parts as in its sentence, tells no secret, and its consequence is what happens; measured in random play."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from core.engine.selection import Unpick
from core.games.axis_allies.rules import commands as axis_allies
from core.games.axis_allies.rules.axis_allies_rules import AxisAlliesRules
from core.games.axis_allies.rules.queries import land
from core.games.battle.ids import hand
from core.games.battle.memory import TOTAL
from core.games.battle.rules import commands as battle
from core.games.battle.rules.queries import rations
from core.games.inferno.rules import commands as inferno
from core.legal.repeats import repeats
from core.telling.option_parts import option_kinds, told_options
from events.ids import ARBITER, Side
from events.vocabulary import AttributeSet, CardDrawn, ControlChanged, Event
from projections.state.table import Table
from server.client.library import Match, Option, open_match
from tests.support.soak import few, sampled

COMMANDS = 300
"""How many commands of a match are looked at, at most."""
MODES = [("advance", ""), ("axis_allies", ""), ("battle", ""), ("inferno", "two_vs_one")]


class Played(NamedTuple):
    """An option of a random match that was played: the table before it and after it, and what came of it."""

    match: Match
    before: Table
    option: Option
    events: list[Event]
    after: Table


def played(game: str, mode: str = "", seed: int = 1) -> Iterator[Played]:
    """Play a match by chance, taking no pick back and seldom ending a step; yield each option before it is played on."""
    match, dice = open_match(game, mode=mode, dice="seeded", seed=str(seed)), random.Random(seed)
    for _ in range(COMMANDS):
        options, before = match.legal(), match.table()
        if not options:
            return
        ahead = [one for one in options if not isinstance(one.command, Unpick)] or options
        others = [one for one in ahead if not one.parts.ends] or ahead
        option = dice.choice(others if dice.random() < 0.8 else ahead)
        yield Played(match, before, option, match.play(option), match.table())


@pytest.mark.parametrize(("game", "mode"), sampled(MODES, lambda game, _: game in ("axis_allies", "battle")))
def test_parts_are_those_of_the_sentence_and_of_what_the_seat_knows(game: str, mode: str) -> None:
    """What ends a step is the last option, and each other one belongs to a kind of the question; half a second a game, for most of its questions."""
    match, dice, told = open_match(game, mode=mode, dice="seeded", seed="1"), random.Random(1), Counter[str]()
    while len(match) < 600 and (options := match.legal()):
        table, bound, seat = match.table(), match.game, match.seat_to_move or ""
        parts = [one.parts for one in options]
        commands = [one.command for one in options]
        asked = table.top
        assert asked is not None

        assert [one.words.rstrip(")").endswith(one.parts.consequence.rstrip(")")) for one in options] == [True] * len(
            options
        )
        assert [one.ends for one in parts] == sorted(one.ends for one in parts)
        assert Counter(one.kind for one in parts if not one.ends) == {
            kind.kind: kind.count for kind in option_kinds(bound, table, asked) if kind.count
        }
        assert told_options(bound, match.table(seat), commands) == [(one.words, one.parts) for one in options]
        for name in ("who", "start", "to", "consequence"):
            told[name] += sum(bool(getattr(one, name)) for one in parts)
        match.play(dice.choice(options))

    assert min(told.values()) > 0


@pytest.mark.parametrize(("game", "mode"), few([("battle", ""), ("inferno", "one_vs_one")]))
def test_a_command_is_tried_ahead_on_what_a_seat_knows_and_ends_where_it_does_not(game: str, mode: str) -> None:
    """Passing leads to a draw from a deck, an attack to a unit that lies face down."""
    dice, met = random.Random(1), Counter[int]()
    for one in played(game, mode):
        commands = [option.command for option in one.match.legal()]
        rules, now = one.match.game.rules, one.match.table(one.match.seat_to_move or ARBITER)
        met.update(repeats(rules, now, command, 3) for command in dice.sample(commands, min(2, len(commands))))

    assert met[1] > 50


@pytest.mark.long
def test_a_firefight_card_changes_the_total_as_told_and_a_move_leaves_the_rations_told() -> None:
    cards = moves = 0
    for one in (one for seed in range(2) for one in played("battle", seed=seed)):
        said = one.option.parts.consequence
        if isinstance(one.option.command, battle.FireCard):
            side, was, now = re.fullmatch(r"(\w+) (-?\d+) → (-?\d+)", said).groups()  # type: ignore[union-attr]
            changes = [event for event in one.events if isinstance(event, AttributeSet) and event.key == TOTAL.key]
            cards += 1

            assert TOTAL.of(one.before, Side(side.casefold())) == int(was)
            assert changes[0].value == int(now)
        elif isinstance(one.option.command, battle.Move) and (left := re.search(r", then (\w+) left$", said)):
            force = one.option.command.force
            moves += 1

            assert str(rations(one.after, force) or "none") == left[1]

    assert cards > 5
    assert moves > 5


def test_the_end_of_the_actions_step_keeps_and_draws_the_cards_told() -> None:
    ends = 0
    for seed in range(2):
        wanted: tuple[str, int] | None = None
        for one in played("battle", seed=seed):
            said = re.fullmatch(r"(\d+) cards? kept, (\d+) drawn", one.option.parts.consequence)
            if said is not None:
                wanted = one.before.turn, int(said[2])

                assert one.before.pile(hand(one.before.turn)).count == int(said[1])
            drawn = [event for event in one.events if isinstance(event, CardDrawn)]
            if wanted is not None and drawn:
                ends += len(drawn) == wanted[1]
                # The enemy may have answered with a card that denies some.
                assert len(drawn) <= wanted[1]
                wanted = None

    assert ends > 2


@pytest.mark.long
def test_units_are_over_the_stacking_limit_by_the_number_told() -> None:
    crowds = 0
    for one in played("axis_allies"):
        command, over = one.option.command, re.search(r"(\d+) over the stacking limit$", one.option.parts.consequence)
        rules = one.match.game.rules
        assert isinstance(rules, AxisAlliesRules)
        board = rules.board
        if not isinstance(command, axis_allies.Move) or command.to not in board.zones:
            continue
        there = len(land(one.after, board, command.to, one.before.turn)) - board.file.limits.land_units
        crowds += over is not None

        assert max(0, there) == (int(over[1]) if over else 0)

    assert crowds > 0


@pytest.mark.long
def test_a_unit_takes_control_of_the_hexes_told() -> None:
    taken = 0
    for one in (one for seed in range(3) for one in played("inferno", "two_vs_one", seed)):
        command, names = one.option.command, one.match.game.narration
        if isinstance(command, inferno.LongMove | inferno.ShortMove):
            changed = [event.place for event in one.events if isinstance(event, ControlChanged)]
            hexes = changed[: len(command.path) if isinstance(command, inferno.LongMove) else 1]
            taken += bool(changed)

            assert [f"{names.name(place)}" in one.option.parts.consequence for place in hexes] == [True] * len(hexes)
            assert bool(hexes) == ("takes control of" in one.option.parts.consequence)

    assert taken > 0
