"""Hasty and Deliberate Attacks that a German seat may order."""

from functools import lru_cache
from itertools import combinations

from core.games.inferno.components.board_model import Board
from core.games.inferno.ids import GERMAN, SOVIET
from core.games.inferno.rules.commands import DeliberateAttack, HastyAttack
from core.games.inferno.rules.movement import Ground, Movement, parts
from core.games.inferno.rules.queries import colours, has_partners, partner, side_in, stack, stack_seat
from core.games.inferno.rules.refusals import refused
from core.refusal import Refusal
from events.ids import PieceId, PlaceId, Seat
from projections.state.table import Table


class Attacks:
    """The attacks, bound to the board."""

    def __init__(self, board: Board, movement: Movement) -> None:
        self.board = board
        self.movement = movement

    def hasty_attacks(self, table: Table, seat: Seat, ground: Ground) -> list[HastyAttack]:
        """Return the Hasty Attacks of a seat."""
        at, hexes, held, most = table.at, self.board.hexes, {*ground.soviet}, self.board.limits.stack
        found: list[HastyAttack] = []
        for origin in ground.commanded:
            if origin in ground.unsafe:
                continue
            units = tuple(sorted(at[origin]))
            for to in hexes[origin].near:
                if to in ground.unsafe and to not in held:
                    targets = tuple([near for near in hexes[to].near if near in held])
                    found += _hasty_attacks(units, most - len(at.get(to, ())), to, targets)
        if not ground.has_partners:
            return found
        unmixed = self.movement.unmixed(table, ground, found)
        return [attack for attack in unmixed if self.may_join(table, seat, attack.units, attack.to)]

    def may_join(self, table: Table, seat: Seat, units: tuple[PieceId, ...], to: PlaceId) -> bool:
        """Return whether a seat may have the German Stack of a hex, if there is one, attack with units that join it."""
        if not stack(table, to):
            return True
        owner = stack_seat(table, self.board, to)
        return owner == seat or (owner is None and not self.is_left_white(table, units, to))

    def is_left_white(self, table: Table, units: tuple[PieceId, ...], to: PlaceId) -> bool:
        """Return whether a Stack that takes no orders stays White when units join it.

        Source: mode.co-op.white-stacks.
        """
        return has_partners(table) and not colours(table, self.board, (*units, *stack(table, to)))

    def refuse_hasty_attack(self, table: Table, seat: Seat, attack: HastyAttack) -> Refusal | None:
        """Return why a Hasty Attack is not legal, or None if it is.

        Source: german.hasty-attack.one-stack, german.hasty-attack.start-not-adjacent,
        german.hasty-attack.one-hex, german.hasty-attack.end-adjacent, german.hasty-attack.must-attack,
        german.hasty-attack.one-target, german.hasty-attack.breakdown, german.hasty-attack.join-up,
        german.hasty-attack.all-units, german.hasty-attack.includes-mover, mode.co-op.no-joint-hasty,
        mode.co-op.white-stacks, ruling.hasty-distance, ruling.hasty-join-part, ruling.co-op-white-handover.
        """
        board = self.board
        if (attack.to and attack.to not in board.hexes) or not all(place in board.hexes for place in attack.targets):
            return refused("hex_must_be_playable")
        joined = stack(table, attack.to) if side_in(table, attack.to) == GERMAN else ()
        named = [unit for unit in (*attack.units, *attack.attackers, *joined) if unit in table.pieces]
        owners = {
            stack_seat(table, board, table.pieces[unit].place)
            for unit in named
            if self.movement.is_on_map(table, unit, GERMAN)
        }
        if has_partners(table) and {seat, partner(table, seat)} <= owners:
            return refused("partner_must_not_join_hasty_attack")
        refusal = self.movement.refuse_units(table, seat, attack.units)
        if refusal is not None:
            return refusal
        if joined and self.is_left_white(table, attack.units, attack.to):
            return refused("white_stack_must_be_joined")
        if side_in(table, attack.to) == SOVIET:
            return refused("hex_must_be_free_of_enemies")
        origins = {table.pieces[unit].place for unit in attack.units}
        if len(origins) > 1:
            return refused("hasty_attack_must_be_one_stack")
        if not origins:
            return refused("hasty_attack_must_include_a_mover", "No unit is named that moves.")
        if not attack.to:
            return refused("hasty_attack_must_include_a_mover")
        (origin,) = origins
        if not self.movement.is_safe(table, origin):
            return refused("hasty_attack_must_start_away_from_soviets")
        if attack.to not in board.hexes[origin].near:
            return refused("hasty_attack_must_move_one_hex")
        return self._refuse_target(table, attack) or self.movement.refuse_join(table, attack.units, attack.to)

    def _refuse_target(self, table: Table, attack: HastyAttack) -> Refusal | None:
        if not attack.targets:
            return refused("hasty_move_must_end_in_attack")
        if len(attack.targets) > 1 or side_in(table, attack.targets[0]) != SOVIET:
            return refused("hasty_attack_must_have_one_target")
        if attack.targets[0] not in self.board.hexes[attack.to].near:
            return refused("hasty_attack_must_end_beside_target")
        everyone = {*attack.units, *stack(table, attack.to)}
        return refused("all_units_in_hex_must_attack") if attack.attackers and {*attack.attackers} != everyone else None

    def deliberate_attacks(self, ground: Ground) -> list[DeliberateAttack]:
        """Return the Deliberate Attacks of a seat."""
        board, commanded, found = self.board, {*ground.commanded}, list[DeliberateAttack]()
        for target in ground.soviet:
            if ground.german.isdisjoint(board.hexes[target].near):
                continue
            near = sorted([place for place in board.hexes[target].near if place in ground.german])
            own = tuple([place for place in near if place in commanded])
            if own:
                found += _deliberate_attacks(target, tuple(near), own)
        return found

    def refuse_deliberate_attack(self, table: Table, seat: Seat, attack: DeliberateAttack) -> Refusal | None:
        """Return why a Deliberate Attack is not legal, or None if it is.

        Source: german.deliberate-attack.no-movement, german.deliberate-attack.one-target,
        german.deliberate-attack.adjacent-stacks, german.deliberate-attack.all-units-of-stack,
        mode.co-op.active-stack-needed, mode.co-op.white-support.
        """
        board = self.board
        if not all(place in board.hexes for place in (*attack.targets, *attack.hexes)):
            return refused("hex_must_be_playable")
        if not all(unit in table.pieces and self.movement.is_on_map(table, unit, GERMAN) for unit in attack.units):
            return refused("unit_must_be_own")
        if attack.to:
            return refused("deliberate_attack_must_be_without_movement")
        if len(attack.targets) != 1 or side_in(table, attack.targets[0]) != SOVIET:
            return refused("deliberate_attack_must_have_one_target")
        near = board.hexes[attack.targets[0]].near
        if not attack.hexes:
            return refused("attackers_must_be_adjacent_to_target", "No Stack is named that attacks.")
        if not all(place in near and side_in(table, place) == GERMAN for place in attack.hexes):
            return refused("attackers_must_be_adjacent_to_target")
        everyone = {unit for place in attack.hexes for unit in stack(table, place)}
        if attack.units and {*attack.units} != everyone:
            return refused("all_units_of_stack_must_attack")
        is_active = any(stack_seat(table, board, place) == seat for place in attack.hexes)
        return None if is_active else refused("active_seat_must_attack")


@lru_cache(maxsize=1024)
def _hasty_attacks(
    units: tuple[PieceId, ...], room: int, to: PlaceId, targets: tuple[PlaceId, ...]
) -> tuple[HastyAttack, ...]:
    """Return the Hasty Attacks of parts of a Stack out of a hex with room."""
    return tuple([HastyAttack(part, to, (target,)) for part in parts(units, room) for target in targets])


@lru_cache(maxsize=1024)
def _deliberate_attacks(
    target: PlaceId, near: tuple[PlaceId, ...], own: tuple[PlaceId, ...]
) -> tuple[DeliberateAttack, ...]:
    """Return the Deliberate Attacks on a hex by Stacks near it, among them at least one of the seat's own."""
    ways = [way for number in range(1, len(near) + 1) for way in combinations(near, number)]
    return tuple([DeliberateAttack((target,), way) for way in ways if not set(own).isdisjoint(way)])
