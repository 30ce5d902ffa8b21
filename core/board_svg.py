"""Draw a schematic map as SVG: places as circles, neighbours joined by lines, and on each place what lies there.

Knows no game and no table: a game says where its places are, and whoever has a table says how each place looks.
"""

from collections.abc import Iterable, Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from core.ports import MapPlace
from events.codec import Struct
from events.ids import PlaceId

MARGIN = 60
RADIUS = 22
LINE_HEIGHT = 13
INK = "#222222"
PAPER = "#f4efe2"
PLAIN_FILL = "#ffffff"


class PlaceLook(Struct, frozen=True):
    """How a place looks: its colours (SVG words), and lines of text below its name.

    `ring` is the colour of its outline, `title` what a browser shows when it is pointed at.
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


def draw_svg(
    title: str,
    places: Sequence[MapPlace],
    looks: Mapping[PlaceId, PlaceLook],
    legend: Sequence[LegendEntry] = (),
    remark: str = "",
) -> str:
    """Draw a map.

    Args:
        title: Stands above the map.
        places: Every place with a spot of its own; `x` grows to the right and `y` down, in pixels.
        looks: How places look; one that is not named is plain.
        legend: What the colours mean; stands below the map.
        remark: Stands below the title, in small print.

    Returns:
        A whole SVG document, with all text escaped, that ends with a line feed.
    """
    width = max((place.x for place in places), default=0) + 3 * MARGIN
    bottom = max((place.y for place in places), default=0) + 3 * MARGIN
    height = bottom + LINE_HEIGHT * 2 * len(legend)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-MARGIN} {-MARGIN} {width} {height}">',
        f"<title>{_content(title)}</title>",
        f'<rect x="{-MARGIN}" y="{-MARGIN}" width="{width}" height="{height}" fill="{PAPER}"/>',
        f'<text x="0" y="{-MARGIN // 2}" font-size="18" font-family="sans-serif" fill="{INK}">{_content(title)}</text>',
        '<g font-family="sans-serif" font-size="11">',
        *([f'<text x="0" y="{-MARGIN // 2 + LINE_HEIGHT}" fill="{INK}">{_content(remark)}</text>'] if remark else []),
        *_edges(places),
        *(part for place in places for part in _place(place, looks.get(place.id, PlaceLook()))),
        *_legend(legend, bottom - MARGIN),
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _edges(places: Sequence[MapPlace]) -> Iterable[str]:
    """Join neighbours, each pair once; a neighbour off the map is left out."""
    spots = {place.id: place for place in places}
    drawn: set[frozenset[PlaceId]] = set()
    for place in places:
        for neighbour in place.neighbours:
            other = spots.get(neighbour)
            pair = frozenset((place.id, neighbour))
            if other is not None and pair not in drawn:
                drawn.add(pair)
                yield (
                    f'<line x1="{place.x}" y1="{place.y}" x2="{other.x}" y2="{other.y}" '
                    f'stroke="{INK}" stroke-opacity="0.35"/>'
                )


def _place(place: MapPlace, look: PlaceLook) -> Iterable[str]:
    """Draw one place with its label inside, its name and its lines below."""
    hint = look.title or place.name
    yield f"<g id={_attribute(f'place-{place.id}')}><title>{_content(hint)}</title>"
    yield (
        f'<circle cx="{place.x}" cy="{place.y}" r="{RADIUS}" fill={_attribute(look.fill)} '
        f'stroke={_attribute(look.ring)} stroke-width="3"/>'
    )
    yield _text(place.x, place.y + 5, place.label, size=14)
    for number, line in enumerate((place.name, *look.lines)):
        yield _text(place.x, place.y + RADIUS + LINE_HEIGHT * (number + 1), line, size=10)
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
    """Replace what XML cannot hold."""
    return "".join(char if char.isprintable() else " " for char in text)
