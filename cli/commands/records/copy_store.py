"""Copies all matches from one store to another, of any kind."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cli.schemas.evidence import CopyShape
from cli.shell.arguments import shown_file
from cli.shell.context import PATIENCE_S, Context
from cli.shell.exit_codes import input_output, usage
from core.wording import counted
from events.errors import BrokenEvidence, LogMisuse, StoreDamaged
from server.store.copying import Copied, copy_log
from server.store.opening import is_file, open_log, shown
from server.store.sqlite_schema import store_files


def copy_store(context: Context, source: str, target: str) -> None:
    """Copy all matches, and check the copy.

    Raises:
        UserError: Both are the same store, or the copy holds what the source does not hold.
        BrokenEvidence: A match is damaged.
        StoreUnavailable: One of the stores cannot be opened, read or written.
    """
    if source == target:
        raise usage("a store is copied to another one")
    with (
        open_log(source, read_only=True, timeout_s=PATIENCE_S) as log,
        _whole(target),
        open_log(target, timeout_s=PATIENCE_S) as copy,
    ):
        try:
            with context.progress("copying", None) as progress:
                copied = copy_log(log, copy, progress.reach)
        except LogMisuse as error:
            raise input_output(str(error), "output_refused") from None
    place = shown(target)
    shape = CopyShape(
        source=shown(source), target=place, matches=copied.matches, commits=copied.commits, known=copied.known
    )
    context.print_result(shape, [_told(copied, place)])


@contextmanager
def _whole(target: str) -> Iterator[None]:
    """Leave no new file behind if the store turns out to be damaged; a copy that was only broken off is taken up again by the next one."""
    file = Path(target).expanduser()
    is_new = is_file(target) and not file.exists()
    try:
        yield
    except (BrokenEvidence, StoreDamaged):
        if is_new:
            for part in store_files(file):
                part.unlink(missing_ok=True)
        raise


def _told(copied: Copied, place: str) -> str:
    matches, commits = counted(copied.matches, "match", "matches"), counted(copied.commits, "commit")
    return f"{commits} copied to {shown_file(place)} ({copied.known} were there), which now holds {matches}; checked"
