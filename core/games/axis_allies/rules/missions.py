"""The moves of air units: attacks on zones and Volga Crossings, relocation and Air Transport."""

from collections.abc import Iterator

from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.map_records import BOMBER
from core.games.axis_allies.ids import AXIS, FLYING, above, enemy
from core.games.axis_allies.memory import ATTACK_MISSION, MISSION, ORDERS, RELOCATE, STAY, SUPPLY_DROP, TRANSPORTS
from core.games.axis_allies.options import BAD_WEATHER_SORTIES
from core.games.axis_allies.rules.cargo import find, load, loads, refuse_cargo
from core.games.axis_allies.rules.commands import Fly
from core.games.axis_allies.rules.control import begin_assault
from core.games.axis_allies.rules.destinations import AT_CROSSING, MISSION_RULES, refuse_destination
from core.games.axis_allies.rules.queries import air, first_like, is_bad_weather, is_contested, is_occupied, like
from core.games.axis_allies.rules.refusals import REFUSALS, refused
from core.question import Answer
from core.refusal import Refusal
from events.ids import PieceId, PlaceId, RuleId, Side
from projections.table import Open, Table

NOT_LOCKED = RuleId("movement.air.not-locked")
BAD_WEATHER = {True: RuleId("unit.bomber.bad-weather"), False: RuleId("unit.fighter.bad-weather")}
"""What keeps bombers and fighters from attacking zones in bad weather."""


def answer(board: Board) -> Answer:
    """Return how air units answer the question of a Movement phase. Source: RuleId("movement.air.unlimited")."""

    def candidates(table: Table, asked: Open) -> Iterator[Fly]:
        side = table.side_of(asked.seat)
        for zone in board.zones:
            ready = [piece for piece in air(table, board, zone, side) if MISSION.of(table, piece) is None]
            for unit in dict.fromkeys([like(table, piece) for piece in ready]):
                yield from _flights(table, board, side, unit, zone)

    def refuse(table: Table, asked: Open, command: Fly) -> Refusal | None:
        return refuse_flight(table, board, table.side_of(asked.seat), command)

    def take(draft: Draft, asked: Open, command: Fly) -> None:
        fly(draft, board, draft.table.side_of(asked.seat), command)

    return Answer(Fly, candidates, refuse, take)


def must_move(table: Table, board: Board, side: Side) -> bool:
    """Return whether an air unit that arrived in the air has no move yet, and has one.

    Source: RuleId("movement.air.reinforcement-must-move"), ruling.reinforcement-air.
    """
    return any(
        table.pieces[piece].face == FLYING
        and MISSION.of(table, piece) is None
        and any(
            refuse_flight(table, board, side, flight) is None
            for flight in _flights(table, board, side, like(table, piece), zone)
        )
        for zone in board.zones
        for piece in air(table, board, zone, side)
    )


def _flights(table: Table, board: Board, side: Side, unit: str, zone: PlaceId) -> Iterator[Fly]:
    """Yield the moves that a class of air units in a zone might be given."""
    for place in board.zones:
        if is_occupied(table, board, place, enemy(side)):
            yield Fly(unit, zone, place, ATTACK_MISSION)
    if side == AXIS:
        yield from [Fly(unit, zone, crossing, ATTACK_MISSION) for crossing in board.crossings]
    yield Fly(unit, zone, zone, STAY)
    yield from [Fly(unit, zone, field, RELOCATE) for field in board.airfields]
    for mission in TRANSPORTS:
        for cargo in loads(board, side, mission):
            if len(find(table, side, zone, cargo)) == len(cargo):
                places = board.zones if mission == SUPPLY_DROP else board.airfields
                yield from [Fly(unit, zone, place, mission, cargo) for place in places]


# Refusals


def refuse_flight(table: Table, board: Board, side: Side, command: Fly) -> Refusal | None:
    """Return why an air unit cannot be given a move, or None if it can."""
    piece = _unit(table, board, side, command)
    if piece is None or command.mission not in ORDERS:
        return refused("unit_must_be_eligible", rule=RuleId("unit.class.air"))
    is_bomber = board.units[table.pieces[piece].kind].type == BOMBER
    if MISSION.of(table, piece) is not None:
        return _refuse_second(table, piece, command.mission)
    if command.mission in TRANSPORTS and not is_bomber:
        return refused("unit_must_be_eligible", rule=RuleId("unit.bomber.air-transport"))
    return REFUSALS.first(
        (
            _refuse_weather(table, command, None if command.to in board.crossings else BAD_WEATHER[is_bomber]),
            refuse_cargo(table, board, side, command),
            refuse_destination(table, board, side, piece, command),
        )
    )


def _unit(table: Table, board: Board, side: Side, command: Fly) -> PieceId | None:
    """Return the air unit of a command. Source: RuleId("movement.air.not-locked")."""
    piece = first_like(table, command.origin, command.unit)
    if command.origin not in board.zones or piece is None:
        return None
    kind = board.units.get(table.pieces[piece].kind)
    return piece if kind is not None and kind.is_air and kind.side == side else None


def _refuse_second(table: Table, piece: PieceId, mission: str) -> Refusal:
    """Refuse a second move. Source: RuleId("unit.bomber.one-mission"), RuleId("unit.bomber.no-attack-if-transport")."""
    if MISSION.of(table, piece) not in TRANSPORTS:
        return refused("movement_must_suffice", rule=MISSION_RULES[ATTACK_MISSION])
    if mission in (ATTACK_MISSION, STAY):
        return refused("bomber_must_not_have_transported")
    return refused("movement_must_suffice", rule=RuleId("unit.bomber.one-mission"))


def _refuse_weather(table: Table, command: Fly, rule: RuleId | None) -> Refusal | None:
    """Return why the weather forbids a mission, or None if it does not.

    Source: RuleId("movement.air.bad-weather"), RuleId("unit.fighter.bad-weather"), RuleId("unit.bomber.bad-weather"),
    RuleId("optional.sorties"), ruling.sorties-scope.
    """
    is_attack = command.mission in (ATTACK_MISSION, STAY)
    if not is_attack or not is_bad_weather(table) or BAD_WEATHER_SORTIES.is_on(table):
        return None
    return refused("weather_must_permit_air_attack", rule=rule)


# What follows


def fly(draft: Draft, board: Board, side: Side, command: Fly) -> None:
    """Give an air unit its move: it takes its cargo along, and flies until the Attack phase.

    Source: RuleId("movement.air.unlimited"), RuleId("movement.air.not-locked"), RuleId("movement.air.assault-marker"),
    RuleId("volga-attack.declare").
    """
    table = draft.table
    piece = _unit(table, board, side, command)
    assert piece is not None
    mission, rule = command.mission, MISSION_RULES[command.mission]
    place = above(command.to) if command.to in board.crossings else command.to
    leaves = NOT_LOCKED if is_contested(table, command.origin) else RuleId("movement.air.unlimited")
    load(draft, board, piece, find(table, side, command.origin, command.cargo), command.to)
    MISSION.set(draft, piece, mission, rule if place == command.origin else leaves)
    if mission == STAY:
        return
    draft.turn(piece, FLYING, rule)
    if place != command.origin:
        draft.move(piece, place, rule)
    if mission == ATTACK_MISSION:
        begin_assault(draft, place, RuleId("movement.air.assault-marker") if command.to in board.zones else AT_CROSSING)
