"""Ends of fights and losses: the control of zones with all its consequences, Combat Markers, and departures from the table.

Unsupplied Markers are not changed here: the caller shows them (`supply.Supply.show`) once its own step is over.
"""

from collections.abc import Iterable

from core.engine.draft import Draft
from core.games.axis_allies import ids
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.memory import ACROSS_RIVER, ATTACK_MISSION, LIBERATED, MISSION, STAY, TAKEN
from core.games.axis_allies.options import AMBUSH_CANCELS_AIR_ATTACK, CAPTURE_TOKENS_WHEN_ALONE
from core.games.axis_allies.rules.queries import air, is_assaulted, is_contested, is_friendly, land, tokens
from core.games.axis_allies.rules.supply import FERRY_LOST, show_supply, spend
from events.ids import PieceId, PlaceId, RuleId, Side

CONTROL = RuleId("combat.step6.control")
STILL_BATTLE = RuleId("combat.step6.battle")
FLIP = RuleId("order.8.flip")
FERRY_HIT = RuleId("volga-attack.ferry-result")

# Control


def take(draft: Draft, board: Board, zone: PlaceId, side: Side, rule: RuleId) -> None:
    """Give a zone to the other side, with its tokens and factory; aircraft on the ground and surrounded ambushers are lost.

    Source: combat.step6.control, ruling.scrambled-and-airborne-on-capture.
    """
    table = draft.table
    draft.control(zone, side, rule)
    TAKEN.set(draft, zone, table.phase, rule)
    aircraft = air(table, board, zone, ids.enemy(side))
    grounded = [piece for piece in aircraft if table.pieces[piece].face == ids.GROUND]
    lose(draft, grounded, RuleId("combat.step6.grounded-air-lost"))
    _capture_tokens(draft, zone, side, RuleId("combat.step6.tokens"))
    _turn_factory(draft, zone, side)
    check_ambushers(draft, board)


def _capture_tokens(draft: Draft, zone: PlaceId, side: Side, rule: RuleId) -> None:
    for token in tokens(draft.table, zone, ids.enemy(side)):
        draft.change_side(token, side, rule)


def _turn_factory(draft: Draft, zone: PlaceId, side: Side) -> None:
    """Turn the factory of a zone, if there is one.

    Source: order.8.flip, order.8.liberated, ruling.factory-liberated-same-round.
    """
    before, after = (ids.FACTORY, ids.CAPTURED_FACTORY) if side == ids.AXIS else (ids.CAPTURED_FACTORY, ids.FACTORY)
    for name in ids.FACTORY:
        if draft.table.marker(zone, before[name]):
            draft.unmark(zone, before[name], FLIP)
            draft.mark(zone, after[name], FLIP)
            if side == ids.ALLIES:
                LIBERATED.set(draft, zone, value=True, rule=RuleId("order.8.liberated"))


def check_ambushers(draft: Draft, board: Board) -> None:
    """Remove ambushers around whom the enemy controls everything. Source: ambush.destroyed-if-surrounded."""
    table = draft.table
    for site, row in board.sites.items():
        for piece in table.pieces_at(site):
            if all(table.control[zone] != table.pieces[piece].side for zone in row.zones):
                draft.remove(piece, RuleId("ambush.destroyed-if-surrounded"))


# Fights


def begin_assault(draft: Draft, place: PlaceId, rule: RuleId) -> None:
    """Place a Combat Marker, Assault side up, unless one lies there. Source: movement.assault-marker."""
    if not is_contested(draft.table, place):
        draft.mark(place, ids.ASSAULT, rule)


def end_fight(draft: Draft, place: PlaceId, rule: RuleId) -> None:
    """Return the Combat Marker of a place, if there is one."""
    draft.unmark(place, ids.ASSAULT, rule)
    draft.unmark(place, ids.BATTLE, rule)
    ACROSS_RIVER.forget(draft, place, rule)


def conclude(draft: Draft, board: Board, zone: PlaceId) -> None:
    """Settle who holds a zone whose combat was fought.

    Source: combat.step6.battle, combat.step6.control, combat.step6.air-does-not-hold,
    ruling.token-capture-without-change.
    """
    table = draft.table
    there = [side for side in ids.SIDES if land(table, board, zone, side)]
    if len(there) > 1:
        if is_assaulted(table, zone):
            end_fight(draft, zone, STILL_BATTLE)
            draft.mark(zone, ids.BATTLE, STILL_BATTLE)
        else:
            draft.apply(STILL_BATTLE, "the battle goes on", zone)
        return
    end_fight(draft, zone, CONTROL)
    for side in there:
        if not is_friendly(table, zone, side):
            take(draft, board, zone, side, CONTROL)
        elif CAPTURE_TOKENS_WHEN_ALONE.is_on(table):
            _capture_tokens(draft, zone, side, RuleId("supply.token.capture"))


def drop_marker_if_alone(draft: Draft, board: Board, zone: PlaceId, gone: Side, rule: RuleId) -> None:
    """Return the Combat Marker of a zone after losses outside combat, if the last land unit of a side is gone.

    `gone` is the side with the losses.

    Where that side controls the zone the marker stays, so that the combat settles control.

    Source: ambush.last-unit-marker, unit.rocket.bombardment.last-unit-marker, optional.heroes.marker,
    ruling.ambush-with-air-present.
    """
    table = draft.table
    if land(table, board, zone, gone) or is_friendly(table, zone, gone):
        return
    missions = {MISSION.of(table, piece) for piece in air(table, board, zone, gone)}
    if AMBUSH_CANCELS_AIR_ATTACK.is_on(table) or missions.isdisjoint((ATTACK_MISSION, STAY)):
        end_fight(draft, zone, rule)


# Losses


def lose(draft: Draft, pieces: Iterable[PieceId], rule: RuleId) -> None:
    """Destroy units and tokens, with what they carry: units go to their owner's pool, tokens to the Allies' one.

    Source: components.return-to-pool, components.supply-tokens.axis-shrinks, unit.bomber.cargo-lost.
    """
    for piece in pieces:
        lose(draft, draft.table.cargo(piece), RuleId("unit.bomber.cargo-lost"))
        if draft.table.pieces[piece].kind == ids.SUPPLY:
            spend(draft, piece, rule)
        else:
            draft.remove(piece, rule)


def hit_crossing(draft: Draft, board: Board, crossing: PlaceId) -> None:
    """Destroy a ferry with its cargo, or what is on an ice bridge.

    Source: volga-attack.ferry-result, volga-attack.icebridge-result.
    """
    has_ferry = draft.table.marker(crossing, ids.FERRY) > 0
    lose(draft, draft.table.pieces_at(crossing), FERRY_HIT if has_ferry else RuleId("volga-attack.icebridge-result"))
    if has_ferry:
        draft.unmark(crossing, ids.FERRY, FERRY_HIT)
        show_supply(draft, board, FERRY_LOST)
