"""Each bad input prints one clear line and nothing on stdout, and has the right exit code."""

import os
import re
import resource
import socket
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import zmq

from cli.shell.exit_codes import user_error_of
from core.errors import RecordDiffers, SeedMissing
from events.codec import DecodeError
from events.errors import BrokenEvidence, LostRace, OtherMatch
from events.ids import MatchId
from server.protocol.errors import TimedOut
from server.store.sqlite_log import SqliteLog
from tests.cli.running import WARDIARY, Ran, Terminal
from tests.support.desk import skirmish_listed
from tests.support.rows import each_row

USAGE = [
    # Unknown words.
    ("frobnicate", "No such command 'frobnicate'."),
    ("lst", "Did you mean 'list'"),
    ("list --frobnicate", "No such option: --frobnicate"),
    ("show", "Missing argument 'MATCH[@SEQ]'."),
    ("log MATCH --from x", "'x' is not a whole number"),
    ("log MATCH --from 99999999999999999999", "a number has 15 digits at most, not 20"),
    ("list --limit 9999999999999999", "a number has 15 digits at most, not 16"),
    ("replay MATCH --speed fast", "'fast' is not a number"),
    ("show --store", "requires an argument"),
    ("show MATCH extra words", "Got unexpected extra argument"),
    # Games and scenarios.
    ("games whist", "no game is called 'whist'; there are:"),
    ("games skirmsh", "did you mean skirmish?"),
    ("rules whist", "no game is called 'whist'"),
    ("rules skirmish 9.9.gone", "has no rule or ruling '9.9.gone'"),
    ("board skirmish", "cannot be shown before a match"),
    ("board advance --toml --svg map.svg", "--svg and --toml exclude each other"),
    ("invite MATCH --seat red --for=", "--for is empty: give it a value, or leave it out"),
    ("schema nonsense", "no shape is called 'nonsense'"),
    # New matches.
    ("new whist", "no game is called 'whist'"),
    ("new skirmish --scenario noon", "no scenario of skirmish is called 'noon'; there are: field, night"),
    ("new skirmish --mode moon", "no mode of scenario field is called 'moon'"),
    ("new battle --mode x", "is called 'x'; the only one has no name\n"),
    ("new skirmish -o fgo=on", "no option of skirmish is called 'fgo'; did you mean fog?"),
    ("new skirmish -o moonlight=on", "no option of skirmish in scenario field is called 'moonlight'"),
    ("new skirmish -o fog=maybe", "option fog must be on or off, not 'maybe'"),
    ("new skirmish -o speed=fast", "option speed must be 1 to 5, not 'fast'"),
    ("new skirmish -o speed=9", "option speed must be 1 to 5, not 9"),
    ("new skirmish -o bug=ladybird", "option bug must be one of none, dead-end"),
    ("new skirmish -o fog", "an option is KEY=VALUE, not 'fog'"),
    ("new skirmish -o fog=on -o fog=off", "option fog is given twice"),
    ("new skirmish --dice loaded", "dice are sealed, seeded:SEED or manual, not 'loaded'"),
    ("new skirmish --dice seeded", "dice are sealed, seeded:SEED or manual, not 'seeded'"),
    ("new skirmish --dice seeded:", "dice are sealed, seeded:SEED or manual, not 'seeded:'"),
    ("new skirmish --dice sealed:5", "dice are sealed, seeded:SEED or manual, not 'sealed:5'"),
    ("new skirmish --board BROKEN", "the board is not valid TOML"),
    ("new skirmish --position BROKEN", "the position, line 1"),
    ("new skirmish --position FOREIGN", "the position, line 1, column 1: it must say format = 'wardiary-position/1'"),
    ("new skirmish --position IMPOSSIBLE", "no piece in play is called 'x'; there are: red-flag"),
    ("new advance --board BROKEN", "line 1"),
    # Matches and points.
    ("show nothing", "no match 'nothing' in this store; `wardiary list` shows what there is"),
    ("show @5", "a match is named by its id"),
    ("show MATCH@", "is not a point in a match"),
    ("show MATCH@-1", "is not a point in a match"),
    ("show MATCH@0", "there is no event 0"),
    ("show MATCH@9999", "there is no event 9999"),
    ("show MATCH --seat green", "no seat of this match is called 'green'; there are: red, blue, public, arbiter"),
    ("log MATCH --from 0", "--from must be 1 to"),
    ("log MATCH --from 9999", "--from must be 1 to"),
    ("log MATCH --to 9999", "there is no event 9999"),
    ("replay MATCH --from 9999", "there is no event 9999"),
    ("replay MATCH --step often", "a step is one of event, command, phase, round, or a number of events, not 'often'"),
    ("replay MATCH --step 0", "a step is one of"),
    ("replay MATCH --speed -1", "--speed is 0 to 1000"),
    ("explain MATCH", "which event? Write"),
    ("explain MATCH@9999", "there is no event 9999"),
    ("diff MATCH nothing", "no match 'nothing'"),
    ("tree nothing", "no match 'nothing'"),
    ("tree MATCH@3", "this takes a whole match: write MATCH, without the event's number"),
    ("export MATCH@3 -", "this takes a whole match: write MATCH, without the event's number"),
    ("audit MATCH@3", "this takes a whole match: write MATCH, without the event's number"),
    ("watch MATCH@3", "this takes a whole match: write MATCH, without the event's number"),
    # Playing.
    ("legal MATCH@3", "event 3 lies in the middle of a command, when nothing is to decide; name event "),
    ("legal MATCH@0", "there is no event 0"),
    ("choose MATCH@3 1", "this works at the latest event only"),
    ("note MATCH@3 why", "the event that this is about is named by --at: write MATCH --at 3"),
    ("ruling MATCH@3 why --rule 2.reply", "the event that this is about is named by --at: write MATCH --at 3"),
    *[
        (f"{line} --at 9999", "There is no event 9999; the last is")
        for line in (
            "note MATCH why --seat red",
            "ruling MATCH why",
            "dispute MATCH why --seat red",
            "appeal MATCH why --seat red",
        )
    ],
    ("dispute MATCH why --seat green --at 2", "no seat of this match is called 'green'"),
    ("undo MATCH --agree --seat green", "no seat of this match is called 'green'"),
    ("ruling MATCH why --house=", "--house is empty: give it a value, or leave it out"),
    ("ruling MATCH why --at 2 --effect none", "no effect of a ruling is called 'none'"),
    ("legal MATCH --seat green", "no seat of this match is called 'green'"),
    ("choose MATCH 99", "there is no option 99"),
    ("choose MATCH 0", "there is no option 0"),
    ("choose MATCH fire", "no option has the words 'fire'; `wardiary legal MATCH` lists all"),
    (
        "choose MATCH {",
        'is not valid JSON (Input data was truncated); a command is an object such as {"do":"match:resign"}',
    ),
    ("choose MATCH {", "`wardiary legal MATCH --json` shows those that are legal now"),
    ('choose MATCH {"do":1}', "not a command of this match: Expected `str`"),
    ('choose MATCH {"do":"frobnicate"}', "frobnicate"),
    ('choose MATCH {"do":"roll","how":"well"}', "how"),
    ('choose MATCH {"do":"match:frobnicate"}', "frobnicate"),
    ("choose MATCH 1 --dice 3,4", "this match rolls its own dice"),
    ("choose MATCH 1 --dice three", "dice are numbers joined by commas"),
    ("choose MATCH 1 --dice 3,,4", "dice are numbers joined by commas"),
    ("choose MATCH - --dice 3", "commands from stdin take no dice"),
    ("choose nothing 1", "no match 'nothing'"),
    # Forks, evidence, simulations, clients.
    ("fork nothing", "no match 'nothing'"),
    ("fork MATCH@9999", "there is no event 9999"),
    ("fork MATCH --dice loaded", "a fork's dice are fresh, same, manual or seeded:SEED, not 'loaded'"),
    ("fork MATCH --hidden shuffled", "treatment of hidden information"),
    ("audit", "name a match or an archive, or use --all"),
    ("audit MATCH --all", "name a match or an archive, or use --all"),
    ("audit MATCH --jobs 2", "--jobs is 0 or more, and goes with --all"),
    ("audit --all --jobs -1", "--jobs is 0 or more"),
    ("audit nothing", "there is neither a file 'nothing' nor such a match in this store"),
    ("export nothing FILE", "no match 'nothing'"),
    ("simulate whist", "no game is called 'whist'"),
    ("simulate skirmish --bots genius", "no policy for skirmish is called 'genius'"),
    ("simulate skirmish --bots ,", "--bots names at least one bot"),
    ("simulate skirmish --matches 0", "must be 1 or more"),
    ("simulate skirmish --jobs -1", "must be 1 or more"),
    ("simulate skirmish --scenario noon", "no scenario of skirmish is called 'noon'"),
    ("simulate skirmish --mode noon", "no mode is called 'noon'"),
    ("simulate skirmish -o fgo=on", "no option of skirmish is called 'fgo'"),
    ("simulate skirmish --scenario field -o moonlight=on", "no option of skirmish in scenario field"),
    ("bot whist", "no game is called 'whist'"),
    ("bot skirmish --policy genius", "no policy for skirmish is called 'genius'"),
    ("bot skirmish --commands -1", "--commands is 0 or more"),
    ("bot skirmish --seat green", "no seat of skirmish is called 'green'"),
    *[
        (line, "an address is tcp://HOST:PORT or ipc://PATH, with a port from 1 to 65535")
        for line in (
            "bot skirmish --connect nowhere",
            "watch MATCH --connect bogus",
            "watch MATCH --connect tcp://",
            "watch MATCH --connect tcp://here",
            "watch MATCH --connect tcp://here:*",
            "watch MATCH --connect tcp://here:70000",
            "watch MATCH --connect ipc://",
            "serve --listen here",
            "serve --listen tcp://:*",
            "serve --listen tcp://127.0.0.1:0",
            "serve --events here",
        )
    ],
    ("simulate advance --board BROKEN", "line 1"),
    ("simulate advance --variant Plain", "a variant"),
    ("watch nothing", "no match 'nothing'"),
    ("watch MATCH --seat green", "no seat of this match is called 'green'"),
    ("demo --game whist", "no game is called 'whist'"),
    ("list --store mysql://host/db", "a store is a file on this machine"),
    ("serve --allow-client EMPTY", "--allow-client needs --curve-key"),
    ("serve --metrics 9142", "metrics are served at HOST:PORT, such as 127.0.0.1:9142, with a port from 1 to 65535"),
    ("serve --workers tcp://127.0.0.1:*", "--workers needs a secret of 32 characters or more"),
    ("serve --read-only --workers tcp://127.0.0.1:*", "--workers needs a store that can be written"),
    ("serve --workers here", "an address is tcp://HOST:PORT"),
    ("work", "a worker needs the secret of the server's workers in WARDIARY_WORKERS_SECRET"),
    ("work --connect tcp://one:1,tcp://two:1", "a worker works for one server"),
    ("new skirmish --house red", "--house needs the server that plays the bots"),
    ("new battle --house red --connect tcp://127.0.0.1:9", "no seat of battle is called 'red'"),
    ("new battle --house german=perfect --connect tcp://127.0.0.1:9", "no policy for battle is called 'perfect'"),
    ("new battle --house german=search:0 --connect tcp://127.0.0.1:9", "1 to 10000000 playouts, not 0"),
    ("audit --all --bots", "--bots is about one match or archive"),
    ("serve --pages KEY", "--pages names a client that --allow-client lists; 'KEY' is not listed"),
    ("bot skirmish --curve-client-key MISSING", "--curve-client-key needs --server-key"),
    ("watch MATCH --connect tcp://127.0.0.1:9 --curve-client-key MISSING", "--curve-client-key needs --server-key"),
]

