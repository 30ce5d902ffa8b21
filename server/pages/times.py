"""Times, as all readers see them."""

from datetime import UTC, datetime

from server.pages.html import Html, tag


def moment_words(at_ms: int) -> str:
    """Return a time, given in milliseconds since 1970 (UTC), as in `2026-11-28 18:05 UTC`."""
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"


def moment(at_ms: int) -> Html:
    """Return a time, given in milliseconds since 1970 (UTC), for a page."""
    when = datetime.fromtimestamp(at_ms / 1000, UTC)
    return tag("time", {"datetime": when.isoformat(timespec="seconds")}, moment_words(at_ms))
