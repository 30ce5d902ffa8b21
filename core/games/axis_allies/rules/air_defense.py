"""Air Defense in the Reaction phases: artillery fires at air units that have just flown in, with the optional Interdiction."""

from collections import Counter
from collections.abc import Sequence

from core.decision import Decision
from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import ALLIES, AXIS, above, enemy
from core.games.axis_allies.memory import MISSION, SCRAMBLE, STAY, TRANSPORTS
from core.games.axis_allies.options import INTERDICTION
from core.games.axis_allies.rules.assigned_fire import AssignedFire, Fire
from core.games.axis_allies.rules.control import lose
from core.games.axis_allies.rules.queries import air, is_contested, like
from core.games.axis_allies.rules.refusals import refused
from core.refusal import Refusal
from core.sequence import Step
from events.ids import PieceId, PlaceId, RuleId, Side
from projections.table import Table

MOVED_ONLY = RuleId("unit.artillery.air-defense.moved-only")
CITY = RuleId("unit.artillery.air-defense.city")
OWN_ZONE = RuleId("unit.artillery.air-defense.region-own-zone")
IN_CITY = ("Artillery of the city fires at any zone and crossing there.", CITY)
IN_REGION = ("On the Region Board artillery fires at its own zone.", OWN_ZONE)
CARDS = {ALLIES: RuleId("order.4.sequence"), AXIS: RuleId("order.11.sequence")}
INTERDICT = RuleId("optional.interdiction")
TRUE_ADJACENCY = RuleId("optional.interdiction.true-adjacency")

ASSIGN_AIR_DEFENSE = "assign_air_defense"
AIR_LOSS = "air_loss"


class AirDefense:
    """Air Defense by the side that reacts. Targets are places, and with Interdiction bombers.

    Source: RuleId("unit.artillery.air-defense"), RuleId("unit.artillery.air-defense.no-return-fire").
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.skies = tuple([above(crossing) for crossing in board.crossings])
        fire = Fire(
            name="Air Defense",
            question=ASSIGN_AIR_DEFENSE,
            losses=AIR_LOSS,
            needed=board.fire.air_defense,
            action=RuleId("unit.artillery.air-defense"),
            eligible=CITY,
            assign=RuleId("unit.artillery.air-defense.assign-first"),
            roll=RuleId("unit.artillery.air-defense.roll"),
            loss=RuleId("unit.artillery.air-defense.casualty"),
        )
        self.fire = AssignedFire(board, fire, self)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of a Reaction phase."""
        return self.fire.steps

    @property
    def decisions(self) -> dict[str, Decision]:
        """The questions of the steps."""
        return {ASSIGN_AIR_DEFENSE: self.fire.question, AIR_LOSS: self.fire.losses.question}

    def side(self, table: Table) -> Side:
        """Return the side that fires."""
        return enemy(table.turn)

    def card(self, table: Table) -> RuleId:
        """Return the rule of the Order Card. Source: RuleId("order.4.sequence"), RuleId("order.11.sequence")."""
        return CARDS[self.side(table)]

    def guns(self, table: Table) -> Counter[PlaceId]:
        """Return the artillery of each zone; on a crossing none fires. Source: RuleId("unit.artillery.air-defense.city")."""
        side, units, zones = enemy(table.turn), self.board.units, self.board.zones
        return Counter(
            [
                there.place
                for there in table.pieces.values()
                if there.side == side
                and there.place in zones
                and there.kind in units
                and units[there.kind].has_air_defense
            ]
        )

    def _flown_in(self, table: Table, place: PlaceId) -> list[PieceId]:
        """Return the enemy air units that moved into a place.

        Source: RuleId("unit.artillery.air-defense.moved-only"), RuleId("unit.artillery.air-defense.any-mission"),
        ruling.air-defense-targets.
        """
        there = air(table, self.board, place, table.turn)
        return [piece for piece in there if MISSION.of(table, piece) not in (None, STAY, SCRAMBLE)]

    def targets(self, table: Table, zone: PlaceId) -> list[str]:
        """Return what might be fired at from a zone, which `_refuse` judges."""
        is_city = self.board.zones[zone].is_city
        places = (*self.board.city, *self.skies) if is_city else (zone,)
        found: list[str] = [place for place in places if self._flown_in(table, place)]
        if INTERDICTION.is_on(table):
            for near in self.board.zones[zone].near:
                classes = {like(table, piece): piece for piece in reversed(self._flown_in(table, near))}
                found += classes.values()
        return found

    def pool(self, table: Table, target: str) -> Sequence[PieceId]:
        """Return the air units of which one is hit. Source: RuleId("unit.artillery.air-defense.casualty"), ruling.interdiction-details."""
        return [PieceId(target)] if target in table.pieces else self._flown_in(table, PlaceId(target))

    def refuse(self, table: Table, zone: PlaceId, target: str) -> Refusal | None:
        """Judge a target.

        Source: RuleId("unit.artillery.air-defense.region-own-zone"), RuleId("unit.artillery.air-defense.city"),
        RuleId("unit.artillery.air-defense.moved-only"), RuleId("volga-attack.axis-only").
        """
        if target in table.pieces:
            return self._refuse_bomber(table, zone, PieceId(target))
        is_city = self.board.zones[zone].is_city
        if target in self.board.crossings:
            return refused("target_must_be_eligible", rule=RuleId("volga-attack.axis-only"))
        if target != zone and not (is_city and (target in self.board.city or target in self.skies)):
            return refused("target_must_be_eligible", *(IN_CITY if is_city else IN_REGION))
        if self._flown_in(table, PlaceId(target)):
            return None
        is_any = air(table, self.board, PlaceId(target), table.turn)
        return refused("target_must_be_eligible" if is_any else "target_must_be_present", rule=MOVED_ONLY)

    def _refuse_bomber(self, table: Table, zone: PlaceId, bomber: PieceId) -> Refusal | None:
        """Judge Interdiction.

        Source: RuleId("optional.interdiction"), RuleId("optional.interdiction.true-adjacency"), ruling.interdiction-details,
        ruling.volga-adjacency-other.
        """
        is_enemy = table.pieces[bomber].side == table.turn
        if not INTERDICTION.is_on(table) or not is_enemy or MISSION.of(table, bomber) not in TRANSPORTS:
            return refused("target_must_be_eligible", rule=INTERDICT)
        if is_contested(table, zone):
            return refused("unit_must_be_able_to_fire", rule=INTERDICT)
        is_near = table.pieces[bomber].place in self.board.zones[zone].near
        return None if is_near else refused("target_must_be_eligible", rule=TRUE_ADJACENCY)

    def lose(self, draft: Draft, pieces: Sequence[PieceId], cause: RuleId) -> None:
        """Destroy air units with what they carry. Source: RuleId("unit.bomber.cargo-lost")."""
        lose(draft, pieces, cause)
