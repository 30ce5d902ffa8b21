"""Moves, the windows in which they are answered, and what a turn does with them."""

from core.engine.command import Command
from core.games.battle.rules.queries import controller
from events.codec import to_plain
from tests.support.battle import Scene, card_of, deck_of, order, place, scene
from tests.support.rows import each_row

END = order("done")
FIVE = deck_of("german")[:5]


def moved(table: Scene, force: str, short: str) -> None:
    """Make a Move that the enemy does not answer."""
    side = card_of(force).side
    table.do(side, order("move", force=force, to=place(short, side)))
    if table.asked.endswith("answer_move"):
        table.passes("russian" if side == "german" else "german")


def test_the_enemy_cannot_act_in_the_acting_players_step() -> None:
    """game.acting-player, turn.acting-player-only, turn.alternate: until the turn is finished."""
    table = scene(forces={"g_16_panzer": "GAp", "r_169_rifle": "GAp"}, rations={"r_169_rifle": 1})

    assert (
        table.refused("russian", order("move", force="r_169_rifle", to=place("GAc", "russian")))
        == "seat_must_be_acting_player"
    )
    table.do("german", END, FIVE)
    assert table.table.turn == "russian"
    moved(table, "r_169_rifle", "GAc")
    table.do("russian", END, deck_of("russian")[:6])
    assert table.table.turn == "german"


def test_a_perimeter_move_leads_anywhere() -> None:
    """move.perimeter, setup.locations.no-adjacency, move.cost: also where the enemy is in Control."""
    forces = {"g_14_panzer": "GAc", "r_15_guards": "PHc"}
    table = scene(forces=forces, rations={"g_14_panzer": 3})
    for short in ("GAp", "PHp", "TDp"):
        moved(table, "g_14_panzer", short)

    assert table.where("g_14_panzer") == place("TDp", "german")
    assert table.rations("g_14_panzer") == 0


def test_an_advance_leads_into_an_enemy_controlled_location() -> None:
    """move.advance: from the own Perimeter Area of the same Location."""
    table = scene(forces={"g_14_panzer": "GAp", "r_169_rifle": "GAc"}, rations={"g_14_panzer": 1})
    moved(table, "g_14_panzer", "GAc")

    assert controller(table.table, "gumrak_airfield") is None
    assert table.rations("g_14_panzer") == 0


def test_an_enemy_controlled_location_takes_two_moves() -> None:
    """move.enemy-controlled-takes-two, move.control: the second Force comes by one Control Move (T9)."""
    forces = {"g_14_panzer": "GAp", "g_24_panzer": "GAc", "r_15_guards": "DTFc"}
    table = scene(forces=forces, rations={"g_14_panzer": 4, "g_24_panzer": 4})

    straight = order("move", force="g_14_panzer", to=place("DTFc", "german"))
    assert table.refused("german", straight) == "destination_must_not_be_enemy_controlled"
    moved(table, "g_14_panzer", "DTFp")
    moved(table, "g_14_panzer", "DTFc")
    moved(table, "g_24_panzer", "DTFc")
    assert (table.rations("g_14_panzer"), table.rations("g_24_panzer")) == (2, 3)


REFUSED = [
    (order("move", force="r_169_rifle", to=place("GAp", "russian")), "force_must_be_own"),
    (order("move", force="g_14_panzer", to=place("GAp", "russian")), "area_must_be_own"),
    (order("move", force="g_14_panzer", to=place("GAp", "german")), "area_must_differ"),
    (order("move", force="g_99_panzer", to=place("GAp", "german")), "target_must_exist"),
    (order("move", force="g_14_panzer", to="mamayev_kurgan/german/control"), "target_must_exist"),
    (order("move", force="g_14_panzer", to=place("TDp", "german")), "area_must_have_room"),
    (order("move", force="g_24_panzer", to=place("GAc", "german")), "rations_must_suffice"),
    (order("move", force="g_14_panzer", to=place("GAc", "german"), free=True), "free_move_must_be_left"),
]


