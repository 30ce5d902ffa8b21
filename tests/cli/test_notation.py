"""`export --notation` and `import` of a notation: what is written is played again, and what is wrong is one line."""

import re
from pathlib import Path

import pytest

from tests.cli.running import Player, Terminal


@pytest.fixture
def battle(terminal: Terminal) -> str:
    """A match with some orders, a note and a fork."""
    match = terminal.line("new", "battle", "--dice", "seeded:3", "--name", "Ada")
    for _ in range(5):
        terminal.done("choose", match, "1")
    terminal.done("note", match, "!? bold", "--seat", "russian")
    fork = terminal.line("fork", f"{match}@{last(terminal, match) - 2}", "--dice", "seeded:4")
    terminal.done("choose", fork, "2")
    return match


def last(terminal: Terminal, match: str) -> int:
    """Return the number of the last event of a match."""
    return int(str(terminal.done("list", "--json").objects[0]["seq"]))


def test_a_notation_is_written_and_played_again_with_its_forks(terminal: Terminal, battle: str, tmp_path: Path) -> None:
    file, again = tmp_path / "match.wdn", tmp_path / "again.wdn"
    told = terminal.line("export", battle, "--notation", str(file))
    match, fork = terminal.done("import", str(file)).out.split()
    terminal.done("export", match, "--notation", str(again))
    other = terminal.done("import", str(file))

    assert told.startswith(f"{battle}: 6 orders to ")
    assert "  (\n" in file.read_text()
    assert "!?\n    {russian: bold}" in file.read_text()
    assert again.read_text() == file.read_text().replace(battle, match)
    assert (other.out.split(), "already" in other.err) == ([match, fork], True)
    assert "is clean" in terminal.done("audit", match).out
    assert terminal.done("export", battle, "--notation", "-").out == file.read_text()


def test_json_counts_orders_and_variations(terminal: Terminal, battle: str, tmp_path: Path) -> None:
    (wrote,) = terminal.done("export", battle, "--notation", str(tmp_path / "a.wdn"), "--json").objects
    (read,) = terminal.done("import", str(tmp_path / "a.wdn"), "--json").objects

    assert (wrote["match"], wrote["orders"], wrote["variations"], wrote["result"]) == (battle, 6, 1, "*")
    assert (read["added"], read["orders"], len(read["forks"])) == (True, 6, 1)  # type: ignore[arg-type]


def test_what_cannot_be_played_is_one_line_and_nothing_is_stored(
    terminal: Terminal, battle: str, tmp_path: Path
) -> None:
    text, file = terminal.done("export", battle, "--notation", "-").out, tmp_path / "bad.wdn"
    stored = terminal.done("list").out
    for bad, code, problem in (
        (text.replace("/russian/control", "/nowhere", 1), 5, "is refused"),
        (text.replace("choose-force", "choose-farce", 1), 2, "no order of this game is called 'choose-farce'"),
        (text.replace("*", "= German Victory"), 2, "the match goes on"),
        (text[: len(text) // 2], 2, "cut short"),
        (text.replace("[Game ", "[Gamy "), 2, "no game is called"),
        (text.replace("[Scenario ", "[Scenario x"), 2, "is not a tag"),
    ):
        file.write_text(bad)
        ran = terminal("import", str(file))

        assert (ran.code, ran.err.count("\n"), problem in ran.err) == (code, 1, True), ran.err
    assert terminal.done("list").out == stored
    assert terminal("export", battle, str(file), "--notation", "-").code == 2


def test_through_a_server_a_seat_is_told_what_it_has_seen(player: Player) -> None:
    match = player.line("new", "battle")
    for _ in range(3):
        player.done("choose", match, "1")
    text = player.done("export", match, "--notation", "-", "--seat", "public")

    assert text.startswith('[Format "wardiary-notation/1"]')
    assert "  ...\n" in text
    assert "choose-force" not in text
    assert player("export", match, "--notation", "-").code != 0


def test_what_a_seat_reads_names_no_card_that_it_has_not_seen(terminal: Terminal) -> None:
    """With sealed dice a command waits for a link, and is recorded before what came of it. This takes a second, for the set-up."""
    match = terminal.line("new", "battle")
    for _ in range(26):
        terminal.done("choose", match, "1")
    for seat in ("public", "german"):
        text = terminal.done("export", match, "--notation", "-", "--seat", seat).out
        seen = terminal.done("log", match, "--seat", seat, "--json").out
        orders = [line for line in text.splitlines() if line.startswith("  ") and "{" not in line]
        words = {word for line in orders for word in re.split(r"[ <>+:]", line) if "/" in word}

        assert words
        assert {word for word in words if f'"{word}"' not in seen} == set()
