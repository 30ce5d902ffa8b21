"""Takes decisions of a server's bots on this machine, and tells who does."""

import os
import platform
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

import zmq

from cli.output.columns import in_columns
from cli.schemas.server import WorkedShape, WorkersShape
from cli.shell.context import Context
from cli.shell.exit_codes import REFUSED, UserError, input_output, usage
from cli.shell.remote import own_key, server_key_of
from cli.shell.settings import WORKERS_VARIABLE
from core.wording import counted
from server.bots.work_messages import Ready
from server.bots.worker import ServerAway, Worker, WorkRefused, policies_here, status_of
from server.broker.serving import ADDRESS
from server.client.addresses import publisher_address
from server.client.sockets import prepare
from server.protocol.errors import TimedOut

LEAVING_MS = 500
"""How long saying good-bye may take (milliseconds)."""
PAUSE_S = 1.0
"""How long a worker waits before it looks again for a server that is away (seconds)."""


def work(context: Context, name: str, secret: str) -> None:
    """Take decisions until a signal.

    Raises:
        UserError: No secret is named, several servers are, or the server wants no workers, or not this one.
        TimedOut: It does not answer, or does not come back.
    """
    server = _server(context, secret)
    name = name or f"{platform.node()}/{os.getpid()}"
    ready = Ready(secret=secret, name=name, policies=policies_here())
    with _stopped_by_signals() as stopped:
        decided = _work(context, server, ready, stopped)
    context.print_result(
        WorkedShape(name=name, server=server, decided=decided), [f"{name}: {counted(decided, 'decision')}"]
    )


def _work(context: Context, server: str, ready: Ready, stopped: Event) -> int:
    """Take decisions until told to stop, and return how many were taken; a server that is away is waited for."""
    decided, address = 0, _workers_address(context, server)
    while not stopped.is_set():
        with _connected(context, address) as socket:
            worker = Worker(socket, ready)
            context.echo_err(f"{ready.name} works for {server}")
            try:
                worker.work(stopped.is_set)
            except WorkRefused as error:
                raise UserError(str(error), REFUSED, "refused") from None
            except ServerAway as error:
                context.echo_err(f"{server}: {error}")
            decided += worker.decided
        if not stopped.is_set():
            address = _back(context, server, stopped) or address
    return decided


@contextmanager
def _stopped_by_signals() -> Iterator[Event]:
    """Yield what Ctrl-C and SIGTERM set, so that the decision at hand is finished."""
    stopped = Event()
    before = {number: signal.signal(number, lambda *_: stopped.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def tell_status(context: Context, secret: str) -> None:
    """Print who works for a server.

    Raises:
        UserError: No secret is named, or it is wrong, or the server has no workers.
        TimedOut: It does not answer.
    """
    server = _server(context, secret)
    with _connected(context, _workers_address(context, server)) as socket:
        try:
            status = status_of(socket, secret)
        except WorkRefused as error:
            raise UserError(str(error), REFUSED, "refused") from None
    shape = WorkersShape(server=server, workers=status.workers, waiting=status.waiting)
    rows = [
        (
            one.name,
            f"{one.match} {one.seat}" if one.match else "",
            *map(str, (one.decided, one.failed, one.given_up, one.late)),
        )
        for one in status.workers
    ]
    header = ("worker", "thinks about", "decided", "failed", "given up", "late")
    lines = in_columns(header, rows, context.width, right=(2, 3, 4, 5))
    context.print_result(shape, [*lines, f"{counted(status.waiting, 'decision')} waiting"])


def _server(context: Context, secret: str) -> str:
    """Return the address of the server for which this machine works."""
    server = context.address or ADDRESS
    if "," in server:
        raise usage("a worker works for one server: name one with --connect, and start a worker for each")
    if not secret:
        raise usage(f"a worker needs the secret of the server's workers in {WORKERS_VARIABLE}")
    return server


def _workers_address(context: Context, server: str) -> str:
    """Return where workers of a server connect.

    Raises:
        UserError: It takes none.
        TimedOut: It does not answer.
    """
    with context.connect(server) as client:
        told = client.hello().workers
    if not told:
        why = f"{server} takes no workers: it is started with `wardiary serve --workers ADDRESS`"
        raise UserError(why, REFUSED, "not_possible")
    return publisher_address(server, told)


def _back(context: Context, server: str, stopped: Event) -> str:
    """Wait until a server is back, and return where its workers connect; empty if this process ends first.

    Raises:
        UserError: It does not come back.
    """
    until = time.monotonic() + context.settings.patience_s
    while not stopped.wait(PAUSE_S):
        try:
            return _workers_address(context, server)
        except TimedOut as error:
            if time.monotonic() >= until:
                raise input_output(str(error)) from None
    return ""


@contextmanager
def _connected(context: Context, address: str) -> "Iterator[zmq.Socket[bytes]]":
    """Yield a socket to the bots of a server."""
    server_key = server_key_of(context.settings)
    sockets: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    try:
        socket = sockets.socket(zmq.DEALER)
        prepare(socket, server_key, address, own_key(server_key, context.settings.client_key, context.echo_err))
        socket.linger = LEAVING_MS
        yield socket
    finally:
        sockets.destroy()
