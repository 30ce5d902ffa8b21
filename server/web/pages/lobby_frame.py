"""The frame of the pages around the matches: the ways in their header, and the field that finds matches."""

from typing import Literal

from core.game.game_record import Game
from core.svg.palette import RANKS
from events.ids import Side
from server.page_parts.html import Content, Html, link, tag

LOBBY_STYLES = ("lobby.css",)
QUERY_MAX = 80
"""How many characters a search has at most."""

Way = Literal["play", "watch", "learn", ""]


def lobby_header(here: Way, query: str = "") -> Content:
    """Return the ways in the header, the present one marked, and the field that finds matches."""
    ways: list[tuple[Way, str, str]] = [
        ("play", "/", "Play"),
        ("watch", "/matches", "Watch"),
        ("learn", "/learn", "How to play"),
    ]
    links = [link(to, words, aria_current="page" if way == here else None) for way, to, words in ways]
    return [tag("nav", {"class": "ways", "aria-label": "Pages"}, links), find_form(query)]


def find_form(query: str) -> Html:
    """Return the form that finds matches by game, title, player or id."""
    label = tag("label", {"for": "find"}, "Find")
    field = tag(
        "input",
        {
            "type": "search",
            "name": "q",
            "id": "find",
            "value": query or None,
            "maxlength": QUERY_MAX,
            "placeholder": "a match or a player",
            "title": "A game, a player, a title or an id",
        },
    )
    return tag("form", {"class": "find", "method": "get", "action": "/matches", "role": "search"}, label, field)


def side_sign(game: Game, side: Side, name: str) -> Html | None:
    """Return a counter in the colours of a side with the first letter of its name, beside which the name stands; None for a side that is settled in play."""
    ranks = dict(zip(game.roles or game.sides, RANKS, strict=False))
    if side not in ranks:
        return None
    return tag("span", {"class": f"side {ranks[side]}", "aria-hidden": "true"}, name[:1])
