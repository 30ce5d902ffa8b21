"""Contents of a place as one block: name, badges, small print and counters, laid out so that it fits its place as well as can be."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product

from core.narration.sheet import Badge, Counter
from core.shapes.outlines import Outline
from core.svg.badges import HIGH as BADGE_HIGH
from core.svg.badges import badge_row, row_width
from core.svg.counter_svg import NUMBER_OVER, Counters
from core.svg.label_room import FINE, GRID, MEASURES, Box, Lines, best_middle, is_within
from core.svg.svg_text import element, short, text_at, width_of, wrapped_to
from events.codec import Struct
from events.ids import Side

NAME, WORDS, LABEL = 15, 12, 19
"""The sizes of text in pixels; words that are to be read have that of the name."""
NAME_LINES = 3
LINE = 1.12
"""How high a line is, in parts of the size of its text."""
SMALLER = 13
"""The size of a name where there is no room for the usual one."""
SCALES = (
    (1.0, NAME),
    (0.85, NAME),
    (0.85, SMALLER),
    (0.72, SMALLER),
    (0.66, SMALLER),
    (0.6, SMALLER),
    (0.55, SMALLER),
    (0.5, SMALLER),
)
"""How far counters and names may shrink."""
NEAR_SCALES = ((1.0, NAME), (1.0, SMALLER))
"""How far they may where a part of a map is shown: counters keep their size, and rather reach beyond the border of a crowded place."""
LARGE_NAMES, LARGE_LABEL = (20, 18, 16), 20
"""The sizes of text in large print."""
LARGE_SCALES = (*[(1.0, size) for size in LARGE_NAMES], (1.0, 0), (0.85, 0), (0.72, 0), (0.6, 0), (0.5, 0))
"""How far counters in large print may shrink, and names above them, which rather give way."""
LARGE_BEYOND, HEX_CORNERS = 4, 6
"""How many of its points a block in large print may have beyond the border of a hex if it has no name: its corners."""
BADGE_SCALES = (1.0, 0.85, 0.7, 0.6, 0.5)
"""How far badges beside a label in large print may shrink, so that both are clear of frames; the label does not."""
CLEAR_OF_FRAME = 0.87
"""Within which part of a place they are clear of all frames, with their lines."""
SPARE = 1
"""How far a block that gives way to a frame may lie beyond the lower edge of its place: a few more pixels below its counters are free."""
CAPITALS = 0.72
"""How high a capital letter or a figure is, in parts of the size of its text."""
LEGIBLE = 0.8
"""Rather than on a smaller scale than this, a block lies with a corner on the border of its place."""
BETWEEN = 3
"""Pixels between text and counters, and between badges and what is above them."""
KEPT_MAX = 2_048
"""How many drawn cells are kept, a few kilobytes each: most look alike from one picture to the next."""


class Content(Struct, frozen=True):
    """Contents of a place: label and name, badges, small print, or words that are to be read, and counters; `is_large` in large print, `is_near` where a part of a map is shown."""

    label: str = ""
    name: str = ""
    badges: tuple[Badge, ...] = ()
    words: tuple[str, ...] = ()
    stack: tuple[Counter, ...] = ()
    is_read: bool = False
    is_large: bool = False
    is_near: bool = False


class Layout(Struct, frozen=True):
    """A block: its lines with their sizes and classes, how many are its name, how wide counters may lie, their scale, how wide its text is, and the size of all.

    Badges lie beside the line with the number `beside`, or below the name. `edges` are the lines that must lie in its place. `badges`
    is the scale of badges beside the label.
    """

    names: int
    lines: tuple[tuple[str, float, str], ...]
    room: float
    scale: float
    text: float
    wide: float
    high: float
    edges: Lines
    beside: int | None = None
    badges: float = 1.0


class Drawn(Struct, frozen=True):
    """A block as it is drawn; what is visible of each of its counters (left, top, right and bottom edge), and the number on each, drawn alone.

    `boxes` are its text and its counters.
    """

    svg: str = ""
    counters: tuple[tuple[Box, str], ...] = ()
    boxes: tuple[Box, ...] = ()


class Block:
    """A block in a place.

    Args:
        inside: What stands there.
        counters: Draws counters.
        widths: How wide lines and rows of counters may be, the best first.
    """

    def __init__(self, inside: Content, counters: Counters, widths: Sequence[float]) -> None:
        self.inside = inside
        self.counters = counters
        scales = LARGE_SCALES if inside.is_large else NEAR_SCALES if inside.is_near else SCALES
        alone = [(1.0, size) for size in LARGE_NAMES] if inside.is_large else (SCALES[0], SCALES[-1])
        self._sizes = list(product(scales if inside.stack else alone, widths))

    def _layouts(self) -> Iterable[Layout]:
        """Yield the layouts, the best first; but for the first only those in which the name is not too high."""
        for number, ((scale, size), width) in enumerate(self._sizes):
            layout = self._layout(width, scale, size)
            if layout.names <= NAME_LINES or not number:
                yield layout

    def placed(self, outline: Outline, taken: tuple[Box, ...]) -> Drawn:
        """Draw it in a polygon, in the first layout that fits there, else in the one that fits best; it keeps clear of what is taken."""
        tried, grid = [], GRID if self.inside.is_large else FINE
        for layout in self._layouts():
            least = MEASURES - self._beyond(layout, outline)
            enough = least if self.inside.is_large else MEASURES
            box = (outline, layout.wide, layout.high, taken, layout.edges)
            x, y, fit = best_middle(*box, enough=enough, least=least, grid=grid)
            if fit >= least:
                break
            tried.append((box, layout))
        else:
            found = [(best_middle(*box, grid=grid), layout) for box, layout in tried]
            (x, y, _), layout = max(found, key=lambda one: (one[0][2], -one[1].wide * one[1].high))
        return self.drawn(*self._clear_of_frames(layout, outline, x, y))

    def _clear_of_frames(self, layout: Layout, outline: Outline, x: float, y: float) -> tuple[Layout, float, float]:
        """Return a layout with its middle and its top: inside the frames of its place, if need be with small badges and a little lower."""
        top = y - layout.high / 2
        if not self.inside.is_large or not self.inside.label:
            return layout, x, top
        lowest = max(below for _, below in outline) + (SPARE if self.inside.stack else -SPARE)
        spots = range(max(0, int(lowest - top - layout.high)) + 1)
        tries = list(product(BADGE_SCALES if self.inside.badges else BADGE_SCALES[:1], spots))
        clear = (one for one in tries if self._is_head_within(outline, x, top + one[1], one[0]))
        scale, lower = next(clear, tries[-1])
        if scale != 1:
            size = round(layout.lines[1][1]) if layout.names else 0
            layout = self._layout(layout.room, layout.scale, size, scale)
        return layout, x, top + lower

    def _is_head_within(self, outline: Outline, x: float, top: float, scale: float) -> bool:
        """Return whether the label and the badges beside it, on a scale, lie inside the frames of a place."""
        half = (width_of(self.inside.label, LARGE_LABEL, is_bold=True) + self._badges_width(scale)) / 2
        low = top + LARGE_LABEL * (LINE - 0.2)
        corners = [(x + side, at) for side in (-half, half) for at in (low - LARGE_LABEL * CAPITALS, low)]
        return all(is_within(outline, *corner, CLEAR_OF_FRAME) for corner in corners)

    def _badges_width(self, scale: float = 1.0) -> float:
        """Return how much wider a line is with the badges beside it, on a scale."""
        badges = self.inside.badges
        return (row_width(badges) + 2 * BETWEEN) * scale if badges else 0.0

    def _beyond(self, layout: Layout, outline: Outline) -> int:
        """Return how many of its points may lie beyond the border."""
        is_free = self.inside.is_large and not layout.names and len(outline) == HEX_CORNERS
        return LARGE_BEYOND if is_free else int(layout.scale < LEGIBLE)

    def above(self, x: float, y: float, lowest: float) -> Drawn:
        """Draw its text above a spot, and its counters below that; all of it higher where they would reach below the lowest line."""
        layout = next(iter(self._layouts()))
        _, high = self._stack_size(layout.room, layout.scale)
        return self.drawn(layout, x, min(y - (layout.high - high) - 2, lowest - layout.high))

    def on(self, x: float, y: float) -> Drawn:
        """Draw it as small as can be around a spot."""
        *_, layout = self._layouts()
        return self.drawn(layout, x, y - layout.high / 2)

    def drawn(self, layout: Layout, x: float, top: float) -> Drawn:
        """Draw it in a layout, around a middle and from a height."""
        begun = top
        text, top = self._text(layout, x, top)
        half = layout.text / 2
        boxes = ((x - half, begun, x + half, top),) if text else ()
        stack, room, scale = self.inside.stack, layout.room / layout.scale, layout.scale
        if not stack:
            return Drawn("".join(text), (), boxes)
        wide, _ = self._stack_size(layout.room, scale)
        left, top = x - wide / 2, top + BETWEEN + NUMBER_OVER * scale * any(one.number > 1 for one in stack)
        visible = [
            (left + start * scale, top + above * scale, left + end * scale, top + below * scale)
            for start, above, end, below in self.counters.visible(stack, room)
        ]
        smaller = f" scale({scale})" if scale != 1 else ""
        numbers = [
            number and element("g", {"transform": f"translate({short(x)} {short(y)}){smaller}"}, number)
            for number, (x, y, _, _) in zip(self.counters.numbers(stack), visible, strict=True)
        ]
        if scale == 1:
            text += self.counters.stack(stack, left, top, room)
        else:
            group = {"transform": f"translate({short(left)} {short(top)}) scale({scale})"}
            text.append(element("g", group, *self.counters.stack(stack, 0, 0, room)))
        return Drawn("".join(text), tuple(zip(visible, numbers, strict=True)), (*boxes, *visible))

    def _text(self, layout: Layout, x: float, top: float) -> tuple[list[str], float]:
        """Draw its lines with their badges; return where they end, too."""
        parts: list[str] = []
        badges = self.inside.badges
        for number, (text, size, class_) in enumerate(layout.lines):
            top += size * LINE
            beside = badges and number == layout.beside
            left = x - self._badges_width(layout.badges) / 2 if beside else x
            # No line crosses what is to be read, and a halo blurs it on a tinted ground.
            halo = "halo" if self.inside.is_read else "halo s-paper"
            parts.append(text_at((left, top - size * 0.2), text, size, f"{class_} {halo}"))
            if beside:
                after = left + width_of(text, size, is_bold=True) / 2 + BETWEEN * 2 * layout.badges
                parts += _beside_text(badges, after, top - size * 0.95, layout.badges)
            if badges and layout.beside is None and number == layout.names - 1:
                parts += badge_row(badges, x - row_width(badges) / 2, top + BETWEEN)
                top += BADGE_HIGH + BETWEEN
        return parts, top

    def _layout(self, width: float, scale: float, size: int, badges_scale: float = 1.0) -> Layout:
        below = self._counter_rows(width, scale)
        wide, high = max([0.0, *[row for row, _ in below]]), sum([row for _, row in below])
        lines = tuple(self._lines(max(width, wide), size))
        names = len(self._name_lines(max(width, wide), size))
        badges = row_width(self.inside.badges)
        rows = [(width_of(line, one, is_bold="bold" in class_), one * LINE) for line, one, class_ in lines]
        beside = self._beside(rows, names, max(width, wide)) if badges else None
        if beside is not None:
            rows[beside] = (rows[beside][0] + self._badges_width(badges_scale), rows[beside][1])
        elif badges:
            rows.insert(names, (badges, BADGE_HIGH + BETWEEN))
        text = max([0.0, *[row for row, _ in rows]])
        rows += [(wide, high)] if high and self.inside.is_large else below
        widest, all_high = max(text, wide), sum(one for _, one in rows)
        edges = (_ends if self.inside.is_large else _edges)(rows, widest, all_high)
        return Layout(names, lines, width, scale, text, widest, all_high, edges, beside, badges_scale)

    def _beside(self, rows: Sequence[tuple[float, float]], names: int, room: float) -> int | None:
        """Return beside which line badges lie: the label, or the last line of the name if there is room."""
        if self.inside.label:
            return 0
        last = names - 1
        return last if rows[last][0] + row_width(self.inside.badges) + 2 * BETWEEN <= room else None

    def _stack_size(self, width: float, scale: float) -> tuple[float, float]:
        rows = self._counter_rows(width, scale)
        return max([0.0, *[wide for wide, _ in rows]]), sum([high for _, high in rows])

    def _counter_rows(self, width: float, scale: float) -> list[tuple[float, float]]:
        """Return how wide and high the rows of counters are, the first with what is free above it."""
        stack = self.inside.stack
        if not stack:
            return []
        over = NUMBER_OVER * scale if any(one.number > 1 for one in stack) else 0
        rows = [(wide * scale, high * scale) for wide, high in self.counters.row_sizes(stack, width / scale)]
        (wide, high), *others = rows
        return [(wide, high + over + BETWEEN), *others]

    @property
    def _is_name_bold(self) -> bool:
        return self.inside.is_read or not self.inside.label

    def _name_lines(self, width: float, size: int) -> list[str]:
        return wrapped_to(self.inside.name, width * (0.875 if self._is_name_bold else 1.0), size) if size else []

    def _lines(self, width: float, size: int) -> Iterable[tuple[str, float, str]]:
        """Yield the lines of text within a width: label, name, small print."""
        inside = self.inside
        if inside.label:
            yield inside.label, LARGE_LABEL if inside.is_large else LABEL, "f-ink bold"
        for line in self._name_lines(width, size):
            yield line, size, "f-ink bold" if self._is_name_bold else "f-ink"
        small, tone = (size, "f-ink") if inside.is_read else (WORDS, "f-mut")
        together = " · ".join(inside.words)
        for text in [together] if width_of(together, small) <= width else inside.words:
            for line in wrapped_to(text, width, small):
                yield line, small, tone


def _beside_text(badges: Sequence[Badge], left: float, top: float, scale: float) -> Iterable[str]:
    """Draw badges beside a line, in the middle of its height on a smaller scale."""
    if scale == 1:
        return badge_row(badges, left, top)
    at = f"translate({short(left)} {short(top + BADGE_HIGH * (1 - scale) / 2)}) scale({scale})"
    return (element("g", {"transform": at}, *badge_row(badges, 0, 0)),)


def _edges(rows: Sequence[tuple[float, float]], _: float, high: float) -> Lines:
    """Return the edges of the rows of a block, each with its width and height: there it is as wide as the wider of two rows."""
    edges, above, top = list[tuple[float, float]](), 0.0, -high / 2
    for width, row_high in (*rows, (0.0, 0.0)):
        edges.append((top, max(above, width) / 2))
        above, top = width, top + row_high
    return tuple(edges)


def _ends(rows: Sequence[tuple[float, float]], wide: float, high: float) -> Lines:
    """Return the middle of a block, as wide as it can be, and its top and its bottom, as wide as they must be for all rows."""
    top, bottom = _end(rows, wide, high), _end(rows[::-1], wide, high)
    return (0.0, wide / 2), (-high / 2, top / 2), (high / 2, bottom / 2)


def _end(rows: Sequence[tuple[float, float]], wide: float, high: float) -> float:
    """Return how wide a block must be at its top for all rows, each with its width and height, if it is as wide as it can be in its middle."""
    end, above = 0.0, 0.0
    for width, row_high in rows:
        part = 2 * above / high
        if part < 1:
            end = max(end, (width - wide * part) / (1 - part))
        above += row_high
    return end


@lru_cache(maxsize=KEPT_MAX)
def drawn_in_cell(
    inside: Content, sides: tuple[Side, ...], widths: tuple[float, ...], outline: Outline, taken: tuple[Box, ...]
) -> Drawn:
    """Return a block in a polygon, drawn now or kept from an earlier picture in which all of this was alike; `sides` in the order of their colours."""
    return Block(inside, Counters(sides), widths).placed(outline, taken)
