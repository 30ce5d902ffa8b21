"""The Order Cards that ask nothing: 1, the weather, 8, the factories of Stalingrad, and 14, whether a side has won.

To resign is possible in all games alike (ruling.concession).
"""

from collections.abc import Callable

from core.engine.draft import Draft
from core.games.axis_allies import ids
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.map_records import ARTILLERY, TANK
from core.games.axis_allies.components.supply_lines import has_line
from core.games.axis_allies.ids import ALLIES, AXIS, DON, FERRY, FROZEN, ICE_BRIDGE, round_space
from core.games.axis_allies.memory import LIBERATED
from core.games.axis_allies.rules.deployment import deploy_all
from core.games.axis_allies.rules.queries import bad_rounds, is_contested, is_friendly
from core.games.axis_allies.rules.supply import show_supply
from events.ids import PlaceId, RuleId, Side
from projections.state.table import Table

ROLL = RuleId("order.1.roll")
MARKER = RuleId("order.1.marker")
ICE = RuleId("icebridge.place-all")

WEATHER = "weather"


def roll_for_weather(draft: Draft, board: Board) -> None:
    """Roll for the weather of the round, from the first round with a Weather Roll on.

    Source: order.1.rounds-1-5, order.1.roll, ruling.weather-roller.
    """
    bad_faces = board.bad_faces.get(draft.table.round)
    if bad_faces is None:
        draft.apply(RuleId("order.1.rounds-1-5"), "no-roll")
        return
    (face,) = draft.dice(1, WEATHER, ROLL)
    if face not in bad_faces:
        draft.apply(ROLL, "clear")
        return
    draft.mark(round_space(draft.table.round), FROZEN, MARKER)
    freeze(draft, board)


def freeze(draft: Draft, board: Board) -> None:
    """Freeze the river whose turn it is, when bad weather has come once more; later rounds freeze nothing.

    Source: freeze.don-first, freeze.volga-second, freeze.permanent, freeze.third-and-later,
    ruling.freeze-timing.
    """
    match bad_rounds(draft.table, board):
        case 1:
            draft.mark(DON, FROZEN, RuleId("freeze.don-first"))
        case 2:
            _bridge_the_volga(draft, board)
            show_supply(draft, board)
        case _:
            pass


def _bridge_the_volga(draft: Draft, board: Board) -> None:
    """Put an ice bridge on each crossing; what is aboard a ferry stays aboard.

    Source: icebridge.place-all, ruling.freeze-with-cargo.
    """
    draft.apply(RuleId("freeze.volga-second"), "frozen")
    for crossing in board.crossings:
        if draft.table.marker(crossing, FERRY):
            draft.unmark(crossing, FERRY, ICE)
        draft.mark(crossing, ICE_BRIDGE, ICE)


BOTH_LOST = RuleId("order.8.both-captured")

WORKERS_CARD = 8


def factory_zone(table: Table, name: str) -> PlaceId | None:
    """Return the zone of a factory, whichever side it shows, or None once it is out of the game."""
    faces = {ids.FACTORY[name], ids.CAPTURED_FACTORY[name]}
    return next((PlaceId(on) for on, there in table.markers.items() if not faces.isdisjoint(there)), None)


def work(draft: Draft, board: Board) -> None:
    """Carry card 8 out: the factory of the round produces, unless the Axis holds both.

    Source: order.8.odd-tank, order.8.even-artillery, order.8.both-captured,
    ruling.free-infantry-optional.
    """
    table = draft.table
    zones = [factory_zone(table, name) for name in ids.FACTORY]
    if all(zone is None or is_friendly(table, zone, AXIS) for zone in zones):
        _close(draft)
    elif table.round % 2:
        _produce(draft, board, ids.TANK_FACTORY, TANK, RuleId("order.8.odd-tank"))
    else:
        _produce(draft, board, ids.ARTILLERY_FACTORY, ARTILLERY, RuleId("order.8.even-artillery"))
    show_supply(draft, board)


def _close(draft: Draft) -> None:
    """Take the factories and the card out of the game. Source: order.8.both-captured."""
    for name in ids.FACTORY:
        zone = factory_zone(draft.table, name)
        if zone is not None:
            draft.unmark(zone, ids.FACTORY[name], BOTH_LOST)
            draft.unmark(zone, ids.CAPTURED_FACTORY[name], BOTH_LOST)
    draft.move_card(ids.order_card(WORKERS_CARD), ids.ORDER_DECK, ids.ORDER_BOX, BOTH_LOST)


