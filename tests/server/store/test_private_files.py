"""Stores, archives and keys are private from their first byte on, and endless files are not read."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.archive import export_match
from events.ids import MatchId
from server.protocol.errors import KeyUnusable
from server.store.archive_file import write_archive
from server.store.key_files import read_key
from server.store.private_files import make_private, open_private, open_to_others
from server.store.sqlite_log import SqliteLog
from server.store.sqlite_schema import store_files, store_warning
from tests.events.making import Writer
from tests.support.privileges import unprivileged

UMASKS = (0o000, 0o022, 0o077, 0o777)


@pytest.fixture(params=UMASKS, ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def mode_of(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_a_store_and_its_other_files_are_private_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    path = tmp_path / "store.db"
    with SqliteLog(path) as log:
        log.append(Writer("m").commits(3))

        assert [mode_of(file) for file in store_files(path)] == [0o600, 0o600, 0o600]
        assert store_warning(path) == ""


def test_a_store_behind_a_link_is_private(tmp_path: Path) -> None:
    link, real = tmp_path / "link.db", tmp_path / "real.db"
    link.symlink_to(real)
    before = os.umask(0)
    try:
        with SqliteLog(link) as log:
            log.append(Writer("m").commits(1))
    finally:
        os.umask(before)

    assert mode_of(real) == 0o600


def test_a_file_is_private_from_its_first_byte_on(tmp_path: Path) -> None:
    """The file is created with its final mode, so another program never sees it with a wider one."""
    path = tmp_path / "store.db"
    before = os.umask(0)
    try:
        seen = subprocess.run(
            [sys.executable, "-c", TRACED, str(path)], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[3]
        ).stdout.split()  # fmt: skip
    finally:
        os.umask(before)

    assert seen == ["0o600"]


TRACED = """
import os, sys
from pathlib import Path
modes = []
real = os.open
def noted(path, flags, mode=0o777, **more):
    if flags & os.O_CREAT and str(path) == sys.argv[1]:
        modes.append(oct(mode))
    return real(path, flags, mode, **more)
os.open = noted
from server.store.sqlite_log import SqliteLog
SqliteLog(Path(sys.argv[1])).close()
print(*modes)
"""


def test_an_existing_store_keeps_its_mode_and_causes_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "the store.db"
    SqliteLog(path).close()
    path.chmod(0o644)
    SqliteLog(path).close()

    assert mode_of(path) == 0o644
    assert store_warning(path).endswith(f"chmod 600 '{path}'")


def test_the_write_ahead_log_has_the_mode_of_the_store(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with SqliteLog(path) as log:
        log.append(Writer("m").commits(1))
        log_of_writes = store_files(path)[1]
        log_of_writes.chmod(0o644)

        assert store_warning(path).endswith(f"chmod 600 {log_of_writes}")


def test_only_the_owner_of_a_store_is_warned() -> None:
    """Other users cannot change the mode, and the files that SQLite creates for them are no more secret than the store."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "store.db"
        Path(name).chmod(0o777)
        SqliteLog(path).close()
        path.chmod(0o644)
        warned = store_warning(path)
        with unprivileged():
            assert store_warning(path) == ""

    assert warned != ""


@pytest.mark.parametrize(("mode", "is_warned"), [(0o600, False), (0o400, False), (0o640, True), (0o602, True), (0o644, True)])  # fmt: skip
def test_a_store_that_others_may_read_or_write_causes_a_warning(tmp_path: Path, mode: int, *, is_warned: bool) -> None:
    path = tmp_path / "file"
    path.touch()
    path.chmod(mode)

    assert bool(open_to_others([path, tmp_path / "missing"])) is is_warned


def test_a_new_archive_is_private_and_a_replaced_one_keeps_its_mode(tmp_path: Path, umask: int) -> None:
    log, path, old = SqliteLog(tmp_path / "store.db"), tmp_path / "new.ndjson", tmp_path / "old.ndjson.zst"
    log.append(Writer("m").commits(3))
    old.touch()
    old.chmod(0o664)
    for file in (path, old):
        write_archive(file, export_match(log, MatchId("m")))
    log.close()

    assert (mode_of(path), mode_of(old)) == (0o600, 0o664)


def test_an_unfinished_file_of_another_process_is_not_overwritten(tmp_path: Path) -> None:
    target, victim = tmp_path / "a.ndjson", tmp_path / "victim"
    victim.write_bytes(b"keep")
    (tmp_path / f".a.ndjson.{os.getpid()}.unfinished").symlink_to(victim)
    with SqliteLog(tmp_path / "store.db") as log:
        log.append(Writer("m").commits(1))
        write_archive(target, export_match(log, MatchId("m")))

    assert victim.read_bytes() == b"keep"
    assert not target.is_symlink()


def test_an_existing_file_is_not_created_again(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x")
    make_private(path)
    make_private(tmp_path / "no" / "folder")
    with pytest.raises(FileExistsError):
        open_private(path)

    assert path.read_bytes() == b"x"


def test_an_endless_key_file_is_refused_at_once() -> None:
    with pytest.raises(KeyUnusable, match="the key file /dev/zero cannot be used: it has more than 200 bytes"):
        read_key(Path("/dev/zero"))


def test_a_new_key_is_private(tmp_path: Path, umask: int) -> None:
    path = tmp_path / "key"
    made = read_key(path)

    assert mode_of(path) == 0o600
    assert read_key(path).public == made.public
