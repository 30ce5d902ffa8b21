"""`learn` prints how a game is played, or the rules that have the words asked for."""

import pytest

from core.registry.games import GAMES, load_game, typed_key
from tests.cli.running import Terminal


@pytest.mark.parametrize("key", GAMES)
def test_each_game_fits_on_a_page(key: str, terminal: Terminal) -> None:
    lines = terminal.done("learn", typed_key(key)).out.splitlines()

    assert lines[0] == load_game(key).title
    assert "A turn" in lines
    assert 20 < len(lines) < 70
    assert max(map(len, lines)) <= 100


def test_the_numbers_are_those_of_the_board(terminal: Terminal) -> None:
    (aid,) = terminal.done("learn", "battle", "--json").objects

    assert isinstance(aid["turn"], list)
    assert aid["turn"][-1]["text"] == "5 cards, and 1 for each Location that you Control."


def test_words_find_rules(terminal: Terminal) -> None:
    out = terminal.done("learn", "battle", "retreat", "once").out

    assert out.startswith("Rule retreat.once ")


def test_words_of_no_rule_are_a_failed_check(terminal: Terminal) -> None:
    ran = terminal("learn", "battle", "unicorn")

    assert (ran.code, ran.out) == (1, "")
    assert ran.err == "wardiary: no rule has any of these words; `wardiary rules battle` lists all\n"


def test_a_game_without_an_aid_says_what_there_is(terminal: Terminal) -> None:
    ran = terminal("learn", "skirmish")

    assert ran.code == 1
    assert "`wardiary rules skirmish` lists its rules" in ran.err
