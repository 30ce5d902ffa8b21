"""Several servers of one store: clients turn to the next one, nothing is missed, and nothing happens twice."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from core.audit.match_audit import audit_match
from events.codec import Raw
from events.errors import StoreUnavailable
from events.ids import PUBLIC, MatchId
from events.log import Log
from server.broker.broker import Broker
from server.broker.limits import Limits
from server.client.addresses import Servers, addresses_in, match_of, preferred
from server.client.async_client import AsyncClient
from server.client.bots import run_bot
from server.client.client import Client, Following
from server.client.local import local_client
from server.client.retry import RetryPolicy
from server.client.sockets import connect
from server.desk.desk import Desk
from server.protocol.publications import EventsPublication, decode_publication
from server.protocol.wire import HelloRequest, LogRequest, OpenRequest
from server.store.sqlite_log import SqliteLog
from tests.support.served import SOON_MS, play_through, seated, served
from tests.support.sitting import OWNER, ROLL, FaultyLog
from tests.support.skirmish import BLUE, RED

SOON_S = SOON_MS / 1000
PATIENT = RetryPolicy(timeout_s=0.4, tries=20, patience_s=SOON_S)
QUICK_BEATS = Limits(heartbeat_s=0.1)
NOTE = Raw(b'{"do":"match:note","text":"note"}')
ADDRESSES = ("tcp://a:1", "tcp://b:1", "tcp://c:1")


class ManualClock:
    """Monotonic seconds that a test sets."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


class Two:
    """Two servers of one store, each of which can be ended before the other."""

    def __init__(self, store: Path) -> None:
        self._ends = {number: ExitStack() for number in range(2)}
        self.brokers: list[Broker] = []
        for end in self._ends.values():
            log = end.enter_context(SqliteLog(store))
            self.brokers.append(end.enter_context(served(log, is_shared=True, limits=QUICK_BEATS)))

    @property
    def addresses(self) -> str:
        return ",".join(broker.address for broker in self.brokers)

    def client(self) -> Client:
        return connect(self.addresses, retry_policy=PATIENT)

    def end_that_of(self, match: MatchId) -> None:
        """End the server that the clients of a match ask first."""
        first = preferred(addresses_in(self.addresses), match)[0]
        self._ends[[broker.address for broker in self.brokers].index(first)].close()

    def close(self) -> None:
        for end in self._ends.values():
            end.close()


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def two(store: Path) -> Iterator[Two]:
    made = Two(store)
    try:
        yield made
    finally:
        made.close()


def heard(following: Following) -> list[object]:
    """Return what a follower hears until the match has ended."""
    return [event for slice_ in following for event in slice_.events]


def whole(log: Log, match: MatchId, since: int) -> list[object]:
    return [event for slice_ in local_client(log).log(match, PUBLIC, since) for event in slice_.events]


def test_players_followers_and_bots_go_on_when_their_server_ends(two: Two, store: Path) -> None:
    """The follower gets the rest from the other server; the bots' commands lie in the log once."""
    with ThreadPoolExecutor(3) as pool, two.client() as client, two.client() as watcher, two.client() as player:
        match = seated(client)
        following = watcher.follow(match)
        since = following.seq
        hearing = pool.submit(heard, following)
        player.add_token(match, RED, client.token(match, RED))
        two.end_that_of(match)
        client.play(match, BLUE, NOTE)
        bots = [pool.submit(run_bot, one, match, seat) for one, seat in ((client, BLUE), (player, RED))]
        reports = [bot.result(SOON_S) for bot in bots]
        events = hearing.result(SOON_S)

    with SqliteLog(store, read_only=True) as log:
        assert all(report.ended is not None for report in reports)
        assert events == whole(log, match, since)
        assert audit_match(log, match).findings == ()


def test_an_asynchronous_follower_goes_on_too(two: Two, store: Path) -> None:
    async def run() -> tuple[MatchId, int, list[object]]:
        client = AsyncClient(two.addresses, retry_policy=PATIENT)
        match = (await client.open("skirmish", dice="seeded", seed="3")).match
        for seat in (RED, BLUE):
            await client.take_seat(match, seat, sign=False)
        following = await client.follow(match)
        since, found = following.seq, list[object]()
        await asyncio.to_thread(two.end_that_of, match)
        await client.play(match, BLUE, NOTE)
        while not found and (slice_ := await following.next(SOON_S)) is not None:
            found += slice_.events
        client.close()
        return match, since, found

    match, since, found = asyncio.run(run())

    with SqliteLog(store, read_only=True) as log:
        assert found == whole(log, match, since)


