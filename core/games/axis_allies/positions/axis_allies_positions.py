"""The position files of this game: what can be wrong with one besides what its inventory says.

A position opens with the Order Card of its `phase`, or with a `decision` within that card: `buy`, `move`, `ambush`, `launch` or
`next_combat`, whose argument `zone` can name the first combat. What is remembered until the phase ends needs a decision.

What a position leaves out is as in the set-up chart of its scenario; `position_set_up` says how. Pieces are units (`ger_tank/1`), by
default on the ground, and supply tokens (`token/1`), by default in the pools. The deck of Order Cards follows from the phase; cards out
of the game lie in the pile `order_box`. Unsupplied Markers follow from the table, ice bridges and the Don's Frozen Marker from those of
the Round Track.
"""

from collections.abc import Iterator
from functools import cached_property

from core.components.inventory import Inventory
from core.components.inventory_checks import position_defects
from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import (
    ORDER_BOX,
    PHASES,
    PLAYS,
    RACE,
    SIDES,
    STANDARD,
    UNSUPPLIED,
    URANUS_DEPLOYED,
    URANUS_FRONT,
)
from core.games.axis_allies.memory import in_play
from core.games.axis_allies.positions.position_checks import whole_defects
from core.games.axis_allies.positions.position_set_up import DECISIONS, completed, half, set_up_position
from core.games.axis_allies.rules.axis_allies_rules import AxisAlliesRules
from core.position import Defect, Position
from core.position_checks import Openings, opening_defects
from events.codec import replace

STATED = {ORDER_BOX, *URANUS_FRONT.values(), URANUS_DEPLOYED}
"""The piles that a position can state; the others follow."""


class AxisAlliesPositions:
    """Checks positions and sets them up; see `core.ports.Positions`.

    Args:
        board: The packaged board or an owner's.
    """

    def __init__(self, board: Board) -> None:
        self.board = board

    @cached_property
    def rules(self) -> AxisAlliesRules:
        """The rules with which positions are opened."""
        return AxisAlliesRules(self.board)

    @cached_property
    def box(self) -> Inventory:
        """What a position can state, at a decision within a phase."""
        return stated(self.board)

    def check_position(self, position: Position) -> tuple[Defect, ...]:
        """Return every defect of a position; empty if it can be played."""
        full = completed(self.board, self.box, position)
        lasting = self.box if position.decision is not None else stated(self.board, is_under_way=False)
        on_table = [piece.id for piece in full.pieces]
        found = (*self._openings(full), *position_defects(lasting, position, on_table))
        return (*found, *whole_defects(self.board, position, full))

    def set_up_position(self, draft: Draft, position: Position) -> None:
        """Set the table up as a valid position says, and go on to its decision or with the Order Card of its phase."""
        set_up_position(draft, self.rules, self.box, position)

    def _openings(self, position: Position) -> Iterator[Defect]:
        """Source: RuleId("sequence.rounds"), RuleId("sequence.card-order"), ruling.auction-mode."""
        phase, mode = position.phase, PLAYS.get(position.mode or STANDARD, {})
        plays = {seat: position.plays.get(seat, side) for seat, side in mode.items()}
        if plays and sorted(plays.values()) != sorted(SIDES):
            yield Defect(("plays",), f"plays must give the seats {' and '.join(plays)} the sides {' and '.join(SIDES)}")
        sides = (half(phase),) if phase in PHASES.values() else ()
        first = self.board.scenarios[position.scenario or RACE].first_round
        openings = Openings(
            rounds=range(first, self.board.limits.rounds + 1),
            phases=tuple(PHASES.values()),
            sides=sides,
            seats=tuple([seat for seat, side in plays.items() if side in sides]),
            modes=tuple(PLAYS),
            decisions={kind: phase if phase in phases else phases[0] for kind, (_, phases) in DECISIONS.items()},
        )
        yield from opening_defects(position, openings)


def stated(board: Board, *, is_under_way: bool = True) -> Inventory:
    """Return what a position can state; what is remembered until the phase ends only if a phase is under way."""
    full = in_play(board, RACE, {})
    ends = ("turn", "round", "phase") if is_under_way else ("turn", "round")
    of = {group: tuple([one for one in there if one.until in ends]) for group, there in full.memory.of.items()}
    piles = [
        replace(group, names={pile: name for pile, name in group.names.items() if pile in STATED})
        for group in full.piles
    ]
    counters = [group for group in full.counters if group.faces.keys().isdisjoint(UNSUPPLIED.values())]
    return replace(full, counters=counters, piles=piles, memory=replace(full.memory, of=of))
