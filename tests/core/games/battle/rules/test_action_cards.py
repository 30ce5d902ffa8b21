"""Cards that are no battle: own Actions, answers to them, what is drawn and handed out."""

import pytest

from core.errors import SetupInvalid
from core.file_checks.checked_file import load_file
from core.games.battle.components.card_file import CARD_FILE
from core.games.battle.memory import is_attacking
from events.ids import PieceId
from events.vocabulary import CardPlayed, SequenceEnded
from tests.support.battle import RULES, Scene, copies, deck_of, order, place, scene
from tests.support.rows import each_row

END = order("done")
PAIR = {"g_16_panzer": "GEp", "r_169_rifle": "GEc"}


def give(table: Scene, seat: str, *forces: str) -> None:
    """Hand Rations out one by one."""
    for force in forces:
        table.do(seat, order("pick", item=force))


def take(table: Scene, seat: str, title: str) -> None:
    """Take a card of a title out of the own deck."""
    table.do(
        seat,
        order(
            "take-card",
            card=next(card for card in table.pile(f"deck/{seat}") if RULES.cards.cards[card].title.id == title),
        ),
    )


# When a card may be played, and what becomes of it


def test_a_card_is_played_in_the_own_actions_step() -> None:
    """card.default-timing: not in the enemy's turn; a held card for another moment is mistimed."""
    table = scene(forces=PAIR, turn="russian", hands={"german": ["dive_bombers"], "russian": ["sniper"]})
    german = order("play-card", card=table.held("german", "dive_bombers"), force="r_169_rifle")

    assert table.refused("german", german) == "seat_must_be_acting_player"
    assert table.refused("russian", order("play-card", card=table.held("russian", "sniper"))) == "card_timing_must_fit"
    table.do("russian", END, deck_of("russian")[-6:])
    table.do("german", german)
    assert table.asked == "russian answer_card"


def test_a_played_card_takes_effect_and_is_discarded() -> None:
    """card.play-action, card.fresh-supplies: hand 0, the card in the own discards (S14)."""
    forces = {"g_384_infantry": "GEp", "g_100_jager": "TDp", "g_16_panzer": "GAc", "g_14_panzer": "GEc"}
    rations = {"g_384_infantry": 5, "g_100_jager": 2, "g_16_panzer": 1, "g_14_panzer": 3}
    table = scene(forces=forces, rations=rations, hands={"german": ["fresh_supplies"]})
    table.play("german", "fresh_supplies")

    assert [table.rations(force) for force in forces] == [7, 4, 1, 3]
    assert (table.hand("german"), table.titles("discard/german")) == ((), ["fresh_supplies"])


def test_a_card_that_is_not_held_is_refused_wherever_it_lies() -> None:
    """card.play-action, secrecy.hands: the same answer for the enemy's card, one in the deck and one that does not exist."""
    table = scene(forces=PAIR, hands={"german": ["tanks"], "russian": ["sniper"]})
    sniper, deck = table.held("russian", "sniper"), copies("german", "dive_bombers")[0]

    refusals = [table.refusal("german", order("play-card", card=card)) for card in (sniper, deck, "german/none-1")]
    assert {refusal.code for refusal in refusals} == {"card_must_be_in_hand"}
    assert len({(refusal.rule, refusal.sentence) for refusal in refusals}) == 1


def test_a_card_with_a_target_needs_a_legal_one() -> None:
    """card.without-effect: an attack card needs a Force in a Control Area; Fresh Supplies without a Force to supply are allowed."""
    forces = {"g_16_panzer": "GAc", "r_169_rifle": "GEp"}
    table = scene(forces=forces, hands={"german": ["dive_bombers", "fresh_supplies"]})
    bombers = table.held("german", "dive_bombers")

    assert table.refused("german", order("play-card", card=bombers)) == "target_must_exist"
    assert table.refused("german", order("play-card", card=bombers, force="g_16_panzer")) == "target_must_exist"
    table.play("german", "fresh_supplies")
    assert table.titles("discard/german") == ["fresh_supplies"]
    assert table.rations("g_16_panzer") == 0