def test_events_of_one_server_reach_the_followers_of_the_other_as_events(two: Two) -> None:
    one, other = (connect(broker.address, retry_policy=PATIENT) for broker in two.brokers)
    with one, other:
        match = seated(one)
        # From here on the second server has the match in memory.
        other.state(match)
        listener = other.listen(match, PUBLIC)
        assert listener.receive(SOON_S) is not None
        played = one.play(match, RED, ROLL)
        heard_of = [decode_publication(listener.receive(SOON_S) or b"")]
        while not isinstance(heard_of[-1], EventsPublication):
            heard_of.append(decode_publication(listener.receive(SOON_S) or b""))

    assert isinstance(heard_of[-1], EventsPublication)
    assert heard_of[-1].events == played.slices[0].events


@pytest.mark.interpreted
def test_a_server_that_has_not_heard_of_a_seat_or_an_event_looks_before_it_refuses(
    two: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.broker.loop_state.NEWS_S", SOON_S)
    one, other = (connect(broker.address, retry_policy=PATIENT) for broker in two.brokers)
    with one, other:
        opened = one.open("skirmish", dice="seeded", seed="3")
        match = opened.match
        other.state(match)
        for seat in opened.seats:
            other.add_token(match, seat, one.take_seat(match, seat, sign=False).token)
        seen = other.legal(match, RED).seq
        played = one.play(match, RED, ROLL)
        noted = other.play(match, RED, NOTE, expected=played.seq)
        late = one.log(match, RED, since=noted.seq)

    assert seen < played.seq < noted.seq
    assert late == []


def test_a_client_learns_from_hello_of_servers_to_which_it_can_turn(store: Path) -> None:
    with SqliteLog(store) as log, served(log, is_shared=True) as other:
        with SqliteLog(store) as same, served(same, is_shared=True, nodes=[other.address]) as first:
            client = connect(first.address, retry_policy=PATIENT)
            nodes = client.hello().nodes
        with client:
            count = play_through(client, seated(client))

    assert nodes == (other.address,)
    assert count > 0


def test_a_client_turns_to_another_server_if_a_store_is_not_available() -> None:
    log = FaultyLog()
    broken = Desk(log.beside(), owner=OWNER)
    broken.log.failures = [StoreUnavailable("no majority")] * 1_000  # type: ignore[attr-defined]
    with (
        served(desk=broken, is_shared=True) as one,
        served(log, is_shared=True) as other,
        connect(f"{one.address},{other.address}", retry_policy=PATIENT) as client,
    ):
        matches = {client.open("skirmish").match for _ in range(4)}

    assert set(log.matches()) == matches


def test_all_clients_try_the_servers_in_one_order_for_a_match_and_spread_over_them() -> None:
    orders = [preferred(ADDRESSES, MatchId(f"match {number}")) for number in range(60)]
    again = [preferred(ADDRESSES[::-1], MatchId(f"match {number}")) for number in range(60)]
    without = [preferred(ADDRESSES[1:], MatchId(f"match {number}")) for number in range(60)]

    assert orders == again
    assert {order[0] for order in orders} == set(ADDRESSES)
    assert without == [[address for address in order if address != ADDRESSES[0]] for order in orders]


def test_a_server_that_is_away_is_asked_again_after_a_while_or_if_no_other_is_left() -> None:
    clock, match = ManualClock(), MatchId("m")
    servers = Servers(",".join(ADDRESSES), RetryPolicy(), clock)
    order = preferred(ADDRESSES, match)
    tried = []
    for _ in range(5):
        tried.append(servers.of(match))
        servers.away(tried[-1])
        clock.now += 1
    clock.now += 60

    assert tried == [*order, *order[:2]]
    assert servers.of(match) == order[0]
    assert (servers.contact.retry_policy.timeout_s, servers.contact.retry_policy.tries) == (5.0 / 3, 9)


def test_the_opening_of_a_match_goes_to_the_server_of_the_match() -> None:
    opening = OpenRequest(game="skirmish", key="key")
    with served() as broker, connect(broker.address) as client:
        opened = client.open("skirmish", key="key")

    assert match_of(opening) == opened.match == match_of(LogRequest(match=opened.match))
    assert match_of(HelloRequest()) == ""
