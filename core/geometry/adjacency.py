"""Adjacency of the places of a board, for one purpose, with the features of their borders.

A board that has several relations (adjacency for movement is not adjacency for interception) has one `Adjacency` for each. One
relation may run over several maps, and its places need not be areas: a crossing or a site between areas has neighbours, too.
"""

from collections.abc import Iterable

from core.geometry.paths import neighbourhood
from events.codec import Struct
from events.ids import PlaceId


class Border(Struct, frozen=True):
    """Two adjacent places, with the features of their border that matter to rules, such as a river or a road.

    With `is_one_way` only `other` can be entered from `one`.
    """

    one: PlaceId
    other: PlaceId
    features: tuple[str, ...] = ()
    is_one_way: bool = False


class Adjacency:
    """A relation between the places of a board. It is constant; changes during a match are on the table.

    `neighbours` has every place that touches another or was named, with the places that can be entered from it, in the order
    of `places`.

    Args:
        borders: Each pair once, in either order; a one-way border and its opposite are two.
        places: The places in their printed order; those that touch none have no neighbours.
    """

    def __init__(self, borders: Iterable[Border], places: Iterable[PlaceId] = ()) -> None:
        self._borders: dict[tuple[PlaceId, PlaceId], Border] = {}
        for border in borders:
            self._borders[border.one, border.other] = border
            if not border.is_one_way:
                self._borders[border.other, border.one] = border
        everywhere = neighbourhood(self._borders, places)
        self.neighbours: dict[PlaceId, tuple[PlaceId, ...]] = {
            place: tuple(other for other in near if (place, other) in self._borders)
            for place, near in everywhere.items()
        }

    def __eq__(self, other: object) -> bool:  # type: ignore[explicit-override]
        return isinstance(other, Adjacency) and (self._borders, self.neighbours) == (other._borders, other.neighbours)

    def __hash__(self) -> int:  # type: ignore[explicit-override]
        return hash(tuple(self._borders.items()))

    def borders(self) -> tuple[Border, ...]:
        """Return every border once."""
        return tuple(dict.fromkeys(self._borders.values()))

    def near(self, place: PlaceId) -> tuple[PlaceId, ...]:
        """Return the places that can be entered from one; none if it does not exist."""
        return self.neighbours.get(place, ())

    def are_adjacent(self, one: PlaceId, other: PlaceId) -> bool:
        """Return whether the second place can be entered from the first; False if either does not exist."""
        return (one, other) in self._borders

    def border(self, one: PlaceId, other: PlaceId) -> Border | None:
        """Return the border that is crossed from the first place to the second, or None if they do not touch."""
        return self._borders.get((one, other))

    def has(self, one: PlaceId, other: PlaceId, feature: str) -> bool:
        """Return whether the border from the first place to the second has a feature; False if they do not touch."""
        border = self._borders.get((one, other))
        return border is not None and feature in border.features
