"""Commands on the store of a running server, a second server, and a server that is gone."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import zmq
from typing_extensions import override

from events.errors import StoreUnavailable
from events.ids import ARBITER, PUBLIC, MatchId
from events.log import Stored
from events.memory_log import MemoryLog
from server.broker.background import Background
from server.broker.broker import Broker
from server.client.local import local_client
from server.client.retry import RetryPolicy
from server.protocol.clock import SystemClock
from server.protocol.errors import RequestFailed, TimedOut
from server.protocol.logger import SILENT
from server.protocol.publications import EventsPublication, HeartbeatPublication, decode_publication, subscription_text
from server.store.one_server import only_server
from server.store.sqlite_log import SqliteLog
from tests.cli.running import Terminal
from tests.support.desk import skirmish_listed
from tests.support.served import ANYWHERE, SOON_MS, Raw, client_of, served


@pytest.fixture(autouse=True)
def _skirmish() -> Iterator[None]:
    with skirmish_listed():
        yield


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def broker(store: Path) -> Iterator[Broker]:
    with SqliteLog(store) as log, served(log, is_shared=True) as running:
        yield running


def test_a_follower_gets_what_is_played_on_the_store_itself(broker: Broker, store: Path) -> None:
    with client_of(broker) as client, SqliteLog(store) as other:
        owner = local_client(other)
        match = owner.open("skirmish", dice="seeded", seed="2").match
        with client.follow(match) as following:
            for seat in following.table.seats:
                owner.take_seat(match, seat, share=False)
            owner.play(match, owner.legal(match, ARBITER).to_move, 1)
            last = owner.state(match, PUBLIC).seq
            until = time.monotonic() + 10
            while following.seq < last and time.monotonic() < until:
                following.next(1.0)

            assert following.seq == last
        assert client.state(match).table == owner.state(match, PUBLIC).table


class CountingLog(MemoryLog):
    """Counts the commits that are read."""

    count = 0

    @override
    def read(self, match: MatchId, after: int = 0, upto: int | None = None) -> Iterator[Stored]:
        for one in super().read(match, after, upto):
            self.count += 1
            yield one


def test_a_match_that_is_only_listened_to_is_read_once() -> None:
    """Who subscribes here to what is played elsewhere, and never asks for it, costs a look at the match, and then at each of its news."""
    log = CountingLog()
    other = log.beside()
    owner = local_client(other)
    match = owner.open("skirmish", dice="seeded", seed="2").match
    for seat in owner.state(match).table.seats:
        owner.take_seat(match, seat, share=False)
    with served(log, is_shared=True) as broker, Raw(broker.events, zmq.XSUB) as listener:
        listener.send(b"\1" + subscription_text(match, PUBLIC))
        assert listener.socket.poll(SOON_MS)
        listener.socket.recv()
        counts, heard = [], []
        for number in range(4):
            owner.play(match, ARBITER, {"do": "match:note", "text": f"note {number}"})
            assert listener.socket.poll(SOON_MS)
            heard.append(decode_publication(listener.socket.recv()))
            counts.append(log.count)

    assert [type(one) for one in heard] == [HeartbeatPublication, *3 * [EventsPublication]]
    assert [one.seq for one in heard if isinstance(one, HeartbeatPublication)] == [owner.state(match).seq - 3]
    assert counts[1:] == 3 * [counts[0]]


def test_a_long_match_that_is_only_listened_to_is_loaded_beside_the_loop(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.desk.jobs.INLINE_EVENTS", 0)
    with SqliteLog(store) as log, SqliteLog(store) as other:
        owner = local_client(other)
        match = owner.open("skirmish", dice="seeded", seed="2").match
        background = Background(str(store), SystemClock(), SILENT)
        with (
            served(log, is_shared=True, background=background) as broker,
            Raw(broker.events, zmq.XSUB) as listener,
        ):
            listener.send(b"\1" + subscription_text(match, PUBLIC))
            until, heard = time.monotonic() + 20, b""
            while b"note" not in heard and time.monotonic() < until:
                owner.play(match, ARBITER, {"do": "match:note", "text": "note"})
                heard = b"".join(listener.heard(300))

    assert b"note" in heard


def test_who_was_replaced_on_the_store_is_told_that_the_seat_is_lost_and_no_event(broker: Broker, store: Path) -> None:
    with client_of(broker) as client, SqliteLog(store) as other:
        match = client.open("skirmish", dice="seeded", seed="2").match
        seats = client.state(match).table.seats
        for seat in seats:
            client.take_seat(match, seat, share=False)
        owner = local_client(other)
        with client.follow(match, seats[0]) as gone, client.follow(match) as public:
            command = {"do": "match:replace-player", "seat": seats[0], "credential": "ab" * 32, "reason": "Gone."}
            owner.play(match, ARBITER, command)
            last = owner.state(match, PUBLIC).seq
            until = time.monotonic() + 10
            while public.seq < last and time.monotonic() < until:
                public.next(1.0)

            assert public.seq == last
            with pytest.raises(RequestFailed, match="does not prove the seat") as told:
                gone.next(10)
            assert (told.value.code, gone.seq < last) == ("bad_token", True)


def test_the_server_goes_on_from_what_was_played_on_the_store(broker: Broker, store: Path) -> None:
    with client_of(broker) as client, SqliteLog(store) as other:
        match = client.open("skirmish", dice="seeded", seed="2").match
        for seat in ("red", "blue"):
            client.take_seat(match, client.state(match).table.seats[seat == "blue"], share=False)
        owner = local_client(other)
        owner.play(match, owner.legal(match, ARBITER).to_move, 1)
        until = time.monotonic() + 10
        while client.state(match).seq < owner.state(match, PUBLIC).seq and time.monotonic() < until:
            time.sleep(0.05)
        seat = client.legal(match).to_move
        known = client.state(match, seat).seq
        reply = client.play(match, seat, 1, expected=known)

        assert reply.seq > known
        assert owner.state(match, PUBLIC).table == client.state(match).table


def test_a_store_has_one_server(store: Path) -> None:
    with only_server(store), pytest.raises(StoreUnavailable, match="has a server already"), only_server(store):
        pass
    # The first one has ended.
    with only_server(store):
        ran = Terminal(store)("serve", "--listen", ANYWHERE, "--events", ANYWHERE)

    assert (ran.code, ran.err) == (3, f"wardiary: {store} has a server already; connect to that one\n")


def test_a_follower_learns_that_the_server_is_gone(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.client.client.SILENT_S", 0.2)
    monkeypatch.setattr("tests.support.served.QUICK", RetryPolicy(timeout_s=0.3, tries=1))
    with SqliteLog(store) as log:
        with served(log) as broker:
            client = client_of(broker)
            following = client.follow(client.open("skirmish").match)
        with client, following, pytest.raises(TimedOut):
            following.next()
