"""The packaged cards and figures say what the rulebook's text says.

Numbers in the names (c1 to c118) are those of the sentences in the file's [constraint].
"""

import tomllib
from collections import Counter
from typing import Any, get_args, get_type_hints

from core.file_checks.schema import at_path
from core.game_files.rulebook import load_rulebook
from core.games.battle.components.card_file import CARD_FILE
from core.games.battle.components.card_model import (
    ActionCard,
    BySide,
    Cards,
    Force,
    Location,
    LocationNote,
    Price,
    Timing,
    Title,
    UranusEffect,
)
from core.games.battle.components.checks.card_checks import EFFECTS
from core.games.battle.rules.battle_rules import card_rules_of
from events.ids import CardId, Side
from tests.support.battle import scene
from tests.support.rows import each_row

GERMAN, RUSSIAN = Side("german"), Side("russian")
CARDS = CARD_FILE.load()
PLAIN: dict[str, Any] = tomllib.loads(CARD_FILE.shipped_bytes.decode())


def location(name: str) -> Location:
    """Return a Location by its printed name."""
    return next(one for one in CARDS.locations.values() if one.name == name)


def force(name: str) -> Force:
    """Return a Force by its printed name."""
    return next(one for one in CARDS.forces.values() if one.name == name)


def title(name: str) -> Title:
    """Return what all copies of an Action card have in common, by its printed name."""
    return next(card.title for card in CARDS.cards.values() if card.title.name == name)


def copies(side: Side, name: str) -> list[ActionCard]:
    """Return a side's copies of a card."""
    return [CARDS.cards[card] for card in CARDS.decks[side] if CARDS.cards[card].title.name == name]


def charts() -> list[tuple[list[tuple[int, int, int]], int]]:
    """Return every Location's chart and where it ends."""
    return [
        ([(row.first, row.last, row.rations) for row in one.chart], one.destroyed_at)
        for one in CARDS.locations.values()
    ]


# Game and components


def test_two_sides_play_each_with_its_own_forces_and_cards() -> None:
    """game.seats: nothing belongs to a third side, and nothing to both."""
    owners = {one.side for one in CARDS.forces.values()} | {card.side for card in CARDS.cards.values()}

    assert owners == {GERMAN, RUSSIAN} == set(CARDS.decks) == set(CARDS.piles)
    assert not set(CARDS.decks[GERMAN]) & set(CARDS.decks[RUSSIAN])


def test_counters_are_not_limited() -> None:
    """counter.not-a-limit: a Force with 60 Rations is given 5 more and has 65."""
    table = scene(forces={"g_14_panzer": "GEc"}, rations={"g_14_panzer": 60}, hands={"german": ["air_supply"]})
    table.play("german", "air_supply")

    assert table.rations("g_14_panzer") == 65


def test_c117_c118_the_cards_are_168_in_three_packs() -> None:
    """setup.action-decks: a German deck of 56, a Russian one of 56; force.conserved: 20 German Forces and 26 Russian ones."""
    cards = [len(CARDS.decks[side]) for side in (GERMAN, RUSSIAN)]
    forces = [len(CARDS.piles[side]) for side in (GERMAN, RUSSIAN)]

    assert (cards, forces, len(CARDS.locations)) == ([56, 56], [20, 26], 10)
    assert sum(cards) + sum(forces) + 10 == 168 == 3 * 56


# Locations


def test_c22_five_of_ten_locations_are_drawn() -> None:
    """setup.locations.draw."""
    assert (len(CARDS.locations), CARDS.figures.locations_in_play) == (10, 5)


@each_row(
    "name",
    [
        "Gumrak Airfield",
        "Grain Elevator",
        "Dzerzhinskiy Tractor Factory",
        "The Docks",
        "Pavlov's House",
        "Mamayev Kurgan",
        "Barrikady Gun Factory",
        "Central Station",
    ],
)
def test_c6_c31_c61_locations_that_the_text_names(name: str) -> None:
    assert location(name).name == name


