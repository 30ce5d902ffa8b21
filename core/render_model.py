"""The render model of a table: panels of lines and rows, and a label for each place of the map.

A game fills them with its own terms, because it knows what its players need; the renderer chooses layout, width
and colours.
"""

from events.codec import Struct
from events.ids import PlaceId


class Panel(Struct, frozen=True):
    """A panel: a title, lines to be wrapped, then rows in columns.

    Every row has as many cells as `header`, which may be empty for rows without titles; `right` counts the columns, from 0,
    that are set flush right. `is_private`: only the viewer knows what it lists, such as the cards of the viewer's hand.
    """

    title: str = ""
    lines: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    right: tuple[int, ...] = ()
    is_private: bool = False


class Picture(Struct, frozen=True):
    """A game's own rendering of a table.

    `above` comes before a sketch of the map, `below` after it. `spots` holds a few characters for each place
    of the map; if it is empty there is no sketch. `key` explains these signs.
    """

    above: tuple[Panel, ...] = ()
    spots: dict[PlaceId, str] = {}
    key: str = ""
    below: tuple[Panel, ...] = ()
