"""Draws a whole picture as SVG: title, maps side by side, strips and panels round them, and what the colours mean."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from core.drawing.card_table_svg import CardMap
from core.drawing.map_svg import TINT, Map
from core.drawing.printed_map import EDGE as FEATURE_EDGE
from core.drawing.strip_svg import GAP as BETWEEN
from core.drawing.strip_svg import Line, StripBox, column_width, in_lines, line_height
from core.narration.render_model import Panel
from core.narration.sheet import Changes, Sheet, Spread
from core.svg.badges import badge_legend
from core.svg.counter_svg import Counters, counter_legend
from core.svg.highlights import Lit, lit_counters, lit_edges, lit_parts
from core.svg.palette import style_sheet
from core.svg.panel_svg import GAP, PanelBox, panel_width
from core.svg.patterns import definitions
from core.svg.scenery import mark_legend
from core.svg.shared_shapes import shared_elements, shared_faces, shared_parts, shared_shapes
from core.svg.svg_text import attribute, content, element, short, text_at, wrapped_to
from core.svg.themes import AUTO

EDGE = 28
"""Pixels around a picture."""
TITLE, SUBTITLE, SMALL = 34, 19, 14
"""The sizes of text in pixels."""
HEAD = 112
"""How high the head of a picture is, in pixels."""
MAP_TITLE = 30
KEY_WIDTH, KEY_LINE = 420, 28
"""How wide an entry of the legend is, and how high if it has one line, in pixels."""
KEY_ROOM, KEY_NEXT = KEY_WIDTH - 50, 18
"""How wide its text is, and how far each further line lies below the one before, in pixels."""
WITHOUT_MAP = 900
"""The width that the panels of a game without a map have, in pixels."""
USUAL, ENLARGED_MAX = 1_800, 1.4
"""Round maps that are wider than usual, in pixels, all is drawn larger, at most by a factor: it would be tiny on the same paper."""


class Picture(NamedTuple):
    """A whole picture: its title, its size in pixels, and its parts from the ground up."""

    title: str
    width: float
    height: float
    parts: tuple[str, ...]


def draw_picture(
    sheet: Sheet,
    spread: Spread | None = None,
    panels: Sequence[Panel] = (),
    subtitle: str = "",
    theme: str = AUTO,
) -> str:
    """Draw a game's map, or several of them, with what lies on it.

    Args:
        sheet: The printed map.
        spread: What lies on it; without one nothing does.
        panels: What stands beside the map.
        subtitle: A line below the title, such as the moment of a match.
        theme: The colours, one of `themes.THEMES`.

    Returns:
        A whole SVG document, with all text escaped, that ends with a line feed. It needs nothing but itself.
    """
    picture = arranged(sheet, spread, panels, subtitle)
    return "\n".join([*head(picture, style_sheet(theme)), *picture.parts, "</svg>\n"])


def head(picture: Picture, style: str, shared: str = "") -> list[str]:
    """Return the beginning of a document: its size, its title, its style, and what is drawn several times."""
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {short(picture.width)} {short(picture.height)}" role="img">',
        f"<title>{content(picture.title)}</title>",
        f"<style>{style}</style>",
        f"<defs>{''.join(definitions())}{shared}</defs>",
    ]


def arranged(sheet: Sheet, spread: Spread | None = None, panels: Sequence[Panel] = (), subtitle: str = "") -> Picture:
    """Arrange a game's map, or several of them, with what lies on it and what stands beside.

    Args:
        sheet: The printed map.
        spread: What lies on it; without one nothing does.
        panels: What stands beside the map.
        subtitle: A line below the title, such as the moment of a match.
    """
    spread = spread or Spread()
    maps = _drawn_maps(sheet, spread)
    maps_width = sum(one.width for one in maps) if maps else WITHOUT_MAP
    maps_height = (MAP_TITLE if len(maps) > 1 else 0) + max([0, *(one.height for one in maps)])
    is_high = maps_height > maps_width
    scale = min(ENLARGED_MAX, max(1.0, maps_width / USUAL))
    legend = list(_legend(sheet, spread))
    in_row = max(1, int(max(maps_width, KEY_WIDTH * scale) // (KEY_WIDTH * scale)))
    across = max(maps_width, KEY_WIDTH * scale * min(in_row, len(legend)))
    # Beside a map that is higher than wide there is room for all; else it flows above and below.
    above, below = ([], []) if is_high else _flowing(sheet, spread, panels, across / scale)
    maps_top = HEAD + _height(above) * scale
    flow_top = maps_top + maps_height
    legend_top = flow_top + (_height(below) + GAP) * scale
    legend_bottom = legend_top + sum(_row_heights(legend, in_row)) * scale
    columns = _in_columns(sheet, spread, panels, legend_bottom - HEAD) if is_high else []
    columns_width = sum(column[0].width + GAP for column in columns)
    columns_bottom = HEAD + max([0, *(sum(box.height + GAP for box in column) for column in columns)])
    width = 2 * EDGE + across + columns_width
    height = max(legend_bottom, columns_bottom) + EDGE
    parts = (
        *_head(sheet, subtitle, width, height),
        *_scaled(_placed(above), HEAD, scale),
        *_maps(sheet, maps, maps_top),
        *_scaled(_placed(below), flow_top, scale),
        *_scaled(_drawn_legend(legend, in_row), legend_top, scale),
        *_drawn_columns(columns, width - EDGE - columns_width + GAP),
    )
    return Picture(sheet.title, width, height, parts)


def _head(sheet: Sheet, subtitle: str, width: float, height: float) -> list[str]:
    """Return the ground, and what stands above all."""
    return [
        element("rect", {"width": short(width), "height": short(height), "class": "f-paper"}),
        text_at((EDGE, EDGE + TITLE - 6), sheet.title, TITLE, "f-ink bold", "start"),
        *([text_at((EDGE, EDGE + TITLE + 20), subtitle, SUBTITLE, "f-ink", "start")] if subtitle else []),
        *([text_at((EDGE, EDGE + TITLE + 42), sheet.remark, SMALL, "f-mut", "start")] if sheet.remark else []),
    ]


def _maps(sheet: Sheet, maps: Sequence[Map | CardMap], top: float) -> Iterable[str]:
    """Draw the maps side by side, each below its title if there are several."""
    left = float(EDGE)
    for one in maps:
        under = top
        if len(maps) > 1:
            under += MAP_TITLE
            yield text_at((left + EDGE, under - 8), sheet.maps.get(one.key, one.key), 20, "f-ink bold", "start")
        yield from (f'<g transform="translate({short(left)} {short(under)})">', *one.parts(), "</g>")
        left += one.width


def _flowing(sheet: Sheet, spread: Spread, panels: Sequence[Panel], width: float) -> tuple[list[Line], list[Line]]:
    """Return the strips above the maps, and the strips and panels below them, in lines."""
    counters = Counters(sheet.sides)
    above, below = (
        [StripBox(strip, spread.beside, counters, width) for strip in spread.strips if strip.is_above == is_above]
        for is_above in (True, False)
    )
    panel = round(min(width, panel_width(panels)))
    return in_lines(above, width), in_lines([*below, *(PanelBox(one, panel) for one in panels)], width)


def _height(lines: Sequence[Line]) -> float:
    return sum(line_height(line) + GAP for line in lines)


def _scaled(parts: Iterable[str], top: float, scale: float) -> Iterable[str]:
    """Draw parts from the left edge and from a height, enlarged."""
    larger = f" scale({scale:.3g})" if scale > 1 else ""
    yield from (f'<g transform="translate({EDGE} {short(top)}){larger}">', *parts, "</g>")


def _placed(lines: Sequence[Line]) -> Iterable[str]:
    top = 0.0
    for line in lines:
        left = 0.0
        for column in line:
            under = top
            for box in column:
                yield from box.parts(left, under)
                under += box.height + BETWEEN
            left += column_width(column) + BETWEEN
        top += _height([line])


def _drawn_columns(columns: Sequence[Sequence[StripBox | PanelBox]], left: float) -> Iterable[str]:
    for column in columns:
        top = float(HEAD)
        for box in column:
            yield from box.parts(left, top)
            top += box.height + GAP
        left += column[0].width + GAP


def draw_maps(sheet: Sheet, spread: Spread, lit: Mapping[str, Lit] | None = None) -> list[tuple[str, str]]:
    """Draw the maps alone, for a page that has their style sheet (`palette.style_sheet`) and says what they mean (`draw_legend`).

    Args:
        sheet: The printed maps.
        spread: What lies on them.
        lit: The places that can be chosen, and the pieces on them, in the order of the options. A counter is lit as the first of its
            pieces that is.

    Returns:
        The title of each map, empty if there is only one, and its SVG. The patterns of all are in the first one.
    """
    maps = _drawn_maps(sheet, spread)
    found = []
    for number, one in enumerate(maps):
        title = sheet.maps.get(one.key, one.key) if len(maps) > 1 else ""
        size = f"0 0 {short(one.width)} {short(one.height)}"
        found.append((title, drawn_map(one, spread, lit or {}, number, size)))
    return found


def drawn_map(
    one: Map | CardMap, spread: Spread, lit: Mapping[str, Lit], number: int, box: str, *, ground: str = ""
) -> str:
    """Draw a map with what can be chosen on it.

    Args:
        one: The map.
        spread: What lies on it.
        lit: What can be chosen.
        number: Which map of a page it is, from 0: the patterns of all are in the first one.
        box: Its view box.
        ground: The id of the land with its borders and holders; without one it has none.
    """
    defs = "" if number else f"<defs>{''.join(definitions())}</defs>"
    prefix = f"lit{number}-"
    land = "".join(one.ground())
    if ground:
        land = f"<g id={attribute(ground)}>{land}</g>"
    parts = "".join([land, *lit_edges(lit, one.places, prefix), *one.contents(), *_lit(one, spread, lit, prefix)])
    drawn = shared_shapes(shared_faces(parts, f"k{number}-"), f"o{number}-")
    return f'<svg viewBox="{box}" role="presentation">{defs}{drawn}</svg>'


def _lit(one: Map | CardMap, spread: Spread, lit: Mapping[str, Lit], prefix: str) -> Iterable[str]:
    """Draw what can be chosen on a map: its places, and on top of these their counters."""
    if lit:
        is_table = isinstance(one, CardMap)
        visible = {
            piece: counter
            for place in one.places
            for pieces, counter in zip(spread.pieces.get(place.id, ()), one.counters_at(place.id), strict=False)
            for piece in pieces
        }
        yield from lit_parts(lit, one.places, prefix, one.taken(), are_outside=is_table)
        beside = one.pieces_beside if isinstance(one, CardMap) else {}
        yield from lit_counters(lit, {**visible, **beside}, f"{prefix}ring")


def draw_series(sheets: Sequence[tuple[Sheet, Spread]]) -> tuple[str, list[list[tuple[str, str]]]]:
    """Draw the maps of several moments of a match for one page, which has their style sheet; what they have in common is drawn once.

    Returns:
        A drawing of no size with the definitions, which the page must have; and for each moment the title of each map, empty if
        there is only one, and its SVG.
    """
    moments = [[(sheet, one) for one in _drawn_maps(sheet, spread)] for sheet, spread in sheets]
    made, drawn = shared_parts([list(one.parts()) for moment in moments for _, one in moment], "s")
    made, *drawn = shared_elements([made, *drawn], "o")
    defs = f"<defs>{''.join(definitions())}{made}</defs>"
    waiting = iter(drawn)
    found = [
        [
            (
                sheet.maps.get(one.key, one.key) if len(moment) > 1 else "",
                f'<svg viewBox="0 0 {short(one.width)} {short(one.height)}" role="presentation">{next(waiting)}</svg>',
            )
            for sheet, one in moment
        ]
        for moment in moments
    ]
    return f'<svg class="defs" width="0" height="0" aria-hidden="true">{defs}</svg>', found


def draw_legend(sheet: Sheet, spread: Spread) -> list[tuple[str, str]]:
    """Return a sample of 28 by 16 pixels for everything that the maps show, as parts of an SVG, and what it means."""
    return list(_legend(sheet, spread))


def _drawn_maps(sheet: Sheet, spread: Spread) -> list[Map | CardMap]:
    """Return the maps of a game with what lies on them, or the table of a game of cards."""
    if spread.cards is not None:
        return [CardMap(sheet, spread)]
    return [Map(sheet, key, spread) for key in map_keys(sheet)]


def map_keys(sheet: Sheet) -> list[str]:
    """Return the maps of a sheet."""
    return list(dict.fromkeys(place.map for place in sheet.places if not place.is_box))


def _in_columns(
    sheet: Sheet, spread: Spread, panels: Sequence[Panel], height: float
) -> list[list[StripBox | PanelBox]]:
    """Arrange strips and panels in columns about as high as the map; one that is higher has a column of its own."""
    width, counters = panel_width(panels), Counters(sheet.sides)
    boxes: list[StripBox | PanelBox] = [
        *(StripBox(strip, spread.beside, counters, width, is_wide=True) for strip in spread.strips),
        *(PanelBox(panel, width) for panel in panels),
    ]
    columns: list[list[StripBox | PanelBox]] = []
    filled = height
    for box in boxes:
        if not columns or filled + box.height > max(height, 600):
            columns.append([])
            filled = 0
        columns[-1].append(box)
        filled += box.height + GAP
    return columns


def _legend(sheet: Sheet, spread: Spread) -> Iterable[tuple[str, str]]:
    """Yield a sample of 28 by 16 pixels, and what it means."""
    used = {land.ground for land in sheet.land.values()}
    for ground in sheet.grounds:
        if ground.key in used:
            pattern = f'<rect width="28" height="16" fill="url(#p-{ground.pattern})"/>' if ground.pattern else ""
            yield f'<rect width="28" height="16" class="f-{ground.tone} s-frame"/>{pattern}', ground.text
    for backdrop in {one.text: one for one in sheet.backdrops if one.text}.values():
        pattern = f'<rect width="28" height="16" fill="url(#p-{backdrop.pattern})"/>' if backdrop.pattern else ""
        yield f'<rect width="28" height="16" class="f-{backdrop.tone} s-frame"/>{pattern}', backdrop.text
    for feature in dict.fromkeys([*sheet.features, *[course.feature for course in sheet.courses]]):
        if not feature.text:
            continue
        dashes = f" stroke-dasharray={attribute(feature.dashes)}" if feature.dashes else ""
        edge = f'<path d="M0 8 h28" class="line s-{feature.edge}" stroke-width="{feature.width + 2 * FEATURE_EDGE}"/>'
        drawn = f'<path d="M0 8 h28" class="line s-{feature.tone}" stroke-width="{feature.width}"{dashes}/>'
        yield f"{edge if feature.edge else ''}{drawn}", feature.text
    for tone, text in sheet.rims.items():
        yield f'<rect x="2" y="2" width="24" height="12" class="bare s-{tone}" stroke-width="3.5"/>', text
    yield from (*mark_legend(sheet.badges, sheet.marks), *badge_legend(sheet))
    yield from counter_legend(sheet)
    has_borders = any(place.neighbours for place in sheet.places)
    if has_borders and spread.is_divided:
        yield '<path d="M0 8 h28" class="line s-ink" stroke-width="4"/>', "the front between the holders"
        tint = f'<rect width="28" height="16" class="f-first" fill-opacity="{TINT}"/>'
        yield f'<rect width="28" height="16" class="f-panel s-frame"/>{tint}', "held by the side with square counters"
    if spread.changes != Changes():
        yield (
            '<rect x="2" y="2" width="24" height="12" class="bare s-bad" stroke-width="3" stroke-dasharray="6 4"/>',
            "changed just now; an arrow: moved",
        )
    if spread.at_stake:
        arrow = "; an arrow to it: the attack" if spread.attacks else ""
        yield (
            '<rect x="2" y="2" width="24" height="12" class="bare s-bad" stroke-width="3"/>',
            f"what goes on now is about this{arrow}; a counter with such an edge: its target, or changed just now",
        )
    if spread.contested:
        yield (
            '<rect width="28" height="16" class="f-panel s-frame"/><rect width="28" height="16" fill="url(#p-hatching)"/>',
            "contested",
        )


def _row_heights(legend: Sequence[tuple[str, str]], in_row: int) -> list[int]:
    """Return how high each row of the legend is: as high as its highest entry."""
    further = [len(wrapped_to(text, KEY_ROOM, SMALL + 1)) - 1 for _, text in legend]
    rows = [further[start : start + in_row] for start in range(0, len(further), in_row)]
    return [KEY_LINE + KEY_NEXT * max(row) for row in rows]


def _drawn_legend(legend: Sequence[tuple[str, str]], in_row: int) -> Iterable[str]:
    """Draw the entries row by row; a text that is too wide for one line takes several."""
    heights = _row_heights(legend, in_row)
    for number, (sample, text) in enumerate(legend):
        x, y = KEY_WIDTH * (number % in_row), sum(heights[: number // in_row])
        lines = [
            text_at((38, 12 + KEY_NEXT * row), line, SMALL + 1.0, "f-ink", "start")
            for row, line in enumerate(wrapped_to(text, KEY_ROOM, SMALL + 1))
        ]
        yield f'<g transform="translate({short(x)} {short(y)})">{sample}{"".join(lines)}</g>'
