"""An owner's cards may differ in all that the rulebook's text leaves open; they are built, named by their bytes, and used."""

import re
import tomllib
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.components.findings import BoardInvalid
from core.games.battle import GAME
from core.games.battle.components.card_file import card_digest, load_cards, packaged_bytes
from core.games.battle.components.card_model import Cards, LocationNote
from core.games.battle.components.checks.card_checks import read_cards
from core.games.battle.options import OPTIONS
from core.selection import onward
from events.ids import CardId, PieceId, Side
from tests.support.desk import Desk

TEXT = packaged_bytes().decode()


def owned(*changes: tuple[str, str]) -> Cards:
    """Change every place where the packaged text has each old text, and read the cards."""
    text = TEXT
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    cards = read_cards(text.encode())

    assert isinstance(cards, Cards), [defect.sentence() for defect in cards]
    return cards


def test_other_names_where_the_text_gives_none() -> None:
    """ruling.reconstructed-cards: the Department Store and the invented Forces are guesses."""
    cards = owned(("Univermag Department Store", "Nail Factory"), ('"45th Rifle"', '"42nd Rifle"'))

    assert cards.locations["univermag_department_store"].name == "Nail Factory"
    assert cards.forces[PieceId("r_45_rifle")].name == "42nd Rifle"


@pytest.mark.parametrize("name", ["Pavlov\u2019s House", "PAVLOV'S  HOUSE"])
def test_a_printed_name_with_other_apostrophes_capitals_and_spaces(name: str) -> None:
    assert owned(('name = "Pavlov\'s House"', f'name = "{name}"')).locations["pavlovs_house"].name == name


def test_the_text_calls_one_card_by_two_names() -> None:
    """card.scouts: an example says Scout, the sample game Scouts."""
    assert owned(('name = "Scouts"', 'name = "Scout"')).cards[CardId("russian/scouts-1")].title.name == "Scout"


def test_another_chart_where_the_text_gives_none() -> None:
    """location.rubble-chart."""
    old = "chart = [{ from = 0, to = 2, rations = 3 }, { from = 3, to = 4, rations = 2 }, { from = 5, to = 6, rations = 1 }]"
    cards = owned((f"{old}\ndestroyed_at = 7", "chart = [{ from = 0, to = 8, rations = 0 }]\ndestroyed_at = 9"))

    assert [cards.locations["the_docks"].rations(rubble) for rubble in (0, 8, 9)] == [0, 0, 0]
    assert cards.locations["the_docks"].destroyed_at == 9


def test_a_location_without_a_note() -> None:
    """location.note-priority: some Locations have one."""
    old = re.search(r'note = \{ op = "free_moves_per_turn".*\nnote_text = .*\nnote_survives = false\n', TEXT)

    assert old
    assert owned((old[0], "")).locations["central_station"].note == LocationNote("")


