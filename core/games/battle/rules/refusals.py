"""Refusals of commands that do not fit the open question; all of them are in `data/refusals.toml`."""

from core.engine.command import Command
from core.engine.selection import Done
from core.games.battle.ids import PACKAGE, SUPPLY, hand
from core.games.battle.memory import NO_FIREFIGHT
from core.games.battle.rules.commands import Absorb, FireCard, Pass, PlayCard
from core.refusal import Refusal, Refusals
from events.ids import RuleId
from projections.state.table import Open, Table

REFUSALS = Refusals(PACKAGE)
refused = REFUSALS.refused

BEFORE_FLIPS = ("rubble", "cards", "firefight")
"""The steps of a battle up to the last Firefight card."""


def misplaced(table: Table, asked: Open, command: Command) -> Refusal:
    """Refuse a command that does not answer the open question. Source: turn.steps, action.one-at-a-time."""
    match command:
        case PlayCard(card=card) if asked.kind == "firefight":
            return refuse_unheld(table, asked, card) or refused("card_must_be_played_for_value")
        case FireCard() if (refusal := _refuse_fire(table, asked, command)) is not None:
            return refusal
        case Absorb():
            return refused("hit_must_be_left")
        case Done() | Pass() if asked.kind == "distribute":
            return refused("all_rations_must_be_placed")
        case Done() | Pass() if asked.kind in ("pay_cards", "pay_rations", "pay_forces"):
            return refused("payment_must_be_exact")
        case Done() | Pass() if asked.kind == "absorb_hit":
            return refused("hits_must_be_absorbed")
        case Done() | Pass() if asked.kind in ("scouts", "award"):
            return refused("choice_must_be_made")
    is_step = asked.kind in ("action", "choose_force") or table.phase == SUPPLY
    return refused("step_must_allow_command") if is_step else refused("action_must_be_resolved")


def refuse_unheld(table: Table, asked: Open, card: str) -> Refusal | None:
    """Refuse a card that is not in the hand of the seat. Source: card.one-use."""
    return None if card in table.pile(hand(table.side_of(asked.seat))).cards else refused("card_must_be_in_hand")


def _refuse_fire(table: Table, asked: Open, command: FireCard) -> Refusal | None:
    """Return why no Firefight card can be played, or None outside a fight. Source: card.sewer-warfare, card-attack.no-firefight."""
    battle, is_card_attack = table.topmost("battle"), table.topmost("card_attack") is not None
    is_barred = is_card_attack or NO_FIREFIGHT.of(table) is not None
    is_closed = battle is not None and battle.step not in BEFORE_FLIPS
    if not is_barred and not is_closed:
        return None
    if not is_barred:
        return refuse_unheld(table, asked, command.card) or refused("firefight_must_be_open")
    rule = RuleId("card-attack.no-firefight") if is_card_attack else None
    return refuse_unheld(table, asked, command.card) or refused("firefight_must_take_place", rule=rule)