INPUT_OUTPUT = [
    ("board advance --board MISSING", "missing.toml: No such file or directory"),
    ("board advance --svg MISSING/map.svg", "No such file or directory"),
    ("new skirmish --position MISSING", "missing.toml: No such file or directory"),
    ("new skirmish --board BINARY", "is invalid UTF-8"),
    ("import MISSING", "missing.toml cannot be read: No such file or directory"),
    ("export MATCH MISSING/match.ndjson", "cannot be written: No such file or directory"),
    ("list --store MISSING", "there is no store at"),
    ("list --store nats://here:99999", "a port is a number from 1 to 65535, not 99999"),
    ("show MATCH --store BROKEN", "is not"),
    ("new skirmish --store BROKEN", "is not"),
    ("new skirmish --store FOLDER", ""),
    ("new skirmish --store /proc/matches.db", "/proc/matches.db"),
    ("audit FOLDER", "folder is a folder; an audit takes a match of the store or an archive file"),
    ("serve --listen tcp://256.0.0.1:1", "cannot listen at tcp://256.0.0.1:1"),
    ("simulate advance --board MISSING", "missing.toml: No such file or directory"),
    ("serve --curve-key BROKEN", "cannot be used"),
    ("serve --curve-key MISSING --allow-client BROKEN", "broken.toml, line 1: a public key is 40 characters of Z85"),
    ("serve --curve-key MISSING --allow-client EMPTY", "empty.ndjson lists no key"),
    ("bot skirmish --server-key short --curve-client-key BROKEN --match x", "cannot be used"),
    ("bot skirmish --server-key short --match x", "key"),
]

