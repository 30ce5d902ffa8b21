"""Attacks of Axis aircraft on Volga Crossings, on card 5 before any combat.

One that interceptors meet is a combat (`combat`) above the crossing.
"""

from collections.abc import Callable

from core.decision import Decision
from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import ALLIES, AXIS, above
from core.games.axis_allies.rules.control import end_fight, hit_crossing
from core.games.axis_allies.rules.fire import roll
from core.games.axis_allies.rules.queries import is_assaulted, is_occupied, units
from core.games.axis_allies.rules.refusals import misplaced, refused
from core.games.axis_allies.rules.supply import Supply
from core.games.axis_allies.rules.values import Firing, attack_value
from core.refusal import Refusal
from core.selection import Pick, Selection
from core.sequence import Step
from events.ids import PlaceId, RuleId
from projections.table import Open, Table

RESOLVE = RuleId("volga-attack.resolve")
MARKER = RuleId("volga-attack.marker-removed")

NEXT_CROSSING = "next_crossing"
CROSSING_FIRE = "attack on a Volga Crossing"


class CrossingAttacks:
    """The step of the Axis Attack phase, and the question which crossing comes next.

    `fight` begins the combat with interceptors above a crossing.

    Source: RuleId("volga-attack.resolve"), RuleId("volga-attack.no-return-fire"), ruling.volga-attack-order.
    """

    def __init__(self, board: Board, supply: Supply, fight: Callable[[Draft, PlaceId], None]) -> None:
        self.board = board
        self.supply = supply
        self.fight = fight
        self.question = Selection(
            lambda _: RESOLVE,
            lambda table, _: self.left(table),
            lambda *_: (1, 1),
            lambda draft, _, picks: self._resolve(draft, PlaceId(picks[0][0])),
            refuse_pick=self._refuse_pick,
            refuse_other=misplaced,
        )
        self.step = Step("crossings", RESOLVE, self._go_on, lambda table, _: bool(self.left(table)), repeats=True)

    @property
    def decisions(self) -> dict[str, Decision]:
        """The question of the step."""
        return {NEXT_CROSSING: self.question}

    def left(self, table: Table) -> list[PlaceId]:
        """Return the crossings whose attack is not resolved yet."""
        return [crossing for crossing in self.board.crossings if is_assaulted(table, above(crossing))]

    def _go_on(self, draft: Draft, at: Open) -> None:
        crossings = self.left(draft.table)
        if len(crossings) == 1:
            self._resolve(draft, crossings[0])
        else:
            draft.ask(NEXT_CROSSING, draft.table.seat_of(AXIS), RESOLVE)

    def _refuse_pick(self, table: Table, asked: Open, pick: Pick) -> Refusal | None:
        if pick.item in self.left(table) and not pick.to:
            return None
        return refused("target_must_be_present", "No crossing is attacked there.", RESOLVE)

    def _resolve(self, draft: Draft, crossing: PlaceId) -> None:
        """Roll for the aircraft that are left; one hit is enough.

        Source: RuleId("volga-attack.resolve"), RuleId("optional.interceptors.crossing-combat"), ruling.sorties-scope.
        """
        table, sky = draft.table, above(crossing)
        if all(is_occupied(table, self.board, sky, side) for side in (AXIS, ALLIES)):
            self.fight(draft, sky)
            return
        values = [
            attack_value(table, self.board, self.supply, piece, sky) for piece in units(table, self.board, sky, AXIS)
        ]
        shots = [Firing(value.printed, value.modifiers) for value in values]
        if roll(draft, sky, shots, CROSSING_FIRE, RESOLVE).total():
            hit_crossing(draft, self.supply, crossing)
        end_fight(draft, sky, MARKER)
