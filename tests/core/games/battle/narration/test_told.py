"""What an owner of the printed game looks for in the log and on the table: who passes, what stops Hits, what a Location gives."""

from collections.abc import Iterable

from core.engine.selection import Done
from core.games.battle.components.words.card_words import force_notes
from core.games.battle.ids import DESTROYED, GERMAN, RATION, RUBBLE, RUSSIAN_SEAT
from core.games.battle.memory import DEFENDING, FREE_MOVES_LEFT
from core.games.battle.rules.commands import Absorb, Award, FireCard, Move
from core.narration.render_model import Panel
from core.telling.dice_text import added_up
from events.ids import TABLE, PieceId, PlaceId, RuleId, Side
from events.vocabulary import AttributeSet, DecisionOpened, Event, MarkerPlaced, RuleApplied, SequenceBegan, StepBegan
from projections.state.fold import evolve
from projections.state.table import Open, Table
from tests.support.battle import NARRATION, RULES, Scene, order, place, scene
from tests.support.rows import each_row

END = Done()


def told(events: Iterable[Event]) -> list[str]:
    """Return the game's own sentences for all events of a match, one by one."""
    table, said = Table(), list[str]()
    for event in events:
        said += [sentence] if (sentence := NARRATION.tell(table, [event])) else []
        evolve(table, event)
    return said


def asked(table: Scene) -> str:
    """Return the open question."""
    return NARRATION.question(table.table, table.table.stack[-1])


def panels(table: Scene) -> tuple[Panel, ...]:
    drawn = NARRATION.picture(table.table)
    assert drawn is not None
    return drawn.below


def lines(table: Scene) -> str:
    """Return all that is drawn."""
    return "\n".join(text for one in panels(table) for text in (*one.lines, *("  ".join(row) for row in one.rows)))


def battle(german: Iterable[str] = (), russian: Iterable[str] = (), **given: object) -> Scene:
    """Return a battle of the 14th Panzer against the 169th Rifle, its windows passed, at the first choice of the Firefight."""
    hands = {"german": list(german), "russian": list(russian)}
    table = scene(
        forces={"g_14_panzer": "GAc", "r_169_rifle": "GAc"},
        rations={"g_14_panzer": 3},
        hands=hands,
        **given,  # type: ignore[arg-type]
    )
    flips = [table.pile(f"deck/{side}")[0] for side in ("german", "russian")]
    table.do("german", order("attack", location="gumrak_airfield"), () if any(hands.values()) else flips)
    while table.asked.endswith("answer_battle"):
        table.passes(table.asked.split(maxsplit=1)[0])
    return table


def test_a_pass_that_ends_the_firefight_is_asked_and_told_as_such() -> None:
    """attack.firefight.no-hand: without cards the other side passes by itself."""
    alone, both = battle(german=["tanks"]), battle(german=["tanks"], russian=["sewer_warfare"])

    assert asked(alone).startswith("a card for the Firefight at Gumrak Airfield, or a pass, which ends it; totals")
    assert asked(both) == (
        "a card for the Firefight at Gumrak Airfield, or a pass; totals so far: Russian 1 and German 7"
    )
    flips = [alone.pile(f"deck/{side}")[0] for side in ("german", "russian")]
    alone.do("german", order("pass"), flips)
    assert "German passes, which ends the Firefight." in told(alone.events)
    both.passes("german")
    assert told(both.events)[-1] == "German passes."
    assert asked(both).startswith("a card for the Firefight at Gumrak Airfield, or a pass, which ends it; totals")


def test_nothing_is_said_of_hands_where_no_firefight_takes_place() -> None:
    """card.sewer-warfare."""
    table = scene(
        forces={"g_100_jager": "TDc", "r_126_rifle": "TDc"},
        rations={"r_126_rifle": 1},
        turn="russian",
        hands={"russian": ["sewer_warfare"], "german": ["tanks"]},
    )
    table.do("russian", order("attack", location="the_docks"))
    table.play("russian", "sewer_warfare")
    table.play("german", "tanks")

    assert "In this battle: No Firefight." in told(table.events)
    assert not any("no cards for the Firefight" in line for line in told(table.events))


