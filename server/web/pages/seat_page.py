"""The page on which a visitor takes a free seat, takes a reserved one with its invitation, or proves one."""

from collections.abc import Collection, Mapping, Sequence

from core.telling.chosen_options import title_of
from core.telling.phrases import listed
from events.ids import MatchId, Seat
from projections.state.table import Table
from server.page_parts.forms import form, hidden_fields
from server.page_parts.html import Content, Html, div, link, tag
from server.protocol.identity import TOKEN_CHARACTERS_MAX
from server.web.http.addresses import at_match, of_match
from server.web.http.page_frame import page
from server.web.pages.bot_choices import bot_field
from server.web.pages.lobby_frame import LOBBY_STYLES, lobby_header
from server.web.pages.waiting_page import called_off, game_card
from server.web.panels.summary_text import reserved_words

NAME_MAX = 60


def sit_page(
    match: MatchId,
    seats: Mapping[Seat, str],
    *,
    free: Sequence[Seat],
    reserved: Mapping[Seat, str],
    chosen: str,
    proved: Sequence[Seat],
    token: str,
    key: str,
    played: str,
    policies: Sequence[str],
    table: Table,
    card: str,
    given: Collection[Seat] = (),
    why: str = "",
    name: str = "",
    invitation: str = "",
) -> str:
    """Return the page on which a seat is taken, or the secret of a taken one is given.

    The fragment of the page's address is the secret of the chosen seat or, if that is reserved, the invitation to it; see `sit.js`.

    Args:
        match: The match.
        seats: The seats that may be proved, with their names.
        free: Those that nobody has taken yet, and that are not reserved.
        reserved: The reserved ones, each with the name for which it is, or nothing.
        chosen: The seat that is meant, or nothing.
        proved: The seats that the visitor has proved already.
        token: Proves the form.
        key: From which the secret of a seat follows that is taken with a form of this page, so that it is the same one if the form is sent twice.
        played: The titles of game and scenario.
        policies: How the bots of the server can play, the best one last; empty if it plays none.
        table: The match as everybody sees it.
        card: A thumbnail of the game.
        given: The reserved seats to which the visitor has given the invitations.
        why: What went wrong before, or nothing.
        name: The name that the visitor has typed already, or nothing.
        invitation: The invitation to the chosen seat that the visitor has given already, or nothing.
    """
    if table.ended is not None and not table.began:
        home = tag("p", None, link("/", "Play another match", class_="button main"))
        return _framed(f"No match: {played}", game_card(table, card), called_off(table), home)
    settled = _settled(match, seats, chosen, proved, given)
    chosen = "" if settled else chosen
    title = "Take a seat" if free or reserved else "See a match as a seat"
    # Enter in the field of the name presses the first button; a bot is for another seat.
    free = sorted(free, key=lambda seat: seat != chosen)
    left = sorted(free, key=lambda seat: seat == chosen)
    is_invited = chosen in reserved
    to_free = _free(match, seats, free, token=token, key=key, typed=name)
    to_reserved = _reserved(
        match, seats, reserved, chosen=chosen, token=token, key=key, typed=name, invitation=invitation
    )
    primary = settled or (to_reserved if is_invited else to_free)
    others = [
        to_free if is_invited or settled else None,
        None if is_invited else to_reserved,
        _own_secret(match, seats, token, chosen=chosen, is_meant=not is_invited and not settled),
        _bot(match, seats, left, token, key=key, policies=policies),
    ]
    offered = Seat(chosen) if is_invited else free[0] if len(free) == 1 else None
    asked = title if offered is None else f"Play {seats[offered]} in {title_of(table.game)}?"
    question = [tag("p", {"class": "who"}, _inviting(table)), tag("h1", None, asked)]
    return _framed(
        f"{title}: {played}",
        game_card(table, card),
        None if settled else question,
        settled,
        tag("p", {"class": "wrong", "role": "alert"}, why) if why else None,
        _own(match, seats, proved, token),
        None if settled else primary,
        tag("details", None, tag("summary", None, "Other ways to sit down"), others) if primary else others,
        tag(
            "p",
            None,
            "No account: this browser keeps your seat. ",
            link(at_match(match), "See the match as everybody does"),
        ),
    )


