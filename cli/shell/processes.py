"""Runs processes of our own, a server and bots, and always ends them."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread
from types import TracebackType
from typing import IO, Self

from cli.schemas.server import ServingShape
from cli.shell.exit_codes import UserError, check_failed
from cli.shell.parent_process import VARIABLE
from cli.shell.seat_secrets import BOTS_VARIABLE, bots_of
from cli.shell.settings import OWNER_VARIABLE
from events.codec import DecodeError, Decoder, Struct
from events.ids import MatchId, Seat

MAIN = f"{__name__.removesuffix('.shell.processes')}.main"
"""The module that carries out a command, in the repository and when installed."""

ANY_PORT = "tcp://127.0.0.1:*"
RESTART_S = 0.5
"""How long after its end a server is started again (seconds)."""
END_S = 10.0
"""How long a process may take to end after a signal (seconds)."""

_SERVING: Decoder[ServingShape] = Decoder(ServingShape)


class _Warned(Struct, frozen=True):
    """A line of a server's log; one with a problem is a warning about something that does not go on."""

    what: str = ""
    problem: str = ""


_WARNED: Decoder[_Warned] = Decoder(_Warned)


class Processes:
    """Starts processes, and ends them all on exit of the context.

    Args:
        store: The store that is served.
        is_read_only: Whether it is only read.
    """

    def __init__(self, store: Path, *, is_read_only: bool = False) -> None:
        self.store = store
        self._is_read_only = is_read_only
        self._processes: list[subprocess.Popen[bytes]] = []
        self._keeper: Thread | None = None
        self._ending = Event()
        self._lock = Lock()

    @property
    def bots(self) -> str:
        """The name under which the secrets of its bots are kept, which is the same whenever the store is served."""
        return bots_of(str(self.store.resolve()))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._ending.set()
        for process in reversed(self._processes):
            self._end(process)
        if self._keeper is not None:
            self._keeper.join()
        for process in self._processes:
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()

    def _end(self, process: "subprocess.Popen[bytes]") -> None:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(END_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _start(
        self, arguments: Sequence[str], variables: Mapping[str, str], tell: Callable[[str], None] | None = None
    ) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-m", MAIN, "--json", "-q", *arguments]
        # In a session of its own a process does not receive Ctrl-C, but is ended in order from here.
        process = subprocess.Popen(  # noqa: S603 - Our own program with our own arguments.
            command,
            # Closed by the system when this process ends in any way, and then the other one ends, too.
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if tell is None else subprocess.PIPE,
            start_new_session=os.name == "posix",
            env={**os.environ, VARIABLE: "1", **variables},
        )
        self._processes.append(process)
        if tell is not None and process.stderr is not None:
            Thread(target=_pass_on, args=(process.stderr, tell), daemon=True).start()
        return process

    def serve(self, owner: str = "") -> str:
        """Start a server on free ports of this machine and return the address where it takes requests.

        Args:
            owner: The secret of the store's owner, if a client may be the arbiter.

        Raises:
            UserError: It does not start.
        """
        return self._serve(owner, ANY_PORT, ANY_PORT)[1].requests

    def keep_serving(self, tell: Callable[[str], None], give_up: Callable[[], None], owner: str = "") -> str:
        """Start a server as `serve` does, and start it again, at the same addresses, whenever it ends by itself.

        Args:
            tell: Is told that it ended, and of each problem that it logs, such as a bot that does not play on; called by other threads.
            give_up: Called by that thread when it cannot be started again.
            owner: The secret of the store's owner, if a client may be the arbiter.

        Raises:
            UserError: It does not start.
        """
        process, serving = self._serve(owner, ANY_PORT, ANY_PORT, tell)

        def keep(process: "subprocess.Popen[bytes]") -> None:
            while True:
                code = process.wait()
                # A server that ends again and again must not keep the machine busy.
                if self._ending.wait(RESTART_S):
                    return
                tell(f"the server of {self.store} ended with exit code {code}; it is started again")
                try:
                    process, _ = self._serve(owner, serving.requests, serving.events, tell)
                except UserError as error:
                    if not self._ending.is_set():
                        tell(str(error))
                        give_up()
                    return

        self._keeper = Thread(target=keep, args=(process,), daemon=True)
        self._keeper.start()
        return serving.requests

    def _serve(
        self, owner: str, listen: str, events: str, tell: Callable[[str], None] | None = None
    ) -> "tuple[subprocess.Popen[bytes], ServingShape]":
        arguments = ["serve", "--store", str(self.store), "--listen", listen, "--events", events]
        arguments += ["--read-only"] if self._is_read_only else []
        with self._lock:
            if self._ending.is_set():
                raise check_failed("the server is not started while the others end")
            process = self._start(arguments, {OWNER_VARIABLE: owner} if owner else {}, tell)
        assert process.stdout is not None
        try:
            return process, _SERVING.decode(process.stdout.readline())
        except DecodeError:
            raise check_failed(f"the server did not start: exit code {process.wait(END_S)}") from None

    def bot(self, game: str, address: str, match: MatchId, seat: Seat, policy: str) -> "subprocess.Popen[bytes]":
        """Start a bot for a seat of a match."""
        where = ["--connect", address, "--match", match, "--seat", seat]
        return self._start(["bot", game, *where, "--policy", policy], {BOTS_VARIABLE: self.bots})


def _pass_on(log: IO[bytes], tell: Callable[[str], None]) -> None:
    """Tell the problems in the log of a server until it ends; the rest of it is for whoever reads a log."""
    with log:
        for line in log:
            with suppress(DecodeError):
                warned = _WARNED.decode(line)
                if warned.problem:
                    tell(f"{warned.what}: {warned.problem}")
