"""What a connection is told by a page where the layer of HTTP would answer with bare text: too many connections, and requests that are not HTTP."""

from http import HTTPStatus

from typing_extensions import override
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from server.web.guard import HEADERS, Receive, Scope, Send
from server.web.layout import message_page

CONNECTIONS_MAX = 1_000
"""How many connections may be open; a request on another one is answered with 503."""
FULL_AGAIN_S = 10
"""After how many seconds a visitor is to try again who found all connections in use."""
_PAGE = ((b"content-type", b"text/html; charset=utf-8"), (b"cache-control", b"no-store"), (b"connection", b"close"))


class PagesProtocol(H11Protocol):
    """A connection whose errors are pages, too.

    A request for an upgrade is answered as if it had not asked for one, without a hint in the log to install more.
    """

    @override
    def handle_events(self) -> None:
        """Answer requests, by the pages unless too many connections are open."""
        self.app = _full if len(self.connections) > CONNECTIONS_MAX else self.config.loaded_app
        super().handle_events()

    @override
    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP, and end the connection."""
        body = message_page("Not understood", "The request is not valid HTTP.", "Check the link, and load it again.")
        head = [b"HTTP/1.1 400 Bad Request", *(b"%s: %s" % header for header in (*_PAGE, *HEADERS))]
        # An answer that has begun is only cut off: what is written now would be a part of it.
        cycle: RequestResponseCycle | None = self.cycle
        if cycle is None or cycle.response_complete or not cycle.response_started:
            # Nothing follows on this connection, so that the answer is as long as it is open.
            self.transport.write(b"\r\n".join([*head, b"", body.encode()]))
        self.transport.close()

    @override
    def _should_upgrade(self) -> bool:
        return False


async def _full(_scope: Scope, _receive: Receive, send: Send) -> None:
    """Answer a request for which there is one connection too many."""
    what = f"{CONNECTIONS_MAX:,} connections are open, as many as this server has."
    body = message_page("Too many visitors", what, "Try again in a moment.").encode()
    again = (b"retry-after", str(FULL_AGAIN_S).encode())
    headers = [*_PAGE, *HEADERS, (b"content-length", str(len(body)).encode()), again]
    await send({"type": "http.response.start", "status": HTTPStatus.SERVICE_UNAVAILABLE.value, "headers": headers})
    await send({"type": "http.response.body", "body": body})
