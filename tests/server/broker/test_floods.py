"""What a connection sends costs the server bounded memory and time, whatever it is, on both sockets."""

import io
import json
import os
import resource
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from socket import create_connection

import pytest
import zmq

from events.codec import encode
from events.ids import PUBLIC, MatchId, Seat
from events.memory_log import MemoryLog
from server.broker import tcp
from server.broker.broker import Broker
from server.broker.connections import FORGIVEN_BYTES, HEARTBEAT_BYTES_S, Connection, Connections
from server.broker.intake import SKIPPED_MAX
from server.broker.json_logger import JsonLogger
from server.broker.limits import CONNECTIONS_MIN, RESERVE, Limits, connections_possible
from server.broker.loop_state import LoopState
from server.broker.penalties import FIRST_S, FORGOTTEN_S, LONGEST_S, Penalties
from server.broker.publisher import CUT_BEYOND, SUBSCRIPTION_OVERHEAD
from server.broker.tcp import Traffic
from server.broker.watchdog import GROWTH_BYTES, Watchdog
from server.client.local import local_client
from server.client.subscription import Subscription
from server.desk.desk import Desk
from server.protocol.clock import SystemClock
from server.protocol.curve import CurveKey, secure_client
from server.protocol.errors import RequestFailed, TooFewFiles
from server.protocol.logger import SILENT
from server.protocol.publications import (
    EventsPublication,
    HeartbeatPublication,
    TooManyPublication,
    decode_publication,
    subscription_text,
)
from server.protocol.replies import HelloReply, PlayedReply, StateReply
from server.protocol.wire import PROTOCOL, HelloRequest
from tests.support import wire
from tests.support.rows import each_row
from tests.support.served import SOON_MS, Process, Raw, client_of, connected, eventually, seated, served
from tests.support.sitting import ROLL, StillClock
from tests.support.skirmish import BLUE, RED

SMALL = Limits(undelivered_bytes=100_000, subscription_bytes=10_000)
KINDS = {"requests": b"DEALER", "events": b"XSUB"}


def address_of(broker: Broker, which: str) -> str:
    return broker.address if which == "requests" else broker.events


def connections_of(broker: Broker, which: str) -> Connections:
    return broker.requesters if which == "requests" else broker.subscribers


def reasons(written: io.BytesIO) -> list[str]:
    """Return why connections were cut, as the operator's log says."""
    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    return [line["why"] for line in lines if line["what"] == "connection cut"]


