"""Battles: the Attack, the battle window, the Firefight, the totals, the Hits, and what follows."""

from collections.abc import Sequence

from core.games.battle.ids import RUSSIAN, bottom
from core.games.battle.memory import is_attacking
from core.games.battle.rules.commands import Attack
from events.ids import CardId, PieceId
from tests.support.battle import RULES, SHORT, Scene, card_of, copies, deck_of, order, place, scene
from tests.support.rows import each_row

END = order("done")


def of_value(side: str, value: int, but: Sequence[str] = ()) -> CardId:
    """Return a card of a side with this Firefight value, not one of some."""
    return next(
        card
        for card in deck_of(side)
        if RULES.cards.cards[card].value == value and card not in but and "uranus" not in card
    )


def attack(table: Scene, short: str, *forces: str, draws: Sequence[str] = ()) -> None:
    """Declare an Attack of the Acting Player."""
    seat = table.table.turn
    table.do(seat, order("attack", location=SHORT[short], forces=sorted(forces)), draws)


def fire(table: Scene, seat: str, value: int, draws: Sequence[str] = ()) -> None:
    """Play a held card of this value in the Firefight."""
    card = next(card for card in table.hand(seat) if RULES.cards.cards[card].value == value)
    table.do(seat, order("fire-card", card=card), draws)


def absorb(table: Scene, *ways: tuple[str, str]) -> None:
    """Meet Hits one after the other."""
    for force, by in ways:
        seat = card_of(force).side
        table.do(seat, order("absorb", force=force, by=by))


def fought(*, german: str = "g_16_panzer", rations: int = 1, **more: object) -> Scene:
    """Return a table with one German Force against the 169th Rifle at Gumrak."""
    return scene(forces={german: "GAc", "r_169_rifle": "GAc"}, rations={german: rations}, **more)  # type: ignore[arg-type]


REFUSED = [
    (["r_169_rifle"], "gumrak_airfield", "force_must_be_own"),
    (["g_16_panzer"], "mamayev_kurgan", "target_must_exist"),
    (["g_16_panzer"], "the_docks", "control_area_must_hold_own_force"),
    (["g_44_infantry"], "grain_elevator", "control_area_must_hold_enemy_force"),
    (["g_24_panzer"], "gumrak_airfield", "attacker_must_be_in_control_area"),
    (["g_14_panzer"], "gumrak_airfield", "rations_must_suffice"),
]


@each_row(("forces", "location", "code"), REFUSED)
def test_the_refusal_of_an_attack_names_what_is_wrong_with_it(forces: list[str], location: str, code: str) -> None:
    """attack.declare, attack.cost."""
    there = {
        "g_16_panzer": "GAc",
        "g_14_panzer": "GAc",
        "g_24_panzer": "GAp",
        "g_44_infantry": "GEc",
        "r_169_rifle": "GAc",
    }
    table = scene(forces=there, rations={"g_16_panzer": 1, "g_24_panzer": 1, "g_44_infantry": 1})

    assert table.refused("german", order("attack", location=location, forces=forces)) == code


def test_each_attacker_pays_and_the_others_are_held_back() -> None:
    """attack.cost, attack.held-back-forces, attack.defenders, attack.not-cancellable, attack.hits.participants-only (T10)."""
    forces = {"g_16_panzer": "GAc", "g_24_panzer": "GAc", "r_169_rifle": "GAc", "r_6_guards": "GAp"}
    table = scene(forces=forces, rations={"g_16_panzer": 3, "g_24_panzer": 3}, hands={"russian": ["fog_of_war"]})
    attack(table, "GA", "g_16_panzer")

    assert (table.rations("g_16_panzer"), table.rations("g_24_panzer")) == (2, 3)
    assert table.attribute("table", "defending") == ("r_169_rifle",)
    assert table.asked == "russian answer_battle"
    fog = order("play-card", card=table.held("russian", "fog_of_war"))
    assert table.refused("russian", fog) == "card_timing_must_fit"


def test_an_attack_places_rubble_first() -> None:
    """attack.rubble, attack.sequence: before anybody is asked."""
    table = fought(hands={"russian": ["rubble"]})
    attack(table, "GA", "g_16_panzer")

    assert table.rubble("GA") == 1
    assert table.asked == "russian answer_battle"


