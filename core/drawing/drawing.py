"""A picture of a table: the printed map, what its viewer sees on it and what changed just now, and the panels beside it."""

from collections.abc import Callable, Mapping

from core.drawing.changes import changes_between
from core.drawing.picture_svg import Picture, arranged, draw_picture
from core.narration.narration_port import Narration
from core.narration.render_model import Panel
from core.narration.sheet import Badge, Changes, Counter, Drawing, Land, Sheet, Spread, counted_alike, pieces_of
from core.svg.themes import AUTO
from events.codec import replace
from events.ids import NO_SIDE, PieceId, PlaceId, Side
from projections.state.table import Table

SHORT = 7
"""How many characters of a name fit onto a counter."""


def counters_of(table: Table, look: Callable[[PieceId], Counter]) -> dict[PieceId, Counter]:
    """Return the counters of all pieces on a table."""
    return {piece: look(piece) for piece in table.pieces}


def draw_table(
    narration: Narration,
    table: Table,
    title: str,
    moment: str = "",
    *,
    theme: str = AUTO,
    before: Table | None = None,
    near: Side = NO_SIDE,
) -> str:
    """Draw a table with the panels beside it.

    Args:
        narration: The game's.
        table: As the viewer sees it.
        title: The game's title.
        moment: A line below the title.
        theme: The colours, one of `themes.THEMES`.
        before: The table before the latest events, as the same viewer saw it; what they changed is marked.
        near: The side of the viewer, which lies at the bottom of a table of cards.

    Returns:
        A whole SVG document.
    """
    drawing = drawing_of(narration, table, title)
    spread = spread_of(drawing, narration, table, before, near=near)
    return draw_picture(drawing.sheet, spread, panels_of(narration, table), moment, theme)


def picture_of(
    narration: Narration,
    table: Table,
    title: str,
    moment: str = "",
    *,
    before: Table | None = None,
    near: Side = NO_SIDE,
) -> Picture:
    """Return the picture of a table, as `draw_table` draws it, for a film."""
    drawing = drawing_of(narration, table, title)
    spread = spread_of(drawing, narration, table, before, near=near)
    return arranged(drawing.sheet, spread, panels_of(narration, table), moment)


def drawing_of(narration: Narration, table: Table, title: str) -> Drawing:
    """Return the drawing of a table: the game's own, or one made of its places and names."""
    return narration.drawing(table) or _plain(narration, table, title)


COLOURS = ("green olive grey gray white", "red", "blue", "purple violet black")
"""The words for the colours of the sides (`palette.RANKS`), in their order, in the names of sides."""


def _plain(narration: Narration, table: Table, title: str) -> Drawing:
    places = tuple(place for place in narration.places() if place.named.is_in(table.scenario, table.mode))
    sides = dict.fromkeys([*table.sides, *table.control.values(), *(piece.side for piece in table.pieces.values())])
    land = {place.id: Land(title=place.name) for place in places}
    coloured = in_colours({side: narration.name(side) for side in sides if side})
    return Drawing(Sheet(title, places, land, sides=coloured))


def in_colours(names: Mapping[Side, str]) -> tuple[Side, ...]:
    """Return sides in the order of their colours: one that is called a colour has it, the others have what is left in their order.

    Where a colour is left over before another that is in use, a side of no table stands for it.
    """
    slots: dict[int, Side] = {}
    for side, name in names.items():
        words = {word.removesuffix("s") for word in name.casefold().split()}
        for slot, colours in enumerate(COLOURS):
            if slot not in slots and words & {*colours.split()}:
                slots[slot] = side
                break
    free = (slot for slot in range(len(names) + len(COLOURS)) if slot not in slots)
    slots |= dict(zip(free, [side for side in names if side not in slots.values()], strict=False))
    return tuple(slots.get(slot, Side(f"-{slot}")) for slot in range(max(slots, default=-1) + 1))


