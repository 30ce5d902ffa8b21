"""Clients: retries, following without gaps, and the same calls on a local store."""

import asyncio
from pathlib import Path
from random import Random

import pytest
from freezegun import freeze_time
from typing_extensions import override

from events.codec import DecodeError, Raw, encode
from events.commit import decode_commit
from events.errors import OutcomeUnknown, StoreUnavailable
from events.ids import ARBITER, PUBLIC, MatchId, Seat
from events.memory_log import MemoryLog
from events.vocabulary import Event
from projections.state.view import EventSlice
from server.client.async_client import AsyncClient
from server.client.calls import command_json
from server.client.client import Client, Following
from server.client.client_protocol import SansIoClient
from server.client.local import TRIES, LocalTransport, local_client
from server.client.retry import Contact, Exchange, RetryPolicy
from server.client.sockets import connect
from server.client.subscription import Subscription
from server.desk.desk import Desk
from server.protocol.clock import SystemClock
from server.protocol.errors import AddressUnusable, ProtocolBroken, RequestFailed, TimedOut
from server.protocol.publications import heartbeat, publish
from server.protocol.replies import FailedReply, HelloReply, LogReply, PlayedReply, Reply
from server.protocol.wire import PROTOCOL, REQUEST_BYTES_MAX, HelloRequest, Request
from server.store.sqlite_log import SqliteLog
from tests.support.rows import each_row
from tests.support.served import QUICK, SOON_MS, client_of, play_through, seated, served
from tests.support.sitting import OWNER, ROLL, CountedIdentity, FaultyLog, Sitting, StillClock, flat
from tests.support.skirmish import BLUE, RED, Roll, hand

SOON_S = SOON_MS / 1000
NOTE = Raw(b'{"do":"match:note","text":"noted"}')
PRIVATE = Raw(b'{"do":"match:note","text":"for my eyes","private":true}')


# One request and its reply


def contact(patience_s: float = 0.0) -> Contact:
    policy = RetryPolicy(timeout_s=2.0, tries=3, pause_s=0.5, patience_s=patience_s)
    return Contact("tcp://here", policy, chance=lambda: 0.5)


def exchange() -> Exchange:
    return Exchange(HelloRequest(), "7", contact(), 100.0)


def answer(reply: Reply) -> list[bytes]:
    return [PROTOCOL.encode(), encode(reply)]


HELLO = HelloReply(id="7", version="", protocols=(), games=())
BUSY = FailedReply(id="7", code="store_unavailable", message="busy", retry=True)


def test_every_attempt_sends_the_same_bytes_up_to_the_limit() -> None:
    waiting = exchange()
    first = list(waiting.frames)
    waiting.again(102.0)
    waiting.again(104.0)

    assert waiting.frames == first
    with pytest.raises(TimedOut, match="no answer from the server at tcp://here within 2 s, 3 times"):
        waiting.again(106.0)


def test_a_server_that_was_there_is_waited_for_and_told_about_once() -> None:
    told: list[str] = []
    known = contact(patience_s=60.0)
    known._notice = told.append
    first = Exchange(HelloRequest(), "7", known, 100.0)
    for now in (102.0, 104.0):
        first.again(now)
    with pytest.raises(TimedOut, match="check the address"):
        first.again(106.0)
    assert told == []

    Exchange(HelloRequest(), "7", known, 110.0).take(answer(HELLO), 110.0)
    waiting = Exchange(HelloRequest(), "7", known, 200.0)
    sent, waits, now = list(waiting.frames), list[float](), 200.0
    while now < 240.0:
        now += waiting.wait_s(now)
        waiting.again(now)
        waits.append(waiting.wait_s(now))

    assert waits[:2] == [2.0, 2.0]
    assert set(waits[2:]) == {3.0}
    assert waiting.frames == sent
    assert waiting.take(answer(HELLO), 245.0) == HELLO
    assert told == [
        "the server at tcp://here does not answer; trying again for up to 60 s",
        "the server at tcp://here is back after 45 s",
    ]


def test_a_server_that_does_not_come_back_is_given_up() -> None:
    known = contact(patience_s=60.0)
    known.back(0.0)
    waiting = Exchange(HelloRequest(), "7", known, 200.0)
    for now in range(205, 260, 5):
        waiting.again(now)

    with pytest.raises(TimedOut, match="the server at tcp://here has not come back within 60 s"):
        waiting.again(260.0)


