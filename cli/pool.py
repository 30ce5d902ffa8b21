"""Long jobs on all cores: a piece of work done to many things, several at a time, with the results in order."""

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
"""How many things per process are handed out before the first of them is done."""


def in_order(work: Callable[[T], R], things: Sequence[T], jobs: int, what: str) -> Iterator[R]:
    """Do a piece of work to each thing and yield the results in order, each as soon as it and those before it are there.

    Args:
        work: A function that a new process can import; for one process it is called here.
        things: What it is done to.
        jobs: How many processes, 1 or more.
        what: What the work is called in errors, such as "the simulation".

    Raises:
        Fault: A process was ended from outside.
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
    """Let Ctrl-C be the first process's business; what a worker has in hand is finished quickly."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
