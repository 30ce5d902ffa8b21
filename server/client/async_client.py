"""The asynchronous client: the blocking client's calls for an event loop. It shares the calls and the repair of gaps."""

import asyncio
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Self

import zmq
import zmq.asyncio

from events.ids import PUBLIC, MatchId, Seat
from projections.state.table import Table
from projections.state.view import EventSlice
from server.client.addresses import Servers, match_of
from server.client.calls import AsyncDriver
from server.client.client import SILENT_HEARTBEATS, SILENT_S, SUBSCRIBED_S
from server.client.client_protocol import ClientCalls
from server.client.retry import PATIENCE_S, Exchange, RetryPolicy, ignore
from server.client.sockets import prepare
from server.client.subscription import Subscription
from server.protocol.clock import Clock, SystemClock
from server.protocol.curve import CurveKey
from server.protocol.errors import TimedOut
from server.protocol.identity import Identity, SystemIdentity
from server.protocol.publications import subscription_text
from server.protocol.replies import PlayedReply, Reply
from server.protocol.wire import HelloRequest, Request


class AsyncClient(ClientCalls, AsyncDriver):
    """The asynchronous client; its calls are carried out one at a time.

    Args:
        addresses: The request addresses of the servers; see `sockets.connect`.
        clock: Measures timeouts.
        identity: Generates keys and secrets.
        retry_policy: How long to wait for replies and how often to ask; by default ten minutes for a server that was there before.
        notice: Is told in one line when the server is away, and in another when it is back.
        owner: The secret of the store's owner, for the arbiter's seat.
        server_key: The server's public key if the connection is to be encrypted.
        client_key: The client's own key, for a server that lists its clients; by default a new one.
    """

    def __init__(
        self,
        addresses: str,
        *,
        clock: Clock | None = None,
        identity: Identity | None = None,
        retry_policy: RetryPolicy | None = None,
        notice: Callable[[str], None] = ignore,
        owner: str = "",
        server_key: str = "",
        client_key: CurveKey | None = None,
    ) -> None:
        identity = SystemIdentity() if identity is None else identity
        ClientCalls.__init__(self, identity, owner)
        AsyncDriver.__init__(self, self.ask)
        self.clock: Clock = SystemClock() if clock is None else clock
        retry_policy = RetryPolicy(patience_s=PATIENCE_S) if retry_policy is None else retry_policy
        self._servers = Servers(addresses, retry_policy, self.clock.monotonic, notice)
        self._server_key = server_key
        self._client_key = client_key
        self._prefix = identity.key()
        self._count = 0
        self._context = zmq.asyncio.Context()
        self._dealers: dict[str, zmq.asyncio.Socket] = {}
        self._turn = asyncio.Lock()

    def close(self) -> None:
        """Close all sockets."""
        self._context.destroy(linger=0)

    async def __aenter__(self) -> Self:
        """Use the client."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close all sockets."""
        self.close()

    def _open(self, kind: int, address: str) -> zmq.asyncio.Socket:
        made = self._context.socket(kind)
        prepare(made, self._server_key, address, self._client_key)
        return made

    async def ask(self, request: Request) -> Reply:
        """Return the reply to any request, a `FailedReply` included.

        Raises:
            TimedOut: No reply came.
        """
        return await self._ask_about(match_of(request), request)

    async def _ask_about(self, match: MatchId, request: Request) -> Reply:
        """Return the reply to a request, from the first server of a match that answers."""
        async with self._turn:
            self._count += 1
            id_, now = f"{self._prefix}-{self._count}", self.clock.monotonic()
            exchange = Exchange(request, id_, self._servers.contact, now)
            while True:
                address = self._servers.of(match)
                reply = await self._try(exchange, address)
                if reply is not None:
                    self._servers.back(address, reply)
                    return reply
                if exchange.must_turn:
                    self._servers.away(address)
                exchange.again(self.clock.monotonic())

    async def _try(self, exchange: Exchange, address: str) -> Reply | None:
        """Send once and wait for the reply; if it does not come in time, drop the connection and return None."""
        dealer = self._dealers.get(address)
        if dealer is None:
            dealer = self._dealers[address] = self._open(zmq.DEALER, address)
        try:
            await dealer.send_multipart(exchange.frames)
            while await dealer.poll(round(exchange.wait_s(self.clock.monotonic()) * 1000)):
                reply = exchange.take(await dealer.recv_multipart(), self.clock.monotonic())
                if reply is not None:
                    return reply
        except asyncio.CancelledError:
            self._dealers.pop(address).close()
            raise
        self._dealers.pop(address).close()
        return None

    async def follow(self, match: MatchId, seat: Seat = PUBLIC, *, silent_s: float | None = None) -> "AsyncFollowing":
        """Follow a match from its present state, without a gap; see `Client.follow`."""
        listener = await self.listen(match, seat)
        try:
            silent_s = self._servers.silent_s if silent_s is None else silent_s
            following = AsyncFollowing(self, listener, Subscription(await self.state(match, seat)), silent_s)
        except BaseException:
            listener.close()
            raise
        try:
            await following.confirm()
        except BaseException:
            following.close()
            raise
        return following

    async def listen(self, match: MatchId, seat: Seat) -> zmq.asyncio.Socket:
        """Subscribe to a seat's publications."""
        if self._servers.of(match) not in self._servers.publishers:
            await self._ask_about(match, HelloRequest())
        ((_, publisher),) = self._servers.publishers.items()
        listener = self._open(zmq.XSUB, publisher)
        await listener.send(b"\1" + subscription_text(match, seat, self.token(match, seat)))
        return listener


