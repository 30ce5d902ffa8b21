"""Tracks, boxes, decks and hands on a page: lists of cells that continue below where a line is full."""

from collections.abc import Mapping

from core.drawing.counter_svg import Counters
from core.drawing.lit import Lit
from core.drawing.sheet import Counter, Sheet, Spread
from core.drawing.strip_svg import counters_in, laid_out, words_of
from core.drawing.strips import BACK, BACKS_MAX, EMPTY, FACE, GONE, Cell, Strip
from core.drawing.svg_text import short
from events.ids import PieceId
from server.pages.html import Html, div, html, link, tag

ROOM = 8
"""Pixels around counters for the number and the edge of each."""
LOOKS = {BACK: "face down", EMPTY: "empty"}
"""What is written in a cell in which nothing can be read."""


def strips_of(sheet: Sheet, spread: Spread, level: int, lit: Mapping[str, Lit] | None = None) -> Html | None:
    """Return the strips of a map, those above it before those beside it; None if there are none.

    Args:
        sheet: The game's maps.
        spread: What lies on and beside them.
        level: The level of the headings, 1 to 6.
        lit: The cards and pieces that can be chosen.
    """
    if not spread.strips:
        return None
    counters = Counters(sheet.sides)
    above: list[Html] = []
    beside: list[Html] = []
    for strip in spread.strips:
        (above if strip.is_above else beside).append(_strip(strip, spread.beside, counters, level, lit or {}))
    return html(
        [div("strips above", div("column", above)) if above else None, div("strips", beside) if beside else None]
    )


def _strip(
    strip: Strip, looks: Mapping[PieceId, Counter], counters: Counters, level: int, lit: Mapping[str, Lit]
) -> Html:
    note = tag("small", None, " ", strip.note) if strip.note else None
    rows = [
        tag("ol", {"class": "cells"}, [_cell(cell, looks, counters, lit.get(cell.id)) for cell in row])
        for row in strip.rows
    ]
    return tag(
        "section",
        {"class": "panel strip private" if strip.is_private else "panel strip"},
        tag(f"h{level}", None, strip.title, note),
        rows,
    )


def _cell(cell: Cell, looks: Mapping[PieceId, Counter], counters: Counters, lit: Lit | None) -> Html:
    rank = counters.rank(cell.side)
    is_small = not (cell.title or cell.notes or cell.meter or cell.pieces)
    is_chosen = lit is not None and lit.is_chosen
    kinds = [rank, "" if cell.look == FACE else cell.look, "small" if is_small else "", "chosen" if is_chosen else ""]
    band = tag("span", None, cell.label, tag("i", None, cell.corner) if cell.corner else None)
    title = tag("del" if cell.look == GONE else "b", None, cell.title) if cell.title else None
    return tag(
        "li",
        {
            "class": " ".join(kind for kind in kinds if kind) or None,
            "aria-current": "true" if cell.is_current else None,
            "aria-label": words_of(cell, looks) if is_small and cell.look != FACE else None,
        },
        band if cell.label or cell.corner else None,
        title if lit is None else link(lit.link, title, class_="lit", title=lit.title, aria_label=lit.title),
        _meter(*cell.meter) if cell.meter is not None else None,
        _backs(cell) if cell.look == BACK else None,
        [
            tag("small", None, note)
            for note in (*cell.notes, "" if is_small or cell.notes else LOOKS.get(cell.look))
            if note
        ],
        _counters(counters_in(cell, looks), counters) if cell.pieces else None,
    )


def _meter(filled: int, of: int) -> Html:
    return tag("span", {"class": "meter", "aria-hidden": "true"}, "■" * filled + "□" * (of - filled))


def _backs(cell: Cell) -> Html:
    """Return cards face down, as a fan with their number on the last if there are several."""
    drawn = "<i></i>" * (min(cell.number, BACKS_MAX) - 1)
    return tag("span", {"class": "backs"}, Html(drawn), tag("i", None, cell.number if cell.number > 1 else None))


def _counters(there: tuple[Counter, ...], counters: Counters) -> Html:
    wide, high, drawn = laid_out(there, counters, 2, ROOM)
    size = {"width": short(wide + ROOM), "height": short(high + ROOM)}
    return tag("svg", {**size, "role": "group", "aria-label": "What lies there"}, Html("".join(drawn)))
