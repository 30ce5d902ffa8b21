"""The dice and draws that decide in this game: those of a combat, with the Soviet card and the hidden blocks that it turns up.

Left out are dice about which nobody decides: the compass of the Soviets, the rows of Reinforcements, and the draws of cards and units.
"""

from collections.abc import Sequence

from typing_extensions import override

from core.games.inferno.components.board_model import Board
from core.games.inferno.ids import DEATH_POOL, GERMAN, MIX_ARMS, SIDES, SOVIET, combat_card, enemy
from core.games.inferno.memory import COMBAT
from core.games.inferno.rules.cards import KHRUSHCHEV, has_leader
from core.games.inferno.rules.commands import CommitCards
from core.games.inferno.rules.german_cards import GERMAN_CARD
from core.games.inferno.rules.losses import HITS, attacker, combatants, target
from core.games.inferno.rules.queries import is_soviet_played
from core.games.inferno.rules.soviet_cards import SOVIET_CARD
from core.narration.game_rolls import NO_MARKS, Assumed, GameRolls, Result
from events.ids import CardId, PieceId, PileId, RuleId, Seat, Side
from events.vocabulary import Event, PieceMoved, PieceReturned, PieceTurned, SequenceEnded, StepBegan
from projections.state.table import Table

FOUGHT = frozenset({"soviet_advance", "advance", "blitz", "conceal"})
"""The steps of a combat that follow its fire."""
CLOSE_COMBAT, OPPORTUNITY_FIRE = "Close Combat", "Opportunity Fire"
ARMIES = {GERMAN: "the Germans", SOVIET: "the Soviets"}


class InfernoRolls(GameRolls):
    """The dice and draws of a combat.

    Args:
        board: The board.
    """

    weighed = frozenset({"action", "soviet_action", GERMAN_CARD, SOVIET_CARD, HITS})

    def __init__(self, board: Board) -> None:
        self._board = board

    @override
    def follows(self, table: Table, purpose: str) -> bool:
        return table.topmost(COMBAT) is not None

    @override
    def marked(self, table: Table, purpose: str, about: str) -> frozenset[int]:
        """Return the ones that hit the Soviets themselves under Khrushchev."""
        is_soviet = purpose == OPPORTUNITY_FIRE or (purpose == CLOSE_COMBAT and _side(table, about) == SOVIET)
        return frozenset({1}) if is_soviet and has_leader(table, self._board, KHRUSHCHEV) else NO_MARKS

    @override
    def pool(self, table: Table, purpose: str, about: str, rule: RuleId) -> str:
        """Return a name by the side that fires: only the sum of the hits of its units counts."""
        if purpose == CLOSE_COMBAT:
            return f"{purpose} {_side(table, about)}"
        return purpose if purpose == OPPORTUNITY_FIRE else ""

    @override
    def alike(self, purpose: str, name: CardId) -> str:
        if name in self._board.blocks:
            block = self._board.blocks[name]
            return f"{block.kind} {block.edges}"
        if name not in self._board.cards:
            return MIX_ARMS.get(name, name)
        card = self._board.cards[name]
        is_turned_up = purpose in ("Soviet card of the combat", combat_card(SOVIET))
        return f"{card.title.id} {card.hex}" if is_turned_up else ""

    @override
    def turned_up(self, table: Table) -> Sequence[PileId]:
        return (combat_card(SOVIET),) if table.topmost(COMBAT) is not None else ()

    @override
    def reads_hidden(self, table: Table) -> bool:
        """Return whether a seat knows blocks that the other side does not."""
        return is_soviet_played(table)

    @override
    def assumes(self, table: Table, seat: Seat) -> Assumed | None:
        """Play no card; which of equally strong units are hit makes no difference to how many Steps are lost."""
        asked = table.top
        if asked is None or table.topmost(COMBAT) is None:
            return None
        if asked.kind in (GERMAN_CARD, SOVIET_CARD):
            side = "German" if asked.kind == GERMAN_CARD else "Soviet"
            words = "you add no card" if asked.seat == seat else f"the {side} player adds no card"
            return Assumed(CommitCards(), words)
        return Assumed() if asked.kind == HITS else None

    @override
    def is_settled(self, table: Table, event: Event) -> bool:
        return _is_fought(event)

    @override
    def results(self, before: Table, after: Table, events: Sequence[Event], seat: Seat) -> tuple[Result, ...]:
        """Return whether the attacked hex is cleared, and how many Steps each side loses."""
        at = after.topmost(COMBAT)
        if at is None or not any(map(_is_fought, events)):
            return ()
        own, attacking = after.side_of(seat), attacker(at)
        is_cleared = not combatants(after, at, enemy(attacking))
        is_good = is_cleared == (own == attacking)
        about = f"Hex {target(at)}"
        aim = "cleared" if own == attacking else "held"
        steps = {side: _steps_lost(before, after, events, side) for side in SIDES}
        cleared = Result(about, int(is_good), "cleared" if is_cleared else "held", is_good=is_good, aim=aim)
        lost = [
            Result(
                f"Steps lost by {ARMIES[side]}",
                -steps[side] if side == own else steps[side],
                str(steps[side]),
                number=steps[side],
            )
            for side in (enemy(own), own)
        ]
        return (cleared, *lost)


def _side(table: Table, unit: str) -> Side:
    piece = table.pieces.get(PieceId(unit))
    return Side("") if piece is None else piece.side


def _steps_lost(before: Table, after: Table, events: Sequence[Event], side: Side) -> int:
    """Count the Steps that a side has lost: each one is an event of a unit."""
    lost = 0
    sides = {
        **{piece.id: piece.side for piece in before.pieces.values()},
        **{piece.id: piece.side for piece in after.pieces.values()},
    }
    for event in events:
        match event:
            case PieceTurned(steps=int(steps), steps_was=int(was)):
                lost += steps < was and sides.get(event.piece) == side
            case PieceMoved(to=to):
                lost += to == DEATH_POOL and sides.get(event.piece) == side
            case PieceReturned():
                lost += sides.get(event.piece) == side
            case _:
                pass
    return lost


def _is_fought(event: Event) -> bool:
    is_over = isinstance(event, SequenceEnded) and event.kind == COMBAT
    return is_over or (isinstance(event, StepBegan) and event.kind == COMBAT and event.step in FOUGHT)
