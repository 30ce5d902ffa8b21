"""The command line, run in this process or as the installed command."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO, NamedTuple
from unittest.mock import patch

from typer.main import get_command
from typer.testing import CliRunner

from cli import main as entry
from events.codec import decode_plain
from server.broker.broker import Broker

parser_of = cache(get_command)
"""Makes the parser of all verbs, once: it is the same for every command, and takes longer than most commands."""
WARDIARY = Path(sys.executable).with_name("wardiary")


class Ran(NamedTuple):
    """The result of a command."""

    code: int
    out: str
    err: str

    @property
    def objects(self) -> list[dict[str, object]]:
        """The objects printed with --json."""
        found = [decode_plain(line) for line in self.out.splitlines()]
        assert all(isinstance(one, dict) for one in found)
        return [one for one in found if isinstance(one, dict)]


class Terminal:
    """Runs commands on one store.

    Args:
        store: The store's file.
    """

    def __init__(self, store: Path) -> None:
        self.store = store

    def __call__(self, *arguments: str, typed: str | bytes = "", variables: Mapping[str, str] | None = None) -> Ran:
        """Run a command in this process, with more variables of the environment."""
        runner = CliRunner()
        env = {"WARDIARY_STORE": str(self.store), "WARDIARY_TOKEN": None, **(variables or {})}
        with patch.object(entry, "get_command", parser_of), runner.isolation(input=typed, env=env) as streams:
            code = entry.run(arguments)
            sys.stdout.flush()
            sys.stderr.flush()
            out, err = streams[0].getvalue(), streams[1].getvalue()
        return Ran(code, out.decode(), err.decode())

    def done(self, *arguments: str, typed: str | bytes = "") -> Ran:
        """Run a command that must succeed."""
        ran = self(*arguments, typed=typed)
        assert ran.code == 0, ran.err
        return ran

    def line(self, *arguments: str) -> str:
        """Run a command that must succeed, and return the one line that it prints."""
        (line,) = self.done(*arguments).out.splitlines()
        return line

    def as_process(self, *arguments: str, typed: bytes = b"", **more: str) -> Ran:
        """Run the installed command in a separate process."""
        ran = subprocess.run(
            [WARDIARY, *arguments],
            input=typed,
            capture_output=True,
            env={**os.environ, "WARDIARY_STORE": str(self.store), **more},
            timeout=120,
            check=False,
        )
        return Ran(ran.returncode, ran.stdout.decode(), ran.stderr.decode())

    def started(
        self, arguments: Sequence[str], stdin: IO[bytes] | int = subprocess.DEVNULL
    ) -> "subprocess.Popen[bytes]":
        """Start the installed command and return at once; it can be interrupted even if the shell of the tests ignores Ctrl-C."""
        return subprocess.Popen(
            [WARDIARY, *arguments],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "WARDIARY_STORE": str(self.store)},
            preexec_fn=hear_interrupts,  # noqa: PLW1509 - it does nothing that could wait for a lock.
        )


def hear_interrupts() -> None:
    """Restore the default handling of Ctrl-C, which a shell disables for its background processes."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Player:
    """Someone at a terminal of their own, with a file of secrets of their own, who knows only the server.

    Args:
        folder: Where the secrets are.
        broker: The server.
    """

    def __init__(self, folder: Path, broker: Broker) -> None:
        self.file = folder / "seats.json"
        self.variables = {"WARDIARY_SEATS": str(self.file), "WARDIARY_CONNECT": broker.address}
        self._terminal = Terminal(folder / "no-store.db")

    def __call__(self, *arguments: str, **variables: str) -> Ran:
        """Run a command."""
        return self._terminal(*arguments, variables={**self.variables, **variables})

    def done(self, *arguments: str, **variables: str) -> str:
        """Run a command that must succeed, and return its output."""
        ran = self(*arguments, **variables)
        assert (ran.code, ran.err) == (0, "")
        return ran.out

    def line(self, *arguments: str, **variables: str) -> str:
        """Run a command that must succeed, and return the one line that it prints."""
        ran = self(*arguments, **variables)
        assert ran.code == 0, ran.err
        (line,) = ran.out.splitlines()
        return line
