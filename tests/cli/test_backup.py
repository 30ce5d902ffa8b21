"""A store is backed up while it is served, and restored where no store is."""

import os
import resource
import shutil
import signal
from pathlib import Path
from subprocess import PIPE, Popen

import pytest

from server.store import backup, serving_mark
from server.store.one_server import only_server
from server.store.sqlite_log import SqliteLog
from tests.cli.running import WARDIARY, Terminal, hear_interrupts
from tests.support.privileges import unprivileged


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No server begins or ends here, for which a store would be looked at again after a while."""
    monkeypatch.setattr(serving_mark, "PAUSE_S", 0.0)


def test_a_store_is_backed_up_and_restored(terminal: Terminal, skirmish: str, tmp_path: Path) -> None:
    """The match goes on with its dice: unlike an archive, a backup holds the seeds."""
    sealed = terminal.line("new", "skirmish")
    copy = tmp_path / "backup.db"
    (shape,) = terminal.done("backup", str(copy), "--json").objects
    played = terminal.done("choose", sealed, "1").out
    elsewhere = Terminal(tmp_path / "other" / "store.db")
    elsewhere.store.parent.mkdir()
    restored = elsewhere.done("restore", str(copy))

    assert shape == {
        "shape": "backup",
        "store": str(terminal.store),
        "file": str(copy),
        "matches": 2,
        "commits": 6,
        "bytes": copy.stat().st_size,
    }
    assert (
        restored.out
        == f"2 matches in 6 commits, {copy.stat().st_size:,} bytes, copied to {elsewhere.store}, whose pages, rows and indexes are sound\n"
    )
    assert elsewhere.done("choose", sealed, "1").out == played
    assert elsewhere.done("audit", "--all").err == ""
    assert skirmish in elsewhere.done("list").out


def test_a_store_is_restored_to_its_default_place(
    terminal: Terminal, skirmish: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal.done("backup", str(tmp_path / "backup.db"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    nowhere = {"WARDIARY_STORE": ""}
    ran = terminal("restore", str(tmp_path / "backup.db"), variables=nowhere)

    assert ran.code == 0, ran.err
    assert skirmish in terminal("list", variables=nowhere).out


@pytest.mark.parametrize("verb", ["backup", "restore"])
@pytest.mark.usefixtures("skirmish")
def test_a_backup_is_no_standard_stream(verb: str, terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(terminal.store.parent)
    ran = terminal(verb, "-")

    assert (ran.code, ran.err) == (2, "wardiary: a backup is a file with a name, not stdin or stdout\n")
    assert not Path("-").exists()


@pytest.mark.usefixtures("skirmish")
def test_a_backup_over_a_file_names_no_option_that_the_verb_lacks(terminal: Terminal, tmp_path: Path) -> None:
    there = tmp_path / "notes.txt"
    there.write_text("mine", encoding="utf-8")
    ran = terminal("backup", str(there))

    assert (ran.code, ran.err) == (3, f"wardiary: {there} exists; name another file\n")
    assert there.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("end", ["", "-wal", "-shm", "-journal"])
def test_nothing_is_restored_over_a_store_or_a_part_of_one(end: str, terminal: Terminal, skirmish: str) -> None:
    copy = terminal.store.with_name("backup.db")
    terminal.done("backup", str(copy))
    target = Path(f"{terminal.store.with_name('new.db')}")
    Path(f"{target}{end}").write_bytes(terminal.store.read_bytes())
    ran = Terminal(target)("restore", str(copy))

    assert (ran.code, ran.err.count("\n")) == (3, 1)
    assert f"move it away first (mv {target}{end} FOLDER)" in ran.err
    assert Path(f"{target}{end}").read_bytes() == terminal.store.read_bytes()


@pytest.mark.usefixtures("skirmish")
def test_what_is_no_store_is_not_restored(terminal: Terminal, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no store")
    copy = tmp_path / "backup.db"
    terminal.done("backup", str(copy))
    content = copy.read_bytes()
    copy.write_bytes(content[: len(content) // 2])
    new = Terminal(tmp_path / "new.db")
    rans = [new("restore", str(path)) for path in (tmp_path / "text", tmp_path / "none.db", copy)]

    assert [ran.code for ran in rans] == [3, 3, 4]
    assert not new.store.exists()
    assert terminal("backup", str(tmp_path / "no" / "b.db")).code == 3
    assert new("backup", str(tmp_path / "b.db")).code == 3


@pytest.mark.usefixtures("skirmish")
def test_nothing_is_restored_while_a_server_holds_the_place(terminal: Terminal, tmp_path: Path) -> None:
    """It still has the store that was moved away open."""
    copy = tmp_path / "backup.db"
    terminal.done("backup", str(copy))
    new = Terminal(tmp_path / "new.db")
    with only_server(new.store):
        ran = new("restore", str(copy))

    assert (ran.code, "has a server already" in ran.err) == (3, True)
    assert not new.store.exists()


@pytest.mark.usefixtures("skirmish")
def test_a_disk_that_is_full_or_read_only_leaves_no_part_of_a_backup(terminal: Terminal, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    copy = str(folder / "backup.db")
    size = terminal.store.stat().st_size // 2
    full = Popen(
        [WARDIARY, "--store", terminal.store, "backup", copy],
        stderr=PIPE,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),  # noqa: PLW1509 - As in `started`.
    )
    said = full.communicate(timeout=60)[1].decode()

    assert (full.returncode, said.count("\n")) == (3, 1), said
    assert copy in said
    assert list(folder.iterdir()) == []

    tmp_path.chmod(0o755)
    folder.chmod(0o555)
    with unprivileged():
        assert terminal("backup", copy).code == 3
    folder.chmod(0o755)

    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.usefixtures("skirmish")
def test_a_backup_that_is_ended_leaves_no_part(
    number: signal.Signals, terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A part of each nightly backup that ran too long would fill the disk, unseen, with seeds and hidden cards."""
    folder = tmp_path / "folder"
    folder.mkdir()
    parts: list[str] = []

    def end(*_: object) -> None:
        parts.extend(path.name for path in folder.iterdir())
        os.kill(os.getpid(), number)

    monkeypatch.setattr(backup, "_sync", end)
    # Where SIGTERM is not heard, this test fails rather than ends.
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    # A shell lets what runs in the background ignore it.
    interrupted = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        ran = terminal("backup", str(folder / "backup.db"))
    finally:
        signal.signal(signal.SIGTERM, before)
        signal.signal(signal.SIGINT, interrupted)

    assert (ran.code, len(parts), list(folder.iterdir())) == (130, 1, [])