@each_row(("command", "code"), REFUSED)
def test_the_refusal_of_a_move_names_what_is_wrong_with_it(command: Command, code: str) -> None:
    """move.one-force, move.cost, move.area-full, area.own-side-only, area.limit."""
    forces = {"g_14_panzer": "GAp", "g_24_panzer": "GAp", "r_169_rifle": "PHc"}
    full = {"g_44_infantry": "TDp", "g_71_infantry": "TDp", "g_76_infantry": "TDp"}
    table = scene(forces={**forces, **full}, rations={"g_14_panzer": 3})

    assert table.refused("german", command) == code


def test_enemy_forces_do_not_count_against_the_limit_of_an_area() -> None:
    """move.area-full: two own Forces leave room, whatever the enemy has."""
    forces = {"g_14_panzer": "GAp", "g_24_panzer": "GAc", "g_44_infantry": "GAc"}
    enemies = dict.fromkeys(("r_169_rifle", "r_248_rifle", "r_6_guards"), "GAc")
    table = scene(forces={**forces, **enemies}, rations={"g_14_panzer": 1})
    moved(table, "g_14_panzer", "GAc")

    assert table.where("g_14_panzer") == place("GAc", "german")


def test_a_force_pays_with_its_own_rations() -> None:
    """force.rations-stay: another Force's Rations are of no use."""
    table = scene(forces={"g_14_panzer": "GAp", "g_24_panzer": "GAp"}, rations={"g_14_panzer": 3})

    assert (
        table.refused("german", order("move", force="g_24_panzer", to=place("GAc", "german"))) == "rations_must_suffice"
    )


def test_a_note_makes_moves_free_but_no_attack() -> None:
    """force.note.free-move: the 16th Panzer Moves without Rations, and cannot attack without one."""
    table = scene(forces={"g_16_panzer": "GAp", "r_169_rifle": "GAc"})
    moved(table, "g_16_panzer", "GAc")

    attack = order("attack", location="gumrak_airfield", forces=["g_16_panzer"])
    assert table.refused("german", attack) == "rations_must_suffice"


def test_a_note_free_move_does_not_return_to_an_area() -> None:
    """move.free.no-loop, end.table-options: no way back until another Action was taken, unless the table plays without."""
    table = scene(forces={"g_16_panzer": "GAp", "g_14_panzer": "GAp"}, rations={"g_14_panzer": 1})
    moved(table, "g_16_panzer", "GEp")

    assert (
        table.refused("german", order("move", force="g_16_panzer", to=place("GAp", "german")))
        == "free_move_must_not_repeat"
    )
    moved(table, "g_14_panzer", "GEp")
    moved(table, "g_16_panzer", "GAp")
    free = scene(forces={"g_16_panzer": "GAp"}, options={"free_move_no_return": False})
    moved(free, "g_16_panzer", "GEp")
    moved(free, "g_16_panzer", "GAp")


def test_the_step_has_a_safety_limit() -> None:
    """end.action-cap: with a cap of 3 only the end of the step is left after three Actions."""
    table = scene(forces={"g_16_panzer": "GAp"}, options={"action_cap": 3})
    for short in ("GEp", "TDp", "PHp"):
        moved(table, "g_16_panzer", short)

    assert (
        table.refused("german", order("move", force="g_16_panzer", to=place("PHc", "german")))
        == "actions_must_not_exceed_cap"
    )
    assert table.options == [END]


def test_a_step_may_be_ended_at_once_and_then_is_over() -> None:
    """action.optional, turn.steps, draw.base: five cards for a side that Controls nothing."""
    table = scene(forces={"g_16_panzer": "GAp"})
    table.do("german", END, FIVE)

    assert len(table.hand("german")) == 5
    assert (
        table.refused("german", order("move", force="g_16_panzer", to=place("GAc", "german")))
        == "seat_must_be_acting_player"
    )


def test_every_kind_of_action_is_offered() -> None:
    """action.kinds, action.any-order-any-number: and never the removal of a Uranus card to the Russian."""
    forces = {"g_16_panzer": "GAc", "r_169_rifle": "GAc"}
    table = scene(
        forces=forces,
        rations={"g_16_panzer": 1},
        hands={"german": ["fresh_supplies"] * 5},
        uranus=["uranus_1"],
        tops={"german": "g_71_infantry"},
    )
    russian = scene(forces=forces, turn="russian", hands={"russian": ["sniper"] * 5}, uranus=["uranus_1"])

    kinds = {type(command).__name__ for command in table.options}
    assert kinds == {"Move", "PlayCard", "Attack", "Resupply", "BuyForce", "RemoveUranus", "Done"}
    assert "RemoveUranus" not in {type(command).__name__ for command in russian.options}
    assert russian.refused("russian", order("remove-uranus", card="russian/uranus_1-1")) == "step_must_allow_command"


