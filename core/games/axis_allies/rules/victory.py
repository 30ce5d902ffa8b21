"""Card 14: whether a side has won. To resign is possible in all games alike (ruling.concession)."""

from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import ALLIES, AXIS
from core.games.axis_allies.rules.queries import is_contested, is_friendly
from core.games.axis_allies.rules.supply import Supply
from events.ids import PlaceId, RuleId, Side
from projections.table import Table

MINOR = RuleId("victory.minor")


class VictoryConditions:
    """The victory conditions, the same in both scenarios. Source: RuleId("victory.same-both-scenarios")."""

    def __init__(self, board: Board, supply: Supply) -> None:
        self.board = board
        self.supply = supply

    def check(self, draft: Draft) -> None:
        """End the match if a side has a Total Victory, and in any case at the end of the last round.

        Source: RuleId("order.14.total-check"), RuleId("order.14.final-round"), RuleId("victory.no-early-major"),
        ruling.victory-at-final-round.
        """
        table = draft.table
        if self.is_axis_total(table):
            draft.end_match("Axis Total Victory", (AXIS,), RuleId("victory.axis-total"))
        elif self.is_allies_total(table):
            draft.end_match("Allies Total Victory", (ALLIES,), RuleId("victory.allies-total"))
        elif table.round == self.board.limits.rounds:
            self._end_last_round(draft)

    def _end_last_round(self, draft: Draft) -> None:
        table = draft.table
        if self.is_axis_major(table):
            draft.end_match("Axis Major Victory", (AXIS,), RuleId("victory.axis-major"))
        elif self.is_allies_major(table):
            draft.end_match("Allies Major Victory", (ALLIES,), RuleId("victory.allies-major"))
        elif is_friendly(table, self.board.victory.minor_zone, AXIS):
            draft.end_match("Axis Minor Victory", (AXIS,), MINOR)
        else:
            draft.end_match("Allies Minor Victory", (ALLIES,), MINOR)

    def is_axis_total(self, table: Table) -> bool:
        """Return whether the Axis has all RP zones of the city, one of them with a supply line.

        Source: RuleId("victory.axis-total"), ruling.victory-supply-line.
        """
        wanted = self.board.city_rp_zones
        return _controls(table, AXIS, wanted) and self._has_axis_line(table, wanted)

    def is_allies_total(self, table: Table) -> bool:
        """Return whether the Allies have the three key zones and leave the Axis no uncontested zone west of the Don.

        Source: RuleId("victory.allies-total"), ruling.allies-total-base, ruling.contest-meaning.
        """
        return _controls(table, ALLIES, self.board.victory.key_zones) and not self.in_axis_hands(table)

    def in_axis_hands(self, table: Table) -> list[PlaceId]:
        """Return the zones west of the Don that the Allies neither control nor contest. Source: ruling.contest-meaning."""
        west = self.board.zones_west_of_don
        return [zone for zone in west if not is_friendly(table, zone, ALLIES) and not is_contested(table, zone)]

    def is_axis_major(self, table: Table) -> bool:
        """Return whether the Axis has an RP zone of the city with a supply line.

        Source: RuleId("victory.axis-major"), ruling.victory-supply-line.
        """
        return self._has_axis_line(
            table, tuple(zone for zone in self.board.city_rp_zones if is_friendly(table, zone, AXIS))
        )

    def is_allies_major(self, table: Table) -> bool:
        """Return whether the Allies have the three key zones and the fortified zones of the city.

        Source: RuleId("victory.allies-major").
        """
        return _controls(table, ALLIES, (*self.board.victory.key_zones, *self.board.fortified_city_zones))

    def _has_axis_line(self, table: Table, zones: tuple[PlaceId, ...]) -> bool:
        return any(self.supply.has_line(table, zone, AXIS) for zone in zones)


def _controls(table: Table, side: Side, zones: tuple[PlaceId, ...]) -> bool:
    return all(is_friendly(table, zone, side) for zone in zones)
