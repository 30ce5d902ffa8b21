"""One request and its reply over a connection that may lose either: resend, give up, tell stale replies from the right one."""

from events.codec import DecodeError, Struct, encode, replace, tag_of
from server.errors import TimedOut
from server.wire import PROTOCOL, AnyReply, AnyRequest, FailedReply, decode_reply

PROTOCOL_FRAME = PROTOCOL.encode()


class Patience(Struct, frozen=True):
    """How long a client waits for a reply (seconds), how often it asks, and how long it pauses when told to try again."""

    timeout_s: float = 5.0
    tries: int = 3
    pause_s: float = 0.2


class Exchange:
    """One request until its reply.

    Every try sends the same bytes, so that a command, which has its idempotency key, takes effect once however often it
    arrives.

    Args:
        request: What is asked.
        id_: A correlation id that the connection has not used before.
        patience: How long to wait.
        now: Seconds of a clock that only grows.
    """

    def __init__(self, request: AnyRequest, id_: str, patience: Patience, now: float) -> None:
        """Be ready to send."""
        self.frames = [PROTOCOL_FRAME, encode(replace(request, id=id_))]
        self._id = id_
        self._what = tag_of(type(request))
        self._patience = patience
        self._tries = 1
        self._due = now + patience.timeout_s

    def wait_s(self, now: float) -> float:
        """Return how long to wait for a reply before `again`; 0 or more."""
        return max(0.0, self._due - now)

    def again(self, now: float) -> None:
        """Count another try, after which the frames are to be sent again.

        Raises:
            TimedOut: There were enough.
        """
        if self._tries >= self._patience.tries:
            raise TimedOut(
                f"the server did not answer the request '{self._what}' within {self._patience.timeout_s:g} s, {self._tries} times: "
                "does it run there, and if it encrypts, was its key given?"
            )
        self._tries += 1
        self._due = now + self._patience.timeout_s

    def take(self, frames: list[bytes], now: float) -> AnyReply | None:
        """Return the reply if these frames are it; nothing if they are stale, foreign, or ask to try again later."""
        try:
            reply = decode_reply(frames[-1])
        except (DecodeError, IndexError):
            return None
        if reply.id != self._id:
            return None
        if isinstance(reply, FailedReply) and reply.retry and self._tries < self._patience.tries:
            self._due = min(self._due, now + self._patience.pause_s)
            return None
        return reply
