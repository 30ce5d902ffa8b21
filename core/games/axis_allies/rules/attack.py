"""Cards 5 and 12: aircraft that relocate or transport land, cargo is delivered, crossings and zones are fought over."""

from collections.abc import Iterator

from core.engine.decision import Decision
from core.engine.draft import Draft
from core.engine.repeated_questions import InTurn
from core.engine.steps import Step, StepSequence
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import ALLIES, AXIS, FLYING, above
from core.games.axis_allies.memory import ATTACK, FROM_REGION, LANDINGS, MISSION, SUPPLY_DROP, SUPPLY_LANDING
from core.games.axis_allies.rules.assigned_fire import Bombardment
from core.games.axis_allies.rules.casualties import Losses
from core.games.axis_allies.rules.combat import Combats
from core.games.axis_allies.rules.control import end_fight, hit_crossing, lose
from core.games.axis_allies.rules.deployment import deploy
from core.games.axis_allies.rules.fire import Firing, attack_value, roll
from core.games.axis_allies.rules.landing import room, touch_down
from core.games.axis_allies.rules.missions import FREE_INFANTRY, refuse_end
from core.games.axis_allies.rules.queries import (
    air,
    is_assaulted,
    is_contested,
    is_friendly,
    is_occupied,
    units,
    zones_with_air,
)
from core.games.axis_allies.rules.refusals import misplaced, refused
from core.games.axis_allies.rules.supply import show_supply
from events.ids import PieceId, PlaceId, RuleId, Side
from projections.state.table import Open, Table

OFFLOAD = RuleId("order.5.offload")
DELIVERY = RuleId("unit.bomber.delivery-time")
LAND_FIRST = RuleId("order.5.relocating-land")
RESOLVE = RuleId("volga-attack.resolve")
MARKER = RuleId("volga-attack.marker-removed")

NEXT_CROSSING = "next_crossing"
CROSSING_FIRE = "attack on a Volga Crossing"


def loaded(table: Table, board: Board, side: Side) -> Iterator[tuple[PlaceId, PieceId]]:
    """Yield the loaded bombers of a side with their zones, in the order of the board."""
    for zone in zones_with_air(table, board, side):
        for piece in air(table, board, zone, side):
            if table.cargo(piece):
                yield zone, piece


def offload(draft: Draft, board: Board, side: Side) -> None:
    """Deliver all cargo of a side; what can no longer be dropped where it was to be is lost.

    Source: order.5.offload, unit.bomber.delivery-time, ruling.delivery-zone-changed,
    ruling.force-multiplier-air-stacking.
    """
    table = draft.table
    for zone, bomber in list(loaded(table, board, side)):
        is_open = is_friendly(table, zone, side) or is_contested(table, zone)
        for piece in table.cargo(bomber):
            if MISSION.of(table, bomber) == SUPPLY_DROP and not is_open:
                lose(draft, [piece], OFFLOAD)
                continue
            draft.move(piece, zone, DELIVERY if MISSION.of(table, bomber) == SUPPLY_LANDING else OFFLOAD)
            if FROM_REGION.of(table, piece):
                FROM_REGION.forget(draft, piece, FREE_INFANTRY)
                deploy(draft, board, table.pieces[piece].kind, zone, FREE_INFANTRY)


class Attack:
    """The Attack phases of both sides, each in the order of its card.

    Source: order.5.sequence, order.12.sequence, volga-attack.no-return-fire, ruling.volga-attack-order.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.overflow = Losses(board, "overflow", lose)
        self.combats = Combats(board)
        bombardment = Bombardment(board, self.combats.tokens)
        crossings = InTurn(
            NEXT_CROSSING,
            RESOLVE,
            self._attacked,
            self._attack_crossing,
            wrong=lambda: refused("target_must_be_present", "No crossing is attacked there.", RESOLVE),
            otherwise=misplaced,
        )
        land = Step("relocating", LAND_FIRST, self._land, lambda table, _: bool(self._arriving(table)), repeats=True)
        delivery = Step("offload", OFFLOAD, self._offload, lambda table, _: any(loaded(table, board, table.turn)))
        steps = (land, delivery, crossings.step("crossings", RESOLVE), *bombardment.steps, self.combats.step)
        self.sequence = StepSequence(ATTACK, RuleId("order.5.sequence"), steps)
        self.sequences = (self.sequence, *self.combats.sequences)
        own: dict[str, Decision] = {self.overflow.kind: self.overflow.question, NEXT_CROSSING: crossings.question}
        self.decisions = {**own, **bombardment.decisions, **self.combats.decisions}

    # Aircraft that land, and their cargo

    def _arriving(self, table: Table) -> list[tuple[PlaceId, PieceId]]:
        """Return the aircraft still to land before the combats, with their zones. Source: order.5.relocating-land."""
        there = [(zone, one) for zone in self.board.airfields for one in air(table, self.board, zone, table.turn)]
        flying = [(zone, piece) for zone, piece in there if table.pieces[piece].face == FLYING]
        return [(zone, piece) for zone, piece in flying if MISSION.of(table, piece) in LANDINGS]

    def _land(self, draft: Draft, at: Open) -> None:
        """Land at one airfield; the owner says what is lost where there is too little room.

        Source: zone.airfield.capacity, ruling.landing-allocation, ruling.landing-in-blitzed-zone, ruling.delivery-zone-changed.
        """
        table, side = draft.table, draft.table.turn
        zone = self._arriving(table)[0][0]
        pieces = [piece for place, piece in self._arriving(table) if place == zone]
        missions = {piece: MISSION.of(table, piece) or "" for piece in pieces}
        barred = [one for one, mission in missions.items() if refuse_end(table, self.board, side, mission, zone)]
        lose(draft, barred, LAND_FIRST)
        left = [piece for piece in pieces if piece not in barred]
        surplus = len(left) - room(table, self.board, zone, side)
        if surplus > 0:
            self.overflow.ask(draft, table.seat_of(side), left, surplus, LAND_FIRST)
        else:
            touch_down(draft, left, LAND_FIRST)

    def _offload(self, draft: Draft, at: Open) -> None:
        offload(draft, self.board, draft.table.turn)
        show_supply(draft, self.board)

    # Attacks of Axis aircraft on Volga Crossings; one that interceptors meet is a combat above the crossing

    def _attacked(self, table: Table) -> list[PlaceId]:
        """Return the crossings whose attack is not resolved yet."""
        return [crossing for crossing in self.board.crossings if is_assaulted(table, above(crossing))]

    def _attack_crossing(self, draft: Draft, item: str) -> None:
        """Roll for the aircraft that are left; one hit is enough.

        Source: volga-attack.resolve, optional.interceptors.crossing-combat, ruling.sorties-scope.
        """
        table, crossing = draft.table, PlaceId(item)
        sky = above(crossing)
        if all(is_occupied(table, self.board, sky, side) for side in (AXIS, ALLIES)):
            self.combats.begin(draft, sky)
            return
        values = [attack_value(table, self.board, piece, sky) for piece in units(table, self.board, sky, AXIS)]
        shots = [Firing(value.printed, value.modifiers) for value in values]
        if roll(draft, sky, shots, CROSSING_FIRE, RESOLVE).total():
            hit_crossing(draft, self.board, crossing)
        end_fight(draft, sky, MARKER)
