"""Colours of hidden German blocks such that no Stack of two German seats mixes Yellow and Blue: chosen anew for each deal."""

from collections import Counter

from core.engine.dealing import Limits, Pick, Unknown
from core.games.inferno.components.board_model import Board
from core.games.inferno.components.board_records import BLUE, WHITE, YELLOW
from core.games.inferno.ids import GERMAN
from core.games.inferno.rules.clues import RAUS, Clues
from events.ids import CardId, PieceId

OTHER = {YELLOW: BLUE, BLUE: YELLOW}


class StackColours:
    """The choice of colours for one deal.

    Args:
        board: The board.
        unknown: What the forking seat does not know.
        limits: What each block can be by itself.
        clues: What is known of their way.
    """

    def __init__(self, board: Board, unknown: Unknown, limits: Limits, clues: Clues) -> None:
        self.board = board
        self.clues = clues
        known, blocks = unknown.known, board.blocks
        german = board.blocks_of(GERMAN, has_axe=RAUS in clues.origin.values())
        self.colours: dict[PieceId, frozenset[str]] = {}
        for there in known.pieces.values():
            kind = there.kind or unknown.followed.get(there.id, "")
            if there.side == GERMAN and kind:
                self.colours[there.id] = frozenset((blocks[CardId(kind)].colour,))
        seen = {*[piece.kind for piece in known.pieces.values()], *unknown.followed.values()}
        self.needed = Counter([block.colour for block in german if block.id not in seen])
        self.open = [piece for piece in unknown.pieces if known.pieces[piece].side == GERMAN]
        for piece in self.open:
            able = limits.able(piece, 0) or frozenset()
            self.colours[piece] = frozenset(block.colour for block in german if block.id in able)
        self.pairs = [pair for pair in sorted(clues.pairs) if all(piece in self.colours for piece in pair)]

    def choose(self, pick: Pick) -> dict[PieceId, frozenset[str]] | None:
        """Return the colours that each hidden block can have, or None if this attempt fails."""
        if not self._settle() or not self._share_out(pick) or not self._bar(pick):
            return None
        while doubtful := [pair for pair in self.pairs if self._is_doubtful(*pair)]:
            both = sorted({piece for pair in doubtful for piece in pair if self.colours[piece] >= {YELLOW, BLUE}})
            if both:
                piece = both[int(pick(_numbers(both), f"next of {len(both)} blocks that can be Yellow and Blue"))]
                self._take(piece, OTHER[self._wanted(pick, piece)])
            else:
                number = int(pick(_numbers(doubtful), f"next of {len(doubtful)} pairs"))
                piece = PieceId(pick(doubtful[number], f"the White one of pair {number} of {len(doubtful)}"))
                self.colours[piece] = frozenset((WHITE,)) & self.colours[piece]
            if not self._settle():
                return None
        return {piece: self.colours[piece] for piece in self.open}

    def _share_out(self, pick: Pick) -> bool:
        """Give one block of each group the colour that one of it has; return whether that is possible."""
        for number, (group, colours) in enumerate(self.clues.shared):
            there = [piece for piece in group if piece in self.colours]
            if any(self.colours[piece] <= colours for piece in there):
                continue
            able = [piece for piece in there if self.colours[piece] & colours]
            if not able:
                return False
            self.colours[PieceId(pick(able, f"block of group {number}"))] &= colours
            if not self._settle():
                return False
        return True

    def _bar(self, pick: Pick) -> bool:
        """Let no block have a colour that it cannot have unless one of a Stack has the other one; return whether that is possible."""
        for number, (piece, colour, stack) in enumerate(self.clues.barred):
            own, there = self.colours.get(piece, frozenset()), [other for other in stack if other in self.colours]
            other_colour = frozenset((OTHER[colour],))
            if colour not in own or any(self.colours[other] == other_colour for other in there):
                continue
            able: list[str] = [other for other in there if self.colours[other] > other_colour]
            chosen = PieceId(pick([*able, piece], f"what barred {number}"))
            self.colours[chosen] = own - {colour} if chosen == piece else other_colour
            if not self._settle():
                return False
        return True

    def _settle(self) -> bool:
        """Take from each block the colour that one beside it excludes; return whether each still has one."""
        is_settled = False
        while not is_settled:
            is_settled = True
            for one, other in (*self.pairs, *[(other, one) for one, other in self.pairs]):
                for colour in (YELLOW, BLUE):
                    if self.colours[one] == {colour} and OTHER[colour] in self.colours[other]:
                        self._take(other, OTHER[colour])
                        is_settled = False
        return all(self.colours.values())

    def _is_doubtful(self, one: PieceId, other: PieceId) -> bool:
        return any(colour in self.colours[one] and OTHER[colour] in self.colours[other] for colour in (YELLOW, BLUE))

    def _take(self, piece: PieceId, colour: str) -> None:
        self.colours[piece] -= {colour}

    def _wanted(self, pick: Pick, piece: PieceId) -> str:
        """Return the colour that lacks more room, by chance if both do or neither."""
        coloured = [self.colours[piece] - {WHITE} for piece in self.open]
        room = Counter([next(iter(colours)) for colours in coloured if len(colours) == 1])
        lacking = {colour: max(0, self.needed[colour] - room[colour]) for colour in (YELLOW, BLUE)}
        wanted = [colour for colour in (YELLOW, BLUE) if lacking[colour] == max(lacking.values())]
        return pick(wanted, f"colour of {piece}")


def _numbers(items: list[PieceId] | list[tuple[PieceId, PieceId]]) -> list[str]:
    return [str(number) for number in range(len(items))]
