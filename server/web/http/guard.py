"""Guard of every request: its sender, size and rate, and the headers of every reply."""

import math
from asyncio import CancelledError
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from typing import TypeAlias

from server.page_parts.html import Content
from server.web.http.page_frame import message_page, ways_on
from server.web.http.rate_limits import Rates, whose

Scope: TypeAlias = MutableMapping[str, object]
Message: TypeAlias = MutableMapping[str, object]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
"""What a page may load: nothing but scripts, styles and pictures of this server. Nothing inline, nothing of another host."""

HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
AT_ONCE_MAX = 100
"""How many requests of an address are carried out at a time."""
ENDING = "The server ends", "It was stopped before it had answered.", "Try again in a moment."
ENDING_WAIT_S = 5
BODY_BYTES_MAX = 16 << 10
PATH_BYTES_MAX = 2 << 10
LOOPBACK = frozenset(("localhost", "127.0.0.1", "::1"))


class Guard:
    """Wraps the application.

    Args:
        app: The application.
        rates: How many requests an address may make.
        hosts: The names by which the server is called; empty for any. Another name in a request is a sign that a foreign page has
            let its own name point here.
    """

    def __init__(self, app: App, rates: Rates, hosts: Collection[str]) -> None:
        self._app = app
        self._rates = rates
        self._hosts = frozenset(host.casefold() for host in hosts)
        self._under_way: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer, address = _Answer(send, is_head=scope["method"] == "HEAD"), _address(scope)
        refusal = self._refusal(scope, address)
        if refusal is not None:
            status, title, what, advice, wait = refusal
            # Only who has asked too often can go on with the same address later.
            ways = _ways(scope) if wait else None
            await _refuse(answer.send, status, message_page(title, what, advice, ways), wait)
            return
        self._under_way[address] += 1
        try:
            await self._app(scope, _Bounded(receive).receive, answer.send)
        except CancelledError:
            # Only a server that ends does this, after it has waited for a while.
            if not answer.is_begun:
                await _refuse(answer.send, 503, message_page(*ENDING), ENDING_WAIT_S)
        finally:
            self._under_way[address] -= 1
            if not self._under_way[address]:
                del self._under_way[address]

    def _refusal(self, scope: Scope, address: str) -> tuple[int, str, str, str, int] | None:
        headers = _headers(scope)
        host = _host_of(headers.get(b"host", b"").decode("latin-1"))
        if self._hosts and host not in self._hosts:
            names = ", ".join(sorted(self._hosts))
            return (
                421,
                "Another server is meant",
                f"This server is called {names}, not {host[:80]!r}.",
                "Use one of its names; the operator adds one with --public-name.",
                0,
            )
        path, query = scope["raw_path"], scope["query_string"]
        assert isinstance(path, bytes) and isinstance(query, bytes)
        if len(path) + len(query) > PATH_BYTES_MAX:
            return (
                414,
                "The address is too long",
                f"An address has at most {PATH_BYTES_MAX} bytes.",
                "Check the link.",
                0,
            )
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length[:12]) > BODY_BYTES_MAX:
            return 413, "The request is too large", f"A form has at most {BODY_BYTES_MAX} bytes.", "Send less.", 0
        wait = 1 if self._under_way[address] >= AT_ONCE_MAX else math.ceil(self._rates.wait_s(address))
        if wait:
            return (
                429,
                "Too many requests",
                "So many requests came from your address that others would have to wait.",
                "Try again in a moment.",
                wait,
            )
        return None


class _Bounded:
    """Reads the body of a request, and ends one that is larger than its length or than the limit."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._left = BODY_BYTES_MAX

    async def receive(self) -> Message:
        """Return the next message."""
        message = await self._receive()
        body = message.get("body", b"")
        assert isinstance(body, bytes)
        self._left -= len(body)
        return message if self._left >= 0 else {"type": "http.disconnect"}


class _Answer:
    """Adds the headers of every reply, and leaves the body out for a request that only asks for these."""

    def __init__(self, send: Send, *, is_head: bool) -> None:
        self._send = send
        self._is_head = is_head
        self.is_begun = False

    async def send(self, message: Message) -> None:
        """Send a message."""
        if message["type"] == "http.response.start":
            given = message.get("headers", [])
            assert isinstance(given, list)
            message["headers"] = [*given, *HEADERS]
            self.is_begun = True
        elif self._is_head and message["type"] == "http.response.body":
            message["body"] = b""
        await self._send(message)


async def _refuse(send: Send, status: int, text: str, wait: int) -> None:
    body = text.encode()
    headers = [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    if wait:
        headers.append((b"retry-after", str(wait).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _headers(scope: Scope) -> dict[bytes, bytes]:
    headers = scope["headers"]
    assert isinstance(headers, list | tuple)
    return dict(headers)


def _ways(scope: Scope) -> Content:
    """Return where a visitor can go on."""
    path, query, referrer = scope["path"], scope["query_string"], _headers(scope).get(b"referer", b"")
    assert isinstance(path, str) and isinstance(query, bytes)
    return ways_on(path, query.decode("latin-1"), referrer.decode("latin-1"))


def _address(scope: Scope) -> str:
    """Return the address by which a visitor is limited; behind a proxy that is believed, the one that the proxy names."""
    client = scope.get("client")
    return whose(str(client[0])) if isinstance(client, tuple | list) else ""


def _host_of(header: str) -> str:
    """Return the host of a header without its port, in lower case."""
    host = header.casefold().strip()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]
