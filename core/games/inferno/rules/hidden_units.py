"""How a fork deals again which block is which, and what lies in pools, decks and hands."""

from collections.abc import Mapping, Sequence

from typing_extensions import override

from core.components.inventory import families
from core.dealing import Deal, Dealing, Identity, Pick, Unknown
from core.games.inferno.components.board_model import Board
from core.games.inferno.components.board_records import BLUE, WHITE, YELLOW
from core.games.inferno.components.inventory import piles
from core.games.inferno.ids import (
    EDGES,
    GERMAN,
    GERMAN_POOL,
    GERMAN_SEATS,
    POOL_PILES,
    SIDES,
    combat_card,
    deck_bottom,
    deck_top,
    hand,
)
from core.games.inferno.ids import deck as deck_of
from core.games.inferno.memory import POOL
from core.games.inferno.rules.cards import is_leader
from core.games.inferno.rules.queries import has_partners
from core.games.inferno.rules.reinforcement import is_plain, is_white_box
from core.games.inferno.rules.spawn import is_empowered
from events.ids import CardId, PieceId, PileId
from projections.table import Piece, Table

GERMAN_UNITS = "German units"
SETUP_UNITS = "Soviet units of the set-up"


class InfernoDealing(Dealing):
    """Blocks exchange units with the blocks and the pool from which they can have come; Soviet blocks get new edges.

    Source: RuleId("fog.blocks-upright"), RuleId("fog.spawn-kind-public"), RuleId("ai.random-strength").

    Args:
        board: The board.
    """

    def __init__(self, board: Board) -> None:
        shared = families(piles(board)) | {pile: f"Soviet {arm} units" for arm, pile in POOL_PILES.items()}
        for side in SIDES:
            shared |= dict.fromkeys((deck_top(side), deck_bottom(side)), shared[deck_of(side)])
        super().__init__({**shared, GERMAN_POOL: GERMAN_UNITS})
        self.board = board

    @override
    def family(self, name: str, known: Table) -> str:
        piece = known.pieces.get(PieceId(name))
        if piece is None:
            return super().family(name, known)
        if piece.side == GERMAN:
            return GERMAN_UNITS
        arm = POOL.of(known, piece.id)
        return SETUP_UNITS if arm is None else super().family(POOL_PILES[arm], known)

    @override
    def complete(self, unknown: Unknown, deal: Deal, pick: Pick) -> Deal | None:
        """Give Soviet blocks random edges, and German blocks units that may stand together."""
        known = unknown.known
        dealt = self._units_of_germans(unknown, deal, pick)
        cards = self._without_leaders(deal.piles, pick)
        if dealt is None or cards is None:
            return None
        german, pool = dealt
        looks = {kind: list(there) for kind, there in unknown.looks.items()}
        pieces: dict[PieceId, Identity] = {}
        for piece, identity in sorted(deal.pieces.items()):
            unit = german.get(piece, CardId(identity.kind))
            edges = self.board.blocks[unit]
            if piece in german:
                look = looks[unit].pop() if looks.get(unit) else Identity(unit, EDGES[0], edges.edges[0].strength)
                pieces[piece] = Identity(unit, look.face, look.steps)
            else:
                face = EDGES[0] if is_empowered(known, self.board, unit) else pick(EDGES, f"edge of {piece}")
                pieces[piece] = Identity(unit, face, edges.edge(face).strength)
        piles = {**cards, GERMAN_POOL: pool} if GERMAN_POOL in cards else cards
        return Deal(piles, pieces, deal.attributes)

    def _without_leaders(
        self, piles: Mapping[PileId, tuple[CardId, ...]], pick: Pick
    ) -> dict[PileId, tuple[CardId, ...]] | None:
        """Exchange German Leaders in hands for other cards of the deck; None if it has none.

        Source: RuleId("card.german-leader-immediate").
        """
        found, rest = dict(piles), deck_of(GERMAN)
        for pile in (*[hand(seat) for seat in GERMAN_SEATS], combat_card(GERMAN)):
            for leader in [card for card in found.get(pile, ()) if is_leader(self.board.cards[card])]:
                others = sorted(card for card in found.get(rest, ()) if not is_leader(self.board.cards[card]))
                if not others:
                    return None
                other = CardId(pick(others, f"card for {leader}"))
                found[pile] = tuple(sorted([*[card for card in found[pile] if card != leader], other]))
                found[rest] = tuple(sorted([*[card for card in found[rest] if card != other], leader]))
        return found

    def _units_of_germans(
        self, unknown: Unknown, deal: Deal, pick: Pick
    ) -> tuple[dict[PieceId, CardId], tuple[CardId, ...]] | None:
        """Distribute the German units anew; None if this attempt fails.

        The units of the start and those seen before exchange places among themselves only, as they were dealt. Of the others, enough White Infantry is left
        for the last boxes of the track, and no Stack of two German seats mixes Yellow and Blue.

        Source: RuleId("setup.step-8"), RuleId("setup.step-9"), RuleId("mode.co-op.no-mixed-stack").
        """
        known = unknown.known
        german = {
            piece: CardId(identity.kind)
            for piece, identity in sorted(deal.pieces.items())
            if known.pieces[piece].side == GERMAN
        }
        fixed = {
            piece: unit
            for piece, unit in german.items()
            if piece in unknown.seen_before or self.board.blocks[unit].start is not None
        }
        pool = deal.piles.get(GERMAN_POOL, ())
        left = sorted([*pool, *[unit for piece, unit in german.items() if piece not in fixed]])
        reserve = [f"{GERMAN_POOL}/{number}" for number in range(len(pool))]
        found: dict[str, CardId] = {}
        if pool:
            white = [unit for unit in left if is_plain(self.board.blocks[unit], WHITE)]
            boxes = [piece for piece in self._waiting(known) if piece.id not in deal.pieces]
            for number in range(sum(is_white_box(self.board, piece.place) for piece in boxes)):
                if not white:
                    return None
                unit = CardId(pick(white, f"White Infantry {number} of the track"))
                white.remove(unit)
                left.remove(unit)
                found[reserve[number]] = unit
        slots = [*[name for name in reserve if name not in found], *[piece for piece in german if piece not in fixed]]
        labels = self._labels(known, fixed, left, pick) if has_partners(known) else {}
        if labels is None:
            return None
        for colour in (YELLOW, BLUE, WHITE):
            units = [unit for unit in left if self.board.blocks[unit].colour == colour]
            open_ = [
                name for name in slots if name not in found and (colour == WHITE or labels.get(name, colour) == colour)
            ]
            if len(open_) < len(units):
                return None
            for unit in units:
                name = pick(open_, f"place of {unit}")
                open_.remove(name)
                found[name] = unit
        units_of = {**fixed, **{piece: found[piece] for piece in german if piece not in fixed}}
        return units_of, tuple(sorted(found[name] for name in reserve))

    def _waiting(self, known: Table) -> list[Piece]:
        return [piece for piece in known.pieces.values() if piece.side == GERMAN and not piece.kind]

    def _labels(
        self, known: Table, fixed: dict[PieceId, CardId], left: Sequence[CardId], pick: Pick
    ) -> dict[str, str] | None:
        """Choose which colour, White aside, the units of each Stack may have, so that all units of a colour find room; None if the deal mixes them.

        Args:
            known: The table as the seat knows it.
            fixed: The units that keep their places.
            left: The units to distribute.
            pick: Chooses by chance.
        """
        found: dict[str, str] = {}
        unnamed: list[tuple[PieceId, ...]] = []
        missing = {colour: sum(self.board.blocks[unit].colour == colour for unit in left) for colour in (YELLOW, BLUE)}
        for place in self.board.hexes:
            there = known.pieces_at(place)
            if not there or known.pieces[there[0]].side != GERMAN:
                continue
            kinds = [fixed.get(piece) or CardId(known.pieces[piece].kind) for piece in there]
            colours = {self.board.blocks[kind].colour for kind in kinds if kind} - {WHITE}
            if len(colours) > 1:
                return None
            if colours:
                found |= dict.fromkeys(there, colour := next(iter(colours)))
                missing[colour] -= kinds.count(CardId(""))
            else:
                unnamed.append(there)
        while unnamed:
            there = unnamed.pop(int(pick([str(number) for number in range(len(unnamed))], "next Stack")))
            # The colour that lacks more room gets the Stack if one of them does.
            wanted = [colour for colour in (YELLOW, BLUE) if missing[colour] == max(missing.values())]
            colour = pick(wanted if max(missing.values()) > 0 else (YELLOW, BLUE), f"colour of {there[0]}")
            found |= dict.fromkeys(there, colour)
            missing[colour] -= len(there)
        return found

    @override
    def problem(self, table: Table) -> str:
        """Return why units cannot lie as they do: the last boxes of the track began with White Infantry."""
        boxes = sum(is_white_box(self.board, piece.place) for piece in self._waiting(table))
        white = sum(is_plain(self.board.blocks[unit], WHITE) for unit in table.pile(GERMAN_POOL).cards)
        return "" if boxes <= white else "too little White Infantry is left for the last boxes of the track"