EVIDENCE = [
    ("audit BROKEN", "archive line 1: this is not an archive of a match"),
    ("import BROKEN", "archive line 1: this is not an archive of a match"),
    ("import EMPTY", "archive line 1: the archive is empty"),
    ("import TRUNCATED", "the archive is cut off"),
    ("audit TRUNCATED", "the archive is cut off"),
    ("import SHORT", "the archive is cut off in this line: copy it again, or export the match again"),
    ("audit SHORT", "the archive is cut off in this line: copy it again, or export the match again"),
    ("audit PACKED", "the compressed archive is cut off after"),
    ("import FOREIGN_MATCH", "is in this store already, with other events from event"),
]

REFUSED = [
    ('choose MATCH {"do":"reply","contest":true}', "That is not what is asked. (2.reply)"),
    ('choose MATCH {"do":"roll"} --seat OTHER', "The question is put to"),
    ("choose MATCH 1 --seat OTHER", "the open decision belongs to"),
    ("choose MATCH roll --seat OTHER", "the open decision belongs to"),
    ("choose MATCH begin", "Play has begun already. (match.begin)"),
    ('choose MATCH {"do":"match:ruling","text":"so be it"} --seat red', "Only the arbiter makes rulings."),
    ("fork SEALED --dice same", "depend on links"),
]