def spread_of(
    drawing: Drawing, narration: Narration, table: Table, before: Table | None, *, near: Side = NO_SIDE
) -> Spread:
    """Return what lies on the map and beside it: pieces in the order of their arrival, like ones together, and markers by name.

    What has changed since the table `before`, if there is one, is marked, and so is what the drawing is about. The side that is `near` is the viewer's: it lies at the bottom of a table of cards,
    and what it owns is called its own.
    """
    held = table.control if drawing.held is None else drawing.held
    changes = Changes() if before is None else changes_between(before, table, drawing.sheet.places)
    stacks: dict[PlaceId, tuple[Counter, ...]] = {}
    pieces: dict[PlaceId, tuple[tuple[PieceId, ...], ...]] = {}
    signs: dict[PlaceId, tuple[str, ...]] = {}
    badges: dict[PlaceId, tuple[Badge, ...]] = {}
    contested: list[PlaceId] = []

    def look(piece: PieceId) -> Counter:
        counter = _counter(drawing, narration, table, piece)
        return replace(counter, is_changed=piece in changes.pieces, is_at_stake=piece in drawing.at_stake)

    ranks = {side: number for number, side in enumerate(drawing.sheet.sides)}
    for place in [place.id for place in drawing.sheet.places]:
        over = drawing.sheet.over.get(place)
        lying = (*table.pieces_at(place), *(() if over is None else table.pieces_at(over)))
        looks = {piece: replace(look(piece), is_large=drawing.sheet.is_large_print) for piece in lying}
        there = sorted(looks.values(), key=lambda counter: ranks.get(counter.side, len(ranks)))
        stacks[place] = counted_alike(there)
        pieces[place] = pieces_of(stacks[place], looks)
        signs[place] = tuple(_signs(narration, table, place, drawing))
        badges[place] = (
            *[one for side, one in drawing.sheet.holders.items() if held.get(place) == side],
            *[one for key, one in drawing.sheet.markers.items() if table.marker(place, key)],
        )
        contested += [place] if len({counter.side for counter in there if counter.side in ranks}) > 1 else []
    cells = [cell for strip in drawing.strips for row in strip.rows for cell in row]
    desks = () if drawing.cards is None else drawing.cards.desks
    apart = [
        *(piece for cell in cells for piece in cell.pieces),
        *(desk.next_piece for desk in desks if desk.next_piece),
    ]
    beside = {piece: look(piece) for piece in apart}
    at_stake = frozenset(place for place in stacks if place in drawing.at_stake)
    return Spread(
        held=dict(held),
        contested=frozenset(contested) if drawing.contested is None else drawing.contested,
        stacks=stacks,
        pieces=pieces,
        signs=signs,
        badges=badges,
        changes=changes,
        at_stake=at_stake,
        attacks=drawing.attacks,
        strips=tuple([strip.seen_by(near) for strip in drawing.strips]),
        beside=beside,
        cards=None if drawing.cards is None else drawing.cards.seen_by(near),
        near=near,
    )


def _counter(drawing: Drawing, narration: Narration, table: Table, piece: PieceId) -> Counter:
    if piece in drawing.counters:
        return drawing.counters[piece]
    title = narration.piece(table, piece)
    return Counter(title, table.pieces[piece].side, figures=title[:SHORT])


def _signs(narration: Narration, table: Table, place: PlaceId, drawing: Drawing) -> list[str]:
    """Name the markers at a place that are no badges, several with their number; those for bookkeeping have no names."""
    there = {key: count for key, count in table.markers.get(place, {}).items() if key not in drawing.sheet.markers}
    named = [(narration.name(marker), marker, count) for marker, count in there.items()]
    return [f"{count} {name}" if count > 1 else name for name, marker, count in named if name != marker]


def panels_of(narration: Narration, table: Table) -> tuple[Panel, ...]:
    """Return the panels beside a drawn map."""
    picture = narration.picture(table)
    panels = _tracks(narration, table) if picture is None else (*picture.above, *picture.below)
    return tuple(panel for panel in panels if not (panel.is_map or panel.is_detail))


def _tracks(narration: Narration, table: Table) -> tuple[Panel, ...]:
    """Return the tracks that have names, for a game without a picture of its own."""
    named = [(narration.name(track), str(value)) for track, value in table.tracks.items()]
    rows = tuple((name, value) for (name, value), track in zip(named, table.tracks, strict=True) if name != track)
    return (Panel(rows=rows, right=(1,)),) if rows else ()
