"""Rows about the whole server: one player and thirty-two over sockets, compared with a server without rules and an echo server.

All connections are encrypted (CURVE), also those of the anchors.
"""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import count
from shutil import rmtree

from server.protocol.curve import CurveKey
from tests.bench import children, driver, null_server, our_server, raw_store, stand_in
from tests.bench.harness import (
    Contestant,
    Figures,
    Goal,
    Line,
    Plan,
    Row,
    Sample,
    alternate,
    anchor,
    our_figure,
    percentile,
)

COMMAND_BYTES = 200

UNITS = {"rate": "commands/s", "p50": "ms", "p99": "ms", "cpu": "µs/command"}
"""What is measured in a driven round."""


def figures(driven: driver.Driven, cpu_s: float, expected: int) -> Figures:
    """Convert a round to commands per second, percentiles in milliseconds, and server CPU in microseconds per command.

    Raises:
        RuntimeError: Not every command was accepted and published.
    """
    done = len(driven.waits_s)
    if driven.refused:
        raise RuntimeError(f"the server refused a command of the socket rows: {driven.refused[0]!r}")
    if driven.heard < expected:
        raise RuntimeError(f"the subscriber of the socket rows heard {driven.heard} of {expected} publications")
    return {
        "rate": done / driven.wall_s,
        "p50": percentile(driven.waits_s, 0.5) * 1e3,
        "p99": percentile(driven.waits_s, 0.99) * 1e3,
        "cpu": cpu_s / done * 1e6,
    }


def driven_rounds(
    server: children.Child, clients: children.Child, scripts: Callable[[], driver.Drive], *, publishes: bool = True
) -> Contestant:
    """Make a contestant that drives a server and reads its CPU time."""

    def play() -> Figures:
        drive = scripts()
        clients.pipe.send(drive)
        clients.pipe.recv()
        before = server.cpu_s()
        driven = clients.pipe.recv()
        return figures(driven, server.cpu_s() - before, sum(map(len, drive.scripts)) if publishes else 0)

    return play


def driven_by(closing: ExitStack, key: CurveKey, port: int, publisher_port: int, clients: int) -> children.Child:
    """Start the clients of a server and wait until they are connected."""
    driving = closing.enter_context(children.child(driver.run, port, publisher_port, clients, key.public.decode()))
    driving.pipe.recv()
    return driving