def test_a_server_that_says_for_long_that_it_is_busy_is_asked_more_rarely_but_once_in_two_seconds() -> None:
    """A store that elects a leader again and again has good moments between: with longer pauses a client missed them for a minute."""
    told: list[str] = []
    known = contact(patience_s=60.0)
    known._notice = told.append
    known.back(0.0)
    waiting, now, pauses = Exchange(HelloRequest(), "7", known, 200.0), 200.0, list[float]()
    while (reply := waiting.take(answer(BUSY), now)) is None:
        pauses.append(waiting.wait_s(now))
        now += pauses[-1]
        waiting.again(now)

    assert pauses[:5] == [0.5, 0.5, 0.5, 1.5, 1.5]
    assert max(pauses) == 1.5
    assert reply == BUSY
    assert 255.0 < now < 262.0
    assert told == ["the server at tcp://here says: busy; trying again for up to 60 s"]


def test_a_request_that_no_server_takes_is_not_sent() -> None:
    with pytest.raises(RequestFailed, match="at most 524288 bytes"):
        Exchange(HelloRequest(), "7" * REQUEST_BYTES_MAX, contact(), 100.0)


def test_an_attempt_lasts_as_long_as_its_timeout() -> None:
    waiting = exchange()
    assert [waiting.wait_s(now) for now in (100.0, 101.5, 102.0, 500.0)] == [2.0, 0.5, 0.0, 0.0]
    waiting.again(102.0)
    assert waiting.wait_s(102.0) == 2.0


@each_row(
    "frames",
    [
        [],
        [b""],
        [b"x", b"{}"],
        [b"wardiary/1", b'{"reply":"hello"'],
        answer(HelloReply(id="6", version="", protocols=(), games=())),
    ],
)
def test_other_messages_than_the_reply_are_ignored(frames: list[bytes]) -> None:
    assert exchange().take(frames, 100.0) is None


def test_a_reply_to_another_type_of_request_is_a_protocol_error() -> None:
    with pytest.raises(ProtocolBroken, match="its answer to 'hello' has another type"):
        exchange().take(answer(LogReply(id="7", match=MatchId("m"), seq=0)), 100.0)


def test_a_request_to_a_busy_server_is_retried_after_a_pause() -> None:
    waiting = exchange()

    assert waiting.take(answer(BUSY), 100.0) is None
    assert waiting.wait_s(100.0) == 0.5
    waiting.again(100.5)
    waiting.again(101.0)
    assert waiting.take(answer(BUSY), 101.0) == BUSY


UNKNOWN = FailedReply(id="7", code="outcome_unknown", message="the disk fails", retry=True)


def test_a_request_with_an_unknown_outcome_is_retried() -> None:
    waiting = exchange()

    assert waiting.take(answer(UNKNOWN), 100.0) is None
    assert waiting.wait_s(100.0) == 0.5
    waiting.again(100.5)
    assert waiting.take(answer(HELLO), 101.0) == HELLO


@each_row("code", ["store_unavailable", "busy", "lost_race"])
def test_a_later_attempt_without_effect_does_not_settle_an_unknown_outcome(code: str) -> None:
    last = FailedReply(id="7", code=code, message="nothing was done", retry=True)
    waiting = exchange()
    waiting.take(answer(UNKNOWN), 100.0)
    waiting.again(100.5)
    waiting.take(answer(last), 101.0)
    waiting.again(101.5)

    assert waiting.take(answer(last), 102.0) == UNKNOWN


@each_row(("code", "is_settled"), [("refused", True), ("internal", False), ("evidence_broken", False)])
def test_a_reply_decided_from_the_log_settles_an_unknown_outcome(code: str, is_settled: bool) -> None:
    last = FailedReply(id="7", code=code, message="no")
    waiting = exchange()
    waiting.take(answer(UNKNOWN), 100.0)
    waiting.again(100.5)

    assert waiting.take(answer(last), 101.0) == (last if is_settled else UNKNOWN)


@each_row("is_stored", [False, True])
def test_an_unknown_outcome_in_a_local_store_is_retried(is_stored: bool) -> None:
    log = FaultyLog()
    client = local_client(log, StillClock(), CountedIdentity())
    match = client.open("skirmish", dice="seeded", seed="3").match
    for seat in (RED, BLUE):
        client.take_seat(match, seat, "Ada")
    (log.late_failures if is_stored else log.failures).append(OutcomeUnknown("the disk fails"))
    played = client.play(match, RED, {"do": "roll"})

    assert played.repeated == is_stored
    assert [new.key for new in log.kept].count(log.kept[-1].key) == 1
    assert log.head(match).seq == client.state(match, ARBITER).seq


