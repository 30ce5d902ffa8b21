"""What the award of an auction buys at set-up: units, tokens and ferries beside what lies on the boards."""

from collections.abc import Iterable

from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import FERRY, FERRY_ITEM, SUPPLY, enemy
from core.games.axis_allies.memory import BID, BID_FOR
from core.games.axis_allies.rules.commands import Buy
from core.games.axis_allies.rules.deployment import deploy, deploy_token
from core.games.axis_allies.rules.limits import can_add
from core.games.axis_allies.rules.purchase import NOT_SOLD, pay, price, refuse_crossing, refuse_item
from core.games.axis_allies.rules.queries import is_occupied, land
from core.games.axis_allies.rules.refusals import misplaced, refused
from core.games.axis_allies.rules.supply import FERRY_SUPPLIES, Supply
from core.question import Answer, Question, always
from core.refusal import Refusal
from core.selection import Done
from events.ids import TABLE, PlaceId, RuleId, Side
from projections.table import Open, Table

SPEND = RuleId("optional.bidding.spend")

AWARD = "award"


class Award(Question):
    """The question what to buy, which stays open until the seat is done or can buy nothing more.

    Args:
        board: The board.
        supply: Shows who is supplied after each purchase.
    """

    def __init__(self, board: Board, supply: Supply) -> None:
        super().__init__((Answer(Buy, self._all, self._refuse, self._buy), always(Done(), self._end)), misplaced)
        self.board = board
        self.supply = supply

    def begin(self, draft: Draft) -> None:
        """Ask who took the award what it buys. Source: RuleId("optional.bidding.spend"), ruling.bidding-spend."""
        wanted = BID_FOR.of(draft.table)
        assert wanted is not None
        draft.ask(AWARD, draft.table.seat_of(enemy(wanted)), SPEND)

    def go_on(self, draft: Draft, asked: Open) -> None:
        """End the question if nothing can be bought any more."""
        if all(self._refuse(draft.table, asked, buy) is not None for buy in self._all(draft.table, asked)):
            self._end(draft, asked, Done())

    def _all(self, table: Table, asked: Open) -> Iterable[Buy]:
        side = table.side_of(asked.seat)
        zones = [zone for zone in self.board.zones if is_occupied(table, self.board, zone, side)]
        for item in (*self.board.units, *NOT_SOLD):
            if price(self.board, side, item):
                yield from [Buy(item, place) for place in (self.board.crossings if item == FERRY_ITEM else zones)]

    def _refuse(self, table: Table, asked: Open, command: Buy) -> Refusal | None:
        """Return why something cannot be bought for a place; only the award is spent, not what the charts give."""
        side, item, to = table.side_of(asked.seat), command.item, command.to
        refusal = refuse_item(table, self.board, side, item)
        if refusal is not None:
            return refusal
        if price(self.board, side, item) > (BID.of(table) or 0):
            return refused("rpcs_must_suffice", rule=SPEND)
        if item == FERRY_ITEM:
            return refuse_crossing(table, self.board, to)
        if item != SUPPLY and not can_add(table, self.board, item, to):
            return refused("piece_must_be_available")
        return self._refuse_zone(table, side, item, to)

    def _refuse_zone(self, table: Table, side: Side, item: str, to: PlaceId) -> Refusal | None:
        """Return why something cannot be added to a zone. Source: RuleId("optional.bidding.spend"), RuleId("zone.base.entry")."""
        zone = self.board.zones.get(to)
        if zone is None or not is_occupied(table, self.board, to, side):
            return refused("zone_must_be_eligible", rule=SPEND)
        if item == SUPPLY:
            return None
        if zone.base is not None:
            return refused("base_zone_must_not_be_entered")
        is_full = len(land(table, self.board, to, side)) >= self.board.limits.land_units
        return refused("stacking_limit_must_hold", rule=SPEND) if is_full else None

    def _buy(self, draft: Draft, asked: Open, command: Buy) -> None:
        """Pay out of the award, and add the item to the set-up."""
        side, item, to = draft.table.side_of(asked.seat), command.item, command.to
        BID.set(draft, TABLE, (BID.of(draft.table) or 0) - price(self.board, side, item), SPEND)
        pay(draft, self.board, side, item, SPEND)
        if item == FERRY_ITEM:
            draft.mark(to, FERRY, SPEND)
            self.supply.show(draft, FERRY_SUPPLIES)
        elif item == SUPPLY:
            deploy_token(draft, side, to, SPEND)
        else:
            deploy(draft, self.board, item, to, SPEND)
            self.supply.show(draft)

    def _end(self, draft: Draft, asked: Open, command: Done) -> None:
        """Keep the rest as RPCs. Source: RuleId("optional.bidding.spend")."""
        draft.answered(SPEND)
        BID.forget(draft, TABLE, SPEND)
        BID_FOR.forget(draft, TABLE, SPEND)
