"""New deal of a fork: the units of hidden blocks, and the contents of pools, decks and hands."""

from collections.abc import Mapping

from typing_extensions import override

from core.components.inventory import families
from core.engine.dealing import Deal, Dealing, Identity, Limits, Pick, Unknown
from core.games.inferno.components.board_model import Board
from core.games.inferno.components.board_records import GUARDS, MARINE, WHITE
from core.games.inferno.components.inventory import piles
from core.games.inferno.ids import (
    EDGES,
    GERMAN,
    GERMAN_POOL,
    GERMAN_SEATS,
    POOL_PILES,
    SIDES,
    SOVIET,
    combat_card,
    deck_bottom,
    deck_top,
    hand,
)
from core.games.inferno.ids import deck as deck_of
from core.games.inferno.memory import POOL
from core.games.inferno.rules.cards import is_leader
from core.games.inferno.rules.clues import Clues
from core.games.inferno.rules.queries import has_advantage, mixes, stacks
from core.games.inferno.rules.reinforcement_track import is_plain, is_white_box
from core.games.inferno.rules.spawn import is_empowered
from core.games.inferno.rules.stack_colours import StackColours
from events.ids import CardId, PieceId, PileId
from projections.state.table import Table

ARMS = {pile: arm for arm, pile in POOL_PILES.items()}
GERMAN_CARDS = frozenset((*map(hand, GERMAN_SEATS), combat_card(GERMAN)))
"""The piles in which no Leader can be. Source: card.german-leader-immediate."""


class InfernoLimits(Limits):
    """Units and cards that each block, pool and hand can hold.

    Source: card.german-leader-immediate, setup.step-3, setup.step-5, setup.step-9.

    Args:
        board: The board.
        unknown: What the forking seat does not know.
    """

    def __init__(self, board: Board, unknown: Unknown) -> None:
        self.board = board
        self.unknown = unknown
        self.clues = Clues(board, unknown.history)
        known = unknown.known
        has_late = has_advantage(known, SOVIET, "late_deployment")
        self.kept = self.clues.kept_in_pool() if has_late else frozenset[CardId]()
        drawn = {*unknown.pieces, *unknown.followed}
        waiting = [one for one in known.pieces.values() if one.side == GERMAN and not one.kind and one.id not in drawn]
        self.white = sum(is_white_box(board, one.place) for one in waiting)

    @override
    def allow(self, name: str, number: int, card: CardId) -> bool:
        piece = self.unknown.known.pieces.get(PieceId(name))
        if piece is None:
            return self._allow_in_pile(PileId(name), number, card)
        if piece.side == GERMAN:
            return self.clues.may_be(piece.id, card)
        block, arm = self.board.blocks[card], POOL.of(self.unknown.known, piece.id)
        is_of_set_up = block.pool != MARINE and block.kind != GUARDS and card not in self.kept
        return is_of_set_up if arm is None else block.pool == arm

    def _allow_in_pile(self, pile: PileId, number: int, card: CardId) -> bool:
        if pile in ARMS:
            return self.board.blocks[card].pool == ARMS[pile]
        if pile == GERMAN_POOL:
            is_possible = number >= self.white or is_plain(self.board.blocks[card], WHITE)
            return is_possible and self.clues.was_on_track(card)
        return pile not in GERMAN_CARDS or not is_leader(self.board.cards[card])

    @override
    def narrowed(self, pick: Pick) -> Limits | None:
        """Choose which colours blocks have of which it is known what they are together. Source: mode.co-op.no-mixed-stack."""
        colours = StackColours(self.board, self.unknown, self, self.clues).choose(pick)
        return None if colours is None else ColourLimits(self, colours)


class ColourLimits(Limits):
    """The same with the colours chosen for hidden German blocks.

    Args:
        limits: The limits of each by itself.
        colours: The colours of each German block.
    """

    def __init__(self, limits: InfernoLimits, colours: Mapping[PieceId, frozenset[str]]) -> None:
        self.limits = limits
        self.colours = colours

    @override
    def allow(self, name: str, number: int, card: CardId) -> bool:
        colours = self.colours.get(PieceId(name))
        is_of_colour = colours is None or self.limits.board.blocks[card].colour in colours
        return is_of_colour and self.limits.allow(name, number, card)


class InfernoDealing(Dealing):
    """Blocks of a side exchange units with each other and with its pools, as far as their arms and what is known of their way allow.

    Source: fog.blocks-upright, fog.spawn-kind-public, ai.random-strength.

    Args:
        board: The board.
    """

    def __init__(self, board: Board) -> None:
        shared = families(piles(board)) | dict.fromkeys(POOL_PILES.values(), f"{SOVIET} units")
        for side in SIDES:
            shared |= dict.fromkeys((deck_top(side), deck_bottom(side)), shared[deck_of(side)])
        super().__init__({**shared, GERMAN_POOL: f"{GERMAN} units"})
        self.board = board

    @override
    def family(self, name: str, known: Table) -> str:
        piece = known.pieces.get(PieceId(name))
        return super().family(name, known) if piece is None else f"{piece.side} units"

    @override
    def limits(self, unknown: Unknown) -> Limits:
        return InfernoLimits(self.board, unknown)

    @override
    def complete(self, unknown: Unknown, deal: Deal, pick: Pick) -> Deal | None:
        """Give Soviet blocks random edges; German ones that nobody else has seen are at full Strength.

        Source: ai.random-strength, ai.german-full-strength, designer.advantage.marines-empowered.
        """
        pieces: dict[PieceId, Identity] = {}
        for piece, identity in sorted(deal.pieces.items()):
            unit = CardId(identity.kind)
            is_full = unknown.known.pieces[piece].side == GERMAN or is_empowered(unknown.known, self.board, unit)
            face = EDGES[0] if is_full else pick(EDGES, f"edge of {piece}")
            pieces[piece] = Identity(unit, face, self.board.blocks[unit].edge(face).strength)
        return Deal(deal.piles, pieces, deal.attributes)

    @override
    def problem(self, table: Table) -> str:
        """Return why units cannot stand as they do. Source: mode.co-op.no-mixed-stack."""
        is_mixed = any(mixes(table, self.board, (), place) for place in stacks(table, self.board, GERMAN))
        return "Yellow and Blue units are in one Stack" if is_mixed else ""
