"""Draws the table as text: heading, tracks, a sketch of the map, places and their contents, piles, the open decision."""

import re
from collections.abc import Iterator, Mapping, Sequence

from cli.output.columns import in_columns, wrapped
from cli.output.panel_text import Paint, panel_lines, side_by_side
from core.narration.render_model import MapPlace, Panel, Picture
from core.telling.arbiter_sentences import awaited_links
from core.telling.chosen_options import played_title
from core.telling.names import Names
from core.telling.phrases import counted_alike, listed, unnamed, won_by
from core.telling.secret_panel import secret_panel
from core.wording import does
from events.ids import NO_SIDE, PUBLIC, PieceId, PlaceId, Seat
from events.vocabulary import Value
from projections.state.offices import Invitation
from projections.state.seating import winning_players
from projections.state.table import Piece, Table
from server.page_parts.times import moment_words

SKETCH_ROWS = 30
"""The most rows of a sketch."""

ESCAPE = "\x1b"
COLORS = ("blue", "red", "yellow", "green", "magenta", "cyan")
"""Colours of the sides, in the order in which the table's places were first held."""


class Drawing:
    """Draws one table.

    Args:
        names: The names of the match.
        table: As its onlooker sees it.
        width: How many characters fit side by side.
        paint: Gives a text a colour.
        is_full: Whether to show the neighbours of every place and the attributes as well.
        seat: Who looks; what belongs to its side is called its own.
    """

    def __init__(
        self, names: Names, table: Table, width: int, paint: Paint, *, is_full: bool, seat: Seat = PUBLIC
    ) -> None:
        self.is_full = is_full
        self.names = names.on(table)
        self.table = table
        self.width = width
        self.paint = paint
        self._seat = seat
        sides = dict.fromkeys([*table.sides, *table.control.values(), *(piece.side for piece in table.pieces.values())])
        places = self.names.narration.places()
        self.map_places = [place for place in places if place.named.is_in(table.scenario, table.mode)]
        self._colors = dict(zip([side for side in sides if side], COLORS, strict=False))
        self._color_of = {self.names.side(side): color for side, color in self._colors.items()}
        named = "|".join(map(re.escape, sorted(self._color_of, key=len, reverse=True)))
        self._sides = re.compile(rf"\b(?:{named})\b") if named else None

    def lines(self) -> Iterator[str]:
        """Draw everything, each side in its colour."""
        return map(self.tinted, self._parts())

    def tinted(self, line: str) -> str:
        """Return a line with the names of the sides in their colours; titles, which are painted already, as they are."""
        if ESCAPE in line or self._sides is None:
            return line
        return self._sides.sub(lambda name: self.paint(name[0], self._color_of[name[0]]), line)

    def _parts(self) -> Iterator[str]:
        """Draw the game's own rendering if it has one, else the generic one part by part."""
        picture = self.picture()
        if picture is not None:
            yield from self.panels(picture.above)
            yield from self._sketched(picture)
            yield from self.panels(picture.below)
            yield from self._remembered()
            yield from self.decision()
            return
        for part in (self.tracks(), self.sketch(), self.places()):
            if part:
                yield from [*part, ""]
        yield from self._section("Boxes", self._boxes())
        yield from self._section("Elsewhere", self._elsewhere())
        yield from self._section("Cards and counters", self._piles())
        secrets = secret_panel(self.names, self.table)
        yield from self.panels([secrets] if secrets is not None else [])
        yield from self._remembered()
        yield from self.decision()

    def picture(self) -> Picture | None:
        """Return the game's own rendering, in which what belongs to the viewer is called its own; None if there is none."""
        picture = self.names.narration.picture(self.table)
        return None if picture is None else picture.seen_by(self.table.side_of(self._seat))

    def _remembered(self) -> Iterator[str]:
        """List the attributes, if everything is to be shown."""
        if self.is_full:
            yield from self._section("Attributes", self._memory())

    def _section(self, title: str, rows: list[tuple[str, str]]) -> Iterator[str]:
        if rows:
            yield self.paint(title, "")
            yield from in_columns(("", ""), rows, self.width)
            yield ""

    # The game's own rendering

    def panels(self, panels: Sequence[Panel]) -> Iterator[str]:
        """Draw panels, those that tell the same of several things beside each other if there is room."""
        for group in self.groups(panels):
            yield from panel_lines(group, self.width, self.paint)
            yield ""

    def groups(self, panels: Sequence[Panel]) -> Iterator[tuple[Panel, ...]]:
        """Yield the panels to be shown, those together that stand beside each other."""
        return side_by_side([one for one in panels if self.is_full or not one.is_detail], self.width)

    def _sketched(self, picture: Picture) -> Iterator[str]:
        """Sketch the map with the game's own signs, with their key below."""
        if picture.spots:
            places = [place for place in self.map_places if place.id in picture.spots]
            yield from [*self._sheets(places, picture.spots), ""]
            yield from [*wrapped("", picture.key, self.width), ""]

    def _memory(self) -> list[tuple[str, str]]:
        return [
            (self.names.anything(on), "; ".join(self._attribute(key, value) for key, value in there.items()))
            for on, there in self.table.attributes.items()
        ]

    def _attribute(self, key: str, value: Value) -> str:
        return self.names.of(key) if value is True else f"{self.names.of(key)}: {self.names.value(value)}"

    # The generic rendering

    def tracks(self) -> list[str]:
        """List the tracks, as many side by side as fit."""
        said = [f"{self.names.of(track)} {value}" for track, value in self.table.tracks.items()]
        return wrapped("", "   ".join(said), self.width) if said else []

    def sketch(self) -> list[str]:
        """Sketch the map: each place's label, who controls it (the first letter), and how many pieces stand there.

        If places share their labels, there is no sketch: it would add nothing to the list below it.
        """
        spots = [place for place in self.map_places if not place.is_box]
        if len({place.label for place in spots}) < len(spots):
            return []
        return self._sheets(spots, {place.id: self._spot(place) for place in spots})

    def _sheets(self, spots: Sequence[MapPlace], texts: Mapping[PlaceId, str]) -> list[str]:
        """Sketch each map by itself, under its name if there are several."""
        maps = list(dict.fromkeys(place.map for place in spots))
        lines: list[str] = []
        for key in maps:
            lines += [""] if lines else []
            lines += [self.paint(self.names.of(key), "")] if len(maps) > 1 else []
            lines += self._sheet([place for place in spots if place.map == key], texts)
        return lines

    def _sheet(self, spots: Sequence[MapPlace], texts: Mapping[PlaceId, str]) -> list[str]:
        """Write a text at each place of the map, in the colour of the side that controls it."""
        # Two rows for each height at which places lie keep neighbours apart; more would be blank.
        heights = len({place.y for place in spots})
        cells = _Sheet(min(self.width, 100), min(SKETCH_ROWS, 2 * heights))
        left, right = _range([place.x for place in spots])
        top, bottom = _range([place.y for place in spots])
        for place in spots:
            text = texts[place.id]
            column = round((place.x - left) / (right - left) * (cells.columns - 8))
            row = round((place.y - top) / (bottom - top) * (cells.rows - 1))
            cells.write(row, column, text, self._colors.get(self.table.control.get(place.id, NO_SIDE), ""))
        return cells.lines(self.paint)

    def _spot(self, place: MapPlace) -> str:
        side = self.table.control.get(place.id, NO_SIDE)
        count = len(self.table.pieces_at(place.id))
        return f"{place.label or place.name[:3]}{self.names.side(side)[:1] if side else '.'}{count or ''}"

    def places(self) -> list[str]:
        """List the places of the map that hold anything or that a side controls."""
        titles = ["", "Place", "Control", "There"] + (["Next to"] if self.is_full else [])
        rows: list[list[str]] = []
        for place in self.map_places:
            there = self._there(place.id)
            side = self.table.control.get(place.id, NO_SIDE)
            if not place.is_box and (there or side):
                next_to = [" ".join(place.neighbours)] if self.is_full else []
                rows.append(
                    [place.named.further_label, place.name, self.names.side(side) if side else "", there, *next_to]
                )
        return in_columns(titles, rows, self.width, right=[0]) if rows else []

    def _boxes(self) -> list[tuple[str, str]]:
        boxes = [place for place in self.names.places.values() if place.is_box]
        return [(place.name, there) for place in boxes if (there := self._there(place.id))]

    def _elsewhere(self) -> list[tuple[str, str]]:
        """List what lies on neither a place nor a piece: pieces in boxes, and markers of the whole table."""
        known = self.names.places.keys()
        named = [*self.table.at, *self.table.markers]
        others = [
            name
            for name in dict.fromkeys(named)
            if PlaceId(name) not in known and PieceId(name) not in self.table.pieces
        ]
        return [(self.names.of(name), there) for name in others if (there := self._there(PlaceId(name)))]

    def _piles(self) -> list[tuple[str, str]]:
        rows: list[tuple[str, str]] = []
        for pile, content in sorted(self.table.piles.items()):
            if content.count:
                known = ", ".join(counted_alike(self.names.of(card) for card in content.cards[:8]))
                more = content.count - min(len(content.cards), 8)
                rows.append(
                    (
                        self.names.of(pile),
                        f"{content.count}: {known}{f' and {more} more' if known and more else ''}".removesuffix(": "),
                    )
                )
        return rows

    # The contents of a place

    def _there(self, place: PlaceId) -> str:
        """List pieces, those that look alike together, and markers."""
        alike: dict[str, list[str]] = {}
        for id_ in self.table.pieces_at(place):
            piece = self.table.pieces[id_]
            alike.setdefault(self._looks(piece), []).append(self.names.piece(piece.id, place))
        pieces = [f"{', '.join(counted_alike(names))}{looks}" for looks, names in alike.items()]
        return "; ".join(pieces + self._markers(place))

    def _looks(self, piece: Piece) -> str:
        named = [word for word in (piece.kind, piece.face) if word and self.names.has_name(word)]
        looks = [look for look in map(self.names.of, named) if look != self.names.of(piece.id)]
        looks += [f"{piece.steps} steps"] if piece.steps > 1 else []
        looks += self._markers(piece.id)
        aboard = [self.names.of(other) for other in self.table.cargo(piece.id)]
        looks += [f"carries {', '.join(aboard)}"] if aboard else []
        return f" [{', '.join(looks)}]" if looks else ""

    def _markers(self, on: str) -> list[str]:
        there = self.table.markers.get(on, {})
        shown = [name for name in there if self.is_full or self.names.has_name(name)]
        return [f"{self.names.of(name)}{f' {there[name]}' if there[name] > 1 else ''}" for name in shown]

    def decision(self) -> list[str]:
        """Return the open decision, or how the match ended."""
        return [
            self.paint(line, "")
            for said in decision_lines(self.names, self.table)
            for line in wrapped("", said, self.width)
        ]


