"""The page on which a visitor proves a seat."""

from collections.abc import Mapping, Sequence

from events.ids import MatchId, Seat
from server.protocol.identity import TOKEN_CHARACTERS_MAX
from server.web.addresses import at_match, of_match
from server.web.html import Content, Html, link, tag
from server.web.layout import form, page


def sit_page(
    match: MatchId,
    seats: Mapping[Seat, str],
    *,
    chosen: str,
    proved: Sequence[Seat],
    token: str,
    why: str = "",
) -> str:
    """Return the page on which a seat is proved.

    Args:
        match: The match.
        seats: The seats that may be proved, with their names.
        chosen: The seat that is meant, or nothing.
        proved: The seats that the visitor has proved already.
        token: Proves the form.
        why: What went wrong before, or nothing.
    """
    options = [tag("option", {"value": seat, "selected": seat == chosen}, name) for seat, name in seats.items()]
    secret: dict[str, str | int | bool | None] = {
        "type": "password",
        "name": "secret",
        "id": "secret",
        "required": True,
        "maxlength": TOKEN_CHARACTERS_MAX,
        "autocomplete": "off",
        "spellcheck": "false",
    }
    prove = form(
        of_match(match, "sit"),
        token,
        tag("label", {"for": "seat"}, "Seat"),
        tag("select", {"name": "seat", "id": "seat"}, options),
        tag("label", {"for": "secret"}, "Secret"),
        tag("input", secret),
        tag("button", {"type": "submit", "class": "main"}, "See the match as this seat"),
        class_="sit",
    )
    return page(
        "See a match as a seat",
        tag("h1", None, "See a match as a seat"),
        tag("p", {"class": "wrong", "role": "alert"}, why) if why else None,
        _own(match, seats, proved, token),
        tag(
            "p",
            None,
            "The secret of a seat was given to the player who took it. It stays on this server, in memory, for this browser.",
        ),
        prove,
        tag("p", None, link(at_match(match), "See the match as everybody does")),
        kind="message",
    )


def _own(match: MatchId, seats: Mapping[Seat, str], proved: Sequence[Seat], token: str) -> Content:
    if not proved:
        return None
    rows: list[Html] = []
    for seat in proved:
        button = tag("button", {"type": "submit", "name": "seat", "value": seat}, "Forget the secret")
        rows.append(
            tag(
                "li",
                None,
                link(at_match(match, seat=seat), f"as {seats.get(seat, seat)}"),
                " ",
                form(of_match(match, "leave"), token, button, class_="inline"),
            )
        )
    return [tag("h2", None, "You have proved"), tag("ul", None, rows)]
