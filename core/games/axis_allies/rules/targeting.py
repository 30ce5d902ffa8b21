"""Targeted hits: the firing side names the types on which they fall, before the other side chooses its casualties."""

from collections import Counter
from collections.abc import Callable, Mapping

from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.map_records import ASSAULT_GUN, BOMBER, FIGHTER, TANK
from core.games.axis_allies.ids import enemy
from core.games.axis_allies.rules.casualties import AIR, Wanted, exposed, target
from core.games.axis_allies.rules.fire import TARGETING
from core.games.axis_allies.rules.refusals import misplaced, refused
from core.games.axis_allies.rules.values import INTERCEPTOR, ORDINARY
from core.refusal import Refusal
from core.selection import Pick, Picks, Selection
from events.ids import PlaceId, RuleId, Side
from projections.table import Open, Table

TARGETS = "targets"
FREE = (BOMBER, ASSAULT_GUN, FIGHTER)
"""The shooters that may name a target, and need not."""

Inflict = Callable[[Draft, PlaceId, Side, int, Wanted], None]
"""Lets the enemy of a side choose its casualties in a place: how many hits there are, and on what some must fall."""


class Targeting:
    """The question which targets hits must fall on: each pick is a shooter with the type that it names.

    Args:
        board: The board.
        inflict: Goes on with all hits.

    Source: ruling.hit-allocation-order, ruling.targeted-once.
    """

    def __init__(self, board: Board, inflict: Inflict) -> None:
        self.board = board
        self.inflict = inflict
        self.question = Selection(
            _rule,
            lambda _, asked: [shooter for shooter in FREE if asked.number(shooter)],
            lambda _, asked: (0, sum([asked.number(shooter) for shooter in FREE])),
            self._carry_out,
            places=self._targets,
            refuse_pick=self._refuse_pick,
            refuse_other=misplaced,
            may_repeat=True,
        )

    def settle(self, draft: Draft, place: PlaceId, side: Side, hits: Counter[str]) -> None:
        """Ask a side what its targeted hits must fall on, if that makes a difference, and go on with all hits.

        Args:
            draft: The draft.
            place: Where it fires.
            side: The side.
            hits: Its hits by shooter.

        Source: RuleId("unit.assault-gun.targeted-tanks"), RuleId("unit.fighter.targeted-air"), RuleId("unit.bomber.targeted-land"),
        RuleId("optional.interceptors.must-target-air").
        """
        table, seat = draft.table, draft.table.seat_of(side)
        asked = Open(TARGETS, seat, {"place": place, **{shooter: number for shooter, number in hits.items() if number}})
        there = self._there(table, place, side)
        can_name = any(self._targets(table, asked, shooter) for shooter in FREE if hits[shooter])
        if can_name and hits.total() < there.total() and len(there) > 1:
            draft.ask(TARGETS, seat, _rule(asked), asked.arguments)
        elif hits.total():
            self._carry_out(draft, asked, ())

    def _there(self, table: Table, place: PlaceId, side: Side) -> Counter[str]:
        """Return what the enemy might lose in a place by what it is targeted as."""
        return Counter([target(table, self.board, piece) for piece in exposed(table, self.board, place, enemy(side))])

    def _targets(self, table: Table, asked: Open, shooter: str) -> list[str]:
        """Return the types that a shooter may still name."""
        left = self._there(table, PlaceId(asked.text("place")), table.side_of(asked.seat)) - Counter(asked.places)
        left -= Counter({AIR: asked.number(INTERCEPTOR)})
        allowed = {ASSAULT_GUN: [TANK], FIGHTER: [AIR]}.get(shooter, [one for one in left if one != AIR])
        return [one for one in allowed if left[one]]

    def _refuse_pick(self, table: Table, asked: Open, pick: Pick) -> Refusal | None:
        """Judge a shooter with its target: it has a hit left, and may name an undesignated unit of that type.

        Source: RuleId("unit.assault-gun.targeted-tanks"), RuleId("unit.fighter.targeted-air"), RuleId("unit.bomber.targeted-land").
        """
        has_hit = pick.item in FREE and asked.picked.count(pick.item) < asked.number(pick.item)
        if has_hit and pick.to in self._targets(table, asked, pick.item):
            return None
        return refused("target_must_be_eligible", rule=TARGETING.get(pick.item, _rule(asked)))

    def _carry_out(self, draft: Draft, asked: Open, picks: Picks) -> None:
        place, side = PlaceId(asked.text("place")), draft.table.side_of(asked.seat)
        wanted: Mapping[str, list[str]] = {shooter: [to for item, to in picks if item == shooter] for shooter in FREE}
        forced = min(asked.number(INTERCEPTOR), self._there(draft.table, place, side)[AIR])
        hits = sum([asked.number(shooter) for shooter in (ORDINARY, *TARGETING)])
        self.inflict(draft, place, side, hits, {**wanted, INTERCEPTOR: [AIR] * forced})


def _rule(asked: Open) -> RuleId:
    """Return the rule by which the first shooter with a hit names targets."""
    return next(TARGETING[shooter] for shooter in FREE if asked.number(shooter))
