"""Copies the store to a backup, and a backup to the place of the store."""

import shlex
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cli.schemas.evidence import BackupShape
from cli.shell.arguments import shown_file
from cli.shell.context import Context
from cli.shell.exit_codes import input_output, usage
from core.wording import counted
from server.store.backup import Copied, copy_store
from server.store.one_server import only_server
from server.store.sqlite_schema import store_files
from server.store.whole_file import beside_store

PERCENT = 100


def back_up(context: Context, file: str, *, is_cut_off_allowed: bool) -> None:
    """Copy the store to a new file, while a server may serve it, and check pages, rows and indexes of the copy, but no chain.

    Raises:
        UserError: There is no store.
        OutputRefused: There is a file of that name.
        StoreDamaged: The store is damaged.
        StoreUnavailable: It cannot be read, or the file not be written.
    """
    copy = _file(file)
    context.open_for_reading()
    context.close_store()
    _copy(context, context.store, copy, is_cut_off_allowed=is_cut_off_allowed)


def restore(context: Context, file: str) -> None:
    """Check a backup, and copy it to the place of the store, where no store may be.

    Raises:
        UserError: There is a store, or a part of one.
        StoreDamaged: The backup is damaged.
        StoreUnavailable: A server runs on the store, or one of the files cannot be read or written.
    """
    copy = _file(file)
    store = context.prepared_store()
    there = [str(path) for path in (*store_files(store), beside_store(store, "-journal")) if path.exists()]
    if there:
        files = " ".join(shlex.quote(path) for path in there)
        raise input_output(
            f"{there[0]} exists, and nothing is ever written over a store: end its server, and move it away first (mv {files} FOLDER)",
            "output_refused",
        )
    with only_server(store):
        _copy(context, copy, store)


def _file(file: str) -> Path:
    """Return the file of a backup, which has pages that are not written or read in order.

    Raises:
        UserError: It is stdin or stdout.
    """
    if file == "-":
        raise usage("a backup is a file with a name, not stdin or stdout")
    return Path(file)


def _copy(context: Context, store: Path, copy: Path, *, is_cut_off_allowed: bool = False) -> None:
    with _tidied_up(), context.progress("copying the store", PERCENT) as progress:
        copied = copy_store(
            store,
            copy,
            lambda done, pages: progress.reach(PERCENT * done // max(1, pages)),
            is_cut_off_allowed=is_cut_off_allowed,
        )
    shape = BackupShape(
        store=str(store), file=str(copy), matches=copied.matches, commits=copied.commits, bytes=copied.size
    )
    context.print_result(shape, [_told(copied, copy)])


@contextmanager
def _tidied_up() -> Iterator[None]:
    """Let SIGTERM, with which a timer or a system that shuts down ends this, leave no more behind than Ctrl-C does."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _told(copied: Copied, copy: Path) -> str:
    matches, commits = counted(copied.matches, "match", "matches"), counted(copied.commits, "commit")
    return f"{matches} in {commits}, {copied.size:,} bytes, copied to {shown_file(copy)}, whose pages, rows and indexes are sound"
