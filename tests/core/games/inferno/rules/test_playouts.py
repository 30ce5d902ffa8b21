"""What holds in every match, tried on matches of random legal commands from the set-up to the end, in all modes."""

from collections import Counter
from functools import cache
from pathlib import Path
from random import Random

import pytest

from core.games.inferno.components.board_records import BLUE, URBAN, YELLOW
from core.games.inferno.ids import (
    CALLED,
    CO_OP,
    DEATH_POOL,
    GERMAN,
    GERMAN_POOL,
    ONE_VS_ONE,
    POOL_PILES,
    RUBBLE,
    SETUP_MIX,
    SIDES,
    SOLO,
    SOVIET,
    SOVIET_SEAT,
    TWO_VS_ONE,
    combat_card,
    deck,
    deck_bottom,
    deck_top,
    discards,
    hand,
    leaders,
)
from core.games.inferno.options import DESIGNERS_WAY, PIONEER_672_EXTRA
from core.games.inferno.rules.queries import has_partners, is_soviet_played
from core.games.inferno.rules.spawn import left
from events.ids import PUBLIC, CardId, PlaceId, Seat
from events.vocabulary import Value
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import seen_events
from tests.support.desk import Desk
from tests.support.inferno import BOARD
from tests.support.playouts import Playout
from tests.support.rows import each_row
from tests.support.soak import sampled

MODES = (SOLO, CO_OP, ONE_VS_ONE, TWO_VS_ONE)
MATCHES = 2


@cache
def played(mode: str, seed: int) -> Desk:
    """Play a match of random commands, which tests may fork but must not continue."""
    return Playout("inferno", "standard", seed, mode=mode).run()


def units_on(table: Table, side: str) -> Counter[str]:
    """Return the known units of a side that are pieces."""
    return Counter(piece.kind for piece in table.pieces.values() if piece.side == side and piece.kind)


def check_units(table: Table) -> None:
    """Every unit is in exactly one place, and hidden blocks are as many as units are left for them."""
    german = units_on(table, GERMAN) + Counter(map(str, table.pile(GERMAN_POOL).cards))
    basic = Counter(str(block.id) for block in BOARD.blocks_of(GERMAN))
    axes = {block.id for block in BOARD.blocks_of(GERMAN, has_axe=True) if block.is_axe}
    assert basic <= german, basic - german
    assert {*(german - basic)} <= axes
    soviet = units_on(table, SOVIET)
    for pool in POOL_PILES.values():
        soviet += Counter(map(str, table.pile(pool).cards))
    assert soviet == Counter(str(block.id) for block in BOARD.blocks_of(SOVIET))
    unknown = [piece for piece in table.pieces.values() if piece.side == SOVIET and not piece.kind]
    if is_soviet_played(table):
        assert not unknown
    else:
        waiting = sum(table.pile(pool).count - left(table, arm) for arm, pool in POOL_PILES.items())
        assert waiting == len(unknown)
        assert table.pile(SETUP_MIX).count <= len(unknown)


def check_hexes(table: Table) -> None:
    """stack.limit, stack.one-side-per-hex, control.switch-on-entry, rubble.urban-only, mode.co-op.no-mixed-stack"""
    for place in BOARD.hexes:
        there = [table.pieces[piece] for piece in table.pieces_at(place)]
        assert len(there) <= BOARD.limits.stack
        assert {piece.side for piece in there} <= {table.control[place]}
        if has_partners(table) and table.control[place] == GERMAN:
            assert not {YELLOW, BLUE} <= {BOARD.blocks[CardId(piece.kind)].colour for piece in there}
    rubble = [PlaceId(on) for on, there in table.markers.items() if RUBBLE in there]
    assert len(rubble) <= BOARD.limits.rubble_markers
    assert all(BOARD.hexes[place].terrain == URBAN and table.marker(place, RUBBLE) == 1 for place in rubble)


def check_cards(table: Table) -> None:
    """Every card of both decks is in exactly one pile."""
    for side in SIDES:
        seats = table.seats_of(GERMAN) if side == GERMAN else (SOVIET_SEAT,)
        piles = [deck(side), deck_top(side), deck_bottom(side), discards(side), leaders(side), combat_card(side)]
        cards = [card for pile in (*piles, *map(hand, seats)) for card in table.pile(pile).cards]
        assert sorted(cards) == sorted(BOARD.deck(side, has_extra=PIONEER_672_EXTRA.is_on(table)))


def check_places(table: Table) -> None:
    """Every piece is on the map, on the track or in a box."""
    boxes = (DEATH_POOL, CALLED)
    for piece in table.pieces.values():
        is_boxed = piece.place in boxes or piece.place.startswith(("track/", "removed/"))
        assert piece.place in BOARD.hexes or (piece.side == GERMAN and is_boxed)


