"""Desk and clients on fake time, over a network that loses, duplicates and delays messages, with a server that crashes.

Everything is derived from one seed, so a failure can be reproduced. The clients use the product's own calls, exchanges and
followers, without sockets.
"""

from collections.abc import Generator, Sequence
from heapq import heappop, heappush
from itertools import count
from random import Random

import pytest
from typing_extensions import override

from core.audit.match_audit import audit_match
from events.codec import encode
from events.commit import decode_commit
from events.errors import OutcomeUnknown, StoreUnavailable
from events.ids import PUBLIC, MatchId, Seat
from events.log import NewCommit, Receipt, appended
from projections.state.view import EventSlice
from server.client.client_protocol import SansIoClient
from server.client.retry import Contact, Exchange, RetryPolicy
from server.client.subscription import Subscription
from server.desk.desk import Desk
from server.desk.pipeline import Pipeline
from server.protocol.errors import RequestFailed
from server.protocol.messages import decode_request
from server.protocol.publications import heartbeat, publish
from server.protocol.replies import LogReply, OpenedReply, Reply, StateReply
from server.protocol.wire import (
    LOG_EVENTS_MAX,
    PROTOCOL,
    HelloRequest,
    LogRequest,
    OpenRequest,
    Request,
    StateRequest,
    TakeRequest,
)
from tests.support.late_receipts import LateReceipts
from tests.support.sitting import CountedIdentity, StillClock, flat
from tests.support.skirmish import BLUE, RED

TICKS_MAX = 200_000
TIMEOUT_TICKS = 60.0
HEARTBEAT_TICKS = 40
ENDLESS = RetryPolicy(timeout_s=TIMEOUT_TICKS, tries=1_000_000, pause_s=7.0)

Script = Generator[Request, Reply, None]


class NamedIdentity(CountedIdentity):
    """Keys that are unique to a client."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    @override
    def key(self) -> str:
        return f"{self.name} {super().key()}"


class Crash(BaseException):
    """The server's process dies."""


class CrashingLog(LateReceipts):
    """A store that is locked, fails, or crashes the process, before or after the transaction; it also appends while others decide."""

    def __init__(self, choose: Random) -> None:
        super().__init__(choose)
        self.calm = True

    def has_stalled(self) -> bool:
        return bool(self.submitted) and self.choose.random() < 0.1

    def await_receipts(self) -> bool:
        return self.choose.random() < 0.9

    @override
    def append(self, batch: Sequence[NewCommit]) -> list[Receipt]:
        fate = 1.0 if self.calm else self.choose.random()
        if fate < 0.02:
            raise Crash
        if fate < 0.06:
            raise StoreUnavailable("the store is locked")
        if fate < 0.08:
            raise OutcomeUnknown("the disk fails")
        receipts = super().append(batch)
        if fate < 0.10:
            raise OutcomeUnknown("the disk fails")
        if fate < 0.12:
            raise Crash
        return receipts


class Actor:
    """A client: a script of calls over a connection that resends."""

    def __init__(self, world: "World", name: str, script: Script) -> None:
        self.world = world
        self.name = name
        self.script = script
        self.numbers = count(1)
        self.done = False
        self.exchange = self._next(next(script))

    def _next(self, request: Request) -> Exchange:
        exchange = Exchange(request, f"{self.name}-{next(self.numbers)}", Contact("", ENDLESS), self.world.now)
        self.world.send(self.name, exchange.frames)
        return exchange

    def tick(self) -> None:
        """Resend the request if it is time."""
        if not self.done and self.exchange.wait_s(self.world.now) == 0.0:
            self.exchange.again(self.world.now)
            self.world.send(self.name, self.exchange.frames)

    def hear(self, frames: list[bytes]) -> None:
        """Continue when the reply has come."""
        reply = None if self.done else self.exchange.take(frames, self.world.now)
        if reply is None:
            return
        try:
            self.exchange = self._next(self.script.send(reply))
        except StopIteration:
            self.done = True


