"""The verb `table` at a real terminal of 80 columns and 24 rows, and where there is none."""

import termios
from pathlib import Path

import pytest

import cli.commands.playing.table
from cli.screen.worker import Worker
from cli.shell.remembered_events import SEEN
from cli.shell.settings import Settings
from events.ids import MatchId, Seat
from tests.cli.running import Terminal
from tests.support.emulator import SOON_S, Emulator
from tests.support.soak import few


@pytest.mark.parametrize("key", few(["q", "\x03"]))
def test_the_screen_comes_up_and_leaves_the_terminal_as_it_was(terminal: Terminal, tmp_path: Path, key: str) -> None:
    match = terminal.line("new", "advance", "--dice", "seeded:1942")
    seats = str(tmp_path / "seats.json")
    screen = Emulator(["table", match[:8], "--store", str(terminal.store)], WARDIARY_SEATS=seats)
    try:
        screen.until("YOU DECIDE: what to buy")
        assert match in screen.words
        screen.until("q Quit")
        assert termios.tcgetattr(screen.child) != screen.before
        screen.type("artil\r")
        screen.until("Supply Points left: 15")
        screen.type(key)

        assert screen.ended() == 0
        assert termios.tcgetattr(screen.child) == screen.before
        # The first screen of the terminal is back, with its cursor.
        assert screen.seen.rindex(b"\x1b[?1049l") > screen.seen.rindex(b"\x1b[?1049h")
        assert screen.seen.rindex(b"\x1b[?25h") > screen.seen.rindex(b"\x1b[?25l")
        back = f"To come back: wardiary table {match} --seat german --store {terminal.store}"
        assert back.encode() in screen.seen[screen.seen.rindex(b"\x1b[?1049l") :]
        assert f'"{match}"'.encode() in Path(tmp_path / "seats-seen.json").read_bytes()
    finally:
        screen.close()


def test_a_long_list_of_options_is_folded_at_a_terminal_and_whole_elsewhere(terminal: Terminal) -> None:
    match = terminal.line("new", "battle", "--dice", "seeded:3")
    words = [str(one["words"]) for one in terminal.done("legal", match, "--json").objects[0]["options"]]  # type: ignore[attr-defined]
    piped = terminal.done("legal", match).out.splitlines()
    screen = Emulator(["legal", match, "--store", str(terminal.store)])
    try:
        assert screen.ended() == 0
        folded = screen.words
    finally:
        screen.close()

    assert len(words) > 100
    assert [" ".join(line.split()[1:]) for line in piped if line.startswith(" ")] == words
    assert "…" in folded
    assert words[0] not in folded


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["nothing", "--seat", "red"], 2, "no match 'nothing' in this store"),
        (["MATCH", "--seat", "green"], 2, "no seat of this match is called 'green'"),
        (["MATCH"], 2, "which seat is yours? Name it with --seat: red, blue"),
        (["MATCH@3", "--seat", "red"], 2, "this takes a whole match"),
        (["MATCH", "--seat", "red", "--connect", "nowhere"], 2, "an address is tcp://HOST:PORT"),
    ],
)
def test_what_is_wrong_is_said_before_the_screen_comes_up(
    terminal: Terminal, skirmish: str, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int, said: str
) -> None:
    monkeypatch.setattr(cli.commands.playing.table, "check_terminal", lambda _: None)
    words = [argument.replace("MATCH", skirmish) for argument in arguments]
    ran = terminal("table", *words)

    assert (ran.code, ran.out, ran.err.count("\n")) == (code, "", 1)
    assert said in ran.err


def test_without_a_store_there_is_no_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli.commands.playing.table, "check_terminal", lambda _: None)

    assert Terminal(tmp_path / "none.db")("table", "m", "--seat", "red").code == 3


def test_where_there_is_no_terminal_there_is_no_screen(terminal: Terminal, skirmish: str) -> None:
    ran = terminal("table", skirmish, "--seat", "red")

    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "wardiary: table needs a terminal; show, legal, choose and log work without one\n"


def test_a_screen_has_no_json(terminal: Terminal, skirmish: str) -> None:
    ran = terminal("table", skirmish, "--seat", "red", "--json")

    assert (ran.code, '"code":"usage"' in ran.err) == (2, True)


def test_without_the_extra_its_name_is_said(terminal: Terminal, skirmish: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.extras.find_spec", lambda _: None)
    ran = terminal("table", skirmish, "--seat", "red")

    assert ran.code == 2
    assert (
        ran.err
        == "wardiary: tables in the terminal need the extra `table` (textual is missing): pip install 'wardiary[table]'\n"
    )


def test_the_only_seat_of_a_match_need_not_be_named(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WARDIARY_SEATS", str(tmp_path / "seats.json"))
    match = terminal.line("new", "advance", "--dice", "seeded:1942")
    settings = Settings(store=str(terminal.store))
    worker = Worker(lambda: cli.commands.playing.table.opened(settings, match, "", is_auto_pass=False))

    assert worker.first().seat == "german"
    worker.stop(SOON_S)
    # Only the verb itself remembers what the player has seen.
    assert SEEN.of(MatchId(match), Seat("german")) is None
