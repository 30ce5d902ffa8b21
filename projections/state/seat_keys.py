"""The public keys with which seats sign their commands."""

from collections.abc import Mapping

from events.codec import Struct
from events.ids import Seat
from events.vocabulary import KeyRegistered


class SeatKey(Struct, frozen=True, omit_defaults=True):
    """The key of a seat (hex), and who holds it, if it is not the player's own program; see `KeyRegistered`."""

    key: str
    holder: str = ""


def with_key(keys: Mapping[Seat, SeatKey], event: KeyRegistered) -> dict[Seat, SeatKey]:
    """Return the keys after a seat has registered one."""
    return {**keys, event.seat: SeatKey(event.key, event.holder)}


def without_key(keys: Mapping[Seat, SeatKey], seat: Seat) -> dict[Seat, SeatKey]:
    """Return the keys after the player of a seat has left."""
    return {other: key for other, key in keys.items() if other != seat}
