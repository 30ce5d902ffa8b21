"""Fire outside combat by units that are all assigned before any die is rolled: Air Defense and Bombardment.

Units of one kind of fire that stand in one zone are alike, so that zones are assigned to targets, each as often as units fire.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.memory import SHOTS
from core.games.axis_allies.rules.casualties import Losses
from core.games.axis_allies.rules.fire import scored
from core.games.axis_allies.rules.refusals import misplaced, refused
from core.refusal import Refusal
from core.selection import Pick, Picks, Selection
from core.sequence import Step
from events.codec import Struct
from events.ids import PieceId, PlaceId, RuleId, Side
from projections.table import Open, Table


class Fire(Struct, frozen=True):
    """One kind of fire: its name, the questions about it, the number to roll, and the rules of its parts.

    `action` is the rule that lets units fire, `eligible` the one that says which of them, `assign` that all of them are assigned first,
    `roll` that of the dice, `loss` that of the casualties.
    """

    name: str
    question: str
    losses: str
    needed: int
    action: RuleId
    eligible: RuleId
    assign: RuleId
    roll: RuleId
    loss: RuleId


class Shooters(Protocol):
    """Who fires at what; the side is that of all of them."""

    def side(self, table: Table) -> Side:
        """Return the side that fires."""

    def card(self, table: Table) -> RuleId:
        """Return the rule of the Order Card with which they fire."""

    def guns(self, table: Table) -> Counter[PlaceId]:
        """Return how many units might fire from each zone."""

    def targets(self, table: Table, zone: PlaceId) -> Sequence[str]:
        """Return what might be fired at from a zone."""

    def refuse(self, table: Table, zone: PlaceId, target: str) -> Refusal | None:
        """Return why a zone cannot fire at a target, or None if it can."""

    def pool(self, table: Table, target: str) -> Sequence[PieceId]:
        """Return the units that can be hit at a target."""

    def lose(self, draft: Draft, pieces: Sequence[PieceId], cause: RuleId) -> None:
        """Remove casualties, which were in one place."""


class AssignedFire:
    """Two steps, the assignment and the dice, with the questions that belong to them.

    Args:
        board: The board.
        fire: What kind of fire it is.
        shooters: Who fires at what.

    Source: RuleId("unit.artillery.air-defense.assign-first"), RuleId("unit.rocket.bombardment.assign-first"), ruling.optional-fire.
    """

    def __init__(self, board: Board, fire: Fire, shooters: Shooters) -> None:
        self.fire = fire
        self.shooters = shooters
        self.losses = Losses(board, fire.losses, shooters.lose)
        self.question = Selection(
            lambda _: fire.assign,
            lambda table, _: list(shooters.guns(table)),
            lambda table, _: (0, shooters.guns(table).total()),
            self._assign,
            places=lambda table, _, zone: list(shooters.targets(table, PlaceId(zone))),
            refuse_pick=self._refuse_pick,
            refuse_other=misplaced,
            may_repeat=True,
        )
        self.steps = (
            Step("assign", fire.action, self._ask, when=self._can_fire),
            Step(
                "fire",
                fire.roll,
                self._shoot,
                when=lambda table, _: bool(SHOTS.on(table)),
                repeats=True,
            ),
        )

    def _can_fire(self, table: Table, at: Open) -> bool:
        return any(
            self.shooters.refuse(table, zone, target) is None
            for zone in self.shooters.guns(table)
            for target in self.shooters.targets(table, zone)
        )

    def _ask(self, draft: Draft, at: Open) -> None:
        draft.ask(
            self.fire.question, draft.table.seat_of(self.shooters.side(draft.table)), self.shooters.card(draft.table)
        )

    def _refuse_pick(self, table: Table, asked: Open, pick: Pick) -> Refusal | None:
        """Judge who fires at what. Source: RuleId("sequence.fire-once-per-phase")."""
        guns = self.shooters.guns(table)[PlaceId(pick.item)]
        if not guns:
            return refused("unit_must_be_able_to_fire", rule=self.fire.eligible)
        if asked.picked.count(pick.item) >= guns:
            return refused("unit_must_not_have_fired")
        return self.shooters.refuse(table, PlaceId(pick.item), pick.to)

    def _assign(self, draft: Draft, asked: Open, picks: Picks) -> None:
        for target, number in sorted(Counter([to for _, to in picks]).items()):
            SHOTS.set(draft, target, number, self.fire.assign)

    def _shoot(self, draft: Draft, at: Open) -> None:
        """Roll the dice for one target, whose owner chooses the casualties at once."""
        table = draft.table
        target = SHOTS.on(table)[0]
        number = SHOTS.of(table, target) or 0
        SHOTS.forget(draft, target, self.fire.roll)
        faces = draft.dice(
            number, self.fire.name, self.fire.roll, about=target, needed=self.fire.needed, each=True, or_less=True
        )
        pool = self.shooters.pool(table, target)
        hits = scored(faces, self.fire.needed)
        if hits and pool:
            owner = table.seat_of(table.pieces[pool[0]].side)
            self.losses.ask(draft, owner, pool, hits, self.fire.loss)
