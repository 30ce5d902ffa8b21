"""Draws a game of cards on a table: Location cards side by side, the places of each side above and below them, and what a side has besides."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from core.drawing.card_table_parts import DeskLine, card_height, card_parts, desk_parts
from core.drawing.changes import moved_by
from core.drawing.map_svg import arrow
from core.narration.card_table import CardFace, CardTable, Desk, PlaceCard, TableRow
from core.narration.render_model import MapPlace
from core.narration.sheet import Counter, Sheet, Spread
from core.svg import card_svg
from core.svg.counter_svg import Counters
from core.svg.label_room import Box
from core.svg.svg_text import content, element, short, text_at
from core.svg.text_measure import broken
from events.codec import replace
from events.ids import NO_SIDE, PieceId, PlaceId, Side

LABEL, COLUMN, GAP = 66, 168, 6
"""How wide the labels of the rows and the columns are, and the room between columns and rows, in pixels."""
LABEL_SIZE, LABEL_LINE = 12, 15
"""The size of a label, and how high its lines are, in pixels."""
PAD, BETWEEN = 4, 4
"""Pixels between the edge of a place and its pieces, and between pieces."""
EMPTY, ROOMY = 30, 60
"""How high an empty row is: of the far side, and of the near one, which pieces are put into, in pixels."""
TIGHT = 36
"""How high that is where the table is high anyway."""
FAR_DESK, NEAR_DESK = 32, 51
"""How high the lines are with what the sides have besides: one with text alone, and one with a piece, in pixels."""
DESK_PAD = 10
"""Pixels between the next piece and the right edge."""
CARD_MIN, USUAL = 176, 516
"""How high Location cards are at least, and the whole table if there is room to spare, in pixels."""
MARGIN, RIGHT = 3, 9
"""Pixels above and below the whole table and at its right, for edges, rings and signs."""
CHAMFER = 2
"""How far the corners of a place are cut, in pixels: its edge is round."""


class _Band(NamedTuple):
    """A row of the table as it lies: its row, its top and its height, in pixels."""

    row: TableRow
    top: float
    height: float


class CardMap:
    """A table of cards with what lies on it, drawn in the place of a map.

    Args:
        sheet: The names of its places, and the colours of the sides.
        spread: What lies on it; `spread.cards` is the table.

    Attributes:
        key: Empty: there is only one.
        width: In pixels.
        height: Likewise.
        places: Its places, in pixels.
    """

    key = ""

    def __init__(self, sheet: Sheet, spread: Spread) -> None:
        self.spread = spread
        self.counters = Counters(sheet.sides)
        self._table = spread.cards or CardTable((), ())
        self._names = {place.id: place.name for place in sheet.places}
        self._titles = {place: land.title for place, land in sheet.land.items()}
        near = spread.near or next(iter(sheet.sides), NO_SIDE)
        self._far_rows = [row for row in self._table.rows if row.side != near][::-1]
        self._near_rows = [row for row in self._table.rows if row.side == near]
        self._far_desks = [desk for desk in self._table.desks if desk.side != near]
        self._near_desks = [desk for desk in self._table.desks if desk.side == near]
        self._right = float(LABEL + len(self._table.cards) * (COLUMN + GAP))
        self.width = self._right + RIGHT
        self._bands, self._cards_top, self._cards_high, self._desk_tops, self.height = self._laid_out()
        self.places = [*self._card_places(), *(place for band in self._bands for place in self._row_places(band))]

    # Where things lie

    def _laid_out(self) -> tuple[list[_Band], float, float, dict[Side, float], float]:
        """Return the rows, where the Location cards are and how high, where the desks are, and how high all is."""
        least, usual = (0.0, 0.0) if self._table.is_brief else (float(CARD_MIN), float(USUAL))
        cards = max([least, *[card_height(card, COLUMN) for card in self._table.cards]])
        whole = self._height_with(ROOMY, cards)
        room = ROOMY if whole <= usual else TIGHT
        cards += max(0.0, usual - self._height_with(room, cards))
        tops: dict[Side, float] = {}
        bands: list[_Band] = []
        top = float(MARGIN)
        for desk in self._far_desks:
            tops[desk.side] = top
            top += FAR_DESK + GAP
        for row in self._far_rows:
            bands.append(_Band(row, top, self._row_height(row, EMPTY)))
            top += bands[-1].height + GAP
        cards_top = top
        top += cards + GAP
        for row in self._near_rows:
            bands.append(_Band(row, top, self._row_height(row, room)))
            top += bands[-1].height + GAP
        for desk in self._near_desks:
            tops[desk.side] = top
            top += _near_height(desk) + GAP
        return bands, cards_top, cards, tops, top - GAP + MARGIN

    def _height_with(self, room: float, cards: float) -> float:
        """Return how high all is with empty near rows and Location cards so high."""
        far = sum(self._row_height(row, EMPTY) + GAP for row in self._far_rows) + len(self._far_desks) * (
            FAR_DESK + GAP
        )
        near = sum(self._row_height(row, room) + GAP for row in self._near_rows)
        return far + cards + GAP + near + sum(_near_height(desk) + GAP for desk in self._near_desks) - GAP

    def _row_height(self, row: TableRow, empty: float) -> float:
        return max([empty, *[self._stack_height(place) for place in row.places]])

    def _stack_height(self, place: PlaceId) -> float:
        stack = self.spread.stacks.get(place, ())
        return sum(self._height_of(one, stack) + BETWEEN for one in stack) - BETWEEN + 2 * PAD if stack else 0.0

    def _height_of(self, counter: Counter, stack: Sequence[Counter]) -> float:
        """Return how high a piece is: one that lies alone is as high as usual, the others as low as their lines allow."""
        least = card_svg.card_height(counter)
        return max(least, card_svg.HIGH) if len(stack) == 1 and not self._table.is_brief else least

    def _left(self, column: int) -> float:
        return LABEL + GAP + column * (COLUMN + GAP)

    def _card_places(self) -> Iterator[MapPlace]:
        for column, card in enumerate(self._table.cards):
            yield self._place(card.place, self._left(column), self._cards_top, self._cards_high)

    def _row_places(self, band: _Band) -> Iterator[MapPlace]:
        for column, place in enumerate(band.row.places):
            yield self._place(place, self._left(column), band.top, band.height)

    def _place(self, place: PlaceId, left: float, top: float, high: float) -> MapPlace:
        x, y, end, low = round(left), round(top), round(left + COLUMN), round(top + high)
        outline = (
            *((x + CHAMFER, y), (end - CHAMFER, y), (end, y + CHAMFER), (end, low - CHAMFER)),
            *((end - CHAMFER, low), (x + CHAMFER, low), (x, low - CHAMFER), (x, y + CHAMFER)),
        )
        return MapPlace(place, self._names.get(place, place), "", (x + end) // 2, (y + low) // 2, outline=outline)

    @cached_property
    def _boxes(self) -> Mapping[PlaceId, tuple[Box, ...]]:
        """The box of each piece of each place."""
        return {place.id: tuple(self._stacked(place)) for place in self.places}

    def _stacked(self, place: MapPlace) -> Iterator[Box]:
        left, top, _, low = _box(place)
        stack = self.spread.stacks.get(place.id, ())
        y = (top + low - self._stack_height(place.id)) / 2 + PAD
        for counter in stack:
            high = self._height_of(counter, stack)
            yield (left + PAD, y, left + COLUMN - PAD, y + high)
            y += high + BETWEEN

    def counters_at(self, place: PlaceId) -> tuple[tuple[Box, str], ...]:
        """Return what is visible of each piece of a place (left, top, right and bottom edge, in pixels); no number lies on one."""
        return tuple((box, "") for box in self._boxes[place])

    @property
    def pieces_beside(self) -> Mapping[PieceId, tuple[Box, str]]:
        """The pieces that lie on desks, as `counters_at` returns those of places."""
        return {desk.next_piece: (self._desk_box(desk), "") for desk in self._near_desks if desk.next_piece}

    def _desk_box(self, desk: Desk) -> Box:
        top = self._desk_tops[desk.side]
        counter = self.spread.beside[desk.next_piece]
        high = card_svg.card_height(counter)
        middle = top + NEAR_DESK / 2
        right = self._right - DESK_PAD
        return (right - card_svg.WIDE, middle - high / 2, right, middle + high / 2)

    def taken(self) -> list[Box]:
        """Return where pieces lie, in pixels."""
        return [box for boxes in self._boxes.values() for box in boxes]

    # What is drawn

    def parts(self) -> Iterable[str]:
        """Draw it from the ground up."""
        yield from self.ground()
        yield from self.contents()

    def ground(self) -> Iterable[str]:
        """Draw the desks, the labels of the rows and the empty places."""
        for desk in self._far_desks:
            yield from self._desk(desk, FAR_DESK)
        for desk in self._near_desks:
            yield from self._desk(desk, _near_height(desk), self.spread.beside.get(desk.next_piece))
        for band in self._bands:
            yield from self._label(band)
            for column in range(len(band.row.places)):
                yield self._area(band, self._left(column))

    def contents(self) -> Iterable[str]:
        """Draw what moved, the Location cards, and the pieces."""
        yield from self._moves()
        for column, card in enumerate(self._table.cards):
            yield from self._card(card, self._left(column))
        yield from (self._pieces(place) for place in self.places[len(self._table.cards) :])

    def _desk(self, desk: Desk, high: float, piece: Counter | None = None) -> Iterator[str]:
        top, rank = self._desk_tops[desk.side], self.counters.rank(desk.side)
        if piece is None:
            yield from desk_parts(desk, rank, DeskLine(top, self._right, high, self._right - 10))
            return
        left, upper, right, low = self._desk_box(desk)
        yield from desk_parts(desk, rank, DeskLine(top, self._right, high, left - 10, is_drawn=True))
        yield self.counters.alone(piece, left, upper, right - left, low - upper)

    def _label(self, band: _Band) -> Iterator[str]:
        lines = broken(band.row.label, LABEL, LABEL_SIZE, is_bold=True)
        base = band.top + band.height / 2 - (len(lines) - 1) * LABEL_LINE / 2 + 4
        for number, line in enumerate(lines):
            tone = f"f-{self.counters.rank(band.row.side) or 'ink'} bold"
            yield text_at((0, base + number * LABEL_LINE), line, LABEL_SIZE, tone, "start")

    def _area(self, band: _Band, left: float) -> str:
        rank = self.counters.rank(band.row.side)
        dashes = None if rank == "first" else "4 3"
        shape = {"x": short(left), "y": short(band.top), "width": COLUMN, "height": short(band.height), "rx": 7}
        look = {"class": f"f-area-{rank} s-{rank}", "stroke_width": 1.5, "stroke_dasharray": dashes}
        return element("rect", {**shape, **look})

    def _card(self, card: PlaceCard, left: float) -> Iterator[str]:
        """Draw a Location card with the edge of its holder; a red one round it while it is about this."""
        holder = self.counters.rank(self.spread.held.get(card.place, NO_SIDE))
        box = (left, self._cards_top, left + COLUMN, self._cards_top + self._cards_high)
        is_changed = card.place in self.spread.changes.places
        drawn = card_parts(
            card, holder, box, self.counters, is_at_stake=card.place in self.spread.at_stake, is_changed=is_changed
        )
        title = self._titles.get(card.place) or card.name
        yield element("g", {"id": f"place-{card.place}"}, f"<title>{content(title)}</title>", *drawn)

    def _pieces(self, place: MapPlace) -> str:
        title = self._titles.get(place.id) or place.name
        inside = [f"<title>{content(title)}</title>"]
        left, top, right, low = _box(place)
        shape = {"x": short(left), "y": short(top), "width": short(right - left), "height": short(low - top), "rx": 7}
        if place.id in self.spread.at_stake:
            inside.append(element("rect", {**shape, "class": "bare s-bad", "stroke_width": 3}))
        elif place.id in self.spread.changes.places:
            inside.append(
                element("rect", {**shape, "class": "bare s-bad", "stroke_width": 2.5, "stroke_dasharray": "9 6"})
            )
        for counter, box in zip(self.spread.stacks.get(place.id, ()), self._boxes[place.id], strict=True):
            inside.append(self.counters.alone(counter, box[0], box[1], box[2] - box[0], box[3] - box[1]))
        there = {one.id: one for one in self.places}
        return element(
            "g", {"id": f"place-{place.id}", "data_by": moved_by(place, there, self.spread.changes)}, *inside
        )

    def _moves(self) -> Iterator[str]:
        """Draw an arrow for each move, from the middle of a place to the edge of the other, below all pieces."""
        there = {place.id: place for place in self.places}
        for start, end in self.spread.changes.moves:
            if start in there and end in there:
                yield from arrow(*_ends(there[start], there[end]))


def brief(spread: Spread) -> Spread:
    """Return a table of cards with what tells how it stands, as at the end of a match: holders, tracks, and pieces with their names and the numbers that count."""
    table = spread.cards
    if table is None:
        return spread
    cards = tuple([replace(card, effect="", silhouette="") for card in table.cards])
    stacks = {place: tuple(map(_brief_counter, stack)) for place, stack in spread.stacks.items()}
    return replace(spread, cards=replace(table, cards=cards, is_brief=True), stacks=stacks)


def _brief_counter(counter: Counter) -> Counter:
    face = counter.card
    return counter if face is None else replace(counter, card=CardFace(stars=face.stars))


def _near_height(desk: Desk) -> float:
    return NEAR_DESK if desk.next_piece else FAR_DESK


def _box(place: MapPlace) -> Box:
    across, down = [x for x, _ in place.outline], [y for _, y in place.outline]
    return min(across), min(down), max(across), max(down)


def _ends(start: MapPlace, end: MapPlace) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the middle of a place, and the point at which the line from there to the middle of another crosses the edge of that."""
    left, top, right, low = _box(end)
    across, down = end.x - start.x, end.y - start.y
    parts = [abs((right - left) / 2 / across)] if across else []
    parts += [abs((low - top) / 2 / down)] if down else []
    over = 1 - min([1.0, *parts])
    return (start.x, start.y), (start.x + across * over, start.y + down * over)
