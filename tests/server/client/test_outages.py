"""Clients come back by themselves when a server was away: nothing is missed, and nothing happens twice."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from time import sleep

import pytest

from core.audit.match_audit import audit_match
from events.commit import decode_commit
from events.ids import PUBLIC, MatchId, Seat
from events.log import Log
from events.memory_log import MemoryLog
from events.vocabulary import Event
from server.broker.limits import Limits
from server.client.async_client import AsyncClient
from server.client.bots import BotReport, run_bot
from server.client.client import Following
from server.client.local import local_client
from server.client.retry import RetryPolicy
from server.client.sockets import connect
from server.protocol.errors import RequestFailed, TimedOut
from server.store.sqlite_log import SqliteLog
from tests.support.rows import each_row
from tests.support.served import ANYWHERE, SOON_MS, Process, eventually, play_through, seated, served
from tests.support.sitting import ROLL
from tests.support.skirmish import BLUE, RED
from tests.support.soak import few

SOON_S = SOON_MS / 1000
PATIENT = RetryPolicy(timeout_s=0.1, tries=300, patience_s=SOON_S)
QUICK_BEATS = Limits(heartbeat_s=0.05)
SILENT_S = 0.2


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    """Threads for clients while the test stops and starts servers."""
    with ThreadPoolExecutor(4) as made:
        yield made


def heard(following: Following, last: int) -> list[Event]:
    """Return what a follower hears until it has seen an event."""
    events: list[Event] = []
    while following.seq < last:
        slice_ = following.next(SOON_S)
        assert slice_ is not None, "nothing is heard any more"
        events += slice_.events
    return events


def whole(log: Log, match: MatchId, since: int) -> list[Event]:
    """Return the public's events after one, as they are stored."""
    return [event for slice_ in local_client(log).log(match, PUBLIC, since) for event in slice_.events]


@pytest.mark.parametrize("is_moved", few([False, True]), ids=["same addresses", "publishes elsewhere"])
def test_a_follower_goes_on_where_it_was(pool: ThreadPoolExecutor, *, is_moved: bool) -> None:
    log, told = MemoryLog(), list[str]()
    with served(log, limits=QUICK_BEATS) as first:
        client = connect(first.address, retry_policy=PATIENT, notice=told.append)
        match = seated(client)
        following = client.follow(match, silent_s=SILENT_S)
        since = following.seq
    play_through(local_client(log), match)
    last = local_client(log).state(match).seq
    hearing = pool.submit(heard, following, last)
    eventually(lambda: len(told) == 1, "the outage is told")
    with served(log, limits=QUICK_BEATS, addresses=(first.address, ANYWHERE if is_moved else first.events)):
        events = hearing.result(SOON_S)
    client.close()

    assert events == whole(log, match, since)
    assert following.table.ended is not None
    assert [line.split(";")[0].partition(" is back")[0] for line in told] == [
        f"the server at {first.address} does not answer",
        f"the server at {first.address}",
    ]


def test_a_follower_whose_subscription_was_lost_subscribes_again() -> None:
    """The server is there all the time, but publishes nothing to this follower any more."""
    log = MemoryLog()
    with served(log, limits=QUICK_BEATS) as broker, connect(broker.address, retry_policy=PATIENT) as client:
        match = seated(client)
        with client.follow(match, silent_s=SILENT_S) as following:
            following._listener.close()
            following._listener = client._transport.listen(MatchId("nowhere"), PUBLIC, "")
            client.play(match, RED, ROLL)
            found = following.next(SOON_S)

    assert found is not None


def test_a_follower_whose_seat_changed_hands_meanwhile_ends(pool: ThreadPoolExecutor) -> None:
    log = MemoryLog()
    with served(log) as first:
        client = connect(first.address, retry_policy=PATIENT)
        match = seated(client)
        following = client.follow(match, RED, silent_s=SILENT_S)
    local_client(log).leave(match, RED)
    hearing = pool.submit(heard, following, following.seq + 1_000)
    with served(log, addresses=(first.address, first.events)):
        error = hearing.exception(SOON_S)
    client.close()

    assert isinstance(error, RequestFailed)
    assert error.code == "bad_token"


def test_a_follower_gives_up_after_what_was_set() -> None:
    policy = RetryPolicy(timeout_s=0.05, tries=20, patience_s=0.3)
    with served() as broker:
        client = connect(broker.address, retry_policy=policy)
        following = client.follow(seated(client), silent_s=0.1)
    with pytest.raises(TimedOut, match="has not come back"):
        following.next(SOON_S)
    client.close()


@each_row("is_moved", [False, True])
def test_an_asynchronous_follower_goes_on_where_it_was(*, is_moved: bool) -> None:
    log = MemoryLog()

    async def run() -> tuple[list[Event], list[Event]]:
        with served(log, limits=QUICK_BEATS) as first:
            client = AsyncClient(first.address, retry_policy=PATIENT)
            match = (await client.open("skirmish", dice="seeded", seed="3")).match
            for seat in (RED, BLUE):
                # Without a key, so that another program plays on for the seats.
                await client.take_seat(match, seat, sign=False)
            following = await client.follow(match, silent_s=SILENT_S)
            since = following.seq
            # The server is stopped in a thread of its own.
            hearing = asyncio.create_task(_all(aiter(following)))
            await asyncio.sleep(0)
        play_through(local_client(log), match)
        await asyncio.sleep(0.3)
        with served(log, limits=QUICK_BEATS, addresses=(first.address, ANYWHERE if is_moved else first.events)):
            events = await asyncio.wait_for(hearing, SOON_S)
        following.close()
        client.close()
        return events, whole(log, match, since)

    async def _all(slices: object) -> list[Event]:
        return [event async for slice_ in slices for event in slice_.events]  # type: ignore[attr-defined]

    events, expected = asyncio.run(run())

    assert events == expected


def bot(address: str, match: MatchId, seat: Seat, token: str) -> BotReport:
    """Let a bot play a seat to the end."""
    with connect(address, retry_policy=PATIENT) as client:
        client.add_token(match, seat, token)
        return run_bot(client, match, seat, seed=seat)


@pytest.mark.long
def test_bots_play_on_after_a_server_was_killed(tmp_path: Path, pool: ThreadPoolExecutor) -> None:
    """Takes a second: two processes are started, and the first is killed while commands are on their way."""
    with closing(Process(tmp_path / "store.db")) as first, connect(first.address, retry_policy=PATIENT) as client:
        match = seated(client)
        reports: list[Future[BotReport]] = [
            pool.submit(bot, first.address, match, seat, client.token(match, seat)) for seat in (RED, BLUE)
        ]
        eventually(lambda: client.state(match).seq > 12, "the bots play")
        first.kill()
        sleep(0.3)
        with closing(Process(tmp_path / "store.db", first.address, first.events)):
            played = [report.result(3 * SOON_S) for report in reports]
            ended = client.state(match).table.ended
    with SqliteLog(tmp_path / "store.db") as log:
        commits = [decode_commit(stored.body) for stored in log.read(match)]
        audit = audit_match(log, match)

    assert {report.ended for report in played} == {ended}
    assert sum(report.commands for report in played) == sum(one.key[-2:] != "/1" for one in commits) - 3
    assert len({one.key for one in commits}) == len(commits)
    assert audit.clean
