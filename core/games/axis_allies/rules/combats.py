"""The combats of an Attack phase: one round in each contested zone, in the order that the attacker chooses."""

from core.decision import Decision
from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.memory import FOUGHT
from core.games.axis_allies.rules.combat import Combat
from core.games.axis_allies.rules.queries import contested
from core.games.axis_allies.rules.refusals import misplaced, refused
from core.games.axis_allies.rules.supply import Supply
from core.refusal import Refusal
from core.selection import Pick, Picks, Selection
from core.sequence import Step, StepSequence
from events.ids import PlaceId, RuleId
from projections.table import Open, Table

MANDATORY = RuleId("combat.mandatory")
ORDER = RuleId("combat.order")
ONE_ROUND = RuleId("combat.one-round")

NEXT_COMBAT = "next_combat"


class Combats:
    """The step of an Attack phase in which combats are fought. Source: RuleId("combat.mandatory"), RuleId("combat.order")."""

    def __init__(self, board: Board, supply: Supply) -> None:
        self.board = board
        self.combat = Combat(board, supply)
        self.step = Step("combats", MANDATORY, self._go_on, lambda table, _: bool(self.left(table)), repeats=True)
        self.question = Selection(
            lambda _: ORDER,
            lambda table, _: self.left(table),
            lambda *_: (1, 1),
            lambda draft, _, picks: self._begin(draft, picks),
            refuse_pick=self._refuse_pick,
            refuse_count=lambda *_: refused("all_combats_must_be_resolved"),
            refuse_other=misplaced,
        )

    @property
    def sequences(self) -> tuple[StepSequence, ...]:
        """The sequence of a combat."""
        return (self.combat.sequence,)

    @property
    def decisions(self) -> dict[str, Decision]:
        """The questions of combats."""
        return {NEXT_COMBAT: self.question, **self.combat.decisions}

    def left(self, table: Table) -> list[PlaceId]:
        """Return the contested zones still to be fought over in this phase. Source: RuleId("combat.one-round")."""
        return [zone for zone in contested(table, self.board) if not FOUGHT.of(table, zone)]

    def _go_on(self, draft: Draft, at: Open) -> None:
        zones = self.left(draft.table)
        if len(zones) == 1:
            self.combat.begin(draft, zones[0])
        else:
            draft.ask(NEXT_COMBAT, draft.table.seat_of(draft.table.turn), ORDER)

    def _refuse_pick(self, table: Table, asked: Open, pick: Pick) -> Refusal | None:
        """Judge the next zone. Source: RuleId("combat.one-round")."""
        if pick.item in self.left(table) and not pick.to:
            return None
        return refused("zone_must_be_eligible", "No combat is to be fought there now.", ONE_ROUND)

    def _begin(self, draft: Draft, picks: Picks) -> None:
        for zone, _ in picks:
            self.combat.begin(draft, PlaceId(zone))