@each_row(("rubble", "rations"), [(0, 3), (4, 3), (5, 2), (7, 2), (8, 1), (9, 1), (10, 0), (11, 0)])
def test_c3_c6_the_chart_of_mamayev_kurgan(rubble: int, rations: int) -> None:
    """location.rubble-chart: 0 to 4 three, 5 to 7 two, 8 to 9 one, 10 Destroyed."""
    assert location("Mamayev Kurgan").rations(rubble) == rations
    assert location("Mamayev Kurgan").destroyed_at == 10


@each_row(("rubble", "rations"), [(0, 2), (1, 2), (2, 2), (3, 1), (5, 1), (6, 0)])
def test_c34_the_chart_of_the_example_of_supply(rubble: int, rations: int) -> None:
    """location.rubble-chart: 0 to 2 two, 3 to 5 one, 6 Destroyed (T3)."""
    assert ([(0, 2, 2), (3, 5, 1)], 6) in charts()
    assert location("Grain Elevator").rations(rubble) == rations


def test_c4_more_rubble_gives_fewer_rations_until_the_location_falls() -> None:
    """location.rubble-chart, location.destroyed.threshold: charts go from 0 to the Rubble before the fall."""
    for steps, destroyed_at in charts():
        assert [rubble for first, last, _ in steps for rubble in range(first, last + 1)] == list(range(destroyed_at))
        assert [one[2] for one in steps] == sorted({one[2] for one in steps}, reverse=True)


@each_row(
    ("name", "rubble", "rations"),
    [
        ("Pavlov's House", 0, 2),
        ("Dzerzhinskiy Tractor Factory", 0, 2),
        ("Gumrak Airfield", 1, 1),
        ("Grain Elevator", 2, 2),
    ],
)
def test_c85_c99_rations_of_the_sample_game(name: str, rubble: int, rations: int) -> None:
    """supply.location-rations."""
    assert location(name).rations(rubble) == rations


@each_row(
    ("name", "op", "amount", "survives"),
    [
        ("Gumrak Airfield", "resupply_bonus", 1, False),
        ("Grain Elevator", "rations_anywhere", 0, False),
        ("Dzerzhinskiy Tractor Factory", "reinforcements_bonus", 1, False),
        ("The Docks", "buy_ration_bonus", 1, True),
        ("Pavlov's House", "enemy_entry_surcharge", 1, False),
        ("Mamayev Kurgan", "card_attack_bonus", 1, True),
        ("Barrikady Gun Factory", "initiated_battle_bonus", 1, False),
        ("Central Station", "free_moves_per_turn", 1, False),
        ("Red October Steel Factory", "repair_rubble", 1, False),
        ("Univermag Department Store", "extra_draw", 1, True),
    ],
)
def test_notes_of_the_locations(name: str, op: str, amount: int, survives: bool) -> None:
    """There is one Location for each kind of note, and some notes outlast their Location.

    location.note-priority, location.destroyed.note; location.note.resupply-bonus, location.note.rations-anywhere,
    location.note.reinforcements-bonus, location.note.buy-ration-bonus, location.note.enemy-entry-surcharge,
    location.note.card-attack-bonus, location.note.initiated-battle-bonus, location.note.free-move,
    location.note.repair-rubble, location.note.extra-draw.
    """
    note = location(name).note

    assert (note.op, note.amount, location(name).note_survives) == (op, amount, survives)


def test_c84_c98_no_location_of_the_sample_game_changes_what_is_drawn() -> None:
    names = ("Gumrak Airfield", "Grain Elevator", "The Docks", "Pavlov's House", "Dzerzhinskiy Tractor Factory")

    assert "extra_draw" not in {location(name).note.op for name in names}


# Forces


