"""The optional bidding: who plays which side, and what the award buys."""

from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
from core.engine.selection import Done
from core.games.axis_allies.ids import (
    ALLIES,
    AUCTION,
    AXIS,
    FERRY,
    FERRY_ITEM,
    FIRST_SEAT,
    RACE,
    RPC,
    SECOND_SEAT,
    SUPPLY,
    URANUS,
)
from core.games.axis_allies.memory import BID, BID_FOR
from core.games.axis_allies.rules.auction import Auction, Award
from core.games.axis_allies.rules.commands import Accept, Bid, Buy
from core.games.axis_allies.rules.queries import free_unit
from core.games.axis_allies.rules.set_up import lay_out
from events.ids import PlaceId, Side
from tests.support.axis_allies import BOARD, SCENE, Scene, opened

BIDDING = Auction()
AWARD = Award(BOARD)
RULES = DecisionRules({**BIDDING.decisions, "award": AWARD})


def bidding(scenario: str = RACE) -> Scene:
    scene = Scene(opened(scenario, AUCTION), RULES)
    scene.run(BIDDING.begin, draws=[FIRST_SEAT])
    return scene


def awarded(wanted: Side, rps: int, scenario: str = RACE) -> Scene:
    """Let the second seat accept a bid, lay the charts out and ask what the award buys."""
    scene = bidding(scenario)
    scene.do(Bid(wanted, rps))
    scene.do(Accept())
    scene.run(lambda draft: lay_out(draft, BOARD))
    scene.run(AWARD.begin)
    return scene


def buy(item: str, to: str) -> Buy:
    return Buy(item, PlaceId(to))


# The auction


def test_each_bid_exceeds_the_one_before_until_it_is_accepted() -> None:
    """T35: RuleId("optional.bidding.auction"), RuleId("optional.bidding.award"), ruling.bidding-start."""
    scene = bidding()

    assert scene.asked == "first auction"
    assert scene.options == [Bid(side, rps) for side in (AXIS, ALLIES) for rps in range(1, 51)]
    assert scene.refused(Bid(ALLIES, 0)) == ("bid_must_be_higher", "optional.bidding.auction")
    assert scene.refused(Bid(Side("germans"), 4))[0] == "decision_must_be_open"
    assert scene.refused(Accept()) == ("decision_must_be_open", "optional.bidding.auction")

    scene.do(Bid(ALLIES, 4))

    assert scene.asked == "second auction"
    assert scene.options == [*[Bid(ALLIES, rps) for rps in range(5, 51)], Accept()]
    assert scene.refused(Bid(ALLIES, 4))[0] == "bid_must_be_higher"
    assert scene.refused(Bid(ALLIES, 51))[0] == "bid_must_be_higher"
    assert scene.refused(Bid(AXIS, 5)) == ("decision_must_be_open", "optional.bidding.auction")

    scene.do(Bid(ALLIES, 5))
    scene.do(Accept())

    assert scene.table.plays == {FIRST_SEAT: AXIS, SECOND_SEAT: ALLIES}
    assert (scene.table.track(RPC[AXIS]), scene.table.track(RPC[ALLIES])) == (5, 0)
    assert scene.asked == ""


def test_the_highest_bid_is_accepted_at_once() -> None:
    """RuleId("optional.bidding.award"), ruling.bid-limit."""
    scene = bidding()
    scene.do(Bid(AXIS, 50))

    assert scene.table.plays == {FIRST_SEAT: AXIS, SECOND_SEAT: ALLIES}
    assert scene.table.track(RPC[ALLIES]) == 50


# The award


def test_the_axis_adds_units_where_it_has_some_and_keeps_the_rest() -> None:
    """RuleId("optional.bidding.spend"), RuleId("optional.bidding.award"), ruling.bidding-spend."""
    scene = awarded(ALLIES, 9)
    cost = BOARD.units["ger_assault_gun"].cost
    wrong = ("zone_must_be_eligible", "optional.bidding.spend")

    assert scene.asked == "second award"
    assert scene.refused(buy("ger_infantry", "kalach")) == wrong
    assert scene.refused(buy("ger_infantry", "crossing_white")) == wrong
    assert scene.refused(buy("ger_infantry", "tatsinskaya")) == ("base_zone_must_not_be_entered", "zone.base.entry")
    assert scene.refused(buy("ger_infantry", "manoilin")) == ("stacking_limit_must_hold", "optional.bidding.spend")
    assert scene.refused(buy("ger_fighter", "oblivskaya"))[0] == "item_must_be_for_sale"
    assert scene.refused(buy(SUPPLY, "bolshoy"))[0] == "item_must_be_for_sale"
    assert scene.refused(buy("sov_infantry", "beketovka"))[0] == "item_must_be_for_sale"

    scene.do(buy("ger_assault_gun", "serafimovich"))
    scene.do(Done())

    assert scene.asked == ""
    assert scene.table.track(RPC[AXIS]) == 9 - cost
    assert (BID.of(scene.table), BID_FOR.of(scene.table)) == (None, None)


def test_what_the_charts_give_is_not_spent_at_set_up() -> None:
    """RuleId("optional.bidding.spend"), RuleId("setup.uranus.axis-rpc"), ruling.bidding-spend."""
    scene = awarded(ALLIES, 3, URANUS)

    assert scene.table.track(RPC[AXIS]) == 43
    assert scene.refused(buy("ger_tank", "kletskaya")) == ("rpcs_must_suffice", "optional.bidding.spend")

    scene.do(buy("min_infantry", "kletskaya"))

    assert scene.table.track(RPC[AXIS]) == 43 - BOARD.units["min_infantry"].cost


def test_the_allies_buy_tokens_and_missing_ferries_too() -> None:
    """RuleId("optional.bidding.spend"), ruling.bidding-spend."""
    race = awarded(AXIS, 2)

    assert race.refused(buy(FERRY_ITEM, "crossing_white"))[0] == "piece_must_be_available"

    scene = awarded(AXIS, 2, URANUS)
    scene.do(buy(FERRY_ITEM, "crossing_white"))

    assert scene.table.marker("crossing_white", FERRY) == 1

    scene.do(buy(SUPPLY, "beketovka"))

    assert SUPPLY in scene.kinds("beketovka")
    assert scene.asked == "", "nothing is left of the award"
    assert scene.table.track(RPC[ALLIES]) == 0


def test_components_limit_what_is_bought() -> None:
    """RuleId("components.unit-limit")."""
    scene = awarded(AXIS, 20)
    kind = "sov_rocket_launcher"

    def fill(draft: Draft) -> None:
        for zone in list(BOARD.zones)[: BOARD.units[kind].figures]:
            draft.place(free_unit(draft.table, kind), zone, SCENE, kind=kind, side=ALLIES)

    scene.run(fill)

    assert scene.refused(buy(kind, "spartanovka"))[0] == "piece_must_be_available"
