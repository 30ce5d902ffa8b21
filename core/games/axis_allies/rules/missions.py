"""The moves of air units: attacks on zones and Volga Crossings, relocation and Air Transport, with what bombers carry."""

from collections.abc import Iterator
from functools import partial

from core.engine.draft import Draft
from core.engine.question import Answer
from core.games.axis_allies import memory
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.map_records import BOMBER
from core.games.axis_allies.ids import AXIS, FLYING, SIDES, SUPPLY, above, enemy
from core.games.axis_allies.options import BAD_WEATHER_SORTIES, GROUNDED_FIGHTERS_ATTACK
from core.games.axis_allies.rules import queries
from core.games.axis_allies.rules.commands import Fly
from core.games.axis_allies.rules.control import begin_assault
from core.games.axis_allies.rules.deployment import is_doubled, refuse_assault
from core.games.axis_allies.rules.land_movement import Land, ends_before
from core.games.axis_allies.rules.refusals import REFUSALS, absent, refused
from core.refusal import Refusal
from core.wording import joined
from events.ids import PieceId, PlaceId, RuleId, Side
from projections.state.table import Open, Table

PICK_UP = RuleId("unit.bomber.token-pickup")
LOAD_RULES = {
    memory.SUPPLY_DROP: RuleId("unit.bomber.supply-drop"),
    memory.SUPPLY_LANDING: RuleId("unit.bomber.supply-landing"),
    memory.TROOP_LANDING: RuleId("unit.bomber.troop-landing"),
}
ONE_MISSION = RuleId("unit.bomber.one-mission")
FREE_INFANTRY = RuleId("movement.force-multiplier.infantry")

ATTACKS = (memory.ATTACK_MISSION, memory.STAY)
"""The missions that bad weather forbids."""

TOKENS_LANDED = 2
"""The most tokens of a Supply Landing."""

Classes = tuple[str, ...]


def loads(board: Board, side: Side, mission: str) -> list[Classes]:
    """Return what a bomber might take along on a mission.

    Source: unit.bomber.one-mission, unit.bomber.supply-drop, unit.bomber.supply-landing,
    unit.bomber.troop-landing.
    """
    if mission == memory.SUPPLY_DROP:
        return [(SUPPLY,)]
    if mission == memory.SUPPLY_LANDING:
        return [(SUPPLY,) * number for number in range(1, TOKENS_LANDED + 1)]
    if mission == memory.TROOP_LANDING:
        return [(kind.id,) for kind in board.units.values() if kind.is_infantry and kind.side == side]
    return [()]


def refuse_cargo(table: Table, board: Board, side: Side, command: Fly) -> Refusal | None:
    """Return why a bomber cannot take cargo along on a mission, or None if it can."""
    cargo, zone = command.cargo, command.origin
    if not cargo and command.mission not in LOAD_RULES:
        return None
    rule = ONE_MISSION if len(set(cargo)) > 1 else LOAD_RULES.get(command.mission, ONE_MISSION)
    suits = cargo in loads(board, side, command.mission)
    return REFUSALS.first(
        None if suits else refused("cargo_must_fit_mission", rule=rule),
        _refuse_presence(table, side, zone, cargo),
        _refuse_infantry(table, board, side, zone) if command.mission == memory.TROOP_LANDING else None,
    )


def _refuse_presence(table: Table, side: Side, zone: PlaceId, cargo: Classes) -> Refusal | None:
    """Judge whether the cargo was with the bomber. Source: unit.bomber.air-transport, unit.bomber.token-pickup."""
    if len(queries.all_like(table, side, [(zone, one) for one in cargo])) == len(cargo):
        return None
    tokens = {one: len(queries.tokens(table, zone, one)) for one in SIDES}
    if tokens[side] < cargo.count(SUPPLY) <= sum(tokens.values()):
        return refused("token_must_be_own", rule=PICK_UP)
    return refused("cargo_must_start_with_bomber")


