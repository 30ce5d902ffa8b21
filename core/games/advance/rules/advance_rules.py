"""The rules of this game, bound to a board: all chapters put together, and what holds before any of them is asked."""

from collections.abc import Sequence

from core.chance import ManualChance
from core.command import Command
from core.decision import Decision, DecisionRules, Procedure
from core.draft import Draft
from core.game import MapPlace
from core.games.advance.components.board import load_board
from core.games.advance.components.board_model import Board
from core.games.advance.ids import GERMAN
from core.games.advance.narration.names import Names
from core.games.advance.narration.pictures import Pictures
from core.games.advance.narration.sentences import question, tell
from core.games.advance.positions import position_checks, position_set_up
from core.games.advance.positions.action_round_checks import IN_A_ROUND
from core.games.advance.rules import activation, attack, combat, dawn, ending, retreat, set_up, supply
from core.games.advance.rules.commands import COMMAND_DECODER, AdvanceCommand, LookAt, canonical
from core.games.advance.rules.refusals import refused
from core.picture import Picture
from core.position import Position
from core.refusal import Refusal
from events.ids import Digest, Seat
from events.vocabulary import Event
from projections.table import Open, Table


class AdvanceRules(DecisionRules):
    """The rules, bound to a board.

    Args:
        board: The packaged board or an owner's.
    """

    def __init__(self, board: Board) -> None:
        """Put the chapters together."""
        super().__init__(decisions(board), procedures(board))
        self.board = board
        self.names = Names(board)
        self.pictures = Pictures(board, self.names.names)

    def __reduce__(self) -> tuple[type["AdvanceRules"], tuple[Board]]:  # type: ignore[explicit-override]
        """Tell `pickle` to send the board only: another process puts the chapters together faster than it reads a file."""
        return AdvanceRules, (self.board,)

    @property
    def board_digest(self) -> Digest:
        """The SHA-256 of the board's text."""
        return self.board.digest

    def set_up(self, draft: Draft) -> None:
        """Set the table up and play on to the first decision."""
        set_up.set_up(draft, self.board)
        dawn.begin(draft, self.board)
        self.settle(draft)

    def decode(self, data: bytes) -> Command:
        """Decode a command; the units of a group may be named in any order."""
        return canonical(COMMAND_DECODER.decode(data))

    def refuse(self, table: Table, seat: Seat, command: Command) -> Refusal | None:
        """Say why a command is not legal; nothing if it is.

        Of several reasons the one that comes first in `refusals.MEANINGS` is answered: the match, the seat and what is
        hidden come before whatever the open decision has to say.

        Source: 1.0, 4.4, 5.4, 6.5; ruling.seats; RuleId("5.4.excess-unseen"), RuleId("6.5.no-end-phase-after-end").
        """
        asked = table.top
        if table.ended is not None or asked is None or not asked.seat:
            return refused("match_must_be_running")
        if seat != GERMAN:
            return refused("seat_must_be_german")
        if isinstance(command, LookAt):
            return refused("hidden_must_stay_hidden")
        return self.kinds[asked.kind].refuse(table, asked, canonical(command))

    def name(self, id_: str) -> str:
        """Return the printed name of anything on the table; else the id itself."""
        return self.names.name(id_)

    def describe(self, table: Table, command: Command) -> str:
        """Say in words what a command would do."""
        return self.names.describe(table, _own(command))

    def question(self, asked: Open) -> str:
        """Word an open question, or a procedure that waits."""
        return question(asked, self.names.with_number)

    def tell(self, run: Sequence[Event]) -> str | None:
        """Say facts in a row as the player would; empty where the house's own sentence will do."""
        return tell(run, self.names.with_number)

    def picture(self, table: Table) -> Picture | None:
        """Return a table as its player looks at it."""
        return self.pictures.picture(table)

    def places(self) -> tuple[MapPlace, ...]:
        """List the Areas by number, then the boxes."""
        return self.names.places()

    def check_position(self, position: Position) -> tuple[str, ...]:
        """Name every defect of a position; empty if it can be played."""
        return position_checks.check(self.board, position) or self._dead_ends(position)

    def _dead_ends(self, position: Position) -> tuple[str, ...]:
        """Try a position that opens within an Action Round: its decision must leave something to choose."""
        asked = position.decision
        if asked is None or asked.kind not in IN_A_ROUND:
            return ()
        draft = Draft(Table(scenario=position.scenario, options=position.options), ManualChance())
        position_set_up.set_up_position(draft, self.board, position)
        return () if self.options(draft.table) else (f"the decision {asked.kind} leaves nothing to choose",)

    def set_up_position(self, draft: Draft, position: Position) -> None:
        """Set the table up as a valid position says, and play on to its decision."""
        position_set_up.set_up_position(draft, self.board, position)
        self.settle(draft)


def _own(command: Command) -> AdvanceCommand:
    assert isinstance(command, AdvanceCommand), "a command of another game"
    return command


def decisions(board: Board) -> dict[str, Decision]:
    """Return every question of the game by its kind."""
    return {
        **dawn.decisions(board),
        **supply.decisions(board),
        **activation.decisions(board),
        **attack.decisions(board),
        **combat.decisions(board),
        **retreat.decisions(board),
    }


def procedures(board: Board) -> dict[str, Procedure]:
    """Return everything that can wait below a question, by its kind."""
    return {
        **activation.procedures(board),
        **attack.procedures(board),
        **combat.procedures(board),
        **retreat.procedures(board),
        **ending.procedures(board),
    }


def make_rules(board_text: str | None) -> AdvanceRules:
    """Bind the rules to an owner's board, or to the packaged one.

    Raises:
        SetupInvalid: The board file has defects; all of them are listed.
    """
    return AdvanceRules(load_board(board_text))