def test_a_card_with_one_target_is_refused_if_more_is_named() -> None:
    """card-attack.target: the card hits one Force; another Force or a place beside it means nothing."""
    table = scene(forces=PAIR, hands={"german": ["dive_bombers"]})
    bombers = {"card": table.held("german", "dive_bombers"), "force": "r_169_rifle"}

    assert table.refused("german", order("play-card", **bombers, to=place("GEc", "german"))) == "target_must_exist"
    assert table.refused("german", order("play-card", **bombers, other="g_16_panzer")) == "target_must_exist"
    table.play("german", "dive_bombers", force="r_169_rifle")
    assert not table.titles("hand/german")


def test_a_card_without_targets_is_refused_if_one_is_named() -> None:
    """card.play-action: Fresh Supplies have no target."""
    table = scene(forces=PAIR, hands={"german": ["fresh_supplies"]})

    named = order("play-card", card=table.held("german", "fresh_supplies"), force="g_16_panzer")
    assert table.refused("german", named) == "target_must_exist"


def test_each_side_has_its_own_discards() -> None:
    """card.own-deck-own-discards: the cancelled card and the one that cancels, each to its owner."""
    table = scene(forces=PAIR, hands={"german": ["artillery_barrage"], "russian": ["fog_of_war"]})
    table.play("german", "artillery_barrage", force="r_169_rifle")
    table.play("russian", "fog_of_war")

    assert table.titles("discard/german") == ["artillery_barrage"]
    assert table.titles("discard/russian") == ["fog_of_war"]


@each_row("value", [4, 0, -4])
def test_a_firefight_value_is_one_to_three_either_way(value: int) -> None:
    """card.firefight-value: a card file with another value is rejected."""
    printed = "copies = { german = [1, 1, -1] }"
    text = CARD_FILE.shipped_bytes.decode()

    with pytest.raises(SetupInvalid) as error:
        load_file(CARD_FILE, text.replace(printed, f"copies = {{ german = [{value}, 1, -1] }}", 1))
    assert any(f" {value}" in defect for defect in error.value.defects)


def test_copies_of_a_card_differ_in_value() -> None:
    """card.firefight-value: two Rubble cards, two values."""
    values = [RULES.cards.cards[card].value for card in copies("german", "rubble")]

    assert len(set(values)) > 1
    assert all(1 <= abs(card.value) <= 3 for card in RULES.cards.cards.values())


# Single cards


def test_a_raid_takes_from_one_and_gives_to_one() -> None:
    """card.supply-raid: two Rations from anywhere to anywhere (S3)."""
    table = scene(
        forces={"g_16_panzer": "GAc", "r_169_rifle": "PHc"},
        rations={"g_16_panzer": 5, "r_169_rifle": 2},
        hands={"german": ["supply_raid"]},
    )
    table.play("german", "supply_raid", force="r_169_rifle", other="g_16_panzer")

    assert (table.rations("r_169_rifle"), table.rations("g_16_panzer")) == (0, 7)


RAIDS = [
    ({"force": "r_169_rifle", "other": "r_169_rifle"}, "force_must_be_own"),
    ({"force": "g_16_panzer", "other": "g_16_panzer"}, "target_must_exist"),
    ({"force": "r_169_rifle"}, "target_must_exist"),
    ({"other": "g_16_panzer"}, "target_must_exist"),
    ({"force": "r_6_guards", "other": "g_16_panzer"}, "target_must_exist"),
    ({"force": "r_169_rifle", "other": "g_16_panzer", "to": "gumrak_airfield/german/control"}, "target_must_exist"),
]


@each_row(("told", "code"), RAIDS)
def test_a_raid_needs_two_forces_on_the_table(told: dict[str, str], code: str) -> None:
    """card.supply-raid, ruling.supply-raid."""
    table = scene(forces=PAIR, hands={"german": ["supply_raid"]})

    assert table.refused("german", order("play-card", card=table.held("german", "supply_raid"), **told)) == code


@each_row("there", [1, 0])
def test_a_raid_takes_what_there_is(there: int) -> None:
    """card.remove-missing-rations: one is taken from one, none from none."""
    table = scene(forces=PAIR, rations={"r_169_rifle": there}, hands={"german": ["supply_raid"]})
    table.play("german", "supply_raid", force="r_169_rifle", other="g_16_panzer")

    assert (table.rations("r_169_rifle"), table.rations("g_16_panzer")) == (0, there)
    assert table.titles("discard/german") == ["supply_raid"]


