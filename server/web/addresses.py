"""The addresses of the pages: each moment of a match is one, as its viewer sees it."""

from urllib.parse import quote, urlencode

from events.ids import PUBLIC, MatchId, Seat


def at_match(
    match: MatchId,
    number: int | None = None,
    seat: Seat = PUBLIC,
    *,
    is_why: bool = False,
    about: str = "",
    to: str = "",
) -> str:
    """Return the address of a match, or of a moment of it.

    Args:
        match: The match.
        number: The event by the viewer's own count; None for the present.
        seat: Who looks.
        is_why: Whether the event is explained.
        about: What the options are narrowed to, or nothing.
        to: The part of the page to begin with.
    """
    point = quote(match, safe="") if number is None else f"{quote(match, safe='')}@{number}"
    said = {
        **({} if seat == PUBLIC else {"seat": seat}),
        **({"why": "1"} if is_why else {}),
        **({"about": about} if about else {}),
    }
    return f"/m/{point}{f'?{urlencode(said)}' if said else ''}{f'#{to}' if to else ''}"


def of_match(match: MatchId, what: str, seat: Seat = PUBLIC, *, after: int | None = None) -> str:
    """Return the address of something that belongs to a match, such as its file, or its news after an event."""
    said = {**({} if seat == PUBLIC else {"seat": seat}), **({} if after is None else {"after": after})}
    return f"/m/{quote(match, safe='')}/{what}{f'?{urlencode(said)}' if said else ''}"