def resident() -> int:
    """Return the resident memory of this process in bytes."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * resource.getpagesize()


# Messages


@each_row("which", KINDS)
def test_a_message_that_never_ends_is_cut_and_costs_little_memory(which: str) -> None:
    """Without the bound, the library would keep 64 MiB for these 2 MB."""
    written = io.BytesIO()
    with served(limits=SMALL, logger=JsonLogger(written, SystemClock())) as broker, client_of(broker) as client:
        match = seated(client)
        before = resident()
        with wire.connected(address_of(broker, which), KINDS[which]) as endless:
            wire.send_until_cut(endless, wire.MORE_EMPTY * 1_000_000, 1.0)
            eventually(lambda: connections_of(broker, which).closed == 1, "it is cut")
        assert resident() - before < 48 << 20
        assert isinstance(client.play(match, RED, ROLL), PlayedReply)

    assert [reason.split(" ", 1)[1] for reason in reasons(written)] == [
        "bytes that it has sent are not a whole message"
    ]


def test_an_encrypted_message_of_many_frames_is_cut_as_well() -> None:
    key = CurveKey.new()
    with served(limits=SMALL, key=key) as broker, client_of(broker, server_key=key.public.decode()) as client:
        match = seated(client)
        context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        with context.socket(zmq.DEALER) as sender:
            sender.linger = 0
            secure_client(sender, key.public.decode())
            sender.setsockopt(zmq.RECONNECT_IVL, -1)
            sender.connect(broker.address)
            sender.send_multipart([b""] * 20_000)
            eventually(lambda: broker.requesters.closed == 1, "it is cut")
        context.destroy(linger=0)
        assert isinstance(client.play(match, RED, ROLL), PlayedReply)


@each_row("which", KINDS)
def test_a_whole_message_of_too_many_frames_is_skipped_and_its_connection_cut(which: str) -> None:
    written = io.BytesIO()
    with served(logger=JsonLogger(written, SystemClock())) as broker, client_of(broker) as client:
        match = seated(client)
        with wire.connected(address_of(broker, which), KINDS[which]) as many:
            many.sendall(wire.MORE_EMPTY * 20_000 + wire.LAST_EMPTY)
            eventually(lambda: connections_of(broker, which).closed == 1, "it is cut")
        assert isinstance(client.play(match, RED, ROLL), PlayedReply)

    why = "it sends a message of too many frames" if which == "requests" else "it sends what is not a subscription"
    assert reasons(written) == [why]


def test_a_message_of_a_few_frames_too_many_is_only_dropped() -> None:
    with served() as broker, Raw(broker.address) as raw:
        raw.send(*[b"x"] * SKIPPED_MAX)
        assert isinstance(raw.ask(HelloRequest()), HelloReply)

    assert (broker.counts.dropped, broker.requesters.closed) == (1, 0)


# What was sent, beside what was delivered


class Sent:
    """The traffic of connections, as a test sets it, and what `Connections` makes of it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, limits: Limits) -> None:
        self.received: dict[int, int] = {}
        self.clock = StillClock()
        self.context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self.socket = self.context.socket(zmq.ROUTER)
        self.connections = Connections(
            self.socket, limits, self.clock.monotonic, undelivered_bytes=limits.undelivered_bytes
        )
        monkeypatch.setattr(tcp, "traffic", lambda fd: Traffic(0, self.received[fd]))
        monkeypatch.setattr(tcp, "cut", self.received.pop)

    def connect(self, number: int) -> Connection:
        connection = Connection(number, f"address {number}", self.clock.monotonic())
        self.connections._accept(connection)
        self.received[number] = 0
        return connection

    def vanish(self, number: int) -> None:
        """Let the library report that a connection is gone."""
        self.connections._forget(number)

    def look(self) -> set[int]:
        """Let the connections be looked at, and return those that are left."""
        self.connections.look()
        return set(self.received)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Iterator[Sent]:
    made = Sent(monkeypatch, Limits(undelivered_bytes=1_000_000, all_undelivered_bytes=1_500_000))
    yield made
    made.connections.monitor.close()
    made.socket.close()
    made.context.destroy(linger=0)


def test_what_was_delivered_may_be_any_amount(sent: Sent) -> None:
    one = sent.connect(1)
    for _ in range(100):
        sent.received[1] += 500_000
        one.delivered += 500_000
        assert sent.look() == {1}


def test_bytes_that_are_never_delivered_add_up(sent: Sent) -> None:
    sent.connect(1)
    for _ in range(10):
        sent.received[1] += 100_000
        assert sent.look() == {1}
    sent.received[1] += 1
    assert sent.look() == set()


def test_more_than_was_received_is_no_credit(sent: Sent) -> None:
    one = sent.connect(1)
    one.delivered = 5_000_000
    sent.look()
    sent.received[1] = 1_000_001

    assert sent.look() == set()


def test_heartbeats_of_a_client_that_sends_something_are_forgotten(sent: Sent) -> None:
    one = sent.connect(1)
    for _ in range(100):
        sent.received[1] += FORGIVEN_BYTES
        one.delivered += 1
        assert sent.look() == {1}


def test_if_all_together_send_too_much_that_is_not_delivered_the_largest_is_cut(sent: Sent) -> None:
    for number, size in enumerate((400_000, 700_000, 600_000)):
        sent.connect(number)
        sent.received[number] = size

    assert sent.look() == {0, 2}


