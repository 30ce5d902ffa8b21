"""Questions and options say what a card does and where, what is added in a battle, and what changes nothing."""

import re
from collections import Counter

from core.engine.selection import Pick, Unpick
from core.games.battle.ids import RATION
from events.ids import PieceId
from events.vocabulary import AttributeSet
from projections.state.fold import evolve
from projections.state.table import Table
from tests.support.battle import NARRATION, RULES, Scene, deck_of, order, place, scene
from tests.support.rows import each_row

FOG = {"russian": ["fog_of_war"]}


def asked(table: Scene) -> str:
    """Return the open question."""
    assert table.table.top is not None
    return NARRATION.question(table.table, table.table.top)


def test_a_card_that_hits_is_asked_about_with_where_its_target_is_and_with_its_rubble_and_hits() -> None:
    """card.dive-bombers, location.note.card-attack-bonus: Mamayev Kurgan adds a Hit."""
    locations = ("gumrak_airfield", "mamayev_kurgan", "the_docks", "grain_elevator", "pavlovs_house")
    for holder, hits in (("TDc", 4), ("MKc", 5)):
        table = scene(
            forces={"g_14_panzer": holder, "r_169_rifle": "GAc"},
            hands={"german": ["dive_bombers"], **FOG},
            locations=locations,
        )
        name = NARRATION.name(table.held("german", "dive_bombers"))
        table.play("german", "dive_bombers", force="r_169_rifle")

        assert asked(table) == f"whether to answer {name} on 169th Rifle at Gumrak Airfield: 2 Rubble and {hits} Hits"


@each_row(
    ("title", "told", "words"),
    [
        ("supply_raid", {"force": "r_169_rifle", "other": "g_14_panzer"}, "2 Rations from the one to the other"),
        ("attack", {"force": "g_14_panzer", "to": "GAc"}, "it goes and attacks there for no Ration"),
        ("fresh_supplies", {}, "2 Rations for each Force in a Perimeter Area"),
        ("air_supply", {}, "5 Rations to hand out"),
        ("reinforcements", {}, "2 points for Forces"),
        ("desperation", {}, "3 cards drawn"),
    ],
)
def test_a_card_is_asked_about_with_what_it_does(title: str, told: dict[str, str], words: str) -> None:
    table = scene(
        forces={"g_14_panzer": "TDp", "r_169_rifle": "GAc"},
        rations={"r_169_rifle": 3},
        hands={"german": [title], **FOG},
    )
    at = {key: place(value, "german") if key == "to" else value for key, value in told.items()}
    table.play("german", title, **at)

    assert asked(table).endswith(f": {words}")


def test_every_card_of_the_actions_step_says_what_it_does_when_it_may_be_answered() -> None:
    table = scene(forces={"g_14_panzer": "TDp", "r_169_rifle": "GAc"}, hands={"russian": ["uranus_1"], "german": []})
    for card in RULES.cards.cards.values():
        if card.title.timing == "own_action":
            opened = table.table.stack[-1]
            about = {"card": card.id, "force": "", "other": "", "to": ""}
            said = NARRATION.question(
                table.table, type(opened)("answer_card", opened.seat, {key: one for key, one in about.items() if one})
            )

            assert said.partition(": ")[2], card.title.id


def test_a_move_is_asked_about_with_where_it_comes_from() -> None:
    table = scene(forces={"g_14_panzer": "TDp"}, rations={"g_14_panzer": 5}, hands={"russian": ["sniper"]})
    table.do("german", order("move", force="g_14_panzer", to=place("TDc", "german")))

    areas = "from The Docks (German Perimeter) to The Docks (German Control)"
    assert asked(table) == f"whether to answer the Move of 14th Panzer {areas}"


def test_a_move_to_another_location_is_offered_with_the_enemy_there() -> None:
    """On a phone the rows of the enemy are out of sight; who is at the Location already has them before him."""
    table = scene(forces={"g_14_panzer": "TDp", "r_169_rifle": "GAc"}, rations={"g_14_panzer": 5})
    move = order("move", force="g_14_panzer", to=place("GAp", "german"))
    inside = order("move", force="g_14_panzer", to=place("TDc", "german"))

    assert " against 169th Rifle for 1 Ration" in NARRATION.describe(table.table, move)
    assert "against" not in NARRATION.describe(table.table, inside)


def test_an_attack_is_offered_with_what_is_added_whatever_its_forces() -> None:
    """location.note.initiated-battle-bonus: in battles elsewhere."""
    locations = ("gumrak_airfield", "barrikady_gun_factory", "the_docks", "grain_elevator", "pavlovs_house")
    attack = order("attack", location="gumrak_airfield")
    forces = {"g_14_panzer": "GAc", "r_169_rifle": "GAc"}
    paid = {"g_14_panzer": 1}
    plain = scene(forces=forces, rations=paid, locations=locations)
    more = {"g_71_infantry": "barrikady_gun_factoryc"}
    holding = scene(forces={**forces, **more}, rations=paid, locations=locations)

    words = NARRATION.describe(plain.table, attack)
    assert words.endswith("(Combat 1)")
    assert NARRATION.describe(holding.table, attack) == f"{words}, +1 note of Barrikady Gun Factory"


