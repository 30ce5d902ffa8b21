"""Three NATS servers, two servers of the store and several clients, while each of them is killed or ended in turn."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import NamedTuple, TypeAlias

import pytest

from events.errors import StoreUnavailable
from server.broker.background import Background
from server.client.retry import RetryPolicy
from server.protocol.clock import SystemClock
from server.protocol.logger import SILENT
from server.store.jetstream.cluster import Cluster
from server.store.jetstream.jetstream_log import JetStreamLog
from tests.support.nats_server import Nats, nats_servers
from tests.support.networks import networks
from tests.support.note_players import Course, NotePlayers
from tests.support.served import served

CLIENTS = 6
GAP_MAX_S = 20.0
"""The goal on a quiet machine is 12: an election, and the time-outs of the clients that asked while there was no leader."""

SECONDS = 40.0
POLICY = RetryPolicy(timeout_s=8.0, tries=20, pause_s=0.1, patience_s=60.0)


How: TypeAlias = "Callable[[], AbstractContextManager[tuple[Nats, Lost]]]"


def opened(cluster: Cluster) -> JetStreamLog:
    """Open a store as soon as its cluster has a leader."""
    until = time.monotonic() + 30
    while True:
        try:
            return JetStreamLog(cluster)
        except StoreUnavailable:
            assert time.monotonic() < until, "the cluster does not start"
            time.sleep(0.2)


def leader(log: JetStreamLog, name: str) -> int:
    """Return the number of the server that leads the stream of the commits."""
    told = json.loads(log._link.ask(f"$JS.API.STREAM.INFO.{name}-log", {}).data)
    return int(told["cluster"]["leader"][1:])


class Lost(NamedTuple):
    """How a NATS server is lost, and how it comes back."""

    away: Callable[[int], None]
    back: Callable[[int], None]


@contextmanager
def killed() -> Iterator[tuple[Nats, Lost]]:
    """Run servers that are killed."""
    with nats_servers(3) as nats:
        yield nats, Lost(nats.kill, nats.again)


@contextmanager
def cut_off() -> Iterator[tuple[Nats, Lost]]:
    """Run servers that run on, but that nobody reaches."""
    with networks(3) as made, nats_servers(places=made.places) as nats:
        yield nats, Lost(made.cut, made.mend)


@pytest.mark.long
@pytest.mark.parametrize("how", [killed, cut_off])
def test_what_was_acknowledged_is_stored_once_whatever_is_lost(how: How, budget: float) -> None:
    """A round stores some thousand commands; a budget of 2000 tries twenty rounds, each with new servers and matches."""
    course = Course(0, 0.0, 0.0)
    for number in range(max(1, round(budget / 100))):
        course = course.then(one_round(how))
        sys.stderr.write(f"{number + 1} rounds, {course.told()}\n")

    assert course.gap_s < GAP_MAX_S


def one_round(how: How) -> Course:
    """Lose a follower, the leader and a server of the store in turn, and let the NATS servers come back."""
    with how() as (nats, lost), ExitStack() as stack, ThreadPoolExecutor(CLIENTS) as pool:
        cluster = nats.store(replicas=3)
        logs = [stack.enter_context(opened(cluster)) for _ in range(2)]
        ends = [stack.enter_context(ExitStack()) for _ in logs]
        brokers = [
            end.enter_context(served(log, is_shared=True, background=Background(log.locator, SystemClock(), SILENT)))
            for end, log in zip(ends, logs, strict=True)
        ]
        addresses = ",".join(broker.address for broker in brokers)
        players = NotePlayers(addresses, CLIENTS, POLICY)
        playing = [pool.submit(players.play, number, SECONDS) for number in range(CLIENTS)]
        with opened(cluster) as watcher:
            first = leader(watcher, cluster.name)
            for number in ((first + 1) % 3, first):
                time.sleep(4)
                lost.away(number)
                time.sleep(8)
                lost.back(number)
        time.sleep(4)
        ends[1].close()
        played = [one.result(SECONDS + 60) for one in playing]
        with opened(cluster) as reader:
            return players.check(reader, played)
