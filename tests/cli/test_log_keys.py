"""`wardiary keys` makes, lists, changes and ends the key of a server's log, and says in one line what is wrong with one."""

from collections.abc import Callable
from pathlib import Path

import pytest

from events.transparency.signed_note import Verifier, read_verifier
from events.transparency.tlog_proof import read_proof
from server.store.one_server import only_server
from server.transparency.log_keys import KeyFolder
from tests.cli.running import Terminal


@pytest.fixture
def folder(terminal: Terminal) -> KeyFolder:
    return KeyFolder(terminal.store)


def names(terminal: Terminal) -> list[tuple[object, object]]:
    (shape,) = terminal.done("keys", "--json").objects
    listed = shape["keys"]
    assert isinstance(listed, list)
    return [(key["name"], key["state"]) for key in listed]


def test_a_key_is_made_listed_and_kept_private(terminal: Terminal, folder: KeyFolder) -> None:
    made = terminal.done("keys", "create", "war.example/log").out
    listed = terminal.done("keys", "list").out
    modes = {path.name: path.stat().st_mode & 0o777 for path in (folder.path, *folder.path.iterdir())}

    assert made == listed
    assert listed.startswith("signs    war.example/log+")
    assert "PRIVATE" not in listed
    assert modes == {"store.db.keys": 0o700, "log.key": 0o600, "log.vkey": 0o600}


def test_a_log_that_is_not_named_gets_a_name_of_its_own(terminal: Terminal) -> None:
    terminal.done("keys", "create")
    ((name, _),) = names(terminal)
    terminal.done("keys", "retire", str(name))
    terminal.done("keys", "create")
    terminal.done("keys", "retire", f"{name}/2")
    terminal.done("keys", "create")

    assert names(terminal) == [(name, "ended"), (f"{name}/2", "ended"), (f"{name}/3", "signs")]


def test_a_changed_key_is_vouched_for_by_the_old_one(terminal: Terminal, skirmish: str, folder: KeyFolder) -> None:
    terminal.done("keys", "create", "log")
    old = folder.signer().verifier
    terminal.done("keys", "rotate")
    new = folder.signer().verifier
    (change,) = folder.changes()
    proof = read_proof(change.proof)

    assert names(terminal) == [("log", "replaced"), ("log", "signs")]
    assert change.check(old, new).size == proof.index + 1 > 1
    assert folder.last_signed() == proof.note


