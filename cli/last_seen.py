"""Remembers the last event that this user has seen of each match and seat, in a file beside the secrets of the seats.

It only decides which events are shown as new, so a file that is lost or damaged is made again.
"""

from contextlib import suppress
from pathlib import Path

from cli.seat_secrets import FILE_BYTES_MAX, alone, replace_private, seats_file
from events.codec import DecodeError, Decoder, encode_in_order
from events.ids import MatchId, Seat

MATCHES_MAX = 1_000
"""The most matches that are remembered; those that were seen longest ago are forgotten."""

_SEEN: Decoder[dict[MatchId, dict[Seat, int]]] = Decoder(dict[MatchId, dict[Seat, int]])


def seen_file() -> Path:
    """Return the file, which lies beside the secrets of the seats."""
    secrets = seats_file()
    return secrets.with_name(f"{secrets.stem}-seen.json")


def last_seen(match: MatchId, seat: Seat) -> int | None:
    """Return the number of the last event that was seen, by the seat's own count, or None if none is remembered."""
    number = _read().get(match, {}).get(seat)
    return None if number is None else max(0, number)


def remember(match: MatchId, seat: Seat, number: int) -> None:
    """Remember the last event that was seen, unless the file cannot be written."""
    with suppress(OSError), alone():
        known = _read()
        # The match that was seen last comes last.
        of_match = known.pop(match, {})
        of_match[seat] = number
        known[match] = of_match
        for forgotten in list(known)[:-MATCHES_MAX]:
            del known[forgotten]
        replace_private(seen_file(), encode_in_order(known) + b"\n")


def _read() -> dict[MatchId, dict[Seat, int]]:
    """Return all that is remembered, in the order in which it was seen; nothing if the file is missing or damaged."""
    try:
        with seen_file().open("rb") as opened:
            return _SEEN.decode(opened.read(FILE_BYTES_MAX))
    except (OSError, DecodeError):
        return {}
