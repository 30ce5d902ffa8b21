"""Card with what the two sides of a combat have so far: `12 : 11`, and beside it how each adds up."""

from collections.abc import Sequence

from core.narration.side_sum import SideSum
from core.telling.phrases import signed
from server.page_parts.html import Html, div, tag

FEW = 2
"""How many parts of a sum always have a row each."""


def sum_card(sums: Sequence[SideSum]) -> Html:
    """Return the card of two sums."""
    first, second = sums
    said = ", ".join([f"{one.title} {one.total}" for one in sums])
    score = tag("p", {"class": "score"}, f"{first.total} : {second.total}")
    return tag("div", {"class": "sums", "role": "group", "aria-label": said}, _sum(first), score, _sum(second))


def _sum(one: SideSum) -> Html:
    """Return what a side has; where there is little room, the last of more than three parts stand in one row."""
    first, others = one.parts[:FEW], one.parts[FEW:]
    is_long = len(others) > 1
    rows = [_row(part.amount, part.what) for part in first]
    rows += [_row(part.amount, part.what, "further" if is_long else "") for part in others]
    if is_long:
        rows.append(_row(sum(part.amount for part in others), f"in {len(others)} other ways", "rest"))
    note = tag("li", None, one.note) if one.note else None
    return div("sum", tag("h2", None, one.title), tag("ul", None, rows, note))


def _row(amount: int, what: str, kind: str = "") -> Html:
    return tag("li", {"class": kind} if kind else None, tag("b", None, signed(amount)), f" {what}")
