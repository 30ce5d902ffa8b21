"""The refusals of this game: every code, the rule it usually breaks, and the order in which several are answered."""

from core.refusal import Refusal
from events.ids import RuleId

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
        sentence: For people; the code's own one where nothing better can be said. It tells nothing of what is hidden.
        rule: The rule that would be broken, where it is not the code's usual one.
    """
    usual, text = MEANINGS[code]
    return Refusal(code, rule or usual, sentence or text)