def test_base_totals_are_the_combat_of_those_who_take_part() -> None:
    """force.combat, attack.totals: 5 against 1 (S4), against 2 with a reserve (S5)."""
    table = fought(hands={"german": ["big_push"], "russian": ["reserve_forces", "rubble"]})
    alone = fought(hands={"german": ["big_push"]})
    attack(alone, "GA", "g_16_panzer")
    alone.passes("german")
    attack(table, "GA", "g_16_panzer")
    table.passes("german", "russian")

    assert (alone.total("german"), alone.total("russian")) == (5, 1)
    assert (table.total("german"), table.total("russian")) == (5, 1)


def test_reserves_join_from_any_perimeter() -> None:
    """card.reserve-forces, attack.battle-window: free, into the battle's own Control Area (S5)."""
    forces = {"g_16_panzer": "GAc", "r_169_rifle": "GAc", "r_6_guards": "GEp", "r_84_tank": "DTFc"}
    table = scene(
        forces=forces, rations={"g_16_panzer": 1}, hands={"german": ["rubble"], "russian": ["reserve_forces", "rubble"]}
    )
    attack(table, "GA", "g_16_panzer")
    table.passes("german")
    card = table.held("russian", "reserve_forces")

    assert table.refused("russian", order("play-card", card=card, force="r_84_tank")) == "target_must_exist"
    table.play("russian", "reserve_forces", force="r_6_guards")
    assert table.where("r_6_guards") == place("GAc", "russian")
    table.passes("german", "russian")
    assert table.total("russian") == 2


def test_reserves_need_room() -> None:
    """area.limit, card.reserve-forces: three Forces fill the Control Area."""
    defenders = dict.fromkeys(("r_169_rifle", "r_45_rifle", "r_84_tank"), "GAc")
    table = scene(
        forces={"g_16_panzer": "GAc", "r_6_guards": "GEp", **defenders},
        rations={"g_16_panzer": 1},
        hands={"russian": ["reserve_forces"]},
    )
    attack(table, "GA", "g_16_panzer")

    card = table.held("russian", "reserve_forces")
    assert table.refused("russian", order("play-card", card=card, force="r_6_guards")) == "area_must_have_room"


def test_an_attack_note_counts_for_the_initiator_alone() -> None:
    """force.note.attack-bonus: the 126th adds 2 in Russian Attacks, reserves included."""
    forces = {"g_100_jager": "TDc", "r_126_rifle": "TDc"}
    attacking = scene(forces=forces, rations={"r_126_rifle": 1}, turn="russian", hands={"russian": ["rubble"]})
    attack(attacking, "TD", "r_126_rifle")
    attacking.passes("russian")
    defending = scene(forces=forces, rations={"g_100_jager": 1}, hands={"german": ["rubble"]})
    attack(defending, "TD", "g_100_jager")
    defending.passes("german")

    assert attacking.total("russian") == 3
    assert defending.total("russian") == 1


def test_the_battle_window_goes_from_side_to_side() -> None:
    """attack.battle-window: attacker first; a card takes the passes back; two passes in succession close it."""
    table = fought(hands={"german": ["tanks", "rubble"], "russian": ["big_push", "rubble"]})
    attack(table, "GA", "g_16_panzer")

    assert table.asked == "german answer_battle"
    table.passes("german")
    table.play("russian", "big_push")
    assert table.asked == "german answer_battle"
    table.passes("german")
    table.passes("russian")
    assert table.asked == "german firefight"


def test_big_push_raises_all_own_forces_until_the_turn_ends() -> None:
    """card.big-push, card.any-time, turn.end-cleanup: played in either turn; not once the Firefight is on (T17)."""
    table = fought(hands={"german": ["rubble"], "russian": ["big_push", "big_push"]})
    attack(table, "GA", "g_16_panzer")
    table.passes("german")
    table.play("russian", "big_push")
    table.passes("german", "russian")

    assert table.total("russian") == 2
    assert (
        table.refused("german", order("play-card", card=table.held("german", "rubble")))
        == "card_must_be_played_for_value"
    )
    table.do("german", order("pass"))
    second = order("play-card", card=table.held("russian", "big_push"))
    assert table.refused("russian", second) == "card_must_be_played_for_value"


