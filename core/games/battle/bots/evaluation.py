"""Evaluation of a table: Locations, Forces, Rations and cards of one side against those of the other."""

from collections.abc import Mapping

from core.bots.evaluation import Weights
from core.engine.decision import Rules
from core.games.battle.ids import GERMAN, enemy
from core.games.battle.rules import queries
from core.games.battle.rules.battle_rules import BattleRules
from events.ids import Side
from projections.state.table import Table

WEIGHTS = Weights(
    0.0,
    {
        "locations": 0.2859,
        "held": 0.2184,
        "around": 0.2622,
        "rations": 0.0841,
        "cards": 0.3936,
        "turn": 1.8627,
        "german": 0.7241,
    },
)
"""Made by `wardiary tune search --game battle --matches 300`."""


def features(rules: Rules, table: Table, side: Side) -> Mapping[str, float]:
    """Return what a side has more than the other.

    Returns:
        `locations` that it Controls; the Combat of the Forces that hold (`held`) and surround (`around`) them; their `rations`; `cards` in hand;
        `turn` is 1 in its own turn, -1 in the other's; `german` is 1 for the
        German side, -1 for the other.
    """
    assert isinstance(rules, BattleRules), "the rules of another game"
    mine, theirs = _counts(rules, table, side), _counts(rules, table, enemy(side))
    found = {name: mine[name] - theirs[name] for name in mine}
    found["turn"] = 1.0 if table.turn == side else -1.0 if table.turn else 0.0
    found["german"] = 1.0 if side == GERMAN else -1.0
    return found


def _counts(rules: BattleRules, table: Table, side: Side) -> dict[str, float]:
    cards = rules.cards
    held = around = rations = 0
    for force in queries.forces_of(cards, table, side):
        combat = queries.combat(cards, table, force)
        if cards.is_control(table.pieces[force].place):
            held += combat
        else:
            around += combat
        rations += queries.rations(table, force)
    return {
        "locations": float(len(queries.controlled(cards, table, side))),
        "held": float(held),
        "around": float(around),
        "rations": float(rations),
        "cards": float(queries.hand_size(table, side)),
    }
