"""The list of matches."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from urllib.parse import urlencode

from core.errors import UnknownName
from core.games import load_game
from core.telling.names import IdsOnly, Names
from core.telling.phrases import listed, standing
from events.ids import GameKey, MatchId, Seat
from server.protocol.replies import MatchSummary
from server.web.addresses import at_match
from server.web.html import Content, Html, link, tag
from server.web.layout import page
from server.web.times import moment

PER_PAGE = 20


def list_page(
    matches: Sequence[MatchSummary],
    times: Mapping[MatchId, int | None],
    *,
    games: Sequence[GameKey],
    game: str,
    number: int,
    pages: int,
) -> str:
    """Return the list of matches.

    Args:
        matches: Those of the page, the newest first.
        times: When their last events were accepted.
        games: All games of which there are matches.
        game: The only game to be listed; empty for all.
        number: The number of the page, 1 or more.
        pages: How many pages there are.
    """
    every = [link("/", "All games", aria_current=None if game else "page")]
    every += [link(_to(key, 1), _title(key), aria_current="page" if key == game else None) for key in games]
    chooser = tag("nav", {"class": "games", "aria-label": "Games"}, every) if len(games) > 1 else None
    head = tag(
        "tr",
        None,
        [tag("th", {"scope": "col"}, name) for name in ("Match", "Players", "Stands at", "To decide", "Last event")],
    )
    rows = [_row(match, times.get(match.match)) for match in matches]
    table = tag("table", {"class": "matches"}, tag("thead", None, head), tag("tbody", None, rows))
    empty = tag("p", None, "There are no matches yet. ", tag("code", None, "wardiary new GAME"), " opens one.")
    turner = [
        link(_to(game, number - 1), "← Newer", class_="step") if number > 1 else None,
        tag("span", {"class": "where"}, f"Page {number} of {pages}"),
        link(_to(game, number + 1), "Older →", class_="step") if number < pages else None,
    ]
    return page(
        "Matches",
        tag("h1", None, "Matches"),
        chooser,
        table if matches else empty,
        tag("nav", {"class": "turner", "aria-label": "Pages"}, turner) if pages > 1 else None,
        kind="list",
    )


def _to(game: str, number: int) -> str:
    said = {**({"game": game} if game else {}), **({"page": str(number)} if number > 1 else {})}
    return f"/?{urlencode(said)}" if said else "/"


def _title(game: GameKey) -> str:
    try:
        return load_game(game).title
    except UnknownName:
        return game


def _row(match: MatchSummary, at: int | None) -> Html:
    if match.problem:
        broken = tag("td", {"colspan": 4, "class": "problem"}, f"Damaged or not readable: {match.problem}")
        return tag(
            "tr", {"class": "broken"}, tag("th", {"scope": "row"}, link(at_match(match.match), match.match)), broken
        )
    words = _Words(match)
    name = [link(at_match(match.match), _title(match.game), class_="title"), tag("small", None, words.scenario())]
    forked = tag("small", None, "forked from ", link(at_match(match.parent), match.parent)) if match.parent else None
    cells: list[Content] = [words.players(), words.stand(), words.decider(), moment(at) if at is not None else None]
    return tag(
        "tr",
        {"class": "over" if match.ended is not None else None},
        tag("th", {"scope": "row"}, name, forked),
        [tag("td", None, cell) for cell in cells],
    )


@lru_cache(maxsize=64)
def _names(game: GameKey) -> Names:
    return Names(IdsOnly(game))


class _Words:
    """A summary in words."""

    def __init__(self, match: MatchSummary) -> None:
        self._match = match
        self._names = _names(match.game)

    def scenario(self) -> str:
        match = self._match
        mode = self._names.of(match.mode) if match.mode else ""
        return ", ".join(filter(None, [self._names.of(match.scenario), mode, match.match]))

    def players(self) -> list[Html]:
        return [
            tag("span", {"class": "player"}, f"{self._names.seat(seat)}: {self._player(seat)}")
            for seat in self._match.seats
        ]

    def _player(self, seat: Seat) -> str:
        if seat not in self._match.players:
            return "free"
        return self._match.players[seat] or "taken"

    def stand(self) -> str:
        match, names = self._match, self._names
        if match.ended is not None:
            winners = names.winners(match.ended.winners, match.ended.winning_seats)
            return f"Over: {match.ended.result}{f', won by {listed(winners)}' if winners else ''}"
        if not match.began:
            return "Not begun"
        round_ = f"{names.round} {match.round}" if match.round else ""
        return standing(round_, names.side(match.turn) if match.turn else "", names.phase(match.phase))

    def decider(self) -> str:
        return self._names.seat(self._match.to_move) if self._match.to_move and self._match.ended is None else ""
