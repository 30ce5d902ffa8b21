"""Pages of notices: the contacts of a seat, and what the owner of a contact can do with a link of a notice."""

from collections.abc import Sequence

from events.ids import MatchId, Seat
from server.page_parts.forms import form, hidden_fields
from server.page_parts.html import Attribute, Html, link, tag
from server.web.http.addresses import at_match, of_match
from server.web.http.page_frame import page
from server.web.notices.contacts import CONTACT_MAX
from server.web.notices.notice_book import OF_SEAT_MAX, Entry


def notices_page(
    match: MatchId, seat: Seat, played: str, entries: Sequence[Entry], token: str, *, reaches: str, said: str = ""
) -> str:
    """Return the page of the contacts of a seat.

    Args:
        match: The match.
        seat: The seat.
        played: The title of the game.
        entries: Its contacts.
        token: Proves the forms.
        reaches: Where this server sends notices, in words.
        said: What became of the last form; empty for nothing.
    """
    title = "Tell me when it is my turn"
    return page(
        f"{title}: {played}",
        tag("h1", None, title),
        tag("p", None, played, ", ", link(at_match(match, seat=seat), f"match {match}")),
        tag("p", {"class": "wrong", "role": "alert"}, said) if said else None,
        tag(
            "p",
            None,
            f"One notice whenever the match waits for you for a minute, and one when it is over, to {reaches}. "
            "It says which match waits, nothing else. The address is kept beside the matches, never in one, and is removed at the end.",
        ),
        [_contact(match, seat, one, token) for one in entries],
        _add(match, seat, token) if len(entries) < OF_SEAT_MAX else None,
        tag("p", None, link(at_match(match, seat=seat), "Back to the match")),
        kind="message",
    )


def _contact(match: MatchId, seat: Seat, entry: Entry, token: str) -> Html:
    state = (
        "confirmed" if entry.is_confirmed else "waits to be confirmed, by the link in the message that was sent there"
    )
    problem = f"; the last notice failed: {entry.problem}" if entry.problem else ""
    button = tag("button", {"type": "submit"}, "Remove")
    kept = hidden_fields({"seat": seat, "remove": str(entry.number)})
    words = f"{entry.contact.masked}: {state}{problem}. "
    return tag("div", None, words, form(of_match(match, "notices"), token, kept, button, class_="inline"))


def _add(match: MatchId, seat: Seat, token: str) -> Html:
    field: dict[str, Attribute] = {
        "type": "text",
        "name": "contact",
        "id": "contact",
        "required": True,
        "maxlength": CONTACT_MAX,
    }
    return form(
        of_match(match, "notices"),
        token,
        hidden_fields({"seat": seat}),
        tag("label", {"for": "contact"}, "Mail address, or the address of a webhook or chat"),
        tag("input", {**field, "autocomplete": "email"}),
        tag("button", {"type": "submit", "class": "main"}, "Send a message to confirm"),
        class_="sit",
    )


def contact_page(entry: Entry, action: str, played: str) -> str:
    """Return what the owner of a contact can do; programs that look at links in mail change nothing.

    Args:
        entry: The contact.
        action: Where the form is sent.
        played: The title of the game, or the id of the match.
    """
    title = "Notices of a match" if entry.is_confirmed else "Do you want these notices?"
    confirm = tag("button", {"type": "submit", "name": "do", "value": "confirm", "class": "main"}, "Yes, tell me")
    return page(
        title,
        tag("h1", None, title),
        tag(
            "p",
            None,
            f"{entry.contact.masked} is told when it is the turn of a player of {played}, and when the match is over.",
        ),
        tag(
            "form",
            {"method": "post", "action": action},
            None if entry.is_confirmed else confirm,
            tag("button", {"type": "submit", "name": "do", "value": "leave"}, "No more of this match"),
            tag("button", {"type": "submit", "name": "do", "value": "block"}, "Nothing from this server, ever"),
        ),
        kind="message",
    )
