"""Stores in difficult conditions: read-only, full disk, locked, killed process, shared, truncated, foreign file."""

import resource
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from cli.shell.context import Context
from cli.shell.settings import Settings
from events.codec import decode_plain
from events.commit import Head
from events.ids import MatchId
from server.store.serving_mark import VERSION
from server.store.sqlite_log import SqliteLog
from tests.cli.running import WARDIARY, Terminal
from tests.support.privileges import unprivileged

pytestmark = pytest.mark.usefixtures("timeless")

READING = [
    "list",
    "show MATCH",
    "show MATCH --statistics",
    "log MATCH",
    "legal MATCH",
    "replay MATCH",
    "tree MATCH",
    "diff MATCH OVER",
    "explain MATCH@5",
    "export MATCH - --seat public",
    "audit MATCH",
    "audit --all",
    "watch OVER",
]
WRITING = [
    "new skirmish",
    "choose MATCH 1",
    "fork MATCH",
    "import ARCHIVE",
    "serve --listen tcp://127.0.0.1:* --events tcp://127.0.0.1:*",
]


class Place:
    """A store with a running and a finished match, in a folder that any user may read.

    Args:
        folder: The folder.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.terminal = Terminal(folder / "store.db")
        self.store = self.terminal.store
        match = self.terminal.line("new", "skirmish", "--dice", "seeded:2")
        over = self.terminal.line("new", "skirmish", "--dice", "seeded:2")
        self.terminal.done("choose", over, "resign", "--seat", "red")
        elsewhere = Terminal(folder / "elsewhere.db")
        self.words = {"MATCH": match, "OVER": over, "ARCHIVE": str(folder / "other.ndjson")}
        elsewhere.done("export", elsewhere.line("new", "skirmish"), self.words["ARCHIVE"])
        Path(self.words["ARCHIVE"]).chmod(0o644)
        self.said = {line: self.terminal.done(*self.typed(line)).out for line in READING}
        self.terminal("serve", "--listen", "tcp://256.0.0.1:1")

    def typed(self, line: str) -> list[str]:
        """Split a command line, and fill in matches and files."""
        return [
            self.words.get(word.partition("@")[0], word) + word[len(word.partition("@")[0]) :] for word in line.split()
        ]

    def check_reading(self) -> None:
        """Assert that every reading verb prints the same as before."""
        assert {line: self.terminal.done(*self.typed(line)).out for line in READING} == self.said

    def check_writing_fails(self, said: str) -> None:
        """Assert that every writing verb fails with a one-line reason."""
        for line in WRITING:
            ran = self.terminal(*self.typed(line))

            assert (ran.code, ran.out, ran.err.count("\n")) == (3, "", 1), (line, ran)
            assert ran.err.startswith(f"wardiary: {self.store} ")
            assert said in ran.err, (line, ran)


@pytest.fixture
def place() -> Iterator[Place]:
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Place(Path(name))
        Path(name).chmod(0o755)


# Read-only


@pytest.mark.parametrize(("file", "folder"), [(0o444, 0o555), (0o444, 0o777), (0o666, 0o555)])
def test_a_read_only_store_can_be_read(file: int, folder: int, place: Place) -> None:
    place.store.chmod(file)
    place.folder.chmod(folder)
    with unprivileged():
        place.check_reading()
        place.check_writing_fails("cannot be written: the file or its folder is read-only")
        # Files that failed attempts left beside the store do not matter.
        place.check_reading()


def test_a_write_ahead_log_that_cannot_be_read_is_named(place: Place) -> None:
    """A process was killed, and the store was then moved to a read-only folder."""
    with SqliteLog(place.store):
        place.terminal.done("choose", place.words["MATCH"], "1")
        wal = Path(f"{place.store}-wal").read_bytes()
        content = place.store.read_bytes()
    copied = Terminal(place.folder / "copy.db")
    copied.store.write_bytes(content)
    Path(f"{copied.store}-wal").write_bytes(wal)
    place.folder.chmod(0o555)
    with unprivileged():
        ran = copied("list")

    assert (ran.code, ran.out, ran.err.count("\n")) == (3, "", 1)
    assert f"{copied.store}-wal" in ran.err

    place.folder.chmod(0o755)

    assert copied.done("list").out == place.terminal.done("list").out


# Locked


def test_a_locked_store_can_be_read(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.shell.context.PATIENCE_S", 0.05)
    database = sqlite3.connect(place.store, isolation_level=None)
    database.execute("BEGIN IMMEDIATE")
    place.check_reading()
    place.check_writing_fails("is locked by another process: close that process or try again")
    database.close()

    assert place.terminal("choose", place.words["MATCH"], "1").code == 0


# Full


def limited(size: int) -> Callable[[], None]:
    """Return a function that limits the size of any file that the process writes."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def seqs(out: str) -> list[int]:
    """Return the acknowledged event numbers in an output; its last line may be incomplete."""
    found = []
    for line in out.splitlines(keepends=True):
        if line.endswith("\n"):
            shape = decode_plain(line)
            assert isinstance(shape, dict)
            found.append(int(shape["seq"]))
    return found


