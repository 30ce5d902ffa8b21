"""Rows about attacks on the two sockets of our server: messages without an end, of very many frames, and bursts of refused subscriptions.

Every attack ends by itself, on this machine only. An attacker that is cut connects again, as often as it is let.
"""

import os
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from multiprocessing.connection import Connection

from tests.bench import attacked, children, our_server, raw_store, rows_busy
from tests.bench.harness import Line, Plan, Row
from tests.support import wire

ENDLESS_BYTES = 50_000_000
FRAMES = 200_000
SUBSCRIPTIONS = 20_000
SUBSCRIPTION_BYTES = 480
PAUSE_S = 0.02
"""How long an attacker waits before it connects again."""

REQUESTS, EVENTS = b"DEALER", b"XSUB"


def endless() -> bytes:
    """Return the beginning of a message that never ends."""
    return wire.MORE_EMPTY * (ENDLESS_BYTES // len(wire.MORE_EMPTY))


def many_frames() -> bytes:
    """Return a message of very many frames."""
    return wire.MORE_EMPTY * (FRAMES - 1) + wire.LAST_EMPTY


def subscriptions() -> bytes:
    """Return many subscriptions that are refused and have nothing in common."""
    half = SUBSCRIPTION_BYTES // 2
    return b"".join(wire.frame(b"\1no/red/" + os.urandom(half).hex().encode()) for _ in range(SUBSCRIPTIONS))


def run(pipe: Connection, ports: dict[bytes, int], content: Callable[[], bytes], seconds: float) -> None:
    """Attack each port by its kind of socket with the same bytes for some seconds in all, at each message until told to stop."""
    sent = content()
    pipe.send("ready")
    while pipe.recv() != children.STOP:
        for kind, port in ports.items():
            until = time.monotonic() + seconds / len(ports)
            while (left := until - time.monotonic()) > 0:
                # It may be refused, or cut while it shakes hands.
                with suppress(OSError), wire.connected(f"tcp://127.0.0.1:{port}", kind) as attacker:
                    wire.send_until_cut(attacker, sent, left)
                    attacker.shutdown(socket.SHUT_WR)
                time.sleep(PAUSE_S)
        pipe.send("done")


def attack(key: str, title: str, content: Callable[[], bytes], kinds: tuple[bytes, ...], plan: Plan) -> list[Line]:
    """Measure a client's waits while an attacker sends the same bytes again and again."""
    path = plan.scratch / f"our-{key}.db"
    raw_store.remove(path)
    with ExitStack() as closing:
        server = closing.enter_context(children.child(our_server.run, path, b""))
        ports = dict(zip((REQUESTS, EVENTS), server.pipe.recv(), strict=True))
        asking = closing.enter_context(children.child(rows_busy.ping, ports[REQUESTS], ""))
        asking.pipe.recv()
        attacking = closing.enter_context(
            children.child(run, {kind: ports[kind] for kind in kinds}, content, attacked.attack_s(plan))
        )
        attacking.pipe.recv()
        return attacked.lines(plan, key, title, server, asking, attacking)


ATTACKS = (
    ("attack-endless", "while messages without an end are sent", endless, (REQUESTS, EVENTS)),
    ("attack-frames", f"while messages of {FRAMES:,} frames are sent", many_frames, (REQUESTS, EVENTS)),
    (
        "attack-subscriptions",
        f"while {SUBSCRIPTIONS:,} refused subscriptions are sent at once",
        subscriptions,
        (EVENTS,),
    ),
)

ROWS = tuple(
    Row(key, f"a client {title}", partial(attack, key, title, content, kinds)) for key, title, content, kinds in ATTACKS
)
