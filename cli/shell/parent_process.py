"""Ends a process of ours when the process that started it is gone, however that one ended."""

import os
import signal
from contextlib import suppress
from threading import Thread

VARIABLE = "WARDIARY_ENDS_WITH_STDIN"
"""Set for a process that is to end as soon as its standard input is closed: its parent holds the other end of a pipe."""


def end_with_parent() -> None:
    """Watch the standard input if the process was started like this; processes that it starts itself are not."""
    if os.environ.pop(VARIABLE, ""):
        Thread(target=_watch, daemon=True).start()


def _watch() -> None:
    with suppress(OSError):
        while os.read(0, 4096):
            pass
    # As from a shell, so that a server acknowledges what it has stored before it ends.
    os.kill(os.getpid(), signal.SIGTERM)
