"""Tells which commits spectators see something of: these have entries in the log of a server."""

from events.codec import DecodeError
from events.commit import decode_commit
from events.ids import PUBLIC
from projections.state.view import see

_GUARDED = b'"seen_by"'


def is_public(body: bytes) -> bool:
    """Return whether spectators see something of a commit, given as its bytes; also if it cannot be read."""
    if _GUARDED not in body:
        return True
    try:
        events = decode_commit(body).events
    except DecodeError:
        return True
    return any(see(event, PUBLIC) is not None for event in events)
