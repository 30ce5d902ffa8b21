"""Publications to subscribers: topics are granted, kept apart and bounded, and gaps are never silent."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import zmq

from events.codec import Raw as RawJson
from events.codec import encode
from events.errors import StoreUnavailable
from events.ids import ARBITER, PUBLIC, MatchId, Seat
from server.broker.broker import Broker
from server.broker.limits import Limits
from server.broker.publisher import Publisher
from server.client.client import Client
from server.client.local import local_client
from server.client.retry import RetryPolicy
from server.client.sockets import connect
from server.protocol.curve import CurveKey, secure_client
from server.protocol.errors import KeyUnusable, RequestFailed, TimedOut
from server.protocol.publications import EventsPublication, HeartbeatPublication, decode_publication, subscription_text
from server.protocol.replies import HelloReply, PlayedReply
from server.protocol.wire import HelloRequest, PlayRequest, TakeRequest
from server.store.key_files import read_key
from server.store.sqlite_log import SqliteLog
from tests.support.rows import each_row
from tests.support.served import ANYWHERE, SOON_MS, Raw, client_of, eventually, play_through, seated, served
from tests.support.sitting import OWNER, ROLL, STAND
from tests.support.skirmish import BLUE, RED

WINDOW = 5
PRIVATE = RawJson(b'{"do":"match:note","text":"for my eyes","private":true}')
QUIET_MS = 60
"""How long silence must last to prove a refusal; by then the other subscribers have received the publication."""


@contextmanager
def subscribed(broker: Broker, *said: bytes) -> Iterator[Raw]:
    """Subscribe with a bare socket."""
    with Raw(broker.events, zmq.XSUB) as raw:
        for one in said:
            raw.send(b"\1" + one)
        yield raw


def told(messages: list[bytes]) -> list[tuple[str, str]]:
    """Return the seats whose events were received."""
    heard = [decode_publication(message) for message in messages]
    return [(one.match, one.seat) for one in heard if isinstance(one, EventsPublication)]


@pytest.mark.parametrize("shared", [False, True])
def test_a_follower_is_told_that_its_seat_changed_hands(shared: bool, tmp_path: Path) -> None:
    """Its match goes on without it, whether the server or another process replaces the player."""
    with (
        SqliteLog(tmp_path / "matches.db") as log,
        served(log, is_shared=shared) as broker,
        client_of(broker) as client,
    ):
        match = seated(client)
        replace = {"do": "match:replace-player", "seat": RED, "credential": "ab" * 32, "reason": "Gone."}
        with client.follow(match, RED) as following, client.follow(match, BLUE) as other:
            if shared:
                with SqliteLog(tmp_path / "matches.db") as same, local_client(same) as owner:
                    owner.play(match, ARBITER, replace)
            else:
                client.add_token(match, ARBITER, OWNER)
                client.play(match, ARBITER, replace)
            with pytest.raises(RequestFailed) as caught:
                following.next(SOON_MS / 1_000)

            assert caught.value.code == "bad_token"
            assert other.next(SOON_MS / 1_000) is not None


def test_every_client_gets_the_public_topic_and_each_seat_its_own() -> None:
    with served() as broker, client_of(broker) as client:
        match = seated(client)
        sockets = {seat: Raw(broker.events, zmq.XSUB) for seat in (PUBLIC, RED, BLUE)}
        for seat, raw in sockets.items():
            raw.send(b"\1" + subscription_text(match, seat, client.token(match, seat)))
            assert isinstance(decode_publication(raw.socket.recv()), HeartbeatPublication)
        client.play(match, BLUE, PRIVATE)
        client.play(match, RED, ROLL)
        heard = {seat: told(raw.heard(QUIET_MS)) for seat, raw in sockets.items()}
        for raw in sockets.values():
            raw.close()

    assert heard == {PUBLIC: [(match, PUBLIC)], RED: [(match, RED)], BLUE: [(match, BLUE), (match, BLUE)]}


def test_publications_equal_the_replies_of_the_desk() -> None:
    with served() as broker, client_of(broker) as client:
        match = seated(client)
        with subscribed(broker, subscription_text(match, RED, client.token(match, RED))) as raw:
            heartbeat = decode_publication(raw.socket.recv())
            played = client.play(match, RED, ROLL)
            heard = decode_publication(raw.socket.recv())

    assert isinstance(heartbeat, HeartbeatPublication)
    assert isinstance(heard, EventsPublication)
    assert (heard.match, heard.seat, heard.first) == (match, RED, heartbeat.seq + 1)
    assert heard.events == played.slices[0].events


def temptations(match: MatchId, red: str, blue: str) -> list[bytes]:
    """Subscriptions with which a client that knows only blue's secret might try to receive other topics."""
    return [
        b"",
        b"/",
        f"{match}".encode(),
        f"{match}/".encode(),
        f"{match}/red".encode(),
        f"{match}/red/".encode(),
        f"{match}/red/{blue}".encode(),
        f"{match}/red/{red[:-1]}".encode(),
        f"{match}/r/{blue}".encode(),
        f"{match}/arbiter/".encode(),
        f"{match}/arbiter/{blue}".encode(),
        f"{match[:4]}/public/".encode(),
        f"{match}//".encode(),
        f"{match}/public/{blue}".encode(),
        f"{match}/green/{blue}".encode(),
        f"/{match}/public/".encode(),
        f"{match}\0/public/".encode(),
        b"\xff\xfe/public/",
        b"nowhere/public/",
        b"/public/",
        b"x" * 600,
        f"{match}/red/".encode() + b"x" * 500,
    ]


