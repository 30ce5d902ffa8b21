"""The form of the figures of the rules in a card file: none of them is on a card, and the rulebook's text fixes them all.

Where the text leaves a reading open, the file may tell people which one the rules follow, but no other.
"""

from core.board_shape import Either, Plain, Shape, Table, TableOf, Words, printed
from core.games.battle.components.card_model import OWN_ACTION
from core.games.battle.ids import GERMAN, RUSSIAN

PROV: dict[str, Shape] = {"prov": Either((Words(), TableOf(Words())))}
"""Where a record's fields come from; see the head of the packaged file."""


def record(needed: dict[str, Shape], optional: dict[str, Shape] | None = None) -> Table:
    """Declare a record: it may say where its fields come from."""
    return Table(needed, {**PROV, **(optional or {})})


_MOVE_KINDS: list[Plain] = [
    {"id": "perimeter", "from": ["control", "perimeter"], "to": "perimeter", "any_location": True},
    {"id": "advance", "from": ["perimeter"], "to": "control", "any_location": False},
    {
        "id": "control",
        "from": ["control", "perimeter"],
        "to": "control",
        "any_location": True,
        "destination": ["own_controlled", "uncontrolled"],
    },
]
_DESTROYED: Plain = {
    "flip_card": True,
    "keeps_rubble": False,
    "takes_rubble": False,
    "counts_for_victory": True,
    "counts_for_draw": True,
}

_RULES_NEEDED: dict[str, Table] = {
    "victory": record(printed("How to Win", control=5), printed("How to Win", checked="end_of_own_turn")),
    "setup": record(
        {
            **printed("Set-Up, Location Cards", locations_in_play=5),
            **printed("Set-Up, Starting Forces", points={RUSSIAN: 11, GERMAN: 9}),
            **printed("Set-Up, Action Cards", hand={RUSSIAN: 10, GERMAN: 5}),
        },
        {
            **printed("Set-Up, Starting Forces", order=[RUSSIAN, GERMAN], force_deck_top_face_up=True),
            **printed("Set-Up, Action Cards", first_turn=GERMAN, then="alternate"),
            **printed("Set-Up, Starting Forces", areas={RUSSIAN: ["control", "perimeter"], GERMAN: ["perimeter"]}),
            **printed("", points_must_match=True),
        },
    ),
    "area": record(
        printed("Set-Up, Starting Forces; Move Action", limit=3),
        printed(
            "Set-Up, Location Cards",
            kinds=["german_control", "german_perimeter", "russian_control", "russian_perimeter"],
        ),
    ),
    "supply": record(
        printed("Supply Step, Perimeter", perimeter_force=1),
        {
            **printed("Supply Step", location_rations_to=["control", "perimeter"]),
            **printed("Destroyed Locations", destroyed_location_rations=0),
        },
    ),
    "move": record(printed("Move Action", cost=1), printed("Move Action", kinds=_MOVE_KINDS)),
    "attack": record(
        {**printed("Attack Action", cost_per_attacker=1), **printed("Resolving an Attack, Rubble", rubble=1)},
        {
            **printed("Attack Action", cost_per_defender=0),
            **printed("", all_control_area_defenders_take_part=True),
        },
    ),
    "absorb": record(
        printed("Absorb Hits", per_ration=1, per_retreat=2, per_destroyed_force=1),
        {
            **printed("Absorb Hits", retreat_needs_room_in="perimeter", only_participants=True, first="defender"),
            **printed("", minimum_total=0),
        },
    ),
    "heroic_service": record(
        printed("Heroic Service", combat=1, retreat=1),
        printed(
            "Heroic Service",
            needs=["all_enemy_forces_in_battle_destroyed", "location_controlled_after_battle"],
            earned_by=["attacker", "defender"],
            goes_to="own_participant_still_in_control_area",
        ),
    ),
    "resupply": record(printed("Resupply Action", rations=2), printed("Resupply Action", discard=1)),
    "draw": record(
        printed("Draw Cards Step", base=5, per_controlled_location=1), printed("Draw Cards Step", hand_limit=0)
    ),
}
"""The sections with figures that the rules read."""

_RULES_TOLD: dict[str, Shape] = {
    "location": record(
        {},
        {
            **printed("Location Cards, Special Notes", notes_override_rules=True),
            **printed("Sample Game, German 1st Turn", notes_need_control=True),
            **printed("Destroyed Locations", destroyed=_DESTROYED),
        },
    ),
    "control": record(
        {},
        printed(
            "Location Control",
            own_forces_in_own_control_area=True,
            enemy_forces_in_enemy_control_area=False,
            both_or_neither="uncontrolled",
        ),
    ),
    "force": record({}, printed("Force Cards", hits_inflicted="combat", enters_with="starting_rations")),
    "cards": record(
        {},
        {
            **printed("Action Cards", hidden_until_played=True, default_timing=OWN_ACTION),
            **printed("Set-Up, Action Cards", empty_deck="shuffle_discards_into_new_deck"),
            **printed("Actions Step", action_sequence=["declare", "pay", "resolve"]),
            **printed("Canceling an Action", cancelled_action_cost="returned"),
            **printed("Play an Action Card Action", rations_to_remove_missing="skipped"),
            **printed("Absorb Hits", card_attacks_use_firefight=False),
            **printed("", cancelled_card="discarded"),
        },
    ),
    "uranus": record(
        {},
        {
            **printed("Operation Uranus", deck=RUSSIAN, several_in_play=True, removal_paid_by=GERMAN),
            **printed("", removal_when="own_actions_step_of_a_later_turn"),
        },
    ),
    "turn": record(
        {},
        {
            **printed("Sequence of Play", steps=["supply", "actions", "draw"]),
            **printed(
                "Actions Step",
                actions=["play_card", "move", "attack", "resupply", "buy_force", "remove_uranus"],
                unlimited_actions=True,
            ),
        },
    ),
    "firefight": record(
        {},
        {
            **printed("Firefight Value", range=[-3, 3], positive="own_hits", negative="enemy_hits"),
            **printed("", zero_values=False),
            **printed(
                "Resolving an Attack, Firefight",
                first="attacker",
                ends="both_pass_in_succession",
                pass_is_final=False,
                flip_each=1,
                card_text_ignored=True,
            ),
        },
    ),
    "buy": record(
        {},
        {
            **printed("Buy Forces Action", committed_before_next_card_shown=True, **{"from": "top_of_own_force_deck"}),
            **printed("Force Cards, Cost", pay="discard_cards_equal_to_cost"),
            **printed(
                "Buy Forces Action", place=["any_perimeter", "own_controlled_control_area", "uncontrolled_control_area"]
            ),
            **printed("Absorb Hits", destroyed_to="bottom_of_own_force_deck"),
        },
    ),
}
"""The sections that say how the rules read the text; a file may leave them out."""

RULES_FORM = Table(dict(_RULES_NEEDED), _RULES_TOLD)
"""All figures of the rules."""
