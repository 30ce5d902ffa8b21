"""The seats that a server's bots play: the names of the bots, the secrets that prove their seats, and those from which their chains of links follow."""

import hmac
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Protocol

from core.chance.links import tip_of
from events.ids import MatchId, Seat
from events.transparency.signed_command import SeatSigner
from projections.catalogue import Summary
from projections.state.table import Table
from server.protocol.identity import credential

BOT = " bot"
"""What follows the policy in the name of a bot."""


def bot_name(policy: str) -> str:
    """Return the name under which a bot with a policy takes a seat."""
    return f"{policy}{BOT}"


def policy_of(name: str) -> str:
    """Return the policy that the name of a bot tells; empty for the name of a player."""
    return name.removesuffix(BOT) if name.endswith(BOT) else ""


def bot_tip(secret: str, anchors: int) -> str:
    """Return the tip of a chain of a bot (hex).

    Args:
        secret: The secret from which the chains of its seat follow (hex).
        anchors: The number of the anchor among all that the seat has published, from 1: a chain whose links are known already is never published again.
    """
    return tip_of(bytes.fromhex(secret), str(anchors)).hex()


def bot_signer(secret: str) -> SeatSigner:
    """Return the key with which a bot signs its commands.

    Args:
        secret: The secret from which the chains of its seat follow (hex).
    """
    return SeatSigner(bytes.fromhex(secret), "bot")


class BotSeats:
    """The secrets of bots: they follow from one key, so that a server that starts again knows the seats of its bots.

    Args:
        key: A secret that only the server's operator has; not empty.
    """

    def __init__(self, key: str) -> None:
        assert key, "an empty key would let anybody play the seats of bots"
        self._key = key.encode()

    def secret(self, match: MatchId, seat: Seat) -> str:
        """Return the secret that proves a seat of a match if a bot of this server plays it (64 hexadecimal digits)."""
        return hmac.new(self._key, f"{match}/{seat}".encode(), sha256).hexdigest()

    def links_secret(self, match: MatchId, seat: Seat) -> str:
        """Return the secret from which the chains of a seat follow if a bot of this server plays it (64 hexadecimal digits); see `bot_tip`."""
        return hmac.new(self._key, f"wardiary links 2|{match}|{seat}".encode(), sha256).hexdigest()

    def is_ours(self, match: MatchId, seat: Seat, known: str) -> bool:
        """Return whether a seat's credential is that of a bot of this server."""
        return hmac.compare_digest(credential(self.secret(match, seat)), known)


class BotTurns(Protocol):
    """The bots of a server: they decide when it is their turn. No call takes long."""

    def heed(self, match: MatchId, table: Table) -> None:
        """Take note of where a match stands after a command."""

    def look(self, summary_of: Callable[[MatchId], Summary]) -> None:
        """Take note of where the matches of bots stand, after another process has written to the store."""

    def take_up(self, summaries: Iterable[Summary]) -> None:
        """Take note of where matches stand when the server starts."""

    def close(self) -> None:
        """End."""
