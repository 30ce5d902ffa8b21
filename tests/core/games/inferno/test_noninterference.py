"""What a seat must not know leaves no trace: matches that differ in nothing else look the same to it, byte for byte.

The matches are played side by side from random points of random matches (`tests.support.noninterference`). How many positions are
compared grows with the budget.
"""

from random import Random

from core.engine.command import Command
from core.engine.selection import Done
from core.games.inferno.ids import (
    CALLED,
    CO_OP,
    GERMAN,
    ONE_VS_ONE,
    PLAYS,
    SOLO,
    SOVIET,
    SOVIET_SEAT,
    TWO_VS_ONE,
    hand,
)
from core.games.inferno.memory import COMBAT
from core.games.inferno.options import DESIGNERS_WAY, GERMAN_LEADERS, HARD, OFF, RANDOM, SOVIET_EASY
from core.games.inferno.rules.cards import is_leader
from core.games.inferno.rules.commands import (
    DeliberateAttack,
    HastyAttack,
    LongMove,
    ShortMove,
    SovietAttack,
    SovietMove,
)
from core.registry.games import load_game
from events.ids import PUBLIC, CardId, PieceId, PileId, Seat
from events.vocabulary import (
    CardDiscarded,
    CardDrawn,
    CardPlayed,
    Event,
    PieceMoved,
    PieceReturned,
    PieceRevealed,
    SequenceBegan,
)
from projections.state.table import Open, Table
from tests.support.desk import Desk
from tests.support.inferno import BOARD
from tests.support.noninterference import Secrets, Wanderer
from tests.support.playouts import random_options
from tests.support.rows import each_row


def is_secret_choice(asked: Open) -> bool:
    """No answer stays hidden: cards that are committed to a combat are shown before anything else is asked."""
    return False


def comes_to_light(first: Table, second: Table, command: Command) -> bool:
    """No command shows a difference by itself; what follows from it may."""
    return False


def colour_of(table: Table, piece: PieceId) -> str:
    """Return the colour of a German block."""
    return BOARD.blocks[CardId(table.pieces[piece].kind)].colour


def shows(event: Event, first: Table, second: Table) -> bool:
    """Return whether an event discloses what differs between two tables, or what was drawn unseen by the same command."""
    if isinstance(event, SequenceBegan) and event.kind == COMBAT:
        soviet_hand = hand(SOVIET_SEAT)
        return not first.seats_of(SOVIET) and first.pile(soviet_hand) != second.pile(soviet_hand)
    if isinstance(event, PieceRevealed | PieceReturned):
        was = first.pieces.get(event.piece)
        return event.seen_by is None and (was is None or was != second.pieces.get(event.piece))
    if isinstance(event, PieceMoved) and event.was == CALLED:
        # Which of the others can be deployed is seen by what is asked next.
        return [colour_of(first, piece) for piece in first.pieces_at(CALLED)] != [
            colour_of(second, piece) for piece in first.pieces_at(CALLED)
        ]
    if isinstance(event, PieceMoved):
        return event.to not in BOARD.hexes and first.pieces.get(event.piece) != second.pieces.get(event.piece)
    if isinstance(event, CardPlayed | CardDiscarded):
        return any(
            (event.card in pile.cards) != (event.card in second.pile(name).cards) for name, pile in first.piles.items()
        )
    if isinstance(event, CardDrawn):
        return any(
            is_leader(BOARD.cards[card]) for card in first.pile(event.deck).cards if BOARD.cards[card].side == GERMAN
        )
    return False


def never_known(seat: Seat) -> tuple[PileId, ...]:
    """Return where cards lie whose names a seat never learns while they are there."""
    if seat == SOVIET_SEAT:
        return tuple(hand(other) for other in (Seat("german"), Seat("yellow"), Seat("blue")))
    return (hand(SOVIET_SEAT),)


SECRETS = Secrets(
    game="inferno",
    is_secret_choice=is_secret_choice,
    comes_to_light=comes_to_light,
    never_known=never_known,
    decline=Done(),
    wild_commands=(LongMove, ShortMove, HastyAttack, DeliberateAttack, SovietMove, SovietAttack),
    shows=shows,
)


LEVELS = (OFF, RANDOM, GERMAN_LEADERS, SOVIET_EASY, HARD)


def opened(mode: str, number: int) -> Desk:
    """Open a match with random options, at each level of the Designer's Way in turn; every third one is a fork dealt again."""
    level = LEVELS[number % len(LEVELS)]
    rng = Random(number)
    record = load_game("inferno")
    options = random_options(record, record.scenario("standard"), rng, mode, {DESIGNERS_WAY.key: level})
    desk = Desk.open("inferno", mode=mode, options=options, seed=str(number), name=f"wanderer-{number}")
    if number % 3 < 2:
        return desk
    desk.play(rng.randrange(20, 200), rng)
    seat = rng.choice((*desk.table.seats, PUBLIC))
    fork = desk.fork(desk.match.head.seq, "seeded", "fork", seat, hidden="resample", seed=str(number))
    for free in fork.table.seats:
        if free not in fork.table.players and fork.table.ended is None:
            fork.accept({"do": "match:take-seat", "seat": free, "name": "player"}, free)
    return fork


def compared(mode: str, positions: int, begin: int = 0) -> dict[str, int]:
    """Compare twins at random points of random matches until they have differed at so many positions."""
    found, kinds, number = 0, dict[str, int](), begin
    onlookers = (*PLAYS[mode], PUBLIC)
    while found < positions:
        walk = Wanderer(opened(mode, number), onlookers, number)
        number += 1
        while walk.step() and found < positions:
            top = walk.table.top
            if top is not None and walk.rng.random() < max(0.04, 1 / (3 + kinds.get(top.kind, 0))):
                found += walk.twins(SECRETS, walk.rng.choice(onlookers)).play(8)
                kinds[top.kind] = kinds.get(top.kind, 0) + 1
    return kinds


@each_row("mode", [SOLO, CO_OP, ONE_VS_ONE, TWO_VS_ONE])
def test_twins_look_the_same_to_a_seat_that_must_not_tell_them_apart(mode: str, budget: float) -> None:
    """fog.blocks-upright, fog.solo-soviet-blind, fog.soviet-hand-blind, fog.german-hand, fog.co-op-hands, fog.pools-facedown"""
    kinds = compared(mode, max(1, round(12 * budget)))

    assert kinds
