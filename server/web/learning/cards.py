"""Cards of a game and what they say: what lies in whose deck or hand is not told."""

import re
from collections.abc import Mapping

from core.components.inventory import Cards
from core.game.bound_game import BoundGame
from server.page_parts.html import Html, tag

VALUE = re.compile(r" \(([+-]\d+)\)$")
"""What tells like cards apart, such as their value in a Firefight."""


def cards_section(bound: BoundGame) -> Html | None:
    """Return all cards that say something, like ones together, by their kinds; None for a game without such cards.

    Args:
        bound: The game on its board, or on an owner's.
    """
    kinds = [found for cards in bound.inventory().cards if (found := _kind(bound, cards)) is not None]
    return tag("section", {"id": "cards"}, tag("h2", None, "Cards"), kinds) if kinds else None


def _kind(bound: BoundGame, cards: Cards) -> Html | None:
    said: dict[tuple[str, str], list[str]] = {}
    for id_, name in cards.names.items():
        if text := bound.narration.card_text(str(id_)):
            value = VALUE.search(name)
            said.setdefault((VALUE.sub("", name), text), []).append("" if value is None else value[1])
    if not said:
        return None
    rows = [_row(name, text, values) for (name, text), values in said.items()]
    count = sum(map(len, said.values()))
    title = tag("summary", None, f"{cards.what}s, {count}")
    return tag("details", {"class": "card-list"}, title, tag("table", None, tag("tbody", None, rows)))


def _row(name: str, text: str, values: list[str]) -> Html:
    counts: Mapping[str, int] = {value: values.count(value) for value in sorted(values)}
    told = [f"{count} × {value}" if count > 1 else value for value, count in counts.items() if value]
    small = tag("small", None, " ", ", ".join(told)) if told else None
    return tag("tr", None, tag("th", {"scope": "row"}, name, small), tag("td", None, text))