def test_the_reply_is_returned() -> None:
    assert exchange().take(answer(HELLO), 100.0) == HELLO


# Following, without sockets


class Told:
    """A finished match and its publications."""

    def __init__(self, seat: Seat = RED) -> None:
        self.sitting = Sitting()
        self.start = self.sitting.state(seat)
        self.sitting.random_match(3)
        self.slices = self.sitting.since(seat, self.start.seq).slices
        self.messages = [publish(self.sitting.match, seat, "", slice_) for slice_ in self.slices]
        self.last = self.sitting.state(seat)

    def repair(self, subscription: Subscription) -> None:
        """Answer the request of a follower that has missed events."""
        for slice_ in self.sitting.since(subscription.seat, subscription.seq).slices:
            subscription.take(slice_)


@pytest.fixture(scope="module")
def told(_skirmish: None) -> Told:
    return Told()


def popped(subscription: Subscription) -> list[EventSlice]:
    """Return all slices that are ready."""
    found: list[EventSlice] = []
    while (slice_ := subscription.pop()) is not None:
        found.append(slice_)
    return found


def test_publications_in_order_fold_to_the_table(told: Told) -> None:
    subscription = Subscription(told.sitting.state(RED, told.start.seq))
    for message in told.messages:
        subscription.take_message(message)

    assert flat(popped(subscription)) == flat(told.slices)
    assert (subscription.table, subscription.behind, subscription.heard) == (told.last.table, False, True)


def test_the_table_of_a_follower_matches_the_events_that_it_returned(told: Told) -> None:
    subscription = Subscription(told.sitting.state(RED, told.start.seq))
    subscription.take_message(told.messages[0])
    subscription.take_message(told.messages[1])
    first = subscription.pop()

    assert first is not None
    assert subscription.table == told.sitting.state(RED, first.last).table


def test_a_follower_that_joins_within_a_commit_gets_its_rest(told: Told) -> None:
    slice_ = next(slice_ for slice_ in told.slices if len(slice_.events) > 2)
    subscription = Subscription(told.sitting.state(RED, slice_.first))
    subscription.take(slice_)

    assert [one.first for one in popped(subscription)] == [slice_.first + 1]
    assert subscription.seq == slice_.last


@each_row(
    "message",
    [b"", b"{}", b"x/red/{", b'm/red/{"pub":"events"}', b"\xff" * 9, heartbeat(MatchId("other"), RED, "", 999)],
)
def test_messages_of_other_streams_are_ignored(told: Told, message: bytes) -> None:
    subscription = Subscription(told.sitting.state(RED, told.start.seq))
    subscription.take_message(message)

    assert (subscription.heard, subscription.behind, subscription.pop()) == (False, False, None)


def test_a_heartbeat_shows_missed_events_even_without_new_ones(told: Told) -> None:
    subscription = Subscription(told.sitting.state(RED, told.start.seq))
    subscription.take_message(heartbeat(told.sitting.match, RED, "", told.last.seq))

    assert subscription.behind
    told.repair(subscription)
    assert not subscription.behind
    assert flat(popped(subscription)) == flat(told.slices)


def test_every_event_is_returned_once_and_in_order_despite_loss_and_duplication(told: Told, budget: float) -> None:
    for seed in range(max(1, round(200 * budget))):
        choose = Random(seed)
        subscription = Subscription(told.sitting.state(RED, told.start.seq))
        found: list[EventSlice] = []
        for number, message in enumerate(told.messages):
            if choose.random() < 0.3:
                continue
            subscription.take_message(message)
            if choose.random() < 0.3:
                subscription.take_message(told.messages[choose.randrange(number + 1)])
            if choose.random() < 0.2:
                subscription.take(choose.choice(told.slices[: number + 1]))
            if choose.random() < 0.5:
                found += popped(subscription)
            if subscription.behind and choose.random() < 0.5:
                told.repair(subscription)
        subscription.take_message(heartbeat(told.sitting.match, RED, "", told.last.seq))
        if subscription.behind:
            told.repair(subscription)
        found += popped(subscription)

        assert flat(found) == flat(told.slices), f"seed {seed}"
        assert subscription.table == told.last.table, f"seed {seed}"