def test_no_client_gets_another_seats_topic_or_a_prefix_of_it() -> None:
    with served() as broker, client_of(broker) as client:
        match = seated(client)
        tempting = temptations(match, client.token(match, RED), client.token(match, BLUE))
        with (
            subscribed(broker, *tempting) as sneak,
            subscribed(broker, subscription_text(match, RED, client.token(match, RED))) as red,
        ):
            assert red.socket.poll(SOON_MS)
            play_through(client, match)
            assert len(told(red.heard(QUIET_MS))) > 5
            assert sneak.heard(QUIET_MS) == []

        assert broker.publisher.refused == len(tempting)


@pytest.mark.interpreted
def test_without_explicit_grants_all_topics_are_received(monkeypatch: pytest.MonkeyPatch) -> None:
    """The canary: the same subscriptions succeed if the library grants them all."""

    def grant_nothing(*_: object) -> None:
        """Leave granting to the library."""

    def by_itself(broker: Broker) -> None:
        broker._xpub.setsockopt(zmq.XPUB_MANUAL, 0)

    monkeypatch.setattr(Publisher, "_grant", grant_nothing)
    with served(before=by_itself) as broker, client_of(broker) as client:
        match = seated(client)
        for prefix in (b"", f"{match}/".encode(), f"{match}/red/".encode()):
            with (
                subscribed(broker, prefix) as sneak,
                subscribed(broker, subscription_text(match, RED, client.token(match, RED))) as red,
            ):
                eventually(lambda: broker.publisher.topics == 1, "red follows")

                def is_overheard(sneak: Raw = sneak) -> bool:
                    # The broker may hear of this subscription, for which nothing is granted, only after a command.
                    client.play(match, RED, PRIVATE)
                    return any(message.startswith(f"{match}/red/".encode()) for message in sneak.heard(QUIET_MS))

                eventually(is_overheard, f"nothing is received under {prefix!r}")
                red.close()
                eventually(lambda: broker.publisher.topics == 0, "red does not follow any more")


def test_a_former_player_receives_nothing_after_the_seat_has_changed_hands() -> None:
    with served() as broker, client_of(broker) as client:
        match = seated(client)
        old = subscription_text(match, RED, client.token(match, RED))
        with subscribed(broker, old) as former:
            assert former.socket.poll(SOON_MS)
            client.leave(match, RED)
            client.take_seat(match, RED, share=False)
            new = subscription_text(match, RED, client.token(match, RED))
            with subscribed(broker, new) as present:
                assert present.socket.poll(SOON_MS)
                client.play(match, RED, PRIVATE)
                assert told(present.heard(QUIET_MS)) == [(match, RED)]
            assert told(former.heard(QUIET_MS)) == []


