"""The bot: it plays whole matches for every seat of every mode, by what that seat sees, and better than chance."""

from random import Random

import pytest

from core.bots.bot_port import Asked
from core.engine.command import Command
from core.engine.selection import Choose, onward
from core.games.inferno.bots.greedy import POLICIES, greedy, quick
from core.games.inferno.ids import (
    BLUE_SEAT,
    CO_OP,
    GERMAN,
    GERMAN_SEAT,
    ONE_VS_ONE,
    SOLO,
    SOVIET,
    SOVIET_SEAT,
    TWO_VS_ONE,
    YELLOW_SEAT,
    hand,
)
from core.games.inferno.rules.commands import (
    CommitCards,
    DeliberateAttack,
    HastyAttack,
    Reinforce,
    SovietAttack,
    SovietDraw,
    SovietMove,
)
from events.ids import Seat, Side
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import seen_events
from tests.support.bot_views import Choice, Views, by_chance
from tests.support.desk import Desk
from tests.support.inferno import BOARD, RULES, Scene, order, scene
from tests.support.rows import each_row
from tests.support.soak import sampled

MODES = (SOLO, CO_OP, ONE_VS_ONE, TWO_VS_ONE)
STEPS_MAX = 20_000


def by_greed(rng: Random) -> Choice:
    """Let the bot choose."""
    return lambda table, seat, options: greedy(Asked(RULES, table, seat, options, rng.randrange)).command


def play(mode: str, seed: int, choices: dict[Side, Choice]) -> Desk:
    """Play a match to its end, each seat by what it sees."""
    desk = Desk.open("inferno", "standard", mode=mode, seed=str(seed))
    views = Views(desk)
    for _ in range(STEPS_MAX):
        top = desk.table.top
        if desk.table.ended is not None or top is None:
            return desk
        view = views.tables[top.seat]
        views.accept(desk, choices[desk.table.side_of(top.seat)](view, top.seat, RULES.options(view)))
    raise AssertionError("the match has no end")


def captured(desk: Desk) -> int:
    """Return how many Soviet Spawn Hexes the Germans control."""
    return sum(desk.table.control[place] == GERMAN for place in BOARD.soviet_spawn)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", sampled(range(2), lambda seed: seed == 0))
def test_the_bot_chooses_what_is_legal_by_what_it_sees(mode: str, seed: int) -> None:
    """fog.blocks-upright: on the view of the seat that is asked the options are the true ones, and so is the choice."""
    rng = Random(seed)
    desk = Desk.open("inferno", "standard", mode=mode, seed=str(seed))
    views = Views(desk)
    asked = 0
    while desk.table.ended is None and desk.table.top is not None and asked < 150:
        seat = desk.table.top.seat
        seen = RULES.options(views.tables[seat])
        assert seen == desk.options()
        command = greedy(Asked(RULES, views.tables[seat], seat, seen, rng.randrange)).command
        assert command in seen or isinstance(command, Choose)
        assert RULES.refuse(desk.table, seat, command) is None
        views.accept(desk, command if rng.random() < 0.5 else rng.choice(onward(seen)))
        asked += 1

    assert asked > 20


@pytest.mark.parametrize("mode", sampled(MODES, lambda mode: mode == ONE_VS_ONE))
def test_the_bot_plays_the_same_match_from_the_same_seed(mode: str) -> None:
    """With the same dice and the same choices among equals the log is the same, and its audit is clean."""
    first, second = (play(mode, 3, {GERMAN: by_greed(Random(5)), SOVIET: by_greed(Random(6))}) for _ in range(2))

    assert first.events == second.events
    assert first.table.ended is not None
    assert first.audit().clean


@pytest.mark.long
def test_the_german_bot_captures_what_chance_does_not() -> None:
    """In solo it holds more Soviet Spawn Hexes at the end than random commands do, and does not lose by its losses."""
    greed = [captured(play(SOLO, seed, {GERMAN: by_greed(Random(seed))})) for seed in range(3)]
    chance = [captured(play(SOLO, seed, {GERMAN: by_chance(Random(seed))})) for seed in range(3)]

    assert sum(greed) >= 6
    assert sum(chance) <= 1


@pytest.mark.long
def test_the_soviet_bot_is_harder_to_beat_than_chance() -> None:
    """Against the same Germans it wins more matches."""
    won = {}
    for name, make in (("greed", by_greed), ("chance", by_chance)):
        desks = [
            play(ONE_VS_ONE, seed, {GERMAN: by_greed(Random(seed)), SOVIET: make(Random(seed))}) for seed in range(4)
        ]
        won[name] = sum(desk.table.ended is not None and SOVIET in desk.table.ended.winners for desk in desks)

    assert won["greed"] > won["chance"]


