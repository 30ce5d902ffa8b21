"""Draws one map for a screen, with the window to the part of it that a question or an event is about, and all maps as thumbnails.

A near map is drawn in pixels of the screen: its places are so wide that names and counters have room at their own size. Only a script makes it smaller.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from core.drawing.map_svg import Map
from core.drawing.picture_svg import drawn_map, map_keys
from core.narration.render_model import MapPlace
from core.narration.sheet import Sheet, Spread
from core.svg.highlights import Lit
from core.svg.label_room import Box
from core.svg.svg_text import attribute, points, short
from events.codec import replace
from events.ids import PieceId, PlaceId

KEPT_MAX = 64
"""How many near sheets are kept: those of the boards in use, and of their rivers under ice."""
PANE = (740.0, 640.0)
"""The usual width and height of the picture on a page, in pixels; a script knows the true ones."""
TOGETHER = 230
"""How far the middles of places lie from that of one with which they are seen together, on a phone as well, in pixels."""
FAR = 2 * TOGETHER
"""A change that is at least so far from all places of a question does not matter for it."""
LARGEST = 1.2
"""By how much a near map is enlarged at most."""
ROUND = 14
"""How much of a map is seen round what a window is about, in pixels."""
SPOT_ROOM = (60, 80)
"""How far the name and the counters of a place without an outline reach aside and up, in pixels."""
SPECK = (0.34, 0.24)
"""The width and height of the counters of a side in a thumbnail, in parts of the width of a place."""


class Subject(NamedTuple):
    """The places that a question or an event is about.

    Attributes:
        places: All of them, the most important first.
        first: Those that are seen in any case, because the others lie around them.
        changed: Where something has just changed, the most important first; it counts where none is seen in any case.
        stake: All that goes on now is about, such as both sides of a fight; a map is rather made smaller than that a part of it is not seen.
    """

    places: tuple[PlaceId, ...]
    first: tuple[PlaceId, ...] = ()
    changed: tuple[PlaceId, ...] = ()
    stake: tuple[PlaceId, ...] = ()


class Window(NamedTuple):
    """The part of a map that is shown.

    Attributes:
        focus: What is to be seen.
        first: The part of it that is seen where there is no room for all.
        place: The first place of that. Its name and counters are seen even where there is no room for all of that.
        are_alike: Whether no place is seen in any case, so that a screen rather shows all of them smaller.
        stake: Several places that what goes on is about, which are all seen; None if there are not several.
    """

    focus: Box
    first: Box
    place: PlaceId
    are_alike: bool
    stake: Box | None = None


class Shown(NamedTuple):
    """A map as it is shown.

    Attributes:
        key: The map.
        title: Its title, empty if there is only one.
        svg: The drawing.
        size: Its width and height, in pixels.
        window: The part that is shown; None for the whole.
    """

    key: str
    title: str
    svg: str
    size: tuple[float, float]
    window: Window | None


class Thumbnail(NamedTuple):
    """A whole map without its text: its key, its title and its drawing."""

    key: str
    title: str
    svg: str


@lru_cache(maxsize=KEPT_MAX)
def near_sheet(sheet: Sheet) -> Sheet:
    """Return a sheet for a screen that shows a part of the map; the same one if it always shows the whole."""
    return replace(sheet, cell=sheet.near_cell, is_large_print=False) if sheet.near_cell else sheet


def is_near(sheet: Sheet) -> bool:
    """Return whether a sheet is one for a part of a map."""
    return bool(sheet.cell)


def map_with(sheet: Sheet, places: Iterable[PlaceId], wished: str = "") -> str | None:
    """Return the wished map if there is one, else that of the first of some places, else the first; None if there is no map."""
    keys = map_keys(sheet)
    on = {place.id: place.map for place in sheet.places if not place.is_box}
    return wished if wished in keys else next((on[one] for one in places if one in on), keys[0] if keys else None)


def is_on(sheet: Sheet, key: str, places: Iterable[PlaceId]) -> bool:
    """Return whether one of some places is on a map."""
    there = {place.id for place in sheet.places if place.map == key and not place.is_box}
    return not there.isdisjoint(places)


def resting(sheet: Sheet, spread: Spread, keys: Collection[str]) -> Subject:
    """Return what is seen of some maps while nothing on them is asked about: where the viewer's counters lie, else where any lie, else all places."""
    there = [place.id for place in sheet.places if place.map in keys and not place.is_box]
    taken = [place for place in there if spread.stacks.get(place)]
    own = [place for place in taken if any(one.side == spread.near for one in spread.stacks[place])]
    return Subject(tuple(own or taken or there))