# Over sockets


class LossyListener:
    """A listener that loses and duplicates messages."""

    def __init__(self, real: object, seed: int) -> None:
        self.real = real
        self.choose = Random(seed)
        self.lost = 0
        self.kept: list[bytes] = []

    def receive(self, timeout_s: float | None) -> bytes | None:
        if self.kept and self.choose.random() < 0.5:
            return self.kept.pop()
        message: bytes | None = self.real.receive(timeout_s)  # type: ignore[attr-defined]
        if message is None:
            return None
        if self.choose.random() < 0.4:
            self.lost += 1
            return b""
        self.kept.append(message)
        return message

    def close(self) -> None:
        self.real.close()  # type: ignore[attr-defined]


def test_holes_are_repaired_while_a_match_is_played() -> None:
    with served() as broker, client_of(broker) as player, client_of(broker) as watcher:
        match = seated(player)
        with watcher.follow(match) as following:
            began = following.seq
            lossy = LossyListener(following._listener, 5)
            following._listener = lossy
            play_through(player, match)
            player.play(match, RED, NOTE)
            last = player.state(match)
            events: list[Event] = []
            while following.seq < last.seq:
                slice_ = following.next(SOON_S)
                assert slice_ is not None
                events += slice_.events

            assert following.table == last.table
            assert lossy.lost > 0
            assert len(events) == last.seq - began


def test_a_follower_misses_nothing_while_others_play() -> None:
    with served() as broker, client_of(broker) as player:
        match = seated(player)
        followings: list[tuple[Client, Following]] = []
        while (to_move := player.legal(match).to_move) != "":
            player.play(match, to_move, 1, expected=player.legal(match, to_move).seq)
            watcher = client_of(broker)
            followings.append((watcher, watcher.follow(match)))
        last = player.state(match)
        for watcher, following in followings:
            for _ in following:
                pass

            assert following.table == last.table
            following.close()
            watcher.close()


def test_a_follower_can_apply_its_own_command_before_the_publication() -> None:
    with served() as broker, client_of(broker) as client:
        match = seated(client)
        with client.follow(match, RED) as following:
            reply = client.play(match, RED, ROLL)
            following.heed(reply)

            assert flat([following.next(SOON_S) or reply.slices[0]]) == flat(reply.slices)
            assert following.next(0.05) is None
            assert following.seq == reply.seq


def test_following_with_a_wrong_secret_is_refused() -> None:
    with served() as broker, client_of(broker) as client, client_of(broker) as stranger:
        match = seated(client)
        stranger.add_token(match, RED, "w" * 40)
        with pytest.raises(RequestFailed, match="does not prove") as caught:
            stranger.follow(match, RED)

    assert caught.value.code == "bad_token"


def test_a_missing_server_is_reported_after_all_attempts() -> None:
    with served() as broker:
        address = broker.address
    retry_policy = RetryPolicy(timeout_s=0.05, tries=2)
    with (
        connect(address, retry_policy=retry_policy) as client,
        pytest.raises(TimedOut, match="no answer from the server at "),
    ):
        client.hello()


@each_row("address", ["", "nowhere", "tcp://127.0.0.1", "tcp://127.0.0.1:port", "carrier-pigeon://loft"])
def test_an_invalid_address_is_reported_in_one_line(address: str) -> None:
    with (
        connect(address, retry_policy=QUICK) as client,
        pytest.raises(AddressUnusable, match=r"^cannot connect to [^\n]*$"),
    ):
        client.hello()


def test_a_command_whose_reply_was_lost_is_retried_and_takes_effect_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lost: list[bytes] = []
    real = Exchange.take

    def loses_the_first(self: Exchange, frames: list[bytes], now: float) -> Reply | None:
        if b'"reply":"played"' in frames[-1] and not lost:
            lost.append(frames[-1])
            self._due = now
            return None
        return real(self, frames, now)

    log = MemoryLog()
    with served(log) as broker, connect(broker.address, retry_policy=RetryPolicy(timeout_s=SOON_S, tries=2)) as client:
        match = seated(client)
        monkeypatch.setattr(Exchange, "take", loses_the_first)
        reply = client.play(match, RED, ROLL, key="only once")

    assert len(lost) == 1
    assert reply.repeated
    assert [decode_commit(stored.body).key for stored in log.read(match)].count("only once") == 1