def _refuse_infantry(table: Table, board: Board, side: Side, zone: PlaceId) -> Refusal | None:
    """Judge whether infantry may leave its zone. Source: movement.locked-in-combat, ruling.not-one-step-back."""
    if queries.is_contested(table, zone):
        return refused("unit_must_not_be_locked_in_combat")
    return refused("not_one_step_back_must_be_obeyed") if Land(table, board, side).is_bound(zone) else None


def load(draft: Draft, board: Board, bomber: PieceId, pieces: list[PieceId], to: PlaceId) -> None:
    """Put cargo on a bomber. Source: unit.bomber.air-transport, unit.bomber.token-pickup."""
    table = draft.table
    for piece in pieces:
        there = table.pieces[piece]
        kind = board.units.get(there.kind)
        if kind is not None and is_doubled(board, kind, there.place, to):
            memory.FROM_REGION.set(draft, piece, value=True, rule=FREE_INFANTRY)
        draft.move(piece, PlaceId(bomber), PICK_UP if kind is None else RuleId("unit.bomber.air-transport"))


STAYS = RuleId("movement.air.stay-and-fight")
AT_CROSSING = RuleId("volga-attack.declare")
BY_STAYING = (
    "An air unit on the ground attacks another zone by flying there; in its own zone a fighter attacks by staying."
)

MISSION_RULES = {
    memory.ATTACK_MISSION: RuleId("movement.air.attack-target"),
    memory.STAY: STAYS,
    memory.RELOCATE: RuleId("movement.air.relocate"),
    **LOAD_RULES,
}


def refuse_destination(table: Table, board: Board, side: Side, piece: PieceId, command: Fly) -> Refusal | None:
    """Return why an air unit's mission cannot lead to a place, or None if it can.

    Source: movement.air.attack-target, movement.air.stay-and-fight, ruling.stay-attack-declaration.
    """
    is_bomber = board.units[table.pieces[piece].kind].type == BOMBER
    is_flying = table.pieces[piece].face == FLYING
    origin, to, mission = command.origin, command.to, command.mission
    if mission == memory.STAY:
        no = _refuse_stay(table, board, side, command, is_bomber=is_bomber)
        return refused("unit_must_be_eligible", rule=STAYS) if is_flying else no
    if mission == memory.ATTACK_MISSION and to == origin and not is_flying:
        return refused("target_must_be_eligible", BY_STAYING, STAYS)
    if mission == memory.ATTACK_MISSION:
        return _refuse_target(table, board, side, to, is_bomber=is_bomber) or _refuse_marker(table, board, to)
    stays = to == origin and (mission != memory.RELOCATE or not is_flying)
    return REFUSALS.first(
        refuse_end(table, board, side, mission, to),
        _refuse_troops(board, origin, to) if mission == memory.TROOP_LANDING else None,
        refused("destination_must_suit_mission", rule=MISSION_RULES[mission]) if stays else None,
    )


# Attacks


def _refuse_stay(table: Table, board: Board, side: Side, command: Fly, *, is_bomber: bool) -> Refusal | None:
    """Judge an attack from the ground.

    Source: movement.air.stay-and-fight, ruling.grounded-air-attacks, ruling.stay-attack-declaration.
    """
    zone = command.origin
    if command.to != zone or not GROUNDED_FIGHTERS_ATTACK.is_on(table):
        return refused("unit_must_be_eligible", rule=STAYS)
    if not queries.is_contested(table, zone) or not queries.is_occupied(table, board, zone, enemy(side)):
        return refused("target_must_be_present", rule=STAYS)
    return refused("bomber_must_not_attack_battle", rule=STAYS) if is_bomber else None


