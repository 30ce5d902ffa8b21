"""The refusals of this game, in their order of precedence, and which one answers a command that does not fit the question."""

from core.command import Command
from core.games.battle.ids import SUPPLY, hand
from core.games.battle.memory import NO_FIREFIGHT
from core.games.battle.rules.commands import Absorb, FireCard, Pass, PlayCard
from core.refusal import Refusal
from core.selection import Done
from events.ids import CardId, RuleId
from projections.table import Open, Table

MEANINGS: dict[str, tuple[RuleId, str]] = {
    "match_must_be_running": (RuleId("victory.over"), "The match has a result."),
    "set_up_order_must_be_kept": (RuleId("setup.order"), "It is not this side's part of the set-up."),
    "seat_must_be_acting_player": (RuleId("turn.acting-player-only"), "Only the Acting Player acts."),
    "seat_must_be_asked": (RuleId("game.acting-player"), "The open question belongs to the other seat."),
    "action_must_be_resolved": (RuleId("action.one-at-a-time"), "The present Action is not resolved yet."),
    "step_must_allow_command": (RuleId("turn.steps"), "This step does not allow it."),
    "actions_must_not_exceed_cap": (RuleId("end.action-cap"), "The safety limit of Actions in this step is reached."),
    "card_must_be_in_hand": (RuleId("card.one-use"), "That card is not in this hand."),
    "firefight_must_be_open": (
        RuleId("attack.firefight.alternate-until-two-passes"),
        "The card phase of this Firefight is over.",
    ),
    "firefight_must_take_place": (RuleId("card.sewer-warfare"), "There are no Firefight cards here."),
    "card_must_be_played_for_value": (
        RuleId("attack.firefight.text-ignored"),
        "In the Firefight cards count for their value only.",
    ),
    "action_must_be_cancellable": (RuleId("attack.not-cancellable"), "This cannot be cancelled."),
    "card_timing_must_fit": (RuleId("card.default-timing"), "The card's own timing does not fit this moment."),
    "force_must_be_own": (RuleId("area.own-side-only"), "That Force is of the other side."),
    "area_must_be_own": (RuleId("area.own-side-only"), "That Area is of the other side."),
    "force_must_not_be_locked": (RuleId("card.sniper.lock"), "A Sniper lies on that Force."),
    "area_must_differ": (RuleId("move.one-force"), "The Force is in that Area already."),
    "force_must_come_from_elsewhere": (RuleId("card.attack"), "The Force must come from another Area."),
    "target_must_exist": (
        RuleId("card.without-effect"),
        "What is named does not exist or is not of the kind that is needed.",
    ),
    "target_must_be_in_control_area": (RuleId("card-attack.target"), "The target must stand in a Control Area."),
    "control_area_must_hold_own_force": (RuleId("attack.declare"), "No own Force stands in its Control Area there."),
    "control_area_must_hold_enemy_force": (
        RuleId("attack.declare"),
        "No enemy Force stands in its Control Area there.",
    ),
    "destination_must_not_be_enemy_controlled": (
        RuleId("move.enemy-controlled-takes-two"),
        "The enemy Controls that Location.",
    ),
    "area_must_have_room": (RuleId("area.limit"), "Three Forces at most in an Area."),
    "free_move_must_not_repeat": (RuleId("move.free.no-loop"), "The Force has been there since the last other Action."),
    "free_move_must_be_left": (RuleId("location.note.free-move"), "No free Move of that source is left."),
    "attack_must_have_a_force": (RuleId("attack.cost"), "An Attack needs a Force."),
    "attacker_must_be_in_control_area": (RuleId("attack.cost"), "Attackers stand in the Control Area of the Location."),
    "rations_must_suffice": (RuleId("move.cost"), "The Force that has to pay has too few Rations."),
    "force_deck_must_not_be_empty": (RuleId("buy.top-card-only"), "There is no Force to buy."),
    "force_must_be_on_top": (RuleId("buy.top-card-only"), "Only the open top Force can be bought."),
    "force_must_be_on_table": (RuleId("resupply.action"), "There is no own Force on the table."),
    "points_must_not_have_lapsed": (RuleId("buy.points-lapse"), "The points counted on have lapsed."),
    "cost_must_be_payable": (RuleId("action.declare-pay-resolve"), "The cost cannot be paid in full."),
    "payment_must_be_exact": (RuleId("buy.pay-exactly"), "The cost is paid exactly."),
    "combat_must_not_be_doubled": (RuleId("card.heavy-weapons"), "That Force's Combat is doubled already."),
    "card_must_be_in_deck": (RuleId("card.scouts"), "That card is not in the deck."),
    "card_condition_must_be_met": (RuleId("card.victory"), "The card's condition is not fulfilled."),
    "force_must_be_at_location": (RuleId("supply.split-choice"), "A Location's Rations go to Forces there."),
    "force_must_be_selectable": (RuleId("setup.russian-forces-budget"), "That Force cannot be chosen."),
    "force_must_take_part": (RuleId("attack.hits.participants-only"), "That Force takes no part."),
    "hits_must_be_absorbed": (RuleId("attack.hits.one-by-one"), "All Hits must be absorbed."),
    "location_must_not_be_destroyed": (RuleId("location.destroyed.takes-no-rubble"), "The Location is Destroyed."),
    "force_must_be_eligible_for_medal": (RuleId("heroic.recipient"), "That Force cannot receive the counter."),
    "choice_must_be_made": (RuleId("supply.all-placed"), "This choice cannot be declined."),
    "hit_must_be_left": (RuleId("attack.hits.one-by-one"), "There is no Hit to absorb."),
    "all_rations_must_be_placed": (RuleId("supply.all-placed"), "Exactly the Rations received are placed."),
    "retreat_must_not_be_barred": (RuleId("card.tanks"), "Tanks keep this side from Retreating."),
    "retreat_must_end_in_room": (RuleId("retreat.full-perimeter"), "The Perimeter Area holds three Forces."),
    "retreat_must_start_in_control_area": (RuleId("retreat.once"), "Only a Force in a Control Area can Retreat."),
    "rubble_must_suffice": (RuleId("card.rubble"), "There is too little Rubble."),
    "area_must_be_open_at_set_up": (RuleId("setup.german-placement"), "That Area is closed at set-up."),
    "costs_must_add_up": (RuleId("setup.russian-forces-budget"), "The Costs add up to exactly the total."),
    "uranus_card_must_be_in_play": (RuleId("uranus.removal"), "That card is not in play."),
}
"""Code to the rule it usually breaks and its sentence. The first ones, down to `payment_must_be_exact`, are in the documented
order of precedence: when several apply the earliest answers. The others never meet each other."""

PRECEDENCE: dict[str, int] = {code: place for place, code in enumerate(MEANINGS)}
"""A code's place in the order; 0 answers first."""


def refused(code: str, sentence: str = "", rule: RuleId | None = None) -> Refusal:
    """Make a refusal.

    Args:
        code: One of `MEANINGS`.
        sentence: What is wrong; by default the code's own sentence. It discloses nothing that is hidden.
        rule: The rule that would be broken, if it is not the code's usual one.
    """
    usual, text = MEANINGS[code]
    return Refusal(code, rule or usual, sentence or text)


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
    "attackers": "An Attack is being declared: say which Forces attack.",
    "join_attack": "An Attack is being declared: say who joins it.",
    "firefight": "A Firefight is on: play a card for its value, or pass.",
    "absorb_hit": "Hits are being absorbed: say how the next one is met.",
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
    """Return why a question cannot be declined, or None if it is no choice that must be made."""
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