def test_air_supply_is_split_at_will() -> None:
    """card.air-supply: five Rations, four and one (S31); all of them and no more."""
    table = scene(forces={"g_14_panzer": "GEc", "g_16_panzer": "GAc"}, hands={"german": ["air_supply"]})
    table.play("german", "air_supply")
    give(table, "german", *["g_14_panzer"] * 4)

    assert table.refused("german", END) == "all_rations_must_be_placed"
    assert table.refusal("german", END).sentence == "Exactly 5 Rations are placed, not 4."
    give(table, "german", "g_16_panzer")
    assert (table.rations("g_14_panzer"), table.rations("g_16_panzer")) == (4, 1)
    assert table.refused("german", order("pick", item="g_16_panzer")) == "step_must_allow_command"


def test_air_supply_needs_a_force() -> None:
    """card.air-supply: an own Force must be on the table."""
    table = scene(forces={"r_169_rifle": "GEc"}, hands={"german": ["air_supply"]})

    assert (
        table.refused("german", order("play-card", card=table.held("german", "air_supply"))) == "force_must_be_on_table"
    )


def test_desperation_draws_three_cards_to_be_used_at_once() -> None:
    """card.desperation, card.own-deck-own-discards: four cards become six; the card itself comes last (S28, S30)."""
    table = scene(forces=PAIR, hands={"german": ["desperation", "tanks", "rubble", "victory"]}, decks={"german": []})
    drawn = ["german/air_supply-1", "german/attack-1", "german/big_push-1"]
    full = scene(forces=PAIR, hands={"german": ["desperation", "tanks", "rubble", "victory"]}, decks={"german": drawn})
    table.play("german", "desperation")
    full.play("german", "desperation", drawn)

    assert len(full.hand("german")) == 6
    full.play("german", "air_supply")
    assert full.rations("g_16_panzer") == 5
    assert (len(table.hand("german")), table.titles("discard/german")) == (3, ["desperation"])


def test_reinforcements_bring_points() -> None:
    """card.reinforcements: two for a Force's Cost."""
    table = scene(forces={"r_169_rifle": "GEc"}, turn="russian", hands={"russian": ["reinforcements"]})
    table.play("russian", "reinforcements")

    assert table.track("points") == 2
    assert table.titles("discard/russian") == ["reinforcements"]


def test_scouts_fetch_any_card_of_the_deck() -> None:
    """card.scouts, card.scouts.use-at-once, card.any-time: in the own Actions step it can be played next (S19)."""
    table = scene(forces={"r_169_rifle": "GEc"}, turn="russian", hands={"russian": ["scouts"]})
    table.play("russian", "scouts")
    size = len(table.pile("deck/russian"))

    assert table.refused("russian", order("pass")) == "choice_must_be_made"
    assert table.refused("russian", order("take-card", card="russian/scouts-1")) == "card_must_be_in_deck"
    take(table, "russian", "high_morale")
    assert len(table.pile("deck/russian")) == size - 1
    table.play("russian", "high_morale")
    assert table.asked == "russian free_move"


def test_scouts_form_an_empty_deck_anew() -> None:
    """card.scouts, draw.reshuffle: from the discards without the Scouts themselves; without discards no card is found."""
    table = scene(
        forces={"r_169_rifle": "GEc"},
        turn="russian",
        hands={"russian": ["scouts"]},
        decks={"russian": []},
        discards={"russian": ["sniper", "rubble"]},
    )
    nothing = scene(forces={"r_169_rifle": "GEc"}, turn="russian", hands={"russian": ["scouts"]}, decks={"russian": []})
    table.play("russian", "scouts")
    nothing.play("russian", "scouts")

    assert table.titles("deck/russian") == ["rubble", "sniper"]
    assert (nothing.asked, nothing.titles("discard/russian")) == ("russian action", ["scouts"])


# Fog of War


