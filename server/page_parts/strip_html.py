"""Tracks, boxes, decks and hands on a page: lists of cells that continue below where a line is full."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from core.drawing.strip_svg import COUNTERS_WIDE, counters_in, laid_out, pieces_in, visible_in, words_of
from core.narration.sheet import Counter, Sheet, Spread
from core.narration.strips import BACK, BACKS_MAX, EMPTY, FACE, GONE, Cell, Strip
from core.svg.counter_svg import GAP, WIDE, Counters
from core.svg.highlights import Lit, lit_counters
from core.svg.svg_text import short
from events.ids import PieceId
from server.page_parts.html import Attribute, Content, Html, div, html, link, tag

LEFT, ROOM = 5, 8
"""Pixels left of counters and around them, for the number, the edge and the ring of each."""
NARROW = 2 * WIDE + GAP
"""How wide counters in a cell beside the map are at most, in pixels."""
LOOKS = {BACK: "face down", EMPTY: "empty"}
"""What is written in a cell in which nothing can be read."""


def strips_of(
    sheet: Sheet, spread: Spread, level: int, lit: Mapping[str, Lit] | None = None, first: Collection[str] = ()
) -> Html | None:
    """Return the strips of a map: those that are vital, those above it, and those beside it; None if there are none.

    Args:
        sheet: The game's maps.
        spread: What lies on and beside them.
        level: The level of the headings, 1 to 6.
        lit: The cards and pieces that can be chosen.
        first: The cards that lie first in a hand.
    """
    drawn = _drawn(sheet, spread, level, lit or {}, first)
    if not drawn:
        return None
    below = [one for strip, one in drawn if not (strip.is_vital or strip.is_above)]
    return html([_vital(drawn), _above(drawn), div("strips", below) if below else None])


class StripParts(NamedTuple):
    """The strips of a map by where they lie on a page that has little room; None where there are none.

    Attributes:
        vital: Those that are always in sight.
        aside: Those above the map, narrow ones, those in which something can be chosen, stacks of the map, and hands; the hands first if a card can be chosen.
        below: All others.
    """

    vital: Html | None
    aside: Html | None
    below: Html | None


def strip_parts(
    sheet: Sheet, spread: Spread, level: int, lit: Mapping[str, Lit] | None = None, first: Collection[str] = ()
) -> StripParts:
    """Return the strips of a map by where they lie; see `strips_of`."""
    lit = lit or {}
    drawn = _drawn(sheet, spread, level, lit, first)
    others = [(strip, one) for strip, one in drawn if not (strip.is_vital or strip.is_above)]
    hands = [one for strip, one in others if strip.is_private]
    is_hand_asked = any(_is_asked(strip, lit) for strip, _ in others if strip.is_private)
    stacks = [one for strip, one in others if strip.is_stacks]
    rest = [(strip, one) for strip, one in others if not (strip.is_private or strip.is_stacks)]
    asked = [one for strip, one in rest if _is_asked(strip, lit)]
    below = [one for strip, one in rest if not (strip.is_narrow or _is_asked(strip, lit))]
    private, own = ("strips hands", hands), ("strips", stacks)
    narrow = [one for strip, one in rest if strip.is_narrow and not _is_asked(strip, lit)]
    parts = (("strips", asked), *((private, own) if is_hand_asked else (own, private)), ("strips above", narrow))
    beside = html([_above(drawn), *[div(kind, there) for kind, there in parts if there]])
    return StripParts(_vital(drawn), beside or None, div("strips", below) if below else None)


def _is_asked(strip: Strip, lit: Mapping[str, Lit]) -> bool:
    """Return whether a card or a piece in a strip can be chosen."""
    things = (one for row in strip.rows for cell in row for one in (cell.id, *cell.pieces))
    return any(one in lit and not lit[one].is_instead for one in things)


def _vital(drawn: Sequence[tuple[Strip, Html]]) -> Html | None:
    vital = [one for strip, one in drawn if strip.is_vital]
    return div("strips vital", vital) if vital else None


def _above(drawn: Sequence[tuple[Strip, Html]]) -> Html | None:
    above = [one for strip, one in drawn if strip.is_above]
    return div("strips above", div("column", above)) if above else None


def _drawn(
    sheet: Sheet, spread: Spread, level: int, lit: Mapping[str, Lit], first: Collection[str]
) -> list[tuple[Strip, Html]]:
    """Return the strips with their drawings; those beside a map are narrower."""
    counters, found = Counters(sheet.sides), list[tuple[Strip, Html]]()
    for number, strip in enumerate(spread.strips):
        is_narrow = strip.is_above or strip.is_narrow or strip.is_vital or _is_asked(strip, lit)
        room = NARROW if is_narrow else COUNTERS_WIDE
        pens = _Pens(spread.beside, counters, room, lit, first, is_brief=strip.is_vital)
        found.append((strip, _strip(strip, pens, level, f"lit-{number}")))
    return found


class _Pens(NamedTuple):
    """Means of drawing cells: the looks of the pieces, the functions that draw them and their widths, the choices, and the first pieces.

    Where there is room for a few characters of a cell, as in a strip that is vital, all of it is its title.
    """

    looks: Mapping[PieceId, Counter]
    counters: Counters
    room: float
    lit: Mapping[str, Lit]
    first: Collection[str]
    is_brief: bool = False


def _strip(strip: Strip, pens: _Pens, level: int, prefix: str) -> Html:
    """Return a strip with a heading of a level, in a hand some cards first; the ids in it begin with a prefix."""
    note = tag("small", None, " ", strip.note) if strip.note else None
    found = [sorted(row, key=lambda cell: _in_hand(cell, pens)) if strip.is_private else row for row in strip.rows]
    rows = [
        tag("ol", {"class": "cells"}, [_cell(cell, pens, f"{prefix}-{line}-{nr}-") for nr, cell in enumerate(row)])
        for line, row in enumerate(found)
    ]
    kinds = [
        kind
        for kind, holds in (
            ("hand", strip.is_hand),
            ("private", strip.is_private),
            ("stacks", strip.is_stacks),
            ("phase", strip.is_phase),
            ("line", strip.is_line),
        )
        if holds
    ]
    return tag(
        "section",
        {"class": " ".join(["panel strip", *kinds])},
        tag(f"h{level}", None, strip.title, note),
        rows,
    )


def _in_hand(cell: Cell, pens: _Pens) -> tuple[bool, int]:
    """Return where a card lies in a hand: those that can be chosen first, in the order of the numbers that they share with their options."""
    sign = pens.lit[cell.id].sign if cell.id in pens.lit else ""
    return cell.id not in pens.first, int(sign) if sign.isdecimal() else len(pens.lit)


def _cell(cell: Cell, pens: _Pens, prefix: str) -> Html:
    own, rank = pens.lit.get(cell.id), pens.counters.rank(cell.side)
    is_small = not (cell.title or cell.notes or cell.meter or cell.pieces)
    said = words_of(cell, pens.looks) if pens.is_brief or (is_small and cell.look != FACE) else None
    is_chosen = own is not None and own.is_chosen
    kinds = [rank, "" if cell.look == FACE else cell.look, "small" if is_small else "", "chosen" if is_chosen else ""]
    kinds.append("limit" if cell.limit else "")
    band = tag("span", None, cell.label, tag("i", None, cell.corner) if cell.corner else None)
    title = tag("del" if cell.look == GONE else "b", None, cell.title) if cell.title else None
    return tag(
        "li",
        {
            "class": " ".join(kind for kind in kinds if kind) or None,
            "aria-current": "true" if cell.is_current else None,
            "aria-label": said,
            "title": said if pens.is_brief else None,
        },
        band if cell.label or cell.corner else None,
        title if own is None else _choice(own, title),
        _meter(*cell.meter) if cell.meter is not None else None,
        _backs(cell) if cell.look == BACK else None,
        [
            tag("small", None, note)
            for note in (*cell.notes, "" if is_small or cell.notes else LOOKS.get(cell.look))
            if note
        ],
        _counters(cell, pens, prefix) if cell.pieces else None,
        tag("small", {"class": "outcome"}, own.outcome) if own is not None and own.outcome else None,
    )


def _choice(own: Lit, title: Content) -> Html:
    """Return what leads to the options about a card."""
    current = "true" if own.is_chosen else None
    key = tag("i", {"class": "key"}, own.sign) if own.sign else None
    return link(
        own.link,
        key,
        title,
        class_=own.kind,
        title=own.title,
        aria_label=own.title,
        aria_current=current,
        data_option=own.option or None,
        data_plays=own.is_played,
    )


def _meter(filled: int, of: int) -> Html:
    return tag("span", {"class": "meter", "aria-hidden": "true"}, "■" * filled + "□" * (of - filled))


def _backs(cell: Cell) -> Html:
    """Return cards face down, as a fan with their number on the last if there are several."""
    drawn = "<i></i>" * (min(cell.number, BACKS_MAX) - 1)
    return tag("span", {"class": "backs"}, Html(drawn), tag("i", None, cell.number if cell.number > 1 else None))


def _counters(cell: Cell, pens: _Pens, prefix: str) -> Html:
    """Return the counters in a cell, those that can be chosen as links."""
    looks, counters, room, lit = pens[:4]
    there = counters_in(cell, looks)
    wide, high, drawn = laid_out(there, counters, LEFT, ROOM, room)
    size = (short(wide + ROOM), short(high + ROOM))
    visible = {
        piece: counter
        for pieces, counter in zip(pieces_in(cell, looks), visible_in(there, counters, LEFT, ROOM, room), strict=True)
        for piece in pieces
    }
    inside = [*drawn, *lit_counters(lit, visible, prefix)]
    box: dict[str, Attribute] = {"width": size[0], "height": size[1], "viewBox": f"0 0 {size[0]} {size[1]}"}
    return tag("svg", {**box, "role": "group", "aria-label": "What lies there"}, Html("".join(inside)))
