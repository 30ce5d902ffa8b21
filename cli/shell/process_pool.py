"""Runs long jobs on all cores: one function over many items, several at a time, results in order."""

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing.connection import wait
from threading import Thread
from typing import TypeVar

from cli.shell.exit_codes import input_output

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 4
"""Items submitted per process before the first of them is done."""


def in_order(
    work: Callable[[T], R], things: Sequence[T], jobs: int, what: str, here: Callable[[T], R] | None = None
) -> Generator[R]:
    """Apply a function to each item; yield each result as soon as it and those before it are ready.

    This process works as well, so that little work does not wait until another process has started.

    Args:
        work: A function that a new process can import.
        things: The items.
        jobs: How many processes, 1 or more, this one included.
        what: Name of the work in errors, such as "the simulation".
        here: The same function for this process, if it has a shorter way.

    Raises:
        UserError: A process was ended from outside.
    """
    here = work if here is None else here
    if jobs == 1:
        yield from map(here, things)
        return
    # Processes are started afresh everywhere, so that it works the same on every system.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs - 1, mp_context=context, initializer=_prepare_worker) as pool:
        waiting: deque[tuple[T, Future[R]]] = deque()
        left = iter(things)
        try:
            while True:
                for thing in islice(left, max(0, jobs * AHEAD - len(waiting))):
                    waiting.append((thing, pool.submit(work, thing)))
                if not waiting:
                    return
                if waiting[0][1].done() or not _help(waiting, left, here):
                    yield waiting.popleft()[1].result()
        except BrokenExecutor as error:
            raise input_output(f"a process of {what} was ended from outside: {error}") from None
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _help(waiting: deque[tuple[T, Future[R]]], left: Iterator[T], here: Callable[[T], R]) -> bool:
    """Do the first item that no process has taken yet; return whether there was one."""
    for place, (thing, future) in enumerate(waiting):
        if future.cancel():
            waiting[place] = (thing, _done(thing, here))
            return True
    for thing in left:
        waiting.append((thing, _done(thing, here)))
        return True
    return False


def _done(thing: T, here: Callable[[T], R]) -> Future[R]:
    """Do an item; its error is raised when it is its turn, as that of another process."""
    done: Future[R] = Future()
    try:
        done.set_result(here(thing))
    except Exception as error:  # noqa: BLE001 - whatever it is, the results before it come first.
        done.set_exception(error)
    return done


def _prepare_worker() -> None:
    """Ignore Ctrl-C in a worker: the parent process handles it, and the job of a worker finishes quickly. End with the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(parent: int) -> None:
    """End this process as soon as its parent has ended, whatever ended it: nobody else would tell it that no work follows."""
    wait([parent])
    os._exit(1)
