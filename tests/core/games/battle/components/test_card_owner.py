"""An owner's cards may differ in all that the rulebook's text leaves open; they are built, named by their bytes, and used."""

import re
from random import Random

import pytest

from core.components.component_file import component_digest
from core.engine.selection import onward
from core.file_checks.checked_file import load_file
from core.games.battle import GAME
from core.games.battle.components.card_file import CARD_FILE
from core.games.battle.components.card_model import LocationNote
from core.games.battle.options import OPTIONS
from events.ids import CardId, PieceId, Side
from tests.support.component_texts import owned
from tests.support.desk import Desk
from tests.support.rows import each_row
from tests.support.soak import sampled

TEXT = CARD_FILE.shipped_bytes.decode()
changed = owned(CARD_FILE)


def test_other_names_where_the_text_gives_none() -> None:
    """ruling.reconstructed-cards: the Department Store and the invented Forces are guesses."""
    cards = changed(("Univermag Department Store", "Nail Factory"), ('"45th Rifle"', '"42nd Rifle"'))

    assert cards.locations["univermag_department_store"].name == "Nail Factory"
    assert cards.forces[PieceId("r_45_rifle")].name == "42nd Rifle"


@each_row("name", ["Pavlov\u2019s House", "PAVLOV'S  HOUSE"])
def test_a_printed_name_with_other_apostrophes_capitals_and_spaces(name: str) -> None:
    assert changed(('name = "Pavlov\'s House"', f'name = "{name}"')).locations["pavlovs_house"].name == name


def test_the_text_calls_one_card_by_two_names() -> None:
    """card.scouts: an example says Scout, the sample game Scouts."""
    assert changed(('name = "Scouts"', 'name = "Scout"')).cards[CardId("russian/scouts-1")].title.name == "Scout"


def test_another_chart_where_the_text_gives_none() -> None:
    """location.rubble-chart."""
    old = "chart = [{ from = 0, to = 2, rations = 3 }, { from = 3, to = 4, rations = 2 }, { from = 5, to = 6, rations = 1 }]"
    cards = changed((f"{old}\ndestroyed_at = 7", "chart = [{ from = 0, to = 8, rations = 0 }]\ndestroyed_at = 9"))

    assert [cards.locations["the_docks"].rations(rubble) for rubble in (0, 8, 9)] == [0, 0, 0]
    assert cards.locations["the_docks"].destroyed_at == 9


def test_a_location_without_a_note() -> None:
    """location.note-priority: some Locations have one."""
    old = re.search(r'note = \{ op = "free_moves_per_turn".*\nnote_text = .*\nnote_survives = false\n', TEXT)

    assert old
    assert changed((old[0], "")).locations["central_station"].note == LocationNote("none")


def test_other_forces_and_figures_where_the_text_gives_none() -> None:
    """force.combat, force.cost: the 384th's Combat is not said, nor what each Force of the set-up costs."""
    cards = changed(
        ('name = "384th Infantry"\ncombat = 3', 'name = "384th Infantry"\ncombat = 4'),
        (
            'name = "14th Panzer"\ncombat = 7\nrations = 4\ncost = 3',
            'name = "14th Panzer"\ncombat = 7\nrations = 4\ncost = 4',
        ),
        (
            'name = "16th Panzer"\ncombat = 5\nrations = 4\ncost = 3',
            'name = "16th Panzer"\ncombat = 5\nrations = 4\ncost = 2',
        ),
    )

    assert [cards.forces[PieceId(f"g_{name}")].cost for name in ("14_panzer", "16_panzer")] == [4, 2]
    assert cards.forces[PieceId("g_384_infantry")].combat == 4


def test_combat_that_the_sample_game_tells_while_a_force_attacks_may_hold_a_note() -> None:
    """force.note.attack-bonus: the 14th Panzer's 7 are said of an attack."""
    cards = changed(
        (
            "combat = 7\nrations = 4\ncost = 3\n",
            "combat = 5\nrations = 4\ncost = 3\nattack_bonus = 2\n",
        )
    )

    assert (cards.forces[PieceId("g_14_panzer")].combat, cards.forces[PieceId("g_14_panzer")].attack_bonus) == (5, 2)


def test_a_forgotten_medal_is_allowed_for() -> None:
    """heroic.combat: 126th and 248th may have Combat 5 together, if the sample game forgot the counter (C103)."""
    cards = changed(
        (
            "combat = 1\nrations = 4\ncost = 2\nattack_bonus = 2\n",
            "combat = 2\nrations = 4\ncost = 2\nattack_bonus = 1\n",
        )
    )

    assert cards.forces[PieceId("r_126_rifle")].combat + cards.forces[PieceId("r_248_rifle")].combat == 5


def test_other_copies_and_values() -> None:
    """setup.action-decks, card.firefight-value."""
    cards = changed(
        (
            'copies = { german = [2, -2, 1] }\nprov = { _ = "R C92"',
            'copies = { german = [2, -2, 1, 3], russian = [1] }\nprov = { _ = "R C92"',
        ),
    )

    assert [len(cards.decks[Side(side)]) for side in ("german", "russian")] == [57, 57]
    assert cards.cards[CardId("german/tanks-4")].value == 3


def test_windows_open_by_the_owners_deck_list() -> None:
    """window.who-is-asked: with a German Sniper the German is asked when the Russian Moves."""
    cards = changed(
        ("copies = { russian = [-1, -2, 1, -3, 2] }", "copies = { german = [1], russian = [-1, -2, 1, -3, 2] }"),
    )

    assert "react_move" in cards.has_timing[Side("german")]
    assert "react_move" not in CARD_FILE.load().has_timing[Side("german")]