def test_other_forces_and_figures_where_the_text_gives_none() -> None:
    """force.combat, force.cost: the 384th's Combat is not said, nor what each Force of the set-up costs."""
    cards = owned(
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
    cards = owned(
        (
            "combat = 7\nrations = 4\ncost = 3\nnotes = []",
            'combat = 5\nrations = 4\ncost = 3\nnotes = [{ op = "attack_bonus", amount = 2 }]',
        )
    )

    assert (cards.forces[PieceId("g_14_panzer")].combat, cards.forces[PieceId("g_14_panzer")].attack_bonus) == (5, 2)


def test_a_forgotten_medal_is_allowed_for() -> None:
    """heroic.combat: 126th and 248th may have Combat 5 together, if the sample game forgot the counter (C103)."""
    cards = owned(
        (
            'combat = 1\nrations = 4\ncost = 2\nnotes = [{ op = "attack_bonus", amount = 2 }]',
            'combat = 2\nrations = 4\ncost = 2\nnotes = [{ op = "attack_bonus", amount = 1 }]',
        )
    )

    assert cards.forces[PieceId("r_126_rifle")].combat + cards.forces[PieceId("r_248_rifle")].combat == 5


def test_other_copies_and_values() -> None:
    """setup.action-decks, card.firefight-value."""
    cards = owned(
        (
            'copies = { german = [2, -2, 1] }\nprov = { _ = "R C92"',
            'copies = { german = [2, -2, 1, 3], russian = [1] }\nprov = { _ = "R C92"',
        ),
        ("actions_german = 56\nactions_russian = 56", "actions_german = 57\nactions_russian = 57"),
        ("cards_total = 168", "cards_total = 170"),
    )

    assert [len(cards.decks[Side(side)]) for side in ("german", "russian")] == [57, 57]
    assert cards.cards[CardId("german/tanks-4")].value == 3


def test_windows_open_by_the_owners_deck_list() -> None:
    """window.who-is-asked: with a German Sniper the German is asked when the Russian Moves."""
    cards = owned(
        ("copies = { russian = [-1, -2, 1, -3, 2] }", "copies = { german = [1], russian = [-1, -2, 1, -3, 2] }"),
        ("actions_german = 56", "actions_german = 57"),
        ("cards_total = 168", "cards_total = 169"),
    )

    assert "react_move" in cards.has_timing[Side("german")]
    assert "react_move" not in load_cards().has_timing[Side("german")]


def test_other_uranus_cards_that_may_share_a_name() -> None:
    """uranus.deck, uranus.several: six copies, whatever they are called and however they are divided."""
    text = re.sub(r'name = "Operation: Uranus \(.*\)"', 'name = "Operation: Uranus"', TEXT)
    head, last = text.rsplit("[[uranus]]", 1)
    assert 'id = "uranus_6"' in last
    cards = read_cards(head.replace("firefight = [-2]", "firefight = [-2, 2]").encode())

    assert isinstance(cards, Cards), [defect.sentence() for defect in cards]
    assert sum(card.title.is_uranus for card in cards.cards.values()) == 6
    assert cards.cards[CardId("russian/uranus_5-2")].title.name == "Operation: Uranus"


def test_a_victory_without_condition() -> None:
    """card.victory: its condition is not in the text, so that the file decides."""
    cards = owned(('condition = "no_enemy_participant_left_in_control_area"\n', ""), (', condition = "X fits C76"', ""))

    assert cards.cards[CardId("german/victory-1")].title.condition == ""
    assert load_cards().cards[CardId("german/victory-1")].title.condition != ""


def test_an_attack_that_nobody_joins() -> None:
    """card.attack.others-join: that others may join is not in the text, so that the file decides."""
    cards = owned((", others_may_join_for = 1 }", " }"), ('"effect.others_may_join_for" = "X", ', ""))

    assert not cards.cards[CardId("german/attack-1")].title.may_join
    assert load_cards().cards[CardId("german/attack-1")].title.may_join


def test_a_card_for_either_turn_where_the_text_gives_no_moment() -> None:
    """card.any-time."""
    cards = owned(('name = "Supply Raid"\ntiming = "own_action"', 'name = "Supply Raid"\ntiming = "any_time"'))

    assert cards.cards[CardId("german/supply_raid-1")].title.timing == "any_time"


def bare(text: str) -> str:
    """Strip a file of comments, provenance, explanations and everything else that only people read."""
    text = re.sub(
        r"(?m)^#.*\n|^prov = .*\n|^publisher = .*\n|^players = .*\n|^sides = .*\n|^(?:note_)?text = .*\n", "", text
    )
    text = re.sub(r"(?ms)^\[(?:provenance|constraint|components|vocabulary\.\w+)\]\n.*?(?=^\[|\Z)", "", text)
    text = re.sub(r"(?ms)^\[\[counter\]\]\n.*?(?=^\[|\Z)", "", text)
    told = ("location", "control", "force", "cards", "uranus", "turn", "firefight", "buy")
    return re.sub(rf"(?ms)^\[rules\.(?:{'|'.join(told)})\]\n.*?(?=^\[|\Z)", "", text)


def test_a_file_with_nothing_but_what_the_rules_read() -> None:
    cards = read_cards(bare(TEXT).encode())

    assert isinstance(cards, Cards), [defect.sentence() for defect in cards]
    assert cards.forces == load_cards().forces
    assert cards.decks == load_cards().decks
    assert cards.figures == load_cards().figures
    assert "prov" not in bare(TEXT)


def test_a_byte_order_mark_and_other_line_feeds_are_no_defects() -> None:
    cards = read_cards(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())

    assert isinstance(cards, Cards)
    assert cards.cards == load_cards().cards
    assert cards.digest != load_cards().digest


def test_cards_are_named_by_their_exact_bytes() -> None:
    data = TEXT.replace('"45th Rifle"', '"42nd Rifle"').encode()
    cards = load_cards(data)

    assert cards.digest == card_digest(data)
    assert not cards.is_packaged


def test_our_own_file_is_recognized() -> None:
    assert load_cards(packaged_bytes()) == load_cards()
    assert load_cards(TEXT) == load_cards()


def test_the_game_is_bound_to_an_owners_cards() -> None:
    text = TEXT.replace('"45th Rifle"', '"42nd Rifle"')
    bound = GAME.bind(text)

    assert bound.board_digest == card_digest(text.encode())
    assert bound.narration.name("r_45_rifle").startswith("42nd Rifle")


def test_all_defects_are_raised_together() -> None:
    text = TEXT.replace("base = 5\n", "base = 6\n").replace("\ncontrol = 5", "\ncontrol = 4")

    with pytest.raises(BoardInvalid) as error:
        load_cards(text)

    assert [(defect.where, defect.problem) for defect in error.value.board_defects] == [
        ("rules.victory.control", "is 4"),
        ("rules.draw.base", "is 6"),
    ]
    assert error.value.defects == tuple(defect.sentence() for defect in error.value.board_defects)


def test_a_text_that_utf8_cannot_hold_is_a_defect() -> None:
    with pytest.raises(BoardInvalid, match="invalid UTF-8"):
        load_cards("schema = '\ud800'")


@pytest.mark.parametrize("data", [b"", b"\n", b"schema = 1", b"[rules]\ndraw = 7\n", b"force = [1]\n[location]\n"])
def test_a_file_of_nothing_much_lacks_every_section(data: bytes) -> None:
    defects = read_cards(data)

    assert isinstance(defects, tuple)
    assert {"action", "uranus"} <= {one.where for one in defects if one.problem == "is missing"}


@pytest.mark.parametrize("section", ["location", "force", "action", "uranus"])
def test_each_kind_of_card_is_needed(section: str) -> None:
    text = re.sub(rf"(?ms)^\[\[{section}\]\]\n.*?(?=^\[|\Z)", "", TEXT)
    defects = read_cards(text.encode())

    assert isinstance(defects, tuple)
    assert [(one.line, one.where) for one in defects if one.problem == "is missing"] == [(1, section)]


@pytest.mark.parametrize(
    ("section", "key"),
    [
        *(
            ("victory", "control"),
            ("setup", "points"),
            ("area", "limit"),
            ("supply", "perimeter_force"),
            ("move", "cost"),
        ),
        *(("attack", "rubble"), ("absorb", "per_retreat"), ("heroic_service", "combat"), ("resupply", "rations")),
        ("draw", "base"),
    ],
)
def test_each_figure_that_the_rules_read_is_needed(section: str, key: str) -> None:
    text = re.sub(rf"(?ms)(^\[rules\.{section}\]\n(?:(?!^\[).)*?)^{key} = .*?\n", r"\1", TEXT)
    defects = read_cards(text.encode())

    assert isinstance(defects, tuple)
    assert [one.where for one in defects if one.problem == "is missing"] == [f"rules.{section}.{key}"]


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
    ("free_moves", "own_action", "count = 20"),
    ("draw_cards", "after_battle", "amount = 20"),
)
"""Effects, moments and figures of cards that the packaged file does not have."""