def test_a_side_that_passes_for_want_of_cards_is_told() -> None:
    table = battle(german=["tanks", "victory"])

    begun = next(event for event in table.events if isinstance(event, StepBegan) and event.step == "firefight")

    assert "Russian has no cards for the Firefight." in told(table.events)
    assert NARRATION.deciding(table.table, begun) == ("attack.firefight.no-hand",)
    assert NARRATION.deciding(battle(german=["tanks"], russian=["sewer_warfare"]).table, begun) == ()
    table.do("german", order("fire-card", card=table.held("german", "victory")))
    assert any(line.endswith(" in the Firefight. Russian has no cards and passes.") for line in told(table.events))
    assert not any("no cards" in line for line in told(battle(german=["tanks"], russian=["sewer_warfare"]).events))


def test_the_hits_are_cited_with_the_sum_of_which_they_are() -> None:
    """attack.totals: what the Forces bring, the Firefight cards and the flips; not attack.totals.fixed-together."""
    table = battle(german=["victory"])
    flips = [table.pile(f"deck/{side}")[0] for side in ("german", "russian")]
    table.do("german", order("fire-card", card=table.held("german", "victory")), flips)
    (hits,) = [
        event
        for event in table.events
        if isinstance(event, AttributeSet) and event.key == "hits" and event.on == "russian"
    ]

    assert hits.rule == "attack.totals"
    assert hits.parts is not None
    assert sum(part.amount for part in hits.parts) == hits.value == table.hits("russian")
    assert added_up(hits.parts).startswith("+7 Combat of g_14_panzer, +3 Victory")


def test_the_hits_of_a_card_are_cited_with_the_location_whose_note_adds_to_them() -> None:
    """location.note.card-attack-bonus"""
    table = scene(
        forces={"g_14_panzer": "MKc", "r_169_rifle": "GAc"},
        hands={"german": ["dive_bombers"]},
        locations=("gumrak_airfield", "mamayev_kurgan", "the_docks", "grain_elevator", "pavlovs_house"),
    )
    table.play("german", "dive_bombers", force="r_169_rifle")
    (hits,) = [event for event in table.events if isinstance(event, AttributeSet) and event.key == "hits"]

    assert hits.value == 5
    assert hits.parts is not None
    assert added_up(hits.parts).endswith(", +1 note of mamayev_kurgan")


def test_a_card_that_stops_hits_is_offered_with_how_many() -> None:
    """card.rubble"""
    table = scene(
        forces={"g_14_panzer": "GAc", "r_169_rifle": "GAc"},
        hands={"german": ["dive_bombers"], "russian": ["rubble"]},
    )
    table.play("german", "dive_bombers", force="r_169_rifle")
    table.passes("russian")
    card = table.held("russian", "rubble")
    rubble = order("play-card", card=card)

    assert rubble in table.options
    assert NARRATION.describe(table.table, rubble) == f"Play {NARRATION.name(card)} and stop 2 Hits"
    table.play("russian", "rubble")
    assert "Russian: 2 Hits stopped by the card Rubble, 2 left." in told(table.events)


def test_a_loss_says_how_many_hits_it_stops_as_a_retreat_does() -> None:
    """attack.hits.destroyed"""
    lost = Absorb(force=PieceId("r_169_rifle"), by="destroyed")

    assert (
        NARRATION.told(scene(forces={"r_169_rifle": "GAc"}).table, lost).words
        == "169th Rifle is Destroyed and stops 1 Hit"
    )


