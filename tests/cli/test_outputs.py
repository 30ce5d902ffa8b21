"""No verb writes over a store, a file beside one, a key or a file of secrets; what else exists is replaced with --force only."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from cli.interface.typer_app import app
from server.protocol.curve import CurveKey
from server.store.whole_file import BESIDE_A_STORE
from tests.cli.running import WARDIARY, Terminal, parser_of

Arguments = tuple[str, ...]

OTHERS = """
A,B CHANCE,N A[@N] ACTION ADDRESS ANSWER BOT COMMAND CONDITION DECISION DURATION GAME HEX HOST HOST:PORT ID J KEY KEY=VALUE KIND GAME|MATCH LOW,HIGH MATCH MATCH|compare|FILE MATCH[@SEQ] N N|TIME N,N,… NAME
NAME=NUMBER SEAT=BOT NAME=TEXT NAME|none PACKAGE POLICY PX S SEAT SEAT=HEX SEAT|SIDE SEQ SIDE OPTION TEXT URL WITNESS WORD|N [WORD…] [B[@M]] [GAME] [ID] [LINE] [NAME] [SHAPE] auto|light|dark|print consent|free|no end|round|turn|step fresh|same|manual|seeded:SEED sealed|seeded:SEED
sealed|seeded:SEED sealed|seeded:SEED|manual truth|resample save|check|line stand|go-on|edit turn
open|list|show|comment|mark|line|chapter|order|withdraw MATCH|MATCH/STUDY[@SEQ] [TEXT] MARK
"""
"""What arguments are called that name no file."""

READ = {
    "audit what",
    "evidence policy",
    "verify policy",
    "verify authority",
    "board board",
    "find where",
    "import file",
    "new board",
    "new position",
    "play board",
    "position board",
    "position what",
    "study orders",
    "report what",
    "restore file",
    "serve allow",
    "rulesdiff against_board",
    "rulesdiff where",
    "simulate against_board",
    "simulate board",
    "simulate position",
    "verify evidence",
    "verify kept",
    "verify what",
    "web boards",
}
"""Verbs and those of their arguments that name a file that is only read."""

EMPTY_FOLDERS = {"new-game into", "pack folder"}
"""Those that name a folder in which nothing may be yet."""

STORES = {"store", "source", "target"}
"""The arguments that name a store, which is opened and never replaced."""


class Output(NamedTuple):
    """A run of a verb that writes a file: its arguments after {} is replaced by a path, and the file in that path if it is a folder."""

    arguments: Arguments
    file: str = ""
    has_force: bool = True

    def writing(self, path: Path | str, match: str) -> Arguments:
        """Return the arguments with which it writes to a path."""
        return tuple(one.replace("{}", str(path)).replace("MATCH", match) for one in self.arguments)


SIMULATE = ("simulate", "skirmish", "--matches", "1", "--jobs", "1", "--seed", "7")

ARENA = ("arena", "random", "random", "--game", "skirmish", "--jobs", "1", "--pairs", "1")

OUTPUTS = {
    "arena keep": Output((*ARENA, "--keep", "{}"), has_force=False),
    "arena page": Output((*ARENA, "--page", "{}")),
    "backup file": Output(("backup", "{}"), has_force=False),
    "board svg": Output(("board", "battle", "--svg", "{}")),
    "demo keep": Output(("demo", "--game", "skirmish", "--keep", "{}"), "demo.db", has_force=False),
    "export file": Output(("export", "MATCH", "{}")),
    "export match": Output(("export", "--all", "{}"), "skirmish-MATCH.ndjson.zst"),
    "export notation": Output(("export", "MATCH", "--notation", "{}")),
    "position file": Output(("position", "save", "MATCH", "{}")),
    "replay gif": Output(("replay", "MATCH", "--from", "20", "--gif", "{}")),
    "replay svg": Output(("replay", "MATCH", "--svg", "{}")),
    "report output": Output(("report", "MATCH", "-o", "{}")),
    "report output of many": Output(("report", "--all", "-o", "{}"), "index.html"),
    "report output as a table": Output(("report", "--all", "-o", "{}"), "matches.csv"),
    "show png": Output(("show", "MATCH", "--png", "{}")),
    "show svg": Output(("show", "MATCH", "--svg", "{}")),
    "simulate save": Output((*SIMULATE, "--save", "{}"), "?"),
    "simulate save_failures": Output((*SIMULATE, "--steps", "1", "--save-failures", "{}"), "?"),
    "serve key": Output(("serve", "--listen", "tcp://127.0.0.1:*", "--curve-key", "{}"), has_force=False),
    "list client_key": Output(
        ("list", "--connect", "tcp://127.0.0.1:1", "--server-key", "x" * 40, "--curve-client-key", "{}"),
        has_force=False,
    ),
    "web notices": Output(
        ("web", "--connect", "tcp://127.0.0.1:1", "--listen", "127.0.0.1:*", "--notices", "{}"), has_force=False
    ),
}
"""The outputs of all verbs, by verb and argument."""
KEYS = {"serve key", "list client_key"}
"""Outputs that are only written if there is none, and else read."""

KEPT: dict[str, Callable[[Path, Path], object]] = {
    "a link to the store": lambda at, store: at.symlink_to(store),
    "another name of the store": lambda at, store: at.hardlink_to(store),
    "a copy of the store": lambda at, store: shutil.copy(store, at),
    "the log of a store": lambda at, _: at.write_bytes(b"\x37\x7f\x06\x82" + bytes(99)),
    "a journal of a store": lambda at, _: at.write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + bytes(99)),
    "a key": lambda at, _: at.write_bytes(CurveKey.new().secret + b"\n"),
    "secrets": lambda at, _: at.write_bytes(b'{"tcp://127.0.0.1:5942":{"m":{"red":"secret"}}}\n'),
}
"""Make what is never written over: at a path, for a store."""


@pytest.fixture
def terminal(tmp_path: Path) -> Terminal:
    """A terminal with an empty store, whose name does not tell that it is one."""
    return Terminal(tmp_path / "kept")


@pytest.mark.parametrize("name", OUTPUTS)
def test_no_verb_writes_over_what_cannot_be_made_again(
    name: str, terminal: Terminal, skirmish: str, tmp_path: Path
) -> None:
    """A second or two for all: each of the verbs tries each of these files, with and without --force."""
    output = OUTPUTS[name]
    store = terminal.store.read_bytes()
    file = output.file.replace("MATCH", skirmish)
    if file == "?":
        assert terminal(*output.writing(tmp_path / "tried", skirmish)).code in (0, 1)
        (file,) = [path.name for path in (tmp_path / "tried").iterdir()]
    wrong = []
    for what, make in KEPT.items():
        if name in KEYS and what == "a key":
            continue
        folder = tmp_path / what.replace(" ", "-")
        folder.mkdir()
        at = folder / (file or "output")
        make(at, terminal.store)
        before = at.read_bytes()
        for force in [(), ("--force",)][: 1 + output.has_force]:
            ran = terminal(*output.writing(folder if file else at, skirmish), *force)
            if (ran.code, at.read_bytes(), at.is_symlink()) != (3, before, "link" in what):
                wrong.append((what, force, ran))

    assert wrong == []
    assert terminal.store.read_bytes() == store
    assert terminal.done("audit", "--all").err == ""


@pytest.mark.parametrize("name", [name for name, output in OUTPUTS.items() if not output.file])
def test_the_store_in_use_and_the_files_beside_it_stay_by_whatever_path(
    name: str, terminal: Terminal, skirmish: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output, store = OUTPUTS[name], terminal.store
    before = store.read_bytes()
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path / "folder")
    with store.open("rb") as opened:
        paths = [str(store), "../kept", f"/dev/fd/{opened.fileno()}", *(f"../kept{end}" for end in BESIDE_A_STORE)]
        rans = {
            path: terminal(*output.writing(path, skirmish), *force)
            for path in paths
            for force in [(), ("--force",)][: 1 + output.has_force]
        }

    assert {path: ran for path, ran in rans.items() if ran.code != 3} == {}
    assert store.read_bytes() == before
    assert not store.with_name("kept-journal").exists()
    assert not store.with_name("kept-server").exists()


@pytest.mark.parametrize("name", [name for name in OUTPUTS if OUTPUTS[name].has_force])
def test_another_file_is_replaced_with_force_only(name: str, terminal: Terminal, skirmish: str, tmp_path: Path) -> None:
    output = OUTPUTS[name]
    file = output.file.replace("MATCH", skirmish)
    folder = tmp_path / "folder"
    if file:
        terminal(*output.writing(folder, skirmish))
        (at,) = [path for path in folder.iterdir() if file in ("?", path.name)]
    else:
        folder.mkdir()
        at = folder / "output"
    at.write_bytes(b"my own work\n")
    at.chmod(0o640)
    path = folder if file else at
    refused = terminal(*output.writing(path, skirmish))

    assert (refused.code, at.read_bytes()) == (3, b"my own work\n")
    assert "--force" in refused.err
    assert terminal(*output.writing(path, skirmish), "--force").code in (0, 1)
    assert at.read_bytes() not in (b"", b"my own work\n")
    assert at.stat().st_mode & 0o777 == 0o640


def test_every_argument_that_names_a_file_is_known_here() -> None:
    """A new verb that writes a file is tested above, because its argument is in none of these lists."""
    unknown = set()
    for verb, command in parser_of(app).commands.items():  # type: ignore[attr-defined]
        for one in command.params:
            name = f"{verb} {'client_key' if one.name == 'client_key' else one.name}"
            is_known = (
                name in READ | EMPTY_FOLDERS
                or one.name in STORES
                or any(name in (known, known.split(" of ")[0]) for known in OUTPUTS)
            )
            if not (
                getattr(one, "is_flag", False) or one.metavar in OTHERS.split() or is_known or one.name == "client_key"
            ):
                unknown.add(f"{name} {one.metavar}")

    assert unknown == set()
    assert {"export file", "report output", "simulate save"} <= OUTPUTS.keys()


def test_an_archive_is_replaced_by_a_later_one_of_the_same_match(
    terminal: Terminal, skirmish: str, tmp_path: Path
) -> None:
    """Without force: also if compressed, or what the same seat saw of it; not by that of another match, or of another seat."""
    other = terminal.line("new", "skirmish", "--dice", "seeded:3")
    plain, packed, view = (str(tmp_path / name) for name in ("a.ndjson", "a.ndjson.zst", "view.ndjson"))
    for again in range(2):
        for file in (plain, packed):
            terminal.done("export", skirmish, file)
        terminal.done("export", skirmish, view, "--seat", "red")
        if not again:
            terminal.done("choose", skirmish, "1")
    shutil.copy(plain, tmp_path / "b.zst")
    terminal.done("export", skirmish, str(tmp_path / "b.zst"))

    refused = [
        terminal("export", other, plain),
        terminal("export", other, packed),
        terminal("export", skirmish, view),
        terminal("export", skirmish, view, "--seat", "blue"),
    ]

    assert [ran.code for ran in refused] == [3, 3, 3, 3]
    assert terminal.done("audit", packed).out == terminal.done("audit", plain).out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("export", "MATCH", "m.html"), "ends like the names of pages; those of archives end in .ndjson"),
        (("export", "MATCH", "m.db"), "ends like the names of stores"),
        (("show", "MATCH", "--svg", "m.png"), "end in .svg"),
        (("show", "MATCH", "--png", "m.svg"), "end in .png"),
        (("board", "battle", "--svg", "m.ndjson"), "ends like the names of archives"),
        (("report", "MATCH", "-o", "m.csv"), "ends like the names of tables"),
        (("export", "MATCH", "."), "Is a directory"),
        (("show", "MATCH", "--svg", "."), "Is a directory"),
        (("show", "MATCH", "--svg", "no/m.svg"), "no/m.svg cannot be written: No such file or directory"),
        (("show", "MATCH", "--svg", "/dev/full"), "/dev/full cannot be written: No space left on device"),
        (("export", "MATCH", "/dev/full"), "/dev/full cannot be written: No space left on device"),
    ],
)
def test_a_path_that_cannot_be_meant_or_written_is_refused(
    arguments: Arguments, said: str, terminal: Terminal, skirmish: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = terminal(*(one.replace("MATCH", skirmish) for one in arguments))

    assert (ran.code, ran.err.count("\n")) == (3, 1)
    assert said in ran.err
    assert {path.name for path in tmp_path.iterdir()} <= {"kept", "kept-wal", "kept-shm"}


@pytest.mark.parametrize(
    "arguments",
    [
        ("export", "--all", "FOLDER"),
        ("simulate", "skirmish", "--matches", "1", "--jobs", "1", "--save", "FOLDER"),
        ("simulate", "skirmish", "--matches", "1", "--jobs", "1", "--save-failures", "FOLDER"),
        ("report", "--all", "-o", "FOLDER"),
        ("demo", "--keep", "FOLDER"),
        ("new-game", "pig", "--into", "FOLDER"),
    ],
)
@pytest.mark.parametrize("folder", ["STORE-journal", "STORE-server/kept"])
def test_no_folder_takes_the_name_of_a_file_of_a_store(
    arguments: Arguments, folder: str, terminal: Terminal, skirmish: str
) -> None:
    """A store with a folder in place of its write-ahead log cannot be opened."""
    target = Path(folder.replace("STORE", str(terminal.store)))
    ran = terminal(*(one.replace("FOLDER", str(target)) for one in arguments))

    assert (ran.code, "belongs to the store" in ran.err) == (3, True), ran.err
    assert not target.exists()
    assert skirmish in terminal.done("list").out


def test_a_device_and_a_pipe_are_written_to(terminal: Terminal, skirmish: str) -> None:
    terminal.done("show", skirmish, "--svg", "/dev/null")
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb") as pipe:
        with os.fdopen(writer, "wb"):
            terminal.done("show", skirmish, "--svg", f"/dev/fd/{writer}")

        assert pipe.read().decode() == terminal.done("show", skirmish, "--svg", "-").out


@pytest.mark.parametrize("mode", ["r+b", "ab"])
def test_output_that_a_shell_lets_go_into_a_store_is_refused(mode: str, terminal: Terminal, skirmish: str) -> None:
    before = terminal.store.read_bytes()
    with terminal.store.open(mode) as out:
        ran = subprocess.run(
            [WARDIARY, "--store", terminal.store, "list"], stdout=out, stderr=subprocess.PIPE, timeout=60, check=False
        )

    assert (ran.returncode, terminal.store.read_bytes()) == (3, before)
    assert b"is a store, over which nothing is ever written" in ran.stderr


def test_a_drawing_of_what_only_a_seat_sees_is_private(terminal: Terminal, skirmish: str, tmp_path: Path) -> None:
    modes = {}
    for seat in ("public", "red", "arbiter"):
        terminal.done("show", skirmish, "--svg", str(tmp_path / seat), "--seat", seat)
        modes[seat] = (tmp_path / seat).stat().st_mode & 0o077

    assert modes == {"public": 0o666 & ~os.umask(os.umask(0o022)) & 0o077, "red": 0, "arbiter": 0}