def test_heavy_weapons_double_once() -> None:
    """card.heavy-weapons, heroic.combat: all of the Force's own bonuses, those that come later included (S34)."""
    forces = {
        "g_14_panzer": "TDc",
        "g_100_jager": "TDc",
        "r_126_rifle": "TDc",
        "r_248_rifle": "TDc",
        "g_384_infantry": "GEp",
    }
    table = scene(
        forces=forces,
        rations={"g_14_panzer": 1, "g_100_jager": 1},
        medals={"r_126_rifle": 1},
        hands={"german": ["heavy_weapons", "heavy_weapons", "big_push", "rubble"]},
    )
    attack(table, "TD", "g_14_panzer", "g_100_jager")
    table.play("german", "heavy_weapons", force="g_14_panzer")
    again = table.held("german", "heavy_weapons")

    assert table.refused("german", order("play-card", card=again, force="g_14_panzer")) == "combat_must_not_be_doubled"
    assert table.refused("german", order("play-card", card=again, force="g_384_infantry")) == "target_must_exist"
    table.play("german", "big_push")
    table.passes("german")
    assert table.total("german") == 2 * (7 + 1) + (1 + 1)
    assert table.total("russian") == 5


def test_the_first_battle_of_the_sample_game() -> None:
    """attack.firefight.attacker-first, attack.firefight.one-card, attack.firefight.positive, attack.firefight.negative,
    attack.firefight.alternate-until-two-passes, attack.firefight.no-hand, attack.flip, attack.totals.fixed-together,
    attack.hits.defender-first, attack.sequence (S4 to S10)."""
    german = [of_value("german", -2), of_value("german", 3), of_value("german", 1), of_value("german", -1)]
    flip = of_value("german", 2)
    russian = [of_value("russian", 3), of_value("russian", -2), of_value("russian", -1)]
    russian.append(of_value("russian", -1, russian))
    their_flip = of_value("russian", -1, russian)
    forces = {"g_16_panzer": "GAc", "r_169_rifle": "GAc", "r_6_guards": "GAc"}
    table = scene(forces=forces, rations={"g_16_panzer": 7}, hands={"german": german, "russian": russian})
    attack(table, "GA", "g_16_panzer")
    table.passes("german", "russian")
    table.passes("german")
    fire(table, "russian", 3)
    assert (table.total("german"), table.total("russian")) == (5, 5)
    fire(table, "german", -2)
    fire(table, "russian", -2)
    assert (table.total("german"), table.total("russian")) == (3, 3)
    fire(table, "german", 3)
    fire(table, "russian", -1)
    table.passes("german")
    fire(table, "russian", -1)
    assert (table.total("german"), table.total("russian")) == (4, 3)
    table.do("german", order("pass"), (flip, their_flip))

    assert (table.hits("russian"), table.hits("german")) == (5, 3)
    assert table.refused("german", order("absorb", force="g_16_panzer", by="ration")) == "seat_must_be_asked"
    absorb(table, ("r_6_guards", "retreat"), ("r_169_rifle", "retreat"), ("r_169_rifle", "destroyed"))
    assert table.asked == "german absorb_hit"
    absorb(table, ("g_16_panzer", "retreat"), ("g_16_panzer", "ration"))
    assert table.marker("g_16_panzer", "heroic_service") == table.marker("r_6_guards", "heroic_service") == 0
    assert sorted(table.titles("discard/german")) == sorted(
        RULES.cards.cards[card].title.id for card in (*german[:2], flip)
    )
    assert table.where("g_16_panzer") == place("GAp", "german")


def test_the_long_example_of_the_firefight() -> None:
    """attack.firefight.sample, attack.firefight.alternate-until-two-passes, attack.firefight.text-ignored (T13)."""
    german = [of_value("german", 2), of_value("german", -2), of_value("german", 3)]
    russian = [of_value("russian", -1), of_value("russian", -3), of_value("russian", 1)]
    russian.append(of_value("russian", -1, russian))
    flips = of_value("german", 1), of_value("russian", 2)
    forces = {"g_16_panzer": "GAc", "r_248_rifle": "GAc"}
    table = scene(forces=forces, rations={"g_16_panzer": 1}, hands={"german": german, "russian": russian})
    attack(table, "GA", "g_16_panzer")
    table.passes("german", "russian")
    seen = []
    for seat, value in (("german", 2), ("russian", -1), ("german", -2), ("russian", -3)):
        fire(table, seat, value)
        seen.append((table.total("german"), table.total("russian")))
    table.passes("german")
    fire(table, "russian", 1)
    table.passes("german")
    fire(table, "russian", -1)
    seen.append((table.total("german"), table.total("russian")))
    fire(table, "german", 3, flips)

    assert seen == [(7, 3), (6, 3), (6, 1), (3, 1), (2, 2)]
    assert (table.hits("russian"), table.hits("german")) == (6, 4)


