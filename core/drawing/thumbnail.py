"""Thumbnails: a position without any text, small enough for lists, made of the sheet and the spread of the whole picture."""

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from core.drawing.card_table_svg import LABEL, CardMap
from core.drawing.drawing import drawing_of, spread_of
from core.drawing.map_svg import Map
from core.drawing.printed_map import drawn_line
from core.narration.narration_port import Narration
from core.narration.render_model import MapPlace
from core.narration.sheet import Counter, Sheet
from core.svg.palette import style_sheet
from core.svg.svg_text import short
from core.svg.symbols import HEIGHT, SYMBOLS, WIDTH
from core.svg.themes import AUTO
from events.codec import replace
from events.ids import NO_SIDE
from projections.state.table import Table

BYTES_MAX = 25_000
"""The largest thumbnail; one that would be larger leaves symbols out, and then counters."""
SHAPE = 1.7
"""How wide a thumbnail is, in parts of its height."""
COUNTER = 1 / 27
"""How wide a counter is, in parts of the map."""
SHOWN_MAX = 3
"""How many counters of a stack are shown."""
EMPTY = f'<svg viewBox="0 0 {170} {100}" role="presentation"><rect width="170" height="100" class="f-none"/></svg>'
"""What stands for a position that cannot be drawn."""

_PATTERNED = re.compile(r"<[a-z]+ [^<>]*url\(#[^<>]*/>")
_TEXT = re.compile(r"<(text|title)\b[^<>]*>.*?</\1>", re.DOTALL)
_DECIMAL = re.compile(r"-?\d+\.\d+")
_SHAPES = re.compile(r' (?:d|points)="[^"]*"')


class _Detail(NamedTuple):
    """Amount of detail that is shown: counters at all, and their symbols."""

    has_counters: bool
    has_symbols: bool


DETAILS = (
    _Detail(has_counters=True, has_symbols=True),
    _Detail(has_counters=True, has_symbols=False),
    _Detail(has_counters=False, has_symbols=False),
)


def thumbnail(narration: Narration, table: Table) -> str:
    """Draw what a viewer sees of a table, without text, for a page with the style sheet of drawings.

    Args:
        narration: The game's.
        table: As the viewer sees it.

    Returns:
        An SVG of `BYTES_MAX` bytes at most: the map with most pieces, or of a game without a map an empty one.
    """
    drawing = drawing_of(narration, table, "")
    spread = spread_of(drawing, narration, table, None)
    if spread.cards is not None:
        return _table(CardMap(drawing.sheet, spread))
    keys = list(dict.fromkeys(place.map for place in drawing.sheet.places if not place.is_box))
    if not keys:
        return EMPTY
    one = max([Map(_bare(drawing.sheet), key, spread) for key in keys], key=_counted)
    return next((svg for detail in DETAILS if len(svg := _drawn(one, detail)) <= BYTES_MAX), EMPTY)


def thumbnail_document(svg: str) -> str:
    """Return a thumbnail as a document that needs nothing but itself."""
    head, _, rest = svg.partition(">")
    return f'{head} xmlns="http://www.w3.org/2000/svg"><style>{style_sheet(AUTO)}</style>{rest}\n'


def _table(one: CardMap) -> str:
    """Draw a table of cards without its text, without the labels at its left, and without what the sides have besides."""
    parts = _TEXT.sub("", _PATTERNED.sub("", "".join([*one.ground(), *one.contents()])))
    svg = f'<svg viewBox="{_shaped(one)}" role="presentation">{_rounded(parts)}</svg>'
    return svg if len(svg) <= BYTES_MAX else EMPTY


def _shaped(one: CardMap) -> str:
    """Return the part of a table that is shown: its columns, and around them as much as the shape needs."""
    left, width = LABEL - 6, one.width - LABEL + 6
    height = width / SHAPE
    return f"{round(left)} {round((one.height - height) / 2)} {round(width)} {round(height)}"


def _bare(sheet: Sheet) -> Sheet:
    """Return a sheet without what would be text or small print."""
    land = {
        place: replace(one, words=(), badges=(), title="", rim="", is_small=True) for place, one in sheet.land.items()
    }
    return replace(sheet, land=land, marks=())