def unusual() -> str:
    """Write a file whose cards differ from the packaged ones as far as they may."""
    text = bare(TEXT).replace(", others_may_join_for = 1", "")
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


@pytest.mark.parametrize("seed", range(6))
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


# Whatever happens to a file, it is cards or a list of defects


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """Cut, double, swap or overwrite pieces of the packaged file."""
    data = TEXT
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.sampled_from([0, 1, 2, 5, 20, 100, 1000])))
        piece = draw(
            st.one_of(
                st.sampled_from(["", "\n", '"', "[", "]", "{", "}", "=", ",", "#", "'", '"""', "[[", "1", "-", "true"]),
                st.just(data[start:end] * 2),
                st.text(max_size=5),
            )
        )
        data = data[:start] + piece + data[end:]
    return data.encode()


VALUES = st.sampled_from(
    ["0", "-1", "51", "99999999999999999999", "1.5", "nan", "true", "false", '""', '"x"', '"rubble"', "[]", "{}", "[[[1]]]",
     "{ op = 1 }", "[1, 2]", '["a"]', "1942-09-13", "0xffffffffffffffffffffffffffffffffffffffffffffffff", '"\\u0000"',
     '{ op = "free_move" }', '"german"', '"any_time"', '" "', '{ _ = "" }', '{ "a..b" = "R" }'],
)  # fmt: skip

