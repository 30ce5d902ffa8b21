"""Rows about pages under attack: a visitor beside an address that opens silent connections."""

import http.client
import itertools
import math
import socket
import time
from contextlib import ExitStack
from multiprocessing.connection import Connection

from events.memory_log import MemoryLog
from server.protocol.open_files import allow_files
from tests.bench import browsers, children
from tests.bench.children import STOP
from tests.bench.harness import Contestant, Figures, Goal, Line, Plan, Row, alternate, anchor, our_figure
from tests.support.served import served

SILENT = 1_100
"""More connections than the pages have."""
STRANGER = ("127.0.0.2", 0)
"""An address of this machine that is not that of a proxy."""
A_TURN = 50
"""How many connections that were cut the attacker opens again at once, ten times a second."""
REQUESTS = 100
"""The fewest requests of a round, so that one of a hundred is slower than the figure."""
WITHIN_S = 10.0


def attack(pipe: Connection, port: int) -> None:
    """Hold silent connections from `begin` to `end`, opening again those that were cut, until told to stop."""
    allow_files(2 * SILENT)
    open_: list[socket.socket] = []
    while (told := pipe.recv()) != STOP:
        if told == "begin":
            open_ = [_opened(port) for _ in range(SILENT)]
            pipe.send(len(open_))
            while not pipe.poll(0.1):
                gone = [one for one in open_ if _is_cut(one)][:A_TURN]
                for one in gone:
                    one.close()
                open_ = [one for one in open_ if one not in gone] + [_opened(port) for _ in gone]
        else:
            for one in open_:
                one.close()
            open_ = []
            pipe.send(0)


def _opened(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), WITHIN_S, STRANGER)


def _is_cut(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return not connection.recv(1)
    except BlockingIOError:
        return False
    except OSError:
        return True


def visiting(plan: Plan, port: int) -> Contestant:
    """Ask for the list of matches again and again, each time by a new connection for another visitor of a proxy."""
    numbers = itertools.count()

    def asked() -> float:
        number = next(numbers)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=WITHIN_S)
        visitor = {"X-Forwarded-For": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"}
        began = time.perf_counter()
        connection.request("GET", "/", headers=visitor)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        assert answer.status == 200, answer.status
        return (time.perf_counter() - began) * 1_000

    def visited() -> Figures:
        taken: list[float] = []
        until = time.perf_counter() + plan.slice_s
        while len(taken) < REQUESTS or time.perf_counter() < until:
            taken.append(asked())
        return {"ms": sorted(taken)[math.ceil(0.99 * len(taken)) - 1]}

    return visited


def beside(attacker: children.Child, visit: Contestant) -> Contestant:
    """Visit while an attacker holds connections."""

    def visited() -> Figures:
        attacker.pipe.send("begin")
        attacker.pipe.recv()
        try:
            return visit()
        finally:
            attacker.pipe.send("end")
            attacker.pipe.recv()

    return visited


def silent(plan: Plan) -> list[Line]:
    """Measure what a visitor waits beside silent connections of one address, and without them."""
    with ExitStack() as closing:
        broker = closing.enter_context(served(MemoryLog()))
        port = closing.enter_context(children.child(browsers.pages, broker.address)).pipe.recv()
        attacker = closing.enter_context(children.child(attack, port))
        visit = visiting(plan, port)
        contestants: dict[str, Contestant | None] = {"ours": beside(attacker, visit), "idle": visit}
        samples = alternate(contestants, plan.runs)
    figure, spread = our_figure(samples, "ms")
    title = f"a page beside {SILENT:,} silent connections of one address, the slowest of a hundred"
    limit = anchor("without them", samples, "idle", "ms")
    goals = (Goal("limit", 3.0, 1.5),)
    return [Line("silent.ms", title, "ms", more_is_better=False, ours=figure, spread=spread, limit=limit, goals=goals)]


ROWS = (Row("silent", "a visitor beside silent connections", silent),)