def test_a_force_that_has_retreated_shows_no_more_what_counts_in_the_battle() -> None:
    """card.heavy-weapons"""
    table = scene(
        forces={"g_14_panzer": "GAc", "r_169_rifle": "GAc"},
        rations={"g_14_panzer": 3},
        hands={"russian": ["heavy_weapons", "sewer_warfare", "victory"]},
    )
    table.do("german", order("attack", location="gumrak_airfield"))
    table.play("russian", "heavy_weapons", force="r_169_rifle")
    assert "169th Rifle: Combat 2 (printed 1), 0 Rations, defending, Combat doubled" in lines(table)
    table.play("russian", "sewer_warfare")
    table.passes("russian")
    table.do("russian", order("absorb", force="r_169_rifle", by="retreat"))

    assert "169th Rifle: Combat 1, 0 Rations, defending" in lines(table)
    assert "doubled" not in lines(table)


def test_the_question_which_forces_attack_names_those_that_defend() -> None:
    """attack.defenders."""
    forces = {"g_14_panzer": "GAc", "g_16_panzer": "GAc", "r_169_rifle": "GAc", "r_37_guards": "GAc"}
    table = scene(forces=forces, rations={"g_14_panzer": 3, "g_16_panzer": 3})
    table.do("german", order("attack", location="gumrak_airfield"))

    assert asked(table) == (
        "which Forces attack at Gumrak Airfield, where 169th Rifle (Combat 1) and 37th Guards (Combat 4) defend"
    )


def test_a_purchase_asks_for_its_payment_with_its_force_and_area() -> None:
    table = scene(
        forces={"g_14_panzer": "TDc"}, hands={"german": ["tanks", "tanks", "tanks"]}, tops={"german": "g_16_panzer"}
    )
    table.do("german", order("buy-force", force="g_16_panzer", to=place("TDp", "german")))

    assert asked(table) == "which 3 cards to pay with for 16th Panzer, to be placed at The Docks (German Perimeter)"


def test_the_first_choice_of_the_firefight_cites_the_rule_that_gives_it_to_the_attacker() -> None:
    table = battle(german=["tanks"], russian=["sewer_warfare"])
    table.passes("german")
    opened = [event.rule for event in table.events if isinstance(event, DecisionOpened) and event.kind == "firefight"]

    assert opened == ["attack.firefight.attacker-first", "attack.firefight.alternate-until-two-passes"]


def test_what_stops_hits_is_told_with_how_many() -> None:
    table = battle()
    left = table.hits("russian")
    table.do("russian", order("absorb", force="r_169_rifle", by="retreat"))

    assert f"Russian: 2 Hits stopped by the Retreat, {left - 2} left." in told(table.events)


def test_rations_of_a_location_are_told_with_its_name_and_rubble() -> None:
    table = scene(forces={"g_16_panzer": "DTFc"}, phase="supply", rubble={"DTF": 4})
    name = NARRATION.name("dzerzhinskiy_tractor_factory")

    assert f"16th Panzer: 1 Ration more from {name}, which gives 1 with 4 Rubble, 1 now." in told(table.events)


def test_rations_of_two_locations_in_one_sentence_are_told_for_each() -> None:
    table = scene(forces={"g_16_panzer": "PHc", "g_14_panzer": "DTFc"}, phase="supply")
    given = [event for event in table.events if event.rule == "supply.location-rations" and hasattr(event, "marker")]
    before = Table()
    for event in table.events[: table.events.index(given[0])]:
        evolve(before, event)
    said = NARRATION.tell(before, given)

    assert said is not None
    assert said == (
        "14th Panzer: 2 Rations more from Dzerzhinskiy Tractor Factory, which gives 2 with 0 Rubble, 2 now. "
        "16th Panzer: 2 Rations more from Pavlov's House, which gives 2 with 0 Rubble, 2 now."
    )