def decision_lines(names: Names, table: Table) -> list[str]:
    """Return the open decision and its seat, or how the match ended."""
    if table.ended is not None:
        winners = names.winners(table.ended.winners, table.ended.winning_seats)
        players = winning_players(table.ended, table.players)
        who = won_by(listed(unnamed(table.ended.result, winners, players)), players)
        why = f" {table.ended.reason.rstrip('.')}." if table.ended.reason else ""
        return [f"The match is over: {names.result(table.ended)}{f', won by {who}' if who else ''}.{why}"]
    waiting = [*_paused(table), *_asked_back(names, table), *filter(None, [awaited_links(names, table)])]
    if not table.began:
        return [*_before_play(names, table), *waiting]
    top = table.top
    if top is None:
        return waiting
    # In the middle of a command no seat has to decide.
    return [
        *waiting,
        f"To decide: {names.seat(top.seat)}, {names.narration.question(table, top)}."
        if top.seat
        else f"Under way: {names.narration.question(table, top)}.",
        *(names.on(table).details(top) if top.seat else ()),
    ]


def _paused(table: Table) -> list[str]:
    return [] if table.paused is None else [f"The match is paused: {table.paused.rstrip('.')}."]


def _asked_back(names: Names, table: Table) -> list[str]:
    asked = table.asked_back
    if asked is None:
        return []
    others = listed([names.seat(seat) for seat in asked.awaited])
    wish = f"{does(names.seat(asked.seat), 'ask')} {others} to agree that all after event {asked.to} is taken back"
    return [f"{wish}: `undo --agree` or `undo --refuse`."]


