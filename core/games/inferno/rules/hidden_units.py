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

        self._of_colours: dict[frozenset[str], frozenset[CardId]] = {}
        self._able: dict[tuple[str, bool], frozenset[CardId] | None] = {}

    @override
    def able(self, name: str, number: int) -> frozenset[CardId] | None:
        """Return what a block can be, or what a pool or hand can hold; the first of the German pool are the plain White ones that wait."""
        is_first = name == GERMAN_POOL and number < self.white
        if (name, is_first) not in self._able:
            self._able[name, is_first] = self._found(name, is_first=is_first)
        return self._able[name, is_first]

    def _found(self, name: str, *, is_first: bool) -> frozenset[CardId] | None:
        blocks, piece = self.board.blocks, self.unknown.known.pieces.get(PieceId(name))
        if piece is None:
            return self._in_pile(PileId(name), is_first=is_first)
        if piece.side == GERMAN:
            return frozenset([unit for unit in blocks if self.clues.may_be(piece.id, unit)])
        arm = POOL.of(self.unknown.known, piece.id)
        if arm is not None:
            return frozenset([unit for unit, block in blocks.items() if block.pool == arm])
        return frozenset(
            [
                unit
                for unit, block in blocks.items()
                if block.pool != MARINE and block.kind != GUARDS and unit not in self.kept
            ]
        )

    def _in_pile(self, pile: PileId, *, is_first: bool) -> frozenset[CardId] | None:
        blocks, cards = self.board.blocks, self.board.cards
        if pile in ARMS:
            return frozenset([unit for unit, block in blocks.items() if block.pool == ARMS[pile]])
        if pile == GERMAN_POOL:
            able = [unit for unit in blocks if self.clues.was_on_track(unit)]
            return frozenset([unit for unit in able if is_plain(blocks[unit], WHITE)] if is_first else able)
        return frozenset([card for card in cards if not is_leader(cards[card])]) if pile in GERMAN_CARDS else None

    def of_colours(self, colours: frozenset[str]) -> frozenset[CardId]:
        """Return the units of some colours."""
        if colours not in self._of_colours:
            blocks = self.board.blocks
            self._of_colours[colours] = frozenset([unit for unit in blocks if blocks[unit].colour in colours])
        return self._of_colours[colours]

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
    def able(self, name: str, number: int) -> frozenset[CardId] | None:
        able, colours = self.limits.able(name, number), self.colours.get(PieceId(name))
        if able is None or colours is None:
            return able
        return able & self.limits.of_colours(colours)


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
