"""The question which one unit of several zones is lost; it is not asked where there is no choice."""

from collections.abc import Callable, Mapping, Sequence

from core.draft import Draft
from core.games.axis_allies.rules.queries import like
from core.games.axis_allies.rules.refusals import misplaced, refused
from core.refusal import Refusal
from core.selection import Pick, Picks, Selection
from events.ids import PieceId, PlaceId, RuleId, Seat
from projections.table import Open, Table


class OneUnit:
    """One kind of question which unit is lost: each pick is a class of units (`queries.like`) with its zone.

    `pool` returns the units by their zones, `take` is called with the chosen one.
    """

    def __init__(
        self,
        kind: str,
        rule: RuleId,
        pool: Callable[[Table], Mapping[PlaceId, Sequence[PieceId]]],
        take: Callable[[Draft, PieceId], None],
    ) -> None:
        self.kind = kind
        self.rule = rule
        self.pool = pool
        self.take = take
        self.question = Selection(
            lambda _: rule,
            lambda table, _: list(dict.fromkeys([one for one, _ in self._choices(table)])),
            lambda *_: (1, 1),
            self._carry_out,
            places=lambda table, _, item: [zone for one, zone in self._choices(table) if one == item],
            refuse_pick=self._refuse_pick,
            refuse_other=misplaced,
        )

    def ask(self, draft: Draft, seat: Seat) -> None:
        """Let a seat choose the unit, or record that there is none."""
        choices = self._choices(draft.table)
        if not choices:
            draft.apply(self.rule, "no unit can be lost")
        if len(choices) > 1:
            draft.ask(self.kind, seat, self.rule)
        for piece in choices.values() if len(choices) == 1 else ():
            self.take(draft, piece)

    def _choices(self, table: Table) -> dict[tuple[str, PlaceId], PieceId]:
        """Return the first unit of each class in each zone."""
        found: dict[tuple[str, PlaceId], PieceId] = {}
        for zone, pieces in self.pool(table).items():
            for piece in pieces:
                found.setdefault((like(table, piece), zone), piece)
        return found

    def _refuse_pick(self, table: Table, asked: Open, pick: Pick) -> Refusal | None:
        is_there = (pick.item, pick.to) in self._choices(table)
        return None if is_there else refused("casualty_must_be_eligible", rule=self.rule)

    def _carry_out(self, draft: Draft, asked: Open, picks: Picks) -> None:
        choices = self._choices(draft.table)
        for one, zone in picks:
            self.take(draft, choices[one, PlaceId(zone)])
