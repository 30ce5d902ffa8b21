"""The bot: it plays whole matches for either side, by what its own seat sees, and better than chance."""

from random import Random

import pytest

from core.bots.bot_port import Asked
from core.engine.command import Command
from core.engine.selection import Choose, Done, onward
from core.games.battle.bots.greedy import POLICIES, greedy
from core.games.battle.ids import GERMAN_SEAT, RUSSIAN_SEAT, SEATS, SIDES, enemy
from core.games.battle.rules.commands import Pass
from core.games.battle.rules.queries import controlled
from events.ids import Seat, Side
from projections.state.fold import fold
from projections.state.view import seen_events
from tests.support.battle import RULES, Scene, order, place, scene
from tests.support.bot_views import Choice, Views, by_chance
from tests.support.desk import Desk

STEPS_MAX = 20_000


def by_greed(rng: Random) -> Choice:
    """Let the bot choose."""
    return lambda table, seat, options: greedy(Asked(RULES, table, seat, options, rng.randrange)).command


def play(seed: int, choices: dict[Seat, Choice], turns: int = 30) -> Desk:
    """Play a match to its end or its last turn, each side by what it sees."""
    desk = Desk.open("battle", options={"turn_cap": turns}, seed=str(seed))
    views = Views(desk)
    for _ in range(STEPS_MAX):
        top = desk.table.top
        if desk.table.ended is not None or top is None:
            return desk
        view = views.tables[top.seat]
        views.accept(desk, choices[top.seat](view, top.seat, RULES.options(view)))
    raise AssertionError("the match has no end")


@pytest.mark.parametrize("seed", range(3))
def test_the_bot_chooses_what_is_legal_by_what_it_sees(seed: int) -> None:
    """secrecy.hands: on the view of the one who is asked the options are the true ones, and so is the choice."""
    rng = Random(seed)
    desk = Desk.open("battle", options={"turn_cap": 10}, seed=str(seed))
    views = Views(desk)
    asked = 0
    for _ in range(500):
        top = desk.table.top
        if desk.table.ended is not None or top is None:
            break
        seen = RULES.options(views.tables[top.seat])
        assert seen == desk.options()
        command = greedy(Asked(RULES, views.tables[top.seat], top.seat, seen, rng.randrange)).command
        assert command in seen or isinstance(command, Choose)
        assert RULES.refuse(desk.table, top.seat, command) is None
        views.accept(desk, command if rng.random() < 0.3 else rng.choice(onward(seen)))
        asked += 1

    assert asked > 50


def test_the_bot_does_not_see_the_other_hand() -> None:
    """secrecy.hands: whatever the Russian holds, the German chooses the same."""
    chosen = []
    for held in (["sniper", "fog_of_war"], ["rubble", "rubble"]):
        table = scene(
            forces={"g_16_panzer": "GAp", "g_14_panzer": "GEp", "r_169_rifle": "GEc"},
            rations={"g_14_panzer": 3},
            hands={"german": ["dive_bombers", "fresh_supplies"], "russian": held},
        )
        chosen.append(choice(table, GERMAN_SEAT))

    assert chosen[0] == chosen[1]


@pytest.mark.parametrize("side", SIDES)
def test_the_bot_beats_chance_with_either_side(side: Side) -> None:
    other = enemy(side)
    won, held = 0, [0, 0]
    for seed in range(4):
        rng = Random(seed)
        desk = play(seed, {Seat(side): by_greed(rng), Seat(other): by_chance(rng)})
        ended = desk.table.ended
        assert ended is not None
        assert ended.winners != (other,)
        won += ended.winners == (side,)
        held[0] += len(controlled(RULES.cards, desk.table, side))
        held[1] += len(controlled(RULES.cards, desk.table, other))

    assert won >= 2
    assert held[0] > 3 * held[1]


def test_two_bots_play_to_an_end() -> None:
    rng = Random(7)
    desk = play(7, dict.fromkeys(SEATS, by_greed(rng)))

    assert desk.table.ended is not None
    assert desk.audit().clean


def test_the_bots_are_offered_by_their_names_the_stronger_last() -> None:
    assert list(POLICIES) == ["greedy", "search"]
    assert POLICIES["greedy"] is greedy


# Single decisions


def choice(table: Scene, seat: Seat) -> Command:
    """Let the bot answer the open question of a scene by its own view."""
    view = fold(seen_events(table.events, seat))
    return greedy(Asked(RULES, view, seat, RULES.options(view), Random(1).randrange)).command


def test_the_bot_does_not_make_a_hopeless_attack() -> None:
    table = scene(forces={"g_100_jager": "GAc", "r_39_guards": "GAc"}, rations={"g_100_jager": 1, "r_39_guards": 9})

    assert choice(table, GERMAN_SEAT) == Done()


def test_the_bot_makes_an_attack_that_must_succeed() -> None:
    table = scene(forces={"g_14_panzer": "GAc", "r_169_rifle": "GAc"}, rations={"g_14_panzer": 5})

    assert choice(table, GERMAN_SEAT) == order("attack", location="gumrak_airfield")


def test_the_bot_moves_into_an_uncontrolled_location() -> None:
    table = scene(forces={"g_16_panzer": "GAp"})

    command = choice(table, GERMAN_SEAT)
    assert str(getattr(command, "to", "")).endswith("/german/control")


def test_the_bot_answers_a_move_with_a_sniper() -> None:
    table = scene(forces={"g_14_panzer": "GAp"}, rations={"g_14_panzer": 1}, hands={"russian": ["sniper"]})
    table.do("german", order("move", force="g_14_panzer", to=place("GAc", "german")))

    assert choice(table, RUSSIAN_SEAT) == order("play-card", card=table.held("russian", "sniper"))


def test_the_bot_passes_in_a_window_without_a_useful_card() -> None:
    table = scene(forces={"g_14_panzer": "GAp"}, rations={"g_14_panzer": 1}, hands={"russian": ["rubble"]})
    table.do("german", order("move", force="g_14_panzer", to=place("GAc", "german")))

    assert choice(table, RUSSIAN_SEAT) == Pass()


def test_the_card_that_is_missed_least_pays() -> None:
    table = scene(
        forces={"g_16_panzer": "GAc"}, hands={"german": ["dive_bombers", "tanks"]}, tops={"german": "g_100_jager"}
    )
    table.do("german", order("buy-force", force="g_100_jager", to=place("GAp", "german")))

    assert choice(table, GERMAN_SEAT) == order("pick", item=table.held("german", "tanks"))
