"""One request and its reply over a connection that may lose either: retries, timeouts and stale replies."""

from events.codec import DecodeError, Struct, encode, replace, tag_of
from server.protocol.errors import OUTCOME_UNKNOWN, ProtocolBroken, TimedOut
from server.protocol.replies import FailedReply, Reply
from server.protocol.wire import PROTOCOL, Request, check_size, decode_reply, message_id

PROTOCOL_FRAME = PROTOCOL.encode()


class RetryPolicy(Struct, frozen=True):
    """How long a client waits for a reply (seconds), how often it tries, and how long it pauses when told to retry."""

    timeout_s: float = 5.0
    tries: int = 3
    pause_s: float = 0.2


UNDECIDED = frozenset(("internal", "evidence_broken"))
"""Codes without `retry` that say nothing about the outcome of earlier tries."""


class Outcome:
    """What is known about a request that is sent several times.

    After a try whose outcome is unknown, a later failure only means that the later try had no effect. A reply that the server
    decides from the log, such as a refusal or the first outcome of the key, settles the outcome.
    """

    __slots__ = ("_unknown",)

    def __init__(self) -> None:
        self._unknown: FailedReply | None = None

    def seen(self, reply: FailedReply) -> None:
        """Record the failure of a try that will be repeated."""
        if reply.code == OUTCOME_UNKNOWN:
            self._unknown = reply

    def final(self, reply: Reply) -> Reply:
        """Return the last reply, corrected for what earlier tries may have done."""
        if self._unknown is None or not isinstance(reply, FailedReply):
            return reply
        return self._unknown if reply.retry or reply.code in UNDECIDED else reply


class Exchange:
    """One request, from the first try to its reply.

    Every try sends the same bytes, so that a command, which has an idempotency key, takes effect once however often it
    arrives.

    Args:
        request: The request.
        id_: A correlation id that the connection has not used before.
        retry_policy: How long to wait.
        now: Monotonic seconds.
        address: Where the server takes requests, for messages.

    Raises:
        RequestFailed: The request is larger than a server takes; it may close the connection without an answer.
    """

    def __init__(self, request: Request, id_: str, retry_policy: RetryPolicy, now: float, address: str) -> None:
        self.frames = [PROTOCOL_FRAME, encode(replace(request, id=id_))]
        check_size(self.frames[-1])
        self._id = id_
        self._type = type(request)
        self._retry_policy = retry_policy
        self._address = address
        self._tries = 1
        self._due = now + retry_policy.timeout_s
        self._outcome = Outcome()

    def wait_s(self, now: float) -> float:
        """Return how long to wait for a reply before `again`; 0 or more."""
        return max(0.0, self._due - now)

    def again(self, now: float) -> None:
        """Count another try, after which the frames are to be sent again.

        Raises:
            TimedOut: The tries are used up.
        """
        if self._tries >= self._retry_policy.tries:
            raise TimedOut(
                f"no answer from the server at {self._address} within {self._retry_policy.timeout_s:g} s, {self._tries} times: "
                "check the address and, if the server encrypts, its key"
            )
        self._tries += 1
        self._due = now + self._retry_policy.timeout_s

    def take(self, frames: list[bytes], now: float) -> Reply | None:
        """Return the reply if the frames hold it; None if they are stale, foreign, or say to retry later.

        Raises:
            ProtocolBroken: The reply has a type that does not fit the request.
        """
        if not frames:
            return None
        try:
            reply = decode_reply(frames[-1], self._type)
        except DecodeError as error:
            if message_id(frames[-1]) != self._id:
                return None
            raise ProtocolBroken(
                f"the server violates the protocol: its answer to '{tag_of(self._type)}' has another type: {error}"
            ) from None
        if reply.id != self._id:
            return None
        if isinstance(reply, FailedReply) and reply.retry and self._tries < self._retry_policy.tries:
            self._outcome.seen(reply)
            self._due = min(self._due, now + self._retry_policy.pause_s)
            return None
        return self._outcome.final(reply)