@each_row(
    ("name", "side", "rations"),
    [
        ("169th Rifle", RUSSIAN, 2),
        ("248th Rifle", RUSSIAN, 1),
        ("6th Guards", RUSSIAN, 0),
        ("15th Guards", RUSSIAN, 3),
        ("84th Tank", RUSSIAN, 2),
        ("90th Tank", RUSSIAN, 2),
        ("126th Rifle", RUSSIAN, 4),
        ("16th Panzer", GERMAN, 4),
        ("384th Infantry", GERMAN, 4),
        ("14th Panzer", GERMAN, 4),
        ("100th Jager", GERMAN, 1),
    ],
)
def test_c62_c64_c87_starting_rations(name: str, side: Side, rations: int) -> None:
    """force.starting-rations."""
    assert (force(name).side, force(name).rations) == (side, rations)


def test_c63_c65_costs_of_the_set_up_of_the_sample_game() -> None:
    """force.cost, setup.russian-forces-budget, setup.german-forces-budget: 11 and 9."""
    russian = ("169th Rifle", "248th Rifle", "6th Guards", "15th Guards", "84th Tank", "90th Tank")
    german = ("16th Panzer", "384th Infantry", "14th Panzer", "100th Jager")

    assert sum(force(name).cost for name in russian) == CARDS.figures.points.russian == 11
    assert sum(force(name).cost for name in german) == CARDS.figures.points.german == 9


def test_c87_the_126th_costs_2_and_another_russian_force_3() -> None:
    """force.cost (S18)."""
    others = [force for force in CARDS.forces.values() if force.name not in ("126th Rifle", "15th Guards")]

    assert force("126th Rifle").cost == 2
    assert any(one.side == RUSSIAN and one.cost == 3 for one in others)


@each_row(
    ("name", "combat"),
    [("16th Panzer", 5), ("14th Panzer", 7), ("169th Rifle", 1), ("6th Guards", 1), ("100th Jager", 1)],
)
def test_c70_c72_c90_c103_combat(name: str, combat: int) -> None:
    """force.combat."""
    assert force(name).combat == combat


def test_c90_c103_c108_sums_of_combat() -> None:
    """force.combat, force.note.attack-bonus: 8 in attack (S21), 4 in defence but for the counter (S33), 4 (S39)."""
    attackers = [force(name) for name in ("126th Rifle", "248th Rifle", "6th Guards")]

    assert sum(one.combat + one.attack_bonus for one in attackers) == 8
    assert attackers[0].combat + attackers[1].combat == 4
    assert force("84th Tank").combat + force("90th Tank").combat == 4


@each_row("name", ["16th Panzer", "100th Jager"])
def test_c66_c82_forces_that_move_free(name: str) -> None:
    """force.note.free-move."""
    assert force(name).has_free_move


@each_row("name", ["14th Panzer", "384th Infantry"])
def test_c80_forces_that_pay_for_moves(name: str) -> None:
    """force.note.free-move."""
    assert not force(name).has_free_move


@each_row(
    ("name", "bonus"),
    [
        ("248th Rifle", 1),
        ("169th Rifle", 0),
        ("6th Guards", 0),
        ("16th Panzer", 0),
        ("100th Jager", 0),
        ("90th Tank", 0),
    ],
)
def test_c74_c75_c78_c93_c108_what_a_retreat_stops_besides(name: str, bonus: int) -> None:
    """force.note.retreat-bonus."""
    assert force(name).retreat_bonus == bonus


@each_row(
    "name",
    [
        *("169th Rifle", "6th Guards", "16th Panzer", "248th Rifle", "100th Jager", "126th Rifle", "14th Panzer"),
        *("84th Tank", "90th Tank"),
    ],
)
def test_c74_c78_c94_c105_c108_forces_that_ignore_no_hits(name: str) -> None:
    """force.note.ignore-hits."""
    assert force(name).ignore_hits == 0