def head(store: Path, match: str) -> Head:
    """Return the head of a match."""
    with SqliteLog(store, read_only=True) as log:
        return log.head(MatchId(match))


def test_a_full_disk_loses_nothing_that_was_acknowledged(terminal: Terminal) -> None:
    match = terminal.line("new", "advance", "--dice", "seeded:1")
    with (terminal.store.parent / "out").open("w+") as out:
        ran = subprocess.run(
            [WARDIARY, "--store", terminal.store, "choose", match, "-", "--json"],
            input=b"1\n" * 2000,
            stdout=out,
            stderr=subprocess.PIPE,
            preexec_fn=limited(terminal.store.stat().st_size + 30_000),
            check=False,
        )
        out.seek(0)
        known = seqs(out.read())

    assert (ran.returncode, ran.stderr.count(b"\n")) == (3, 1), ran.stderr
    assert head(terminal.store, match).seq == known[-1]
    assert terminal("audit", match).code == 0
    assert terminal("choose", match, "1").code == 0


# Shared


def test_two_players_at_once_write_one_consistent_history(terminal: Terminal) -> None:
    match = terminal.line("new", "advance", "--dice", "seeded:1")
    command = [str(WARDIARY), "--store", str(terminal.store), "choose", match, "-", "--json"]
    players = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    for player in players:
        assert player.stdin is not None
        player.stdin.write(b'{"do":"match:note","text":"mine"}\n' * 15)
        player.stdin.close()
        player.stdin = None
    told = [player.communicate(timeout=120) for player in players]
    known = sorted(seqs("".join(out.decode() for out, _ in told)))

    assert [(player.returncode, err) for player, (_, err) in zip(players, told, strict=True)] == [(0, b"")] * 2
    assert len(set(known)) == 30
    assert head(terminal.store, match).seq == known[-1]
    assert terminal("audit", match).code == 0


# Files that are not stores


def cut(content: bytes) -> bytes:
    """Keep half of a file."""
    return content[: len(content) // 2]


NO_STORES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "nothing in it": (lambda _: b"", "is empty: there is no store to read"),
    "cut in the header": (lambda content: content[:60], "is "),
    "cut in a page": (cut, "is damaged"),
    "a text": (lambda _: b"no database at all\n" * 99, "is not a store: it is not a SQLite database"),
    "noise": (lambda content: content[:16] + b"\xa5" * 9_000, "is "),
}


