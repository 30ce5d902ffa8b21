"""Operation Uranus cards: what they cost, what they do while they lie in play, how the German is rid of them."""

from core.games.battle.ids import RUSSIAN, URANUS_IN_PLAY, bottom
from events.ids import PileId, Seat
from projections.state.fold import fold
from projections.state.view import seen_events
from tests.support.battle import RULES, Scene, deck_of, order, place, scene
from tests.support.rows import each_row

END = order("done")
THREE = {"g_16_panzer": "GAc", "g_14_panzer": "DTFc", "g_100_jager": "TDc"}


def pay(table: Scene, seat: str, count: int) -> None:
    """Pay with so many cards of the hand."""
    for _ in range(count):
        table.do(seat, order("pick", item=table.unpicked(seat)[0]))


def russian_turn(*held: str, **more: object) -> Scene:
    """Return the Russian's Actions step with two Forces and these cards."""
    given: dict[str, object] = {"forces": {"r_6_guards": "TDc", "r_169_rifle": "GEp"}, **more}
    return scene(turn="russian", hands={"russian": list(held)}, **given)  # type: ignore[arg-type]


# The deck


def test_six_cards_of_the_russian_deck_are_uranus_cards() -> None:
    """uranus.deck, game.seats: six of 56, none in the German deck; as a payment one is a card like any other."""
    of_side = {
        side: [card for card in deck_of(side) if RULES.cards.cards[card].title.price is not None]
        for side in ("russian", "german")
    }
    table = russian_turn("uranus_1")
    table.do("russian", order("resupply", card=table.hand("russian")[0]))

    assert (len(of_side["russian"]), len(deck_of("russian")), of_side["german"]) == (6, 56, [])
    assert table.pile(URANUS_IN_PLAY) == ()
    assert table.titles("discard/russian") == ["uranus_1"]


# The cost


def test_a_force_is_given_up_and_the_card_comes_into_play() -> None:
    """uranus.play-cost, uranus.lasting-effect, force.destroyed-to-bottom: the 6th Guards go under the Force deck (S26)."""
    table = russian_turn("uranus_1")
    table.play("russian", "uranus_1")
    assert table.refused("russian", order("pick", item="g_16_panzer")) == "force_must_be_own"
    assert table.refused("russian", END) == "payment_must_be_exact"
    table.do("russian", order("pick", item="r_6_guards"))

    assert table.table.pieces_at(bottom(RUSSIAN)) == ("r_6_guards",)
    assert table.titles(URANUS_IN_PLAY) == ["uranus_1"]
    assert table.asked == "russian action"


def test_rations_are_given_in_any_split() -> None:
    """uranus.play-cost: three Rations, two of one Force and one of another."""
    table = russian_turn("uranus_3", rations={"r_6_guards": 2, "r_169_rifle": 2})
    table.play("russian", "uranus_3")
    for force in ("r_6_guards", "r_6_guards"):
        table.do("russian", order("pick", item=force))
    assert table.refused("russian", order("pick", item="r_6_guards")) == "rations_must_suffice"
    table.do("russian", order("pick", item="r_169_rifle"))

    assert (table.rations("r_6_guards"), table.rations("r_169_rifle")) == (0, 1)
    assert table.titles(URANUS_IN_PLAY) == ["uranus_3"]


COSTS = [("uranus_2", 1), ("uranus_3", 0), ("uranus_1", 0)]


@each_row(("title", "others"), COSTS)
def test_a_cost_that_cannot_be_paid_in_full_is_refused(title: str, others: int) -> None:
    """uranus.play-cost: with one other card for two, without Rations, without a Force."""
    forces = {} if title == "uranus_1" else {"r_6_guards": "TDc"}
    table = russian_turn(title, *["sniper"] * others, forces=forces)

    refusal = table.refusal("russian", order("play-card", card=table.held("russian", title)))
    assert (refusal.code, refusal.rule) == ("cost_must_be_payable", "uranus.play-cost")


def test_uranus_cards_are_played_in_the_own_turn_only() -> None:
    """uranus.play-cost: not in the German's."""
    table = scene(forces={"r_6_guards": "TDc"}, hands={"russian": ["uranus_1"]})

    assert table.refused("russian", order("play-card", card=table.hand("russian")[0])) == "seat_must_be_acting_player"


def test_a_uranus_card_names_nothing() -> None:
    """uranus.play-cost: its cost is asked for afterwards."""
    table = russian_turn("uranus_1")

    told = order("play-card", card=table.hand("russian")[0], force="r_6_guards")
    assert table.refused("russian", told) == "target_must_exist"


