"""Which refusal answers a command that does not fit the open question; all of them are in `data/refusals.toml`."""

from core.command import Command
from core.games.battle.ids import PACKAGE, SUPPLY, hand
from core.games.battle.memory import NO_FIREFIGHT
from core.games.battle.rules.commands import Absorb, FireCard, Pass, PlayCard
from core.refusal import Refusal, Refusals
from core.selection import Done
from events.ids import CardId, RuleId
from projections.table import Open, Table

REFUSALS = Refusals(PACKAGE)
refused = REFUSALS.refused

WANTED = {
    "choose_force": "The set-up is on: choose a Force and place it.",
    "repair": "The Supply step is on: name a Location to repair, or none.",
    "distribute": "Rations are being handed out: name a Force.",
    "action": "The Actions step is on: declare an Action or end it.",
    "free_move": "A series of free Moves is on: make one, or stop.",
    "pay_cards": "A cost is being paid: name cards of the hand.",
    "pay_rations": "A cost is being paid: name Forces.",
    "pay_forces": "A cost is being paid: name Forces.",
    "scouts": "Take a card of the deck.",
    "attackers": "An Attack is being declared: name the Forces that attack.",
    "join_attack": "An Attack is being declared: name the Forces that join it.",
    "firefight": "A Firefight is on: play a card for its value, or pass.",
    "absorb_hit": "Hits are being absorbed: choose how the next one is met.",
    "award": "Name the Force that gets the Heroic Service counter.",
}
"""What a question asks for, by its kind; all others are windows."""

BEFORE_FLIPS = ("rubble", "cards", "firefight")
"""The steps of a battle up to the last Firefight card."""


def misplaced(table: Table, asked: Open, command: Command) -> Refusal:
    """Refuse a command that does not answer the open question. Source: turn.steps, action.one-at-a-time."""
    match command:
        case PlayCard(card=card) if asked.kind == "firefight":
            is_held = _is_held(table, asked, card)
            return refused("card_must_be_played_for_value") if is_held else refused("card_must_be_in_hand")
        case FireCard() if (refusal := _refuse_fire(table, asked, command)) is not None:
            return refusal
        case Absorb():
            return refused("hit_must_be_left")
        case Done() | Pass() if (refusal := _refuse_decline(asked)) is not None:
            return refusal
    sentence = WANTED.get(asked.kind, "A window is open: play a card for this moment, or pass.")
    if asked.kind in ("action", "choose_force") or table.phase == SUPPLY:
        return refused("step_must_allow_command", sentence)
    return refused("action_must_be_resolved", sentence)


def _is_held(table: Table, asked: Open, card: CardId) -> bool:
    return card in table.pile(hand(table.side_of(asked.seat))).cards


def _refuse_fire(table: Table, asked: Open, command: FireCard) -> Refusal | None:
    """Return why no Firefight card can be played, or None outside a fight. Source: card.sewer-warfare, card-attack.no-firefight."""
    battle, is_card_attack = table.topmost("battle"), table.topmost("card_attack") is not None
    is_barred = is_card_attack or NO_FIREFIGHT.of(table) is not None
    is_closed = battle is not None and battle.step not in BEFORE_FLIPS
    if not is_barred and not is_closed:
        return None
    if not _is_held(table, asked, command.card):
        return refused("card_must_be_in_hand")
    if not is_barred:
        return refused("firefight_must_be_open")
    return refused("firefight_must_take_place", rule=RuleId("card-attack.no-firefight") if is_card_attack else None)


def _refuse_decline(asked: Open) -> Refusal | None:
    """Return why a question cannot be declined, or None if nothing keeps the seat from it."""
    match asked.kind:
        case "distribute":
            return refused("all_rations_must_be_placed", "Rations are left to be placed.")
        case "pay_cards" | "pay_rations" | "pay_forces":
            return refused("payment_must_be_exact", "The cost is not paid in full yet.")
        case "absorb_hit":
            return refused("hits_must_be_absorbed")
        case "scouts" | "award":
            return refused("choice_must_be_made")
        case _:
            return None
