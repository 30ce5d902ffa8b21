"""A broker in a thread, raw sockets to talk to it, and a server in a separate process that can be killed."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Self

import zmq

from events.codec import encode
from events.ids import MatchId
from events.log import Log
from events.memory_log import MemoryLog
from server.bots.bot_pool import BotPool
from server.bots.house import Connecting
from server.broker.background import Background
from server.broker.broker import Broker
from server.broker.limits import Limits
from server.client.client import Client
from server.client.retry import RetryPolicy
from server.client.sockets import connect
from server.desk.desk import Desk
from server.protocol.bot_seats import BotSeats
from server.protocol.curve import CurveKey
from server.protocol.logger import SILENT, Logger
from server.protocol.messages import decode_reply
from server.protocol.replies import Reply
from server.protocol.wire import PROTOCOL, Request
from tests.support.sitting import OWNER

ANYWHERE = "tcp://127.0.0.1:*"
SOON_MS = 30_000
"""Longer than anything should take; a test that waits so long has failed."""

ROOT = Path(__file__).parents[2]
QUICK = RetryPolicy(timeout_s=10.0, tries=1)


@contextmanager
def served(
    log: Log | None = None,
    *,
    desk: Desk | None = None,
    limits: Limits | None = None,
    key: CurveKey | None = None,
    allowed: frozenset[bytes] | None = None,
    logger: Logger = SILENT,
    background: Background | None = None,
    before: Callable[[Broker], None] | None = None,
    is_shared: bool = False,
    addresses: tuple[str, str] = (ANYWHERE, ANYWHERE),
    nodes: Sequence[str] = (),
    faults: int = 0,
    bots: bool = False,
) -> Iterator[Broker]:
    """Run a broker until the block ends; it must then stop, after so many `faults` of its loop. `before` is called before it runs.

    With `bots` it plays bots, in a process beside it.
    """
    seats = BotSeats("the key of the bots") if bots else None
    desk = (
        Desk(MemoryLog() if log is None else log, owner=OWNER, logger=logger, nodes=nodes, bots=seats)
        if desk is None
        else desk
    )
    broker = Broker(
        desk,
        *addresses,
        limits=limits,
        key=key,
        allowed=allowed,
        logger=logger,
        background=background,
        is_shared=is_shared,
    )
    if seats is not None:
        broker.bots = BotPool(seats, Connecting(broker.address), logger)
        broker.bots.take_up(desk.summaries.all())
    if before is not None:
        before(broker)
    ended_by: list[BaseException] = []

    def run() -> None:
        try:
            broker.run()
        except BaseException as error:  # noqa: BLE001 - It is raised in the test's own thread below.
            ended_by.append(error)

    thread = Thread(target=run)
    thread.start()
    try:
        yield broker
    finally:
        broker.stop()
        thread.join(SOON_MS / 1000)
        if broker.bots is not None:
            broker.bots.close()
        assert not thread.is_alive(), "the broker does not end"
    assert ended_by == []
    assert broker.counts.faults == faults, "a turn failed: its log says why"


def client_of(broker: Broker, *, server_key: str = "", client_key: CurveKey | None = None, owner: str = "") -> Client:
    """Connect a client that gives up after one attempt."""
    return connect(broker.address, retry_policy=QUICK, server_key=server_key, client_key=client_key, owner=owner)


def connected(process: "Process") -> Client:
    """Connect a client that gives up after one attempt to a server in a separate process."""
    return connect(process.address, retry_policy=QUICK)


def eventually(holds: Callable[[], bool], what: str) -> None:
    """Wait until a condition holds; fail if it does not hold soon."""
    until = time.monotonic() + SOON_MS / 1000
    while not holds():
        assert time.monotonic() < until, what
        time.sleep(0.005)


class Raw:
    """A DEALER socket that sends arbitrary frames.

    Args:
        address: Where the broker takes requests.
        kind: Another kind of socket.
    """

    def __init__(self, address: str, kind: int = zmq.DEALER) -> None:
        self.context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self.socket = self.context.socket(kind)
        self.socket.linger = 0
        self._monitor = self.socket.get_monitor_socket(zmq.EVENT_HANDSHAKE_SUCCEEDED)
        self.socket.connect(address)

    def shaken_hands(self) -> "Raw":
        """Wait until it is connected, and return it."""
        assert self._monitor.poll(SOON_MS), "not connected"
        return self

    def send(self, *frames: bytes) -> None:
        """Send frames unchanged."""
        self.socket.send_multipart(frames)

    def ask(self, request: Request) -> Reply:
        """Send a request and return the reply."""
        self.send(PROTOCOL.encode(), encode(request))
        return self.reply()

    def reply(self) -> Reply:
        """Return the next reply."""
        assert self.socket.poll(SOON_MS), "no reply"
        return decode_reply(self.socket.recv_multipart()[-1])

    def heard(self, timeout_ms: int) -> list[bytes]:
        """Return all messages until none comes for this long."""
        found: list[bytes] = []
        while self.socket.poll(timeout_ms):
            found.append(self.socket.recv())
        return found

    def close(self) -> None:
        """Close the socket without a message."""
        self.context.destroy(linger=0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def seated(client: Client, *, seed: str = "3") -> MatchId:
    """Open a match of the test game and take both seats."""
    opened = client.open("skirmish", dice="seeded", seed=seed)
    for seat in opened.seats:
        # Other programs play these seats by their secrets.
        client.take_seat(opened.match, seat, sign=False)
    return opened.match


def play_through(client: Client, match: MatchId, most: int = 1_000) -> int:
    """Play the first legal command again and again until the match ends; return how many."""
    for count in range(most):
        to_move = client.legal(match).to_move
        if not to_move:
            return count
        client.play(match, to_move, 1, expected=client.legal(match, to_move).seq)
    return most


class Process:
    """A server in a separate process, on a file.

    Args:
        store: The SQLite file.
        addresses: Where it takes requests and where it publishes.
        files: How many files it may open; by default as many as this process.
    """

    def __init__(self, store: Path, *addresses: str, files: int | None = None) -> None:
        limit = [] if files is None else ["sh", "-c", f'ulimit -n {files}; exec "$0" "$@"']
        self.process = subprocess.Popen(
            [*limit, sys.executable, "-m", "tests.support.serve_store", str(store), *addresses],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.error()
        told: dict[str, str] = json.loads(line)
        self.address, self.events = told["address"], told["events"]

    def error(self) -> str:
        """Return the output on stderr of the ended process."""
        assert self.process.stderr is not None
        self.process.wait(SOON_MS / 1000)
        return self.process.stderr.read().decode()

    def kill(self) -> None:
        """Kill it without warning."""
        self.process.kill()
        self.close()

    def signal(self, number: int) -> int:
        """Send a signal, wait for the end and return the exit code."""
        self.process.send_signal(number)
        code = self.process.wait(SOON_MS / 1000)
        self.close()
        return code

    def close(self) -> None:
        """Wait for the process, and kill it if it is still running."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(SOON_MS / 1000)
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()
