"""The refusals of this game: every code, the rule it usually breaks, and the order in which several are answered."""

from core.refusal import Refusal
from events.ids import RuleId

MEANINGS: dict[str, tuple[RuleId, str]] = {
    "setup_must_be_valid": (RuleId("12.0.options-fixed"), "Scenario, seats and options must exist and fit together."),
    "match_must_be_running": (RuleId("6.5.no-end-phase-after-end"), "The match is over."),
    "seat_must_be_german": (RuleId("1.0.one-player"), "Only the German seat gives orders."),
    "mandatory_attack_must_be_resolved": (RuleId("9.1.mandatory"), "A Mandatory Attack is still to be fought."),
    "barrage_must_be_answered": (RuleId("9.4.barrage-choice"), "Choose first: a unit Out of Action, or retreat."),
    "activation_must_do_something": (RuleId("8.1.1.until-done"), "At least one unit must move or attack."),
    "decision_must_be_open": (RuleId("6.0.five-phases"), "This is not what is being asked now."),
    "area_must_exist": (RuleId("3.1.fifty-areas"), "There is no such Area."),
    "unit_must_be_german": (RuleId("8.1.2.soviets-never-move"), "Soviet units take no orders."),
    "group_must_stay_together": (RuleId("6.1.1.one-area"), "The group enters one Area, whole."),
    "area_must_be_listed": (RuleId("6.1.1.turn-2-group"), "The group cannot enter in this Area."),
    "area_must_be_german_controlled": (RuleId("6.3.return-area"), "The Area is Soviet-controlled."),
    "unit_must_be_out_of_action": (RuleId("6.3.return-cost"), "The unit is not in the Out of Action Box."),
    "area_must_suit_return": (RuleId("6.3.return-area"), "The unit cannot return in this Area."),
    "marker_must_be_in_used_box": (RuleId("6.3.marker-in-used-box"), "All markers of this type are Available already."),
    "morale_must_be_below_maximum": (RuleId("6.3.buy-morale"), "Morale is 19 already."),
    "supply_must_suffice": (RuleId("6.3.spend"), "Not enough Supply Points."),
    "area_must_hold_fresh_units": (RuleId("8.1.needs-fresh"), "No Fresh German unit in this Area."),
    "activation_must_be_possible": (RuleId("8.1.needs-fresh"), "No unit in this Area can do anything."),
    "unit_must_be_fresh": (RuleId("4.3.1.spent-inert"), "The unit is Spent."),
    "unit_must_not_be_paused": (RuleId("6.2.chart.7-8"), "The unit's division is paused this turn."),
    "unit_must_be_in_active_area": (RuleId("9.0.active-units-only"), "The unit did not start in the Active Area."),
    "unit_must_still_be_moving": (RuleId("8.1.one-at-a-time"), "The unit's move is finished."),
    "unit_must_stop": (RuleId("8.2.stop-at-soviet"), "The unit entered a Soviet-occupied Area and must stop."),
    "areas_must_be_adjacent": (RuleId("3.1.adjacency"), "The Areas share no boundary."),
    "northern_units_must_stay_north": (RuleId("12.2.northern-shoulder"), "Units of 48-50 may enter 42-50 only."),
    "area_must_not_have_been_attacked": (
        RuleId("8.2.1.no-entry-after-attack"),
        "The Area was attacked in this Action Round.",
    ),
    "contested_exit_must_be_to_vacant": (
        RuleId("8.3.2.first-vacant"),
        "From a Contested Area the first step leads to a Vacant one.",
    ),
    "stacking_limit_must_hold": (RuleId("7.1.german-four"), "Four German units at most in an Area."),
    "movement_must_suffice": (RuleId("8.2.enough-mf"), "Not enough MF left."),
    "area_must_hold_soviet_unit": (RuleId("9.2.at-least-one"), "There is nothing to attack."),
    "unit_must_not_have_moved": (
        RuleId("8.2.cost-attack-in-contested"),
        "The unit has moved; this attack needs all its MF.",
    ),
    "groups_must_attack_apart": (
        RuleId("9.3.no-joint-attack"),
        "Units that came in and units that were there do not attack together.",
    ),
    "all_entrants_must_attack": (RuleId("9.1.all-entrants"), "Every unit that entered must attack."),
    "attack_must_have_a_unit": (RuleId("9.2.at-least-one"), "An attack needs a unit."),
    "lead_must_be_attacking": (RuleId("9.5.a-lead"), "The Lead must be one of the attackers."),
    "support_must_be_available": (RuleId("9.5.b-support"), "No such marker in the Available box."),
    "air_must_be_permitted": (RuleId("6.2.event-and-air"), "Air Support cannot be placed here or this turn."),
    "air_must_be_single": (RuleId("9.5.4.one-air"), "One Air marker at most in a combat."),
    "support_must_not_exceed_attackers": (RuleId("9.5.4.limit"), "Not more markers than attackers."),
    "retreat_must_reach_entry_area": (RuleId("9.5.8.entry-area"), "The unit retreats to the Area from which it came."),
    "retreat_must_end_in_room": (RuleId("9.5.8.full-area"), "A retreat ends in a Vacant Area with room."),
    "isolation_must_fill_markers": (
        RuleId("12.3.fourteen-markers"),
        "Name exactly as many units as there are markers.",
    ),
}
"""Code to the rule it usually breaks and its sentence, in order of precedence: when several apply the earliest answers."""

SETUP_MUST_BE_VALID = "setup_must_be_valid"
"""The one code that no command meets: a match that cannot be opened is refused before there is a table."""

PRECEDENCE: dict[str, int] = {code: place for place, code in enumerate(MEANINGS)}
"""A code's place in the order; 0 answers first."""


def refused(code: str, sentence: str = "", rule: RuleId | None = None) -> Refusal:
    """Make a refusal.

    Args:
        code: One of `MEANINGS`.
        sentence: For people; the code's own one where nothing better can be said.
        rule: The rule that would be broken, where it is not the code's usual one.
    """
    usual, text = MEANINGS[code]
    return Refusal(code, rule or usual, sentence or text)


def not_asked(kind: str) -> Refusal:
    """Refuse a command that does not answer the open question."""
    return refused("decision_must_be_open", f"This is not what is being asked now; the open question is {kind!r}.")