def window_of(one: Map, subject: Subject) -> Window | None:
    """Return the window to the places of a map that something is about; None if it has none, or if all of the map has room.

    Of the places that are seen in any case those come first that are nearest together; of all those around the one that is nearest to what has just changed,
    unless that is far away. What has just changed is seen, too, if there is room for that beside all that is asked about.
    """
    there = {place.id: place for place in one.places}
    seen = [there[place] for place in subject.places if place in there]
    if not seen or _fit(one.width, one.height) >= 1:
        return None
    first = [there[place] for place in subject.first if place in there]
    last = [] if first else [there[place] for place in subject.changed if place in there][:1]
    core = _most_together(first or seen, last)
    rest = [*seen, *last] if _has_room([*seen, *last]) else seen
    stake = [there[place] for place in dict.fromkeys(subject.stake) if place in there]
    return Window(
        _around([*core, *rest]),
        _around(core),
        core[0].id,
        are_alike=not first,
        stake=_around(stake) if len(stake) > 1 else None,
    )


def _most_together(places: Sequence[MapPlace], last: Sequence[MapPlace]) -> Sequence[MapPlace]:
    """Return the places round one of them with which most others are seen together; round the nearest to the last change unless that is far away."""
    nearest = min(places, key=lambda one: _apart(one, last[0])) if last else None
    if nearest is not None and _apart(nearest, last[0]) < FAR:
        return [nearest, *[one for one in places if one != nearest and _apart(one, nearest) < TOGETHER]]
    groups = ([one for one in places if _apart(one, at) < TOGETHER] for at in places)
    return max(groups, key=len)


def _has_room(places: Sequence[MapPlace]) -> bool:
    """Return whether places have room on a page of the usual size without being made smaller."""
    left, top, right, bottom = _around(places)
    return _fit(right - left, bottom - top) >= 1


def _apart(one: MapPlace, other: MapPlace) -> int:
    """Return how far apart two places are across or down, whichever is more, in pixels."""
    return max(abs(one.x - other.x), abs(one.y - other.y))


def view_box(one: Map, window: Window | None) -> Box:
    """Return what is shown on a page of the usual size: left, top, right and bottom edge."""
    if window is None:
        return (0.0, 0.0, one.width, one.height)
    left, top, right, bottom = window.focus
    scale = min(max(_fit(right - left, bottom - top), 1.0), LARGEST)
    spans = [
        _span(window.focus[axis::2], window.first[axis::2], PANE[axis] / scale, (one.width, one.height)[axis])
        for axis in (0, 1)
    ]
    return (spans[0][0], spans[1][0], spans[0][1], spans[1][1])


def shown_map(sheet: Sheet, spread: Spread, key: str, subject: Subject, lit: Mapping[str, Lit]) -> Shown:
    """Draw a map for a page that has the style sheet of drawings.

    Args:
        sheet: The printed maps, near or not.
        spread: What lies on them.
        key: Which map.
        subject: What the question or the event is about.
        lit: What can be chosen.
    """
    one = Map(sheet, key, spread)
    window = window_of(one, subject) if is_near(sheet) else None
    left, top, right, bottom = view_box(one, window)
    box = " ".join(map(short, (left, top, right - left, bottom - top)))
    svg = drawn_map(one, spread, lit, 0, box, ground="whole-ground")
    title = sheet.maps.get(key, key) if len(map_keys(sheet)) > 1 else ""
    return Shown(key, title, svg, (one.width, one.height), window)