def test_forces_that_get_rations_together_are_joined_as_in_a_sentence() -> None:
    """card.air-supply."""
    table = scene(forces={"g_16_panzer": "PHc", "g_14_panzer": "DTFc", "g_24_panzer": "TDc"})
    forces = ("g_14_panzer", "g_16_panzer", "g_24_panzer")
    given = [
        MarkerPlaced(rule=RuleId("card.air-supply"), marker=RATION, on=PieceId(force), count=1, was=0)
        for force in forces
    ]

    said = "14th Panzer, 16th Panzer and 24th Panzer: 1 Ration more each by Air Supply, 1 now."
    assert NARRATION.tell(table.table, given) == said


def test_counters_of_several_places_are_told_in_the_plural() -> None:
    """location.destroyed.threshold."""
    places = ("gumrak_airfield", "the_docks")
    destroyed = [
        MarkerPlaced(rule=RuleId("location.destroyed.threshold"), marker=DESTROYED, on=PlaceId(one), count=1, was=0)
        for one in places
    ]
    rubble = [MarkerPlaced(rule=RuleId("1"), marker=RUBBLE, on=PlaceId(one), count=2, was=0) for one in places]

    assert NARRATION.tell(Table(), destroyed) == "Gumrak Airfield and The Docks are Destroyed."
    assert NARRATION.tell(Table(), rubble) == "Gumrak Airfield and The Docks have 2 Rubble each."


def test_the_first_rations_of_a_force_are_told_without_a_comparison() -> None:
    table = scene(forces={"g_14_panzer": "TDc"}, hands={"german": ["tanks"]}, tops={"german": "g_113_infantry"})
    table.do("german", order("buy-force", force="g_113_infantry", to=place("TDp", "german")))
    table.do("german", order("pick", item=table.held("german", "tanks")), ("g_100_jager",))

    assert any(line.startswith("113th Infantry: ") and line.endswith(" to start with.") for line in told(table.events))


def five(**given: object) -> Scene:
    forces = {
        "g_14_panzer": "GAc",
        "g_16_panzer": "GEc",
        "g_24_panzer": "DTFc",
        "g_100_jager": "TDc",
        "g_71_infantry": "PHc",
    }
    return scene(forces=forces, **given)  # type: ignore[arg-type]


def test_who_would_win_is_warned_of_and_the_end_names_the_locations() -> None:
    """victory.five-locations-own-turn."""
    table = five()

    assert asked(table).endswith("; who Controls these 5 Locations at the end of this turn wins")
    assert NARRATION.describe(table.table, END) == "End the Actions step (this decides the match)"
    table.do("german", END, table.pile("deck/german")[:10])
    assert told(table.events)[-1] == (
        "German Victory: at the end of its turn German Controls Gumrak Airfield, Grain Elevator, "
        "Dzerzhinskiy Tractor Factory, The Docks and Pavlov's House. The match is over."
    )
    other = scene(forces={"g_14_panzer": "GAc"})
    assert "wins" not in asked(other)
    assert NARRATION.describe(other.table, END) == "End the Actions step: 0 cards kept, 6 drawn"


def test_who_ends_its_turn_while_the_enemy_controls_all_is_warned() -> None:
    """victory.five-locations-own-turn: the bot at the other end of the table won so, unannounced."""
    table = five()
    table.table.turn = Side("russian")

    assert NARRATION.describe(table.table, END) == (
        "End the Actions step: 0 cards kept, 5 drawn; German wins if it still Controls all 5 after its turn"
    )


def test_the_removal_of_a_uranus_card_is_told_from_its_declaration_to_its_end() -> None:
    table = scene(forces={"g_16_panzer": "GAp"}, hands={"german": ["tanks", "tanks", "tanks"]}, uranus=["uranus_1"])
    (card,) = table.pile("uranus/russian")
    table.do("german", order("remove-uranus", card=card))
    name = NARRATION.name(card)
    assert asked(table) == f"which 3 cards to pay with to end {name}"
    while table.asked == "german pay_cards":
        table.do("german", order("pick", item=table.unpicked("german")[0]))

    assert f"German pays to end {name}." in told(table.events)
    assert f"{name} ends: Russian discards it." in told(table.events)


