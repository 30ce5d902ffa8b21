"""The context of a verb: the global options, the store, output, progress and diagnostics."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self

from cli.shell.arguments import shown_file
from cli.shell.exit_codes import input_output, usage
from cli.shell.settings import CONNECT_VARIABLE, STORE_VARIABLE, Settings
from cli.shell.streams import discard_output, harmless, harmless_json, write_diagnostics

if TYPE_CHECKING:
    from events.codec import Struct
    from events.ids import MatchId, Seat
    from projections.catalogue import MatchSummary
    from server.client.client import Client
    from server.store.concurrent_log import ConcurrentSqliteLog
    from server.store.opening import OpenLog

CLEAR = "\x1b[H\x1b[2J"
"""Moves the cursor to the upper left corner and clears the screen."""

PATIENCE_S = 5.0
"""How long to wait for another process to release the store (seconds)."""


class Progress(Protocol):
    """Shows the progress of a long job on a terminal."""

    def advance(self, count: int = 1) -> None:
        """Add to the number of items done."""

    def reach(self, count: int) -> None:
        """Set the number of items done."""


class Context:
    """One run of one verb.

    Args:
        settings: The global options.
        has_verdict: Whether the verb goes on without output if the reader of its output closes it.
        can_connect: Whether the verb works over sockets, too.

    Attributes:
        advise: Receives advice for the owner of the store.
        found: Matches of the server as they were found by the beginnings of their ids.
        afterwards: What is done when the verb has done its work without an error.
    """

    def __init__(self, settings: Settings, *, has_verdict: bool = False, can_connect: bool = False) -> None:
        self.settings = settings
        self._can_connect = can_connect
        self._has_verdict = has_verdict
        self._logs: dict[bool, OpenLog] = {}
        self.advise: Callable[[str], None] = self.echo_err
        self.found: dict[MatchId, MatchSummary] = {}
        self.afterwards: list[Callable[[], None]] = []
        self._client: Client | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            for action in self.afterwards if kind is None else ():
                action()
        finally:
            if self._client is not None:
                self._client.close()
            self.close_store()

    # The server

    @property
    def address(self) -> str:
        """The server through which the verb works; empty if it works on the store.

        Raises:
            UserError: A store and a server were both named.
        """
        if self.settings.connect and self.settings.store:
            raise usage("--store and --connect exclude each other: the server has a store of its own")
        if self.settings.connect or self.settings.store or not self._can_connect:
            return self.settings.connect
        return os.environ.get(CONNECT_VARIABLE, "")

    def connect(self, address: str) -> "Client":
        """Return a client of a server, with the keys that the command line or the environment names.

        Raises:
            UserError: The address is malformed.
            KeyUnusable: A key is malformed.
        """
        from cli.shell.remote import connected

        return connected(self.settings, address, note=self.echo_err, advise=self.advise)

    def add_secrets(self, match: "MatchId", seat: "Seat") -> None:
        """Let the client use the seats of a match that this user has taken, and the secret that was typed for a seat."""
        from cli.shell.seat_secrets import read_secrets
        from events.ids import ARBITER

        for known, secret in read_secrets(self.address).get(match, {}).items():
            self.client.add_token(match, known, secret)
            if known != ARBITER:
                self.client.tend(match, known)
        if self.settings.token:
            self.client.add_token(match, seat, self.settings.token)
        self._recall(match)

    def _recall(self, match: "MatchId") -> None:
        """Let the client sign for what this user's programs were shown, and remember afterwards what it was shown."""
        from cli.shell.signed_matches import recall, remember

        recall(self.client, self.address, match)
        self.afterwards.append(lambda: remember(self.client, self.address, match))

    # The store

    def close_store(self) -> None:
        """Close the store."""
        for log in self._logs.values():
            log.close()
        self._logs.clear()

    @property
    def is_store_named(self) -> bool:
        """Whether the store was named by an option or the environment."""
        return bool(self.settings.store or os.environ.get(STORE_VARIABLE))

    @property
    def locator(self) -> str:
        """The store as named, a file, a cluster or a database; by default a file in the user's data folder.

        Raises:
            UserError: It is an address of something else.
        """
        told = self.settings.store or os.environ.get(STORE_VARIABLE, "")
        if "://" in told:
            from server.store.opening import check_locator

            if problem := check_locator(told):
                raise usage(problem)
        if told:
            return told
        from platformdirs import user_data_path

        return str(user_data_path("wardiary", appauthor=False) / "matches.db")

    @property
    def is_store_a_file(self) -> bool:
        """Whether the store is a file, not on other machines."""
        return "://" not in self.locator

    @property
    def shown_store(self) -> str:
        """The store as it may be shown: without a password."""
        from server.store.opening import shown

        return shown(self.locator) if not self.is_store_a_file else str(self.store)

    @property
    def place(self) -> str:
        """The store as one word under which secrets are kept, wherever it is named from."""
        return str(self.store.resolve()) if self.is_store_a_file else self.shown_store

    @property
    def store(self) -> Path:
        """The store's file, for what only files have.

        Raises:
            UserError: It lies on other machines.
        """
        if not self.is_store_a_file:
            raise usage("this needs a store that is a file on this machine, and --store names another")
        return Path(self.locator).expanduser()

    @property
    def log(self) -> "OpenLog":
        """The store, for reading.

        Raises:
            UserError: There is no store yet.
            StoreUnavailable: It cannot be read.
        """
        if True in self._logs:
            return self._logs[True]
        if self.is_store_a_file and not self.store.exists():
            raise input_output(f"there is no store at {shown_file(self.store)}; `wardiary new` makes one", "no_store")
        return self._open(is_writable=False)

    def open_for_reading(self) -> None:
        """Open the store for reading; see `log` for the errors."""
        _ = self.log

    @property
    def writable_log(self) -> "OpenLog":
        """The store, created if it does not exist.

        Raises:
            StoreUnavailable: It cannot be written.
        """
        if self.is_store_a_file:
            self.prepared_store()
        return self._open(is_writable=True)

    @property
    def served_log(self) -> "ConcurrentSqliteLog":
        """The store for a server, which closes it; created if it does not exist.

        Raises:
            StoreUnavailable: It cannot be written.
        """
        from server.store.concurrent_log import ConcurrentSqliteLog

        self.prepared_store()
        log = ConcurrentSqliteLog(self.store, timeout_s=PATIENCE_S)
        self._warn_of_others()
        return log

    def prepared_store(self) -> Path:
        """Return the store's file; the folder in which it lies by default is made."""
        if not self.is_store_named:
            self.store.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return self.store

    def _warn_of_others(self) -> None:
        from server.store.sqlite_schema import store_warning

        if warning := store_warning(self.store):
            self.advise(warning)

    def _open(self, *, is_writable: bool) -> "OpenLog":
        if is_writable not in self._logs:
            self._logs[is_writable] = (
                self._opened_file(is_writable) if self.is_store_a_file else self._opened_elsewhere(is_writable)
            )
        return self._logs[is_writable]

    def _opened_file(self, is_writable: bool) -> "OpenLog":
        from server.store.sqlite_log import SqliteLog

        log = SqliteLog(self.store, read_only=not is_writable, timeout_s=PATIENCE_S)
        if not self._logs:
            self._warn_of_others()
        if log.problem:
            self.advise(f"{self.store}: {log.problem}")
        return log

    def _opened_elsewhere(self, is_writable: bool) -> "OpenLog":
        from server.store.opening import open_log

        return open_log(self.locator, read_only=not is_writable)

    @property
    def client(self) -> "Client":
        """A client of the server, or of the local store, which may use every seat.

        Raises:
            StoreUnavailable: The store cannot be written.
            UserError: The address of the server is malformed.
            KeyUnusable: A key is malformed.
        """
        if self._client is None and self.address:
            self._client = self.connect(self.address)
        if self._client is None:
            from server.client.local import local_client

            self._client = local_client(self.writable_log)
        return self._client

    # Output

    @property
    def is_json(self) -> bool:
        """Whether output is JSON."""
        return self.settings.is_json

    @property
    def is_verbose(self) -> bool:
        """Whether output is verbose."""
        return self.settings.verbosity > 0

    @property
    def is_terminal(self) -> bool:
        """Whether the output goes to a terminal."""
        return sys.stdout.isatty()

    @property
    def width(self) -> int:
        """The width of the terminal in characters; 100 if it is not known."""
        if not self.is_terminal:
            return 100
        from shutil import get_terminal_size

        return max(60, get_terminal_size().columns)

    def print_result(self, shape: "Struct", lines: Iterable[str]) -> None:
        """Print a result: one JSON object with --json, else lines of text, which are made only then."""
        if self.is_json:
            self.print_json(shape)
        else:
            for line in lines:
                self.echo(line)

    def print_json(self, shape: "Struct") -> None:
        """Print one JSON object on a line of its own."""
        from events.codec import encode

        self._write(harmless_json(encode(shape).decode()))

    def echo(self, line: str = "") -> None:
        """Print one line of text; what others wrote in it cannot control the terminal."""
        self._write(line if line.isprintable() else harmless(line, has_color=self.has_color))

    def echo_lines(self, lines: Sequence[str]) -> None:
        """Print lines of text like `echo`, at once, which is quicker for thousands."""
        said = [line if line.isprintable() else harmless(line, has_color=self.has_color) for line in lines]
        if said:
            self._write("\n".join(said))

    def clear_screen(self) -> None:
        """Clear the terminal, and go on at its upper left corner."""
        self._write(CLEAR, end="")

    def _write(self, line: str, end: str = "\n") -> None:
        try:
            sys.stdout.write(f"{line}{end}")
        except BrokenPipeError as error:
            self._go_on_unread(error)

    def flush(self) -> None:
        """Flush the output."""
        try:
            sys.stdout.flush()
        except BrokenPipeError as error:
            self._go_on_unread(error)

    def _go_on_unread(self, error: BrokenPipeError) -> None:
        """Discard all further output if the verb has to go on without a reader; otherwise raise the error."""
        if not self._has_verdict:
            raise error
        discard_output()

    def echo_err(self, line: str) -> None:
        """Print a line on stderr, except with --quiet."""
        if not self.settings.is_quiet:
            from core.telling.phrases import printable

            write_diagnostics(f"{printable(line)}\n")

    def paint(self, text: str, color: str) -> str:
        """Return a text in a colour if colours are in use."""
        if not self.has_color:
            return text
        from typer import style

        from core.telling.phrases import printable

        return style(printable(text), fg=color or None, bold=not color)

    @property
    def has_color(self) -> bool:
        """Whether colours are in use: stdout is a terminal, and they are not switched off."""
        return self.settings.color and not self.is_json and not os.environ.get("NO_COLOR") and sys.stdout.isatty()

    @contextmanager
    def progress(self, title: str, total: int | None) -> Iterator[Progress]:
        """Show the progress of a job, on a terminal only."""
        if self.settings.is_quiet or not sys.stderr.isatty():
            yield _Silent()
            return
        from cli.shell.progress import Bar

        with Bar(title, total) as bar:
            yield bar


class _Silent:
    """Progress that is not shown."""

    def advance(self, count: int = 1) -> None:
        """See `Progress.advance`."""

    def reach(self, count: int) -> None:
        """See `Progress.reach`."""
