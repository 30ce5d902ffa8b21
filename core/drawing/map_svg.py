"""Draws one map: the land with its borders, who holds what, and at each place its name, its words and its counters."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import hypot

from core.drawing.counter_svg import Counters
from core.drawing.palette import WATER
from core.drawing.room import best_middle, scale_for
from core.drawing.sheet import Land, Sheet, Spread
from core.drawing.svg_text import attribute, content, element, points, short, text_at, width_of, wrapped_to
from core.geometry.outlines import Segment, segments, shared_border
from core.render_model import MapPlace
from events.codec import replace
from events.ids import NO_SIDE, PlaceId

MARGIN = 30
SPOT, SMALL_SPOT = 26, 13
"""The radius of a place without an outline, in pixels."""
NAME, WORDS, LABEL = 15, 12, 19
"""The sizes of text in pixels."""
NAME_LINES = 3
NEAR, MOST = 125, 160
"""How wide names and stacks are at most, in pixels."""
SEA = 45
"""How far the water beyond a coast reaches, in pixels."""
_LAND, _COAST, _WATER = "land", "coast", "water"
IN_CELL = 0.72
"""How much of the width of a cell text and counters may take."""
HEAD, SHORT_OF, BEND = 15, 34, 0.12
"""How long the head of an arrow is and how far from the middle of a place it begins, in pixels; and how far the arrow bends, in parts of its length."""
BAND = 6
"""The width of the band inside a place that shows who holds it, in pixels."""


class Map:
    """One map of a sheet, enlarged so that counters fit.

    Args:
        sheet: The game's maps.
        key: Which of them.
        spread: What lies on it.

    Attributes:
        width: In pixels, with its margin.
        height: Likewise.
    """

    def __init__(self, sheet: Sheet, key: str, spread: Spread) -> None:
        self.sheet = sheet
        self.spread = spread
        self.key = key
        self.counters = Counters(sheet.sides)
        self._grounds = {ground.key: ground for ground in sheet.grounds}
        self._features = {feature.key: feature for feature in sheet.features}
        there = [place for place in sheet.places if place.map == key and not place.is_box]
        self._others = {place.id: place.name for place in sheet.places if place.map != key}
        scale = scale_for(there)
        enlarged = [_enlarged(place, scale) for place in there]
        every = [point for place in enlarged for point in _extent(place)]
        left, top = min(x for x, _ in every), min(y for _, y in every)
        self.width = max(x for x, _ in every) - left + 2 * MARGIN
        self.height = max(y for _, y in every) - top + 2 * MARGIN
        self.places = [_moved(place, MARGIN - left, MARGIN - top) for place in enlarged]

    def parts(self) -> Iterable[str]:
        """Draw it from the ground up."""
        cells = [place for place in self.places if place.outline]
        yield from self._sea()
        yield from (self._ground(place) for place in cells)
        yield from (part for place in cells for part in self._holder(place))
        yield from self._borders()
        yield from (part for place in cells for part in self._rim(place))
        yield from (part for place in cells for part in self._changed(place))
        yield from self._moves()
        yield from (self._place(place) for place in self.places)

    def _land(self, place: MapPlace) -> Land:
        return self.sheet.land.get(place.id, Land())

    # The land

    def _ground(self, place: MapPlace) -> str:
        ground = self._grounds.get(self._land(place).ground)
        shape = f"<polygon points={attribute(points(place.outline))} "
        tone = ground.tone if ground else "panel"
        drawn = [f'{shape}class="f-{tone} s-{WATER if tone == WATER else "frame"}" stroke-width="1"/>']
        if ground is not None and ground.pattern:
            drawn.append(f'{shape}fill="url(#p-{ground.pattern})"/>')
        if place.id in self.spread.contested:
            drawn.append(f'{shape}fill="url(#p-hatching)"/>')
        return "".join(drawn)

    def _holder(self, place: MapPlace) -> Iterable[str]:
        """Draw a band inside a place that shows its holder: solid for the first side, dashed for others."""
        rank = self.counters.rank(self.spread.held.get(place.id, NO_SIDE))
        if rank:
            corners = attribute(points(place.outline))
            clip = f"c-{self.key}-{place.id}"
            yield f"<clipPath id={attribute(clip)}><polygon points={corners}/></clipPath>"
            dashes = "" if rank == "first" else ' stroke-dasharray="7 5"'
            yield (
                f'<polygon points={corners} class="bare s-{rank}" stroke-width="{2 * BAND}" stroke-opacity="0.5"'
                f"{dashes} clip-path={attribute(f'url(#{clip})')}/>"
            )

    def _borders(self) -> Iterable[str]:
        """Draw borders, those between two holders as the front, and features such as rivers; spots are joined by lines."""
        there = {place.id: place for place in self.places}
        drawn: set[frozenset[PlaceId]] = set()
        fronts: list[str] = []
        lines: list[str] = []
        features = self._border_features()
        for place in self.places:
            for other in [there[near] for near in place.neighbours if near in there]:
                pair = frozenset((place.id, other.id))
                if pair in drawn:
                    continue
                drawn.add(pair)
                sides = shared_border(place.outline, other.outline)
                path = " ".join(f"M{points([start])} L{points([end])}" for start, end in sides)
                if not sides:
                    path = f"M{place.x},{place.y} L{other.x},{other.y}"
                    lines.append(_line(path, "mut", 1.5, "4 5"))
                elif self._is_front(place.id, other.id):
                    fronts += [_line(path, "paper", 7), _line(path, "ink", 4)]
                else:
                    lines.append(_line(path, "mut", 1.2))
                for feature in [self._features[key] for key in features.get(pair, ()) if key in self._features]:
                    across = path if sides else _across(place, other)
                    lines.append(_line(across, feature.tone, feature.width, feature.dashes))
        yield from [*lines, *self._coast(), *fronts]

    def _border_features(self) -> dict[frozenset[PlaceId], tuple[str, ...]]:
        found: dict[frozenset[PlaceId], tuple[str, ...]] = {}
        for place in self.places:
            for border in place.borders:
                found.setdefault(frozenset((place.id, border.to)), border.features)
        return found

    def _is_front(self, one: PlaceId, other: PlaceId) -> bool:
        holders = (self.spread.held.get(one, NO_SIDE), self.spread.held.get(other, NO_SIDE))
        return holders[0] != holders[1] and NO_SIDE not in holders

    def _sea(self) -> Iterable[str]:
        """Draw the water beyond the coast; the land is drawn above it."""
        yield from self._edge("water", 2 * SEA, [_COAST])

    def _coast(self) -> Iterable[str]:
        """Draw the edge of the land: a bank where it meets water, else where the map ends."""
        yield from self._edge("ink", 3, [_LAND])
        yield from self._edge("bank", 5, [_COAST])
        yield from self._edge("bank", 5, [_WATER, _LAND])
        yield from self._edge("bank", 5, [_WATER, _COAST])

    def _edge(self, tone: str, width: float, owners: Sequence[str]) -> Iterable[str]:
        """Draw the sides of places that just these kinds of places have in common."""
        sides = [side for side, there in self._owners.items() if there == tuple(sorted(owners))]
        if sides:
            yield _line(" ".join(f"M{points([start])} L{points([end])}" for start, end in sides), tone, width)

    @cached_property
    def _owners(self) -> dict[Segment, tuple[str, ...]]:
        """The kinds of places that have each side."""
        owners: dict[Segment, list[str]] = {}
        for place in self.places:
            kind = _WATER if self._is_water(place) else _COAST if self._land(place).is_coast else _LAND
            for side in segments(place.outline):
                owners.setdefault(side, []).append(kind)
        return {side: tuple(sorted(there)) for side, there in owners.items()}

    def _is_water(self, place: MapPlace) -> bool:
        ground = self._grounds.get(self._land(place).ground)
        return ground is not None and ground.tone == WATER

    def _rim(self, place: MapPlace) -> Iterable[str]:
        """Draw the inner frame of a place that is marked."""
        tone = self._land(place).rim
        if tone:
            yield f'<polygon points={attribute(points(_shrunk(place, 0.9)))} class="bare s-{tone}" stroke-width="3.5"/>'

    # What happened just now

    def _changed(self, place: MapPlace) -> Iterable[str]:
        """Draw a frame inside a place where something changed."""
        if place.id in self.spread.changes.places:
            corners = attribute(points(_shrunk(place, 0.93)))
            yield f'<polygon points={corners} class="bare s-bad" stroke-width="3.5" stroke-dasharray="9 6"/>'

    def _moves(self) -> Iterable[str]:
        """Draw an arrow for each move on this map; it ends short of the middle of a place, where counters lie."""
        there = {place.id: place for place in self.places}
        for start, end in self.spread.changes.moves:
            if start in there and end in there:
                yield from _arrow(there[start], there[end])

    # What stands at a place

    def _place(self, place: MapPlace) -> str:
        land = self._land(place)
        inside = [f"<title>{content(land.title or place.name)}</title>"]
        if not place.outline:
            inside.append(self._spot(place))
        inside += self._contents(place, land)
        return element("g", {"id": f"place-{place.id}"}, *inside)

    def _spot(self, place: MapPlace) -> str:
        ground = self._grounds.get(self._land(place).ground)
        class_ = f"f-{ground.tone if ground else 'panel'} s-{self._land(place).rim or 'ink'}"
        return element(
            "circle",
            {
                "cx": place.x,
                "cy": place.y,
                "r": SMALL_SPOT if self._land(place).is_small else SPOT,
                "class": class_,
                "stroke_width": 2.5,
            },
        )

    def _contents(self, place: MapPlace, land: Land) -> Iterable[str]:
        """Draw name, words and counters as one box, in a cell where it fits best, below a spot."""
        stack = self.spread.stacks.get(place.id, ())
        room = max(NEAR, _width(place) * IN_CELL)
        wide, high = self.counters.stack_size(stack, max(MOST, room))
        lines = [] if land.is_small else list(self._lines(place, land, max(room, wide)))
        text_height = sum(size * 1.12 for _, size, _ in lines)
        box = max([wide, *(width_of(text, size) for text, size, _ in lines)], default=0.0), text_height + high
        if place.outline:
            x, y = best_middle(place.outline, *box)
            top = y - box[1] / 2
        else:
            x, top = place.x, place.y - SPOT - text_height - 2
        for text, size, class_ in lines:
            top += size * 1.12
            yield text_at((x, top - size * 0.2), text, size, f"{class_} halo s-paper")
        if stack:
            top = top + 3 if place.outline else place.y - 16
            yield from self.counters.stack(stack, x - wide / 2, top, max(MOST, room))

    def _lines(self, place: MapPlace, land: Land, width: float) -> Iterable[tuple[str, float, str]]:
        """Yield the lines of text of a place: its label, its name, and what is printed there or said of it."""
        label = place.label if place.label != place.name else ""
        if label:
            yield label, LABEL, "f-ink bold"
        for line in wrapped_to(place.name, width, NAME)[:NAME_LINES]:
            yield line, NAME, "f-ink" if label else "f-ink bold"
        beyond = [self._others[near] for near in place.neighbours if near in self._others]
        words = [*land.words, *[f"to {name}" for name in beyond], *self.spread.signs.get(place.id, ())]
        together = " · ".join(words)
        for text in [together] if width_of(together, WORDS) <= width else words:
            for line in wrapped_to(text, width, WORDS):
                yield line, WORDS, "f-mut"


def _enlarged(place: MapPlace, scale: float) -> MapPlace:
    outline = tuple((round(x * scale), round(y * scale)) for x, y in place.outline)
    return replace(place, x=round(place.x * scale), y=round(place.y * scale), outline=outline)


def _moved(place: MapPlace, right: int, down: int) -> MapPlace:
    outline = tuple((x + right, y + down) for x, y in place.outline)
    return replace(place, x=place.x + right, y=place.y + down, outline=outline)


def _shrunk(place: MapPlace, share: float) -> Sequence[tuple[float, float]]:
    """Return an outline drawn towards the centre of its place."""
    return [(place.x + (x - place.x) * share, place.y + (y - place.y) * share) for x, y in place.outline]


def _arrow(start: MapPlace, end: MapPlace) -> Iterable[str]:
    """Draw an arrow between two places, bent a little so that moves to and fro lie beside each other."""
    right, down = end.x - start.x, end.y - start.y
    far = max(hypot(right, down), 1.0)
    x, y = end.x - right * SHORT_OF / far, end.y - down * SHORT_OF / far
    middle = ((start.x + x) / 2 - down * BEND, (start.y + y) / 2 + right * BEND)
    # The arrow comes in along the line from the bend.
    along = (x - middle[0], y - middle[1])
    length = max(hypot(*along), 1.0)
    along = (along[0] / length * HEAD, along[1] / length * HEAD)
    head = [
        (x + along[0], y + along[1]),
        (x - along[1] * 0.6, y + along[0] * 0.6),
        (x + along[1] * 0.6, y - along[0] * 0.6),
    ]
    path = f"M{points([(start.x, start.y)])} Q{points([middle])} {points([(x, y)])}"
    yield _line(path, "paper", 8)
    yield _line(path, "bad", 4.5)
    yield f'<polygon points={attribute(points(head))} class="f-bad s-paper" stroke-width="1.5"/>'


def _extent(place: MapPlace) -> Sequence[tuple[int, int]]:
    """Return the farthest points of a place: its corners, or those of the room of a spot with its text."""
    if place.outline:
        return place.outline
    return [(place.x - 60, place.y - 80), (place.x + 60, place.y + SPOT + 10)]


def _width(place: MapPlace) -> float:
    across = [x for x, _ in place.outline]
    return max(across) - min(across) if across else 0


def _line(path: str, tone: str, width: float, dashes: str = "") -> str:
    attributes: Mapping[str, object] = {
        "d": path,
        "class": f"line s-{tone}",
        "stroke_width": short(width),
        "stroke_dasharray": dashes or None,
    }
    return element("path", attributes)


def _across(place: MapPlace, other: MapPlace) -> str:
    """Return a short line across the middle between two places that share no drawn border."""
    x, y = (place.x + other.x) / 2, (place.y + other.y) / 2
    aside, down = other.y - place.y, place.x - other.x
    part = max(abs(aside), abs(down), 1)
    ends = [(x - aside * 14 / part, y - down * 14 / part), (x + aside * 14 / part, y + down * 14 / part)]
    return " ".join(f"{'M' if not number else 'L'}{points([end])}" for number, end in enumerate(ends))
