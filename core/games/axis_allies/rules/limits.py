"""Which components are left: pieces and chips for units, and Combat Markers. Tokens and ferries are counted where they lie."""

from collections import Counter
from collections.abc import Mapping

from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.inventory import numbers
from core.games.axis_allies.ids import ASSAULT, BATTLE
from core.games.axis_allies.options import AT_DEPLOYMENT, COMPONENT_LIMITS
from core.games.axis_allies.rules.queries import is_contested
from core.games.axis_allies.rules.refusals import refused
from core.refusal import Refusal
from events.ids import PlaceId
from projections.table import Table

Stacks = dict[str, Counter[PlaceId]]
"""The sizes of the stacks of each unit type, by their places."""


def stacks(table: Table, board: Board) -> Stacks:
    """Return the stacks on the table; what a bomber carries is a stack of its own."""
    found: Stacks = {kind: Counter() for kind in board.units}
    for piece in table.pieces.values():
        if piece.kind in found:
            found[piece.kind][piece.place] += 1
    return found


def can_add(table: Table, board: Board, kind: str, place: PlaceId, number: int = 1) -> bool:
    """Return whether pieces and chips allow more units of a type in a place."""
    return can_add_all(table, board, {kind: number}, place)


def can_add_all(table: Table, board: Board, kinds: Mapping[str, int], place: PlaceId) -> bool:
    """Return whether pieces and chips allow more units of some types in a place, all together.

    Source: RuleId("components.unit-limit"), RuleId("components.limits-general"), ruling.chips-enforced.
    """
    totals = Counter([piece.kind for piece in table.pieces.values() if piece.kind in kinds])
    totals.update(kinds)
    if all(total <= board.units[kind].figures for kind, total in totals.items()):
        return True
    if COMPONENT_LIMITS.chosen(table) != AT_DEPLOYMENT:
        return all(total <= len(numbers(board, board.units[kind])) for kind, total in totals.items())
    after = stacks(table, board)
    for kind, number in kinds.items():
        after[kind][place] += number
    gray, _ = chips(board, after)
    return gray <= board.components.gray_chips and all(len(after[kind]) <= board.units[kind].figures for kind in kinds)


def chips(board: Board, there: Stacks) -> tuple[int, int]:
    """Return how many gray and green chips show the units beyond the pieces, with as many green ones as possible.

    A green chip stands for units of one stack, each of which is topped by a piece.

    Source: RuleId("components.chips"), RuleId("components.unit-limit").
    """
    worth = board.components.green_worth
    beyond = threes = 0
    for kind, sizes in there.items():
        more = max(0, sizes.total() - board.units[kind].figures)
        beyond += more
        threes += min(more // worth, sum([(size - 1) // worth for size in sizes.values()]))
    green = min(threes, board.components.green_chips)
    return beyond - green * worth, green


def combat_markers_left(table: Table, board: Board) -> int:
    """Return how many Combat Markers are in the pool. Source: RuleId("components.combat-markers")."""
    used = [there.get(face, 0) for there in table.markers.values() for face in (ASSAULT, BATTLE)]
    return board.components.combat_markers - sum(used)


def refuse_assault(table: Table, board: Board, place: PlaceId) -> Refusal | None:
    """Return why no Assault can begin in a hostile zone or above a crossing, or None where a marker lies or is left.

    Source: RuleId("components.combat-markers.exhausted"), ruling.marker-shortage-forced.
    """
    if is_contested(table, place) or combat_markers_left(table, board):
        return None
    return refused("combat_marker_must_be_available")
