"""The way from the pages to the broker: a few connections that all visitors share, and the calls of one of them."""

from collections.abc import Callable, Mapping

from core.match.link_commands import PAGES_HOLDER
from events.ids import Digest, MatchId, Seat
from server.client.async_client import AsyncClient
from server.client.calls import AsyncDriver, asked
from server.client.client_protocol import ClientCalls
from server.client.retry import RetryPolicy
from server.protocol.curve import CurveKey
from server.protocol.identity import SystemIdentity
from server.protocol.replies import LogReply, Reply
from server.protocol.wire import LOG_EVENTS_MAX, LogRequest, Request

CONNECTIONS = 4
"""A connection carries out one request at a time, so several keep a slow one from delaying all."""

RETRY = RetryPolicy(timeout_s=4.0, tries=2)
"""A visitor waits for a page, so that a broker that is gone is told sooner than to a program."""


class Caller(ClientCalls, AsyncDriver):
    """The calls of one visitor.

    Args:
        gateway: Carries them.
        secrets: The secrets that the visitor has proved, by match and seat.
    """

    def __init__(self, gateway: "Gateway", secrets: Mapping[tuple[MatchId, Seat], str]) -> None:
        ClientCalls.__init__(self, gateway.identity)
        AsyncDriver.__init__(self, gateway.ask)
        self.links_key, self.holder, self.openings = gateway.links_key, PAGES_HOLDER, gateway.openings
        for (match, seat), secret in secrets.items():
            self.add_token(match, seat, secret)

    async def part_of_log(self, match: MatchId, seat: Seat, since: int, most: int = LOG_EVENTS_MAX) -> LogReply:
        """Return the commits that follow an event of a seat, with so many events at most.

        Raises:
            RequestFailed: There is no such match or seat, the secret does not prove the seat, or the match is damaged.
        """
        request = LogRequest(match=match, seat=seat, token=self.token(match, seat), since=since, limit=most)
        return await self.run(asked(request, LogReply))


class Gateway:
    """Connections to a broker.

    Args:
        address: Where the broker takes requests.
        server_key: Its public key, if connections are encrypted.
        client_key: Our own key, for a broker that lists its clients.
        retry_policy: How long to wait for replies and how often to ask.
        links_key: Returns the secret from which the chains of links follow that these pages hold for visitors; without it they hold none.

    Attributes:
        follower: Carries subscriptions.
        shown: Is told which match is shown, and returns at once; by default nothing happens.
    """

    def __init__(
        self,
        address: str,
        *,
        server_key: str = "",
        client_key: CurveKey | None = None,
        retry_policy: RetryPolicy = RETRY,
        links_key: Callable[[], bytes] | None = None,
    ) -> None:
        self.links_key = links_key
        self.shown: Callable[[MatchId], None] = lambda _: None
        self.identity = SystemIdentity()
        self.openings: dict[MatchId, Digest] = {}
        self._clients = [
            AsyncClient(address, retry_policy=retry_policy, server_key=server_key, client_key=client_key)
            for _ in range(CONNECTIONS)
        ]
        self._waiting = [0] * CONNECTIONS
        self.follower = AsyncClient(address, retry_policy=retry_policy, server_key=server_key, client_key=client_key)

    def caller(self, secrets: Mapping[tuple[MatchId, Seat], str]) -> Caller:
        """Return the calls of a visitor who has proved these secrets."""
        return Caller(self, secrets)

    async def ask(self, request: Request) -> Reply:
        """Return the reply to a request, a `FailedReply` included.

        Raises:
            TimedOut: No reply came.
        """
        index = self._waiting.index(min(self._waiting))
        self._waiting[index] += 1
        try:
            return await self._clients[index].ask(request)
        finally:
            self._waiting[index] -= 1

    def close(self) -> None:
        """Close all connections."""
        for client in (*self._clients, self.follower):
            client.close()
