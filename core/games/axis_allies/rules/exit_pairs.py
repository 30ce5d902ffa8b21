"""German infantry that leaves the city: it goes in pairs, and one of two is lost."""

from collections.abc import Iterator
from itertools import combinations_with_replacement

from core.draft import Draft
from core.games.axis_allies.components.board_model import Board, UnitType
from core.games.axis_allies.options import MINOR_AXIS_EXIT_PARTNER
from core.games.axis_allies.rules.commands import ExitPair
from core.games.axis_allies.rules.control import lose
from core.games.axis_allies.rules.force_multiplier import leaves_city
from core.games.axis_allies.rules.land_movement import Land
from core.games.axis_allies.rules.moves import Moves, refuse_border, refuse_land_unit
from core.games.axis_allies.rules.queries import classes, first_like, like
from core.games.axis_allies.rules.refusals import REFUSALS, misplaced, refused
from core.refusal import Refusal
from core.selection import Picks, Selection, refuse_unsorted
from events.ids import PieceId, PlaceId, RuleId, Side
from projections.table import Open, Table

LOSS = RuleId("movement.force-multiplier.exit-loss")

EXIT_LOSS = "exit_loss"


class ExitPairs:
    """Pairs that leave the city.

    Args:
        board: The board.
        moves: The single moves.
    """

    def __init__(self, board: Board, moves: Moves) -> None:
        self.board = board
        self.moves = moves
        self.loss = Selection(
            lambda _: LOSS,
            lambda _, asked: asked.texts("units"),
            lambda *_: (1, 1),
            self._take_loss,
            refuse_other=misplaced,
        )

    def may_pair(self, table: Table, one: UnitType, other: UnitType) -> bool:
        """Return whether two units leave as a pair. Source: ruling.force-multiplier-partner."""
        pair = (one, other)
        if not any(unit.has_force_multiplier for unit in pair):
            return False
        is_minor = MINOR_AXIS_EXIT_PARTNER.is_on(table)
        return all(unit.has_force_multiplier or (is_minor and unit.is_infantry) for unit in pair)

    def legal(self, table: Table, asked: Open) -> Iterator[ExitPair]:
        """Yield the legal pairs."""
        side = table.side_of(asked.seat)
        ways: dict[PlaceId, list[tuple[PlaceId, str]]] = {}
        for origin, unit, to in self._ways(Land(table, self.board, side)):
            ways.setdefault(to, []).append((origin, unit))
        for to, there in ways.items():
            for one, other in combinations_with_replacement(sorted(there), 2):
                pair = ExitPair((one[0], other[0]), (one[1], other[1]), to)
                if self.refuse(table, asked, pair) is None:
                    yield pair

    def _ways(self, land: Land) -> Iterator[tuple[PlaceId, str, PlaceId]]:
        """Yield which units of the city can go where on the Region Board."""
        table, board = land.table, self.board
        for origin in board.city:
            for unit in classes(table, board, origin, land.side):
                piece = first_like(table, origin, unit)
                assert piece is not None
                kind = board.units[table.pieces[piece].kind]
                if kind.has_force_multiplier or kind.is_infantry:
                    for to in land.reach(kind, origin):
                        if not board.zones[to].is_city and self.moves.refuse_walk(land, piece, to) is None:
                            yield origin, unit, to

    def refuse(self, table: Table, asked: Open, pair: ExitPair) -> Refusal | None:
        """Return why a pair cannot leave, or None if it can.

        Source: RuleId("movement.force-multiplier.exit-pair"), ruling.force-multiplier-partner.
        """
        board = self.board
        land = Land(table, board, table.side_of(asked.seat))
        pieces = self._pieces(table, land.side, pair)
        if len(pieces) < 2:
            return refused("unit_must_be_eligible")
        refusal = REFUSALS.first([self._refuse_unit(land, piece, pair.to) for piece in pieces])
        if refusal is not None:
            return refusal
        one, other = [board.units[table.pieces[piece].kind] for piece in pieces]
        leave = all(leaves_city(board, origin, pair.to) for origin in pair.origins)
        if not leave or not self.may_pair(table, one, other):
            return refused("exit_must_be_paired")
        named_as = [f"{origin} {unit}" for origin, unit in zip(pair.origins, pair.units, strict=True)]
        return land.refuse_assault(pair.to) or refuse_unsorted(named_as, may_repeat=True)

    def _refuse_unit(self, land: Land, piece: PieceId, to: PlaceId) -> Refusal | None:
        origin = land.table.pieces[piece].place
        refusal = refuse_land_unit(land.table, self.board, piece) or refuse_border(self.board, land.side, origin, to)
        if refusal is None and origin not in self.board.zones:
            return refused("zones_must_be_adjacent")
        return refusal or self.moves.refuse_walk(land, piece, to)

    def _pieces(self, table: Table, side: Side, pair: ExitPair) -> list[PieceId]:
        """Return the first pieces that a pair names, each once."""
        found: list[PieceId] = []
        for origin, unit in zip(pair.origins, pair.units, strict=True):
            there = [piece for piece in table.pieces_at(origin) if table.pieces[piece].side == side]
            alike = [piece for piece in there if piece not in found and like(table, piece) == unit]
            found += alike[:1]
        return found

    def take(self, draft: Draft, asked: Open, pair: ExitPair) -> None:
        """Move a pair, and ask which of the two is lost. Source: RuleId("movement.force-multiplier.exit-loss"), ruling.force-multiplier-exit-timing."""
        table = draft.table
        pieces = self._pieces(table, table.side_of(asked.seat), pair)
        for piece in pieces:
            self.moves.walk(draft, piece, pair.to)
        units = tuple(sorted({like(table, piece) for piece in pieces}))
        if len(units) == 1:
            lose(draft, pieces[1:], LOSS)
        else:
            draft.ask(EXIT_LOSS, asked.seat, LOSS, {"zone": pair.to, "units": units})

    def _take_loss(self, draft: Draft, asked: Open, picks: Picks) -> None:
        piece = first_like(draft.table, PlaceId(asked.text("zone")), picks[0][0])
        assert piece is not None
        lose(draft, [piece], LOSS)
