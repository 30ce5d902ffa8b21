"""The draws that decide in this game: the two cards that are flipped at the end of a Firefight.

Left out are draws into a hand and the next Force of a deck: what comes is told by what is left in the deck, and no option stakes anything on it.
"""

from collections.abc import Sequence

from typing_extensions import override

from core.engine.command import Command
from core.engine.selection import Done
from core.games.battle.components.card_model import Cards
from core.games.battle.ids import SIDE_NAMES, enemy
from core.games.battle.memory import HITS
from core.games.battle.rules.commands import Attack, Pass, PlayCard
from core.narration.game_rolls import Assumed, GameRolls, Result
from events.ids import CardId, Seat, Side
from events.vocabulary import Event, SequenceEnded, StepBegan
from projections.state.table import Table

NO_MORE = "neither side plays another card"
FOUGHT = frozenset({"defender_absorbs", "attacker_absorbs", "heroic_service", "aftermath"})
"""The steps of a battle that follow its totals."""


class BattleRolls(GameRolls):
    """The flips of a battle.

    Args:
        cards: The cards.
    """

    weighed = frozenset({"action", "attackers", "join_attack", "answer_battle", "firefight"})

    def __init__(self, cards: Cards) -> None:
        self._cards = cards

    @override
    def may_roll(self, table: Table, command: Command) -> bool:
        """Return whether an Action begins a battle: an Attack, or a card that makes one."""
        if table.top is None or table.top.kind != "action":
            return True
        is_attacking_card = (
            isinstance(command, PlayCard) and self._cards.cards[command.card].title.op == "move_and_attack"
        )
        return isinstance(command, Attack) or is_attacking_card

    @override
    def follows(self, table: Table, purpose: str) -> bool:
        return purpose == "flip"

    @override
    def alike(self, purpose: str, name: CardId) -> str:
        card = self._cards.cards[name]
        return f"{card.side} {card.value}"

    @override
    def assumes(self, table: Table, seat: Seat) -> Assumed | None:
        """Let the Forces that are picked attack, and both sides play no further card."""
        asked = table.top
        if asked is None:
            return None
        if asked.kind == "attackers":
            return Assumed(Done(), "no other Force joins") if asked.picked else None
        if asked.kind == "join_attack":
            return Assumed(Done(), "no other Force joins")
        is_battle = table.topmost("battle") is not None
        return Assumed(Pass(), NO_MORE) if is_battle and asked.kind in ("answer_battle", "firefight") else None

    @override
    def is_settled(self, table: Table, event: Event) -> bool:
        return _is_fought(event)

    @override
    def results(self, before: Table, after: Table, events: Sequence[Event], seat: Seat) -> tuple[Result, ...]:
        """Return the Hits that each side has to absorb."""
        if not any(map(_is_fought, events)):
            return ()
        own = after.side_of(seat)
        other = enemy(own)
        return (_hits(other, HITS.of(after, other), 1), _hits(own, HITS.of(after, own), -1))


def _hits(side: Side, number: int, sign: int) -> Result:
    return Result(f"Hits on the {SIDE_NAMES[side]} side", sign * number, str(number), number=number)


def _is_fought(event: Event) -> bool:
    is_over = isinstance(event, SequenceEnded) and event.kind == "battle"
    return is_over or (isinstance(event, StepBegan) and event.kind == "battle" and event.step in FOUGHT)