def test_a_client_waits_for_a_busy_store() -> None:
    log = FaultyLog()
    retry_policy = RetryPolicy(timeout_s=SOON_S, tries=3, pause_s=0.01)
    with served(log) as broker, connect(broker.address, retry_policy=retry_policy) as client:
        match = seated(client)
        log.failures = [StoreUnavailable("locked"), StoreUnavailable("locked")]

        assert isinstance(client.play(match, RED, ROLL), PlayedReply)


def test_a_chain_of_links_is_published_unless_the_caller_wants_none() -> None:
    """match.links: also in a fork of a match that has begun."""
    with served() as broker, client_of(broker, owner=OWNER) as client:
        match = seated(client)
        fork = client.fork(match, PUBLIC).match
        client.take_seat(fork, RED)
        client.take_seat(fork, BLUE, share=False)
        links = client.state(fork, ARBITER).table.links

    assert links is not None
    assert list(links.chains) == [RED]


def test_commands_are_accepted_in_any_form() -> None:
    forms = (Roll(), {"do": "roll"}, '{"do":"roll"}', b'{"do":"roll"}')

    assert {bytes(command_json(form)) for form in forms} == {b'{"do":"roll"}'}
    assert bytes(command_json(3)) == b"3"


@each_row("text", ["roll", '{"do":"roll"},"seat":"red"', b'{"do":"roll"', ""])
def test_a_text_that_is_not_json_is_no_command(text: str | bytes) -> None:
    """As a part of a request it could change what else the request says."""
    with pytest.raises(DecodeError):
        command_json(text)


def test_a_reply_of_another_kind_is_refused() -> None:
    call = SansIoClient(CountedIdentity()).hello()
    next(call)
    with pytest.raises(ProtocolBroken, match="it answers 'hello' with 'log'"):
        call.send(LogReply(match=MatchId("m"), seq=0))


def test_long_logs_and_lists_are_requested_in_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.client.client_protocol.LOG_EVENTS_MAX", 7)
    client = local_client(MemoryLog())
    match = seated(client)
    play_through(client, match)
    for number in range(45):
        client.open("skirmish", key=f"{number}")

    assert [number for number, _ in flat(client.log(match))] == list(range(1, client.state(match).seq + 1))
    assert len(client.matches()) == 46
    assert client.log(match, since=client.state(match).seq) == []


# On a local store


def test_the_same_calls_work_on_a_local_store(tmp_path: Path) -> None:
    with SqliteLog(tmp_path / "store.db") as log, local_client(log) as client:
        match = seated(client)
        with client.follow(match) as following:
            assert play_through(client, match) > 5
            for _ in following:
                pass

            assert following.table == client.state(match).table
        assert client.board(match) is None
        assert client.hello().protocols == (PROTOCOL,)


def test_commits_of_another_process_are_seen(tmp_path: Path) -> None:
    with SqliteLog(tmp_path / "store.db") as log, SqliteLog(tmp_path / "store.db") as other:
        mine, theirs = local_client(log), local_client(other)
        match = seated(mine)
        with mine.follow(match) as following:
            assert following.next(0.0) is None
            played = theirs.play(match, RED, ROLL)
            slice_ = following.next(SOON_S)

            assert slice_ is not None
            assert flat([slice_]) == flat(played.slices)
        assert mine.legal(match, BLUE).options != ()


@freeze_time("1942-09-13 05:00:00")
def test_commits_have_the_time_of_the_clock() -> None:
    client = local_client(MemoryLog())
    match = seated(client)
    play_through(client, match)

    assert {slice_.at for slice_ in client.log(match)} == {SystemClock().now_ms()} == {-861_562_800_000}


# In an event loop


def test_the_asynchronous_client_plays_and_follows_as_the_blocking_one() -> None:
    async def both(address: str) -> tuple[int, bool]:
        async with AsyncClient(address, retry_policy=QUICK) as client:
            assert (await client.hello()).protocols == (PROTOCOL,)
            match = (await client.open("skirmish", dice="seeded", seed="3")).match
            for seat in (RED, BLUE):
                await client.take_seat(match, seat)
            async with await client.follow(match, RED) as following:
                played = await play(client, match)
                async for _ in following:
                    pass
                same = following.table == (await client.state(match, RED)).table
            assert [one.match for one in await client.matches()] == [match]
            assert (await client.log(match, RED))[-1].last == following.seq
            assert await client.board(match) is None
            assert (await client.fork(match, at=9)).match != match
            return played, same

    async def play(client: AsyncClient, match: MatchId) -> int:
        played = 0
        while (to_move := (await client.legal(match)).to_move) != "":
            seq = (await client.legal(match, to_move)).seq
            await client.play(match, to_move, 1, expected=seq)
            played += 1
        return played

    with served() as broker:
        played, same = asyncio.run(both(broker.address))

    assert played > 5
    assert same


