"""Dropping the privileges that the tests may run with."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager

PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1
"""Source: prctl(2) and capabilities(7) of Linux."""
NOBODY = 65534


@contextmanager
def unprivileged() -> Iterator[None]:
    """Drop the privileges that bypass file permissions until the block ends, if the tests have them."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def as_others_do() -> None:
    """Let this process, and what it starts, mind the modes of files, which a privileged one does not; for a process that is about to be started."""
    if os.geteuid() == 0:
        ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE)
