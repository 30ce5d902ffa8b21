"""Card with what the two sides of a combat have so far: `12 : 11`, and beside it how each adds up."""

from collections.abc import Sequence

from core.narration.side_sum import SideSum
from core.telling.phrases import signed
from server.page_parts.html import Html, div, tag


def sum_card(sums: Sequence[SideSum]) -> Html:
    """Return the card of two sums."""
    first, second = sums
    said = ", ".join([f"{one.title} {one.total}" for one in sums])
    score = tag("p", {"class": "score"}, f"{first.total} : {second.total}")
    return tag("div", {"class": "sums", "role": "group", "aria-label": said}, _sum(first), score, _sum(second))


def _sum(one: SideSum) -> Html:
    parts = [tag("li", None, tag("b", None, signed(part.amount)), f" {part.what}") for part in one.parts]
    note = tag("li", None, one.note) if one.note else None
    return div("sum", tag("h2", None, one.title), tag("ul", None, parts, note))