def test_a_cancelled_asynchronous_call_leaves_the_client_usable() -> None:
    async def give_up(address: str) -> HelloReply:
        async with AsyncClient(address, retry_policy=QUICK) as client:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(client.state(MatchId("m")), 0.0)
            return await client.hello()

    with served() as broker:
        assert asyncio.run(give_up(broker.address)).version == ""


def test_an_asynchronous_follower_with_a_wrong_secret_is_refused() -> None:
    async def follow(address: str, match: MatchId) -> str:
        async with AsyncClient(address, retry_policy=QUICK) as client:
            client.add_token(match, RED, "w" * 40)
            with pytest.raises(RequestFailed) as caught:
                await client.follow(match, RED)
            return caught.value.code

    with served() as broker, client_of(broker) as client:
        assert asyncio.run(follow(broker.address, seated(client))) == "bad_token"


@each_row("is_stored", [False, True])
def test_an_asynchronous_client_retries_after_an_unknown_outcome_and_plays_once(is_stored: bool) -> None:
    log = FaultyLog()

    async def play(address: str) -> PlayedReply:
        async with AsyncClient(address, retry_policy=RetryPolicy(timeout_s=10.0, tries=3, pause_s=0.01)) as client:
            match = (await client.open("skirmish", dice="seeded", seed="3")).match
            for seat in (RED, BLUE):
                await client.take_seat(match, seat)
            (log.late_failures if is_stored else log.failures).append(OutcomeUnknown("the disk fails"))
            return await client.play(match, RED, {"do": "roll"}, key="once")

    with served(log) as broker:
        played = asyncio.run(play(broker.address))

    assert played.repeated == is_stored
    assert [new.key for new in log.kept].count("once") == 1


def test_an_asynchronous_client_gives_up_on_a_missing_server() -> None:
    async def hello(address: str) -> None:
        async with AsyncClient(address, retry_policy=RetryPolicy(timeout_s=0.05, tries=2)) as client:
            await client.hello()

    with served() as broker:
        address = broker.address
    with pytest.raises(TimedOut):
        asyncio.run(hello(address))


def test_a_seated_client_is_refused_the_arbiters_view() -> None:
    """This is tested over sockets for viewing, reading, listing options, forking and following."""
    with served() as broker, client_of(broker) as player:
        match = seated(player)
        for token, code in ((player.token(match, RED), "bad_token"), ("", "not_your_seat")):
            with client_of(broker, owner=token) as client:
                for ask in (client.state, client.log, client.legal, client.fork, client.follow):
                    with pytest.raises(RequestFailed) as refused:
                        ask(match, ARBITER)

                    assert refused.value.code == code
                    assert "card-" not in str(refused.value)
        with client_of(broker, owner=OWNER) as owner:
            assert owner.state(match, ARBITER).table.pile(hand(BLUE)).hidden == 0


class Slow(Desk):
    """A desk that loses the first races against another process."""

    losses = 5
    code = "lost_race"

    @override
    def handle(self, request: Request) -> Reply:
        """Fail with a lost race a few times, then handle the request."""
        if self.losses:
            self.losses -= 1
            return FailedReply(code=self.code, message="others were first", retry=True)
        return super().handle(request)


def test_a_lost_race_in_a_local_store_is_retried() -> None:
    slow = Slow(MemoryLog())

    assert isinstance(LocalTransport(slow).ask(HelloRequest()), HelloReply)


@each_row(("losses", "code", "left"), [(100, "lost_race", 100 - TRIES), (5, "store_unavailable", 4)])
def test_too_many_lost_races_in_a_local_store_are_reported(losses: int, code: str, left: int) -> None:
    slow = Slow(MemoryLog())
    slow.losses, slow.code = losses, code
    reply = LocalTransport(slow).ask(HelloRequest())

    assert isinstance(reply, FailedReply)
    assert slow.losses == left