def test_a_total_below_zero_counts_as_none() -> None:
    """attack.totals.not-below-zero: cut off once, at the very end."""
    russian = [of_value("russian", -3)]
    russian.append(of_value("russian", -3, russian))
    forces = {"g_100_jager": "TDc", "r_169_rifle": "TDc"}
    table = scene(
        forces=forces, rations={"g_100_jager": 1}, hands={"german": [of_value("german", 3)], "russian": russian}
    )
    attack(table, "TD", "g_100_jager")
    table.passes("german", "russian")
    table.passes("german")
    fire(table, "russian", -3)
    table.passes("german")
    fire(table, "russian", -3)
    assert table.total("german") == -5
    fire(table, "german", 3, (of_value("german", 1), of_value("russian", 1)))

    assert table.hits("russian") == 0
    assert table.asked == "german absorb_hit"


def test_one_card_is_used_for_one_purpose() -> None:
    """card.one-use, attack.firefight.text-ignored: Dive Bombers in a Firefight inflict no Hits of their own."""
    card = next(card for card in copies("german", "dive_bombers") if RULES.cards.cards[card].value == 1)
    table = fought(hands={"german": [card]})
    attack(table, "GA", "g_16_panzer")
    table.passes("german")
    table.do("german", order("fire-card", card=card), (of_value("german", 1), of_value("russian", 1)))

    assert table.rubble("GA") == 1
    assert table.hits("russian") == 5 + 1 + 1
    assert card not in table.hand("german")


def test_a_flip_that_finds_no_card_counts_nothing() -> None:
    """draw.deck-exhausted, attack.flip, attack.firefight.no-hand."""
    table = fought(decks={"german": []})
    attack(table, "GA", "g_16_panzer", draws=(of_value("russian", -1),))

    assert table.hits("russian") == 4


def ready(hits: int, forces: dict[str, str], **more: object) -> Scene:
    """Return a table at which the Russian absorbs `hits` Hits of Dive Bombers or a battle at the Docks."""
    table = scene(forces={"g_14_panzer": "TDc", **forces}, **{"rations": {"g_14_panzer": 1}, **more})  # type: ignore[arg-type]
    ours, theirs = {7: (1, -1), 6: (1, -2), 5: (-2, -2)}[hits]
    attack(table, "TD", "g_14_panzer", draws=(of_value("german", ours), of_value("russian", theirs)))
    assert table.hits("russian") == hits
    return table


def test_hits_are_met_one_by_one() -> None:
    """attack.hits.one-by-one, attack.hits.owner-allocates, attack.hits.ration, attack.hits.destroyed, retreat.absorbs,
    retreat.still-participant (T14)."""
    table = ready(
        6, {"r_84_tank": "TDc", "r_90_tank": "TDc"}, rations={"g_14_panzer": 1, "r_84_tank": 1, "r_90_tank": 2}
    )

    assert table.refused("russian", order("pass")) == "hits_must_be_absorbed"
    assert table.refused("german", order("absorb", force="r_84_tank", by="ration")) == "seat_must_be_asked"
    absorb(table, ("r_84_tank", "ration"), ("r_90_tank", "ration"), ("r_90_tank", "ration"))
    assert table.refused("russian", order("absorb", force="r_90_tank", by="ration")) == "rations_must_suffice"
    absorb(table, ("r_90_tank", "retreat"))
    assert (
        table.refused("russian", order("absorb", force="r_90_tank", by="retreat"))
        == "retreat_must_start_in_control_area"
    )
    absorb(table, ("r_90_tank", "destroyed"))
    assert table.hits("russian") == 0


