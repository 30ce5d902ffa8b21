"""The render model of a table: the places of the map, panels of lines and rows, and a label for each place.

A game fills them with its own terms, because it knows what its players need; the renderer chooses layout, width
and colours.
"""

from core.narration.place_name import PlaceName
from events.codec import Struct, replace
from events.ids import NO_SIDE, PlaceId, Side


class Panel(Struct, frozen=True):
    """A panel: a title, lines to be wrapped, then rows in columns.

    Every row has as many cells as `header`, which may be empty for rows without titles; `right` counts the columns, from 0,
    that are set flush right. `is_private`: only the viewer knows what it lists, such as the cards of the viewer's hand. `is_map`: it shows
    in text what the drawing shows, beside which it is left out. `current` is its place, if the open decision is about what goes on there.
    `is_detail`: it is told only to who asks for everything. `is_abreast`: its neighbours that are so too tell the same of other places, in rows that begin
    with the same labels; where there is room they stand beside each other. To its `owner` it is `Your` and `what` it is, to others its title.
    """

    title: str = ""
    lines: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    right: tuple[int, ...] = ()
    is_private: bool = False
    is_map: bool = False
    current: PlaceId = PlaceId("")
    is_detail: bool = False
    is_abreast: bool = False
    owner: Side = NO_SIDE
    what: str = ""

    def seen_by(self, side: Side) -> "Panel":
        """Return the panel with the title that it has for a side."""
        return replace(self, title=f"Your {self.what}") if self.what and side and self.owner == side else self


class Picture(Struct, frozen=True):
    """A game's own rendering of a table.

    `above` comes before a sketch of the map, `below` after it. `spots` holds a few characters for each place
    of the map; if it is empty there is no sketch. `key` explains these signs.
    """

    above: tuple[Panel, ...] = ()
    spots: dict[PlaceId, str] = {}
    key: str = ""
    below: tuple[Panel, ...] = ()

    def seen_by(self, side: Side) -> "Picture":
        """Return the picture with the titles that its panels have for a side."""
        above, below = (tuple([one.seen_by(side) for one in panels]) for panels in (self.above, self.below))
        return replace(self, above=above, below=below)


class MapBorder(Struct, frozen=True):
    """The features of the border to a neighbour, such as a river, by ids that `Words.name` knows."""

    to: PlaceId
    features: tuple[str, ...]


class MapPlace(Struct, frozen=True):
    """A place for drawing: a centre on a schematic map (0 to 1000 both ways, y down) and its neighbours.

    `map` names one of a game's several maps, each with its own coordinates; it is empty if there is only one. `kind` names an
    unusual kind of place, such as a crossing. `outline` is the polygon of an area or a hex, empty if the place is a
    spot; neighbours share the corners of their common border. `borders` lists the neighbours across a border with a
    feature; one of the two places or both list it. The rest is as in `PlaceName`.
    """

    id: PlaceId
    name: str
    label: str
    x: int
    y: int
    neighbours: tuple[PlaceId, ...] = ()
    is_box: bool = False
    map: str = ""
    kind: str = ""
    outline: tuple[tuple[int, int], ...] = ()
    borders: tuple[MapBorder, ...] = ()
    only_in: tuple[str, ...] = ()
    noun: str = ""

    @property
    def named(self) -> PlaceName:
        """The place without its geometry, as sentences name it."""
        return PlaceName(self.id, self.name, self.label, self.is_box, self.only_in, self.noun)