def _settled(
    match: MatchId, seats: Mapping[Seat, str], chosen: str, proved: Sequence[Seat], given: Collection[Seat]
) -> Sequence[Html]:
    """Return what is said where nothing has to be taken: the chosen seat is the visitor's, or it waits for a friend; nothing elsewhere."""
    seat = Seat(chosen)
    if seat in proved:
        return [
            tag("p", {"class": "who"}, "This browser keeps your seat"),
            tag("h1", None, "This seat is yours"),
            tag("p", None, link(at_match(match, seat=seat), f"Play {seats.get(seat, seat)}", class_="button main")),
        ]
    if seat in given:
        words = f"Whoever opens it in another browser may take the {seats[seat]} seat, once. You have a seat already."
        back = link(at_match(match, seat=proved[0]), "Back to your seat", class_="button main")
        return [
            tag("p", {"class": "who"}, "You invite"),
            tag("h1", None, "This is the link for your friend"),
            tag("p", None, words),
            tag("p", None, back),
        ]
    return ()


def _framed(title: str, card: Html, *contents: Content) -> str:
    """Return a page that asks something beside what the match is."""
    return page(
        title,
        div("waiting", div("column", tag("section", {"class": "asked"}, *contents)), card),
        kind="lobby narrow",
        header=lobby_header("play"),
        styles=LOBBY_STYLES,
        scripts=["sit.js"],
    )


def _inviting(table: Table) -> list[Content]:
    """Return who is at the table already."""
    names = [name for name in table.players.values() if name]
    if not names or table.began:
        return ["A seat at the table"]
    return [tag("bdi", None, listed(names)), f" invite{'s' if len(names) == 1 else ''} you"]


def _own_secret(match: MatchId, seats: Mapping[Seat, str], token: str, *, chosen: str, is_meant: bool) -> Content:
    """Return the form with which a seat is proved by its secret; `is_meant`: the fragment is that secret."""
    prove = form(
        of_match(match, "sit"),
        token,
        _seat_field("seat", seats, chosen),
        _secret_field("secret", "Secret", "send" if is_meant else None),
        tag("button", {"type": "submit", "class": "main"}, "See the match as this seat"),
        class_="sit",
    )
    words = "The secret of a seat was given to the player who took it. It stays on this server, in memory, for this browser."
    return [tag("h2", None, "A seat that is yours"), tag("p", None, words), prove]


def _free(
    match: MatchId, seats: Mapping[Seat, str], free: Sequence[Seat], *, token: str, key: str, typed: str
) -> Content:
    """Return the form with which a free seat is taken."""
    if not free:
        return None
    buttons = [
        tag(
            "button",
            {"type": "submit", "name": "seat", "value": seat, "class": "main" if number == 0 else None},
            f"Take the {seats[seat]} seat and play",
        )
        for number, seat in enumerate(free)
    ]
    fields = [hidden_fields({"key": key}), _name_field("name", "Your name, which everybody sees", typed)]
    taken = form(of_match(match, "take"), token, fields, buttons, class_="sit")
    return taken if len(free) == 1 else [tag("h2", None, "Free seats"), taken]


def _reserved(
    match: MatchId,
    seats: Mapping[Seat, str],
    reserved: Mapping[Seat, str],
    *,
    chosen: str,
    token: str,
    key: str,
    typed: str,
    invitation: str,
) -> Content:
    """Return the form with which a reserved seat is taken with the invitation to it."""
    if not reserved:
        return None
    names = {seat: reserved_words(seats[seat], name) for seat, name in reserved.items()}
    meant = next((seat for seat in reserved if seat == chosen), None)
    seat = _seat_field("reserved-seat", names, "") if meant is None else hidden_fields({"seat": meant})
    words = "Take the reserved seat" if meant is None else f"Take the {seats[meant]} seat and play"
    by_default = "" if meant is not None and not reserved[meant] else "; by default that of the invitation"
    taken = form(
        of_match(match, "take"),
        token,
        hidden_fields({"key": key}),
        seat,
        div("invitation", _secret_field("invitation", "Invitation", None if meant is None else "fill", invitation)),
        _name_field("invited-name", f"Your name, which everybody sees{by_default}", typed),
        tag("button", {"type": "submit", "class": None if meant is None else "main"}, words),
        class_="sit",
    )
    how = "A reserved seat is taken with the invitation that its player was given. An invitation opens its seat once; then the seat has a secret of its own."
    if meant is None:
        return [tag("h2", None, "Reserved seats"), tag("p", None, how), taken]
    return [tag("p", None, names[meant], ".") if reserved[meant] else None, taken]


