"""Plausible commands of the second game, legal or not: every kind, with components on the table."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from random import Random
from typing import TypeVar

from core.engine.command import Command
from core.engine.selection import Choose, Done, Pick, Unpick
from core.games.battle.components.card_model import Cards
from core.games.battle.ids import CONTROL, PERIMETER, SIDES, area, hand
from core.games.battle.rules.commands import (
    Absorb,
    Attack,
    Award,
    BuyForce,
    ChooseForce,
    FireCard,
    Move,
    Pass,
    PlayCard,
    RemoveUranus,
    RepairRubble,
    Resupply,
    TakeCard,
)
from core.games.battle.rules.queries import locations_in_play
from events.ids import CardId, PieceId, PlaceId
from projections.state.table import Table

T = TypeVar("T")
WAYS = ("ignored", "ration", "retreat", "destroyed", "prayer")


def wishes(cards: Cards, table: Table, rng: Random, share: float) -> Iterator[Command]:
    """Yield commands of every kind with many combinations of fields.

    Args:
        cards: The cards of the match.
        table: Where Forces and cards lie.
        rng: Chooses among the many.
        share: How many of the numerous ones, 0 to 1.
    """
    yield Pass()
    yield Done()
    names = [location.id for location in locations_in_play(cards, table)]
    places = [area(name, side, which) for name in names for side in SIDES for which in (CONTROL, PERIMETER)]
    places += [PlaceId(""), PlaceId("top/german"), PlaceId("mamayev_kurgan/german")]
    forces = [*cards.forces, PieceId(""), PieceId("g_1_none")]
    held = [*cards.cards, CardId(""), CardId("german/none-1")]
    yield from _with_forces(forces, places, rng, share)
    for card in some(held, rng, share):
        yield from (Resupply(card), Pick(card), FireCard(card), TakeCard(card), RemoveUranus(card), PlayCard(card))
    yield from _plays(cards, table, forces, places, rng, share)
    for name in [*cards.locations, "", "nowhere"]:
        yield RepairRubble(name)
    for name, side in product(names, SIDES):
        there = table.pieces_at(area(name, side, CONTROL)) + table.pieces_at(area(name, side, PERIMETER))
        for size in range(4):
            for chosen in combinations(sorted(there), size):
                yield Attack(name, chosen)
                yield Choose(chosen)
                yield Attack(name, chosen[::-1])
                yield Choose((*chosen, *chosen))


def _with_forces(forces: Sequence[PieceId], places: Sequence[PlaceId], rng: Random, share: float) -> Iterator[Command]:
    for force in forces:
        yield from (Pick(force), Unpick(force), Award(force))
        yield from (Absorb(force, by) for by in WAYS)
    for force, place in some(list(product(forces, places)), rng, share):
        yield from (
            Move(force, place),
            Move(force, place, free=True),
            BuyForce(force, place),
            ChooseForce(force, place),
        )


def _plays(
    cards: Cards, table: Table, forces: Sequence[PieceId], places: Sequence[PlaceId], rng: Random, share: float
) -> Iterator[Command]:
    on_map = [piece for piece in table.pieces if piece in cards.forces]
    hands = [card for side in SIDES for card in table.pile(hand(side)).cards]
    for card in some(hands, rng, min(1.0, 3 * share)):
        for force in some(on_map, rng, 0.5):
            yield PlayCard(card, force=force)
            yield PlayCard(card, force=force, other=rng.choice(on_map))
            yield PlayCard(card, force=force, to=rng.choice(places))
        yield PlayCard(card, to=rng.choice(places))
        yield PlayCard(card, other=rng.choice(forces))
        yield PlayCard(card, rng.choice(forces), rng.choice(forces), rng.choice(places))


def some(choices: Sequence[T], rng: Random, share: float) -> list[T]:
    """Return some of the choices, at least one if there are any."""
    return rng.sample(list(choices), min(len(choices), max(1, round(share * len(choices)))))
