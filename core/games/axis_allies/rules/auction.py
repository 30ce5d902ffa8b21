"""The optional bidding for a side: who plays which one, and what the award for the other buys beside what the charts give."""

from collections.abc import Iterable

from typing_extensions import override

from core.engine.decision import Decision
from core.engine.draft import Draft
from core.engine.question import Answer
from core.engine.repeated_questions import Series
from core.engine.selection import Done
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import FERRY, FERRY_ITEM, RPC, SIDES, SUPPLY, enemy
from core.games.axis_allies.memory import BID, BID_FOR
from core.games.axis_allies.rules.commands import Accept, Bid, Buy
from core.games.axis_allies.rules.deployment import can_add, deploy, deploy_token
from core.games.axis_allies.rules.queries import is_occupied, land
from core.games.axis_allies.rules.refusals import asks, misplaced, refused
from core.games.axis_allies.rules.reinforcement import NOT_SOLD, pay, price, refuse_crossing, refuse_item
from core.games.axis_allies.rules.supply import FERRY_SUPPLIES, show_supply
from core.refusal import Refusal
from events.ids import TABLE, PlaceId, RuleId, Seat, Side
from projections.state.table import Open, Table

BIDDING = RuleId("optional.bidding.auction")
AWARDED = RuleId("optional.bidding.award")

AUCTION = "auction"

MOST = 50
"""The highest bid, in RPs. Source: ruling.bid-limit."""


class Auction:
    """The auction, before anything lies on the table. Source: optional.bidding.auction, ruling.auction-mode."""

    def __init__(self) -> None:
        bid = Answer(Bid, self._bids, self._refuse_bid, self._bid, ends=BIDDING)
        accept = Answer(Accept, lambda *_: (Accept(),), self._refuse_accept, self._accept, ends=AWARDED)
        self.decisions: dict[str, Decision] = {AUCTION: asks(bid, accept)}

    def begin(self, draft: Draft) -> None:
        """Ask a seat for the first bid. Source: ruling.bidding-start."""
        first = draft.choose(draft.table.seats, "who bids first", BIDDING)
        draft.ask(AUCTION, Seat(first), BIDDING)

    def _bids(self, table: Table, asked: Open) -> list[Bid]:
        wanted = BID_FOR.of(table)
        sides = SIDES if wanted is None else (wanted,)
        return [Bid(side, rps) for side in sides for rps in range((BID.of(table) or 0) + 1, MOST + 1)]

    def _refuse_bid(self, table: Table, asked: Open, command: Bid) -> Refusal | None:
        if command.side not in SIDES or BID_FOR.of(table) not in (None, command.side):
            return refused("decision_must_be_open", rule=BIDDING)
        return None if (BID.of(table) or 0) < command.rps <= MOST else refused("bid_must_be_higher")

    def _refuse_accept(self, table: Table, asked: Open, command: Accept) -> Refusal | None:
        return None if BID.of(table) else refused("decision_must_be_open", rule=BIDDING)

    def _bid(self, draft: Draft, asked: Open, command: Bid) -> None:
        """Record a bid; the other seat is next, who can only accept the highest."""
        BID_FOR.set(draft, TABLE, command.side, BIDDING)
        BID.set(draft, TABLE, command.rps, BIDDING)
        other = _other(draft.table, asked.seat)
        if command.rps == MOST:
            self._settle(draft, other)
        else:
            draft.ask(AUCTION, other, BIDDING)

    def _accept(self, draft: Draft, asked: Open, command: Accept) -> None:
        self._settle(draft, asked.seat)

    def _settle(self, draft: Draft, taker: Seat) -> None:
        """Seat both players, and pay the award. Source: optional.bidding.award."""
        wanted, rps = BID_FOR.of(draft.table), BID.of(draft.table)
        assert wanted is not None
        assert rps is not None
        draft.assign_side(taker, enemy(wanted), AWARDED)
        draft.assign_side(_other(draft.table, taker), wanted, AWARDED)
        draft.track(RPC[enemy(wanted)], rps, AWARDED)


def _other(table: Table, seat: Seat) -> Seat:
    return next(other for other in table.seats if other != seat)


SPEND = RuleId("optional.bidding.spend")

AWARD = "award"


class Award(Series):
    """The question what to buy at set-up, which stays open until the seat is done or can buy nothing more."""

    def __init__(self, board: Board) -> None:
        super().__init__(AWARD, lambda _: SPEND, (Answer(Buy, self._all, self._refuse, self._buy),), misplaced)
        self.board = board

    def begin(self, draft: Draft) -> None:
        """Ask who took the award what it buys. Source: optional.bidding.spend, ruling.bidding-spend."""
        wanted = BID_FOR.of(draft.table)
        assert wanted is not None
        self.ask(draft, enemy(wanted))

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
        """Return why something cannot be added to a zone. Source: optional.bidding.spend, zone.base.entry."""
        zone = self.board.zones.get(to)
        if zone is None or not is_occupied(table, self.board, to, side):
            return refused("zone_must_be_eligible", "The award buys what joins units of the side.", SPEND)
        if item == SUPPLY:
            return None
        if zone.base is not None:
            return refused("base_zone_must_not_be_entered")
        is_full = len(land(table, self.board, to, side)) >= self.board.file.limits.land_units
        return refused("stacking_limit_must_hold", rule=SPEND) if is_full else None

    def _buy(self, draft: Draft, asked: Open, command: Buy) -> None:
        """Pay out of the award, and add the item to the set-up."""
        side, item, to = draft.table.side_of(asked.seat), command.item, command.to
        BID.set(draft, TABLE, (BID.of(draft.table) or 0) - price(self.board, side, item), SPEND)
        pay(draft, self.board, side, item, SPEND)
        if item == FERRY_ITEM:
            draft.mark(to, FERRY, SPEND)
            show_supply(draft, self.board, FERRY_SUPPLIES)
        elif item == SUPPLY:
            deploy_token(draft, side, to, SPEND)
        else:
            deploy(draft, self.board, item, to, SPEND)
            show_supply(draft, self.board)

    @override
    def end(self, draft: Draft, asked: Open, command: Done) -> None:
        """Keep the rest as RPCs. Source: optional.bidding.spend."""
        super().end(draft, asked, command)
        BID.forget(draft, TABLE, SPEND)
        BID_FOR.forget(draft, TABLE, SPEND)