@pytest.mark.usefixtures("at_once")
def test_every_verb_names_a_store_that_was_copied_without_its_log(terminal: Terminal, skirmish: str) -> None:
    cut = Terminal(terminal.store.with_name("cut.db"))
    with SqliteLog(terminal.store) as log, only_server(terminal.store):
        log.begin_serving()
        terminal.done("choose", skirmish, "1")
        shutil.copy(terminal.store, cut.store)
    reading = [cut(verb, skirmish) for verb in ("show", "log", "legal", "find", "tree", "audit")]
    judging = [cut("audit", "--all"), cut("list"), cut("list", "--json")]
    writing = [cut("choose", skirmish, "1"), cut("new", "skirmish"), cut("backup", f"{cut.store}.db")]

    assert [ran for ran in (*reading, *judging, *writing) if "what was stored last is missing" not in ran.err] == []
    assert {ran.code for ran in (*judging, *writing)} == {4}
    assert cut("audit", "--all", "--json").objects[0]["problems"] != []

    cut.done("backup", f"{cut.store}.whole", "--as-it-is")
    assert Terminal(Path(f"{cut.store}.whole")).done("audit", "--all").err == ""


def test_a_store_is_backed_up_beside_a_server_that_is_then_killed(terminal: Terminal, tmp_path: Path) -> None:
    """Two seconds: a server is started. Neither the copy nor the store is said to lack anything."""
    terminal.done("new", "battle", "--dice", "seeded:1")
    with Popen(
        [
            WARDIARY,
            "--store",
            terminal.store,
            "serve",
            "--listen",
            "tcp://127.0.0.1:*",
            "--events",
            "tcp://127.0.0.1:*",
        ],
        stdout=PIPE,
        stderr=PIPE,
        preexec_fn=hear_interrupts,  # noqa: PLW1509 - As in `started`.
    ) as server:
        assert server.stdout is not None
        server.stdout.readline()
        for number in range(5):
            terminal.done("new", "battle", "--dice", f"seeded:{number}")
        terminal.done("backup", str(tmp_path / "backup.db"))
        shutil.copy(terminal.store, tmp_path / "cut.db")
        os.kill(server.pid, signal.SIGKILL)
    rans = [
        Terminal(tmp_path / "backup.db")("list", "--json"),
        terminal("list", "--json"),
        terminal("new", "battle"),
        terminal("audit", "--all"),
    ]

    assert [ran.code for ran in rans] == [0, 0, 0, 0], rans
    assert [len(ran.objects) for ran in rans[:2]] == [6, 6]
    assert Terminal(tmp_path / "cut.db")("list").code == 4
