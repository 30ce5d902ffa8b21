"""What a seat must not know leaves no trace: matches that differ in nothing else look the same to it, byte for byte.

The Operation Uranus cards and the factory in a hand are hidden. How many positions are compared grows with the budget. A planted leak
shows that the comparison would find one.
"""

from random import Random

import pytest

from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.selection import Done, Pick, onward
from core.games.axis_allies.ids import (
    AUCTION,
    AXIS_SEAT,
    PLAYS,
    RACE,
    SIDES,
    STANDARD,
    URANUS,
    URANUS_DECK,
    URANUS_DRAWN,
    URANUS_FRONT,
)
from core.games.axis_allies.memory import IN_LEFT_HAND, TOKENS_KEPT
from core.games.axis_allies.rules import uranus
from core.games.axis_allies.rules.commands import Buy, DeployCard, Fly, Launch, Move, PickHand, Wait
from core.games.axis_allies.rules.set_up import HIDE_FACTORIES, PICK_HAND
from core.games.axis_allies.rules.uranus import FRONT, LAUNCHING, PLACE_CARDS
from events.ids import PUBLIC, CardId, PileId, RuleId, Seat
from events.vocabulary import DeckFormed, Event
from projections.state.table import Open, Table
from tests.support.desk import Desk
from tests.support.noninterference import Secrets, Wanderer
from tests.support.soak import sampled

FRONTS = tuple(URANUS_FRONT.values())
HIDING = (HIDE_FACTORIES, PICK_HAND, PLACE_CARDS, LAUNCHING, FRONT)
"""The questions at which something is hidden or comes to light."""


def is_secret_choice(asked: Open) -> bool:
    """Which factory goes into a hand, and which card on a front, is for the Allies alone."""
    return asked.kind in (HIDE_FACTORIES, PLACE_CARDS)


def comes_to_light(first: Table, second: Table, command: Command) -> bool:
    """The picked hand is opened, a launch turns the placed cards over, and a force is asked for a token that was not kept."""
    if any(TOKENS_KEPT.of(first, side) != TOKENS_KEPT.of(second, side) for side in SIDES):
        return True
    if isinstance(command, PickHand):
        return IN_LEFT_HAND.of(first) != IN_LEFT_HAND.of(second)
    return isinstance(command, Launch) and any(
        sorted(first.pile(front).cards) != sorted(second.pile(front).cards) for front in FRONTS
    )


def shows(event: Event, first: Table, second: Table) -> bool:
    """Return whether cards that have just been placed are turned over: at a launch that cannot wait, and at set-up."""
    return isinstance(event, DeckFormed) and event.deck in FRONTS and bool(first.pile(URANUS_DRAWN).count)


def never_known(seat: Seat) -> tuple[PileId, ...]:
    """Return where cards lie whose names a seat never learns while they are there."""
    return (URANUS_DECK, URANUS_DRAWN) if seat in (AXIS_SEAT, PUBLIC) else (URANUS_DECK,)


SECRETS = Secrets(
    game="axis_allies",
    is_secret_choice=is_secret_choice,
    comes_to_light=comes_to_light,
    never_known=never_known,
    decline=Wait(),
    wild_commands=(DeployCard, Pick, PickHand, Launch, Move, Fly, Buy),
    shows=shows,
)


def opened(scenario: str, mode: str, number: int) -> Desk:
    """Open a match, and hurry to where cards are placed; every second one begins at once."""
    options = {"factory_placement": True} if scenario == RACE else {}
    desk = Desk.open("axis_allies", scenario, mode=mode, options=options, seed=str(number), name=f"wanderer-{number}")
    rng = Random(number)
    while number % 2 == 0 and scenario == RACE and desk.table.top is not None and desk.table.top.kind != PLACE_CARDS:
        found = onward(desk.options())
        desk.accept(Done() if Done() in found else rng.choice(found))
    return desk


def compared(scenario: str, mode: str, positions: int, steps: int) -> dict[str, int]:
    """Compare twins at random points of random matches, each for some steps, until they have differed at so many positions."""
    found, kinds, number = 0, dict[str, int](), 0
    onlookers = (*PLAYS[mode], PUBLIC)
    while found < positions:
        walk = Wanderer(opened(scenario, mode, number), onlookers, number)
        number += 1
        for _ in range(steps):
            top = walk.table.top
            if top is not None and (
                top.kind in HIDING or walk.rng.random() < max(0.04, 1 / (3 + kinds.get(top.kind, 0)))
            ):
                found += walk.twins(SECRETS, walk.rng.choice(onlookers)).play(8)
                kinds[top.kind] = kinds.get(top.kind, 0) + 1
            if found >= positions or not walk.step():
                break
    return kinds


@pytest.mark.parametrize(
    ("scenario", "mode", "positions", "steps"),
    sampled(
        [(RACE, STANDARD, 6, 40), (RACE, AUCTION, 2, 40), (URANUS, STANDARD, 2, 2)],
        lambda _, mode, *__: mode == STANDARD,
    ),
)
def test_twins_look_the_same_to_a_seat_that_must_not_tell_them_apart(
    scenario: str, mode: str, positions: int, steps: int, budget: float
) -> None:
    """order.7.secret, order.7.draw, order.7.place, optional.factory-placement.hidden, setup.uranus.undrawn"""
    kinds = compared(scenario, mode, round(positions * max(1, budget)), steps)

    assert kinds.keys() & set(HIDING)


@pytest.mark.interpreted
def test_a_planted_leak_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """order.7.secret"""

    def lay_openly(draft: Draft, card: CardId, front: str, rule: RuleId) -> None:
        draft.move_card(card, URANUS_DRAWN, URANUS_FRONT[front], rule)

    monkeypatch.setattr(uranus, "_lay", lay_openly)
    walk = Wanderer(opened(RACE, STANDARD, 0), (AXIS_SEAT,), 0)

    twins = [walk.twins(SECRETS, AXIS_SEAT) for _ in range(10)]

    with pytest.raises(AssertionError, match="looks different"):
        assert all(pair.play(2) for pair in twins)
