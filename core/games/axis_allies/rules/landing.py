"""Cards 6 and 13: what is still in the air lands, or is lost."""

from collections import Counter
from collections.abc import Iterable
from functools import partial

from core.engine.decision import Decision
from core.engine.draft import Draft
from core.engine.selection import Pick, Picks, Selection
from core.engine.steps import Step, StepSequence
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import ALLIES, AXIS, FLYING, GROUND, PHASES, SIDES
from core.games.axis_allies.memory import TAKEN
from core.games.axis_allies.rules.control import lose
from core.games.axis_allies.rules.queries import Latest, air, is_friendly
from core.games.axis_allies.rules.reaction import RETURNING
from core.games.axis_allies.rules.refusals import misplaced, refused
from core.refusal import Refusal
from events.ids import PieceId, PlaceId, RuleId, Side
from projections.state.table import Open, Table

LAND = {AXIS: RuleId("order.6.land"), ALLIES: RuleId("order.13.land")}
AIRFIELDS = RuleId("zone.airfield")

ATTACK_PHASES = {AXIS: PHASES[5], ALLIES: PHASES[12]}
LANDING = "landing"
LAND_QUESTION = "land"


def room(table: Table, board: Board, zone: PlaceId, side: Side) -> int:
    """Return how many more air units of a side an airfield takes. Source: zone.airfield.capacity, ruling.base-airfield-capacity."""
    grounded = [piece for piece in air(table, board, zone, side) if table.pieces[piece].face == GROUND]
    return max(0, board.file.limits.air_units - len(grounded))


def touch_down(draft: Draft, pieces: Iterable[PieceId], rule: RuleId) -> None:
    """Land air units where they are."""
    for piece in pieces:
        draft.turn(piece, GROUND, rule)


class Landing:
    """The Air Unit Landing phases. Air units of one kind are interchangeable, wherever they come from."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._numbers = {side: Latest(partial(self._number, side)) for side in SIDES}
        question = Selection(
            lambda asked: RuleId(asked.text("rule")),
            lambda table, asked: list(dict.fromkeys(self._kinds(table, table.side_of(asked.seat)))),
            self._bounds,
            lambda draft, asked, picks: self._carry_out(draft, draft.table.side_of(asked.seat), picks),
            places=lambda table, asked, _: list(self._rooms(table, table.side_of(asked.seat))),
            refuse_pick=self._refuse_pick,
            refuse_count=lambda table, asked: refused("air_units_must_land", rule=LAND[table.side_of(asked.seat)]),
            refuse_other=misplaced,
            may_repeat=True,
        )
        self.decisions: dict[str, Decision] = {LAND_QUESTION: question}
        land = Step("land", AIRFIELDS, self._land, lambda table, at: bool(self._flying(table, Side(at.text("side")))))
        self.sequence = StepSequence(LANDING, AIRFIELDS, [RETURNING, land])
        self.sequences = (self.sequence,)

    def _flying(self, table: Table, side: Side) -> list[PieceId]:
        return [piece.id for piece in table.pieces.values() if piece.side == side and piece.face == FLYING]

    def _kinds(self, table: Table, side: Side) -> list[str]:
        return [table.pieces[piece].kind for piece in self._flying(table, side)]

    def _is_open(self, table: Table, zone: PlaceId, side: Side) -> bool:
        """Return whether a side has held an airfield since its Attack phase began.

        Source: order.6.land, order.13.land, order.6.captured-by-blitz-ok.
        """
        return is_friendly(table, zone, side) and TAKEN.of(table, zone) != ATTACK_PHASES[side]

    def _rooms(self, table: Table, side: Side) -> dict[PlaceId, int]:
        """Return the airfields that take air units, with how many."""
        fields = [zone for zone in self.board.airfields if self._is_open(table, zone, side)]
        return {zone: free for zone in fields if (free := room(table, self.board, zone, side))}

    def _bounds(self, table: Table, asked: Open) -> tuple[int, int]:
        """Return how many land: as many as can. Source: ruling.landing-allocation."""
        number = self._numbers[table.side_of(asked.seat)].of(table)
        return number, number

    def _number(self, side: Side, table: Table) -> int:
        return min(len(self._flying(table, side)), sum(self._rooms(table, side).values()))

    def _refuse_pick(self, table: Table, asked: Open, pick: Pick) -> Refusal | None:
        """Judge where an air unit lands.

        Source: zone.airfield, zone.airfield.capacity, movement.air.landed-stay, order.6.land.
        """
        side, zone = table.side_of(asked.seat), PlaceId(pick.to)
        if asked.picked.count(pick.item) >= self._kinds(table, side).count(pick.item):
            on_ground = any(there.kind == pick.item and there.side == side for there in table.pieces.values())
            if on_ground:
                return refused("movement_must_suffice", rule=RuleId("movement.air.landed-stay"))
            return refused("unit_must_be_eligible", rule=RuleId("unit.class.air"))
        if zone not in self.board.airfields:
            return refused("destination_must_have_airfield")
        if not self._is_open(table, zone, side):
            return refused("airfield_must_have_been_held", rule=LAND[side])
        taken = [place for _, place in asked.picks].count(zone)
        return None if taken < room(table, self.board, zone, side) else refused("airfield_must_have_room")

    # Steps

    def _land(self, draft: Draft, at: Open) -> None:
        """Land everything if there is one way only, else ask."""
        table, side = draft.table, Side(at.text("side"))
        kinds, rooms = Counter(self._kinds(table, side)), self._rooms(table, side)
        seats = [zone for zone, free in rooms.items() for _ in range(free)]
        is_all_taken = len(kinds) == 1 and len(seats) <= kinds.total()
        if is_all_taken or not rooms or (len(rooms) == 1 and len(seats) >= kinds.total()):
            self._carry_out(draft, side, list(zip(kinds.elements(), seats, strict=False)))
        else:
            draft.ask(LAND_QUESTION, table.seat_of(side), LAND[side], {"rule": LAND[side]})

    def _carry_out(self, draft: Draft, side: Side, landed: Picks) -> None:
        """Land air units, and lose those that remain. Source: order.6.cannot-land."""
        left, down = self._flying(draft.table, side), list[PieceId]()
        for kind, zone in landed:
            piece = next(piece for piece in left if draft.table.pieces[piece].kind == kind)
            left.remove(piece)
            down.append(piece)
            if draft.table.pieces[piece].place != zone:
                draft.move(piece, PlaceId(zone), LAND[side])
        touch_down(draft, down, LAND[side])
        lose(draft, left, RuleId("order.6.cannot-land"))
