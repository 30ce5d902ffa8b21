"""What people see of a table: panels of lines and rows, and what stands at each place of the map.

A game fills them with its own words, because only it knows what a player looks for; how they are laid out, how wide, and in
which colours, is settled where they are drawn.
"""

from events.codec import Struct
from events.ids import PlaceId


class Panel(Struct, frozen=True):
    """A part of what people see: a title, lines to be wrapped, then rows in columns.

    Every row has as many cells as `header`, which may be empty for rows without titles; `right` counts the columns, from 0,
    that are set flush right.
    """

    title: str = ""
    lines: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    right: tuple[int, ...] = ()


class Picture(Struct, frozen=True):
    """A table as its players look at it.

    `above` comes before a sketch of the map, `below` after it. `spots` says in a few characters what stands at each place
    of the map; without any there is no sketch. `key` explains these signs.
    """

    above: tuple[Panel, ...] = ()
    spots: dict[PlaceId, str] = {}
    key: str = ""
    below: tuple[Panel, ...] = ()
