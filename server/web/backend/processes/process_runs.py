"""Work that visitors ask processes beside the pages for: one piece at a time, within limits, and kept as long as the pages run."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from contextlib import suppress
from enum import Enum
from math import inf
from typing import Generic, NamedTuple, Protocol, TypeVar

from core.errors import KernelError
from events.codec import Decoder
from server.protocol.clock import Clock
from server.protocol.errors import ServerError
from server.web.http.faults import PageFault
from server.web.http.rate_limits import Rates

LINE_MAX = 1_048_576
"""The most bytes of what one pass tells."""
LOOK_S = 1.0
"""How often is looked whether work is to be ended (seconds)."""
FAILED = "the program that plays on ended with an error"


class Progress(Enum):
    """State of a piece of work: nobody does it here, it waits, it is done step by step, it is over, or too much was asked for."""

    ABSENT = "absent"
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    REFUSED = "refused"


class Found(Protocol):
    """Result of a pass of a process; `problem` is why there is none."""

    @property
    def problem(self) -> str:
        """Why nothing was found; empty if something was."""


F = TypeVar("F", bound=Found)
K = TypeVar("K", bound=Hashable)


class Run(NamedTuple, Generic[F]):
    """A piece of work as far as it is done: what the last pass told, and why there is no more."""

    progress: Progress = Progress.ABSENT
    found: F | None = None
    problem: str = ""

    @property
    def is_going_on(self) -> bool:
        """Whether more will be found."""
        return self.progress in (Progress.WAITING, Progress.RUNNING)


class Limits(NamedTuple):
    """Limits of the work for visitors.

    Attributes:
        asked: How much an address may ask for at once.
        asked_per_s: And how much each second.
        waiting_max: How many pieces may wait for their turn.
        kept_max: How many are remembered with what was found.
        limit_s: How long one takes at most (seconds); 0 for no work at all.
        left_s: How long one goes on at which nobody looks (seconds).
    """

    asked: float
    asked_per_s: float
    waiting_max: int
    kept_max: int
    limit_s: float
    left_s: float = inf


class ProcessRuns(Generic[K, F]):
    """Pieces of work by keys.

    Args:
        clock: Measures how often work is asked for, and when it was looked at.
        program: The module that a process runs. It is given lines, and prints what each pass finds as a line.
        decoder: Reads these lines.
        limits: The limits.

    Attributes:
        tasks: The work that waits or is done.
    """

    def __init__(self, clock: Clock, program: str, decoder: Decoder[F], limits: Limits) -> None:
        self._clock = clock
        self._program = program
        self._decoder = decoder
        self._limits = limits
        self._turn = asyncio.Lock()
        self._asked = Rates(clock, most=limits.asked, per_s=limits.asked_per_s)
        self._found: OrderedDict[K, Run[F]] = OrderedDict()
        self.tasks: dict[K, asyncio.Task[None]] = {}
        self._looked: dict[K, float] = {}

    def known(self, key: K) -> Run[F]:
        """Return what is known of a piece of work; while it is looked at it goes on."""
        if key in self.tasks:
            self._looked[key] = self._clock.monotonic()
        return self._found.get(key, Run())

    def asked(self, key: K, address: str, lines: Callable[[], Awaitable[bytes]], *, is_anew: bool = False) -> Run[F]:
        """Return what is known of a piece of work, and see to it that it is begun.

        Args:
            key: The piece.
            address: The address of the visitor.
            lines: Returns what its process is given.
            is_anew: Whether it is begun again where it is over.
        """
        if not self._limits.limit_s:
            return Run()
        if key not in self._found or (is_anew and key not in self.tasks):
            if len(self.tasks) >= self._limits.waiting_max or self._asked.wait_s(address):
                return Run(Progress.REFUSED)
            self._keep(key, Run(Progress.WAITING))
            self.tasks[key] = asyncio.create_task(self._find(key, lines))
        return self.known(key)

    def _keep(self, key: K, run: Run[F]) -> None:
        self._found[key] = run
        self._found.move_to_end(key)
        while len(self._found) > self._limits.kept_max:
            self._found.popitem(last=False)

    async def _find(self, key: K, lines: Callable[[], Awaitable[bytes]]) -> None:
        """Do a piece of work once it is its turn; a failure is told where its results would be shown."""
        try:
            async with self._turn:
                if not self._is_left(key):
                    await self._work(key, await lines())
        except (ServerError, PageFault):
            # The match could not be read just now; who looks at it next asks again.
            self._found.pop(key, None)
        except (KernelError, OSError, ValueError) as error:
            why = str(error) if isinstance(error, KernelError) else FAILED
            self._keep(key, Run(Progress.DONE, problem=why))
        finally:
            self.tasks.pop(key, None)
            self._looked.pop(key, None)
            if (run := self._found.get(key)) is not None and run.is_going_on:
                # Everybody has left before its turn came.
                self._found.pop(key)

    def _is_left(self, key: K) -> bool:
        return self._clock.monotonic() - self._looked.get(key, inf) > self._limits.left_s

    async def _work(self, key: K, lines: bytes) -> None:
        self._keep(key, Run(Progress.RUNNING))
        limit_s = self._limits.limit_s
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", self._program, stdin=PIPE, stdout=PIPE, limit=LINE_MAX
        )
        following = asyncio.create_task(self._follow(process, lines, key))
        until = self._clock.monotonic() + limit_s
        try:
            while not following.done() and self._clock.monotonic() < until and not self._is_left(key):
                await asyncio.wait((following,), timeout=min(LOOK_S, limit_s))
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        await following
        found = self._found[key].found
        if found is None and self._is_left(key):
            # Who looks next begins it anew.
            self._found.pop(key)
            return
        problem = FAILED if process.returncode and process.returncode > 0 else found.problem if found else ""
        late = f"a first pass takes more than {limit_s:.0f} seconds"
        self._keep(key, Run(Progress.DONE, found, problem or ("" if found else late)))

    async def _follow(self, process: Process, lines: bytes, key: K) -> None:
        """Give a process what it needs, and keep what it tells, pass by pass."""
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(lines)
        with suppress(BrokenPipeError, ConnectionResetError):
            await process.stdin.drain()
        process.stdin.close()
        # A process that is ended may leave a part of a line.
        while (line := await process.stdout.readline()).endswith(b"\n"):
            self._keep(key, Run(Progress.RUNNING, self._decoder.decode(line)))
