"""Memory of the rules of this game between two commands.

Every attribute of this game is declared here. What follows from the table is not memory: contested zones, bad weather, frozen rivers, the
launch of Operation Uranus and supply.
"""

from collections.abc import Mapping

from core.components.inventory import SIDE, Inventory, Memory
from core.engine.attributes import Attribute, Number
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.inventory import (
    SKY,
    SUPPLIES,
    ZONE,
    base_group,
    inventory,
    unit_group,
)
from core.games.axis_allies.ids import PHASES, SIDES
from events.ids import PieceId, PlaceId, Side
from events.vocabulary import Value

LAND = "land unit"
AIR = "air unit"
BASE = "base zone"
"""What has memory besides the groups of the inventory: the units of all types of a class, and both base zones."""

# The chapters with which memory ends

COMBAT = "combat"
REACTION = "reaction"
ATTACK = "attack"

# Movement

MOVED = "moved"
LANDED = "landed"
CREATED = "created"
MOVE: Attribute[str] = Attribute("move", str, until="phase", words=(MOVED, LANDED, CREATED), owners=(LAND, SUPPLIES))
"""On a unit or token in its Movement phase: `moved`, `landed` from a crossing (may still move), or `created` by Force Multiplier.

Source: movement.volga.offload-free, movement.force-multiplier.new-unit-static, ruling.whole-moves.
"""

TAKEN: Attribute[str] = Attribute("taken", str, until="turn", words=("", *PHASES.values()), owners=(ZONE,))
"""On a zone: the phase in which its control changed last, empty at set-up. Source: movement.rear-echelon, ambush.leave, order.6.land."""
ACROSS_RIVER: Attribute[bool] = Attribute("across_river", bool, until="turn", owners=(ZONE,))
"""On a zone under Assault: a unit crossed an unfrozen river into it. Source: combat.mod.throw-them-back, ruling.assault-river-flag."""

# In the air

ATTACK_MISSION = "attack"
STAY = "stay"
RELOCATE = "relocate"
SUPPLY_DROP = "supply_drop"
SUPPLY_LANDING = "supply_landing"
TROOP_LANDING = "troop_landing"
SCRAMBLE = "scramble"
TRANSPORTS = (SUPPLY_DROP, SUPPLY_LANDING, TROOP_LANDING)
LANDINGS = (RELOCATE, SUPPLY_LANDING, TROOP_LANDING)
"""The missions of Air Transport, and those that end on the ground before any combat."""
ORDERS = (ATTACK_MISSION, STAY, RELOCATE, *TRANSPORTS)
"""The missions that a Movement phase gives. Source: unit.bomber.one-mission."""
MISSION: Attribute[str] = Attribute("mission", str, until="turn", words=(*ORDERS, SCRAMBLE), owners=(AIR,))
"""On an air unit that was given a move. Source: movement.air.attack-target, unit.bomber.one-mission."""
FROM_REGION: Attribute[bool] = Attribute("from_region", bool, until="turn", owners=(LAND,))
"""On infantry with Force Multiplier that a bomber flies from the Region Board into the city, until it is offloaded.

Source: movement.force-multiplier.infantry.
"""
HOME: Attribute[PlaceId] = Attribute("home", str, until="turn", refers=(ZONE, BASE), owners=(AIR,))
"""On a fighter that scrambled: the zone to which it returns. Source: optional.interceptors.return."""

# Fire

FIRED: Attribute[bool] = Attribute("fired", bool, until="phase", owners=(LAND,))
"""On a unit that fired outside combat. Source: sequence.fire-once-per-phase."""
SHOTS: Attribute[int] = Attribute("shots", int, within=(REACTION, ATTACK), owners=(ZONE, BASE, SKY, AIR))
"""On a place, or on a bomber with Interdiction, that Air Defense or Bombardment fires at: how many units fire. Its parts say from which zones."""
DESIGNATED: Attribute[tuple[PieceId, ...]] = Attribute(
    "designated", tuple, within=(COMBAT,), names_pieces=True, refers=(LAND, AIR)
)
"""On the table: the defender's casualties, which still fire. Source: combat.defender-casualties-fire-back."""
TOKEN_SPENT: Attribute[bool] = Attribute("token_spent", bool, within=(COMBAT,), owners=(SIDE,))
"""On a side that spent a supply token in this combat. Source: supply.token.spend."""
SUPPLIED = "supplied"
UNSUPPLIED = "unsupplied"
ALL = "all"
TOKENS_KEPT: Attribute[str] = Attribute("tokens_kept", str, until="phase", words=(SUPPLIED, ALL), owners=(SIDE,))
"""On a side that keeps its supply tokens for the rest of the phase: for which of its forces. Only its seat knows.

Source: supply.token.optional.
"""
LAUNCHERS: Attribute[str] = Attribute("launchers", str, until="phase", words=(SUPPLIED, UNSUPPLIED), owners=(ZONE,))
"""On a zone: whether a token supplies its rocket launchers. Source: unit.rocket.bombardment.eligible."""
FOUGHT: Attribute[bool] = Attribute("fought", bool, until="phase", owners=(ZONE, SKY))
"""On a contested zone whose combat was fought in this phase. Source: combat.one-round."""

# Cards

ARRIVED = Number("arrived", until="phase", owners=(ZONE, BASE))
"""On a zone: the units bought for it, or the Operation Uranus cards deployed there. Source: order.9.one-unit-limit, uranus.deploy.two-cards."""
LIBERATED: Attribute[bool] = Attribute("liberated", bool, until="round", owners=(ZONE,))
"""On the zone of a factory that was retaken in this round. Source: order.8.liberated, ruling.factory-liberated-same-round."""

# Before play

BID: Attribute[int] = Attribute("bid", int)
"""On the table: the standing bid, then what is left of it to spend at set-up.

Source: optional.bidding.auction, optional.bidding.spend.
"""
BID_FOR: Attribute[Side] = Attribute("bid_for", str, refers=(SIDE,))
"""On the table, until the award is spent: the side that both want to play."""
IN_LEFT_HAND: Attribute[str] = Attribute("in_left_hand", str)
"""On the table, until a hand is picked: the factory in it, which only the Allies know. Source: optional.factory-placement.hidden."""


def in_play(board: Board, scenario: str, options: Mapping[str, Value]) -> Inventory:
    """Return what is in the box, which is in play in both scenarios with any options."""
    return inventory(board, remembered(board))


def remembered(board: Board) -> Memory:
    """Return what each is remembered of, and what the values name."""
    land = [unit_group(kind) for kind in board.units.values() if not kind.is_air]
    air = [unit_group(kind) for kind in board.units.values() if kind.is_air]
    return Memory.declared(globals(), {LAND: land, AIR: air, BASE: [base_group(side) for side in SIDES]})
