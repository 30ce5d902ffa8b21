"""Draws the share of the matches that a side wins from point to point of a match, with the strip in which it lies 19 times in 20."""

from collections.abc import Iterable

from core.svg.svg_text import attribute, content, element, points, short, text_at, width_of
from events.codec import Struct

TOP, BOTTOM, LEFT, RIGHT = 24, 16, 50, 14
"""Pixels around what is drawn: for the names of rounds, below, for the shares, and at the right."""
TEXT = 13
MARK = 11
"""The size of text, and half the width of a mark, in pixels."""
GAP = 6
"""How far names of rounds are apart at least, in pixels."""


class ChartSide(Struct, frozen=True):
    """A side: what is written on its ground, and the rank of its tones (`palette.RANKS`)."""

    words: str
    rank: str


class ChartPoint(Struct, frozen=True):
    """A point: the event, the share there, and the bounds of the true one (0 to 1)."""

    number: int
    low: float
    share: float
    high: float


class ShareChart(Struct, frozen=True, kw_only=True):
    """Shares of a side over a match of `last` events.

    `said` is what the drawing shows, in words; `side` wins below the line, `others` above it. `rounds` are the events with which rounds begin, with
    their names; `marks` are letters at points.
    """

    said: str
    side: ChartSide
    others: ChartSide
    points: tuple[ChartPoint, ...]
    last: int
    rounds: tuple[tuple[int, str], ...] = ()
    marks: tuple[tuple[ChartPoint, str], ...] = ()


def draw_share_chart(chart: ShareChart, width: int, height: int) -> str:
    """Draw shares as SVG of a size in pixels, for a page that has the style sheet of drawings (`palette.style_sheet`)."""
    return _Drawn(chart, width, height).svg()


class _Drawn:
    """A chart of a size."""

    def __init__(self, chart: ShareChart, width: int, height: int) -> None:
        self.chart = chart
        self.width, self.height = width, height
        self.right, self.bottom = width - RIGHT, height - BOTTOM

    def svg(self) -> str:
        said = self.chart.said
        head = f'<svg class="shares" viewBox="0 0 {self.width} {self.height}" role="img" aria-label={attribute(said)}>'
        title = f"<title>{content(said)}</title>"
        return "".join([head, title, *self._grounds(), *self._rounds(), *self._line(), *self._marks(), "</svg>"])

    def _x(self, number: float) -> float:
        return LEFT + number / max(1, self.chart.last) * (self.right - LEFT)

    def _y(self, share: float) -> float:
        return self.bottom - share * (self.bottom - TOP)

    def _grounds(self) -> Iterable[str]:
        side, others, found = self.chart.side, self.chart.others, self.chart.points
        size = {"width": short(self.right - LEFT), "height": short(self.bottom - TOP)}
        yield element("rect", {"x": LEFT, "y": TOP, **size, "class": f"f-area-{others.rank}"})
        if found:
            line = [(self._x(one.number), self._y(one.share)) for one in found]
            edge = [
                (LEFT, self.bottom),
                (LEFT, line[0][1]),
                *line,
                (self.right, line[-1][1]),
                (self.right, self.bottom),
            ]
            yield element("polygon", {"points": points(edge), "class": f"f-area-{side.rank}"})
        for share in (0.0, 0.5, 1.0):
            y = self._y(share)
            dashes = "3 4" if share == 0.5 else None
            drawn = {"d": f"M{LEFT} {short(y)} H{short(self.right)}", "class": "line s-mut", "stroke_dasharray": dashes}
            yield element("path", drawn)
            yield text_at((LEFT - 7, y + 4), f"{100 * share:g} %", TEXT, "f-mut", "end")
        yield text_at((LEFT + 8, self.bottom - 8), side.words, TEXT, f"f-{side.rank} bold", "start")
        yield text_at((self.right - 8, TOP + 17), others.words, TEXT, f"f-{others.rank} bold", "end")

    def _rounds(self) -> Iterable[str]:
        """Mark where rounds begin; a name that has no room is left out."""
        free = 0.0
        for number, name in self.chart.rounds:
            x = self._x(number)
            yield element("path", {"d": f"M{short(x)} {TOP - 4} V{short(self.bottom)}", "class": "line s-frame"})
            if x >= free and x + width_of(name, TEXT) <= self.width:
                yield text_at((x + 3, TOP - 9), name, TEXT, "f-ink", "start")
                free = x + 3 + width_of(name, TEXT) + GAP

    def _line(self) -> Iterable[str]:
        found = self.chart.points
        low = [(self._x(one.number), self._y(one.low)) for one in found]
        high = [(self._x(one.number), self._y(one.high)) for one in reversed(found)]
        yield element("polygon", {"points": points([*low, *high]), "class": "f-mut", "fill_opacity": 0.3})
        line = [(self._x(one.number), self._y(one.share)) for one in found]
        yield element("polyline", {"points": points(line), "class": "line s-ink", "stroke_width": 2.4})
        for x, y in line:
            yield element("circle", {"cx": short(x), "cy": short(y), "r": 2.6, "class": "f-ink"})

    def _marks(self) -> Iterable[str]:
        for point, letter in self.chart.marks:
            x, y = self._x(point.number), self._y(point.share)
            y = min(max(y, TOP + MARK), self.bottom - MARK + 4)
            yield element(
                "circle", {"cx": short(x), "cy": short(y), "r": MARK, "class": "f-panel s-ink", "stroke_width": 1.6}
            )
            yield text_at((x, y + 4.5), letter, TEXT, "f-ink bold")
