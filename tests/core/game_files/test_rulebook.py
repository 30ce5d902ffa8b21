"""Rules indexes with different conventions are read; an unknown id is answered with similar ones."""

import re
from pathlib import Path

import pytest

from core.errors import UnknownName
from core.game_files.rulebook import RefusalMeaning, Rulebook, RulebookInvalid, load_rulebook, parse_rulebook
from core.registry.games import GAMES, load_game
from events.ids import RuleId
from tests.support.rows import each_row

PACKAGE = "core.games.advance"

SMALL = b"""
schema = "rules-index/1"
game = "skat"
title = "Skat"
kinds = ["setup", "action"]
refusals = ["card_must_follow", "card_must_be_held", "match_must_be_running"]

[[rule]]
id = "1.0.three"
page = "1.0"
kind = "setup"
text = "Three play."
test = "Four sit down -> Refused (match_must_be_running)."

[[rule]]
id = "1.1.follow"
page = "1.1"
kind = "action"
text = "Follow suit."
needs = ["1.0.three"]
rulings = ["ruling.void"]
test = "A heart on a club -> Refused (card_must_follow)."

[[rule]]
id = "1.10.tricks"
page = "1.10"
kind = "action"
text = "Ten tricks."
test = "Eleventh -> none."

[[ruling]]
id = "ruling.void"
weight = "low"
question = "And who cannot?"
readings = ["Plays anything.", "Passes."]
ruling = "Plays anything."
why = "Custom."
option = true
option_name = "void"
option_values = ["anything", "pass"]
rules = ["1.1.follow"]
"""

MEANINGS = b"""
[refusal_meaning]
card_must_follow = { rule = "1.1.follow", text = "Follow suit." }
match_must_be_running = "The match is over."
"""

NUMBERED = b"""
schema = 1
game = "whist"
title = "Whist"

[[rule]]
id = "deal"
page = "p. 3, The Deal"
kind = "action"
text = "Deal."
source = "text"
data = ["cards"]
test = "GIVEN a deck WHEN dealt THEN 13 each."
"""


def test_rules_and_rulings_are_found_by_id() -> None:
    book = parse_rulebook(SMALL)

    assert book.rule("1.1.follow").needs == ("1.0.three",)
    assert book.rule("1.1.follow").rulings == ("ruling.void",)
    assert book.ruling("ruling.void").readings == ("Plays anything.", "Passes.")
    assert [book.entry(one).id for one in ("1.0.three", "ruling.void")] == ["1.0.three", "ruling.void"]


@each_row(
    ("ask", "asked", "message"),
    [
        ("rule", "1.1.folow", "Skat has no rule '1.1.folow'; similar: 1.1.follow"),
        ("rule", "follow", "Skat has no rule 'follow'; similar: 1.1.follow"),
        ("rule", "xyz", "Skat has no rule 'xyz'"),
        ("rule", "", "Skat has no rule ''"),
        ("rule", "ruling.void", "Skat has no rule 'ruling.void'"),
        ("ruling", "rulling.void", "Skat has no ruling 'rulling.void'; similar: ruling.void"),
        ("entry", "ruling.avoid", "Skat has no rule or ruling 'ruling.avoid'; similar: ruling.void"),
        ("refusal", "card_must_be_hold", "Skat has no refusal 'card_must_be_hold'; similar: card_must_be_held"),
        ("precedence", "nothing", "Skat has no refusal 'nothing'"),
    ],
)
def test_an_unknown_id_is_answered_with_similar_ones(ask: str, asked: str, message: str) -> None:
    book = parse_rulebook(SMALL)

    with pytest.raises(UnknownName) as error:
        getattr(book, ask)(asked)

    assert str(error.value) == message or str(error.value).startswith(f"{message}, ")


@each_row(
    ("page", "expected"),
    [
        ("1.0", ["1.0.three"]),
        ("1.1", ["1.1.follow"]),
        ("1.", ["1.0.three", "1.1.follow", "1.10.tricks"]),
        ("1", ["1.0.three", "1.1.follow", "1.10.tricks"]),
        ("2", []),
    ],
)
def test_a_section_holds_its_own_rules_and_those_below_it(page: str, expected: list[str]) -> None:
    assert [rule.id for rule in parse_rulebook(SMALL).section(page)] == expected


