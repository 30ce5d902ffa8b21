"""The stacks of the viewer's side in which something can be chosen, as a strip beside a map of which a part is shown."""

from collections.abc import Collection

from core.narration.sheet import Counter, Sheet, Spread
from core.narration.strips import Cell, Strip
from events.codec import replace
from events.ids import PieceId


def with_own_stacks(sheet: Sheet, spread: Spread, choosable: Collection[str]) -> Spread:
    """Return what lies on and beside the maps with a strip of own stacks, in the order of the places; the same if there are none, or the game wants none.

    Args:
        sheet: The game's maps.
        spread: What lies on and beside them.
        choosable: The pieces that can be chosen, and whatever else can.
    """
    cells: list[Cell] = []
    looks: dict[PieceId, Counter] = {}
    for place in sheet.places if sheet.own_stacks else ():
        stack = zip(spread.stacks.get(place.id, ()), spread.pieces.get(place.id, ()), strict=True)
        own = {piece: look for look, pieces in stack if look.side == spread.near for piece in pieces}
        if not own.keys().isdisjoint(choosable):
            cells.append(Cell(label=place.label or place.name, pieces=tuple(own)))
            looks |= {piece: replace(look, number=1, is_large=False) for piece, look in own.items()}
    if not cells:
        return spread
    strip = Strip(sheet.own_stacks, (tuple(cells),), is_stacks=True)
    return replace(spread, strips=(*spread.strips, strip), beside={**spread.beside, **looks})