class World:
    """The network, the server and its clients.

    Args:
        seed: The source of all randomness.
    """

    def __init__(self, seed: int) -> None:
        self.choose = Random(seed)
        self.now = 0.0
        self.log = CrashingLog(self.choose)
        self.clock, self.identity = StillClock(), CountedIdentity()
        self.restart()
        self.order = count()
        self.wires: list[tuple[float, int, str, list[bytes]]] = []
        self.inbox: list[tuple[str, list[bytes]]] = []
        self.followers: dict[str, Subscription] = {}
        self.heard: dict[str, list[EventSlice]] = {}
        self.acknowledged: list[str] = []
        self.crashes = 0
        self.match = self.set_up()
        self.log.calm = False
        self.actors = {
            **{f"{seat} plays": Actor(self, f"{seat} plays", self.player(seat)) for seat in (RED, BLUE)},
            **{f"{seat} looks": Actor(self, f"{seat} looks", self.watcher(seat)) for seat in (RED, BLUE, PUBLIC)},
        }

    def restart(self) -> None:
        """Start a server that knows nothing but the store."""
        self.desk = Desk(self.log, self.clock, self.identity)
        self.pipeline: Pipeline[str] = self.desk.pipeline()

    def set_up(self) -> MatchId:
        """Open the match and take the seats, before any fault."""
        opened = self.desk.handle(
            OpenRequest(game="skirmish", dice="seeded", seed=f"{self.choose.random()}", key="open")
        )
        assert isinstance(opened, OpenedReply)
        for seat in (RED, BLUE):
            self.desk.handle(TakeRequest(match=opened.match, seat=seat, secret=secret(seat)))
        return opened.match

    def calls(self, name: str) -> SansIoClient:
        """Return the calls of a client that knows both secrets, with keys of its own."""
        calls = SansIoClient(NamedIdentity(name))
        for seat in (RED, BLUE):
            calls.add_token(self.match, seat, secret(seat))
        return calls

    def player(self, seat: Seat) -> Script:
        """Play random options until the match ends."""
        calls, choose = self.calls(f"{seat}"), Random(self.choose.random())
        while True:
            legal = yield from calls.legal(self.match, seat, words=False)
            if not legal.decision:
                return
            if not legal.options:
                continue
            key = f"{seat} {legal.seq} {choose.random()}"
            command = bytes(choose.choice(legal.options).command)
            expected = legal.seq if choose.random() < 0.5 else None
            # No other seat may act between the question and the command, so the command is always accepted.
            yield from calls.play(self.match, seat, command, expected=expected, key=key)
            self.acknowledged.append(key)

    def watcher(self, seat: Seat) -> Script:
        """Follow the match and repair every gap."""
        calls, name = self.calls(f"{seat} looks"), f"{seat} looks"
        subscription = Subscription((yield from calls.state(self.match, seat)))
        self.followers[name], self.heard[name] = subscription, []
        while subscription.table.ended is None:
            while (slice_ := subscription.pop()) is not None:
                self.heard[name].append(slice_)
            if subscription.behind:
                for missed in (yield from calls.log(self.match, seat, subscription.seq)):
                    subscription.take(missed)
            else:
                yield HelloRequest()

    def send(self, name: str, frames: list[bytes]) -> None:
        """Send frames to or from the server: they may be lost, duplicated and reordered."""
        copies = self.choose.choice((0, 1, 1, 1, 1, 1, 1, 1, 2))
        for _ in range(copies):
            heappush(self.wires, (self.now + self.choose.randrange(1, 12), next(self.order), name, frames))

    def serve(self) -> None:
        """Answer the received requests as the broker does, or crash."""
        asked, self.inbox = self.inbox[:64], self.inbox[64:]
        try:
            for name, frames in asked:
                self.pipeline.take(name, decode_request(frames[-1]))
                self.pipeline.complete()
                if self.choose.random() < 0.3:
                    self.pipeline.submit()
            self.pipeline.complete()
            self.pipeline.submit()
            if not self.pipeline.is_appending:
                self.desk.housekeep()
        except Crash:
            self.crash()
            return
        self.answer()

    def crash(self) -> None:
        """Lose all that is not in the store."""
        self.crashes += 1
        self.inbox.clear()
        self.restart()

    def finish(self) -> None:
        """Append and answer what waits, or crash."""
        try:
            self.pipeline.finish()
        except Crash:
            self.crash()
        self.answer()

    def answer(self) -> None:
        """Send the replies and publications that are due."""
        answers = self.pipeline.answers()
        for name, reply in answers.replies:
            self.send(f"to {name}", [PROTOCOL.encode(), encode(reply)])
        for one in answers.committed:
            for seat in (RED, BLUE, PUBLIC):
                slice_ = one.slice_for(seat)
                if slice_ is not None:
                    self.send(f"to {seat} looks", [publish(one.match, seat, "", slice_)])

    def tick(self) -> None:
        """Advance time by the smallest unit."""
        self.now += 1
        self.clock.ms += 1
        while self.wires and self.wires[0][0] <= self.now:
            _, _, name, frames = heappop(self.wires)
            self.deliver(name, frames)
        if self.now % HEARTBEAT_TICKS == 0:
            self.finish()
            for seat in (RED, BLUE, PUBLIC):
                number = self.desk.number(self.match, seat)
                self.send(f"to {seat} looks", [heartbeat(self.match, seat, "", number)])
        if self.inbox or self.pipeline.is_appending or self.pipeline.waiting:
            self.serve()
        for actor in self.actors.values():
            actor.tick()

    def deliver(self, name: str, frames: list[bytes]) -> None:
        """Deliver the messages that have arrived."""
        if not name.startswith("to "):
            self.inbox.append((name, frames))
        elif len(frames) > 1:
            self.actors[name[3:]].hear(frames)
        elif name[3:] in self.followers:
            self.followers[name[3:]].take_message(frames[0])

    def run(self) -> "World":
        """Advance time until all clients are done."""
        while not all(actor.done for actor in self.actors.values()):
            assert self.now < TICKS_MAX, "somebody waits for ever"
            self.tick()
        return self

    def check(self) -> None:
        """Compare the knowledge of every client with the store."""
        commits = [decode_commit(stored.body) for stored in self.log.read(self.match)]
        keys = [commit.key for commit in commits]
        assert len(set(keys)) == len(keys)
        for seat in (RED, BLUE):
            mine = [key for key in self.acknowledged if key.startswith(seat)]
            assert [key for key in keys[3:] if key.startswith(seat)] == mine
        assert audit_match(self.log, self.match).findings == ()
        last = Desk(self.log, self.clock, self.identity, trusted=True)
        for seat in (RED, BLUE, PUBLIC):
            state = last.handle(StateRequest(match=self.match, seat=seat))
            logged = last.handle(LogRequest(match=self.match, seat=seat, limit=LOG_EVENTS_MAX))
            assert isinstance(state, StateReply)
            assert isinstance(logged, LogReply)
            heard = flat(self.heard[f"{seat} looks"])
            assert self.followers[f"{seat} looks"].table == state.table
            assert heard == flat(logged.slices)[-len(heard) :]


