"""The page of a match that waits for players: what it is, who is missing, and the link that brings them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from core.match.bound_games import is_on_shipped_board
from core.match.match_commands import can_be_called_off
from core.registry.games import load_game, typed_key
from core.telling.chosen_options import played_title
from core.telling.phrases import listed
from events.ids import MatchId, Seat
from projections.state.offices import Invitation
from projections.state.table import Table
from server.page_parts.forms import form, hidden_fields
from server.page_parts.html import Attribute, Content, Html, div, link, span, tag
from server.page_parts.times import moment
from server.web.backend.actions import RESIGN
from server.web.backend.lobby_games import players_words
from server.web.backend.new_match import FRIEND, OPEN
from server.web.http.addresses import at_match, of_match
from server.web.http.page_frame import page
from server.web.learning.player_aid import aid_of, primer
from server.web.pages.bot_choices import bot_field
from server.web.pages.lobby_frame import LOBBY_STYLES, lobby_header, side_sign
from server.web.panels.summary_text import reserved_words


class Waiting(NamedTuple):
    """A match that waits for players, as a visitor sees it.

    Attributes:
        match: The match.
        table: As everybody sees it.
        reserved: The seats that only an invitation opens.
        invitations: The invitations to them that the visitor has given.
        seats: The names of its seats.
        played: The titles of game and scenario.
        proved: The seats that the visitor has.
        policies: How the bots of the server can play, the best one last.
        card: A thumbnail of the game.
        site: The address of the pages, without a slash at its end.
        token: Proves the forms.
        key: That of the form that seats a bot.
        last: The last event that the visitor's page knows of.
        seat: Who looks.
    """

    match: MatchId
    table: Table
    reserved: Mapping[Seat, Invitation]
    invitations: Mapping[Seat, str]
    seats: Mapping[Seat, str]
    played: str
    proved: Sequence[Seat]
    policies: Sequence[str]
    card: str
    site: str
    token: str
    key: str
    last: int
    seat: Seat

    @property
    def free(self) -> list[Seat]:
        """The seats that anybody may take."""
        return [seat for seat in self.missing if seat not in self.reserved]

    @property
    def missing(self) -> list[Seat]:
        """The seats that nobody has taken, those for invited players included."""
        return [seat for seat in self.table.seats if seat not in self.table.players]


def waiting_page(waiting: Waiting) -> str:
    """Return the page of a match that waits for players, or that ended before they came."""
    if waiting.table.ended is not None:
        return _off_page(waiting)
    free, count = len(waiting.free), len(waiting.missing)
    head = (
        f"{'One seat is' if free == 1 else f'{free} seats are'} free"
        if free == count
        else f"{'One player is' if count == 1 else f'{count} players are'} missing"
    )
    title = waiting.table.title or waiting.played
    return page(
        f"{head}: {title}",
        div(
            "waiting", div("column", _asked(waiting, head), _meanwhile(waiting)), game_card(waiting.table, waiting.card)
        ),
        kind="lobby narrow",
        header=lobby_header("play"),
        styles=LOBBY_STYLES,
        scripts=["sound.js", "notification.js", "lobby.js", "sending.js"],
        data={"news": of_match(waiting.match, "news", waiting.seat, after=waiting.last)},
    )


def _off_page(waiting: Waiting) -> str:
    """Return the page of a match that ended before play began, with the way to another one for its host."""
    table = waiting.table
    again = link(_new(waiting), "Open another like it", class_="button main") if waiting.proved else None
    asked = tag(
        "section", {"class": "asked"}, called_off(table), tag("p", None, again), tag("p", None, link("/", "Home"))
    )
    return page(
        f"{_result(table)}: {table.title or waiting.played}",
        div("waiting", div("column", asked, _meanwhile(waiting)), game_card(table, waiting.card)),
        kind="lobby narrow",
        header=lobby_header("play"),
        styles=LOBBY_STYLES,
    )


def called_off(table: Table) -> list[Html]:
    """Return what is said of a match that ended before play began: that it does not take place, by whom, and why."""
    names = [name for name in table.players.values() if name]
    by = [" by ", tag("bdi", None, names[0])] if len(names) == 1 and table.arbiter is None else []
    reason = table.ended.reason if table.ended is not None else ""
    words = "Play had not begun. No link to a seat of it opens anything any more."
    return [
        tag("p", {"class": "who"}, _result(table), by),
        tag("h1", None, "This match does not take place"),
        tag("p", None, f"{reason} {words}" if reason else words),
    ]


def _result(table: Table) -> str:
    return "" if table.ended is None else table.ended.result


def _new(waiting: Waiting) -> str:
    """Return the address of the form of a match like this one."""
    table = waiting.table
    own = {"seat": waiting.proved[0]} if waiting.proved else {}
    against = FRIEND if table.reserved else OPEN
    fields = {"game": typed_key(table.game), "scenario": table.scenario, "mode": table.mode, "against": against, **own}
    return f"/new?{urlencode({**fields, 'taking_back': table.taking_back, 'title': table.title})}"


def game_card(table: Table, card: str) -> Html:
    """Return what a match is: a position of its game, its titles, how many play it, and what it is about."""
    game = load_game(table.game)
    scenario = next((one for one in game.scenarios if one.key == table.scenario), game.scenarios[0])
    played = played_title(table.game, table.scenario, table.mode)
    facts = [f"{game.title}, {played}" if table.title else played, players_words(game)]
    return tag(
        "section",
        {"class": "card"},
        tag("div", {"class": "thumb", "aria-hidden": "true"}, Html(card)),
        div(
            "said",
            tag("h2", None, tag("bdi", None, table.title) if table.title else game.title),
            tag("p", {"class": "facts"}, [span("", fact) for fact in facts]),
            tag("p", {"class": "pitch"}, game.pitch),
            tag("p", {"class": "pitch"}, scenario.summary) if len(game.scenarios) > 1 and scenario.summary else None,
            _primer(table),
        ),
    )


def _primer(table: Table) -> list[Content]:
    """Return the game in short, if it is played with the numbers of its own board, and the way to all of it."""
    aid = aid_of(table.game) if is_on_shipped_board(table) else None
    more = link(f"/learn/{typed_key(table.game)}", "How to play")
    return [] if aid is None else [primer(aid), tag("p", None, more)]


def _asked(waiting: Waiting, head: str) -> Html:
    """Return who is missing, and what to do about it."""
    is_host = bool(waiting.proved)
    title = (
        "Send this link to your opponent"
        if is_host and (waiting.free or waiting.invitations)
        else "A seat waits for you"
        if waiting.free
        else "Invited players are missing"
    )
    return tag(
        "section",
        {"class": "asked"},
        tag("p", {"class": "who"}, head),
        tag("h1", None, title),
        _links(waiting) if is_host else _taking(waiting),
        tag("ul", {"class": "chairs"}, [_chair(waiting, seat) for seat in waiting.table.seats]),
        _bots(waiting),
        div("further", _offers(waiting), _calling_off(waiting)) if is_host else None,
        _telling() if is_host else None,
    )


def _telling() -> Html:
    """Return the switch by which a host is told that a seat is taken, which is there with scripts only."""
    switch: dict[str, Attribute] = {"type": "button", "class": "sound switch", "role": "switch"}
    words = (
        "Tell me when the seat is taken: sound, the title of this page, and a notification where the system allows it."
    )
    return tag("p", {"class": "telling"}, tag("button", {**switch, "aria-checked": "false"}, words))


def _calling_off(waiting: Waiting) -> Html:
    """Return the form, behind a question, with which a host calls the match off, or opens another one in its place.

    Nothing where only the arbiter may.
    """
    if not can_be_called_off(waiting.table):
        return Html("")
    words = (
        "What is played is settled when a match is opened. To change it, call this one off and open another; "
        "the links that you have sent say then that it does not take place."
    )
    fields = hidden_fields({"key": waiting.key, "seat": waiting.proved[0], "expected": str(waiting.last)})
    button = tag("button", {"type": "submit", "class": "button"}, "Call this match off, for good")
    return tag(
        "details",
        {"class": "calling-off"},
        tag("summary", {"class": "button"}, "Change or call off"),
        tag("p", {"class": "remark"}, words),
        form(of_match(waiting.match, RESIGN), waiting.token, fields, button, class_="inline"),
    )


def _links(waiting: Waiting) -> list[Content]:
    """Return the links that bring players, and until when an invitation holds."""
    found: list[Content] = []
    seats = [seat for seat in waiting.missing if seat in waiting.free or seat in waiting.invitations]
    for number, seat in enumerate(seats):
        id_ = f"link-{seat}"
        secret = f"#{waiting.invitations[seat]}" if seat in waiting.invitations else ""
        address = f"{waiting.site}{of_match(waiting.match, 'sit', seat)}{secret}"
        field = tag("input", {"type": "text", "id": id_, "readonly": True, "value": address, "data-copy": True})
        label = tag("label", {"for": id_, "class": None if len(seats) > 1 else "unseen"}, f"For {waiting.seats[seat]}")
        class_ = "button main" if number == 0 else "button"
        button = tag("button", {"type": "button", "class": class_, "data-copies": id_}, "Copy link")
        found.append(div("copied", label, field, button))
    if not seats:
        return found
    words: list[Content] = ["Who opens it first and takes the seat plays against you. "]
    if waiting.invitations:
        until = max(waiting.reserved[seat].until for seat in waiting.invitations)
        words = ["It is for one person: nobody takes the seat without it"]
        words += [", until ", moment(until), ". "] if until else [". "]
    found.append(tag("p", {"class": "remark"}, words, "Play begins by itself."))
    return found


def _taking(waiting: Waiting) -> list[Content]:
    found: list[Content] = []
    for seat in waiting.free or waiting.missing:
        name = waiting.seats[seat]
        words = f"Take the {name} seat" if seat in waiting.free else f"I am invited to the {name} seat"
        class_ = "button main" if seat in waiting.free and not found else "button"
        found.append(tag("p", None, link(of_match(waiting.match, "sit", seat), words, class_=class_)))
    return found


def _chair(waiting: Waiting, seat: Seat) -> Html:
    table = waiting.table
    game, side, name = load_game(table.game), table.side_of(seat), waiting.seats[seat]
    sign, role = side_sign(game, side, name), game.roles.get(side, "")
    if seat in table.players:
        who = [tag("bdi", None, table.players[seat] or "taken"), f", {name}"]
        note = "you" if seat in waiting.proved else "is here"
        return tag(
            "li",
            {"class": "here"},
            sign,
            span("what", tag("b", None, who), tag("small", None, "; ".join(filter(None, (note, role))))),
            span("chip", "✓ ready"),
        )
    reserved = waiting.reserved.get(seat)
    note = "free" if reserved is None else reserved_words("reserved", reserved.name)
    said = tag("small", None, "; ".join(filter(None, (note, role))))
    return tag("li", None, sign, span("what", tag("b", None, f"{name}: nobody yet"), said))


def _bots(waiting: Waiting) -> list[Html]:
    """Return the forms with which bots of the server take the seats that the visitor may give away."""
    if not waiting.policies or not waiting.proved:
        return []
    return [
        form(
            of_match(waiting.match, "bot"),
            waiting.token,
            hidden_fields({"key": waiting.key, "seat": seat}),
            bot_field(waiting.policies, {"aria-label": f"How the bot plays {waiting.seats[seat]}"}),
            tag("button", {"type": "submit", "class": "button"}, f"Let a bot play {waiting.seats[seat]}"),
            class_="inline",
        )
        for seat in [*waiting.free, *waiting.invitations]
    ]


def _offers(waiting: Waiting) -> list[Html]:
    """Return the forms that let anybody take the seats for which the visitor has given invitations."""
    return [
        form(
            of_match(waiting.match, "offer"),
            waiting.token,
            hidden_fields({"seat": seat}),
            tag("button", {"type": "submit", "class": "button"}, f"Open {waiting.seats[seat]} to anyone"),
            class_="inline",
        )
        for seat in waiting.invitations
    ]


def _meanwhile(waiting: Waiting) -> Html:
    """Return what can be done until the others come; the secrets of the visitor's seats are folded away."""
    ways = [
        tag(
            "li",
            None,
            link(
                f"{at_match(waiting.match, seat=waiting.seat)}{'&' if waiting.proved else '?'}table=1",
                "The table and the log",
            ),
        ),
        tag("li", None, link("/matches?of=live", "Watch a match that is being played")),
        tag("li", None, link("/", "Play another match meanwhile")),
    ]
    kept = None
    if waiting.proved:
        names = listed([waiting.seats[seat] for seat in waiting.proved])
        shown = [
            form(
                of_match(waiting.match, "link"),
                waiting.token,
                hidden_fields({"seat": seat}),
                tag("button", {"type": "submit", "class": "button"}, f"Show the link to {waiting.seats[seat]}"),
                class_="inline",
            )
            for seat in waiting.proved
        ]
        kept = tag(
            "details",
            None,
            tag("summary", None, f"This browser keeps your seat, {names}"),
            tag(
                "p",
                {"class": "remark"},
                "To play it in another browser, open the link to your seat there. Keep it to yourself.",
            ),
            shown,
        )
    return tag(
        "section", {"class": "listed empty"}, tag("h2", None, "Meanwhile"), tag("ul", {"class": "plain"}, ways), kept
    )