def test_heartbeats_of_silent_followers_do_not_add_up_to_too_much(sent: Sent) -> None:
    for number in range(100):
        sent.connect(number)
        sent.received[number] = 20_000
    sent.clock.seconds += 20_000 / HEARTBEAT_BYTES_S

    assert len(sent.look()) == 100


# The watchdog


@pytest.mark.interpreted
def test_the_watchdog_looks_at_the_connections_when_the_memory_has_grown(
    monkeypatch: pytest.MonkeyPatch, sent: Sent
) -> None:
    used = [100 << 20]
    looks: list[int] = []
    monkeypatch.setattr(Watchdog, "_bytes", lambda _: used[0])
    monkeypatch.setattr(sent.connections, "stop_floods", lambda: looks.append(used[0]))
    watchdog = Watchdog([sent.connections], SILENT)

    def looked(growth: int) -> bool:
        before = len(looks)
        used[0] += growth
        watchdog.tick()
        return len(looks) > before

    assert looked(0)
    assert not looked(GROWTH_BYTES - 1)
    assert looked(1)
    assert not looked(-GROWTH_BYTES)
    assert not looked(GROWTH_BYTES - 1)
    assert looked(1)


def test_a_fault_does_not_end_the_watchdog(sent: Sent, monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    calls: list[None] = []

    def fail(_: Watchdog) -> None:
        calls.append(None)
        raise RuntimeError("once more")

    monkeypatch.setattr(Watchdog, "tick", fail)
    watchdog = Watchdog([sent.connections], JsonLogger(written, SystemClock()))
    watchdog.start()
    eventually(lambda: len(calls) > 1, "it goes on")
    watchdog.stop()

    assert json.loads(written.getvalue().splitlines()[0])["what"] == "watchdog failed"


def test_what_another_thread_has_cut_is_recorded_once_when_it_is_gone(sent: Sent) -> None:
    one = sent.connect(1)
    sent.received[1] = 1_000_001
    sent.connections.stop_floods()

    assert (sent.received, sent.connections.closed, one.is_closing) == ({}, 0, False)

    sent.vanish(1)

    assert (sent.connections.closed, one.is_closing) == (1, True)
    assert sent.connections._penalties.runs("address 1", sent.clock.monotonic())


def test_what_the_loop_has_cut_since_is_not_recorded_twice(sent: Sent) -> None:
    sent.connect(1)
    sent.received[1] = 1_000_001
    sent.connections.stop_floods()
    sent.received[1] = 1_000_001
    sent.look()
    sent.vanish(1)

    assert sent.connections.closed == 1


@each_row("which", KINDS)
def test_while_the_loop_is_held_up_no_new_connection_is_accepted(which: str) -> None:
    """What it sends could not be measured, since the loop does not know it yet."""

    def wait_in_vain(broker: Broker) -> None:
        with wire.opened(address_of(broker, which), KINDS[which]) as early:
            early.settimeout(0.2)
            with pytest.raises(TimeoutError):
                wire.shake_hands(early)

    with served(before=wait_in_vain) as broker, client_of(broker) as client:
        assert client.hello().protocols


# Subscriptions


def refused_subscriptions(count: int) -> bytes:
    """Return subscriptions that share no more than their beginning, as large as may be."""
    return b"".join(wire.frame(b"\1nowhere/red/" + os.urandom(250).hex().encode()[:499]) for _ in range(count))


def test_a_burst_of_refused_subscriptions_costs_little_memory() -> None:
    """Without the bound, the library would keep 40 MiB for these 2.5 MB."""
    with served() as broker, client_of(broker) as client:
        match = seated(client)
        burst = refused_subscriptions(5_000)
        before = resident()
        with wire.connected(broker.events, b"XSUB") as greedy:
            wire.send_until_cut(greedy, burst, 2.0)
            eventually(lambda: broker.subscribers.closed == 1, "it is cut")
        eventually(lambda: len(broker.subscribers) == 0, "it is gone")
        assert resident() - before < 20 << 20
        assert broker.publisher.refused < 500
        assert isinstance(client.play(match, RED, ROLL), PlayedReply)


def test_a_connection_with_too_many_subscriptions_is_told_once_and_keeps_those_it_has() -> None:
    log = MemoryLog()
    match = local_client(log).open("skirmish", dice="seeded", seed="3").match
    held = len(subscription_text(match, PUBLIC)) + SUBSCRIPTION_OVERHEAD
    limits = Limits(subscription_bytes=held + 2 * (25 + SUBSCRIPTION_OVERHEAD))
    with served(log, limits=limits) as broker, client_of(broker) as client:
        for seat in (RED, BLUE):
            client.take_seat(match, seat)
        with Raw(broker.events, zmq.XSUB) as follower:
            follower.send(b"\1" + subscription_text(match, PUBLIC))
            assert isinstance(decode_publication(follower.socket.recv()), HeartbeatPublication)
            for number in range(3):
                follower.send(b"\1" + f"other-{number}/public/".encode() + b"x" * 10)
            client.play(match, RED, ROLL)
            heard = [decode_publication(message) for message in follower.heard(200)]

    assert sorted(type(one).__name__ for one in heard) == ["EventsPublication", "TooManyPublication"]
    (told,) = (one for one in heard if isinstance(one, TooManyPublication))
    assert told.match == "other-2"
    assert told.message == (
        f"a connection may subscribe to {limits.subscription_bytes} bytes, 32 more for each subscription; this one and all further ones are "
        "refused: use another connection for them"
    )
    assert broker.subscribers.closed == 0


def test_a_connection_that_subscribes_on_is_cut_and_the_log_says_why() -> None:
    written = io.BytesIO()
    limits = Limits(subscription_bytes=1_000)
    with (
        served(limits=limits, logger=JsonLogger(written, SystemClock())) as broker,
        Raw(broker.events, zmq.XSUB) as follower,
    ):
        for number in range(CUT_BEYOND * 1_000 // 100):
            follower.send(b"\1" + f"nowhere/{number:060}".encode())
            follower.send(b"\1" + f"nowhere/{number:060}".encode())
        assert follower.socket.poll(SOON_MS)
        assert broker.subscribers.closed == 0
        follower.send(b"\1one more")
        eventually(lambda: broker.subscribers.closed == 1, "it is cut")

    assert [reason.rsplit(" ", 2)[0] for reason in reasons(written)] == ["it subscribes to too much:"]


def test_a_client_reports_that_its_subscription_is_refused() -> None:
    log = MemoryLog()
    client = local_client(log)
    match = seated(client)
    state = client.state(match)
    assert isinstance(state, StateReply)
    told = TooManyPublication(match=match, seat=PUBLIC, message="use another connection")
    with pytest.raises(RequestFailed) as caught:
        Subscription(state).take_message(b"-/1/" + encode(told))

    assert (caught.value.code, str(caught.value)) == ("too_many", "use another connection")


@pytest.mark.interpreted
def test_a_message_that_is_no_subscription_gives_nobody_the_topic_of_another() -> None:
    """The library then takes each subscription for that of the connection behind it: the last one would get Ada's topic."""
    log = MemoryLog()
    owner = local_client(log)
    match = seated(owner)
    secret = subscription_text(match, RED, owner.token(match, RED))
    said = b"neither", b"\1" + secret, b"\1" + subscription_text(MatchId("none"), Seat("red"))
    may_read = threading.Event()

    def hold(broker: Broker) -> None:
        turn = broker._turn

        def held_up(ready: dict[object, int], loop: LoopState) -> None:
            if broker._xpub not in ready or may_read.is_set():
                turn(ready, loop)
            else:
                may_read.wait(SOON_MS / 1000)

        broker._turn = held_up  # type: ignore[method-assign]

    with served(log, before=hold) as broker, client_of(broker) as client:
        listeners = [Raw(broker.events, zmq.XSUB).shaken_hands() for _ in said]
        for listener, one in zip(listeners, said, strict=True):
            listener.send(one)
            time.sleep(0.05)
        may_read.set()
        _, ada, eve = listeners
        assert ada.socket.poll(SOON_MS)
        assert isinstance(decode_publication(ada.socket.recv()), HeartbeatPublication)
        client.add_token(match, RED, owner.token(match, RED))
        client.play(match, RED, ROLL)
        heard = [decode_publication(message) for message in ada.heard(200)]
        overheard = eve.heard(0)
        for listener in listeners:
            listener.close()

    assert overheard == []
    assert any(isinstance(one, EventsPublication) for one in heard)


# Penalties


def test_penalties_double_and_are_forgotten() -> None:
    penalties, now = Penalties(), 0.0
    lengths = []
    for _ in range(6):
        lengths.append(penalties.add("a", now))
        assert penalties.runs("a", now)
        assert not penalties.runs("b", now)
        now += lengths[-1]
        assert not penalties.runs("a", now)

    assert lengths == [FIRST_S, 2 * FIRST_S, 4 * FIRST_S, 8 * FIRST_S, LONGEST_S, LONGEST_S]
    assert penalties.add("a", now + FORGOTTEN_S) == FIRST_S


def test_several_connections_at_once_are_one_offence() -> None:
    penalties = Penalties()

    assert [penalties.add("a", now) for now in (0.0, 0.25, 0.5)] == [1.0, 0.75, 0.5]


def test_after_a_cut_no_new_connection_from_there_is_accepted_for_a_while_and_others_stay() -> None:
    clock = StillClock()
    with served(desk=still(clock)) as broker, Raw(broker.address) as old:
        assert isinstance(old.ask(HelloRequest()), HelloReply)
        with wire.connected(broker.address, b"DEALER") as many:
            many.sendall(wire.MORE_EMPTY * 2 * SKIPPED_MAX + wire.LAST_EMPTY)
            eventually(lambda: broker.requesters.closed == 1, "it is cut")
        with Raw(broker.address) as new:
            eventually(lambda: broker.requesters.closed > 1, "it is not accepted")
            assert isinstance(old.ask(HelloRequest()), HelloReply)
            clock.seconds += FIRST_S
            new.send(PROTOCOL.encode(), encode(HelloRequest()))
            assert isinstance(new.reply(), HelloReply)


def still(clock: StillClock) -> Desk:
    return Desk(MemoryLog(), clock)


# Open files


@pytest.mark.parametrize(
    ("soft", "hard", "possible", "raised"),
    [(1_024, 1 << 20, 1_000, 65_536), (64, 256, 78, 256), (256, 256, 78, None), (1 << 20, 1 << 20, 1_000, None)],
)
def test_as_many_connections_are_possible_as_files_are_left(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, possible: int, raised: int | None
) -> None:
    set_to: list[int] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: set_to.append(limits[0]))

    assert connections_possible(1_000, SILENT) == possible
    assert set_to == ([] if raised is None else [raised])


def test_a_server_that_may_open_too_few_files_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    files = RESERVE + 2 * CONNECTIONS_MIN - 1
    monkeypatch.setattr(resource, "getrlimit", lambda _: (files, files))
    with pytest.raises(TooFewFiles) as caught:
        connections_possible(1_000, SILENT)

    assert str(caught.value) == (
        f"the server needs {files + 1} open files, but the system allows it {files}: "
        "raise the limit (ulimit -Hn) and start it again"
    )


def test_idle_connections_beyond_the_limit_of_files_shut_nobody_out(tmp_path: Path) -> None:
    """A second: a server in a process of its own, and more connections than it may open files."""
    process = Process(tmp_path / "store.db", files=256)
    try:
        with connected(process) as old:
            assert old.hello().protocols
            idle = [create_connection(("127.0.0.1", port_of(process.address))) for _ in range(400)]
            assert old.hello().protocols
            with connected(process) as new:
                assert new.hello().protocols
            for one in idle:
                one.close()
    finally:
        process.close()


def port_of(address: str) -> int:
    return int(address.rpartition(":")[2])
