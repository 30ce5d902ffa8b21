"""The form of this game's card file, and the words that it may use for what the rules understand.

The figures of the rules are in `rules_form`. What depends on several places at once is demanded in `card_checks`, what the
rulebook's text says of single cards in `card_facts`. Keys that only people read may be left out; where they stand they must
say what the rules do.
"""

from core.board_shape import (
    Fixed,
    Flag,
    Ident,
    Plain,
    Rows,
    Sequence,
    Shape,
    Table,
    TableOf,
    Variant,
    Whole,
    Words,
    printed,
)
from core.games.battle.components.card_model import NO_ENEMY_LEFT, OWN_ACTION, TIMINGS
from core.games.battle.components.checks.rules_schema import PROV, RULES_FORM, record
from core.games.battle.ids import GERMAN, RUSSIAN

SCHEMA = 1
GAME = "Battle for Stalingrad"
LOCATIONS_TOTAL = 10

VALUE = Whole(-3, 3, without=(0,))
"""A Firefight value. Source: RuleId("card.firefight-value")."""

SIDES: list[Plain] = [GERMAN, RUSSIAN]
"""Source: RuleId("game.seats")."""

_NOTE = Words()


def _op(needed: dict[str, Shape] | None = None, people: dict[str, Plain] | None = None) -> Table:
    """Declare what a word of the rules needs beside itself, and what may be told to people about it."""
    return Table({"op": Words(), **(needed or {})}, {key: Fixed(value) for key, value in (people or {}).items()})


AMOUNT: dict[str, Shape] = {"amount": Whole(1, 20)}
FEWER: dict[str, Shape] = {"amount": Whole(-20, -1)}
ONE: dict[str, Shape] = {"amount": Fixed(1)}
BONUS: dict[str, Shape] = {"amount": Whole(1, 2)}
"""Source: RuleId("force.note.attack-bonus"), RuleId("force.note.retreat-bonus"), RuleId("force.note.ignore-hits")."""

EFFECTS: dict[str, Table] = {
    "steal_rations": _op(AMOUNT, {"from": "one_enemy_force", "to": "one_own_force"}),
    "join_battle": _op(people={"count": 1, "from": "own_perimeter_any_location", "cost": 0}),
    "card_attack": _op({"rubble": Whole(0, 20), "hits": Whole(1, 20)}, {"target": "enemy_force_in_control_area"}),
    "cancel_move": _op(people={"refund": True, "lock_until": "end_of_turn", "stays_on_force": True}),
    "cancel_card": _op(people={"scope": "enemy_own_action_card"}),
    "gain_rations_each": _op(AMOUNT, {"areas": ["perimeter"]}),
    "distribute_rations": _op(AMOUNT),
    "deny_location_draws": _op(),
    "force_points": _op(AMOUNT),
    "search_deck": _op(people={"count": 1, "to": "hand", "then": "shuffle"}),
    "free_moves": _op({"count": Whole(1, 20)}),
    "no_firefight": _op(people={"who": "both", "cards": True, "flip": True}),
    "no_enemy_retreat": _op(people={"scope": "battle"}),
    "draw_cards": _op(AMOUNT),
    "combat_bonus_all": _op(AMOUNT, {"until": "end_of_acting_players_turn"}),
    "move_and_attack": _op(people={"move_cost": 0, "attack_cost": 0, "ignore_control": True, "others_may_join_for": 1}),
    "multiply_combat": _op(people={"factor": 2, "who": "one_own_force_in_battle"}),
    "stop_hits": _op({**AMOUNT, "min_rubble": Whole(0, 20)}),
}
"""What Action cards can do. Source: RuleId("card.play-action")."""

LOCATION_NOTES: dict[str, Table] = {
    "resupply_bonus": _op(AMOUNT),
    "reinforcements_bonus": _op(AMOUNT),
    "rations_anywhere": _op(),
    "enemy_entry_surcharge": _op(AMOUNT),
    "buy_ration_bonus": _op(AMOUNT),
    "card_attack_bonus": _op(AMOUNT),
    "initiated_battle_bonus": _op(AMOUNT),
    "free_moves_per_turn": _op(AMOUNT),
    "repair_rubble": _op(ONE),
    "extra_draw": _op(AMOUNT),
}
"""What Locations can do for their controller. Source: RuleId("location.note-priority")."""