def _seat_field(id_: str, names: Mapping[Seat, str], chosen: str) -> list[Html]:
    """Return the field in which a seat is chosen."""
    options = [tag("option", {"value": seat, "selected": seat == chosen}, name) for seat, name in names.items()]
    return [tag("label", {"for": id_}, "Seat"), tag("select", {"name": "seat", "id": id_}, options)]


def _secret_field(name: str, label: str, fragment: str | None, typed: str = "") -> list[Html]:
    """Return the field of a secret; `fragment` is what `sit.js` does with the fragment of the address: fill it in, also send it, or nothing."""
    field: dict[str, str | int | bool | None] = {
        "type": "password",
        "name": name,
        "id": name,
        "required": True,
        "maxlength": TOKEN_CHARACTERS_MAX,
        "autocomplete": "off",
        "spellcheck": "false",
        "data-fragment": fragment,
        "value": typed or None,
    }
    return [tag("label", {"for": name}, label), tag("input", field)]


def _name_field(id_: str, label: str, typed: str) -> list[Html]:
    field: dict[str, str | int | bool | None] = {"type": "text", "name": "name", "id": id_, "maxlength": NAME_MAX}
    if typed:
        field["value"] = typed[:NAME_MAX]
    return [tag("label", {"for": id_}, label), tag("input", field)]


def _bot(
    match: MatchId, seats: Mapping[Seat, str], free: Sequence[Seat], token: str, *, key: str, policies: Sequence[str]
) -> Content:
    """Return the form with which a bot of the server takes a free seat."""
    if not free or not policies:
        return None
    fields = [
        hidden_fields({"key": key}),
        _seat_field("bot-seat", {seat: seats[seat] for seat in free}, ""),
        tag("label", {"for": "policy"}, "How it plays"),
        bot_field(policies, {"id": "policy"}),
        tag("button", {"type": "submit"}, "Let a bot play it"),
    ]
    return [tag("h2", None, "Bots"), form(of_match(match, "bot"), token, fields, class_="sit")]


def seated_page(match: MatchId, seat: Seat, name: str, secret: str) -> str:
    """Return the page with the link of a seat, for a visitor who has proved it; it is kept nowhere."""
    back = f"{of_match(match, 'sit', seat)}#{secret}"
    words = (
        "This link brings you back to your seat in any browser. Keep it to yourself: whoever has it plays your seat."
    )
    return page(
        "The seat is yours",
        tag("p", {"class": "who"}, "This browser keeps your seat"),
        tag("h1", None, f"The {name} seat is yours"),
        tag("p", None, link(at_match(match, seat=seat), "Play", class_="button main")),
        tag(
            "details",
            None,
            tag("summary", None, "To play it in another browser, too"),
            tag("p", None, words),
            tag("p", None, link(back, "The link to your seat")),
            tag("p", None, "The secret alone, for ", tag("code", None, "--token"), ": ", tag("code", None, secret)),
        ),
        kind="lobby narrow",
        header=lobby_header("play"),
        styles=LOBBY_STYLES,
    )


def _own(match: MatchId, seats: Mapping[Seat, str], proved: Sequence[Seat], token: str) -> Content:
    if not proved:
        return None
    rows: list[Html] = []
    for seat in proved:
        button = tag("button", {"type": "submit", "name": "seat", "value": seat}, "Forget the secret")
        shown = tag("button", {"type": "submit", "name": "seat", "value": seat}, "Show its link")
        rows.append(
            tag(
                "li",
                None,
                link(at_match(match, seat=seat), f"as {seats.get(seat, seat)}"),
                " ",
                form(of_match(match, "link"), token, shown, class_="inline"),
                " ",
                form(of_match(match, "leave"), token, button, class_="inline"),
            )
        )
    return [tag("h2", None, "Your seats in this browser"), tag("ul", None, rows)]
