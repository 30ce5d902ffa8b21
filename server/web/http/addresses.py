"""The addresses of the pages: each moment of a match is one, as its viewer sees it."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from urllib.parse import quote, urlencode

from events.ids import NO_SEAT, PUBLIC, MatchId, Seat, StudyId

NOTHING: Mapping[str, str] = MappingProxyType({})


WEIGHING = "chances"
"""The field of an address that asks for the chances of the options."""


def at_match(
    match: MatchId,
    number: int | None = None,
    seat: Seat = PUBLIC,
    *,
    is_why: bool = False,
    is_trying: bool = False,
    is_weighing: bool = False,
    about: Sequence[str] = (),
    choose: str = "",
    marked: Mapping[str, str] = NOTHING,
    map_: str = "",
    is_whole: bool | None = None,
    to: str = "",
) -> str:
    """Return the address of a match, or of a moment of it.

    Args:
        match: The match.
        number: The event by the viewer's own count; None for the present.
        seat: Who looks.
        is_why: Whether the event is explained.
        is_trying: Whether the form for a fork is open.
        is_weighing: Whether the options have their chances beside them.
        about: What the options are narrowed to, one after the other.
        choose: The mark of the option that is asked about (`server.web.panels.confirmation.mark_of`), if any.
        marked: The fields of a whole choice that were filled in.
        map_: The map that is shown, if not the one that the question is about.
        is_whole: Whether the whole of a map is shown, and not the part that the question is about; None for what the page shows by itself.
        to: The part of the page to begin with.
    """
    point = quote(match, safe="") if number is None else f"{quote(match, safe='')}@{number}"
    said = {
        **({} if seat == PUBLIC else {"seat": seat}),
        **({"why": "1"} if is_why else {}),
        **({"try": "1"} if is_trying else {}),
        **({WEIGHING: "1"} if is_weighing else {}),
        **({"about": about} if about else {}),
        **({"choose": choose} if choose else {}),
        **marked,
        **({"map": map_} if map_ else {}),
        **({"whole": str(int(is_whole))} if is_whole is not None else {}),
    }
    return f"/m/{point}{f'?{urlencode(said, doseq=True)}' if said else ''}{f'#{to}' if to else ''}"


def match_of(path: str) -> MatchId | None:
    """Return the match to which the path of an address belongs; None if it belongs to none."""
    _, kind, point, *_ = [*path.split("/"), "", ""]
    return MatchId(point.partition("@")[0]) or None if kind == "m" else None


def of_match(match: MatchId, what: str, seat: Seat = PUBLIC, *, after: int | None = None) -> str:
    """Return the address of something that belongs to a match, such as its file, or its news after an event."""
    said = {**({} if seat == PUBLIC else {"seat": seat}), **({} if after is None else {"after": after})}
    return f"/m/{quote(match, safe='')}/{what}{f'?{urlencode(said)}' if said else ''}"


def of_study(match: MatchId, study: StudyId, seat: Seat, number: int | None) -> str:
    """Return the address of a study, at an event by the viewer's count."""
    said = {**({} if seat in (PUBLIC, NO_SEAT) else {"seat": seat}), **({} if number is None else {"at": number})}
    return f"/m/{quote(match, safe='')}/study/{quote(study, safe='')}{f'?{urlencode(said)}' if said else ''}"


def compared(a: MatchId, b: MatchId, seat: Seat = PUBLIC) -> str:
    """Return the address of the page that compares two matches."""
    said = "" if seat == PUBLIC else f"?{urlencode({'seat': seat})}"
    return f"/m/{quote(a, safe='')}/diff/{quote(b, safe='')}{said}"