def test_the_quick_bot_weighs_the_largest_of_the_orders_that_do_the_same() -> None:
    table = scene(german={"44": ["544-infantry", "545-infantry"], "55": ["546-infantry"]}, soviet={"45": ["45-rifle"]})
    options = RULES.options(table.table)
    answer = quick(Asked(RULES, table.table, Seat(GERMAN_SEAT), options, Random(1).randrange))
    weighed = [one.command for one in answer.considered]

    assert [one for one in weighed if one not in options] == []
    assert {*map(type, weighed)} == {*map(type, options)}
    for one in [one for one in options if one not in weighed]:
        larger = [other for other in weighed if type(other) is type(one) and size(other) > size(one)]
        assert [other for other in larger if done_by(other) == done_by(one)], one


def size(order: Command) -> int:
    """Return how many units or hexes an order names."""
    return len(getattr(order, "hexes", getattr(order, "units", ())))


def done_by(order: Command) -> tuple[object, ...]:
    """Return where an order leads and what it attacks."""
    return getattr(order, "to", ""), getattr(order, "targets", ())


def test_the_bots_are_offered_by_their_names() -> None:
    assert dict(POLICIES) == {"quick": quick, "greedy": greedy}


# Single decisions


def choice(table: Scene, seat: Seat = GERMAN_SEAT) -> Command:
    """Let the bot answer the open question of a scene by its own view."""
    view = fold(seen_events(table.past, seat))
    return greedy(Asked(RULES, view, seat, RULES.options(view), Random(1).randrange)).command


PANZERS = ["2-panzer", "64-panzer-grenadier", "79-panzer-grenadier"]


def test_a_weak_spawn_hex_is_attacked() -> None:
    table = scene(german={"20": PANZERS}, soviet={"3": ["workers-barrikady"], "15": ["13-guards"]})

    assert choice(table) == order("deliberate-attack", targets=["3"], hexes=["20"])


def test_a_hopeless_attack_is_left_alone() -> None:
    soviet = {"3": ["13-guards", "35-guards", "37-guards", "39-guards"]}
    table = scene(german={"20": ["544-infantry"]}, soviet=soviet, edges={"544-infantry": 4})

    assert not isinstance(choice(table), DeliberateAttack | HastyAttack)


def test_with_few_units_reinforcements_are_called() -> None:
    track = {row: ["24-panzer", "36-panzer"][row - 1 :] for row in (1, 2)}
    table = scene(german={"W": ["2-panzer"]}, soviet={"19": ["13-guards"]}, track=track)

    assert choice(table) == Reinforce()


def test_a_card_supports_a_close_attack() -> None:
    table = scene(
        german={"20": PANZERS},
        soviet={"3": ["45-rifle", "87-rifle", "95-rifle"]},
        hands={"german": ["german/howitzer-1"]},
    )
    table.do("german", order("deliberate-attack", targets=["3"], hexes=["20"]))

    assert choice(table) == CommitCards(table.table.pile(hand(GERMAN_SEAT)).cards)


def test_the_bot_sees_no_soviet_block() -> None:
    """fog.blocks-upright: whatever the hidden unit of a pool is, the choice is the same."""
    for german in ({"20": PANZERS}, {"20": PANZERS[:1], "W": PANZERS[1:]}):
        chosen = [
            choice(scene(german=german, soviet={"3": [unit], "15": ["45-rifle"]}))
            for unit in ("13-guards", "workers-barrikady")
        ]

        assert chosen[0] == chosen[1]


def test_the_least_valuable_of_equal_units_is_hit() -> None:
    """hits.tie-german-chooses: a Panzer fires better than Infantry, and an R unit counts twice when it is lost."""
    table = scene(
        german={"44": ["2-panzer", "64-panzer-grenadier", "544-infantry"]},
        soviet={"45": ["45-rifle"]},
    )
    table.do("german", order("deliberate-attack", targets=["45"], hexes=["44"]), dice=(6, *[1] * 15))

    assert choice(table) == order("pick", item=table.piece("544-infantry"))


def test_a_block_with_a_blank_edge_counts_as_one_step() -> None:
    """ai.adjust-no-dot: the Soviet seat sees no Strength on it, and does not attack Panzers in a city with it."""
    brigade = "10-rifle-brigade"
    table = scene(mode=ONE_VS_ONE, german={"24": PANZERS}, soviet={"25": [brigade]}, edges={brigade: 4}, turn=SOVIET)
    table.soviet_turn()

    assert any(isinstance(option, SovietAttack) for option in table.options)
    assert choice(table, SOVIET_SEAT) == SovietDraw()


