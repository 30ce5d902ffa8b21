"""Invitations to seats, and the arbiter of a match. The log holds only the hashes of secrets."""

from events.codec import Struct


class Invitation(Struct, frozen=True):
    """A reservation of a seat: for whom, and the SHA-256 of the secret that opens it."""

    name: str
    credential: str


class Arbiter(Struct, frozen=True):
    """The arbiter of a match: the name, and the SHA-256 of the secret that proves the office.

    `capability` is the SHA-256 of the capability for all matches of the server on which the office rests; empty if it rests on an
    invitation to this match.
    """

    name: str
    credential: str
    capability: str = ""