def test_a_card_is_answered_before_anything_of_it_happens() -> None:
    """window.card, card.fog-of-war, action.cancelled-costs-nothing: no Rubble, no Hits, the card alone is lost (T6)."""
    table = scene(forces=PAIR, rubble={"GE": 1}, hands={"german": ["dive_bombers"], "russian": ["fog_of_war"]})
    table.play("german", "dive_bombers", force="r_169_rifle")

    assert (table.asked, table.rubble("GE")) == ("russian answer_card", 1)
    table.play("russian", "fog_of_war")
    assert (table.asked, table.rubble("GE"), table.where("r_169_rifle")) == (
        "german action",
        1,
        place("GEc", "russian"),
    )
    assert table.titles("discard/german") == ["dive_bombers"]


def test_a_passed_card_is_carried_out() -> None:
    """window.card: two Rubble, four Hits."""
    table = scene(forces=PAIR, hands={"german": ["dive_bombers"], "russian": ["fog_of_war"]})
    table.play("german", "dive_bombers", force="r_169_rifle")
    table.passes("russian")

    assert (table.rubble("GE"), table.hits("russian")) == (2, 4)


def test_fog_of_war_cancels_an_attack_card_with_its_rubble() -> None:
    """card.fog-of-war, attack.not-cancellable: no Move, no Attack, no Rubble."""
    table = scene(
        forces={"g_14_panzer": "TDc", "r_169_rifle": "GEc"},
        hands={"german": ["attack"], "russian": ["fog_of_war"]},
    )
    table.play("german", "attack", force="g_14_panzer", to=place("GEc", "german"))
    table.play("russian", "fog_of_war")

    assert (table.where("g_14_panzer"), table.rubble("GE")) == (place("TDc", "german"), 0)
    assert not is_attacking(table.table, PieceId("g_14_panzer"))


CANCELLED = ["supply_raid", "fresh_supplies", "air_supply", "desperation", "reinforcements", "big_push"]


@each_row("title", CANCELLED)
def test_every_card_played_as_an_action_can_be_cancelled(title: str) -> None:
    """card.fog-of-war, ruling.fog-scope: its effect does not happen."""
    told = {"force": "r_169_rifle", "other": "g_16_panzer"} if title == "supply_raid" else {}
    table = scene(
        forces=PAIR, rations={"r_169_rifle": 2}, hands={"german": [title, "tanks"], "russian": ["fog_of_war"]}
    )
    table.play("german", title, **told)
    table.play("russian", "fog_of_war")

    assert table.asked == "german action"
    assert (table.rations("g_16_panzer"), table.rations("r_169_rifle"), table.track("points")) == (0, 2, 0)
    assert table.attribute("german", "big_push") is None
    assert (table.titles("hand/german"), table.titles("discard/german")) == (["tanks"], [title])


@each_row("title", ["high_morale", "scouts"])
def test_russian_cards_can_be_cancelled_too(title: str) -> None:
    """card.fog-of-war, ruling.fog-scope: no series of free Moves, no look into the deck."""
    table = scene(forces=PAIR, turn="russian", hands={"russian": [title], "german": ["fog_of_war"]})
    table.play("russian", title)
    table.play("german", "fog_of_war")

    assert (table.asked, table.titles("discard/russian")) == ("russian action", [title])


def test_fog_cancels_neither_a_move_nor_an_attack() -> None:
    """card.fog-of-war, attack.not-cancellable: its moment has not come."""
    forces = {"g_14_panzer": "GAp", "g_16_panzer": "GEc", "r_169_rifle": "GEc"}
    table = scene(forces=forces, rations={"g_14_panzer": 1, "g_16_panzer": 1}, hands={"russian": ["fog_of_war"]})
    fog = order("play-card", card=table.held("russian", "fog_of_war"))
    table.do("german", order("move", force="g_14_panzer", to=place("GAc", "german")))
    assert table.refused("russian", fog) == "card_timing_must_fit"
    table.passes("russian")
    table.do("german", order("attack", location="grain_elevator", forces=["g_16_panzer"]))

    assert table.refused("russian", fog) == "card_timing_must_fit"


