"""What follows when a land unit enters a zone: an Assault, and the mark of an unfrozen river."""

from core.draft import Draft
from core.games.axis_allies.memory import ACROSS_RIVER
from core.games.axis_allies.rules.control import begin_assault
from core.games.axis_allies.rules.queries import is_friendly, is_in_battle
from events.ids import PieceId, PlaceId, RuleId

ASSAULT_BEGINS = RuleId("movement.assault-marker")
RIVER = RuleId("combat.mod.throw-them-back")


def enter(
    draft: Draft, piece: PieceId, to: PlaceId, rule: RuleId, *, is_over_river: bool, river: RuleId = RIVER
) -> None:
    """Move a land unit into a zone, with what follows at once.

    Args:
        draft: The draft.
        piece: The unit, in a zone or on a Volga Crossing.
        to: The zone.
        rule: The rule under which it moves.
        is_over_river: The last step crosses an unfrozen river.
        river: The rule by which that counts.

    Source: RuleId("movement.assault-marker"), RuleId("movement.reinforce-contested"), ruling.assault-river-flag.
    """
    table = draft.table
    there = table.pieces[piece]
    draft.move(piece, to, rule)
    if not is_friendly(table, to, there.side):
        begin_assault(draft, to, ASSAULT_BEGINS)
        if is_over_river and not is_in_battle(table, to):
            ACROSS_RIVER.set(draft, to, value=True, rule=river)
