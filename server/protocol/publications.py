"""What is published of protocol `wardiary/1`, on which topics, and how one subscribes to them.

The field `pub` is the type of a publication. Every sequence number is that of the seat whose topic it is.
"""

from events.codec import Decoder, Struct, encode
from events.ids import MatchId, Seat
from events.vocabulary import Event
from projections.view import EventSlice


class Publication(Struct, frozen=True, kw_only=True, tag_field="pub", gc=False):
    """What all publications share: the match, and the seat whose view and numbers they are in."""

    match: MatchId
    seat: Seat


class EventsPublication(Publication, frozen=True, kw_only=True, tag="events"):
    """Events of one commit, numbered from `first`. A hole before `first` shows that something was missed."""

    first: int
    at: int
    events: tuple[Event, ...]


class HeartbeatPublication(Publication, frozen=True, kw_only=True, tag="heartbeat"):
    """The seat has seen events up to `seq`; sent when a client starts to follow, and every few seconds."""

    seq: int


AnyPublication = EventsPublication | HeartbeatPublication

_PUBLICATIONS: Decoder[AnyPublication] = Decoder(AnyPublication)


def decode_publication(message: bytes) -> AnyPublication:
    """Decode a published message: its topic, which ends before the first brace, and the JSON after it.

    Raises:
        DecodeError: It is not a publication.
    """
    return _PUBLICATIONS.decode(message[max(0, message.find(b"{")) :])


def topic(match: MatchId, seat: Seat, credential: str = "") -> bytes:
    """Return the topic of a seat's publications.

    A private seat's topic holds the beginning of its credential, so that it changes when the seat changes hands and a
    former player's subscription falls silent. No topic is the prefix of another, because each ends with a slash that
    occurs nowhere else in its parts.

    Args:
        match: The match.
        seat: The seat.
        credential: The SHA-256 (hex) of the seat's secret; empty for the public.
    """
    return f"{match}/{seat}/{credential[:16]}/".encode() if credential else f"{match}/{seat}/".encode()


def subscription_text(match: MatchId, seat: Seat, token: str = "") -> bytes:
    """Return what a follower subscribes with: match and seat, and for a private seat the secret that proves it."""
    return f"{match}/{seat}/{token}".encode()


def publish(match: MatchId, seat: Seat, credential: str, slice_: EventSlice) -> bytes:
    """Return the one frame that tells a topic's followers of a slice."""
    body = EventsPublication(match=match, seat=seat, first=slice_.first, at=slice_.at, events=slice_.events)
    return topic(match, seat, credential) + encode(body)


def heartbeat(match: MatchId, seat: Seat, credential: str, seq: int) -> bytes:
    """Return the one frame that tells a topic's followers how many events there are."""
    return topic(match, seat, credential) + encode(HeartbeatPublication(match=match, seat=seat, seq=seq))