FORCE_NOTES: dict[str, Table] = {
    "attack_bonus": _op(BONUS),
    "retreat_bonus": _op(BONUS),
    "free_move": _op(),
    "ignore_hits": _op(BONUS),
}
"""What Forces can do; the text knows only these. Source: RuleId("force.note.free-move")."""

COSTS: dict[str, Table] = {
    name: _op({"count": Whole(1, 20)}) for name in ("destroy_own_forces", "discard_cards", "discard_rations")
}
"""What Uranus cards may cost. Source: RuleId("uranus.play-cost"), RuleId("uranus.removal")."""

URANUS_EFFECTS: dict[str, Table] = {
    "enemy_force_cost": _op(AMOUNT),
    "enemy_location_rations": _op(FEWER),
    "enemy_draw": _op(FEWER),
    "enemy_no_perimeter_ration": _op(),
    "own_draw": _op(AMOUNT),
    "own_initiated_battle_bonus": _op(AMOUNT),
}
"""What Uranus cards can do as long as they lie open. Source: RuleId("uranus.lasting-effect")."""

_CHART = Rows(Table({"from": Whole(0, 99), "to": Whole(0, 99), "rations": Whole(0, 20)}), 1, 100)
_LOCATION = record(
    {"id": Ident(), "name": Words(), "chart": _CHART, "destroyed_at": Whole(1, 100)},
    {
        "note": Variant("op", LOCATION_NOTES),
        "note_text": _NOTE,
        "note_survives": Flag(),
    },
)
_FORCE = record(
    {
        "id": Ident(),
        "side": Words((GERMAN, RUSSIAN)),
        "name": Words(),
        "combat": Whole(0, 20),
        "rations": Whole(0, 20),
        "cost": Whole(1, 20),
    },
    {"notes": Rows(Variant("op", FORCE_NOTES), 0, len(FORCE_NOTES))},
)
_VALUES = Rows(VALUE, 1, 60)
_ACTION = record(
    {
        "id": Ident(),
        "name": Words(),
        "timing": Words(TIMINGS),
        "effect": Variant("op", EFFECTS),
        "copies": Table({}, {GERMAN: _VALUES, RUSSIAN: _VALUES}),
    },
    {"text": _NOTE, "condition": Fixed(NO_ENEMY_LEFT)},
)
_URANUS = record(
    {
        "id": Ident(),
        "name": Words(),
        "timing": Fixed(OWN_ACTION, "Action Cards, Effect"),
        "play_cost": Variant("op", COSTS),
        "effect": Variant("op", URANUS_EFFECTS),
        "removal": Variant("op", COSTS),
        "firefight": _VALUES,
    },
    {"text": _NOTE},
)


def _counter(name: str, on: str, source: str) -> Table:
    """Declare a kind of counter, of which there is no end. Source: RuleId("counter.not-a-limit")."""
    return record(printed(source, id=name, on=on), printed("", supply="unlimited"))


_COUNTERS = Sequence(
    (
        _counter("ration", "force", "Components, Ration Counters"),
        _counter("rubble", "location", "Components, Rubble Counters"),
        _counter("heroic_service", "force", "Heroic Service"),
    )
)

_TOTAL = Whole(0, 10_000)
COMPONENTS = ("locations", "forces_german", "forces_russian", "actions_german", "actions_russian", "uranus")
"""What a file may count, besides all cards together."""

CARD_FORM = Table(
    {
        "schema": Fixed(SCHEMA),
        "game": Fixed(GAME),
        "rules": RULES_FORM,
        "location": Rows(_LOCATION, LOCATIONS_TOTAL, LOCATIONS_TOTAL),
        "force": Rows(_FORCE, 1, 200),
        "action": Rows(_ACTION, 1, 100),
        "uranus": Rows(_URANUS, 1, 6),
    },
    {
        **PROV,
        "publisher": _NOTE,
        "players": Fixed(2, "Background"),
        "sides": Fixed(SIDES, "Background"),
        "provenance": TableOf(
            Table({"kind": Words(("rulebook", "reconstructed", "public", "owner")), "text": Words()}, {"url": _NOTE})
        ),
        "constraint": TableOf(Words()),
        "components": record({}, dict.fromkeys((*COMPONENTS, "cards_total", "packs", "pack_size"), _TOTAL)),
        "counter": _COUNTERS,
        "vocabulary": TableOf(TableOf(Words())),
    },
)
"""A whole card file. Source: RuleId("game.seats"), RuleId("setup.locations.draw"), ruling.reconstructed-cards."""
