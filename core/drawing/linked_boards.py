"""Boards of areas as they are drawn, from what a game says: which areas touch, on one board or between two, which roads meet, what leaves.

Outlines follow from the links: two areas of a board share a border exactly if they are linked. A board may lie within another one; the
ways between them are gates, each with one number on both. Courses of roads join only what they join in the file.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from core.drawing.board_plans import Frame, Plan
from core.geometry.adjacency import Adjacency
from core.geometry.roads import Junction, Road
from core.narration.render_model import MapBorder, MapPlace
from core.narration.sheet import Backdrop, Course, Feature, Mark
from core.shapes.cells import cells
from core.shapes.outlines import Outline, Point
from core.shapes.relaxed_centres import relaxed
from core.svg.palette import RANKS
from core.svg.scenery import DOT, EXIT, GATE, LETTERS, STRIP, TOWN
from events.codec import Struct
from events.ids import PlaceId, Side

BANK = Feature("bank", "", "bank", 4)
TURNS = {"north": -90, "south": 90, "west": 180, "east": 0, "": 0}
"""How far a sign at each edge is turned."""
ASIDE = 26
"""How far a road that meets no other of its area lies beside it."""
BESIDE = 24
"""How far a gate's strip lies outside its board."""
CORNER = 20
"""How far a road enters a board from the end of the stretch at which it can, at least."""


class Area(Struct, frozen=True):
    """One area: its board, and where it is to lie.

    Roads leave the board in it at an `edge`; `exit` is the side that has a way out there, if one has.
    """

    id: PlaceId
    name: str
    board: str
    wish: Point
    edge: str = ""
    exit: Side | None = None