def test_a_propaganda_war_that_denies_nothing_is_offered_as_such() -> None:
    """card.propaganda-war: the second one, and one against an enemy who Controls no Location."""
    for there, remark in (
        ({"g_14_panzer": "GAc"}, " (changes nothing: cards for Locations are denied already)"),
        ({}, " (changes nothing: the enemy Controls no Location)"),
    ):
        table = scene(
            forces={"g_16_panzer": "GAp", "r_169_rifle": "TDc", **there},
            hands={"russian": ["propaganda_war", "propaganda_war"]},
        )
        table.do("german", order("done"))
        play = order("play-card", card=table.held("russian", "propaganda_war"))
        name = NARRATION.name(table.held("russian", "propaganda_war"))
        if there:
            assert NARRATION.describe(table.table, play) == f"Play {name}"
            table.do("russian", play)
            play = order("play-card", card=table.held("russian", "propaganda_war"))

        assert NARRATION.describe(table.table, play).endswith(remark)


def test_a_card_for_rations_is_offered_with_what_it_takes_or_as_one_that_changes_nothing() -> None:
    """card.fresh-supplies, card.supply-raid, card.remove-missing-rations"""
    forces = {"g_16_panzer": "GAc", "r_169_rifle": "TDc", "r_422_rifle": "GEc", "r_36_guards": "PHc"}
    held = {"german": ["fresh_supplies", "supply_raid"]}
    table = scene(forces=forces, rations={"r_169_rifle": 3, "r_422_rifle": 1}, hands=held)

    def offered(title: str, **told: str) -> str:
        card = table.held("german", title)
        said = NARRATION.describe(table.table, order("play-card", card=card, **told))
        return said.partition(NARRATION.name(card))[2]

    assert offered("fresh_supplies") == " (changes nothing: no own Force is in a Perimeter Area)"
    raid = {
        force: offered("supply_raid", force=force, other="g_16_panzer").partition("16th Panzer")[2] for force in forces
    }
    assert raid["r_169_rifle"] == " and take 2 Rations"
    assert raid["r_422_rifle"] == " and take 1 Ration"
    assert raid["r_36_guards"] == " (changes nothing: there is no Ration to take)"
    table = scene(forces={"g_14_panzer": "GAp", **forces}, hands=held)
    assert offered("fresh_supplies") == ""


def test_rations_of_a_location_for_its_own_forces_are_asked_about_with_its_name_once() -> None:
    """supply.split-choice; options say what lies on each Force now, picks included."""
    table = scene(forces={"g_16_panzer": "DTFc", "g_14_panzer": "DTFp"}, rations={"g_16_panzer": 1}, phase="supply")
    name = NARRATION.name("dzerzhinskiy_tractor_factory")
    pick = Pick("g_16_panzer")

    assert asked(table) == f"which Forces at {name} get its 2 Rations"
    assert NARRATION.describe(table.table, pick) == "Put a Ration on 16th Panzer (1 now)"
    assert NARRATION.describe(table.table, Pick("g_14_panzer")) == "Put a Ration on 14th Panzer (none now)"
    table.do("german", pick)
    assert NARRATION.describe(table.table, pick) == "Put a Ration on 16th Panzer (2 now)"
    assert NARRATION.describe(table.table, Unpick("g_16_panzer")) == "Take back: Put a Ration on 16th Panzer"


def test_the_totals_before_and_in_a_firefight_add_up_below_the_question() -> None:
    """attack.totals, location.note.initiated-battle-bonus"""
    locations = ("gumrak_airfield", "barrikady_gun_factory", "the_docks", "grain_elevator", "pavlovs_house")
    table = scene(
        forces={"g_14_panzer": "GAc", "g_71_infantry": "barrikady_gun_factoryc", "r_169_rifle": "GAc"},
        rations={"g_14_panzer": 1},
        hands={"german": ["tanks", "tanks"], "russian": []},
        locations=locations,
    )
    table.do("german", order("attack", location="gumrak_airfield"))
    top = table.table.top
    assert top is not None and top.kind == "answer_battle"
    lines = (
        "Russian total 1: +1 Combat of 169th Rifle",
        "German total 8: +7 Combat of 14th Panzer, +1 note of Barrikady Gun Factory",
    )

    assert NARRATION.details(table.table, top) == lines
    sums = NARRATION.sums(table.table, top)
    assert sums is not None
    told = [
        f"{one.title} {one.total}: {', '.join(f'{part.amount:+d} {part.what}' for part in one.parts)}" for one in sums
    ]
    assert tuple(told) == lines

    table.do("german", order("pass"))
    top = table.table.top
    assert top is not None and top.kind == "firefight"
    assert NARRATION.details(table.table, top) == lines

    card = RULES.cards.cards[table.held("german", "tanks")]
    side, number = ("German", 8) if card.value > 0 else ("Russian", 1)
    table.do("german", order("fire-card", card=card.id))
    top = table.table.top
    assert top is not None and top.kind == "firefight"
    (line,) = [one for one in NARRATION.details(table.table, top) if one.startswith(side)]
    assert line.startswith(f"{side} total {number + card.value}: ")
    assert line.endswith(f", {card.value:+d} {card.title.name}")