def _produce(draft: Draft, board: Board, name: str, type_: str, rule: RuleId) -> None:
    """Deploy the free unit of a factory in Allied hands.

    Source: order.8.liberated, ruling.factory-liberated-same-round.
    """
    zone = factory_zone(draft.table, name)
    if zone is None:
        return
    if not is_friendly(draft.table, zone, ALLIES):
        draft.apply(rule, "a captured factory produces nothing", zone)
        return
    if LIBERATED.of(draft.table, zone):
        draft.apply(RuleId("order.8.liberated"), "production begins again in the next round", zone)
        return
    kinds = [kind.id for kind in board.units.values() if kind.side == ALLIES and kind.type == type_]
    deploy_all(draft, board, kinds[:1], zone, rule)


MINOR = RuleId("victory.minor")


class VictoryConditions:
    """The victory conditions, the same in both scenarios. Source: victory.same-both-scenarios."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def check(self, draft: Draft) -> None:
        """End the match if a side has a Total Victory, and in any case at the end of the last round.

        Source: order.14.total-check, order.14.final-round, victory.no-early-major,
        ruling.victory-at-final-round.
        """
        table = draft.table
        results: list[tuple[Callable[[Table], bool], str, Side, RuleId]] = [
            (self.is_axis_total, "Axis Total Victory", AXIS, RuleId("victory.axis-total")),
            (self.is_allies_total, "Allies Total Victory", ALLIES, RuleId("victory.allies-total")),
        ]
        if table.round == self.board.file.limits.rounds:
            results += [
                (self.is_axis_major, "Axis Major Victory", AXIS, RuleId("victory.axis-major")),
                (self.is_allies_major, "Allies Major Victory", ALLIES, RuleId("victory.allies-major")),
                (self.is_axis_minor, "Axis Minor Victory", AXIS, MINOR),
                (lambda _: True, "Allies Minor Victory", ALLIES, MINOR),
            ]
        for holds, name, winner, rule in results:
            if holds(table):
                draft.end_match(name, (winner,), rule)
                return

    def is_axis_total(self, table: Table) -> bool:
        """Return whether the Axis has all RP zones of the city, one of them with a supply line.

        Source: victory.axis-total, ruling.victory-supply-line.
        """
        wanted = self.board.city_rp_zones
        return _controls(table, AXIS, wanted) and self._has_axis_line(table, wanted)

    def is_allies_total(self, table: Table) -> bool:
        """Return whether the Allies have the three key zones and leave the Axis no uncontested zone west of the Don.

        Source: victory.allies-total, ruling.allies-total-base, ruling.contest-meaning.
        """
        return _controls(table, ALLIES, self.board.file.victory.key_zones) and not self.in_axis_hands(table)

    def in_axis_hands(self, table: Table) -> list[PlaceId]:
        """Return the zones west of the Don that the Allies neither control nor contest. Source: ruling.contest-meaning."""
        west = self.board.zones_west_of_don
        return [zone for zone in west if not is_friendly(table, zone, ALLIES) and not is_contested(table, zone)]

    def is_axis_major(self, table: Table) -> bool:
        """Return whether the Axis has an RP zone of the city with a supply line.

        Source: victory.axis-major, ruling.victory-supply-line.
        """
        held = tuple(zone for zone in self.board.city_rp_zones if is_friendly(table, zone, AXIS))
        return self._has_axis_line(table, held)

    def is_allies_major(self, table: Table) -> bool:
        """Return whether the Allies have the three key zones and the fortified zones of the city.

        Source: victory.allies-major.
        """
        return _controls(table, ALLIES, (*self.board.file.victory.key_zones, *self.board.fortified_city_zones))

    def is_axis_minor(self, table: Table) -> bool:
        """Return whether the Axis controls the zone that decides otherwise. Source: victory.minor."""
        return is_friendly(table, self.board.file.victory.minor_zone, AXIS)

    def _has_axis_line(self, table: Table, zones: tuple[PlaceId, ...]) -> bool:
        return any(has_line(table, self.board, zone, AXIS) for zone in zones)


def _controls(table: Table, side: Side, zones: tuple[PlaceId, ...]) -> bool:
    return all(is_friendly(table, zone, side) for zone in zones)
