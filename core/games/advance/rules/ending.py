"""The end of the Combat Phase, the End Phase and victory. Source: 6.4.3, 6.5, 11, 14.7."""

from core.engine.draft import Draft
from core.games.advance.components.board_model import Board
from core.games.advance.components.board_records import HEAVY_URBAN, MAIN
from core.games.advance.ids import FRESH, GERMAN, SOVIET
from core.games.advance.options import BOTH_AUTOMATIC
from core.games.advance.rules.changes import change_morale
from core.games.advance.rules.queries import german_control_count, germans_at, is_vacant, morale, soviet_areas
from events.ids import RuleId, Side
from projections.state.table import Table

END_ORDER = RuleId("6.5.order")
VICTORY_CHECK = RuleId("6.4.3.victory-check")

GERMAN_AUTOMATIC = "German Automatic Victory"
SOVIET_AUTOMATIC = "Soviet Automatic Victory"
OPERATIONAL = "German Operational Victory"
SOVIET_VICTORY = "Soviet Victory"


def check_victory(draft: Draft, board: Board) -> None:
    """Judge whether a side has won, at this moment of the turn and no other.

    Source: 6.4.3, 11.1, 14.7, ruling.both-automatic, ruling.morale-zero.
    """
    table = draft.table
    is_main, is_over = table.scenario == MAIN, morale(table) == board.morale.min
    is_theirs = is_over and BOTH_AUTOMATIC.chosen(table) == SOVIET
    if not soviet_areas(table, board) and not is_theirs:
        rule = RuleId("11.1.german-automatic") if is_main else RuleId("14.7.german-victory")
        _end(draft, "no Area is Soviet-controlled", GERMAN_AUTOMATIC, GERMAN, rule)
    elif is_over:
        rule = RuleId("11.1.soviet-automatic") if is_main else RuleId("14.7.soviet-automatic")
        _end(draft, f"German Morale is {morale(table)}", SOVIET_AUTOMATIC, SOVIET, rule)
    elif is_last_turn(table, board) and not is_main:
        left = f"Areas that are still Soviet-controlled: {len(soviet_areas(table, board))}"
        _end(draft, left, SOVIET_VICTORY, SOVIET, RuleId("14.7.soviet-at-the-end"))


def _end(draft: Draft, why: str, result: str, winner: Side, rule: RuleId) -> None:
    """Record the figures that decide, and end the match."""
    draft.apply(rule, why)
    draft.end_match(result, (winner,), rule)


def is_last_turn(table: Table, board: Board) -> bool:
    """Return whether this is the scenario's last turn: 9 or 14.

    Source: 5.1, 14.1; RuleId("5.1.nine-turns"), RuleId("14.1.five-turns"); its date is a label, ruling.factory-dates.
    """
    return table.round == board.scenarios[table.scenario].last_turn


def play(draft: Draft, board: Board) -> None:
    """Play the End Phase: the final check on the last turn; on any other refresh and lose Morale.

    Source: 6.5, RuleId("6.2.lasts-this-turn"), 11.2, ruling.final-check-moment; support markers stay where they are,
    RuleId("6.5.support-stays"). After the end nothing more is done, RuleId("6.5.no-end-phase-after-end").
    """
    if is_last_turn(draft.table, board):
        _final_check(draft, board)
        return
    for area in board.areas:
        for unit in germans_at(draft.table, area):
            draft.turn(unit, FRESH, RuleId("6.5.refresh"))
    change_morale(draft, board, board.morale.end_phase_change, RuleId("6.5.morale-loss"))


def _final_check(draft: Draft, board: Board) -> None:
    """Count the German-controlled Areas: enough of them, one Heavy Urban among them, are an Operational Victory.

    Source: 11.2, ruling.forty-areas.
    """
    needed = board.scenarios[draft.table.scenario].victory
    assert needed is not None
    held, heavy = german_control_count(draft.table, board), heavy_urban_count(draft.table, board)
    why = (
        f"German-controlled Areas: {held} of {needed.areas} needed, Heavy Urban {heavy} of {needed.heavy_urban} needed"
    )
    if held >= needed.areas and heavy >= needed.heavy_urban:
        _end(draft, why, OPERATIONAL, GERMAN, RuleId("11.2.final-check"))
    else:
        _end(draft, why, SOVIET_VICTORY, SOVIET, RuleId("11.2.soviet-otherwise"))


def heavy_urban_count(table: Table, board: Board) -> int:
    """Count the German-controlled Areas of Heavy Urban terrain; other Areas with a TEM of +4 do not count.

    Source: RuleId("11.2.heavy-urban").
    """
    return len([area for area in board.areas.values() if area.terrain == HEAVY_URBAN and is_vacant(table, area.id)])