def test_cards_that_are_drawn_fewer_are_told_with_the_uranus_card() -> None:
    table = scene(forces={"g_16_panzer": "GAp"}, uranus=["uranus_3"])
    table.do("german", END, table.pile("deck/german")[:3])
    (card,) = table.pile("uranus/russian")

    assert f"German draws 3 cards instead of 5, by {NARRATION.name(card)}." in told(table.events)


def test_a_free_move_is_offered_and_told_with_its_location() -> None:
    location = next(one.id for one in RULES.cards.locations.values() if one.note.op == "free_moves_per_turn")
    locations = (location, "grain_elevator", "dzerzhinskiy_tractor_factory", "the_docks", "pavlovs_house")
    table = scene(
        forces={"g_16_panzer": f"{location}c", "g_14_panzer": "TDp"}, rations={"g_14_panzer": 2}, locations=locations
    )
    move = order("move", force="g_14_panzer", to=place("TDc", "german"), free=True)
    name = NARRATION.name(location)

    assert (
        NARRATION.describe(table.table, move)
        == f"Move 14th Panzer to The Docks (German Control) with the free Move of {name}: Controls The Docks"
    )
    table.do("german", move)
    assert f"The free Move of {name} is used." in told(table.events)


def test_the_free_move_of_a_location_is_wasted_on_a_force_that_moves_free_anyway_as_long_as_it_may() -> None:
    """location.note.free-move, force.note.free-move, move.free.no-loop: it stays legal, and takes the Force back where its own note does not."""
    location = next(one.id for one in RULES.cards.locations.values() if one.note.op == "free_moves_per_turn")
    locations = (location, "grain_elevator", "dzerzhinskiy_tractor_factory", "the_docks", "pavlovs_house")
    table = scene(
        forces={"g_14_panzer": f"{location}c", "g_16_panzer": "TDp"}, rations={"g_14_panzer": 2}, locations=locations
    )

    def outdone() -> set[tuple[str, str]]:
        moves = [one for one in table.options if isinstance(one, Move) and NARRATION.is_outdone(table.table, one)]
        assert all(one.free for one in moves)
        return {(one.force, one.to) for one in moves}

    paid = {(one.force, one.to) for one in table.options if isinstance(one, Move) and not one.free}

    assert outdone() == {(force, to) for force, to in paid if force == "g_16_panzer"}
    assert outdone()
    table.do("german", order("move", force="g_16_panzer", to=place("TDc", "german")))
    assert ("g_16_panzer", place("TDp", "german")) not in outdone()
    assert order("move", force="g_16_panzer", to=place("TDp", "german"), free=True) in table.options
    assert not NARRATION.is_outdone(table.table, order("move", force="none", to=place("TDp", "german"), free=True))


def test_the_sniper_that_stays_is_told_with_its_force() -> None:
    table = scene(forces={"g_14_panzer": "TDp"}, rations={"g_14_panzer": 5}, hands={"russian": ["sniper"]})
    table.do("german", order("move", force="g_14_panzer", to=place("TDc", "german")))
    table.play("russian", "sniper")

    assert any(line.endswith(" stays with 14th Panzer until the turn ends.") for line in told(table.events))


def test_a_second_sniper_is_told_with_its_own_force() -> None:
    forces = {"g_14_panzer": "TDp", "g_16_panzer": "TDp"}
    table = scene(forces=forces, rations=dict.fromkeys(forces, 5), hands={"russian": ["sniper", "sniper"]})
    for force in forces:
        table.do("german", order("move", force=force, to=place("TDc", "german")))
        table.play("russian", "sniper")
    stay = [line.partition(" stays with ")[2] for line in told(table.events) if " stays with " in line]

    assert stay == ["14th Panzer until the turn ends.", "16th Panzer until the turn ends."]


