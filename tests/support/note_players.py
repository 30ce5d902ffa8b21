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
    """A command that a client was told is stored, and when (monotonic seconds)."""

    match: MatchId
    key: str
    at_s: float


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
                key = f"{number}-{len(played)}"
                client.play(match, choose.choice((RED, BLUE)), NOTE, key=key)
                played.append(Acknowledged(match, key, time.monotonic()))
        return played

    def check(self, log: Log, played: Sequence[Sequence[Acknowledged]]) -> tuple[int, float]:
        """Check that all that was acknowledged is stored, and everything once.

        Returns:
            How many commands were acknowledged, and the longest time without any (seconds).
        """
        acknowledged = [one for each in played for one in each]
        stored = [(match, one.key) for match in self._matches for one in log.read(match)]
        findings = [finding for match in self._matches for finding in audit_match(log, match).findings]
        times = sorted(one.at_s for one in acknowledged)

        assert len(stored) == len(set(stored))
        assert {(one.match, one.key) for one in acknowledged} <= set(stored)
        assert findings == []
        return len(acknowledged), max(later - earlier for earlier, later in pairwise(times))
