"""The rolls that decide in this game: the fire of both sides in a combat, and the fire outside combat.

Left out are dice about which nobody decides: the weather, the losses by Luftwaffe Priorities and by Heroes, and the draw of who bids first.
"""

from collections.abc import Sequence

from typing_extensions import override

from core.engine.selection import Done
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import SIDE_NAMES, enemy
from core.games.axis_allies.memory import COMBAT
from core.games.axis_allies.rules.assigned_fire import (
    AIR_DEFENSE,
    ASSIGN_AIR_DEFENSE,
    ASSIGN_BOMBARDMENT,
    BOMBARDMENT,
    INTERDICTING,
)
from core.games.axis_allies.rules.attack import CROSSING_FIRE, NEXT_CROSSING
from core.games.axis_allies.rules.casualties import TARGETS, exposed
from core.games.axis_allies.rules.combat import ATTACK_FIRE, DEFENCE_FIRE, NEXT_COMBAT
from core.games.axis_allies.rules.commands import KeepTokens
from core.games.axis_allies.rules.reaction import AMBUSH
from core.games.axis_allies.rules.supply import SPENDING
from core.narration.game_rolls import Assumed, GameRolls, Result
from core.telling.dice_text import Roll
from events.ids import PlaceId, RuleId, Seat, Side
from events.vocabulary import DiceRolled, Event, SequenceBegan, SequenceEnded, StepBegan
from projections.state.table import Table

OF_TURN = frozenset({ATTACK_FIRE, CROSSING_FIRE})
OF_REACTION = frozenset({DEFENCE_FIRE, AMBUSH, AIR_DEFENSE.aim.name, INTERDICTING.name})
FIRE = OF_TURN | OF_REACTION | {BOMBARDMENT.aim.name}
OVER = frozenset({"remove", "conclude"})
LOSSES = frozenset({"designate", "casualties", "air_loss", "bombardment_loss", "ambush_casualty"})
"""The questions which units are hit: how many there are does not depend on the answer."""


class AxisAlliesRolls(GameRolls):
    """The fire of a combat and outside combat.

    Args:
        board: The board.
    """

    weighed = frozenset(
        {NEXT_COMBAT, NEXT_CROSSING, SPENDING, TARGETS, AMBUSH, ASSIGN_AIR_DEFENSE, ASSIGN_BOMBARDMENT, "designate"}
    )

    def __init__(self, board: Board) -> None:
        self._board = board

    @override
    def follows(self, table: Table, purpose: str) -> bool:
        return purpose in FIRE

    @override
    def pool(self, table: Table, purpose: str, about: str, rule: RuleId) -> str:
        """Return a name by the kind of shooter, of which the rules only use the number of hits."""
        return f"{purpose} {rule}" if purpose in (ATTACK_FIRE, DEFENCE_FIRE, CROSSING_FIRE) else ""

    @override
    def assumes(self, table: Table, seat: Seat) -> Assumed | None:
        """Spend no token and name no target; who takes the hits makes no difference."""
        asked = table.top
        if asked is None:
            return None
        if asked.kind == SPENDING:
            return Assumed(KeepTokens(), "no supply token is spent")
        if asked.kind == TARGETS:
            return Assumed(Done())
        return Assumed() if asked.kind in LOSSES else None

    @override
    def is_settled(self, table: Table, event: Event) -> bool:
        if isinstance(event, SequenceEnded):
            return event.kind == COMBAT
        at = table.topmost(COMBAT)
        if at is None or isinstance(event, DiceRolled | SequenceBegan):
            return False
        return at.step in OVER or (at.step == "defend" and not isinstance(event, StepBegan))

    @override
    def results(self, before: Table, after: Table, events: Sequence[Event], seat: Seat) -> tuple[Result, ...]:
        """Return the hits of each side that fired, and in a combat who is left."""
        own, turn = before.side_of(seat), before.turn
        hits: dict[Side, int] = {}
        fired = set()
        for event in events:
            if isinstance(event, DiceRolled) and event.purpose in FIRE:
                fired.add(event.purpose)
                side = turn if event.purpose in OF_TURN or event.purpose == BOMBARDMENT.aim.name else enemy(turn)
                hits[side] = hits.get(side, 0) + Roll(event).total
        found = [_hits(side, number, 1 if side == own else -1) for side, number in sorted(hits.items())]
        found.sort(key=lambda result: result.about != _hits(turn, 0, 1).about)
        zone = _zone(before, events)
        if fired == {ATTACK_FIRE, DEFENCE_FIRE} and zone:
            found.insert(0, self._left(before, zone, hits, own))
        return tuple(found)

    def _left(self, table: Table, zone: PlaceId, hits: dict[Side, int], own: Side) -> Result:
        """Return which side has units left after a round of combat."""
        turn = table.turn
        is_cleared = hits[turn] >= len(exposed(table, self._board, zone, enemy(turn)))
        is_repelled = hits[enemy(turn)] >= len(exposed(table, self._board, zone, turn))
        sign = 1 if own == turn else -1
        about, aim = "The zone after this round", f"only the {SIDE_NAMES[own]} are left"
        if is_cleared and is_repelled:
            return Result(about, 0, "nobody is left", aim=aim)
        if is_cleared == is_repelled:
            return Result(about, -sign, "contested", aim=aim)
        left = turn if is_cleared else enemy(turn)
        words = f"only the {SIDE_NAMES[left]} are left"
        return Result(about, 2 if left == own else -2, words, is_good=left == own, aim=aim)


def _hits(side: Side, number: int, sign: int) -> Result:
    return Result(f"Hits of the {SIDE_NAMES[side]}", sign * number, str(number), number=number)


def _zone(before: Table, events: Sequence[Event]) -> PlaceId:
    """Return the zone of the combat that is fought; empty if there is none."""
    begun = [event.arguments["zone"] for event in events if isinstance(event, SequenceBegan) and event.kind == COMBAT]
    at = before.topmost(COMBAT)
    if at is not None:
        return PlaceId(at.text("zone"))
    return PlaceId(str(begun[0])) if begun else PlaceId("")
