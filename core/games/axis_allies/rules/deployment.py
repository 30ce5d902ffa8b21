"""Units that come onto the boards: which components are left for them, how they are deployed, and how Force Multiplier doubles them."""

from collections import Counter
from collections.abc import Iterable, Mapping

from core.engine.draft import Draft
from core.games.axis_allies.components.board_model import Board, UnitType
from core.games.axis_allies.components.inventory import numbers
from core.games.axis_allies.components.map_records import INFANTRY
from core.games.axis_allies.ids import ASSAULT, BATTLE, FLYING, POOL, enemy
from core.games.axis_allies.memory import CREATED, MOVE
from core.games.axis_allies.options import AT_DEPLOYMENT, COMPONENT_LIMITS
from core.games.axis_allies.rules.control import begin_assault, end_fight, take
from core.games.axis_allies.rules.queries import free_unit, is_contested, is_friendly, is_occupied, tokens
from core.games.axis_allies.rules.refusals import refused
from core.refusal import Refusal
from events.ids import PieceId, PlaceId, RuleId, Side
from projections.state.table import Table

Stacks = dict[str, Counter[PlaceId]]
"""The sizes of the stacks of each unit type, by their places."""


def stacks(table: Table, board: Board) -> Stacks:
    """Return the stacks on the table; what a bomber carries is a stack of its own."""
    found: Stacks = {kind: Counter() for kind in board.units}
    for piece in table.pieces.values():
        if piece.kind in found:
            found[piece.kind][piece.place] += 1
    return found


class Components:
    """The pieces and chips that are left, as one state of the table has them."""

    def __init__(self, table: Table, board: Board) -> None:
        self.table = table
        self.board = board
        self.numbers = Counter([piece.kind for piece in table.pieces.values()])
        self._stacks: Stacks | None = None

    def _there(self) -> Stacks:
        """Return the stacks on the table."""
        if self._stacks is None:
            self._stacks = stacks(self.table, self.board)
        return self._stacks

    def can_add(self, kind: str, place: PlaceId, number: int = 1) -> bool:
        """Return whether pieces and chips allow more units of a type in a place."""
        # The most frequent case.
        if self.numbers[kind] + number <= self.board.units[kind].figures:
            return True
        return self.can_add_all({kind: number}, place)

    def can_add_all(self, kinds: Mapping[str, int], place: PlaceId) -> bool:
        """Return whether pieces and chips allow more units of some types in a place, all together.

        Source: components.unit-limit, components.limits-general, ruling.chips-enforced.
        """
        table, board = self.table, self.board
        totals = {kind: self.numbers[kind] + number for kind, number in kinds.items()}
        if all(total <= board.units[kind].figures for kind, total in totals.items()):
            return True
        if COMPONENT_LIMITS.chosen(table) != AT_DEPLOYMENT:
            return all(total <= len(numbers(board, board.units[kind])) for kind, total in totals.items())
        there = self._there()
        after = {**there, **{kind: there[kind] + Counter({place: number}) for kind, number in kinds.items()}}
        gray, _ = chips(board, after)
        return gray <= board.file.components.gray_chips and all(
            len(after[kind]) <= board.units[kind].figures for kind in kinds
        )


def can_add(table: Table, board: Board, kind: str, place: PlaceId, number: int = 1) -> bool:
    """Return whether pieces and chips allow more units of a type in a place."""
    return Components(table, board).can_add(kind, place, number)


def can_add_all(table: Table, board: Board, kinds: Mapping[str, int], place: PlaceId) -> bool:
    """Return whether pieces and chips allow more units of some types in a place, all together."""
    return Components(table, board).can_add_all(kinds, place)


def places_with_room(table: Table, board: Board, kind: str) -> list[PlaceId] | None:
    """Return the places of a type where one more unit could lie on chips, if all its pieces are in use; else None.

    Source: components.unit-limit, ruling.chips-enforced.
    """
    there = stacks(table, board)[kind]
    if COMPONENT_LIMITS.chosen(table) != AT_DEPLOYMENT or len(there) < board.units[kind].figures:
        return None
    return [place for place in there if can_add(table, board, kind, place)]