def _refuse_target(table: Table, board: Board, side: Side, to: PlaceId, *, is_bomber: bool) -> Refusal | None:
    """Judge the target of an attack, Combat Markers aside.

    Source: movement.air.attack-target, zone.base.no-attack, unit.bomber.assault-aircraft.
    """
    if to in board.crossings:
        return _refuse_crossing(table, board, side, to)
    if to == board.bases[enemy(side)]:
        return refused("base_zone_must_not_be_attacked")
    if to not in board.zones or not queries.is_occupied(table, board, to, enemy(side)):
        return refused("target_must_be_present")
    if is_bomber and queries.is_in_battle(table, to):
        return refused("bomber_must_not_attack_battle")
    return None


def _refuse_marker(table: Table, board: Board, to: PlaceId) -> Refusal | None:
    """Return why no attack can begin for lack of a Combat Marker, or None if one can."""
    return refuse_assault(table, board, above(to) if to in board.crossings else to)


def _refuse_crossing(table: Table, board: Board, side: Side, crossing: PlaceId) -> Refusal | None:
    """Judge an attack on a Volga Crossing.

    Source: volga-attack.axis-only, volga-attack.declare, ruling.volga-empty-icebridge.
    """
    if side != AXIS:
        return refused("target_must_be_eligible", rule=RuleId("volga-attack.axis-only"))
    if not queries.has_target(table, crossing):
        return refused("target_must_be_present", rule=AT_CROSSING)
    return None


# Relocation and Air Transport


def refuse_end(table: Table, board: Board, side: Side, mission: str, to: PlaceId) -> Refusal | None:
    """Return why a relocation or an Air Transport cannot end in a zone, or None if it can; room is not asked for here.

    Source: movement.air.relocate, unit.bomber.supply-drop, unit.bomber.supply-landing,
    unit.bomber.troop-landing, zone.base.entry, ruling.relocate-definition, ruling.delivery-zone-changed.
    """
    rule = MISSION_RULES[mission]
    zone = board.zones.get(to)
    is_open = queries.is_friendly(table, to, side)
    if zone is None and mission != memory.SUPPLY_DROP:
        return refused("destination_must_have_airfield")
    if zone is None:
        return refused("destination_must_suit_mission", rule=rule)
    if zone.base == enemy(side):
        return refused("base_zone_must_not_be_entered")
    if mission == memory.SUPPLY_DROP:
        suits = is_open or queries.is_contested(table, to)
        return None if suits else refused("destination_must_suit_mission", rule=rule)
    if not zone.has_airfield:
        return refused("destination_must_have_airfield")
    if mission == memory.RELOCATE:
        return None if is_open else refused("airfield_must_have_been_held", "The enemy controls that airfield.", rule)
    suits = is_open and not (mission == memory.TROOP_LANDING and queries.is_contested(table, to))
    return None if suits else refused("destination_must_suit_mission", rule=rule)


def _refuse_troops(board: Board, origin: PlaceId, to: PlaceId) -> Refusal | None:
    """Judge between which zones infantry is flown. Source: unit.bomber.troop-landing.limits."""
    there = board.zones.get(to)
    leaves_city = board.zones[origin].is_city and there is not None and not there.is_city
    if there is not None and (there.base is not None or leaves_city):
        return refused("destination_must_suit_mission", rule=RuleId("unit.bomber.troop-landing.limits"))
    return None


NOT_LOCKED = RuleId("movement.air.not-locked")
BAD_WEATHER = {True: RuleId("unit.bomber.bad-weather"), False: RuleId("unit.fighter.bad-weather")}
"""What keeps bombers and fighters from attacking zones in bad weather."""


def answer(board: Board) -> Answer:
    """Return how air units answer the question of a Movement phase. Source: movement.air.unlimited."""

    def listed(table: Table, asked: Open) -> Iterator[Fly]:
        return flights(Land(table, board, table.side_of(asked.seat)))

    return Answer(Fly, listed, partial(refuse_flight, board), partial(fly, board), are_legal=True)


def flights(land: Land) -> Iterator[Fly]:
    """Yield all legal moves of a side's air units."""
    table, side = land.table, land.side
    targets = _Targets(land)
    for force in land.forces.values():
        if not force.air[side]:
            continue
        ready = [piece for piece in force.air[side] if memory.MISSION.of(table, piece) is None]
        for piece in {queries.like(table, piece): piece for piece in ready}.values():
            yield from _flights(targets, piece)