def secret(seat: Seat) -> str:
    """Return a seat's secret."""
    return f"the secret of {seat}".ljust(40, ".")


def test_no_command_is_lost_or_repeated_despite_network_and_server_faults(budget: float) -> None:
    crashes = 0
    for seed in range(max(1, round(15 * budget))):
        world = World(seed)
        try:
            world.run().check()
        except BaseException as error:
            error.add_note(f"seed {seed}")
            raise
        crashes += world.crashes
        if seed % 10 == 0:
            again = World(seed).run()
            assert [stored.body for stored in again.log.read(again.match)] == [
                stored.body for stored in world.log.read(world.match)
            ]

    assert crashes > 3


def test_a_server_that_loses_acknowledged_commands_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The canary: a store that acknowledges a commit without storing it."""
    world = World(1)
    real = world.log.append
    forgotten: list[str] = []

    def forgets(batch: Sequence[NewCommit]) -> list[Receipt]:
        if not forgotten and any(new.key.startswith("red ") for new in batch):
            forgotten.extend(new.key for new in batch)
            return [appended(new) for new in batch]
        return real(batch)

    monkeypatch.setattr(world.log, "append", forgets)
    with pytest.raises((AssertionError, RequestFailed)):
        world.run().check()

    assert len(forgotten) > 0