def test_the_owner_follows_as_arbiter() -> None:
    with served() as broker, client_of(broker, owner=OWNER) as client:
        match = seated(client)
        with client.follow(match, ARBITER) as following:
            client.play(match, BLUE, PRIVATE)
            slice_ = following.next(SOON_MS / 1000)

    assert slice_ is not None
    assert b"for my eyes" in encode(slice_)


def test_heartbeats_show_a_follower_what_it_missed_even_without_new_events() -> None:
    with served(limits=Limits(heartbeat_s=0.02)) as broker, client_of(broker) as client:
        match = seated(client)
        with subscribed(broker, subscription_text(match, PUBLIC)) as raw:
            heartbeats = [decode_publication(raw.socket.recv()) for _ in range(5)]

    assert all(
        isinstance(heartbeat, HeartbeatPublication) and heartbeat.seq == client_seq(heartbeat)
        for heartbeat in heartbeats
    )
    assert len({encode(heartbeat) for heartbeat in heartbeats}) == 1


def client_seq(heartbeat: object) -> int:
    assert isinstance(heartbeat, HeartbeatPublication)
    return heartbeat.seq


def test_topics_are_dropped_with_their_last_follower() -> None:
    with served() as broker, client_of(broker) as client:
        match = seated(client)
        crowd = [Raw(broker.events, zmq.XSUB) for _ in range(20)]
        for raw in crowd:
            raw.send(b"\1" + subscription_text(match, PUBLIC))
            raw.send(b"\1" + subscription_text(match, RED, client.token(match, RED)))
            raw.send(b"\1no such thing")
            assert raw.socket.poll(SOON_MS)
        eventually(lambda: broker.publisher.topics == 2, "two topics have followers")
        for raw in crowd[1:]:
            raw.close()
        assert broker.publisher.topics == 2
        crowd[0].close()
        eventually(lambda: broker.publisher.topics == 0, "nobody follows any more")
        eventually(lambda: broker.publisher.held == 0, "nothing of them is kept")


def test_no_client_silences_a_topic_for_others() -> None:
    with served() as broker, client_of(broker) as client:
        match = seated(client)
        public = subscription_text(match, PUBLIC)
        with subscribed(broker, public) as listener, subscribed(broker, public) as rude:
            assert listener.socket.poll(SOON_MS)
            assert rude.socket.poll(SOON_MS)
            for _ in range(5):
                rude.send(b"\0" + public)
                rude.send(b"\1" + public)
            rude.send(b"\0" + public)
            rude.send(b"nonsense")
            listener.heard(QUIET_MS)
            client.play(match, RED, ROLL)

            assert told(listener.heard(QUIET_MS)) == [(match, PUBLIC)]


def test_ending_a_refused_subscription_does_not_end_a_granted_one() -> None:
    """The same topic is refused before the seat is taken, and granted to another client afterwards."""
    with served() as broker, client_of(broker) as client:
        match = client.open("skirmish").match
        secret = "s" * 40
        words = subscription_text(match, RED, secret)
        with subscribed(broker, words, subscription_text(match, PUBLIC)) as early:
            assert early.socket.poll(SOON_MS)
            client.ask(TakeRequest(match=match, seat=RED, secret=secret, key="k"))
            with subscribed(broker, words) as late:
                assert late.socket.poll(SOON_MS)
                late.heard(QUIET_MS)
                early.close()
                eventually(lambda: broker.publisher.topics == 1, "the early one is gone")
                client.add_token(match, RED, secret)
                client.play(match, RED, PRIVATE)

                assert told(late.heard(QUIET_MS)) == [(match, RED)]


def flood(client: Client, match: MatchId, broker: Broker, count: int) -> int:
    """Write long notes, a few at a time, and return the number of the last event."""
    token = client.token(match, RED)
    note = RawJson(encode({"do": "match:note", "text": "n" * 4_000}))
    request = encode(PlayRequest(match=match, seat=RED, token=token, command=note))
    seq = 0
    with Raw(broker.address) as raw:
        for sent in range(count + WINDOW):
            if sent < count:
                raw.send(b"wardiary/1", request)
            if sent >= WINDOW:
                reply = raw.reply()
                assert isinstance(reply, PlayedReply)
                seq = reply.seq
    return seq


