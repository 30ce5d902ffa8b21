"""Buying Forces with cards and points, and Resupply."""

from core.games.battle.ids import RUSSIAN, bottom, top
from core.games.battle.memory import is_attacking
from events.ids import PieceId, RuleId, Side
from events.vocabulary import PieceDrawn, PieceMoved
from tests.support.battle import NARRATION, RULES, Scene, card_of, copies, deck_of, order, place, scene
from tests.support.rows import each_row

END = order("done")


def buy(table: Scene, force: str, short: str, *, next_top: str = "", drops: int | None = None) -> None:
    """Buy the top Force for its Cost in cards, or for `drops` cards; `next_top` is turned up then, if any is left."""
    seat = card_of(force).side
    cards = card_of(force).cost if drops is None else drops
    draws = (next_top,) if next_top else ()
    table.do(seat, order("buy-force", force=force, to=place(short, seat)), () if cards else draws)
    for left in reversed(range(cards)):
        table.do(seat, order("pick", item=table.unpicked(seat)[0]), () if left else draws)


def market(**more: object) -> Scene:
    """Return the Russian's Actions step with the 126th Rifle (Cost 2) on top and one Force on the table."""
    given = {
        "forces": {"r_84_tank": "DTFp", "g_100_jager": "TDc"},
        "hands": {"russian": ["high_morale", "high_morale", "scouts", "scouts", "sniper"]},
        "tops": {"russian": "r_126_rifle"},
        "turn": "russian",
        **more,
    }
    return scene(**given)  # type: ignore[arg-type]


def test_only_the_open_top_force_is_for_sale() -> None:
    """buy.top-card-only: no Force from below it."""
    table = market()

    below = order("buy-force", force="r_284_rifle", to=place("DTFp", "russian"))
    assert table.refused("russian", below) == "force_must_be_on_top"