@pytest.mark.parametrize("name", NO_STORES)
def test_a_file_that_is_not_a_store_is_refused(name: str, place: Place) -> None:
    change, said = NO_STORES[name]
    place.store.write_bytes(change(place.store.read_bytes()))
    before = place.store.read_bytes()
    for line in (*READING, *(line for line in WRITING if "MATCH" in line)):
        ran = place.terminal(*place.typed(line))
        is_evidence = line.startswith("audit") or "is damaged" in ran.err

        assert (ran.code, ran.out, ran.err.count("\n")) == (4 if is_evidence else 3, "", 1), (line, ran)
        assert ran.err.startswith(f"wardiary: {place.store} {said}"), (line, ran)
    assert place.store.read_bytes() == before


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("PRAGMA application_id = 1", "is not a store: it is a SQLite database of another program"),
        (
            f"PRAGMA user_version = {VERSION + 1}",
            f"is a store of version {VERSION + 1}, which is newer than this program knows ({VERSION}): use a newer one",
        ),
        ("PRAGMA user_version = 0", f"is a store of version 0, this program needs {VERSION}"),
    ],
)
def test_a_foreign_store_is_left_alone(statement: str, said: str, place: Place) -> None:
    database = sqlite3.connect(place.store)
    database.execute(statement)
    database.close()
    before = place.store.read_bytes()
    for line in (*READING, *WRITING):
        ran = place.terminal(*place.typed(line))
        is_evidence = line.startswith("audit") and "another program" in said

        assert (ran.code, ran.out, ran.err.count("\n")) == (4 if is_evidence else 3, "", 1), (line, ran)
        assert ran.err.startswith(f"wardiary: {place.store} {said}"), (line, ran)
    assert place.store.read_bytes() == before


PAGE = 4096


def test_an_audit_of_a_damaged_file_finds_broken_evidence(place: Place, budget: float) -> None:
    """Exit code 4, the file or the match is named, and the line does not send the reader back to an audit."""
    whole = place.store.read_bytes()
    pages = len(whole) // PAGE
    rng = Random(7)
    damages = [whole[: rng.randrange(1, len(whole))] for _ in range(round(4 * budget))]
    for page in rng.sample(range(pages), min(pages, round(6 * budget))):
        first = page * PAGE + (100 if page == 0 else 0)
        damages.append(whole[:first] + rng.randbytes((page + 1) * PAGE - first) + whole[(page + 1) * PAGE :])
    for number, content in enumerate(damages):
        place.store.write_bytes(content)
        ran = place.terminal("audit", "--all")

        assert (ran.code, ran.err.count("\n")) == (4, 1), (number, ran)
        assert str(place.store) in ran.err or "match " in ran.err, (number, ran)
        assert "audit" not in ran.err, (number, ran)


def test_without_its_write_ahead_log_a_store_is_in_its_earlier_state(place: Place) -> None:
    match = place.words["MATCH"]
    before = head(place.store, match)
    with SqliteLog(place.store):
        place.terminal.done("choose", match, "1")
        content = place.store.read_bytes()
    place.store.write_bytes(content)
    for ending in ("-wal", "-shm"):
        Path(f"{place.store}{ending}").unlink(missing_ok=True)

    assert head(place.store, match) == before

    place.check_reading()

    assert place.terminal("choose", match, "1").code == 0
    assert place.terminal("audit", match).code == 0


def test_a_store_that_others_may_read_is_reported_once(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path / "store.db")
    match = terminal.line("new", "skirmish", "--dice", "seeded:1")
    private = terminal.done("show", match)
    terminal.store.chmod(0o644)
    told = [terminal.done(*verb) for verb in (("show", match), ("choose", match, "1"))]
    quiet = terminal.done("show", match, "-q")

    assert private.err == quiet.err == ""
    assert [ran.err.count(f"chmod 600 {terminal.store}") for ran in told] == [1, 1]


def test_the_users_data_folder_is_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("WARDIARY_STORE", "")
    with Context(Settings()) as context:
        context.writable_log.matches()

    assert (tmp_path / "wardiary").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "wardiary" / "matches.db").stat().st_mode & 0o777 == 0o600
