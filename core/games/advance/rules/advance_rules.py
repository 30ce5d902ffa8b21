"""The rules of this game, bound to a board: all chapters put together, and what holds before any of them is asked."""

from core.command import Command
from core.decision import DecisionRules
from core.draft import Draft
from core.games.advance.components.board_model import Board
from core.games.advance.ids import GERMAN_SEAT
from core.games.advance.rules import activation, combat, dawn, retreat, set_up, supply
from core.games.advance.rules.attack import Attacks
from core.games.advance.rules.commands import COMMAND_DECODER
from core.games.advance.rules.movement import Movement
from core.games.advance.rules.refusals import refused
from core.games.advance.rules.turn import turn
from core.refusal import Refusal
from events.ids import Seat
from projections.table import Table


class AdvanceRules(DecisionRules):
    """The rules, bound to a board.

    Args:
        board: The packaged board or an owner's.
    """

    def __init__(self, board: Board) -> None:
        movement = Movement(board)
        retreats = retreat.Retreats(board, movement)
        attack = combat.attack(board, retreats)
        rounds = activation.ActionRounds(board, movement, Attacks(board, movement, attack))
        self.board = board
        self.turn = turn(board, rounds)
        kinds = {
            **dawn.decisions(board),
            **supply.decisions(board),
            **activation.decisions(rounds),
            **combat.decisions(board),
            **retreat.decisions(retreats),
        }
        super().__init__(kinds, sequences=(self.turn, attack))

    def set_up(self, draft: Draft) -> None:
        """Set the table up and play on to the first decision."""
        set_up.set_up(draft, self.board)
        self.turn.begin(draft)
        self.settle(draft)

    def decode(self, data: bytes) -> Command:
        """Decode a command."""
        return COMMAND_DECODER.decode(data)

    def refuse(self, table: Table, seat: Seat, command: Command) -> Refusal | None:
        """Return why a command is not legal; nothing if it is.

        Of several reasons the one that comes first in `refusals.MEANINGS` is answered: the match and the seat come before
        whatever the open decision has to say.

        Source: 1.0, 6.5; ruling.seats; RuleId("6.5.no-end-phase-after-end").
        """
        asked = table.top
        if table.ended is not None or asked is None or not asked.seat:
            return refused("match_must_be_running")
        if seat != GERMAN_SEAT:
            return refused("seat_must_be_german")
        return self.kinds[asked.kind].refuse(table, asked, command)