def test_a_move_is_declared_paid_and_answered_before_it_is_made() -> None:
    """action.declare-pay-resolve, window.move, action.one-at-a-time: nothing can be withdrawn in between."""
    table = scene(forces={"g_14_panzer": "GAp"}, rations={"g_14_panzer": 2}, hands={"russian": ["sniper"]})
    table.do("german", order("move", force="g_14_panzer", to=place("GAc", "german")))

    assert (table.rations("g_14_panzer"), table.where("g_14_panzer")) == (1, place("GAp", "german"))
    assert table.asked == "russian answer_move"
    assert table.refused("german", END) == "seat_must_be_asked"
    assert (
        table.refused("russian", order("move", force="g_14_panzer", to=place("GAc", "german")))
        == "action_must_be_resolved"
    )
    table.passes("russian")
    assert table.where("g_14_panzer") == place("GAc", "german")
    late = order("play-card", card=table.held("russian", "sniper"))
    assert table.refused("russian", late) == "seat_must_be_acting_player"


def test_a_sniper_cancels_a_move_and_locks_the_force() -> None:
    """card.sniper, card.sniper.lock, action.cancelled-costs-nothing, action.cancelled.may-act-on, turn.end-cleanup (T5, S12)."""
    forces = {"g_384_infantry": "GEp", "g_14_panzer": "GEp"}
    table = scene(
        forces=forces,
        rations={"g_384_infantry": 3, "g_14_panzer": 1},
        hands={"russian": ["sniper"], "german": ["fresh_supplies"]},
    )
    table.do("german", order("move", force="g_384_infantry", to=place("GEc", "german")))
    table.play("russian", "sniper")

    assert (table.rations("g_384_infantry"), table.where("g_384_infantry")) == (3, place("GEp", "german"))
    assert (
        table.refused("german", order("move", force="g_384_infantry", to=place("GEc", "german")))
        == "force_must_not_be_locked"
    )
    moved(table, "g_14_panzer", "GEc")
    table.play("german", "fresh_supplies")
    assert table.rations("g_384_infantry") == 5
    assert table.titles("sniper/russian") == ["sniper"]
    table.do("german", END, deck_of("german")[:6])
    assert table.titles("discard/russian") == ["sniper"]
    assert table.attribute("g_384_infantry", "locked") is None


def test_a_side_is_asked_by_public_events() -> None:
    """window.who-is-asked: with cards in hand the Russian is asked whatever they are; the German's deck has no Sniper."""
    forces = {"g_14_panzer": "GAp", "r_169_rifle": "GEp"}
    streams = []
    for held in ("sniper", "high_morale"):
        table = scene(forces=forces, rations={"g_14_panzer": 1}, hands={"russian": [held]})
        events = table.do("german", order("move", force="g_14_panzer", to=place("GAc", "german")))
        streams.append([to_plain(event) for event in events])
        assert table.asked == "russian answer_move"
    empty = scene(forces=forces, rations={"g_14_panzer": 1})
    empty.do("german", order("move", force="g_14_panzer", to=place("GAc", "german")))
    russian = scene(forces=forces, rations={"r_169_rifle": 1}, turn="russian", hands={"german": ["tanks"]})
    russian.do("russian", order("move", force="r_169_rifle", to=place("GEc", "russian")))

    assert streams[0] == streams[1]
    assert empty.asked == "german action"
    assert russian.asked == "russian action"


