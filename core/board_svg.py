"""Draws schematic maps as SVG: areas and hexes by their outlines, other places as circles, with their contents.

Neighbours are joined by lines unless they share a drawn border. Several maps are drawn side by side. This module knows no game and
no table: a game gives the positions of its places, and the caller the look of each place.
"""

from collections.abc import Iterable, Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from core.geometry.outlines import Segment, shared_border
from core.ports import MapPlace
from events.codec import Struct, replace
from events.ids import PlaceId

MARGIN = 60
RADIUS = 22
LINE_HEIGHT = 13
INK = "#222222"
PAPER = "#f4efe2"
PLAIN_FILL = "#ffffff"


class PlaceLook(Struct, frozen=True):
    """The look of a place: its colours (SVG names), and lines of text below its name.

    `ring` is the colour of its outline, `title` the tooltip in a browser.
    """

    fill: str = PLAIN_FILL
    ring: str = INK
    lines: tuple[str, ...] = ()
    title: str = ""


class LegendEntry(Struct, frozen=True):
    """One colour of the map and what it means."""

    fill: str
    text: str
    ring: str = INK


class BorderLook(Struct, frozen=True):
    """The look of a border with a feature, such as a river: the colour, width and dashes of its line."""

    colour: str
    width: int = 5
    dashes: str = ""


class MapStyle(Struct, frozen=True):
    """The style of a drawing: titles of its maps by their ids, and the looks of border features."""

    titles: dict[str, str] = {}
    borders: dict[str, BorderLook] = {}


def draw_svg(
    title: str,
    places: Sequence[MapPlace],
    looks: Mapping[PlaceId, PlaceLook],
    legend: Sequence[LegendEntry] = (),
    remark: str = "",
    *,
    style: MapStyle | None = None,
) -> str:
    """Draw a game's map, or several of them from left to right.

    Args:
        title: The text above the map.
        places: Every place with a position of its own; `x` grows to the right and `y` down, in pixels, from 0 on each map.
        looks: The looks of places; one that is not named is plain.
        legend: The meaning of the colours, below the map.
        remark: A line below the title.
        style: Titles of several maps, and the looks of border features; one that is not named is not drawn.

    Returns:
        A whole SVG document, with all text escaped, that ends with a line feed.
    """
    style = style or MapStyle()
    corners, headings = _side_by_side(places, style.titles)
    drawn = [_moved(place, *corners[place.map]) for place in places]
    right, low = _extent(drawn)
    width = right + 3 * MARGIN
    bottom = low + 3 * MARGIN
    height = bottom + LINE_HEIGHT * 2 * len(legend)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-MARGIN} {-MARGIN} {width} {height}">',
        f"<title>{_content(title)}</title>",
        f'<rect x="{-MARGIN}" y="{-MARGIN}" width="{width}" height="{height}" fill="{PAPER}"/>',
        f'<text x="0" y="{-MARGIN // 2}" font-size="18" font-family="sans-serif" fill="{INK}">{_content(title)}</text>',
        '<g font-family="sans-serif" font-size="11">',
        *([f'<text x="0" y="{-MARGIN // 2 + LINE_HEIGHT}" fill="{INK}">{_content(remark)}</text>'] if remark else []),
        *headings,
        *(_cell(place, looks.get(place.id, PlaceLook())) for place in drawn if place.outline),
        *_edges(drawn, style.borders),
        *(part for place in drawn for part in _place(place, looks.get(place.id, PlaceLook()))),
        *_legend(legend, bottom - MARGIN),
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _extent(places: Sequence[MapPlace]) -> tuple[int, int]:
    """Return the farthest points to the right and down."""
    points = [point for place in places for point in ((place.x, place.y), *place.outline)]
    return max((x for x, _ in points), default=0), max((y for _, y in points), default=0)


def _side_by_side(
    places: Sequence[MapPlace], titles: Mapping[str, str]
) -> tuple[dict[str, tuple[int, int]], list[str]]:
    """Return the offset of each map, and the headings above them; a single map has none and begins at the origin."""
    maps = list(dict.fromkeys(place.map for place in places))
    if len(maps) < 2:
        return dict.fromkeys(maps, (0, 0)), []
    corners: dict[str, tuple[int, int]] = {}
    headings: list[str] = []
    left = 0
    for key in maps:
        corners[key] = (left, MARGIN)
        heading = _content(titles.get(key, key))
        headings.append(f'<text x="{left}" y="{LINE_HEIGHT}" font-size="15" fill="{INK}">{heading}</text>')
        left += _extent([place for place in places if place.map == key])[0] + 2 * MARGIN
    return corners, headings


