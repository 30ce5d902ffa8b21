"""The home page: what can be played here and in how few steps, the visitor's own matches, and what goes on."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple
from urllib.parse import urlencode

from core.registry.games import GAMES, load_game, typed_key
from events.ids import GameKey, Seat
from projections.catalogue import MatchSummary
from server.page_parts.forms import form, hidden_fields
from server.page_parts.html import Content, Html, div, link, span, tag
from server.page_parts.times import iso, moment, moment_words
from server.page_parts.untold_matches import UNTOLD
from server.protocol.bot_seats import policy_of
from server.web.backend.lobby_games import MINUTE_MS, LobbyGame, length_words, players_words
from server.web.backend.new_match import BOT, FRIEND, SELF, WATCH
from server.web.http.addresses import at_match, of_match
from server.web.http.page_frame import page
from server.web.pages.lobby_frame import LOBBY_STYLES, lobby_header, side_sign
from server.web.panels.summary_text import SummaryWords

LISTED_MAX = 4
"""How many matches of a kind the home page lists; the list of matches has all."""
NUMBERS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
WEIGHTS = ("", "light", "medium", "rich", "heavy")


class Home(NamedTuple):
    """The home page of a visitor.

    Attributes:
        games: The games, the lightest first.
        cards: A thumbnail of a position of each.
        own: The visitor's matches with the seats that the browser has proved, those that wait for the visitor first.
        live: Matches that others play, the last that moved first.
        finished: Matches that are over, the last first.
        token: Proves the forms.
        key: From which those of the matches follow that a form of this page opens.
        now_ms: Milliseconds since 1970 (UTC).
    """

    games: Sequence[LobbyGame]
    cards: Mapping[GameKey, str]
    own: Sequence[tuple[MatchSummary, Sequence[Seat]]]
    live: Sequence[MatchSummary]
    finished: Sequence[MatchSummary]
    token: str
    key: str
    now_ms: int


def is_own_turn(match: MatchSummary, seats: Sequence[Seat]) -> bool:
    """Return whether a match waits for one of these seats."""
    return match.began and match.ended is None and match.paused is None and match.to_move in seats


def home_page(home: Home) -> str:
    """Return the home page."""
    waiting = sum(is_own_turn(match, seats) for match, seats in home.own)
    contents = [
        _hero(home),
        _own(home) if home.own else None,
        tag("section", {"class": "cards", "aria-label": "Games"}, [_card(game, home) for game in home.games]),
        _matches(home),
        _forgetting(home) if home.own else None,
    ]
    title = f"Your turn in {waiting} match{'' if waiting == 1 else 'es'}" if waiting else "Play"
    return page(
        title,
        *contents,
        kind="lobby own-first" if waiting else "lobby",
        header=lobby_header("play"),
        styles=LOBBY_STYLES,
        scripts=["sending.js"],
        is_gold=bool(waiting),
    )


def _hero(home: Home) -> Html:
    count = len(home.games)
    number = NUMBERS[count] if count < len(NUMBERS) else str(count)
    first = next((game for game in home.games if game.has_opponents and game.policies), None)
    button = None
    if first is not None:
        length = length_words(first.length)
        words = f"Play now: {first.record.called}{f', {length}' if length else ''}"
        button = _opening(first, BOT, words, home, "button main")
    return div(
        "hero",
        div(
            "said",
            tag("h1", None, f"{number} board wargame{'' if count == 1 else 's'} of Stalingrad, at one table."),
            tag(
                "p",
                None,
                "Play at once against a bot, or send a friend a link. Nothing to install, no account. Every die can be checked.",
            ),
        ),
        button,
    )


def _opening(game: LobbyGame, against: str, words: Content, home: Home, class_: str) -> Html:
    """Return a form with one button that opens a match."""
    hidden = hidden_fields({"game": game.record.key, "against": against, "key": home.key})
    return form("/new", home.token, hidden, tag("button", {"type": "submit", "class": class_}, words), class_="inline")


def _card(game: LobbyGame, home: Home) -> Html:
    record = game.record
    facts = [
        players_words(record),
        length_words(game.length),
        [span("dots", "●" * record.weight, "○" * (4 - record.weight)), " ", WEIGHTS[record.weight]]
        if record.weight
        else None,
    ]
    return tag(
        "article",
        {"class": "card"},
        tag("div", {"class": "thumb", "aria-hidden": "true"}, Html(home.cards.get(record.key, ""))),
        div(
            "said",
            tag("h2", None, record.title),
            tag("p", {"class": "pitch"}, record.pitch or record.scenarios[0].summary),
            tag("p", {"class": "facts"}, [span("", fact) for fact in facts if fact]),
            div("ways", _ways(game, home)),
            div("further", _further(game, home)),
        ),
    )


def _ways(game: LobbyGame, home: Home) -> list[Html]:
    """Return the two ways that most visitors choose."""
    invite = link(_new(game, FRIEND), "Invite a friend", class_="button")
    if not game.has_opponents:
        watch = _opening(game, WATCH, "Watch a bot play", home, "button") if game.policies else None
        return [_opening(game, SELF, ["▶ ", "Play solitaire"], home, "button choose"), *([watch] if watch else [])]
    if not game.policies:
        return [_opening(game, SELF, ["▶ ", "Play both sides"], home, "button choose"), invite]
    return [_opening(game, BOT, ["▶ ", "Play against a bot"], home, "button choose"), invite]


def _further(game: LobbyGame, home: Home) -> list[Html]:
    found: list[Html] = []
    if game.has_opponents and game.policies:
        modes = [mode for scenario in game.record.scenarios for mode in scenario.modes]
        alone = "Solitaire" if any(len(mode.seats) == 1 for mode in modes) else "Both sides"
        found.append(_opening(game, SELF, alone, home, "linked"))
    if game.live:
        to = f"/matches?{urlencode({'game': typed_key(game.record.key), 'of': 'live'})}"
        found.append(link(to, f"Watch {len(game.live)} live"))
    elif game.policies and game.has_opponents:
        found.append(_opening(game, WATCH, "Watch bots", home, "linked"))
    learn = link(f"/learn/{typed_key(game.record.key)}", "How to play")
    return [*found, learn, link(_new(game), "More")]


def _new(game: LobbyGame, against: str = "") -> str:
    return f"/new?{urlencode({'game': typed_key(game.record.key), **({'against': against} if against else {})})}"


# Matches


def _own(home: Home) -> Html:
    waiting = sum(is_own_turn(match, seats) for match, seats in home.own)
    note = f"{waiting} wait{'s' if waiting == 1 else ''} for you" if waiting else ""
    rows = [_told(match, partial(_own_row, match, seats, home.now_ms)) for match, seats in home.own[:LISTED_MAX]]
    return _listed("Your matches", note, rows, f"All {len(home.own)}", "mine")


def _forgetting(home: Home) -> Html:
    """Return how long the browser keeps its seats, and the form that lets it forget them."""
    said = "This browser keeps your seats until it has not been here for four weeks. A seat is lost with it, unless you have its link."
    button = tag("button", {"type": "submit", "class": "button"}, "Forget all seats of this browser")
    return tag(
        "details",
        {"class": "forget"},
        tag("summary", None, "Kept in this browser"),
        tag("p", None, said),
        form("/forget", home.token, button),
    )


def _told(match: MatchSummary, make: Callable[[], Html]) -> Html:
    """Return the row of a match; of one whose events do not follow the rules its id alone."""
    try:
        return make()
    except UNTOLD:
        return tag("li", None, link(at_match(match.match), span("what", match.match)))


def _own_row(match: MatchSummary, seats: Sequence[Seat], now_ms: int) -> Html:
    words = SummaryWords(match)
    is_turn = is_own_turn(match, seats)
    seat = match.to_move if is_turn else next(iter(seats))
    state: Content
    if match.ended is not None:
        state = span("chip", "Over")
    elif is_turn:
        state = span("chip turn", "Your turn")
    elif not match.began:
        state = span("chip", "Seat free" if words.is_free() else "Invited" if match.reserved else "Not begun")
    else:
        state = span("chip", "Waiting")
    return tag(
        "li",
        {"class": "turn" if is_turn else None},
        link(
            at_match(match.match, seat=seat),
            span("initial", words.initial()),
            span("what", tag("b", None, words.title()), tag("small", None, words.own(seats))),
            span("stands", words.asked() if match.ended is None else words.outcome(), _waited(match, seats, now_ms)),
            state,
        ),
    )


def _waited(match: MatchSummary, seats: Sequence[Seat], now_ms: int) -> Html | None:
    """Return who waits for the visitor, or who is to decide, and for how long."""
    since = match.waiting.since
    if not since or match.ended is not None:
        return None
    length = length_words(max(1, (now_ms - since) // MINUTE_MS))
    at = tag("time", {"datetime": iso(since), "title": moment_words(since)}, length)
    if not is_own_turn(match, seats):
        decider = SummaryWords(match).decider()
        return tag("small", None, tag("bdi", None, f"{decider} to move, ") if decider else None, at)
    others = [name for seat, name in match.players.items() if seat not in seats and name and not policy_of(name)]
    if not others:
        return tag("small", None, "for ", at)
    who = [tag("bdi", None, others[0]), f" and {len(others) - 1} more wait " if len(others) > 1 else " waits "]
    return tag("small", None, who, "for ", at)


def _live_row(match: MatchSummary) -> Html:
    words = SummaryWords(match)
    picture = tag("img", {"src": of_match(match.match, "thumb.svg"), "alt": "", "loading": "lazy"})
    who = span("what", tag("b", None, words.pairing()), tag("small", None, words.place()))
    return tag("li", None, link(at_match(match.match), picture, who))


def _finished_row(match: MatchSummary) -> Html:
    words = SummaryWords(match)
    when = span("when", moment(match.ended_at)) if match.ended_at else None
    who = span("what", span("", words.outcome()), tag("small", None, words.circumstances()))
    return tag("li", None, link(at_match(match.match), _winning(match), who, when))


def _winning(match: MatchSummary) -> Html | None:
    """Return the colours of the side that has won; None if that is not one, or the game is not installed."""
    winners = () if match.ended is None else match.ended.winners
    if len(winners) != 1 or match.game not in GAMES:
        return None
    return side_sign(load_game(match.game), winners[0], "")


def _matches(home: Home) -> Html:
    live = [_told(one, partial(_live_row, one)) for one in home.live[:LISTED_MAX]]
    over = [_told(one, partial(_finished_row, one)) for one in home.finished[:LISTED_MAX]]
    parts = [
        _listed("Live now", "", live, f"All {len(home.live)}", "live")
        if live
        else _empty("Nobody plays just now", "A match that others play can be watched move by move."),
        _listed("Just finished", "", over, f"All {len(home.finished)}", "over")
        if over
        else _empty("No match is over yet", "A finished match is a film: step through it from its beginning."),
    ]
    if not home.own:
        words = "Matches that you open or join stand here, those that wait for you first. This browser keeps them."
        parts.insert(0, _empty("No match is yours yet", words))
    return div("lists", parts)


def _listed(title: str, note: str, rows: Sequence[Html], more: str, of: str) -> Html:
    to = f"/matches?{urlencode({'of': of})}"
    head = tag("header", None, tag("h2", None, title), span("note", note) if note else None, link(to, more))
    return tag("section", {"class": f"listed of-{of}"}, head, tag("ul", None, rows))


def _empty(title: str, words: str) -> Html:
    return tag("section", {"class": "listed empty"}, tag("h2", None, title), tag("p", None, words))