def test_a_cancelled_uranus_card_costs_nothing() -> None:
    """card.fog-of-war, action.cancelled-costs-nothing, ruling.cost-escrow: no Force, no Ration is lost, only the card."""
    for title, pays in (("uranus_1", "r_6_guards"), ("uranus_3", "r_169_rifle")):
        table = scene(
            forces={"r_6_guards": "TDc", "r_169_rifle": "GEp"},
            rations={"r_169_rifle": 3},
            turn="russian",
            hands={"russian": [title], "german": ["fog_of_war"]},
        )
        table.play("russian", title)
        while table.asked != "german answer_card":
            table.do("russian", order("pick", item=pays))
        assert table.where("r_6_guards") == place("TDc", "russian")
        table.play("german", "fog_of_war")

        assert table.where("r_6_guards") == place("TDc", "russian")
        assert (table.rations("r_169_rifle"), table.asked) == (3, "russian action")
        assert table.titles("discard/russian") == [title]
        assert table.pile(URANUS_IN_PLAY) == ()
        assert {marker for force in table.table.markers.values() for marker in force} <= {"ration"}
        assert {key for there in table.table.attributes.values() for key in there} <= {
            "locations_in_play",
            "actions_taken",
        }


def test_cards_set_aside_come_back_unseen() -> None:
    """secrecy.cancelled-payment: the German sees the Uranus card and neither of the two others."""
    table = scene(
        forces={"r_6_guards": "TDc"},
        turn="russian",
        hands={"russian": ["uranus_2", "sniper", "rubble"], "german": ["fog_of_war"]},
    )
    table.play("russian", "uranus_2")
    pay(table, "russian", 2)

    view = fold(seen_events(table.events, Seat("german")))
    aside = view.pile(PileId("escrow/russian"))
    assert (aside.cards, aside.hidden) == ((), 2)
    assert table.asked == "german answer_card"
    table.play("german", "fog_of_war")
    view = fold(seen_events(table.events, Seat("german")))
    hand = view.pile(PileId("hand/russian"))
    assert sorted(table.titles("hand/russian")) == ["rubble", "sniper"]
    assert (hand.cards, hand.hidden) == ((), 2)
    stream = str(list(seen_events(table.events, Seat("german"))))
    assert "uranus_2-1" in stream
    assert not [card for card in table.hand("russian") if card in stream]


def test_a_card_given_as_a_cost_is_open_once_nothing_can_cancel_it() -> None:
    """secrecy.cancelled-payment, uranus.play-cost: then both cards lie in the discards."""
    table = scene(
        forces={"r_6_guards": "TDc"},
        turn="russian",
        hands={"russian": ["uranus_2", "sniper", "rubble"], "german": ["fog_of_war"]},
    )
    table.play("russian", "uranus_2")
    pay(table, "russian", 2)
    table.passes("german")

    assert sorted(table.titles("discard/russian")) == ["rubble", "sniper"]
    assert table.titles(URANUS_IN_PLAY) == ["uranus_2"]


# How long it works


def test_a_card_in_play_works_turn_after_turn() -> None:
    """uranus.lasting-effect: also in the Russian's turn and in the next of the German's."""
    table = scene(forces={"g_16_panzer": "GAp", "r_6_guards": "GEp"}, uranus=["uranus_3"])
    table.do("german", END, table.pile("deck/german")[:3])
    table.do("russian", END, table.pile("deck/russian")[:5])
    table.do("german", END)
    table.do("russian", order("pass"), table.pile("deck/german")[:3])

    assert len(table.hand("german")) == 6
    assert table.titles(URANUS_IN_PLAY) == ["uranus_3"]


def test_a_reshuffle_leaves_a_card_in_play() -> None:
    """uranus.lasting-effect, draw.reshuffle: it is not among the discards."""
    table = russian_turn(decks={"russian": []}, discards={"russian": ["sniper"] * 5}, uranus=["uranus_1"])
    table.do("russian", END, table.pile("discard/russian")[:5])

    assert table.titles("hand/russian") == ["sniper"] * 5
    assert table.titles(URANUS_IN_PLAY) == ["uranus_1"]


def test_a_card_is_removed_for_its_price() -> None:
    """uranus.removal, uranus.removed-is-discarded, uranus.effect.force-cost: three cards, and Forces cost the old number."""
    table = scene(
        forces={"g_16_panzer": "GAp"},
        hands={"german": ["tanks", "tanks", "tanks", "rubble"]},
        tops={"german": "g_100_jager"},
        uranus=["uranus_1"],
    )
    table.do("german", order("remove-uranus", card="russian/uranus_1-1"))
    pay(table, "german", 2)
    assert table.refused("german", END) == "payment_must_be_exact"
    assert table.titles(URANUS_IN_PLAY) == ["uranus_1"]
    pay(table, "german", 1)

    assert table.pile(URANUS_IN_PLAY) == ()
    assert table.titles("discard/russian") == ["uranus_1"]
    table.do("german", order("buy-force", force="g_100_jager", to=place("GAp", "german")))
    table.do("german", order("pick", item=table.unpicked("german")[0]), ("g_14_panzer",))
    assert table.hand("german") == ()