def thumbnails(sheet: Sheet, spread: Spread, shown: Shown, lit: Mapping[str, Lit]) -> list[Thumbnail]:
    """Draw all maps small and without text; the ground of the map that is shown is taken from there, and a frame lies around what is seen of it."""
    return [_thumbnail(Map(sheet, key, spread), sheet, shown, lit) for key in map_keys(sheet)]


def _thumbnail(one: Map, sheet: Sheet, shown: Shown, lit: Mapping[str, Lit]) -> Thumbnail:
    is_shown = one.key == shown.key
    ground = '<use href="#whole-ground"/>' if is_shown else "".join(one.ground())
    parts = [ground, *_specks(one), *_lit_places(one, lit)]
    if is_shown and shown.window is not None:
        left, top, right, bottom = view_box(one, shown.window)
        size = f'width="{short(right - left)}" height="{short(bottom - top)}"'
        frame = f'<rect x="{short(left)}" y="{short(top)}" {size} '
        parts.append(f'{frame}class="bare s-paper frame under"/>{frame}class="bare s-ink frame"/>')
    svg = f'<svg viewBox="0 0 {short(one.width)} {short(one.height)}" aria-hidden="true">{"".join(parts)}</svg>'
    return Thumbnail(one.key, sheet.maps.get(one.key, one.key), svg)


def _specks(one: Map) -> Iterable[str]:
    """Draw a counter for each side that has some at a place, all those of a side as one shape."""
    shapes: dict[str, list[str]] = {}
    for place in one.places:
        sides = list(dict.fromkeys([counter.side for counter in one.spread.stacks.get(place.id, ())]))
        across = [x for x, _ in place.outline] or [place.x - SPOT_ROOM[0], place.x + SPOT_ROOM[0]]
        wide, high = ((max(across) - min(across)) * part for part in SPECK)
        left = place.x - wide * len(sides) / 2
        for number, side in enumerate(sides):
            corner = f"M{short(left + wide * number)} {short(place.y - high / 2)}"
            shapes.setdefault(one.counters.rank(side), []).append(
                f"{corner}h{short(wide)}v{short(high)}h{short(-wide)}z"
            )
    for rank, drawn in shapes.items():
        yield f'<path d="{"".join(drawn)}" class="f-counter-{rank} s-ink" stroke-width="6"/>'


def _lit_places(one: Map, lit: Mapping[str, Lit]) -> Iterable[str]:
    """Draw the edges of the places that can be chosen, and of those whose pieces can be."""
    pieces = {piece: place for place, stack in one.spread.pieces.items() for there in stack for piece in there}
    wanted = {pieces.get(PieceId(id_), PlaceId(id_)) for id_ in lit}
    shapes = [f"M{points(place.outline)}z" for place in one.places if place.id in wanted and place.outline]
    if shapes:
        yield f'<path d={attribute("".join(shapes))} class="bare s-gold" stroke-width="22"/>'


def _fit(width: float, height: float) -> float:
    """Return by how much something can be enlarged so that it has room on a page of the usual size."""
    return min(PANE[0] / max(width, 1), PANE[1] / max(height, 1))


def _around(places: Sequence[MapPlace]) -> Box:
    """Return the box around places."""
    every = [point for place in places for point in place.outline or _spot_corners(place)]
    across, down = [x for x, _ in every], [y for _, y in every]
    return (min(across) - ROUND, min(down) - ROUND, max(across) + ROUND, max(down) + ROUND)


def _spot_corners(place: MapPlace) -> list[tuple[int, int]]:
    aside, up = SPOT_ROOM
    return [(place.x - aside, place.y - up), (place.x + aside, place.y + up // 2)]


def _span(focus: Sequence[float], first: Sequence[float], room: float, whole: float) -> tuple[float, float]:
    """Return from where to where so much of a map is shown: the middle of the focus, as far as the first of it is seen, too, and within the map."""
    start = (sum(focus) - room) / 2
    if focus[1] - focus[0] > room:
        middle = (sum(first) - room) / 2
        start = min(max(start, first[1] - room), first[0]) if first[1] - first[0] < room else middle
    start = min(max(start, 0.0), whole - room) if whole > room else (whole - room) / 2
    return start, start + room
