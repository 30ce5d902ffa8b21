"""Tables and boards are drawn to files, each seat's as that seat may see it."""

import re
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest
import resvg_py
from PIL import Image

import cli.commands.viewing.draw
import cli.output.pixels
from core.svg.themes import THEMES
from tests.cli.running import Terminal
from tests.support.soak import sampled

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
    terminal.done("choose", skirmish, "1")
    last = before[before.index("event ") + 6 :].split(" ", 1)[0].split("<", 1)[0]

    assert terminal.done("show", f"{skirmish}@{last}", "--svg", "-").out == before
    assert terminal.done("show", skirmish, "--svg", "-").out != before


def test_what_the_latest_command_changed_is_marked(terminal: Terminal, skirmish: str) -> None:
    set_up = terminal.done("show", skirmish, "--svg", "-").out
    terminal.done("choose", skirmish, "omen")
    moved = terminal.done("show", skirmish, "--svg", "-").out

    assert "changed just now; an arrow: moved" not in set_up
    assert "changed just now; an arrow: moved" in moved


def test_a_seat_sees_its_own_hand_and_not_that_of_others(terminal: Terminal) -> None:
    match = terminal.line("new", "battle", "--dice", "seeded:1")
    for _ in range(12):
        terminal.done("choose", match, "1")
    seen = {
        seat: terminal.done("show", match, "--seat", seat, "--svg", "-").out for seat in ("german", "russian", "public")
    }

    assert [name for name, drawn in seen.items() if "Your hand" in drawn] == ["german", "russian"]
    assert "German hand" not in seen["german"] + seen["russian"]
    assert "hand, with" not in seen["public"]


@pytest.mark.parametrize(("theme", "is_in"), [("light", False), ("dark", False), ("print", False), ("auto", True)])
def test_a_theme_has_its_colours(terminal: Terminal, skirmish: str, theme: str, is_in: bool) -> None:
    drawn = terminal.done("show", skirmish, "--svg", "-", "--theme", theme).out

    assert ("prefers-color-scheme" in drawn) == is_in


def test_the_help_lists_the_themes(terminal: Terminal) -> None:
    assert f"--theme {'|'.join(THEMES)}" in terminal.done("show", "--help").out


def test_a_theme_or_a_file_that_is_not_there_is_refused(terminal: Terminal, skirmish: str, tmp_path: Path) -> None:
    ran = terminal("show", skirmish, "--svg", "-", "--theme", "drak")
    lost = terminal("show", skirmish, "--svg", str(tmp_path / "none" / "table.svg"))

    assert (ran.code, ran.err) == (2, "wardiary: no theme is called 'drak'; did you mean dark?\n")
    assert lost.code == 3
    assert "No such file or directory" in lost.err


# Pixels


def test_a_table_is_drawn_in_pixels(terminal: Terminal, skirmish: str, tmp_path: Path) -> None:
    path = tmp_path / "table.png"
    terminal.done("show", skirmish, "--png", str(path), "--width", "640")

    with Image.open(path) as picture:
        assert (picture.format, picture.width) == ("PNG", 640)
        colours = picture.convert("RGB").getcolors(maxcolors=640 * 2000)
        assert colours is not None
        assert len(colours) > 20, "text and lines, not only paper"


def test_a_span_is_drawn_as_a_film(terminal: Terminal, skirmish: str, tmp_path: Path) -> None:
    terminal.done("choose", skirmish, "1")
    path = tmp_path / "film.gif"
    steps = terminal.done("replay", skirmish, "--step", "command").out.splitlines()
    terminal.done("replay", skirmish, "--step", "command", "--gif", str(path), "--width", "300", "--speed", "4")

    with Image.open(path) as film:
        assert (film.format, getattr(film, "n_frames", 1)) == ("GIF", len(steps))
        assert film.info["duration"] == 250


SVG = "{http://www.w3.org/2000/svg}"
USED = re.compile(r'(?:href="#|url\(#)([^")]+)')
"""Finds the ids that a drawing names."""


