"""Locations: Control, Rubble, destruction, Rations and notes."""

from core.games.battle.rules.queries import controller
from tests.support.battle import RULES, Scene, card_of, deck_of, order, place, scene
from tests.support.rows import each_row

END = order("done")


def turn_over(table: Scene, seat: str) -> None:
    """End a side's Actions step; a seat that is asked before the Draw step passes."""
    table.do(seat, END)


def distribution(table: Scene, seat: str, *forces: str) -> None:
    """Hand out Rations one by one."""
    for force in forces:
        table.do(seat, order("pick", item=force))


CONTROL = [
    ({"r_169_rifle": "GAc", "g_16_panzer": "GAp"}, "russian", "control.own"),
    ({"r_169_rifle": "GAc", "r_248_rifle": "GAc", "g_16_panzer": "GAc"}, None, "control.both"),
    ({"r_169_rifle": "GAp", "g_16_panzer": "GAp"}, None, "control.neither"),
    ({"g_16_panzer": "GAc", "r_169_rifle": "GAp", "r_248_rifle": "GAp"}, "german", "control.perimeter-irrelevant"),
]


@each_row(("forces", "side", "rule"), CONTROL)
def test_control_follows_the_control_areas(forces: dict[str, str], side: str | None, rule: str) -> None:
    """control.own, control.both, control.neither, control.perimeter-irrelevant (T4)."""
    table = scene(forces=forces)

    assert controller(table.table, "gumrak_airfield") == side, rule


def test_control_changes_at_once() -> None:
    """control.immediate: the 16th Panzer enters Gumrak beside the 169th (S2)."""
    table = scene(forces={"g_16_panzer": "GAp", "r_169_rifle": "GAc"})
    assert controller(table.table, "gumrak_airfield") == "russian"
    table.do("german", order("move", force="g_16_panzer", to=place("GAc", "german")))

    assert controller(table.table, "gumrak_airfield") is None


def test_an_uncontrolled_location_gives_nothing() -> None:
    """control.uncontrolled-gives-nothing: four Controlled, one contested: 5 + 4 cards and no victory."""
    forces = {
        "g_16_panzer": "GAc",
        "g_14_panzer": "GEc",
        "g_24_panzer": "DTFc",
        "g_100_jager": "TDc",
        "g_384_infantry": "PHc",
        "r_169_rifle": "PHc",
    }
    table = scene(forces=forces)
    table.do("german", END, deck_of("german")[:9])

    assert len(table.hand("german")) == 9
    assert table.result == ""


def test_the_chart_turns_rubble_into_rations() -> None:
    """location.rubble-chart, supply.location-rations: 0-2 Rubble 2 Rations, 3-5 one, the 6th destroys (T3, S29)."""
    elevator = RULES.cards.locations["grain_elevator"]

    assert [elevator.rations(rubble) for rubble in range(6)] == [2, 2, 2, 1, 1, 1]
    assert elevator.destroyed_at == 6
    kurgan = RULES.cards.locations["mamayev_kurgan"]
    assert [kurgan.rations(rubble) for rubble in range(10)] == [3, 3, 3, 3, 3, 2, 2, 2, 1, 1]


@each_row(("rubble", "rations"), [(0, 2), (2, 2), (3, 1), (5, 1)])
def test_a_controlled_location_supplies_its_controller(rubble: int, rations: int) -> None:
    """supply.location-rations: by its Rubble, for the side in Control alone."""
    table = scene(forces={"g_16_panzer": "GEc"}, phase="supply", rubble={"GE": rubble})

    assert table.rations("g_16_panzer") == rations


def test_a_location_that_the_enemy_controls_gives_no_rations() -> None:
    """supply.location-rations, turn.acting-player-only: Russian Control gives the German nothing."""
    table = scene(forces={"r_248_rifle": "GEc", "g_16_panzer": "TDc"}, phase="supply")

    assert table.rations("r_248_rifle") == 0
    assert table.rations("g_16_panzer") == 3


def test_perimeter_forces_get_a_ration_at_every_location() -> None:
    """supply.perimeter-ration (S1)."""
    forces = {"g_16_panzer": "GAp", "g_384_infantry": "GEp", "r_169_rifle": "GAc", "r_6_guards": "GEp"}
    table = scene(forces=forces, rations={"g_16_panzer": 4}, phase="supply")

    assert (table.rations("g_16_panzer"), table.rations("g_384_infantry")) == (5, 1)
    assert table.rations("r_6_guards") == 0


def test_rations_are_split_by_choice_and_all_placed() -> None:
    """supply.split-choice, supply.all-placed, supply.order-free (S17): one question, no more and no fewer."""
    forces = {"r_84_tank": "DTFc", "r_90_tank": "DTFc", "r_15_guards": "PHc", "r_6_guards": "GAp"}
    table = scene(forces=forces, turn="russian", phase="supply", hands={"german": ["big_push"]})

    assert table.asked == "russian distribute"
    assert table.refused("russian", order("pick", item="r_15_guards")) == "force_must_be_at_location"
    assert table.refused("russian", END) == "all_rations_must_be_placed"
    assert table.refused("german", order("play-card", card=table.held("german", "big_push"))) == "seat_must_be_asked"
    distribution(table, "russian", "r_84_tank", "r_84_tank")
    assert [table.rations(force) for force in forces] == [2, 0, 2, 1]
    assert table.refused("russian", order("pick", item="r_84_tank")) == "step_must_allow_command"