def test_other_uranus_cards_that_may_share_a_name() -> None:
    """uranus.deck, uranus.several: six copies, whatever they are called and however they are divided."""
    text = re.sub(r'name = "Operation: Uranus \(.*\)"', 'name = "Operation: Uranus"', TEXT)
    head, last = text.rsplit("[[uranus]]", 1)
    assert 'id = "uranus_6"' in last
    cards = load_file(CARD_FILE, head.replace("firefight = [-2]", "firefight = [-2, 2]"))

    assert sum(card.title.price is not None for card in cards.cards.values()) == 6
    assert cards.cards[CardId("russian/uranus_5-2")].title.name == "Operation: Uranus"


def test_a_victory_without_condition() -> None:
    """card.victory: its condition is not in the text, so that the file decides."""
    cards = changed(
        ('condition = "no_enemy_participant_left_in_control_area"\n', ""), (', condition = "X fits C76"', "")
    )

    assert cards.cards[CardId("german/victory-1")].title.condition == ""
    assert CARD_FILE.load().cards[CardId("german/victory-1")].title.condition != ""


def test_an_attack_card_that_no_other_force_may_join() -> None:
    """card.attack.others-join: that others may join is not in the text, so that the file decides."""
    cards = changed((", may_join = true }", " }"), ('"effect.may_join" = "X", ', ""))

    assert not cards.cards[CardId("german/attack-1")].title.may_join
    assert CARD_FILE.load().cards[CardId("german/attack-1")].title.may_join


def test_a_card_for_either_turn_where_the_text_gives_no_moment() -> None:
    """card.any-time."""
    cards = changed(('name = "Supply Raid"\ntiming = "own_action"', 'name = "Supply Raid"\ntiming = "any_time"'))

    assert cards.cards[CardId("german/supply_raid-1")].title.timing == "any_time"


def bare(text: str) -> str:
    """Strip a file of comments, provenance and everything else that only readers need."""
    text = re.sub(r"(?m)^#.*\n|^prov = .*\n|^(?:note_)?text = .*\n", "", text)
    return re.sub(r"(?ms)^\[(?:provenance|sources)\]\n.*?(?=^\[|\Z)", "", text)


def test_a_file_with_nothing_but_what_the_rules_read() -> None:
    cards = load_file(CARD_FILE, bare(TEXT))

    assert cards.forces == CARD_FILE.load().forces
    assert cards.decks == CARD_FILE.load().decks
    assert cards.figures == CARD_FILE.load().figures


def test_the_game_is_bound_to_an_owners_cards() -> None:
    text = TEXT.replace('"45th Rifle"', '"42nd Rifle"')
    bound = GAME.bind(text)

    assert bound.board_digest == component_digest(text.encode())
    assert bound.narration.name("r_45_rifle").startswith("42nd Rifle")


# Cards that differ as far as they may are played like others

UNUSUAL = (
    ("combat_bonus_all", "battle", "amount = 3"),
    ("combat_bonus_all", "own_action", "amount = 2"),
    ("search_deck", "own_action", ""),
    ("gain_rations_each", "any_time", "amount = 1"),
    ("distribute_rations", "any_time", "amount = 20"),
    ("steal_rations", "any_time", "amount = 9"),
    ("card_attack", "own_action", "rubble = 0, hits = 20"),
    ("stop_hits", "suffering_hits", "amount = 20, min_rubble = 0"),
    ("free_moves", "own_action", "amount = 20"),
    ("draw_cards", "after_battle", "amount = 20"),
)
"""Effects, moments and figures of cards that the packaged file does not have."""


def unusual() -> str:
    """Write a file whose cards differ from the packaged ones as far as they may."""
    text = bare(TEXT).replace(", may_join = true", "")
    text = text.replace('condition = "no_enemy_participant_left_in_control_area"\n', "")
    text = re.sub(r'note = \{ op = "free_moves_per_turn".*\n', "", text)
    text = text.replace(
        'name = "45th Rifle"\ncombat = 1\nrations = 2\ncost = 1',
        'name = "45th Rifle"\ncombat = 0\nrations = 0\ncost = 20',
    )
    text = text.replace('"discard_cards", count = 2', '"destroy_own_forces", count = 3')
    text = text.replace('"discard_rations", count = 6', '"destroy_own_forces", count = 4')
    extra = "".join(
        f'[[action]]\nid = "extra_{number}"\nname = "Extra {number}"\ntiming = "{timing}"\n'
        f'effect = {{ op = "{op}"{figures and ", "}{figures} }}\ncopies = {{ german = [1, -1, 2], russian = [1, 3] }}\n\n'
        for number, (op, timing, figures) in enumerate(UNUSUAL)
    )
    return text.replace("[[uranus]]", f"{extra}[[uranus]]", 1)


@pytest.mark.parametrize("seed", sampled(range(6), lambda seed: seed < 2))
def test_unusual_cards_are_played_to_the_end(seed: int) -> None:
    """card.play-action, card.any-time: whatever a file is allowed to say, the rules can carry out."""
    rng = Random(seed)
    options = {spec.key: spec.default for spec in OPTIONS} | {"turn_cap": 12, "action_cap": 30}
    desk = Desk.open("battle", "standard", options=options, seed=str(seed), board=unusual())
    for _ in range(5_000):
        if desk.table.ended is not None:
            break
        desk.accept(rng.choice(onward(desk.options())))

    assert desk.table.ended is not None
    assert desk.audit().findings == ()
