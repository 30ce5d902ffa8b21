"""Cards 5 and 12: aircraft that relocate or transport land, cargo is delivered, crossings and zones are fought over."""

from core.decision import Decision
from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import FLYING
from core.games.axis_allies.memory import ATTACK, LANDINGS, MISSION
from core.games.axis_allies.rules.bombardment import Bombardment
from core.games.axis_allies.rules.cargo import OFFLOAD, loaded, offload
from core.games.axis_allies.rules.casualties import Losses
from core.games.axis_allies.rules.combats import Combats
from core.games.axis_allies.rules.control import lose
from core.games.axis_allies.rules.crossing_attack import CrossingAttacks
from core.games.axis_allies.rules.destinations import refuse_end
from core.games.axis_allies.rules.landing import room, touch_down
from core.games.axis_allies.rules.queries import air
from core.games.axis_allies.rules.supply import Supply
from core.sequence import Step, StepSequence
from events.ids import PieceId, PlaceId, RuleId
from projections.table import Open, Table

LAND_FIRST = RuleId("order.5.relocating-land")

OVERFLOW = "overflow"


class Attack:
    """The Attack phases of both sides, each in the order of its card.

    Source: RuleId("order.5.sequence"), RuleId("order.12.sequence").
    """

    def __init__(self, board: Board, supply: Supply) -> None:
        self.board = board
        self.supply = supply
        self.overflow = Losses(board, OVERFLOW, lose)
        self.combats = Combats(board, supply)
        self.crossings = CrossingAttacks(board, supply, self.combats.combat.begin)
        self.bombardment = Bombardment(board, supply, self.combats.combat.tokens)
        steps = (
            Step("relocating", LAND_FIRST, self._land, lambda table, _: bool(self._arriving(table)), repeats=True),
            Step("offload", OFFLOAD, self._offload, lambda table, _: any(loaded(table, board, table.turn))),
            self.crossings.step,
            *self.bombardment.steps,
            self.combats.step,
        )
        self.sequence = StepSequence(ATTACK, RuleId("order.5.sequence"), steps)

    @property
    def sequences(self) -> tuple[StepSequence, ...]:
        """The sequences of the chapter."""
        return (self.sequence, *self.combats.sequences)

    @property
    def decisions(self) -> dict[str, Decision]:
        """The questions of the chapter."""
        return {
            OVERFLOW: self.overflow.question,
            **self.crossings.decisions,
            **self.bombardment.decisions,
            **self.combats.decisions,
        }

    def begin(self, draft: Draft) -> None:
        """Begin the phase of the side whose turn it is."""
        self.sequence.begin(draft)

    def _arriving(self, table: Table) -> list[tuple[PlaceId, PieceId]]:
        """Return the aircraft still to land before the combats, with their zones. Source: RuleId("order.5.relocating-land")."""
        return [
            (zone, piece)
            for zone in self.board.airfields
            for piece in air(table, self.board, zone, table.turn)
            if table.pieces[piece].face == FLYING and MISSION.of(table, piece) in LANDINGS
        ]

    def _land(self, draft: Draft, at: Open) -> None:
        """Land at one airfield; the owner says what is lost where there is too little room.

        Source: RuleId("zone.airfield.capacity"), ruling.landing-allocation, ruling.landing-in-blitzed-zone, ruling.delivery-zone-changed.
        """
        table, side = draft.table, draft.table.turn
        zone = self._arriving(table)[0][0]
        pieces = [piece for place, piece in self._arriving(table) if place == zone]
        barred = [
            piece
            for piece in pieces
            if refuse_end(table, self.board, side, MISSION.of(table, piece) or "", zone) is not None
        ]
        lose(draft, barred, LAND_FIRST)
        left = [piece for piece in pieces if piece not in barred]
        surplus = len(left) - room(table, self.board, zone, side)
        if surplus > 0:
            self.overflow.ask(draft, table.seat_of(side), left, surplus, LAND_FIRST)
        else:
            touch_down(draft, left, LAND_FIRST)

    def _offload(self, draft: Draft, at: Open) -> None:
        offload(draft, self.board, draft.table.turn)
        self.supply.show(draft)
