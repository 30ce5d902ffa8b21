"""Rules are found by words, whatever is typed."""

import time

from core.game_files.rule_search import FOUND_MAX, search_rules
from core.game_files.rulebook import Rule, load_rulebook
from tests.support.rows import each_row

BATTLE = load_rulebook("core.games.battle")
SOON_S = 1.0


def found(query: str) -> list[str]:
    return [str(one.id) for one in search_rules(BATTLE, query)]


def test_words_of_an_id_come_first() -> None:
    assert found("draw base")[0] == "draw.base"
    assert found("RETREATS once")[0] == "retreat.once"


@each_row(
    "typed, rule",
    [
        ("stacking", "stack.limit"),
        ("Stacked", "stack.limit"),
        ("hexes", "stack.one-side-per-hex"),
        ("moving", "german.long-move.distance"),
    ],
)
def test_a_word_is_found_in_its_other_forms(typed: str, rule: str) -> None:
    assert rule in [str(one.id) for one in search_rules(load_rulebook("core.games.inferno"), typed)]


def test_rules_with_all_words_come_before_those_with_fewer() -> None:
    def has(one: str, word: str) -> bool:
        entry = BATTLE.entry(one)
        said = f"{entry.page} {entry.text}" if isinstance(entry, Rule) else f"{entry.question} {entry.ruling}"
        return word in f"{one} {said}".casefold()

    both = [has(one, "sniper") and has(one, "retreat") for one in found("sniper retreat")]

    assert both[0]
    assert not both[-1]
    assert both == sorted(both, reverse=True)
    assert found("retreat unicorn") == found("retreat")


def test_the_beginning_of_a_word_is_enough() -> None:
    assert "victory.only-way" in found("victor")


def test_rulings_are_found_too() -> None:
    assert any(one.startswith("ruling.") for one in found("aftermath order"))


@each_row("query", ["", "   ", "?!", "unicorn", "(.*)+$", ".*", "\x00"])
def test_what_is_in_no_rule_finds_none(query: str) -> None:
    assert found(query) == []


@each_row("query", ["a" * 100_000, "a " * 50_000, "(" * 10_000, "e i o u " * 1_000])
def test_a_query_of_any_length_takes_little_time_and_finds_few(query: str) -> None:
    began = time.monotonic()
    rules = found(query)

    assert len(rules) <= FOUND_MAX
    assert time.monotonic() - began < SOON_S
