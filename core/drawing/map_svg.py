"""Draws one map: the land with its borders, who holds what, and at each place its name, its words and its counters."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from math import hypot

from core.drawing.block import Block, Content, Drawn, drawn_in_cell
from core.drawing.changes import moved_by
from core.drawing.printed_map import SMALL_SPOT, SPOT, Border, drawn_line, path_along, printed_map, shrunk
from core.narration.render_model import MapPlace
from core.narration.sheet import Land, Sheet, Spread
from core.shapes.outlines import Segment
from core.svg.counter_svg import Counters
from core.svg.label_room import Box
from core.svg.scenery import star
from core.svg.svg_text import attribute, content, element, points
from events.ids import NO_SIDE, PlaceId, Side

Spot = tuple[float, float]
"""A point of a drawing, in pixels."""

NEAR, MOST = 125, 185
"""How wide names and stacks are at least allowed to be and at most, in pixels."""
ABREAST = 240
"""How wide they are at most where a part of a map is shown and a place has room: four counters lie side by side then."""
NARROWER = (140, 110, 84, 62)
"""How wide they are where there is less room."""
CLEAR = 13
"""How far blocks keep from the middle of a spot or a mark, in pixels."""
IN_CELL, CROWDED = 0.72, (0.85, 0.95)
"""How much of the width of a cell text and counters may take, and how much before they shrink."""
IN_CARD = 0.86
"""How much of the width of a card its text may take."""
HEAD, SHORT_OF, SHORTEST, BEND = 15, 19, 32, 0.12
"""How long the head of an arrow is, how far from the middle of a place it ends, and how long it is at least if it keeps clear of what stands there, in pixels; and how far it bends, in parts of its length."""
THRUST = (0.24, 0.43)
"""Between which parts of the way between two places the shaft of an attack lies."""
TINT = 0.2
"""How strongly what the first side holds has its colour."""
FRAME, INNER_FRAME = 0.93, 0.88
"""How large the frame of a place is that is marked, and one inside of it, in parts of the place."""


class Map:
    """One map of a sheet with what lies on it.

    Args:
        sheet: The game's maps.
        key: Which of them.
        spread: What lies on it.

    Attributes:
        width: In pixels, with its margin.
        height: Likewise.
        places: Its places, in pixels.
        printed: What is printed on it.
    """

    def __init__(self, sheet: Sheet, key: str, spread: Spread) -> None:
        self.spread = spread
        self.key = key
        self._sides = sheet.sides
        self._is_large, self._is_near = sheet.is_large_print, bool(sheet.cell)
        self.counters = Counters(sheet.sides)
        self.printed = printed_map(sheet, key)
        self._others = {place.id: place.name for place in sheet.places if place.map != key}
        self.width, self.height = self.printed.width, self.printed.height
        self.places = self.printed.places

    def parts(self) -> Iterable[str]:
        """Draw it from the ground up."""
        yield from self.ground()
        yield from self.contents()

    def ground(self) -> Iterable[str]:
        """Draw the land with its borders, and who holds it."""
        cells = [place for place in self.places if place.outline]
        yield self.printed.land
        yield from (self._contested(place) for place in cells if place.id in self.spread.contested)
        yield from (part for place in cells for part in self._holder(place))
        yield from self._borders()
        yield self.printed.rims

    def contents(self) -> Iterable[str]:
        """Draw what is marked on the land, what happens there, and what stands at each place."""
        yield self.printed.marks
        yield from (part for place in self.places for part in self._framed(place))
        yield from self._moves()
        yield from self._attacks()
        yield from (self._place(place) for place in self.places)

    # The land

    def _contested(self, place: MapPlace) -> str:
        return f'<polygon points={self.printed.corners[place.id]} fill="url(#p-hatching)"/>'

    def _holder(self, place: MapPlace) -> Iterable[str]:
        """Tint what the first side holds, and draw a band along the borders with other holders: solid for the first side, dashed for others."""
        rank = self.counters.rank(self._holder_of(place))
        if rank == "first":
            yield f'<polygon points={self.printed.corners[place.id]} class="f-first" fill-opacity="{TINT}"/>'
        ends = self._ends(place) if rank else ()
        if ends:
            clip = f"c-{self.key}-{place.id}"
            yield f"<clipPath id={attribute(clip)}><polygon points={self.printed.corners[place.id]}/></clipPath>"
            dashes = "" if rank == "first" else ' stroke-dasharray="7 5"'
            yield (
                f'<path d={attribute(path_along(ends))} class="band s-{rank}"'
                f"{dashes} clip-path={attribute(f'url(#{clip})')}/>"
            )

    def _holder_of(self, place: MapPlace) -> Side:
        return self.spread.held.get(place.id, NO_SIDE)

    def _ends(self, place: MapPlace) -> tuple[Segment, ...]:
        """Return the sides of a place at which no other place with the same holder lies."""
        held, holder = self.spread.held, self._holder_of(place)
        return tuple(
            side
            for side, there in self.printed.around[place.id]
            if len(there) == 1 or any(held.get(one, NO_SIDE) != holder for one in there)
        )

    def _borders(self) -> Iterable[str]:
        """Draw borders, those between two holders as the front, and features such as rivers; spots are joined by lines."""
        yield self.printed.borderlines
        path = self.printed.path_of([one for one in self.printed.borders if self.is_front(one)])
        if path:
            yield drawn_line(path, "paper", 7)
        yield self.printed.coast
        yield self.printed.features
        if path:
            yield drawn_line(path, "ink", 3)

    def is_front(self, border: Border) -> bool:
        """Return whether a border divides two holders."""
        holders = (self.spread.held.get(border.one, NO_SIDE), self.spread.held.get(border.other, NO_SIDE))
        return holders[0] != holders[1] and NO_SIDE not in holders

    # What goes on, and what happened just now

    def _framed(self, place: MapPlace) -> Iterable[str]:
        """Draw a frame inside a place that what goes on is about, and a dashed one inside a place where something changed."""
        is_at_stake = place.id in self.spread.at_stake
        if is_at_stake:
            # In two colours, so that it shows on every ground and beside the rims of a board.
            yield _frame(place, "paper", 8)
            yield _frame(place, "bad", 4)
        if place.outline and place.id in self.spread.changes.places:
            corners = attribute(points(shrunk(place, INNER_FRAME if is_at_stake else FRAME)))
            yield f'<polygon points={corners} class="bare s-bad" stroke-width="3.5" stroke-dasharray="9 6"/>'

    def _moves(self) -> Iterable[str]:
        """Draw an arrow for each move on this map."""
        there = {place.id: place for place in self.places}
        for start, end in self.spread.changes.moves:
            if start in there and end in there:
                yield from arrow(*self._ends_of_arrow(there[start], there[end]))

    def _ends_of_arrow(self, start: MapPlace, end: MapPlace) -> tuple[Spot, Spot]:
        """Return where an arrow begins and ends: clear of what stands at both places if it is not too short then, else at the middle of the first and short of that of the second."""
        line = ((start.x, start.y), (end.x, end.y))
        far = max(hypot(end.x - start.x, end.y - start.y), 1.0)
        last = 1 - SHORT_OF / far
        begun = max([0.0, *[leaves for _, leaves in _crossed(line, self._blocks[start.id].boxes)]])
        over = min([last, *[enters for enters, _ in _crossed(line, self._blocks[end.id].boxes)]])
        if (over - begun) * far < SHORTEST:
            begun, over = 0.0, last
        return _along(line, begun), _along(line, over)

    def _attacks(self) -> Iterable[str]:
        """Draw a short arrow for each attack on this map, halfway between its places, since counters lie in both."""
        there = {place.id: place for place in self.places}
        for start, end in self.spread.attacks:
            if start in there and end in there and (start, end) not in self.spread.changes.moves:
                yield from _thrust(there[start], there[end])

    # What stands at a place

    def counters_at(self, place: PlaceId) -> tuple[tuple[Box, str], ...]:
        """Return what is visible of each counter of a place (left, top, right and bottom edge, in pixels), and the number on it, drawn alone."""
        return self._blocks[place].counters

    def taken(self) -> list[Box]:
        """Return where names, counters and marks lie, in pixels."""
        blocks = [box for place in self.places for box in self._blocks[place.id].boxes]
        return [*blocks, *[(x - CLEAR, y - CLEAR, x + CLEAR, y + CLEAR) for x, y in self.printed.mark_spots]]

    @cached_property
    def _blocks(self) -> Mapping[PlaceId, Drawn]:
        """What stands at each place."""
        return {place.id: self._contents(place, self.printed.land_of(place)) for place in self.places}

    def _place(self, place: MapPlace) -> str:
        land = self.printed.land_of(place)
        inside = [f"<title>{content(land.title or place.name)}</title>"]
        if not place.outline:
            inside.append(self._spot(place))
        inside.append(self._blocks[place.id].svg)
        there = {one.id: one for one in self.places}
        return element(
            "g", {"id": f"place-{place.id}", "data_by": moved_by(place, there, self.spread.changes)}, *inside
        )

    def _spot(self, place: MapPlace) -> str:
        ground = self.printed.ground_of(place)
        land = self.printed.land_of(place)
        class_ = f"f-{ground.tone if ground else 'panel'} s-{land.rim or 'ink'}"
        towards = [(one.x, one.y) for one in self.places if one.id in land.points]
        if towards:
            corners = star((place.x, place.y), towards)
            return f'<polygon points="{corners}" class="{class_}" stroke-width="2"/>'
        return element(
            "circle",
            {
                "cx": place.x,
                "cy": place.y,
                "r": SMALL_SPOT if land.is_small else SPOT,
                "class": class_,
                "stroke_width": 2.5,
            },
        )

    def _contents(self, place: MapPlace, land: Land) -> Drawn:
        """Draw name, words and counters as one block, in a cell where it fits best, above a spot."""
        stack = self.spread.stacks.get(place.id, ())
        if land.is_small and not stack:
            return Drawn()
        beyond = [f"to {self._others[near]}" for near in place.neighbours if near in self._others]
        inside = Content(
            "" if land.is_small else place.named.further_label,
            "" if land.is_small else place.name,
            (*land.badges, *self.spread.badges.get(place.id, ())),
            (*land.words, *beyond, *self.spread.signs.get(place.id, ())),
            stack,
            land.is_read,
            self._is_large,
            self._is_near,
        )
        room = max(NEAR, _width(place) * (IN_CARD if land.is_read else IN_CELL))
        has_breadth = self._is_near and bool(stack) and _width(place) * CROWDED[0] >= ABREAST
        best = [ABREAST] if has_breadth else []
        widths = sorted(
            {*best, room if land.is_read else min(MOST, room), *[width for width in NARROWER if width < room]},
            reverse=True,
        )
        if place.outline:
            wide = [] if self._is_large or land.is_read else [_width(place) * part for part in CROWDED]
            widths += [width for width in wide if width > room]
            return drawn_in_cell(inside, self._sides, tuple(widths), place.outline, self._taken)
        block = Block(inside, self.counters, widths)
        return block.on(place.x, place.y) if land.is_small else block.above(place.x, place.y - SPOT, self.height)

    @cached_property
    def _taken(self) -> tuple[Box, ...]:
        """What blocks keep clear of: spots with what lies on them, and marks on the map."""
        spots = [place for place in self.places if not place.outline]
        middles = [(one.x, one.y, 2 * CLEAR if self.spread.stacks.get(one.id) else CLEAR) for one in spots]
        middles += [(*spot, CLEAR) for spot in self.printed.mark_spots]
        return tuple((x - far, y - CLEAR * 1.3, x + far, y + CLEAR * 1.3) for x, y, far in middles)


def _frame(place: MapPlace, tone: str, width: int) -> str:
    """Draw a frame inside a place, or around a spot."""
    look = {"class": f"bare s-{tone}", "stroke_width": width}
    if not place.outline:
        return element("circle", {"cx": place.x, "cy": place.y, "r": SPOT + 5, **look})
    return element("polygon", {"points": points(shrunk(place, FRAME)), **look})


def _along(line: tuple[Spot, Spot], part: float) -> Spot:
    """Return the point of a line at a part of its length."""
    (x, y), (to_x, to_y) = line
    return x + (to_x - x) * part, y + (to_y - y) * part


def _crossed(line: tuple[Spot, Spot], boxes: Iterable[Box]) -> Iterable[tuple[float, float]]:
    """Yield where a line enters and leaves each of the boxes that it crosses, in parts of its length."""
    (x, y), (to_x, to_y) = line
    for left, top, right, bottom in boxes:
        enters, leaves = 0.0, 1.0
        for at, step, low, high in ((x, to_x - x, left, right), (y, to_y - y, top, bottom)):
            if not step:
                enters, leaves = (enters, leaves) if low < at < high else (1.0, 0.0)
                continue
            near, further = sorted([(low - at) / step, (high - at) / step])
            enters, leaves = max(enters, near), min(leaves, further)
        if enters < leaves:
            yield enters, leaves


def arrow(start: Spot, end: Spot) -> Iterable[str]:
    """Draw an arrow between two points, bent a little so that moves to and fro lie beside each other."""
    right, down = end[0] - start[0], end[1] - start[1]
    far = max(hypot(right, down), 1.0)
    x, y = end[0] - right * HEAD / far, end[1] - down * HEAD / far
    middle = ((start[0] + x) / 2 - down * BEND, (start[1] + y) / 2 + right * BEND)
    # The arrow comes in along the line from the bend.
    along = (x - middle[0], y - middle[1])
    path = f"M{points([start])} Q{points([middle])} {points([(x, y)])}"
    yield from _drawn_arrow(path, (x, y), along)


def _thrust(start: MapPlace, end: MapPlace) -> Iterable[str]:
    """Draw a straight arrow over the border between two places."""
    right, down = end.x - start.x, end.y - start.y
    spots = [(start.x + right * part, start.y + down * part) for part in THRUST]
    path = f"M{points(spots[:1])} L{points(spots[1:])}"
    yield from _drawn_arrow(path, spots[1], (right, down))


def _drawn_arrow(path: str, tip: tuple[float, float], along: tuple[float, float]) -> Iterable[str]:
    """Draw the shaft of an arrow, and at its tip the head along a direction."""
    length = max(hypot(*along), 1.0)
    (x, y), (right, down) = tip, (along[0] / length * HEAD, along[1] / length * HEAD)
    head = [(x + right, y + down), (x - down * 0.6, y + right * 0.6), (x + down * 0.6, y - right * 0.6)]
    yield drawn_line(path, "paper", 8)
    yield drawn_line(path, "bad", 4.5)
    yield f'<polygon points={attribute(points(head))} class="f-bad s-paper" stroke-width="1.5"/>'


def _width(place: MapPlace) -> float:
    across = [x for x, _ in place.outline]
    return max(across) - min(across) if across else 0