def _counted(one: Map) -> int:
    return sum(len(one.spread.stacks.get(place.id, ())) for place in one.places)


def _drawn(one: Map, detail: _Detail) -> str:
    wide = one.width * COUNTER
    counters = (
        [part for place in one.places for part in _stack(one, place, wide, detail)] if detail.has_counters else []
    )
    parts = "".join([*_land(one), *counters])
    return f'<svg viewBox="{_window(one)}" role="presentation">{_rounded(parts)}</svg>'


def _land(one: Map) -> Iterable[str]:
    """Draw the land without its patterns, who holds it, and the front."""
    printed = one.printed
    yield _PATTERNED.sub("", printed.behind)
    shapes: dict[tuple[str, str], list[str]] = {}
    for place in one.places:
        rank = one.counters.rank(one.spread.held.get(place.id, NO_SIDE))
        if place.outline:
            ground = printed.ground_of(place)
            shapes.setdefault((ground.tone if ground else "panel", rank), []).append(_outlined(place))
        else:
            yield f'<circle cx="{round(place.x)}" cy="{round(place.y)}" r="9" class="f-{rank or "panel"}"/>'
    for (tone, rank), found in shapes.items():
        path = "".join(found)
        yield f'<path d="{path}" class="f-{tone} s-frame" stroke-width="2"/>'
        if rank:
            yield f'<path d="{path}" class="f-{rank}" fill-opacity="0.18"/>'
    yield printed.features
    front = printed.path_of([border for border in printed.borders if one.is_front(border)])
    if front:
        yield drawn_line(front, "ink", 7)


def _outlined(place: MapPlace) -> str:
    """Return the outline of a place as a path, in steps of whole pixels, which take fewer bytes than the points."""
    spots = [(round(x), round(y)) for x, y in place.outline]
    steps = [(x - before_x, y - before_y) for (before_x, before_y), (x, y) in pairwise(spots)]
    return f"M{spots[0][0]} {spots[0][1]}l{' '.join(f'{x} {y}' for x, y in steps)}z".replace(" -", "-")


def _stack(one: Map, place: MapPlace, wide: float, detail: _Detail) -> Iterable[str]:
    """Draw the first counters of a stack, side by side and each a little over the one before."""
    stack: tuple[Counter, ...] = one.spread.stacks.get(place.id, ())[:SHOWN_MAX]
    high, step = wide * 0.68, wide * 0.62
    left = place.x - (wide + step * (len(stack) - 1)) / 2
    top = place.y - high / 2
    for number, counter in enumerate(stack):
        rank = one.counters.rank(counter.side)
        at = f"translate({short(left + step * number)} {short(top)})"
        path = SYMBOLS.get(counter.symbol, "") if detail.has_symbols else ""
        scale = wide * 0.62 / WIDTH
        inset = f"translate({short(wide * 0.19)} {short((high - HEIGHT * scale) / 2)}) scale({scale:.2f})"
        symbol = (
            f'<path d="{path}" transform="{inset}" class="bare s-print-{rank}" stroke-width="1.6"/>' if path else ""
        )
        box = f'<rect width="{short(wide)}" height="{short(high)}" rx="4" class="f-counter-{rank} s-ink" stroke-width="2.5"/>'
        yield f'<g transform="{at}">{box}{symbol}</g>'


def _window(one: Map) -> str:
    """Return the part of the map that is shown: as much as the shape allows, around the middle of the pieces."""
    width, height = min(one.width, one.height * SHAPE), min(one.height, one.width / SHAPE)
    held = [place for place in one.places if one.spread.stacks.get(place.id)] or list(one.places)
    x, y = sum(place.x for place in held) / len(held), sum(place.y for place in held) / len(held)
    left = max(0.0, min(one.width - width, x - width / 2))
    top = max(0.0, min(one.height - height, y - height / 2))
    return f"{round(left)} {round(top)} {round(width)} {round(height)}"


def _rounded(svg: str) -> str:
    """Round the coordinates of shapes to whole pixels: a thumbnail is shown much smaller."""
    return _SHAPES.sub(lambda shape: _DECIMAL.sub(lambda found: str(round(float(found[0]))), shape[0]), svg)
