"""A server with a client list answers only listed clients, on both sockets, whatever other clients do."""

import threading
from pathlib import Path

import pytest
import zmq

from events.ids import PUBLIC, MatchId
from server.broker.broker import Broker
from server.broker.zap import ANSWERS_A_TURN, ENDPOINT, ZapHandler
from server.client.retry import RetryPolicy
from server.client.sockets import connect
from server.protocol.curve import CurveKey, is_public_key, secure_client
from server.protocol.errors import KeyUnusable, TimedOut
from server.protocol.logger import SILENT
from server.protocol.publications import subscription_text
from server.store.key_files import read_allowed
from tests.support.rows import each_row
from tests.support.served import SOON_MS, client_of, eventually, seated, served
from tests.support.sitting import ROLL
from tests.support.skirmish import RED

QUIET_MS = 300
HASTY = RetryPolicy(timeout_s=0.3, tries=1)
SERVER, ANN, BEN, EVE = (CurveKey.new() for _ in range(4))
LISTED = frozenset({ANN.public, BEN.public})
SERVERS = SERVER.public.decode()


def silence(broker: Broker, key: CurveKey | None) -> None:
    """Assert that a client with this key, or a random one, gets no answer."""
    with (
        connect(broker.address, retry_policy=HASTY, server_key=SERVERS, client_key=key) as client,
        pytest.raises(TimedOut),
    ):
        client.hello()


def overheard(broker: Broker, match: MatchId, key: CurveKey, wait_ms: int) -> bytes:
    """Follow a match as the public with this key, and return the first message, or None."""
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    try:
        listener = context.socket(zmq.XSUB)
        secure_client(listener, SERVERS, key)
        listener.connect(broker.events)
        listener.send(b"\1" + subscription_text(match, PUBLIC))
        return listener.recv() if listener.poll(wait_ms) else b""
    finally:
        context.destroy(linger=0)


def test_only_listed_clients_are_answered() -> None:
    with served(key=SERVER, allowed=LISTED) as broker:
        for key in (ANN, BEN):
            with client_of(broker, server_key=SERVERS, client_key=key) as client:
                assert client.hello().protocols
        silence(broker, EVE)
        silence(broker, None)
        with client_of(broker, server_key=SERVERS, client_key=ANN) as client:
            assert client.hello().protocols
        assert broker.refused >= 2


def test_only_listed_clients_receive_events() -> None:
    with served(key=SERVER, allowed=LISTED) as broker, client_of(broker, server_key=SERVERS, client_key=ANN) as client:
        match = seated(client)
        with client.follow(match, RED) as following:
            client.play(match, RED, ROLL)

            assert following.next(SOON_MS / 1000) is not None
        assert overheard(broker, match, BEN, SOON_MS).startswith(f"{match}/public/".encode())
        assert overheard(broker, match, EVE, QUIET_MS) == b""


def test_without_a_list_every_client_with_the_servers_key_is_answered() -> None:
    with served(key=SERVER) as broker, client_of(broker, server_key=SERVERS, client_key=EVE) as client:
        assert client.hello().protocols
        assert broker.refused == 0


def test_many_rejected_clients_do_not_delay_a_listed_one() -> None:
    """More clients than are handled in one turn; no thread is left when the server ends."""
    before = threading.active_count()
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    try:
        with served(key=SERVER, allowed=LISTED) as broker:
            crowd = [context.socket(zmq.DEALER) for _ in range(2 * ANSWERS_A_TURN)]
            for knocking in crowd:
                knocking.linger = 0
                secure_client(knocking, SERVERS, EVE)
                knocking.connect(broker.address)
            with client_of(broker, server_key=SERVERS, client_key=ANN) as client:
                assert client.hello().protocols
            eventually(lambda: broker.refused > ANSWERS_A_TURN, "nobody was turned away")
    finally:
        context.destroy(linger=0)

    assert threading.active_count() == before


def test_no_client_connects_while_the_zap_handler_does_not_answer() -> None:
    """Connections must fail closed."""
    with served(key=SERVER, allowed=LISTED, before=mute) as broker:
        silence(broker, EVE)
        silence(broker, ANN)


def mute(broker: Broker) -> None:
    """Let the ZAP handler answer nothing."""
    broker._zap.answer = lambda: None  # type: ignore[method-assign]


@each_row(
    "frames",
    [
        [b"1.0", b"7", b"wardiary", b"", b"", b"CURVE", b"\0" * 32],
        [b"1.0", b"7", b"wardiary", b"", b"", b"CURVE", b"short"],
        [b"1.0", b"7", b"wardiary", b"", b"", b"NULL"],
        [b"1.0", b"7", b"wardiary", b"", b"", b"PLAIN", b"ann", ANN.public],
        [b"2.0", b"7", b"wardiary", b"", b"", b"CURVE", b""],
        [b"1.0", b"7"],
        [b""],
    ],
)
def test_every_zap_request_without_a_listed_key_is_refused(frames: list[bytes]) -> None:
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    try:
        zap = ZapHandler(context, LISTED, SILENT)
        asker = context.socket(zmq.REQ)
        asker.connect(ENDPOINT)
        zap.answer()
        asker.send_multipart(frames)
        assert zap.socket.poll(SOON_MS)
        zap.answer()

        assert asker.recv_multipart()[2] == b"400"
        assert zap.refused == 1
    finally:
        context.destroy(linger=0)


# The list


def test_a_client_list_has_one_key_per_line_with_an_optional_name(tmp_path: Path) -> None:
    path = tmp_path / "clients"
    path.write_bytes(b"# who may play\n\n" + ANN.public + b"  Ann, at home\r\n  " + BEN.public + b"\n" + ANN.public)

    assert read_allowed(path) == LISTED


@pytest.mark.parametrize(
    "bad", [b"short", b"x" * 41, b"\xff" * 40, b"#" * 40, b'"' * 40, b"# " + b"y" * 38 + b"\n" + b"#comment"]
)
def test_an_invalid_key_line_is_named(tmp_path: Path, bad: bytes) -> None:
    path = tmp_path / "clients"
    path.write_bytes(ANN.public + b"\n\n" + bad + b"\n")
    number = 3 + bad.count(b"\n")
    with pytest.raises(KeyUnusable, match=rf"^the file of allowed clients [^\n]*clients, line {number}: [^\n]*$"):
        read_allowed(path)


@pytest.mark.parametrize("content", [b"", b"\n \n", b"# nobody yet\n"])
def test_an_empty_list_of_clients_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "clients"
    path.write_bytes(content)
    with pytest.raises(KeyUnusable, match=r"^[^\n]* lists no key[^\n]*$"):
        read_allowed(path)


def test_an_unreadable_list_is_reported_in_one_line(tmp_path: Path) -> None:
    large = tmp_path / "large"
    large.write_bytes(b"\n" * ((1 << 20) + 1))
    for path in (tmp_path, tmp_path / "nothing", large):
        with pytest.raises(KeyUnusable, match=r"^the file of allowed clients [^\n]*$"):
            read_allowed(path)


def test_every_generated_key_is_valid() -> None:
    assert all(is_public_key(CurveKey.new().public) for _ in range(50))
