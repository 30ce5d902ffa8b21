"""Closed standard streams, full disks, early Ctrl-C, and control characters of others: as every Unix tool, and no traceback."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cli.shell.arguments import shown_file
from cli.shell.streams import harmless, harmless_json
from events.archive import export_match
from events.archive_reader import read_archive, store_archive
from events.codec import decode_plain, replace
from events.commit import decode_commit
from events.ids import MatchId
from events.memory_log import MemoryLog
from events.vocabulary import SeatTaken
from server.store.sqlite_log import SqliteLog
from server.store.sqlite_schema import store_files
from tests.cli.running import WARDIARY, Ran, Terminal, hear_interrupts
from tests.support.forgery import changed, put
from tests.support.soak import few, sampled

LINES = (
    "list",
    "show MATCH",
    "log MATCH",
    "find",
    "legal MATCH",
    "explain MATCH@5",
    "replay MATCH",
    "diff MATCH@2 MATCH",
    "tree MATCH",
    "audit MATCH",
    "fork MATCH",
    "choose MATCH -",
    "export MATCH -",
    "games",
    "rules advance",
    "schema",
    "--help",
    "log nowhere",
)
"""A command of each way to read and to write."""


def with_closed(terminal: Terminal, line: str, *closed: int) -> Ran:
    """Run a command with standard streams closed before it begins."""

    def close() -> None:
        for number in closed:
            os.close(number)

    ran = subprocess.run(
        [WARDIARY, *line.split()],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env={**os.environ, "WARDIARY_STORE": str(terminal.store)},
        preexec_fn=close,
        timeout=60,
        check=False,
    )
    return Ran(ran.returncode, ran.stdout.decode(), ran.stderr.decode())


def shell(terminal: Terminal, script: str) -> Ran:
    """Run a shell command; WARDIARY stands for the program."""
    ran = subprocess.run(
        ["/bin/sh", "-c", script.replace("WARDIARY", str(WARDIARY))],
        capture_output=True,
        env={**os.environ, "WARDIARY_STORE": str(terminal.store)},
        timeout=60,
        check=False,
    )
    return Ran(ran.returncode, ran.stdout.decode(), ran.stderr.decode())


@pytest.fixture
def copied(golden: tuple[Terminal, str], tmp_path: Path) -> tuple[Terminal, str]:
    """A match of an installed game in a store that may be changed."""
    terminal, match = golden
    shutil.copy(terminal.store, tmp_path / "copy.db")
    return Terminal(tmp_path / "copy.db"), match


@pytest.mark.parametrize("number", sampled(range(len(LINES)), lambda number: number == 0))
def test_streams_that_are_closed_are_no_error(number: int, copied: tuple[Terminal, str]) -> None:
    """The three are closed in turn and together, so that each command meets one case, and each case a quarter of the commands; one command of each case is always tried."""
    terminal, match = copied
    line = LINES[number].replace("MATCH", match)
    ran = with_closed(terminal, line, *((0,), (1,), (2,), (0, 1, 2))[number % 4])

    assert (ran.code, "Traceback" in ran.err) == (2 if "nowhere" in line else 0, False), ran


def test_a_store_is_never_taken_for_a_closed_stream(copied: tuple[Terminal, str]) -> None:
    terminal, match = copied
    terminal("choose", match, "--adopt-rules")  # The stored match may have been played under the rules of another day.
    codes = [with_closed(terminal, f"choose {match} 1", *closed).code for closed in ((1,), (0, 1, 2))]

    assert codes == [0, 0]
    assert terminal("audit", match).code == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(
    ("script", "code"),
    few(
        [
            ("WARDIARY games > /dev/full", 3),
            ("WARDIARY rules advance --json > /dev/full", 3),
            ("WARDIARY games nothing 2> /dev/full", 2),
            ("WARDIARY games nothing > /dev/full 2> /dev/full", 2),
        ],
        2,
    ),
)
def test_a_full_disk_is_an_error_in_one_line(script: str, code: int, terminal: Terminal) -> None:
    ran = shell(terminal, script)

    assert (ran.code, "Traceback" in ran.err, ran.err.count("\n")) == (code, False, 1 if code == 3 else 0), ran


def test_diagnostics_without_a_reader_are_lost_and_the_result_stands(terminal: Terminal) -> None:
    ran = shell(terminal, "exec 3>&1; { WARDIARY new advance --dice manual 2>&1 >&3; echo $? >&3; } | true")
    match, code = ran.out.split()

    assert (code, ran.err) == ("0", "")
    assert terminal.done("show", match).out


INTERRUPTED_AT = """
import os, signal, sys, wardiary
module = sys.argv[1]
class Finder:
    def find_spec(self, name, *_):
        if name == module:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