def _before_play(names: Names, table: Table) -> list[str]:
    free = [names.seat(seat) for seat in table.seats if seat not in table.players and seat not in table.reserved]
    reserved = [
        f"{names.seat(seat)}{_invited(invited)}" for seat, invited in table.reserved.items() if seat in table.seats
    ]
    waiting = f"; by invitation: {', '.join(reserved)}" if reserved else ""
    seats = f"; free seats: {', '.join(free)}. `sit` takes one, `choose begin` all of them" if free else ""
    is_blocked = free or reserved or (table.links is not None and table.links.debtors())
    return [f"Play has not begun{waiting}{seats}{'' if is_blocked else ': `choose begin`'}."]


def _invited(invitation: Invitation) -> str:
    """Return for whom a seat is reserved and until when, in brackets; empty for neither."""
    until = f"until {moment_words(invitation.until)}" if invitation.until else ""
    said = ", ".join(filter(None, (invitation.name, until)))
    return f" ({said})" if said else ""


def heading_lines(names: Names, table: Table, *, title: str, match: str, number: int, at: int = 0) -> list[str]:
    """Return which match this is and where it stands; `at` is the time of its last event, or 0."""
    variant = f", variant {table.variant}" if table.variant else ""
    where = [f"{names.round} {table.round}"] if table.round else []
    where += [names.turn(table.turn, table.turn_seat)] if table.turn else []
    where += [names.phase(table.phase)] if table.phase else []
    lines = [
        *([table.title] if table.title else []),
        f"{title}: {played_title(table.game, table.scenario, table.mode)}{variant}",
        f"Match {match}, event {number}{f', {moment_words(at)}' if at else ''}",
    ]
    lines += [f"Arbiter: {table.arbiter.name}"] if table.arbiter is not None else []
    return [*lines, ", ".join(where)] if where else lines


