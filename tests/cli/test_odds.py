"""Chances before a roll on the command line: of one option or all, from a store and through a server, and why there are none."""

from pathlib import Path

import pytest

from server.broker.broker import Broker
from tests.cli.running import Player, Ran, Terminal
from tests.project.tree import ROOT

POSITION = str(ROOT / "fixtures" / "positions" / "axis_allies" / "t24-miss.toml")
AMBUSHES = ("new", "axis-allies", "--scenario", "race", "--position", POSITION, "--dice", "manual")


@pytest.fixture
def match(terminal: Terminal) -> str:
    """A match in which the Allies decide about ambushes."""
    return terminal.line(*AMBUSHES)


def refused(ran: Ran) -> tuple[int, str]:
    return ran.code, ran.err.removeprefix("wardiary: ").rstrip("\n")


def test_every_option_that_rolls_is_told_with_its_chances(terminal: Terminal, match: str) -> None:
    told = " ".join(terminal.done("odds", match).out.split())

    assert "Hits of the Allies: 0 67 %, 1 33 %; mean 0.3 Counted over all 6 equally likely ways." in told


def test_one_option_is_named_by_its_number_or_its_words(terminal: Terminal, match: str) -> None:
    (by_number,) = terminal("--json", "odds", match, "1").objects
    (by_words,) = terminal("--json", "odds", match, "ambush train").objects
    (option,) = by_number["options"] if isinstance(by_number["options"], list) else []

    assert by_number == by_words
    assert option["odds"]["ways"] == 6
    assert [one["share"] for one in option["odds"]["lines"][0]["outcomes"]] == pytest.approx([2 / 3, 1 / 3])


def test_what_has_no_chances_is_refused_in_words(terminal: Terminal, match: str) -> None:
    assert refused(terminal("odds", match, "9"))[0] == 2
    assert "there is no option 9" in terminal("odds", match, "9").err
    assert refused(terminal("odds", match, "--seat", "axis")) == (
        5,
        "the open decision belongs to allies: only that seat and the arbiter are told its chances",
    )
    code, why = refused(terminal("odds", match, "0"))
    assert code == 5
    assert why.endswith("leads to no dice, flips or draws that decide anything before the next decision")

    terminal.done("choose", match, "resign", "--seat", "allies")
    assert refused(terminal("odds", match)) == (5, "the match is over, so that there is nothing to tell")


def test_a_server_tells_the_same(terminal: Terminal, match: str, tmp_path: Path, broker: Broker) -> None:
    player = Player(tmp_path / "all", broker)
    opened = player.line(*AMBUSHES)

    assert player.done("odds", opened, "--seat", "allies") == terminal.done("odds", match).out
