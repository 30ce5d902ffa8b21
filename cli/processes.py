"""Runs processes of our own, a server and bots, and always ends them."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from cli.exit_codes import check_failed
from cli.parent import VARIABLE
from cli.remote import OWNER_VARIABLE
from cli.schemas.server import ServingShape
from events.codec import DecodeError, Decoder
from events.ids import MatchId, Seat

ANY_PORT = "tcp://127.0.0.1:*"
END_S = 10.0
"""How long a process may take to end after a signal (seconds)."""

_SERVING: Decoder[ServingShape] = Decoder(ServingShape)


class Processes:
    """Starts processes, and ends them all on exit of the context.

    Args:
        store: The store that is served.
    """

    def __init__(self, store: Path) -> None:
        self.store = store
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in reversed(self._processes):
            self._end(process)

    def _end(self, process: "subprocess.Popen[bytes]") -> None:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(END_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()

    def _start(self, arguments: Sequence[str], **variables: str) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", f"{__package__}.main", "--json", "-q", *arguments]
        # In a session of its own a process does not receive Ctrl-C, but is ended in order from here.
        process = subprocess.Popen(  # noqa: S603 - Our own program with our own arguments.
            command,
            # Closed by the system when this process ends in any way, and then the other one ends, too.
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=os.name == "posix",
            env={**os.environ, VARIABLE: "1", **variables},
        )
        self._processes.append(process)
        return process

    def serve(self, owner: str = "") -> str:
        """Start a server on free ports of this machine and return the address where it takes requests.

        Args:
            owner: The secret of the store's owner, if a client may be the arbiter.

        Raises:
            UserError: It does not start.
        """
        arguments = ["serve", "--store", str(self.store), "--listen", ANY_PORT, "--events", ANY_PORT]
        process = self._start(arguments, **({OWNER_VARIABLE: owner} if owner else {}))
        assert process.stdout is not None
        try:
            return _SERVING.decode(process.stdout.readline()).requests
        except DecodeError:
            raise check_failed(f"the server did not start: exit code {process.wait(END_S)}") from None

    def bot(self, game: str, address: str, match: MatchId, seat: Seat, policy: str) -> "subprocess.Popen[bytes]":
        """Start a bot for a seat of a match."""
        where = ["--connect", address, "--match", match, "--seat", seat]
        return self._start(["bot", game, *where, "--policy", policy])
