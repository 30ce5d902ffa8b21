"""The rolls that decide in this game: the dice of an attack, and the counter that it turns up before them.

Left out are dice about which nobody decides: the Random Event, the supply roll and Bloody Streets come by themselves.
"""

from collections.abc import Sequence

from typing_extensions import override

from core.engine.selection import Done
from core.games.advance.components.board_model import Board
from core.games.advance.memory import ATTACK, OVERRUN, REPULSE, RESULT, STALEMATE, SUCCESS, attackers
from core.games.advance.rules.commands import NameLead
from core.narration.game_rolls import Assumed, GameRolls, Result
from events.ids import CardId, PlaceId, Seat
from events.vocabulary import AttributeSet, Event, SequenceBegan
from projections.state.table import Table

ABOUT = "Result of the attack"
AIM = "Success or Overrun"
BARRAGE = Result(ABOUT, 0, "Barrage first", aim=AIM)
RESULTS = {
    REPULSE: Result(ABOUT, 1, "Repulse", aim=AIM),
    STALEMATE: Result(ABOUT, 2, "Stalemate", aim=AIM),
    SUCCESS: Result(ABOUT, 3, "Success", is_good=True, aim=AIM),
    OVERRUN: Result(ABOUT, 4, "Overrun", is_good=True, aim=AIM),
}


class AdvanceRolls(GameRolls):
    """The rolls of an attack.

    Args:
        board: The board.
    """

    weighed = frozenset({"act", "attackers", "barrage", "lead", "support"})

    def __init__(self, board: Board) -> None:
        self._board = board

    @override
    def follows(self, table: Table, purpose: str) -> bool:
        return table.topmost(ATTACK) is not None

    @override
    def alike(self, purpose: str, name: CardId) -> str:
        counter = self._board.counter(name)
        return f"{counter.strategy} {counter.defence_factor} {counter.is_always_guards}"

    @override
    def assumes(self, table: Table, seat: Seat) -> Assumed | None:
        """Let the strongest unit lead, without support."""
        asked = table.top
        if asked is None or asked.kind not in ("lead", "support") or RESULT.of(table, _area(table)) is not None:
            return None
        if asked.kind == "support":
            return Assumed(
                Done(), "without further support" if asked.picked else "without support, which is chosen next"
            )
        strongest = max(attackers(table), key=lambda unit: self._board.units[unit].attack_factor)
        return Assumed(NameLead(strongest), "the strongest unit leads")

    @override
    def is_settled(self, table: Table, event: Event) -> bool:
        """Return whether a result stands: Fanatic changes it in the very next event."""
        is_fought = not isinstance(event, AttributeSet) and table.topmost(ATTACK) is not None
        return is_fought and not isinstance(event, SequenceBegan) and RESULT.of(table, _area(table)) in RESULTS

    @override
    def results(self, before: Table, after: Table, events: Sequence[Event], seat: Seat) -> tuple[Result, ...]:
        area = _area(after)
        if not area:
            return ()
        if after.top is not None and after.top.kind == "barrage":
            return (BARRAGE,)
        result = RESULT.of(after, area)
        return (RESULTS[result],) if result in RESULTS else ()


def _area(table: Table) -> PlaceId:
    attack = table.topmost(ATTACK)
    return PlaceId("") if attack is None else PlaceId(attack.text("area"))
