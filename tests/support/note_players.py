"""Players who write notes to matches through several servers, and the check that what was acknowledged is stored once."""

import time
from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import NamedTuple

from core.audit.match_audit import audit_match
from events.codec import Raw
from events.ids import MatchId
from events.log import Log
from server.client.retry import RetryPolicy
from server.client.sockets import connect
from tests.support.served import seated
from tests.support.skirmish import BLUE, RED

NOTE = Raw(b'{"do":"match:note","text":"note"}')


class Acknowledged(NamedTuple):
    """A command that a client was told is stored, when (monotonic seconds), and how long that took (seconds)."""

    match: MatchId
    key: str
    at_s: float
    took_s: float


class Course(NamedTuple):
    """How many commands were acknowledged, the longest time without any, and how long the slowest one took (seconds)."""

    commands: int
    gap_s: float
    slowest_s: float

    def told(self) -> str:
        """Return it in a line."""
        return f"{self.commands} acknowledged, each stored once; {self.gap_s:.1f} s without any; the slowest took {self.slowest_s:.1f} s"

    def then(self, other: "Course") -> "Course":
        """Return both together, one after the other."""
        return Course(
            self.commands + other.commands, max(self.gap_s, other.gap_s), max(self.slowest_s, other.slowest_s)
        )


class NotePlayers:
    """Players, each with a match of its own, and one match that all share.

    Args:
        addresses: The servers, separated by commas.
        number: How many players there are.
        policy: How long they wait for the servers.
    """

    def __init__(self, addresses: str, number: int, policy: RetryPolicy) -> None:
        self._addresses, self._policy = addresses, policy
        with connect(addresses, retry_policy=policy) as client:
            self._matches = [seated(client, seed=f"{one}") for one in range(number + 1)]
            self._tokens = {(match, seat): client.token(match, seat) for match in self._matches for seat in (RED, BLUE)}

    def play(self, number: int, seconds: float) -> list[Acknowledged]:
        """Let a player write for some time; return what was acknowledged. It fails if the player has to give up."""
        choose, played = Random(number), list[Acknowledged]()
        with connect(self._addresses, retry_policy=self._policy) as client:
            for (match, seat), token in self._tokens.items():
                client.add_token(match, seat, token)
            until = time.monotonic() + seconds
            while time.monotonic() < until:
                match = self._matches[number if choose.random() < 0.7 else -1]
                key, began = f"{number}-{len(played)}", time.monotonic()
                client.play(match, choose.choice((RED, BLUE)), NOTE, key=key)
                now = time.monotonic()
                played.append(Acknowledged(match, key, now, now - began))
        return played

    def check(self, log: Log, played: Sequence[Sequence[Acknowledged]]) -> "Course":
        """Check that all that was acknowledged is stored, and everything once."""
        acknowledged = [one for each in played for one in each]
        stored = [(match, one.key) for match in self._matches for one in log.read(match)]
        findings = [finding for match in self._matches for finding in audit_match(log, match).findings]
        times = sorted(one.at_s for one in acknowledged)

        assert len(stored) == len(set(stored))
        assert {(one.match, one.key) for one in acknowledged} <= set(stored)
        assert findings == []
        gap_s = max(later - earlier for earlier, later in pairwise(times))
        return Course(len(acknowledged), gap_s, max(one.took_s for one in acknowledged))
