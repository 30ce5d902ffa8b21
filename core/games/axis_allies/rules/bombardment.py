"""Bombardment at the start of the Allies' Attack phase: rocket launchers fire before any combat."""

from collections import Counter
from collections.abc import Sequence

from core.decision import Decision
from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.map_records import ROCKET_LAUNCHER
from core.games.axis_allies.ids import ALLIES, AXIS, FLYING
from core.games.axis_allies.memory import LAUNCHERS, SUPPLIED
from core.games.axis_allies.rules.assigned_fire import AssignedFire, Fire
from core.games.axis_allies.rules.control import drop_marker_if_alone, lose
from core.games.axis_allies.rules.queries import is_contested, is_in_battle, units
from core.games.axis_allies.rules.refusals import refused
from core.games.axis_allies.rules.supply import Supply
from core.games.axis_allies.rules.tokens import BOMBARDMENT_USE, Tokens
from core.refusal import Refusal
from core.sequence import Step
from events.ids import PieceId, PlaceId, RuleId, Side
from projections.table import Open, Table

ELIGIBLE = RuleId("unit.rocket.bombardment.eligible")
IN_RANGE = "Rocket launchers fire at adjacent zones, and in the city at any zone of it."
TARGETS = RuleId("unit.rocket.bombardment.targets")

ASSIGN_BOMBARDMENT = "assign_bombardment"
BOMBARDMENT_LOSS = "bombardment_loss"


class Bombardment:
    """Bombardment by the Allies' rocket launchers. Source: RuleId("unit.rocket.bombardment"), ruling.optional-fire."""

    def __init__(self, board: Board, supply: Supply, tokens: Tokens) -> None:
        self.board = board
        self.supply = supply
        self.tokens = tokens
        fire = Fire(
            name="Bombardment",
            question=ASSIGN_BOMBARDMENT,
            losses=BOMBARDMENT_LOSS,
            needed=board.fire.bombardment,
            action=RuleId("unit.rocket.bombardment"),
            eligible=ELIGIBLE,
            assign=RuleId("unit.rocket.bombardment.assign-first"),
            roll=RuleId("unit.rocket.bombardment.roll"),
            loss=RuleId("unit.rocket.bombardment.casualty"),
        )
        self.fire = AssignedFire(board, fire, self)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of the Attack phase: tokens for one zone after another, the assignment, the dice."""
        tokens = Step("tokens", ELIGIBLE, self._ask, when=lambda table, _: bool(self._to_supply(table)), repeats=True)
        return (tokens, *self.fire.steps)

    @property
    def decisions(self) -> dict[str, Decision]:
        """The questions of the steps, except that about tokens, which belongs to combats, too."""
        return {ASSIGN_BOMBARDMENT: self.fire.question, BOMBARDMENT_LOSS: self.fire.losses.question}

    # Supply

    def _ask(self, draft: Draft, at: Open) -> None:
        self.tokens.ask(draft, self._to_supply(draft.table)[0], ALLIES, BOMBARDMENT_USE)

    def _to_supply(self, table: Table) -> list[PlaceId]:
        """Return the zones still to be asked about, in the order of the board."""
        guns = self.guns(table)
        return [zone for zone in self.board.zones if guns[zone] and self._may_be_supplied(table, zone)]

    def _may_be_supplied(self, table: Table, zone: PlaceId) -> bool:
        """Return whether a token would let the launchers of a zone fire. Source: RuleId("unit.rocket.bombardment.eligible"), ruling.token-timing."""
        return (
            LAUNCHERS.of(table, zone) is None
            and not is_contested(table, zone)
            and not self._is_supplied(table, zone)
            and self.tokens.can_spend(table, zone, ALLIES)
            and any(self._refuse_target(table, zone, target) is None for target in self.targets(table, zone))
        )

    def _is_supplied(self, table: Table, zone: PlaceId) -> bool:
        return LAUNCHERS.of(table, zone) == SUPPLIED or self.supply.is_supplied(table, zone, ALLIES)

    # Fire

    def side(self, table: Table) -> Side:
        """Return the side that fires."""
        return ALLIES

    def card(self, table: Table) -> RuleId:
        """Return the rule of the Order Card. Source: RuleId("order.12.sequence")."""
        return RuleId("order.12.sequence")

    def guns(self, table: Table) -> Counter[PlaceId]:
        """Return the rocket launchers of each zone. Source: RuleId("unit.rocket.bombardment.eligible")."""
        kinds = {kind.id for kind in self.board.units.values() if kind.type == ROCKET_LAUNCHER}
        zones = self.board.zones
        there = [piece.place for piece in table.pieces.values() if piece.kind in kinds and piece.place in zones]
        return Counter(there if table.turn == ALLIES else ())

    def targets(self, table: Table, zone: PlaceId) -> list[PlaceId]:
        """Return the zones in range that hold enemy units. Source: RuleId("unit.rocket.bombardment.range")."""
        return [place for place in self.board.zones if self._is_in_range(zone, place) and self.pool(table, place)]

    def _is_in_range(self, zone: PlaceId, target: PlaceId) -> bool:
        there = self.board.zones[zone]
        return target != zone and (target in there.near or (there.is_city and target in self.board.city))

    def pool(self, table: Table, target: str) -> Sequence[PieceId]:
        """Return the enemy units that can be hit, not those in the air. Source: ruling.bombardment-air-casualties."""
        there = units(table, self.board, PlaceId(target), AXIS)
        return [piece for piece in there if table.pieces[piece].face != FLYING]

    def refuse(self, table: Table, zone: PlaceId, target: str) -> Refusal | None:
        """Judge who fires at what. Source: RuleId("unit.rocket.bombardment.eligible")."""
        if is_contested(table, zone):
            return refused("unit_must_be_able_to_fire")
        if not self._is_supplied(table, zone):
            return refused("launcher_must_be_supplied")
        return self._refuse_target(table, zone, PlaceId(target))

    def _refuse_target(self, table: Table, zone: PlaceId, target: PlaceId) -> Refusal | None:
        """Judge a target.

        Source: RuleId("unit.rocket.bombardment.range"), RuleId("unit.rocket.bombardment.targets"), RuleId("zone.base.no-attack").
        """
        if target in self.board.bases.values():
            return refused("base_zone_must_not_be_attacked")
        if not self._is_in_range(zone, target):
            return refused("target_must_be_eligible", IN_RANGE, RuleId("unit.rocket.bombardment.range"))
        if not self.pool(table, target):
            return refused("target_must_be_present", rule=TARGETS)
        return refused("target_must_be_eligible", rule=TARGETS) if is_in_battle(table, target) else None

    def lose(self, draft: Draft, pieces: Sequence[PieceId], cause: RuleId) -> None:
        """Destroy the casualties, and return the Combat Marker with the last land unit.

        Source: RuleId("unit.rocket.bombardment.casualty"), RuleId("unit.rocket.bombardment.last-unit-marker").
        """
        zone = draft.table.pieces[pieces[0]].place
        lose(draft, pieces, cause)
        drop_marker_if_alone(draft, self.board, zone, AXIS, RuleId("unit.rocket.bombardment.last-unit-marker"))
        self.supply.show(draft)
