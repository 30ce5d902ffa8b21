"""Trials: like luck for like numbers, an end where it was asked for, and nothing of it in the match."""

from random import Random

import pytest

from core.bots.bot_port import Asked, answer_of
from core.bots.world import NotLegal, RandomChance, World, bare
from core.engine.command import Command
from core.engine.option_by_chance import Below
from core.engine.selection import Choose, Done, Pick
from core.match.bound_games import bound_game
from core.registry.bot_policies import choose_at_random, find_policy
from core.registry.games import load_game
from core.trials.trial import Trials, counted_on
from events.ids import PlaceId
from events.vocabulary import DiceRolled
from projections.state.table import Table
from tests.project.tree import games
from tests.support.desk import Desk
from tests.support.playouts import Playout
from tests.support.rows import each_row


def source(text: str) -> Below:
    return Random(text).randrange


def played(game: str = "battle", steps: int = 60) -> Desk:
    return Desk.open(game, seed="7").play(steps, Random(3))


def trials(desk: Desk, *, until: str = "end", seed: str = "1") -> Trials:
    """Return trials of the true table."""
    rules = desk.match.ruleset.rules
    policies = dict.fromkeys(desk.table.seats, choose_at_random)
    return Trials(
        rules, lambda _: bare(desk.table), policies, source, seed=seed, until=until, places=list(desk.table.control)
    )


def test_a_trial_is_repeated_by_its_number_and_its_seed_and_leaves_the_match_alone() -> None:
    desk = played()
    option, before = desk.options()[-1], desk.table.clone()
    first = [trials(desk, until="round").outcome(option, number) for number in range(3)]
    again = [trials(desk, until="round").outcome(option, number) for number in range(3)]

    assert first == again
    assert len({str(one) for one in first}) > 1
    assert trials(desk, until="round", seed="2").outcome(option, 0) != first[0]
    assert desk.table == before


@each_row("until", ["round", "turn", "step"])
def test_bots_play_on_to_the_point_that_was_named(until: str) -> None:
    desk = played("advance", 30)
    seen: list[Table] = []

    def watched(asked: Asked) -> Command:
        seen.append(asked.table)
        return choose_at_random(asked)

    rules = desk.match.ruleset.rules
    policies = dict.fromkeys(desk.table.seats, watched)
    Trials(rules, lambda _: bare(desk.table), policies, source, seed="1", until=until, places=[]).outcome(
        desk.options()[0], 0
    )
    name = {"round": "round", "turn": "turn", "step": "phase"}[until]

    assert {getattr(one, name) for one in seen} <= {getattr(desk.table, name)}


def test_all_alternatives_of_a_number_have_the_same_deal_and_the_same_first_dice() -> None:
    desk = played("advance", 30)
    asked: list[list[int]] = []
    rules = desk.match.ruleset.rules

    def dealt(chance: object) -> Table:
        asked.append(list(chance.dice(1, 5, 6, "deal")))  # type: ignore[attr-defined]
        return bare(desk.table)

    policies = dict.fromkeys(desk.table.seats, choose_at_random)
    tried = Trials(rules, dealt, policies, source, seed="1", until="step", places=[])
    for number in (0, 0, 1):
        tried.outcome(desk.options()[0], number)

    assert asked[0] == asked[1] != asked[2]
    assert any(isinstance(event, DiceRolled) for event in desk.events)


def test_what_is_not_possible_is_refused() -> None:
    desk = Desk.open("battle", seed="7")
    option = desk.options()[0]
    desk.accept(option)

    with pytest.raises(NotLegal):
        trials(desk).outcome(option, 0)


def test_what_a_game_counts_is_its_tracks_its_places_and_the_pieces_there() -> None:
    table = played("advance", 30).table
    places = [place.id for place in bound_game(table.game, None).narration.place_names()]
    counts = counted_on(table, places)

    assert counts["morale"] == table.tracks["morale"]  # type: ignore[index]
    assert counts["control of german"] == list(table.control.values()).count("german")  # type: ignore[arg-type]
    assert counts["pieces of german"] == sum(
        piece.side == "german" and piece.place in places for piece in table.pieces.values()
    )
    assert counted_on(table, [PlaceId("nowhere")])["pieces of german"] == 0


@each_row("game", games())
def test_bots_that_play_on_keep_what_was_picked(game: str) -> None:
    """Otherwise all picks of a choice would come to the same."""
    playout, tried = Playout(game, "", 2, mode=""), 0
    for _ in playout.steps():
        table, rules = playout.desk.table, playout.desk.match.ruleset.rules
        options = playout.desk.options()
        picks = [one for one in options if isinstance(one, Pick)]
        if len(picks) < 2 or rules.bounds(table) == (1, 1) or table.stack[-1].picked:
            continue
        greedy = find_policy(load_game(game), "greedy")
        for pick in (picks[0], picks[-1]):
            world = World(rules, bare(table), RandomChance(source("1")))
            world.play(pick)
            if len(world.table.stack) == len(table.stack) and world.table.stack[-1].picked:
                asked = Asked(rules, world.table, table.stack[-1].seat, world.options(), source("1"))
                command = answer_of(greedy, asked).command

                assert isinstance(command, Choose | Pick | Done), command
                assert not isinstance(command, Choose) or (pick.item, pick.to) in command.picks
                assert not isinstance(command, Pick) or command.item not in world.table.stack[-1].picked
                tried += 1
        if tried >= 20:
            return

    assert tried > 2
