"""The Movement Action of a Soviet seat: which orders are legal, and the questions that it answers."""

from core.engine.command import Command
from core.engine.decision import Decision
from core.engine.draft import Draft
from core.engine.selection import Done
from core.games.inferno.ids import GERMAN, HEADQUARTERS, SOVIET
from core.games.inferno.memory import TO_ACT
from core.games.inferno.rules.cards import draw_soviet
from core.games.inferno.rules.commands import SovietAttack, SovietDraw, SovietMove, SovietSpawn
from core.games.inferno.rules.queries import has_room, side_in, stack
from core.games.inferno.rules.refusals import refused
from core.games.inferno.rules.soviet import ATTACK, FORCED, FREE_MOVE, MOVED_AGAIN, MUST_SPAWN, SovietTurn, attackers
from core.games.inferno.rules.wrong_command import misplaced
from core.refusal import Refusal
from events.ids import TABLE, RuleId
from projections.state.table import Open, Table

DRAW = RuleId("mode.1v1.draw-action")


def refuse_order(turn: SovietTurn, table: Table, command: SovietMove | SovietAttack) -> Refusal | None:
    """Return why a move or attack is not legal, or None if it is."""
    return (
        _refuse_move(turn, table, command) if isinstance(command, SovietMove) else _refuse_attack(turn, table, command)
    )


def _refuse_move(turn: SovietTurn, table: Table, move: SovietMove) -> Refusal | None:
    """Judge a move.

    Source: mode.1v1.move-every-top-stack, mode.1v1.valid-hex, soviet.move.one-unit,
    designer.chuikov.immobile.
    """
    board = turn.board
    if move.to not in board.hexes:
        return refused("hex_must_be_playable")
    if any(str(unit) == str(HEADQUARTERS) for unit in move.units):
        return refused("headquarters_must_stay_put")
    there = [table.pieces[unit] for unit in move.units if unit in table.pieces]
    if len(there) < len(move.units) or any(one.side != SOVIET or one.place not in board.hexes for one in there):
        return refused("unit_must_be_own")
    if side_in(table, move.to) == GERMAN:
        return refused("hex_must_be_free_of_enemies")
    if not all(one.place in turn.to_act(table) for one in there):
        return refused("hex_must_be_top_stacked")
    if not there:
        return refused("soviet_move_must_be_one_unit", "No unit is named.")
    if len(there) != 1:
        return refused("soviet_move_must_be_one_unit")
    if there[0].id not in turn.movers(table, there[0].place):
        return refused("soviet_move_must_be_one_unit", "That unit has moved in this turn.", MOVED_AGAIN)
    if move.to not in board.hexes[there[0].place].near:
        return refused("soviet_move_must_be_one_hex")
    return None if has_room(table, board, move.to) else refused("stacking_limit_must_hold")


def _refuse_attack(turn: SovietTurn, table: Table, attack: SovietAttack) -> Refusal | None:
    """Judge an attack.

    Source: mode.1v1.attack-instead, soviet.hasty-attack.whole-stack, mode.1v1.attack-chuikov.
    """
    board = turn.board
    if not all(place in board.hexes for place in (attack.hex, attack.target, *attack.hexes)):
        return refused("hex_must_be_playable")
    if attack.hex not in turn.to_act(table) or side_in(table, attack.hex) != SOVIET:
        return refused("hex_must_be_top_stacked")
    if attack.target not in board.hexes[attack.hex].near or side_in(table, attack.target) != GERMAN:
        return refused("soviet_target_must_be_adjacent")
    hexes = attackers(table, turn.board, attack.hex, attack.target)
    if attack.hexes and {*attack.hexes} - {*hexes}:
        return refused("hex_must_be_top_stacked", "Without Chuikov only the Top Stacked Hex attacks.")
    everyone = {unit for place in attack.hexes or hexes for unit in stack(table, place)}
    if attack.units and {*attack.units} != everyone:
        return refused("whole_soviet_stack_must_attack")
    return refused("adjacent_soviet_stacks_must_join") if attack.hexes and {*attack.hexes} != {*hexes} else None


def order_rule(order: Command) -> RuleId:
    """Return the rule by which a hex acts as ordered."""
    return ATTACK if isinstance(order, SovietAttack) else FREE_MOVE


class SovietAction:
    """Action of a Soviet seat, with its first order.

    Source: mode.1v1.choose-action, mode.1v1.draw-action, mode.1v1.forced-spawn,
    ruling.draw-action-again.
    """

    def __init__(self, turn: SovietTurn) -> None:
        self.turn = turn

    def options(self, table: Table, asked: Open) -> list[Command]:
        """List the Spawn Action if it is due, else drawing and every first order of a Movement Action."""
        if asked.text("plan") == MUST_SPAWN:
            return [SovietSpawn()]
        return [SovietDraw(), *self.turn.orders(table, self.turn.to_act(table))]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Accept the action that is due."""
        if not isinstance(command, SovietSpawn | SovietDraw | SovietMove | SovietAttack):
            return misplaced(table, asked, command)
        if asked.text("plan") == MUST_SPAWN:
            return None if isinstance(command, SovietSpawn) else refused("spawn_must_be_taken")
        if isinstance(command, SovietSpawn):
            return refused("spawn_must_be_due")
        return None if isinstance(command, SovietDraw) else refuse_order(self.turn, table, command)

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Spawn, draw, or begin to move."""
        if isinstance(command, SovietSpawn):
            draft.answered(FORCED)
            self.turn.spawn(draft, asked)
        elif isinstance(command, SovietDraw):
            draft.answered(DRAW)
            TO_ACT.forget(draft, TABLE, DRAW)
            draw_soviet(draft, self.turn.board, 1, DRAW)
        else:
            draft.answered(order_rule(command))
            self.turn.execute(draft, command)

    def expand(self, table: Table, asked: Open, command: Command) -> tuple[Command, ...]:
        """Return an order without what need not be named."""
        return expanded(command)


class SovietOrder:
    """Order to the next Top Stacked Hex. Source: mode.1v1.move-every-top-stack."""

    def __init__(self, turn: SovietTurn) -> None:
        self.turn = turn

    def options(self, table: Table, asked: Open) -> list[Command]:
        """List every move and attack that is left."""
        return list(self.turn.orders(table, self.turn.to_act(table)))

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Accept a move or an attack out of a Top Stacked Hex that has not acted."""
        if isinstance(command, Done):
            return refused("every_top_stack_must_act")
        if not isinstance(command, SovietMove | SovietAttack):
            return misplaced(table, asked, command)
        return refuse_order(self.turn, table, command)

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Move or attack."""
        draft.answered(order_rule(command))
        self.turn.execute(draft, command)

    def expand(self, table: Table, asked: Open, command: Command) -> tuple[Command, ...]:
        """Return an order without what need not be named."""
        return expanded(command)


def expanded(command: Command) -> tuple[Command, ...]:
    """Return an order without what need not be named."""
    return (SovietAttack(command.hex, command.target),) if isinstance(command, SovietAttack) else (command,)


def decisions(turn: SovietTurn) -> dict[str, Decision]:
    """Return the questions of a Soviet seat's turn."""
    return {"soviet_action": SovietAction(turn), "soviet_move": SovietOrder(turn)}
