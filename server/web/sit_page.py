"""The page on which a visitor proves a seat."""

from collections.abc import Mapping, Sequence

from events.ids import MatchId, Seat
from server.protocol.identity import TOKEN_CHARACTERS_MAX
from server.web.addresses import at_match, of_match
from server.web.html import Content, Html, link, tag
from server.web.layout import form, page

NAME_MAX = 60


def sit_page(
    match: MatchId,
    seats: Mapping[Seat, str],
    *,
    free: Sequence[Seat],
    chosen: str,
    proved: Sequence[Seat],
    token: str,
    why: str = "",
) -> str:
    """Return the page on which a seat is proved.

    Args:
        match: The match.
        seats: The seats that may be proved, with their names.
        free: Those that nobody has taken yet.
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
        _free(match, seats, free, token),
        tag("p", None, link(at_match(match), "See the match as everybody does")),
        kind="message",
        scripts=["sit.js"],
    )


def _free(match: MatchId, seats: Mapping[Seat, str], free: Sequence[Seat], token: str) -> Content:
    """Return the form with which a free seat is taken."""
    if not free:
        return None
    buttons = [
        tag("button", {"type": "submit", "name": "seat", "value": seat}, f"Take the {seats[seat]} seat")
        for seat in free
    ]
    name: dict[str, str | int | bool | None] = {"type": "text", "name": "name", "id": "name", "maxlength": NAME_MAX}
    fields = [tag("label", {"for": "name"}, "Your name, which everybody sees"), tag("input", name)]
    taken = form(of_match(match, "take"), token, fields, buttons, class_="sit")
    return [tag("h2", None, "Free seats"), taken]


def seated_page(match: MatchId, seat: Seat, name: str, secret: str) -> str:
    """Return the page for a visitor who has just taken a seat; it is shown once and kept nowhere."""
    back = f"{of_match(match, 'sit', seat)}#{secret}"
    return page(
        "The seat is yours",
        tag("h1", None, f"The {name} seat is yours"),
        tag("p", None, link(at_match(match, seat=seat), "Play", class_="step")),
        tag(
            "p",
            None,
            "This link brings you back to your seat in any browser. Keep it to yourself: whoever has it plays your seat.",
        ),
        tag("p", None, link(back, "The link to your seat")),
        tag("p", None, "The secret alone, for ", tag("code", None, "--token"), ": ", tag("code", None, secret)),
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
