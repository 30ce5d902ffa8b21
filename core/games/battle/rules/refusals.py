"""The refusals of this game: every code, the rule it usually breaks, and the order in which several are answered."""

from core.refusal import Refusal
from events.ids import RuleId

MEANINGS: dict[str, tuple[RuleId, str]] = {
    "game-over": (RuleId("victory.over"), "The match has a result."),
    "seat-count": (RuleId("game.seats"), "Exactly two seats play, the Russian and the German."),
    "option-off": (RuleId("end.table-options"), "The table did not agree to this option."),
    "hidden-information": (RuleId("secrecy.hands"), "That may not be seen."),
    "setup-order": (RuleId("setup.order"), "It is not this side's part of the set-up."),
    "not-your-turn": (RuleId("turn.acting-player-only"), "Only the Acting Player acts."),
    "not-your-decision": (RuleId("game.acting-player"), "The open question belongs to the other seat."),
    "action-in-progress": (RuleId("action.one-at-a-time"), "The present Action is not resolved yet."),
    "wrong-step": (RuleId("turn.steps"), "This step does not allow it."),
    "action-cap": (RuleId("end.action-cap"), "The safety limit of Actions in this step is reached."),
    "card-not-in-hand": (RuleId("card.one-use"), "That card is not in this hand."),
    "firefight-closed": (
        RuleId("attack.firefight.alternate-until-two-passes"),
        "The card phase of this Firefight is over.",
    ),
    "no-firefight": (RuleId("card.sewer-warfare"), "There are no Firefight cards here."),
    "firefight-value-only": (
        RuleId("attack.firefight.text-ignored"),
        "In the Firefight cards count for their value only.",
    ),
    "reaction-spent": (RuleId("window.no-answer-to-an-answer"), "The Action has been answered already."),
    "cannot-be-cancelled": (RuleId("attack.not-cancellable"), "This cannot be cancelled."),
    "wrong-timing": (RuleId("card.default-timing"), "The card's own timing does not fit this moment."),
    "not-your-force": (RuleId("area.own-side-only"), "That Force is of the other side."),
    "not-your-area": (RuleId("area.own-side-only"), "That Area is of the other side."),
    "force-locked": (RuleId("card.sniper.lock"), "A Sniper lies on that Force."),
    "same-area": (RuleId("move.one-force"), "The Force is in that Area already."),
    "must-move": (RuleId("card.attack"), "The Force must come from another Area."),
    "no-target": (RuleId("card.without-effect"), "What is named does not exist or is not of the kind that is needed."),
    "target-not-in-control-area": (RuleId("card-attack.target"), "The target must stand in a Control Area."),
    "no-force-in-control-area": (RuleId("attack.declare"), "No own Force stands in its Control Area there."),
    "no-enemy-in-control-area": (RuleId("attack.declare"), "No enemy Force stands in its Control Area there."),
    "destination-enemy-controlled": (RuleId("move.enemy-controlled-takes-two"), "The enemy Controls that Location."),
    "area-full": (RuleId("area.limit"), "Three Forces at most in an Area."),
    "free-move-repeats": (RuleId("move.free.no-loop"), "The Force has been there since the last other Action."),
    "free-moves-spent": (RuleId("location.note.free-move"), "No free Move of that source is left."),
    "no-attacker": (RuleId("attack.cost"), "An Attack needs a Force."),
    "attacker-not-in-control-area": (RuleId("attack.cost"), "Attackers stand in the Control Area of the Location."),
    "no-ration": (RuleId("move.cost"), "The Force that has to pay has too few Rations."),
    "force-deck-empty": (RuleId("buy.top-card-only"), "There is no Force to buy."),
    "not-top-force": (RuleId("buy.top-card-only"), "Only the open top Force can be bought."),
    "no-force-on-table": (RuleId("resupply.action"), "There is no own Force on the table."),
    "points-lapsed": (RuleId("buy.points-lapse"), "The points counted on have lapsed."),
    "cannot-pay": (RuleId("action.declare-pay-resolve"), "The cost cannot be paid in full."),
    "payment-inexact": (RuleId("buy.pay-exactly"), "The cost is paid exactly."),
    "already-doubled": (RuleId("card.heavy-weapons"), "That Force's Combat is doubled already."),
    "card-not-in-deck": (RuleId("card.scouts"), "That card is not in the deck."),
    "condition-not-met": (RuleId("card.victory"), "The card's condition is not fulfilled."),
    "force-not-at-location": (RuleId("supply.split-choice"), "A Location's Rations go to Forces there."),
    "force-not-selectable": (RuleId("setup.russian-forces-budget"), "That Force cannot be chosen."),
    "hit-not-participant": (RuleId("attack.hits.participants-only"), "That Force takes no part."),
    "hits-remain": (RuleId("attack.hits.one-by-one"), "All Hits must be absorbed."),
    "location-destroyed": (RuleId("location.destroyed.takes-no-rubble"), "The Location is Destroyed."),
    "medal-not-eligible": (RuleId("heroic.recipient"), "That Force cannot receive the counter."),
    "must-choose": (RuleId("supply.all-placed"), "This choice cannot be declined."),
    "no-hits-left": (RuleId("attack.hits.one-by-one"), "There is no Hit to absorb."),
    "ration-count": (RuleId("supply.all-placed"), "Exactly the Rations received are placed."),
    "retreat-barred": (RuleId("card.tanks"), "Tanks keep this side from Retreating."),
    "retreat-full": (RuleId("retreat.full-perimeter"), "The Perimeter Area holds three Forces."),
    "retreat-not-in-control-area": (RuleId("retreat.once"), "Only a Force in a Control Area can Retreat."),
    "rubble-too-low": (RuleId("card.rubble"), "There is too little Rubble."),
    "setup-areas": (RuleId("setup.german-placement"), "That Area is closed at set-up."),
    "setup-points": (RuleId("setup.russian-forces-budget"), "The Costs add up to exactly the total."),
    "uranus-not-in-play": (RuleId("uranus.removal"), "That card is not in play."),
}
"""Code to the rule it usually breaks and its sentence. The first ones, down to `payment-inexact`, are in the documented
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
