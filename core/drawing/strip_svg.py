"""Draws strips of cells beside a map: tracks, boxes, cards and hands."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from core.narration.sheet import Counter, counted_alike, pieces_of
from core.narration.strips import BACK, BACKS_MAX, EMPTY, GONE, Cell, Strip
from core.svg.counter_svg import GAP as COUNTER_GAP
from core.svg.counter_svg import HIGH, Counters
from core.svg.counter_svg import WIDE as WIDE_COUNTER
from core.svg.label_room import Box
from core.svg.panel_svg import PanelBox
from core.svg.svg_text import BOLD, WIDE, content, element, ended_at, short, text_at, width_of, wrapped_to
from events.ids import PieceId

PAD, GAP = 10, 6
"""Pixels around the cells of a strip, and between them."""
HEAD = 24
"""How high the title of a strip is, in pixels."""
TITLE, SMALL, STRIP_TITLE = 13, 12, 15
"""The sizes of text in pixels."""
LINE, SMALL_LINE, BAND = 16, 15, 19
"""How high a line of a title, a line of small print, and the band with label and corner are, in pixels."""
INSIDE = 5
"""Pixels between the edge of a cell and its text."""
WIDTHS = ((32, 0), (58, 2), (97, 5), (150, 99))
"""How wide cells are, in pixels, and how many lines of text each width is for."""
WIDEST = 300
"""How wide a cell with counters is at most; narrower than a phone."""
COUNTERS_WIDE = WIDEST - 2 * INSIDE - COUNTER_GAP
"""How wide counters in a cell are at most, in pixels."""
SMALLEST = 0.78
"""How much smaller a long word is set before the cells become wider."""
BACK_WIDE, BACK_HIGH, BACK_STEP = 22, 30, 9
SQUARE, BETWEEN = 11, 2
"""The squares of a meter and the room between them, in pixels."""
CORNERS = {"second": 8}
"""The radius of the corners of a side's cells, where it is not 2, as of its counters."""


def counters_in(cell: Cell, looks: Mapping[PieceId, Counter]) -> tuple[Counter, ...]:
    """Return the counters in a cell, like ones together."""
    return counted_alike([looks[piece] for piece in cell.pieces])


def pieces_in(cell: Cell, looks: Mapping[PieceId, Counter]) -> tuple[tuple[PieceId, ...], ...]:
    """Return the pieces in a cell that each of its counters stands for."""
    return pieces_of(counters_in(cell, looks), {piece: looks[piece] for piece in cell.pieces})


def words_of(cell: Cell, looks: Mapping[PieceId, Counter]) -> str:
    """Return what a cell shows, for a reader who cannot see it."""
    there = [f"{one.number} × {one.title}" if one.number > 1 else one.title for one in counters_in(cell, looks)]
    meter = [f"{cell.meter[0]} of {cell.meter[1]}"] if cell.meter is not None else []
    state = {BACK: f"{cell.number} face down", EMPTY: "" if cell.notes else "empty", GONE: "out of the game"}.get(
        cell.look, ""
    )
    piled = str(cell.number) if cell.number and cell.look != BACK else ""
    now = "current" if cell.is_current else ""
    limit = f"{cell.limit} from here on" if cell.limit else ""
    parts = (cell.label, cell.title, cell.corner, piled, *cell.notes, *meter, *there, state, limit, now)
    return ", ".join(part for part in parts if part)


def laid_out(
    there: Sequence[Counter], counters: Counters, left: float, top: float, room: float = COUNTERS_WIDE
) -> tuple[float, float, list[str]]:
    """Return how wide and high the counters in a cell are, and draw them: in one row if there is room, else in several of as many."""
    wide, high, drawn = 0.0, 0.0, []
    for row, down in _rows_in(there, counters, room):
        size = counters.stack_size(row, room)
        drawn += counters.stack(row, left, top + down, room)
        wide, high = max(wide, size[0]), down + size[1] + COUNTER_GAP
    return wide, high, drawn


def visible_in(
    there: Sequence[Counter], counters: Counters, left: float, top: float, room: float = COUNTERS_WIDE
) -> list[tuple[Box, str]]:
    """Return what is visible of each counter in a cell, as `laid_out` draws them, and the number on it, drawn alone."""
    found: list[tuple[Box, str]] = []
    for row, down in _rows_in(there, counters, room):
        for (x, y, end, low), number in zip(counters.visible(row, room), counters.numbers(row), strict=True):
            at = (left + x, top + down + y, left + end, top + down + low)
            moved = {"transform": f"translate({short(at[0])} {short(at[1])})"}
            found.append((at, element("g", moved, number) if number else ""))
    return found