def test_a_destroyed_location_gives_no_rations() -> None:
    """location.destroyed.no-rations: its Perimeter Forces still get theirs."""
    forces = {"g_16_panzer": "GEc", "g_14_panzer": "GEp"}
    table = scene(forces=forces, destroyed=["GE"], phase="supply")

    assert (table.rations("g_16_panzer"), table.rations("g_14_panzer")) == (0, 1)


def test_a_destroyed_location_still_counts() -> None:
    """location.destroyed.still-counts, victory.five-locations-own-turn: for draws and for victory."""
    forces = {
        "g_16_panzer": "GAc",
        "g_14_panzer": "GEc",
        "g_24_panzer": "DTFc",
        "g_100_jager": "TDc",
        "g_384_infantry": "PHc",
    }
    table = scene(forces=forces, destroyed=["GA", "PH"])
    table.do("german", END, deck_of("german")[:10])

    assert table.result == "German Victory"
    assert len(table.hand("german")) == 10


def test_the_tenth_rubble_destroys_the_kurgan() -> None:
    """location.destroyed.threshold, attack.rubble: an Attack's own Rubble does it, and the battle goes on (T1)."""
    table = scene(
        forces={"g_16_panzer": "MKc", "r_169_rifle": "MKc"},
        rations={"g_16_panzer": 1},
        rubble={"MK": 9},
        locations=("mamayev_kurgan", "grain_elevator", "the_docks", "pavlovs_house", "gumrak_airfield"),
    )
    table.do("german", order("attack", location="mamayev_kurgan", forces=["g_16_panzer"]), flips(table))

    assert (table.rubble("MK"), table.marker("mamayev_kurgan", "destroyed")) == (0, 1)
    assert table.asked == "russian absorb_hit"


def flips(table: Scene) -> tuple[str, str]:
    """Return the two cards that are flipped: the first of each deck."""
    return table.pile("deck/german")[0], table.pile("deck/russian")[0]


def test_a_destroyed_location_takes_no_rubble() -> None:
    """location.destroyed.takes-no-rubble: counters beyond the threshold are not placed; the Hits still fall."""
    table = scene(
        forces={"r_248_rifle": "GEc"}, rations={"r_248_rifle": 9}, rubble={"GE": 5}, hands={"german": ["dive_bombers"]}
    )
    table.play("german", "dive_bombers", force="r_248_rifle")

    assert (table.rubble("GE"), table.marker("grain_elevator", "destroyed")) == (0, 1)
    assert table.hits("russian") == 4


def test_rubble_counters_are_not_limited() -> None:
    """counter.not-a-limit: Rations pile up without end."""
    table = scene(forces={"g_16_panzer": "TDc"}, rations={"g_16_panzer": 60}, hands={"german": ["air_supply"]})
    table.play("german", "air_supply")

    assert table.rations("g_16_panzer") == 65


def test_gumrak_raises_resupply_for_its_controller_alone() -> None:
    """location.note.resupply-bonus, location.note-priority, location.note-needs-control."""
    held = scene(forces={"g_16_panzer": "GAc"}, hands={"german": ["tanks"]})
    held.do("german", order("resupply", card=held.held("german", "tanks")))
    contested = scene(forces={"g_16_panzer": "GAc", "r_169_rifle": "GAc"}, hands={"german": ["tanks"]})
    contested.do("german", order("resupply", card=contested.held("german", "tanks")))

    assert held.rations("g_16_panzer") == 3
    assert contested.rations("g_16_panzer") == 2


def test_a_note_may_end_with_its_location() -> None:
    """location.destroyed.note: Gumrak's is lost, the Docks' is kept."""
    lost = scene(forces={"g_16_panzer": "GAc"}, destroyed=["GA"], hands={"german": ["tanks"]})
    lost.do("german", order("resupply", card=lost.held("german", "tanks")))
    kept = scene(
        forces={"g_16_panzer": "TDc"},
        destroyed=["TD"],
        hands={"german": ["tanks"] * 3},
        tops={"german": "g_71_infantry"},
    )
    force = card_of("g_71_infantry")
    kept.do("german", order("buy-force", force="g_71_infantry", to=place("TDp", "german")))
    for _ in range(force.cost - 1):
        kept.do("german", order("pick", item=kept.unpicked("german")[0]))
    kept.do("german", order("pick", item=kept.unpicked("german")[0]), ("g_14_panzer",))

    assert lost.rations("g_16_panzer") == 2
    assert kept.rations("g_71_infantry") == force.rations + 1