CHECKS = [
    ("choose MATCH 1 --expected 3", "the match has moved on: event 3 was expected"),
    ("choose MATCH 1 --expected 9999", "the match has not reached event 9999, which was expected; the last is"),
    ("choose MATCH 1 --expected -1", "the match has moved on: event -1 was expected"),
]

TABLE = [
    *((2, line, said) for line, said in USAGE),
    *((3, line, said) for line, said in INPUT_OUTPUT),
    *((4, line, said) for line, said in EVIDENCE),
    *((5, line, said) for line, said in REFUSED),
    *((1, line, said) for line, said in CHECKS),
]


class Scene(NamedTuple):
    """A store with some matches and files, and the meaning of the words in capitals in the table."""

    terminal: Terminal
    words: dict[str, str]

    def heads(self) -> dict[str, object]:
        """Return the head of every match of the store."""
        with SqliteLog(self.terminal.store, read_only=True) as log:
            return {match: log.head(match) for match in log.matches()}


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """One scene for all tests: bad input changes nothing."""
    folder = tmp_path_factory.mktemp("scene")
    terminal = Terminal(folder / "store.db")
    with skirmish_listed():
        return Scene(terminal, _words(terminal, terminal.line("new", "skirmish", "--dice", "seeded:2"), folder))


def _words(terminal: Terminal, skirmish: str, tmp_path: Path) -> dict[str, str]:
    files = {
        "MISSING": "missing.toml",
        "BROKEN": "broken.toml",
        "FOREIGN": "foreign.toml",
        "IMPOSSIBLE": "impossible.toml",
        "BINARY": "binary.toml",
        "EMPTY": "empty.ndjson",
        "TRUNCATED": "truncated.ndjson",
        "SHORT": "short.ndjson",
        "PACKED": "packed.ndjson.zst",
        "FOREIGN_MATCH": "foreign.ndjson",
        "FOLDER": "folder",
        "FILE": "file.ndjson",
    }
    found = {name: str(tmp_path / file) for name, file in files.items()}
    Path(found["BROKEN"]).write_text("this is = = nothing\n", encoding="utf-8")
    Path(found["FOREIGN"]).write_text('format = "another/1"\ngame = "skirmish"\n', encoding="utf-8")
    Path(found["IMPOSSIBLE"]).write_text(
        'format = "wardiary-position/1"\ngame = "skirmish"\npieces = [{ id = "x", place = "nowhere" }]\n',
        encoding="utf-8",
    )
    Path(found["BINARY"]).write_bytes(b"goal = \xff\n")
    Path(found["EMPTY"]).write_bytes(b"")
    Path(found["FOLDER"]).mkdir()
    terminal.done("export", skirmish, found["FILE"])
    content = Path(found["FILE"]).read_bytes()
    Path(found["TRUNCATED"]).write_bytes(content[: len(content) // 2])
    Path(found["SHORT"]).write_bytes(content[:-1])
    terminal.done("export", skirmish, found["PACKED"])
    Path(found["PACKED"]).write_bytes(Path(found["PACKED"]).read_bytes()[:-1])
    Path(found["FOREIGN_MATCH"]).write_bytes(_another_match_of_the_same_id(terminal, tmp_path))
    table = terminal.done("show", skirmish, "--json").objects[0]["table"]
    assert isinstance(table, dict)
    other = "blue" if table["turn"] == "red" else "red"
    return {**found, "MATCH": skirmish, "OTHER": other, "SEALED": terminal.line("new", "skirmish")}


def _another_match_of_the_same_id(terminal: Terminal, folder: Path) -> bytes:
    """Archive a match, then continue it differently in the terminal's store."""
    elsewhere = Terminal(folder / "elsewhere.db")
    match = terminal.line("new", "skirmish", "--dice", "seeded:8")
    file = folder / "before.ndjson"
    terminal.done("export", match, str(file))
    elsewhere.done("import", str(file))
    elsewhere.done("choose", match, "1")
    terminal.done("choose", match, "2")
    elsewhere.done("export", match, str(file))
    return file.read_bytes()


def typed(line: str, words: dict[str, str]) -> list[str]:
    """Split a line of the table, and fill in files, matches and seats."""
    arguments = line.split(" ") if "{" not in line else _with_json(line)
    for name in sorted(words, key=len, reverse=True):
        arguments = [argument.replace(name, words[name]) for argument in arguments]
    return arguments


def _with_json(line: str) -> list[str]:
    before, _, rest = line.partition("{")
    json, _, after = rest.rpartition("}")
    return [*before.split(), "{" + (f"{json}}}" if "}" in rest else rest), *after.split()]


@each_row(("code", "line", "said"), TABLE)
def test_bad_input_gets_one_line_and_its_exit_code(code: int, line: str, said: str, scene: Scene) -> None:
    before = scene.heads()
    ran = scene.terminal(*typed(line, scene.words))

    assert (ran.code, ran.out) == (code, ""), ran
    assert ran.err.count("\n") == 1, ran.err
    assert ran.err.startswith("wardiary: ")
    said = re.sub("(legal|write) MATCH", rf"\1 {scene.words['MATCH']}", said)
    assert said in ran.err, ran.err
    assert scene.heads() == before


@each_row("line", ["show nothing", "new skirmish --position IMPOSSIBLE", "list --frobnicate", "audit BROKEN"])
def test_with_json_the_error_is_an_object(line: str, scene: Scene) -> None:
    ran = scene.terminal(*typed(line, scene.words), "--json")
    (shape,) = Ran(0, ran.err, "").objects

    assert (shape["shape"], shape["exit"], ran.out) == ("error", ran.code, "")
    assert shape["message"]


def test_every_defect_of_a_set_up_is_listed(scene: Scene) -> None:
    ran = scene.terminal(*typed("new skirmish --position IMPOSSIBLE --json", scene.words))

    assert Ran(0, ran.err, "").objects[0]["defects"] == [
        "line 3, column 13: no piece in play is called 'x'; there are: red-flag, blue-flag, red-spy, blue-spy",
        "line 3, column 23: no place or piece in play is called 'nowhere'; there are: field, camp",
    ]


@pytest.mark.parametrize("argument", ["x" * 5000, "x y " * 1250])
@pytest.mark.parametrize(
    "line",
    [
        "show",
        "new",
        "new advance --scenario",
        "new advance --option",
        "rules advance",
        "list --store",
        "board",
        "audit",
    ],
)
def test_a_very_long_argument_is_not_repeated_whole(line: str, argument: str, terminal: Terminal) -> None:
    ran = terminal(*line.split(), argument)

    assert ran.code != 0
    assert 0 < len(ran.err) < 1000


def test_an_argument_that_is_not_valid_text_is_refused(terminal: Terminal) -> None:
    ran = terminal("show", "\udcff")

    assert (ran.code, ran.err) == (2, "wardiary: '\\udcff' is not valid UTF-8\n")


@pytest.fixture
def locked(terminal: Terminal, skirmish: str) -> Iterator[None]:
    """A store locked by another process."""
    database = sqlite3.connect(terminal.store, isolation_level=None)
    database.execute("BEGIN IMMEDIATE")
    yield
    database.close()


@pytest.mark.usefixtures("locked")
def test_a_locked_store_can_be_read_but_not_written(
    terminal: Terminal, skirmish: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cli.shell.context.PATIENCE_S", 0.1)
    ran = terminal("choose", skirmish, "1")

    assert (ran.code, ran.out, ran.err.count("\n")) == (3, "", 1)
    assert "locked" in ran.err
    assert terminal("show", skirmish).code == 0


def test_a_corrupt_store_is_named(terminal: Terminal, skirmish: str) -> None:
    content = bytearray(terminal.store.read_bytes())
    content[1024:] = os.urandom(len(content) - 1024)
    terminal.store.write_bytes(content)
    ran = terminal("list")

    assert ran.code in {3, 4}
    assert ran.err.count("\n") == 1
    assert str(terminal.store) in ran.err or "match" in ran.err


def test_a_store_of_a_later_version_is_left_alone(terminal: Terminal, skirmish: str) -> None:
    database = sqlite3.connect(terminal.store)
    database.execute("PRAGMA user_version = 99")
    database.close()
    ran = terminal("new", "skirmish")

    assert (ran.code, ran.out) == (3, "")
    assert "version" in ran.err


def test_a_port_in_use_is_named(terminal: Terminal) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        ran = terminal("serve", "--listen", address, "--events", "tcp://127.0.0.1:*")

    assert (ran.code, ran.out) == (3, "")
    assert f"cannot listen at {address}" in ran.err.splitlines()[-1]


def test_output_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    """Stdout is on a full disk: here a file that may not grow."""
    with (tmp_path / "full").open("wb") as full:
        ran = subprocess.run(
            [WARDIARY, "games"],
            stdout=full,
            stderr=subprocess.PIPE,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)),
            check=False,
        )

    assert (ran.returncode, ran.stderr.decode()) == (3, "wardiary: File too large\n")


def test_a_closed_output_pipe_is_not_an_error(golden: tuple[Terminal, str]) -> None:
    terminal, match = golden
    with terminal.started(["log", match, "-v"]) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()

        assert (process.stderr.read(), process.wait(60)) == (b"", 0)


@each_row(
    ("error", "code"),
    [
        (TimedOut("nobody answers"), 3),
        (SeedMissing("elsewhere"), 3),
        (zmq.ZMQError(98), 3),
        (LostRace(MatchId("m"), 1, 2), 1),
        (BrokenEvidence(MatchId("m"), 1, "torn"), 4),
        (OtherMatch(MatchId("m"), 1), 4),
        (RecordDiffers(3, "other dice"), 4),
        (DecodeError("torn"), 4),
        (PermissionError(13, "Permission denied", "file"), 3),
    ],
)
def test_every_error_of_the_outside_world_has_its_exit_code(error: Exception, code: int) -> None:
    fault = user_error_of(error)

    assert fault is not None
    assert fault.exit_code == code


def test_an_internal_fault_is_not_reported_as_bad_input(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("cli.commands.viewing.matches.list_matches", broken)
    ran = terminal("list")

    assert (ran.code, ran.out, ran.err.count("\n")) == (70, "", 1)
    assert "an internal error of wardiary" in ran.err
