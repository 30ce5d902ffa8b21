"""The publications of protocol `wardiary/1`, their topics, and the subscriptions to them.

The field `pub` is the type of a publication. Every sequence number counts in the stream of the topic's seat.
"""

from events.codec import Decoder, Struct, encode
from events.ids import MatchId, Seat
from events.vocabulary import Event
from projections.state.view import EventSlice


class Publication(Struct, frozen=True, kw_only=True, tag_field="pub", gc=False):
    """The common fields of publications: the match, and the seat whose view and numbers they use."""

    match: MatchId
    seat: Seat


class EventsPublication(Publication, frozen=True, kw_only=True, tag="events"):
    """Events of one commit, numbered from `first`. A gap before `first` means that a publication was missed."""

    first: int
    at: int
    events: tuple[Event, ...]


class HeartbeatPublication(Publication, frozen=True, kw_only=True, tag="heartbeat"):
    """The seat has seen events up to `seq`; sent when a subscription is granted, and every few seconds."""

    seq: int


class TooManyPublication(Publication, frozen=True, kw_only=True, tag="too_many"):
    """The connection has too many subscriptions: the one to this match and seat, and all further ones, are refused.

    Sent once, on a topic of its own, to the connection alone.
    """

    message: str


AnyPublication = EventsPublication | HeartbeatPublication | TooManyPublication

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
    former player's subscription receives nothing more. No topic is a prefix of another, because each ends with a slash and
    no part contains one.

    Args:
        match: The match.
        seat: The seat.
        credential: The SHA-256 (hex) of the seat's secret; empty for the public.
    """
    return f"{match}/{seat}/{credential[:16]}/".encode() if credential else f"{match}/{seat}/".encode()


def notice_topic(number: int) -> bytes:
    """Return the topic of a message to one connection; no match has this id."""
    return f"-/{number}/".encode()


def subscription_text(match: MatchId, seat: Seat, token: str = "") -> bytes:
    """Return the text of a subscription: match and seat, and for a private seat its secret."""
    return f"{match}/{seat}/{token}".encode()


def publish(match: MatchId, seat: Seat, credential: str, slice_: EventSlice) -> bytes:
    """Return the frame that publishes a slice on a topic."""
    body = EventsPublication(match=match, seat=seat, first=slice_.first, at=slice_.at, events=slice_.events)
    return topic(match, seat, credential) + encode(body)


def heartbeat(match: MatchId, seat: Seat, credential: str, seq: int) -> bytes:
    """Return the frame that publishes a heartbeat on a topic."""
    return topic(match, seat, credential) + encode(HeartbeatPublication(match=match, seat=seat, seq=seq))