def test_a_force_may_be_given_up_with_rations_on_it() -> None:
    """attack.hits.stopping-optional, force.destroyed-loses-counters."""
    table = ready(5, {"r_84_tank": "TDc", "r_90_tank": "TDc"}, rations={"g_14_panzer": 1, "r_84_tank": 2})
    absorb(table, ("r_84_tank", "destroyed"))

    assert table.rations("r_84_tank") == 0
    assert table.where("r_84_tank") == "bottom/russian"


def test_excess_hits_are_lost() -> None:
    """attack.hits.excess-lost: no participant is left to absorb the rest."""
    table = ready(5, {"r_169_rifle": "TDc", "r_6_guards": "TDp"})
    absorb(table, ("r_169_rifle", "destroyed"))

    assert table.hits("russian") == 0
    assert table.where("r_6_guards") == place("TDp", "russian")


def test_a_retreat_stops_no_more_than_is_left() -> None:
    """retreat.surplus-lost, retreat.once, attack.hits.participants-only."""
    table = ready(5, {"r_84_tank": "TDc", "r_90_tank": "TDc", "r_6_guards": "TDp"})

    assert table.refused("russian", order("absorb", force="r_6_guards", by="destroyed")) == "force_must_take_part"
    absorb(table, ("r_84_tank", "retreat"), ("r_84_tank", "destroyed"), ("r_90_tank", "retreat"))
    assert table.hits("russian") == 0
    assert table.refused("russian", order("absorb", force="r_90_tank", by="destroyed")) == "seat_must_be_asked"


def test_a_full_perimeter_bars_retreat() -> None:
    """retreat.full-perimeter, area.limit: three Forces there; one Destroyed there makes room."""
    there = dict.fromkeys(("r_169_rifle", "r_6_guards", "r_45_rifle"), "TDp")
    table = ready(5, {"r_248_rifle": "TDc", **there})

    assert table.refused("russian", order("absorb", force="r_248_rifle", by="retreat")) == "retreat_must_end_in_room"


def test_a_retreat_is_no_move() -> None:
    """retreat.not-a-move, attack.again: it costs nothing, and the Force Moves back in the same turn."""
    table = ready(7, {"r_84_tank": "TDc"}, rations={"g_14_panzer": 4})
    absorb(table, ("r_84_tank", "destroyed"), ("g_14_panzer", "retreat"))
    while table.asked == "german absorb_hit":
        absorb(table, ("g_14_panzer", "ration"))
    left = table.rations("g_14_panzer")

    assert table.where("g_14_panzer") == place("TDp", "german")
    table.do("german", order("move", force="g_14_panzer", to=place("TDc", "german")))
    assert table.rations("g_14_panzer") == left - 1


def test_a_note_ignores_the_first_hits_of_each_attack() -> None:
    """force.note.ignore-hits: of a battle and of each card attack, before anything else."""
    table = scene(
        forces={"r_15_guards": "PHc"},
        rations={"r_15_guards": 9},
        hands={"german": ["artillery_barrage", "artillery_barrage"]},
    )
    for _ in range(2):
        table.play("german", "artillery_barrage", force="r_15_guards")
        assert table.refused("russian", order("absorb", force="r_15_guards", by="ration")) == "choice_must_be_made"
        absorb(table, ("r_15_guards", "ignored"), ("r_15_guards", "ration"))

    assert table.rations("r_15_guards") == 7


def test_a_note_and_medals_make_a_retreat_worth_more() -> None:
    """force.note.retreat-bonus, heroic.retreat, heroic.effects-permanent: the 248th with two counters stops 5."""
    table = ready(6, {"r_248_rifle": "TDc"}, medals={"r_248_rifle": 2})
    absorb(table, ("r_248_rifle", "retreat"))

    assert table.hits("russian") == 1


def test_tanks_keep_the_enemy_from_retreating() -> None:
    """card.tanks: the player's own Forces may."""
    forces = {"g_100_jager": "TDc", "r_126_rifle": "TDc"}
    table = scene(forces=forces, rations={"r_126_rifle": 2}, turn="russian", hands={"german": ["tanks"]})
    attack(table, "TD", "r_126_rifle")
    table.play("german", "tanks", (of_value("russian", 1), of_value("german", 1)))
    absorb(table, ("g_100_jager", "retreat"))
    while table.asked == "german absorb_hit":
        absorb(table, ("g_100_jager", "destroyed"))

    assert table.asked == "russian absorb_hit"
    assert table.refused("russian", order("absorb", force="r_126_rifle", by="retreat")) == "retreat_must_not_be_barred"


