"""Our server for the socket rows: the whole server in a separate process, and its publisher alone in this one."""

import random
import threading
from collections.abc import Iterator
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path

import zmq

from events.codec import Raw, encode
from events.commit import GENESIS, NO_COMMAND, Commit
from events.ids import ARBITER, PUBLIC, MatchId, RuleId, Seat
from events.memory_log import MemoryLog
from events.vocabulary import NoteAdded
from server.broker.broker import Broker
from server.broker.connections import Connections
from server.broker.json_logger import JsonLogger
from server.broker.limits import Limits
from server.broker.publisher import Publisher
from server.broker.serving import Serving, serve
from server.client.sockets import connect
from server.desk.desk import Desk
from server.desk.match_cache import CommittedCommand
from server.protocol.clock import SystemClock
from server.protocol.curve import CurveKey
from server.protocol.logger import SILENT
from server.protocol.publications import publish, subscription_text
from server.protocol.replies import OpenedReply
from server.protocol.wire import PROTOCOL, OpenRequest, PlayRequest
from server.store.concurrent_log import ConcurrentSqliteLog
from server.store.opening import open_served
from server.transparency.log_keys import KeyFolder
from tests.bench import our_play
from tests.bench.driver import Script

ANYWHERE = "tcp://127.0.0.1:*"
REFUSAL = b'"reply":"failed"'
"""What no good answer contains."""

NOTE = RuleId("match.notes")
BEHIND_TEXT = b'"}]}'
"""What follows a note's text in a publication."""


def run(pipe: Connection, path: Path, secret: bytes, *, has_log: bool = True, cluster: str = "") -> None:
    """Serve an empty store, encrypted if there is a secret, until told to stop; its first message contains its two ports.

    With `has_log` it makes entries and checkpoints, as a server with a file does. With the locator of a cluster the store is there.
    """

    def ready(broker: Broker) -> None:
        pipe.send([int(address.rpartition(":")[2]) for address in (broker.address, broker.events)])

        def wait() -> None:
            pipe.recv()
            broker.stop()

        threading.Thread(target=wait, daemon=True).start()

    with path.with_suffix(".log").open("wb") as lines:
        serve(
            open_served(cluster) if cluster else ConcurrentSqliteLog(path),
            Serving(address=ANYWHERE, events=ANYWHERE, limits=Limits(opens=1_000_000)),
            key=CurveKey(secret) if secret else None,
            log_keys=KeyFolder(path) if has_log else None,
            logger=JsonLogger(lines, SystemClock()),
            ready=ready,
        )


class Books:
    """Scripts of random play for clients of our server.

    Every round opens new matches, because a command is legal only once. The commands were recorded before, the same for
    every client, so that neither rules nor choices cost time during the measurement.

    Args:
        port: Where our server takes requests.
        server_key: Its public key.
        clients: How many clients there are.
        commands: How many commands each plays in a round, 1 or more.
    """

    def __init__(self, port: int, server_key: str, clients: int, commands: int) -> None:
        self._client = connect(f"tcp://127.0.0.1:{port}", server_key=server_key)
        seeds = count()
        self._written = [list(_long_enough(seeds, commands)) for _ in range(clients)]

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def open_round(self) -> tuple[list[Script], list[bytes]]:
        """Open matches for one round.

        Returns:
            A script for each client, and the topics of the matches as the public follows them.
        """
        scripts, topics = [], []
        for matches in self._written:
            script: Script = []
            for seed, steps in matches:
                match = self._client.open(our_play.GAME, dice="seeded", seed=seed).match
                seat = steps[0].seat
                token = self._client.take_seat(match, seat, share=False).token
                script += [_frames(match, token, step) for step in steps]
                topics.append(subscription_text(match, PUBLIC))
            scripts.append(script)
        return scripts, topics


def _long_enough(seeds: Iterator[int], commands: int) -> Iterator[tuple[str, list[our_play.Step]]]:
    """Yield matches until together they have this number of commands."""
    left = commands
    while left > 0:
        seed = str(next(seeds))
        steps = our_play.written_down(seed, left)
        left -= len(steps)
        yield seed, steps


def _frames(match: MatchId, token: str, step: our_play.Step) -> list[bytes]:
    """Return a command on the wire, as a bot sends it."""
    request = PlayRequest(
        id=f"c-{step.seq}",
        match=match,
        seat=step.seat,
        token=token,
        command=Raw(step.command),
        expected=step.seq,
        key=f"{random.getrandbits(128):032x}",
    )
    return [PROTOCOL.encode(), encode(request)]


class OurPublisher:
    """Our publisher with one public match, without the rest of the server."""

    def __init__(self, socket: "zmq.Socket[bytes]") -> None:
        socket.setsockopt(zmq.XPUB_MANUAL, 1)
        desk = Desk(MemoryLog())
        reply = desk.handle(OpenRequest(game=our_play.GAME, dice="seeded", seed=our_play.SEED))
        assert isinstance(reply, OpenedReply)
        self.match = reply.match
        self.topic = subscription_text(reply.match, PUBLIC)
        self._table = our_play.begun(reply.match).table
        # Far from 1, so that all numbers have equally many digits.
        self._number = 1_000_000
        self._socket = socket
        # Subscribers of earlier rounds may still be disconnecting.
        self._connections = Connections(socket, Limits(connections=1_000_000), desk.clock.monotonic)
        self._publisher = Publisher(socket, desk, self._connections, Limits(all_subscription_bytes=1 << 30), SILENT)

    def close(self) -> None:
        """Close the socket's monitor."""
        self._connections.monitor.close()

    def await_followers(self, wanted: int) -> None:
        """Grant subscriptions until this number of subscribers follow.

        Raises:
            TimeoutError: They did not subscribe in time.
        """
        while (
            sum(topic.subscribers for topics in self._publisher._topics.values() for topic in topics.values()) < wanted
        ):
            if not self._socket.poll(20_000):
                raise TimeoutError("the followers of our publisher did not come")
            self._publisher.read()

    @property
    def overhead(self) -> int:
        """Return the size of a publication without the text of its note."""
        slice_ = self._happened("").slice_for(PUBLIC)
        assert slice_ is not None
        return len(publish(self.match, PUBLIC, "", slice_))

    def publish(self, text: str) -> None:
        """Publish a commit of one note."""
        self._number += 1
        self._publisher.publish((self._happened(text),))

    def _happened(self, text: str) -> CommittedCommand:
        note = NoteAdded(rule=NOTE, seat=ARBITER, text=text)
        commit = Commit(
            match=self.match,
            first=self._number,
            prev=GENESIS,
            at=0,
            seat=Seat("german"),
            key="",
            command=NO_COMMAND,
            events=(note,),
        )
        return CommittedCommand(self.match, commit, self._table)
