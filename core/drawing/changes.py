"""Changes on the map between two tables of a match."""

from collections.abc import Iterable, Mapping

from core.narration.render_model import MapPlace
from core.narration.sheet import Changes
from events.ids import PlaceId
from projections.diff import diff_tables
from projections.state.table import Table


def changes_between(before: Table, after: Table, places: Iterable[MapPlace]) -> Changes:
    """Return what changed on the map.

    Args:
        before: The earlier table. What was set up before the first round does not count as a change, but for what a seat was asked about.
        after: The later table, as the same viewer sees it.
        places: The places of the map; boxes are not part of it.
    """
    if not before.round and before.top is None:
        return Changes()
    on_map = {place.id for place in places if not place.is_box}
    found = diff_tables(before, after)
    moves = [(one.a.place, one.b.place) for one in found.pieces if one.a and one.b and one.a.place != one.b.place]
    left = [one.a.place for one in found.pieces if one.a and (one.b is None or one.b.place not in on_map)]
    others = [*(one.place for one in found.control), *(PlaceId(one.on) for one in found.markers)]
    return Changes(
        frozenset(one.piece for one in found.pieces if one.b is not None),
        tuple(dict.fromkeys(move for move in moves if on_map.issuperset(move))),
        frozenset(on_map.intersection([*left, *others])),
    )


def moved_by(place: MapPlace, there: Mapping[PlaceId, MapPlace], changes: Changes) -> str | None:
    """Return how far away the place lies from which pieces moved to a place just now: across and down, in pixels; None if none did.

    Args:
        place: Where they are now.
        there: The places of the same map, in pixels.
        changes: What changed.
    """
    starts = [there[start] for start, end in changes.moves if end == place.id and start in there]
    return f"{starts[-1].x - place.x} {starts[-1].y - place.y}" if starts else None
