"""Draws panels beside a map: their lines, and their rows in columns."""

from collections.abc import Iterable, Sequence

from core.narration.render_model import Panel
from core.svg.svg_text import element, short, text_at, width_of, wrapped_to

SIZE = 14
"""The size of text in pixels."""
LINE = 19
PAD = 12
GAP = 12
NARROW, WIDE = 420, 780
"""How wide a column of panels is at least and at most, in pixels."""
BETWEEN = 12
"""Pixels between the columns of a table."""


def panel_width(panels: Sequence[Panel]) -> int:
    """Return how wide panels are so that most tables fit without breaking a line."""
    natural = [sum(_natural(panel)) + BETWEEN * len(_natural(panel)) + 2 * PAD for panel in panels if panel.rows]
    return round(min(WIDE, max([NARROW, *natural])))


class PanelBox:
    """One panel of a width.

    Args:
        panel: The panel.
        width: In pixels.

    Attributes:
        height: In pixels.
    """

    def __init__(self, panel: Panel, width: int) -> None:
        self.panel = panel
        self.width = width
        inside = width - 2 * PAD
        self._lines = [line for text in panel.lines for line in wrapped_to(text.strip(), inside, SIZE)]
        self._columns = _fitted(_natural(panel), inside)
        self._rows = [_broken(row, self._columns) for row in panel.rows]
        heights = len(self._lines) + sum(map(_height, self._rows)) + bool(any(panel.header)) + bool(panel.title)
        self.height = heights * LINE + 2 * PAD - 4

    def parts(self, left: float, top: float) -> Iterable[str]:
        """Draw it."""
        frame = {"x": short(left), "y": short(top), "width": self.width, "height": self.height, "rx": 6}
        yield element("rect", {**frame, "class": "f-panel s-frame", "stroke_width": 1})
        y = top + PAD + SIZE - 2
        left += PAD
        if self.panel.title:
            yield text_at((left, y), self.panel.title, SIZE + 1, "f-ink bold", "start")
            y += LINE
        for line in self._lines:
            yield text_at((left, y), line, SIZE, "f-ink", "start")
            y += LINE
        if any(self.panel.header):
            yield from self._row(left, y, self.panel.header, "f-mut")
            y += LINE
        for row in self._rows:
            for number in range(_height(row)):
                cells = [cell[number] if number < len(cell) else "" for cell in row]
                yield from self._row(left, y, cells, "f-ink")
                y += LINE

    def _row(self, left: float, y: float, cells: Sequence[str], class_: str) -> Iterable[str]:
        for number, (cell, width) in enumerate(zip(cells, self._columns, strict=False)):
            is_right = number in self.panel.right
            if cell:
                at = (left + (width if is_right else 0), y)
                yield text_at(at, cell, SIZE, class_, "end" if is_right else "start")
            left += width + BETWEEN


def _natural(panel: Panel) -> list[float]:
    """Return how wide each column would be without a limit."""
    rows = [row for row in (panel.header, *panel.rows) if row]
    return [max(width_of(cell, SIZE) for cell in column) for column in zip(*rows, strict=True)]


def _fitted(natural: Sequence[float], width: float) -> list[float]:
    """Return the widths of columns within a width: the widest is cut until all fit."""
    columns = list(natural)
    while columns and sum(columns) + BETWEEN * (len(columns) - 1) > width:
        widest = max(range(len(columns)), key=lambda number: columns[number])
        others = sum(columns) - columns[widest] + BETWEEN * (len(columns) - 1)
        second = max([0.0, *[size for number, size in enumerate(columns) if number != widest]])
        columns[widest] = max(width - others, min(second, columns[widest] - 1), 20)
        if columns[widest] <= 20:
            break
    return columns


def _broken(row: Sequence[str], columns: Sequence[float]) -> list[list[str]]:
    """Return the lines of each cell of a row."""
    return [wrapped_to(cell, width + 1, SIZE) for cell, width in zip(row, columns, strict=True)]


def _height(row: Sequence[Sequence[str]]) -> int:
    return max([1, *map(len, row)])
