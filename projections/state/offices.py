"""Invitations to seats, the arbiter of a match, and the request of a seat to the others. The log holds only the hashes of secrets."""

from collections.abc import Mapping
from typing import Literal

from events.codec import Struct
from events.ids import MatchId, Seat
from events.vocabulary import Effect


class Invitation(Struct, frozen=True, omit_defaults=True):
    """A reservation of a seat: for whom, the SHA-256 of the secret that opens it, and when it expires (milliseconds since 1970, UTC; 0 for never).

    `key` is the public key with which the player has to sign (hex); empty for any.
    """

    name: str
    credential: str
    until: int = 0
    key: str = ""


def still_reserved(reserved: Mapping[Seat, Invitation], at: int) -> dict[Seat, Invitation]:
    """Return the seats whose invitations have not expired at a time, in milliseconds since 1970 (UTC)."""
    return {seat: invitation for seat, invitation in reserved.items() if not 0 < invitation.until <= at}


Stand = Literal["open", "ruled", "appealed", "final"]
"""Where a dispute about an event stands: a ruling is to come, it was made, a player appealed against it, or the appeal was ruled on."""


class Dispute(Struct, frozen=True, omit_defaults=True):
    """A dispute about event `at`: where it stands, and the last ruling on it, made with event `ruled`, with its effect and the match as which play goes on."""

    at: int
    stand: Stand = "open"
    ruled: int = 0
    effect: Effect = ""
    line: MatchId = MatchId("")

    @property
    def is_due(self) -> bool:
        """Whether a ruling is to come."""
        return self.stand in ("open", "appealed")


class AskedBack(Struct, frozen=True):
    """A request to take commands back that needs the consent of others: who asked, with which event, and to which event the game would return.

    `of` are the seats that have to agree, `agreed` those that have.
    """

    seat: Seat
    at: int
    to: int
    of: tuple[Seat, ...]
    agreed: tuple[Seat, ...] = ()

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """The seats that have not answered yet."""
        return tuple([seat for seat in self.of if seat not in self.agreed])


class Arbiter(Struct, frozen=True):
    """The arbiter of a match: the name, and the SHA-256 of the secret that proves the office.

    `capability` is the SHA-256 of the capability for all matches of the server on which the office rests; empty if it rests on an
    invitation to this match.
    """

    name: str
    credential: str
    capability: str = ""
