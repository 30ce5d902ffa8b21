"""The list of matches."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from core.registry.games import typed_key
from core.telling.chosen_options import called, title_of
from events.ids import GameKey, MatchId
from projections.catalogue import MatchSummary
from server.page_parts.html import Content, Html, link, tag
from server.page_parts.times import moment
from server.page_parts.untold_matches import UNTOLD
from server.web.backend.audits import Audit
from server.web.http.addresses import at_match, of_match
from server.web.http.page_frame import page
from server.web.pages.lobby_frame import LOBBY_STYLES, lobby_header
from server.web.panels.summary_text import SummaryWords

PER_PAGE = 20


class Shown(NamedTuple):
    """Choice of the matches that are listed.

    Attributes:
        game: The only game; empty for all.
        of: The only kind: `mine`, `live` or `over`; empty for all.
        query: What is searched for, or nothing.
    """

    game: str = ""
    of: str = ""
    query: str = ""

    def at(self, number: int = 1) -> str:
        """Return the address of a page of these matches."""
        said = {"game": typed_key(self.game), "of": self.of, "q": self.query, "page": str(number) if number > 1 else ""}
        query = urlencode({name: text for name, text in said.items() if text})
        return f"/matches?{query}" if query else "/matches"


KINDS = (("", "All matches"), ("mine", "Yours"), ("live", "Being played"), ("over", "Over"))
"""The kinds of matches that are listed."""


def list_page(
    matches: Sequence[MatchSummary],
    audits: Mapping[MatchId, Audit],
    *,
    games: Sequence[GameKey],
    shown: Shown,
    number: int,
    pages: int,
) -> str:
    """Return the list of matches.

    Args:
        matches: Those of the page, the newest first.
        audits: Their last audits through these pages.
        games: All games of which there are matches.
        shown: Which matches are listed.
        number: The number of the page, 1 or more.
        pages: How many pages there are.
    """
    kinds = [
        link(shown._replace(of=of).at(), words, aria_current="page" if of == shown.of else None) for of, words in KINDS
    ]
    every = [link(shown._replace(game="").at(), "All games", aria_current=None if shown.game else "page")]
    every += [
        link(shown._replace(game=key).at(), called(key), aria_current="page" if key == shown.game else None)
        for key in games
    ]
    head = tag(
        "tr",
        None,
        [tag("th", {"scope": "col"}, name) for name in ("Match", "Players", "Stands at", "Waits for", "Audit")],
    )
    rows = [_row(match, audits.get(match.match)) for match in matches]
    table = tag("table", {"class": "matches"}, tag("thead", None, head), tag("tbody", None, rows))
    searched = tag("p", None, "Found for ", tag("bdi", None, shown.query), ": ", link("/matches", "all matches"))
    turner = [
        link(shown.at(number - 1), "← Newer", class_="step") if number > 1 else None,
        tag("span", {"class": "where"}, f"Page {number} of {pages}"),
        link(shown.at(number + 1), "Older →", class_="step") if number < pages else None,
    ]
    return page(
        "Matches",
        tag("h1", None, "Matches"),
        tag("nav", {"class": "games", "aria-label": "Kinds of matches"}, kinds),
        tag("nav", {"class": "games", "aria-label": "Games"}, every) if len(games) > 1 else None,
        searched if shown.query else None,
        table if matches else _none(shown),
        tag("nav", {"class": "turner", "aria-label": "Pages"}, turner) if pages > 1 else None,
        kind="list",
        header=lobby_header("watch", shown.query),
        styles=LOBBY_STYLES,
    )


def _none(shown: Shown) -> Html:
    if shown == Shown():
        return tag("p", None, "There are no matches yet. ", link("/", "Open one"), ".")
    return tag("p", None, "There are no such matches.")


def _row(match: MatchSummary, audit: Audit | None) -> Html:
    """Return the line of a match; one that is damaged, or cannot be told, is named."""
    if match.problem:
        return _broken(match.match, match.problem)
    try:
        return _told(match, audit)
    except UNTOLD:
        return _broken(match.match, "its events do not follow the rules")


def _broken(match: MatchId, problem: str) -> Html:
    said = tag("td", {"colspan": 4, "class": "problem"}, f"Damaged or not readable: {problem}")
    return tag("tr", {"class": "broken"}, tag("th", {"scope": "row"}, link(at_match(match), match)), said)


def _told(match: MatchSummary, audit: Audit | None) -> Html:
    words = SummaryWords(match)
    called = (
        [tag("bdi", None, match.title), tag("small", None, title_of(match.game))]
        if match.title
        else title_of(match.game)
    )
    name = [link(at_match(match.match), called, class_="title"), tag("small", None, words.scenario())]
    forked = tag("small", None, "forked from ", link(at_match(match.parent), match.parent)) if match.parent else None
    cells: list[Content] = [words.players(), words.stand(), _awaited(match, words), _audited(match, audit)]
    return tag(
        "tr",
        {"class": "over" if match.ended is not None else None},
        tag("th", {"scope": "row"}, name, forked),
        [tag("td", None, cell) for cell in cells],
    )


def _awaited(match: MatchSummary, words: SummaryWords) -> Content:
    """Return whom a match waits for and since when, or why it is paused or stands still; nothing if it is over."""
    if match.ended is not None:
        return None
    still: Html | None = None
    if match.installed is not None:
        stands = f"Stands still: other rules are installed, edition {match.installed.edition}"
        still = tag("small", {"class": "paused"}, stands)
    if not match.began:
        is_open = any(seat not in match.players for seat in match.seats)
        return [link(of_match(match.match, "sit"), "take a seat") if is_open else None, still]
    if still is not None:
        return still
    since = tag("small", None, "since ", moment(match.waiting.since)) if match.waiting.since else None
    paused = tag("small", {"class": "paused"}, f"Paused{f': {match.paused}' if match.paused else ''}")
    # Where the table is one column, on a phone, its head is not there to say this.
    decider = tag("span", {"class": "player"}, tag("span", {"class": "head"}, "Waits for "), words.decider())
    return [decider, since, paused if match.paused is not None else None]


def _audited(match: MatchSummary, audit: Audit | None) -> Content:
    """Return what the last audit of a match through these pages found, and the way to make one of a match that is over."""
    evidence = at_match(match.match, to="evidence")
    if audit is not None:
        return [link(evidence, audit.verdict), tag("small", None, moment(audit.at))]
    return link(evidence, "not audited yet") if match.ended is not None else None
