"""Invitations to seats, and the arbiter of a match. The log holds only the hashes of secrets."""

from collections.abc import Mapping

from events.codec import Struct
from events.ids import Seat


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


class Arbiter(Struct, frozen=True):
    """The arbiter of a match: the name, and the SHA-256 of the secret that proves the office.

    `capability` is the SHA-256 of the capability for all matches of the server on which the office rests; empty if it rests on an
    invitation to this match.
    """

    name: str
    credential: str
    capability: str = ""