@pytest.mark.parametrize("game", sampled(GAMES, lambda game: game == "battle"))
def test_a_span_of_each_game_is_drawn_as_a_film_for_browsers(game: str, terminal: Terminal, tmp_path: Path) -> None:
    match = terminal.line("new", game, "--dice", "seeded:1")
    for _ in range(3):
        terminal.done("choose", match, "1")
    path, table = tmp_path / "film.svg", tmp_path / "table.svg"
    stops = terminal.done("replay", match, "--step", "command").out.splitlines()
    ran = terminal.done("replay", match, "--step", "command", "--svg", str(path), "--speed", "4")
    terminal.done("show", match, "--svg", str(table))
    text = path.read_text(encoding="utf-8")
    film = ElementTree.fromstring(text)
    frames = [one for one in film.findall(f"{SVG}g") if one.get("class") == "frame"]
    ids = [one.get("id") for one in film.iter() if one.get("id")]

    assert ran.err == f"drew the film to {path}\n"
    assert [one.get("style") for one in frames] == [f"animation-delay:{n * 0.25:.3f}s" for n in range(len(stops))]
    assert f"animation:shown {len(stops) * 0.25:.3f}s step-end infinite" in text
    assert set(USED.findall(text)) <= set(ids)
    assert len(ids) == len(set(ids)), "what the pictures have in common is written once"
    assert len(text) < len(stops) * table.stat().st_size * 0.7


def test_a_film_of_one_picture_does_not_move(terminal: Terminal, skirmish: str) -> None:
    film = terminal.done("replay", skirmish, "--from", "5", "--to", "5", "--step", "event", "--svg", "-").out

    assert ElementTree.fromstring(film).findall(f"{SVG}g")
    assert "animation:" not in film


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("show", "MATCH", "--png", "-", "--width", "99"), "--width is 100 to 8000 pixels, not 99"),
        (("show", "MATCH", "--png", "-", "--svg", "-"), "one of --svg and --png at a time"),
        (("show", "MATCH", "--png", "-", "--theme", "x"), "no theme is called 'x'"),
        (("show", "MATCH", "--theme", "x"), "no theme is called 'x'"),
        (("replay", "MATCH", "--theme", "x"), "no theme is called 'x'"),
        (("replay", "MATCH", "--gif", "-", "--theme", "x"), "no theme is called 'x'"),
        (("replay", "MATCH", "--gif", "-", "--speed", "-1"), "--speed is 0 to 1000 steps per second, not -1"),
        (("replay", "MATCH", "--gif", "-", "--svg", "-"), "one of --gif and --svg at a time"),
        (("replay", "MATCH", "--svg", "-", "--theme", "x"), "no theme is called 'x'"),
        (("replay", "MATCH", "--gif", "-", "--to", "99999"), "there is no event 99999"),
    ],
)
def test_what_cannot_be_drawn_is_refused(
    terminal: Terminal, skirmish: str, arguments: tuple[str, ...], said: str
) -> None:
    ran = terminal(*[skirmish if word == "MATCH" else word for word in arguments])

    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


@pytest.mark.parametrize("kind", ["--gif", "--svg"])
def test_a_film_has_an_end(kind: str, terminal: Terminal, skirmish: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli.commands.viewing.draw, "FRAMES_MAX", 1)
    ran = terminal("replay", skirmish, "--step", "event", kind, "-")

    assert ran.code == 2
    assert "pictures are too many for a film of 1; --from, --to and --step choose" in ran.err


def test_without_the_extra_or_a_font_nothing_is_drawn(
    terminal: Terminal, skirmish: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.extras.find_spec", lambda _: None)
    missing = terminal("show", skirmish, "--png", "-")
    monkeypatch.undo()
    monkeypatch.setattr(resvg_py, "svg_to_bytes", partial(resvg_py.svg_to_bytes, skip_system_fonts=True))
    cli.output.pixels._family.cache_clear()
    bare = terminal("show", skirmish, "--png", "-")
    cli.output.pixels._family.cache_clear()

    assert (missing.code, missing.err) == (
        2,
        "wardiary: pixels need the extra `pictures` (resvg_py, PIL are missing): pip install 'wardiary[pictures]'\n",
    )
    assert bare.code == 3
    assert "no font for text is installed" in bare.err


@pytest.mark.parametrize(
    ("samples", "chosen"),
    [
        ({"Helvetica": b"sans", "Arial": b"sans"}, "Helvetica"),
        ({"Helvetica": b"serif", "Arial": b"sans"}, "Arial"),
        ({"Helvetica": b"", "Arial": b"serif", "DejaVu Sans": b"sans"}, "DejaVu Sans"),
        ({}, "Helvetica"),
    ],
)
def test_a_font_that_is_only_substituted_is_chosen_last(
    samples: dict[str, bytes], chosen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli.output.pixels, "_sample", lambda family: samples.get(family, b"serif"))
    cli.output.pixels._family.cache_clear()
    found = cli.output.pixels._family()
    cli.output.pixels._family.cache_clear()

    assert found == chosen
