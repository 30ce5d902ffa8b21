"""The page about how solitaire matches end: what its figures mean, and that it is the one that its command writes."""

import re

from core.games.inferno.options import OFF
from tests.support.inferno_results import LEVELS, PAGE, TEXT, Played, line, page, played

WON = Played(turns=20, is_won=True, spawn_hexes=6, losses=2, has_okh=False)
BY_LOSSES = Played(turns=30, is_won=False, spawn_hexes=1, losses=10, has_okh=False)
BY_DECK = Played(turns=40, is_won=False, spawn_hexes=5, losses=3, has_okh=True)


def test_a_row_counts_how_matches_ended() -> None:
    row = line("all", [WON, BY_LOSSES, BY_DECK, BY_DECK])

    assert row == "| all | 4 | 25% | 25% | 50% | 35 (23 to 40) | 4.2 | 4.5 |"


def test_matches_with_okh_are_counted_apart() -> None:
    matches = [WON, WON, BY_DECK, BY_DECK, BY_DECK]
    text = page(dict.fromkeys(LEVELS, matches), " --matches 5")

    assert "inferno_results --matches 5`" in text
    assert [int(count) for count in re.findall(r"OKH \| (\d+) \|", text)] == [2, 3]


def test_the_same_number_is_the_same_match() -> None:
    assert played(OFF, 0) == played(OFF, 0)


def test_the_page_is_the_one_that_the_command_writes() -> None:
    """Its words are those of the script, and it has a row for each level."""
    text = PAGE.read_text(encoding="utf-8")
    parts = [re.escape(part) for part in re.split(r"\{\w+\}", TEXT)]

    assert re.fullmatch("(.+)".join(parts), text, re.DOTALL)
    assert all(f"| {title} |" in text for title in LEVELS.values())