def test_c10_four_kinds_of_notes_by_one_or_two_and_forces_without() -> None:
    """force.note.attack-bonus, force.note.retreat-bonus, force.note.free-move, force.note.ignore-hits."""
    forces = CARDS.forces.values()

    assert {one.attack_bonus for one in forces} == {0, 1, 2} == {one.retreat_bonus for one in forces}
    assert {one.ignore_hits for one in forces} == {0, 1, 2}
    assert {one.has_free_move for one in forces} == {False, True}
    assert any(not (one.attack_bonus or one.retreat_bonus or one.ignore_hits or one.has_free_move) for one in forces)


def test_c112_german_forces_are_better_for_their_cost() -> None:
    """force.cost: the packaged Forces follow the yardstick that the file describes."""

    def worth(one: Force) -> float:
        notes = (one.attack_bonus + one.retreat_bonus) / 2 + one.ignore_hits + 2 * one.has_free_move
        return one.combat + one.rations / 2 + notes

    told = {row["name"] for row in PLAIN["force"] if row["prov"]["_"] != "X"}
    invented = [one for one in CARDS.forces.values() if one.name not in told]

    assert len(told) == 11
    assert [one.name for one in invented if one.side == GERMAN and worth(one) != 2.5 * one.cost] == []
    assert [
        one.name for one in invented if one.side == RUSSIAN and worth(one) != 2 * one.cost + (one.cost > 1) / 2
    ] == []


# Action cards


@each_row(
    ("name", "timing", "op", "figures"),
    [
        ("Dive Bombers", "own_action", "card_attack", {"rubble": 2, "hits": 4}),
        ("Artillery Barrage", "own_action", "card_attack", {"rubble": 1, "hits": 2}),
        ("Attack!", "own_action", "move_and_attack", {}),
        ("Big Push", "any_time", "combat_bonus_all", {"amount": 1}),
        ("Heavy Weapons", "battle", "multiply_combat", {}),
        ("Tanks", "battle", "no_enemy_retreat", {}),
        ("Rubble", "suffering_hits", "stop_hits", {"amount": 2, "min_rubble": 2}),
        ("Supply Raid", "own_action", "steal_rations", {"amount": 2}),
        ("Fresh Supplies", "own_action", "gain_rations_each", {"amount": 2}),
        ("Air Supply", "own_action", "distribute_rations", {"amount": 5}),
        ("Reinforcements", "own_action", "force_points", {"amount": 2}),
        ("Reserve Forces", "battle", "join_battle", {}),
        ("Desperation", "own_action", "draw_cards", {"amount": 3}),
        ("Victory", "after_battle", "draw_cards", {"amount": 3}),
        ("Fog of War", "react_card", "cancel_card", {}),
        ("Sniper", "react_move", "cancel_move", {}),
        ("Propaganda War", "react_draw", "deny_location_draws", {}),
        ("Scouts", "any_time", "search_deck", {}),
        ("High Morale", "own_action", "free_moves", {"amount": 4}),
        ("Sewer Warfare", "battle", "no_firefight", {}),
        ("Recover Wounded", "own_force_destroyed", "distribute_rations", {"amount": 3}),
    ],
)
def test_moments_effects_and_figures_of_the_action_cards(
    name: str, timing: str, op: str, figures: dict[str, int]
) -> None:
    """Every card that the text names has the moment and the figures that the text gives it.

    card.default-timing, card.any-time; card.dive-bombers, card.artillery-barrage, card.attack, card.big-push,
    card.heavy-weapons, card.tanks, card.rubble, card.supply-raid, card.fresh-supplies, card.air-supply, card.reinforcements,
    card.reserve-forces, card.desperation, card.victory, card.fog-of-war, card.sniper, card.propaganda-war, card.scouts,
    card.high-morale, card.sewer-warfare, card.recover-wounded.
    """
    card = title(name)
    found = {"amount": card.amount, "rubble": card.rubble, "hits": card.hits, "min_rubble": card.min_rubble}

    assert (card.timing, card.op) == (timing, op)
    assert {key: value for key, value in found.items() if value} == figures