def test_the_tractor_factory_makes_reinforcements_worth_more() -> None:
    """location.note.reinforcements-bonus, card.reinforcements: three points each (S18)."""
    hands = {"russian": ["reinforcements", "reinforcements"]}
    table = scene(forces={"r_84_tank": "DTFc"}, turn="russian", hands=hands)
    table.play("russian", "reinforcements")
    table.play("russian", "reinforcements")
    plain = scene(forces={"r_84_tank": "GAc"}, turn="russian", hands=hands)
    plain.play("russian", "reinforcements")

    assert (table.track("points"), plain.track("points")) == (6, 2)


def test_the_grain_elevators_rations_go_anywhere() -> None:
    """location.note.rations-anywhere: on any own Force of any Location."""
    table = scene(forces={"g_16_panzer": "GEc", "g_14_panzer": "TDp"}, phase="supply")
    distribution(table, "german", "g_14_panzer", "g_14_panzer")

    assert (table.rations("g_16_panzer"), table.rations("g_14_panzer")) == (0, 3)


def test_pavlovs_house_makes_entering_cost_more() -> None:
    """location.note.enemy-entry-surcharge: one Ration more for who pays; free Moves stay free."""
    forces = {"r_15_guards": "PHc", "g_14_panzer": "PHp", "g_16_panzer": "PHp", "g_24_panzer": "PHp"}
    table = scene(forces=forces, rations={"g_14_panzer": 1, "g_24_panzer": 2})

    assert (
        table.refused("german", order("move", force="g_14_panzer", to=place("PHc", "german"))) == "rations_must_suffice"
    )
    table.do("german", order("move", force="g_24_panzer", to=place("PHc", "german")))
    assert table.rations("g_24_panzer") == 0
    table.do("german", order("move", force="g_16_panzer", to=place("PHc", "german")))
    assert table.where("g_16_panzer") == place("PHc", "german")


def test_the_kurgan_adds_a_hit_to_card_attacks() -> None:
    """location.note.card-attack-bonus: one Hit more, also elsewhere."""
    table = scene(
        forces={"g_16_panzer": "MKc", "r_248_rifle": "GEc"},
        locations=("mamayev_kurgan", "grain_elevator", "the_docks", "pavlovs_house", "gumrak_airfield"),
        hands={"german": ["dive_bombers"]},
    )
    table.play("german", "dive_bombers", force="r_248_rifle")

    assert table.hits("russian") == 5


def test_barrikady_adds_a_hit_to_battles_initiated_elsewhere() -> None:
    """location.note.initiated-battle-bonus: added to the side's total and never doubled."""
    table = scene(
        forces={"g_384_infantry": "barrikady_gun_factoryc", "g_16_panzer": "GAc", "r_169_rifle": "GAc"},
        rations={"g_16_panzer": 1},
        locations=("barrikady_gun_factory", "gumrak_airfield", "the_docks", "pavlovs_house", "grain_elevator"),
        hands={"german": ["heavy_weapons", "tanks"]},
    )
    table.do("german", order("attack", location="gumrak_airfield", forces=["g_16_panzer"]))
    table.play("german", "heavy_weapons", force="g_16_panzer")
    table.passes("german")

    assert table.asked == "german firefight"
    assert (table.total("german"), table.total("russian")) == (card_of("g_16_panzer").combat * 2 + 1, 1)


def test_central_station_gives_one_free_move_a_turn() -> None:
    """location.note.free-move, turn.end-cleanup: one Move of any own Force costs nothing."""
    table = scene(
        forces={"r_169_rifle": "central_stationc", "r_84_tank": "GAp"},
        locations=("central_station", "gumrak_airfield", "the_docks", "pavlovs_house", "grain_elevator"),
        turn="russian",
    )
    table.do("russian", order("move", force="r_84_tank", to=place("GAc", "russian"), free=True))

    again = order("move", force="r_84_tank", to=place("GAp", "russian"), free=True)
    assert table.refused("russian", again) == "free_move_must_be_left"


def test_red_october_repairs_rubble_before_supply() -> None:
    """location.note.repair-rubble: it counts for what the Location gives; Destroyed ones cannot be chosen."""
    table = scene(
        forces={"g_16_panzer": "red_october_steel_factoryc", "g_14_panzer": "GEc", "g_24_panzer": "GAc"},
        rubble={"GE": 3},
        destroyed=["GA"],
        locations=("red_october_steel_factory", "grain_elevator", "gumrak_airfield", "pavlovs_house", "the_docks"),
        phase="supply",
    )

    assert (
        table.refused("german", order("repair-rubble", location="gumrak_airfield")) == "location_must_not_be_destroyed"
    )
    assert (
        table.refused("german", order("move", force="g_14_panzer", to=place("GEp", "german")))
        == "step_must_allow_command"
    )
    table.do("german", order("repair-rubble", location="grain_elevator"))
    assert table.rubble("GE") == 2
    assert table.asked == "german distribute"


def test_univermag_draws_one_card_more() -> None:
    """location.note.extra-draw, draw.location-bonus: besides the card for Controlling it."""
    name = "univermag_department_store"
    table = scene(
        forces={"g_16_panzer": f"{name}c"},
        locations=(name, "grain_elevator", "gumrak_airfield", "pavlovs_house", "the_docks"),
    )
    table.do("german", END, deck_of("german")[:7])

    assert len(table.hand("german")) == 7