def test_a_card_of_a_battle_cannot_be_cancelled() -> None:
    """card.fog-of-war, window.no-answer-to-an-answer: not Reserve Forces, though they lie on the table."""
    forces = {"g_16_panzer": "GEc", "r_169_rifle": "GEc", "r_6_guards": "GAp"}
    table = scene(
        forces=forces,
        rations={"g_16_panzer": 1},
        hands={"german": ["fog_of_war"], "russian": ["reserve_forces", "rubble"]},
    )
    table.do("german", order("attack", location="grain_elevator", forces=["g_16_panzer"]))
    table.passes("german")
    table.play("russian", "reserve_forces", force="r_6_guards")

    refusal = table.refusal("german", order("play-card", card=table.held("german", "fog_of_war")))
    assert (refusal.code, refusal.rule) == ("action_must_be_cancellable", "window.no-answer-to-an-answer")


def test_an_answer_cannot_be_answered() -> None:
    """window.no-answer-to-an-answer: neither a Sniper by Fog of War, nor a Move by a second Sniper."""
    table = scene(
        forces={"g_14_panzer": "GAp"},
        rations={"g_14_panzer": 1},
        hands={"german": ["fog_of_war"], "russian": ["sniper", "sniper"]},
    )
    table.do("german", order("move", force="g_14_panzer", to=place("GAc", "german")))
    table.play("russian", "sniper")

    assert table.asked == "german action"
    fog = order("play-card", card=table.held("german", "fog_of_war"))
    assert table.refused("german", fog) == "action_must_be_cancellable"
    assert (
        table.refused("russian", order("play-card", card=table.held("russian", "sniper")))
        == "seat_must_be_acting_player"
    )


def test_a_card_can_be_cancelled_once() -> None:
    """window.no-answer-to-an-answer, window.card: the first cancellation closes the window for good."""
    table = scene(forces=PAIR, hands={"german": ["fresh_supplies"], "russian": ["fog_of_war", "fog_of_war"]})
    table.play("german", "fresh_supplies")
    table.play("russian", "fog_of_war")

    assert table.asked == "german action"
    assert len(table.hand("russian")) == 1


def test_an_any_time_card_keeps_the_window_open() -> None:
    """window.card, card.big-push, card.any-time: Big Push first, Fog of War then; Big Push itself is not answered."""
    hands = {"german": ["fresh_supplies", "fog_of_war"], "russian": ["big_push", "fog_of_war"]}
    table = scene(forces=PAIR, hands=hands)
    table.play("german", "fresh_supplies")
    table.play("russian", "big_push")

    assert table.asked == "russian answer_card"
    table.play("russian", "fog_of_war")
    assert (table.asked, table.rations("g_16_panzer")) == ("german action", 0)


# Propaganda War


def turn_ends(*held: str) -> Scene:
    """Return the German's Draw step with three Locations Controlled and these cards in the Russian's hand."""
    table = scene(
        forces={"g_16_panzer": "GAc", "g_14_panzer": "GEc", "g_100_jager": "TDc"}, hands={"russian": list(held)}
    )
    table.do("german", END)
    return table


def test_propaganda_war_stops_the_cards_for_locations() -> None:
    """window.draw, card.propaganda-war, draw.location-bonus: five cards instead of eight (S15, S16)."""
    table = turn_ends("propaganda_war", "rubble")
    assert (table.asked, table.hand("german")) == ("russian answer_draw", ())
    table.play("russian", "propaganda_war")
    table.do("russian", order("pass"), deck_of("german")[:5])

    assert len(table.hand("german")) == 5
    assert table.titles("discard/russian") == ["propaganda_war"]


def test_a_second_propaganda_war_changes_nothing_more() -> None:
    """card.propaganda-war: accepted, no further effect."""
    table = turn_ends("propaganda_war", "propaganda_war")
    table.play("russian", "propaganda_war")
    table.play("russian", "propaganda_war", deck_of("german")[:5])

    assert len(table.hand("german")) == 5


def test_propaganda_also_stops_the_cards_of_a_note() -> None:
    """card.propaganda-war, location.note.extra-draw: neither for Control nor by the note."""
    table = scene(
        forces={"g_16_panzer": "univermag_department_storec"},
        locations=("univermag_department_store", "gumrak_airfield", "the_docks", "pavlovs_house", "grain_elevator"),
        hands={"russian": ["propaganda_war"]},
    )
    table.do("german", END)
    table.play("russian", "propaganda_war", deck_of("german")[:5])

    assert len(table.hand("german")) == 5


