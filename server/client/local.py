"""The client of a store's owner: the same calls as over sockets, answered by a desk in the same process.

It imports no socket library, so that commands on a local store start quickly.
"""

import time

from events.ids import MatchId, Seat
from events.log import Log
from server.client.client import Client
from server.client.retry import Outcome
from server.desk.desk import Desk
from server.protocol.clock import Clock, SystemClock
from server.protocol.errors import OUTCOME_UNKNOWN
from server.protocol.identity import Identity, SystemIdentity
from server.protocol.publications import heartbeat
from server.protocol.replies import FailedReply, Reply
from server.protocol.wire import Request

POLL_S = 0.05

TRIES = 20
"""How often a request is tried while other processes write to its match."""

ASKED_AGAIN = ("lost_race", OUTCOME_UNKNOWN)
"""Failures with these codes are retried at once; others, such as a store that cannot be written, are returned."""


class LocalTransport:
    """Carries requests to a desk.

    Args:
        desk: The desk of a store that other processes may write to as well.
    """

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.silent_s: float | None = None

    def ask(self, request: Request) -> Reply:
        """Answer a request; see `Transport.ask`.

        A request that lost a race, or whose outcome is unknown, is retried, as over sockets.
        """
        outcome = Outcome()
        for _ in range(TRIES - 1):
            reply = self.desk.handle(request)
            if not (isinstance(reply, FailedReply) and reply.retry and reply.code in ASKED_AGAIN):
                return outcome.final(reply)
            outcome.seen(reply)
        return outcome.final(self.desk.handle(request))

    def listen(self, match: MatchId, seat: Seat, token: str) -> "LocalListener":
        """Poll the store; see `Transport.listen`."""
        return LocalListener(self.desk, match, seat)

    def close(self) -> None:
        """Do nothing: the caller closes the log."""


class LocalListener:
    """Detects new events by polling, since other processes may write to the store."""

    def __init__(self, desk: Desk, match: MatchId, seat: Seat) -> None:
        self._desk = desk
        self._match = match
        self._seat = seat
        self._told = -1

    def receive(self, timeout_s: float | None) -> bytes | None:
        """Return a heartbeat when there are new events; see `Listener.receive`."""
        clock = self._desk.clock
        due = None if timeout_s is None else clock.monotonic() + timeout_s
        while (number := self._desk.number(self._match, self._seat)) == self._told:
            if due is not None and clock.monotonic() >= due:
                return None
            time.sleep(POLL_S)
        self._told = number
        return heartbeat(self._match, self._seat, "", number)

    def close(self) -> None:
        """Stop listening."""


def local_client(log: Log, clock: Clock | None = None, identity: Identity | None = None) -> Client:
    """Return the client of a store's owner, who needs no secrets and may use every seat.

    Args:
        log: The store; other processes may write to it at the same time.
        clock: Stamps commits.
        identity: Generates ids, seeds and secrets.
    """
    clock = SystemClock() if clock is None else clock
    identity = SystemIdentity() if identity is None else identity
    desk = Desk(log, clock, identity, trusted=True, shared=True, raises_faults=True)
    return Client(LocalTransport(desk), identity, clock)
