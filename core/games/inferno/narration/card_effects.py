"""Effects of a card in the combat that is being fought, as things are there: less than it says, or something else."""

from core.games.inferno.components.board_model import Board, Card
from core.games.inferno.components.board_records import (
    CANCEL_AIRSTRIKE,
    DEPLOY,
    FLOTILLA,
    INFANTRY,
    LEADER,
    LOSE_STEPS,
    MARINE,
)
from core.games.inferno.ids import SOVIET
from core.games.inferno.memory import COMBAT
from core.games.inferno.narration.sentences import card_words, dice_words
from core.games.inferno.narration.stakes import draw_words
from core.games.inferno.rules.cards import CHUIKOV, VON_RICHTHOFEN, ZAYTSEV, has_leader
from core.games.inferno.rules.queries import has_room
from core.games.inferno.rules.rubble import is_due, may_lie
from core.games.inferno.rules.soviet_cards import needs_headquarters, soviet_hex
from core.games.inferno.rules.spawn import left
from core.wording import counted
from events.ids import CardId
from projections.state.table import Open, Table


def effect_words(table: Table, board: Board, card: CardId) -> str:
    """Return what a card does in the combat that is being fought: twice as much under Von Richthofen, and less without a Rubble Roll."""
    at, printed = table.topmost(COMBAT), board.cards[card]
    said = "" if at is None or printed.side != SOVIET else _soviet(table, board, at, printed)
    is_doubled = has_leader(table, board, VON_RICHTHOFEN)
    return said or card_words(board, card, is_doubled=is_doubled, is_rolled=at is None or is_due(table, board, at))


def _soviet(table: Table, board: Board, at: Open, card: Card) -> str:
    """Return what a Soviet card does here if that differs from what it says; else nothing."""
    title = card.title
    match title.op:
        case _ if title.op == FLOTILLA:
            return _flotilla(table, board, at, card)
        case _ if title.op == DEPLOY:
            return _without_unit(table, board, at, title.deploys)
        case _ if title.op == CANCEL_AIRSTRIKE and card.hex is not None and not may_lie(table, board, card.hex):
            return "cancels an airstrike; no Rubble marker can be placed"
        case _ if title.op == LOSE_STEPS and title.target == INFANTRY and has_leader(table, board, ZAYTSEV):
            steps = counted(title.steps * board.leaders.zaytsev_factor, "Step")
            return f"the strongest enemy Infantry unit loses a Step, {steps} in all under Zaytsev"
        case _ if title.op == LEADER and title.id == CHUIKOV and needs_headquarters(table):
            dice = counted(board.designers_way.headquarters_dice, "die")
            return f"{card_words(board, card.id)}; discarded if the hex that {dice} give is not Soviet"
        case _:
            return ""


def _flotilla(table: Table, board: Board, at: Open, card: Card) -> str:
    """Return whether gunboats fire or a Marine may land. Source: soviet.card.flotilla."""
    if board.hexes[soviet_hex(at)].is_coastal:
        return f"gunboats: {dice_words(board, card.title)}"
    if left(table, MARINE):
        return f"a Marine lands in the hex that {counted(card.title.dice, 'die')} give"
    return f"no Marine is left to land: {draw_words(table, SOVIET, 1)} unless Germans are in the hex that the dice give"


def _without_unit(table: Table, board: Board, at: Open, arm: str) -> str:
    """Return what a card does that cannot bring a unit; empty if it can. Source: soviet.card.infiltration-blocked."""
    if not left(table, arm):
        return f"the {arm.capitalize()} pool is empty: {draw_words(table, SOVIET, 1)}"
    return "" if has_room(table, board, soviet_hex(at)) else f"the hex is full: {draw_words(table, SOVIET, 1)}"
