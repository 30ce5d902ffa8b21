"""Commands that do not answer the open question: which refusal tells the seat best what is amiss."""

from core.command import Command
from core.games.battle.ids import SUPPLY, hand
from core.games.battle.memory import NO_FIREFIGHT
from core.games.battle.rules.commands import Absorb, FireCard, Pass
from core.games.battle.rules.refusals import refused
from core.refusal import Refusal
from core.selection import Done
from events.ids import CardId, RuleId
from projections.table import Open, Table

BEFORE_FLIPS = ("rubble", "cards", "firefight")
"""The steps of a battle up to the last Firefight card."""
PAYMENTS = ("pay_cards", "pay_rations", "pay_forces")


def misplaced(table: Table, asked: Open, command: Command, sentence: str = "") -> Refusal:
    """Refuse a command that is of no use now.

    Args:
        table: The table.
        asked: The open question.
        command: What does not answer it.
        sentence: What is wanted instead, for people.
    """
    match command:
        case FireCard():
            return _fire(table, asked, command, sentence)
        case Absorb():
            return refused("hit_must_be_left")
        case Done() | Pass():
            return _declined(table, asked, sentence)
        case _:
            return _otherwise(table, asked, sentence)


def is_held(table: Table, asked: Open, card: CardId) -> bool:
    """Whether the seat that is asked holds a card."""
    return card in table.pile(hand(table.side_of(asked.seat))).cards


def _fire(table: Table, asked: Open, command: FireCard, sentence: str) -> Refusal:
    """Return why no Firefight card can be played. Source: card.sewer-warfare, card-attack.no-firefight."""
    battle, is_card_attack = table.topmost("battle"), table.topmost("card_attack") is not None
    is_barred = is_card_attack or NO_FIREFIGHT.of(table) is not None
    is_closed = battle is not None and battle.step not in BEFORE_FLIPS
    if not is_barred and not is_closed:
        return _otherwise(table, asked, sentence)
    if not is_held(table, asked, command.card):
        return refused("card_must_be_in_hand")
    if not is_barred:
        return refused("firefight_must_be_open")
    if is_card_attack:
        return refused("firefight_must_take_place", rule=RuleId("card-attack.no-firefight"))
    return refused("firefight_must_take_place")


def _declined(table: Table, asked: Open, sentence: str) -> Refusal:
    """Return why a question cannot be declined."""
    if asked.kind == "distribute":
        return refused("all_rations_must_be_placed", "Rations are left to be placed.")
    if asked.kind in PAYMENTS:
        return refused("payment_must_be_exact", "The cost is not paid in full yet.")
    if asked.kind == "absorb_hit":
        return refused("hits_must_be_absorbed")
    if asked.kind in ("scouts", "award"):
        return refused("choice_must_be_made")
    return _otherwise(table, asked, sentence)


def _otherwise(table: Table, asked: Open, sentence: str) -> Refusal:
    """Say that another Action, or another step, is on. Source: turn.steps, action.one-at-a-time."""
    if asked.kind in ("action", "choose_force") or table.phase == SUPPLY:
        return refused("step_must_allow_command", sentence)
    return refused("action_must_be_resolved", sentence)