def _moved(place: MapPlace, right: int, down: int) -> MapPlace:
    outline = tuple((x + right, y + down) for x, y in place.outline)
    return replace(place, x=place.x + right, y=place.y + down, outline=outline)


def _cell(place: MapPlace, look: PlaceLook) -> str:
    """Draw the outline of an area or a hex."""
    points = " ".join(f"{x},{y}" for x, y in place.outline)
    fill, ring = _attribute(look.fill), _attribute(look.ring)
    return f'<polygon points="{points}" fill={fill} stroke={ring} stroke-width="1.5" stroke-linejoin="round"/>'


def _edges(places: Sequence[MapPlace], borders: Mapping[str, BorderLook]) -> Iterable[str]:
    """Join neighbours, each pair once, and draw their border features; a neighbour that is not drawn is left out."""
    spots = {place.id: place for place in places}
    features: dict[frozenset[PlaceId], tuple[str, ...]] = {}
    for place in places:
        for border in place.borders:
            features.setdefault(frozenset((place.id, border.to)), border.features)
    drawn: set[frozenset[PlaceId]] = set()
    for place in places:
        for neighbour in place.neighbours:
            other = spots.get(neighbour)
            pair = frozenset((place.id, neighbour))
            if other is None or pair in drawn:
                continue
            drawn.add(pair)
            sides = shared_border(place.outline, other.outline)
            if not sides:
                dashes = "" if place.map == other.map else ' stroke-dasharray="4 6"'
                yield _line(((place.x, place.y), (other.x, other.y)), f'stroke="{INK}" stroke-opacity="0.35"{dashes}')
            for look in [borders[feature] for feature in features.get(pair, ()) if feature in borders]:
                pen = f'stroke={_attribute(look.colour)} stroke-width="{look.width}" stroke-linecap="round"'
                dashes = f" stroke-dasharray={_attribute(look.dashes)}" if look.dashes else ""
                yield from (_line(side, pen + dashes) for side in sides or _across(place, other))


def _across(one: MapPlace, other: MapPlace) -> tuple[Segment, ...]:
    """Return a short line across the middle between two places that share no drawn border."""
    x, y = (one.x + other.x) // 2, (one.y + other.y) // 2
    aside, down = other.y - one.y, one.x - other.x
    part = max(abs(aside), abs(down), 1)
    reach = RADIUS // 2
    return (
        ((x - aside * reach // part, y - down * reach // part), (x + aside * reach // part, y + down * reach // part)),
    )


def _line(side: Segment, pen: str) -> str:
    (left, top), (right, bottom) = side
    return f'<line x1="{left}" y1="{top}" x2="{right}" y2="{bottom}" {pen}/>'


def _place(place: MapPlace, look: PlaceLook) -> Iterable[str]:
    """Draw one place with its label inside, its name and its lines below; outlines are drawn before."""
    hint = look.title or place.name
    yield f"<g id={_attribute(f'place-{place.id}')}><title>{_content(hint)}</title>"
    if not place.outline:
        yield (
            f'<circle cx="{place.x}" cy="{place.y}" r="{RADIUS}" fill={_attribute(look.fill)} '
            f'stroke={_attribute(look.ring)} stroke-width="3"/>'
        )
    yield _text(place.x, place.y + 5, place.label, size=14)
    below = 5 if place.outline else RADIUS
    for number, line in enumerate((place.name, *look.lines)):
        yield _text(place.x, place.y + below + LINE_HEIGHT * (number + 1), line, size=10)
    yield "</g>"


def _text(x: int, y: int, text: str, *, size: int) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="middle" font-size="{size}" fill="{INK}">{_content(text)}</text>'


def _legend(legend: Sequence[LegendEntry], top: int) -> Iterable[str]:
    """List the colours from the given height down."""
    for number, entry in enumerate(legend):
        y = top + LINE_HEIGHT * 2 * number
        yield (
            f'<circle cx="0" cy="{y}" r="8" fill={_attribute(entry.fill)} '
            f'stroke={_attribute(entry.ring)} stroke-width="3"/>'
        )
        yield f'<text x="16" y="{y + 4}" fill="{INK}">{_content(entry.text)}</text>'


def _content(text: str) -> str:
    return escape(_printable(text))


def _attribute(text: str) -> str:
    return quoteattr(_printable(text))


def _printable(text: str) -> str:
    """Replace characters that XML cannot contain."""
    return "".join(char if char.isprintable() else " " for char in text)