def chips(board: Board, there: Stacks) -> tuple[int, int]:
    """Return how many gray and green chips show the units beyond the pieces, with as many green ones as possible.

    A green chip stands for units of one stack, each of which is topped by a piece.

    Source: components.chips, components.unit-limit.
    """
    worth = board.file.components.green_worth
    beyond = threes = 0
    for kind, sizes in there.items():
        more = max(0, sizes.total() - board.units[kind].figures)
        beyond += more
        threes += min(more // worth, sum([(size - 1) // worth for size in sizes.values()]))
    green = min(threes, board.file.components.green_chips)
    return beyond - green * worth, green


def combat_markers_left(table: Table, board: Board) -> int:
    """Return how many Combat Markers are in the pool. Source: components.combat-markers."""
    left = board.file.components.combat_markers
    for there in table.markers.values():
        left -= there.get(ASSAULT, 0) + there.get(BATTLE, 0)
    return left


def refuse_assault(table: Table, board: Board, place: PlaceId) -> Refusal | None:
    """Return why no Assault can begin in a hostile zone or above a crossing, or None where a marker lies or is left.

    Source: components.combat-markers.exhausted, ruling.marker-shortage-forced.
    """
    if is_contested(table, place) or combat_markers_left(table, board):
        return None
    return refused("combat_marker_must_be_available")


UNAVAILABLE = RuleId("components.limits-general")
INTO_EMPTY = RuleId("deployment.into-hostile-empty")


def refuse_deploy(left: Components, kind: str, zone: PlaceId) -> Refusal | None:
    """Return why a unit of a type cannot be deployed in a zone in which it may arrive, or None if it can.

    Source: components.limits-general, ruling.marker-shortage-forced.
    """
    if not left.can_add(kind, zone):
        return refused("piece_must_be_available")
    unit = left.board.units[kind]
    return None if unit.is_air else refuse_arrival(left.table, left.board, unit.side, zone)


def refuse_arrival(table: Table, board: Board, side: Side, zone: PlaceId) -> Refusal | None:
    """Return why land units of a side cannot be deployed in a zone for lack of a Combat Marker, or None if they can.

    Source: deployment.into-hostile-occupied, deployment.into-hostile-empty, ruling.marker-shortage-forced.
    """
    return None if is_friendly(table, zone, side) else refuse_assault(table, board, zone)


def deploy(draft: Draft, board: Board, kind: str, zone: PlaceId, rule: RuleId) -> PieceId | None:
    """Place a unit, aircraft in the air, and return it; return None if no component is left for it, so that it is lost.

    Source: deployment.air, components.limits-general, ruling.pool-exhausted.
    """
    if not can_add(draft.table, board, kind, zone):
        draft.apply(UNAVAILABLE, "no piece is left", kind)
        return None
    unit = board.units[kind]
    piece = free_unit(draft.table, kind)
    draft.place(piece, zone, rule, kind=kind, side=unit.side, face=FLYING if unit.is_air else "")
    return piece


def deploy_token(draft: Draft, side: Side, zone: PlaceId, rule: RuleId) -> None:
    """Place a supply token from a side's pool, if one is left there. Source: components.supply-tokens, ruling.pool-exhausted."""
    left = tokens(draft.table, POOL[side], side)
    if left:
        draft.move(left[0], zone, rule)
    else:
        draft.apply(UNAVAILABLE, "no supply token is left", zone)


def deploy_all(draft: Draft, board: Board, kinds: Iterable[str], zone: PlaceId, rule: RuleId) -> None:
    """Place units of a side together; if land units come into a hostile zone, they assault it or take it at once.

    Source: deployment.into-hostile-occupied, deployment.into-hostile-empty, ruling.deploy-into-contested.
    """
    table = draft.table
    placed = [piece for piece in [deploy(draft, board, kind, zone, rule) for kind in kinds] if piece is not None]
    arrived = [board.units[table.pieces[piece].kind] for piece in placed]
    side = next((unit.side for unit in arrived if not unit.is_air), None)
    if side is None or is_friendly(table, zone, side):
        return
    if is_occupied(table, board, zone, enemy(side)):
        begin_assault(draft, zone, RuleId("deployment.into-hostile-occupied"))
    else:
        end_fight(draft, zone, INTO_EMPTY)
        take(draft, board, zone, side, INTO_EMPTY)


DOUBLED_MECH = RuleId("movement.force-multiplier.mech")
STATIC = RuleId("movement.force-multiplier.new-unit-static")


def leaves_city(board: Board, origin: PlaceId, to: PlaceId) -> bool:
    """Return whether a move leads from the City Board to the Region Board; its ends count. Source: ruling.force-multiplier-roundtrip."""
    return board.zones[origin].is_city and not board.zones[to].is_city


def is_doubled(board: Board, unit: UnitType, origin: PlaceId, to: PlaceId) -> bool:
    """Return whether a unit brings a free infantry along. Source: movement.force-multiplier.others."""
    return unit.has_force_multiplier and leaves_city(board, to, origin)


def arrivals(table: Table, board: Board, unit: UnitType, origin: PlaceId, to: PlaceId) -> int:
    """Return how many land units a unit's move brings into a zone. Source: ruling.stacking-eviction, ruling.force-multiplier-pool."""
    more = is_doubled(board, unit, origin, to) and can_add(table, board, _infantry(board, unit), to)
    return 2 if more else 1


def multiply(draft: Draft, board: Board, piece: PieceId, origin: PlaceId, to: PlaceId) -> None:
    """Deploy the free infantry of a unit that has moved, by land or by air.

    Source: movement.force-multiplier.infantry, movement.force-multiplier.mech, ruling.force-multiplier-pool.
    """
    unit = board.units[draft.table.pieces[piece].kind]
    if not is_doubled(board, unit, origin, to):
        return
    rule = RuleId("movement.force-multiplier.infantry") if unit.is_infantry else DOUBLED_MECH
    created = deploy(draft, board, _infantry(board, unit), to, rule)
    if created is not None:
        MOVE.set(draft, created, CREATED, STATIC)


def _infantry(board: Board, unit: UnitType) -> str:
    """Return the infantry of a unit's nation."""
    return next(kind for kind, one in board.units.items() if one.type == INFANTRY and one.nation == unit.nation)
