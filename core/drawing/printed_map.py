"""Printed part of a map: its layout, the land, the water, the borders; drawn once for all pictures of a board."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache

from core.narration.render_model import MapPlace
from core.narration.sheet import Feature, Ground, Land, Mark, Sheet
from core.shapes.outlines import Point, Segment, segments, shared_border
from core.svg.label_room import scale_for
from core.svg.palette import WATER
from core.svg.scenery import COMPASS, COMPASS_RADIUS, EXIT, GATE, curve, drawn_backdrop, drawn_mark
from core.svg.svg_text import attribute, element, points, short
from events.codec import Struct, replace
from events.ids import PlaceId

MARGIN = 30
SPOT, SMALL_SPOT = 26, 13
"""The radius of a place without an outline, in pixels."""
MARK = 14
"""How far a mark reaches around its middle, in pixels."""
SEA = 45
"""How far the water beyond a coast reaches, in pixels."""
_LAND, _COAST, _WATER = "land", "coast", "water"
KEPT_MAX = 32
"""How many maps are kept: the boards in use, two each at most."""
PATHS_MAX = 4_096
"""How many paths are kept: most bands of holders are alike from one picture to the next."""


EDGE = 2
"""How far the edge of a feature reaches beyond its line, in pixels."""


class Border(Struct, frozen=True):
    """The border of two neighbours: its path, and the sides that they share; if there are none the path joins their middles."""

    one: PlaceId
    other: PlaceId
    path: str
    sides: tuple[Segment, ...]

    @property
    def is_shared(self) -> bool:
        """Whether the neighbours share sides."""
        return bool(self.sides)


class PrintedMap:
    """One map of a sheet, enlarged so that counters fit.

    Args:
        sheet: The game's maps.
        key: Which of them.

    Attributes:
        width: In pixels, with its margin.
        height: Likewise.
        places: Its places, in pixels.
        corners: The outline of each place as a quoted attribute; places without one are left out.
    """

    def __init__(self, sheet: Sheet, key: str) -> None:
        self._sheet = sheet
        self._key = key
        self._grounds = {ground.key: ground for ground in sheet.grounds}
        there = [place for place in sheet.places if place.map == key and not place.is_box]
        scale = scale_for(there, sheet.cell)
        enlarged = [_enlarged(place, scale) for place in there]
        self._backdrops = [one for one in sheet.backdrops if one.map == key]
        self._marks = [one for one in sheet.marks if one.map == key]
        every = [point for place in enlarged for point in _extent(place)]
        every += [_scaled(point, scale) for one in self._backdrops for point in one.outline]
        every += [point for one in self._marks for point in _reach(one, scale)]
        left, top = min(x for x, _ in every), min(y for _, y in every)
        self.width = max(x for x, _ in every) - left + 2 * MARGIN
        self.height = max(y for _, y in every) - top + 2 * MARGIN
        self.places = [_moved(place, MARGIN - left, MARGIN - top) for place in enlarged]
        self._scale, self._origin = scale, (left - MARGIN, top - MARGIN)
        self.corners = {place.id: attribute(points(place.outline)) for place in self.places if place.outline}

    def in_pixels(self, point: Point) -> Point:
        """Return a point of the sheet in pixels."""
        x, y = _scaled(point, self._scale)
        return (x - self._origin[0], y - self._origin[1])

    def land_of(self, place: MapPlace) -> Land:
        """Return what is printed at a place."""
        return self._sheet.land.get(place.id, Land())

    def ground_of(self, place: MapPlace) -> Ground | None:
        """Return the kind of land of a place, if it has one."""
        return self._grounds.get(self.land_of(place).ground)

    @cached_property
    def land(self) -> str:
        """The backdrops and the water beyond the coast, and above them the land."""
        return "".join([self.behind, *self._lands()])

    @cached_property
    def behind(self) -> str:
        """The backdrops, and the water beyond the coast."""
        drawn = [
            drawn_backdrop(replace(one, outline=tuple(map(self.in_pixels, one.outline)))) for one in self._backdrops
        ]
        return "".join([*drawn, *self._edge("water", 2 * SEA, [_COAST])])

    def _lands(self) -> Iterable[str]:
        """Draw the land of all places, that of a kind as one shape."""
        kinds: dict[Ground | None, list[str]] = {}
        for place in self.places:
            if place.outline:
                kinds.setdefault(self.ground_of(place), []).append(f"M{points(place.outline)}z")
        for ground, cells in kinds.items():
            shape = f'<path d="{"".join(cells)}" '
            tone = ground.tone if ground else "panel"
            yield f'{shape}class="f-{tone} s-{WATER if tone == WATER else "frame"}" stroke-width="1"/>'
            if ground is not None and ground.pattern:
                yield f'{shape}fill="url(#p-{ground.pattern})"/>'

    @cached_property
    def rims(self) -> str:
        """The inner frames of the places that are marked."""
        marked = [(place, tone) for place in self.places if place.outline and (tone := self.land_of(place).rim)]
        return "".join(
            f'<polygon points={attribute(points(shrunk(place, 0.9)))} class="bare s-{tone}" stroke-width="3.5"/>'
            for place, tone in marked
        )

    @cached_property
    def coast(self) -> str:
        """The edge of the land: a bank where it meets water, else where the map ends."""
        edges = [
            ("ink", 3, [_LAND]),
            ("bank", 5, [_COAST]),
            ("bank", 5, [_WATER, _LAND]),
            ("bank", 5, [_WATER, _COAST]),
        ]
        return "".join(part for tone, width, owners in edges for part in self._edge(tone, width, owners))

    @cached_property
    def borders(self) -> Sequence[Border]:
        """The borders of all neighbours, each once."""
        there = {place.id: place for place in self.places}
        found: dict[frozenset[PlaceId], Border] = {}
        for place in self.places:
            for other in [there[near] for near in place.neighbours if near in there]:
                pair = frozenset((place.id, other.id))
                if pair not in found:
                    sides = shared_border(place.outline, other.outline)
                    path = path_along(sides) if sides else _between(place, other)
                    found[pair] = Border(place.id, other.id, path, sides)
        return tuple(found.values())

    @cached_property
    def borderlines(self) -> str:
        """All borders, as one line of each kind; spots are joined by dashed ones."""
        joined = "".join([one.path for one in self.borders if not one.is_shared])
        shared = self.path_of([one for one in self.borders if one.is_shared])
        return "".join(
            [
                *([drawn_line(joined, "mut", 1.5, "4 5")] if joined else []),
                *([drawn_line(shared, "mut", 1.2)] if shared else []),
            ]
        )

    def path_of(self, borders: Iterable[Border]) -> str:
        """Return the path along all sides of borders, those of a place one after the other; empty if there are none."""
        wanted = {side for border in borders for side in border.sides}
        return path_along(tuple([side for side in self.sides if side in wanted]))

    @cached_property
    def features(self) -> str:
        """The features of borders, those that lead across above the others, and each above the edges of all."""
        there = {place.id: place for place in self.places}
        listed = self._border_features()
        features = {feature.key: feature for feature in self._sheet.features}
        lines = [
            (feature, self._course(feature, border, there))
            for border in self.borders
            for key in listed.get(frozenset((border.one, border.other)), ())
            if (feature := features.get(key)) is not None
        ]
        edges = [drawn_line(path, one.edge, one.width + 2 * EDGE) for one, path in lines if one.edge]
        along = [drawn_line(path, one.tone, one.width, one.dashes) for one, path in lines if not one.is_across]
        across = [drawn_line(path, one.tone, one.width, one.dashes) for one, path in lines if one.is_across]
        return "".join([*edges, *along, *across, *self._courses()])

    def _courses(self) -> Iterable[str]:
        """Draw the courses, all edges below all lines."""
        there = [
            (one.feature, curve(replace(one, points=tuple(map(self.in_pixels, one.points)))))
            for one in self._sheet.courses
            if one.map == self._key
        ]
        yield from (drawn_line(path, one.edge, one.width + 2 * EDGE) for one, path in there if one.edge)
        yield from (drawn_line(path, one.tone, one.width, one.dashes) for one, path in there)

    @property
    def mark_spots(self) -> Sequence[Point]:
        """Where gates, ways out and the like lie, of which names keep clear."""
        return [self.in_pixels(one.at) for one in self._marks if one.shape in {GATE, EXIT}]

    @cached_property
    def marks(self) -> str:
        """The signs that belong to no place."""
        there = [replace(one, at=self.in_pixels(one.at), wide=round(one.wide * self._scale)) for one in self._marks]
        return "".join(map(drawn_mark, there))

    @cached_property
    def sides(self) -> Mapping[Segment, Sequence[MapPlace]]:
        """The places that have each side: two neighbours, or one at the rim."""
        found: dict[Segment, list[MapPlace]] = {}
        for place in self.places:
            for side in segments(place.outline):
                found.setdefault(side, []).append(place)
        return found

    @cached_property
    def around(self) -> Mapping[PlaceId, Sequence[tuple[Segment, Sequence[PlaceId]]]]:
        """The sides of each place in order, with the places that have it."""
        return {
            place.id: [(side, [owner.id for owner in self.sides[side]]) for side in segments(place.outline)]
            for place in self.places
        }

    @staticmethod
    def _course(feature: Feature, border: Border, there: Mapping[PlaceId, MapPlace]) -> str:
        one, other = there[border.one], there[border.other]
        if feature.is_across:
            return _between(one, other)
        return border.path if border.is_shared else _beside(one, other)

    def _border_features(self) -> dict[frozenset[PlaceId], tuple[str, ...]]:
        found: dict[frozenset[PlaceId], tuple[str, ...]] = {}
        for place in self.places:
            for border in place.borders:
                found.setdefault(frozenset((place.id, border.to)), border.features)
        return found

    def _edge(self, tone: str, width: float, kinds: Sequence[str]) -> Iterable[str]:
        """Draw the sides of places that just these kinds of places have in common."""
        wanted = sorted(kinds)
        sides = [side for side, there in self.sides.items() if sorted(map(self._kind, there)) == wanted]
        if sides:
            yield drawn_line(path_along(tuple(sides)), tone, width)

    def _kind(self, place: MapPlace) -> str:
        return _WATER if self._is_water(place) else _COAST if self.land_of(place).is_coast else _LAND

    def _is_water(self, place: MapPlace) -> bool:
        ground = self.ground_of(place)
        return ground is not None and ground.tone == WATER


@lru_cache(maxsize=KEPT_MAX)
def printed_map(sheet: Sheet, key: str) -> PrintedMap:
    """Return a map of a sheet, made now or kept from an earlier picture of the same sheet."""
    return PrintedMap(sheet, key)


def drawn_line(path: str, tone: str, width: float, dashes: str = "") -> str:
    """Draw a line along a path."""
    attributes = {
        "d": path,
        "class": f"line s-{tone}",
        "stroke_width": short(width),
        "stroke_dasharray": dashes or None,
    }
    return element("path", attributes)


def shrunk(place: MapPlace, share: float) -> Sequence[tuple[float, float]]:
    """Return an outline drawn towards the centre of its place."""
    return [(place.x + (x - place.x) * share, place.y + (y - place.y) * share) for x, y in place.outline]


@lru_cache(maxsize=PATHS_MAX)
def path_along(sides: tuple[Segment, ...]) -> str:
    """Return the path along sides; those that follow each other are one line."""
    lines: list[list[Point]] = []
    for side in sides:
        last = lines[-1] if lines else []
        if last and last[-1] in side:
            last.append(side[last[-1] == side[0]])
        elif len(last) == 2 and last[0] in side:
            last.reverse()
            last.append(side[last[-1] == side[0]])
        else:
            lines.append(list(side))
    return " ".join(f"M{points(one[:1])} L{points(one[1:])}" for one in lines)


def _between(one: MapPlace, other: MapPlace) -> str:
    return f"M{one.x},{one.y} L{other.x},{other.y}"


def _scaled(point: Point, scale: float) -> Point:
    return (round(point[0] * scale), round(point[1] * scale))


def _reach(mark: Mark, scale: float) -> Sequence[Point]:
    """Return how far a mark reaches around its middle."""
    x, y = _scaled(mark.at, scale)
    far = COMPASS_RADIUS if mark.shape == COMPASS else MARK
    return [(x - far, y - far), (x + far, y + far)]


def _enlarged(place: MapPlace, scale: float) -> MapPlace:
    x, y = _scaled((place.x, place.y), scale)
    return replace(place, x=x, y=y, outline=tuple(_scaled(point, scale) for point in place.outline))


def _moved(place: MapPlace, right: int, down: int) -> MapPlace:
    outline = tuple((x + right, y + down) for x, y in place.outline)
    return replace(place, x=place.x + right, y=place.y + down, outline=outline)


def _extent(place: MapPlace) -> Sequence[tuple[int, int]]:
    """Return the farthest points of a place: its corners, or those of the room of a spot with its text."""
    if place.outline:
        return place.outline
    return [(place.x - 60, place.y - 80), (place.x + 60, place.y + SPOT + 10)]


def _beside(place: MapPlace, other: MapPlace) -> str:
    """Return a short line across the middle between two places that share no drawn border."""
    x, y = (place.x + other.x) / 2, (place.y + other.y) / 2
    aside, down = other.y - place.y, place.x - other.x
    part = max(abs(aside), abs(down), 1)
    ends = [(x - aside * 14 / part, y - down * 14 / part), (x + aside * 14 / part, y + down * 14 / part)]
    return " ".join(f"{'M' if not number else 'L'}{points([end])}" for number, end in enumerate(ends))