@each_row(
    ("page", "section", "is_within"),
    [
        ("9.4, 8.1", "9.4", True),
        ("9.4, 8.1", "8.1", True),
        ("9.4, 8.1", "8", True),
        ("9.4, 8.1", "4", False),
        ("19.4", "9.4", False),
        ("9.40", "9.4", False),
        ("9.5.2A", "9.5.2", True),
        ("9.5.2, 9.5.3C", "9.5.3C", True),
        ("6.2 (chart reconstructed), 13.2", "6.2", True),
        ("p. 17, 1 vs 1", "1", False),
        ("p. 17, 1 vs 1", "1 vs 1", True),
        ("p. 17, 1 vs 1", "p. 1", False),
        ("p.12; p.24 Card 1", "p.24", True),
        ("Set-Up: Action Cards; Sample Game: Set-Up", "Sample Game", True),
        ("Components; Set-Up", "Comp", False),
    ],
)
def test_a_rule_belongs_to_every_section_that_it_names(page: str, section: str, is_within: bool) -> None:
    book = parse_rulebook(SMALL.replace(b'page = "1.1"', f'page = "{page}"'.encode()))

    assert ("1.1.follow" in [rule.id for rule in book.section(section)]) == is_within


def test_a_rule_comes_last_in_a_section_that_it_does_not_name_first() -> None:
    book = parse_rulebook(SMALL.replace(b'page = "1.0"', b'page = "1.0, 1.10"'))

    assert [rule.id for rule in book.section("1.10")] == ["1.10.tricks", "1.0.three"]


@each_row("section", ["", ".", "..."])
def test_no_section_has_no_rules(section: str) -> None:
    assert parse_rulebook(SMALL).section(section) == ()


def test_the_first_listed_value_of_an_option_is_its_default() -> None:
    assert parse_rulebook(SMALL).ruling("ruling.void").default() == "anything"


def test_a_named_default_of_an_option_is_its_default() -> None:
    named = SMALL.replace(b'option_values = ["anything", "pass"]', b'option_default = "pass"')

    assert parse_rulebook(named).ruling("ruling.void").default() == "pass"


def test_a_ruling_without_option_has_no_default() -> None:
    plain = SMALL.replace(b'option_values = ["anything", "pass"]\n', b"").replace(b"option = true", b"option = false")

    assert parse_rulebook(plain).ruling("ruling.void").default() == ""


def test_refusals_without_a_given_precedence_rank_as_listed() -> None:
    book = parse_rulebook(SMALL)

    assert book.refusals == (
        RefusalMeaning(code="card_must_follow", rule=None, text=""),
        RefusalMeaning(code="card_must_be_held", rule=None, text=""),
        RefusalMeaning(code="match_must_be_running", rule=None, text=""),
    )
    assert book.precedence("card_must_be_held") == 1


def test_refusals_have_the_rule_or_sentence_given_by_their_game() -> None:
    book = parse_rulebook(SMALL + MEANINGS)

    assert book.refusal("card_must_follow") == RefusalMeaning("card_must_follow", RuleId("1.1.follow"), "Follow suit.")
    assert book.refusal("match_must_be_running") == RefusalMeaning("match_must_be_running", None, "The match is over.")


def test_refusals_with_a_given_precedence_come_first() -> None:
    ranked = SMALL.replace(b"[[rule]]", b'refusal_precedence = ["match_must_be_running"]\n\n[[rule]]', 1)
    codes = [refusal.code for refusal in parse_rulebook(ranked).refusals]

    assert codes == ["match_must_be_running", "card_must_follow", "card_must_be_held"]


def test_an_index_without_kinds_rulings_and_refusals_is_read() -> None:
    book = parse_rulebook(NUMBERED)

    assert (book.kinds, book.rulings, book.refusals) == (("action",), {}, ())
    assert (book.rule("deal").source, book.rule("deal").data) == ("text", ("cards",))


@each_row(
    ("data", "reason"),
    [
        (b"\xff", "utf-8"),
        (b"game = ", "Invalid value"),
        (b'game = "skat"', "missing required field"),
        (SMALL.replace(b'text = "Three play."', b"text = 3"), "Expected `str`"),
        (SMALL.replace(b'id = "1.1.follow"', b'id = "1.0.three"'), "occurs twice"),
        (SMALL.replace(b'id = "ruling.void"', b'id = "1.0.three"'), "occurs twice"),
        (b"a = " + b"[" * 5000, "recursion"),
    ],
)
def test_an_unreadable_index_is_refused_with_the_reason(data: bytes, reason: str) -> None:
    with pytest.raises(RulebookInvalid, match=reason):
        parse_rulebook(data)


