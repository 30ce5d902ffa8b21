"""Processes of the socket rows: started with a pipe, stopped by a message, killed by id if they do not react."""

import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

STOP_S = 5.0
STOP = "stop"


@dataclass(frozen=True)
class Child:
    """A child process and our end of its pipe."""

    process: BaseProcess
    pipe: Connection

    def cpu_s(self) -> float:
        """Return the CPU seconds the child has used so far."""
        assert self.process.pid is not None
        return cpu_seconds(self.process.pid)


@contextmanager
def child(target: Callable[..., None], *arguments: object) -> Iterator[Child]:
    """Run `target(pipe, *arguments)` in a fresh interpreter, which is ended in any case.

    The target ends itself when it receives `STOP`.
    """
    # A forked child would inherit the sockets and threads of ZeroMQ, which does not support that.
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe()
    # A daemon could not have a child process, as the server does.
    process = spawn.Process(target=target, args=(there, *arguments))
    process.start()
    there.close()
    try:
        yield Child(process, here)
    finally:
        with suppress(OSError):  # It may be gone already.
            here.send(STOP)
        process.join(STOP_S)
        if process.is_alive():
            process.kill()
            process.join(STOP_S)
        here.close()


def cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of all threads of a process, in nanosecond resolution if the kernel provides it."""
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            total += int((task / "schedstat").read_text(encoding="ascii").split()[0])
        except FileNotFoundError:
            continue  # The thread ended meanwhile.
    return total / 1e9
