"""Places of a map that can be chosen, drawn as links with a gold edge and a sign."""

from collections.abc import Iterable, Mapping, Sequence

from core.drawing.svg_text import attribute, content, element, points, short, text_at, width_of
from core.render_model import MapPlace
from events.codec import Struct
from events.ids import PlaceId

EDGE, SPOT = 4, 30
"""The width of a lit edge, which lies inside the border, and the radius of that of a place without an outline, in pixels."""
SIGN = 15
"""The size of the sign of a lit place, in pixels."""


class Lit(Struct, frozen=True):
    """A place that can be chosen: its sign, such as the number of its only option, or nothing; where a click leads; what it is in words.

    With `is_chosen` it was clicked on before, and a click gives it up again.
    """

    sign: str
    link: str
    title: str
    is_chosen: bool = False


def lit_parts(lit: Mapping[PlaceId, Lit], places: Iterable[MapPlace], prefix: str) -> Iterable[str]:
    """Draw the lit places of a map, in the order of the options.

    Args:
        lit: What can be chosen; places of other maps and boxes are left out.
        places: The places of the map, in pixels.
        prefix: What ids begin with; no other id of the page may.
    """
    there = {place.id: place for place in places}
    found = [(there[id_], one) for id_, one in lit.items() if id_ in there]
    yield from (_lit(place, one, f"{prefix}{number}") for number, (place, one) in enumerate(found))


def _lit(place: MapPlace, lit: Lit, id_: str) -> str:
    wide = 3 * EDGE if lit.is_chosen else EDGE
    return (
        f'<a href={attribute(lit.link)} aria-label={attribute(lit.title)} class="lit">'
        f"<title>{content(lit.title)}</title>"
        f'<clipPath id="{id_}">{_shape(place, {})}</clipPath>'
        f"{_shape(place, {'class': 'touch'})}"
        # Only the inner half of an edge is seen: rivers, roads and fronts along the border stay in sight.
        f'<g clip-path="url(#{id_})">'
        f"{_shape(place, {'class': 'bare s-on-gold', 'stroke_width': 2 * wide + 3})}"
        f"{_shape(place, {'class': 'bare s-gold', 'stroke_width': 2 * wide})}</g>"
        f"{_badge(place, lit.sign) if lit.sign else ''}</a>"
    )


def _badge(place: MapPlace, sign: str) -> str:
    corners: Sequence[tuple[int, int]] = place.outline or [(place.x - SPOT, place.y - SPOT)]
    at = min(corners, key=lambda corner: corner[0] + corner[1])
    wide = max(26.0, width_of(sign, SIGN, is_bold=True) + 12)
    x, y = place.x + (at[0] - place.x) * 0.8, place.y + (at[1] - place.y) * 0.8
    badge = {"x": short(x - wide / 2), "y": short(y - 13), "width": short(wide), "height": 26, "rx": 13}
    drawn = element("rect", {**badge, "class": "f-gold s-on-gold", "stroke_width": 1.5})
    return drawn + text_at((x, y + 5.5), sign, SIGN, "f-on-gold bold")


def _shape(place: MapPlace, look: Mapping[str, object]) -> str:
    if not place.outline:
        return element("circle", {"cx": place.x, "cy": place.y, "r": SPOT, **look})
    return element("polygon", {"points": points(place.outline), "stroke_linejoin": "round", **look})