def test_an_attack_is_about_the_forces_that_can_make_it_and_is_explained_by_what_it_takes() -> None:
    forces = {"g_14_panzer": "TDc", "g_24_panzer": "TDc", "r_169_rifle": "TDc"}
    table = scene(forces=forces, rations={"g_14_panzer": 5})
    attack = order("attack", location="the_docks")
    meant = NARRATION.pieces_meant(table.table, attack)
    began = SequenceBegan(rule=RuleId("attack.rubble"), kind="battle", step="rubble", arguments={})

    assert meant == {"the_docks": ("g_14_panzer",)}
    assert NARRATION.deciding(table.table, began) == ("attack.declare", "attack.cost")


def test_the_battle_is_drawn_with_its_location_and_forces() -> None:
    table = battle(german=["tanks"])

    assert (
        "The battle at Gumrak Airfield so far: German attacks with 14th Panzer, total 7; Russian defends with 169th Rifle, total 1"
        in lines(table)
    )


def test_the_forces_of_a_battle_are_joined_as_in_a_sentence() -> None:
    table = scene(forces={"g_14_panzer": "GAc", "g_16_panzer": "GAc"})
    defending = AttributeSet(
        rule=RuleId("attack.defenders"), on=TABLE, key=DEFENDING.key, value=("g_14_panzer", "g_16_panzer")
    )

    assert NARRATION.tell(table.table, [defending]) == "Defending: 14th Panzer and 16th Panzer."


def test_the_bonus_of_an_attacker_is_marked_as_counted() -> None:
    table = scene(
        forces={"g_305_infantry": "GAc", "r_422_rifle": "GAc"},
        rations={"g_305_infantry": 2},
        hands={"german": ["tanks"]},
    )

    assert "305th Infantry: Combat 2, 2 Rations; +2 Combat when attacking" in lines(table)
    table.do("german", order("attack", location="gumrak_airfield"))
    assert "+2 Combat when attacking (counted)" in lines(table)
    assert "(counted)" not in force_notes(RULES.cards.forces[PieceId("g_305_infantry")])


def test_the_discards_are_listed_for_who_asks_for_everything() -> None:
    """ruling.open-information: the discards and their order are open."""
    table = scene(forces={"g_16_panzer": "GAp"}, discards={"german": ["tanks", "rubble"]})
    (panel,) = [panel for panel in panels(table) if panel.title.startswith("Discards")]
    names = ", ".join(NARRATION.name(card) for card in table.pile("discard/german"))

    assert panel.is_detail
    assert panel.rows == (("  German", names),)


def test_a_location_is_drawn_with_the_rations_that_it_gives_now() -> None:
    """location.rubble-chart: Grain Elevator gives 1 with 3 Rubble, nobody holds the Docks."""
    table = scene(forces={"g_16_panzer": "GEc"}, rubble={"GE": 3}, destroyed=["TD"])
    drawing = NARRATION.drawing(table.table)
    assert drawing is not None
    assert drawing.cards is not None
    gives = {card.place: card.gives for card in drawing.cards.cards}

    assert gives[PlaceId("grain_elevator")] == "1 Ration"
    assert gives[PlaceId("the_docks")] == "Destroyed"
    assert "Grain Elevator: German Control. 3 Rubble, gives 1 Ration" in lines(table)
    assert "Gumrak Airfield: Uncontrolled. 0 Rubble, would give" in lines(table)


def test_what_is_printed_is_kept_from_picture_to_picture() -> None:
    """The cache of drawn maps asks for the same printed map, not for an equal one."""
    table = scene(forces={"g_16_panzer": "GAp"}, rubble={"GE": 3})
    one, other = NARRATION.drawing(table.table), NARRATION.drawing(table.table)

    assert one is not None
    assert other is not None
    assert one.sheet is other.sheet