@pytest.mark.parametrize(
    ("rules", "refusals", "reason"),
    [
        ('game = "', "", r"^odd_index: data/rules\.toml cannot be read: .*end of document"),
        ('game = "odd"', "[refusal_meaning", r"^odd_index: data/refusals\.toml cannot be read: .*end of document"),
        (
            'game = "odd"',
            "",
            r"^odd_index: data/rules\.toml with data/refusals\.toml cannot be read: .*missing required field",
        ),
    ],
)
def test_an_unreadable_index_is_named_with_its_file(
    rules: str, refusals: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "odd_index" / "data"
    data.mkdir(parents=True)
    (data / "rules.toml").write_text(rules)
    (data / "refusals.toml").write_text(refusals)
    monkeypatch.syspath_prepend(str(tmp_path))
    load_rulebook.cache_clear()
    with pytest.raises(RulebookInvalid, match=reason):
        load_rulebook("odd_index")


@each_row("package", ["core.games.nothing", "core"])
def test_a_package_without_index_is_refused(package: str) -> None:
    with pytest.raises(RulebookInvalid, match=f"the rules index of {package} cannot be read"):
        load_rulebook(package)


@pytest.fixture(scope="module")
def packaged() -> Rulebook:
    return load_rulebook(PACKAGE)


def test_the_packaged_index_is_read_once(packaged: Rulebook) -> None:
    assert load_rulebook(PACKAGE) is packaged


def test_the_packaged_index_is_whole(packaged: Rulebook) -> None:
    assert (len(packaged.rules), len(packaged.rulings), len(packaged.refusals)) == (251, 71, 43)
    assert len(packaged.digest) == 64


def test_rules_and_rulings_of_the_packaged_index_name_each_other(packaged: Rulebook) -> None:
    from_rules = {(rule.id, ruling) for rule in packaged.rules.values() for ruling in rule.rulings}
    from_rulings = {(rule, ruling.id) for ruling in packaged.rulings.values() for rule in ruling.rules}

    assert from_rules == from_rulings
    assert {ruling for _, ruling in from_rules} <= packaged.rulings.keys()


def test_rules_of_the_packaged_index_need_rules_that_exist(packaged: Rulebook) -> None:
    needed = {need for rule in packaged.rules.values() for need in rule.needs}

    assert needed - packaged.rules.keys() == set()


def test_rules_of_the_packaged_index_have_a_known_kind(packaged: Rulebook) -> None:
    assert {rule.kind for rule in packaged.rules.values()} == set(packaged.kinds)


def test_each_refusal_of_the_packaged_index_names_its_rule_and_has_a_sentence(packaged: Rulebook) -> None:
    assert {refusal.rule for refusal in packaged.refusals} <= packaged.rules.keys()
    assert [refusal.code for refusal in packaged.refusals if not refusal.text.endswith(".")] == []


def test_each_option_of_the_packaged_index_has_a_name_and_a_default(packaged: Rulebook) -> None:
    options = [ruling for ruling in packaged.rulings.values() if ruling.option]

    assert len(options) == 18
    assert [ruling.id for ruling in options if not (ruling.option_name and ruling.default())] == []


CODE = re.compile(r"\b[A-Z][0-9]+\b|\b[GR]\b")
"""Numbers of questions, constraints and steps, and letters for sides, which only who made the index can look up."""
PRINTED = {"advance": {"T2", "T7"}, "inferno": {"R"}}
"""What looks like a code, but is printed on counters."""


@each_row("game", list(GAMES))
def test_what_players_read_of_rules_has_no_codes_that_they_cannot_look_up(game: str) -> None:
    package = load_game(game).package
    book = load_rulebook(package)
    read = {rule.id: rule.text for rule in book.rules.values()}
    for ruling in book.rulings.values():
        read[ruling.id] = " ".join((ruling.question, *ruling.readings, ruling.ruling, ruling.why))
    codes = {id_: set(CODE.findall(text)) - PRINTED.get(game, set()) for id_, text in read.items()}

    assert {id_: found for id_, found in codes.items() if found} == {}
