"""Networks that lose bytes between clients, servers, and the NATS servers of their store: in one direction or in both, and nobody is told."""

import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from random import Random

import pytest

from server.client.retry import PATIENCE_S, RetryPolicy
from server.store.jetstream.cluster import cluster_in
from server.store.jetstream.jetstream_log import JetStreamLog
from server.store.remote import outage
from tests.project.tree import ROOT
from tests.server.store.jetstream.test_chaos import opened
from tests.support.nats_server import nats_servers
from tests.support.networks import Networks, networks
from tests.support.note_players import Course, NotePlayers
from tests.support.served import served
from tests.support.stalling import ASKED, TOLD, Proxy, stalling

NODES, SERVERS = 3, 2
CLIENTS = 6
ROUND_S, CUT_S, WHOLE_S = 60.0, 6.0, 12.0
"""How long players write in a round, and at most how long a cut lasts, and the time until the next one (seconds): a leader is elected in less."""

GAP_MAX_S = CUT_S + 14.0
"""A cut, then an election, and the time-outs of the clients that asked meanwhile."""

QUICK = RetryPolicy(timeout_s=0.6, tries=20, pause_s=0.02, patience_s=20.0)


def port(address: str) -> int:
    """Return the port of an address."""
    return int(address.rpartition(":")[2])


def disturb(proxies: list[Proxy], choose: Random, seconds: float) -> None:
    """Hold back, delay and cut what passes through some proxies, until a time is over."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        proxy = choose.choice(proxies)
        fate = choose.random()
        if fate < 0.8:
            proxy.hold(*choose.choice(((), (ASKED,), (TOLD,))))
        else:
            proxy.delay_s = choose.uniform(0.01, 0.03)
        time.sleep(choose.uniform(0.02, 0.25))
        if choose.random() < 0.5:
            proxy.cut()
        proxy.let_go()
        proxy.delay_s = 0.0
        time.sleep(choose.uniform(0.0, 0.1))


@pytest.mark.long
def test_lost_bytes_between_clients_servers_and_store_lose_and_double_nothing(
    monkeypatch: pytest.MonkeyPatch, budget: float
) -> None:
    """Two servers of one NATS server for a second and a half, or as often that as the budget says."""
    for name, time_s in (("DEADLINE_S", 0.3), ("AGAIN_S", 0.05), ("PROBE_S", 0.1)):
        monkeypatch.setattr(outage, name, time_s)
    seconds = 1.5 * max(1.0, budget)
    with nats_servers() as nats, ExitStack() as stack, ThreadPoolExecutor(CLIENTS) as pool:
        cluster, proxies, addresses = nats.store(), [], []
        for _ in range(SERVERS):
            before = stack.enter_context(stalling(cluster.servers[0].port))
            locator = cluster.locator.replace(str(cluster.servers[0].port), str(before.port))
            log = stack.enter_context(JetStreamLog(cluster_in(locator)))
            broker = stack.enter_context(served(log, is_shared=True))
            behind = stack.enter_context(stalling(port(broker.address)))
            proxies += [before, behind]
            addresses.append(f"tcp://127.0.0.1:{behind.port}")
        players = NotePlayers(",".join(addresses), CLIENTS, QUICK)
        playing = [pool.submit(players.play, number, seconds) for number in range(CLIENTS)]
        disturb(proxies, Random(round(budget)), seconds)
        played = [one.result(seconds + 30) for one in playing]
        with JetStreamLog(cluster) as reader:
            course = players.check(reader, played)
    sys.stderr.write(f"{course.told()}\n")

    assert all(played)
    assert course.gap_s < GAP_MAX_S


@contextmanager
def server_in(laid: Networks, number: int, locator: str) -> Iterator[str]:
    """Run a server in a place; return its address."""
    place = laid.places[number]
    addresses = [f"tcp://{place.host}:{place.port + one}" for one in range(2)]
    words = [*place.runner, sys.executable, "-m", "tests.support.serve_store", locator, *addresses]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline(), "the server does not start"
            yield addresses[0]
        finally:
            process.terminate()


def cut(laid: Networks, choose: Random) -> str:
    """Cut links at random for some seconds, and join them again; return which.

    Those of one NATS server or of one server of ours, to all others or to one; both directions, or one.
    """
    places = list(range(NODES + SERVERS))
    place = choose.choice(places)
    others: list[int | None] = [one for one in places if one != place and min(one, place) < NODES]
    others += [None] if place >= NODES else []
    others = choose.choice((others, [choose.choice(others)]))
    way = choose.choice(("from", "to", "both"))
    links = [(place, one) for one in others if way != "to"]
    links += [(one, place) for one in others if one is not None and way != "from"]
    for link in links:
        laid.deafen(*link)
    time.sleep(choose.uniform(1.0, CUT_S))
    for link in links:
        laid.hear(*link)
    return f"{way} {place}: {others}"


@pytest.mark.long
def test_cut_links_lose_and_double_nothing(budget: float) -> None:
    """Three NATS servers and two servers of ours, each in a network of its own. A round takes a minute; a budget of 300 tries three."""
    course = Course(0, 0.0, 0.0)
    for number in range(max(1, round(budget / 100))):
        course = course.then(one_round(Random(number)))
        sys.stderr.write(f"{number + 1} rounds, {course.told()}\n")

    assert course.gap_s < GAP_MAX_S


def one_round(choose: Random) -> Course:
    """Cut links until the players have written long enough."""
    with ExitStack() as stack, ThreadPoolExecutor(CLIENTS) as pool:
        laid = stack.enter_context(networks(NODES + SERVERS))
        nats = stack.enter_context(nats_servers(places=laid.places[:NODES]))
        cluster = nats.store(replicas=NODES)
        opened(cluster).close()
        servers = [stack.enter_context(server_in(laid, NODES + number, cluster.locator)) for number in range(SERVERS)]
        players = NotePlayers(",".join(servers), CLIENTS, RetryPolicy(patience_s=PATIENCE_S))
        playing = [pool.submit(players.play, number, ROUND_S) for number in range(CLIENTS)]
        until = time.monotonic() + ROUND_S - CUT_S
        while time.monotonic() < until:
            time.sleep(choose.uniform(WHOLE_S / 4, WHOLE_S))
            sys.stderr.write(f"{cut(laid, choose)}\n")
        played = [one.result(ROUND_S + 90) for one in playing]
        with opened(cluster) as reader:
            return players.check(reader, played)