@each_row(
    ("side", "names"),
    [
        (
            GERMAN,
            [
                *("Supply Raid", "Dive Bombers", "Fresh Supplies", "Tanks", "Desperation", "Air Supply", "Big Push"),
                *("Attack!", "Heavy Weapons", "Rubble"),
            ],
        ),
        (
            RUSSIAN,
            [
                *("Reserve Forces", "Victory", "Sniper", "Propaganda War", "Reinforcements", "Scouts", "High Morale"),
                *("Sewer Warfare", "Recover Wounded"),
            ],
        ),
    ],
)
def test_c113_each_side_has_the_cards_that_it_plays_in_the_sample_game(side: Side, names: list[str]) -> None:
    """card.own-deck-own-discards."""
    assert [name for name in names if not copies(side, name)] == []


def test_c40_scouts_and_sniper_are_in_one_deck() -> None:
    """card.scouts, card.sniper (T7)."""
    assert copies(RUSSIAN, "Scouts") and copies(RUSSIAN, "Sniper")


def test_c115_two_german_rubble_cards_and_two_russian_reinforcements() -> None:
    """card.rubble, card.reinforcements."""
    assert (len(copies(GERMAN, "Rubble")), len(copies(RUSSIAN, "Reinforcements"))) == (7, 6)


def test_c17_firefight_values_go_from_minus_3_to_3_without_0() -> None:
    """card.firefight-value."""
    for side in (GERMAN, RUSSIAN):
        assert {CARDS.cards[card].value for card in CARDS.decks[side]} == {-3, -2, -1, 1, 2, 3}


def test_copies_of_a_card_may_differ_in_value() -> None:
    """card.firefight-value: two Rubble cards with -3 and +1."""
    assert {-3, 1} < {card.value for card in copies(GERMAN, "Rubble")}


def test_c114_values_of_the_sample_game() -> None:
    """card.firefight-value, attack.flip: what is played and flipped in S6, S35 and S40 is in the decks."""
    values = {side: Counter(CARDS.cards[card].value for card in CARDS.decks[side]) for side in (GERMAN, RUSSIAN)}

    assert not Counter([-2, 3, 2, 1, 2]) - values[GERMAN]
    assert not Counter([3, -2, -1, -1, -1, 3, 2, -2, 2, -2]) - values[RUSSIAN]


def test_every_copy_is_a_card_of_its_own() -> None:
    """card.one-use."""
    assert CARDS.cards[CardId("german/rubble-3")].value == -3
    assert [card.id for card in copies(RUSSIAN, "Scouts")] == ["russian/scouts-1", "russian/scouts-2"]


def test_c19_six_uranus_cards_are_in_the_russian_deck() -> None:
    """uranus.deck: 6 Operation Uranus cards among the 56 Russian ones, none among the German ones."""
    lasting = [card for card in CARDS.cards.values() if card.title.price is not None]

    assert (len(lasting), {card.side for card in lasting}) == (6, {RUSSIAN})
    assert {card.title.timing for card in lasting} == {"own_action"}


def test_c96_the_uranus_card_of_the_sample_game() -> None:
    """uranus.play-cost, uranus.effect.force-cost (S26)."""
    card = CARDS.cards[CardId("russian/uranus_1-1")].title

    assert (card.op, card.amount, card.price) == ("enemy_force_cost", 1, Price("destroy_own_forces", 1))


