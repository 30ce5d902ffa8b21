"""Event numbers that are remembered for each match and seat of this user, in files beside the secrets of the seats.

They only decide which events are shown as new, and which list of options a number means, so a file that is lost or damaged is made
again.
"""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from cli.shell.seat_secrets import alone, replace_private, seats_file
from events.codec import DecodeError, Decoder, encode_in_order
from events.ids import MatchId, Seat
from server.store.whole_file import SECRETS_MAX, kept_reason

MATCHES_MAX = 1_000
"""The most matches that are remembered; those that were seen longest ago are forgotten."""

_Kept = dict[MatchId, dict[Seat, int]]

_KEPT: Decoder[_Kept] = Decoder(_Kept)


class SeatNumbers:
    """One event number for each match and seat, by the seat's own count.

    Args:
        name: Part of the name of the file.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def file(self) -> Path:
        """The file, which lies beside the secrets of the seats."""
        secrets = seats_file()
        return secrets.with_name(f"{secrets.stem}-{self._name}.json")

    def of(self, match: MatchId, seat: Seat) -> int | None:
        """Return the number that is remembered, or None."""
        number = self._read().get(match, {}).get(seat)
        return None if number is None else max(0, number)

    def remember(self, match: MatchId, seat: Seat, number: int) -> None:
        """Remember a number, unless the file cannot be written, or is one over which nothing is ever written."""
        self._change(match, lambda of_match: of_match.update({seat: number}))

    def forget(self, match: MatchId, seat: Seat) -> None:
        """Remember no number."""
        if self.of(match, seat) is not None:
            self._change(match, lambda of_match: of_match.pop(seat, None))

    def _change(self, match: MatchId, change: Callable[[dict[Seat, int]], object]) -> None:
        with suppress(OSError), alone():
            if kept_reason(self.file):
                return
            known = self._read()
            # The match that was seen last comes last.
            of_match = known.pop(match, {})
            change(of_match)
            known[match] = of_match
            for forgotten in list(known)[:-MATCHES_MAX]:
                del known[forgotten]
            replace_private(self.file, encode_in_order(known) + b"\n")

    def _read(self) -> _Kept:
        """Return all that is remembered, in the order in which it was seen; nothing if the file is missing or damaged."""
        try:
            with self.file.open("rb") as opened:
                return _KEPT.decode(opened.read(SECRETS_MAX))
        except (OSError, DecodeError):
            return {}


SEEN = SeatNumbers("seen")
"""The last event that was seen of a match."""

LISTED = SeatNumbers("listed")
"""The event after which a seat's options were listed last, until the seat plays one of them."""
