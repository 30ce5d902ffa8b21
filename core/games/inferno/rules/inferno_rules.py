"""The rules of this game, bound to a board: all chapters put together, and what holds before any of them is asked."""

from core.engine.command import Command
from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
from core.engine.game_commands import command_decoder
from core.engine.selection import refuse_unsorted
from core.games.inferno.components.board_model import Board
from core.games.inferno.ids import GERMAN, SOVIET
from core.games.inferno.rules import (
    actions,
    combat,
    commands,
    german_cards,
    reinforcement,
    set_up,
    soviet,
    soviet_seat,
    turn,
)
from core.games.inferno.rules.commands import HastyAttack
from core.games.inferno.rules.hidden_units import InfernoDealing
from core.games.inferno.rules.refusals import refused
from core.games.inferno.rules.wrong_command import GERMAN_ACTIONS, SOVIET_ACTIONS
from core.refusal import Refusal
from events.ids import CardId, Seat
from projections.state.table import Open, Table

_LISTS = ("units", "hexes", "targets", "attackers")
"""The fields of commands that list things whose order makes no difference."""


class InfernoRules(DecisionRules):
    """The rules, bound to a board.

    Args:
        board: The packaged board or an owner's.
    """

    decoder = command_decoder(commands)

    def __init__(self, board: Board) -> None:
        combat_steps = combat.sequence(board)
        german = actions.Actions(board, combat_steps)
        soviets = soviet.SovietTurn(board, combat_steps)
        self.board = board
        self.turns = turn.Turns(board, german, soviets)
        super().__init__(
            {
                **actions.decisions(german),
                **reinforcement.decisions(german.reinforcement),
                **soviet_seat.decisions(soviets),
                **turn.decisions(board),
                **combat.decisions(board),
            },
            dealing=InfernoDealing(board),
            sequences=(
                self.turns.german_turn,
                self.turns.soviet_turn,
                german.sequence,
                german.reinforcement.sequence,
                combat_steps,
            ),
        )

    def set_up(self, draft: Draft) -> None:
        """Set the table up and play on to the first decision."""
        set_up.set_up(draft, self.board)
        self.turns.begin_german(draft)
        self.settle(draft)

    def refuse(self, table: Table, seat: Seat, command: Command) -> Refusal | None:
        """Return why a command is not legal, or None if it is.

        What holds whatever is asked comes first, in the order of the index.

        Source: victory.game-over, turn.out-of-turn, turn.one-action, fog.blocks-upright,
        german.hasty-attack.no-card.
        """
        asked = table.top
        if table.ended is not None or asked is None or not asked.seat:
            return refused("match_must_be_running")
        if self._names_hidden(table, seat, command):
            return refused("hidden_must_stay_hidden")
        if isinstance(command, HastyAttack) and command.cards:
            return refused("hasty_attack_must_be_without_card")
        timing = german_cards.refuse_timing(table, seat, command)
        if timing is not None:
            return timing
        if seat != asked.seat:
            return _out_of_turn(table, asked, seat, command)
        unsorted = [refuse_unsorted(getattr(command, name)) for name in _LISTS if hasattr(command, name)]
        return next((no for no in unsorted if no is not None), None) or self.kinds[asked.kind].refuse(
            table, asked, command
        )

    def _names_hidden(self, table: Table, seat: Seat, command: Command) -> bool:
        """Return whether a command names a block of the other side by its unit instead of its token."""
        for field in command.__struct_fields__:
            value = getattr(command, field)
            for name in value if isinstance(value, tuple) else (value,):
                unit = self.board.blocks.get(CardId(name)) if isinstance(name, str) else None
                if unit is not None and unit.side != table.side_of(seat):
                    return True
        return False


def _out_of_turn(table: Table, asked: Open, seat: Seat, command: Command) -> Refusal:
    """Return why a seat that is not asked may not order anything now."""
    is_on_turn = table.side_of(seat) == table.turn and table.turn_seat in ("", seat)
    if is_on_turn and isinstance(command, GERMAN_ACTIONS) and table.turn == GERMAN:
        return refused("turn_must_have_one_action")
    if is_on_turn and isinstance(command, SOVIET_ACTIONS) and table.turn == SOVIET:
        return refused("soviet_turn_must_have_one_action")
    return refused("seat_must_be_on_turn")
