"""One request and its reply over a connection that may lose either: retries, timeouts, stale replies, and servers that are away for a while."""

from collections.abc import Callable
from random import random

from events.codec import DecodeError, Struct, encode, replace, tag_of
from server.protocol.errors import OUTCOME_UNKNOWN, STORE_UNAVAILABLE, ProtocolBroken, TimedOut
from server.protocol.messages import check_size, decode_reply, message_id
from server.protocol.replies import FailedReply, Reply
from server.protocol.wire import PROTOCOL, Request

PROTOCOL_FRAME = PROTOCOL.encode()


PATIENCE_S = 600.0
"""How long a client waits by default for a server to come back (seconds): a restart or a reboot takes minutes."""


PAUSE_MAX_S = 1.0
"""How long a client pauses at most, and a random part more, when a server says that it can do nothing at the moment (seconds): the next one may be a good one."""


class RetryPolicy(Struct, frozen=True):
    """Waiting times of a client for replies (seconds).

    It waits for each reply, tries several times, and pauses when told to retry. A server that has answered before is then given
    `patience_s` to come back, since the request was first sent; meanwhile the request is sent again at random intervals of one to two timeouts.
    """

    timeout_s: float = 5.0
    tries: int = 3
    pause_s: float = 0.2
    patience_s: float = 0.0


def ignore(notice: str) -> None:
    """Drop a notice."""


class Contact:
    """Knowledge of a connection about its server: whether it has answered, and whether it is away.

    Args:
        address: Where the server takes requests, for messages.
        retry_policy: How long to wait for it.
        notice: Is told in one line that the server is away, and in another that it is back.
        chance: Returns a random number from 0 to 1, so that clients do not all try at the same moment.
    """

    def __init__(
        self,
        address: str,
        retry_policy: RetryPolicy,
        notice: Callable[[str], None] = ignore,
        chance: Callable[[], float] = random,
    ) -> None:
        self.address = address
        self.retry_policy = retry_policy
        self.chance = chance
        self._notice = notice
        self._has_answered = False
        self._away_since: float | None = None

    @property
    def patience_s(self) -> float:
        """How long the server is given to come back; 0 for one that has never answered: the address may be wrong."""
        return self.retry_policy.patience_s if self._has_answered else 0.0

    def away(self, since: float, why: str) -> None:
        """Note that the server has not answered, or not as it should, since a request was sent first (monotonic seconds)."""
        if self._away_since is None and self.patience_s:
            self._away_since = since
            self._notice(f"the server at {self.address} {why}; trying again for up to {self.patience_s:g} s")

    def back(self, now: float) -> None:
        """Note that it has answered."""
        self._has_answered = True
        if self._away_since is not None:
            self._notice(f"the server at {self.address} is back after {now - self._away_since:.0f} s")
            self._away_since = None


UNDECIDED = frozenset(("internal", "evidence_broken"))
"""Codes without `retry` that say nothing about the outcome of earlier tries."""


class Outcome:
    """Knowledge about a request that is sent several times.

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
        contact: The connection's server, and how long to wait for it.
        now: Monotonic seconds.

    Attributes:
        must_turn: Another server is to be asked the next time, if there is one: this one has not answered the last try, or its store is not available.

    Raises:
        RequestFailed: The request is larger than a server takes; it may close the connection without an answer.
    """

    def __init__(self, request: Request, id_: str, contact: Contact, now: float) -> None:
        self.frames = [PROTOCOL_FRAME, encode(replace(request, id=id_))]
        check_size(self.frames[-1])
        self._id = id_
        self._type = type(request)
        self._contact = contact
        self._retry_policy = contact.retry_policy
        self._tries = 1
        self._began = now
        self._due = now + self._retry_policy.timeout_s
        self._outcome = Outcome()
        self._says = ""
        self.must_turn = True

    def wait_s(self, now: float) -> float:
        """Return how long to wait for a reply before `again`; 0 or more."""
        return max(0.0, self._due - now)

    def again(self, now: float) -> None:
        """Count another try, after which the frames are to be sent again.

        Raises:
            TimedOut: The tries are used up.
        """
        if not self._may_try_again(now):
            raise TimedOut(self._unanswered(now))
        is_patient = self._tries >= self._retry_policy.tries
        if is_patient or not self._says:
            self._contact.away(self._began, self._says or "does not answer")
        self._tries += 1
        self._says = ""
        self.must_turn = True
        self._due = now + self._retry_policy.timeout_s * (1 + self._contact.chance() if is_patient else 1)

    def _may_try_again(self, now: float) -> bool:
        return self._tries < self._retry_policy.tries or now - self._began < self._contact.patience_s

    def _unanswered(self, now: float) -> str:
        address, policy = self._contact.address, self._retry_policy
        if self._contact.patience_s:
            return f"the server at {address} has not come back within {now - self._began:.0f} s"
        return (
            f"no answer from the server at {address} within {policy.timeout_s:g} s, {self._tries} times: "
            "check the address and, if the server encrypts, its key"
        )

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
        due = min(self._due, now + self._pause_s())
        if isinstance(reply, FailedReply) and reply.retry and self._may_try_again(due):
            self._outcome.seen(reply)
            self._due = due
            self._says = f"says: {reply.message}"
            self.must_turn = reply.code == STORE_UNAVAILABLE
            return None
        if not (isinstance(reply, FailedReply) and reply.retry):
            self._contact.back(now)
        return self._outcome.final(reply)

    def _pause_s(self) -> float:
        """Return how long to pause before the next try: longer, once the server turns out not to be busy for a moment only."""
        pause_s, doublings = self._retry_policy.pause_s, max(0, min(self._tries - self._retry_policy.tries, 10))
        if not doublings:
            return pause_s
        return min(pause_s * (1 << doublings), max(pause_s, PAUSE_MAX_S)) * (1 + self._contact.chance())