def test_propaganda_comes_too_late_after_the_draw() -> None:
    """window.draw: once the window was passed its moment is over."""
    table = turn_ends("propaganda_war")
    table.do("russian", order("pass"), deck_of("german")[:8])

    assert len(table.hand("german")) == 8
    late = order("play-card", card=table.held("russian", "propaganda_war"))
    assert table.asked == "russian action"
    assert table.refused("russian", late) == "card_timing_must_fit"


def test_the_draw_window_takes_any_time_cards() -> None:
    """window.draw, card.any-time: Scouts find the answer."""
    table = turn_ends("scouts")
    table.play("russian", "scouts")
    take(table, "russian", "propaganda_war")
    table.play("russian", "propaganda_war", deck_of("german")[:5])

    assert len(table.hand("german")) == 5


# Recover Wounded


def wounded(forces: dict[str, str], *held: str) -> Scene:
    """Return the window after the Russian has Destroyed his 6th Guards for a Uranus card."""
    table = scene(forces={"r_6_guards": "TDc", **forces}, turn="russian", hands={"russian": ["uranus_1", *held]})
    table.play("russian", "uranus_1")
    table.do("russian", order("pick", item="r_6_guards"))
    return table


def test_recover_wounded_hands_out_rations_anywhere() -> None:
    """card.recover-wounded, window.aftermath: one Ration each for three Forces (S26, S27)."""
    three = {"r_248_rifle": "TDc", "r_15_guards": "PHc", "r_126_rifle": "TDc"}
    table = wounded(three, "recover_wounded")

    assert table.asked == "russian answer_loss"
    table.play("russian", "recover_wounded")
    give(table, "russian", *three)
    assert [table.rations(force) for force in three] == [1, 1, 1]
    assert table.asked == "russian action"


def test_one_loss_is_answered_once() -> None:
    """card.recover-wounded: a second card for the same Force has no occasion."""
    table = wounded({"r_248_rifle": "TDc"}, "recover_wounded", "recover_wounded")
    table.play("russian", "recover_wounded")

    assert table.asked == "russian answer_loss"
    second = order("play-card", card=table.held("russian", "recover_wounded"))
    assert table.refused("russian", second) == "card_condition_must_be_met"
    table.passes("russian")
    assert table.refused("russian", second) == "card_timing_must_fit"


def test_recover_wounded_needs_a_force_on_the_table() -> None:
    """card.recover-wounded: it needs an own Force on the table."""
    table = wounded({}, "recover_wounded")

    card = order("play-card", card=table.held("russian", "recover_wounded"))
    assert table.refused("russian", card) == "force_must_be_on_table"


def test_losses_to_a_card_attack_can_be_answered() -> None:
    """card.recover-wounded, window.aftermath: in the enemy's turn, by the owner alone."""
    table = scene(
        forces={"r_6_guards": "GEc", "r_169_rifle": "PHc"},
        hands={"german": ["artillery_barrage"], "russian": ["recover_wounded"]},
    )
    table.play("german", "artillery_barrage", force="r_6_guards")
    table.passes("russian")
    table.do("russian", order("absorb", force="r_6_guards", by="destroyed"))

    assert table.asked == "russian answer_loss"
    table.play("russian", "recover_wounded")
    assert (table.asked, table.rations("r_169_rifle")) == ("german action", 3)


def test_a_card_is_played_under_its_own_rule() -> None:
    """card.fresh-supplies, card.sniper: each play cites the card's rule, and a Move ends under that of Actions."""
    table = scene(forces={"g_16_panzer": "GAp"}, hands={"german": ["fresh_supplies"], "russian": ["sniper"]})
    table.play("german", "fresh_supplies")
    table.passes("russian")
    table.do("german", order("move", force="g_16_panzer", to=place("TDp", "german")))
    table.passes("russian")

    assert [event.rule for event in table.events if isinstance(event, CardPlayed)] == ["card.fresh-supplies"]
    assert [event.rule for event in table.events if isinstance(event, SequenceEnded) and event.kind == "move"] == [
        "action.declare-pay-resolve"
    ]