class _Targets:
    """The targets of a side's attacks on one table, found once for all of its fighters and once for all of its bombers, and the ends of its other missions."""

    def __init__(self, land: Land) -> None:
        self.land = land
        self.table = land.table
        self.board = land.board
        self.side = land.side
        self._found: dict[bool, list[PlaceId]] = {}
        self._ends = ends_before(land.board, land.side, land.friendly, land.contested)

    def of(self, *, is_bomber: bool) -> list[PlaceId]:
        """Return what an air unit of another zone can attack."""
        table, board, side = self.table, self.board, self.side
        if is_bomber not in self._found:
            held = [zone for zone, force in self.land.forces.items() if force.units[enemy(side)]]
            places = (*held, *board.crossings)
            found = [to for to in places if _refuse_target(table, board, side, to, is_bomber=is_bomber) is None]
            if not self.land.has_marker:
                found = [to for to in found if _refuse_marker(table, board, to) is None]
            self._found[is_bomber] = found
        return self._found[is_bomber]

    def ends(self, mission: str) -> list[PlaceId]:
        """Return where a relocation or an Air Transport can end, whatever the unit."""
        if mission not in self._ends:
            table, board, side = self.table, self.board, self.side
            places = board.zones if mission == memory.SUPPLY_DROP else board.airfields
            self._ends[mission] = [to for to in places if refuse_end(table, board, side, mission, to) is None]
        return self._ends[mission]


def must_move(land: Land) -> bool:
    """Return whether an air unit that arrived in the air has no move yet, and has one.

    Source: movement.air.reinforcement-must-move, ruling.reinforcement-air.
    """
    table, targets = land.table, _Targets(land)
    for force in land.forces.values():
        for piece in force.air[land.side]:
            is_waiting = table.pieces[piece].face == FLYING and not memory.MISSION.of(table, piece)
            if is_waiting and next(_flights(targets, piece), None) is not None:
                return True
    return False


def _flights(targets: _Targets, piece: PieceId) -> Iterator[Fly]:
    """Yield the moves that an air unit of a zone without one can be given."""
    table, board, side = targets.table, targets.board, targets.side
    unit, zone = queries.like(table, piece), table.pieces[piece].place
    is_bomber = board.units[table.pieces[piece].kind].type == BOMBER
    is_flying = table.pieces[piece].face == FLYING
    for mission in memory.ORDERS if is_bomber else (memory.ATTACK_MISSION, memory.STAY, memory.RELOCATE):
        if mission in ATTACKS and _refuse_weather(table, mission, None) is not None:
            continue
        if mission == memory.ATTACK_MISSION:
            ends = [to for to in targets.of(is_bomber=is_bomber) if to != zone or is_flying]
        elif mission == memory.STAY:
            stay = Fly(unit, zone, zone, mission)
            ends = [zone] if refuse_destination(table, board, side, piece, stay) is None else []
        else:
            stays = mission == memory.RELOCATE and is_flying
            ends = [to for to in targets.ends(mission) if to != zone or stays]
        if mission == memory.TROOP_LANDING:
            ends = [to for to in ends if _refuse_troops(board, zone, to) is None]
        for cargo in loads(board, side, mission) if ends else ():
            if not cargo or _is_ready(targets, zone, mission, cargo):
                yield from [Fly(unit, zone, to, mission, cargo) for to in ends]


def _is_ready(targets: _Targets, zone: PlaceId, mission: str, cargo: Classes) -> bool:
    """Return whether a bomber of a zone can take along what suits its mission; see `refuse_cargo`."""
    table, board, side = targets.table, targets.board, targets.side
    if _refuse_presence(table, side, zone, cargo) is not None:
        return False
    return mission != memory.TROOP_LANDING or _refuse_infantry(table, board, side, zone) is None


