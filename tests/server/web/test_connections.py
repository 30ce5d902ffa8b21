"""Errors of connections are pages, and a request for a WebSocket is answered as any other."""

import logging
from collections.abc import Iterator
from contextlib import ExitStack
from socket import create_connection
from urllib.parse import urlsplit

import pytest

from server.web import connections
from tests.support.site import Site, site

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


def test_a_connection_too_many_is_answered_with_a_page(place: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "CONNECTIONS_MAX", 2)
    there = urlsplit(place.address)
    with ExitStack() as opened:
        last = opened.enter_context(create_connection((there.hostname, there.port), 20))
        within = asked(place, GET + CLOSE)[0]
        opened.enter_context(create_connection((there.hostname, there.port), 20))
        head, body = asked(place, GET + CLOSE)
        last.sendall(GET + CLOSE)
        known = last.recv(12).decode()
    after = asked(place, GET + CLOSE)[0]

    assert within.startswith("HTTP/1.1 200 ")
    assert head.startswith("HTTP/1.1 503 ")
    assert "retry-after: 10" in head.casefold()
    assert is_page(head, body)
    assert known == after[:12] == "HTTP/1.1 200"


def test_a_request_for_a_websocket_is_a_request_for_the_page_and_logs_no_advice(
    place: Site, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "uvicorn.error"):
        head, body = asked(place, GET + UPGRADE)

    assert head.startswith("HTTP/1.1 200 ")
    assert is_page(head, body)
    assert not [one for one in caplog.messages if "upgrade" in one or "WebSocket" in one]
