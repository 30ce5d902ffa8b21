"""The seats that a server's bots play: the names of the bots, the secrets that prove their seats, those from which their chains of links follow, and the seeds of their choices."""

import hmac
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Protocol

from core.bots.budget import BudgetInvalid, parse_policy
from core.chance.links import tip_of
from core.game.game_record import Game
from core.registry.bot_policies import find_policy, leveled, policy_names
from events.ids import MatchId, Seat
from events.transparency.signed_command import SeatSigner
from projections.catalogue import Summary
from projections.state.table import Table
from server.protocol.identity import credential

BOT = " bot"
"""What follows the policy in the name of a bot."""


SEED_DIGITS = 32

PLAYOUTS_MOST, MS_MOST = 100_000, 60_000
"""The largest budgets of a server's bots for one decision; others wait for their moves meanwhile."""


def bot_name(policy: str) -> str:
    """Return the name under which a bot takes a seat; its policy may have a budget, as in `search:500`."""
    return f"{policy}{BOT}"


def policy_of(name: str) -> str:
    """Return the policy that the name of a bot tells, with its budget; empty for the name of a player."""
    return name.removesuffix(BOT) if name.endswith(BOT) else ""


def without_budget(policy: str) -> str:
    """Return the name of a policy that may have a budget."""
    return policy.partition(":")[0]


def bot_tip(secret: str, anchors: int) -> str:
    """Return the tip of a chain of a bot (hex).

    Args:
        secret: The secret from which the chains of its seat follow (hex).
        anchors: The number of the anchor among all that the seat has published, from 1: a chain whose links are known already is never published again.
    """
    return tip_of(bytes.fromhex(secret), str(anchors)).hex()


def choice_seed(secret: str, match: MatchId, seat: Seat, seq: int) -> str:
    """Return the seed of a choice of a bot (hex), which nobody can foresee, and which tells nothing of the secret.

    Args:
        secret: The secret that proves the seat.
        match: The match.
        seat: The seat.
        seq: The number of the last event that the seat has seen.
    """
    text = f"wardiary choice 1|{match}|{seat}|{seq}".encode()
    return hmac.new(secret.encode(), text, sha256).hexdigest()[:SEED_DIGITS]


def check_bot(game: Game, text: str) -> None:
    """Check that a server can play a bot: that its game has the policy, and that it may think so much about a decision.

    Args:
        game: The game.
        text: The policy with its budget, as in `search:500`, or a level.

    Raises:
        UnknownName: There is no such policy.
        PolicyMissing: It cannot be loaded.
        BudgetInvalid: The budget cannot be read, or is too large.
    """
    policy, budget = parse_policy(leveled(text, policy_names(game)))
    find_policy(game, policy)
    if budget.playouts > PLAYOUTS_MOST or budget.ms > MS_MOST:
        raise BudgetInvalid(
            f"a bot of a server may think for {PLAYOUTS_MOST} playouts or {MS_MOST} ms about a decision at most, not {budget}"
        )


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

    def look(self, matches: Iterable[MatchId], summary_of: Callable[[MatchId], Summary]) -> None:
        """Take note of where those of some matches stand that have bots, after another process has written to them."""

    def take_up(self, summaries: Iterable[Summary]) -> None:
        """Take note of where matches stand when the server starts."""

    def close(self) -> None:
        """End."""