def echo(plan: Plan, clients: int, closing: ExitStack) -> Contestant:
    """Send messages to a server that sends them back."""
    key = CurveKey.new()
    server = closing.enter_context(children.child(null_server.echo, key.secret))
    (port,) = server.pipe.recv()
    driving = driven_by(closing, key, port, 0, clients)
    script = [[bytes(COMMAND_BYTES)]] * max(1, plan.commands // clients)
    return driven_rounds(server, driving, lambda: driver.Drive([script] * clients), publishes=False)


def null(plan: Plan, clients: int, closing: ExitStack) -> Contestant:
    """Send stand-in commands to the server without rules."""
    path = plan.scratch / f"null-server-{clients}.db"
    key = CurveKey.new()
    server = closing.enter_context(children.child(null_server.serve, path, key.secret))
    port, publisher_port = server.pipe.recv()
    driving = driven_by(closing, key, port, publisher_port, clients)
    events, encode, number = stand_in.events(2_000)[3:-1], stand_in.ENCODER.encode, count()

    def order(game: int) -> list[bytes]:
        step = next(number)
        body = null_server.Order(f"game-{game:04}", 0, step.to_bytes(16, "little"), events[step % len(events)])
        return [encode(body)]

    def scripts() -> driver.Drive:
        length = max(1, plan.commands // clients)
        return driver.Drive([[order(game) for _ in range(length)] for game in range(clients)])

    return driven_rounds(server, driving, scripts)


def ours(plan: Plan, clients: int, closing: ExitStack, *, has_log: bool = True) -> Contestant:
    """Play random matches of ours on our server."""
    return driven_rounds(*our_driven(plan, clients, closing, has_log=has_log))


def our_driven(
    plan: Plan, clients: int, closing: ExitStack, *, has_log: bool = True, cluster: str = "", name: str = "our-server"
) -> tuple[children.Child, children.Child, Callable[[], driver.Drive]]:
    """Start our server, on a file or a cluster, and its clients; return both, and what makes the scripts of a round."""
    path = plan.scratch / f"{name}-{clients}{'' if has_log else '-plain'}.db"
    raw_store.remove(path)
    rmtree(f"{path}.keys", ignore_errors=True)
    key = CurveKey.new()
    serve = partial(our_server.run, has_log=has_log, cluster=cluster)
    server = closing.enter_context(children.child(serve, path, key.secret))
    port, publisher_port = server.pipe.recv()
    driving = driven_by(closing, key, port, publisher_port, clients)
    books = our_server.Books(port, key.public.decode(), clients, max(1, plan.commands // clients))
    closing.callback(books.close)

    def scripts() -> driver.Drive:
        opened, topics = books.open_round()
        return driver.Drive(opened, our_server.REFUSAL, tuple(topics))

    return server, driving, scripts


def served(plan: Plan, clients: int) -> list[Line]:
    """Measure round trips of a number of clients, each with one command in flight."""
    if clients > 1:
        # Commands of many clients are committed together, so a round with the same number of commands would be too short.
        plan = replace(plan, commands=plan.commands * 3)
    with ExitStack() as closing:
        contestants: dict[str, Contestant | None] = {
            "ours": ours(plan, clients, closing),
            "null": null(plan, clients, closing),
            "echo": echo(plan, clients, closing),
        }
        samples = alternate(contestants, plan.runs)
    who = "one client" if clients == 1 else f"{clients} clients"
    alone = clients == 1
    goals = {
        "rate": () if alone else (Goal("limit", 0.33, 0.45),),
        "p50": (Goal("limit", 2.0, 1.5),) if alone else (),
        "p99": () if alone else (Goal("limit", 2.5, 2.0),),
        "cpu": (),
    }
    return driven_lines(
        samples,
        f"clients-{clients}",
        f"{who} over sockets",
        goals,
        limit=("null", "null-rules server, FULL, CURVE"),
        peer=("echo", "bare echo, CURVE"),
    )


def driven_lines(
    samples: Mapping[str, Sample],
    key: str,
    title: str,
    goals: Mapping[str, tuple[Goal, ...]],
    *,
    limit: tuple[str, str],
    peer: tuple[str, str] | None = None,
) -> list[Line]:
    """Return a line for each metric of driven rounds that the goals name, beside a limit and perhaps a peer: a contestant each, and its name for the reader."""
    lines = []
    for metric, wanted in goals.items():
        figure, spread = our_figure(samples, metric)
        lines.append(
            Line(
                f"{key}.{metric}",
                f"{title}, {'server CPU' if metric == 'cpu' else metric}",
                UNITS[metric],
                more_is_better=metric == "rate",
                ours=figure,
                spread=spread,
                limit=anchor(limit[1], samples, limit[0], metric),
                peer=None if peer is None else anchor(peer[1], samples, peer[0], metric),
                goals=wanted,
            )
        )
    return lines


def logged(plan: Plan) -> list[Line]:
    """Compare the rate of thirty-two clients with that of the same server without its log of entries and checkpoints."""
    plan = replace(plan, commands=plan.commands * 3)
    with ExitStack() as closing:
        contestants: dict[str, Contestant | None] = {
            "ours": ours(plan, 32, closing),
            "plain": ours(plan, 32, closing, has_log=False),
        }
        samples = alternate(contestants, plan.runs)
    figure, spread = our_figure(samples, "rate")
    return [
        Line(
            "log-32.rate",
            "32 clients over sockets, with entries and checkpoints",
            "commands/s",
            more_is_better=True,
            ours=figure,
            spread=spread,
            limit=anchor("the same server without its log", samples, "plain", "rate"),
            goals=(Goal("limit", 0.95, 0.99),),
        )
    ]


ROWS = (
    Row("clients-1", "one client over sockets", lambda plan: served(plan, 1)),
    Row("clients-32", "thirty-two clients over sockets", lambda plan: served(plan, 32)),
    Row("log-32", "thirty-two clients, with and without the log of the server", logged),
)