sys.argv = ["wardiary", *sys.argv[2:]]
wardiary.main()
"""


@pytest.mark.parametrize(
    "module", ["cli.main", "typer.core", "cli.interface.games", "core.game_files.rulebook", "cli.schemas.games"]
)
def test_an_interrupt_while_the_program_is_loaded_ends_without_a_traceback(module: str, terminal: Terminal) -> None:
    """From the first line of the program on; what comes before is the interpreter's own."""
    ran = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_AT, module, "rules", "advance"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        preexec_fn=hear_interrupts,
        timeout=60,
        check=False,
    )

    assert ran.returncode in {130, -signal.SIGINT}, ran
    assert b"Traceback" not in ran.stderr
    assert ran.stderr.count(b"\n") <= 1


ESCAPES = "\x1b]0;owned\x07 \x9b31m \x1b[2J \u202eabc\r"


def rename_players(store: Path, match: MatchId, name: str) -> None:
    """Give all players of a match a name that no server accepts, as a forger of an archive could."""
    with SqliteLog(store) as kept:
        archive = read_archive(export_match(kept, match))
        commits = [decode_commit(one.body) for one in kept.read(match)]
    log = MemoryLog()
    for digest, content in archive.attachments.items():
        log.attach(digest, content)
    for commit in commits:
        for number, event in enumerate(commit.events, start=commit.first):
            if isinstance(event, SeatTaken):
                commits = changed(commits, number, lambda taken: replace(taken, name=name))
    put(log, match, commits, None)
    for file in store_files(store):
        file.unlink(missing_ok=True)
    with SqliteLog(store) as kept:
        store_archive(read_archive(export_match(log, match)), kept)


def test_what_players_write_never_controls_the_terminal(terminal: Terminal) -> None:
    match = terminal.line("new", "skirmish", "--dice", f"seeded:{ESCAPES}", "--name", "Ada")
    terminal.done("note", match, ESCAPES, "--seat", "red")
    terminal.done("ruling", match, ESCAPES)
    rename_players(terminal.store, MatchId(match), ESCAPES)

    players = terminal.done("list", "--json").objects[0]["players"]

    assert isinstance(players, dict)
    assert set(players.values()) == {ESCAPES}

    last = len(terminal.done("log", match, "--json").objects)
    archive = terminal.store.with_name("match.ndjson")
    terminal.done("export", match, str(archive))
    lines = [
        *(
            "list",
            "show MATCH",
            "show MATCH -v",
            "log MATCH",
            "log MATCH -v",
            "find",
            "legal MATCH",
            "tree MATCH",
            "replay MATCH -v",
        ),
        *(f"explain MATCH@{number}" for number in (1, 2, last - 1, last)),
        *("diff MATCH@1 MATCH", "audit MATCH", f"audit {archive}", f"find {archive}", f"import {archive}"),
        *(
            "show MATCH --statistics",
            "fork MATCH",
            f"log {ESCAPES.split(maxsplit=1)[0]}",
            "rules skirmish x\x1b[2J",
            "games x\x9b",
        ),
    ]
    for line in [*lines, *(f"{line} --json" for line in lines)]:
        ran = terminal(*line.replace("MATCH", match).split(" "))
        shown = (ran.out + ran.err).replace("\n", "")

        assert not set("\x1b\x07\x9b\u202e\r") & set(shown), line


def test_json_keeps_its_value_when_characters_are_escaped() -> None:
    line = '{"text":"a\x9b\u202e\u2028é"}'

    assert decode_plain(harmless_json(line).encode()) == decode_plain(line.encode())
    assert harmless_json(line).isprintable()
    assert harmless_json('{"a":"é"}') == '{"a":"é"}'


def test_only_our_own_sequences_pass_and_only_with_colours() -> None:
    assert harmless("\x1b[1mbold\x1b[0m\tx\n", has_color=True) == "\x1b[1mbold\x1b[0m\tx\n"
    assert "\x1b" not in harmless("\x1b[1mbold\x1b[0m", has_color=False)
    assert "\x1b" not in harmless("\x1b]0;title\x07\x1b[6n", has_color=True)


def test_matches_of_two_games_are_not_compared(terminal: Terminal, skirmish: str) -> None:
    other = terminal.line("new", "advance", "--dice", "seeded:1")
    ran = terminal("diff", skirmish, other)

    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "only matches of one game can be compared" in ran.err


@pytest.mark.parametrize("name", ["a.db", "a b.db", "a\nb.db", "a\\'\x1b.db", "Straße $(x).db"])
def test_the_name_of_a_file_is_shown_as_a_shell_takes_it(name: str) -> None:
    shown = shown_file(name)
    read = subprocess.run(["bash", "-c", f"printf %s {shown}"], capture_output=True, check=True).stdout

    assert (read.decode(), shown.isprintable()) == (name, True)
