"""A world plays by the rules of the match, and holds nothing else of it."""

from random import Random

import pytest

from core.bots.sampler import Sampler
from core.bots.world import NotLegal, RandomChance, World, bare
from core.engine.command import Command
from core.engine.selection import onward
from core.match.live_match import Prepared
from core.registry.games import load_game
from core.secrets.knowledge import Hidden
from events.codec import encode
from events.ids import ARBITER, Seat
from events.vocabulary import DiceRolled
from projections.state.table import Table
from tests.project.tree import games
from tests.support.desk import Desk
from tests.support.rows import each_row

KEPT = set(Table().game_part().__struct_fields__)


def true_world(desk: Desk, seed: int = 1) -> World:
    """Return the true position of a match as a world."""
    ruleset = desk.match.ruleset
    inventory = ruleset.game.inventory(desk.table.scenario, desk.table.options)
    return next(Sampler(ruleset.rules, inventory, Hidden(desk.events), Random(seed).randrange))


@each_row("game", games())
def test_a_match_with_the_same_commands_and_results_has_the_same_events_and_table(game: str) -> None:
    for scenario in load_game(game).scenarios:
        desk, rng = Desk.open(game, scenario.key, dice="sealed"), Random(5)
        world = true_world(desk)
        for number in range(40):
            if world.ended is not None:
                break
            seat, command = world.seat_to_move, rng.choice(onward(world.options()))
            events = world.play(command)
            done = desk.match.prepare(Seat(seat or ""), encode(command), key=str(number), at=0, kept=events)
            assert isinstance(done, Prepared)
            desk.match.adopt(done)

            assert done.commit.events[: len(events)] == tuple(events)
            assert world.table.game_part() == desk.table.game_part()


@each_row("dice", ["seeded", "sealed"])
def test_a_world_holds_no_seed_credential_player_or_way_back(dice: str) -> None:
    desk = Desk.open("battle", dice=dice, seed="5eed" * 16).play(30, Random(2))
    world = true_world(desk)
    for _ in range(20):
        world.play(onward(world.options())[0])

    assert b"5eed" not in encode(world.table) and b"5eed" in encode([desk.table.chance, desk.match.seed])
    assert world.table.past is None
    assert (world.table.chance.scheme, world.table.players, world.table.credentials) == ("", {}, {})
    assert desk.table.players != {} and desk.table.past is not None


def test_commands_of_a_world_change_nothing_else() -> None:
    desk = Desk.open("battle").play(30, Random(2))
    table, world = desk.table.clone(), true_world(desk)
    other = world.copy()
    was = other.table.clone()
    world.play(onward(world.options())[0])

    assert world.table != other.table == was
    assert desk.table == table


def test_a_command_that_is_not_legal_changes_nothing() -> None:
    desk = Desk.open()
    world = true_world(desk)
    table = world.table.clone()
    with pytest.raises(NotLegal, match=r"answer_must_fit: .* \(2\.reply\)") as caught:
        world.play(desk.match.decode(b'{"do":"reply","contest":true}'))

    assert caught.value.refusal.code == "answer_must_fit"
    assert world.table == table


def test_copies_with_the_same_numbers_roll_the_same_and_others_do_not() -> None:
    desk = Desk.open("advance").play(10, Random(2))
    world = true_world(desk)

    def played(seed: int) -> bytes:
        trial, rng = world.copy(Random(seed).randrange), Random(9)
        found = [trial.play(rng.choice(onward(trial.options()))) for _ in range(60)]
        return encode([event for events in found for event in events if isinstance(event, DiceRolled)])

    assert played(1) == played(1) != played(2)


def test_nothing_can_be_played_after_the_end() -> None:
    desk = Desk.open()
    world = true_world(desk)
    rng, command = Random(1), world.options()[0]
    while world.ended is None:
        command = rng.choice(onward(world.options()))
        world.play(command)

    assert (world.options(), world.seat_to_move) == ([], None)
    with pytest.raises(NotLegal):
        world.play(command)


def test_dice_and_draws_are_those_of_the_random_source() -> None:
    chance = RandomChance(lambda size: size - 1)

    assert chance.dice(1, 3, 6, "test") == (6, 6, 6)
    assert chance.pick(1, ["a", "b"], "test") == 1
    assert chance.reveal() == ""


def test_a_bare_table_has_the_fields_of_its_list_and_the_state_of_the_game() -> None:
    desk = Desk.open("inferno").play(10, Random(3))
    found = bare(desk.table)

    assert {name: getattr(found, name) for name in KEPT} == {name: getattr(desk.table, name) for name in KEPT}
    assert (found.title, found.position, found.parent, found.standing, found.board) == (
        "",
        None,
        "",
        (),
        desk.table.board,
    )
    assert ARBITER not in found.seats


@each_row(("most", "comes_to_it", "played"), [(0, False, 0), (2, False, 2), (4, True, 3), (50, True, 3)])
def test_play_goes_on_to_a_point_or_until_there_were_enough_commands(most: int, comes_to_it: bool, played: int) -> None:
    world, asked = true_world(Desk.open("battle")), list[Seat]()

    def choose(seat: Seat) -> Command:
        asked.append(seat)
        return onward(world.options())[0]

    assert world.play_on(choose, lambda _: len(asked) == 3, most) is comes_to_it
    assert len(asked) == played
