"""The drawn map: the Locations in a row, each between the Areas of both sides, as they lie on a table."""

from textwrap import wrap

from core.board_svg import INK, LegendEntry, PlaceLook
from core.components.board_report import source_remark
from core.games.battle.components.card_model import Cards, Location
from core.games.battle.components.view.card_words import MARK, IsInvented, note_words, rubble_words
from core.games.battle.ids import GERMAN, LOCATION_AREAS, RUSSIAN, SIDE_NAMES, area
from core.ports import MapPlace
from core.wording import counted
from events.ids import PlaceId

COLUMN = 180
"""Pixels from Location to Location."""
LINE_CHARACTERS = 30
"""How much text fits below a Location."""

GERMAN_FILL = "#c9cfc4"
RUSSIAN_FILL = "#e3c1b4"
LOCATION_FILL = "#d4d0cf"
INVENTED_RING = "#b8860b"

LEGEND = (
    LegendEntry(LOCATION_FILL, "Location, with its Rations by Rubble and its note"),
    LegendEntry(GERMAN_FILL, "German Area"),
    LegendEntry(RUSSIAN_FILL, "Russian Area"),
    LegendEntry(LOCATION_FILL, "golden outline: that there is this Location is a guess", INVENTED_RING),
    LegendEntry("none", f"{MARK} reconstructed: the rulebook's text does not give it", "none"),
)

_AREA_ROWS = (40, 120, 390, 470)
"""The heights in pixels of the Areas of a Location."""
_LOCATION_ROW = 200
_FILLS = {GERMAN: GERMAN_FILL, RUSSIAN: RUSSIAN_FILL}


def map_places(cards: Cards) -> tuple[MapPlace, ...]:
    """Return every Location and its four Areas, Location by Location, as they are drawn.

    No lines join them, because Locations are not adjacent to each other. Source: setup.areas,
    setup.locations.no-adjacency.
    """
    found: list[MapPlace] = []
    for number, location in enumerate(cards.locations.values()):
        x = COLUMN * number + COLUMN // 2
        label = str(location.rations(0))
        found.append(MapPlace(PlaceId(location.id), location.name, label, x, _LOCATION_ROW))
        for (side, which), y in zip(LOCATION_AREAS, _AREA_ROWS, strict=True):
            name = f"{SIDE_NAMES[side]} {which.capitalize()}"
            found.append(MapPlace(area(location.id, side, which), name, which[0].upper(), x, y))
    return tuple(found)


def printed_looks(cards: Cards, is_invented: IsInvented) -> dict[PlaceId, PlaceLook]:
    """Return how the places look before any match.

    Args:
        cards: The cards shown.
        is_invented: What of them is reconstructed.
    """
    looks: dict[PlaceId, PlaceLook] = {}
    for index, location in enumerate(cards.locations.values()):
        path = ("location", index)
        chart = MARK if is_invented(path, "chart") or is_invented(path, "destroyed_at") else ""
        note = _note(location, MARK if is_invented(path, "note") else "")
        looks[PlaceId(location.id)] = PlaceLook(
            fill=LOCATION_FILL,
            ring=INVENTED_RING if is_invented(path, "name") else INK,
            lines=(*(f"{line}{chart}" for line in _chart_lines(location)), *wrap(note, LINE_CHARACTERS)),
            title=f"{location.name}: {note or 'no note'}",
        )
        for side, which in LOCATION_AREAS:
            title = f"{location.name}, {SIDE_NAMES[side]} {which.capitalize()} Area"
            looks[area(location.id, side, which)] = PlaceLook(fill=_FILLS[side], title=title)
    return looks


def map_remark(cards: Cards) -> str:
    """Return in one line how far the cards can be trusted."""
    return source_remark(
        cards.source,
        "The printed cards were not available: most Forces, notes, charts and copies are reconstructed, and marked so "
        "field by field.",
    )


def _chart_lines(location: Location) -> list[str]:
    lines = [f"{rubble_words(step)} Rubble: {counted(step.rations, 'Ration')}" for step in location.chart]
    return [*lines, f"{location.destroyed_at} Rubble: Destroyed"]


def _note(location: Location, mark: str) -> str:
    """Return a Location's note, marked, and whether it outlasts the Location."""
    kept = " Kept when Destroyed." if location.note_survives else ""
    return f"{note_words(location)}{kept}{mark}" if location.has_note else ""