def _range(numbers: list[int]) -> tuple[int, int]:
    low, high = min(numbers, default=0), max(numbers, default=0)
    return low, high if high > low else low + 1


class _Sheet:
    """A grid of characters on which texts never overlap."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.rows = rows
        self._written: list[list[tuple[int, str, str]]] = [[] for _ in range(rows)]

    def write(self, row: int, column: int, text: str, color: str) -> None:
        """Write a text as near as possible to its position."""
        tries = [(row + down, column + aside) for aside in (0, -2, 2, -4, 4, -7, 7) for down in (0, 1, -1)]
        for line, start in tries:
            if 0 <= line < self.rows and self._is_free(line, start, len(text)):
                self._written[line].append((start, text, color))
                return

    def _is_free(self, row: int, start: int, length: int) -> bool:
        fits = start >= 0 and start + length <= self.columns
        return fits and all(start > end + len(text) or start + length < end for end, text, _ in self._written[row])

    def lines(self, paint: Paint) -> list[str]:
        """Return the rows from the first to the last that holds anything."""
        lines: list[str] = []
        for row in self._written:
            line, column = "", 0
            for start, text, color in sorted(row):
                line += " " * (start - column) + (paint(text, color) if color else text)
                column = start + len(text)
            lines.append(line)
        while lines and not lines[-1]:
            lines.pop()
        return lines