def test_stacks_attack_together_where_one_is_too_weak() -> None:
    """german.deliberate-attack.adjacent-stacks."""
    german = {"24": ["2-panzer", "544-infantry"], "22": ["36-panzer", "545-infantry"]}
    table = scene(german=german, soviet={"7": ["13-guards", "6-tank", "45-rifle"]})

    assert choice(table) == order("deliberate-attack", targets=["7"], hexes=["22", "24"])


def test_partners_attack_together() -> None:
    """mode.co-op.joint-deliberate-attack."""
    german = {"24": ["2-panzer", "544-infantry"], "22": ["36-panzer", "267-infantry"]}
    table = scene(mode=CO_OP, german=german, soviet={"7": ["13-guards", "6-tank", "45-rifle"]})
    attack = order("deliberate-attack", targets=["7"], hexes=["22", "24"])

    assert choice(table, YELLOW_SEAT) == attack

    table.do("yellow", attack)

    assert choice(table, BLUE_SEAT) == order("join-attack", hex="22", join=True)


def test_reinforcements_are_not_called_when_they_come_too_late() -> None:
    """victory.soviet-decisive.deck: with the last cards of the Soviet deck only what is near counts."""
    track = {row: ["24-panzer", "36-panzer"][row - 1 :] for row in (1, 2)}
    early, late = (
        choice(scene(german={"W": ["2-panzer"]}, soviet={"19": ["13-guards"]}, track=track, decks=decks))
        for decks in ({}, {"soviet": ["soviet/aa-7"]})
    )

    assert early == Reinforce()
    assert late != Reinforce()


def test_a_card_is_kept_where_it_makes_no_difference() -> None:
    """Panzers clear a hex of one hidden unit without it."""
    held = {"german": ["german/sniper-1"]}
    table = scene(german={"44": [*PANZERS, "36-panzer"]}, soviet={"45": ["45-rifle"]}, hands=held)
    table.do("german", order("deliberate-attack", targets=["45"], hexes=["44"]))

    assert choice(table) == CommitCards()


# The Soviet seat


def soviet_choice(table: Scene) -> Command:
    """Let the bot answer for the Soviet seat at the beginning of its turn."""
    table.soviet_turn()
    return choice(table, SOVIET_SEAT)


def test_the_soviets_take_an_empty_spawn_hex_back() -> None:
    table = scene(
        mode=ONE_VS_ONE, turn=SOVIET, german={"58": PANZERS}, soviet={"8": ["45-rifle"]}, control={"german": ["7"]}
    )

    assert soviet_choice(table) == order("soviet-move", units=table.tokens("45-rifle"), to="7")


def test_the_soviets_attack_a_worn_stack() -> None:
    table = scene(
        mode=ONE_VS_ONE,
        turn=SOVIET,
        german={"24": ["64-panzer-grenadier"]},
        soviet={"25": ["13-guards", "133-tank", "35-guards"]},
        edges={"64-panzer-grenadier": 4},
    )

    assert soviet_choice(table) == order("soviet-attack", hex="25", target="24")


def test_the_soviets_draw_while_no_germans_are_near() -> None:
    """mode.1v1.draw-action: the end of the deck wins."""
    table = scene(mode=ONE_VS_ONE, turn=SOVIET, german={"W": PANZERS}, soviet={"19": ["13-guards", "35-guards"]})

    assert soviet_choice(table) == SovietDraw()


@each_row(
    ("held", "played"),
    [
        (["soviet/anti_tank-1", "soviet/sniper-1"], "soviet/sniper-1"),
        (["soviet/aa-7", "soviet/chuikov"], "soviet/chuikov"),
        (["soviet/aa-7", "soviet/infiltration-1"], "soviet/infiltration-1"),
    ],
)
def test_the_soviets_play_the_card_that_helps_most(held: list[str], played: str) -> None:
    """mode.1v1.card-choice: of hidden Germans more are Infantry than Tanks."""
    table = scene(mode=ONE_VS_ONE, german={"44": ["544-infantry"]}, soviet={"45": ["45-rifle"]}, hands={"soviet": held})
    table.do("german", order("deliberate-attack", targets=["45"], hexes=["44"]))

    assert choice(table, SOVIET_SEAT) == order("commit-cards", cards=[played])


def test_the_soviets_move_and_attack_as_well_as_draw() -> None:
    """mode.1v1.choose-action: a match has all three."""
    done: set[type[Command]] = set()

    def watched(table: Table, seat: Seat, options: list[Command]) -> Command:
        command = greedy(Asked(RULES, table, seat, options, Random(0).randrange)).command
        done.add(type(command))
        return command

    for seed in range(3):
        play(ONE_VS_ONE, seed, {GERMAN: watched, SOVIET: watched})

    assert done >= {SovietDraw, SovietMove}
