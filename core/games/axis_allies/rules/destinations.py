"""Where the missions of air units lead: targets of attacks, and airfields and zones for what relocates or transports."""

from core.games.axis_allies import memory
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.map_records import BOMBER
from core.games.axis_allies.ids import AXIS, FLYING, above, enemy
from core.games.axis_allies.options import GROUNDED_FIGHTERS_ATTACK
from core.games.axis_allies.rules.cargo import LOAD_RULES
from core.games.axis_allies.rules.commands import Fly
from core.games.axis_allies.rules.limits import refuse_assault
from core.games.axis_allies.rules.queries import has_target, is_contested, is_friendly, is_in_battle, is_occupied
from core.games.axis_allies.rules.refusals import REFUSALS, refused
from core.refusal import Refusal
from events.ids import PieceId, PlaceId, RuleId, Side
from projections.table import Table

STAYS = RuleId("movement.air.stay-and-fight")
AT_CROSSING = RuleId("volga-attack.declare")

MISSION_RULES = {
    memory.ATTACK_MISSION: RuleId("movement.air.attack-target"),
    memory.STAY: STAYS,
    memory.RELOCATE: RuleId("movement.air.relocate"),
    **LOAD_RULES,
}


def refuse_destination(table: Table, board: Board, side: Side, piece: PieceId, command: Fly) -> Refusal | None:
    """Return why an air unit's mission cannot lead to a place, or None if it can."""
    is_bomber = board.units[table.pieces[piece].kind].type == BOMBER
    is_flying = table.pieces[piece].face == FLYING
    origin, to, mission = command.origin, command.to, command.mission
    if mission == memory.STAY:
        no = _refuse_stay(table, board, side, command, is_bomber=is_bomber)
        return refused("unit_must_be_eligible", rule=STAYS) if is_flying else no
    if mission == memory.ATTACK_MISSION:
        return _refuse_target(table, board, side, to, is_bomber=is_bomber)
    rule = MISSION_RULES[mission]
    stays = refused("destination_must_suit_mission", rule=rule)
    return REFUSALS.first(
        (
            refuse_end(table, board, side, mission, to),
            _refuse_troops(board, origin, to) if mission == memory.TROOP_LANDING else None,
            stays if to == origin and (mission != memory.RELOCATE or not is_flying) else None,
        )
    )


# Attacks


def _refuse_stay(table: Table, board: Board, side: Side, command: Fly, *, is_bomber: bool) -> Refusal | None:
    """Judge an attack from the ground.

    Source: RuleId("movement.air.stay-and-fight"), ruling.grounded-air-attacks, ruling.stay-attack-declaration.
    """
    zone = command.origin
    if command.to != zone or not GROUNDED_FIGHTERS_ATTACK.is_on(table):
        return refused("unit_must_be_eligible", rule=STAYS)
    if not is_contested(table, zone) or not is_occupied(table, board, zone, enemy(side)):
        return refused("target_must_be_present", rule=STAYS)
    return refused("bomber_must_not_attack_battle", rule=STAYS) if is_bomber else None


def _refuse_target(table: Table, board: Board, side: Side, to: PlaceId, *, is_bomber: bool) -> Refusal | None:
    """Judge the target of an attack.

    Source: RuleId("movement.air.attack-target"), RuleId("zone.base.no-attack"), RuleId("unit.bomber.assault-aircraft").
    """
    if to in board.crossings:
        return _refuse_crossing(table, board, side, to)
    if to == board.bases[enemy(side)]:
        return refused("base_zone_must_not_be_attacked")
    if to not in board.zones or not is_occupied(table, board, to, enemy(side)):
        return refused("target_must_be_present")
    if is_bomber and is_in_battle(table, to):
        return refused("bomber_must_not_attack_battle")
    return refuse_assault(table, board, to)


def _refuse_crossing(table: Table, board: Board, side: Side, crossing: PlaceId) -> Refusal | None:
    """Judge an attack on a Volga Crossing.

    Source: RuleId("volga-attack.axis-only"), RuleId("volga-attack.declare"), ruling.volga-empty-icebridge.
    """
    if side != AXIS:
        return refused("target_must_be_eligible", rule=RuleId("volga-attack.axis-only"))
    if not has_target(table, crossing):
        return refused("target_must_be_present", rule=AT_CROSSING)
    return refuse_assault(table, board, above(crossing))


# Relocation and Air Transport


def refuse_end(table: Table, board: Board, side: Side, mission: str, to: PlaceId) -> Refusal | None:
    """Return why a relocation or an Air Transport cannot end in a zone, or None if it can; room is not asked for here.

    Source: RuleId("movement.air.relocate"), RuleId("unit.bomber.supply-drop"), RuleId("unit.bomber.supply-landing"),
    RuleId("unit.bomber.troop-landing"), RuleId("zone.base.entry"), ruling.relocate-definition, ruling.delivery-zone-changed.
    """
    rule = MISSION_RULES[mission]
    zone = board.zones.get(to)
    is_open = is_friendly(table, to, side)
    if zone is None and mission != memory.SUPPLY_DROP:
        return refused("destination_must_have_airfield")
    if zone is None:
        return refused("destination_must_suit_mission", rule=rule)
    if zone.base == enemy(side):
        return refused("base_zone_must_not_be_entered")
    if mission == memory.SUPPLY_DROP:
        suits = is_open or is_contested(table, to)
        return None if suits else refused("destination_must_suit_mission", rule=rule)
    if not zone.has_airfield:
        return refused("destination_must_have_airfield")
    if mission == memory.RELOCATE:
        return None if is_open else refused("airfield_must_have_been_held", "The enemy controls that airfield.", rule)
    suits = is_open and not (mission == memory.TROOP_LANDING and is_contested(table, to))
    return None if suits else refused("destination_must_suit_mission", rule=rule)


def _refuse_troops(board: Board, origin: PlaceId, to: PlaceId) -> Refusal | None:
    """Judge between which zones infantry is flown. Source: RuleId("unit.bomber.troop-landing.limits")."""
    there = board.zones.get(to)
    leaves_city = board.zones[origin].is_city and there is not None and not there.is_city
    if there is not None and (there.base is not None or leaves_city):
        return refused("destination_must_suit_mission", rule=RuleId("unit.bomber.troop-landing.limits"))
    return None