def watch(desk: Desk) -> None:
    """Check the table of a match."""
    table = desk.table
    check_units(table)
    check_hexes(table)
    check_cards(table)
    check_places(table)


@pytest.mark.parametrize("mode", sampled(MODES, lambda mode: mode in (SOLO, ONE_VS_ONE)))
def test_a_match_of_random_commands_ends_with_a_clean_audit(mode: str, budget: float, tmp_path: Path) -> None:
    """The audit runs the rules again and gets the same events."""
    for seed in range(int(MATCHES * budget)):
        rng = Random(seed)
        given: dict[str, Value] | None = (
            None if seed % 2 else {DESIGNERS_WAY.key: rng.choice(("random", "german", "soviet-easy", "hard"))}
        )
        playout = Playout("inferno", "standard", seed, mode=mode, given=given)
        desk = playout.run([watch], keep=tmp_path)

        assert desk.table.ended is not None
        assert desk.table.ended.kind == "rules"


@pytest.mark.parametrize("mode", sampled(MODES, lambda mode: mode == ONE_VS_ONE))
def test_what_a_seat_does_not_know_is_dealt_again_in_a_fork(mode: str, budget: float) -> None:
    """fog.blocks-upright: after any command, for every seat and for spectators, and the fork can be played on."""
    for seed in range(max(1, int(budget))):
        parent = played(mode, seed)
        rng = Random(seed)
        ends = [stored.last for stored in parent.log.read(parent.match.id)]
        for seat in (*parent.table.seats, PUBLIC):
            fork = parent.fork(rng.choice(ends[2:]), "seeded", f"fork of {seat}", Seat(seat), hidden="resample")
            for free in fork.table.seats:
                if free not in fork.table.players and fork.table.ended is None:
                    fork.accept({"do": "match:take-seat", "seat": free, "name": "player"}, free)
            for _ in range(20 if budget > 1 else 8):
                watch(fork)
                if fork.table.ended is None:
                    fork.play(1, rng)

            assert fork.audit().findings == ()


@each_row("mode", MODES)
def test_a_match_can_be_forked_at_any_event(mode: str, budget: float) -> None:
    """The rest of a command that is cut in the middle is decided anew."""
    for seed in range(max(1, int(budget))):
        parent = played(mode, seed)
        rng = Random(seed)
        for number in range(4):
            fork = parent.fork(rng.randrange(5, parent.match.head.seq), "seeded", f"fork {number}")

            assert fork.audit().findings == ()


@each_row("mode", [SOLO, CO_OP])
def test_no_seat_knows_a_soviet_block_outside_a_combat(mode: str, budget: float) -> None:
    """fog.solo-soviet-blind, fog.soviet-hand-blind, fog.conceal-after-combat"""
    for seed in range(max(1, int(budget))):
        desk = played(mode, seed)
        events = desk.events
        ends = [number for number, event in enumerate(events, start=1) if type(event).__name__ == "TurnBegan"]
        for seat in (*desk.table.seats, PUBLIC):
            for end in ends[:: max(1, len(ends) // 8)]:
                view = fold(seen_events(events[:end], Seat(seat)))
                assert not units_on(view, SOVIET)
                assert not view.pile(hand(SOVIET_SEAT)).cards


@each_row("mode", [ONE_VS_ONE, TWO_VS_ONE])
def test_each_side_knows_its_own_blocks_only(mode: str, budget: float) -> None:
    """fog.blocks-upright, fog.1v1-soviet-sees-own, fog.german-sees-own"""
    for seed in range(max(1, int(budget))):
        desk = played(mode, seed)
        events = desk.events
        ends = [number for number, event in enumerate(events, start=1) if type(event).__name__ == "TurnBegan"]
        for end in ends[:: max(1, len(ends) // 8)]:
            soviet = fold(seen_events(events[:end], SOVIET_SEAT))
            german = fold(seen_events(events[:end], desk.table.seats_of(GERMAN)[0]))
            on_map = [piece for piece in soviet.pieces.values() if piece.place in BOARD.hexes]
            assert not any(piece.kind for piece in on_map if piece.side == GERMAN)
            assert all(piece.kind and piece.face for piece in on_map if piece.side == SOVIET)
            assert not units_on(german, SOVIET)
            assert all(
                piece.kind for piece in german.pieces.values() if piece.side == GERMAN and piece.place in BOARD.hexes
            )
            assert not german.pile(hand(SOVIET_SEAT)).cards
            assert not any(soviet.pile(hand(seat)).cards for seat in desk.table.seats_of(GERMAN))
