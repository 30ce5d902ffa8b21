"""A progress bar on stderr."""

import sys
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


class Bar:
    """The progress of one job, drawn until it is done and then removed.

    Args:
        title: The name of the job.
        total: The number of items, or None if it is not known.
    """

    def __init__(self, title: str, total: int | None) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        # Output printed meanwhile is drawn above the bar, but only if it goes to the same terminal.
        self._progress = Progress(
            *columns, console=Console(stderr=True), transient=True, redirect_stdout=sys.stdout.isatty()
        )
        self._task = self._progress.add_task(title, total=total)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def advance(self, count: int = 1) -> None:
        """Add to the number of items done."""
        self._progress.advance(self._task, count)

    def reach(self, count: int) -> None:
        """Set the number of items done."""
        self._progress.update(self._task, completed=count)
