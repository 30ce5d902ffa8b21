"""Runs long jobs on all cores: one function over many items, several at a time, results in order."""

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from typing import TypeVar

from cli.exit_codes import input_output

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 4
"""Items submitted per process before the first of them is done."""


def in_order(work: Callable[[T], R], things: Sequence[T], jobs: int, what: str) -> Iterator[R]:
    """Apply a function to each item; yield each result as soon as it and those before it are ready.

    Args:
        work: A function that a new process can import; for one process it is called here.
        things: The items.
        jobs: How many processes, 1 or more.
        what: Name of the work in errors, such as "the simulation".

    Raises:
        UserError: A process was ended from outside.
    """
    if jobs == 1:
        yield from map(work, things)
        return
    waiting: deque[Future[R]] = deque()
    # Processes are started afresh everywhere, so that it works the same on every system.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_leave_interrupts) as pool:
        try:
            for thing in things:
                waiting.append(pool.submit(work, thing))
                if len(waiting) >= jobs * AHEAD:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenExecutor as error:
            raise input_output(f"a process of {what} was ended from outside: {error}") from None
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _leave_interrupts() -> None:
    """Ignore Ctrl-C in workers: the parent process handles it, and the job of a worker finishes quickly."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