def everybody(side: str) -> dict[str, str]:
    """Return all Forces of a side on the map, three to an Area."""
    shorts = [name + which for name in ("GA", "GE", "DTF", "TD", "PH") for which in "cp"]
    return {force: shorts[number // 3] for number, force in enumerate(RULES.cards.piles[Side(side)])}


def test_nothing_can_be_bought_from_an_empty_deck() -> None:
    """buy.top-card-only: every German Force is on the map."""
    table = scene(forces=everybody("german"), hands={"german": ["tanks"] * 3})

    bought = order("buy-force", force="g_100_jager", to=place("PHp", "german"))
    assert table.refused("german", bought) == "force_deck_must_not_be_empty"


REFUSED = [
    ("g_24_panzer", ("DTFp", "russian"), "force_must_be_own"),
    ("r_126_rifle", ("DTFp", "german"), "area_must_be_own"),
    ("r_126_rifle", ("MKp", "russian"), "target_must_exist"),
    ("r_999_rifle", ("DTFp", "russian"), "target_must_exist"),
    ("r_126_rifle", ("TDc", "russian"), "destination_must_not_be_enemy_controlled"),
    ("r_126_rifle", ("GAp", "russian"), "area_must_have_room"),
]


@each_row(("force", "to", "code"), REFUSED)
def test_the_refusal_of_a_purchase_names_what_is_wrong_with_it(force: str, to: tuple[str, str], code: str) -> None:
    """buy.place: own Areas with room, Control Areas unless the enemy Controls them."""
    full = dict.fromkeys(("r_169_rifle", "r_6_guards", "r_45_rifle"), "GAp")
    table = market(forces={"r_84_tank": "DTFp", "g_100_jager": "TDc", **full})

    assert table.refused("russian", order("buy-force", force=force, to=place(*to))) == code


@each_row("short", ["TDp", "PHc", "GEc", "DTFc"])
def test_a_bought_force_is_placed_in_an_area_that_is_open_to_its_buyer(short: str) -> None:
    """buy.place: Perimeter Areas anywhere (S18), Control Areas of Locations that are own, contested or empty."""
    forces = {"r_84_tank": "DTFc", "g_100_jager": "TDc", "r_15_guards": "GEc", "g_16_panzer": "GEc"}
    table = market(forces=forces)
    buy(table, "r_126_rifle", short, next_top="r_284_rifle")

    assert table.where("r_126_rifle") == place(short, "russian")


def test_a_force_costs_as_many_cards_as_printed() -> None:
    """buy.pay, force.cost, game.seats: two cards are too few for 3, three are enough and gone."""
    poor = scene(forces={"g_100_jager": "TDp"}, hands={"german": ["tanks"] * 2}, tops={"german": "g_24_panzer"})
    rich = scene(forces={"g_100_jager": "TDp"}, hands={"german": ["tanks"] * 3}, tops={"german": "g_24_panzer"})
    bought = order("buy-force", force="g_24_panzer", to=place("TDp", "german"))

    refusal = poor.refusal("german", bought)
    assert (refusal.code, refusal.rule) == ("cost_must_be_payable", "buy.pay")
    buy(rich, "g_24_panzer", "TDp", next_top="g_14_panzer")
    assert (rich.hand("german"), rich.titles("discard/german")) == ((), ["tanks"] * 3)


def test_cards_are_paid_exactly() -> None:
    """buy.pay-exactly: neither more nor fewer, and only cards that are held."""
    table = market()
    table.do("russian", order("buy-force", force="r_126_rifle", to=place("TDp", "russian")))

    foreign = order("pick", item=copies("german", "tanks")[0])
    assert table.refused("russian", foreign) == "card_must_be_in_hand"
    table.do("russian", order("pick", item=table.unpicked("russian")[0]))
    assert table.refused("russian", END) == "payment_must_be_exact"
    table.do("russian", order("pick", item=table.unpicked("russian")[0]), ("r_284_rifle",))
    assert table.refused("russian", order("pick", item=table.unpicked("russian")[0])) == "step_must_allow_command"
    assert len(table.hand("russian")) == 3


def test_points_are_used_before_cards() -> None:
    """buy.pay-exactly, buy.reinforcement-points: with one point left a Cost of 2 takes one card (T11)."""
    table = market(hands={"russian": ["reinforcements", "sniper", "scouts"]}, tops={"russian": "r_6_guards"})
    table.play("russian", "reinforcements")
    buy(table, "r_6_guards", "TDp", drops=0, next_top="r_126_rifle")
    assert table.track("points") == 1
    buy(table, "r_126_rifle", "TDp", drops=1, next_top="r_284_rifle")

    assert (table.track("points"), len(table.hand("russian"))) == (0, 1)
    assert table.refused("russian", order("pick", item=table.unpicked("russian")[0])) == "step_must_allow_command"


def test_points_of_several_cards_add_up() -> None:
    """buy.reinforcement-points, ruling.reinforcement-points: two cards in direct succession."""
    table = market(hands={"russian": ["reinforcements", "reinforcements"]}, tops={"russian": "r_39_guards"})
    table.play("russian", "reinforcements")
    table.play("russian", "reinforcements")
    buy(table, "r_39_guards", "TDp", drops=0, next_top="r_284_rifle")

    assert table.track("points") == 1


def test_points_lapse_with_any_other_action() -> None:
    """buy.points-lapse: after Scouts the point of before is gone (S18, S19)."""
    hands = ["reinforcements", "scouts", "sniper", "sniper", "sniper"]
    table = market(hands={"russian": hands}, tops={"russian": "r_6_guards"})
    table.play("russian", "reinforcements")
    buy(table, "r_6_guards", "TDp", drops=0, next_top="r_39_guards")
    table.play("russian", "scouts")
    table.do("russian", order("take-card", card=table.pile("deck/russian")[0]))
    bought = order("buy-force", force="r_39_guards", to=place("TDp", "russian"))

    assert len(table.hand("russian")) == 4
    assert table.track("points") == 0
    table.do("russian", order("resupply", card=table.hand("russian")[0]))
    for _ in range(2):
        table.do("russian", order("pick", item="r_84_tank"))
    table.do("russian", order("resupply", card=table.hand("russian")[0]))
    for _ in range(2):
        table.do("russian", order("pick", item="r_84_tank"))
    refusal = table.refusal("russian", bought)
    assert (refusal.code, refusal.rule) == ("points_must_not_have_lapsed", "buy.points-lapse")


def test_three_cards_buy_what_lapsed_points_do_not() -> None:
    """buy.points-lapse: the point is lost, the cards are not."""
    table = market(
        hands={"russian": ["reinforcements", "big_push", "sniper", "sniper", "sniper"]}, tops={"russian": "r_6_guards"}
    )
    table.play("russian", "reinforcements")
    buy(table, "r_6_guards", "TDp", drops=0, next_top="r_39_guards")
    table.play("russian", "big_push")
    buy(table, "r_39_guards", "TDp", drops=3, next_top="r_284_rifle")

    assert table.hand("russian") == ()


def test_the_end_of_the_step_forfeits_points() -> None:
    """buy.points-lapse: nothing is kept for the next turn."""
    table = market(hands={"russian": ["reinforcements"]})
    table.play("russian", "reinforcements")
    table.do("russian", END, deck_of("russian")[:5])

    assert table.track("points") == 0


def test_a_bought_force_brings_its_rations_and_acts_at_once() -> None:
    """buy.starting-rations, buy.acts-at-once, force.starting-rations: bought, Moved, attacking in one turn (S18, S20, S21)."""
    table = market()
    buy(table, "r_126_rifle", "TDp", next_top="r_284_rifle")

    assert table.rations("r_126_rifle") == 4
    table.do("russian", order("move", force="r_126_rifle", to=place("TDc", "russian")))
    table.do("russian", order("attack", location="the_docks", forces=["r_126_rifle"]))
    assert is_attacking(table.table, PieceId("r_126_rifle"))
    assert table.rations("r_126_rifle") == 2


def test_the_docks_add_a_ration_to_a_force_that_their_controller_buys() -> None:
    """location.note.buy-ration-bonus: one Ration more, wherever the Force is placed; contested they give nothing."""
    held = market(forces={"r_84_tank": "TDc"})
    contested = market(forces={"r_84_tank": "TDc", "g_100_jager": "TDc"})
    for table in (held, contested):
        buy(table, "r_126_rifle", "GAp", next_top="r_284_rifle")

    assert (held.rations("r_126_rifle"), contested.rations("r_126_rifle")) == (5, 4)


def test_the_next_force_is_turned_up_only_when_all_is_settled() -> None:
    """buy.place-before-reveal: paid, placed, then the next one; until then the Force bought lies on top."""
    table = market()
    table.do("russian", order("buy-force", force="r_126_rifle", to=place("TDp", "russian")))
    table.do("russian", order("pick", item=table.unpicked("russian")[0]))

    assert table.table.pieces_at(top(RUSSIAN)) == ("r_126_rifle",)
    events = table.do("russian", order("pick", item=table.unpicked("russian")[0]), ("r_284_rifle",))
    placed = next(n for n, event in enumerate(events) if isinstance(event, PieceMoved))
    revealed = next(n for n, event in enumerate(events) if isinstance(event, PieceDrawn))
    assert placed < revealed
    assert events[revealed].rule == RuleId("buy.place-before-reveal")
    assert table.table.pieces_at(top(RUSSIAN)) == ("r_284_rifle",)


def test_several_forces_are_bought_one_after_the_other() -> None:
    """buy.again: Costs 2 and 3 for five cards in two Actions."""
    table = market()
    buy(table, "r_126_rifle", "TDp", next_top="r_284_rifle")
    buy(table, "r_284_rifle", "TDp", next_top="r_39_guards")

    assert table.hand("russian") == ()
    assert table.table.pieces_at(place("TDp", "russian")) == ("r_126_rifle", "r_284_rifle")


def test_destroyed_forces_come_back_for_their_cost() -> None:
    """force.repurchase, force.deck-was-empty, force.destroyed-loses-counters: the first Destroyed one is open at once."""
    table = scene(
        forces=everybody("russian"),
        medals={"r_6_guards": 2},
        turn="russian",
        hands={"russian": ["uranus_1", "uranus_4", "sniper"]},
    )
    table.play("russian", "uranus_1")
    table.do("russian", order("pick", item="r_6_guards"))
    table.passes("russian")
    assert table.table.pieces_at(top(RUSSIAN)) == ("r_6_guards",)
    table.play("russian", "uranus_4")
    table.do("russian", order("pick", item="r_169_rifle"))
    table.passes("russian")
    assert table.table.pieces_at(bottom(RUSSIAN)) == ("r_169_rifle",)
    buy(table, "r_6_guards", "PHp")

    assert table.table.pieces_at(top(RUSSIAN)) == ("r_169_rifle",)
    assert table.marker("r_6_guards", "heroic_service") == 0
    assert table.rations("r_6_guards") == 1, "none of its own, one from the Docks"


def test_a_resupply_is_split_over_the_whole_table() -> None:
    """resupply.action: two Rations for one card, to Forces anywhere; neither more nor fewer."""
    table = scene(forces={"g_16_panzer": "GEc", "g_384_infantry": "TDp"}, hands={"german": ["tanks"]})
    table.do("german", order("resupply", card=table.hand("german")[0]))
    table.do("german", order("pick", item="g_16_panzer"))

    assert table.refused("german", END) == "all_rations_must_be_placed"
    table.do("german", order("pick", item="g_384_infantry"))
    assert (table.rations("g_16_panzer"), table.rations("g_384_infantry")) == (1, 1)
    assert table.refused("german", order("pick", item="g_16_panzer")) == "step_must_allow_command"
    assert table.titles("discard/german") == ["tanks"]


def test_a_resupply_needs_a_card_and_a_force() -> None:
    """resupply.action: neither with an empty hand nor without a Force on the table."""
    empty = scene(forces={"g_16_panzer": "GEc"})
    alone = scene(forces={"r_169_rifle": "GEc"}, hands={"german": ["tanks"]})

    assert empty.refused("german", order("resupply", card="")) == "cost_must_be_payable"
    assert empty.refused("german", order("resupply", card=copies("german", "tanks")[0])) == "card_must_be_in_hand"
    assert alone.refused("german", order("resupply", card=alone.hand("german")[0])) == "force_must_be_on_table"


def test_a_card_given_as_payment_does_nothing() -> None:
    """resupply.not-a-card-play, ruling.fog-scope: no window opens, and the card has no effect."""
    table = scene(
        forces={"g_16_panzer": "GEp", "r_169_rifle": "GEc"},
        hands={"german": ["dive_bombers"], "russian": ["fog_of_war"]},
    )
    table.do("german", order("resupply", card=table.hand("german")[0]))

    assert (table.asked, table.rubble("GE"), table.rations("g_16_panzer")) == ("german action", 0, 2)


@each_row("short", ["TDc", "TDp"])
def test_the_docks_add_no_ration_to_a_force_whose_arrival_wins_them(short: str) -> None:
    """location.note.buy-ration-bonus, location.note-needs-control: the buyer must be the controller before the Force arrives."""
    table = market(forces={"r_84_tank": "DTFp"}, tops={"russian": "r_126_rifle"})
    printed = card_of("r_126_rifle").rations
    option = order("buy-force", force="r_126_rifle", to=place(short, "russian"))
    assert f"{printed} Rations" in NARRATION.describe(table.table, option)
    buy(table, "r_126_rifle", short, next_top="r_284_rifle")

    assert table.rations("r_126_rifle") == printed


def test_the_option_tells_the_rations_that_the_docks_add() -> None:
    table = market(forces={"r_84_tank": "TDc"})

    option = order("buy-force", force="r_126_rifle", to=place("TDp", "russian"))
    assert f"{card_of('r_126_rifle').rations + 1} Rations" in NARRATION.describe(table.table, option)