def applied(table: Scene) -> list[tuple[str, str, str]]:
    """Return what rules did without changing anything: about what, the rule, the words."""
    return [(event.about, event.rule, event.outcome) for event in table.events if isinstance(event, RuleApplied)]


def test_rations_that_a_card_takes_are_told_also_where_nothing_is_left() -> None:
    """uranus.effect.location-rations."""
    table = scene(forces={"g_16_panzer": "GAc"}, phase="supply", uranus=["uranus_2"])

    assert ("gumrak_airfield", "uranus.effect.location-rations", "1 Ration less by Operation: Uranus") in applied(table)


def test_rations_that_a_card_makes_fewer_are_told_with_what_the_chart_says() -> None:
    """uranus.effect.location-rations: the chart of The Docks says 3."""
    table = scene(forces={"g_14_panzer": "TDc"}, phase="supply", uranus=["uranus_2"])

    assert (
        "14th Panzer: 2 Rations more from The Docks, which gives 3 with 0 Rubble, 2 by Operation: Uranus, 2 now."
    ) in told(table.events)


def test_points_are_told_with_what_gives_them() -> None:
    """card.reinforcements, location.note.reinforcements-bonus."""
    table = scene(forces={"g_16_panzer": "DTFc"}, hands={"german": ["reinforcements"]})
    table.play("german", "reinforcements")
    if table.asked == "russian answer_card":
        table.passes("russian")
    points = [one for one in told(table.events) if one.startswith("Points")]

    assert points == [
        "Points to spend on Forces: 2 by Reinforcements (before: 0).",
        "Points to spend on Forces: 3 by the note of Dzerzhinskiy Tractor Factory (before: 2).",
    ]


def test_only_rations_that_a_location_gives_elsewhere_are_told_with_its_note() -> None:
    """supply.location-rations, location.note.rations-anywhere."""
    there, elsewhere = {"g_16_panzer": "GEc"}, {"g_14_panzer": "PHp"}
    alone = scene(forces=there, phase="supply")
    table = scene(forces=there | elsewhere, phase="supply")
    table.do("german", order("choose", items=["g_14_panzer", "g_16_panzer"]))

    assert "16th Panzer: 2 Rations more from Grain Elevator, which gives 2 with 0 Rubble, 2 now." in told(alone.events)
    assert {event.on: event.rule for event in table.events if isinstance(event, MarkerPlaced) and event.count == 1} == {
        "g_14_panzer": "location.note.rations-anywhere",
        "g_16_panzer": "supply.location-rations",
    }


def test_cards_that_cannot_be_drawn_are_told() -> None:
    """draw.deck-exhausted: one of five cards is left; the deck cannot be formed anew."""
    every = list(RULES.cards.decks[GERMAN])
    table = scene(forces={"g_16_panzer": "GAp"}, hands={"german": every[1:]}, decks={"german": every[:1]})
    table.do("german", END, every[:1])

    assert applied(table)[-1:] == [
        ("german", "draw.deck-exhausted", "4 cards are not drawn, since deck and discards are empty")
    ]


def test_a_flip_for_which_there_is_no_card_is_told() -> None:
    """draw.deck-exhausted: such a flip counts 0."""
    table = scene(
        forces={"g_14_panzer": "GAc", "r_169_rifle": "GAc"},
        rations={"g_14_panzer": 3},
        hands={"german": RULES.cards.decks[GERMAN]},
        decks={"german": ()},
    )
    table.do("german", order("attack", location="gumrak_airfield"))
    table.passes("german")
    while not table.asked.endswith("firefight"):
        table.passes(table.asked.split(maxsplit=1)[0])
    table.do("german", order("pass"), table.pile("deck/russian")[:1])

    assert ("german", "draw.deck-exhausted", "no card is flipped, since deck and discards are empty") in applied(table)


