"""Places of a map that can be chosen, and counters on them, drawn as links with a gold edge and a sign."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

from core.narration.render_model import MapPlace
from core.svg.label_room import Box
from core.svg.svg_text import attribute, content, element, points, short, text_at, width_of
from events.codec import Struct
from events.ids import PieceId, PlaceId

EDGE, SPOT = 4, 30
"""The width of a lit edge, which lies inside the border, and the radius of that of a place without an outline, in pixels."""
SIGN, SIGN_HIGH, INWARDS = 15, 26, (0.8, 0.6, 0.9)
"""The size of the sign of a lit place and the height of its badge, in pixels; and how near to the corner it may lie, in parts of the way from the middle, the best first."""
CORNER_SIGN, SMALL_SIGN, BELOW, BESIDE = 20.0, 12.5, 1, 7
"""How high a sign on a corner is, the size of its text, how far its middle lies below the upper edge, and how far it ends before the right one, in pixels."""
SIGNED_MIN = 100
"""How wide a counter is at least that bears the sign of its option, in pixels."""
RING, KNOB, ASIDE = 3.0, 4.5, 1.5
"""The width of the ring round a lit counter, the radius of the knob at its upper left corner, and how far both lie outside, in pixels."""
REACH = 10
"""How far a counter may lie from the ring of another one that covers its number, in pixels."""
CHECK, CHECK_OUT, CHOSEN_TINT = 8.0, 6.0, 0.22
"""The radius of the check mark of a chosen counter, how far outside its upper left corner it lies, in pixels, and how strongly the counter is tinted."""


class Lit(Struct, frozen=True):
    """A place or a piece that can be chosen: its sign, such as the number of its only option, or nothing; where a click leads; what it is in words.

    With `is_chosen` it was clicked on or picked before, and can be given up again; the one clicked on last `is_last`. `outcome` is what comes of its
    only option, in a few words, `option` the number of that option, or 0; with `is_played` a click says all that this option says, so that a script may play it at once.
    One that `is_instead` is a counter or a card that was not chosen: it has no gold, and a click chooses it in place of what was.
    """

    sign: str
    link: str
    title: str
    is_chosen: bool = False
    is_last: bool = False
    outcome: str = ""
    option: int = 0
    is_played: bool = False
    is_instead: bool = False

    @property
    def kind(self) -> str:
        """What its link is for scripts and styles."""
        return "instead" if self.is_instead else "lit"


def lit_edges(lit: Mapping[str, Lit], places: Iterable[MapPlace], prefix: str) -> Iterable[str]:
    """Draw the gold edges of the lit places of a map, which lie below all marks, names and counters; see `lit_parts`."""
    yield from (_edge(place, one, f"{prefix}{number}") for number, (place, one) in enumerate(_found(lit, places)))


def lit_parts(
    lit: Mapping[str, Lit],
    places: Iterable[MapPlace],
    prefix: str,
    taken: Sequence[Box] = (),
    *,
    are_outside: bool = False,
) -> Iterable[str]:
    """Draw the links of the lit places of a map with their signs, in the order of the options.

    Args:
        lit: What can be chosen; places of other maps and boxes are left out.
        places: The places of the map, in pixels.
        prefix: What ids begin with; no other id of the page may.
        taken: Boxes of names, counters and marks, of which signs keep clear if they can.
        are_outside: Whether signs lie on the upper edge of their places at its right end, half outside, since places are full.
    """
    found, boxes = _found(lit, places), dict[PlaceId, Box]()
    # A spot has less room for its sign than a place with an outline.
    for place, one in sorted(found, key=lambda each: bool(each[0].outline)):
        if one.sign:
            boxes[place.id] = (
                _corner_spot(place, one.sign) if are_outside else _free_spot(place, one.sign, [*taken, *boxes.values()])
            )
    for number, (place, one) in enumerate(found):
        touch = _shape(place, {"class": "touch", "clip_path": f"url(#{prefix}{number})"})
        yield f"{_opened(one, 'lit')}{touch}{_sign(boxes[place.id], one.sign) if one.sign else ''}</a>"


def _found(lit: Mapping[str, Lit], places: Iterable[MapPlace]) -> list[tuple[MapPlace, Lit]]:
    there = {place.id: place for place in places}
    return [(there[PlaceId(id_)], one) for id_, one in lit.items() if id_ in there]


def lit_counters(lit: Mapping[str, Lit], visible: Mapping[PieceId, tuple[Box, str]], prefix: str) -> Iterable[str]:
    """Draw the lit counters of a map, in the order of the options: a ring round what is visible of each, with a knob at its corner, below all numbers.

    Args:
        lit: What can be chosen; pieces elsewhere are left out.
        visible: What is visible of the counter of each piece, in pixels, and the number on it, drawn alone.
        prefix: What ids begin with; no other id of the page may.
    """
    rings: dict[str, str] = {}
    drawn: list[str] = []
    found = [(lit[id_], visible[PieceId(id_)]) for id_ in lit if id_ in visible]
    for one, ((left, top, right, bottom), _) in found:
        # Most counters have the same size, so that their ring is written once.
        ring = rings.setdefault(_ring(right - left, bottom - top, one), f"{prefix}{len(rings)}")
        at = f'<use href="#{ring}" x="{short(left)}" y="{short(top)}"/>'
        drawn.append(f"{_opened(one, f'{one.kind} piece')}{at}</a>")
    ringed = [(box, number) for one, (box, number) in found if not one.is_instead]
    rounds = [_around(box) for box, _ in ringed]
    # A ring would cover what reaches over the edge of the counter beside it.
    near = [number for box, number in visible.values() if number and any(_common(box, one) for one in rounds)]
    numbers = "".join(dict.fromkeys([*[number for _, number in ringed], *near]))
    if drawn:
        yield f"<defs>{''.join(f'<g id={attribute(id_)}>{ring}</g>' for ring, id_ in rings.items())}</defs>"
    yield from drawn
    if numbers:
        # A click on a number is a click on what lies below it.
        yield f'<g pointer-events="none">{numbers}</g>'


def _around(box: Box) -> Box:
    """Return a box with the room around it into which rings and numbers reach."""
    left, top, right, bottom = box
    return (left - REACH, top - REACH, right + REACH, bottom + REACH)


def _ring(wide: float, high: float, lit: Lit) -> str:
    """Return the ring round a counter of a size, with a knob; a chosen one is tinted and has a check mark instead."""
    # It lies around the counter rather than on what is printed there.
    shape = {"x": -ASIDE, "y": -ASIDE, "width": short(wide + 2 * ASIDE), "height": short(high + 2 * ASIDE), "rx": 4}
    if lit.is_instead:
        # What a style says of parts of a page does not reach what is drawn once and used again.
        return element("rect", {**shape, "class": "f-gold", "fill_opacity": 0})
    look = {"class": "s-on-gold f-gold", "fill_opacity": CHOSEN_TINT if lit.is_chosen else 0}
    gold = "" if lit.is_chosen else " ring"
    return "".join(
        [
            element("rect", {**shape, **look, "stroke_width": short(RING + 3)}),
            element("rect", {**shape, "class": f"bare s-gold{gold}", "stroke_width": short(RING)}),
            _disc(CHECK_OUT, CHECK) if lit.is_chosen else _knob(wide, lit.sign),
            _tick() if lit.is_chosen else "",
        ]
    )


def _knob(wide: float, sign: str) -> str:
    """Draw the knob of a counter; one on a card, which has room for it, bears the sign of its only option."""
    if not sign or wide < SIGNED_MIN:
        return _disc(ASIDE, KNOB)
    half = max(CORNER_SIGN, width_of(sign, SMALL_SIGN, is_bold=True) + 8) / 2
    return _badge((-half, -CORNER_SIGN / 2, half, CORNER_SIGN / 2), sign)


def _disc(out: float, radius: float) -> str:
    """Draw a disc outside the upper left corner of a counter."""
    return element(
        "circle", {"cx": -out, "cy": -out, "r": short(radius), "class": "f-gold s-on-gold", "stroke_width": 1.5}
    )


def _tick() -> str:
    """Draw the check mark on its disc."""
    x, y = -CHECK_OUT - CHECK / 2, -CHECK_OUT
    return element(
        "path", {"d": f"M{short(x)} {short(y)} l3 3.5 l5 -7", "class": "line s-on-gold", "stroke_width": 2.5}
    )


def _opened(lit: Lit, class_: str) -> str:
    """Return the beginning of a link, with its name."""
    last, chosen = ' id="chosen"' if lit.is_last else "", ' aria-current="true"' if lit.is_chosen else ""
    plays = ' data-plays=""' if lit.is_played else ""
    stands = f' data-option="{lit.option}"{plays}' if lit.option else ""
    title = f"<title>{content(lit.title)}</title>"
    return f'<a href={attribute(lit.link)} aria-label={attribute(lit.title)} class="{class_}"{last}{chosen}{stands}>{title}'


def _edge(place: MapPlace, lit: Lit, id_: str) -> str:
    wide = 3 * EDGE if lit.is_chosen else EDGE
    return (
        f'<clipPath id="{id_}">{_shape(place, {})}</clipPath>'
        # Only the inner half of an edge is seen: rivers, roads and fronts along the border stay in sight.
        f'<g clip-path="url(#{id_})">'
        f"{_shape(place, {'class': 'bare s-on-gold edge', 'stroke_width': 2 * wide + 3})}"
        f"{_shape(place, {'class': 'bare s-gold edge', 'stroke_width': 2 * wide})}</g>"
    )


def _free_spot(place: MapPlace, sign: str, taken: Sequence[Box]) -> Box:
    """Return where the sign of a place lies: near a corner, the upper left one first, or between two, at which it covers least of what is taken."""
    around = [(place.x + x * SPOT, place.y + y * SPOT) for x, y in product((-1, 0, 1), repeat=2) if x or y]
    corners: Sequence[tuple[int, int]] = place.outline or around
    sides = zip(corners, (*corners[1:], *corners[:1]), strict=True)
    between = [((x + other_x) // 2, (y + other_y) // 2) for (x, y), (other_x, other_y) in sides]
    half = max(26.0, width_of(sign, SIGN, is_bold=True) + 12) / 2
    spots = [
        (place.x + (x - place.x) * inwards, place.y + (y - place.y) * inwards)
        for ends in (corners, between)
        for inwards in INWARDS
        for x, y in sorted(ends, key=sum)
    ]
    boxes = [(x - half, y - SIGN_HIGH / 2, x + half, y + SIGN_HIGH / 2) for x, y in spots]
    reach = (
        min(x for x, _ in spots) - half,
        min(y for _, y in spots) - SIGN_HIGH / 2,
        max(x for x, _ in spots) + half,
        max(y for _, y in spots) + SIGN_HIGH / 2,
    )
    near = [other for other in taken if _common(reach, other)]
    return min(boxes, key=lambda box: sum([_common(box, other) for other in near]))


def _corner_spot(place: MapPlace, sign: str) -> Box:
    """Return where the sign of a place lies on its upper right corner, clear of the knob or check mark of a counter in the next place at its right."""
    right, top = max(x for x, _ in place.outline), min(y for _, y in place.outline)
    wide = max(CORNER_SIGN, width_of(sign, SMALL_SIGN, is_bold=True) + 8)
    end, y = right - BESIDE, top + BELOW
    return (end - wide, y - CORNER_SIGN / 2, end, y + CORNER_SIGN / 2)


def _common(one: Box, other: Box) -> float:
    """Return how much two boxes have in common, in square pixels."""
    across, down = min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1])
    return across * down if across > 0 and down > 0 else 0.0


def _sign(box: Box, sign: str) -> str:
    """Draw the sign of a place; a script keeps its size where a map is made smaller."""
    return f'<g class="sign">{_badge(box, sign)}</g>'


def _badge(box: Box, sign: str) -> str:
    left, top, right, low = box
    high = low - top
    size = SIGN if high >= SIGN_HIGH else SMALL_SIGN
    badge = {
        "x": short(left),
        "y": short(top),
        "width": short(right - left),
        "height": short(high),
        "rx": short(high / 2),
    }
    drawn = element("rect", {**badge, "class": "f-gold s-on-gold", "stroke_width": 1.5})
    return drawn + text_at(((left + right) / 2, (top + low) / 2 + size * 0.36), sign, size, "f-on-gold bold")


def _shape(place: MapPlace, look: Mapping[str, object]) -> str:
    if not place.outline:
        return element("circle", {"cx": place.x, "cy": place.y, "r": SPOT, **look})
    return element("polygon", {"points": points(place.outline), **look})
