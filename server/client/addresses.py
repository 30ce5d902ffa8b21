"""The servers of one store: their addresses, the order in which a client tries them for a match, and which of them are away."""

from collections.abc import Callable, Sequence
from hashlib import sha256
from math import inf

from events.ids import MatchId, match_id
from server.client.retry import Contact, RetryPolicy, ignore
from server.protocol.replies import HelloReply, Reply
from server.protocol.wire import MatchRequest, OpenRequest, Request

AWAY_S = 30.0
"""For how long a server that did not answer is asked only if no other one is left (seconds)."""

MISSED_HEARTBEATS = 2.5
"""Silence in heartbeats of a server after which a follower turns to another one."""

ADDRESSES_MAX = 16
"""How many addresses a client keeps; those beyond, which servers name, are not used."""


def addresses_in(text: str) -> tuple[str, ...]:
    """Return the addresses in a text, in which commas separate them."""
    return tuple([part.strip() for part in text.split(",")])


def preferred(addresses: Sequence[str], match: MatchId) -> list[str]:
    """Return addresses in the order in which all clients try them for a match, so that one server has all of its clients."""
    return sorted(addresses, key=lambda address: sha256(f"{match} {address}".encode()).digest())


def match_of(request: Request) -> MatchId:
    """Return the match that a request is about, also one that it opens; empty if there is none."""
    if isinstance(request, MatchRequest):
        return request.match
    return match_id(request.key) if isinstance(request, OpenRequest) and request.key else MatchId("")


class Servers:
    """The servers that a client can ask, of which any one serves every match.

    Args:
        addresses: Where they take requests, separated by commas.
        retry_policy: How long to wait, and how often to ask. Several servers share these times.
        now: Monotonic seconds.
        notice: Is told when no server answers, and when one does again.

    Attributes:
        contact: What is known about them together.
        publishers: Where the server that was asked `hello` last publishes, by its address.
        silent_s: Silence (seconds) after which a follower turns to another server; None if none is known.
    """

    def __init__(
        self,
        addresses: str,
        retry_policy: RetryPolicy,
        now: Callable[[], float],
        notice: Callable[[str], None] = ignore,
    ) -> None:
        self._policy = retry_policy
        self._now = now
        self._known: list[str] = []
        self._away: dict[str, float] = {}
        self.contact = Contact(addresses, retry_policy, notice)
        self.publishers: dict[str, str] = {}
        self.silent_s: float | None = None
        self._add(addresses_in(addresses))
        self._last = self._known[0]

    def _add(self, addresses: Sequence[str]) -> None:
        self._known = list(dict.fromkeys((*self._known, *addresses)))[:ADDRESSES_MAX]
        count = len(self._known)
        self.contact.address = " or ".join(self._known)
        self.contact.retry_policy = RetryPolicy(
            timeout_s=self._policy.timeout_s / count,
            tries=self._policy.tries * count,
            pause_s=self._policy.pause_s,
            patience_s=self._policy.patience_s,
        )

    def of(self, match: MatchId) -> str:
        """Return the address to try now for a match, or for anything else if that is empty."""
        if len(self._known) == 1:
            return self._last
        order = preferred(self._known, match) if match else [self._last, *self._known]
        soon = self._now() - AWAY_S
        # Of those that are away, the one that has not been tried for longest.
        return min(order, key=lambda address: max(self._away.get(address, -inf), soon))

    def away(self, address: str) -> None:
        """Note that a server did not answer, or said that its store is not available."""
        self._away[address] = self._now()

    def back(self, address: str, reply: Reply) -> None:
        """Note that a server has answered; `hello` also tells where it publishes and which others there are."""
        self._last = address
        self._away.pop(address, None)
        if isinstance(reply, HelloReply):
            # One that was started again may publish somewhere else, so what the others said is asked anew.
            self.publishers = {address: publisher_address(address, reply.publisher)}
            self._add(reply.nodes)
            if len(self._known) > 1:
                self.silent_s = MISSED_HEARTBEATS * reply.heartbeat_s


def publisher_address(asked_at: str, told: str) -> str:
    """Return the address at which a client reaches the publisher.

    A server that listens on all interfaces does not know its own name, so a client that reached it by name takes only the port.
    """
    if asked_at.startswith("tcp://") and told.startswith("tcp://"):
        return f"{asked_at.rpartition(':')[0]}:{told.rpartition(':')[2]}"
    return told