def stuck_then_read(waiting_messages: int, count: int) -> tuple[int, int]:
    """Let one follower stop reading while another reads; return how many events each received in the end."""
    limits = Limits(waiting_messages=waiting_messages, heartbeat_s=60.0)
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    with served(limits=limits) as broker, client_of(broker) as client:
        match = seated(client)
        stuck = context.socket(zmq.XSUB)
        stuck.linger, stuck.rcvhwm, stuck.rcvbuf = 0, 1, 4_096
        stuck.connect(broker.events)
        stuck.send(b"\1" + subscription_text(match, PUBLIC))
        assert stuck.poll(SOON_MS)
        with client.follow(match) as following:
            last = flood(client, match, broker, count)
            heard = 0
            while following.seq < last:
                slice_ = following.next(SOON_MS / 1000)
                assert slice_ is not None
                heard += len(slice_.events)
        late: list[bytes] = []
        while stuck.poll(200):
            late.append(stuck.recv())
        context.destroy(linger=0)
    return heard, len(told(late))


def test_only_a_subscriber_that_does_not_read_misses_events() -> None:
    count = 3_000
    heard, late = stuck_then_read(10, count)

    assert heard == count
    assert late < count


@pytest.mark.long
def test_without_a_limit_all_events_are_buffered_for_it() -> None:
    """The canary: without a high-water mark the broker buffers everything for the follower that does not read."""
    heard, late = stuck_then_read(0, 3_000)

    assert (heard, late) == (3_000, 3_000)


# Encryption


def test_with_a_key_only_encrypted_connections_to_the_right_server_work() -> None:
    key = CurveKey.new()
    hasty = RetryPolicy(timeout_s=0.3, tries=1)
    with served(key=key) as broker:
        with client_of(broker, server_key=key.public.decode()) as client:
            match = seated(client)
            with client.follow(match, RED) as following:
                client.play(match, RED, ROLL)
                assert following.next(SOON_MS / 1000) is not None
        for wrong in ("", CurveKey.new().public.decode()):
            with connect(broker.address, retry_policy=hasty, server_key=wrong) as client, pytest.raises(TimedOut):
                client.hello()
        with subscribed(broker, subscription_text(match, PUBLIC)) as plain:
            assert plain.heard(QUIET_MS) == []


def test_a_key_file_is_created_once_and_is_private(tmp_path: Path) -> None:
    path = tmp_path / "server.key"
    made, read = read_key(path), read_key(path)

    assert (made.secret, made.public) == (read.secret, read.public)
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("content", [b"", b"too short", b"x" * 41, b"\xff" * 40])
def test_a_key_file_without_a_key_is_reported_in_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "server.key"
    path.write_bytes(content)
    with pytest.raises(KeyUnusable, match=r"^the key file [^\n]* cannot be used: [^\n]*$"):
        read_key(path)


def test_an_unusable_key_file_is_reported_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(KeyUnusable, match=r"^the key file [^\n]* cannot be used: [^\n]*$"):
        read_key(tmp_path)
    with pytest.raises(StoreUnavailable, match=r"^[^\n]*server\.key cannot be written: [^\n]*$"):
        read_key(tmp_path / "no folder" / "server.key")


@each_row("key", ["too short", "ü" * 40, "x" * 41])
def test_an_invalid_server_key_is_reported_in_one_line(key: str) -> None:
    with Raw(ANYWHERE.replace("*", "9")) as raw, pytest.raises(KeyUnusable, match="Z85"):
        secure_client(raw.socket, key)


def test_a_seat_named_like_a_topic_is_refused() -> None:
    with served() as broker, client_of(broker) as client:
        match = seated(client)
        with subscribed(broker, f"{match}/public//".encode(), subscription_text(match, Seat("public/"))) as sneak:
            client.play(match, RED, ROLL)
            client.play(match, BLUE, STAND)
            assert isinstance(client.ask(HelloRequest()), HelloReply)

            assert sneak.heard(QUIET_MS) == []
