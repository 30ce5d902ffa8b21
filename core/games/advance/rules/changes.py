"""Changes of the table that several chapters make: Morale, support markers, the fate of a unit."""

from core.engine.draft import Draft
from core.games.advance import ids
from core.games.advance.components.board_model import Board
from core.games.advance.memory import STRATEGY_IN_FORCE
from core.games.advance.rules.queries import german_control_count, soviet_at
from events.ids import MarkerId, PieceId, PlaceId, RuleId

MORALE_SOURCES = frozenset(
    (
        RuleId("6.2.1.morale-per-missing-unit"),
        RuleId("14.6.1.breakthrough-64"),
        RuleId("6.3.buy-morale"),
        RuleId("6.4.1.five"),
        RuleId("6.4.1.six"),
        RuleId("9.4.heroes"),
        RuleId("9.5.5.repulse-morale"),
        RuleId("9.5.7.captured-area-bonus"),
        RuleId("6.5.morale-loss"),
    )
)
"""The only rules that move Morale. Source: 5.2, RuleId("5.2.morale-sources"), ruling.morale-sources."""

MORALE_BOUNDS = RuleId("5.2.morale-bounds")
MARKER_ON_ELIMINATION = RuleId("7.2.marker-on-elimination")


def change_morale(draft: Draft, board: Board, amount: int, rule: RuleId) -> None:
    """Move Morale up or down within its bounds; what would go beyond them is lost, which is recorded where nothing else is.

    Args:
        draft: Takes the event; none if there is no change to make.
        board: Has the bounds.
        amount: The change, of any sign.
        rule: One of `MORALE_SOURCES`.

    Source: RuleId("5.2.morale-bounds").
    """
    assert rule in MORALE_SOURCES, f"{rule} does not move Morale"
    now = draft.table.track(ids.MORALE)
    to = min(board.morale.max, max(board.morale.min, now + amount))
    if amount and to == now:
        draft.apply(MORALE_BOUNDS, f"Morale stays at {now}, the {'highest' if amount > 0 else 'lowest'} there is")
    draft.track(ids.MORALE, to, rule)


def move_markers(draft: Draft, marker: MarkerId, count: int, rule: RuleId, *, source: str, to: str) -> None:
    """Move `count` markers of a kind, all of them there, from one place to another."""
    there = draft.table.marker(source, marker)
    assert 0 <= count <= there, f"{count} {marker} markers cannot leave {source}"
    if not count:
        return
    if count == there:
        draft.unmark(source, marker, rule)
    else:
        draft.mark(source, marker, rule, there - count)
    draft.mark(to, marker, rule, draft.table.marker(to, marker) + count)


def put_out_of_action(draft: Draft, unit: PieceId, rule: RuleId) -> None:
    """Put a German unit into the Out of Action Box. Source: 3.7, ruling.eliminated-means-ooa."""
    draft.move(unit, ids.OUT_OF_ACTION, rule)


def eliminate_soviet(draft: Draft, board: Board, area: PlaceId, rule: RuleId) -> None:
    """Take the Soviet unit off an Area, which becomes German-controlled though no German unit may be left in it.

    It never comes back, and no other takes its place.

    Source: 7.2, 9.5.5, RuleId("5.4.no-further-soviets"), RuleId("14.2.no-control-count").
    """
    assert soviet_at(draft.table, area) is not None
    unit = ids.soviet_unit(area)
    draft.unmark(unit, ids.ISOLATED, rule)
    STRATEGY_IN_FORCE.forget(draft, unit, rule)
    draft.move(unit, ids.ELIMINATED, rule)
    draft.control(area, ids.GERMAN, MARKER_ON_ELIMINATION)
    if board.scenarios[draft.table.scenario].counts_control:
        draft.track(ids.CONTROL_COUNT, german_control_count(draft.table, board), MARKER_ON_ELIMINATION)
