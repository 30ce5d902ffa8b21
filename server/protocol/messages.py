"""Messages of protocol `wardiary/1` decoded, and what is told of one that cannot be."""

from collections.abc import Callable, Iterable
from functools import lru_cache, reduce
from operator import or_

from events.codec import DecodeError, Decoder, Struct
from server.protocol.errors import denied
from server.protocol.replies import FailedReply, Reply
from server.protocol.wire import REPLIES, REQUEST_BYTES_MAX, REQUESTS, Request


class _OnlyId(Struct):
    """The part of a message that may be readable although the message cannot be decoded."""

    id: str = ""


_ONLY_ID: Decoder[_OnlyId] = Decoder(_OnlyId)


def request_decoder(types: Iterable[type[Request]]) -> Decoder[Request]:
    """Return a decoder of these requests; it raises `DecodeError` for anything else, with the position in the message."""
    return Decoder(reduce(or_, types))


decode_request: Callable[[bytes], Request] = request_decoder(REQUESTS).decode
"""Decodes any request of the protocol; raises `DecodeError` for anything else."""


@lru_cache
def _reply_decoder(types: tuple[type[Reply], ...]) -> Decoder[Reply]:
    return Decoder(reduce(or_, types))


def decode_reply(data: bytes, request: type[Request] | None = None) -> Reply:
    """Decode the reply to a type of request, or by default any reply of the protocol.

    Raises:
        DecodeError: The bytes are not such a reply.
    """
    return _reply_decoder(REPLIES if request is None else (request.reply, FailedReply)).decode(data)


def check_size(body: bytes) -> None:
    """Refuse a request that is too large.

    Raises:
        RequestFailed: It has more than `REQUEST_BYTES_MAX` bytes.
    """
    if len(body) > REQUEST_BYTES_MAX:
        raise denied("too_large", f"a request has at most {REQUEST_BYTES_MAX} bytes; this one has {len(body)}")


def message_id(data: bytes) -> str:
    """Return the correlation id of a message that cannot be decoded; empty if it has none."""
    try:
        return _ONLY_ID.decode(data).id
    except DecodeError:
        return ""