# Refusals


def refuse_flight(board: Board, table: Table, asked: Open, command: Fly) -> Refusal | None:
    """Return why an air unit cannot be given a move, or None if it can."""
    side = table.side_of(asked.seat)
    piece = _unit(table, board, side, command)
    if piece is None:
        return absent(table, side, command.origin, command.unit, rule=RuleId("unit.class.air"))
    if command.mission not in memory.ORDERS:
        sentence = f"There is no mission {command.mission!r}; there are {joined(memory.ORDERS)}."
        return refused("unit_must_be_eligible", sentence, RuleId("unit.class.air"))
    is_bomber = board.units[table.pieces[piece].kind].type == BOMBER
    if memory.MISSION.of(table, piece) is not None:
        return _refuse_second(table, piece, command.mission)
    if command.mission in memory.TRANSPORTS and not is_bomber:
        return refused("unit_must_be_eligible", rule=RuleId("unit.bomber.air-transport"))
    return REFUSALS.first(
        _refuse_weather(table, command.mission, None if command.to in board.crossings else BAD_WEATHER[is_bomber]),
        refuse_cargo(table, board, side, command),
        refuse_destination(table, board, side, piece, command),
    )


def _unit(table: Table, board: Board, side: Side, command: Fly) -> PieceId | None:
    """Return the air unit of a command. Source: movement.air.not-locked."""
    piece = queries.first_like(table, side, command.origin, command.unit)
    if command.origin not in board.zones or piece is None:
        return None
    return piece if table.pieces[piece].kind in board.air_units else None


def _refuse_second(table: Table, piece: PieceId, mission: str) -> Refusal:
    """Refuse a second move. Source: unit.bomber.one-mission, unit.bomber.no-attack-if-transport."""
    if memory.MISSION.of(table, piece) not in memory.TRANSPORTS:
        return refused("movement_must_suffice", rule=MISSION_RULES[memory.ATTACK_MISSION])
    if mission in (memory.ATTACK_MISSION, memory.STAY):
        return refused("bomber_must_not_have_transported")
    return refused("movement_must_suffice", rule=RuleId("unit.bomber.one-mission"))


def _refuse_weather(table: Table, mission: str, rule: RuleId | None) -> Refusal | None:
    """Return why the weather forbids a mission, or None if it does not.

    Source: movement.air.bad-weather, unit.fighter.bad-weather, unit.bomber.bad-weather,
    optional.sorties, ruling.sorties-scope.
    """
    if mission not in ATTACKS or not queries.is_bad_weather(table) or BAD_WEATHER_SORTIES.is_on(table):
        return None
    return refused("weather_must_permit_air_attack", rule=rule)


# What follows


def fly(board: Board, draft: Draft, asked: Open, command: Fly) -> None:
    """Give an air unit its move: it takes its cargo along, and flies until the Attack phase.

    Source: movement.air.unlimited, movement.air.not-locked, movement.air.assault-marker,
    volga-attack.declare.
    """
    table, side = draft.table, draft.table.side_of(asked.seat)
    piece = _unit(table, board, side, command)
    assert piece is not None
    mission, rule = command.mission, MISSION_RULES[command.mission]
    place = above(command.to) if command.to in board.crossings else command.to
    leaves = NOT_LOCKED if queries.is_contested(table, command.origin) else RuleId("movement.air.unlimited")
    cargo = queries.all_like(table, side, [(command.origin, one) for one in command.cargo])
    load(draft, board, piece, cargo, command.to)
    memory.MISSION.set(draft, piece, mission, rule if place == command.origin else leaves)
    if mission == memory.STAY:
        return
    draft.turn(piece, FLYING, rule)
    if place != command.origin:
        draft.move(piece, place, rule)
    if mission == memory.ATTACK_MISSION:
        begin_assault(draft, place, RuleId("movement.air.assault-marker") if command.to in board.zones else AT_CROSSING)