def test_sewer_warfare_prevents_the_firefight() -> None:
    """card.sewer-warfare: no values, no flips; other cards may still be played (S22)."""
    forces = {"g_100_jager": "TDc", "r_126_rifle": "TDc"}
    table = scene(
        forces=forces,
        rations={"r_126_rifle": 1},
        turn="russian",
        hands={"russian": ["sewer_warfare"], "german": ["tanks", "rubble"]},
    )
    attack(table, "TD", "r_126_rifle")
    table.play("russian", "sewer_warfare")
    card = table.held("german", "tanks")
    assert table.refused("german", order("fire-card", card=card)) == "firefight_must_take_place"
    table.play("german", "tanks")
    table.passes("german")

    assert (table.hits("german"), table.hits("russian")) == (3, 1)
    assert (
        table.refused("german", order("fire-card", card=table.held("german", "rubble"))) == "firefight_must_take_place"
    )


@each_row(("rubble", "left"), [(1, 1), (0, 7)])
def test_rubble_stops_two_hits_where_there_is_rubble(rubble: int, left: int) -> None:
    """card.rubble, window.hits: several may be played while Hits are left, at 2 Rubble or more (S37)."""
    table = scene(
        forces={"g_14_panzer": "TDc", "r_84_tank": "TDc"},
        rations={"g_14_panzer": 1},
        rubble={"TD": rubble},
        hands={"russian": ["rubble", "rubble", "rubble"]},
    )
    attack(table, "TD", "g_14_panzer")
    table.passes("russian")
    table.do("russian", order("pass"), (of_value("german", -1), of_value("russian", 2)))
    assert table.rubble("TD") == rubble + 1
    if table.rubble("TD") < 2:
        assert (
            table.refused("russian", order("play-card", card=table.held("russian", "rubble"))) == "rubble_must_suffice"
        )
    else:
        for _ in range(3):
            table.play("russian", "rubble")

    assert table.hits("russian") == left


def test_a_battle_won_earns_heroic_service() -> None:
    """heroic.conditions, heroic.recipient, heroic.combat: all enemies Destroyed and the Location Controlled (S25)."""
    forces = {
        "r_126_rifle": "TDc",
        "r_248_rifle": "TDc",
        "r_6_guards": "TDp",
        "g_100_jager": "TDc",
        "r_15_guards": "PHc",
    }
    table = scene(forces=forces, rations={"r_126_rifle": 3, "r_248_rifle": 1}, turn="russian")
    attack(table, "TD", "r_126_rifle", "r_248_rifle", draws=(of_value("russian", 1), of_value("german", -1)))
    while table.asked == "german absorb_hit":
        absorb(table, ("g_100_jager", "destroyed"))
    while table.asked == "russian absorb_hit":
        absorb(table, ("r_126_rifle", "ration"))

    assert table.asked == "russian award"
    assert table.refused("russian", order("award", force="r_15_guards")) == "force_must_be_eligible_for_medal"
    assert table.refused("russian", END) == "choice_must_be_made"
    table.do("russian", order("award", force="r_126_rifle"))
    assert table.marker("r_126_rifle", "heroic_service") == 1


def test_the_defender_may_earn_it_too() -> None:
    """heroic.defender-may-earn, heroic.recipient: one who Retreated does not get it (T16)."""
    forces = {"g_100_jager": "TDc", "r_84_tank": "TDc", "r_90_tank": "TDc"}
    table = scene(forces=forces, rations={"g_100_jager": 1})
    attack(table, "TD", "g_100_jager", draws=(of_value("german", 2), of_value("russian", 1)))
    absorb(table, ("r_84_tank", "retreat"))
    while table.asked == "russian absorb_hit":
        absorb(table, ("r_84_tank", "destroyed"))
    while table.asked == "german absorb_hit":
        absorb(table, ("g_100_jager", "destroyed"))

    assert table.marker("r_90_tank", "heroic_service") == 1
    assert table.marker("r_84_tank", "heroic_service") == 0


