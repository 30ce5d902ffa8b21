"""What a bot is asked, and what it answers."""

from random import Random

import pytest

from core.bots.bot_port import Answer, Asked, Considered, answer_of
from core.bots.seat_knowledge import SeatKnowledge
from core.engine.selection import onward
from core.errors import KernelError
from core.registry.games import load_game
from events.ids import PileId, Seat
from projections.state.fold import fold
from projections.state.view import seen_events
from tests.project.tree import games
from tests.support.desk import Desk
from tests.support.rows import each_row


def asked(desk: Desk, *, knows: bool = True) -> Asked:
    """Ask the seat that is to decide."""
    ruleset, table = desk.match.ruleset, desk.table
    assert table.top is not None
    seat = table.top.seat
    seen = list(seen_events(desk.events, seat))
    return Asked(
        ruleset.rules,
        fold(seen),
        seat,
        ruleset.rules.options(table),
        Random(1).randrange,
        knowledge=SeatKnowledge(seen).now if knows else None,
        inventory=lambda: ruleset.game.inventory(table.scenario, table.options),
    )


def test_a_command_is_an_answer_without_what_was_considered() -> None:
    one = asked(Desk.open())

    assert answer_of(lambda it: it.options[0], one) == Answer(one.options[0])


@each_row("game", games())
def test_the_best_of_what_a_shipped_bot_considered_is_what_it_plays(game: str) -> None:
    desk, rng, told = Desk.open(game), Random(3), 0
    policy = load_game(game).policies["greedy"]
    for _ in range(30):
        one = asked(desk)
        answer = answer_of(policy, one)
        best = [it.command for it in answer.considered if it.worth == max(it.worth for it in answer.considered)]
        told += answer.command in best
        assert not answer.considered or [it.command for it in answer.considered] == onward(one.options)
        desk.accept(rng.choice(onward(one.options)))

    assert told or game == "advance"


def test_a_bot_imagines_by_what_its_seat_saw() -> None:
    desk = Desk.open("battle").play(40, Random(2))
    one = asked(desk)
    world = next(one.imagine())
    enemy = Seat(next(seat for seat in desk.table.seats if seat != one.seat))
    own, other = PileId(f"hand/{one.seat}"), PileId(f"hand/{enemy}")

    assert world.table.pile(own).cards == desk.table.pile(own).cards
    assert world.table.pile(other).count == desk.table.pile(other).count > 0
    assert world.options() == one.options


def test_a_bot_that_is_not_told_what_its_seat_saw_cannot_imagine() -> None:
    with pytest.raises(KernelError, match="is not told what its seat knows"):
        asked(Desk.open(), knows=False).imagine()


def test_considered_options_have_a_worth_and_playouts() -> None:
    one = asked(Desk.open())
    answer = Answer(one.options[0], (Considered(one.options[0], 0.5, 30),))

    assert answer_of(lambda _: answer, one) is answer
