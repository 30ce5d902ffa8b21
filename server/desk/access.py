"""Access control: a seat is proved by its secret, of which the log holds only the SHA-256."""

from collections.abc import Mapping, Sequence
from hmac import compare_digest
from typing import Protocol

from events.ids import ARBITER, PUBLIC, Seat
from server.protocol.errors import RequestFailed, denied
from server.protocol.identity import TOKEN_CHARACTERS_MAX, credential
from server.protocol.replies import FailedReply


class Seated(Protocol):
    """What is needed to prove the seats of a match: a table or a summary has it."""

    @property
    def seats(self) -> Sequence[Seat]:
        """The seats of the match."""

    @property
    def credentials(self) -> Mapping[Seat, str]:
        """The SHA-256 (hex) of the secret of each taken seat."""


class Access:
    """Decides which client may view and act as which seat.

    Args:
        trusted: All clients own the store: no secrets are required.
        owner: The secret of the store's owner, who may view and act as the arbiter of every match; empty if no client may.
    """

    __slots__ = ("_owner", "trusted")

    def __init__(self, *, trusted: bool = False, owner: str = "") -> None:
        self.trusted = trusted
        self._owner = credential(owner) if owner else ""

    def credential(self, table: Seated, seat: Seat) -> str:
        """Return the current credential of a seat; empty for the public and if the seat cannot be proved."""
        if seat == ARBITER:
            return self._owner
        return table.credentials.get(seat, "")

    def check(self, table: Seated, seat: Seat, token: str) -> None:
        """Check that a client may view a match as a seat.

        Raises:
            RequestFailed: With `unknown_seat`, `not_your_seat` or `bad_token`.
        """
        if seat == PUBLIC:
            return
        if seat != ARBITER and seat not in table.seats:
            raise unknown_seat(table, seat)
        if self.trusted:
            return
        if not token:
            raise denied("not_your_seat", f"the secret that proves the seat {seat} is missing")
        wanted = self.credential(table, seat)
        given = credential(token) if len(token) <= TOKEN_CHARACTERS_MAX else ""
        if not wanted or not compare_digest(given, wanted):
            raise denied("bad_token", f"the secret does not prove the seat {seat}")

    def topic_credential(self, table: Seated, seat: Seat, token: str) -> str:
        """Return the credential that is part of a subscriber's topic; empty for the public.

        Raises:
            RequestFailed: As `check`; or the seat is free, so that no secret proves it.
        """
        self.check(table, seat, token)
        if seat == PUBLIC:
            return ""
        found = self.credential(table, seat)
        if not found:
            raise denied("not_your_seat", f"the seat {seat} is free, so no secret proves it")
        return found

    def check_actor(self, table: Seated, seat: Seat, token: str) -> None:
        """Check that a client may act as a seat.

        Raises:
            RequestFailed: As `check`; or the seat is the public.
        """
        if seat == PUBLIC:
            raise denied("not_your_seat", "the public may only view a match; a command needs a seat")
        self.check(table, seat, token)


def unknown_seat(table: Seated, seat: Seat) -> RequestFailed:
    """Return the error for a seat that a match does not have."""
    seats = ", ".join([*table.seats, PUBLIC, ARBITER])
    return RequestFailed(
        FailedReply(
            code="unknown_seat",
            message=f"no seat of this match is called {seat!r}; there are: {seats}",
            wanted=tuple(table.seats),
        )
    )
