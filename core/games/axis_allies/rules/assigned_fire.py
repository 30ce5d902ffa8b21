"""Fire outside combat by units that are all assigned before any die is rolled: Air Defense, also with Interdiction, and Bombardment.

Units of one kind of fire that stand in one zone are alike, so that zones are assigned to targets, each as often as units fire.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from typing_extensions import override

from core.engine.decision import Decision
from core.engine.draft import Draft
from core.engine.selection import Pick, Picks, Selection
from core.engine.steps import Step
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.map_records import ARTILLERY, ROCKET_LAUNCHER
from core.games.axis_allies.components.supply_lines import is_supplied
from core.games.axis_allies.ids import ALLIES, AXIS, FLYING, above
from core.games.axis_allies.memory import LAUNCHERS, MISSION, SCRAMBLE, SHOTS, STAY, SUPPLIED, TRANSPORTS
from core.games.axis_allies.options import INTERDICTION
from core.games.axis_allies.rules.casualties import Losses
from core.games.axis_allies.rules.control import drop_marker_if_alone, lose
from core.games.axis_allies.rules.fire import scored
from core.games.axis_allies.rules.queries import Latest, air, force, is_contested, is_in_battle, reacting
from core.games.axis_allies.rules.refusals import misplaced, refused
from core.games.axis_allies.rules.supply import BOMBARDMENT_USE, Tokens, show_supply
from core.refusal import Refusal
from events.ids import PieceId, PlaceId, RuleId, Side
from events.vocabulary import Modifier
from projections.state.table import Open, Table

ASSIGN_AIR_DEFENSE = "assign_air_defense"
ASSIGN_BOMBARDMENT = "assign_bombardment"

MOVED_ONLY = RuleId("unit.artillery.air-defense.moved-only")
CITY = RuleId("unit.artillery.air-defense.city")
IN_CITY = ("Artillery of the city fires at any zone and crossing there.", CITY)
IN_REGION = (
    "On the Region Board artillery fires at its own zone.",
    RuleId("unit.artillery.air-defense.region-own-zone"),
)
INTERDICT = RuleId("optional.interdiction")
ELIGIBLE = RuleId("unit.rocket.bombardment.eligible")
IN_RANGE = "Rocket launchers fire at adjacent zones, and in the city at any zone of it."
TARGETS = RuleId("unit.rocket.bombardment.targets")


class Aim(NamedTuple):
    """Words and rules of fire at a target: the purpose of the dice, and the rules by which units are assigned, roll and hit."""

    name: str
    assign: RuleId
    roll: RuleId
    loss: RuleId


class KindOfFire(NamedTuple):
    """Kinds of its questions, names and rules of one kind of fire.

    Its `aim` says how it is named and cited, `type` is the type of the units that fire, `cards` are the rules of the Order Cards by the
    side that fires. `action` lets units fire, `eligible` says which of them.
    """

    kind: str
    loss_kind: str
    type: str
    cards: Mapping[Side, RuleId]
    action: RuleId
    eligible: RuleId
    aim: Aim


class AssignedFire(ABC):
    """Two steps, the assignment and the dice, with the questions that belong to them, for one kind of fire.

    Source: unit.artillery.air-defense.assign-first, unit.rocket.bombardment.assign-first, ruling.optional-fire.
    """

    def __init__(self, board: Board, fire: KindOfFire, needed: int) -> None:
        self.board = board
        self.needed = needed
        self.kind, self.loss_kind, self.type = fire.kind, fire.loss_kind, fire.type
        self.cards, self.action, self.eligible, self.aim = fire.cards, fire.action, fire.eligible, fire.aim
        self.losses = Losses(board, self.loss_kind, self.lose)
        self._ready = Latest(self.guns)
        self._most = Latest(lambda table: sum(self._shots(table)))
        question = Selection(
            lambda _: self.aim.assign,
            lambda table, _: list(self._ready.of(table)),
            lambda table, _: (0, self._most.of(table)),
            self._assign,
            places=lambda table, _, zone: self.targets(table, PlaceId(zone)),
            refuse_pick=self._refuse_pick,
            refuse_other=misplaced,
            may_repeat=True,
        )
        self.decisions: dict[str, Decision] = {self.kind: question, self.loss_kind: self.losses.question}
        self.steps: tuple[Step, ...] = (
            Step("assign", self.action, self._ask, when=lambda table, _: any(self._shots(table))),
            Step("fire", self.aim.roll, self._shoot, when=lambda table, _: bool(SHOTS.on(table)), repeats=True),
        )

    @abstractmethod
    def side(self, table: Table) -> Side:
        """Return the side that fires."""

    def guns(self, table: Table) -> Counter[PlaceId]:
        """Return how many units of the type might fire from each zone; on a crossing none does.

        Source: unit.artillery.stats, unit.artillery.air-defense.city, unit.rocket.bombardment.eligible.
        """
        side, kinds, zones = self.side(table), self.board.units, self.board.zones
        there = [one for one in table.pieces.values() if one.side == side and one.place in zones and one.kind in kinds]
        return Counter([one.place for one in there if kinds[one.kind].type == self.type])

    @abstractmethod
    def targets(self, table: Table, zone: PlaceId) -> Sequence[str]:
        """Return what might be fired at from a zone, which `refuse` judges."""

    @abstractmethod
    def refuse(self, table: Table, zone: PlaceId, target: str) -> Refusal | None:
        """Return why a zone cannot fire at a target, or None if it can."""

    def aims(self, table: Table, target: str) -> Aim:
        """Return how the fire at a target is named and cited."""
        return self.aim

    @abstractmethod
    def pool(self, table: Table, target: str) -> Sequence[PieceId]:
        """Return the units that can be hit at a target."""

    def lose(self, draft: Draft, pieces: Sequence[PieceId], cause: RuleId) -> None:
        """Destroy casualties, which were in one place, with what they carry. Source: unit.bomber.cargo-lost."""
        lose(draft, pieces, cause)

    def _shots(self, table: Table) -> Iterator[int]:
        """Yield how many units can fire from each zone with a target."""
        for zone, guns in self.guns(table).items():
            if any(self.refuse(table, zone, target) is None for target in self.targets(table, zone)):
                yield guns

    def _ask(self, draft: Draft, at: Open) -> None:
        side = self.side(draft.table)
        draft.ask(self.kind, draft.table.seat_of(side), self.cards[side])

    def _refuse_pick(self, table: Table, asked: Open, pick: Pick) -> Refusal | None:
        """Judge who fires at what. Source: sequence.fire-once-per-phase."""
        guns = self._ready.of(table)[PlaceId(pick.item)]
        if not guns:
            return refused("unit_must_be_able_to_fire", rule=self.eligible)
        if asked.picked.count(pick.item) >= guns:
            return refused("unit_must_not_have_fired")
        return self.refuse(table, PlaceId(pick.item), pick.to)

    def _assign(self, draft: Draft, asked: Open, picks: Picks) -> None:
        """Record how many units fire at each target, and from where: what was picked is told to nobody."""
        for target in sorted({to for _, to in picks}):
            zones = Counter([zone for zone, to in picks if to == target])
            rule = self.aims(draft.table, target).assign
            parts = tuple([Modifier(rule, f"from {zone}", number) for zone, number in sorted(zones.items())])
            SHOTS.set(draft, target, zones.total(), rule, parts=parts)

    def _shoot(self, draft: Draft, at: Open) -> None:
        """Roll the dice for one target, whose owner chooses the casualties at once."""
        table = draft.table
        target = SHOTS.on(table)[0]
        number, aim = SHOTS.of(table, target) or 0, self.aims(table, target)
        SHOTS.forget(draft, target, aim.roll)
        faces = draft.dice(number, aim.name, aim.roll, about=target, needed=self.needed, each=True, or_less=True)
        pool = self.pool(table, target)
        if pool:
            owner = table.seat_of(table.pieces[pool[0]].side)
            self.losses.ask(draft, owner, pool, scored(faces, self.needed), aim.loss)


INTERDICTING = Aim("Interdiction", assign=INTERDICT, roll=INTERDICT, loss=INTERDICT)
AIR_DEFENSE = KindOfFire(
    ASSIGN_AIR_DEFENSE,
    "air_loss",
    ARTILLERY,
    cards={ALLIES: RuleId("order.4.sequence"), AXIS: RuleId("order.11.sequence")},
    action=RuleId("unit.artillery.air-defense"),
    eligible=CITY,
    aim=Aim(
        "Air Defense",
        assign=RuleId("unit.artillery.air-defense.assign-first"),
        roll=RuleId("unit.artillery.air-defense.roll"),
        loss=RuleId("unit.artillery.air-defense.casualty"),
    ),
)


class AirDefense(AssignedFire):
    """Air Defense by the side that reacts. Targets are places, and with Interdiction bombers.

    Source: unit.artillery.air-defense, unit.artillery.air-defense.no-return-fire, order.4.sequence,
    order.11.sequence.
    """

    def __init__(self, board: Board) -> None:
        self.skies = tuple([above(crossing) for crossing in board.crossings])
        super().__init__(board, AIR_DEFENSE, board.file.fire.air_defense)

    @override
    def side(self, table: Table) -> Side:
        return reacting(table)

    @override
    def aims(self, table: Table, target: str) -> Aim:
        return INTERDICTING if target in table.pieces else self.aim

    @override
    def targets(self, table: Table, zone: PlaceId) -> list[str]:
        """Return the places, and with Interdiction each bomber, though two be alike: either can be fired at. Source: ruling.interdiction-details."""
        is_city = self.board.zones[zone].is_city
        places = (*self.board.city, *self.skies) if is_city else (zone,)
        found: list[str] = [place for place in places if self.pool(table, place)]
        if INTERDICTION.is_on(table):
            for near in self.board.zones[zone].near:
                found += self.pool(table, near)
        return found

    @override
    def pool(self, table: Table, target: str) -> list[PieceId]:
        """Return a bomber, or the enemy air units that moved into a place.

        Source: unit.artillery.air-defense.moved-only, unit.artillery.air-defense.any-mission,
        unit.artillery.air-defense.casualty, ruling.air-defense-targets, ruling.interdiction-details.
        """
        if target in table.pieces:
            return [PieceId(target)]
        there = force(table, self.board, PlaceId(target)).air[table.turn]
        return [piece for piece in there if MISSION.of(table, piece) not in (None, STAY, SCRAMBLE)]

    @override
    def refuse(self, table: Table, zone: PlaceId, target: str) -> Refusal | None:
        """Judge a target.

        Source: unit.artillery.air-defense.region-own-zone, unit.artillery.air-defense.city,
        unit.artillery.air-defense.moved-only, volga-attack.axis-only.
        """
        if target in table.pieces:
            return self._refuse_bomber(table, zone, PieceId(target))
        is_city = self.board.zones[zone].is_city
        if target in self.board.crossings:
            return refused("target_must_be_eligible", rule=RuleId("volga-attack.axis-only"))
        if target != zone and not (is_city and (target in self.board.city or target in self.skies)):
            return refused("target_must_be_eligible", *(IN_CITY if is_city else IN_REGION))
        if self.pool(table, target):
            return None
        is_any = air(table, self.board, PlaceId(target), table.turn)
        return refused("target_must_be_eligible" if is_any else "target_must_be_present", rule=MOVED_ONLY)

    def _refuse_bomber(self, table: Table, zone: PlaceId, bomber: PieceId) -> Refusal | None:
        """Judge Interdiction.

        Source: optional.interdiction, optional.interdiction.true-adjacency, ruling.interdiction-details,
        ruling.volga-adjacency-other.
        """
        is_enemy = table.pieces[bomber].side == table.turn
        if not INTERDICTION.is_on(table) or not is_enemy or MISSION.of(table, bomber) not in TRANSPORTS:
            return refused("target_must_be_eligible", rule=INTERDICT)
        if is_contested(table, zone):
            return refused("unit_must_be_able_to_fire", rule=INTERDICT)
        if table.pieces[bomber].place in self.board.zones[zone].near:
            return None
        return refused("target_must_be_eligible", rule=RuleId("optional.interdiction.true-adjacency"))


BOMBARDMENT = KindOfFire(
    ASSIGN_BOMBARDMENT,
    "bombardment_loss",
    ROCKET_LAUNCHER,
    cards={ALLIES: RuleId("order.12.sequence")},
    action=RuleId("unit.rocket.bombardment"),
    eligible=ELIGIBLE,
    aim=Aim(
        "Bombardment",
        assign=RuleId("unit.rocket.bombardment.assign-first"),
        roll=RuleId("unit.rocket.bombardment.roll"),
        loss=RuleId("unit.rocket.bombardment.casualty"),
    ),
)


class Bombardment(AssignedFire):
    """Bombardment by the Allies' rocket launchers at the start of their Attack phase, once tokens have supplied one zone after another.

    Source: unit.rocket.bombardment, order.12.sequence, ruling.optional-fire.
    """

    def __init__(self, board: Board, tokens: Tokens) -> None:
        self.tokens = tokens
        super().__init__(board, BOMBARDMENT, board.file.fire.bombardment)
        self._ranges = {zone: self._range(zone) for zone in board.zones}
        ask = Step(
            "tokens",
            ELIGIBLE,
            lambda draft, _: tokens.ask(draft, self._to_supply(draft.table)[0], ALLIES, BOMBARDMENT_USE),
            when=lambda table, _: bool(self._to_supply(table)),
            repeats=True,
        )
        self.steps = (ask, *self.steps)

    # Supply

    def _to_supply(self, table: Table) -> list[PlaceId]:
        """Return the zones still to be asked about, in the order of the board."""
        guns = self.guns(table)
        return [zone for zone in self.board.zones if guns[zone] and self._may_be_supplied(table, zone)]

    def _may_be_supplied(self, table: Table, zone: PlaceId) -> bool:
        """Return whether a token would let the launchers of a zone fire. Source: unit.rocket.bombardment.eligible, ruling.token-timing."""
        if LAUNCHERS.of(table, zone) is not None or is_contested(table, zone) or self._is_supplied(table, zone):
            return False
        can_spend = self.tokens.can_spend(table, zone, ALLIES)
        return can_spend and any(not self._refuse_target(table, zone, to) for to in self.targets(table, zone))

    def _is_supplied(self, table: Table, zone: PlaceId) -> bool:
        return LAUNCHERS.of(table, zone) == SUPPLIED or is_supplied(table, self.board, zone, ALLIES)

    # Fire

    @override
    def side(self, table: Table) -> Side:
        return ALLIES

    @override
    def guns(self, table: Table) -> Counter[PlaceId]:
        return super().guns(table) if table.turn == ALLIES else Counter()

    @override
    def targets(self, table: Table, zone: PlaceId) -> list[PlaceId]:
        """Return the zones in range that hold enemy units. Source: unit.rocket.bombardment.range."""
        return [place for place in self._ranges[zone] if self.pool(table, place)]

    def _is_in_range(self, zone: PlaceId, target: PlaceId) -> bool:
        return target in self._ranges[zone]

    def _range(self, zone: PlaceId) -> list[PlaceId]:
        there, city = self.board.zones[zone], self.board.city
        near = {*there.near, *(city if there.is_city else ())} - {zone}
        return [place for place in self.board.zones if place in near]

    @override
    def pool(self, table: Table, target: str) -> list[PieceId]:
        """Return the enemy units that can be hit, not those in the air. Source: ruling.bombardment-air-casualties."""
        there = force(table, self.board, PlaceId(target)).units[AXIS]
        return [piece for piece in there if table.pieces[piece].face != FLYING]

    @override
    def refuse(self, table: Table, zone: PlaceId, target: str) -> Refusal | None:
        """Judge who fires at what. Source: unit.rocket.bombardment.eligible."""
        if is_contested(table, zone):
            return refused("unit_must_be_able_to_fire")
        if not self._is_supplied(table, zone):
            return refused("launcher_must_be_supplied")
        return self._refuse_target(table, zone, PlaceId(target))

    def _refuse_target(self, table: Table, zone: PlaceId, target: PlaceId) -> Refusal | None:
        """Judge a target.

        Source: unit.rocket.bombardment.range, unit.rocket.bombardment.targets, zone.base.no-attack.
        """
        if target in self.board.bases.values():
            return refused("base_zone_must_not_be_attacked")
        if not self._is_in_range(zone, target):
            return refused("target_must_be_eligible", IN_RANGE, RuleId("unit.rocket.bombardment.range"))
        if not self.pool(table, target):
            return refused("target_must_be_present", rule=TARGETS)
        return refused("target_must_be_eligible", rule=TARGETS) if is_in_battle(table, target) else None

    @override
    def lose(self, draft: Draft, pieces: Sequence[PieceId], cause: RuleId) -> None:
        """Destroy the casualties, and return the Combat Marker with the last land unit.

        Source: unit.rocket.bombardment.casualty, unit.rocket.bombardment.last-unit-marker.
        """
        zone = draft.table.pieces[pieces[0]].place
        lose(draft, pieces, cause)
        drop_marker_if_alone(draft, self.board, zone, AXIS, RuleId("unit.rocket.bombardment.last-unit-marker"))
        show_supply(draft, self.board)