def test_a_card_whose_effect_finds_nothing_says_so() -> None:
    """card.remove-missing-rations, card.fresh-supplies, location.destroyed.takes-no-rubble."""
    forces = {"g_16_panzer": "GAc", "r_169_rifle": "GEc"}
    table = scene(forces=forces, destroyed=["GE"], hands={"german": ["supply_raid", "fresh_supplies", "dive_bombers"]})
    table.play("german", "fresh_supplies")
    table.play("german", "supply_raid", force="r_169_rifle", other="g_16_panzer")
    table.play("german", "dive_bombers", force="r_169_rifle")

    assert applied(table) == [
        ("german", "card.fresh-supplies", "no Force is in a Perimeter Area to get Rations"),
        ("r_169_rifle", "card.remove-missing-rations", "has no Ration to take"),
        ("grain_elevator", "location.destroyed.takes-no-rubble", "takes no Rubble, since it is Destroyed"),
    ]


def test_reserves_are_told_with_those_who_fight_already() -> None:
    """card.reserve-forces."""
    table = scene(
        forces={"g_14_panzer": "GAc", "r_169_rifle": "GAc", "r_6_guards": "GEp"},
        rations={"g_14_panzer": 1},
        hands={"german": ["rubble"], "russian": ["reserve_forces", "rubble"]},
    )
    table.do("german", order("attack", location="gumrak_airfield"))
    table.passes("german")
    table.play("russian", "reserve_forces", force="r_6_guards")

    assert "Defending: 169th Rifle and 6th Guards. 6th Guards joins the battle." in told(table.events)


def test_the_question_for_a_free_move_says_how_many_are_left() -> None:
    """card.high-morale"""
    table = scene(forces={"r_37_guards": "GAp"}).table
    evolve(table, AttributeSet(rule=RuleId("card.high-morale"), on=TABLE, key=FREE_MOVES_LEFT.key, value=3))

    assert NARRATION.question(table, Open("free_move", RUSSIAN_SEAT)) == "the next free Move (3 left)"


@each_row(
    ("to", "said"),
    [
        ("GAc", "for 1 Ration, then 1 left: Controls Gumrak Airfield and gives up Control of Grain Elevator"),
        ("GAp", "for 1 Ration, then 1 left: gives up Control of Grain Elevator"),
        ("GEp", "for 1 Ration, then 1 left: gives up Control of Grain Elevator"),
    ],
)
def test_a_move_says_whose_control_changes(to: str, said: str) -> None:
    """control.own, control.neither"""
    table = scene(forces={"g_14_panzer": "GEc"}, rations={"g_14_panzer": 2})

    assert NARRATION.told(table.table, Move(force=PieceId("g_14_panzer"), to=place(to, GERMAN))).tail == f" {said}"


def test_a_move_says_that_it_leaves_a_location_to_the_enemy() -> None:
    """control.both"""
    table = scene(forces={"g_14_panzer": "GEc", "r_37_guards": "GEc"}, rations={"g_14_panzer": 2})

    assert "leaves Grain Elevator to the enemy" in NARRATION.describe(
        table.table, Move(force=PieceId("g_14_panzer"), to=place("GEp", GERMAN))
    )


def test_a_medal_says_what_the_combat_becomes() -> None:
    """heroic.combat"""
    table = scene(forces={"r_37_guards": "GAc"}).table

    assert NARRATION.describe(table, Award(force=PieceId("r_37_guards"))).endswith(": Combat 4 → 5")


def test_a_firefight_card_says_on_which_side_it_makes_hits_fewer_or_more() -> None:
    cards = {one.value > 0: key for key, one in NARRATION.cards.cards.items() if one.side == GERMAN}
    table = battle([cards[True], cards[False]])

    groups = {is_more: NARRATION.told(table.table, FireCard(card)).group for is_more, card in cards.items()}
    assert groups == {True: "More Hits on the Russian side", False: "Fewer Hits on the German side"}