@pytest.mark.parametrize("done", ["next", "entry", "changed", "listed"])
def test_a_change_that_was_interrupted_is_finished(
    done: str, terminal: Terminal, skirmish: str, folder: KeyFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is interrupted before the entry, and before each file that is written after it."""

    class Killed(BaseException):
        pass

    def die(*_: object) -> None:
        raise Killed

    terminal.done("keys", "create", "log")
    with monkeypatch.context() as patched:
        if done == "next":
            patched.setattr("server.transparency.server_log.ServerLog.change_key", die)
        else:
            part = {"entry": "log.changes", "changed": "log.vkey", "listed": "log.key"}[done]
            replace, rename = KeyFolder._replace, Path.replace
            patched.setattr(
                KeyFolder,
                "_replace",
                lambda self, path, text: die() if path.name == part else replace(self, path, text),
            )
            patched.setattr(Path, "replace", lambda self, to: die() if to.name == part else rename(self, to))
        with pytest.raises(Killed):
            terminal("keys", "rotate")
    between = terminal("keys", "list")
    terminal.done("keys", "rotate")
    old, new = [read_verifier(line) for line in (folder.path / "log.vkey").read_text().splitlines()]

    assert between.code == 3
    assert "was interrupted: run `wardiary keys rotate` again" in between.err
    assert folder.signer().verifier == new
    (change,) = folder.changes()
    change.check(old, new)


def test_a_retired_key_has_signed_everything(terminal: Terminal, skirmish: str, folder: KeyFolder) -> None:
    terminal.done("keys", "create", "log")
    refused = terminal("keys", "retire")
    ended = terminal.done("keys", "retire", "log")

    assert (refused.code, "wardiary keys retire log" in refused.err) == (2, True)
    assert ended.out.splitlines()[1].startswith("3 entries signed")
    assert not folder.has_key


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("list",), 1, "no log was begun"),
        (("retire", "log"), 3, "wardiary keys create"),
        (("rotate",), 3, "wardiary keys create"),
        (("rotate", "log"), 2, "takes no name"),
        (("create", "a b"), 3, "white space"),
        (("sell",), 2, "create, list, rotate, retire"),
    ],
)
def test_without_a_key(terminal: Terminal, arguments: tuple[str, ...], code: int, said: str) -> None:
    ran = terminal("keys", *arguments)

    assert (ran.code, ran.err.count("\n")) == (code, 1)
    assert said in ran.err


def foreign(path: Path) -> None:
    path.write_text("PRIVATE+KEY+log+00000000+" + "A" * 44)


def of_connections(path: Path) -> None:
    path.write_text("x" * 40)


def public(path: Path) -> None:
    path.write_text(Verifier("log", bytes(32)).text)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda path: path.chmod(0o640), "chmod 600"),
        (lambda path: path.parent.chmod(0o755), "chmod 700"),
        (foreign, "not of the kind that signs a log"),
        (of_connections, "not a secret key of a log"),
        (public, "not a secret key of a log"),
        (lambda path: path.write_bytes(b"\xff"), "cannot be read"),
    ],
)
@pytest.mark.parametrize("action", ["list", "rotate", "retire"])
def test_a_key_that_cannot_be_used(
    terminal: Terminal, folder: KeyFolder, action: str, damage: Callable[[Path], object], said: str
) -> None:
    terminal.done("keys", "create", "log")
    key = folder.path / "log.key"
    damage(key)
    ran = terminal("keys", action, *(["log"] if action == "retire" else []))

    assert (ran.code, ran.err.count("\n")) == (3, 1)
    assert said in ran.err
    assert key.exists()


def test_a_name_is_used_once(terminal: Terminal) -> None:
    terminal.done("keys", "create", "log")
    again = terminal("keys", "create", "other")
    terminal.done("keys", "retire", "log")
    same = terminal("keys", "create", "log")

    assert (again.code, "rotate or retire it" in again.err) == (3, True)
    assert (same.code, "named log before" in same.err) == (2, True)


def test_a_name_that_the_store_remembers_is_not_used_again(
    terminal: Terminal, skirmish: str, folder: KeyFolder
) -> None:
    terminal.done("keys", "create", "log")
    terminal.done("keys", "rotate")
    for path in folder.path.iterdir():
        path.unlink()
    same = terminal("keys", "create", "log")
    terminal.done("keys", "create")

    assert (same.code, "named log before" in same.err) == (2, True)
    assert names(terminal) == [("log/2", "signs")]


def test_a_restored_store_is_not_signed(terminal: Terminal, skirmish: str, folder: KeyFolder, tmp_path: Path) -> None:
    copy = tmp_path / "backup.db"
    terminal.done("keys", "create", "log")
    terminal.done("backup", str(copy))
    terminal.done("choose", skirmish, "1")
    terminal.done("keys", "rotate")
    for end in ("", "-wal", "-shm"):
        Path(f"{terminal.store}{end}").unlink(missing_ok=True)
    terminal.done("restore", str(copy))
    ran = terminal("keys", "rotate")

    retired = terminal.done("keys", "retire", "log")
    terminal.done("keys", "create")

    assert (ran.code, ran.err.count("\n")) == (4, 1)
    assert "it is a copy of an earlier state" in ran.err
    assert "it is a copy of an earlier state" in retired.err
    assert names(terminal) == [("log", "ended"), ("log", "ended"), ("log/2", "signs")]


def test_no_key_is_changed_while_a_server_signs(terminal: Terminal, skirmish: str) -> None:
    terminal.done("keys", "create", "log")
    with only_server(terminal.store):
        ran = terminal("keys", "rotate")
        listed = terminal.done("keys", "list").out

    assert (ran.code, "a server runs on" in ran.err) == (3, True)
    assert listed.startswith("signs")


def test_nothing_is_written_over_the_folder_of_the_keys(terminal: Terminal, skirmish: str) -> None:
    ran = terminal("export", skirmish, f"{terminal.store}.keys")

    assert ran.code == 3
    assert not Path(f"{terminal.store}.keys").exists()
    assert terminal.store.exists()
