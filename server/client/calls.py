"""Runs the calls of clients, without sockets: a call is written once and works on every kind of client.

A call is a generator: it yields requests, is sent their replies, and returns the result.
"""

from collections.abc import Awaitable, Callable, Coroutine, Generator, Mapping, Sequence
from functools import update_wrapper
from types import MethodType
from typing import Concatenate, Generic, ParamSpec, Self, TypeVar, cast, overload

from core.engine.command import Command
from events.codec import Raw, decode_plain, encode, tag_of
from server.protocol.errors import ProtocolBroken, RequestFailed
from server.protocol.replies import FailedReply, Reply
from server.protocol.wire import Request

C = TypeVar("C")
P = ParamSpec("P")
R = TypeVar("R", bound=Reply)
T = TypeVar("T")

Call = Generator[Request, Reply, T]
"""A call: it yields requests, receives replies, and returns the result."""


def asked(request: Request, reply_type: type[R]) -> Call[R]:
    """Send one request and return its reply.

    Raises:
        RequestFailed: The server refused the request.
        ProtocolBroken: The reply has another type.
    """
    reply = yield request
    if isinstance(reply, FailedReply):
        raise RequestFailed(reply)
    if not isinstance(reply, reply_type):
        raise ProtocolBroken(
            f"the server violates the protocol: it answers '{tag_of(type(request))}' with '{tag_of(type(reply))}'"
        )
    return reply


class BlockingDriver:
    """Runs calls and returns their results.

    Args:
        ask: Returns the reply to a request.
    """

    def __init__(self, ask: Callable[[Request], Reply]) -> None:
        self._ask = ask

    def run(self, call: Call[T]) -> T:
        """Run a call and return its result."""
        try:
            request = next(call)
            while True:
                request = call.send(self._ask(request))
        except StopIteration as done:
            outcome: T = done.value
            return outcome


class AsyncDriver:
    """Runs calls in an event loop and returns awaitables of their results.

    Args:
        ask: Returns an awaitable of the reply to a request.
    """

    def __init__(self, ask: Callable[[Request], Awaitable[Reply]]) -> None:
        self._ask = ask

    async def run(self, call: Call[T]) -> T:
        """Run a call and return its result."""
        try:
            request = next(call)
            while True:
                request = call.send(await self._ask(request))
        except StopIteration as done:
            outcome: T = done.value
            return outcome


class SansIoDriver:
    """Returns calls unchanged, for programs with a transport of their own."""

    def run(self, call: Call[T]) -> Call[T]:
        """Return the call."""
        return call


class ClientCall(Generic[C, P, T]):
    """A call as a method of every kind of client; used as a decorator.

    Args:
        function: The call as a generator.
    """

    def __init__(self, function: Callable[Concatenate[C, P], Call[T]]) -> None:
        self._function = function
        update_wrapper(self, function)

    @overload
    def __get__(self, client: None, owner: type[object]) -> Self: ...
    @overload
    def __get__(self, client: BlockingDriver, owner: type[object]) -> Callable[P, T]: ...
    @overload
    def __get__(self, client: AsyncDriver, owner: type[object]) -> Callable[P, Coroutine[object, object, T]]: ...
    @overload
    def __get__(self, client: SansIoDriver, owner: type[object]) -> Callable[P, Call[T]]: ...
    def __get__(self, client: object, owner: type[object]) -> object:
        """Return the call as a method of a client: blocking, awaitable or as a generator."""
        return self if client is None else MethodType(self, client)

    def __call__(
        self, client: BlockingDriver | AsyncDriver | SansIoDriver, *args: P.args, **kwargs: P.kwargs
    ) -> object:
        """Run the call with a client's driver."""
        return client.run(self._function(cast("C", client), *args, **kwargs))


AnyCommand = Command | Mapping[str, object] | Sequence[Command | Mapping[str, object]] | str | bytes | int
"""A command as a struct, as plain data, as JSON text, or as the number of an option; or an order: several of the first two."""


def command_json(command: AnyCommand) -> Raw:
    """Return a command or an order as JSON.

    Raises:
        DecodeError: A text is not a JSON value; as a part of a request it could change what else the request says.
    """
    if isinstance(command, str | bytes):
        decode_plain(command)
        return Raw(command.encode() if isinstance(command, str) else command)
    return Raw(encode(command))
