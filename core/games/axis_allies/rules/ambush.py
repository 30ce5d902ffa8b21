"""Ambush fire in the Reaction phases."""

from collections.abc import Sequence

from core.decision import Decision
from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import enemy
from core.games.axis_allies.memory import FIRED
from core.games.axis_allies.rules.casualties import Losses
from core.games.axis_allies.rules.commands import Ambush
from core.games.axis_allies.rules.control import drop_marker_if_alone, lose
from core.games.axis_allies.rules.fire import scored
from core.games.axis_allies.rules.queries import land
from core.games.axis_allies.rules.refusals import REFUSALS, misplaced, refused
from core.games.axis_allies.rules.supply import Supply
from core.question import Answer, Question, always
from core.refusal import Refusal
from core.selection import Done
from core.sequence import Step
from events.ids import PieceId, RuleId, Side
from projections.table import Open, Table

FIRE = RuleId("ambush.fire")
ROLL = RuleId("ambush.roll")

AMBUSH = "ambush"
AMBUSH_CASUALTY = "ambush_casualty"


class Ambushes(Question):
    """The last step of a Reaction phase: ambushers fire one after another, as often as the reacting side wishes.

    Source: RuleId("ambush.fire"), ruling.optional-fire.
    """

    def __init__(self, board: Board, supply: Supply) -> None:
        super().__init__((Answer(Ambush, self._candidates, self._refuse, self._fire), always(Done(), _end)), misplaced)
        self.board = board
        self.supply = supply
        self.losses = Losses(board, AMBUSH_CASUALTY, self._remove)
        self.step = Step("ambush", FIRE, self._ask, when=lambda table, _: self._can_fire(table, enemy(table.turn)))

    @property
    def decisions(self) -> dict[str, Decision]:
        """The questions of the step."""
        return {AMBUSH: self, AMBUSH_CASUALTY: self.losses.question}

    def go_on(self, draft: Draft, asked: Open) -> None:
        """End the step once no ambusher is left that can fire."""
        if not self._can_fire(draft.table, draft.table.side_of(asked.seat)):
            draft.answered(FIRE)

    def _ask(self, draft: Draft, at: Open) -> None:
        draft.ask(AMBUSH, draft.table.seat_of(enemy(draft.table.turn)), FIRE)

    def _can_fire(self, table: Table, side: Side) -> bool:
        return any(self._refuse_as(table, side, one) is None for one in self._all())

    def _all(self) -> list[Ambush]:
        return [Ambush(site, zone) for site, row in self.board.sites.items() for zone in row.zones]

    def _candidates(self, table: Table, asked: Open) -> list[Ambush]:
        return self._all()

    def _refuse(self, table: Table, asked: Open, command: Ambush) -> Refusal | None:
        return self._refuse_as(table, table.side_of(asked.seat), command)

    def _refuse_as(self, table: Table, side: Side, command: Ambush) -> Refusal | None:
        """Judge a shot of a side.

        Source: RuleId("ambush.fire"), RuleId("ambush.land-only"), RuleId("sequence.fire-once-per-phase").
        """
        row = self.board.sites.get(command.site)
        ambusher = next(iter(land(table, self.board, command.site, side)), None)
        if row is None or command.to not in row.zones:
            return refused("ambush_site_must_be_connected", rule=FIRE)
        if ambusher is None:
            return refused("unit_must_be_able_to_fire", "No ambusher of this side is there.", FIRE)
        return REFUSALS.first(
            (
                refused("unit_must_not_have_fired") if FIRED.of(table, ambusher) else None,
                None
                if land(table, self.board, command.to, enemy(side))
                else refused("target_must_be_present", rule=RuleId("ambush.land-only")),
            )
        )

    def _fire(self, draft: Draft, asked: Open, command: Ambush) -> None:
        """Roll for an ambusher; the face says who chooses the casualty. Source: RuleId("ambush.roll"), RuleId("ambush.no-return-fire")."""
        table, fire = draft.table, self.board.fire
        victim = enemy(table.side_of(asked.seat))
        for ambusher in table.pieces_at(command.site):
            FIRED.set(draft, ambusher, value=True, rule=RuleId("sequence.fire-once-per-phase"))
        faces = draft.dice(1, AMBUSH, ROLL, about=command.to, needed=fire.ambush, each=True, or_less=True)
        seat = asked.seat if scored(faces, fire.ambusher_chooses) else table.seat_of(victim)
        pool = land(table, self.board, command.to, victim)
        self.losses.ask(draft, seat, pool, scored(faces, fire.ambush), ROLL)

    def _remove(self, draft: Draft, pieces: Sequence[PieceId], cause: RuleId) -> None:
        """Remove the casualty, and the Combat Marker with the last of them. Source: RuleId("ambush.last-unit-marker")."""
        hit = draft.table.pieces[pieces[0]]
        lose(draft, pieces, cause)
        drop_marker_if_alone(draft, self.board, hit.place, hit.side, RuleId("ambush.last-unit-marker"))
        self.supply.show(draft)


def _end(draft: Draft, asked: Open, command: Done) -> None:
    draft.answered(FIRE)