def test_scouts_may_find_the_answer() -> None:
    """window.move, card.scouts, card.scouts.use-at-once, card.any-time: two cards spent, the Move cancelled (T7)."""
    table = scene(forces={"g_14_panzer": "GAp"}, rations={"g_14_panzer": 1}, hands={"russian": ["scouts"]})
    table.do("german", order("move", force="g_14_panzer", to=place("GAc", "german")))
    table.play("russian", "scouts")
    taken = next(card for card in table.pile("deck/russian") if "sniper" in card)
    assert table.refused("russian", order("take-card", card="german/tanks-1")) == "card_must_be_in_deck"
    assert table.refused("russian", END) == "choice_must_be_made"
    table.do("russian", order("take-card", card=taken))

    assert table.asked == "russian answer_move"
    table.play("russian", "sniper")
    assert table.where("g_14_panzer") == place("GAp", "german")
    assert table.titles("discard/russian") == ["scouts"]


def test_a_card_found_for_another_moment_stays_in_the_hand() -> None:
    """card.scouts.use-at-once: High Morale does not suit the enemy's Move."""
    table = scene(forces={"g_14_panzer": "GAp"}, rations={"g_14_panzer": 1}, hands={"russian": ["scouts"]})
    table.do("german", order("move", force="g_14_panzer", to=place("GAc", "german")))
    table.play("russian", "scouts")
    table.do(
        "russian", order("take-card", card=next(card for card in table.pile("deck/russian") if "high_morale" in card))
    )

    late = order("play-card", card=table.held("russian", "high_morale"))
    assert table.refused("russian", late) == "card_timing_must_fit"
    fog = scene(forces={"g_14_panzer": "GAp"}, rations={"g_14_panzer": 1}, hands={"russian": ["fog_of_war"]})
    fog.do("german", order("move", force="g_14_panzer", to=place("GAc", "german")))
    assert fog.refused("russian", order("play-card", card=fog.held("russian", "fog_of_war"))) == "card_timing_must_fit"


def test_high_morale_gives_up_to_four_free_moves() -> None:
    """card.high-morale: ordinary Moves for nothing, one after the other, ended by choice (S20)."""
    forces = {
        "r_126_rifle": "TDp",
        "r_248_rifle": "GEp",
        "r_6_guards": "GAp",
        "g_100_jager": "TDc",
        "g_14_panzer": "GEc",
    }
    table = scene(forces=forces, turn="russian", hands={"russian": ["high_morale"]})
    table.play("russian", "high_morale")
    for force in ("r_126_rifle", "r_248_rifle", "r_6_guards"):
        moved(table, force, "TDc")

    assert table.asked == "russian free_move"
    barred = order("move", force="r_6_guards", to=place("GEc", "russian"))
    assert table.refused("russian", barred) == "destination_must_not_be_enemy_controlled"
    attack = order("attack", location="the_docks", forces=["r_126_rifle"])
    assert table.refused("russian", attack) == "action_must_be_resolved"
    moved(table, "r_6_guards", "TDp")
    assert table.asked == "russian action"
    assert (
        table.refused("russian", order("move", force="r_6_guards", to=place("TDc", "russian"), free=True))
        == "free_move_must_be_left"
    )
    assert table.rations("r_6_guards") == 0


def test_a_cancelled_free_move_is_not_used_up() -> None:
    """card.high-morale.cancelled-move, location.note.free-move: four are still open, the Force is locked."""
    table = scene(
        forces={"g_14_panzer": "GAp", "g_384_infantry": "central_stationc"},
        locations=("central_station", "gumrak_airfield", "the_docks", "pavlovs_house", "grain_elevator"),
        hands={"russian": ["sniper"]},
    )
    table.do("german", order("move", force="g_14_panzer", to=place("GAc", "german"), free=True))
    table.play("russian", "sniper")

    again = order("move", force="g_14_panzer", to=place("GAc", "german"), free=True)
    assert table.refused("german", again) == "force_must_not_be_locked"
    table.do("german", order("move", force="g_384_infantry", to=place("GAc", "german"), free=True))


def test_supply_is_over_before_actions_begin() -> None:
    """turn.steps, supply.order-free: no window opens in the Supply step."""
    table = scene(
        forces={"g_16_panzer": "DTFc", "g_14_panzer": "DTFc"}, phase="supply", hands={"russian": ["big_push"]}
    )

    assert table.asked == "german distribute"
    assert (
        table.refused("german", order("move", force="g_16_panzer", to=place("GAp", "german")))
        == "step_must_allow_command"
    )
    assert table.refused("russian", order("play-card", card=table.held("russian", "big_push"))) == "seat_must_be_asked"
