"""Draws numbers over time as lines or steps, each with its name at its end, so that no colour has to be told apart."""

from collections.abc import Iterable, Sequence
from math import ceil, floor, log10

from core.svg.palette import RANKS
from core.svg.svg_text import attribute, content, element, points, short, text_at, width_of
from events.codec import Struct

WIDTH, HEIGHT = 520, 260
TOP, BOTTOM, LEFT = 14, 44, 52
"""Pixels above, below and left of what is drawn; the names of the lines need their own room at the right."""
TEXT = 13
LINE = 16
"""The size of text, and how far lines of text are apart, in pixels."""
TICKS = 5
DASHES = dict(zip(RANKS, ("", "8 5", "2 4", "10 4 2 4"), strict=True))
"""The dashes of lines by their tones, which tell them apart in print."""


class Series(Struct, frozen=True):
    """A line: its name, its tone (`palette.TONES`), and its points by rising x. With `is_steps` a value lasts until the next one."""

    name: str
    tone: str
    points: tuple[tuple[float, float], ...]
    is_steps: bool = False


class Plot(Struct, frozen=True):
    """Lines over a common axis.

    `across` and `up` say what the axes show. `band` is a strip behind the lines: x, its lower and its upper edge.
    """

    title: str
    across: str
    up: str
    series: tuple[Series, ...]
    band: tuple[tuple[float, float, float], ...] = ()


def draw_plot(plot: Plot) -> str:
    """Draw a plot as SVG, for a page that has the style sheet of drawings (`palette.style_sheet`)."""
    return _Drawn(plot).svg()


def ticks(low: float, high: float, *, are_whole: bool = False) -> list[float]:
    """Return about `TICKS` round numbers from the one at or below `low` to the one at or above `high`.

    Args:
        low: The least number shown.
        high: The greatest.
        are_whole: Whether only whole numbers are shown.
    """
    high = high if high > low else low + 1
    span = high - low
    rough = max(span / TICKS, 1.0) if are_whole else span / TICKS
    size = 10.0 ** floor(log10(rough))
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= rough)
    return [number * step for number in range(floor(low / step), ceil(high / step) + 1)]


class _Drawn:
    """A plot and its scales."""

    def __init__(self, plot: Plot) -> None:
        self.plot = plot
        every = [point for series in plot.series for point in series.points]
        across = [x for x, _ in every] + [x for x, _, _ in plot.band]
        up = [0.0, *(y for _, y in every), *(y for _, *edges in plot.band for y in edges)]
        self.across = [tick for tick in ticks(min(across), max(across)) if min(across) <= tick <= max(across)]
        self.up = ticks(min(up), max(up), are_whole=all(y == int(y) for y in up))
        self.low, self.high = min(across), max(*across, min(across) + 1)
        self.right = WIDTH - 18 - max([0.0, *(width_of(series.name, TEXT, is_bold=True) for series in plot.series)])

    def svg(self) -> str:
        plot = self.plot
        said = f"{plot.title}: {plot.up} by {plot.across}"
        head = f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label={attribute(said)}>'
        parts = [f"<title>{content(said)}</title>", *self._axes(), *self._band()]
        parts += [self._line(series, DASHES.get(series.tone, "")) for series in plot.series]
        return "".join([head, *parts, *self._names(), "</svg>"])

    def _x(self, x: float) -> float:
        return LEFT + (x - self.low) / (self.high - self.low) * (self.right - LEFT)

    def _y(self, y: float) -> float:
        return HEIGHT - BOTTOM - (y - self.up[0]) / (self.up[-1] - self.up[0]) * (HEIGHT - BOTTOM - TOP)

    def _axes(self) -> Iterable[str]:
        for tick in self.up:
            y = self._y(tick)
            strong = {"class": "line s-mut" if tick == 0 else "line s-frame", "stroke_width": 1.5 if tick == 0 else 1}
            yield element("path", {"d": f"M{LEFT} {short(y)} H{short(self.right)}", **strong})
            yield text_at((LEFT - 7, y + 4), f"{tick:g}", TEXT, "f-mut", "end")
        for tick in self.across:
            if tick == int(tick):
                yield text_at((self._x(tick), HEIGHT - BOTTOM + 18), f"{tick:g}", TEXT, "f-mut")
        yield text_at((LEFT, HEIGHT - 6), self.plot.across, TEXT, "f-mut", "start")

    def _band(self) -> Iterable[str]:
        band = self.plot.band
        if band:
            there = [(self._x(x), self._y(low)) for x, low, _ in band]
            back = [(self._x(x), self._y(high)) for x, _, high in reversed(band)]
            edge = {"points": points([*there, *back]), "class": "f-frame s-frame", "fill_opacity": 0.35}
            yield element("polygon", {**edge, "stroke_dasharray": "3 4"})

    def _line(self, series: Series, dashes: str) -> str:
        path = "M"
        before: float | None = None
        for x, y in series.points:
            if series.is_steps and before is not None:
                path += f" {short(self._x(x))},{short(before)}"
            before = self._y(y)
            path += f" {short(self._x(x))},{short(before)}"
        drawn = {"d": path, "class": f"line s-{series.tone}", "stroke_width": 2.6, "stroke_dasharray": dashes or None}
        dots = [
            element("circle", {"cx": short(self._x(x)), "cy": short(self._y(y)), "r": 3, "class": f"f-{series.tone}"})
            for x, y in (series.points if len(series.points) <= 2 * TICKS else series.points[-1:])
        ]
        return element("path", drawn) + "".join(dots)

    def _names(self) -> Iterable[str]:
        """Name each line at its end; names that would lie on each other are moved apart."""
        ends = sorted(
            [(self._y(series.points[-1][1]), series) for series in self.plot.series if series.points], key=_height
        )
        for (_, series), y in zip(ends, _apart([y for y, _ in ends], TOP + 4, HEIGHT - BOTTOM), strict=True):
            yield text_at((self.right + 10, y + 4), series.name, TEXT, f"f-{series.tone} bold", "start")


def _height(end: tuple[float, Series]) -> float:
    return end[0]


def _apart(wanted: Sequence[float], top: float, bottom: float) -> list[float]:
    """Return heights near the wanted ones, which rise, at least a line apart as far as there is room."""
    found: list[float] = []
    for y in wanted:
        found.append(max(y, found[-1] + LINE if found else top))
    limit = bottom
    for number in range(len(found) - 1, -1, -1):
        found[number] = min(found[number], limit)
        limit = found[number] - LINE
    return found
