"""Long and Short Movement, and what every order to German units has in common."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple, TypeVar

from core.games.inferno.components.board_model import Board
from core.games.inferno.ids import GERMAN, HEADQUARTERS, SOVIET
from core.games.inferno.memory import MOVED
from core.games.inferno.options import SHORT_MOVE_TWICE
from core.games.inferno.rules.commands import HastyAttack, LongMove, ShortMove
from core.games.inferno.rules.queries import (
    has_room,
    is_next_to,
    mixes,
    side_in,
    stack,
    stack_seat,
)
from core.games.inferno.rules.refusals import refused
from core.refusal import Refusal
from events.ids import PieceId, PlaceId, Seat, Side
from projections.state.table import Table

LONG_STEPS = 2

Entry = TypeVar("Entry", ShortMove, HastyAttack)
"""An order with which a part of a Stack enters a hex."""


class Ground(NamedTuple):
    """Hexes that matter to all orders of a seat on one table.

    Attributes:
        soviet: Those with Soviet Stacks, in the order of the board.
        german: Those with German Stacks.
        unsafe: Those with Soviet Stacks, and those next to them.
        commanded: Those with Stacks that the seat commands, in the order of the board.
        has_partners: Whether two seats play the Germans.
    """

    soviet: list[PlaceId]
    german: frozenset[PlaceId]
    unsafe: set[PlaceId]
    commanded: list[PlaceId]
    has_partners: bool


class Movement:
    """Units that a German seat may order, and its Long and Short Movement, bound to the board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._clear = frozenset([place for place in board.hexes if board.terrain_of(place).long_move])
        self._order = {place: number for number, place in enumerate(board.hexes)}
        self._around = {place: frozenset((place, *there.near)) for place, there in board.hexes.items()}

    # What every order has in common

    def refuse_units(self, table: Table, seat: Seat, units: Sequence[PieceId]) -> Refusal | None:
        """Return why a seat may not order units, or None if it may.

        Source: stack.definition, mode.co-op.own-stacks-only, mode.co-op.white-stacks,
        designer.chuikov.immobile, ruling.co-op-white-part.
        """
        if any(str(unit) == str(HEADQUARTERS) for unit in units):
            return refused("headquarters_must_stay_put")
        if not all(unit in table.pieces and self.is_on_map(table, unit, GERMAN) for unit in units):
            return refused("unit_must_be_own")
        owners = {stack_seat(table, self.board, table.pieces[unit].place) for unit in units}
        if owners - {seat, None}:
            return refused("stack_must_be_of_seats_colour")
        return refused("white_stack_must_be_joined") if None in owners else None

    def is_on_map(self, table: Table, unit: PieceId, side: Side) -> bool:
        """Return whether a piece is a unit of a side on the map."""
        there = table.pieces[unit]
        return there.side == side and there.place in self.board.hexes

    def origin(self, table: Table, units: Sequence[PieceId]) -> PlaceId | None:
        """Return the hex of units of one Stack; None if there are several or none."""
        places = {table.pieces[unit].place for unit in units}
        return next(iter(places)) if len(places) == 1 and len(set(units)) == len(units) else None

    def is_safe(self, table: Table, place: PlaceId) -> bool:
        """Return whether no Soviet Stack is in a hex or next to it."""
        return side_in(table, place) != SOVIET and not is_next_to(table, self.board, place, SOVIET)

    def ground(self, table: Table, seat: Seat) -> Ground:
        """Return the hexes that matter to all orders of a seat."""
        pieces, order, germans = table.pieces, self._order, table.seats_of(GERMAN)
        held: dict[Side, list[PlaceId]] = {GERMAN: [], SOVIET: []}
        for place, there in table.at.items():
            if there and place in order:
                held[pieces[there[0]].side].append(place)
        for places in held.values():
            places.sort(key=order.__getitem__)
        soviet, commanded = held[SOVIET], held[GERMAN] if seat in germans else []
        if len(germans) > 1:
            commanded = [place for place in commanded if stack_seat(table, self.board, place) == seat]
        unsafe = set[PlaceId]().union(*[self._around[place] for place in soviet])
        return Ground(soviet, frozenset(held[GERMAN]), unsafe, commanded, len(germans) > 1)

    # Long Movement

    def long_moves(self, table: Table, ground: Ground) -> list[LongMove]:
        """Return the Long Movements of a seat."""
        hexes, ways = self.board.hexes, self._clear - ground.unsafe
        at, found = table.at, list[LongMove]()
        for origin in ground.commanded:
            if origin not in ways:
                continue
            units = tuple(sorted(stack(table, origin)))
            for first in hexes[origin].near:
                if first not in ways:
                    continue
                if not at.get(first):
                    found.append(LongMove(units, (first,)))
                for second in hexes[first].near:
                    if second in ways and second != origin and not at.get(second):
                        found.append(LongMove(units, (first, second)))
        return found

    def refuse_long_move(self, table: Table, seat: Seat, move: LongMove) -> Refusal | None:
        """Return why a Long Movement is not legal, or None if it is.

        Source: german.long-move.one-stack, german.long-move.no-breakdown, german.long-move.start-clear,
        german.long-move.start-not-adjacent, german.long-move.distance, german.long-move.path-clear,
        german.long-move.path-not-adjacent, german.long-move.pass-through, german.long-move.no-join-up,
        ruling.long-move-second-hex, ruling.long-move-return, ruling.co-op-pass-through.
        """
        board = self.board
        if not all(place in board.hexes for place in move.path):
            return refused("hex_must_be_playable")
        if not move.units:
            return refused("order_must_name_units")
        refusal = self.refuse_units(table, seat, move.units)
        if refusal is not None:
            return refusal
        if any(side_in(table, place) == SOVIET for place in move.path):
            return refused("hex_must_be_free_of_enemies")
        origin = self.origin(table, move.units)
        if origin is None:
            return refused("long_move_must_be_one_stack")
        if len(move.units) < len(stack(table, origin)):
            return refused("long_move_must_take_whole_stack")
        if not board.terrain_of(origin).long_move:
            return refused("long_move_must_start_in_clear_hex")
        if not self.is_safe(table, origin):
            return refused("long_move_must_start_away_from_soviets")
        ways = zip((origin, *move.path), move.path, strict=False)
        if not 1 <= len(move.path) <= LONG_STEPS or not all(to in board.hexes[here].near for here, to in ways):
            return refused("long_move_must_be_one_or_two_steps")
        if not all(board.terrain_of(place).long_move for place in move.path):
            return refused("long_move_must_keep_to_clear_hexes")
        if not all(self.is_safe(table, place) for place in move.path):
            return refused("long_move_must_keep_away_from_soviets")
        return refused("long_move_must_end_without_join_up") if stack(table, move.path[-1]) else None

    # Short Movement

    def short_moves(self, table: Table, ground: Ground) -> list[ShortMove]:
        """Return the Short Moves of a seat."""
        at, unsafe, most, found = table.at, ground.unsafe, self.board.limits.stack, list[ShortMove]()
        for origin in ground.commanded:
            free = tuple(sorted([unit for unit in at[origin] if not self.has_moved(table, unit)]))
            if free:
                for to in self.board.hexes[origin].near:
                    if to not in unsafe:
                        found += _short_moves(free, most - len(at.get(to, ())), to)
        return self.unmixed(table, ground, found)

    def unmixed(self, table: Table, ground: Ground, orders: list[Entry]) -> list[Entry]:
        """Return the orders that do not mix Yellow and Blue in the hex that the units enter."""
        if not ground.has_partners:
            return orders
        return [order for order in orders if not mixes(table, self.board, order.units, order.to)]

    def has_moved(self, table: Table, unit: PieceId) -> bool:
        """Return whether a unit has made a Short Move and may not make another. Source: ruling.short-move-same-units."""
        return bool(MOVED.of(table, unit)) and not SHORT_MOVE_TWICE.is_on(table)

    def refuse_short_move(self, table: Table, seat: Seat, move: ShortMove) -> Refusal | None:
        """Return why a Short Move is not legal, or None if it is.

        Source: german.short-move.up-to-two, german.short-move.one-hex, german.short-move.destination-safe,
        german.short-move.start-anywhere, german.short-move.any-terrain, german.short-move.breakdown,
        german.short-move.join-up, german.short-move.joint-stack-limit, ruling.short-move-order,
        ruling.short-move-two-sources.
        """
        board = self.board
        if move.to not in board.hexes:
            return refused("hex_must_be_playable")
        if not move.units:
            return refused("order_must_name_units")
        refusal = self.refuse_units(table, seat, move.units)
        if refusal is not None:
            return refusal
        if side_in(table, move.to) == SOVIET:
            return refused("hex_must_be_free_of_enemies")
        if any(self.has_moved(table, unit) for unit in move.units):
            return refused("short_moves_must_be_two_at_most")
        origins = {table.pieces[unit].place for unit in move.units}
        if not all(move.to in board.hexes[origin].near for origin in origins):
            return refused("short_move_must_be_one_hex")
        if not self.is_safe(table, move.to):
            return refused("short_move_must_keep_away_from_soviets")
        return self.refuse_join(table, move.units, move.to)

    def refuse_join(self, table: Table, units: tuple[PieceId, ...], to: PlaceId) -> Refusal | None:
        """Return why units cannot form one Stack in a hex, or None if they can."""
        if self.origin(table, units) is None:
            return refused("units_must_form_one_stack")
        if mixes(table, self.board, units, to):
            return refused("yellow_and_blue_must_not_mix")
        return None if has_room(table, self.board, to, len(units)) else refused("stacking_limit_must_hold")


def parts(free: tuple[PieceId, ...], room: int) -> list[tuple[PieceId, ...]]:
    """Return the parts of a Stack with at most so many units."""
    return [part for number in range(1, room + 1) for part in combinations(free, number)]


@lru_cache(maxsize=1024)
def _short_moves(free: tuple[PieceId, ...], room: int, to: PlaceId) -> tuple[ShortMove, ...]:
    """Return the Short Moves of units to a hex with room; they are the same on most tables of a match."""
    return tuple([ShortMove(units, to) for units in parts(free, room)])
