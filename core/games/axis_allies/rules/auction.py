"""The optional bidding for a side: who plays which one, and the award for the other."""

from core.decision import Decision
from core.draft import Draft
from core.games.axis_allies.ids import RPC, SIDES, enemy
from core.games.axis_allies.memory import BID, BID_FOR
from core.games.axis_allies.rules.commands import Accept, Bid
from core.games.axis_allies.rules.refusals import misplaced, refused
from core.question import Answer, Question
from core.refusal import Refusal
from events.ids import TABLE, RuleId, Seat
from projections.table import Open, Table

BIDDING = RuleId("optional.bidding.auction")
AWARD = RuleId("optional.bidding.award")

AUCTION = "auction"

MOST = 50
"""The highest bid, in RPs. Source: ruling.bid-limit."""


class Auction:
    """The auction, before anything lies on the table. Source: RuleId("optional.bidding.auction"), ruling.auction-mode."""

    def __init__(self) -> None:
        accept = Answer(Accept, lambda *_: (Accept(),), self._refuse_accept, self._accept)
        answers = (Answer(Bid, self._bids, self._refuse_bid, self._bid), accept)
        self.decisions: dict[str, Decision] = {AUCTION: Question(answers, misplaced)}

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
        draft.answered(BIDDING)
        BID_FOR.set(draft, TABLE, command.side, BIDDING)
        BID.set(draft, TABLE, command.rps, BIDDING)
        other = _other(draft.table, asked.seat)
        if command.rps == MOST:
            self._settle(draft, other)
        else:
            draft.ask(AUCTION, other, BIDDING)

    def _accept(self, draft: Draft, asked: Open, command: Accept) -> None:
        draft.answered(AWARD)
        self._settle(draft, asked.seat)

    def _settle(self, draft: Draft, taker: Seat) -> None:
        """Seat both players, and pay the award. Source: RuleId("optional.bidding.award")."""
        wanted, rps = BID_FOR.of(draft.table), BID.of(draft.table)
        assert wanted is not None
        assert rps is not None
        draft.assign_side(taker, enemy(wanted), AWARD)
        draft.assign_side(_other(draft.table, taker), wanted, AWARD)
        draft.track(RPC[enemy(wanted)], rps, AWARD)


def _other(table: Table, seat: Seat) -> Seat:
    return next(other for other in table.seats if other != seat)
