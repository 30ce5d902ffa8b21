"""A board with changed printed figures is played under a variant name, and shown with its changes."""

from pathlib import Path

import pytest

from core.games.advance.components.board import BOARD_FILE
from core.registry.games import load_game
from server.client.local import local_client
from server.store.sqlite_log import SqliteLog
from tests.cli.running import Terminal
from tests.support.served import client_of, served
from tests.support.soak import few

SHIPPED = BOARD_FILE.shipped_bytes.decode()


@pytest.fixture
def board(tmp_path: Path) -> str:
    """A board with one changed printed figure and one corrected reconstruction."""
    file = tmp_path / "board.toml"
    file.write_text(SHIPPED.replace("cost_vacant = 1", "cost_vacant = 2").replace("artillery = 8", "artillery = 9"))
    return str(file)


def test_a_board_that_contradicts_the_printed_game_needs_a_name(terminal: Terminal, board: str) -> None:
    ran = terminal("new", "advance", "--board", board)

    assert ran.code == 2
    assert "movement.cost_vacant: is 2; expected 1, as printed, or the name of a variant" in ran.err
    assert "artillery" not in ran.err


def test_the_summary_of_a_simulation_names_the_variant(terminal: Terminal, board: str) -> None:
    words = ("--matches", "1", "--bots", "random", "--steps", "5", "--jobs", "1")
    ran = terminal("simulate", "advance", *words, "--board", board, "--variant", "Slow March")

    assert ran.out.splitlines()[0].endswith(", variant Slow March")


def test_a_variant_is_listed_and_shown_and_inherited_by_forks(terminal: Terminal, board: str) -> None:
    ran = terminal.done("new", "advance", "--board", board, "--variant", "Slow March")
    match = ran.out.strip()
    fork = terminal.line("fork", match)

    assert "movement.cost_vacant: 2 (printed: 1)" in ran.err
    assert "variant Slow March" in terminal.done("show", match).out
    assert ", variant Slow March, with " in terminal.done("log", match, "--to", "1").out.replace("\n          ", "")
    assert terminal.done("list").out.count("Slow March") == 2
    assert {shape["variant"] for shape in terminal.done("list", "--json").objects} == {"Slow March"}
    assert terminal.done("audit", fork).code == 0


def test_a_server_lists_a_match_as_a_variant(terminal: Terminal, board: str) -> None:
    terminal.done("new", "advance", "--board", board, "--variant", "Slow March")
    terminal.done("new", "advance")
    with SqliteLog(terminal.store) as log, served(log) as broker, client_of(broker) as client:
        local = [listed.variant for listed in local_client(log).matches()]
        listed = [listed.variant for listed in client.matches()]

    assert listed == local == ["Slow March", ""]


def test_an_archive_contains_its_variant(terminal: Terminal, board: str, tmp_path: Path) -> None:
    match = terminal.done("new", "advance", "--board", board, "--variant", "Slow March").out.strip()
    file = str(tmp_path / "match.wdr")
    terminal.done("export", match, file)
    other = Terminal(tmp_path / "other.db")
    other.done("import", file)

    assert "variant Slow March" in other.done("list").out
    assert other.done("audit", match).code == 0


def test_a_board_is_shown_with_its_changes(terminal: Terminal, board: str) -> None:
    told = terminal.done("board", "advance", "--board", board, "--variant", "Slow March").out
    (shape,) = terminal.done("board", "advance", "--board", board, "--variant", "Slow March", "--json").objects

    assert "  movement.cost_vacant: 2 (printed: 1)" in told
    assert "  markers.artillery: 9 (reconstructed: 8)" in told
    assert shape["differences"] == [
        {"where": "markers.artillery", "shipped": "8", "own": "9", "is_printed": False},
        {"where": "movement.cost_vacant", "shipped": "1", "own": "2", "is_printed": True},
    ]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_variant_is_simulated_in_this_process_and_in_others(terminal: Terminal, board: str, jobs: str) -> None:
    """The matches are saved as failed ones because they are cut short."""
    words = ("--matches", "2", "--bots", "random", "--steps", "20", "--jobs", jobs)
    saved = terminal.store.parent / "failed"
    ran = terminal(
        "simulate",
        "advance",
        *words,
        "--board",
        board,
        "--variant",
        "Slow March",
        "--save-failures",
        str(saved),
        "--json",
    )
    for archive in saved.iterdir():
        terminal.done("import", str(archive))

    assert (ran.code, ran.objects[-1]["variant"]) == (1, "Slow March")
    assert [shape["variant"] for shape in terminal.done("list", "--json").objects] == ["Slow March"] * 2
    assert terminal("audit", "--all").code == 0


def test_a_board_with_defects_is_one_error_of_a_simulation(terminal: Terminal, board: str) -> None:
    ran = terminal("simulate", "advance", "--board", board, "--jobs", "2")

    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "movement.cost_vacant: is 2; expected 1, as printed" in ran.err


@pytest.mark.parametrize("game", few(["advance", "axis-allies", "battle", "inferno"]))
def test_the_board_that_ships_is_printed_byte_for_byte_and_accepted_as_an_owners(
    game: str, terminal: Terminal, tmp_path: Path
) -> None:
    file = tmp_path / "board.toml"
    # What is printed in this process goes through its encoding, too; one game tries the installed command.
    printed = terminal.as_process if game == "advance" else terminal
    file.write_bytes(printed("board", game, "--toml").out.encode())

    assert file.read_bytes() == load_game(game).shipped_board()
    assert terminal.done("board", game, "--board", str(file), "--json").objects[0]["differences"] == []