def test_a_destroyed_force_goes_under_its_deck() -> None:
    """force.destroyed-to-bottom, force.repurchase, force.deck-was-empty, secrecy.force-deck-bottom."""
    table = ready(5, {"r_169_rifle": "TDc", "r_6_guards": "TDc"})
    absorb(table, ("r_169_rifle", "destroyed"), ("r_6_guards", "destroyed"))

    assert table.table.pieces_at(bottom(RUSSIAN)) == ("r_169_rifle", "r_6_guards")


def test_no_force_advances_after_a_battle() -> None:
    """attack.no-advance-after-battle: empty Control Areas stay empty."""
    table = ready(7, {"r_169_rifle": "TDc"})
    absorb(table, ("r_169_rifle", "destroyed"), ("g_14_panzer", "retreat"))

    assert table.table.pieces_at(place("TDc", "german")) == ()
    assert table.asked == "german action"


def test_which_forces_attack_is_picked_one_by_one_or_said_at_once() -> None:
    """attack.declare, attack.cost: no subsets are listed; both ways lead to the same battle."""

    def table() -> Scene:
        return scene(
            forces={"g_14_panzer": "GAc", "g_24_panzer": "GAc", "r_169_rifle": "GAc"},
            rations={"g_14_panzer": 2, "g_24_panzer": 2},
            hands={"german": ["tanks"]},
        )

    whole, small = table(), table()
    whole.do("german", order("attack", location="gumrak_airfield", forces=["g_14_panzer", "g_24_panzer"]))

    assert [option for option in small.options if isinstance(option, Attack)] == [Attack("gumrak_airfield")]
    small.do("german", order("attack", location="gumrak_airfield"))
    assert small.asked == "german attackers"
    assert small.refused("german", END) == "attack_must_have_a_force"
    small.do("german", order("pick", item="g_24_panzer"))
    small.do("german", order("pick", item="g_14_panzer"))
    assert (small.table.attributes, small.table.markers) == (whole.table.attributes, whole.table.markers)
    assert whole.asked == small.asked != "german attackers"


def test_an_attack_card_moves_its_force() -> None:
    """card.attack, card.attack.others-join, window.card: nothing is paid by the one, a Ration by each who joins (S33)."""
    forces = {
        "g_14_panzer": "GEc",
        "g_100_jager": "TDc",
        "g_384_infantry": "TDc",
        "r_126_rifle": "TDc",
        "r_6_guards": "PHc",
    }
    table = scene(forces=forces, rations={"g_14_panzer": 10, "g_100_jager": 2}, hands={"german": ["attack"]})
    card = table.held("german", "attack")

    quiet = order("play-card", card=card, force="g_14_panzer", to=place("GAc", "german"))
    assert table.refused("german", quiet) == "control_area_must_hold_enemy_force"
    stays = order("play-card", card=card, force="g_100_jager", to=place("TDc", "german"))
    assert table.refused("german", stays) == "force_must_come_from_elsewhere"
    table.play("german", "attack", force="g_14_panzer", to=place("TDc", "german"))
    assert table.asked == "german join_attack"
    assert table.refused("german", order("choose", items=["g_384_infantry"])) == "rations_must_suffice"
    table.do("german", order("choose", items=["g_100_jager"]), (of_value("german", 1), of_value("russian", 1)))
    assert (table.rations("g_14_panzer"), table.rations("g_100_jager"), table.rubble("TD")) == (10, 1, 1)
    assert is_attacking(table.table, PieceId("g_100_jager"))


def test_an_attack_card_needs_room() -> None:
    """card.attack, area.limit: full Control Areas are closed, locked Forces stay."""
    full = dict.fromkeys(("g_44_infantry", "g_71_infantry", "g_76_infantry"), "TDc")
    table = scene(forces={"g_14_panzer": "GEc", "r_126_rifle": "TDc", **full}, hands={"german": ["attack"]})

    to = order("play-card", card=table.held("german", "attack"), force="g_14_panzer", to=place("TDc", "german"))
    assert table.refused("german", to) == "area_must_have_room"


