"""Access control: a seat is proved by its secret, of which the log holds only the SHA-256.

A secret is compared with the credentials of the named match alone, so that no answer tells whether it opens another one.
"""

from collections.abc import Callable, Mapping, Sequence
from hmac import compare_digest
from typing import Protocol

from events.ids import ARBITER, PUBLIC, Seat
from events.log import Log
from projections.state.offices import Arbiter
from projections.state.table import Table
from server.desk.match_cache import CachedMatch
from server.protocol.errors import RequestFailed, denied
from server.protocol.identity import TOKEN_CHARACTERS_MAX, credential
from server.protocol.replies import FailedReply


class Seated(Protocol):
    """Data that prove the seats of a match: a table or a summary has them."""

    @property
    def seats(self) -> Sequence[Seat]:
        """The seats of the match."""

    @property
    def credentials(self) -> Mapping[Seat, str]:
        """The SHA-256 (hex) of the secret of each taken seat."""

    @property
    def arbiter(self) -> Arbiter | None:
        """Who holds the arbiter's office."""


def nobody_appointed() -> Mapping[str, str]:
    """Return no capabilities."""
    return {}


class Access:
    """Decides which client may view and act as which seat.

    Args:
        trusted: All clients own the store: no secrets are required.
        owner: The secret of the store's owner, who may view and act as the arbiter of every match; empty if no client may.
        appointed: Returns the credentials of the capabilities for all matches, by name.
    """

    __slots__ = ("_appointed", "_owner", "trusted")

    def __init__(
        self, *, trusted: bool = False, owner: str = "", appointed: Callable[[], Mapping[str, str]] = nobody_appointed
    ) -> None:
        self.trusted = trusted
        self._owner = credential(owner) if owner else ""
        self._appointed = appointed

    def is_owner(self, token: str) -> bool:
        """Return whether a secret is the store owner's, or none is required."""
        return self.trusted or (bool(self._owner) and _is(token, self._owner))

    def capability(self, token: str) -> tuple[str, str]:
        """Return the name and the credential of the capability for all matches that a secret proves; empty if it proves none."""
        found = ("", "")
        for name, known in self._appointed().items():
            # All are compared, so that the time tells nothing of their order.
            if _is(token, known):
                found = (name, known)
        return found

    def holds(self, table: Seated, seat: Seat, known: str) -> bool:
        """Return whether a credential proves a seat that is not the public's."""
        if seat != ARBITER:
            return bool(known) and table.credentials.get(seat, "") == known
        return bool(known) and known in (self._owner, self._of_arbiter(table))

    def _of_arbiter(self, table: Seated) -> str:
        """Return the credential of the arbiter of a match; empty if there is none, or the capability on which the office rests has ended."""
        arbiter = table.arbiter
        if arbiter is None or (arbiter.capability and arbiter.capability not in self._appointed().values()):
            return ""
        return arbiter.credential

    def _proved(self, table: Seated, seat: Seat, token: str) -> str:
        """Return the credential of a seat that a secret proves; empty if it proves nothing."""
        if seat != ARBITER:
            known = table.credentials.get(seat, "")
            return known if known and _is(token, known) else ""
        return next((known for known in (self._owner, self._of_arbiter(table)) if known and _is(token, known)), "")

    def proves(self, table: Seated, seat: Seat, token: str) -> bool:
        """Return whether a secret proves a seat that is not the public's."""
        return bool(self._proved(table, seat, token))

    def opens(self, table: Table, seat: Seat, token: str) -> bool:
        """Return whether a secret is that of the invitation to a seat."""
        reserved = table.reserved.get(seat)
        return reserved is not None and _is(token, reserved.credential)

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
            is_open = seat != ARBITER and not table.credentials.get(seat)
            why = _not_taken(seat) if is_open else f"the secret that proves the seat {seat} is missing"
            raise denied("not_your_seat", why)
        if self._proved(table, seat, token):
            return
        if seat == ARBITER and self.capability(token)[0]:
            raise denied(
                "not_your_seat",
                "this capability is not on record in this match: take the arbiter's seat first, as everybody is told who sees all",
            )
        raise denied(
            "bad_token",
            f"the secret does not prove the seat {seat}; after a player has left or was replaced, it no longer does",
        )

    def topic_credential(self, table: Seated, seat: Seat, token: str) -> str:
        """Return the credential that is part of a subscriber's topic; empty for the public.

        Raises:
            RequestFailed: As `check`; or the seat has no player, so that no secret proves it.
        """
        self.check(table, seat, token)
        if seat == PUBLIC:
            return ""
        if self.trusted:
            found = (self._of_arbiter(table) or self._owner) if seat == ARBITER else table.credentials.get(seat, "")
        else:
            found = self._proved(table, seat, token)
        if not found:
            raise denied("not_your_seat", f"{_not_taken(seat)}, so no secret proves it")
        return found

    def check_actor(self, table: Seated, seat: Seat, token: str) -> None:
        """Check that a client may act as a seat.

        Raises:
            RequestFailed: As `check`; or the seat is the public.
        """
        if seat == PUBLIC:
            raise denied("not_your_seat", "the public may only view a match; a command needs a seat")
        self.check(table, seat, token)


def _is(token: str, known: str) -> bool:
    """Return, in constant time, whether a secret has a credential."""
    given = credential(token) if len(token) <= TOKEN_CHARACTERS_MAX else ""
    return compare_digest(given, known)


def _not_taken(seat: Seat) -> str:
    return f"no player has the seat {seat}"


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


def check_disclosed(log: Log, match: CachedMatch, seat: Seat) -> None:
    """Check that a seat may have the commits of a match.

    Raises:
        RequestFailed: They are for others.
    """
    if seat != ARBITER and not match.is_disclosed(log):
        raise denied(
            "not_your_seat",
            "the commits of a match are for its arbiter; once it is over, for everybody if nothing in it was ever hidden and it is no fork",
        )