def test_rations_and_forces_may_be_the_price() -> None:
    """uranus.removal: four Rations in any split; one Force, which is Destroyed at once."""
    table = scene(
        forces={"g_16_panzer": "GAp", "g_14_panzer": "GEp"},
        rations={"g_16_panzer": 2, "g_14_panzer": 3},
        uranus=["uranus_2", "uranus_4"],
    )
    table.do("german", order("remove-uranus", card="russian/uranus_2-1"))
    for force in ("g_16_panzer", "g_14_panzer", "g_14_panzer", "g_14_panzer"):
        table.do("german", order("pick", item=force))
    table.do("german", order("remove-uranus", card="russian/uranus_4-1"))
    table.do("german", order("pick", item="g_14_panzer"))

    assert (table.rations("g_16_panzer"), table.where("g_14_panzer")) == (1, "bottom/german")
    assert table.titles("discard/russian") == ["uranus_2", "uranus_4"]
    assert table.asked == "german action"


def test_the_refusal_of_a_removal_names_what_is_wrong_with_it() -> None:
    """uranus.removal: too few cards, a card not in play, not the German's turn."""
    table = scene(forces={"g_16_panzer": "GAp"}, hands={"german": ["tanks", "tanks"]}, uranus=["uranus_1"])
    russian = scene(forces={"g_16_panzer": "GAp"}, turn="russian", hands={"german": ["tanks"] * 3}, uranus=["uranus_1"])
    removal = order("remove-uranus", card="russian/uranus_1-1")

    refusal = table.refusal("german", removal)
    assert (refusal.code, refusal.rule) == ("cost_must_be_payable", "uranus.removal")
    assert table.refused("german", order("remove-uranus", card="russian/uranus_2-1")) == "uranus_card_must_be_in_play"
    assert table.refused("german", order("remove-uranus", card="german/tanks-1")) == "uranus_card_must_be_in_play"
    assert russian.refused("german", removal) == "seat_must_be_acting_player"
    assert russian.refused("russian", removal) == "step_must_allow_command"


def test_a_removed_card_may_come_back() -> None:
    """uranus.removed-is-discarded, draw.reshuffle: after a reshuffle it is drawn again."""
    table = russian_turn("desperation", decks={"russian": []}, discards={"russian": ["uranus_1", "sniper"]})
    table.play("russian", "desperation", ["russian/uranus_1-1", "russian/sniper-1"])
    table.play("russian", "uranus_1")
    table.do("russian", order("pick", item="r_6_guards"))

    assert table.titles(URANUS_IN_PLAY) == ["uranus_1"]


def test_several_cards_work_side_by_side() -> None:
    """uranus.several: fewer cards and dearer Forces; removing one leaves the other."""
    table = scene(
        forces={"g_16_panzer": "GAp"},
        hands={"german": ["tanks", "tanks", "tanks", "rubble"]},
        tops={"german": "g_71_infantry"},
        uranus=["uranus_1", "uranus_3"],
    )
    bought = order("buy-force", force="g_71_infantry", to=place("GAp", "german"))
    table.do("german", order("remove-uranus", card="russian/uranus_1-1"))
    pay(table, "german", 3)

    assert table.titles(URANUS_IN_PLAY) == ["uranus_3"]
    assert table.refused("german", bought) == "cost_must_be_payable"
    table.do("german", END, deck_of("german")[:3])
    assert len(table.hand("german")) == 4


# Effects


@each_row(("held", "code"), [(2, "cost_must_be_payable"), (3, "")])
def test_german_forces_cost_more(held: int, code: str) -> None:
    """uranus.effect.force-cost: a Cost of 2 takes three cards."""
    table = scene(
        forces={"g_16_panzer": "GAp"},
        hands={"german": ["tanks", "rubble", "victory"][:held]},
        tops={"german": "g_71_infantry"},
        uranus=["uranus_1"],
    )
    bought = order("buy-force", force="g_71_infantry", to=place("GAp", "german"))

    if code:
        assert table.refused("german", bought) == code
    else:
        table.do("german", bought)
        pay(table, "german", 2)
        table.do("german", order("pick", item=table.unpicked("german")[0]), ("g_14_panzer",))


