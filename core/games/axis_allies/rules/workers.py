"""Card 8: the free tanks and artillery of the Stalingrad factories."""

from core.draft import Draft
from core.games.axis_allies import ids
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.map_records import ARTILLERY, TANK
from core.games.axis_allies.memory import LIBERATED
from core.games.axis_allies.rules.deployment import deploy_all
from core.games.axis_allies.rules.queries import is_friendly
from core.games.axis_allies.rules.supply import Supply
from events.ids import PlaceId, RuleId
from projections.table import Table

BOTH_LOST = RuleId("order.8.both-captured")

WORKERS_CARD = 8


def factory_zone(table: Table, name: str) -> PlaceId | None:
    """Return the zone of a factory, whichever side it shows, or None once it is out of the game."""
    faces = {ids.FACTORY[name], ids.CAPTURED_FACTORY[name]}
    return next((PlaceId(on) for on, there in table.markers.items() if not faces.isdisjoint(there)), None)


def work(draft: Draft, board: Board, supply: Supply) -> None:
    """Carry card 8 out: the factory of the round produces, unless the Axis holds both.

    Source: RuleId("order.8.odd-tank"), RuleId("order.8.even-artillery"), RuleId("order.8.both-captured"),
    ruling.free-infantry-optional.
    """
    table = draft.table
    zones = [factory_zone(table, name) for name in ids.FACTORY]
    if all(zone is None or is_friendly(table, zone, ids.AXIS) for zone in zones):
        _close(draft)
    elif table.round % 2:
        _produce(draft, board, ids.TANK_FACTORY, TANK, RuleId("order.8.odd-tank"))
    else:
        _produce(draft, board, ids.ARTILLERY_FACTORY, ARTILLERY, RuleId("order.8.even-artillery"))
    supply.show(draft)


def _close(draft: Draft) -> None:
    """Take the factories and the card out of the game. Source: RuleId("order.8.both-captured")."""
    for name in ids.FACTORY:
        zone = factory_zone(draft.table, name)
        if zone is not None:
            draft.unmark(zone, ids.FACTORY[name], BOTH_LOST)
            draft.unmark(zone, ids.CAPTURED_FACTORY[name], BOTH_LOST)
    draft.move_card(ids.order_card(WORKERS_CARD), ids.ORDER_DECK, ids.ORDER_BOX, BOTH_LOST)


def _produce(draft: Draft, board: Board, name: str, type_: str, rule: RuleId) -> None:
    """Deploy the free unit of a factory in Allied hands.

    Source: RuleId("order.8.liberated"), ruling.factory-liberated-same-round.
    """
    zone = factory_zone(draft.table, name)
    if zone is None:
        return
    if not is_friendly(draft.table, zone, ids.ALLIES):
        draft.apply(rule, "a captured factory produces nothing", zone)
        return
    if LIBERATED.of(draft.table, zone):
        draft.apply(RuleId("order.8.liberated"), "production begins again in the next round", zone)
        return
    kinds = [kind.id for kind in board.units.values() if kind.side == ids.ALLIES and kind.type == type_]
    deploy_all(draft, board, kinds[:1], zone, rule)
