"""Output of a process beside the pages: what each pass found as a line."""

import os
import sys
from collections.abc import Iterable

from events.codec import Struct, encode

NICE = 19
"""By how much the process gives way to all others."""


def print_passes(passes: Iterable[Struct]) -> None:
    """Print what each pass finds as soon as it is found; the process is the last to get the machine's time."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    for found in passes:
        sys.stdout.buffer.write(encode(found) + b"\n")
        sys.stdout.buffer.flush()
