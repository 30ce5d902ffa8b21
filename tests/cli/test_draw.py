"""Tables and boards are drawn to files, each seat's as that seat may see it."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.running import Terminal

GAMES = ["advance", "axis_allies", "battle", "inferno"]


@pytest.mark.parametrize("game", GAMES)
def test_a_new_match_of_each_game_is_drawn(game: str, terminal: Terminal, tmp_path: Path) -> None:
    match = terminal.line("new", game, "--dice", "seeded:1")
    path = tmp_path / "table.svg"
    ran = terminal.done("show", match, "--svg", str(path))

    assert ran.err == f"drew the table to {path}\n"
    assert f"Match {match}, event" in path.read_text(encoding="utf-8")
    assert ElementTree.parse(path).getroot().tag.endswith("svg")


def test_a_game_without_a_drawing_of_its_own_is_drawn_from_its_places_and_names(
    terminal: Terminal, skirmish: str
) -> None:
    root = ElementTree.fromstring(terminal.done("show", skirmish, "--svg", "-").out)
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]

    assert {"Field", "Camp"} <= set(texts)


def test_an_earlier_moment_is_drawn_as_it_was(terminal: Terminal, skirmish: str) -> None:
    before = terminal.done("show", skirmish, "--svg", "-").out
    terminal.done("play", skirmish, "1")
    last = before[before.index("event ") + 6 :].split(" ", 1)[0].split("<", 1)[0]

    assert terminal.done("show", f"{skirmish}@{last}", "--svg", "-").out == before
    assert terminal.done("show", skirmish, "--svg", "-").out != before


def test_a_seat_sees_its_own_hand_and_not_that_of_others(terminal: Terminal) -> None:
    match = terminal.line("new", "battle", "--dice", "seeded:1")
    for _ in range(12):
        terminal.done("play", match, "1")
    seen = {
        seat: terminal.done("show", match, "--seat", seat, "--svg", "-").out for seat in ("german", "russian", "public")
    }

    assert "German hand" in seen["german"]
    assert "German hand" not in seen["russian"]
    assert "hand, with" not in seen["public"]


@pytest.mark.parametrize(("theme", "is_in"), [("light", False), ("dark", False), ("print", False), ("auto", True)])
def test_a_theme_has_its_colours(terminal: Terminal, skirmish: str, theme: str, is_in: bool) -> None:
    drawn = terminal.done("show", skirmish, "--svg", "-", "--theme", theme).out

    assert ("prefers-color-scheme" in drawn) == is_in


def test_a_theme_or_a_file_that_is_not_there_is_refused(terminal: Terminal, skirmish: str, tmp_path: Path) -> None:
    ran = terminal("show", skirmish, "--svg", "-", "--theme", "drak")
    lost = terminal("show", skirmish, "--svg", str(tmp_path / "none" / "table.svg"))

    assert (ran.code, ran.err) == (2, "wardiary: no theme is called 'drak'; did you mean dark?\n")
    assert lost.code == 3
    assert "No such file or directory" in lost.err
