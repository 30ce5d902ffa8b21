"""Times on pages."""

from datetime import UTC, datetime

from core.telling import phrases
from server.pages.html import Html, tag


def moment(at_ms: int) -> Html:
    """Return a time, given in milliseconds since 1970 (UTC)."""
    when = datetime.fromtimestamp(at_ms / 1000, UTC)
    return tag("time", {"datetime": when.isoformat(timespec="seconds")}, phrases.moment(at_ms))
