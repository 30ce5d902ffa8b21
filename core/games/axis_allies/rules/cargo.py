"""What bombers carry: what they may take aboard, and how it gets off at the start of the Attack phase."""

from collections.abc import Iterator

from core.draft import Draft
from core.games.axis_allies import memory
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import ALLIES, AXIS, SUPPLY
from core.games.axis_allies.rules.commands import Fly
from core.games.axis_allies.rules.control import lose
from core.games.axis_allies.rules.deployment import deploy
from core.games.axis_allies.rules.force_multiplier import is_doubled
from core.games.axis_allies.rules.land_movement import Land
from core.games.axis_allies.rules.queries import air, is_contested, is_friendly, like, tokens
from core.games.axis_allies.rules.refusals import REFUSALS, refused
from core.refusal import Refusal
from events.ids import PieceId, PlaceId, RuleId, Side
from projections.table import Table

PICK_UP = RuleId("unit.bomber.token-pickup")
LOAD_RULES = {
    memory.SUPPLY_DROP: RuleId("unit.bomber.supply-drop"),
    memory.SUPPLY_LANDING: RuleId("unit.bomber.supply-landing"),
    memory.TROOP_LANDING: RuleId("unit.bomber.troop-landing"),
}
ONE_MISSION = RuleId("unit.bomber.one-mission")
OFFLOAD = RuleId("order.5.offload")
DELIVERY = RuleId("unit.bomber.delivery-time")
FREE_INFANTRY = RuleId("movement.force-multiplier.infantry")

TOKENS_LANDED = 2
"""The most tokens of a Supply Landing."""

Classes = tuple[str, ...]


def loads(board: Board, side: Side, mission: str) -> list[Classes]:
    """Return what a bomber might take along on a mission.

    Source: RuleId("unit.bomber.one-mission"), RuleId("unit.bomber.supply-drop"), RuleId("unit.bomber.supply-landing"),
    RuleId("unit.bomber.troop-landing").
    """
    if mission == memory.SUPPLY_DROP:
        return [(SUPPLY,)]
    if mission == memory.SUPPLY_LANDING:
        return [(SUPPLY,) * number for number in range(1, TOKENS_LANDED + 1)]
    if mission == memory.TROOP_LANDING:
        return [(kind.id,) for kind in board.units.values() if kind.is_infantry and kind.side == side]
    return [()]


def find(table: Table, side: Side, zone: PlaceId, cargo: Classes) -> list[PieceId]:
    """Return the pieces that a bomber takes along: those of the side that have not moved, as far as there are enough."""
    left = [piece for piece in table.pieces_at(zone) if table.pieces[piece].side == side]
    found: list[PieceId] = []
    for one in cargo:
        piece = next((piece for piece in left if piece not in found and like(table, piece) == one), None)
        found += [] if piece is None else [piece]
    return found


def refuse_cargo(table: Table, board: Board, side: Side, command: Fly) -> Refusal | None:
    """Return why a bomber cannot take cargo along on a mission, or None if it can."""
    cargo, zone = command.cargo, command.origin
    if not cargo and command.mission not in LOAD_RULES:
        return None
    is_mixed = len(set(cargo)) > 1
    rule = LOAD_RULES.get(command.mission, ONE_MISSION)
    return REFUSALS.first(
        (
            None
            if cargo in loads(board, side, command.mission)
            else refused("cargo_must_fit_mission", rule=ONE_MISSION if is_mixed else rule),
            _refuse_presence(table, side, zone, cargo),
            _refuse_infantry(table, board, side, zone) if command.mission == memory.TROOP_LANDING else None,
        )
    )


def _refuse_presence(table: Table, side: Side, zone: PlaceId, cargo: Classes) -> Refusal | None:
    """Judge whether the cargo was with the bomber. Source: RuleId("unit.bomber.air-transport"), RuleId("unit.bomber.token-pickup")."""
    if len(find(table, side, zone, cargo)) == len(cargo):
        return None
    wanted = cargo.count(SUPPLY)
    if len(tokens(table, zone, side)) < wanted <= len([*tokens(table, zone, AXIS), *tokens(table, zone, ALLIES)]):
        return refused("token_must_be_own", rule=PICK_UP)
    return refused("cargo_must_start_with_bomber")


def _refuse_infantry(table: Table, board: Board, side: Side, zone: PlaceId) -> Refusal | None:
    """Judge whether infantry may leave its zone. Source: RuleId("movement.locked-in-combat"), ruling.not-one-step-back."""
    if is_contested(table, zone):
        return refused("unit_must_not_be_locked_in_combat")
    return refused("not_one_step_back_must_be_obeyed") if Land(table, board, side).is_bound(zone) else None


def load(draft: Draft, board: Board, bomber: PieceId, pieces: list[PieceId], to: PlaceId) -> None:
    """Put cargo on a bomber. Source: RuleId("unit.bomber.air-transport"), RuleId("unit.bomber.token-pickup")."""
    table = draft.table
    for piece in pieces:
        there = table.pieces[piece]
        kind = board.units.get(there.kind)
        if kind is not None and is_doubled(board, kind, there.place, to):
            memory.FROM_REGION.set(draft, piece, value=True, rule=FREE_INFANTRY)
        draft.move(piece, PlaceId(bomber), PICK_UP if kind is None else RuleId("unit.bomber.air-transport"))


def loaded(table: Table, board: Board, side: Side) -> Iterator[tuple[PlaceId, PieceId]]:
    """Yield the loaded bombers of a side with their zones, in the order of the board."""
    for zone in board.zones:
        for piece in air(table, board, zone, side):
            if table.cargo(piece):
                yield zone, piece


def offload(draft: Draft, board: Board, side: Side) -> None:
    """Deliver all cargo of a side; what can no longer be dropped where it was to be is lost.

    Source: RuleId("order.5.offload"), RuleId("unit.bomber.delivery-time"), ruling.delivery-zone-changed,
    ruling.force-multiplier-air-stacking.
    """
    table = draft.table
    for zone, bomber in list(loaded(table, board, side)):
        is_open = is_friendly(table, zone, side) or is_contested(table, zone)
        for piece in table.cargo(bomber):
            if memory.MISSION.of(table, bomber) == memory.SUPPLY_DROP and not is_open:
                lose(draft, [piece], OFFLOAD)
                continue
            draft.move(piece, zone, DELIVERY if memory.MISSION.of(table, bomber) == memory.SUPPLY_LANDING else OFFLOAD)
            if memory.FROM_REGION.of(table, piece):
                memory.FROM_REGION.forget(draft, piece, FREE_INFANTRY)
                deploy(draft, board, table.pieces[piece].kind, zone, FREE_INFANTRY)
