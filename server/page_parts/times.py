"""Times, as all readers see them, and as tables for programs hold them; matches that were played without a clock have time 0, which is not told."""

from datetime import UTC, datetime

from server.page_parts.html import Html, tag


def moment_words(at_ms: int) -> str:
    """Return a time, given in milliseconds since 1970 (UTC), as in `2026-11-28 18:05 UTC`; one outside the years 1 to 9999 by that number, and 0 as nothing."""
    if not at_ms:
        return ""
    when = _when(at_ms)
    return _number_words(at_ms) if when is None else f"{when.isoformat(' ', 'minutes')[:16]} UTC"


def moment(at_ms: int) -> Html:
    """Return a time for a page, in the words of `moment_words`; empty for 0."""
    if not at_ms:
        return Html("")
    when = _when(at_ms)
    if when is None:
        return tag("span", None, _number_words(at_ms))
    return tag("time", {"datetime": when.isoformat(timespec="seconds")}, moment_words(at_ms))


def iso(at_ms: int) -> str:
    """Return a time in ISO 8601 (UTC); one that the calendar does not have in the words of `moment_words`."""
    when = _when(at_ms)
    return _number_words(at_ms) if when is None else when.isoformat(timespec="seconds")


def _number_words(at_ms: int) -> str:
    return f"{at_ms} ms since 1970"


def _when(at_ms: int) -> datetime | None:
    try:
        return datetime.fromtimestamp(at_ms / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return None
