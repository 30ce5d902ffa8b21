"""Rows about a busy server: how long a client waits while another client loads, reads and forks long matches."""

import time
from contextlib import ExitStack, suppress
from dataclasses import replace
from multiprocessing.connection import Connection

import zmq

from events.codec import encode
from events.ids import PUBLIC, MatchId
from server.client.client import Client
from server.client.retry import RetryPolicy
from server.client.sockets import connect
from server.protocol.curve import CurveKey, secure_client
from server.protocol.errors import TimedOut
from server.protocol.wire import PROTOCOL, HelloRequest
from server.store.sqlite_log import SqliteLog
from tests.bench import children, our_match, our_server, raw_store
from tests.bench.harness import Contestant, Figures, Goal, Line, Plan, Row, alternate, anchor, percentile

STILL_MS = 5.0
"""What must be the longest that the serving loop stands still."""

PINGS_PER_S = 500
LONGER = 10
"""How many times the long match's length the matches have here."""

PATIENT = RetryPolicy(timeout_s=60.0, tries=1)


def ping(pipe: Connection, port: int, server_key: str) -> None:
    """Send cheap requests at a steady rate between two messages from the pipe; return how long each reply took."""
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    asker = context.socket(zmq.DEALER)
    secure_client(asker, server_key)
    asker.connect(f"tcp://127.0.0.1:{port}")
    frames = [PROTOCOL.encode(), encode(HelloRequest())]
    pipe.send("ready")
    while pipe.recv() != children.STOP:
        waits: list[float] = []
        while not pipe.poll(1 / PINGS_PER_S):
            began = time.perf_counter()
            asker.send_multipart(frames)
            asker.recv_multipart()
            waits.append(time.perf_counter() - began)
        pipe.recv()
        pipe.send(waits)
    context.destroy(linger=0)


def keep_busy(client: Client, match: MatchId, length: int) -> None:
    """Load a long match, request its table at two events, and fork it."""
    with suppress(TimedOut):
        client.state(match)
        client.state(match, PUBLIC, length // 2)
        client.fork(match, PUBLIC)


def contestants(plan: Plan, closing: ExitStack) -> dict[str, Contestant | None]:
    """Serve long matches, one per round, and measure waits with and without the client that uses them."""
    length = plan.long_events * LONGER
    path = plan.scratch / "our-busy.db"
    raw_store.remove(path)
    matches = [MatchId(f"match-{number}") for number in range(plan.runs + 1)]
    with SqliteLog(path) as log:
        for match in matches:
            our_match.store(log, match, length)
    key = CurveKey.new()
    server = closing.enter_context(children.child(our_server.run, path, key.secret))
    port, _ = server.pipe.recv()
    public = key.public.decode()
    pinging = closing.enter_context(children.child(ping, port, public))
    pinging.pipe.recv()
    client = closing.enter_context(connect(f"tcp://127.0.0.1:{port}", server_key=public, retry_policy=PATIENT))
    client.hello()

    def waited(busy: bool) -> Figures:
        pinging.pipe.send("go")
        if busy:
            keep_busy(client, matches.pop(), length)
        else:
            time.sleep(max(0.01, plan.slice_s))
        pinging.pipe.send("enough")
        waits = pinging.pipe.recv() or [1 / PINGS_PER_S]
        return {"p50": percentile(waits, 0.5) * 1e3, "p99": percentile(waits, 0.99) * 1e3, "max": max(waits) * 1e3}

    return {"ours": lambda: waited(True), "idle": lambda: waited(False)}


def busy(plan: Plan) -> list[Line]:
    """Measure a client's waits while long matches are loaded, against its waits at the same server when it is idle."""
    with ExitStack() as closing:
        samples = alternate(contestants(replace(plan), closing), plan.runs)
    titles = {"p50": "half of the replies within", "p99": "99 % of the replies within", "max": "the slowest reply"}
    return [
        Line(
            f"busy.{metric}",
            f"{title}, while long matches are loaded",
            "ms",
            more_is_better=False,
            ours=samples["ours"].median(metric),
            spread=samples["ours"].spread(metric),
            limit=anchor("the same server idle", samples, "idle", metric),
            goals=(Goal("itself", STILL_MS),) if metric == "max" else (),
            note=f"matches of {plan.long_events * LONGER:,} events" if metric == "max" else "",
        )
        for metric, title in titles.items()
    ]


ROWS = (Row("busy", "a client beside another that has long matches loaded", busy),)
