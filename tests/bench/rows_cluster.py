"""Rows about a store on three NATS servers of this machine, each commit on all three: one server of ours, two, and what crosses between them."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import count

import zmq

from events.commit import GENESIS
from events.errors import StoreUnavailable
from events.ids import PUBLIC, MatchId
from events.log import NewCommit
from server.client.sockets import connect
from server.protocol.publications import subscription_text
from server.store.jetstream.cluster import Cluster
from server.store.jetstream.jetstream_log import JetStreamLog
from tests.bench import children, driver, our_match, our_play, our_server
from tests.bench.harness import (
    Contestant,
    Figures,
    Goal,
    Line,
    Plan,
    Row,
    alternate,
    anchor,
    our_figure,
    percentile,
)
from tests.bench.rows_server import driven_lines, driven_rounds, our_driven
from tests.support.nats_server import nats_servers

NODES = 3
CLIENTS = 32
READY_S = 20.0
HEARD_MS = 5_000
NOTES = 200
"""Notes of a round whose way is timed."""

MANY = 10
"""How many times the matches of the other lists the catalogue of a cluster has."""

BATCH = 500


@contextmanager
def clusters() -> Iterator[Iterator[Cluster]]:
    """Run the NATS servers; yield new stores on them."""
    with nats_servers(NODES) as nats:

        def stores() -> Iterator[Cluster]:
            while True:
                store = nats.store(replicas=NODES)
                until = time.monotonic() + READY_S
                while time.monotonic() < until:
                    with suppress(StoreUnavailable), JetStreamLog(store):
                        break
                    time.sleep(0.2)
                yield store

        yield stores()


def compared(plan: Plan) -> list[Line]:
    """Compare thirty-two clients with those of the same server whose store is a file, and two servers with one."""
    plan = replace(plan, commands=plan.commands * 3)
    with ExitStack() as closing:
        stores = closing.enter_context(clusters())
        one, two = next(stores), next(stores)
        contestants: dict[str, Contestant | None] = {
            "ours": driven_rounds(*our_driven(plan, CLIENTS, closing, has_log=False, cluster=one.locator, name="one")),
            "file": driven_rounds(*our_driven(plan, CLIENTS, closing, has_log=False)),
            "two": _together(
                [
                    our_driven(
                        replace(plan, commands=plan.commands // 2),
                        CLIENTS // 2,
                        closing,
                        has_log=False,
                        cluster=two.locator,
                        name=f"two-{number}",
                    )
                    for number in range(2)
                ]
            ),
        }
        samples = alternate(contestants, plan.runs)
    goals = {"rate": (Goal("limit", 0.4),), "p50": (Goal("limit", 2.5),), "cpu": (Goal("limit", 1.3),)}
    lines = driven_lines(
        samples,
        "cluster-clients",
        f"{CLIENTS} clients, each commit on {NODES} NATS servers",
        goals,
        limit=("file", "the same server, SQLite"),
    )
    both = samples["two"]
    return [
        *lines,
        Line(
            "cluster-clients-two.rate",
            f"the same clients at two servers of one store, each match at one of them, on {NODES} NATS servers",
            "commands/s",
            more_is_better=True,
            ours=both.median("rate"),
            spread=both.spread("rate"),
            limit=anchor("one server", samples, "ours", "rate"),
            goals=(Goal("limit", 0.7),),
        ),
    ]


def _together(servers: list[tuple[children.Child, children.Child, Callable[[], driver.Drive]]]) -> Contestant:
    """Make a contestant that drives several servers at once."""

    def play() -> Figures:
        for _, clients, scripts in servers:
            clients.pipe.send(scripts())
        for _, clients, _ in servers:
            clients.pipe.recv()
        driven: list[driver.Driven] = [clients.pipe.recv() for _, clients, _ in servers]
        if refused := [reply for one in driven for reply in one.refused]:
            raise RuntimeError(f"a server of the cluster rows refused a command: {refused[0]!r}")
        return {"rate": sum(len(one.waits_s) for one in driven) / max(one.wall_s for one in driven)}

    return play


def news(plan: Plan) -> list[Line]:
    """Measure how long a note takes from its player to a follower at the same server, and at the other one."""
    with ExitStack() as closing:
        store = next(closing.enter_context(clusters()))
        serve = partial(our_server.run, has_log=False, cluster=store.locator)
        servers = [
            closing.enter_context(children.child(serve, plan.scratch / f"news-{number}.db", b"")) for number in range(2)
        ]
        ports: list[tuple[int, int]] = [tuple(one.pipe.recv()) for one in servers]
        client = closing.enter_context(connect(f"tcp://127.0.0.1:{ports[0][0]}"))
        match = client.open(our_play.GAME, dice="seeded", seed="1").match
        seat = client.take_seat(match, our_play.written_down("1", 1)[0].seat, share=False, sign=False).seat
        context = closing.enter_context(zmq.Context())
        followers = []
        for asked, port in ports:
            # A follower asks for the match first; from then on its server has it in memory.
            closing.enter_context(connect(f"tcp://127.0.0.1:{asked}")).log(match, PUBLIC)
            socket = closing.enter_context(context.socket(zmq.SUB))
            socket.linger = 0
            socket.connect(f"tcp://127.0.0.1:{port}")
            socket.subscribe(subscription_text(match, PUBLIC))
            followers.append(socket)
        numbers = count()

        def heard(follower: "zmq.Socket[bytes]") -> Contestant:
            def play() -> Figures:
                waits = []
                for _ in range(max(2, min(NOTES, plan.commands // 10))):
                    for one in followers:
                        while one.poll(20):
                            one.recv_multipart()
                    began = time.perf_counter()
                    client.play(match, seat, {"do": "match:note", "text": f"note {next(numbers)}"})
                    if not follower.poll(HEARD_MS):
                        raise RuntimeError("a follower of the cluster rows heard nothing")
                    waits.append(time.perf_counter() - began)
                return {"p50": percentile(waits, 0.5) * 1e3}

            return play

        samples = alternate({"ours": heard(followers[1]), "here": heard(followers[0])}, plan.runs)
    figure, spread = our_figure(samples, "p50")
    return [
        Line(
            "cluster-news.p50",
            f"a note, from its player to a follower at another server of the store, on {NODES} NATS servers, p50",
            "ms",
            more_is_better=False,
            ours=figure,
            spread=spread,
            limit=anchor("to a follower at the same server", samples, "here", "p50"),
            goals=(Goal("itself", 10.0),),
        )
    ]


def catalogue(plan: Plan) -> list[Line]:
    """Measure how long a server that starts takes to read which matches a cluster has."""
    matches = plan.listed * MANY
    with ExitStack() as closing:
        store = next(closing.enter_context(clusters()))
        _fill(store, matches)

        def read() -> Figures:
            began = time.perf_counter()
            with JetStreamLog(store) as log:
                found = len(log.matches())
            if found != matches:
                raise RuntimeError(f"the catalogue has {found} of {matches} matches")
            return {"s": time.perf_counter() - began}

        samples = alternate({"ours": read}, plan.runs)
    figure, spread = our_figure(samples, "s")
    return [
        Line(
            "cluster-catalogue",
            f"the catalogue of {matches:,} matches, on {NODES} NATS servers",
            "s",
            more_is_better=False,
            ours=figure,
            spread=spread,
            goals=(Goal("itself", 10.0),),
        )
    ]


def _fill(store: Cluster, matches: int) -> None:
    events = our_match.LongMatch().opening()
    with JetStreamLog(store) as log:
        batch: list[NewCommit] = []
        for number in range(matches):
            batch.append(our_match.sealed(MatchId(f"match-{number:06}"), 1, GENESIS, events, "open"))
            if len(batch) == BATCH or number == matches - 1:
                log.append(batch)
                batch = []


ROWS = (
    Row("cluster-clients", "thirty-two clients and a store on a cluster", compared),
    Row("cluster-news", "what crosses between two servers of a cluster", news),
    Row("cluster-catalogue", "the matches of a cluster", catalogue),
)
