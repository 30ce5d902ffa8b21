"""A progress bar on stderr."""

import sys
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


class Bar:
    """How far one job is, drawn until it is done and then wiped away.

    Args:
        title: What is going on.
        total: How much there is to do, if that is known.
    """

    def __init__(self, title: str, total: int | None) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        # What is put out meanwhile is drawn above the bar, but only where it would be seen there anyway.
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
        """Say that so many more are done."""
        self._progress.advance(self._task, count)

    def reach(self, count: int) -> None:
        """Say how many are done in all."""
        self._progress.update(self._task, completed=count)
