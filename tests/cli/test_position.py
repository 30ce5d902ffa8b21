"""The verb `position`: it writes, checks and packs positions, and tells what is wrong in one line."""

import json
from pathlib import Path

import pytest

from tests.cli.running import Player, Terminal

MOVES = 26
"""Commands until the decks are formed, whose order is secret."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Terminal, str]:
    """A store with a running match in which something is hidden."""
    terminal = Terminal(tmp_path_factory.mktemp("played") / "store.db")
    match = terminal.line("new", "battle", "--dice", "seeded:3")
    for _ in range(MOVES):
        terminal.done("choose", match, "1")
    return terminal, match


@pytest.fixture
def terminal(played: tuple[Terminal, str]) -> Terminal:
    """A terminal with that store."""
    return played[0]


@pytest.fixture
def battle(played: tuple[Terminal, str]) -> str:
    """That match."""
    return played[1]


def table(terminal: Terminal, match: str, seat: str) -> dict[str, object]:
    """Return the parts of a table that a position states, as a seat sees it."""
    (shown,) = terminal.done("show", match, "--seat", seat, "--json").objects
    whole = shown["table"]
    assert isinstance(whole, dict)
    whole["control"] = {place: side for place, side in whole["control"].items() if side}
    return {name: whole.get(name) for name in ("pieces", "control", "markers", "attributes", "stack", "phase", "turn")}


def test_a_match_begins_from_the_file_and_from_the_line_of_a_moment(
    terminal: Terminal, battle: str, tmp_path: Path
) -> None:
    file, note = tmp_path / "problem.toml", tmp_path / "note.txt"
    terminal.done("position", "save", battle, str(file), "--seat", "arbiter")
    line = terminal.line("position", "line", battle, "--seat", "arbiter")
    note.write_text(f"\n{line[:100]}\n{line[100:]}\n")

    assert terminal.line("position", "line", str(file)) == line
    for given in (str(file), line, str(note)):
        match = terminal.line("new", "battle", "--position", given)

        assert table(terminal, match, "arbiter") == table(terminal, battle, "arbiter")
        assert table(terminal, match, "german") == table(terminal, battle, "german")
        assert "can begin with this position" in terminal.line("position", "check", given)
    assert terminal("simulate", "battle", "--matches", "1", "--steps", "3", "--jobs", "1", "--position", line).code == 1


def test_a_seat_writes_what_it_knows_and_a_deal_of_the_rest(terminal: Terminal, battle: str, tmp_path: Path) -> None:
    ran = terminal.done("position", "save", battle, "--seat", "german")
    again = terminal.done("position", "save", battle, "--seat", "german").out
    other = terminal.done("position", "save", battle, "--seat", "german", "--seed", "7").out
    file = tmp_path / "german.toml"
    terminal.done("position", "save", battle, str(file), "--seat", "german")

    assert "what german does not know was dealt anew (seed 0)" in ran.err
    assert (again == ran.out, other == ran.out) == (True, False)
    assert file.stat().st_mode & 0o777 == 0o600
    match = terminal.line("new", "battle", "--position", str(file))
    assert table(terminal, match, "german") == table(terminal, battle, "german")


def test_json_has_the_text_or_the_line_and_says_of_which_moment(terminal: Terminal, battle: str) -> None:
    (saved,) = terminal.done("position", "save", battle, "--json").objects
    (line,) = terminal.done("position", "line", battle, "--json").objects
    text = terminal.done("position", "save", battle).out

    assert (saved["match"], saved["game"], saved["text"], saved["line"]) == (battle, "battle", text, "")
    assert (line["text"], line["line"]) == ("", terminal.line("position", "line", battle))


@pytest.mark.parametrize("action", ["save", "line"])
def test_moments_without_a_position_are_told(action: str, terminal: Terminal, skirmish: str) -> None:
    free = terminal.line("new", "skirmish", "--free-seats", "--dice", "manual")
    for at, problem in ((free, "play has not begun"), (f"{skirmish}@8", "nothing is to decide; name event 23\n")):
        ran = terminal("position", action, at)

        assert (ran.code, ran.err.count("\n"), problem in ran.err) == (2, 1, True), ran.err


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda text: text[: len(text) // 2], "not valid TOML"),
        (lambda text: text.replace('edition = "1.0"', 'edition = "9"'), "of edition 9 of battle; installed is 1.0"),
        (lambda text: text.replace('game = "battle"', 'game = "advance"'), "advance"),
        (lambda text: text + "#" * 300_000, "at most 262144 bytes"),
        (
            lambda text: text.replace("pieces = [", "pieces = [\n" + '  { id = "x", place = "y" },\n' * 501),
            "at most 500",
        ),
        (lambda _: "wardiary-position:battle:1.0:eNq", "is cut short"),
        (lambda _: "wardiary-position:battle:1.0:e+q:00000000", "has '+' as character"),
    ],
)
def test_what_is_wrong_with_a_position_is_one_line(
    change: object, problem: str, terminal: Terminal, battle: str, tmp_path: Path
) -> None:
    assert callable(change)
    file = tmp_path / "problem.toml"
    file.write_text(change(terminal.done("position", "save", battle, "--seat", "arbiter").out))
    for words in (("position", "check"), ("new", "battle", "--position")):
        ran = terminal(*words, str(file))

        assert (ran.code, ran.err.count("\n"), problem in ran.err) == (2, 1, True), ran.err


def test_a_file_that_is_not_there_and_an_unknown_action_are_told(terminal: Terminal) -> None:
    assert terminal("position", "check", "nowhere.toml").code == 3
    assert "did you mean save" in terminal("position", "sav", "m").err


def test_through_a_server_a_spectator_writes_what_it_knows(player: Player) -> None:
    match = player.line("new", "battle")
    for _ in range(MOVES):
        player.done("choose", match, "1")
    line = player.line("position", "line", match)
    own = json.loads(player.done("position", "line", match, "--seat", "german", "--json", "-q"))

    assert line.startswith("wardiary-position:battle:")
    assert (own["seat"], own["is_dealt"]) == ("german", True)
    assert player("position", "line", match, "--seat", "arbiter").code != 0
    assert player("new", "battle", "--position", own["line"]).code == 0