def test_points_pay_for_the_surcharge_and_russians_pay_none() -> None:
    """uranus.effect.force-cost, ruling.reinforcement-points: Reinforcements and one card for a Cost of 2 and 1 more."""
    table = scene(
        forces={"g_16_panzer": "GAp"},
        hands={"german": ["reinforcements", "rubble"]},
        tops={"german": "g_71_infantry"},
        uranus=["uranus_1"],
    )
    table.play("german", "reinforcements")
    table.do("german", order("buy-force", force="g_71_infantry", to=place("GAp", "german")))
    table.do("german", order("pick", item=table.unpicked("german")[0]), ("g_14_panzer",))
    russian = russian_turn("sniper", uranus=["uranus_1"], tops={"russian": "r_45_rifle"})
    russian.do("russian", order("buy-force", force="r_45_rifle", to=place("GEp", "russian")))
    russian.do("russian", order("pick", item=russian.unpicked("russian")[0]), ("r_284_rifle",))

    assert (table.where("g_71_infantry"), table.track("points")) == (place("GAp", "german"), 0)
    assert russian.where("r_45_rifle") == place("GEp", "russian")


def test_locations_give_the_german_fewer_rations() -> None:
    """uranus.effect.location-rations: one less each, not below 0; Perimeter Rations as before."""
    forces = {"g_16_panzer": "GAc", "g_14_panzer": "TDc", "g_384_infantry": "PHp"}
    table = scene(forces=forces, phase="supply", uranus=["uranus_2"])

    assert [table.rations(force) for force in forces] == [0, 2, 1]


def test_the_german_draws_fewer_cards() -> None:
    """uranus.effect.draw-fewer: six instead of eight, three under Propaganda War; Desperation is untouched."""
    plain = scene(forces=THREE, uranus=["uranus_3"], hands={"german": ["desperation"]})
    plain.play("german", "desperation", deck_of("german")[:3])
    plain.do("german", END, deck_of("german")[3:9])
    denied = scene(forces=THREE, uranus=["uranus_3"], hands={"russian": ["propaganda_war"]})
    denied.do("german", END)
    denied.play("russian", "propaganda_war", deck_of("german")[:3])

    assert len(plain.hand("german")) == 3 + 6
    assert len(denied.hand("german")) == 3


def test_german_perimeter_forces_get_no_ration() -> None:
    """uranus.effect.no-perimeter-ration: shares of a Location's Rations still reach them."""
    forces = {"g_16_panzer": "GAc", "g_14_panzer": "GAp", "g_100_jager": "PHp"}
    table = scene(forces=forces, phase="supply", uranus=["uranus_4"])
    table.do("german", order("pick", item="g_14_panzer"))

    assert [table.rations(force) for force in forces] == [0, 1, 0]
    assert table.asked == "german action"


def test_the_russian_draws_more_cards() -> None:
    """uranus.effect.draw-more: ten with three Locations."""
    forces = {"r_169_rifle": "GAc", "r_84_tank": "TDc", "r_15_guards": "PHc"}
    table = scene(forces=forces, turn="russian", uranus=["uranus_5"])
    table.do("russian", END, deck_of("russian")[:10])

    assert len(table.hand("russian")) == 10


def test_the_russian_inflicts_more_hits_in_battles_that_he_initiates() -> None:
    """uranus.effect.battle-bonus: added to the side's total and never doubled; not when he is attacked."""
    forces = {"r_45_rifle": "TDc", "g_100_jager": "TDc"}
    table = scene(
        forces={**forces, "r_95_rifle": "TDc"},
        rations={"r_95_rifle": 1},
        turn="russian",
        hands={"russian": ["heavy_weapons", "rubble"]},
        uranus=["uranus_6"],
    )
    table.do("russian", order("attack", location="the_docks", forces=["r_95_rifle"]))
    table.play("russian", "heavy_weapons", force="r_95_rifle")
    table.passes("russian")
    attacked = scene(forces=forces, rations={"g_100_jager": 1}, hands={"russian": ["rubble"]}, uranus=["uranus_6"])
    attacked.do("german", order("attack", location="the_docks", forces=["g_100_jager"]))
    attacked.passes("russian")

    assert table.total("russian") == 3 * 2 + 2
    assert attacked.total("russian") == 1


def test_card_attacks_inflict_no_more_hits() -> None:
    """uranus.effect.battle-bonus: an Artillery Barrage is not a battle."""
    table = russian_turn("artillery_barrage", forces={"r_6_guards": "GEp", "g_16_panzer": "TDc"}, uranus=["uranus_6"])
    table.play("russian", "artillery_barrage", force="g_16_panzer")

    assert table.hits("german") == 2