def test_a_card_attack_hits_one_force() -> None:
    """card.dive-bombers, card-attack.target, card-attack.no-firefight, card-attack.target-absorbs-alone, card.inflict-rubble
    (S11, T15)."""
    forces = {"r_248_rifle": "GEc", "r_6_guards": "GEc", "r_45_rifle": "GAp"}
    hands = {"german": ["dive_bombers"], "russian": ["reserve_forces"]}
    table = scene(forces=forces, rations={"r_248_rifle": 1}, hands=hands)
    card = table.held("german", "dive_bombers")

    assert (
        table.refused("german", order("play-card", card=card, force="r_45_rifle")) == "target_must_be_in_control_area"
    )
    table.play("german", "dive_bombers", force="r_248_rifle")
    assert (table.asked, table.rubble("GE")) == ("russian answer_card", 0)
    table.passes("russian")
    assert (table.rubble("GE"), table.hits("russian")) == (2, 4)
    held = table.held("russian", "reserve_forces")
    assert table.refused("russian", order("fire-card", card=held)) == "firefight_must_take_place"
    assert table.refused("russian", order("play-card", card=held, force="r_45_rifle")) == "card_timing_must_fit"
    assert table.refused("russian", order("absorb", force="r_6_guards", by="retreat")) == "force_must_take_part"
    absorb(table, ("r_248_rifle", "retreat"), ("r_248_rifle", "ration"))
    assert table.asked == "german action"
    assert table.titles("discard/german") == ["dive_bombers"]


def test_the_rubble_of_an_artillery_barrage_counts_for_the_card_rubble() -> None:
    """card.artillery-barrage, card.inflict-rubble: the second Rubble counts before the Hits (T8)."""
    table = scene(
        forces={"r_248_rifle": "GEc"}, rubble={"GE": 1}, hands={"german": ["artillery_barrage"], "russian": ["rubble"]}
    )
    table.play("german", "artillery_barrage", force="r_248_rifle")
    table.passes("russian")
    table.play("russian", "rubble")

    assert table.asked == "german action"
    assert table.titles("discard/russian") == ["rubble"]


def test_both_sides_may_answer_in_the_aftermath() -> None:
    """window.aftermath, card.victory: the Acting Player first; cards of the battle are put away before (S9)."""
    forces = {"g_16_panzer": "GAc", "r_169_rifle": "GAc"}
    hands = {"german": ["rubble"], "russian": ["victory", "rubble"]}
    table = scene(forces=forces, rations={"g_16_panzer": 9}, hands=hands)
    attack(table, "GA", "g_16_panzer")
    table.passes("german", "russian")
    table.do("german", order("pass"))
    table.do("russian", order("pass"), (of_value("german", 1), of_value("russian", 2)))
    while table.asked == "russian absorb_hit":
        absorb(table, ("r_169_rifle", "destroyed"))
    absorb(table, ("g_16_panzer", "retreat"))
    while table.asked == "german absorb_hit":
        absorb(table, ("g_16_panzer", "ration"))

    assert table.asked == "german answer_aftermath"
    assert table.refused("german", order("fire-card", card=table.held("german", "rubble"))) == "firefight_must_be_open"
    assert table.refused("german", order("absorb", force="g_16_panzer", by="ration")) == "hit_must_be_left"
    table.passes("german")
    table.play("russian", "victory", deck_of("russian")[20:23])
    table.passes("german", "russian")
    assert (table.asked, len(table.hand("russian"))) == ("german action", 4)


def test_victory_needs_a_cleared_control_area() -> None:
    """card.victory: an enemy participant still in the Control Area forbids it."""
    forces = {"g_14_panzer": "GAc", "r_169_rifle": "GAc"}
    table = scene(forces=forces, rations={"g_14_panzer": 9}, hands={"german": ["tanks"], "russian": ["victory"]})
    attack(table, "GA", "g_14_panzer")
    table.passes("german", "russian")
    table.do("german", order("pass"))
    table.do("russian", order("pass"), (of_value("german", 1), of_value("russian", 2)))
    while table.asked == "russian absorb_hit":
        absorb(table, ("r_169_rifle", "destroyed"))
    while table.asked == "german absorb_hit":
        absorb(table, ("g_14_panzer", "ration"))
    table.passes("german")

    late = order("play-card", card=table.held("russian", "victory"))
    assert table.refused("russian", late) == "card_condition_must_be_met"