def test_a_hit_is_met_with_what_is_left_and_with_no_more_than_there_is_to_stop() -> None:
    """attack.hits.ration, retreat.surplus-lost: with its note the 36th Guards stop 3."""
    table = scene(
        forces={"g_389_infantry": "GAc", "r_36_guards": "GAc"}, rations={"g_389_infantry": 1, "r_36_guards": 9}
    )
    ration, retreat = (order("absorb", force="r_36_guards", by=by) for by in ("ration", "retreat"))
    table.do("german", order("attack", location="gumrak_airfield"), (deck_of("german")[0], deck_of("russian")[0]))
    loss, more = order("absorb", force="r_36_guards", by="destroyed"), table.hits("russian") - 1
    alone = NARRATION.describe(table.table, loss)
    while table.hits("russian") > 1:
        table.do("russian", ration)
    left = table.table.marker(PieceId("r_36_guards"), RATION) - 1

    assert alone == f"36th Guards is Destroyed and stops 1 Hit; {more} more {'is' if more == 1 else 'are'} lost"
    assert NARRATION.describe(table.table, loss) == "36th Guards is Destroyed and stops 1 Hit"
    assert NARRATION.describe(table.table, ration) == f"36th Guards stops the Hit with a Ration, then {left} left"
    assert NARRATION.describe(table.table, retreat) == "36th Guards Retreats and stops 1 Hit (it could stop 3)"
    table.table.markers[PieceId("r_36_guards")] = Counter({RATION: 1})
    assert NARRATION.describe(table.table, ration).endswith(", then none left")


def test_hits_of_a_card_are_asked_about_with_the_card() -> None:
    table = scene(forces={"r_36_guards": "GAc"}, rations={"r_36_guards": 9}, hands={"german": ["dive_bombers"]})
    name = NARRATION.name(table.held("german", "dive_bombers"))
    table.play("german", "dive_bombers", force="r_36_guards")

    assert re.fullmatch(
        rf"which Force absorbs the next of \d Hits of {re.escape(name)} at Gumrak Airfield", asked(table)
    )


def test_a_retreat_that_could_stop_more_hits_than_are_left_says_so() -> None:
    """retreat.surplus-lost: with its note the 36th Guards stop 3."""
    table = scene(
        forces={"g_389_infantry": "GAc", "r_36_guards": "GAc"}, rations={"g_389_infantry": 1, "r_36_guards": 9}
    )
    flips = (deck_of("german")[0], deck_of("russian")[0])
    table.do("german", order("attack", location="gumrak_airfield"), flips)
    while table.hits("russian") > 1:
        table.do("russian", order("absorb", force="r_36_guards", by="ration"))
    before = Table()
    for event in table.events:
        evolve(before, event)
    assert asked(table) == "which Force absorbs the Hit of the battle at Gumrak Airfield"
    (left,) = [
        event
        for event in table.do("russian", order("absorb", force="r_36_guards", by="retreat"))
        if isinstance(event, AttributeSet) and event.key == "hits"
    ]

    said = "Russian: 1 Hit stopped by the Retreat (it could stop 3), none left."
    assert NARRATION.tell(before, [left]) == said


def test_the_window_after_a_loss_names_the_force_and_that_before_a_draw_the_cards() -> None:
    """window.aftermath, window.draw, draw.location-bonus."""
    table = scene(
        forces={"r_6_guards": "GEc", "r_169_rifle": "PHc"},
        hands={"german": ["artillery_barrage"], "russian": ["recover_wounded"]},
    )
    table.play("german", "artillery_barrage", force="r_6_guards")
    table.passes("russian")
    table.do("russian", order("absorb", force="r_6_guards", by="destroyed"))

    assert asked(table) == "whether to play a card for 6th Guards just Destroyed"
    table.play("russian", "recover_wounded")
    table = scene(forces={"g_16_panzer": "GAc", "g_14_panzer": "GEc"}, hands={"russian": ["propaganda_war", "rubble"]})
    table.do("german", order("done"))
    assert asked(table) == "whether to play a card before the enemy draws 7 cards"
    table.play("russian", "propaganda_war")
    assert asked(table) == "whether to play a card before the enemy draws 5 cards"