class LinkedBoards:
    """Boards with their areas.

    Args:
        plans: How each board is laid out. One of them may have an inset, in which another lies.
        areas: The areas in the order of the file. Those that touch no other of their board lie beyond its river.
        links: Which areas touch, on one board or between two.
        roads: The roads.
        junctions: Where they meet.
        sides: What the sides are called, in the order of their colours.
    """

    def __init__(
        self,
        plans: Mapping[str, Plan],
        areas: Iterable[Area],
        links: Adjacency,
        *,
        roads: Sequence[Road] = (),
        junctions: Sequence[Junction] = (),
        sides: Mapping[Side, str],
    ) -> None:
        self.plans = plans
        self.areas = {area.id: area for area in areas}
        self.links = links
        self.roads = roads
        self.junctions = junctions
        self.sides = sides

    # Areas

    @cached_property
    def centres(self) -> Mapping[PlaceId, Point]:
        """Where each area is drawn: near its wish, with room for its name and pieces."""
        found: dict[PlaceId, Point] = {}
        for board, plan in self.plans.items():
            linked = self._linked(board)
            wishes = {place: self.areas[place].wish for place in linked}
            found |= {area.id: plan.beyond for area in self.areas.values() if area.board == board}
            found |= relaxed(wishes, linked, plan.land, plan.room)
        return found

    @cached_property
    def outlines(self) -> Mapping[PlaceId, Outline]:
        """The outline of each area."""
        found: dict[PlaceId, Outline] = {}
        for board, plan in self.plans.items():
            linked = self._linked(board)
            found |= {area.id: plan.land_beyond for area in self.areas.values() if area.board == board}
            found |= cells({place: self.centres[place] for place in linked}, linked, 0, plan.land)
        return found

    def places(self) -> list[MapPlace]:
        """Return all areas as they are drawn."""
        return [
            MapPlace(
                area.id,
                area.name,
                "",
                *self.centres[area.id],
                tuple(self.near(area.id)),
                map=area.board,
                outline=self.outlines[area.id],
                borders=tuple(self._borders(area.id)),
            )
            for area in self.areas.values()
        ]

    def near(self, place: PlaceId) -> list[PlaceId]:
        """Return the areas of the same board that touch one."""
        return [other for other in self.links.near(place) if self.areas[other].board == self.areas[place].board]

    def _beyond(self, place: PlaceId) -> list[PlaceId]:
        return [other for other in self.links.near(place) if self.areas[other].board != self.areas[place].board]

    def _linked(self, board: str) -> dict[PlaceId, list[PlaceId]]:
        """Return the areas of a board that touch others of it, with these."""
        near = {place: self.near(place) for place, area in self.areas.items() if area.board == board}
        return {place: there for place, there in near.items() if there}

    def _borders(self, place: PlaceId) -> Iterator[MapBorder]:
        for other in self.links.near(place):
            border = self.links.border(place, other)
            if border is not None and border.features:
                yield MapBorder(other, border.features)

    # What is printed beside them

    def backdrops(self) -> tuple[Backdrop, ...]:
        """Return the rivers, and the place of a board in another."""
        rivers = [Backdrop(plan.river, "water", "waves", "bank", board, plan.key) for board, plan in self.plans.items()]
        insets = {board: plan.inset for board, plan in self.plans.items() if plan.inset is not None}
        return (*rivers, *[Backdrop(inset.outline, "ink", map=board) for board, inset in insets.items()])

    def courses(self, road: Feature) -> tuple[Course, ...]:
        """Return the banks of the rivers, and the roads in the look of a feature."""
        banks = [Course(BANK, plan.west_bank, board, is_straight=True) for board, plan in self.plans.items()]
        lines = [(board, points) for one in self.roads for board, points in self._stretches(one)]
        return (*banks, *[Course(road, tuple(points), board) for board, points in lines])

    def marks(self) -> tuple[Mark, ...]:
        """Return junctions, ways out, gates and lettering."""
        names, found = {road.id: road.name for road in self.roads}, list[Mark]()
        for one in self.junctions:
            area = self.areas[one.place]
            title = f"{area.name}: {', '.join(names[road] for road in one.roads)}"
            found.append(Mark(DOT, self.centres[area.id], title=title, tone="road", map=area.board))
        for area in self.areas.values():
            if area.exit is not None:
                title, tone = f"{area.name}: exit of the {self.sides[area.exit]}", RANKS[[*self.sides].index(area.exit)]
                found.append(Mark(EXIT, self._way_out(area.id), "", title, TURNS[area.edge], tone, map=area.board))
        for board, plan in self.plans.items():
            if plan.inset is not None:
                inside = _edges(plan.inset.outline)
                middle = ((inside.left + inside.right) // 2, (inside.top + inside.bottom) // 2)
                wide = (inside.right - inside.left) * 4 // 5
                found.append(Mark(TOWN, middle, plan.inset.text, wide=wide, map=board))
        for board, plan in self.plans.items():
            found += [Mark(LETTERS, name.at, name.text, turn=name.turn, map=board) for name in plan.letters]
        return (*found, *self._gate_marks())

    # Roads

    def _stretches(self, road: Road) -> Iterator[tuple[str, list[Point]]]:
        """Yield a road in parts, one for each stretch on one board; its ends lead to the gates and to the edge."""
        first, last = road.places[0], road.places[-1]
        points = [self._way_out(first)] if first in road.exits else []
        for before, place in zip((first, *road.places), road.places, strict=False):
            was, board = self.areas[before].board, self.areas[place].board
            if was != board:
                yield was, [*points, self._gate(before, place)]
                points = [self._gate(place, before)]
            points.append(self._spot(road, place))
        if last in road.exits and last != first:
            points.append(self._way_out(last))
        if len(points) > 1:
            yield self.areas[last].board, points

    def _spot(self, road: Road, place: PlaceId) -> Point:
        """Return where a road leads through an area: its middle, or beside it if it does not meet the first road there."""
        first = next(one for one in self.roads if place in one.places)
        meets = any(one.place == place and road.id in one.roads for one in self.junctions)
        x, y = self.centres[place]
        return (x, y) if road == first or meets else (x - ASIDE // 2, y + ASIDE)

    def _way_out(self, place: PlaceId) -> Point:
        area = self.areas[place]
        return self.plans[area.board].at_edge(self.centres[place], area.edge)

    # Gates

    def _gate(self, place: PlaceId, beyond: PlaceId) -> Point:
        """Return where a road leaves the board of an area on its way to one of another board."""
        inset = self.plans[self.areas[place].board].inset
        return self._inner_gate(place, beyond) if inset is None else self._outer_gate(place, inset.outline)

    def _outer_gate(self, place: PlaceId, inset: Outline) -> Point:
        """Return where an area leads into the board that lies within its own: the nearest place at its edge."""
        (x, y), inside = self.centres[place], _edges(inset)
        return (min(max(x, inside.left), inside.right - CORNER), min(max(y, inside.top), inside.bottom - CORNER))

    def _inner_gate(self, place: PlaceId, gate: PlaceId) -> Point:
        """Return where a road from a gate enters an area of the board within."""
        (x, y), frame = self.centres[place], self.plans[self.areas[place].board].frame
        is_north, start, end = self._stretch(gate, frame)
        if is_north:
            return (min(max(x, start + CORNER), end), frame.top)
        return (frame.left, min(max(y, start + CORNER), end - CORNER))

    def _stretch(self, gate: PlaceId, frame: Frame) -> tuple[bool, int, int]:
        """Return at which edge of the board within a gate is, whether at the north or at the west, and from where to where it reaches."""
        corners = [self.outlines[other] for other in self._beyond(gate)]
        west = [found for shape in corners if (found := [y for x, y in shape if x == frame.left])]
        north = [found for shape in corners if (found := [x for x, y in shape if y == frame.top])]
        is_north = len(north) > len(west)
        ends = [end for found in (north if is_north else west) for end in found]
        return is_north, min(ends, default=frame.top), max(ends, default=frame.bottom)

    def _gate_marks(self) -> Iterator[Mark]:
        """Yield each gate on both boards, and along the edge of the one within a strip that says where it leads."""
        for outer, plan in self.plans.items():
            if plan.inset is None:
                continue
            inner, frame = plan.inset.board, self.plans[plan.inset.board].frame
            gates = [area for area in self.areas.values() if area.board == outer and self._beyond(area.id)]
            for number, area in enumerate(gates, start=1):
                into = ", ".join(self.areas[other].name for other in self._beyond(area.id))
                title = f"gate {number}: {area.name} to {into}"
                yield Mark(GATE, self._outer_gate(area.id, plan.inset.outline), str(number), title, map=outer)
                is_north, start, end = self._stretch(area.id, frame)
                middle = (start + end) // 2
                at = (middle, frame.top - BESIDE) if is_north else (frame.left - BESIDE, middle)
                turn, wide = 0 if is_north else -90, end - start - 8
                yield Mark(STRIP, at, f"to and from {area.name}", f"{area.name} to {into}", turn, wide=wide, map=inner)
                near = (start + BESIDE, at[1]) if is_north else (at[0], end - BESIDE)
                yield Mark(GATE, near, str(number), title, map=inner)


def _edges(outline: Outline) -> Frame:
    """Return the edges of a rectangle that is listed clockwise from its north-west corner."""
    return Frame(*outline[0], *outline[2])
