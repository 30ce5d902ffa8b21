"""The digest of what everybody was shown of a match: each signed command names it, so that nobody can show a player another match than is stored."""

from collections.abc import Sequence
from hashlib import sha256

from events.codec import encode
from events.vocabulary import Event
from projections.state.view import public_events


def recorded(before: str, at: int, events: Sequence[Event]) -> str:
    """Return the digest (hex) of what everybody was shown, with the events of one more commit, as the log holds them or as any seat sees them.

    A fork goes on from what it shares with its parent. A commit of which not everybody knows changes nothing.

    Args:
        before: The digest before it; empty for none.
        at: The time of the commit (milliseconds since 1970, UTC).
        events: Its events, at least one.
    """
    shown = public_events(events)
    if not shown:
        return before
    return sha256(f"wardiary record 1|{before}|{at}|".encode() + encode(shown)).hexdigest()
