"""No address takes all connections, errors of connections are pages, and a request for a WebSocket is answered as any other."""

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from socket import create_connection, socket
from time import monotonic
from urllib.parse import urlsplit

import pytest

from server.web.http import connection_limits as connections
from tests.support.served import eventually
from tests.support.site import Site, site

STRANGER = "127.0.0.2"
AT_ONCE_S = 5
"""A slow machine takes seconds for a page; who had to wait until silent connections are ended would wait for ten."""
"""An address of this machine that is not that of a proxy."""

GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
CLOSE = b"Connection: close\r\n\r\n"
UPGRADE = b"Connection: upgrade, close\r\nUpgrade: websocket\r\n\r\n"


@pytest.fixture
def place() -> Iterator[Site]:
    """Pages of a store without matches."""
    with site() as made:
        yield made


def asked(place: Site, request: bytes) -> tuple[str, str]:
    """Send bytes on a connection of their own, and return the head and the body of the answer up to its end."""
    there = urlsplit(place.address)
    with create_connection((there.hostname, there.port), 20) as connection:
        connection.sendall(request)
        head, _, body = b"".join(iter(lambda: connection.recv(1 << 16), b"")).decode().partition("\r\n\r\n")
    return head, body


def is_page(head: str, body: str) -> bool:
    """Return whether an answer is a page with the headers of every page."""
    said = head.casefold()
    return "content-security-policy: default-src 'none'" in said and "text/html" in said and "</main>" in body


def test_what_is_not_http_is_answered_with_a_page(place: Site) -> None:
    head, body = asked(place, b"nonsense\r\n\r\n")

    assert head.startswith("HTTP/1.1 400 ")
    assert is_page(head, body)
    assert "The request is not valid HTTP." in body


def test_an_answer_that_has_begun_is_cut_off_without_a_second_one(place: Site) -> None:
    match = place.open("battle", seed="3")
    there = urlsplit(place.address)
    news = f"GET /m/{match}/news?after=1 HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    with create_connection((there.hostname, there.port), 20) as connection:
        connection.sendall(news.encode())
        begun = connection.recv(1 << 16)
        connection.sendall(b"not a chunk\r\n")
        rest = b"".join(iter(lambda: connection.recv(1 << 16), b""))

    assert begun.startswith(b"HTTP/1.1 200 ")
    assert b"HTTP/1.1 400" not in rest


@contextmanager
def connected(place: Site, address: str = "127.0.0.1") -> Iterator[socket]:
    """Connect from an address of this machine."""
    there = urlsplit(place.address)
    try:
        made = create_connection((there.hostname, there.port), 20, (address, 0))
    except OSError:
        pytest.skip(f"this system has no address {address}")
    with made:
        yield made


def is_open(connection: socket) -> bool:
    """Return whether the pages have not ended a connection on which nothing is sent."""
    connection.settimeout(0.1)
    try:
        return bool(connection.recv(1))
    except TimeoutError:
        return True
    except ConnectionError:
        return False


def status(connection: socket, request: bytes = GET + CLOSE) -> str:
    """Send a request, and return the status of the answer."""
    connection.settimeout(20)
    connection.sendall(request)
    return connection.recv(12).decode().removeprefix("HTTP/1.1 ")


def following(match: str) -> bytes:
    """Return a request that is never answered to its end."""
    return f"GET /m/{match}/news?after=1 HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


def test_an_address_has_only_its_share_of_the_connections_and_the_newest_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "SHARE_MAX", 3)
    with site() as place, ExitStack() as opened:
        silent = [opened.enter_context(connected(place, STRANGER)) for _ in range(5)]
        other = opened.enter_context(connected(place, "127.0.0.3"))
        eventually(lambda: not is_open(silent[1]), "an address has more than its share")

        assert [is_open(one) for one in silent] == [False, False, True, True, True]
        assert status(silent[4]) == status(other) == "200"


def test_a_visitor_is_served_at_once_beside_silent_connections_of_one_address() -> None:
    with site() as place, ExitStack() as opened:
        limits(opened, 4_000)
        for _ in range(1_100):
            opened.enter_context(connected(place, STRANGER))
        began = monotonic()
        with connected(place) as good:
            said = status(good)

        assert said == "200"
        assert monotonic() - began < AT_ONCE_S


def test_visitors_of_one_proxy_are_served_beside_silent_connections_that_take_all_places(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connections, "CONNECTIONS_MAX", 5)
    monkeypatch.setattr(connections, "SHARE_MAX", 2)
    with site() as place, ExitStack() as opened:
        silent = [opened.enter_context(connected(place)) for _ in range(8)]
        last = opened.enter_context(connected(place))

        assert status(last) == "200"
        assert [is_open(one) for one in silent] == [False] * 4 + [True] * 4


def test_a_connection_too_many_is_answered_with_a_page_while_all_are_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "CONNECTIONS_MAX", 2)
    with site() as place, ExitStack() as opened:
        match = place.open("battle", seed="3")
        readers = [opened.enter_context(connected(place)) for _ in range(2)]
        assert {status(one, following(match)) for one in readers} == {"200"}
        waiting = opened.enter_context(connected(place))
        head, body = asked(place, GET + CLOSE)
        readers[0].close()
        eventually(lambda: asked(place, GET + CLOSE)[0].startswith("HTTP/1.1 200 "), "no place is free again")
        known = status(waiting)

    assert head.startswith("HTTP/1.1 503 ")
    assert "retry-after: 10" in head.casefold()
    assert is_page(head, body)
    assert known == "200"


def test_an_address_with_more_connections_gives_way_to_another_also_while_they_are_in_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connections, "CONNECTIONS_MAX", 3)
    with site() as place, ExitStack() as opened:
        match = place.open("battle", seed="3")
        readers = [opened.enter_context(connected(place, STRANGER)) for _ in range(3)]
        assert {status(one, following(match)) for one in readers} == {"200"}
        good = opened.enter_context(connected(place))

        assert status(good) == "200"
        assert is_cut(readers[0])
        assert not is_cut(readers[2])


def test_connections_without_a_place_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "CONNECTIONS_MAX", 1)
    monkeypatch.setattr(connections, "BEYOND_MAX", 2)
    with site() as place, ExitStack() as opened:
        reader = opened.enter_context(connected(place))
        assert status(reader, following(place.open("battle", seed="3"))) == "200"
        beyond = [opened.enter_context(connected(place)) for _ in range(4)]
        eventually(lambda: not is_open(beyond[1]), "too many connections without a place")

        assert [is_open(one) for one in beyond] == [False, False, True, True]
        assert status(beyond[3]) == "503"


def is_cut(connection: socket) -> bool:
    """Return whether a connection on which something is sent now and then was ended."""
    connection.settimeout(0.2)
    try:
        while connection.recv(1 << 16):
            pass
    except TimeoutError:
        return False
    except ConnectionError:
        return True
    return True


def limits(opened: ExitStack, files: int) -> None:
    """Let this process have so many files open."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < files:
        if hard not in (resource.RLIM_INFINITY, -1) and hard < files:
            pytest.skip(f"this process may have only {hard} files open")
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
        opened.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))


def test_a_request_for_a_websocket_is_a_request_for_the_page_and_logs_no_advice(
    place: Site, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "uvicorn.error"):
        head, body = asked(place, GET + UPGRADE)

    assert head.startswith("HTTP/1.1 200 ")
    assert is_page(head, body)
    assert not [one for one in caplog.messages if "upgrade" in one or "WebSocket" in one]
