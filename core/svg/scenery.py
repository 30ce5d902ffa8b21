"""Scenery of a map beside its places: wide rivers, roads with their junctions, ways out, gates to other maps, lettering."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import atan2, cos, pi, sin

from core.narration.sheet import Backdrop, Course, Mark
from core.svg.palette import RANKS
from core.svg.svg_text import attribute, content, element, points, short, text_at, width_of

DOT, GATE, EXIT, STRIP, LETTERS, TOWN = "dot", "gate", "exit", "strip", "letters", "town"
WAY, COMPASS = "way", "compass"
GATE_RADIUS, GATE_TEXT = 13, 15
STRIP_HIGH, STRIP_TEXT = 30, 14
LETTER, SPACING = 26, 18
"""The size of letters along a river, and how far they are apart."""
WAY_TEXT = 17
"""The size of a word at the rim of a map, in pixels."""
COMPASS_RADIUS, HEXAGON, DIE = 76, 24, 22
"""The radius of a compass, that of the hex in its middle, and how wide its dice are, in pixels."""
BEND = 6
"""A curve leaves each point of a course for this part of the way between its neighbours."""
POINT, WAIST = 30, 9
"""How far the points of a star reach, and its radius between them, in pixels."""

Spot = tuple[float, float]


def drawn_backdrop(backdrop: Backdrop) -> str:
    """Draw a backdrop in pixels."""
    shape = f"<polygon points={attribute(points(backdrop.outline))} "
    edge = f' s-{backdrop.edge}" stroke-width="4' if backdrop.edge else ""
    pattern = f'{shape}fill="url(#p-{backdrop.pattern})"/>' if backdrop.pattern else ""
    return f'{shape}class="f-{backdrop.tone}{edge}"/>{pattern}'


def curve(course: Course) -> str:
    """Return the path of a course in pixels: smooth through its points, or straight between them."""
    spots = course.points
    path = f"M{points(spots[:1])}"
    if course.is_straight or len(spots) < 3:
        return f"{path} L{points(spots[1:])}"
    for number in range(len(spots) - 1):
        before, one = spots[max(number - 1, 0)], spots[number]
        other, after = spots[number + 1], spots[min(number + 2, len(spots) - 1)]
        leaves = (one[0] + (other[0] - before[0]) / BEND, one[1] + (other[1] - before[1]) / BEND)
        comes = (other[0] - (after[0] - one[0]) / BEND, other[1] - (after[1] - one[1]) / BEND)
        path += f" C{points((leaves, comes, other))}"
    return path


def drawn_mark(mark: Mark) -> str:
    """Draw a mark in pixels."""
    inside = "".join(MARKS[mark.shape](mark))
    turned = f" rotate({mark.turn})" if mark.turn else ""
    group = {"transform": f"translate({short(mark.at[0])} {short(mark.at[1])}){turned}"}
    return element("g", group, f"<title>{content(mark.title)}</title>" if mark.title else "", inside)


def star(middle: Spot, towards: Sequence[Spot]) -> str:
    """Return the corners of a star with a point to each of several spots."""
    turns = sorted(atan2(y - middle[1], x - middle[0]) for x, y in towards)
    corners: list[Spot] = []
    for number, turn in enumerate(turns):
        gap = (turns[(number + 1) % len(turns)] - turn) % (2 * pi) or 2 * pi
        corners.append(_around(middle, turn, POINT))
        corners += [_around(middle, turn + gap * part, WAIST) for part in (0.22, 0.5, 0.78)]
    return points(corners)


def _around(middle: Spot, turn: float, far: float) -> Spot:
    return (middle[0] + cos(turn) * far, middle[1] + sin(turn) * far)


def _dot(mark: Mark) -> Iterable[str]:
    yield f'<circle r="5" class="f-{mark.tone} s-paper" stroke-width="1.5"/>'


def _gate(mark: Mark) -> Iterable[str]:
    yield f'<circle r="{GATE_RADIUS}" class="f-panel s-ink" stroke-width="2.5"/>'
    yield text_at((0, 5.5), mark.text, GATE_TEXT, "f-ink bold")


def _exit(mark: Mark) -> Iterable[str]:
    yield f'<path d="M-12 -10 h12 l11 10 l-11 10 h-12 z" class="f-{mark.tone} s-paper" stroke-width="1.5"/>'
    # Tones alone do not tell sides apart in print.
    sign = '<circle cx="-2" r="4.5" class="f-paper"/>' if mark.tone == RANKS[1] else ""
    yield sign or '<path d="M-2 -5.5 v11 M-7.5 0 h11" class="line s-paper" stroke-width="2.5"/>'


def _strip(mark: Mark) -> Iterable[str]:
    box = {"x": short(-mark.wide / 2), "y": -STRIP_HIGH / 2, "width": mark.wide, "height": STRIP_HIGH}
    yield element("rect", {**box, "class": "f-panel s-ink", "stroke_width": 1.5})
    yield text_at((0, 5), mark.text, STRIP_TEXT, "f-ink bold")


def _letters(mark: Mark) -> Iterable[str]:
    across = (len(mark.text) - 1) * (LETTER * 0.7 + SPACING)
    style = {"font_size": LETTER, "letter_spacing": SPACING, "class": "f-bank bold", "font_style": "italic"}
    yield element("text", {"x": short(-across / 2), "y": 9, **style}, content(mark.text))


def _town(mark: Mark) -> Iterable[str]:
    lines = mark.text.split("\n")
    for number, line in enumerate(lines):
        size = min(14.0, 14.0 * mark.wide / max(width_of(line, 14, is_bold=True), 1))
        yield text_at((0, 17 * (number - (len(lines) - 1) / 2) + 5), line, size, "f-paper bold")


def _way(mark: Mark) -> Iterable[str]:
    yield text_at((0, WAY_TEXT * 0.35), mark.text, WAY_TEXT, "f-ink bold halo s-paper")


def _compass(mark: Mark) -> Iterable[str]:
    """Draw the faces of a die around a hex with a flat top, the first one above it, then clockwise."""
    yield f'<circle r="{COMPASS_RADIUS}" class="f-panel s-frame" stroke-width="2"/>'
    corners = points([_around((0, 0), turn * pi / 3, HEXAGON) for turn in range(6)])
    yield f'<polygon points="{corners}" class="f-clear s-ink" stroke-width="2"/>'
    for number, face in enumerate(mark.text.split()):
        turn = number * pi / 3 - pi / 2
        ends = (_around((0, 0), turn, HEXAGON * 0.87), _around((0, 0), turn, COMPASS_RADIUS - 2 * DIE))
        yield f'<path d="M{points(ends[:1])} L{points(ends[1:])}" class="line s-ink" stroke-width="2"/>'
        x, y = _around((0, 0), turn, COMPASS_RADIUS - DIE)
        box = {"x": short(x - DIE / 2), "y": short(y - DIE / 2), "width": DIE, "height": DIE, "rx": 4}
        yield element("rect", {**box, "class": "f-paper s-ink", "stroke_width": 1.5})
        yield text_at((x, y + 5.5), face, GATE_TEXT, "f-ink bold")


MARKS: Mapping[str, Callable[[Mark], Iterable[str]]] = {
    DOT: _dot,
    GATE: _gate,
    EXIT: _exit,
    STRIP: _strip,
    LETTERS: _letters,
    TOWN: _town,
    WAY: _way,
    COMPASS: _compass,
}
"""How each shape of a mark is drawn around its middle."""


def mark_legend(shapes: Mapping[str, str], marks: Sequence[Mark]) -> Iterable[tuple[str, str]]:
    """Yield a sample of each shape of mark that has a meaning, in its tones, and what it means."""
    for shape, text in shapes.items():
        tones = dict.fromkeys(mark.tone for mark in marks if mark.shape == shape)
        if tones:
            shown = [Mark(shape, (8 + 20 * number, 8), "1", tone=tone) for number, tone in enumerate(tones)]
            yield "".join(map(drawn_mark, shown)), text