# Beyond this the file has the sentences of the text, which no rule reads.
PLACES = [
    found.span(1)
    for found in re.finditer(r"= ([^\s,\]}]+|\"[^\"\n]*\"|\{[^\n]*\}|\[[^\n]*\])(?=[,\s}\]])", TEXT)
    if not re.match(r"C\d+ ", TEXT[TEXT.rindex("\n", 0, found.start()) + 1 :])
]


@st.composite
def mistyped(draw: st.DrawFn) -> bytes:
    """Replace some values of the packaged file by values of any type."""
    chosen = sorted(draw(st.sets(st.sampled_from(PLACES), min_size=1, max_size=5)), reverse=True)
    text, before = TEXT, len(TEXT)
    for start, end in chosen:
        if end <= before:
            text = text[:start] + draw(VALUES) + text[end:]
            before = start
    return text.encode()


@st.composite
def shuffled(draw: st.DrawFn) -> bytes:
    """Take some records of the packaged file out, double others and put values of one into another."""
    records = TEXT.split("\n\n")
    for _ in range(draw(st.integers(1, 4))):
        one, other = (draw(st.integers(0, len(records) - 1)) for _ in range(2))
        lines = records[one].split("\n")
        lines[draw(st.integers(0, len(lines) - 1))] = draw(st.sampled_from(records[other].split("\n")))
        records[one] = draw(st.sampled_from(["", records[one] + "\n\n" + records[one], "\n".join(lines)]))
    return "\n\n".join(records).encode()


def judged(data: bytes) -> None:
    result = read_cards(data)
    if isinstance(result, Cards):
        assert tomllib.loads(data.decode("utf-8-sig"))
        assert result.digest == card_digest(data)
    else:
        lines = data.count(b"\n") + 1
        assert result
        for defect in result:
            assert 1 <= defect.line <= lines
            assert defect.where and defect.problem and defect.expected
            assert defect.sentence().isprintable()


@given(damaged())
def test_a_damaged_file_is_cards_or_a_list_of_defects(data: bytes) -> None:
    judged(data)


@given(mistyped())
def test_a_mistyped_file_is_cards_or_a_list_of_defects(data: bytes) -> None:
    judged(data)


@given(shuffled())
def test_a_file_with_other_records_is_cards_or_a_list_of_defects(data: bytes) -> None:
    judged(data)


@given(st.binary(max_size=300))
def test_any_bytes_are_a_list_of_defects(data: bytes) -> None:
    judged(data)


@given(st.text(max_size=300))
def test_any_text_is_a_list_of_defects(text: str) -> None:
    judged(text.encode("utf-8", "surrogatepass"))


def test_hostile_files_are_answered() -> None:
    keys = b"\n".join(b"k%d = 1" % number for number in range(40_000))
    forces = b"force = [\n" + b'{ id = "x" },\n' * 30_000 + b"]\n"
    alike = TEXT + '\n[[force]]\nid = "a"\nside = "german"\nname = "A"\ncombat = 1\nrations = 1\ncost = 1\n' * 5_000
    deep = TEXT.replace("[[uranus]]", f"[rules{'.a' * 60}]\nb = 1\n[[uranus]]", 1)

    for data in (keys, forces, alike.encode(), deep.encode()):
        judged(data)