def _rows_in(there: Sequence[Counter], counters: Counters, room: float) -> Iterator[tuple[Sequence[Counter], float]]:
    """Yield the rows of the counters in a cell, each with how far it lies below the first."""
    is_single = counters.stack_size(there, room)[1] <= HIGH + COUNTER_GAP
    many = len(there) if is_single else int((room + COUNTER_GAP) // (WIDE_COUNTER + COUNTER_GAP))
    down = 0.0
    for first in range(0, len(there), max(many, 1)):
        row = there[first : first + many]
        yield row, down
        down += counters.stack_size(row, room)[1] + COUNTER_GAP


class StripBox:
    """One strip, with its cells in rows that fit.

    Args:
        strip: The strip.
        looks: What the pieces in it look like.
        counters: Draw them.
        width: How wide it is at most, in pixels.
        is_wide: Whether it is so wide in any case.

    Attributes:
        width: In pixels.
        height: In pixels.
    """

    def __init__(
        self, strip: Strip, looks: Mapping[PieceId, Counter], counters: Counters, width: float, *, is_wide: bool = False
    ) -> None:
        self.strip = strip
        self._looks, self._counters = looks, counters
        self._usual = _usual_width([cell for row in strip.rows for cell in row])
        lines = [line for row in strip.rows for line in self._lines(row, width - 2 * PAD)]
        self._rows = [(line, max(self._high(cell) for cell in line)) for line in lines]
        head = width_of(f"{strip.title}  ", STRIP_TITLE, is_bold=True) + width_of(f"{strip.note} ", SMALL)
        natural = max([head, *(sum(self._wide(cell) + GAP for cell in line) - GAP for line in lines)]) + 2 * PAD
        self.width = width if is_wide else min(width, natural)
        self.height = HEAD + sum(high + GAP for _, high in self._rows) - GAP + 2 * PAD

    def _lines(self, row: Sequence[Cell], width: float) -> Iterator[list[Cell]]:
        line: list[Cell] = []
        used = 0.0
        for cell in row:
            wide = self._wide(cell) + GAP
            if line and used + wide - GAP > width:
                yield line
                line, used = [], 0.0
            line.append(cell)
            used += wide
        yield line

    def _wide(self, cell: Cell) -> float:
        if cell.look == BACK and cell.number:
            fan = BACK_WIDE + BACK_STEP * (min(cell.number, BACKS_MAX) - 1) + 2 * INSIDE
            return max(fan, self._usual if cell.title or cell.notes else 0)
        if cell.pieces:
            there = laid_out(counters_in(cell, self._looks), self._counters, 0, 0)[0]
            return max(self._usual, there + COUNTER_GAP + 2 * INSIDE, _band_width(cell) + 2 * INSIDE)
        return (
            self._usual if cell.title or cell.notes or cell.meter else max(WIDTHS[0][0], _band_width(cell) + 2 * INSIDE)
        )

    def _text(self, cell: Cell) -> tuple[list[str], list[str]]:
        room = self._wide(cell) - 2 * INSIDE
        notes = [line for note in cell.notes for line in wrapped_to(note, room, SMALL)]
        return wrapped_to(cell.title, room * WIDE / BOLD, TITLE), notes

    def _high(self, cell: Cell) -> float:
        title, notes = self._text(cell)
        high = 2.0 * INSIDE + len(title) * LINE + len(notes) * SMALL_LINE + (BAND if cell.label or cell.corner else 0)
        if cell.meter is not None:
            high += _meter_high(cell.meter[1], self._wide(cell))
        if cell.look == BACK and cell.number:
            high += BACK_HIGH + 4
        if cell.pieces:
            high += laid_out(counters_in(cell, self._looks), self._counters, 0, 0)[1] + 2 * COUNTER_GAP
        return high

    def parts(self, left: float, top: float) -> Iterable[str]:
        """Draw it."""
        frame = {"x": short(left), "y": short(top), "width": short(self.width), "height": short(self.height), "rx": 6}
        yield element("rect", {**frame, "class": "f-panel s-frame", "stroke_width": 1})
        base = top + PAD + STRIP_TITLE - 2
        yield text_at((left + PAD, base), self.strip.title, STRIP_TITLE, "f-ink bold", "start")
        if self.strip.note:
            after = left + PAD + width_of(f"{self.strip.title}  ", STRIP_TITLE, is_bold=True)
            note = ended_at(self.strip.note, left + self.width - PAD - after, SMALL)
            yield text_at((after, base), note, SMALL, "f-mut", "start")
        y = top + PAD + HEAD
        for line, high in self._rows:
            x = left + PAD
            for cell in line:
                moved = {"transform": f"translate({short(x)} {short(y)})", "class": "cell", "role": "img"}
                title = f"<title>{content(words_of(cell, self._looks))}</title>"
                yield element("g", moved, title, *self._cell(cell, self._wide(cell), high))
                x += self._wide(cell) + GAP
            y += high + GAP

    def _cell(self, cell: Cell, wide: float, high: float) -> Iterator[str]:
        rank = self._counters.rank(cell.side)
        shape = {"width": short(wide), "height": short(high), "rx": CORNERS.get(rank, 2)}
        edge = {"stroke_dasharray": "4 3"} if cell.look in (EMPTY, GONE) else {}
        ground = "bare" if cell.look == EMPTY else "f-paper"
        if cell.is_current:
            yield element("rect", {**shape, "class": "bare s-on-gold", "stroke_width": 6})
            yield element("rect", {**shape, "class": f"{ground} s-gold", "stroke_width": 4})
            yield f'<path d="M{short(wide / 2 - 7)} -7 h14 l-7 8 z" class="f-ink"/>'
        else:
            yield element("rect", {**shape, "class": f"{ground} s-mut", "stroke_width": 1, **edge})
        if cell.limit:
            yield f'<path d="M{short(-GAP / 2)} -3 v{short(high + 6)}" class="line s-bad" stroke-width="3"/>'
        y = 0.0
        if cell.label or cell.corner:
            yield from self._band(cell, rank, wide)
            y += BAND
        ink = "f-mut" if cell.look in (EMPTY, GONE) else "f-ink"
        yield from self._inside(cell, rank, wide, y + INSIDE, ink)
        if cell.look == GONE:
            yield f'<path d="M0 {short(high)} L{short(wide)} 0" class="line s-mut" stroke-width="1.5"/>'

    @staticmethod
    def _band(cell: Cell, rank: str, wide: float) -> Iterator[str]:
        is_bare = not (cell.title or cell.notes or cell.pieces)
        if rank:
            band = {"x": 0.5, "y": 0.5, "width": short(wide - 1), "height": BAND - 1, "rx": CORNERS.get(rank, 2)}
            yield element("rect", {**band, "class": f"f-counter-{rank}"})
        ink = f"f-print-{rank}" if rank else "f-ink"
        corner = ended_at(cell.corner, wide / 2, SMALL)
        label = ended_at(cell.label, wide - 2 * INSIDE - width_of(corner, TITLE, is_bold=True), TITLE)
        is_alone = is_bare and not corner
        if label:
            size = min(TITLE, TITLE * (wide - 2) / width_of(label, TITLE, is_bold=True))
            at = (wide / 2, 14 + INSIDE) if is_alone else (INSIDE, 14)
            yield text_at(at, label, size, f"{ink} bold", "middle" if is_alone else "start")
        if corner:
            yield text_at((wide - INSIDE, 14), corner, TITLE, f"{ink} bold", "end")

    def _inside(self, cell: Cell, rank: str, wide: float, y: float, ink: str) -> Iterator[str]:
        """Draw what a cell holds below its band: title, squares, backs, small print and counters."""
        title, notes = self._text(cell)
        for line in title:
            yield text_at((wide / 2, y + TITLE - 2), line, _fitted(line, wide, TITLE, BOLD), f"{ink} bold")
            y += LINE
        if cell.meter is not None:
            yield from _meter(*cell.meter, wide, y + 1)
            y += _meter_high(cell.meter[1], wide)
        if cell.look == BACK and cell.number:
            yield from _backs(cell.number, rank, wide, y + 2)
            y += BACK_HIGH + 4
        for line in notes:
            yield text_at((wide / 2, y + SMALL - 1), line, _fitted(line, wide, SMALL, WIDE), ink)
            y += SMALL_LINE
        if cell.pieces:
            yield from laid_out(counters_in(cell, self._looks), self._counters, INSIDE, y + 2 * COUNTER_GAP)[2]


def _usual_width(cells: Sequence[Cell]) -> float:
    """Return the narrowest width in which the text of all cells of a strip has room."""

    def fits(cell: Cell, wide: float, most: int) -> bool:
        room = wide - 2 * INSIDE
        words = [width_of(word, TITLE, is_bold=True) for word in cell.title.replace("-", "- ").split()]
        words += [width_of(word, SMALL) for note in cell.notes for word in note.split()]
        words.append(_band_width(cell))
        lines = len(wrapped_to(cell.title, room * WIDE / BOLD, TITLE))
        lines += sum(len(wrapped_to(note, room, SMALL)) for note in cell.notes)
        return max([0.0, *words]) * SMALLEST <= room and lines <= most

    wordy = [cell for cell in cells if cell.title or cell.notes or cell.meter]
    return next(wide for wide, most in WIDTHS if wide == WIDTHS[-1][0] or all(fits(one, wide, most) for one in wordy))


def _band_width(cell: Cell) -> float:
    corner = width_of(cell.corner, TITLE, is_bold=True) + INSIDE if cell.corner else 0.0
    return width_of(cell.label, TITLE, is_bold=True) + corner


def _fitted(line: str, wide: float, size: float, mean: float) -> float:
    """Return the size in which a line fits into a cell."""
    return min(size, (wide - 4) / max(1, len(line)) / mean)


def _in_row(wide: float) -> int:
    """Return how many squares of a meter a cell has room for side by side."""
    return int((wide - 2 * INSIDE + BETWEEN) // (SQUARE + BETWEEN))


def _meter_high(of: int, wide: float) -> float:
    return (SQUARE + BETWEEN + 1) * -(-of // _in_row(wide))


def _meter(filled: int, of: int, wide: float, y: float) -> Iterator[str]:
    in_row = _in_row(wide)
    across = min(of, in_row) * (SQUARE + BETWEEN) - BETWEEN
    for number in range(of):
        x = (wide - across) / 2 + number % in_row * (SQUARE + BETWEEN)
        down = number // in_row * (SQUARE + BETWEEN + 1)
        at = {"x": short(x), "y": short(y + down), "width": SQUARE, "height": SQUARE}
        look = "f-ink s-ink" if number < filled else "bare s-ink"
        yield element("rect", {**at, "class": look, "stroke_width": 1})


def _backs(number: int, rank: str, wide: float, y: float) -> Iterator[str]:
    """Draw cards face down, as a fan, with their number on the last if there are several."""
    drawn = min(number, BACKS_MAX)
    left = (wide - BACK_WIDE - BACK_STEP * (drawn - 1)) / 2
    back = {"y": short(y), "width": BACK_WIDE, "height": BACK_HIGH, "rx": 2}
    for place in range(drawn):
        x = left + BACK_STEP * place
        yield element("rect", {**back, "x": short(x), "class": f"f-counter-{rank} s-panel", "stroke_width": 1.5})
    last = left + BACK_STEP * (drawn - 1)
    inner = {"x": short(last + 3), "y": short(y + 3), "width": BACK_WIDE - 6, "height": BACK_HIGH - 6, "rx": 1}
    yield element("rect", {**inner, "class": f"bare s-print-{rank}", "stroke_width": 0.8})
    if number > 1:
        yield text_at((last + BACK_WIDE / 2, y + BACK_HIGH / 2 + 5), str(number), TITLE, f"f-print-{rank} bold")


Line = list[list[StripBox | PanelBox]]
"""Strips and panels side by side, each with those below it."""


def in_lines(boxes: Sequence[StripBox | PanelBox], width: float) -> list[Line]:
    """Return strips and panels side by side, in as many lines as a width needs; beside a high one, low ones lie below each other."""
    lines: list[Line] = []
    for box in boxes:
        if (
            lines
            and _widened(lines[-1], box) <= width
            and column_height([*lines[-1][-1], box]) <= line_height(lines[-1])
        ):
            lines[-1][-1].append(box)
        elif lines and sum(column_width(column) + GAP for column in lines[-1]) + box.width <= width:
            lines[-1].append([box])
        else:
            lines.append([[box]])
    return lines


def _widened(line: Line, box: StripBox | PanelBox) -> float:
    """Return how wide a line is with a strip at the end of its last column."""
    return sum(column_width(column) + GAP for column in line[:-1]) + column_width([*line[-1], box])


def column_width(column: Sequence[StripBox | PanelBox]) -> float:
    """Return how wide strips below each other are."""
    return max(box.width for box in column)


def column_height(column: Sequence[StripBox | PanelBox]) -> float:
    """Return how high strips below each other are."""
    return sum(box.height + GAP for box in column) - GAP


def line_height(line: Line) -> float:
    """Return how high a line is."""
    return max(map(column_height, line))