class AsyncFollowing:
    """A subscription to a match; see `client.Following`."""

    def __init__(
        self,
        client: AsyncClient,
        listener: zmq.asyncio.Socket,
        subscription: Subscription,
        silent_s: float | None = None,
    ) -> None:
        self._client = client
        self._listener = listener
        self._subscription = subscription
        self._silent_s = SILENT_S if silent_s is None else silent_s
        self._heard = client.clock.monotonic()

    @property
    def table(self) -> Table:
        """The table after the events that were returned so far."""
        return self._subscription.table

    @property
    def seq(self) -> int:
        """The number of the last event that was returned."""
        return self._subscription.table.seq

    async def confirm(self) -> None:
        """Wait until the subscription is confirmed; see `client.Following.confirm`."""
        due = self._client.clock.monotonic() + SUBSCRIBED_S
        while not self._subscription.heard:
            if not await self._hear(due - self._client.clock.monotonic()):
                raise TimedOut(f"the server did not confirm the subscription within {SUBSCRIBED_S:g} s")

    def heed(self, reply: PlayedReply) -> None:
        """Take the events of the client's own command, without waiting for them to be published."""
        for slice_ in reply.slices:
            self._subscription.take(slice_)

    async def next(self, timeout_s: float | None = None) -> EventSlice | None:
        """Return the next events, or None if none came in time; without a limit, wait indefinitely."""
        clock = self._client.clock
        due = None if timeout_s is None else clock.monotonic() + timeout_s
        while (slice_ := self._subscription.pop()) is None:
            if self._subscription.behind:
                await self._catch_up()
            elif not await self._hear(None if due is None else due - clock.monotonic()):
                return None
        self._client.heed(self._subscription.match, self._subscription.seat, [slice_])
        return slice_

    async def _hear(self, timeout_s: float | None) -> bool:
        """Take the next published message, or what was missed in a long silence; return whether anything came in time."""
        now = self._client.clock.monotonic
        due = None if timeout_s is None else now() + max(0.0, timeout_s)
        while True:
            silence = self._heard + self._silent_s - now()
            if silence <= 0:
                await self._subscribe_again()
                return True
            wait_s = silence if due is None else min(silence, due - now())
            if await self._listener.poll(max(0, round(wait_s * 1000))):
                self._heard = now()
                self._subscription.take_message(await self._listener.recv())
                return True
            if due is not None and now() >= due:
                return False

    async def _subscribe_again(self) -> None:
        """See `client.Following`."""
        self._silent_s = max(self._silent_s, SILENT_HEARTBEATS * (await self._client.hello()).heartbeat_s)
        known = self._subscription
        listener = await self._client.listen(known.match, known.seat)
        self._listener.close()
        self._listener = listener
        await self._catch_up()
        self._heard = self._client.clock.monotonic()

    async def _catch_up(self) -> None:
        known = self._subscription
        for missed in await self._client.log(known.match, known.seat, known.seq):
            known.take(missed)

    def close(self) -> None:
        """Stop following."""
        self._listener.close()

    async def __aiter__(self) -> AsyncIterator[EventSlice]:
        """Yield all events until the match has ended."""
        while self.table.ended is None:
            slice_ = await self.next()
            if slice_ is not None:
                yield slice_

    async def __aenter__(self) -> Self:
        """Follow."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop following."""
        self.close()
