"""The optional rules whose roll may cost a unit of several zones: Luftwaffe Priorities and Heroes of the Soviet Union."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from typing_extensions import override

from core.engine.decision import Decision
from core.engine.draft import Draft
from core.engine.repeated_questions import ask_among
from core.engine.selection import Pick, one_of
from core.engine.steps import Step
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import ALLIES, AXIS, RPC, SIDES
from core.games.axis_allies.options import HEROES, LUFTWAFFE_PRIORITIES
from core.games.axis_allies.rules.casualties import Losses
from core.games.axis_allies.rules.control import drop_marker_if_alone, lose
from core.games.axis_allies.rules.queries import air, contested, like, units
from core.games.axis_allies.rules.refusals import misplaced, refused
from core.games.axis_allies.rules.supply import show_supply
from core.refusal import Refusal
from events.ids import PieceId, PlaceId, RuleId, Side
from projections.state.table import Open, Table

ROLL = RuleId("optional.heroes.roll")


class UnitRoll(ABC):
    """A roll, and the question which unit of a side it costs: each pick is a class of units (`queries.like`) with its zone."""

    title: str
    rule: RuleId

    def __init__(self, kind: str, side: Side, face: int) -> None:
        self.kind = kind
        self.side = side
        self.face = face
        question = one_of(
            self.rule,
            lambda table, _: list(dict.fromkeys([one for one, _ in self._choices(table)])),
            self._carry_out,
            places=lambda table, _, item: [zone for one, zone in self._choices(table) if one == item],
            refuse_pick=self._refuse_pick,
            refuse_other=misplaced,
        )
        self.decisions: dict[str, Decision] = {kind: question}

    @abstractmethod
    def pool(self, table: Table) -> Mapping[PlaceId, Sequence[PieceId]]:
        """Return the units by their zones."""

    @abstractmethod
    def take(self, draft: Draft, piece: PieceId) -> None:
        """Destroy the chosen unit, with what follows."""

    def roll(self, draft: Draft, at: Open) -> None:
        """Roll, and ask which unit is lost if there is a choice, or record that there is none."""
        faces = draft.dice(1, self.title, self.rule, needed=self.face)
        choices = self._choices(draft.table)
        if faces[0] < self.face:
            return
        if not choices:
            draft.apply(self.rule, "no unit can be lost")
            return
        asked = Open(self.kind, draft.table.seat_of(self.side))
        ask_among(draft, asked, self.rule, list(choices.values()), lambda draft, _, piece: self.take(draft, piece))

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

    def _carry_out(self, draft: Draft, asked: Open, item: str, zone: str) -> None:
        self.take(draft, self._choices(draft.table)[item, PlaceId(zone)])


class Priorities(UnitRoll):
    """The first step of the Axis Reinforcement phase. Source: optional.luftwaffe.roll, ruling.luftwaffe-mandatory-choice."""

    title = "Luftwaffe Priorities"
    rule = RuleId("optional.luftwaffe.roll")

    def __init__(self, board: Board) -> None:
        super().__init__("luftwaffe_loss", AXIS, board.file.luftwaffe.face)
        self.board = board
        self.step = Step("luftwaffe", self.rule, self.roll, when=LUFTWAFFE_PRIORITIES.is_in_force)

    @override
    def pool(self, table: Table) -> dict[PlaceId, list[PieceId]]:
        """Return the German aircraft in play; all aircraft of the Axis are German."""
        return {zone: air(table, self.board, zone, AXIS) for zone in self.board.zones}

    @override
    def take(self, draft: Draft, piece: PieceId) -> None:
        """Destroy the air unit and collect RPCs for it. Source: optional.luftwaffe.compensation."""
        lose(draft, [piece], self.rule)
        more = self.board.file.luftwaffe.gained(draft.table.scenario)
        draft.track(RPC[AXIS], draft.table.track(RPC[AXIS]) + more, RuleId("optional.luftwaffe.compensation"))


class Heroes(UnitRoll):
    """The last step of the Allies Movement phase: a Soviet unit of a contested zone is given for an Axis unit there.

    Source: optional.heroes.roll, ruling.heroes-details.
    """

    title = "Heroes of the Soviet Union"
    rule = ROLL

    def __init__(self, board: Board) -> None:
        super().__init__("heroes_unit", ALLIES, board.file.heroes.face)
        self.board = board
        self.casualty = Losses(board, "heroes_casualty", self._hit)
        self.decisions[self.casualty.kind] = self.casualty.question
        self.step = Step("heroes", ROLL, self.roll, when=lambda table, _: HEROES.is_on(table) and table.turn == ALLIES)

    @override
    def pool(self, table: Table) -> dict[PlaceId, list[PieceId]]:
        return {zone: units(table, self.board, zone, ALLIES) for zone in contested(table, self.board)}

    @override
    def take(self, draft: Draft, piece: PieceId) -> None:
        """Destroy the Soviet unit, and let the Axis choose its casualty. Source: optional.heroes.hit."""
        zone = draft.table.pieces[piece].place
        lose(draft, [piece], ROLL)
        pool = units(draft.table, self.board, zone, AXIS)
        if pool:
            self.casualty.ask(draft, draft.table.seat_of(AXIS), pool, 1, RuleId("optional.heroes.hit"))
        else:
            self._conclude(draft, zone)

    def _hit(self, draft: Draft, pieces: Sequence[PieceId], cause: RuleId) -> None:
        zone = draft.table.pieces[pieces[0]].place
        lose(draft, pieces, cause)
        self._conclude(draft, zone)

    def _conclude(self, draft: Draft, zone: PlaceId) -> None:
        """Return the Combat Marker where no combat is left to be fought. Source: optional.heroes.marker."""
        for side in SIDES:
            drop_marker_if_alone(draft, self.board, zone, side, RuleId("optional.heroes.marker"))
        show_supply(draft, self.board)