@each_row(
    ("number", "op", "amount", "removal"),
    [
        (1, "enemy_force_cost", 1, Price("discard_cards", 3)),
        (2, "enemy_location_rations", -1, Price("discard_rations", 4)),
        (3, "enemy_draw", -2, Price("discard_cards", 4)),
        (4, "enemy_no_perimeter_ration", 0, Price("destroy_own_forces", 1)),
        (5, "own_draw", 2, Price("discard_cards", 4)),
        (6, "own_initiated_battle_bonus", 2, Price("discard_rations", 6)),
    ],
)
def test_lasting_effects_and_removal_of_the_uranus_cards(number: int, op: str, amount: int, removal: Price) -> None:
    """Every Uranus card lasts until its removal is paid.

    uranus.lasting-effect, uranus.removal; uranus.effect.force-cost, uranus.effect.location-rations,
    uranus.effect.draw-fewer, uranus.effect.no-perimeter-ration, uranus.effect.draw-more, uranus.effect.battle-bonus.
    """
    card = CARDS.cards[CardId(f"russian/uranus_{number}-1")].title

    assert (card.op, card.amount, card.removal) == (op, amount, removal)


# Figures of the rules


def test_figures_of_the_rules() -> None:
    """Each figure of the rules is as the text gives it.

    setup.opening-hands, area.limit, supply.perimeter-ration, move.cost, attack.cost, attack.rubble, attack.hits.ration,
    retreat.absorbs, attack.hits.destroyed, heroic.combat, heroic.retreat, resupply.action, draw.base, draw.location-bonus,
    victory.five-locations-own-turn.
    """
    figures = CARDS.figures

    assert figures.hand == BySide(german=5, russian=10)
    assert (figures.area_limit, figures.perimeter_ration, figures.move_cost) == (3, 1, 1)
    assert (figures.attack_cost, figures.attack_rubble) == (1, 1)
    assert (figures.per_ration, figures.per_retreat, figures.per_destroyed) == (1, 2, 1)
    assert (figures.medal_combat, figures.medal_retreat, figures.resupply_rations) == (1, 1, 2)
    assert (figures.draw_base, figures.draw_per_location, figures.victory_locations) == (5, 1, 5)


# The file as a whole


def test_every_word_that_the_rules_understand_is_used() -> None:
    """card.play-action: and every effect is known to the rules."""
    timings = {card.title.timing for card in CARDS.cards.values()}
    effects = {*EFFECTS, *get_args(get_type_hints(UranusEffect)["op"])}

    assert timings == set(get_args(Timing))
    assert {card.title.op for card in CARDS.cards.values()} == effects == set(card_rules_of(CARDS))
    assert {"none", *(one.note.op for one in CARDS.locations.values())} == set(
        get_args(get_type_hints(LocationNote)["op"])
    )


def test_every_figure_that_a_rule_names_is_in_the_file() -> None:
    missing = [
        (rule.id, key)
        for rule in load_rulebook("core.games.battle").rules.values()
        for key in rule.data
        if not _has(key)
    ]

    assert missing == []


def _has(key: str) -> bool:
    """Look up `rules.draw.base`, or `action:rubble`, the row of that id."""
    section, _, row_id = key.partition(":")
    if row_id:
        return any(row["id"] == row_id for row in PLAIN[section])
    return at_path(PLAIN, tuple(key.split("."))) is not None


def test_the_rules_index_is_whole() -> None:
    """ruling.reconstructed-cards is one of the 49 rulings; 208 rules and 54 refusals, most of them in an order."""
    book = load_rulebook("core.games.battle")

    assert (len(book.rules), len(book.rulings), len(book.refusals)) == (208, 50, 54)
    assert [one.code for one in book.refusals[:2]] == ["match_must_be_running", "set_up_order_must_be_kept"]
    assert (
        book.precedence("card_must_be_in_hand")
        < book.precedence("card_timing_must_fit")
        < book.precedence("combat_must_not_be_doubled")
    )
    assert all(one.text for one in book.refusals)


def test_the_packaged_file_is_ascii_and_names_no_other_file() -> None:
    text = CARD_FILE.shipped_bytes.decode("ascii")

    assert ".md" not in text and ".py" not in text


def test_cards_are_read_once() -> None:
    assert CARD_FILE.load() is CARDS
    assert isinstance(CARDS, Cards)
